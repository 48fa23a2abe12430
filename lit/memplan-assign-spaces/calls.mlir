// Callers and callees are in a space at once.
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:256})' \
// RUN:   | FileCheck %s
// The arenas keep the limit.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module( \
// RUN:   memplan-assign-spaces{machine=%S/Inputs/two.toml budget=1:256}, \
// RUN:   memplan-merge-alloc{machine=%S/Inputs/two.toml budget=1:256 verify=true})' | FileCheck %s --check-prefix=PLAN

// 1. The callee takes the whole space, so that a buffer of the caller is elsewhere.
// CHECK-LABEL: func.func private @scratch
// CHECK:       memref.alloc() : memref<64xf32, 1>
// CHECK-LABEL: func.func @caller
// CHECK:       %[[A:.*]] = memref.alloc() : memref<64xf32>
// CHECK:       call @scratch
// CHECK:       linalg.exp ins(%[[A]]
// PLAN-LABEL: func.func @caller
func.func private @scratch(%x: memref<64xf32>, %y: memref<64xf32>) {
  %t = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32, 1>)
  linalg.exp ins(%t : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}
func.func @caller(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  call @scratch(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%z : memref<64xf32>)
  return
}

// -----

// 2. What a caller passes must be in the space: a buffer of the callee is elsewhere, though it is assigned first.
// CHECK-LABEL: func.func private @inner
// CHECK:       memref.alloc() : memref<64xf32>
// CHECK-LABEL: func.func private @middle
// CHECK:       memref.alloc() : memref<64xf32>
// CHECK-LABEL: func.func @outer
// CHECK:       memref.alloc() : memref<64xf32, 1>
// PLAN-LABEL: func.func @outer
func.func private @inner(%x: memref<64xf32, 1>, %y: memref<64xf32>) {
  %t = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32, 1>) outs(%t : memref<64xf32, 1>)
  linalg.exp ins(%t : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}
func.func private @middle(%x: memref<64xf32, 1>, %y: memref<64xf32>) {
  %t = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32, 1>) outs(%t : memref<64xf32, 1>)
  call @inner(%x, %y) : (memref<64xf32, 1>, memref<64xf32>) -> ()
  linalg.exp ins(%t : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}
func.func @outer(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  call @middle(%a, %y) : (memref<64xf32, 1>, memref<64xf32>) -> ()
  return
}

// -----

// 3. A call in a parallel body: the arena around the loop leaves room for the callee, of which one activation counts.
// CHECK-LABEL: func.func private @half
// CHECK:       memref.alloc() : memref<32xf32, 1>
// CHECK-LABEL: func.func @around
// CHECK-DAG:   memref.alloc() : memref<32xf32, 1>
// CHECK-DAG:   memref.alloc() : memref<32xf32>
// CHECK:       scf.parallel
// PLAN-LABEL: func.func @around
func.func private @half(%x: memref<32xf32>, %y: memref<32xf32>) {
  %t = memref.alloc() : memref<32xf32, 1>
  linalg.exp ins(%x : memref<32xf32>) outs(%t : memref<32xf32, 1>)
  linalg.exp ins(%t : memref<32xf32, 1>) outs(%y : memref<32xf32>)
  return
}
func.func @around(%x: memref<32xf32>, %y: memref<32xf32>, %z: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<32xf32, 1>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32, 1>)
  %b = memref.alloc() : memref<32xf32, 1>
  linalg.exp ins(%x : memref<32xf32>) outs(%b : memref<32xf32, 1>)
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    func.call @half(%x, %y) : (memref<32xf32>, memref<32xf32>) -> ()
  }
  linalg.add ins(%a, %b : memref<32xf32, 1>, memref<32xf32, 1>) outs(%z : memref<32xf32>)
  return
}

// -----

// 4. One activation of a recursive function counts. Its caller leaves it room.
// CHECK-LABEL: func.func private @again
// CHECK:       memref.alloc() : memref<64xf32, 1>
// CHECK-LABEL: func.func @start
// CHECK:       memref.alloc() : memref<64xf32>
// PLAN-LABEL: func.func @start
func.func private @again(%n: i32, %x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %t = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32, 1>)
  linalg.exp ins(%t : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  %more = arith.cmpi sgt, %n, %zero : i32
  scf.if %more {
    %less = arith.subi %n, %one : i32
    func.call @again(%less, %x, %y) : (i32, memref<64xf32>, memref<64xf32>) -> ()
  }
  return
}
func.func @start(%n: i32, %x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
  call @again(%n, %x, %y) : (i32, memref<64xf32>, memref<64xf32>) -> ()
  linalg.exp ins(%a : memref<64xf32, 1>) outs(%z : memref<64xf32>)
  return
}

// -----

// 5. What is in no arena counts while its function is active, too.
// CHECK-LABEL: func.func private @returns
// CHECK:       memref.alloc() : memref<32xf32, 1>
// CHECK-LABEL: func.func @receives
// CHECK:       memref.alloc() : memref<32xf32, 1>
// PLAN-LABEL: func.func @receives
func.func private @returns(%x: memref<32xf32>) -> memref<32xf32, 1> {
  %r = memref.alloc() : memref<32xf32, 1>
  linalg.exp ins(%x : memref<32xf32>) outs(%r : memref<32xf32, 1>)
  return %r : memref<32xf32, 1>
}
func.func @receives(%x: memref<32xf32>, %y: memref<32xf32>) {
  %a = memref.alloc() : memref<32xf32, 1>
  linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32, 1>)
  %r = call @returns(%x) : (memref<32xf32>) -> memref<32xf32, 1>
  linalg.add ins(%a, %r : memref<32xf32, 1>, memref<32xf32, 1>) outs(%y : memref<32xf32>)
  memref.dealloc %r : memref<32xf32, 1>
  return
}

// -----

// 6. A callee and a parallel body are not there at once: each may have the whole space.
// CHECK-LABEL: func.func @in_turn
// CHECK:       call @whole
// CHECK:       scf.parallel
// CHECK:         memref.alloc() : memref<64xf32, 1>
// PLAN-LABEL: func.func @in_turn
func.func private @whole(%x: memref<64xf32>, %y: memref<64xf32>) {
  %t = memref.alloc() : memref<64xf32, 1>
  linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32, 1>)
  linalg.exp ins(%t : memref<64xf32, 1>) outs(%y : memref<64xf32>)
  return
}
func.func @in_turn(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  call @whole(%x, %y) : (memref<64xf32>, memref<64xf32>) -> ()
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %t = memref.alloc() : memref<64xf32, 1>
    linalg.exp ins(%x : memref<64xf32>) outs(%t : memref<64xf32, 1>)
    %v = memref.load %t[%i] : memref<64xf32, 1>
    memref.store %v, %y[%i] : memref<64xf32>
  }
  return
}
