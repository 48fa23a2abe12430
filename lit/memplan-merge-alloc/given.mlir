// Plans that are taken again: the same program as in one run, out of a report and out of attributes.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t.json scope=module \
// RUN:   hoist-parallel=8 capacity=1:384 spill=1->2})' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{plan=%t.json scope=module \
// RUN:   planner=plain hoist-parallel=8 capacity=1:384 spill=1->2})' | diff %t.mlir -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{analyse-only scope=module \
// RUN:   hoist-parallel=8 capacity=1:384 spill=1->2})' -o %t.attributes.mlir
// RUN: FileCheck %s --check-prefix=ATTRIBUTES < %t.attributes.mlir
// RUN: %memplan-opt %t.attributes.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module \
// RUN:   planner=plain hoist-parallel=8 capacity=1:384 spill=1->2})' | diff %t.mlir -

// 1. In place: two allocations are one buffer.
// CHECK-LABEL: func @in_place
// CHECK:         memref<256xi8>
// ATTRIBUTES-LABEL: func @in_place
// ATTRIBUTES-COUNT-2: memplan.in_place = 0 : i64, {{.*}}memplan.offset = 0 : i64
func.func @in_place(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// 2. The arena of a callee.
// ATTRIBUTES-LABEL: func private @callee
func.func private @callee(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// CHECK-LABEL: func @caller
// CHECK:         memref<512xi8>
// ATTRIBUTES-LABEL: func @caller
// ATTRIBUTES:         call @callee(%{{.*}}) {memplan.nested_offsets = array<i64: 256>}
func.func @caller(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  call @callee(%a) : (memref<64xf32>) -> ()
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  return
}

// 3. The arenas of a parallel body, of two memory spaces.
// CHECK-LABEL: func @bodies
// CHECK-NOT:     memplan.nested_offsets
// ATTRIBUTES-LABEL: func @bodies
// ATTRIBUTES:         scf.forall
// ATTRIBUTES:         } {memplan.nested_offsets = array<i64: 0, 0>}
func.func @bodies(%x: memref<16xf32>, %y: memref<16xf32>) {
  %o = memref.alloc() : memref<16xf32>
  memref.copy %x, %o : memref<16xf32> to memref<16xf32>
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32, 3>
    memref.copy %o, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32, 3>
    memref.copy %b, %y : memref<16xf32, 3> to memref<16xf32>
  }
  return
}

// 4. A buffer moves to another memory space.
// CHECK-LABEL: func @moves
// CHECK-DAG:     memref<256xi8, 1>
// CHECK-DAG:     memref<256xi8, 2>
// ATTRIBUTES-LABEL: func @moves
// ATTRIBUTES:         memplan.memory_space = "2"
func.func @moves(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  %b = memref.alloc() : memref<64xf32, 1>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32, 1>
  memref.copy %x, %b : memref<64xf32> to memref<64xf32, 1>
  linalg.add ins(%a, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%x : memref<64xf32>)
  return
}

// 5. Slots that rotate, and slots of dynamic size.
func.func private @use(memref<64xf32>, memref<64xf32>)
func.func private @any(memref<?xf32>)
// CHECK-LABEL: func @slots
// ATTRIBUTES-LABEL: func @slots
// ATTRIBUTES-DAG:     memplan.slots = 2
// ATTRIBUTES-DAG:     memplan.slot = 0
func.func @slots(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %d = memref.alloc(%lo) : memref<?xf32>
  call @any(%d) : (memref<?xf32>) -> ()
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> (memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  %e = memref.alloc(%lo) : memref<?xf32>
  call @any(%e) : (memref<?xf32>) -> ()
  return
}

// 6. What is skipped stays skipped, and no reason is left.
// CHECK-LABEL: func @skipped
// CHECK:         memref.alloc() : memref<64xf32>
// ATTRIBUTES-LABEL: func @skipped
// ATTRIBUTES:         memplan.skip = "returned"
func.func @skipped() -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  return %a : memref<64xf32>
}

// 7. Functions of nested modules may have the same name.
module {
  // CHECK-LABEL: func @caller
  func.func @caller(%x: memref<32xf32>) {
    %a = memref.alloc() : memref<32xf32>
    memref.copy %x, %a : memref<32xf32> to memref<32xf32>
    memref.copy %a, %x : memref<32xf32> to memref<32xf32>
    return
  }
}
