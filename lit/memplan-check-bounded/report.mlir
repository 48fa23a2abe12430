// How large programs become, without writing anything.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded{remarks=true})' --verify-diagnostics | FileCheck %s --check-prefix=IR
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded{report=-})' -o /dev/null 2>&1 | FileCheck %s
// The program is as it was.
// RUN: %memplan-opt %s -o %t.1 && %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded)' -o %t.2 && cmp %t.1 %t.2

// 1. Two branches in a row in each of 50 turns: 4^50 paths.
// IR-LABEL: @paths
// IR: scf.for
// CHECK: "name":"paths"
// CHECK: report.mlir:{{[0-9]+}}:3",
// CHECK-NEXT: 50]],"operations":12,"expanded":"304","tree":"3802951800684688204490109616129","paths":"1267650600228229401496703205376"
// expected-remark @+1 {{bounded: paths 1267650600228229401496703205376, operations 12, with loops written out 304, as a tree 3802951800684688204490109616129}}
func.func @paths(%c: i1, %m: memref<f32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  // expected-remark @+1 {{50 turns}}
  scf.for %i = %c0 to %c50 step %c1 {
    scf.if %c {
      memref.store %v, %m[] : memref<f32>
    }
    scf.if %c {
      memref.store %v, %m[] : memref<f32>
    }
  }
  return
}
