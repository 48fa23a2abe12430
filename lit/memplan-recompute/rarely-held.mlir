// The remarks: rarer reasons why a buffer is held at the peak.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{remarks=true})' -verify-diagnostics

#id = affine_map<(i) -> (i)>

// 1. In a loop over strips, whose operations stay.
func.func @strips(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: it is computed in a loop over strips [strips] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    // expected-remark @+1 {{[strips]}}
    %c = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
    linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
    %d = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
    linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
    linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  } {memplan.strips = 4 : i64}
  return
}

// 2. What it is computed from is in another arena, dead at the late use, and not computed again itself.
func.func @elsewhere(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<64xf32, 1>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%b : memref<64xf32, 1>) {
  ^bb0(%e: f32, %o: f32):
    %m = arith.mulf %e, %zero fastmath<contract> : f32
    linalg.yield %m : f32
  }
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: what it is computed from is in another arena, and not live at the late use [elsewhere] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32, 1>) outs(%a : memref<64xf32>)
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

// 3. More than 16 operations compute it.
func.func @long(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i4 = arith.constant 4 : index
  %i5 = arith.constant 5 : index
  %i6 = arith.constant 6 : index
  %i7 = arith.constant 7 : index
  %i8 = arith.constant 8 : index
  %i9 = arith.constant 9 : index
  %i10 = arith.constant 10 : index
  %i11 = arith.constant 11 : index
  %i12 = arith.constant 12 : index
  %i13 = arith.constant 13 : index
  %i14 = arith.constant 14 : index
  %i15 = arith.constant 15 : index
  %i16 = arith.constant 16 : index
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: too many operations compute it [long] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  memref.store %zero, %a[%i0] : memref<64xf32>
  memref.store %zero, %a[%i1] : memref<64xf32>
  memref.store %zero, %a[%i2] : memref<64xf32>
  memref.store %zero, %a[%i3] : memref<64xf32>
  memref.store %zero, %a[%i4] : memref<64xf32>
  memref.store %zero, %a[%i5] : memref<64xf32>
  memref.store %zero, %a[%i6] : memref<64xf32>
  memref.store %zero, %a[%i7] : memref<64xf32>
  memref.store %zero, %a[%i8] : memref<64xf32>
  memref.store %zero, %a[%i9] : memref<64xf32>
  memref.store %zero, %a[%i10] : memref<64xf32>
  memref.store %zero, %a[%i11] : memref<64xf32>
  memref.store %zero, %a[%i12] : memref<64xf32>
  memref.store %zero, %a[%i13] : memref<64xf32>
  memref.store %zero, %a[%i14] : memref<64xf32>
  memref.store %zero, %a[%i15] : memref<64xf32>
  memref.store %zero, %a[%i16] : memref<64xf32>
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
