// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-workgroup{remarks verify})' \
// RUN:   -split-input-file -verify-diagnostics \
// RUN:   | FileCheck %s

#wg = #gpu.address_space<workgroup>

// 1. Blocks: a barrier on each edge of a uniform branch.
gpu.module @blocks {
  // CHECK-LABEL: gpu.func @blocks
  // CHECK-SAME:  memref<256xi8
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  // expected-remark @below {{merged}}
  gpu.func @blocks(%x: f32, %c: i1, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    gpu.barrier
    %u = memref.load %a[%c0] : memref<64xf32, #wg>
    memref.store %u, %y[%t] : memref<64xf32>
    gpu.barrier
    cf.br ^bb3
  ^bb2:
    gpu.barrier
    cf.br ^bb3
  ^bb3:
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 2. A path without a barrier.
gpu.module @path {
  // CHECK-LABEL: gpu.func @path
  // CHECK-NOT:   memplan
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @path(%x: f32, %c: i1)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %t = gpu.thread_id x
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    scf.if %c {
      gpu.barrier
    }
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 3. A flag that is also forwarded decides: threads differ, and the barrier is not counted on.
gpu.module @forwarded {
  // CHECK-LABEL: gpu.func @forwarded
  // CHECK-NOT:   memplan
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @forwarded(%x: f32, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %f = arith.cmpi eq, %t, %c0 : index
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    cf.cond_br %f, ^bb1(%f : i1), ^bb2(%f : i1)
  ^bb1(%g: i1):
    // expected-warning @below {{not all threads may reach this barrier: buffers share bytes as if it were not there [memplan-W851]}}
    gpu.barrier
    cf.br ^bb3
  ^bb2(%h: i1):
    // expected-warning @below {{not all threads may reach this barrier}}
    gpu.barrier
    cf.br ^bb3
  ^bb3:
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 4. What threads leave a divergent branch with differs between them. Bounds that are loaded may differ as well.
gpu.module @merged {
  // CHECK-LABEL: gpu.func @merged
  // CHECK-NOT:   memplan
  // expected-remark @below {{workgroup memory: 512 bytes, 512 before}}
  gpu.func @merged(%x: f32, %n: memref<1xindex>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    %f = arith.cmpi eq, %t, %c0 : index
    %end = scf.if %f -> index {
      scf.yield %c0 : index
    } else {
      scf.yield %c1 : index
    }
    memref.store %x, %a[%t] : memref<64xf32, #wg>
    scf.for %i = %c0 to %end step %c1 {
      // expected-warning @below {{not all threads may reach this barrier}}
      gpu.barrier
    }
    %m = memref.load %n[%c0] : memref<1xindex>
    scf.for %i = %c0 to %m step %c1 {
      // expected-warning @below {{not all threads may reach this barrier}}
      gpu.barrier
    }
    memref.store %x, %b[%t] : memref<64xf32, #wg>
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 5. An allocation in a loop has undefined contents in each iteration, whatever the size of the workgroup.
gpu.module @iterations {
  // CHECK-LABEL: gpu.func @iterations
  // CHECK-SAME:  workgroup(%[[BYTES:.*]] : memref<256xi8
  // CHECK:       scf.for
  // CHECK:       memref.view %[[BYTES]]
  // CHECK:       memref.view %[[BYTES]]
  // expected-remark @below {{workgroup memory: 256 bytes, 512 before}}
  gpu.func @iterations(%x: f32, %n: index, %y: memref<64xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c1 {
      // expected-remark @below {{merged}}
      %a = memref.alloc() : memref<64xf32, #wg>
      // expected-remark @below {{merged}}
      %b = memref.alloca() : memref<64xf32, #wg>
      memref.store %x, %a[%t] : memref<64xf32, #wg>
      gpu.barrier
      %u = memref.load %a[%i] : memref<64xf32, #wg>
      gpu.barrier
      memref.store %u, %b[%t] : memref<64xf32, #wg>
      gpu.barrier
      %r = memref.load %b[%i] : memref<64xf32, #wg>
      memref.store %r, %y[%t] : memref<64xf32>
      gpu.barrier
    }
    gpu.return
  }
}

// -----

#wg = #gpu.address_space<workgroup>

// 6. Parts of a buffer, a branch that chooses among buffers, and a loop that carries one.
gpu.module @views {
  // CHECK-LABEL: gpu.func @views
  // CHECK-SAME:  memref<512xi8
  // expected-remark @below {{workgroup memory: 512 bytes, 768 before}}
  // expected-remark @below {{at offset 0 }}
  // expected-remark @below {{at offset 256 }}
  gpu.func @views(%x: f32, %c: i1, %y: memref<64xf32>)
      workgroup(%a: memref<64xf32, #wg>, %b: memref<64xf32, #wg>, %d: memref<64xf32, #wg>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %part = memref.subview %a[32] [32] [1] : memref<64xf32, #wg> to memref<32xf32, strided<[1], offset: 32>, #wg>
    memref.store %x, %part[%t] : memref<32xf32, strided<[1], offset: 32>, #wg>
    %one = scf.if %c -> memref<64xf32, #wg> {
      scf.yield %a : memref<64xf32, #wg>
    } else {
      scf.yield %b : memref<64xf32, #wg>
    }
    memref.store %x, %one[%t] : memref<64xf32, #wg>
    gpu.barrier
    %u = memref.load %one[%c0] : memref<64xf32, #wg>
    memref.store %u, %y[%t] : memref<64xf32>
    gpu.barrier
    memref.store %x, %d[%t] : memref<64xf32, #wg>
    gpu.return
  }
}
