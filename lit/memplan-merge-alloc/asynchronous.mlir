// An asynchronous operation needs its memory until the wait that covers it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Needed until the token is awaited, not longer.
func.func private @use(memref<64xf32>)
func.func @until_the_wait() {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %token = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  call @use(%b) : (memref<64xf32>) -> ()
  async.await %token : !async.token
  call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. An operation that depends on it waits for it, and is awaited itself.
func.func private @use(memref<64xf32>)
func.func @through_another() {
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %d = memref.alloc() : memref<64xf32>
  %first = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  %second = async.execute [%first] {
    func.call @use(%b) : (memref<64xf32>) -> ()
    async.yield
  }
  call @use(%c) : (memref<64xf32>) -> ()
  async.await %second : !async.token
  call @use(%d) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. Awaited on one path only.
func.func private @use(memref<64xf32>)
func.func @on_one_path(%which: i1) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %token = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  scf.if %which {
    async.await %token : !async.token
  }
  return
}

// -----

// 4. Never awaited; passed to the caller.
func.func private @use(memref<64xf32>)
func.func @passed_on() -> !async.token {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %token = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  return %token : !async.token
}

// -----

// 5. In a group, which is awaited as a whole.
func.func private @use(memref<64xf32>)
func.func @in_a_group() {
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  %group = async.create_group %c1 : !async.group
  %token = async.execute {
    func.call @use(%a) : (memref<64xf32>) -> ()
    async.yield
  }
  %rank = async.add_to_group %token, %group : !async.token
  async.await_all %group
  return
}

// -----

// 6. Copies and launches of a GPU, one after the other.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<64xf32>) kernel {
      gpu.return
    }
  }
  func.func private @use(memref<64xf32>)
  func.func @gpu(%in: memref<64xf32>, %out: memref<64xf32>) {
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %a = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %c = memref.alloc() : memref<64xf32>
    %t0 = gpu.wait async
    %t1 = gpu.memcpy async [%t0] %a, %in : memref<64xf32>, memref<64xf32>
    %t2 = gpu.launch_func async [%t1] @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
    %t3 = gpu.memcpy async [%t2] %out, %a : memref<64xf32>, memref<64xf32>
    func.call @use(%b) : (memref<64xf32>) -> ()
    gpu.wait [%t3]
    func.call @use(%c) : (memref<64xf32>) -> ()
    return
  }
  // A launch without a token is done when control passes it.
  func.func @synchronous() {
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{of an arena of 256 bytes}}
    %a = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 256 bytes}}
    %b = memref.alloc() : memref<64xf32>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : memref<64xf32>)
    func.call @use(%b) : (memref<64xf32>) -> ()
    return
  }
}

// -----

// 7. A transfer is over when its tag was waited for.
func.func private @use(memref<64xf32>)
func.func @transfer(%x: memref<64xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{of an arena of 520 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 520 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 520 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 520 bytes}}
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<2xi32>
  call @use(%b) : (memref<64xf32>) -> ()
  memref.dma_wait %tag[%c0], %c64 : memref<2xi32>
  call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 8. The tag is not ours: what else is waited for by it is not known.
func.func @other_transfers(%x: memref<64xf32, 1>, %tag: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %c = memref.alloc() : memref<64xf32>
  memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%c1] : memref<64xf32, 1>, memref<64xf32>, memref<2xi32>
  memref.dma_start %x[%c0], %b[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<2xi32>
  memref.dma_start %x[%c0], %c[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<2xi32>
  memref.dma_wait %tag[%c0], %c64 : memref<2xi32>
  return
}

// -----

// 9. Copies to the memory of a workgroup: a group that may stay pending is not awaited.
func.func private @use(memref<4xf32, 3>)
func.func @groups(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{of an arena of 16 bytes}}
  %a = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{[asynchronous]}}
  %b = memref.alloc() : memref<4xf32, 3>
  %t = nvgpu.device_async_copy %x[%c0], %a[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
  %group = nvgpu.device_async_create_group %t
  nvgpu.device_async_wait %group
  %u = nvgpu.device_async_copy %x[%c0], %b[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
  %other = nvgpu.device_async_create_group %u
  nvgpu.device_async_wait %other {numGroups = 1 : i32}
  return
}

// -----

// 10. An asynchronous callee uses its arguments until the call's token has been awaited.
async.func @later(%m: memref<64xf32>) -> !async.token {
  return
}
func.func @called(%x: f32) {
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %t = async.call @later(%a) : (memref<64xf32>) -> !async.token
  async.await %t : !async.token
  return
}

// -----

// 11. Bodies that run at once share a tag: each may wait for the transfer of another. One of their own is fine.
func.func @at_once(%y: memref<64xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{[asynchronous]}}
  %shared = memref.alloc() : memref<1xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-remark @+1 {{[asynchronous]}}
    %a = memref.alloc() : memref<64xf32>
    memref.dma_start %y[%c0], %a[%c0], %c1, %shared[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
    memref.dma_wait %shared[%c0], %c1 : memref<1xi32>
    // expected-remark @+1 {{not merged: it is on the stack [on-stack]; use allocas=true [memplan-R102]}}
    %own = memref.alloca() : memref<1xi32>
    // expected-remark @+1 {{of an arena of 256 bytes}}
    %b = memref.alloc() : memref<64xf32>
    memref.dma_start %y[%c0], %b[%c0], %c1, %own[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
    memref.dma_wait %own[%c0], %c1 : memref<1xi32>
  }
  return
}
