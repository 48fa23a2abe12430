// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' \
// RUN:   --allow-unregistered-dialect --split-input-file --verify-diagnostics -o /dev/null

// 1. Returned, itself or a part of it.
func.func @returned() -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is returned to the caller, or may be [returned]}}
  %a = memref.alloc() : memref<64xf32>
  return %a : memref<64xf32>
}

// -----

func.func @part_returned() -> memref<8xf32, strided<[1]>> {
  // expected-remark @+1 {{not merged: it is returned to the caller, or may be [returned]}}
  %a = memref.alloc() : memref<64xf32>
  %v = memref.subview %a[0][8][1] : memref<64xf32> to memref<8xf32, strided<[1]>>
  return %v : memref<8xf32, strided<[1]>>
}

// -----

// 2. One of two is returned: it may be either.
func.func @maybe_returned(%c: i1) -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is returned to the caller, or may be [returned]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{not merged: it is returned to the caller, or may be [returned]}}
  %b = memref.alloc() : memref<64xf32>
  %s = arith.select %c, %a, %b : memref<64xf32>
  return %s : memref<64xf32>
}

// -----

// 3. Stored in memory that holds memrefs.
func.func @stored(%x: memref<1xmemref<64xf32>>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{not merged: its address may be stored in memory [stored]}}
  %a = memref.alloc() : memref<64xf32>
  memref.store %a, %x[%c0] : memref<1xmemref<64xf32>>
  return
}

// -----

