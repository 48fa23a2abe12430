// The remarks: what is computed again, and why a buffer is held at the peak.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{remarks=true})' -verify-diagnostics
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{max-recompute=-1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OPTION
// RUN: not %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{min-size=9 max-size=8})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SIZES
// OPTION: max-recompute
// SIZES: memplan-recompute: min-size=9 is above max-size=8

func.func private @other(memref<64xf32>)

// 1. Computed again.
func.func @again(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{computed again before a late use: 1 operation, 64 iterations (0.8% of the function); 256 bytes are not held in between; 512 bytes are planned, 768 before [memplan-R415]}}
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 2. The operand is written in between.
func.func @changed(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: what it is computed from is overwritten or freed before the late use [changed] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.fill ins(%zero : f32) outs(%x : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 3. Memory that may be the operand is written: as another argument, or by a call.
func.func @alias(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %y: memref<64xf32>) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: what it is computed from is overwritten or freed before the late use [changed] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

func.func @call(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %y: memref<64xf32>) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: what it is computed from is overwritten or freed before the late use [changed] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  call @other(%y) : (memref<64xf32>) -> ()
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 4. So is a buffer, whose contents cannot be computed again.
func.func @operand(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %y: memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.transpose ins(%y : memref<64xf32>) outs(%b : memref<64xf32>) permutation = [0]
  linalg.fill ins(%zero : f32) outs(%y : memref<64xf32>)
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: what it is computed from is overwritten or freed before the late use [changed] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.transpose ins(%b : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 5. Too many iterations.
func.func @expensive(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: computing it again takes more iterations than max-recompute allows [expensive] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}
