// Arenas of parallel bodies take part of a space.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:256})' \
// RUN:   | FileCheck %s
// The arenas keep the limit.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module( \
// RUN:   memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:256}, \
// RUN:   memplan-merge-alloc{machine=%S/Inputs/two.toml budget=1:256 verify=true})' | FileCheck %s --check-prefix=PLAN

// 1. One loop runs after the other: their arenas are not there at once.
// CHECK-LABEL: func.func @twice
// CHECK:       %[[A:.*]] = memref.alloc() : memref<8xf64, 1>
// CHECK-NOT:   memref.alloc() : memref<8xf64>
// CHECK:       return
// PLAN-LABEL: func.func @twice
// PLAN:       return
func.func @twice(%x: memref<8xf64>, %y: memref<8xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf64, 1>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloc() : memref<8xf64, 1>
    %u = memref.alloc() : memref<8xf64, 1>
    linalg.exp ins(%x : memref<8xf64>) outs(%t : memref<8xf64, 1>)
    linalg.exp ins(%x : memref<8xf64>) outs(%u : memref<8xf64, 1>)
    linalg.add ins(%u, %t : memref<8xf64, 1>, memref<8xf64, 1>) outs(%t : memref<8xf64, 1>)
    %v = memref.load %t[%i] : memref<8xf64, 1>
    memref.store %v, %a[%i] : memref<8xf64, 1>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloc() : memref<8xf64, 1>
    %u = memref.alloc() : memref<8xf64, 1>
    linalg.exp ins(%a : memref<8xf64, 1>) outs(%t : memref<8xf64, 1>)
    linalg.exp ins(%a : memref<8xf64, 1>) outs(%u : memref<8xf64, 1>)
    linalg.add ins(%u, %t : memref<8xf64, 1>, memref<8xf64, 1>) outs(%t : memref<8xf64, 1>)
    %v = memref.load %t[%i] : memref<8xf64, 1>
    memref.store %v, %y[%i] : memref<8xf64>
  }
  return
}

// 2. The arena of the function is there for life: it is smaller, so that the one of the loop fits.
// CHECK-LABEL: func.func @beside
// CHECK:       memref.alloc() {{.*}}: memref<5xf64, {{1|2}}>
// CHECK:       call @other
// CHECK:       return
// PLAN-LABEL: func.func @beside
// PLAN:       return
func.func private @other(memref<5xf64, 1>) attributes {memplan.nocallback}
func.func @beside(%x: memref<5xf64>, %y: memref<5xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() {alignment = 128 : i64} : memref<5xf64, 1>
  linalg.exp ins(%x : memref<5xf64>) outs(%a : memref<5xf64, 1>)
  linalg.exp ins(%a : memref<5xf64, 1>) outs(%y : memref<5xf64>)
  %b = memref.alloc() {alignment = 128 : i64} : memref<5xf64, 1>
  scf.for %i = %c0 to %c5 step %c1 {
    %v = memref.load %a[%i] : memref<5xf64, 1>
    memref.store %v, %b[%i] : memref<5xf64, 1>
  }
  linalg.exp ins(%a : memref<5xf64, 1>) outs(%y : memref<5xf64>)
  %c = memref.alloc() {alignment = 8 : i64} : memref<5xf64, 1>
  linalg.exp ins(%b : memref<5xf64, 1>) outs(%c : memref<5xf64, 1>)
  call @other(%a) : (memref<5xf64, 1>) -> ()
  linalg.exp ins(%c : memref<5xf64, 1>) outs(%y : memref<5xf64>)
  %d = memref.alloc() {alignment = 8 : i64} : memref<5xf64, 1>
  scf.parallel (%i) = (%c0) to (%c5) step (%c1) {
    %t = memref.alloc() : memref<5xf64, 1>
    %u = memref.alloc() : memref<5xf64, 1>
    linalg.exp ins(%b : memref<5xf64, 1>) outs(%t : memref<5xf64, 1>)
    linalg.exp ins(%b : memref<5xf64, 1>) outs(%u : memref<5xf64, 1>)
    linalg.add ins(%u, %t : memref<5xf64, 1>, memref<5xf64, 1>) outs(%t : memref<5xf64, 1>)
    %v = memref.load %t[%i] : memref<5xf64, 1>
    memref.store %v, %d[%i] : memref<5xf64, 1>
  }
  linalg.exp ins(%c : memref<5xf64, 1>) outs(%y : memref<5xf64>)
  return
}
