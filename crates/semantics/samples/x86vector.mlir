// x86vector.avx.bcst_to_f32.packed
// compile: +avxneconvert
func.func @bcst_to_f32(%x: bf16) -> vector<8xf32> {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1xbf16>
  memref.store %x, %a[%c0] : memref<1xbf16>
  %v = x86vector.avx.bcst_to_f32.packed %a : memref<1xbf16> -> vector<8xf32>
  return %v : vector<8xf32>
}
// -----
// x86vector.avx.cvt.packed.even.indexed_to_f32
// compile: +avxneconvert
func.func @cvt_even(%x: bf16) -> vector<8xf32> {
  %a = memref.alloc() : memref<16xbf16>
  linalg.fill ins(%x : bf16) outs(%a : memref<16xbf16>)
  %v = x86vector.avx.cvt.packed.even.indexed_to_f32 %a : memref<16xbf16> -> vector<8xf32>
  return %v : vector<8xf32>
}
// -----
// x86vector.avx.cvt.packed.odd.indexed_to_f32
// compile: +avxneconvert
func.func @cvt_odd(%x: bf16) -> vector<8xf32> {
  %a = memref.alloc() : memref<16xbf16>
  linalg.fill ins(%x : bf16) outs(%a : memref<16xbf16>)
  %v = x86vector.avx.cvt.packed.odd.indexed_to_f32 %a : memref<16xbf16> -> vector<8xf32>
  return %v : vector<8xf32>
}
