// Slots for dynamic sizes, where arenas of static size are not allocated or belong to others: they have an arena of
// their own then, on the heap. All print the same, and a second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner > %t.expected
// RUN: FileCheck %s --check-prefix=PRINTS < %t.expected
// RUN: for options in arena=alloc arena=alloca arena=global scope=module hoist-parallel=4 \
// RUN:   'scope=module hoist-parallel=4' 'scope=module arena=alloca' 'spill=1->2'; do \
// RUN:   echo "$options"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options})" > %t.once || exit 1; \
// RUN:   %memplan-opt %t.once --pass-pipeline="builtin.module(memplan-merge-alloc{verify $options})" \
// RUN:     | diff %t.once - || exit 1; \
// RUN:   %memplan-opt %t.once --pass-pipeline="builtin.module(%to-llvm)" \
// RUN:     | %runner | diff %t.expected - || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ALLOC
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=alloca verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ALLOCA
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,GLOBAL
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{scope=module verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MODULE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{hoist-parallel=4 verify})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,HOIST

func.func private @printF32(f32)
func.func private @printNewline()

func.func private @sum(%a: memref<?xf32>, %b: memref<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %k = arith.remui %i, %c1 : index
    %y = memref.load %b[%k] : memref<8xf32>
    %u = arith.addf %t, %x : f32
    %v = arith.addf %u, %y : f32
    scf.yield %v : f32
  }
  return %s : f32
}

// 1. Two sizes share one slot, after the static part where that is allocated, else in an arena of their own.
// CHECK-LABEL: func.func private @callee(
// ALLOC: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// ALLOC-NOT: memref.alloc
// ALLOCA-DAG: memref.alloca() {{.*}}memplan.arena} : memref<32xi8>
// ALLOCA-DAG: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// ALLOCA-NOT: memref.alloc
// GLOBAL-DAG: memref.get_global @callee_arena : memref<32xi8> {memplan.arena = 64 : i64}
// GLOBAL-DAG: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// GLOBAL-NOT: memref.alloc
// MODULE-SAME: %[[ARENA:[a-z0-9]+]]: memref<?xi8> {memplan.arena = 64 : i64}
// MODULE-NOT: memref.alloc
// HOIST: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// HOIST-NOT: memref.alloc
// CHECK: return
func.func private @callee(%n: index, %x: f32) -> f32 {
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<8xf32>)
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %t = call @sum(%a, %s, %n) : (memref<?xf32>, memref<8xf32>, index) -> f32
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%t : f32) outs(%b : memref<?xf32>)
  %u = call @sum(%b, %s, %n) : (memref<?xf32>, memref<8xf32>, index) -> f32
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %s : memref<8xf32>
  return %u : f32
}

// 2. A callee's arena lies in the caller's, as a buffer of dynamic size.
// CHECK-LABEL: func.func @caller(
// ALLOC: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// ALLOC-NOT: memref.alloc
// MODULE: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// MODULE: call @callee({{.*}}memref<?xi8>
// MODULE-NOT: memref.alloc
// CHECK: return
func.func @caller(%n: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %first = call @callee(%n, %x) : (index, f32) -> f32
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%first : f32) outs(%s : memref<8xf32>)
  %m = arith.addi %n, %c1 : index
  %a = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %t = call @sum(%a, %s, %m) : (memref<?xf32>, memref<8xf32>, index) -> f32
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%t : f32) outs(%b : memref<?xf32>)
  %u = call @sum(%b, %s, %n) : (memref<?xf32>, memref<8xf32>, index) -> f32
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %s : memref<8xf32>
  return %u : f32
}

// 3. A body that runs in parallel: hoisted, the known size lies in the arena around, and the slots stay in the body.
// (Not on the stack: the lowering takes no loops in a memref.alloca_scope.)
// CHECK-LABEL: func.func @parallel(
// HOIST: memref.alloc() {{.*}}memplan.arena} : memref<256xi8>
// HOIST: scf.parallel
// HOIST: memref.view {{.*}}memplan.iterations
// HOIST: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// HOIST: memref.dealloc
// HOIST: }
// ALLOC: scf.parallel
// ALLOC: memref.alloc(%{{.*}}) {{.*}}memplan.arena} : memref<?xi8>
// ALLOC-NOT: memref.alloc
// CHECK: return
func.func @parallel(%n: index, %x: f32, %out: memref<4xf32>) attributes {memplan.arena_in = "alloc"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %s = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%s : memref<8xf32>)
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
    %t = func.call @sum(%a, %s, %n) : (memref<?xf32>, memref<8xf32>, index) -> f32
    memref.dealloc %a : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%t : f32) outs(%b : memref<?xf32>)
    %u = func.call @sum(%b, %s, %n) : (memref<?xf32>, memref<8xf32>, index) -> f32
    memref.dealloc %b : memref<?xf32>
    memref.dealloc %s : memref<8xf32>
    memref.store %u, %out[%i] : memref<4xf32>
  }
  return
}

// PRINTS: 10.5
// PRINTS-NEXT: 163.5
// PRINTS-NEXT: 10.5
func.func @main() {
  %x = arith.constant 0.5 : f32
  %n = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %r = call @callee(%n, %x) : (index, f32) -> f32
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  %q = call @caller(%n, %x) : (index, f32) -> f32
  call @printF32(%q) : (f32) -> ()
  call @printNewline() : () -> ()
  %out = memref.alloc() {memplan.keep} : memref<4xf32>
  call @parallel(%n, %x, %out) : (index, f32, memref<4xf32>) -> ()
  %p = memref.load %out[%c2] : memref<4xf32>
  call @printF32(%p) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %out : memref<4xf32>
  return
}
