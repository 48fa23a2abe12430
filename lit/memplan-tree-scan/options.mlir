// Options: attributes in place of rewriting, a budget of moves, where the stack lives, alignment, every value.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first apply=false})' \
// RUN:   | FileCheck %s --check-prefix=ATTR
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first move-budget=15})' \
// RUN:   | FileCheck %s --check-prefix=FEW
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first arena=alloca})' \
// RUN:   | FileCheck %s --check-prefix=ALLOCA
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first arena=arg})' \
// RUN:   | FileCheck %s --check-prefix=ARG
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{mode=plain alignment=64})' \
// RUN:   | FileCheck %s --check-prefix=APART
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first values=all})' \
// RUN:   | FileCheck %s --check-prefix=ALL
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first report=-})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REPORT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{fit=first report=%t.json})' -o /dev/null \
// RUN:   && memplan table --check %t.json | FileCheck %s --check-prefix=TABLE
// RUN: memplan plot %t.json -o %t.svg && FileCheck %s --check-prefix=PLOT --input-file=%t.svg
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-tree-scan{arena=arg}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FUNCTION
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{mode=scan move-budget=3})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BUDGET

// ATTR-LABEL: @figure
// ATTR: memref.alloc() {memplan.offset = 0 : i64} : memref<32xi8>
// ATTR: memref.alloc() {memplan.offset = 32 : i64} : memref<16xi8>
// ATTR: memref.alloc() {memplan.offset = 48 : i64} : memref<32xi8>
// ATTR: memref.alloc() {memplan.moves = array<i64: 32, 0, 16>, memplan.offset = 16 : i64} : memref<64xi8>
// With a budget, it is the lowest stack of all, also of those that move nothing.
// FEW: memref.alloc() {{.*}} : memref<80xi8>
// FEW-NOT: memplan.move
// ALLOCA: memref.alloca() {{.*}}memplan.arena{{.*}} : memref<80xi8>
// ALLOCA-NOT: memref.dealloc
// ARG: func.func @figure_arena_size() -> (index, index)
// ARG-NEXT: %[[BYTES:.*]] = arith.constant 80 : index
// ARG-NEXT: %[[UNIT:.*]] = arith.constant 1 : index
// ARG-NEXT: return %[[BYTES]], %[[UNIT]]
// ARG: func.func @figure(%arg0: i8, %arg1: memref<80xi8> {memplan.arena = 1 : i64})
// APART: memref.alloc() {alignment = 64 : i64, {{.*}}} : memref<256xi8>
// ALL: memref.alloc() {memplan.offset = {{[0-9]+}} : i64} : memref<32xi8>
// ALL: memref.load {{.*}} {memplan.offset = {{[0-9]+}} : i64}
// REPORT: "max_live_bytes":80,"peak_bytes":80,"plain_bytes":144,"scan_bytes":112,"planner_bytes":80,"defrag_bytes":80
// REPORT-SAME: "defragmentations":1,"moves":1,"moved_bytes":16,"path_count":1
// REPORT: "curve":[
// REPORT-NEXT: {"peak_bytes":112,"moved_bytes":0},
// REPORT-NEXT: {"peak_bytes":80,"moved_bytes":16}]
// Each buffer counts once, also the moved one.
// TABLE: figure    function              4      1          144           80  load        80
// TABLE: function  layout                paths  ops  live  stack  plain  scan  planner  before  defrag  moves  moved
// TABLE: figure    defrag first buffers      1 {{.*}} 80     80    144   112       80       -      80      1     16
// TABLE: no overlap, all numbers agree
// PLOT: stack against bytes moved
// PLOT: stack of 80 bytes, 16 bytes moved
// FUNCTION: arena=arg concerns more than one function: schedule the pass on builtin.module [memplan-E004]
// BUDGET: move-budget needs mode=defrag [memplan-E002]
func.func @figure(%v: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xi8>
  %b = memref.alloc() : memref<16xi8>
  %c = memref.alloc() : memref<32xi8>
  memref.store %v, %b[%c0] : memref<16xi8>
  memref.store %v, %a[%c0] : memref<32xi8>
  memref.store %v, %c[%c0] : memref<32xi8>
  %d = memref.alloc() : memref<64xi8>
  memref.store %v, %d[%c0] : memref<64xi8>
  %x = memref.load %b[%c0] : memref<16xi8>
  %y = memref.load %d[%c0] : memref<64xi8>
  %z = arith.addi %x, %y : i8
  return %z : i8
}
