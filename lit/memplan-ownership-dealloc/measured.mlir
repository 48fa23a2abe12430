// A memref whose size is an address holds that memory; one whose size is a size holds nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' --verify-diagnostics | FileCheck %s

func.func private @use(memref<?xf32>)

// 1. The size of a view is an address: the memory is used as long as the view is.
// CHECK-LABEL: func.func @view
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: memref.dim
// CHECK: llvm.load
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func @view(%d: memref<1xi8>) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<i64> -> index
  %v = memref.view %d[%c0][%p] : memref<1xi8> to memref<?xi8>
  %q = memref.dim %v, %c0 : memref<?xi8>
  %i = arith.index_cast %q : index to i64
  %at = llvm.inttoptr %i : i64 to !llvm.ptr
  %x = llvm.load %at : !llvm.ptr -> i64
  return %x : i64
}

// 2. The size of memory whose address is taken is an ordinary number: a memref of that size goes to the caller, and
// the memory is freed after its last use.
// CHECK-LABEL: func.func @size
// CHECK: %[[A:.*]] = memref.alloc(
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func @size(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<?xf32> -> index
  %s = memref.dim %a, %c0 : memref<?xf32>
  %b = memref.alloc(%s) : memref<?xf32>
  return %b : memref<?xf32>
}

// 3. So is that of a memref that was a pointer in between.
// CHECK-LABEL: func.func @cast
// CHECK: %[[A:.*]] = memref.alloc(
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func @cast(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %p = builtin.unrealized_conversion_cast %a : memref<?xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %m = builtin.unrealized_conversion_cast %p : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xf32>
  %s = memref.dim %m, %c0 : memref<?xf32>
  %b = memref.alloc(%s) : memref<?xf32>
  return %b : memref<?xf32>
}

// 4. A value that is read through such a view is no address.
// CHECK-LABEL: func.func @elements
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK: linalg.copy
// CHECK: memref.dealloc %[[A]]
// CHECK: return
func.func @elements(%d: memref<256xi8>, %o: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  %e = memref.extract_aligned_pointer_as_index %d : memref<256xi8> -> index
  %by = arith.subi %p, %e : index
  %v = memref.view %d[%by][] : memref<256xi8> to memref<64xf32>
  linalg.copy ins(%v : memref<64xf32>) outs(%o : memref<64xf32>)
  return
}

// 5. A view that is returned takes what it is measured by along.
// CHECK-LABEL: func.func @returned
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @returned(%d: memref<1xi8>) -> (memref<?xi8> {memplan.borrowed}) {
  %c0 = arith.constant 0 : index
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<i64> -> index
  %v = memref.view %d[%c0][%p] : memref<1xi8> to memref<?xi8>
  // expected-note @+1 {{it escapes here}}
  return %v : memref<?xi8>
}

// 6. So does one that is stored.
// CHECK-LABEL: func.func @stored
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @stored(%d: memref<1xi8>, %k: memref<1xmemref<?xi8>>) {
  %c0 = arith.constant 0 : index
  // expected-warning @+1 {{is not freed: it escapes, so it may be in use for longer than the function shows [memplan-W301]}}
  %a = memref.alloc() : memref<i64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<i64> -> index
  %v = memref.view %d[%c0][%p] : memref<1xi8> to memref<?xi8>
  // expected-note @+1 {{it escapes here}}
  memref.store %v, %k[%c0] : memref<1xmemref<?xi8>>
  return
}
