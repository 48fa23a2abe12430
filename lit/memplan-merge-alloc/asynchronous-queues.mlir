// Queues of a GPU: transfers and launches need their memory until a wait covers them, on every path. Buffers named %b
// are used before the wait, %c and %d after it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. A wait with a token of its own is done when all that it waits for are.
func.func private @use(memref<64xf32>)
func.func @waits_for_all(%in: memref<64xf32>, %which: i1) {
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %a2 = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 768 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %in : memref<64xf32>, memref<64xf32>
  %t2 = gpu.memcpy async [%t0] %a2, %in : memref<64xf32>, memref<64xf32>
  %t3 = gpu.wait async [%t1, %t2]
  scf.if %which {
    func.call @use(%b) : (memref<64xf32>) -> ()
    gpu.wait [%t3]
  } else {
    gpu.wait [%t3]
  }
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. A wait for one of two covers one of them; a wait for no token covers nothing.
func.func private @use(memref<64xf32>)
func.func @waits_for_one(%in: memref<64xf32>) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %in : memref<64xf32>, memref<64xf32>
  %t2 = gpu.memcpy async [%t0] %b, %in : memref<64xf32>, memref<64xf32>
  gpu.wait [%t2]
  gpu.wait
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. A queue that a loop carries: each iteration starts after the one before. An operation that depends on a token
// waits for it, so that the last token covers all iterations.
func.func private @use(memref<64xf32>)
func.func @queue(%in: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> !gpu.async.token {
    %t1 = gpu.memset async [%before] %a, %x : memref<64xf32>, f32
    %t2 = gpu.memcpy async [%t1] %in, %a : memref<64xf32>, memref<64xf32>
    scf.yield %t2 : !gpu.async.token
  }
  func.call @use(%b) : (memref<64xf32>) -> ()
  gpu.wait [%last]
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 4. As before, but an iteration does not depend on the one before: the last token covers the last iteration.
func.func @no_queue(%in: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 1.0 : f32
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %t0 = gpu.wait async
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> !gpu.async.token {
    %t1 = gpu.memset async [%t0] %a, %x : memref<64xf32>, f32
    scf.yield %t1 : !gpu.async.token
  }
  gpu.wait [%last]
  return
}

// -----

// 5. A launch with a body, awaited in another block; one on a queue that is none of ours.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%m: memref<64xf32>) kernel {
      gpu.return
    }
  }
  func.func private @use(memref<64xf32>)
  func.func @launches(%x: f32, %which: i1, %queue: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %a = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %b = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{of an arena of 512 bytes}}
    %c = memref.alloc() : memref<64xf32>
    // expected-remark @+1 {{[asynchronous]}}
    %other = memref.alloc() : memref<64xf32>
    gpu.launch_func <%queue : !llvm.ptr> @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%other : memref<64xf32>)
    %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      memref.store %x, %a[%c0] : memref<64xf32>
      gpu.terminator
    }
    cf.cond_br %which, ^left, ^right
  ^left:
    func.call @use(%b) : (memref<64xf32>) -> ()
    gpu.wait [%t]
    cf.br ^join
  ^right:
    gpu.wait [%t]
    cf.br ^join
  ^join:
    func.call @use(%c) : (memref<64xf32>) -> ()
    return
  }
}
