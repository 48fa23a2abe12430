// Buffers that nothing touches, costs of nothing, and many spaces.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml})' \
// RUN:   | FileCheck %s --check-prefix=UNTOUCHED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/free.toml})' \
// RUN:   | FileCheck %s --check-prefix=FREE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/nine.toml \
// RUN:   budget=2:0,3:0,4:0,5:0,6:0,7:0,8:0})' | FileCheck %s --check-prefix=NINE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-assign-spaces{ \
// RUN:   budget=1:16384,2:0,3:0,4:0,5:0,6:0,7:0,8:0,9:0})' | FileCheck %s --check-prefix=BUDGETS

// 1. An arena is as large as its largest buffer, whether anything touches it or not.
// UNTOUCHED-LABEL: func.func @untouched
// UNTOUCHED-DAG:   memref.alloc() : memref<4096xf32>
// UNTOUCHED-DAG:   memref.alloc() : memref<64xf32, 1>
// UNTOUCHED-NOT:   memref.copy
// UNTOUCHED:       return
// NINE-LABEL: func.func @untouched
// NINE:       return
// BUDGETS-LABEL: func.func @untouched
// BUDGETS-DAG: memref.alloc() : memref<4096xf32, 1>
// BUDGETS-DAG: memref.alloc() : memref<64xf32, 1>
// BUDGETS:     return
func.func @untouched(%x: memref<64xf32>) {
  %a = memref.alloc() : memref<4096xf32, 1>
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32, 1>)
  linalg.exp ins(%b : memref<64xf32, 1>) outs(%x : memref<64xf32>)
  return
}

// 2. Where bytes cost nothing, buffers are not copied back and forth.
// FREE-LABEL: func.func @free
// FREE-NOT:   memref.copy
// FREE:       return
// A chain of nine spaces, and the default one.
// NINE-LABEL: func.func @free
// NINE-COUNT-1: memref.alloc() : memref<64xf32, 9>
// NINE:       return
func.func @free(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32, 1>)
  linalg.exp ins(%b : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%a, %b : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}
