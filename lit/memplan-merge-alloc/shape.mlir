// Values of dimensions: the plan is that of the static form of the program.
// RUN: cp %s %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify shape=d0=128,d1=7 \
// RUN:   report=%t.json})' -o %t.planned.mlir
// RUN: FileCheck %s < %t.planned.mlir
// RUN: sed 's/alloc(%%[^)]*)/alloc()/; s/<?x?xf32>/<128x7xf32>/g; s/<?xf32>/<128xf32>/g; s/<?xi8>/<127xi8>/g; \
// RUN:   s/<?xi16>/<62xi16>/g' %s > %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify \
// RUN:   report=%t.static.json})' -o /dev/null
// RUN: tr -d ' \n' < %t.json | sed 's/"type":"[^"]*",//g; s/"dimensions":.*"functions/"functions/' \
// RUN:   > %t.plan
// RUN: tr -d ' \n' < %t.static.json | sed 's/"type":"[^"]*",//g' | cmp - %t.plan

// 1. The shape again changes nothing, and neither do bounds that it is within.
// RUN: %memplan-opt %t.planned.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{verify \
// RUN:   shape=d0=128,d1=7})' | cmp - %t.planned.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify bounds=d0<=200,1<=d1<=7 \
// RUN:   shape=work:d0=128,d1=7})' | cmp - %t.planned.mlir

// 2. No assertion where the callers promise the shape.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify shape=d0=128,d1=7 \
// RUN:   assert-bounds=false})' | FileCheck %s --check-prefix=PROMISED
// PROMISED-NOT:    cf.assert

// 3. A dimension without a value stays unknown.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify shape=d0=128})' \
// RUN:   | FileCheck %s --check-prefix=ONE
// ONE:       cf.assert %{{.*}}, "d0 is not 128"
// ONE-NOT:   cf.assert
// ONE:       memref.alloc(%{{.*}}) {alignment = 64 : i64, {{.*}}memplan.arena} : memref<?xi8>

// Sizes are those of the shape, and not bounds of them: one less, and the half, rounded down, of three less.
// CHECK-LABEL: func @work(
// CHECK-SAME:    memplan.bounds = {{\[\[}}128, 128], [7, 7]]
// CHECK:         cf.assert %{{.*}}, "d0 is not 128"
// CHECK:         cf.assert %{{.*}}, "d1 is not 7"
// CHECK:         memref.alloc() {{.*}}memplan.arena} : memref<4096xi8>
// CHECK-NOT:     memref.alloc(
func.func @work(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %v = arith.constant 1.0 : f32
  %w = arith.constant 1 : i8
  %z = arith.constant 1 : i16
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %less = arith.subi %n, %c1 : index
  %three = arith.subi %n, %c3 : index
  %half = arith.divsi %three, %c2 : index
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<?x?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  memref.copy %a, %x : memref<?x?xf32> to memref<?x?xf32>
  %c = memref.alloc(%less) : memref<?xi8>
  linalg.fill ins(%w : i8) outs(%c : memref<?xi8>)
  %d = memref.alloc(%half) : memref<?xi16>
  linalg.fill ins(%z : i16) outs(%d : memref<?xi16>)
  memref.store %v, %x[%c0, %c0] : memref<?x?xf32>
  %p = memref.load %b[%c0] : memref<?xf32>
  %q = memref.load %c[%c0] : memref<?xi8>
  %r = memref.load %d[%c0] : memref<?xi16>
  return
}
