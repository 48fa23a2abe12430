// Sizes that are quotients and remainders, in a branch that tests that the divisor is not zero. Their slots are computed before the
// branch, where the divisor may be zero: a division of arith or index gets another divisor there, others stay in the branch.
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

// 2. In the branch.
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

// 3. By a constant that is neither zero nor, for a signed division, -1: moved as it is.
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

// 4. By -1, which the least number overflows for.
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
// OUT: 51
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
