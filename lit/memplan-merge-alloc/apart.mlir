// Several arenas of dynamic size in place of one, each freed after its last use, where one would be held beside results or
// calls.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' --split-input-file | FileCheck %s

// 1. The result is allocated when only one buffer is needed. One arena for all would be held beside it.
// CHECK-LABEL: func.func @result
// CHECK: %[[LONG:.*]] = memref.alloc({{.*}}memplan.arena
// CHECK: memref.view %[[LONG]]{{.*}}memplan.buffer = 0
// CHECK: %[[SHORT:.*]] = memref.alloc({{.*}}memplan.arena
// CHECK: memref.view %[[SHORT]]{{.*}}memplan.buffer = 1
// CHECK: memref.view %[[LONG]]{{.*}}memplan.buffer = 2
// CHECK: linalg.reduce
// CHECK: memref.dealloc %[[SHORT]]
// CHECK: memref.alloc({{.*}}) : memref<?x8xf32>
// CHECK: memref.dealloc %[[LONG]]
// CHECK-NEXT: return
func.func @result(%x: memref<?x8xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x8x8xf32>)
  %b = memref.alloc(%n) : memref<?x8x8xf32>
  linalg.batch_matmul ins(%a, %a : memref<?x8x8xf32>, memref<?x8x8xf32>) outs(%b : memref<?x8x8xf32>)
  %c = memref.alloc(%n) : memref<?x8xf32>
  linalg.reduce ins(%b : memref<?x8x8xf32>) outs(%c : memref<?x8xf32>) dimensions = [2]
    (%in: f32, %out: f32) { linalg.yield %in : f32 }
  %r = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%c : memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}

// -----

// 2. A callee allocates: nothing but what is needed then is held across the call, which may execute in each iteration.
// CHECK-LABEL: func.func @call
// CHECK-COUNT-3: memplan.arena
// CHECK-NOT: memplan.arena
// CHECK: memref.view %[[LAST:[a-z_0-9]+]][%{{.*}}memplan.buffer = 2
// CHECK: scf.for
// CHECK: call @heap
// CHECK: memref.dealloc %[[LAST]]
func.func private @heap(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}
func.func @call(%x: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %b = memref.alloc(%n, %n) : memref<?x?xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x?xf32>)
  linalg.matmul ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.reduce ins(%b : memref<?x?xf32>) outs(%c : memref<?xf32>) dimensions = [1]
    (%in: f32, %out: f32) { linalg.yield %in : f32 }
  scf.for %i = %c0 to %n step %c1 {
    scf.if %p {
      func.call @heap(%n) : (index) -> ()
    }
  }
  linalg.exp ins(%c : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// -----

// 3. One arena holds no more than separate allocations: it stays one.
// CHECK-LABEL: func.func @one
// CHECK-COUNT-1: memplan.arena
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @one(%x: memref<?x8xf32>) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x8xf32>)
  %b = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%a : memref<?x8xf32>) outs(%b : memref<?x8xf32>)
  %r = memref.alloc(%n) : memref<?x8xf32>
  linalg.add ins(%a, %b : memref<?x8xf32>, memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}

// -----

// 4. What is used in another block is freed where the function ends.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[LONG:.*]] = memref.alloc({{.*}}memplan.arena
// CHECK: memref.view %[[LONG]]{{.*}}memplan.buffer = 0
// CHECK: %[[SHORT:.*]] = memref.alloc({{.*}}memplan.arena
// CHECK: memref.dealloc %[[SHORT]]
// CHECK: cf.cond_br
// CHECK-NOT: memref.dealloc
// CHECK: ^bb2
// CHECK: memref.dealloc %[[LONG]]
// CHECK-NEXT: return
func.func @blocks(%x: memref<?x8xf32>, %p: i1) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %c = memref.alloc(%n) : memref<?x8xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<?x8xf32>)
  %a = memref.alloc(%n) : memref<?x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x8x8xf32>)
  linalg.reduce ins(%a : memref<?x8x8xf32>) outs(%c : memref<?x8xf32>) dimensions = [2]
    (%in: f32, %out: f32) { linalg.yield %in : f32 }
  %r = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%c : memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  linalg.exp ins(%c : memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  cf.br ^bb2
^bb2:
  return %r : memref<?x8xf32>
}

// -----

// 5. No arena for what may not be allocated at all: it is empty where the condition does not hold.
// CHECK-LABEL: func.func @condition
// CHECK-COUNT-2: memplan.arena
// CHECK-NOT: memplan.arena
// CHECK: return
func.func @condition(%x: memref<?x8xf32>, %p: i1) -> memref<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8x8xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<?x8x8xf32>)
  %c = memref.alloc(%n) : memref<?x8xf32>
  linalg.reduce ins(%a : memref<?x8x8xf32>) outs(%c : memref<?x8xf32>) dimensions = [2]
    (%in: f32, %out: f32) { linalg.yield %in : f32 }
  scf.if %p {
    %b = memref.alloc(%n) : memref<?x8x8xf32>
    linalg.fill ins(%zero : f32) outs(%b : memref<?x8x8xf32>)
    linalg.reduce ins(%b : memref<?x8x8xf32>) outs(%c : memref<?x8xf32>) dimensions = [2]
      (%in: f32, %out: f32) { linalg.yield %in : f32 }
  }
  %r = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%c : memref<?x8xf32>) outs(%r : memref<?x8xf32>)
  return %r : memref<?x8xf32>
}
