// placement=block-end: owners that are known at run time, results of calls, memory of devices, frees of the program.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' | FileCheck %s
// A second run changes nothing, wherever it would put frees.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' \
// RUN:   | diff %t.once.mlir -
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -
// Lowered by our passes, by upstream's, and in the pipeline, nothing is left that asks the run who owns what.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},%upstream-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline{placement=block-end})' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// LOWERED-NOT: bufferization.dealloc

// 1. A result may be owned or not, which is known only at run time: a copy is made where it is not.
// CHECK-LABEL: func @maybe(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[S:.*]] = arith.select %{{.*}}, %[[A]], %[[X:.*]] : memref<8xf32>
// CHECK-NEXT:    %[[O:.*]] = bufferization.dealloc (%[[X]], %[[A]] : {{.*}}) if (%false, %true) retain (%[[S]] : memref<8xf32>)
// CHECK-NEXT:    %[[R:.*]] = scf.if %[[O]] -> (memref<8xf32>) {
// CHECK-NEXT:      scf.yield %[[S]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      memref.copy %[[S]], %[[COPY]]
// CHECK-NEXT:      scf.yield %[[COPY]]
// CHECK:         return %[[R]]
func.func @maybe(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %x : memref<8xf32>
  return %s : memref<8xf32>
}

// 2. Results of one call may be one buffer: it is freed once, without a comparison before it.
func.func private @pair() -> (memref<8xf32>, memref<8xf32>)
// CHECK-LABEL: func @call(
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %[[R:.*]]:2 = call @pair()
// CHECK-NEXT:    bufferization.dealloc (%[[R]]#0, %[[R]]#1 : {{.*}}) if (%true, %true)
// CHECK-NEXT:    return
func.func @call() {
  %r:2 = call @pair() : () -> (memref<8xf32>, memref<8xf32>)
  return
}

// 3. Memory of a device is freed by its own operation, at the end of its block, too.
// CHECK-LABEL: func @gpu(
// CHECK:         %[[A:.*]] = gpu.alloc
// CHECK-NEXT:    %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[A]], %[[B]]
// CHECK-NEXT:    "test.noise"
// CHECK-NEXT:    bufferization.dealloc (%[[B]] : memref<8xf32>) if (%true)
// CHECK-NEXT:    gpu.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @gpu() {
  %a = gpu.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  "test.noise"() : () -> ()
  return
}

// 4. The same where it is needed on one of two paths only.
// CHECK-LABEL: func @gpu_choice(
// CHECK:         %[[A:.*]] = gpu.alloc
// CHECK:         %[[NOT:.*]] = arith.xori
// CHECK:         scf.if %[[NOT]] {
// CHECK-NEXT:      gpu.dealloc %[[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    cf.cond_br
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.copy %[[A]]
// CHECK-NEXT:    gpu.dealloc %[[A]]
// CHECK-NEXT:    return
// CHECK:       ^bb2:
// CHECK-NEXT:    return
func.func @gpu_choice(%c: i1, %x: memref<8xf32>) {
  %a = gpu.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^two
^one:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
^two:
  return
}

// 5. Memory that the program frees itself is freed, early or late. Memory that it marks stays, and is not named again.
// CHECK-LABEL: func @own_frees(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    memref.copy %[[A]]
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() {bufferization.manual_deallocation}
// CHECK-NEXT:    memref.copy %[[B]]
// CHECK-NEXT:    memref.dealloc %[[B]] {bufferization.manual_deallocation}
// CHECK-NEXT:    "test.noise"
// CHECK-NEXT:    bufferization.dealloc (%{{.*}}, %[[A]] : memref<8xf32>, memref<8xf32>) if (%false, %true)
// CHECK-NEXT:    return
func.func @own_frees(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  %b = memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %b {bufferization.manual_deallocation} : memref<8xf32>
  "test.noise"() : () -> ()
  return
}
