// The remarks: more reasons why a buffer is held at the peak.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-recompute{remarks=true})' -verify-diagnostics

#id = affine_map<(i) -> (i)>

// 1. The operation runs in parallel, its flags allow other bits, or it writes more.
func.func @parallel(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: an operation that writes it has other effects or results, may not end, runs in parallel, or allows other bits [producer] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    memref.store %zero, %a[%i] : memref<64xf32>
  }
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

func.func @flags(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: an operation that writes it has other effects or results, may not end, runs in parallel, or allows other bits [producer] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<64xf32>) outs(%a : memref<64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %m = arith.mulf %e, %zero fastmath<contract> : f32
    linalg.yield %m : f32
  }
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

func.func @more(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: an operation that writes it has other effects or results, may not end, runs in parallel, or allows other bits [producer] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x : memref<64xf32>)
    outs(%a, %z : memref<64xf32>, memref<64xf32>) {
  ^bb0(%e: f32, %o: f32, %q: f32):
    linalg.yield %e, %e : f32, f32
  }
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

// 2. Allocated outside of the loop, and not written as a whole in it.
func.func @partial(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: it is allocated outside of the block that computes it, and no operation there overwrites all of it [partial] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %zero, %a[%i] : memref<64xf32>
    linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    %c = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
    linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
    %d = memref.alloc() : memref<64xf32>
    linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
    linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
    linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
    linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  }
  return
}

// 3. Several contents.
func.func @rewritten(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: it has several contents one after the other, or instances that are live at once [rewritten] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
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

// 4. Another value may be the buffer.
func.func @selected(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}, %p: i1) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: another value may refer to the buffer, or an asynchronous operation uses it [aliases] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %s = arith.select %p, %a, %b : memref<64xf32>
  linalg.transpose ins(%s : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
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

// 5. An attribute says where the buffer is.
func.func @marked(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: its allocation has an attribute of memplan [marked] [memplan-R416]}}
  %a = memref.alloc() {memplan.offset = 512 : i64} : memref<64xf32>
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

// 6. The function frees memory, but not this buffer.
func.func @freed(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: the function frees memory, but not this buffer once, after all uses in their block [freed] [memplan-R416]}}
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
  memref.dealloc %c : memref<64xf32>
  memref.dealloc %d : memref<64xf32>
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 7. The uses are in two blocks of one body.
func.func @paths(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: its uses are on several paths, or in the body of a parallel loop [paths] [memplan-R416]}}
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
  cf.br ^next
^next:
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}

// 8. It would be needed with what it is computed from, which is as large.
func.func @no_gain(%x: memref<64xf32>, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%b : memref<64xf32>)
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: computing it again would not lower the number of bytes live at once [no-gain] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%b : memref<64xf32>) outs(%a : memref<64xf32>)
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

// 9. A callee writes what it is computed from: an argument that nothing else refers to.
func.func private @overwrite(%x: memref<64xf32>, %v: f32) {
  linalg.fill ins(%v : f32) outs(%x : memref<64xf32>)
  return
}
func.func @called(%x: memref<64xf32> {memplan.noalias}, %w: memref<64x64xf32>, %zero: f32, %z: memref<64xf32> {memplan.noalias}) {
  // expected-remark @+1 {{held at the peak: 256 bytes that no operation uses there are not computed again: what it is computed from is overwritten or freed before the late use [changed] [memplan-R416]}}
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%c : memref<64xf32>)
  linalg.matvec ins(%w, %x : memref<64x64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  call @overwrite(%x, %zero) : (memref<64xf32>, f32) -> ()
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)
  linalg.matvec ins(%w, %c : memref<64x64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.transpose ins(%d : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  linalg.transpose ins(%a : memref<64xf32>) outs(%z : memref<64xf32>) permutation = [0]
  return
}
