// The table of a tree: the original allocations with their own sizes.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-bounded-pipeline{fit=first report=%t.json})' -o /dev/null \
// RUN:   && memplan table --check %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json

// 1. The code after the branch is duplicated, and its allocation counts once: 13 bytes, and 8.
// CHECK: joined    function              2      1           21           13  load        13  1.000  defrag first  yes
// JSON: "type":"memref<13xi8>","size":13,"alignment":1,"offset":0,{{.*}}"in_place_with":null}
// JSON: "type":"memref<1xi64>","size":8,"alignment":8,"offset":0,{{.*}}"in_place_with":null}
// JSON: "type":"memref<1xi64>","size":8,"alignment":8,"offset":0,{{.*}}"in_place_with":null,"same_as":1}
func.func @joined(%c: i1, %v: i8, %w: i64) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<13xi8>
  memref.store %v, %a[%c0] : memref<13xi8>
  scf.if %c {
    memref.store %v, %a[%c0] : memref<13xi8>
  }
  %b = memref.alloc() : memref<1xi64>
  memref.store %w, %b[%c0] : memref<1xi64>
  return
}

// 2. Each iteration has an allocation of its own.
// CHECK: iterations function              3      1           48           16  load        16  1.000  defrag first  yes
func.func @iterations(%w: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %b = memref.alloc() : memref<2xi64>
    memref.store %w, %b[%c0] : memref<2xi64>
  }
  return
}

// 3. An allocation of a size that follows from constants is one of that size.
// CHECK: sized     function              1      1           96           96  load        96  1.000  defrag first  yes
func.func @sized(%w: i64) {
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %b = memref.alloc(%c12) : memref<?xi64>
  memref.store %w, %b[%c0] : memref<?xi64>
  return
}
