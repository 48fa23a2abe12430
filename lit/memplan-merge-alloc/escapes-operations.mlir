// Buffers that unknown, asynchronous or parallel operations use stay allocations of their own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify})' \
// RUN:   --allow-unregistered-dialect --split-input-file --verify-diagnostics -o /dev/null

// 1. Used by an unknown operation.
func.func @unregistered() {
  // expected-remark @+1 {{not merged: it is used by an operation of unknown effects [unknown-effects]}}
  %a = memref.alloc() : memref<64xf32>
  "some.op"(%a) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. Used inside of one.
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

// 3. Allocated inside of one.
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

// 4. Used by a body that runs some time, and is not waited for.
func.func private @use(memref<64xf32>)
func.func @async_execute() {
  // expected-remark @+1 {{not merged: it is used by an asynchronous operation, and not every path has a wait that covers it [asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %token = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  return
}

// -----

// 5. Used by a transfer that is pending.
func.func @dma(%x: memref<64xf32, 1>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{not merged: it is used by an asynchronous operation, and not every path has a wait that covers it [asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
  return
}

// -----

// 6. Used by an operation that returns a token which is never awaited.
func.func @gpu_token(%x: memref<64xf32>) {
  // expected-remark @+1 {{not merged: it is used by an asynchronous operation, and not every path has a wait that covers it [asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t = gpu.wait async
  %u = gpu.memcpy async [%t] %a, %x : memref<64xf32>, memref<64xf32>
  return
}

// -----

// 7. Handed out by the body of a parallel loop.
func.func private @use(memref<64xf32>)
func.func @used_by_terminator(%lo: index, %hi: index, %step: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %r = scf.parallel (%i) = (%lo) to (%hi) step (%step) init (%x) -> f32 {
    // expected-remark @+1 {{not merged: it is used by the terminator of the body that allocates it [used-by-terminator]}}
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

// 8. Allocated where the order is not known.
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

// 9. An unregistered operation that ends a block gets what it gets.
func.func @unregistered_end() {
  // expected-remark @+1 {{not merged: it is or may be returned to the caller [returned]}}
  %a = memref.alloc() : memref<64xf32>
  "some.end"(%a) : (memref<64xf32>) -> ()
}

// -----

// 10. A coroutine returns each time that it is suspended: an arena would be freed there.
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
