// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{remarks verify}))' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

// Operations of devices: memory that they touch without naming it, memory that is pending after them, memory that
// threads share.

// 1. A read of nothing in particular reads the operand: %a is needed until the last operation.
// CHECK-LABEL: func @unnamed_read
// CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
// CHECK:       memref.view %{{.*}}[%[[C0]]][] {memplan.buffer = 0 : i64}
// CHECK:       memref.view %{{.*}}[%[[C64]]][] {memplan.buffer = 1 : i64}
func.func @unnamed_read(%in: memref<1xbf16>, %in2: memref<1xbf16>, %out: memref<8xf32>) {
  // expected-remark @below {{merged: 2 bytes at offset 0}}
  %a = memref.alloc() : memref<1xbf16>
  memref.copy %in, %a : memref<1xbf16> to memref<1xbf16>
  // expected-remark @below {{merged: 2 bytes at offset 64}}
  %b = memref.alloc() : memref<1xbf16>
  memref.copy %in2, %b : memref<1xbf16> to memref<1xbf16>
  memref.copy %b, %in : memref<1xbf16> to memref<1xbf16>
  %0 = x86vector.avx.bcst_to_f32.packed %a : memref<1xbf16> -> vector<8xf32>
  %c0 = arith.constant 0 : index
  vector.store %0, %out[%c0] : memref<8xf32>, vector<8xf32>
  return
}

// -----

// 2. Workgroup memory: a thread may still read what another is done with.
// CHECK-LABEL: func @workgroup
// CHECK-NOT:   memplan
func.func @workgroup(%out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  gpu.launch blocks(%x, %y, %z) in (%bx = %c1, %by = %c1, %bz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    // expected-remark @below {{[shared-by-threads]}}
    %q = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    // expected-remark @below {{[shared-by-threads]}}
    %r = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
    %v = memref.load %out[%tx] : memref<64xf32>
    memref.store %v, %q[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %w = memref.load %q[%c1] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %r[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.terminator
  }
  return
}

// -----

// 3. A store that is pending until a wait elsewhere.
// CHECK-LABEL: func @bulk_store
// CHECK:       memref.alloc() : memref<64x64xf16, 3>
func.func @bulk_store(%in: memref<64x64xf16>, %d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) {
  %c0 = arith.constant 0 : index
  // expected-remark @below {{[asynchronous]}}
  %a = memref.alloc() : memref<64x64xf16, 3>
  memref.copy %in, %a : memref<64x64xf16> to memref<64x64xf16, 3>
  nvgpu.tma.async.store %a to %d[%c0, %c0] : memref<64x64xf16, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  nvvm.cp.async.bulk.wait_group 0
  return
}

// -----

// 4. OpenACC: what its regions use is left alone, and so is what they allocate.
// CHECK-LABEL: func @openacc
// CHECK-NOT:   memplan
func.func @openacc(%in: memref<4xf32>, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-remark @below {{[asynchronous]}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %in, %a : memref<4xf32> to memref<4xf32>
  %d = acc.copyin varPtr(%a : memref<4xf32>) -> memref<4xf32>
  acc.parallel async dataOperands(%d : memref<4xf32>) {
    %v = memref.load %d[%c0] : memref<4xf32>
    // expected-remark @below {{[asynchronous]}}
    %z = memref.alloc() : memref<4xf32>
    memref.store %v, %z[%c0] : memref<4xf32>
    acc.yield
  }
  acc.wait
  acc.delete accPtr(%d : memref<4xf32>)
  return
}

// -----

// 5. Offloaded operands are named, even where the body cannot see the values outside.
// CHECK-LABEL: func @offloaded
// CHECK-NOT:   memplan
func.func @offloaded(%out: memref<4xf32>) {
  %m = omp.map.info var_ptr(%out : memref<4xf32>, tensor<4xf32>) map_clauses(from) capture(ByRef) -> memref<4xf32>
  omp.target map_entries(%m -> %y : memref<4xf32>) {
    // expected-remark @below {{[asynchronous]}}
    %t = memref.alloc() : memref<4xf32>
    memref.copy %y, %t : memref<4xf32> to memref<4xf32>
    memref.copy %t, %y : memref<4xf32> to memref<4xf32>
    omp.terminator
  }
  return
}

// -----

// 6. Sizes that do not add up to an address are left alone, and so are alignments beyond reason.
// CHECK-LABEL: func @huge
// CHECK-NOT:   memplan
func.func private @use(memref<1152921504606846976xi8>)
func.func @huge(%n: index, %x: memref<1152921504606846976xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<1152921504606846976xi8>) {
    // expected-remark @below {{[too-large]}}
    %t = memref.alloc() : memref<1152921504606846976xi8>
    func.call @use(%t) : (memref<1152921504606846976xi8>) -> ()
    func.call @use(%a) : (memref<1152921504606846976xi8>) -> ()
    scf.yield %t : memref<1152921504606846976xi8>
  }
  // expected-remark @below {{[alignment]}}
  %y = memref.alloc() {alignment = 4611686018427387904 : i64} : memref<4xi8>
  %z = memref.load %y[%c0] : memref<4xi8>
  return
}

// -----

// 7. A transposed memref is a view: its deallocation goes with the allocation.
// CHECK-LABEL: func @transposed
// CHECK:       memplan.buffer
// CHECK-NOT:   memref.dealloc %{{.*}} : memref<4x2xf32
func.func @transposed(%x: memref<2x4xf32>) {
  // expected-remark @below {{merged: 32 bytes}}
  %a = memref.alloc() : memref<2x4xf32>
  memref.copy %x, %a : memref<2x4xf32> to memref<2x4xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32, strided<[1, 4]>>
  memref.copy %a, %x : memref<2x4xf32> to memref<2x4xf32>
  memref.dealloc %t : memref<4x2xf32, strided<[1, 4]>>
  return
}
