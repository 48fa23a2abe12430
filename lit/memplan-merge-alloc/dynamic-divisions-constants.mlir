// Sizes that are quotients or remainders, in a branch that tests that the divisor is not zero. The slots are computed
// before the branch, where the divisor may be zero: divisions by constants move, except by -1.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// Executed: the branch is taken for a divisor of 3, and not for zero.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s --check-prefix=OUT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s --check-prefix=OUT

func.func private @printF32(f32)
func.func private @printNewline()

// 1. By a constant that is neither zero nor, for a signed division, -1: moved as it is.
// CHECK-LABEL: func @floordivsi_by_3(
// CHECK-NOT:  arith.select
// CHECK:      arith.floordivsi
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @floordivsi_by_3(%n: index, %d: index, %x: memref<?xf32>) {
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
    %k = arith.constant 3 : index
    %s = arith.floordivsi %n, %k : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @remsi_by_3(
// CHECK-NOT:  arith.select
// CHECK:      arith.remsi
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @remsi_by_3(%n: index, %d: index, %x: memref<?xf32>) {
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
    %k = arith.constant 3 : index
    %s = arith.remsi %n, %k : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @remui_by_3(
// CHECK-NOT:  arith.select
// CHECK:      arith.remui
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @remui_by_3(%n: index, %d: index, %x: memref<?xf32>) {
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
    %k = arith.constant 3 : index
    %s = arith.remui %n, %k : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_rems_by_3(
// CHECK:      index.rems
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_rems_by_3(%n: index, %d: index, %x: memref<?xf32>) {
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
    %k = index.constant 3
    %s = index.rems %n, %k
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// 2. By -1, which the least number overflows for.
// CHECK-LABEL: func @remsi_by_minus_one(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: arith.remsi %{{.*}}, %[[BY]] : index
// CHECK:      memplan.arena
func.func @remsi_by_minus_one(%n: index, %d: index, %x: memref<?xf32>) {
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
    %k = arith.constant -1 : index
    %s = arith.remsi %n, %k : index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// Each adds 1 to the number, with and without a division.
// OUT: 11
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc(%c7) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<?xf32>)
  func.call @floordivsi_by_3(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @floordivsi_by_3(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remsi_by_3(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remsi_by_3(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remui_by_3(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remui_by_3(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_rems_by_3(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_rems_by_3(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remsi_by_minus_one(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @remsi_by_minus_one(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  %r = memref.load %x[%c0] : memref<?xf32>
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<?xf32>
  return
}
