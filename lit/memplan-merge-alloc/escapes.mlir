// Buffers that leave the function or are freed elsewhere stay allocations of their own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' \
// RUN:   --allow-unregistered-dialect --split-input-file --verify-diagnostics -o /dev/null

// 1. The buffer is returned.
func.func @returned() -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %a = memref.alloc() : memref<64xf32>
  return %a : memref<64xf32>
}

// -----

// 2. A part of the buffer is returned.
func.func @part_returned() -> memref<8xf32, strided<[1]>> {
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %a = memref.alloc() : memref<64xf32>
  %v = memref.subview %a[0][8][1] : memref<64xf32> to memref<8xf32, strided<[1]>>
  return %v : memref<8xf32, strided<[1]>>
}

// -----

// 3. One of two is returned: it may be either.
func.func @maybe_returned(%c: i1) -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %b = memref.alloc() : memref<64xf32>
  %s = arith.select %c, %a, %b : memref<64xf32>
  return %s : memref<64xf32>
}

// -----

// 4. Stored in memory that holds memrefs.
func.func @stored(%x: memref<1xmemref<64xf32>>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{not merged: its address may be stored in memory [stored]}}
  %a = memref.alloc() : memref<64xf32>
  memref.store %a, %x[%c0] : memref<1xmemref<64xf32>>
  return
}

// -----

// 5. Cast to something that is not a memref.
func.func @cast_away() -> !llvm.ptr {
  // expected-remark @+1 {{not merged: it is cast to something that is not a memref [cast-away]}}
  %a = memref.alloc() : memref<64xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<64xf32> to !llvm.ptr
  return %p : !llvm.ptr
}

// -----

// 6. Its address as a number.
func.func private @use_index(index)
func.func @pointer_extracted() {
  // expected-remark @+1 {{not merged: its address is extracted as a number [pointer-extracted]}}
  %a = memref.alloc() : memref<64xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  call @use_index(%p) : (index) -> ()
  return
}

// -----

// 7. Resized.
func.func private @use(memref<128xf32>)
func.func @reallocated() {
  // expected-remark @+1 {{not merged: it is resized by memref.realloc [reallocated]}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.realloc %a : memref<64xf32> to memref<128xf32>
  call @use(%b) : (memref<128xf32>) -> ()
  return
}

// -----

// 8. Cloned.
func.func private @use(memref<64xf32>)
func.func @cloned() {
  // expected-remark @+1 {{not merged: it is cloned by bufferization.clone [cloned]}}
  %a = memref.alloc() : memref<64xf32>
  %b = bufferization.clone %a : memref<64xf32> to memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 9. Made into a tensor.
func.func @to_tensor() -> tensor<64xf32> {
  // expected-remark @+1 {{not merged: it is cast to something that is not a memref [cast-away]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-warning @+1 {{the memory of tensor<64xf32> is not planned}}
  %t = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  return %t : tensor<64xf32>
}

// -----

// 10. Freed by something other than memref.dealloc.
func.func private @use(memref<64xf32>)
func.func @freed_elsewhere(%c: i1) {
  // expected-remark @+1 {{not merged: it is freed by something other than memref.dealloc [freed-elsewhere]}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  bufferization.dealloc (%a : memref<64xf32>) if (%c)
  return
}

// -----

// 11. Freed by what may also free something that is not planned.
func.func private @use(memref<64xf32>)
func.func @freed_with_other(%x: memref<64xf32>, %c: i1) {
  // expected-remark @+1 {{not merged: it is freed by a memref.dealloc that may free something unplanned [freed-with-other]}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  %s = arith.select %c, %a, %x : memref<64xf32>
  memref.dealloc %s : memref<64xf32>
  return
}

// -----

// 12. A pointer into a data structure: vector.gather and the like only read; llvm.store keeps what the cast gave.
func.func @spilled_pointer(%where: !llvm.ptr) {
  // expected-remark @+1 {{not merged: it is cast to something that is not a memref [cast-away]}}
  %a = memref.alloc() : memref<64xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<64xf32> to !llvm.ptr
  llvm.store %p, %where : !llvm.ptr, !llvm.ptr
  return
}
