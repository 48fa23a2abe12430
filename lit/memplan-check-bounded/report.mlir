// How large programs become, without writing anything.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded{remarks=true})' --verify-diagnostics \
// RUN:   | FileCheck %s --check-prefix=IR
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded{report=-})' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// The program is as it was.
// RUN: %memplan-opt %s -o %t.1 \
// RUN:   && %memplan-opt %s --pass-pipeline='builtin.module(memplan-check-bounded)' -o %t.2 && cmp %t.1 %t.2

// 1. Two consecutive branches in each of 50 iterations: 4^50 paths.
// IR-LABEL: @paths
// IR: scf.for
// CHECK: "name":"paths"
// CHECK-SAME: report.mlir:{{[0-9]+}}:3",50]],"operations":12,"expanded":"304","tree":"3802951800684688204490109616129","paths":"1267650600228229401496703205376"
// expected-remark @+1 {{bounded: paths: 1267650600228229401496703205376, operations: 12, with loops expanded: 304, as a tree: 3802951800684688204490109616129 [memplan-R602]}}
func.func @paths(%c: i1, %m: memref<f32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  // expected-remark @+1 {{50 iterations}}
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

// 2. Where a flag is constant, only one path counts: 3 constants, the load and the sum of the case, the product, the
// return.
// CHECK: "name":"known"{{.*}}"operations":14,"expanded":"14","tree":"7","paths":"1"
// expected-remark @+1 {{bounded: paths: 1, operations: 14, with loops expanded: 14, as a tree: 7 [memplan-R602]}}
func.func @known(%m: memref<i32>) -> i32 {
  %true = arith.constant true
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : index
  cf.switch %two : i32, [
    default: ^other,
    2: ^two
  ]
^other:
  cf.br ^two
^two:
  cf.cond_br %true, ^yes, ^other_end
^yes:
  %r = scf.index_switch %four -> i32
  case 4 {
    %x = memref.load %m[] : memref<i32>
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  }
  default {
    scf.yield %two : i32
  }
  %s = arith.muli %r, %r : i32
  return %s : i32
^other_end:
  return %two : i32
}
