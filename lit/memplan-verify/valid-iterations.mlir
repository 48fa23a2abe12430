// Correct plans of loops with constant trip counts.
// tests/verify_faults.rs seeds faults into them: see valid-straight-line.mlir.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-verify)' | FileCheck %s
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(func.func(memplan-verify))' -o /dev/null

// 1. A loop that runs once: it does not see its own buffers again.
// apart: 0-1
// fault: to %one step => to %two step
// CHECK-LABEL: func.func @once
func.func @once(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 0 : index
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  scf.for %i = %zero to %one step %one {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %a, %b : memref<16xf32> to memref<16xf32>
    %c = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
    memref.copy %in, %c : memref<16xf32> to memref<16xf32>
    memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}

// 2. Two buffers change places in each iteration of a loop: a constant trip count says which of them is read after it.
// apart: 0-1 0-2
// CHECK-LABEL: func.func @affine_never
func.func @affine_never(%x: memref<16xf32>, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 0 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 0-1 0-2
// CHECK-LABEL: func.func @scf_never
func.func @scf_never(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c0 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 1-2
// CHECK-LABEL: func.func @affine_once
func.func @affine_once(%x: memref<16xf32>, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 64 : index
  %at1 = arith.constant 0 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 1-2
// CHECK-LABEL: func.func @scf_once
func.func @scf_once(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 64 : index
  %at1 = arith.constant 0 : index
  %at2 = arith.constant 64 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @affine_many
func.func @affine_many(%x: memref<16xf32>, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = affine.for %i = 0 to 3 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    affine.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<192xi8>
  return
}
// apart: 0-1 0-2 1-2
// CHECK-LABEL: func.func @scf_many
func.func @scf_many(%x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<192xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 64 : index
  %at2 = arith.constant 128 : index
  %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<192xi8> to memref<16xf32>
  %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %a, %n = %b) -> (memref<16xf32>, memref<16xf32>) {
    linalg.fill ins(%f : f32) outs(%n : memref<16xf32>)
    scf.yield %n, %m : memref<16xf32>, memref<16xf32>
  }
  %d = memref.view %arena[%at2][] {memplan.buffer = 2 : i64} : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%d : memref<16xf32>)
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %d, %x : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<192xi8>
  return
}
// One of two buffers, used only through a view of what it may be: only one of them exists, wherever the other lies.
// CHECK-LABEL: func.func @cast_of_one_of_two
func.func private @use_any(memref<?xf32>)
func.func @cast_of_one_of_two(%c: i1, %f: f32) {
  %arena = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %at0 = arith.constant 0 : index
  %at1 = arith.constant 0 : index
  %r = scf.if %c -> memref<16xf32> {
    %a = memref.view %arena[%at0][] {memplan.buffer = 0 : i64} : memref<128xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.view %arena[%at1][] {memplan.buffer = 1 : i64} : memref<128xi8> to memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  %d = memref.cast %r : memref<16xf32> to memref<?xf32>
  call @use_any(%d) : (memref<?xf32>) -> ()
  memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
  return
}
