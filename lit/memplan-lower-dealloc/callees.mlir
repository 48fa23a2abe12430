// Results of callees: memrefs are compared by where their data starts, and freed by the operation that matches their
// allocator.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-lower-dealloc)' | FileCheck %s

func.func private @either(%a: memref<64xi8>, %b: memref<64xi8>, %c: i1) -> memref<64xi8> {
  %s = arith.select %c, %a, %b : memref<64xi8>
  return %s : memref<64xi8>
}
func.func private @either_moved(%a: memref<64xi8>, %b: memref<64xi8>, %n: index, %c: i1) -> memref<32xi8> {
  %s = func.call @either(%a, %b, %c) : (memref<64xi8>, memref<64xi8>, i1) -> memref<64xi8>
  %v = memref.view %s[%n][] : memref<64xi8> to memref<32xi8>
  return %v : memref<32xi8>
}
func.func private @either_moved_again(%a: memref<64xi8>, %b: memref<64xi8>, %n: index, %c: i1) -> memref<32xi8> {
  %v = func.call @either_moved(%a, %b, %n, %c) : (memref<64xi8>, memref<64xi8>, index, i1) -> memref<32xi8>
  return %v : memref<32xi8>
}

// 1. An argument starts where the operand does: addresses are compared.
// CHECK-LABEL: @addresses
// CHECK-NOT: memref.alloca
// CHECK-COUNT-2: memref.extract_aligned_pointer_as_index
func.func @addresses(%c: i1) -> i1 {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %r = func.call @either(%a, %b, %c) : (memref<64xi8>, memref<64xi8>, i1) -> memref<64xi8>
  %s = bufferization.dealloc (%a : memref<64xi8>) if (%c) retain (%r : memref<64xi8>)
  return %s : i1
}

// 2. A view of it starts elsewhere: words are.
// CHECK-LABEL: @words
// CHECK: memref.alloca
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK: return
func.func @words(%n: index, %c: i1) -> i1 {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %r = func.call @either_moved_again(%a, %b, %n, %c) : (memref<64xi8>, memref<64xi8>, index, i1) -> memref<32xi8>
  %s = bufferization.dealloc (%a : memref<64xi8>) if (%c) retain (%r : memref<32xi8>)
  return %s : i1
}

// 3. A memref that is spilled to memory and read back may start elsewhere, too.
func.func private @read_back(%a: memref<64xi8>, %b: memref<64xi8>, %c: i1) -> memref<i8> {
  %zero = arith.constant 0 : index
  %s = arith.select %c, %a, %b : memref<64xi8>
  %r = memref.reinterpret_cast %s to offset: [0], sizes: [], strides: [] : memref<64xi8> to memref<i8>
  %stack = memref.alloca() {alignment = 16 : i64} : memref<24xi8>
  %cell = memref.view %stack[%zero][] : memref<24xi8> to memref<memref<i8>>
  memref.store %r, %cell[] : memref<memref<i8>>
  %l = memref.load %cell[] : memref<memref<i8>>
  return %l : memref<i8>
}
// CHECK-LABEL: @words_read_back
// CHECK: memref.alloca
// CHECK-NOT: memref.extract_aligned_pointer_as_index
// CHECK: return
func.func @words_read_back(%c: i1) -> i1 {
  %a = memref.alloc() : memref<64xi8>
  %b = memref.alloc() : memref<64xi8>
  %r = func.call @read_back(%a, %b, %c) : (memref<64xi8>, memref<64xi8>, i1) -> memref<i8>
  %s = bufferization.dealloc (%a : memref<64xi8>) if (%c) retain (%r : memref<i8>)
  return %s : i1
}

// 4. Memory of a callee of a callee, of another allocator.
func.func private @makes() -> memref<8xf32> {
  %m = gpu.alloc() {bufferization.manual_deallocation} : memref<8xf32>
  return %m : memref<8xf32>
}
func.func private @makes_too() -> memref<8xf32> {
  %m = func.call @makes() : () -> memref<8xf32>
  return %m : memref<8xf32>
}
// CHECK-LABEL: @frees
// CHECK: gpu.dealloc
// CHECK-NOT: memref.dealloc
func.func @frees(%c: i1) {
  %m = func.call @makes_too() : () -> memref<8xf32>
  bufferization.dealloc (%m : memref<8xf32>) if (%c)
  return
}
