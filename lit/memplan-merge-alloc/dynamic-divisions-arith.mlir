// Sizes that are quotients or remainders, in a branch that tests that the divisor is not zero. The slots are computed
// before the branch, where the divisor may be zero: divisions of arith get another divisor there.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// Executed: the branch is taken for a divisor of 3, and not for zero.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s --check-prefix=OUT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s --check-prefix=OUT

func.func private @printF32(f32)
func.func private @printNewline()

// 1. With a divisor for which it is defined, where the program would not divide.
// CHECK-LABEL: func @divui(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.divui %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @divui(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.divui %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @remui(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.remui %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @remui(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.remui %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @ceildivui(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.ceildivui %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @ceildivui(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.ceildivui %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @divsi(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.divsi %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @divsi(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.divsi %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @remsi(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.remsi %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @remsi(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.remsi %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @ceildivsi(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.ceildivsi %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @ceildivsi(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.ceildivsi %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @floordivsi(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.floordivsi %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @floordivsi(%n: index, %d: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<?xf32>)
  %w = memref.load %b[%c0] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  %u = arith.addf %w, %one : f32
  memref.store %u, %x[%c0] : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  %c = arith.cmpi ne, %d, %c0 : index
  scf.if %c {
    %s = arith.floordivsi %n, %d : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// Each adds 1 to the number, with and without a division.
// OUT: 15
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc(%c7) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<?xf32>)
  func.call @divui(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @divui(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remui(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remui(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @ceildivui(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @ceildivui(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @divsi(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @divsi(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remsi(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remsi(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @ceildivsi(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @ceildivsi(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @floordivsi(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @floordivsi(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  %r = memref.load %x[%c0] : memref<?xf32>
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<?xf32>
  return
}
