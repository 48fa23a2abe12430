// Diagnostics of where arenas live, and of options that touch more than one function.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{arena=global})' -split-input-file -verify-diagnostics
// RUN: not %memplan-opt %S/arena-arg.mlir \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{arena=arg}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ARG
// RUN: not %memplan-opt %S/arena-arg.mlir \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{arena=global}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: not %memplan-opt %S/arena-arg.mlir \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{scope=module}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MODULE
// RUN: not %memplan-opt %S/arena-arg.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{arena=heap})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HEAP
// RUN: not %memplan-opt %S/arena-arg.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{alloca-limit=-1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEGATIVE
// ARG: error: memplan-merge-alloc: arena=arg concerns more than one function: schedule the pass on builtin.module [memplan-E004]
// GLOBAL: error: memplan-merge-alloc: arena=global concerns more than one function: schedule the pass on builtin.module [memplan-E004]
// MODULE: error: memplan-merge-alloc: scope=module concerns more than one function: schedule the pass on builtin.module [memplan-E004]
// HEAP: option 'arena' takes one of alloc, alloca, global, arg, not 'heap' [memplan-E002]
// NEGATIVE: option 'alloca-limit' takes a number of bytes, at least 0, not '-1' [memplan-E002]

// 1. A recursive function has one run inside of another.
// expected-error @+1 {{arena=global: two activations of the function would share its arena: it is recursive [memplan-E109]}}
func.func private @recursive(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  scf.if %c {
    // expected-note @+1 {{called here}}
    func.call @recursive(%c) : (i1) -> ()
  }
  %d = memref.load %a[] : memref<i1>
  return
}

// -----

// 2. Through another that has nothing to plan.
// expected-error @+1 {{it is recursive [memplan-E109]}}
func.func @ping(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  // expected-note @+1 {{called here}}
  call @pong(%c) : (i1) -> ()
  return
}
func.func @pong(%c: i1) {
  scf.if %c {
    func.call @ping(%c) : (i1) -> ()
  }
  return
}

// -----

// 3. A function that cannot be looked into may call what is public.
func.func private @outside()
// expected-error @+1 {{@outside has no body and may call it again; mark @outside memplan.nocallback if it does not [memplan-E109]}}
func.func @public(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  // expected-note @+1 {{called here}}
  call @outside() : () -> ()
  return
}
// A private one is out of its reach.
func.func private @private(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  call @outside() : () -> ()
  return
}

// -----

// 4. Not if it is called by a public one, nor if a value refers to it: an indirect call may be one of it.
func.func @any(%f: () -> ()) {
  // expected-note @+1 {{unknown code may run here}}
  call_indirect %f() : () -> ()
  return
}
// expected-error @+1 {{arena=global: two activations of the function would share its arena: a callee that is not known may call it again [memplan-E109]}}
func.func private @taken() {
  %c = arith.constant true
  %f = func.constant @taken : () -> ()
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  // expected-note @+1 {{called here}}
  call @any(%f) : (() -> ()) -> ()
  return
}

// -----

// 5. Iterations that run at the same time.
// expected-error @+1 {{arena=global: two activations of the function would share its arena: it is called in a parallel body [memplan-E109]}}
func.func private @iteration(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  return
}
func.func private @between(%c: i1) {
  call @iteration(%c) : (i1) -> ()
  return
}
func.func @loop(%c: i1) {
  scf.forall (%i) in (4) {
    // expected-note @+1 {{called here}}
    func.call @between(%c) : (i1) -> ()
  }
  return
}

// -----

// 6. A function without an arena may be called by anyone.
func.func private @outside()
func.func @quiet() {
  call @outside() : () -> ()
  return
}
func.func @quiet_recursion() {
  call @quiet_recursion() : () -> ()
  return
}

// -----

// 7. Values of the option that are invalid.
// expected-error @+1 {{`memplan.arena_in` must be one of alloc, alloca, global, arg [memplan-E106]}}
func.func @odd() attributes {memplan.arena_in = "heap"} {
  return
}
// expected-error @+1 {{`memplan.arena_in` must be one of alloc, alloca, global, arg [memplan-E106]}}
func.func @number() attributes {memplan.arena_in = 1 : i64} {
  return
}

// -----

// 8. A signature that cannot change.
// expected-warning @+1 {{keeps its own arena: it is referred to other than by func.call, so its arguments cannot change [memplan-W101]}}
func.func @referred(%c: i1) attributes {memplan.arena_in = "arg"} {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  return
}
func.func @refers() -> ((i1) -> ()) {
  // expected-note @+1 {{referred to here}}
  %f = func.constant @referred : (i1) -> ()
  return %f : (i1) -> ()
}

// -----

// 9. A name that is taken.
func.func private @named_arena_size()
// expected-error @+1 {{arena=arg: the name @named_arena_size is taken [memplan-E005]}}
func.func @named(%c: i1) attributes {memplan.arena_in = "arg"} {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  return
}

// -----

// 10. A function that runs asynchronously calls it.
// expected-error @+1 {{it is called in a parallel body [memplan-E109]}}
func.func private @awaited(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  return
}
async.func @asynchronous(%c: i1) -> !async.token {
  // expected-note @+1 {{called here}}
  func.call @awaited(%c) : (i1) -> ()
  return
}

// -----

// An unknown operation, too, may call any function.
// expected-error @+1 {{an operation of unknown effects may call it again; mark that memplan.nocallback if it does not [memplan-E109]}}
func.func @unknown(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  // expected-note @+1 {{unknown code may run here}}
  "test.unknown"() : () -> ()
  return
}
func.func @quiet(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  "test.unknown"() {memplan.nocallback} : () -> ()
  return
}

// -----

// 11. The notes name the call and, below it, what may call again; the nearest such operation is named.
// expected-error @+1 {{an operation of unknown effects may call it again}}
func.func @top(%c: i1) {
  %a = memref.alloc() : memref<i1>
  memref.store %c, %a[] : memref<i1>
  // expected-note @+1 {{called here}}
  call @middle(%c) : (i1) -> ()
  return
}
func.func private @far()
func.func private @middle(%c: i1) {
  call @bottom() : () -> ()
  // expected-note @+1 {{unknown code may run here}}
  "test.region"() ({
    "test.done"() : () -> ()
  }) : () -> ()
  return
}
func.func private @bottom() {
  call @far() : () -> ()
  return
}

// -----

// 12. A function that is no scope of stack memory.
// expected-error @+1 {{arena=alloca: the operation is not an AutomaticAllocationScope, so it cannot hold stack memory [memplan-E108]}}
ml_program.func @no_scope() attributes {memplan.arena_in = "alloca"} {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  ml_program.return
}
