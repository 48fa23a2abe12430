// Given plans that do not fit the program.
// RUN: split-file %s %t
// RUN: %memplan-opt %t/plan.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t/plan.json \
// RUN:   capacity=1:64 spill=1->2})' -o /dev/null
// RUN: %memplan-opt %t/program.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{plan=%t/plan.json \
// RUN:   alignment=128})' -split-input-file -verify-diagnostics -o /dev/null
// RUN: %memplan-opt %t/attributes.mlir --pass-pipeline='builtin.module(memplan-merge-alloc)' -split-input-file \
// RUN:   -verify-diagnostics -o /dev/null
// RUN: not %memplan-opt %t/plan.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{plan=%t/plan.mlir})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-REPORT
// RUN: not %memplan-opt %t/plan.mlir \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{plan=%t/none.json}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-FILE
// RUN: cat %t/plan.json %t/plan.json > %t/twice.json
// RUN: not %memplan-opt %t/plan.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{plan=%t/twice.json})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// RUN: not %memplan-opt %t/plan.mlir \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{plan=%t/twice.json}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE-ALONE
// RUN: %memplan-opt %t/bodies.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t/bodies.json})' \
// RUN:   -o /dev/null
// RUN: not %memplan-opt %t/bodies.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{plan=%t/bodies.json \
// RUN:   hoist-parallel=4})' 2>&1 | FileCheck %s --check-prefix=OPTIONS

// NO-REPORT: memplan-merge-alloc: cannot read the plan '{{.*}}plan.mlir': line 1, column {{[0-9]+}}: {{.*}} [memplan-E110]
// NO-FILE: memplan-merge-alloc: cannot read the plan '{{.*}}none.json': No such file or directory{{.*}} [memplan-E110]
// OPTIONS: the arenas of the iterations are 256 bytes; the plan has none [memplan-E111]
// TWICE: the plan has 2 functions @f, and the module has 1 [memplan-E111]
// TWICE-ALONE: the plan has 2 functions @f: schedule the pass on the module [memplan-E111]

//--- plan.mlir
func.func @f(%x: memref<16xf32>, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32, 1>
  %d = memref.alloc() : memref<16xf32, 1>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %x, %c : memref<16xf32> to memref<16xf32, 1>
  memref.copy %x, %d : memref<16xf32> to memref<16xf32, 1>
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  linalg.add ins(%c, %d : memref<16xf32, 1>, memref<16xf32, 1>) outs(%x : memref<16xf32>)
  return
}

//--- bodies.mlir
func.func @g(%x: memref<16xf32>) {
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

//--- program.mlir
// 1. An offset is no multiple of the alignment, a type is another one, one is missing, and one is not merged.
func.func private @takes(memref<16xf32, 1>)
func.func @f(%x: memref<16xf32>, %n: index) -> memref<16xf32> {
  // expected-error @+1 {{the plan has an offset for an allocation that is not merged: it is or may be returned to the caller [returned] [memplan-E111]}}
  %a = memref.alloc() : memref<16xf32>
  // expected-error @+1 {{its offset in the plan is 64, which is not a multiple of its alignment of 128 bytes [memplan-E111]}}
  %b = memref.alloc() : memref<16xf32>
  // expected-error @+1 {{the plan is of another program: there, this allocation is of type memref<16xf32, 1> [memplan-E111]}}
  %c = memref.alloc() : memref<8xf32, 1>
  %d = memref.alloc() : memref<16xf32, 1>
  // expected-error @+1 {{the plan has no such allocation [memplan-E111]}}
  %e = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %x, %d : memref<16xf32> to memref<16xf32, 1>
  memref.copy %x, %e : memref<16xf32> to memref<16xf32>
  linalg.add ins(%b, %e : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  linalg.add ins(%d, %d : memref<16xf32, 1>, memref<16xf32, 1>) outs(%x : memref<16xf32>)
  memref.copy %c, %c : memref<8xf32, 1> to memref<8xf32, 1>
  return %a : memref<16xf32>
}

// -----

// 2. The function has fewer allocations, and one of dynamic size.
// expected-error @+1 {{the plan has a buffer of type memref<16xf32> with id 1, which the function does not have [memplan-E111]}}
func.func @f(%x: memref<16xf32>, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @+1 {{the plan has no slot for this allocation of dynamic size and those that share it [memplan-E111]}}
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  call @any(%b) : (memref<?xf32>) -> ()
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
func.func private @any(memref<?xf32>)

// -----

// 3. The function of the plan is missing.
// expected-error @+1 {{the plan has a function @f, which the module does not have [memplan-E111]}}
module {}

//--- attributes.mlir
// 4. Buffers in place with each other need the same offset.
func.func @offsets(%x: memref<16xf32>) {
  // expected-note @+1 {{the other one}}
  %a = memref.alloc() {memplan.in_place = 0 : i64, memplan.offset = 0 : i64} : memref<16xf32>
  // expected-error @+1 {{`memplan.offset` is 64, and 0 at another allocation with the same `memplan.in_place` [memplan-E103]}}
  %b = memref.alloc() {memplan.in_place = 0 : i64, memplan.offset = 64 : i64} : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// -----

// 5. No operation reads one for the last time where it writes the other.
func.func @not_in_place(%x: memref<16xf32>) {
  // expected-note @+1 {{the other one}}
  %a = memref.alloc() {memplan.in_place = 0 : i64, memplan.offset = 0 : i64} : memref<16xf32>
  // expected-error @+1 {{`memplan.offset` makes it overlap another allocation that is live at the same time [memplan-E105]}}
  %b = memref.alloc() {memplan.in_place = 0 : i64, memplan.offset = 0 : i64} : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

// -----

// 6. A call requires the memory space that a buffer would leave.
func.func private @takes(memref<16xf32, 1>)
func.func @space(%x: memref<16xf32>) {
  // expected-error @+1 {{the given plan moves it to memory space 2 [memplan-E111]}}
  %a = memref.alloc() {memplan.memory_space = "2", memplan.offset = 0 : i64} : memref<16xf32, 1>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32, 1>
  // expected-note @+1 {{this operation requires its memory space}}
  call @takes(%a) : (memref<16xf32, 1>) -> ()
  return
}

// -----

// 7. Attributes that are something else.
func.func private @callee(memref<16xf32>)
func.func @malformed(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  // expected-error @+1 {{`memplan.nested_offsets` is not an array of non-negative integers [memplan-E103]}}
  call @callee(%a) {memplan.nested_offsets = 3 : i64} : (memref<16xf32>) -> ()
  return
}

// -----

func.func @empty_space(%x: memref<16xf32>) {
  // expected-error @+1 {{`memplan.memory_space` is empty [memplan-E103]}}
  %a = memref.alloc() {memplan.memory_space = "", memplan.offset = 0 : i64} : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}
