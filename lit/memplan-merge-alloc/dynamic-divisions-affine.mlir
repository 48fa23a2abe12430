// Sizes that are quotients or remainders, in a branch that tests that the divisor is not zero. The slots are computed
// before the branch, where the divisor may be zero: affine maps stay in the branch.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// Executed: the branch is taken for a divisor of 3, and not for zero.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s --check-prefix=OUT
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%to-llvm)' \
// RUN:   | %runner | FileCheck %s --check-prefix=OUT

func.func private @printF32(f32)
func.func private @printNewline()

// 1. In the branch.
// CHECK-LABEL: func @affine_floordiv(
// CHECK-NOT:  affine.apply
// CHECK:      scf.if
// CHECK-NEXT: affine.apply
func.func @affine_floordiv(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %d]
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @affine_ceildiv(
// CHECK-NOT:  affine.apply
// CHECK:      scf.if
// CHECK-NEXT: affine.apply
func.func @affine_ceildiv(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = affine.apply affine_map<()[s0, s1] -> (s0 ceildiv s1)>()[%n, %d]
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @affine_mod(
// CHECK-NOT:  affine.apply
// CHECK:      scf.if
// CHECK-NEXT: affine.apply
func.func @affine_mod(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = affine.apply affine_map<()[s0, s1] -> (s0 mod s1)>()[%n, %d]
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @affine_min(
// CHECK-NOT:  affine.min
// CHECK:      scf.if
// CHECK-NEXT: affine.min
func.func @affine_min(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = affine.min affine_map<()[s0, s1] -> (s0 floordiv s1, s0)>()[%n, %d]
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @affine_max(
// CHECK-NOT:  affine.max
// CHECK:      scf.if
// CHECK-NEXT: affine.max
func.func @affine_max(%n: index, %d: index, %x: memref<?xf32>) {
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
    %s = affine.max affine_map<()[s0, s1] -> (s0 mod s1, s0)>()[%n, %d]
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func @delinearize(
// CHECK-NOT:  affine.delin
// CHECK:      scf.if
// CHECK-NEXT: affine.delin
func.func @delinearize(%n: index, %d: index, %x: memref<?xf32>) {
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
    %q, %s = affine.delinearize_index %n into (%d, %d) : index, index
    %a = memref.alloc(%s) : memref<?xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<?xf32>)
    memref.copy %a, %a : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// Each adds 1 to the number, with and without a division.
// OUT: 13
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %one = arith.constant 1.0 : f32
  %x = memref.alloc(%c7) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<?xf32>)
  func.call @affine_floordiv(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_floordiv(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_ceildiv(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_ceildiv(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_mod(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_mod(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_min(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_min(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_max(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @affine_max(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  func.call @delinearize(%c7, %c0, %x) : (index, index, memref<?xf32>) -> ()
  func.call @delinearize(%c7, %c3, %x) : (index, index, memref<?xf32>) -> ()
  %r = memref.load %x[%c0] : memref<?xf32>
  call @printF32(%r) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %x : memref<?xf32>
  return
}
