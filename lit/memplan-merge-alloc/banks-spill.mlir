// Banks with reserved addresses, and a slower memory space for what does not fit.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true})' | FileCheck %s
// With arenas in callers, and with one global for all entry points.
// RUN: %memplan-opt %s -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true arena=arg scope=module})'
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true arena=global share=entry-points})' \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true hoist-parallel=8})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOISTED --implicit-check-not=memplan-W102
// GLOBAL: memref.get_global @{{.*}} {memplan.arena = 64 : i64, memplan.banks = "0-512,512-1024"}

// 1. The first bank has 256 bytes left, and what does not fit moves, unless it has a rule.
module attributes {memplan.machine = {version = 1, spaces = [
    {name = "l1", memory_space = 1, banks = ["512", "512"], reserved = ["0-256"], slower = "l2"},
    {name = "l2", memory_space = 2}]}} {
  // CHECK-LABEL: func @moves
  // CHECK-DAG:     memplan.banks = "0-512,512-1024"} : memref<1024xi8, 1>
  // CHECK-DAG:     memplan.arena} : memref<512xi8, 2>
  // CHECK-DAG:     memplan.bank = 1 : i64, memplan.buffer = 1 : i64} : memref<1024xi8, 1> to memref<128xf32, 1>
  func.func @moves(%x: memref<128xf32>) {
    %a = memref.alloc() : memref<128xf32, 1>
    %b = memref.alloc() {memplan.bank = 1 : i64} : memref<128xf32, 1>
    memref.copy %x, %a : memref<128xf32> to memref<128xf32, 1>
    memref.copy %x, %b : memref<128xf32> to memref<128xf32, 1>
    memref.copy %a, %x : memref<128xf32, 1> to memref<128xf32>
    memref.copy %b, %x : memref<128xf32, 1> to memref<128xf32>
    return
  }

  // 2. The arena of a callee is one slice of its caller's, in one bank: so are its buffers. Neither fits beside %a in bank 1.
  // CHECK-LABEL: func private @callee
  // CHECK-LABEL: func @caller
  func.func private @callee(%x: memref<64xf32>) attributes {memplan.arena_in = "arg"} {
    %a = memref.alloc() : memref<64xf32, 1>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
    memref.copy %a, %x : memref<64xf32, 1> to memref<64xf32>
    return
  }
  // CHECK:         %[[AT:.*]] = arith.constant 256 : index
  // CHECK:         memref.view %{{.*}}[%[[AT]]][] {memplan.buffer = {{.*}} memplan.slice_alignment
  func.func @caller(%x: memref<64xf32>, %z: memref<128xf32>) {
    %a = memref.alloc() {memplan.bank = 1 : i64} : memref<128xf32, 1>
    memref.copy %z, %a : memref<128xf32> to memref<128xf32, 1>
    call @callee(%x) : (memref<64xf32>) -> ()
    memref.copy %a, %z : memref<128xf32, 1> to memref<128xf32>
    return
  }

  // 3. All iterations of a parallel loop together are one slice.
  // HOISTED-LABEL: func @hoisted
  // HOISTED:         memplan.banks = "0-512,512-1024"} : memref<384xi8, 1>
  // HOISTED:         memplan.iterations = array<i64: 256, 64, 2>
  func.func @hoisted(%x: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
      %a = memref.alloc() : memref<8xf32, 1>
      memref.copy %x, %a : memref<8xf32> to memref<8xf32, 1>
      memref.copy %a, %x : memref<8xf32, 1> to memref<8xf32>
    }
    return
  }
}
