// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(memplan-merge-alloc{verify=true}))' | FileCheck %s

// A constant trip count rules out paths. Two buffers change places in each iteration: after a loop of no or of one
// iteration it is known which of them is read, and a third buffer may have the bytes of the other.

// CHECK-LABEL: func.func @affine_never(
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
func.func @affine_never(%x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 0 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @scf_never(
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
func.func @scf_never(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @affine_once(
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
func.func @affine_once(%x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @scf_once(
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
func.func @scf_once(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @affine_many(
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<192xi8>
func.func @affine_many(%x: memref<16xf32>, %f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 5 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @scf_many(
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<192xi8>
func.func @scf_many(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  return
}
