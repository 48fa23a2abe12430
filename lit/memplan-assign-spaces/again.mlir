// Contents that are computed again, in place of being evicted and reloaded.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:512})' \
// RUN:   | FileCheck %s
// The arenas keep the limit, and a verifier follows.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module( \
// RUN:   memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:512}, \
// RUN:   memplan-merge-alloc{machine=%S/Inputs/two.toml budget=1:512 verify=true})' | FileCheck %s --check-prefix=PLAN

// 1. An elementwise operation on an argument.
// CHECK-LABEL: func.func @argument
// CHECK:       linalg.exp ins(%{{.*}} : memref<64xf32>) outs(%{{.*}} : memref<64xf32, 1>)
// CHECK:       linalg.exp {memplan.recomputed} ins(%{{.*}} : memref<64xf32>) outs(%[[AGAIN:.*]] : memref<64xf32, 1>)
// CHECK:       linalg.matvec ins(%{{.*}}, %[[AGAIN]]
// CHECK-NOT:   memref.copy
// CHECK:       return
// PLAN-LABEL: func.func @argument
func.func @argument(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%c, %y : memref<64xf32, 1>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// 2. A constant, in two operations, one of which is a loop; what the program frees is freed each time.
// CHECK-LABEL: func.func @constant
// CHECK:       %[[FIRST:.*]] = memref.alloc() : memref<64xf32, 1>
// CHECK:       linalg.fill ins(%{{.*}} : f32) outs(%[[FIRST]]
// CHECK:       memref.dealloc %[[FIRST]]
// CHECK:       linalg.fill {memplan.recomputed} ins(%{{.*}} : f32) outs(%[[AGAIN:[a-z_0-9]*]]
// CHECK:       scf.for
// CHECK:         memref.store %{{.*}}, %[[AGAIN]]
// CHECK:       memplan.recomputed
// CHECK:       linalg.matvec ins(%{{.*}}, %[[AGAIN]]
// CHECK:       memref.dealloc %[[AGAIN]]
// PLAN-LABEL: func.func @constant
func.func @constant(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 1>)
  scf.for %i = %c0 to %c32 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32, 1>
  }
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  memref.dealloc %b : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  memref.dealloc %a : memref<64xf32, 1>
  linalg.add ins(%c, %y : memref<64xf32, 1>, memref<64xf32>) outs(%y : memref<64xf32>)
  memref.dealloc %c : memref<64xf32, 1>
  return
}

// 3. What an operation reads is written in between: not again.
// CHECK-LABEL: func.func @written
// CHECK-NOT:   memplan.recomputed
// CHECK:       return
// PLAN-LABEL: func.func @written
func.func @written(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  linalg.fill ins(%one : f32) outs(%x : memref<64xf32>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%c, %y : memref<64xf32, 1>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}

// 4. A product costs more than a copy.
// CHECK-LABEL: func.func @product
// CHECK-NOT:   memplan.recomputed
// CHECK:       memref.copy
// CHECK-NOT:   memplan.recomputed
// CHECK:       return
// PLAN-LABEL: func.func @product
func.func @product(%x: memref<64xf32>, %w: memref<64x64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32, 1>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32, 1>)
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%b : memref<64xf32, 1>)
  %c = memref.alloc() : memref<64xf32, 1>
  linalg.matvec ins(%w, %b : memref<64x64xf32>, memref<64xf32, 1>) outs(%c : memref<64xf32, 1>)
  linalg.matvec ins(%w, %a : memref<64x64xf32>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
  linalg.add ins(%c, %y : memref<64xf32, 1>, memref<64xf32>) outs(%y : memref<64xf32>)
  return
}
