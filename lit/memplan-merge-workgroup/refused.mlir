// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#wg = #gpu.address_space<workgroup>

// 1. Buffers that are left alone, each with its reason.
gpu.module @reasons {
  gpu.func @callee(%x: memref<64xf32, #wg>) {
    gpu.return
  }
  // CHECK-LABEL: gpu.func @reasons
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{memref<64xf32, strided<[2]>, #gpu.address_space<workgroup>>: its layout is not contiguous [layout]}}
  // expected-remark @below {{memref<2xf32, #gpu.address_space<workgroup>>: its address is extracted as a number [pointer-extracted]}}
  // expected-remark @below {{memref<3xf32, #gpu.address_space<workgroup>>: it is used by an operation of unknown effects [unknown-effects]}}
  // expected-remark @below {{memref<64xf32, #gpu.address_space<workgroup>>: it is passed to a call that may capture or free it [kept-by-callee]}}
  // expected-remark @below {{memref<6xf32, #gpu.address_space<workgroup>>: its address may be stored in memory [stored]}}
  gpu.func @reasons(%n: index, %at: memref<1xindex>, %cell: memref<1xmemref<6xf32, #wg>>)
      workgroup(%a: memref<64xf32, strided<[2]>, #wg>, %b: memref<2xf32, #wg>, %c: memref<3xf32, #wg>,
                %d: memref<64xf32, #wg>, %e: memref<6xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.cmpi eq, %t, %c0 : index
    // expected-remark @below {{[dynamic-size]}}
    %g = memref.alloc(%n) : memref<?xf32, #wg>
    // expected-remark @below {{[kept]}}
    %h = memref.alloc() {memplan.keep} : memref<8xf32, #wg>
    scf.if %f {
      // expected-remark @below {{only some threads may allocate it [divergent-control]}}
      %i = memref.alloc() : memref<9xf32, #wg>
    }
    %p = memref.extract_aligned_pointer_as_index %b : memref<2xf32, #wg> -> index
    memref.store %p, %at[%c0] : memref<1xindex>
    "test.unknown"(%c) : (memref<3xf32, #wg>) -> ()
    func.call @outside(%d) : (memref<64xf32, #wg>) -> ()
    memref.store %e, %cell[%c0] : memref<1xmemref<6xf32, #wg>>
    gpu.return
  }
  func.func private @outside(memref<64xf32, #wg>)
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. A function that threads call is no kernel.
gpu.module @called {
  // expected-remark @below {{threads call its function, which is no kernel, at different times [no-kernel]; inline the function into its kernel [memplan-R852]}}
  gpu.func @called(%x: f32) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) {
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. An older instance of an allocation is still used after the next one.
gpu.module @carried {
  // CHECK-LABEL: gpu.func @carried
  // CHECK-NOT:   memplan.buffer
  gpu.func @carried(%x: f32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %first = memref.alloc() : memref<64xf32, #wg>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> memref<64xf32, #wg> {
      // expected-remark @below {{[overlaps-itself]}}
      %new = memref.alloc() : memref<64xf32, #wg>
      %u = memref.load %old[%i] : memref<64xf32, #wg>
      memref.store %u, %new[%i] : memref<64xf32, #wg>
      scf.yield %new : memref<64xf32, #wg>
    }
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. A kernel that never ends.
gpu.module @endless {
  // expected-remark @below {{the control flow of the kernel is not known [unknown-paths]}}
  gpu.func @endless(%x: f32) workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    cf.br ^bb1
  ^bb1:
    gpu.barrier
    cf.br ^bb1
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. Barriers of subgroups, and of memory, do not separate the threads of a workgroup; nor does one that says that it orders
// other memory.
gpu.module @barriers {
  // CHECK-LABEL: gpu.func @barriers
  // CHECK-NOT:   memplan.buffer
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @barriers(%x: f32)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    %mask = arith.constant -1 : i32
    nvvm.bar.warp.sync %mask : i32
    gpu.barrier {address_spaces = [#gpu.address_space<global>]}
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 6. Another memory than workgroup memory is left to other passes, without a word; and so is a kernel with one buffer.
gpu.module @others {
  // CHECK-LABEL: gpu.func @others
  // CHECK-NOT:   memplan
  gpu.func @others(%x: f32)
      workgroup(%a: memref<64xf32, #wg>) private(%b: memref<4xf32, #gpu.address_space<private>>) kernel {
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 7. A promise that buffers share no bytes, and one of their alignment, which is kept.
gpu.module @promises {
  // CHECK-LABEL: gpu.func @promises
  // CHECK-SAME:  workgroup(%{{.*}} : memref<4xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<8xf32, #gpu.address_space<workgroup>>, %[[BYTES:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 128 : i64})
  // expected-remark @below {{memref<4xf32, #gpu.address_space<workgroup>>: it is promised to share no bytes with other memory [distinct]}}
  // expected-remark @below {{memref<8xf32, #gpu.address_space<workgroup>>: it is promised to share no bytes with other memory [distinct]}}
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{merged}}
  gpu.func @promises(%x: f32)
      workgroup(%a: memref<4xf32, #wg>, %b: memref<8xf32, #wg>, %c: memref<64xf32, #wg>, %d: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %0:2 = memref.distinct_objects %a, %b : memref<4xf32, #wg>, memref<8xf32, #wg>
    %1 = memref.assume_alignment %c, 128 : memref<64xf32, #wg>
    memref.store %x, %1[%t] : memref<64xf32, #wg>
    gpu.barrier
    memref.store %x, %d[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 8. Lanes of a loop over warps: not all threads may execute the inner loop, nor a barrier in it.
// CHECK-LABEL: func @nested
// CHECK-NOT:   memplan.buffer
func.func @nested(%x: f32) {
  %c0 = arith.constant 0 : index
  scf.forall (%w) in (4) {
    scf.forall (%l) in (32) {
      // expected-remark @below {{only some threads may allocate it [divergent-control]}}
      %a = memref.alloc() : memref<32xf32, #wg>
      // expected-remark @below {{only some threads may allocate it [divergent-control]}}
      %b = memref.alloc() : memref<32xf32, #wg>
      memref.store %x, %a[%l] : memref<32xf32, #wg>
      %is_first = arith.cmpi eq, %w, %c0 : index
      scf.if %is_first {
        // expected-warning @below {{not all threads may reach this barrier}}
        gpu.barrier
      }
      memref.store %x, %b[%l] : memref<32xf32, #wg>
    } {mapping = [#gpu.lane<linear_dim_0>]}
  } {mapping = [#gpu.warp<linear_dim_0>]}
  return
}

// -----

// 9. A store by the tensor memory accelerator, whose wait is not followed. The other buffers share bytes.
gpu.module @tma {
  // CHECK-LABEL: gpu.func @tma
  // CHECK-SAME:  workgroup(%{{.*}} : memref<64x64xf16, 3>, %{{.*}} : memref<4096xi8, 3> {llvm.align = 16 : i64})
  // expected-remark @below {{memref<64x64xf16, 3>: it is used by an asynchronous operation, and not every path has a wait}}
  // expected-remark @below {{workgroup memory: 4096 bytes, 8192 before}}
  // expected-remark @below {{merged}}
  gpu.func @tma(%x: f16, %d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>)
      workgroup(%a: memref<64x64xf16, 3>, %b: memref<64x32xf16, 3>, %c: memref<64x32xf16, 3>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    nvgpu.tma.async.store %a to %d[%c0, %c0] : memref<64x64xf16, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
    memref.store %x, %b[%t, %c0] : memref<64x32xf16, 3>
    gpu.barrier
    memref.store %x, %c[%t, %c0] : memref<64x32xf16, 3>
    gpu.return
  }
}
