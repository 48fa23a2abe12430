// Uses of memory by shapes, loops, loads of stored memrefs, and descriptors.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A reshape reads the memref that it takes its shape from.
// CHECK-LABEL: func @shape(
// CHECK:         %[[SHAPE:.*]] = memref.alloc() : memref<1xindex>
// CHECK:         memref.reshape %{{.*}}(%[[SHAPE]])
// CHECK-NEXT:    memref.dealloc %[[SHAPE]]
// CHECK:         memref.copy
func.func @shape(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<1x?xf32>
  %s = memref.alloc() : memref<1xindex>
  memref.store %n, %s[%c0] : memref<1xindex>
  %r = memref.reshape %a(%s) : (memref<1x?xf32>, memref<1xindex>) -> memref<?xf32>
  memref.copy %r, %x : memref<?xf32> to memref<?xf32>
  return
}

// 2. The wrapper of a loop holds nothing but that.
// CHECK-LABEL: func @wrapped(
// CHECK:         omp.wsloop {
// CHECK-NEXT:      omp.loop_nest
// CHECK-NEXT:        memref.copy
// CHECK-NEXT:        omp.yield
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc
func.func @wrapped(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<8xf32>
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      memref.copy %b, %x : memref<8xf32> to memref<8xf32>
      omp.yield
    }
  }
  return
}

// 3. A loop carries one buffer by several names, one of them through a loop inside that hands it on between its
// regions: what never owns memory is not tested there.
// CHECK-LABEL: func @one_by_many_names(
// CHECK:         scf.while
// CHECK-NOT:     dealloc
// CHECK:         memref.copy
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @goes_on() -> i1
func.func @one_by_many_names(%n: index, %c: i1, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %a, %s = %a) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %w:2 = scf.while (%t = %s, %u = %p) : (memref<16xf32>, memref<16xf32>) -> (memref<16xf32>, memref<16xf32>) {
      %k = func.call @goes_on() : () -> i1
      scf.condition(%k) %u, %t : memref<16xf32>, memref<16xf32>
    } do {
    ^bb0(%t: memref<16xf32>, %u: memref<16xf32>):
      %e = arith.select %c, %p, %s : memref<16xf32>
      scf.yield %e, %u : memref<16xf32>, memref<16xf32>
    }
    scf.yield %p, %s, %w#1 : memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#2, %x : memref<16xf32> to memref<16xf32>
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  return
}

// 4. A load from memory of the function's own, or from memory that others know: a memref stored in the own memory is
// not freed before the load, and neither is one stored in another memory that a second load may read.
// CHECK-LABEL: func @own_or_given(
// CHECK-NOT:     memref.dealloc %{{.*}} : memref<4xf32>
// CHECK:         return
func.func @own_or_given(%c: i1, %d: i1, %given: memref<1xmemref<4xf32>>) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %k = memref.alloc() : memref<1xmemref<4xf32>>
  %l = memref.alloc() : memref<1xmemref<4xf32>>
  memref.store %a, %k[%c0] : memref<1xmemref<4xf32>>
  memref.store %b, %l[%c0] : memref<1xmemref<4xf32>>
  %s = arith.select %c, %k, %given : memref<1xmemref<4xf32>>
  %t = arith.select %d, %k, %l : memref<1xmemref<4xf32>>
  %v = memref.load %s[%c0] : memref<1xmemref<4xf32>>
  %w = memref.load %t[%c0] : memref<1xmemref<4xf32>>
  %x = memref.load %v[%c0] : memref<4xf32>
  %y = memref.load %w[%c0] : memref<4xf32>
  return %x, %y : f32, f32
}

// 5. A view may return a value that is no memref: a descriptor captures the memory, which is not freed before the uses
// of the descriptor.
// CHECK-LABEL: func @descriptor(
// CHECK:         xegpu.load_nd
// CHECK-NEXT:    memref.dealloc
func.func @descriptor(%v: vector<16xf32>) -> vector<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %t = xegpu.create_nd_tdesc %a : memref<16xf32> -> !xegpu.tensor_desc<16xf32>
  xegpu.store_nd %v, %t[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
  %r = xegpu.load_nd %t[0] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
  memref.dealloc %a : memref<16xf32>
  return %r : vector<16xf32>
}

// 6. A descriptor that goes around a loop captures the memory, too.
// CHECK-LABEL: func @descriptor_in_loop(
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @descriptor_in_loop(%n: index, %v: vector<16xf32>) -> vector<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %t = xegpu.create_nd_tdesc %a : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%d = %t, %w = %v) -> (!xegpu.tensor_desc<16xf32>, vector<16xf32>) {
    %x = xegpu.load_nd %d[%i] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
    %b = memref.alloc() : memref<64xf32>
    %u = xegpu.create_nd_tdesc %b : memref<64xf32> -> !xegpu.tensor_desc<16xf32>
    xegpu.store_nd %x, %u[0] : vector<16xf32>, !xegpu.tensor_desc<16xf32>
    scf.yield %u, %x : !xegpu.tensor_desc<16xf32>, vector<16xf32>
  }
  return %r#1 : vector<16xf32>
}
