// An arena in a global: one for each function and memory space. The output is the same as without the pass.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false arena=global alignment=32})' \
// RUN:   | FileCheck %s --check-prefix=IR
// RUN: for pass in '' 'memplan-merge-alloc{verify arena=global},' \
// RUN:   'memplan-merge-alloc{verify arena=global scope=module},' \
// RUN:   'memplan-merge-alloc{verify arena=global free=false},memplan-merge-alloc{verify arena=global},'; do \
// RUN:   echo "$pass"; \
// RUN:   %memplan-opt %s --pass-pipeline="builtin.module($pass %to-llvm)" \
// RUN:     | %runner | FileCheck %s || exit 1; \
// RUN: done
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify arena=global},%upstream-dealloc,cse,\
// RUN:   canonicalize,%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify in-place=false arena=global scope=module})' \
// RUN:   | FileCheck %s --check-prefix=MODULE

func.func private @printF32(f32) attributes {memplan.nocallback}
func.func private @printNewline() attributes {memplan.nocallback}

// 1. A name that is taken gets a number.
func.func private @work_arena() attributes {memplan.nocallback}

// IR:         memref.global "private" @work_arena_0 : memref<64xi8> = uninitialized {alignment = 32 : i64}
// IR-LABEL: func.func private @work(
// IR:         %[[ARENA:[0-9a-z_]+]] = memref.get_global @work_arena_0 : memref<64xi8> {memplan.arena = 32 : i64}
// IR:         memref.view %[[ARENA]][%{{.*}}][] {memplan.buffer = 0 : i64} : memref<64xi8> to memref<8xf32>
// IR:         memref.view %[[ARENA]][%{{.*}}][] {memplan.buffer = 1 : i64} : memref<64xi8> to memref<8xf32>
// IR-NOT:     memref.alloc
// IR-NOT:     memref.dealloc
// IR:         return
// MODULE-LABEL: func.func private @work(
// MODULE-SAME:    memref<96xi8> {memplan.arena = 64 : i64}
func.func private @work(%x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  linalg.add ins(%a, %a : memref<8xf32>, memref<8xf32>) outs(%b : memref<8xf32>)
  %v = memref.load %b[%c1] : memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return %v : f32
}

// 2. One global for each memory space.
// IR-DAG:     memref.global "private" @spaces_arena : memref<32xi8> = uninitialized
// IR-DAG:     memref.global "private" @spaces_arena_0 : memref<4xi8, 1> = uninitialized
// IR-LABEL: func.func @spaces(
// IR-DAG:     memref.get_global @spaces_arena : memref<32xi8>
// IR-DAG:     memref.get_global @spaces_arena_0 : memref<4xi8, 1>
func.func @spaces(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<1xf32, 1>
  memref.store %x, %a[%c0] : memref<8xf32>
  %v = memref.load %a[%c0] : memref<8xf32>
  memref.store %v, %b[%c0] : memref<1xf32, 1>
  %w = memref.load %b[%c0] : memref<1xf32, 1>
  return %w : f32
}

// 3. Bodies that run in parallel have arenas of their own on the heap.
// IR-LABEL: func.func @parallel(
// IR:         memref.get_global @parallel_arena
// IR:         scf.parallel
// IR:           memref.alloc() {{{.*}}memplan.arena}
// IR:           memref.dealloc
// IR:           scf.reduce
func.func @parallel(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %b = memref.alloc() : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
    %v = memref.load %b[%i] : memref<8xf32>
    memref.store %v, %a[%i] : memref<8xf32>
    scf.reduce
  }
  %w = memref.load %a[%c1] : memref<8xf32>
  return %w : f32
}

// IR-LABEL: func.func @main(
// IR-NOT:     get_global
// MODULE-LABEL: func.func @main(
// MODULE:         memref.get_global @main_arena
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  // CHECK: 16
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %one) -> f32 {
    %y = func.call @work(%x) : (f32) -> f32
    scf.yield %y : f32
  }
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  // CHECK-NEXT: 16
  %p = call @parallel(%r) : (f32) -> f32
  call @printF32(%p) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
