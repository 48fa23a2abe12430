// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{analyse-only})' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// Nothing but attributes is written: without them, what is left is the input.
// RUN: sed -E 's/ \{memplan[^}]*\}//' %t.mlir > %t.stripped
// RUN: %memplan-opt %s --pass-pipeline='builtin.module()' | diff - %t.stripped

func.func private @use(memref<64xf32>)
func.func private @use2(memref<64xf32>, memref<64xf32>)

// 1. Scope, start and end of each live range in iteration, offset.
// CHECK-LABEL: func @straight
// CHECK:         memref.alloc() {memplan.live = array<i64: 3, 5>, memplan.offset = 0 : i64, memplan.scope = 0 : i64} : memref<64xf32>
// CHECK:         memref.alloc() {memplan.live = array<i64: 4, 6>, memplan.offset = 256 : i64, memplan.scope = 0 : i64} : memref<64xf32>
// CHECK-NOT:     memplan.arena
func.func @straight() {
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  call @use2(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// 2. Why one is left alone.
// CHECK-LABEL: func @skipped
// CHECK:         memref.alloc() {memplan.skip = "returned"} : memref<64xf32>
func.func @skipped() -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  return %a : memref<64xf32>
}

// 3. Slots.
// CHECK-LABEL: func @carried
// CHECK:         memref.alloc() {memplan.live = array<i64: {{[0-9, ]+}}>, memplan.offset = 0 : i64, memplan.scope = 0 : i64, memplan.slots = 2 : i64} : memref<64xf32>
func.func @carried(%x: memref<64xf32>, %lo: index, %hi: index, %step: index) {
  %r = scf.for %i = %lo to %hi step %step iter_args(%m = %x) -> (memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    func.call @use2(%m, %a) : (memref<64xf32>, memref<64xf32>) -> ()
    scf.yield %a : memref<64xf32>
  }
  return
}

// 4. A scope of its own.
// CHECK-LABEL: func @parallel
// CHECK:         memref.alloc() {{.*}}memplan.scope = 0 : i64
// CHECK:         memref.alloc() {{.*}}memplan.scope = 1 : i64
func.func @parallel(%n: index) {
  %o = memref.alloc() : memref<64xf32>
  call @use(%o) : (memref<64xf32>) -> ()
  scf.forall (%i) in (%n) {
    %a = memref.alloc() : memref<64xf32>
    func.call @use(%a) : (memref<64xf32>) -> ()
  }
  return
}
