// Writes that end the older contents of a buffer of dynamic size: those of the whole buffer through its own value. A
// view that has a dynamic size, too, may be a part. Executed with and without the pass.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{analyse-only})' \
// RUN:   | FileCheck %s --check-prefix=SLOTS

func.func private @printF32(f32)
func.func private @printNewline()

func.func private @sum(%a: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %u = arith.addf %t, %x : f32
    scf.yield %u : f32
  }
  return %s : f32
}

// 1. A fill of the first half: the second half is still needed while the other buffer is.
// SLOTS-LABEL: func.func private @a_part(
// SLOTS:         memref.alloc{{.*}}memplan.slot = 0
// SLOTS:         memref.alloc{{.*}}memplan.slot = 1
func.func private @a_part(%n: index, %k: index, %x: f32, %y: f32) -> (f32, f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  %t = call @sum(%b, %n) : (memref<?xf32>, index) -> f32
  memref.dealloc %b : memref<?xf32>
  %half = memref.subview %a[0] [%k] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %same = memref.cast %half : memref<?xf32, strided<[1]>> to memref<?xf32>
  linalg.fill ins(%y : f32) outs(%same : memref<?xf32>)
  %u = call @sum(%a, %n) : (memref<?xf32>, index) -> f32
  memref.dealloc %a : memref<?xf32>
  return %t, %u : f32, f32
}

// 2. A fill of all of it: what was there is not needed any more, and one slot does.
// SLOTS-LABEL: func.func private @all_of_it(
// SLOTS:         memref.alloc{{.*}}memplan.slot = 0
// SLOTS:         memref.alloc{{.*}}memplan.slot = 0
func.func private @all_of_it(%n: index, %x: f32, %y: f32) -> (f32, f32, f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  %s = call @sum(%a, %n) : (memref<?xf32>, index) -> f32
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  %t = call @sum(%b, %n) : (memref<?xf32>, index) -> f32
  memref.dealloc %b : memref<?xf32>
  linalg.fill ins(%t : f32) outs(%a : memref<?xf32>)
  %u = call @sum(%a, %n) : (memref<?xf32>, index) -> f32
  memref.dealloc %a : memref<?xf32>
  return %s, %t, %u : f32, f32, f32
}

func.func private @print(%x: f32) attributes {no_inline} {
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// CHECK:      8
// CHECK-NEXT: 6
// CHECK-NEXT: 4
// CHECK-NEXT: 8
// CHECK-NEXT: 32
func.func @main() {
  %n = arith.constant 4 : index
  %k = arith.constant 2 : index
  %x = arith.constant 1.0 : f32
  %y = arith.constant 2.0 : f32
  %0:2 = call @a_part(%n, %k, %x, %y) : (index, index, f32, f32) -> (f32, f32)
  call @print(%0#0) : (f32) -> ()
  call @print(%0#1) : (f32) -> ()
  %1:3 = call @all_of_it(%n, %x, %y) : (index, f32, f32) -> (f32, f32, f32)
  call @print(%1#0) : (f32) -> ()
  call @print(%1#1) : (f32) -> ()
  call @print(%1#2) : (f32) -> ()
  return
}
