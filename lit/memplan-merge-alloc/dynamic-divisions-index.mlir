// Sizes that are quotients or remainders, in a branch that tests that the divisor is not zero. The slots are computed
// before the branch, where the divisor may be zero: divisions of index get another divisor there.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// Executed: the branch is taken for a divisor of 3, and not for zero.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s --check-prefix=OUT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s --check-prefix=OUT

func.func private @printF32(f32)
func.func private @printNewline()

// 1. With a divisor for which it is defined, where the program would not divide.
// CHECK-LABEL: func @index_divu(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.divu %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_divu(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.divu %n, %d
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_remu(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.remu %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_remu(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.remu %n, %d
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_ceildivu(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.ceildivu %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_ceildivu(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.ceildivu %n, %d
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_divs(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.divs %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_divs(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.divs %n, %d
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_rems(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.rems %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_rems(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.rems %n, %d
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_ceildivs(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.ceildivs %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_ceildivs(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.ceildivs %n, %d
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @index_floordivs(
// CHECK:      %[[BY:.*]] = arith.select
// CHECK-NEXT: index.floordivs %{{.*}}, %[[BY]]
// CHECK:      memplan.arena
// CHECK:      scf.if
func.func @index_floordivs(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = index.floordivs %n, %d
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
  func.call @index_divu(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_divu(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_remu(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_remu(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_ceildivu(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_ceildivu(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_divs(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_divs(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_rems(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_rems(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_ceildivs(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_ceildivs(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_floordivs(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @index_floordivs(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  %r = memref.load %x[%c0] : memref<?xf32>
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<?xf32>
  return
}