// 4. Used by an operation that nobody knows.
func.func @unregistered() {
  // expected-remark @+1 {{not merged: it is used by an operation of unknown effects [unknown-effects]}}
  %a = memref.alloc() : memref<64xf32>
  "some.op"(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 5. Used inside of one.
func.func @unregistered_region(%x: memref<64xf32>) {
  // expected-remark @+1 {{not merged: it is used by an operation of unknown effects [unknown-effects]}}
  %a = memref.alloc() : memref<64xf32>
  "some.op"() ({
    memref.copy %a, %x : memref<64xf32> to memref<64xf32>
    "some.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// 6. Allocated inside of one.
func.func @allocated_in_unregistered(%x: memref<64xf32>) {
  "some.op"() ({
    // expected-remark @+1 {{not merged: it is used by an operation of unknown effects [unknown-effects]}}
    %a = memref.alloc() : memref<64xf32>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32>
    "some.end"() : () -> ()
  }) : () -> ()
  return
}

// -----

// 7. Cast to something that is not a memref.
func.func @cast_away() -> !llvm.ptr {
  // expected-remark @+1 {{not merged: it is cast to something that is not a memref [cast-away]}}
  %a = memref.alloc() : memref<64xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<64xf32> to !llvm.ptr
  return %p : !llvm.ptr
}

// -----

// 8. Its address as a number.
func.func private @tell(index)
func.func @pointer_extracted() {
  // expected-remark @+1 {{not merged: its address is extracted as a number [pointer-extracted]}}
  %a = memref.alloc() : memref<64xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xf32> -> index
  call @tell(%p) : (index) -> ()
  return
}

// -----

// 9. Resized.
func.func private @use(memref<128xf32>)
func.func @reallocated() {
  // expected-remark @+1 {{not merged: it is resized by memref.realloc [reallocated]}}
  %a = memref.alloc() : memref<64xf32>
  %b = memref.realloc %a : memref<64xf32> to memref<128xf32>
  call @use(%b) : (memref<128xf32>) -> ()
  return
}

// -----

// 10. Cloned.
func.func private @use(memref<64xf32>)
func.func @cloned() {
  // expected-remark @+1 {{not merged: it is cloned by bufferization.clone [cloned]}}
  %a = memref.alloc() : memref<64xf32>
  %b = bufferization.clone %a : memref<64xf32> to memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 11. Made into a tensor.
func.func @to_tensor() -> tensor<64xf32> {
  // expected-remark @+1 {{not merged: it is cast to something that is not a memref [cast-away]}}
  %a = memref.alloc() : memref<64xf32>
  %t = bufferization.to_tensor %a restrict : memref<64xf32> to tensor<64xf32>
  return %t : tensor<64xf32>
}

// -----

// 12. Freed by something other than memref.dealloc.
func.func private @use(memref<64xf32>)
func.func @freed_elsewhere(%c: i1) {
  // expected-remark @+1 {{not merged: it is freed by something other than memref.dealloc [freed-elsewhere]}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  bufferization.dealloc (%a : memref<64xf32>) if (%c)
  return
}

// -----

// 13. Freed by what may also free something that is not planned.
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

// 14. Used by a body that runs some time, and is not waited for.
func.func private @use(memref<64xf32>)
func.func @async_execute() {
  // expected-remark @+1 {{not merged: it is used by an operation that goes on when control has passed it, and not every path leads to a wait that covers it [asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %token = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  return
}

// -----

// 15. Used by a transfer that goes on.
func.func @dma(%x: memref<64xf32, 1>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{not merged: it is used by an operation that goes on when control has passed it, and not every path leads to a wait that covers it [asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
  return
}

// -----

// 16. Used by an operation that hands out a token, which nothing waits for.
func.func @gpu_token(%x: memref<64xf32>) {
  // expected-remark @+1 {{not merged: it is used by an operation that goes on when control has passed it, and not every path leads to a wait that covers it [asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t = gpu.wait async
  %u = gpu.memcpy async [%t] %a, %x : memref<64xf32>, memref<64xf32>
  return
}

// -----

// 17. The callee is a value.
func.func @indirect(%f: (memref<64xf32>) -> ()) {
  // expected-remark @+1 {{not merged: it is passed to an indirect call [indirect-call]}}
  %a = memref.alloc() : memref<64xf32>
  call_indirect %f(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 18. The callee stores it, frees it, or hands it to one that does.
memref.global "private" @keep : memref<1xmemref<64xf32>> = uninitialized
func.func @store(%m: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @keep : memref<1xmemref<64xf32>>
  memref.store %m, %g[%c0] : memref<1xmemref<64xf32>>
  return
}
func.func @free(%m: memref<64xf32>) {
  memref.dealloc %m : memref<64xf32>
  return
}
func.func @pass_on(%m: memref<64xf32>) {
  call @store(%m) : (memref<64xf32>) -> ()
  return
}
func.func @only_read(%m: memref<64xf32>, %out: memref<64xf32>) {
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  return
}
func.func @callers(%out: memref<64xf32>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @store(%a) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %b = memref.alloc() : memref<64xf32>
  call @free(%b) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %d = memref.alloc() : memref<64xf32>
  call @pass_on(%d) : (memref<64xf32>) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %e = memref.alloc() : memref<64xf32>
  call @only_read(%e, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// 19. Callees that call each other.
func.func private @go() -> i1
func.func @ping(%m: memref<64xf32>) {
  call @pong(%m) : (memref<64xf32>) -> ()
  return
}
func.func @pong(%m: memref<64xf32>) {
  %c = call @go() : () -> i1
  scf.if %c {
    func.call @ping(%m) : (memref<64xf32>) -> ()
  }
  return
}
func.func @plays() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @ping(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 20. A callee returns what it got: the caller follows.
func.func @same(%m: memref<64xf32>) -> memref<64xf32> {
  return %m : memref<64xf32>
}
func.func @follows() -> memref<64xf32> {
  // expected-remark @+1 {{not merged: it is returned to the caller, or may be [returned]}}
  %a = memref.alloc() : memref<64xf32>
  %r = call @same(%a) : (memref<64xf32>) -> memref<64xf32>
  return %r : memref<64xf32>
}

// -----

// 21. Sizes that only the run knows.
func.func private @use(memref<?xf32>)
func.func @dynamic(%n: index) {
  // expected-remark @+1 {{not merged: its size is only known at run time, and it has no slot to share with a buffer that is always allocated [none-to-share-with]}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// 22. Layouts other than rows one after another.
func.func private @use(memref<4x4xf32, strided<[8, 1]>>)
func.func private @other(memref<4x4xf32, affine_map<(i, j) -> (j, i)>>)
func.func @layout() {
  // expected-remark @+1 {{not merged: its layout is not that of contiguous rows [layout]}}
  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  call @use(%a) : (memref<4x4xf32, strided<[8, 1]>>) -> ()
  // expected-remark @+1 {{not merged: its layout is not that of contiguous rows [layout]}}
  %b = memref.alloc() : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  call @other(%b) : (memref<4x4xf32, affine_map<(i, j) -> (j, i)>>) -> ()
  return
}

// -----

// 23. Elements whose size is not known.
func.func private @use(memref<4x!test.memref_element>)
func.func @element_type() {
  // expected-remark @+1 {{not merged: the size of its element type is not known [element-type]}}
  %a = memref.alloc() : memref<4x!test.memref_element>
  call @use(%a) : (memref<4x!test.memref_element>) -> ()
  return
}

// -----

// 24. More bytes than any machine has.
func.func private @use(memref<4611686018427387904xf32>)
func.func @too_large() {
  // expected-remark @+1 {{not merged: it is larger than 2^60 bytes [too-large]}}
  %a = memref.alloc() : memref<4611686018427387904xf32>
  call @use(%a) : (memref<4611686018427387904xf32>) -> ()
  return
}

// -----

// 25. Marked to be freed by hand.
func.func private @use(memref<64xf32>)
func.func @manual() {
  // expected-remark @+1 {{not merged: it is marked bufferization.manual_deallocation [manual-deallocation]}}
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  memref.dealloc %a {bufferization.manual_deallocation} : memref<64xf32>
  return
}

// -----

// 26. From another allocator.
func.func private @use(memref<64xf32>)
func.func @other_allocator() {
  // expected-remark @+1 {{not merged: it is not allocated by memref.alloc [other-allocator]}}
  %a = gpu.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  gpu.dealloc %a : memref<64xf32>
  return
}

// -----

// 27. Handed out by the body of a parallel loop.
func.func private @use(memref<64xf32>)
func.func @used_by_terminator(%lo: index, %hi: index, %step: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.parallel (%i) = (%lo) to (%hi) step (%step) init (%x) -> f32 {
    // expected-remark @+1 {{not merged: it is used by the terminator of the body that it belongs to [used-by-terminator]}}
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
    scf.reduce(%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %v = memref.load %a[%c0] : memref<64xf32>
      scf.reduce.return %v : f32
    }
  }
  return %r : f32
}

// -----

// 28. Allocated where the order is not known.
#id = affine_map<(d0) -> (d0)>
func.func @opaque_region(%in: memref<64xf32>, %out: memref<64xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%in : memref<64xf32>) outs(%out : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32):
    // expected-remark @+1 {{not merged: it is allocated in a region whose control flow is not known [opaque-region]}}
    %a = memref.alloc() : memref<f32>
    memref.store %x, %a[] : memref<f32>
    %z = memref.load %a[] : memref<f32>
    linalg.yield %z : f32
  }
  return
}

// -----

// 29. Kept by a callee that is not there, if so asked; see options.mlir. Without that it is only used.
func.func private @use(memref<64xf32>)
func.func @bodyless() {
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 30. An unregistered operation that ends a block gets what it gets.
func.func @unregistered_end() {
  // expected-remark @+1 {{not merged: it is returned to the caller, or may be [returned]}}
  %a = memref.alloc() : memref<64xf32>
  "some.end"(%a) : (memref<64xf32>) -> ()
}

// -----

// 31. A pointer into a data structure: vector.gather and the like only read; llvm.store keeps what the cast gave.
func.func @spilled_pointer(%where: !llvm.ptr) {
  // expected-remark @+1 {{not merged: it is cast to something that is not a memref [cast-away]}}
  %a = memref.alloc() : memref<64xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<64xf32> to !llvm.ptr
  llvm.store %p, %where : !llvm.ptr, !llvm.ptr
  return
}

// -----

// 32. A callee without a body may store one argument in another: in a memref of memrefs, whatever its shape and whether it is
// still to come, in a memref of such, or in a group. callee-stores-run.mlir executes that.
func.func private @put(memref<1xmemref<64xf32>>, memref<64xf32>)
func.func @put_in_memref(%box: memref<1xmemref<64xf32>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @put(%box, %a) : (memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  return
}
func.func private @put_unranked(memref<*xf32>, memref<*xmemref<*xf32>>)
func.func @put_in_unranked(%box: memref<*xmemref<*xf32>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  %u = memref.cast %a : memref<64xf32> to memref<*xf32>
  call @put_unranked(%u, %box) : (memref<*xf32>, memref<*xmemref<*xf32>>) -> ()
  return
}
func.func private @put_later(!async.value<memref<?xmemref<64xf32>>>, memref<64xf32>)
func.func @put_in_value_to_come(%box: !async.value<memref<?xmemref<64xf32>>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @put_later(%box, %a) : (!async.value<memref<?xmemref<64xf32>>>, memref<64xf32>) -> ()
  return
}
func.func private @put_deeper(memref<2xmemref<?xmemref<64xf32>>>, memref<1xmemref<64xf32>>, memref<64xf32>)
func.func @put_in_deeper(%box: memref<2xmemref<?xmemref<64xf32>>>) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{not merged: the size of its element type is not known [element-type]}}
  %b = memref.alloc() : memref<1xmemref<64xf32>>
  call @put_deeper(%box, %b, %a) : (memref<2xmemref<?xmemref<64xf32>>>, memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  return
}
func.func private @put_group(!async.group, memref<64xf32>)
func.func @put_in_group(%group: !async.group) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @put_group(%group, %a) : (!async.group, memref<64xf32>) -> ()
  return
}

// -----

// 33. A callee that hands its arguments to one without a body; one that hands it the memref of memrefs alone does not store it.
func.func private @put(memref<1xmemref<64xf32>>, memref<64xf32>)
func.func private @take(memref<1xmemref<64xf32>>)
func.func @hands_both(%box: memref<1xmemref<64xf32>>, %m: memref<64xf32>, %c: i1) {
  scf.if %c {
    %v = memref.cast %m : memref<64xf32> to memref<?xf32>
    %w = memref.cast %v : memref<?xf32> to memref<64xf32>
    func.call @put(%box, %w) : (memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  }
  return
}
func.func @hands_one(%box: memref<1xmemref<64xf32>>, %m: memref<64xf32>) {
  call @take(%box) : (memref<1xmemref<64xf32>>) -> ()
  return
}
func.func @handed(%box: memref<1xmemref<64xf32>>, %c: i1) {
  // expected-remark @+1 {{not merged: it is passed to a call that may keep or free it [kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  call @hands_both(%box, %a, %c) : (memref<1xmemref<64xf32>>, memref<64xf32>, i1) -> ()
  // expected-remark @+1 {{merged: 256 bytes at offset 0 of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  call @hands_one(%box, %b) : (memref<1xmemref<64xf32>>, memref<64xf32>) -> ()
  return
}

// -----

// 34. A kernel may store one argument in another, too.
module attributes {gpu.container_module} {
func.func @kernel(%n: index, %box: memref<1xmemref<64xf32>>) {
  // expected-remark @+1 {{not merged: its address may be stored in memory [stored]}}
  %a = memref.alloc() : memref<64xf32>
  gpu.launch_func @kernels::@store blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%box : memref<1xmemref<64xf32>>, %a : memref<64xf32>)
  return
}
gpu.module @kernels {
  gpu.func @store(%box: memref<1xmemref<64xf32>>, %a: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    memref.store %a, %box[%c0] : memref<1xmemref<64xf32>>
    gpu.return
  }
}
}

// -----

// 35. A coroutine returns each time that it is suspended: an arena would be freed there.
func.func private @use(memref<64xf32>)
func.func @coroutine() {
  %id = async.coro.id
  %handle = async.coro.begin %id
  %saved = async.coro.save %handle
  // expected-remark @+1 {{not merged: it is allocated in a coroutine, which returns each time that it is suspended [coroutine]}}
  %a = memref.alloc() : memref<64xf32>
  async.coro.suspend %saved, ^suspend, ^resume, ^cleanup
^resume:
  call @use(%a) : (memref<64xf32>) -> ()
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return
}
