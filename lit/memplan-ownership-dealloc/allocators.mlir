// Callers free memory of a device that a function of the module returns as they free their own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// Also at the ends of blocks, and where private functions say whose memory they return.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' \
// RUN:   | FileCheck %s --check-prefix=ENDS
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{private-function-dynamic-ownership})' \
// RUN:   | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' -o %t.ends.mlir
// RUN: %memplan-opt %t.ends.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' \
// RUN:   | diff %t.ends.mlir -
// Memory whose owner is known only at run time is lowered the same way.
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc,memplan-simplify-dealloc,memplan-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: bufferization.dealloc

// 1. After the last use of what the function returns.
func.func @gives() -> memref<8xf32> {
  %a = gpu.alloc() : memref<8xf32>
  return %a : memref<8xf32>
}
// CHECK-LABEL: func @gets(
// CHECK:         %[[A:.*]] = call @gives()
// CHECK-NEXT:    memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT:    gpu.dealloc %[[A]]
// CHECK-NEXT:    return
// ENDS-LABEL:  func @gets(
// ENDS:          gpu.dealloc
// ENDS-NOT:      memref.dealloc
// ENDS:          return
func.func @gets(%x: memref<8xf32>) {
  %a = call @gives() : () -> memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  return
}

// 2. The program frees its device memory itself, by the same operation.
// CHECK-LABEL: func @gets_and_frees(
// CHECK:         %[[A:.*]] = call @gives()
// CHECK-NEXT:    gpu.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @gets_and_frees() {
  %a = call @gives() : () -> memref<8xf32>
  gpu.dealloc %a : memref<8xf32>
  return
}

// 3. One of several results, which a function passes on: it is none of the others.
// CHECK-LABEL: func @passes_on(
// CHECK-NOT:     dealloc
// CHECK-LABEL: func @gets_both(
// CHECK:         %[[R:.*]]:3 = call @passes_on()
// CHECK-NOT:     bufferization.dealloc
// CHECK-DAG:     memref.dealloc %[[R]]#1 :
// CHECK-DAG:     gpu.dealloc %[[R]]#2 :
// CHECK:         return
func.func @passes_on() -> (f32, memref<4xf32>, memref<8xf32>) {
  %f = arith.constant 0.0 : f32
  %b = memref.alloc() : memref<4xf32>
  %a = call @gives() : () -> memref<8xf32>
  return %f, %b, %a : f32, memref<4xf32>, memref<8xf32>
}
func.func @gets_both() {
  %f, %b, %a = call @passes_on() : () -> (f32, memref<4xf32>, memref<8xf32>)
  return
}

// 4. Two results that may be one buffer.
// CHECK-LABEL: func @gets_two(
// CHECK:         %[[R:.*]]:2 = call @gives_two()
// CHECK:         %[[SAME:.*]]:2 = bufferization.dealloc (%[[R]]#0 : memref<8xf32>) if (%true) retain (%[[R]]#0, %[[R]]#1 :
// CHECK-NEXT:    %[[OWN:.*]] = arith.xori %[[SAME]]#1, %true
// CHECK-NOT:     memref.dealloc
// CHECK-DAG:     gpu.dealloc %[[R]]#0
// CHECK-DAG:     scf.if %[[OWN]] {
// CHECK:           gpu.dealloc %[[R]]#1
func.func @gives_two() -> (memref<8xf32>, memref<8xf32>) {
  %a = gpu.alloc() : memref<8xf32>
  %b = gpu.alloc() : memref<8xf32>
  return %a, %b : memref<8xf32>, memref<8xf32>
}
func.func @gets_two() {
  %r:2 = call @gives_two() : () -> (memref<8xf32>, memref<8xf32>)
  return
}

// 5. Where the owner is known only at run time, a flag decides, and records for a second run that all has been
// decided.
// CHECK-LABEL: func @gets_or_uses(
// CHECK:         %[[R:.*]]:2 = scf.if
// CHECK:         scf.if %[[R]]#1 {
// CHECK-NEXT:      gpu.dealloc %[[R]]#0
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return
func.func @gets_or_uses(%c: i1, %x: memref<8xf32>, %i: index) -> f32 {
  %r = scf.if %c -> memref<8xf32> {
    %a = func.call @gives() : () -> memref<8xf32>
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  %v = memref.load %r[%i] : memref<8xf32>
  return %v : f32
}

// 6. Functions that call each other return what one of them made; what never returns gives nothing.
// CHECK-LABEL: func @gets_from_circle(
// CHECK:         %[[A:.*]] = call @round(
// CHECK-NEXT:    gpu.dealloc %[[A]]
// CHECK-NEXT:    call @for_ever(
func.func @round(%n: index) -> memref<8xf32> {
  %r = call @and_round(%n) : (index) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func @and_round(%n: index) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %z, ^end, ^on
^end:
  %a = gpu.alloc() : memref<8xf32>
  return %a : memref<8xf32>
^on:
  %m = arith.subi %n, %c1 : index
  %r = call @round(%m) : (index) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func @for_ever(%n: index) -> memref<8xf32> {
  %r = call @for_ever(%n) : (index) -> memref<8xf32>
  return %r : memref<8xf32>
}
func.func @gets_from_circle(%n: index) {
  %a = call @round(%n) : (index) -> memref<8xf32>
  %b = call @for_ever(%n) : (index) -> memref<8xf32>
  return
}
