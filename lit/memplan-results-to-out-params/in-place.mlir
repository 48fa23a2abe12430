// An out-param is computed in the memory of another argument, if that is dead after each call.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-results-to-out-params)' \
// RUN:   | FileCheck %s

// 1. Element by element; two calls in a chain.
// CHECK-LABEL: func private @step
// CHECK-SAME:    (%[[X:[^:]*]]: memref<8xf32>)
// CHECK-NEXT:    linalg.exp ins(%[[X]] : memref<8xf32>) outs(%[[X]] : memref<8xf32>)
// CHECK-NEXT:    return
func.func private @step(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @chain
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         call @step(%[[A]])
// CHECK-NEXT:    call @step(%[[A]])
// CHECK-NEXT:    return %[[A]]
func.func @chain(%z: f32) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)
  %b = call @step(%a) : (memref<8xf32>) -> memref<8xf32>
  %c = call @step(%b) : (memref<8xf32>) -> memref<8xf32>
  return %c : memref<8xf32>
}

// -----

// Different functions in a chain.
// CHECK-LABEL: func @both
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         call @first(%[[A]])
// CHECK-NEXT:    call @second(%[[A]])
// CHECK-NEXT:    return %[[A]]
func.func private @first(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @second(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.log ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @both(%z: f32) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)
  %b = call @first(%a) : (memref<8xf32>) -> memref<8xf32>
  %c = call @second(%b) : (memref<8xf32>) -> memref<8xf32>
  return %c : memref<8xf32>
}

// -----

// 2. The argument is needed after one of the calls; it is an argument of the caller; it is passed twice.
func.func private @needed(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @given(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func private @twice(%x: memref<8xf32>, %y: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  linalg.add ins(%r, %y : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @callers
// CHECK:         call @needed(%{{.*}}, %{{.*}})
// CHECK:         call @needed(%{{.*}}, %{{.*}})
// CHECK:         call @given(%{{.*}}, %{{.*}})
// CHECK:         call @twice(%{{.*}}, %{{.*}}, %{{.*}})
func.func @callers(%z: f32, %x: memref<8xf32>) -> (memref<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)
  %b = call @needed(%a) : (memref<8xf32>) -> memref<8xf32>
  %c = call @needed(%b) : (memref<8xf32>) -> memref<8xf32>
  %v = memref.load %b[%c0] : memref<8xf32>
  %d = call @given(%x) : (memref<8xf32>) -> memref<8xf32>
  linalg.add ins(%c, %d : memref<8xf32>, memref<8xf32>) outs(%d : memref<8xf32>)
  %e = call @twice(%d, %d) : (memref<8xf32>, memref<8xf32>) -> memref<8xf32>
  return %e, %v : memref<8xf32>, f32
}

// -----

// 3. Other elements of the argument are read when the result is written.
// CHECK-LABEL: func private @turned
// CHECK-SAME:    %{{.*}}: memref<4x4xf32>, %{{.*}}: memref<4x4xf32> {memplan.noalias})
func.func private @turned(%x: memref<4x4xf32>) -> memref<4x4xf32> {
  %r = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%r : memref<4x4xf32>) permutation = [1, 0]
  return %r : memref<4x4xf32>
}
func.func @call_turned(%z: f32) -> memref<4x4xf32> {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<4x4xf32>)
  %b = call @turned(%a) : (memref<4x4xf32>) -> memref<4x4xf32>
  return %b : memref<4x4xf32>
}

// -----

// 4. In a loop: what the iteration allocates may go, what is from outside may not.
// CHECK-LABEL: func private @update
// CHECK-SAME:    %{{.*}}: memref<8xf32>, %{{.*}}: memref<8xf32> {memplan.noalias})
func.func private @update(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func private @inside
// CHECK-SAME:    (%{{.*}}: memref<8xf32>)
func.func private @inside(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @loop(%z: f32, %n: index, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %b = func.call @update(%a) : (memref<8xf32>) -> memref<8xf32>
    %c = func.call @inside(%b) : (memref<8xf32>) -> memref<8xf32>
    linalg.add ins(%c, %y : memref<8xf32>, memref<8xf32>) outs(%y : memref<8xf32>)
  }
  return
}

// -----

// 5. Attributes may say that the argument is not written.
// CHECK-LABEL: func private @only_read
// CHECK-SAME:    %{{.*}}: memref<8xf32> {llvm.readonly}, %{{.*}}: memref<8xf32> {memplan.noalias})
func.func private @only_read(%x: memref<8xf32> {llvm.readonly}) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @call_only_read(%z: f32) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%a : memref<8xf32>)
  %b = call @only_read(%a) : (memref<8xf32>) -> memref<8xf32>
  return %b : memref<8xf32>
}
