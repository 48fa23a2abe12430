// Correct plans of branches and loops.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// CHECK-LABEL: func.func private @use
func.func private @use(memref<16xf32>)

func.func private @cond() -> i1

// 1. Branches: what one arm writes is written on one path; what an arm yields lives on.
// apart: 0-1 0-2 0-3 2-3 2-4 3-4
// CHECK-LABEL: func.func @if
func.func @if(%in: memref<16xf32>, %out: memref<16xf32>, %which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %at3 = arith.constant 128 : index
  %at4 = arith.constant 192 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.if %which {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %c : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  %r = scf.if %which -> memref<16xf32> {
    %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<256xi8> to memref<16xf32>
    memref.copy %a, %d : memref<16xf32> to memref<16xf32>
    scf.yield %d : memref<16xf32>
  } else {
    scf.yield %c : memref<16xf32>
  }
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  %e = memref.view %arena[%at4][] {memplan.buffer = 4 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %e : memref<16xf32> to memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.copy %e, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// 2. A buffer that a loop reads in each iteration lives through the whole loop; one that an iteration allocates dies
// in it.
// apart: 0-1 0-2 1-2 0-3
// fault: memref.copy %c, %out => memref.dealloc %arena : memref<192xi8> memref.copy %c, %out
// CHECK-LABEL: func.func @for
func.func @for(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.for %i = %zero to %n step %one {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %b, %c : memref<16xf32> to memref<16xf32>
    %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %c, %out : memref<16xf32> to memref<16xf32>
    memref.copy %in, %d : memref<16xf32> to memref<16xf32>
    memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<192xi8>
  return
}

// 3. Two buffers from outside change places in a loop.
// apart: 0-1 0-2 1-2 0-3 1-3
// CHECK-LABEL: func.func @swap
func.func @swap(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (memref<16xf32>, memref<16xf32>) {
    %t = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %x, %t : memref<16xf32> to memref<16xf32>
    memref.copy %t, %y : memref<16xf32> to memref<16xf32>
    scf.yield %y, %x : memref<16xf32>, memref<16xf32>
  }
  %u = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %u : memref<16xf32> to memref<16xf32>
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %u, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 4. A while loop: what the condition reads, and what leaves through it.
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @while
func.func @while(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r = scf.while (%x = %a) : (memref<16xf32>) -> memref<16xf32> {
    %t = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
    memref.copy %x, %t : memref<16xf32> to memref<16xf32>
    func.call @use(%t) : (memref<16xf32>) -> ()
    %more = func.call @cond() : () -> i1
    scf.condition(%more) %x : memref<16xf32>
  } do {
  ^bb0(%y: memref<16xf32>):
    memref.copy %y, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 5. A loop of blocks, with a block argument that refers to either of two buffers.
// apart: 0-1 0-2 1-2 0-3 1-3
// CHECK-LABEL: func.func @blocks
func.func @blocks(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.br ^head(%a, %b : memref<16xf32>, memref<16xf32>)
^head(%x: memref<16xf32>, %y: memref<16xf32>):
  %t = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %x, %t : memref<16xf32> to memref<16xf32>
  memref.copy %t, %y : memref<16xf32> to memref<16xf32>
  %more = func.call @cond() : () -> i1
  cf.cond_br %more, ^head(%y, %x : memref<16xf32>, memref<16xf32>), ^exit(%y : memref<16xf32>)
^exit(%r: memref<16xf32>):
  %u = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %u : memref<16xf32> to memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.copy %u, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 6. A loop with two entries.
// apart: 0-1 0-2
// CHECK-LABEL: func.func @irreducible
func.func @irreducible(%in: memref<16xf32>, %out: memref<16xf32>, %which: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %at3 = arith.constant 0 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.cond_br %which, ^one, ^two
^one:
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  cf.br ^two
^two:
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %a, %c : memref<16xf32> to memref<16xf32>
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  %more = func.call @cond() : () -> i1
  cf.cond_br %more, ^one, ^exit
^exit:
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<192xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<192xi8>
  return
}

// 7. Several exits of a region, and one of many regions.
// apart: 0-1 0-2 1-2 0-3 2-3 1-3
// CHECK-LABEL: func.func @regions
func.func @regions(%in: memref<16xf32>, %out: memref<16xf32>, %which: index, %early: i1) {
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %at3 = arith.constant 192 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<256xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.execute_region -> memref<16xf32> {
    cf.cond_br %early, ^one, ^two
  ^one:
    scf.yield %a : memref<16xf32>
  ^two:
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<256xi8> to memref<16xf32>
  %s = scf.index_switch %which -> memref<16xf32>
  case 2 {
    memref.copy %in, %c : memref<16xf32> to memref<16xf32>
    scf.yield %c : memref<16xf32>
  }
  default {
    scf.yield %r : memref<16xf32>
  }
  %d = memref.view %arena[%at3][] {memplan.buffer = 3 : i64} : memref<256xi8> to memref<16xf32>
  memref.copy %in, %d : memref<16xf32> to memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  memref.copy %d, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}
