// The pipeline with other options, on copies.
// 1. The program is what it is without, and so is what passes say of it; the report has a list of measures beside the plan.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan{explain=true remarks report=%t.json})' \
// RUN:   -o %t.explained 2> %t.said
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{remarks report=%t.plan})' -o %t.plain 2> %t.usual
// RUN: cmp %t.explained %t.plain && cmp %t.said %t.usual
// RUN: memplan explain %t.json | FileCheck %s
// CHECK:      @cheap: 320 B of arenas, 320 B of the heap, with memplan{}
// CHECK:      would lower it:
// CHECK:      recompute=cheap {{ *}}64{{ *}}64{{ *}}-256 (-80.0%)  cheap buffers are computed again
// CHECK:      lower it already; without them:
// CHECK:      split=none {{ *}}512{{ *}}512{{ *}}+192 (+60.0%)  chains of operations run in strips
// CHECK-NEXT: elide=none
// CHECK:      no difference: {{.*}}hoist=loops
// CHECK:      @cheap: 320 B of 320 B planned are live at the peak
// CHECK:       total  320  100.0%
// CHECK:      at linalg.{{.*}}explain.mlir:
// CHECK:      from linalg.{{.*}}; waits for linalg.transpose at
// CHECK-NOT:  @nothing

// 2. Options are those of the plan, and each measure changes one of them.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan{explain=true recompute=cheap alignment=128 report=%t.on})' \
// RUN:   -o /dev/null
// RUN: memplan explain %t.on | FileCheck %s --check-prefix=ON
// ON: @cheap: 64 B of arenas, 64 B of the heap, with memplan{{[{]}}alignment=128 recompute=cheap}
// ON: lower it already; without them:
// ON: recompute=none {{.*}} +
// ON: no difference: {{.*}}hoist=loops

// 3. The pass alone plans nothing; a table has no rows for what it reports.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-explain{options={recompute=cheap alignment=128} report=%t.alone})' \
// RUN:   | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: memplan.arena
// RUN: memplan explain %t.alone | FileCheck %s --check-prefix=PASS
// PASS: @cheap: 64 B of arenas, 64 B of the heap, with memplan{{[{]}}recompute=cheap alignment=128}
// RUN: memplan table %t.json > %t.table1 && memplan table %t.plan > %t.table2 && cmp %t.table1 %t.table2

// 4. It is the same text with threads and without.
// RUN: %memplan-opt %s --mlir-disable-threading -o /dev/null \
// RUN:   --pass-pipeline='builtin.module(memplan{explain=true remarks report=%t.serial})'
// RUN: cmp %t.json %t.serial

// 5. Without a report there is nothing to do, and a report without measures says how to get them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{explain=true})' | cmp - %t.plain
// RUN: memplan explain %t.plan | FileCheck %s --check-prefix=NONE
// NONE: nothing is explained: run memplan{explain=true report=FILE}

func.func @cheap(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

func.func @nothing(%x: memref<64xf32>) {
  return
}
