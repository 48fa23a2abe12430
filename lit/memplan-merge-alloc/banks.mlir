// Banks of memory spaces: each buffer lies in one, or where its attributes say, and some are apart.
// RUN: %memplan-opt %s -o %t.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true report=%t.json})'
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// A second run changes nothing.
// RUN: %memplan-opt %t.mlir -o %t.again \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true})'
// RUN: diff %t.mlir %t.again
// The plan of a report keeps the rules, too.
// RUN: %memplan-opt %s -o %t.given \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true plan=%t.json})'
// RUN: FileCheck %s < %t.given
// So do offsets of an analysis.
// RUN: %memplan-opt %s -o %t.offsets \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{analyse-only=true})'
// RUN: %memplan-opt %t.offsets -o %t.planned \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify=true})'
// RUN: FileCheck %s < %t.planned

module attributes {memplan.machine = {version = 1, spaces = [
    {name = "l1", memory_space = 1, size = 4096, banks = 4},
    {name = "shared", memory_space = 3, banks = "8x64"}]}} {
  // 1. Each buffer lies in one bank: the second one does not start where the first ends.
  // CHECK-LABEL: func @one_bank
  // CHECK:         memref.alloc() {{.*}}memplan.banks = "0-1024,1024-2048,2048-3072,3072-4096"} : memref<1792xi8, 1>
  // REPORT: "name":"one_bank"
  // REPORT: "banks":{"ranges":[{{\[}}0,1024],[1024,2048],[2048,3072],[3072,4096]]}
  func.func @one_bank(%x: memref<192xf32>, %y: memref<192xf32>) {
    %a = memref.alloc() : memref<192xf32, 1>
    %b = memref.alloc() : memref<192xf32, 1>
    memref.copy %x, %a : memref<192xf32> to memref<192xf32, 1>
    memref.copy %x, %b : memref<192xf32> to memref<192xf32, 1>
    memref.copy %a, %y : memref<192xf32, 1> to memref<192xf32>
    memref.copy %b, %y : memref<192xf32, 1> to memref<192xf32>
    return
  }

  // 2. A buffer in the bank that it names, and one that crosses between the banks that it names.
  // CHECK-LABEL: func @named
  // CHECK-DAG:     %[[C3072:.*]] = arith.constant 3072 : index
  // CHECK-DAG:     %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK:         memref.view %{{.*}}[%[[C3072]]][] {memplan.bank = 3 : i64, memplan.buffer = 0 : i64}
  // CHECK:         memref.view %{{.*}}[%[[C1024]]][] {memplan.across_banks, memplan.bank = array<i64: 1, 2>, memplan.buffer = 1 : i64}
  func.func @named(%x: memref<64xf32>, %z: memref<512xf32>) {
    %a = memref.alloc() {memplan.bank = 3 : i64} : memref<64xf32, 1>
    %b = memref.alloc() {memplan.across_banks, memplan.bank = array<i64: 1, 2>} : memref<512xf32, 1>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
    memref.copy %z, %b : memref<512xf32> to memref<512xf32, 1>
    memref.copy %a, %x : memref<64xf32, 1> to memref<64xf32>
    memref.copy %b, %z : memref<512xf32, 1> to memref<512xf32>
    return
  }

  // 3. Ping and pong are apart, so they are not one buffer in place.
  // CHECK-LABEL: func @ping_pong
  // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:     %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK:         memref.view %{{.*}}[%[[C0]]][] {memplan.apart = "pair", memplan.buffer = 0 : i64}
  // CHECK:         memref.view %{{.*}}[%[[C1024]]][] {memplan.apart = "pair", memplan.buffer = 1 : i64}
  func.func @ping_pong(%x: memref<64xf32>) {
    %ping = memref.alloc() {memplan.apart = "pair"} : memref<64xf32, 1>
    %pong = memref.alloc() {memplan.apart = "pair"} : memref<64xf32, 1>
    memref.copy %x, %ping : memref<64xf32> to memref<64xf32, 1>
    linalg.exp ins(%ping : memref<64xf32, 1>) outs(%pong : memref<64xf32, 1>)
    memref.copy %pong, %x : memref<64xf32, 1> to memref<64xf32>
    return
  }

  // 4. Without the rule they are.
  // CHECK-LABEL: func @in_place
  // CHECK:         memref<256xi8, 1>
  func.func @in_place(%x: memref<64xf32>) {
    %ping = memref.alloc() : memref<64xf32, 1>
    %pong = memref.alloc() : memref<64xf32, 1>
    memref.copy %x, %ping : memref<64xf32> to memref<64xf32, 1>
    linalg.exp ins(%ping : memref<64xf32, 1>) outs(%pong : memref<64xf32, 1>)
    memref.copy %pong, %x : memref<64xf32, 1> to memref<64xf32>
    return
  }

  // 5. The operands of an operation are in three banks, also through views. The one in the default space is elsewhere anyway.
  // CHECK-LABEL: func @operands
  // CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
  // CHECK-DAG:     %[[C1024:.*]] = arith.constant 1024 : index
  // CHECK-DAG:     %[[C2048:.*]] = arith.constant 2048 : index
  // CHECK-DAG:     memref.view %{{.*}}[%[[C0]]]
  // CHECK-DAG:     memref.view %{{.*}}[%[[C1024]]]
  // CHECK-DAG:     memref.view %{{.*}}[%[[C2048]]]
  func.func @operands(%x: memref<64xf32>, %y: memref<32xf32>) {
    %a = memref.alloc() : memref<64xf32, 1>
    %b = memref.alloc() : memref<64xf32, 1>
    %c = memref.alloc() : memref<32xf32, 1>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
    memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
    %left = memref.subview %a[0] [32] [1] : memref<64xf32, 1> to memref<32xf32, strided<[1]>, 1>
    %right = memref.subview %b[32] [32] [1] : memref<64xf32, 1> to memref<32xf32, strided<[1], offset: 32>, 1>
    linalg.add {memplan.operands_apart}
        ins(%left, %right : memref<32xf32, strided<[1]>, 1>, memref<32xf32, strided<[1], offset: 32>, 1>)
        outs(%c : memref<32xf32, 1>)
    linalg.exp {memplan.operands_apart} ins(%c : memref<32xf32, 1>) outs(%y : memref<32xf32>)
    return
  }

  // 6. Buffers swap in a loop; the group keeps both apart.
  // CHECK-LABEL: func @swap
  // CHECK-DAG:     memplan.apart = ["pair", "other"]
  // CHECK-DAG:     memref<1280xi8, 1>
  func.func @swap(%x: memref<64xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %ping = memref.alloc() {memplan.apart = ["pair", "other"]} : memref<64xf32, 1>
    %pong = memref.alloc() {memplan.apart = ["pair", "other"]} : memref<64xf32, 1>
    memref.copy %x, %ping : memref<64xf32> to memref<64xf32, 1>
    %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%from = %ping, %to = %pong) -> (memref<64xf32, 1>, memref<64xf32, 1>) {
      linalg.exp ins(%from : memref<64xf32, 1>) outs(%to : memref<64xf32, 1>)
      scf.yield %to, %from : memref<64xf32, 1>, memref<64xf32, 1>
    }
    memref.copy %last#0, %x : memref<64xf32, 1> to memref<64xf32>
    return
  }

  // 7. An operand is one of two buffers. Both are apart from the other operand, not from each other.
  // CHECK-LABEL: func @either
  // CHECK:         memref<1280xi8, 1>
  func.func @either(%x: memref<64xf32>, %which: i1) {
    %a = memref.alloc() : memref<64xf32, 1>
    %b = memref.alloc() : memref<64xf32, 1>
    %c = memref.alloc() : memref<64xf32, 1>
    memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
    memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
    %one = arith.select %which, %a, %b : memref<64xf32, 1>
    linalg.exp {memplan.operands_apart} ins(%one : memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
    memref.copy %a, %x : memref<64xf32, 1> to memref<64xf32>
    memref.copy %c, %x : memref<64xf32, 1> to memref<64xf32>
    return
  }

  // 8. Interleaved banks: a wide buffer is anywhere, and narrow ones that are apart start in different banks. Address 1344 is in bank 1344 / 64 % 8 = 5.
  // CHECK-LABEL: func @interleaved
  // CHECK-DAG:     memplan.banks = "8x64"}
  // CHECK-DAG:     %[[C1344:.*]] = arith.constant 1344 : index
  // CHECK:         memref.view %{{.*}}[%[[C1344]]][] {memplan.bank = 5 : i64
  // REPORT: "name":"interleaved"
  // REPORT: "banks":{"count":8,"width":64}
  func.func @interleaved(%x: memref<16xf32>, %z: memref<256xf32>) {
    %a = memref.alloc() {memplan.bank = 5 : i64} : memref<16xf32, 3>
    %b = memref.alloc() : memref<16xf32, 3>
    %wide = memref.alloc() : memref<256xf32, 3>
    memref.copy %z, %wide : memref<256xf32> to memref<256xf32, 3>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32, 3>
    linalg.exp {memplan.operands_apart} ins(%a : memref<16xf32, 3>) outs(%b : memref<16xf32, 3>)
    memref.copy %b, %x : memref<16xf32, 3> to memref<16xf32>
    memref.copy %wide, %z : memref<256xf32, 3> to memref<256xf32>
    return
  }
}
