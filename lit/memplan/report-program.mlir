// Reports say of which program their numbers are: as given, or rewritten before the plan.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{report=%t.json split=none})' -o /dev/null
// RUN: FileCheck %s --check-prefix=PIPELINE < %t.json
// RUN: memplan table %t.json | FileCheck %s --check-prefix=TABLE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t.plan.json})' -o /dev/null
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan.json
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-bounded-pipeline{report=%t.stack.json})' -o /dev/null
// RUN: FileCheck %s --check-prefix=STACK < %t.stack.json

// PIPELINE: "name":"stays"
// PIPELINE: "program":"given"
// PIPELINE: "name":"copies"
// PIPELINE: "program":"rewritten"
// TABLE: 1 of 2 functions rewritten before the plan: bytes, bounds and `optimal` are of the rewritten program
// PLAN: "name":"stays"
// PLAN: "program":"given"
// PLAN: "name":"copies"
// PLAN: "program":"given"
// STACK: "name":"stays"
// STACK: "program":"given"
// STACK: "name":"copies"
// STACK: "program":"rewritten"

// 1. Nothing to rewrite.
func.func @stays(%x: memref<8xf32>, %y: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.add ins(%x, %a : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// 2. A copy is elided; the loop is expanded for a stack.
func.func @copies(%x: memref<8xf32>, %y: memref<8xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    %b = memref.alloc() : memref<8xf32>
    memref.copy %a, %b : memref<8xf32> to memref<8xf32>
    %c = memref.alloc() : memref<8xf32>
    linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%c : memref<8xf32>)
    linalg.add ins(%c, %y : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}
