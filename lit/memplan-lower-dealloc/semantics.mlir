// Addresses are compared where all views start where their allocations do, whatever operation makes them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-lower-dealloc)' | FileCheck %s

// 1. vector.type_cast starts at the same place.
// CHECK-LABEL: @type_cast
// CHECK-NOT: memref.alloca
// CHECK: arith.select
// CHECK-COUNT-3: memref.extract_aligned_pointer_as_index
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @type_cast(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  %s = vector.type_cast %a : memref<4x4xf32> to memref<vector<4x4xf32>>
  %t = vector.type_cast %b : memref<4x4xf32> to memref<vector<4x4xf32>>
  %x = arith.select %c, %s, %t : memref<vector<4x4xf32>>
  %r = bufferization.dealloc (%a, %b : memref<4x4xf32>, memref<4x4xf32>) if (%d, %d) retain (%x : memref<vector<4x4xf32>>)
  return
}

// 2. So does memref.transpose, which is a view like others.
// CHECK-LABEL: @transpose
// CHECK-NOT: memref.alloca
// CHECK: memref.transpose
// CHECK-COUNT-3: memref.extract_aligned_pointer_as_index
// CHECK-NOT: memref.alloca
// CHECK: return
func.func @transpose(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  %s = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %t = memref.transpose %b (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %x = arith.select %c, %s, %t : memref<4x4xf32, strided<[1, 4]>>
  %r = bufferization.dealloc (%a, %b : memref<4x4xf32>, memref<4x4xf32>) if (%d, %d) retain (%x : memref<4x4xf32, strided<[1, 4]>>)
  return
}
// CHECK-LABEL: @retained
// CHECK-NEXT: return %arg1
func.func @retained(%a: memref<4x4xf32>, %c: i1) -> i1 {
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %r = bufferization.dealloc (%a : memref<4x4xf32>) if (%c) retain (%t : memref<4x4xf32, strided<[1, 4]>>)
  return %r : i1
}

// 3. Another memory space may number addresses differently.
// CHECK-LABEL: @space
// CHECK: memref.alloca
func.func @space(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = memref.memory_space_cast %a : memref<8xf32> to memref<8xf32, 1>
  %t = memref.memory_space_cast %b : memref<8xf32> to memref<8xf32, 1>
  %x = arith.select %c, %s, %t : memref<8xf32, 1>
  %r = bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%d, %d) retain (%x : memref<8xf32, 1>)
  return
}
