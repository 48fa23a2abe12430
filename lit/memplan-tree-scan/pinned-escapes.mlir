// Buffers whose address leaves the function stay allocations of their own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first verify=true})' | FileCheck %s

func.func private @use(index, i64) -> i64 attributes {memplan.bounded}

// 1. A buffer whose address escapes stays an allocation of its own: returned, returned after arithmetic or out of a
// buffer or a loop, written to memory of the caller, passed to a callee with a body or to a function of another
// dialect, stored through a pointer.
// CHECK-LABEL: func.func @returned
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @returned() -> index {
  %c8 = arith.constant 8 : index
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  %q = arith.addi %p, %c8 : index
  return %q : index
}
// CHECK-LABEL: func.func @out_of_buffer
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<8xi8>
// CHECK: memref.alloc() : memref<2xi64>
// CHECK: return
func.func @out_of_buffer() -> index {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xindex>
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  memref.store %p, %m[%c0] : memref<1xindex>
  %q = memref.load %m[%c0] : memref<1xindex>
  return %q : index
}
// CHECK-LABEL: func.func @to_the_caller
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @to_the_caller(%m: memref<1xindex>) {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  memref.store %p, %m[%c0] : memref<1xindex>
  return
}
// CHECK-LABEL: func.func @given_to_a_body
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @keeps(%p: index) -> index {
  return %p : index
}
func.func @given_to_a_body() {
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  call @keeps(%p) : (index) -> index
  return
}
llvm.func @free(!llvm.ptr)
// CHECK-LABEL: func.func @freed
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @freed() {
  %b = memref.alloc() : memref<2xi64>
  %s = builtin.unrealized_conversion_cast %b : memref<2xi64> to !llvm.ptr
  llvm.call @free(%s) : (!llvm.ptr) -> ()
  return
}
// CHECK-LABEL: func.func @through_a_pointer
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @through_a_pointer(%to: !llvm.ptr) {
  %b = memref.alloc() : memref<2xi64>
  %s = builtin.unrealized_conversion_cast %b : memref<2xi64> to !llvm.ptr
  llvm.store %s, %to : !llvm.ptr, !llvm.ptr
  return
}
// CHECK-LABEL: func.func @out_of_an_op
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @out_of_an_op(%m: memref<4xindex>) {
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xindex>) {
  ^bb0(%x: index):
    linalg.yield %p : index
  }
  return
}

// 2. Its address is the size of a view: it gets out with that, and with what is read from there; inside it stays in
// its place.
// CHECK-LABEL: func.func @measures
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @measures(%d: memref<1xi8>) -> memref<?xi8> {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  %w = memref.view %d[%c0][%p] : memref<1xi8> to memref<?xi8>
  return %w : memref<?xi8>
}
// CHECK-LABEL: func.func @measured
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @measured(%d: memref<1xi8>) -> index {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  %w = memref.view %d[%c0][%p] : memref<1xi8> to memref<?xi8>
  %q = memref.dim %w, %c0 : memref<?xi8>
  return %q : index
}
// CHECK-LABEL: func.func @measured_inside
// CHECK: memref.alloc() {{.*}} : memref<32xi8>
// CHECK: memref.view {{.*}}memplan.pinned
func.func @measured_inside(%d: memref<1xi8>, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  %w = memref.view %d[%c0][%p] : memref<1xi8> to memref<?xi8>
  %o = memref.alloc() : memref<2xi64>
  memref.store %v, %o[%c0] : memref<2xi64>
  %y = memref.load %o[%c0] : memref<2xi64>
  %q = memref.dim %w, %c0 : memref<?xi8>
  call @use(%q, %y) : (index, i64) -> i64
  return %y : i64
}
