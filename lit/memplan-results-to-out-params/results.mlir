// Results of private functions become memory that the callers allocate.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-results-to-out-params)' \
// RUN:   | FileCheck %s

// 1. A result among others, in another shape than its buffer; calls in a loop and in a branch.
// CHECK-LABEL: func private @one
// CHECK-SAME:    (%{{.*}}: memref<8xf32>, %[[R:.*]]: memref<2x4xf32> {memplan.noalias}) -> (f32, memref<8xf32>)
// CHECK-NOT:     memref.alloc
// CHECK:         %[[V:.*]] = memref.collapse_shape %[[R]]
// CHECK:         linalg.exp ins(%{{.*}}) outs(%[[V]] :
// CHECK:         return %{{.*}}, %{{.*}} : f32, memref<8xf32>
func.func private @one(%x: memref<8xf32>) -> (f32, memref<2x4xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %r = memref.alloc() {alignment = 128 : i64} : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  %v = memref.load %r[%c0] : memref<8xf32>
  %e = memref.expand_shape %r [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
  return %v, %e, %x : f32, memref<2x4xf32>, memref<8xf32>
}
// CHECK-LABEL: func @calls
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x4xf32>
// CHECK-NEXT:      call @one(%{{.*}}, %[[A]]) : (memref<8xf32>, memref<2x4xf32>) -> (f32, memref<8xf32>)
// CHECK-NEXT:      memref.copy %[[A]]
// CHECK:         scf.if
// CHECK:           %[[B:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x4xf32>
// CHECK-NEXT:      %[[W:.*]]:2 = func.call @one(%{{.*}}, %[[B]])
// CHECK-NEXT:      scf.yield %[[W]]#0, %[[B]]
func.func @calls(%x: memref<8xf32>, %y: memref<2x4xf32>, %n: index, %c: i1) -> (f32, memref<2x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v, %a, %z = func.call @one(%x) : (memref<8xf32>) -> (f32, memref<2x4xf32>, memref<8xf32>)
    memref.copy %a, %y : memref<2x4xf32> to memref<2x4xf32>
  }
  %w:2 = scf.if %c -> (f32, memref<2x4xf32>) {
    %v, %a, %z = func.call @one(%x) : (memref<8xf32>) -> (f32, memref<2x4xf32>, memref<8xf32>)
    scf.yield %v, %a : f32, memref<2x4xf32>
  } else {
    %v = arith.constant 1.0 : f32
    scf.yield %v, %y : f32, memref<2x4xf32>
  }
  return %w#0, %w#1 : f32, memref<2x4xf32>
}

// -----

// 2. The result of a callee is a result of its caller; a function that calls itself.
// CHECK-LABEL: func private @inner
// CHECK-SAME:    memref<8xf32> {memplan.noalias})
// CHECK-NOT:     memref.alloc
func.func private @inner(%x: memref<8xf32>) -> memref<8xf32> {
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
// CHECK-LABEL: func private @outer
// CHECK-SAME:    %[[R:[^:]*]]: memref<8xf32> {memplan.noalias})
// CHECK-NEXT:    call @inner(%{{.*}}, %[[R]])
// CHECK-NEXT:    return
func.func private @outer(%x: memref<8xf32>) -> memref<8xf32> {
  %r = call @inner(%x) : (memref<8xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
// CHECK-LABEL: func private @again
// CHECK-SAME:    %{{.*}}: index, %[[R:[^:]*]]: memref<8xf32> {memplan.noalias})
// CHECK:         scf.if
// CHECK:           %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK:           func.call @again(%{{.*}}, %{{.*}}, %[[A]])
// CHECK:           linalg.add {{.*}} outs(%[[R]] :
func.func private @again(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<8xf32>) outs(%r : memref<8xf32>)
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    %a = func.call @again(%x, %m) : (memref<8xf32>, index) -> memref<8xf32>
    linalg.add ins(%a, %r : memref<8xf32>, memref<8xf32>) outs(%r : memref<8xf32>)
  }
  return %r : memref<8xf32>
}
// CHECK-LABEL: func @public
// CHECK-SAME:    -> memref<8xf32>
// CHECK:         %[[P:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    call @outer(%{{.*}}, %[[P]])
// CHECK:         return %[[P]]
func.func @public(%x: memref<8xf32>, %n: index) -> memref<8xf32> {
  %a = call @outer(%x) : (memref<8xf32>) -> memref<8xf32>
  %b = call @again(%x, %n) : (memref<8xf32>, index) -> memref<8xf32>
  linalg.add ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%a : memref<8xf32>)
  return %a : memref<8xf32>
}

// -----

// 3. Buffers that are dead before the result is written live in it: here %t, in another shape, then %u. They are freed no
// more.
// CHECK-LABEL: func private @hosts
// CHECK-SAME:    %[[R:[^:]*]]: memref<8xf32> {memplan.noalias})
// CHECK:         %[[T:.*]] = memref.expand_shape %[[R]] {{\[\[}}0, 1]] output_shape [2, 4]
// CHECK:         linalg.fill {{.*}} outs(%[[T]] :
// CHECK:         %[[S:.*]] = memref.subview %[[R]][0] [4] [1]
// CHECK:         %[[U:.*]] = memref.cast %[[S]]
// CHECK:         linalg.fill {{.*}} outs(%[[U]] :
// CHECK-NOT:     memref.dealloc
// CHECK:         linalg.fill {{.*}} outs(%[[R]] :
func.func private @hosts(%z: f32, %y: memref<2x4xf32>, %w: memref<4xf32>) -> memref<8xf32> {
  %t = memref.alloc() : memref<2x4xf32>
  linalg.fill ins(%z : f32) outs(%t : memref<2x4xf32>)
  linalg.add ins(%t, %y : memref<2x4xf32>, memref<2x4xf32>) outs(%y : memref<2x4xf32>)
  %u = memref.alloc() : memref<4xf32>
  linalg.fill ins(%z : f32) outs(%u : memref<4xf32>)
  linalg.add ins(%u, %w : memref<4xf32>, memref<4xf32>) outs(%w : memref<4xf32>)
  memref.dealloc %u : memref<4xf32>
  %r = memref.alloc() : memref<8xf32>
  linalg.fill ins(%z : f32) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}
func.func @call_hosts(%z: f32, %y: memref<2x4xf32>, %w: memref<4xf32>) -> memref<8xf32> {
  %r = call @hosts(%z, %y, %w) : (f32, memref<2x4xf32>, memref<4xf32>) -> memref<8xf32>
  return %r : memref<8xf32>
}
