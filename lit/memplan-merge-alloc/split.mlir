// Several arenas in place of one, where the function then never holds more than it would with each buffer freed after its
// last use.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false report=%t.json})' > %t.planned.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// The report as a plan, and attributes as a plan: the same program.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false plan=%t.json})' \
// RUN:   | diff - %t.planned.mlir
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{in-place=false analyse-only})' > %t.noted.mlir
// RUN: FileCheck %s --check-prefix=NOTED < %t.noted.mlir
// RUN: %memplan-opt %t.noted.mlir \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false})' | diff - %t.planned.mlir
// One arena is wanted: it is in an argument.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=arg in-place=false})' \
// RUN:   | FileCheck %s --check-prefix=ONE

// 1. A result comes on top of what is left when it is allocated: %t has an arena of its own, which is freed before.
// CHECK-LABEL: func @result
// CHECK:         %[[T:.*]] = memref.alloc() {{.*}} : memref<16384xi8>
// CHECK:         %[[U:.*]] = memref.alloc() {{.*}} : memref<16384xi8>
// CHECK:         memref.dealloc %[[T]]
// CHECK:         %[[R:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK:         memref.dealloc %[[U]]
// CHECK:         return %[[R]]
// REPORT:        {"name":"result"
// REPORT:        "planned_bytes":16384,"alignment":64,"held":[
// REPORT:        "planned_bytes":16384,"alignment":64,"held":[
// REPORT:        "planned_bytes":32768,"lower_bound_bytes":32768,"heap_bytes":32768,"heap_lower_bound_bytes":32768}
// NOTED-LABEL:   func @result
// NOTED:         memref.alloc() {memplan.live = {{.*}}, memplan.offset = 0 : i64, memplan.scope = 0 : i64}
// NOTED:         memref.alloc() {memplan.arena_number = 1 : i64, memplan.live = {{.*}}, memplan.offset = 0 : i64
// ONE-LABEL:     func @result({{.*}}: memref<32768xi8>
func.func @result(%x: memref<64x64xf32>) -> memref<64x64xf32> {
  %t = memref.alloc() : memref<64x64xf32>
  linalg.exp ins(%x : memref<64x64xf32>) outs(%t : memref<64x64xf32>)
  %u = memref.alloc() : memref<64x64xf32>
  linalg.transpose ins(%t : memref<64x64xf32>) outs(%u : memref<64x64xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<64x64xf32>
  linalg.transpose ins(%u : memref<64x64xf32>) outs(%r : memref<64x64xf32>) permutation = [1, 0]
  return %r : memref<64x64xf32>
}

// 2. A branch that is seldom taken holds what it needs alone.
// CHECK-LABEL: func @branch
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         scf.if
// CHECK:           memref.alloc() {{.*}} : memref<4000000xi8>
// CHECK:           memref.dealloc {{.*}} : memref<4000000xi8>
// CHECK:         }
// CHECK:         memref.dealloc {{.*}} : memref<256xi8>
func.func @branch(%x: memref<64xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.if %c {
    %b = memref.alloc() : memref<1000000xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<1000000xf32>)
    %v = memref.load %b[%c0] : memref<1000000xf32>
    memref.store %v, %a[%c0] : memref<64xf32>
  }
  %r = memref.load %a[%c0] : memref<64xf32>
  return %r : f32
}

// 3. Branches that both need as much share one arena: one of them is taken.
// CHECK-LABEL: func @either
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
// CHECK:         scf.if
// CHECK-NOT:       memref.alloc
// CHECK:         return
func.func @either(%x: memref<64xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.if %c {
    %b = memref.alloc() : memref<64xf32>
    linalg.transpose ins(%x : memref<64xf32>) outs(%b : memref<64xf32>) permutation = [0]
    linalg.copy ins(%b : memref<64xf32>) outs(%a : memref<64xf32>)
  } else {
    %b = memref.alloc() : memref<64xf32>
    linalg.transpose ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) permutation = [0]
    linalg.copy ins(%b : memref<64xf32>) outs(%a : memref<64xf32>)
  }
  %r = memref.load %a[%c0] : memref<64xf32>
  return %r : f32
}

// 4. A loop counts as executed: its arena is around it.
// CHECK-LABEL: func @loop
// CHECK:         memref.alloc() {{.*}} : memref<512xi8>
// CHECK:         scf.for
// CHECK-NOT:       memref.alloc
// CHECK:         return
func.func @loop(%x: memref<64xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<64xf32>
    linalg.transpose ins(%a : memref<64xf32>) outs(%b : memref<64xf32>) permutation = [0]
    linalg.copy ins(%b : memref<64xf32>) outs(%a : memref<64xf32>)
  }
  %r = memref.load %a[%c0] : memref<64xf32>
  return %r : f32
}
