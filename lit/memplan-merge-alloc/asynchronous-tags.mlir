// Transfers with tags and copies in groups need their memory until a wait covers them, on every path. Buffers named %b
// are used before the wait, %c and %d after it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks verify in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. Transfers on two elements of a tag, awaited in two blocks.
func.func private @use(memref<64xf32>)
func.func @tags(%x: memref<64xf32, 1>, %which: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{of an arena of 776 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 776 bytes}}
  %a2 = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 776 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 776 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 776 bytes}}
  %tag = memref.alloc() : memref<2xi32>
  memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<2xi32>
  memref.dma_start %x[%c0], %a2[%c0], %c64, %tag[%c1] : memref<64xf32, 1>, memref<64xf32>, memref<2xi32>
  func.call @use(%b) : (memref<64xf32>) -> ()
  scf.if %which {
    memref.dma_wait %tag[%c0], %c64 : memref<2xi32>
    memref.dma_wait %tag[%c1], %c64 : memref<2xi32>
  } else {
    memref.dma_wait %tag[%c1], %c64 : memref<2xi32>
    memref.dma_wait %tag[%c0], %c64 : memref<2xi32>
  }
  func.call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. Two transfers with one tag at once: which of them a wait is for is not known. One after the other is fine.
func.func private @use(memref<64xf32>)
func.func @one_tag(%x: memref<64xf32, 1>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %a2 = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 260 bytes}}
  %c = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 260 bytes}}
  %d = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %tag = memref.alloc() : memref<1xi32>
  // expected-remark @+1 {{of an arena of 260 bytes}}
  %other = memref.alloc() : memref<1xi32>
  memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
  memref.dma_start %x[%c0], %a2[%c0], %c64, %tag[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
  memref.dma_wait %tag[%c0], %c64 : memref<1xi32>
  memref.dma_start %x[%c0], %c[%c0], %c64, %other[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
  memref.dma_wait %other[%c0], %c64 : memref<1xi32>
  memref.dma_start %x[%c0], %d[%c0], %c64, %other[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<1xi32>
  memref.dma_wait %other[%c0], %c64 : memref<1xi32>
  return
}

// -----

// 3. The index of a tag differs in the next iteration: %a is awaited in its own, %z in the next, which waits for
// another element. The tag of %y is used by something else.
func.func private @use(memref<64xf32>)
func.func private @use_tag(memref<8xi32>)
func.func @iterations(%x: memref<64xf32, 1>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{of an arena of}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %z = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{[asynchronous]}}
  %y = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of}}
  %tag = memref.alloc() : memref<8xi32>
  // expected-remark @+1 {{[asynchronous]}}
  %late = memref.alloc() : memref<8xi32>
  // expected-remark @+1 {{[asynchronous]}}
  %shared = memref.alloc() : memref<8xi32>
  memref.dma_start %x[%c0], %y[%c0], %c64, %shared[%c0] : memref<64xf32, 1>, memref<64xf32>, memref<8xi32>
  func.call @use_tag(%shared) : (memref<8xi32>) -> ()
  memref.dma_wait %shared[%c0], %c64 : memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.dma_wait %late[%i], %c64 : memref<8xi32>
    memref.dma_start %x[%c0], %a[%c0], %c64, %tag[%i] : memref<64xf32, 1>, memref<64xf32>, memref<8xi32>
    memref.dma_wait %tag[%i], %c64 : memref<8xi32>
    memref.dma_start %x[%c0], %z[%c0], %c64, %late[%i] : memref<64xf32, 1>, memref<64xf32>, memref<8xi32>
  }
  return
}

// -----

// 4. Groups of copies: a wait lets at most N groups stay pending. %b is the target of the last of three groups, so the
// first wait leaves it pending; the second one leaves none. %d is in no group.
func.func private @use(memref<4xf32, 3>)
func.func @groups(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{merged: 16 bytes at offset 0 of an arena of 144 bytes}}
  %a = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{merged: 16 bytes at offset 64 of an arena of 144 bytes}}
  %a2 = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{merged: 16 bytes at offset 128 of an arena of 144 bytes}}
  %b = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{merged: 16 bytes at offset 0 of an arena of 144 bytes}}
  %c = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{[asynchronous]}}
  %d = memref.alloc() : memref<4xf32, 3>
  %t0 = nvgpu.device_async_copy %x[%c0], %a[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
  %g0 = nvgpu.device_async_create_group %t0
  %t1 = nvgpu.device_async_copy %x[%c0], %a2[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
  %g1 = nvgpu.device_async_create_group %t1
  %t2 = nvgpu.device_async_copy %x[%c0], %b[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
  %g2 = nvgpu.device_async_create_group %t2
  %t3 = nvgpu.device_async_copy %x[%c0], %d[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
  nvgpu.device_async_wait %g2 {numGroups = 1 : i32}
  func.call @use(%c) : (memref<4xf32, 3>) -> ()
  nvgpu.device_async_wait %t3
  nvgpu.device_async_wait %g2 {numGroups = 0 : i32}
  return
}

// -----

// 5. A pipeline: each iteration waits for the copy of the iteration before, and the last one is awaited after the
// loop.
func.func private @use(memref<4xf32, 3>)
func.func @pipeline(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{of an arena of 80 bytes}}
  %a = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{of an arena of 80 bytes}}
  %b = memref.alloc() : memref<4xf32, 3>
  // expected-remark @+1 {{of an arena of 80 bytes}}
  %c = memref.alloc() : memref<4xf32, 3>
  %none = nvgpu.device_async_create_group
  func.call @use(%b) : (memref<4xf32, 3>) -> ()
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> !nvgpu.device.async.token {
    %t = nvgpu.device_async_copy %x[%c0], %a[%c0], 4 : memref<8xf32> to memref<4xf32, 3>
    %g = nvgpu.device_async_create_group %t
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    func.call @use(%b) : (memref<4xf32, 3>) -> ()
    scf.yield %g : !nvgpu.device.async.token
  }
  nvgpu.device_async_wait %last
  func.call @use(%c) : (memref<4xf32, 3>) -> ()
  return
}

// -----

// 6. Operations without a known wait are skipped: bulk copies that a barrier object counts.
func.func @bulk(%descriptor: !nvgpu.tensormap.descriptor<tensor = memref<64xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %barrier: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32, 3>
  nvgpu.tma.async.load %descriptor[%c0], %barrier[%c0] to %a : !nvgpu.tensormap.descriptor<tensor = memref<64xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64xf32, 3>
  return
}
