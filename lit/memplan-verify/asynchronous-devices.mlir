// Plans that reuse the bytes of a pending asynchronous operation: queues, tags and groups of a device.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-verify)' --split-input-file --verify-diagnostics -o /dev/null

// 1. A queue of a GPU: operations that come later in the queue are awaited, others are not.
func.func private @use(memref<16xf32>)
func.func @queue(%in: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  %t0 = gpu.wait async
  // expected-note @+1 {{started here}}
  %t1 = gpu.memcpy async [%t0] %a, %in : memref<16xf32>, memref<16xf32>
  %t2 = gpu.wait async [%t0]
  gpu.wait [%t2]
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  %t3 = gpu.wait async [%t1, %t2]
  gpu.wait [%t3]
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 2. A wait for another element of the tag.
func.func private @use(memref<16xf32>)
func.func @other_element(%in: memref<16xf32, 1>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  // expected-note @+1 {{started here}}
  memref.dma_start %in[%c0], %a[%c0], %c16, %tag[%c0] : memref<16xf32, 1>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c1], %c16 : memref<2xi32>
  // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  func.call @use(%b) : (memref<16xf32>) -> ()
  memref.dealloc %tag : memref<2xi32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 3. Two transfers with one tag: the wait may be for either.
func.func private @use(memref<16xf32>)
func.func @one_tag(%in: memref<16xf32, 1>, %to: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %tag = memref.alloc() : memref<2xi32>
  // expected-note @+1 {{started here}}
  memref.dma_start %in[%c0], %a[%c0], %c16, %tag[%c0] : memref<16xf32, 1>, memref<16xf32>, memref<2xi32>
  memref.dma_start %in[%c0], %a[%c0], %c16, %tag[%c0] : memref<16xf32, 1>, memref<16xf32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c16 : memref<2xi32>
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// 4. Copies in groups: the last group may be pending; a copy that is in no group is never done.
func.func private @use(memref<16xf32, 3>)
func.func @groups(%in: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8, 3>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8, 3> to memref<16xf32, 3>
  %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<128xi8, 3> to memref<16xf32, 3>
  %c = memref.view %arena[%c64][] {memplan.buffer = 2 : i64} : memref<128xi8, 3> to memref<16xf32, 3>
  %d = memref.view %arena[%c64][] {memplan.buffer = 3 : i64} : memref<128xi8, 3> to memref<16xf32, 3>
  %t0 = nvgpu.device_async_copy %in[%c0], %a[%c0], 4 : memref<16xf32> to memref<16xf32, 3>
  %g0 = nvgpu.device_async_create_group %t0
  // expected-note @+1 {{started here}}
  %t1 = nvgpu.device_async_copy %in[%c0], %c[%c0], 4 : memref<16xf32> to memref<16xf32, 3>
  nvgpu.device_async_wait %t1
  %g1 = nvgpu.device_async_create_group %t1
  nvgpu.device_async_wait %g1 {numGroups = 1 : i32}
  func.call @use(%b) : (memref<16xf32, 3>) -> ()
  // expected-error @+1 {{buffer 3 is used while an asynchronous operation may use buffer 2 in the same bytes [memplan-E205]}}
  func.call @use(%d) : (memref<16xf32, 3>) -> ()
  nvgpu.device_async_wait %g1
  func.call @use(%d) : (memref<16xf32, 3>) -> ()
  memref.dealloc %arena : memref<128xi8, 3>
  return
}

// -----

// 5. Operations without a known wait.
func.func private @use(memref<16xf32>)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<16xf32>) kernel {
      gpu.return
    }
  }
  func.func @on_a_queue(%queue: !llvm.ptr) {
    %arena = memref.alloc() {memplan.arena} : memref<128xi8>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
    // expected-note @+1 {{started here}}
    gpu.launch_func <%queue : !llvm.ptr> @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<16xf32>)
    gpu.wait
    // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
    memref.dealloc %arena : memref<128xi8>
    return
  }
}

// -----

// 6. A wait for a tag that bodies share which run at once: it may be for the transfer of another.
func.func @at_once(%y: memref<16xf32, 1>, %x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tag = memref.alloc() : memref<1xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %arena = memref.alloc() {memplan.arena} : memref<64xi8>
    // expected-error @+1 {{buffer 0 is created again while an asynchronous operation may use it [memplan-E205]}}
    %a = memref.view %arena[%c0][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<16xf32>
    // expected-note @+1 {{started here}}
    memref.dma_start %y[%c0], %a[%c0], %c1, %tag[%c0] : memref<16xf32, 1>, memref<16xf32>, memref<1xi32>
    memref.dma_wait %tag[%c0], %c1 : memref<1xi32>
    %b = memref.view %arena[%c0][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<16xf32>
    // expected-error @+1 {{buffer 1 is used while an asynchronous operation may use buffer 0 in the same bytes [memplan-E205]}}
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
    memref.dealloc %arena : memref<64xi8>
  }
  // expected-error @+1 {{an asynchronous operation may use buffer 0 after its arena is freed or its function returns [memplan-E206]}}
  return
}
