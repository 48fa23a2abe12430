// Callees receive arenas of dynamic size: before a call, the caller allocates as much as the callee takes, and plans that
// as its other buffers.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module verify},cse,memplan-verify)' | FileCheck %s
// What passes simplify is still large enough, and a second run changes nothing.
// RUN: %memplan-opt %s --split-input-file -o %t.once \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module})'
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(canonicalize,cse,memplan-verify)' \
// RUN:   -o /dev/null
// RUN: %memplan-opt %t.once --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module})' \
// RUN:   | diff %t.once -
// The plan of an analysis is the one that is written, and an analysis changes nothing but attributes.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module analyse-only})' -o %t.analysed
// RUN: %memplan-opt %t.analysed --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module})' \
// RUN:   | diff %t.once -
// RUN: sed -E 's/ \{memplan[^}]*\}//' %t.analysed > %t.stripped
// RUN: %memplan-opt %s --split-input-file | diff - %t.stripped
// Reports say where a call takes how much.
// RUN: %memplan-opt %s --split-input-file -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module report=%t.json})'
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT:      "name":"caller"
// REPORT:      "location":"{{.*}}sized-callees.mlir:[[#@LINE + 45]]:3","type":"memref<?xi8>",{{.*}}"arena_of":"callee"
// REPORT:      {"name":"d1","location":"{{.*}}sized-callees.mlir:[[#@LINE + 44]]:3"}
// On the stack or in a global, what is static stays there: a callee keeps what is dynamic.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module arena=alloca verify})' \
// RUN:   | FileCheck %s --check-prefix=STACK

// 1. Calls with the same dimensions pass as much: the size is computed once, where the function starts. The buffer of the
// caller lies beside the first, and the second takes its bytes.
// CHECK-LABEL: func.func private @leaf(
// CHECK-SAME:    %[[GIVEN:[a-z0-9]+]]: memref<?xi8> {memplan.arena = 64 : i64}) {
// CHECK-NOT:     cf.assert
// CHECK:         memref.view %[[GIVEN]][%{{.*}}][%{{.*}}] {memplan.arena = 64 : i64}
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @caller(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// CHECK:         memref.view %[[ARENA]][%[[ABOVE:.*]]][%{{.*}}] {memplan.buffer = 0 : i64} : memref<?xi8> to memref<?xf32>
// CHECK:         %[[ONE:.*]] = memref.view %[[ARENA]][%[[ZERO:.*]]][%[[SIZE:.*]]] {memplan.buffer = 1 : i64}
// CHECK:         call @leaf(%{{.*}}, %[[ONE]])
// CHECK:         %[[OTHER:.*]] = memref.view %[[ARENA]][%[[ZERO]]][%[[SIZE]]] {memplan.buffer = 2 : i64}
// CHECK:         call @leaf(%{{.*}}, %[[OTHER]])
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK-NOT:     memref.alloc
// STACK-LABEL: func.func private @leaf(
// STACK-SAME:    memref<16xi8> {memplan.arena = 64 : i64}) {
// STACK:         memref.alloc(%{{.*}}) : memref<?xf32>
// STACK-LABEL: func.func @caller(
// STACK:         memref.alloca() {{.*}}memplan.arena} : memref<16xi8>
func.func private @leaf(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%s : memref<4xf32>)
  %a = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %s[%c0] : memref<4xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%x : memref<?xf32>)
  return
}
func.func @caller(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  call @leaf(%t) : (memref<?xf32>) -> ()
  memref.copy %t, %x : memref<?xf32> to memref<?xf32>
  call @leaf(%x) : (memref<?xf32>) -> ()
  return
}

// -----

// 2. A size that depends on data of the caller is computed before the call. An arena that would be alone in another is freed after
// the call, and marked so that deallocation passes ignore it. A recursive function keeps its own memory, and so does one that
// other code refers to.
// CHECK-LABEL: func.func private @sized(%{{[a-z0-9]+}}: index, %{{[a-z0-9]+}}: memref<?xi8> {memplan.arena = 64 : i64})
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func private @recursive(%{{[a-z0-9]+}}: index) {
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-LABEL: func.func private @referred(%{{[a-z0-9]+}}: index) {
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-LABEL: func.func @data(
// CHECK:         %[[K:.*]] = memref.load
// CHECK:         minui %[[K]]
// CHECK:         %[[PASSED:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64, bufferization.manual_deallocation}
// CHECK-NEXT:    call @sized(%[[K]], %[[PASSED]])
// CHECK-NEXT:    memref.dealloc %[[PASSED]] {bufferization.manual_deallocation}
func.func private @sized(%k: index) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  return
}
func.func private @recursive(%k: index) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  call @recursive(%k) : (index) -> ()
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  return
}
func.func private @referred(%k: index) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  return
}
func.func @data(%x: memref<4xindex>, %i: index) {
  %k = memref.load %x[%i] : memref<4xindex>
  call @sized(%k) : (index) -> ()
  call @recursive(%k) : (index) -> ()
  %f = func.constant @referred : (index) -> ()
  call_indirect %f(%k) : (index) -> ()
  return
}
