// index.constant, index.add, index.sub, index.mul
func.func @index_ring(%x: index, %y: index) -> index {
  %k = index.constant -7
  %s = index.add %x, %k
  %p = index.mul %s, %y
  %r = index.sub %p, %k
  return %r : index
}
// -----
// index.divs, index.rems
func.func @index_divs(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.divs %s, %y
  return %r : index
}
func.func @index_rems(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.rems %s, %y
  return %r : index
}
// -----
// index.divu, index.remu
func.func @index_divu(%x: index, %y: index) -> index {
  %k = index.constant 9
  %s = index.add %x, %k
  %r = index.divu %s, %y
  return %r : index
}
func.func @index_remu(%x: index, %y: index) -> index {
  %k = index.constant 9
  %s = index.add %x, %k
  %r = index.remu %s, %y
  return %r : index
}
// -----
// index.ceildivs
func.func @index_ceildivs(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.ceildivs %s, %y
  return %r : index
}
// -----
// index.ceildivu
func.func @index_ceildivu(%x: index, %y: index) -> index {
  %k = index.constant 9
  %s = index.add %x, %k
  %r = index.ceildivu %s, %y
  return %r : index
}
// -----
// index.floordivs
func.func @index_floordivs(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.floordivs %s, %y
  return %r : index
}
// -----
// index.maxs, index.mins, index.maxu, index.minu
func.func @index_maxs(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.maxs %s, %y
  return %r : index
}
func.func @index_mins(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.mins %s, %y
  return %r : index
}
func.func @index_maxu(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.maxu %s, %y
  return %r : index
}
func.func @index_minu(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.minu %s, %y
  return %r : index
}
// -----
// index.shl, index.shrs, index.shru
func.func @index_shl(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.shl %s, %y
  return %r : index
}
func.func @index_shrs(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.shrs %s, %y
  return %r : index
}
func.func @index_shru(%x: index, %y: index) -> index {
  %k = index.constant -9
  %s = index.add %x, %k
  %r = index.shru %s, %y
  return %r : index
}
// -----
// index.and, index.or, index.xor
func.func @index_and(%x: index, %y: index) -> index {
  %k = index.constant 13
  %s = index.add %x, %k
  %r = index.and %s, %y
  return %r : index
}
func.func @index_or(%x: index, %y: index) -> index {
  %k = index.constant 13
  %s = index.add %x, %k
  %r = index.or %s, %y
  return %r : index
}
func.func @index_xor(%x: index, %y: index) -> index {
  %k = index.constant 13
  %s = index.add %x, %k
  %r = index.xor %s, %y
  return %r : index
}
// -----
// index.casts, index.castu
func.func @index_casts(%x: i32) -> index {
  %k = arith.constant -3 : i32
  %s = arith.muli %x, %k : i32
  %r = index.casts %s : i32 to index
  return %r : index
}
func.func @index_castu(%x: i32) -> index {
  %k = arith.constant -3 : i32
  %s = arith.muli %x, %k : i32
  %r = index.castu %s : i32 to index
  return %r : index
}
func.func @index_casts_to(%x: index) -> i32 {
  %k = index.constant -100000000000
  %s = index.add %x, %k
  %r = index.casts %s : index to i32
  return %r : i32
}
func.func @index_castu_to(%x: index) -> i32 {
  %k = index.constant -100000000000
  %s = index.add %x, %k
  %r = index.castu %s : index to i32
  return %r : i32
}
// -----
// index.casts, index.castu: other widths
func.func @index_casts_i8_ci(%x: i8) -> index {
  %k = arith.constant -3 : i8
  %s = arith.muli %x, %k : i8
  %r = index.casts %s : i8 to index
  return %r : index
}
func.func @index_casts_i8_co(%x: index) -> i8 {
  %k = index.constant -100000000000
  %s = index.add %x, %k
  %r = index.casts %s : index to i8
  return %r : i8
}
func.func @index_castu_i8_ci(%x: i8) -> index {
  %k = arith.constant -3 : i8
  %s = arith.muli %x, %k : i8
  %r = index.castu %s : i8 to index
  return %r : index
}
func.func @index_castu_i8_co(%x: index) -> i8 {
  %k = index.constant -100000000000
  %s = index.add %x, %k
  %r = index.castu %s : index to i8
  return %r : i8
}
func.func @index_casts_i64_ci(%x: i64) -> index {
  %k = arith.constant -3 : i64
  %s = arith.muli %x, %k : i64
  %r = index.casts %s : i64 to index
  return %r : index
}
func.func @index_casts_i64_co(%x: index) -> i64 {
  %k = index.constant -100000000000
  %s = index.add %x, %k
  %r = index.casts %s : index to i64
  return %r : i64
}
func.func @index_castu_i64_ci(%x: i64) -> index {
  %k = arith.constant -3 : i64
  %s = arith.muli %x, %k : i64
  %r = index.castu %s : i64 to index
  return %r : index
}
func.func @index_castu_i64_co(%x: index) -> i64 {
  %k = index.constant -100000000000
  %s = index.add %x, %k
  %r = index.castu %s : index to i64
  return %r : i64
}
// -----
// index.casts, index.castu: i128
func.func @index_casts_i128(%x: index, %y: i64) -> (i64, i64, index) {
  %k = index.constant -5
  %s = index.mul %x, %k
  %a = index.casts %s : index to i128
  %b = index.castu %s : index to i128
  %at = arith.constant 64 : i128
  %c = arith.shrui %a, %at : i128
  %d = arith.shrui %b, %at : i128
  %e = arith.trunci %c : i128 to i64
  %f = arith.trunci %d : i128 to i64
  %w = arith.extui %y : i64 to i128
  %g = index.castu %w : i128 to index
  return %e, %f, %g : i64, i64, index
}
// -----
// index.cmp
func.func @index_cmp(%x: index) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %k = index.constant -3
  %c0 = index.cmp eq(%x, %k)
  %c1 = index.cmp ne(%x, %k)
  %c2 = index.cmp slt(%x, %k)
  %c3 = index.cmp sle(%x, %k)
  %c4 = index.cmp sgt(%x, %k)
  %c5 = index.cmp sge(%x, %k)
  %c6 = index.cmp ult(%x, %k)
  %c7 = index.cmp ule(%x, %k)
  %c8 = index.cmp ugt(%x, %k)
  %c9 = index.cmp uge(%x, %k)
  return %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
// -----
// index.sizeof
func.func @index_sizeof(%x: index) -> index {
  %s = index.sizeof
  %r = index.mul %s, %x
  return %r : index
}
// -----
// index.bool.constant
func.func @index_bool_constant(%x: i1) -> i1 {
  %s = index.bool.constant false
  %r = arith.xori %s, %x : i1
  return %r : i1
}
