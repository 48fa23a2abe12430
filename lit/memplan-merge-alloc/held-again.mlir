// The plan of arenas that iterations allocate, and of allocations that are left alone, out of a report or out of
// attributes gives the same program again; also with arenas of callees in several arenas.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave report=%t.json})' \
// RUN:   > %t.planned.mlir
// RUN: FileCheck %s --check-prefix=CHECK < %t.planned.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave plan=%t.json})' \
// RUN:   | diff - %t.planned.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave analyse-only})' \
// RUN:   | %memplan-opt --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave})' \
// RUN:   | diff - %t.planned.mlir
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module when-larger=leave report=%t.json})' \
// RUN:   > %t.planned.mlir
// RUN: FileCheck %s --check-prefix=MODULE < %t.planned.mlir
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module when-larger=leave plan=%t.json})' \
// RUN:   | diff - %t.planned.mlir
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module when-larger=leave analyse-only})' \
// RUN:   | %memplan-opt --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module when-larger=leave})' \
// RUN:   | diff - %t.planned.mlir

// CHECK-LABEL: func @rec
// CHECK:         scf.for
// CHECK:           memref.alloc() {{.*}}memplan.arena} : memref<4000xi8>
// CHECK:           memref.alloc() {{.*}}memplan.arena} : memref<4000xi8>
// CHECK-LABEL: func @one_of_two
// CHECK-NOT:     memplan.arena
// MODULE-LABEL: func @rec
// MODULE:         scf.for
// MODULE:           memref.alloc() {{.*}}memplan.arena} : memref<6032xi8>
// MODULE:           memref.alloc() {{.*}}memplan.arena} : memref<6032xi8>
func.func private @use(memref<1000xf32>)
func.func private @leaf(%x: memref<1000xf32>) {
  %a = memref.alloc() : memref<500xf32>
  %c = memref.cast %a : memref<500xf32> to memref<?xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<?xf32>)
  return
}
func.func @rec(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<1000xf32>
    func.call @use(%a) : (memref<1000xf32>) -> ()
    func.call @leaf(%a) : (memref<1000xf32>) -> ()
    func.call @rec(%i) : (index) -> ()
    %b = memref.alloc() : memref<1000xf32>
    func.call @use(%b) : (memref<1000xf32>) -> ()
    func.call @leaf(%b) : (memref<1000xf32>) -> ()
  }
  return
}

func.func private @use_any(memref<?xf32>)
func.func @one_of_two(%c: i1) {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc() : memref<1000xf32>
    %x = memref.cast %a : memref<1000xf32> to memref<?xf32>
    func.call @use_any(%x) : (memref<?xf32>) -> ()
    scf.yield %x : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<10xf32>
    %y = memref.cast %b : memref<10xf32> to memref<?xf32>
    func.call @use_any(%y) : (memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  call @use_any(%r) : (memref<?xf32>) -> ()
  return
}
