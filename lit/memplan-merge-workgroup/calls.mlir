// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s -split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup,memplan-merge-workgroup{verify})' -o /dev/null
// A pass on a function does not read others.
// RUN: %memplan-opt %s -split-input-file -o - \
// RUN:   --pass-pipeline='builtin.module(gpu.module(gpu.func(memplan-merge-workgroup)))' \
// RUN:   | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: memplan.buffer

#wg = #gpu.address_space<workgroup>

// 1. A callee has a barrier on each path, after it wrote and before it reads what it receives.
gpu.module @sum {
  func.func @sync() {
    gpu.barrier
    return
  }
  func.func @sum(%a: memref<64xf32, #wg>, %x: f32) -> f32 {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    func.call @sync() : () -> ()
    %r = memref.load %a[%c0] : memref<64xf32, #wg>
    return %r : f32
  }
  // CHECK-LABEL: gpu.func @twice
  // CHECK-SAME:  workgroup(%[[BYTES:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
  // CHECK-COUNT-2: memref.view %[[BYTES]][%c0]
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{merged}}
  gpu.func @twice(%x: f32, %y: memref<64xf32>) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    %r = func.call @sum(%a, %x) : (memref<64xf32, #wg>, f32) -> f32
    func.call @sync() : () -> ()
    %s = func.call @sum(%b, %r) : (memref<64xf32, #wg>, f32) -> f32
    memref.store %s, %y[%t] : memref<64xf32>
    gpu.return
  }
  // Without the call in between, a slow thread may still read one buffer while a fast one writes the other.
  // CHECK-LABEL: gpu.func @race
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @race(%x: f32, %y: memref<64xf32>) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    %r = func.call @sum(%a, %x) : (memref<64xf32, #wg>, f32) -> f32
    %s = func.call @sum(%b, %r) : (memref<64xf32, #wg>, f32) -> f32
    memref.store %s, %y[%t] : memref<64xf32>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. Both buffers are used by one callee, between its barriers.
gpu.module @both {
  func.func @both(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>, %x: f32) {
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    return
  }
  // CHECK-LABEL: gpu.func @both_kernel
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @both_kernel(%x: f32) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    func.call @both(%a, %b, %x) : (memref<64xf32, #wg>, memref<64xf32, #wg>, f32) -> ()
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. Barriers of callees that are no barriers here: on one path only, where threads may differ in the callee, and where they may
// differ in the kernel.
gpu.module @paths {
  func.func @perhaps(%p: i1) {
    scf.if %p {
      gpu.barrier
    }
    return
  }
  func.func @loop(%n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %bx = gpu.block_id x
    scf.for %i = %c0 to %bx step %c1 {
      gpu.barrier
    }
    return
  }
  func.func @sync() {
    gpu.barrier
    return
  }
  // CHECK-LABEL: gpu.func @paths
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @paths(%x: f32, %p: i1, %n: index) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    // expected-warning @below {{not all threads may reach the barriers of the callee: buffers share bytes as if they were not there [memplan-W851]}}
    func.call @perhaps(%p) : (i1) -> ()
    // expected-warning @below {{not all threads may reach the barriers of the callee}}
    func.call @loop(%n) : (index) -> ()
    %is_first = arith.cmpi eq, %t, %c0 : index
    scf.if %is_first {
      // expected-warning @below {{not all threads may reach the barriers of the callee}}
      func.call @sync() : () -> ()
    }
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. What is not known of a callee: one without a body, one that calls itself, one that returns what it receives, one that stores
// it, one that frees it, and one whose copy may be in flight when it returns.
gpu.module @unknown {
  func.func private @outside(memref<1xf32, #wg>)
  func.func @again(%a: memref<2xf32, #wg>) {
    func.call @again(%a) : (memref<2xf32, #wg>) -> ()
    return
  }
  func.func @same(%a: memref<3xf32, #wg>) -> memref<3xf32, #wg> {
    return %a : memref<3xf32, #wg>
  }
  func.func @stores(%a: memref<4xf32, #wg>, %cell: memref<memref<4xf32, #wg>>) {
    memref.store %a, %cell[] : memref<memref<4xf32, #wg>>
    return
  }
  func.func @frees(%a: memref<5xf32, #wg>) {
    memref.dealloc %a : memref<5xf32, #wg>
    return
  }
  func.func @copies(%a: memref<8xf32, #wg>, %y: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %copy = nvgpu.device_async_copy %y[%c0], %a[%c0], 4 : memref<64xf32> to memref<8xf32, #wg>
    return
  }
  // CHECK-LABEL: gpu.func @kernel
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{memref<1xf32, #gpu.address_space<workgroup>>: it is passed to a call that may capture or free it [kept-by-callee]}}
  // expected-remark @below {{memref<2xf32, #gpu.address_space<workgroup>>: it is passed to a call that may capture or free it [kept-by-callee]}}
  // expected-remark @below {{memref<3xf32, #gpu.address_space<workgroup>>: it is used by an operation of unknown effects [unknown-effects]}}
  // expected-remark @below {{memref<4xf32, #gpu.address_space<workgroup>>: its address may be stored in memory [stored]}}
  // expected-remark @below {{memref<5xf32, #gpu.address_space<workgroup>>: it is freed by something other than memref.dealloc}}
  // expected-remark @below {{memref<8xf32, #gpu.address_space<workgroup>>: it is used by an asynchronous operation}}
  gpu.func @kernel(%y: memref<64xf32>, %cell: memref<memref<4xf32, #wg>>)
      workgroup(%a: memref<1xf32, #wg>, %b: memref<2xf32, #wg>, %c: memref<3xf32, #wg>, %d: memref<4xf32, #wg>,
                %e: memref<5xf32, #wg>, %f: memref<8xf32, #wg>) kernel {
    func.call @outside(%a) : (memref<1xf32, #wg>) -> ()
    func.call @again(%b) : (memref<2xf32, #wg>) -> ()
    %s = func.call @same(%c) : (memref<3xf32, #wg>) -> memref<3xf32, #wg>
    func.call @stores(%d, %cell) : (memref<4xf32, #wg>, memref<memref<4xf32, #wg>>) -> ()
    func.call @frees(%e) : (memref<5xf32, #wg>) -> ()
    func.call @copies(%f, %y) : (memref<8xf32, #wg>, memref<64xf32>) -> ()
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. A callee promises an alignment, which is kept; and it uses a view.
gpu.module @views {
  func.func @aligned(%a: memref<64xf32, #wg>, %x: f32) {
    %t = gpu.thread_id x
    %0 = memref.assume_alignment %a, 128 : memref<64xf32, #wg>
    %1 = memref.expand_shape %0 [[0, 1]] output_shape [8, 8] : memref<64xf32, #wg> into memref<8x8xf32, #wg>
    memref.store %x, %1[%t, %t] : memref<8x8xf32, #wg>
    return
  }
  // CHECK-LABEL: gpu.func @views
  // CHECK-SAME:  workgroup(%{{.*}} : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 128 : i64})
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{merged}}
  gpu.func @views(%x: f32) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    func.call @aligned(%a, %x) : (memref<64xf32, #wg>, f32) -> ()
    gpu.barrier
    func.call @aligned(%b, %x) : (memref<64xf32, #wg>, f32) -> ()
    gpu.return
  }
}
