// arith.addi, arith.subi, arith.muli
func.func @arith_ring_i32(%x: i32, %y: i32) -> i32 {
  %k = arith.constant 5 : i32
  %s = arith.addi %x, %k : i32
  %p = arith.muli %s, %y : i32
  %d = arith.subi %p, %k : i32
  return %d : i32
}
// -----
// arith.addi, arith.subi, arith.muli: with flags
func.func @arith_ring_flags(%x: i32, %y: i32) -> i32 {
  %k = arith.constant 5 : i32
  %s = arith.addi %x, %k overflow<nsw, nuw> : i32
  %p = arith.muli %s, %y overflow<nsw> : i32
  %d = arith.subi %p, %k overflow<nuw> : i32
  return %d : i32
}
// -----
// arith.addi, arith.subi, arith.muli: other widths
func.func @arith_ring_i1(%x: i1, %y: i1) -> i1 {
  %k = arith.constant true
  %s = arith.addi %x, %k : i1
  %p = arith.muli %s, %y : i1
  %d = arith.subi %p, %k : i1
  return %d : i1
}
func.func @arith_ring_i8(%x: i8, %y: i8) -> i8 {
  %k = arith.constant 100 : i8
  %s = arith.addi %x, %k : i8
  %p = arith.muli %s, %y : i8
  %d = arith.subi %p, %k : i8
  return %d : i8
}
func.func @arith_ring_i16(%x: i16, %y: i16) -> i16 {
  %k = arith.constant 30000 : i16
  %s = arith.addi %x, %k : i16
  %p = arith.muli %s, %y : i16
  %d = arith.subi %p, %k : i16
  return %d : i16
}
func.func @arith_ring_i64(%x: i64, %y: i64) -> i64 {
  %k = arith.constant 5000000000 : i64
  %s = arith.addi %x, %k : i64
  %p = arith.muli %s, %y : i64
  %d = arith.subi %p, %k : i64
  return %d : i64
}
func.func @arith_ring_index(%x: index, %y: index) -> index {
  %k = arith.constant 7 : index
  %s = arith.addi %x, %k : index
  %p = arith.muli %s, %y : index
  %d = arith.subi %p, %k : index
  return %d : index
}
// -----
// arith.addi, arith.subi, arith.muli: i128
func.func @arith_ring_i128(%a: i64, %b: i64) -> (i64, i64) {
  %x = arith.extsi %a : i64 to i128
  %y = arith.extsi %b : i64 to i128
  %k = arith.constant 10000000000000000000 : i128
  %s = arith.addi %x, %k : i128
  %p = arith.muli %s, %y : i128
  %d = arith.subi %p, %y : i128
  %low = arith.trunci %d : i128 to i64
  %at = arith.constant 64 : i128
  %h = arith.shrsi %d, %at : i128
  %high = arith.trunci %h : i128 to i64
  return %low, %high : i64, i64
}
// -----
// arith.addi, arith.subi, arith.muli: a width that is no power of two
func.func @arith_ring_i17(%a: i32, %b: i32) -> i32 {
  %x = arith.trunci %a : i32 to i17
  %y = arith.trunci %b : i32 to i17
  %k = arith.constant 65000 : i17
  %s = arith.addi %x, %k : i17
  %p = arith.muli %s, %y : i17
  %d = arith.subi %p, %k : i17
  %r = arith.extsi %d : i17 to i32
  return %r : i32
}
// -----
// arith.divsi, arith.remsi, arith.divui, arith.remui: i128
func.func @arith_div_i128(%a: i64, %b: i64) -> (i64, i64, i64, i64) {
  %x = arith.extsi %a : i64 to i128
  %y = arith.extsi %b : i64 to i128
  %k = arith.constant -10000000000000000001 : i128
  %s = arith.addi %x, %k : i128
  %q0 = arith.divsi %s, %y : i128
  %r0 = arith.trunci %q0 : i128 to i64
  %q1 = arith.remsi %s, %y : i128
  %r1 = arith.trunci %q1 : i128 to i64
  %q2 = arith.divui %s, %y : i128
  %r2 = arith.trunci %q2 : i128 to i64
  %q3 = arith.remui %s, %y : i128
  %r3 = arith.trunci %q3 : i128 to i64
  return %r0, %r1, %r2, %r3 : i64, i64, i64, i64
}
// -----
// arith.addi, arith.subi, arith.muli: vectors
func.func @arith_ring_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[1, -2, 3, -4]> : vector<4xi32>
  %s = arith.addi %x, %k : vector<4xi32>
  %p = arith.muli %s, %y : vector<4xi32>
  %d = arith.subi %p, %k : vector<4xi32>
  return %d : vector<4xi32>
}
func.func @arith_ring_v16i8(%x: vector<16xi8>, %y: vector<16xi8>) -> vector<16xi8> {
  %k = arith.constant dense<7> : vector<16xi8>
  %s = arith.addi %x, %k : vector<16xi8>
  %p = arith.muli %s, %y : vector<16xi8>
  %d = arith.subi %p, %k : vector<16xi8>
  return %d : vector<16xi8>
}
func.func @arith_ring_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> vector<2xi64> {
  %k = arith.constant dense<[1, -2]> : vector<2xi64>
  %s = arith.addi %x, %k : vector<2xi64>
  %p = arith.muli %s, %y : vector<2xi64>
  %d = arith.subi %p, %k : vector<2xi64>
  return %d : vector<2xi64>
}
func.func @arith_ring_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %s = arith.addi %x, %k : vector<4xindex>
  %p = arith.muli %s, %y : vector<4xindex>
  %d = arith.subi %p, %k : vector<4xindex>
  return %d : vector<4xindex>
}
func.func @arith_ring_v4i1(%x: vector<4xi1>, %y: vector<4xi1>) -> vector<4xi1> {
  %k = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %s = arith.addi %x, %k : vector<4xi1>
  %p = arith.muli %s, %y : vector<4xi1>
  %d = arith.subi %p, %k : vector<4xi1>
  return %d : vector<4xi1>
}
func.func @arith_ring_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> vector<2x2xi32> {
  %k = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %s = arith.addi %x, %k : vector<2x2xi32>
  %p = arith.muli %s, %y : vector<2x2xi32>
  %d = arith.subi %p, %k : vector<2x2xi32>
  return %d : vector<2x2xi32>
}
func.func @arith_ring_v3i32(%x: vector<3xi32>, %y: vector<3xi32>) -> vector<3xi32> {
  %k = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %s = arith.addi %x, %k : vector<3xi32>
  %p = arith.muli %s, %y : vector<3xi32>
  %d = arith.subi %p, %k : vector<3xi32>
  return %d : vector<3xi32>
}
// -----
// arith.andi, arith.ori, arith.xori
func.func @arith_bits_i32(%x: i32, %y: i32) -> i32 {
  %k = arith.constant 22 : i32
  %a = arith.andi %x, %k : i32
  %o = arith.ori %a, %y : i32
  %e = arith.xori %o, %k : i32
  return %e : i32
}
// -----
// arith.andi, arith.ori, arith.xori: other types
func.func @arith_bits_i1(%x: i1, %y: i1) -> i1 {
  %k = arith.constant true
  %a = arith.andi %x, %k : i1
  %o = arith.ori %a, %y : i1
  %e = arith.xori %o, %k : i1
  return %e : i1
}
func.func @arith_bits_i8(%x: i8, %y: i8) -> i8 {
  %k = arith.constant 22 : i8
  %a = arith.andi %x, %k : i8
  %o = arith.ori %a, %y : i8
  %e = arith.xori %o, %k : i8
  return %e : i8
}
func.func @arith_bits_i64(%x: i64, %y: i64) -> i64 {
  %k = arith.constant 22 : i64
  %a = arith.andi %x, %k : i64
  %o = arith.ori %a, %y : i64
  %e = arith.xori %o, %k : i64
  return %e : i64
}
func.func @arith_bits_index(%x: index, %y: index) -> index {
  %k = arith.constant 22 : index
  %a = arith.andi %x, %k : index
  %o = arith.ori %a, %y : index
  %e = arith.xori %o, %k : index
  return %e : index
}
func.func @arith_bits_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %a = arith.andi %x, %k : vector<4xi32>
  %o = arith.ori %a, %y : vector<4xi32>
  %e = arith.xori %o, %k : vector<4xi32>
  return %e : vector<4xi32>
}
func.func @arith_bits_v8i1(%x: vector<8xi1>, %y: vector<8xi1>) -> vector<8xi1> {
  %k = arith.constant dense<[true, false, true, false, true, true, false, false]> : vector<8xi1>
  %a = arith.andi %x, %k : vector<8xi1>
  %o = arith.ori %a, %y : vector<8xi1>
  %e = arith.xori %o, %k : vector<8xi1>
  return %e : vector<8xi1>
}
func.func @arith_bits_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[1, 2, 3, 4]> : vector<4xindex>
  %a = arith.andi %x, %k : vector<4xindex>
  %o = arith.ori %a, %y : vector<4xindex>
  %e = arith.xori %o, %k : vector<4xindex>
  return %e : vector<4xindex>
}
// -----
// arith.divsi, arith.remsi
func.func @arith_div_i32(%x: i32, %y: i32) -> (i32, i32) {
  %k = arith.constant -9 : i32
  %s = arith.subi %k, %x : i32
  %q = arith.divsi %s, %y : i32
  %r = arith.remsi %s, %y : i32
  return %q, %r : i32, i32
}
// -----
// arith.divsi, arith.remsi: other types
func.func @arith_div_i8(%x: i8, %y: i8) -> (i8, i8) {
  %k = arith.constant -9 : i8
  %s = arith.subi %k, %x : i8
  %q = arith.divsi %s, %y : i8
  %r = arith.remsi %s, %y : i8
  return %q, %r : i8, i8
}
func.func @arith_div_i16(%x: i16, %y: i16) -> (i16, i16) {
  %k = arith.constant -9 : i16
  %s = arith.subi %k, %x : i16
  %q = arith.divsi %s, %y : i16
  %r = arith.remsi %s, %y : i16
  return %q, %r : i16, i16
}
func.func @arith_div_i64(%x: i64, %y: i64) -> (i64, i64) {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %x : i64
  %q = arith.divsi %s, %y : i64
  %r = arith.remsi %s, %y : i64
  return %q, %r : i64, i64
}
func.func @arith_div_index(%x: index, %y: index) -> (index, index) {
  %k = arith.constant -9 : index
  %s = arith.subi %k, %x : index
  %q = arith.divsi %s, %y : index
  %r = arith.remsi %s, %y : index
  return %q, %r : index, index
}
func.func @arith_div_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xi32>
  %s = arith.subi %k, %x : vector<4xi32>
  %q = arith.divsi %s, %y : vector<4xi32>
  %r = arith.remsi %s, %y : vector<4xi32>
  return %q, %r : vector<4xi32>, vector<4xi32>
}
func.func @arith_div_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>) {
  %k = arith.constant dense<[-5, 9]> : vector<2xi64>
  %s = arith.subi %k, %x : vector<2xi64>
  %q = arith.divsi %s, %y : vector<2xi64>
  %r = arith.remsi %s, %y : vector<2xi64>
  return %q, %r : vector<2xi64>, vector<2xi64>
}
func.func @arith_div_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> (vector<4xindex>, vector<4xindex>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xindex>
  %s = arith.subi %k, %x : vector<4xindex>
  %q = arith.divsi %s, %y : vector<4xindex>
  %r = arith.remsi %s, %y : vector<4xindex>
  return %q, %r : vector<4xindex>, vector<4xindex>
}
func.func @arith_div_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>) {
  %k = arith.constant dense<[[-5, 9], [-13, 16]]> : vector<2x2xi32>
  %s = arith.subi %k, %x : vector<2x2xi32>
  %q = arith.divsi %s, %y : vector<2x2xi32>
  %r = arith.remsi %s, %y : vector<2x2xi32>
  return %q, %r : vector<2x2xi32>, vector<2x2xi32>
}
// -----
// arith.divui, arith.remui
func.func @arith_divu_i32(%x: i32, %y: i32) -> (i32, i32) {
  %k = arith.constant -9 : i32
  %s = arith.subi %k, %x : i32
  %q = arith.divui %s, %y : i32
  %r = arith.remui %s, %y : i32
  return %q, %r : i32, i32
}
// -----
// arith.divui, arith.remui: other types
func.func @arith_divu_i8(%x: i8, %y: i8) -> (i8, i8) {
  %k = arith.constant -9 : i8
  %s = arith.subi %k, %x : i8
  %q = arith.divui %s, %y : i8
  %r = arith.remui %s, %y : i8
  return %q, %r : i8, i8
}
func.func @arith_divu_i16(%x: i16, %y: i16) -> (i16, i16) {
  %k = arith.constant -9 : i16
  %s = arith.subi %k, %x : i16
  %q = arith.divui %s, %y : i16
  %r = arith.remui %s, %y : i16
  return %q, %r : i16, i16
}
func.func @arith_divu_i64(%x: i64, %y: i64) -> (i64, i64) {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %x : i64
  %q = arith.divui %s, %y : i64
  %r = arith.remui %s, %y : i64
  return %q, %r : i64, i64
}
func.func @arith_divu_index(%x: index, %y: index) -> (index, index) {
  %k = arith.constant -9 : index
  %s = arith.subi %k, %x : index
  %q = arith.divui %s, %y : index
  %r = arith.remui %s, %y : index
  return %q, %r : index, index
}
func.func @arith_divu_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xi32>
  %s = arith.subi %k, %x : vector<4xi32>
  %q = arith.divui %s, %y : vector<4xi32>
  %r = arith.remui %s, %y : vector<4xi32>
  return %q, %r : vector<4xi32>, vector<4xi32>
}
func.func @arith_divu_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>) {
  %k = arith.constant dense<[-5, 9]> : vector<2xi64>
  %s = arith.subi %k, %x : vector<2xi64>
  %q = arith.divui %s, %y : vector<2xi64>
  %r = arith.remui %s, %y : vector<2xi64>
  return %q, %r : vector<2xi64>, vector<2xi64>
}
func.func @arith_divu_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> (vector<4xindex>, vector<4xindex>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xindex>
  %s = arith.subi %k, %x : vector<4xindex>
  %q = arith.divui %s, %y : vector<4xindex>
  %r = arith.remui %s, %y : vector<4xindex>
  return %q, %r : vector<4xindex>, vector<4xindex>
}
func.func @arith_divu_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>) {
  %k = arith.constant dense<[[-5, 9], [-13, 16]]> : vector<2x2xi32>
  %s = arith.subi %k, %x : vector<2x2xi32>
  %q = arith.divui %s, %y : vector<2x2xi32>
  %r = arith.remui %s, %y : vector<2x2xi32>
  return %q, %r : vector<2x2xi32>, vector<2x2xi32>
}
// -----
// arith.divsi, arith.divui, arith.shrsi, arith.shrui: exact
func.func @arith_exact(%x: i32, %y: i32) -> i32 {
  %k = arith.constant 16 : i32
  %m = arith.muli %x, %k : i32
  %a = arith.divsi %m, %y exact : i32
  %b = arith.divui %a, %x exact : i32
  %c = arith.shrsi %b, %y exact : i32
  %one = arith.constant 1 : i32
  %d = arith.shrui %c, %one exact : i32
  return %d : i32
}
// -----
// arith.ceildivsi
func.func @arith_ceildivsi_i32(%x: i32, %y: i32) -> i32 {
  %k = arith.constant -9 : i32
  %s = arith.subi %k, %x : i32
  %q = arith.ceildivsi %s, %y : i32
  return %q : i32
}
// -----
// arith.ceildivsi: other types
func.func @arith_ceildivsi_i8(%x: i8, %y: i8) -> i8 {
  %k = arith.constant -9 : i8
  %s = arith.subi %k, %x : i8
  %q = arith.ceildivsi %s, %y : i8
  return %q : i8
}
func.func @arith_ceildivsi_i16(%x: i16, %y: i16) -> i16 {
  %k = arith.constant -9 : i16
  %s = arith.subi %k, %x : i16
  %q = arith.ceildivsi %s, %y : i16
  return %q : i16
}
func.func @arith_ceildivsi_i64(%x: i64, %y: i64) -> i64 {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %x : i64
  %q = arith.ceildivsi %s, %y : i64
  return %q : i64
}
func.func @arith_ceildivsi_index(%x: index, %y: index) -> index {
  %k = arith.constant -9 : index
  %s = arith.subi %k, %x : index
  %q = arith.ceildivsi %s, %y : index
  return %q : index
}
func.func @arith_ceildivsi_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xi32>
  %s = arith.subi %k, %x : vector<4xi32>
  %q = arith.ceildivsi %s, %y : vector<4xi32>
  return %q : vector<4xi32>
}
func.func @arith_ceildivsi_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> vector<2xi64> {
  %k = arith.constant dense<[-5, 9]> : vector<2xi64>
  %s = arith.subi %k, %x : vector<2xi64>
  %q = arith.ceildivsi %s, %y : vector<2xi64>
  return %q : vector<2xi64>
}
func.func @arith_ceildivsi_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xindex>
  %s = arith.subi %k, %x : vector<4xindex>
  %q = arith.ceildivsi %s, %y : vector<4xindex>
  return %q : vector<4xindex>
}
func.func @arith_ceildivsi_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> vector<2x2xi32> {
  %k = arith.constant dense<[[-5, 9], [-13, 16]]> : vector<2x2xi32>
  %s = arith.subi %k, %x : vector<2x2xi32>
  %q = arith.ceildivsi %s, %y : vector<2x2xi32>
  return %q : vector<2x2xi32>
}
// -----
// arith.floordivsi
func.func @arith_floordivsi_i32(%x: i32, %y: i32) -> i32 {
  %k = arith.constant -9 : i32
  %s = arith.subi %k, %x : i32
  %q = arith.floordivsi %s, %y : i32
  return %q : i32
}
// -----
// arith.floordivsi: other types
func.func @arith_floordivsi_i8(%x: i8, %y: i8) -> i8 {
  %k = arith.constant -9 : i8
  %s = arith.subi %k, %x : i8
  %q = arith.floordivsi %s, %y : i8
  return %q : i8
}
func.func @arith_floordivsi_i16(%x: i16, %y: i16) -> i16 {
  %k = arith.constant -9 : i16
  %s = arith.subi %k, %x : i16
  %q = arith.floordivsi %s, %y : i16
  return %q : i16
}
func.func @arith_floordivsi_i64(%x: i64, %y: i64) -> i64 {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %x : i64
  %q = arith.floordivsi %s, %y : i64
  return %q : i64
}
func.func @arith_floordivsi_index(%x: index, %y: index) -> index {
  %k = arith.constant -9 : index
  %s = arith.subi %k, %x : index
  %q = arith.floordivsi %s, %y : index
  return %q : index
}
func.func @arith_floordivsi_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xi32>
  %s = arith.subi %k, %x : vector<4xi32>
  %q = arith.floordivsi %s, %y : vector<4xi32>
  return %q : vector<4xi32>
}
func.func @arith_floordivsi_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> vector<2xi64> {
  %k = arith.constant dense<[-5, 9]> : vector<2xi64>
  %s = arith.subi %k, %x : vector<2xi64>
  %q = arith.floordivsi %s, %y : vector<2xi64>
  return %q : vector<2xi64>
}
func.func @arith_floordivsi_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xindex>
  %s = arith.subi %k, %x : vector<4xindex>
  %q = arith.floordivsi %s, %y : vector<4xindex>
  return %q : vector<4xindex>
}
func.func @arith_floordivsi_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> vector<2x2xi32> {
  %k = arith.constant dense<[[-5, 9], [-13, 16]]> : vector<2x2xi32>
  %s = arith.subi %k, %x : vector<2x2xi32>
  %q = arith.floordivsi %s, %y : vector<2x2xi32>
  return %q : vector<2x2xi32>
}
// -----
// arith.ceildivui
func.func @arith_ceildivui_i32(%x: i32, %y: i32) -> i32 {
  %k = arith.constant 9 : i32
  %s = arith.addi %k, %x : i32
  %q = arith.ceildivui %s, %y : i32
  return %q : i32
}
// -----
// arith.ceildivui: other types
func.func @arith_ceildivui_i8(%x: i8, %y: i8) -> i8 {
  %k = arith.constant 9 : i8
  %s = arith.addi %k, %x : i8
  %q = arith.ceildivui %s, %y : i8
  return %q : i8
}
func.func @arith_ceildivui_i16(%x: i16, %y: i16) -> i16 {
  %k = arith.constant 9 : i16
  %s = arith.addi %k, %x : i16
  %q = arith.ceildivui %s, %y : i16
  return %q : i16
}
func.func @arith_ceildivui_i64(%x: i64, %y: i64) -> i64 {
  %k = arith.constant 9 : i64
  %s = arith.addi %k, %x : i64
  %q = arith.ceildivui %s, %y : i64
  return %q : i64
}
func.func @arith_ceildivui_index(%x: index, %y: index) -> index {
  %k = arith.constant 9 : index
  %s = arith.addi %k, %x : index
  %q = arith.ceildivui %s, %y : index
  return %q : index
}
func.func @arith_ceildivui_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[5, 9, 13, 16]> : vector<4xi32>
  %s = arith.addi %k, %x : vector<4xi32>
  %q = arith.ceildivui %s, %y : vector<4xi32>
  return %q : vector<4xi32>
}
func.func @arith_ceildivui_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> vector<2xi64> {
  %k = arith.constant dense<[5, 9]> : vector<2xi64>
  %s = arith.addi %k, %x : vector<2xi64>
  %q = arith.ceildivui %s, %y : vector<2xi64>
  return %q : vector<2xi64>
}
func.func @arith_ceildivui_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[5, 9, 13, 16]> : vector<4xindex>
  %s = arith.addi %k, %x : vector<4xindex>
  %q = arith.ceildivui %s, %y : vector<4xindex>
  return %q : vector<4xindex>
}
func.func @arith_ceildivui_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> vector<2x2xi32> {
  %k = arith.constant dense<[[5, 9], [13, 16]]> : vector<2x2xi32>
  %s = arith.addi %k, %x : vector<2x2xi32>
  %q = arith.ceildivui %s, %y : vector<2x2xi32>
  return %q : vector<2x2xi32>
}
// -----
// arith.shli, arith.shrsi, arith.shrui
func.func @arith_shift_i32(%x: i32, %y: i32) -> (i32, i32, i32) {
  %k = arith.constant -9 : i32
  %l = arith.shli %k, %x : i32
  %r = arith.shrsi %k, %y : i32
  %u = arith.shrui %k, %y : i32
  return %l, %r, %u : i32, i32, i32
}
// -----
// arith.shli, arith.shrsi, arith.shrui: other types
func.func @arith_shift_i8(%x: i8, %y: i8) -> (i8, i8, i8) {
  %k = arith.constant -9 : i8
  %l = arith.shli %k, %x : i8
  %r = arith.shrsi %k, %y : i8
  %u = arith.shrui %k, %y : i8
  return %l, %r, %u : i8, i8, i8
}
func.func @arith_shift_i16(%x: i16, %y: i16) -> (i16, i16, i16) {
  %k = arith.constant -9 : i16
  %l = arith.shli %k, %x : i16
  %r = arith.shrsi %k, %y : i16
  %u = arith.shrui %k, %y : i16
  return %l, %r, %u : i16, i16, i16
}
func.func @arith_shift_i64(%x: i64, %y: i64) -> (i64, i64, i64) {
  %k = arith.constant -9 : i64
  %l = arith.shli %k, %x : i64
  %r = arith.shrsi %k, %y : i64
  %u = arith.shrui %k, %y : i64
  return %l, %r, %u : i64, i64, i64
}
func.func @arith_shift_index(%x: index, %y: index) -> (index, index, index) {
  %k = arith.constant -9 : index
  %l = arith.shli %k, %x : index
  %r = arith.shrsi %k, %y : index
  %u = arith.shrui %k, %y : index
  return %l, %r, %u : index, index, index
}
func.func @arith_shift_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xi32>
  %l = arith.shli %k, %x : vector<4xi32>
  %r = arith.shrsi %k, %y : vector<4xi32>
  %u = arith.shrui %k, %y : vector<4xi32>
  return %l, %r, %u : vector<4xi32>, vector<4xi32>, vector<4xi32>
}
func.func @arith_shift_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>, vector<2xi64>) {
  %k = arith.constant dense<[-5, 9]> : vector<2xi64>
  %l = arith.shli %k, %x : vector<2xi64>
  %r = arith.shrsi %k, %y : vector<2xi64>
  %u = arith.shrui %k, %y : vector<2xi64>
  return %l, %r, %u : vector<2xi64>, vector<2xi64>, vector<2xi64>
}
func.func @arith_shift_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> (vector<4xindex>, vector<4xindex>, vector<4xindex>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xindex>
  %l = arith.shli %k, %x : vector<4xindex>
  %r = arith.shrsi %k, %y : vector<4xindex>
  %u = arith.shrui %k, %y : vector<4xindex>
  return %l, %r, %u : vector<4xindex>, vector<4xindex>, vector<4xindex>
}
func.func @arith_shift_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>) {
  %k = arith.constant dense<[[-5, 9], [-13, 16]]> : vector<2x2xi32>
  %l = arith.shli %k, %x : vector<2x2xi32>
  %r = arith.shrsi %k, %y : vector<2x2xi32>
  %u = arith.shrui %k, %y : vector<2x2xi32>
  return %l, %r, %u : vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>
}
// -----
// arith.maxsi, arith.minsi, arith.maxui, arith.minui
func.func @arith_minmax_i32(%x: i32, %y: i32) -> (i32, i32, i32, i32) {
  %k = arith.constant -9 : i32
  %s = arith.maxsi %x, %k : i32
  %n = arith.minsi %y, %k : i32
  %u = arith.maxui %x, %k : i32
  %v = arith.minui %y, %k : i32
  return %s, %n, %u, %v : i32, i32, i32, i32
}
// -----
// arith.maxsi, arith.minsi, arith.maxui, arith.minui: other types
func.func @arith_minmax_i8(%x: i8, %y: i8) -> (i8, i8, i8, i8) {
  %k = arith.constant -9 : i8
  %s = arith.maxsi %x, %k : i8
  %n = arith.minsi %y, %k : i8
  %u = arith.maxui %x, %k : i8
  %v = arith.minui %y, %k : i8
  return %s, %n, %u, %v : i8, i8, i8, i8
}
func.func @arith_minmax_i16(%x: i16, %y: i16) -> (i16, i16, i16, i16) {
  %k = arith.constant -9 : i16
  %s = arith.maxsi %x, %k : i16
  %n = arith.minsi %y, %k : i16
  %u = arith.maxui %x, %k : i16
  %v = arith.minui %y, %k : i16
  return %s, %n, %u, %v : i16, i16, i16, i16
}
func.func @arith_minmax_i64(%x: i64, %y: i64) -> (i64, i64, i64, i64) {
  %k = arith.constant -9 : i64
  %s = arith.maxsi %x, %k : i64
  %n = arith.minsi %y, %k : i64
  %u = arith.maxui %x, %k : i64
  %v = arith.minui %y, %k : i64
  return %s, %n, %u, %v : i64, i64, i64, i64
}
func.func @arith_minmax_index(%x: index, %y: index) -> (index, index, index, index) {
  %k = arith.constant -9 : index
  %s = arith.maxsi %x, %k : index
  %n = arith.minsi %y, %k : index
  %u = arith.maxui %x, %k : index
  %v = arith.minui %y, %k : index
  return %s, %n, %u, %v : index, index, index, index
}
func.func @arith_minmax_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xi32>
  %s = arith.maxsi %x, %k : vector<4xi32>
  %n = arith.minsi %y, %k : vector<4xi32>
  %u = arith.maxui %x, %k : vector<4xi32>
  %v = arith.minui %y, %k : vector<4xi32>
  return %s, %n, %u, %v : vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
}
func.func @arith_minmax_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>, vector<2xi64>, vector<2xi64>) {
  %k = arith.constant dense<[-5, 9]> : vector<2xi64>
  %s = arith.maxsi %x, %k : vector<2xi64>
  %n = arith.minsi %y, %k : vector<2xi64>
  %u = arith.maxui %x, %k : vector<2xi64>
  %v = arith.minui %y, %k : vector<2xi64>
  return %s, %n, %u, %v : vector<2xi64>, vector<2xi64>, vector<2xi64>, vector<2xi64>
}
func.func @arith_minmax_v4index(%x: vector<4xindex>, %y: vector<4xindex>) -> (vector<4xindex>, vector<4xindex>, vector<4xindex>, vector<4xindex>) {
  %k = arith.constant dense<[-5, 9, -13, 16]> : vector<4xindex>
  %s = arith.maxsi %x, %k : vector<4xindex>
  %n = arith.minsi %y, %k : vector<4xindex>
  %u = arith.maxui %x, %k : vector<4xindex>
  %v = arith.minui %y, %k : vector<4xindex>
  return %s, %n, %u, %v : vector<4xindex>, vector<4xindex>, vector<4xindex>, vector<4xindex>
}
func.func @arith_minmax_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>) {
  %k = arith.constant dense<[[-5, 9], [-13, 16]]> : vector<2x2xi32>
  %s = arith.maxsi %x, %k : vector<2x2xi32>
  %n = arith.minsi %y, %k : vector<2x2xi32>
  %u = arith.maxui %x, %k : vector<2x2xi32>
  %v = arith.minui %y, %k : vector<2x2xi32>
  return %s, %n, %u, %v : vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>, vector<2x2xi32>
}
// -----
// arith.addui_extended
func.func @arith_addui_extended_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = arith.constant -1 : i32
  %s = arith.subi %k, %y : i32
  %a, %b = arith.addui_extended %s, %x : i32, i1
  return %a, %b : i32, i1
}
// -----
// arith.addui_extended: other types
func.func @arith_addui_extended_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = arith.constant 1 : i8
  %s = arith.subi %k, %y : i8
  %a, %b = arith.addui_extended %s, %x : i8, i1
  return %a, %b : i8, i1
}
func.func @arith_addui_extended_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %y : i64
  %a, %b = arith.addui_extended %s, %x : i64, i1
  return %a, %b : i64, i1
}
func.func @arith_addui_extended_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = arith.constant dense<[-5, 9, 0, 1]> : vector<4xi32>
  %s = arith.subi %k, %y : vector<4xi32>
  %a, %b = arith.addui_extended %s, %x : vector<4xi32>, vector<4xi1>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
func.func @arith_addui_extended_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi1>) {
  %k = arith.constant dense<[-5, 0]> : vector<2xi64>
  %s = arith.subi %k, %y : vector<2xi64>
  %a, %b = arith.addui_extended %s, %x : vector<2xi64>, vector<2xi1>
  return %a, %b : vector<2xi64>, vector<2xi1>
}
// -----
// arith.addui_extended: of index
// compile: no
func.func @arith_addui_extended_index(%x: index, %y: index) -> (index, i1) {
  %k = arith.constant 1 : index
  %s = arith.subi %k, %y : index
  %a, %b = arith.addui_extended %s, %x : index, i1
  return %a, %b : index, i1
}
// -----
// arith.addui_extended: of vectors of rank 2
// compile: no
func.func @arith_addui_extended_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi1>) {
  %k = arith.constant dense<[[-5, 9], [0, 1]]> : vector<2x2xi32>
  %s = arith.subi %k, %y : vector<2x2xi32>
  %a, %b = arith.addui_extended %s, %x : vector<2x2xi32>, vector<2x2xi1>
  return %a, %b : vector<2x2xi32>, vector<2x2xi1>
}
// -----
// arith.mulsi_extended
func.func @arith_mulsi_extended_i32(%x: i32, %y: i32) -> (i32, i32) {
  %k = arith.constant -9 : i32
  %s = arith.subi %k, %y : i32
  %a, %b = arith.mulsi_extended %s, %x : i32
  return %a, %b : i32, i32
}
// -----
// arith.mulsi_extended: other types
func.func @arith_mulsi_extended_i8(%x: i8, %y: i8) -> (i8, i8) {
  %k = arith.constant 1 : i8
  %s = arith.subi %k, %y : i8
  %a, %b = arith.mulsi_extended %s, %x : i8
  return %a, %b : i8, i8
}
func.func @arith_mulsi_extended_i64(%x: i64, %y: i64) -> (i64, i64) {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %y : i64
  %a, %b = arith.mulsi_extended %s, %x : i64
  return %a, %b : i64, i64
}
func.func @arith_mulsi_extended_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[-5, 9, 0, 1]> : vector<4xi32>
  %s = arith.subi %k, %y : vector<4xi32>
  %a, %b = arith.mulsi_extended %s, %x : vector<4xi32>
  return %a, %b : vector<4xi32>, vector<4xi32>
}
func.func @arith_mulsi_extended_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>) {
  %k = arith.constant dense<[-5, 0]> : vector<2xi64>
  %s = arith.subi %k, %y : vector<2xi64>
  %a, %b = arith.mulsi_extended %s, %x : vector<2xi64>
  return %a, %b : vector<2xi64>, vector<2xi64>
}
// -----
// arith.mulsi_extended: of index
func.func @arith_mulsi_extended_index(%x: index, %y: index) -> (index, index) {
  %k = arith.constant 1 : index
  %s = arith.subi %k, %y : index
  %a, %b = arith.mulsi_extended %s, %x : index
  return %a, %b : index, index
}
// -----
// arith.mulsi_extended: of vectors of rank 2
// compile: no
func.func @arith_mulsi_extended_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>) {
  %k = arith.constant dense<[[-5, 9], [0, 1]]> : vector<2x2xi32>
  %s = arith.subi %k, %y : vector<2x2xi32>
  %a, %b = arith.mulsi_extended %s, %x : vector<2x2xi32>
  return %a, %b : vector<2x2xi32>, vector<2x2xi32>
}
// -----
// arith.mului_extended
func.func @arith_mului_extended_i32(%x: i32, %y: i32) -> (i32, i32) {
  %k = arith.constant -9 : i32
  %s = arith.subi %k, %y : i32
  %a, %b = arith.mului_extended %s, %x : i32
  return %a, %b : i32, i32
}
// -----
// arith.mului_extended: other types
func.func @arith_mului_extended_i8(%x: i8, %y: i8) -> (i8, i8) {
  %k = arith.constant 1 : i8
  %s = arith.subi %k, %y : i8
  %a, %b = arith.mului_extended %s, %x : i8
  return %a, %b : i8, i8
}
func.func @arith_mului_extended_i64(%x: i64, %y: i64) -> (i64, i64) {
  %k = arith.constant -9 : i64
  %s = arith.subi %k, %y : i64
  %a, %b = arith.mului_extended %s, %x : i64
  return %a, %b : i64, i64
}
func.func @arith_mului_extended_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[-5, 9, 0, 1]> : vector<4xi32>
  %s = arith.subi %k, %y : vector<4xi32>
  %a, %b = arith.mului_extended %s, %x : vector<4xi32>
  return %a, %b : vector<4xi32>, vector<4xi32>
}
func.func @arith_mului_extended_v2i64(%x: vector<2xi64>, %y: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>) {
  %k = arith.constant dense<[-5, 0]> : vector<2xi64>
  %s = arith.subi %k, %y : vector<2xi64>
  %a, %b = arith.mului_extended %s, %x : vector<2xi64>
  return %a, %b : vector<2xi64>, vector<2xi64>
}
// -----
// arith.mului_extended: of index
func.func @arith_mului_extended_index(%x: index, %y: index) -> (index, index) {
  %k = arith.constant 1 : index
  %s = arith.subi %k, %y : index
  %a, %b = arith.mului_extended %s, %x : index
  return %a, %b : index, index
}
// -----
// arith.mului_extended: of vectors of rank 2
// compile: no
func.func @arith_mului_extended_v2x2i32(%x: vector<2x2xi32>, %y: vector<2x2xi32>) -> (vector<2x2xi32>, vector<2x2xi32>) {
  %k = arith.constant dense<[[-5, 9], [0, 1]]> : vector<2x2xi32>
  %s = arith.subi %k, %y : vector<2x2xi32>
  %a, %b = arith.mului_extended %s, %x : vector<2x2xi32>
  return %a, %b : vector<2x2xi32>, vector<2x2xi32>
}
// -----
// arith.cmpi
func.func @arith_cmpi_i32(%x: i32) -> (i1, i1, i1, i1, i1) {
  %k = arith.constant -3 : i32
  %c0 = arith.cmpi eq, %x, %k : i32
  %c1 = arith.cmpi ne, %x, %k : i32
  %c2 = arith.cmpi slt, %x, %k : i32
  %c3 = arith.cmpi sle, %x, %k : i32
  %c4 = arith.cmpi sgt, %x, %k : i32
  return %c0, %c1, %c2, %c3, %c4 : i1, i1, i1, i1, i1
}
func.func @arith_cmpi_more_i32(%x: i32) -> (i1, i1, i1, i1, i1) {
  %k = arith.constant -3 : i32
  %c0 = arith.cmpi sge, %x, %k : i32
  %c1 = arith.cmpi ult, %x, %k : i32
  %c2 = arith.cmpi ule, %x, %k : i32
  %c3 = arith.cmpi ugt, %x, %k : i32
  %c4 = arith.cmpi uge, %x, %k : i32
  return %c0, %c1, %c2, %c3, %c4 : i1, i1, i1, i1, i1
}
// -----
// arith.cmpi: other types
func.func @arith_cmpi_i1(%x: i1) -> (i1, i1, i1) {
  %k = arith.constant false
  %c0 = arith.cmpi slt, %x, %k : i1
  %c1 = arith.cmpi uge, %x, %k : i1
  %c2 = arith.cmpi eq, %x, %k : i1
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpi_i8(%x: i8) -> (i1, i1, i1) {
  %k = arith.constant -3 : i8
  %c0 = arith.cmpi slt, %x, %k : i8
  %c1 = arith.cmpi uge, %x, %k : i8
  %c2 = arith.cmpi eq, %x, %k : i8
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpi_i64(%x: i64) -> (i1, i1, i1) {
  %k = arith.constant -3 : i64
  %c0 = arith.cmpi slt, %x, %k : i64
  %c1 = arith.cmpi uge, %x, %k : i64
  %c2 = arith.cmpi eq, %x, %k : i64
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpi_index(%x: index) -> (i1, i1, i1) {
  %k = arith.constant -3 : index
  %c0 = arith.cmpi slt, %x, %k : index
  %c1 = arith.cmpi uge, %x, %k : index
  %c2 = arith.cmpi eq, %x, %k : index
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpi_v4i32(%x: vector<4xi32>) -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %k = arith.constant dense<[-1, 2, 3, -4]> : vector<4xi32>
  %c0 = arith.cmpi slt, %x, %k : vector<4xi32>
  %c1 = arith.cmpi uge, %x, %k : vector<4xi32>
  %c2 = arith.cmpi eq, %x, %k : vector<4xi32>
  return %c0, %c1, %c2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}
func.func @arith_cmpi_v2i64(%x: vector<2xi64>) -> (vector<2xi1>, vector<2xi1>, vector<2xi1>) {
  %k = arith.constant dense<[-1, 2]> : vector<2xi64>
  %c0 = arith.cmpi slt, %x, %k : vector<2xi64>
  %c1 = arith.cmpi uge, %x, %k : vector<2xi64>
  %c2 = arith.cmpi eq, %x, %k : vector<2xi64>
  return %c0, %c1, %c2 : vector<2xi1>, vector<2xi1>, vector<2xi1>
}
func.func @arith_cmpi_v16i8(%x: vector<16xi8>) -> (vector<16xi1>, vector<16xi1>, vector<16xi1>) {
  %k = arith.constant dense<-5> : vector<16xi8>
  %c0 = arith.cmpi slt, %x, %k : vector<16xi8>
  %c1 = arith.cmpi uge, %x, %k : vector<16xi8>
  %c2 = arith.cmpi eq, %x, %k : vector<16xi8>
  return %c0, %c1, %c2 : vector<16xi1>, vector<16xi1>, vector<16xi1>
}
func.func @arith_cmpi_v2x2i32(%x: vector<2x2xi32>) -> (vector<2x2xi1>, vector<2x2xi1>, vector<2x2xi1>) {
  %k = arith.constant dense<[[-1, 2], [3, -4]]> : vector<2x2xi32>
  %c0 = arith.cmpi slt, %x, %k : vector<2x2xi32>
  %c1 = arith.cmpi uge, %x, %k : vector<2x2xi32>
  %c2 = arith.cmpi eq, %x, %k : vector<2x2xi32>
  return %c0, %c1, %c2 : vector<2x2xi1>, vector<2x2xi1>, vector<2x2xi1>
}
func.func @arith_cmpi_v4index(%x: vector<4xindex>) -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %k = arith.constant dense<[-1, 2, 3, -4]> : vector<4xindex>
  %c0 = arith.cmpi slt, %x, %k : vector<4xindex>
  %c1 = arith.cmpi uge, %x, %k : vector<4xindex>
  %c2 = arith.cmpi eq, %x, %k : vector<4xindex>
  return %c0, %c1, %c2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}
func.func @arith_cmpi_v4i1(%x: vector<4xi1>) -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %k = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %c0 = arith.cmpi slt, %x, %k : vector<4xi1>
  %c1 = arith.cmpi uge, %x, %k : vector<4xi1>
  %c2 = arith.cmpi eq, %x, %k : vector<4xi1>
  return %c0, %c1, %c2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}
// -----
// arith.extsi, arith.extui, arith.trunci
func.func @arith_extend(%x: i8) -> (i32, i32) {
  %k = arith.constant 120 : i8
  %s = arith.muli %x, %k : i8
  %a = arith.extsi %s : i8 to i32
  %b = arith.extui %s : i8 to i32
  return %a, %b : i32, i32
}
func.func @arith_truncate(%x: i32) -> i8 {
  %k = arith.constant 12345 : i32
  %s = arith.muli %x, %k : i32
  %t = arith.trunci %s : i32 to i8
  return %t : i8
}
// -----
// arith.extsi, arith.extui, arith.trunci: other types
func.func @arith_extend_i1(%x: i1) -> (i32, i64) {
  %a = arith.extsi %x : i1 to i32
  %b = arith.extui %x : i1 to i64
  return %a, %b : i32, i64
}
func.func @arith_extend_i128(%x: i64) -> (i64, i64) {
  %k = arith.constant -3 : i64
  %s = arith.muli %x, %k : i64
  %a = arith.extsi %s : i64 to i128
  %b = arith.extui %s : i64 to i128
  %at = arith.constant 64 : i128
  %c = arith.shrui %a, %at : i128
  %d = arith.shrui %b, %at : i128
  %e = arith.trunci %c : i128 to i64
  %f = arith.trunci %d : i128 to i64
  return %e, %f : i64, i64
}
func.func @arith_extend_vector(%x: vector<4xi8>) -> (vector<4xi32>, vector<4xi16>) {
  %k = arith.constant dense<[120, -1, 3, 64]> : vector<4xi8>
  %s = arith.muli %x, %k : vector<4xi8>
  %a = arith.extsi %s : vector<4xi8> to vector<4xi32>
  %b = arith.extui %s : vector<4xi8> to vector<4xi16>
  return %a, %b : vector<4xi32>, vector<4xi16>
}
func.func @arith_extend_vector_i1(%x: vector<4xi1>) -> (vector<4xi32>, vector<4xi8>) {
  %k = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %s = arith.andi %x, %k : vector<4xi1>
  %a = arith.extsi %s : vector<4xi1> to vector<4xi32>
  %b = arith.extui %s : vector<4xi1> to vector<4xi8>
  return %a, %b : vector<4xi32>, vector<4xi8>
}
func.func @arith_truncate_vector(%x: vector<2x2xi64>) -> (vector<2x2xi32>, vector<2x2xi1>) {
  %k = arith.constant dense<[[3, 5000000000], [-1, 7]]> : vector<2x2xi64>
  %s = arith.addi %x, %k : vector<2x2xi64>
  %a = arith.trunci %s : vector<2x2xi64> to vector<2x2xi32>
  %b = arith.trunci %s : vector<2x2xi64> to vector<2x2xi1>
  return %a, %b : vector<2x2xi32>, vector<2x2xi1>
}
func.func @arith_truncate_flags(%x: i64) -> (i8, i8) {
  %a = arith.trunci %x overflow<nsw, nuw> : i64 to i8
  %b = arith.trunci %x overflow<nuw> : i64 to i8
  return %a, %b : i8, i8
}
// -----
// arith.index_cast, arith.index_castui: of numbers
func.func @arith_index_cast(%x: i32, %i: index) -> (index, index, i32, i32) {
  %k = arith.constant -3 : i32
  %s = arith.muli %x, %k : i32
  %a = arith.index_cast %s : i32 to index
  %b = arith.index_castui %s : i32 to index
  %c = arith.index_cast %i : index to i32
  %d = arith.index_castui %i : index to i32
  return %a, %b, %c, %d : index, index, i32, i32
}
func.func @arith_index_cast_vector(%x: vector<4xi8>, %i: vector<4xindex>) -> (vector<4xindex>, vector<4xindex>, vector<4xi64>) {
  %k = arith.constant dense<[1, -3, 60, 100]> : vector<4xi8>
  %s = arith.muli %x, %k : vector<4xi8>
  %a = arith.index_cast %s : vector<4xi8> to vector<4xindex>
  %b = arith.index_castui %s : vector<4xi8> to vector<4xindex>
  %c = arith.index_cast %i : vector<4xindex> to vector<4xi64>
  return %a, %b, %c : vector<4xindex>, vector<4xindex>, vector<4xi64>
}
// -----
// arith.select: of numbers
func.func @arith_select(%c: i1, %x: f32, %i: index) -> (f32, index) {
  %k = arith.constant 9.0 : f32
  %j = arith.constant 9 : index
  %a = arith.select %c, %x, %k : f32
  %b = arith.select %c, %j, %i : index
  return %a, %b : f32, index
}
func.func @arith_select_vector(%c: vector<4xi1>, %x: vector<4xf32>, %one: i1) -> (vector<4xf32>, vector<4xf32>) {
  %m = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %k = arith.constant dense<9.0> : vector<4xf32>
  %d = arith.andi %c, %m : vector<4xi1>
  %a = arith.select %d, %x, %k : vector<4xi1>, vector<4xf32>
  %b = arith.select %one, %a, %k : vector<4xf32>
  return %a, %b : vector<4xf32>, vector<4xf32>
}
func.func @arith_select_complex(%c: i1, %x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %a = arith.select %c, %x, %y : complex<f32>
  return %a : complex<f32>
}
// -----
// arith.bitcast: of numbers
func.func @arith_bitcast(%x: f32, %y: i64, %h: f16, %b: bf16) -> (i32, f64, i16, i16) {
  %a = arith.bitcast %x : f32 to i32
  %c = arith.bitcast %y : i64 to f64
  %d = arith.bitcast %h : f16 to i16
  %e = arith.bitcast %b : bf16 to i16
  return %a, %c, %d, %e : i32, f64, i16, i16
}
func.func @arith_bitcast_vector(%x: vector<4xf32>) -> vector<4xi32> {
  %a = arith.bitcast %x : vector<4xf32> to vector<4xi32>
  return %a : vector<4xi32>
}
// -----
// arith.constant: of vectors and complex numbers
func.func @arith_constants(%x: i1) -> (vector<4xf32>, complex<f32>, vector<2x2xi8>) {
  %a = arith.constant dense<[1.0, -2.5, 3.0, 0.0]> : vector<4xf32>
  %b = arith.constant dense<-1.0> : vector<4xf32>
  %s = arith.select %x, %a, %b : vector<4xf32>
  %c = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %d = arith.constant dense<[[1, 2], [3, -4]]> : vector<2x2xi8>
  return %s, %c, %d : vector<4xf32>, complex<f32>, vector<2x2xi8>
}
// -----
// arith.addf, arith.subf, arith.mulf, arith.divf, arith.negf
func.func @arith_field_f32(%x: f32, %y: f32) -> f32 {
  %k = arith.constant 2.5 : f32
  %s = arith.addf %x, %k : f32
  %p = arith.mulf %s, %y : f32
  %d = arith.subf %p, %k : f32
  %q = arith.divf %d, %y : f32
  %n = arith.negf %q : f32
  return %n : f32
}
// -----
// arith.addf, arith.subf, arith.mulf, arith.divf, arith.negf: other types
func.func @arith_field_f16(%x: f16, %y: f16) -> f16 {
  %k = arith.constant 2.5 : f16
  %s = arith.addf %x, %k : f16
  %p = arith.mulf %s, %y : f16
  %d = arith.subf %p, %k : f16
  %q = arith.divf %d, %y : f16
  %n = arith.negf %q : f16
  return %n : f16
}
func.func @arith_field_bf16(%x: bf16, %y: bf16) -> bf16 {
  %k = arith.constant 2.5 : bf16
  %s = arith.addf %x, %k : bf16
  %p = arith.mulf %s, %y : bf16
  %d = arith.subf %p, %k : bf16
  %q = arith.divf %d, %y : bf16
  %n = arith.negf %q : bf16
  return %n : bf16
}
func.func @arith_field_f64(%x: f64, %y: f64) -> f64 {
  %k = arith.constant 2.5 : f64
  %s = arith.addf %x, %k : f64
  %p = arith.mulf %s, %y : f64
  %d = arith.subf %p, %k : f64
  %q = arith.divf %d, %y : f64
  %n = arith.negf %q : f64
  return %n : f64
}
func.func @arith_field_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %p = arith.mulf %s, %y : vector<4xf32>
  %d = arith.subf %p, %k : vector<4xf32>
  %q = arith.divf %d, %y : vector<4xf32>
  %n = arith.negf %q : vector<4xf32>
  return %n : vector<4xf32>
}
func.func @arith_field_v2f64(%x: vector<2xf64>, %y: vector<2xf64>) -> vector<2xf64> {
  %k = arith.constant dense<[0.5, -2.5]> : vector<2xf64>
  %s = arith.addf %x, %k : vector<2xf64>
  %p = arith.mulf %s, %y : vector<2xf64>
  %d = arith.subf %p, %k : vector<2xf64>
  %q = arith.divf %d, %y : vector<2xf64>
  %n = arith.negf %q : vector<2xf64>
  return %n : vector<2xf64>
}
func.func @arith_field_v8f16(%x: vector<8xf16>, %y: vector<8xf16>) -> vector<8xf16> {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xf16>
  %s = arith.addf %x, %k : vector<8xf16>
  %p = arith.mulf %s, %y : vector<8xf16>
  %d = arith.subf %p, %k : vector<8xf16>
  %q = arith.divf %d, %y : vector<8xf16>
  %n = arith.negf %q : vector<8xf16>
  return %n : vector<8xf16>
}
func.func @arith_field_v8bf16(%x: vector<8xbf16>, %y: vector<8xbf16>) -> vector<8xbf16> {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xbf16>
  %s = arith.addf %x, %k : vector<8xbf16>
  %p = arith.mulf %s, %y : vector<8xbf16>
  %d = arith.subf %p, %k : vector<8xbf16>
  %q = arith.divf %d, %y : vector<8xbf16>
  %n = arith.negf %q : vector<8xbf16>
  return %n : vector<8xbf16>
}
func.func @arith_field_v2x2f32(%x: vector<2x2xf32>, %y: vector<2x2xf32>) -> vector<2x2xf32> {
  %k = arith.constant dense<[[0.5, -2.5], [3.0, 8.0]]> : vector<2x2xf32>
  %s = arith.addf %x, %k : vector<2x2xf32>
  %p = arith.mulf %s, %y : vector<2x2xf32>
  %d = arith.subf %p, %k : vector<2x2xf32>
  %q = arith.divf %d, %y : vector<2x2xf32>
  %n = arith.negf %q : vector<2x2xf32>
  return %n : vector<2x2xf32>
}
// -----
// arith.addf, arith.subf, arith.mulf, arith.divf, arith.negf: fast math
func.func @arith_field_fast_f32(%x: f32, %y: f32) -> f32 {
  %k = arith.constant 2.5 : f32
  %s = arith.addf %x, %k fastmath<fast> : f32
  %p = arith.mulf %s, %y fastmath<fast> : f32
  %d = arith.subf %p, %k fastmath<fast> : f32
  %q = arith.divf %d, %y fastmath<fast> : f32
  %n = arith.negf %q fastmath<fast> : f32
  return %n : f32
}
func.func @arith_field_contract_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<2.5> : vector<4xf32>
  %s = arith.addf %x, %k fastmath<contract, nnan> : vector<4xf32>
  %p = arith.mulf %s, %y fastmath<contract, nnan> : vector<4xf32>
  %d = arith.subf %p, %k fastmath<contract, nnan> : vector<4xf32>
  %q = arith.divf %d, %y fastmath<contract, nnan> : vector<4xf32>
  %n = arith.negf %q fastmath<contract, nnan> : vector<4xf32>
  return %n : vector<4xf32>
}
// -----
// arith.addf, arith.mulf, arith.divf, arith.extf, arith.truncf: f80
func.func @arith_field_f80(%x: f64, %y: f64) -> f64 {
  %a = arith.extf %x : f64 to f80
  %b = arith.extf %y : f64 to f80
  %k = arith.constant 2.5 : f80
  %s = arith.addf %a, %k : f80
  %p = arith.mulf %s, %b : f80
  %q = arith.divf %p, %k : f80
  %r = arith.truncf %q : f80 to f64
  return %r : f64
}
// -----
// arith.addf, arith.mulf, arith.divf, arith.extf, arith.truncf: f128
func.func @arith_field_f128(%x: f64, %y: f64) -> f64 {
  %a = arith.extf %x : f64 to f128
  %b = arith.extf %y : f64 to f128
  %k = arith.constant 2.5 : f128
  %s = arith.addf %a, %k : f128
  %p = arith.mulf %s, %b : f128
  %q = arith.divf %p, %k : f128
  %r = arith.truncf %q : f128 to f64
  return %r : f64
}
// -----
// arith.addf, arith.mulf, arith.negf: of f8E5M2
// compile: no
func.func @arith_field_f8(%x: f32) -> f32 {
  %t = arith.truncf %x : f32 to f8E5M2
  %s = arith.addf %t, %t : f8E5M2
  %p = arith.mulf %s, %t : f8E5M2
  %n = arith.negf %p : f8E5M2
  %r = arith.extf %n : f8E5M2 to f32
  return %r : f32
}
// -----
// arith.maximumf, arith.minimumf, arith.maxnumf, arith.minnumf
func.func @arith_fminmax_f32(%x: f32, %y: f32) -> (f32, f32, f32, f32) {
  %k = arith.constant -2.5 : f32
  %a = arith.maximumf %x, %k : f32
  %b = arith.minimumf %y, %k : f32
  %c = arith.maxnumf %x, %k : f32
  %d = arith.minnumf %y, %k : f32
  return %a, %b, %c, %d : f32, f32, f32, f32
}
// -----
// arith.maximumf, arith.minimumf, arith.maxnumf, arith.minnumf: other types
func.func @arith_fminmax_f16(%x: f16, %y: f16) -> (f16, f16, f16, f16) {
  %k = arith.constant 2.5 : f16
  %a = arith.maximumf %x, %k : f16
  %b = arith.minimumf %y, %k : f16
  %c = arith.maxnumf %x, %k : f16
  %d = arith.minnumf %y, %k : f16
  return %a, %b, %c, %d : f16, f16, f16, f16
}
func.func @arith_fminmax_bf16(%x: bf16, %y: bf16) -> (bf16, bf16, bf16, bf16) {
  %k = arith.constant 2.5 : bf16
  %a = arith.maximumf %x, %k : bf16
  %b = arith.minimumf %y, %k : bf16
  %c = arith.maxnumf %x, %k : bf16
  %d = arith.minnumf %y, %k : bf16
  return %a, %b, %c, %d : bf16, bf16, bf16, bf16
}
func.func @arith_fminmax_f64(%x: f64, %y: f64) -> (f64, f64, f64, f64) {
  %k = arith.constant 2.5 : f64
  %a = arith.maximumf %x, %k : f64
  %b = arith.minimumf %y, %k : f64
  %c = arith.maxnumf %x, %k : f64
  %d = arith.minnumf %y, %k : f64
  return %a, %b, %c, %d : f64, f64, f64, f64
}
func.func @arith_fminmax_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0]> : vector<4xf32>
  %a = arith.maximumf %x, %k : vector<4xf32>
  %b = arith.minimumf %y, %k : vector<4xf32>
  %c = arith.maxnumf %x, %k : vector<4xf32>
  %d = arith.minnumf %y, %k : vector<4xf32>
  return %a, %b, %c, %d : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}
func.func @arith_fminmax_v2f64(%x: vector<2xf64>, %y: vector<2xf64>) -> (vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>) {
  %k = arith.constant dense<[0.5, -2.5]> : vector<2xf64>
  %a = arith.maximumf %x, %k : vector<2xf64>
  %b = arith.minimumf %y, %k : vector<2xf64>
  %c = arith.maxnumf %x, %k : vector<2xf64>
  %d = arith.minnumf %y, %k : vector<2xf64>
  return %a, %b, %c, %d : vector<2xf64>, vector<2xf64>, vector<2xf64>, vector<2xf64>
}
func.func @arith_fminmax_v8f16(%x: vector<8xf16>, %y: vector<8xf16>) -> (vector<8xf16>, vector<8xf16>, vector<8xf16>, vector<8xf16>) {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xf16>
  %a = arith.maximumf %x, %k : vector<8xf16>
  %b = arith.minimumf %y, %k : vector<8xf16>
  %c = arith.maxnumf %x, %k : vector<8xf16>
  %d = arith.minnumf %y, %k : vector<8xf16>
  return %a, %b, %c, %d : vector<8xf16>, vector<8xf16>, vector<8xf16>, vector<8xf16>
}
func.func @arith_fminmax_v8bf16(%x: vector<8xbf16>, %y: vector<8xbf16>) -> (vector<8xbf16>, vector<8xbf16>, vector<8xbf16>, vector<8xbf16>) {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xbf16>
  %a = arith.maximumf %x, %k : vector<8xbf16>
  %b = arith.minimumf %y, %k : vector<8xbf16>
  %c = arith.maxnumf %x, %k : vector<8xbf16>
  %d = arith.minnumf %y, %k : vector<8xbf16>
  return %a, %b, %c, %d : vector<8xbf16>, vector<8xbf16>, vector<8xbf16>, vector<8xbf16>
}
func.func @arith_fminmax_v2x2f32(%x: vector<2x2xf32>, %y: vector<2x2xf32>) -> (vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>) {
  %k = arith.constant dense<[[0.5, -2.5], [3.0, 8.0]]> : vector<2x2xf32>
  %a = arith.maximumf %x, %k : vector<2x2xf32>
  %b = arith.minimumf %y, %k : vector<2x2xf32>
  %c = arith.maxnumf %x, %k : vector<2x2xf32>
  %d = arith.minnumf %y, %k : vector<2x2xf32>
  return %a, %b, %c, %d : vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>
}
// -----
// arith.maximumf, arith.minimumf, arith.maxnumf, arith.minnumf: of NaN
func.func @arith_fminmax_nan(%x: f32, %y: f32) -> (i1, i1, f32, f32) {
  %k = arith.constant 0x7FC00000 : f32
  %a = arith.maximumf %x, %k : f32
  %b = arith.minimumf %y, %k : f32
  %an = arith.cmpf uno, %a, %y : f32
  %bn = arith.cmpf uno, %b, %x : f32
  %c = arith.maxnumf %x, %k : f32
  %d = arith.minnumf %y, %k : f32
  return %an, %bn, %c, %d : i1, i1, f32, f32
}
// -----
// arith.remf
func.func @arith_remf_f32(%x: f32, %y: f32) -> f32 {
  %k = arith.constant -7.25 : f32
  %s = arith.addf %x, %k : f32
  %r = arith.remf %s, %y : f32
  return %r : f32
}
// -----
// arith.remf: other types
func.func @arith_remf_f16(%x: f16, %y: f16) -> f16 {
  %k = arith.constant 2.5 : f16
  %s = arith.addf %x, %k : f16
  %r = arith.remf %s, %y : f16
  return %r : f16
}
func.func @arith_remf_bf16(%x: bf16, %y: bf16) -> bf16 {
  %k = arith.constant 2.5 : bf16
  %s = arith.addf %x, %k : bf16
  %r = arith.remf %s, %y : bf16
  return %r : bf16
}
func.func @arith_remf_f64(%x: f64, %y: f64) -> f64 {
  %k = arith.constant 2.5 : f64
  %s = arith.addf %x, %k : f64
  %r = arith.remf %s, %y : f64
  return %r : f64
}
func.func @arith_remf_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = arith.remf %s, %y : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @arith_remf_v2f64(%x: vector<2xf64>, %y: vector<2xf64>) -> vector<2xf64> {
  %k = arith.constant dense<[0.5, -2.5]> : vector<2xf64>
  %s = arith.addf %x, %k : vector<2xf64>
  %r = arith.remf %s, %y : vector<2xf64>
  return %r : vector<2xf64>
}
func.func @arith_remf_v8f16(%x: vector<8xf16>, %y: vector<8xf16>) -> vector<8xf16> {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xf16>
  %s = arith.addf %x, %k : vector<8xf16>
  %r = arith.remf %s, %y : vector<8xf16>
  return %r : vector<8xf16>
}
func.func @arith_remf_v8bf16(%x: vector<8xbf16>, %y: vector<8xbf16>) -> vector<8xbf16> {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xbf16>
  %s = arith.addf %x, %k : vector<8xbf16>
  %r = arith.remf %s, %y : vector<8xbf16>
  return %r : vector<8xbf16>
}
func.func @arith_remf_v2x2f32(%x: vector<2x2xf32>, %y: vector<2x2xf32>) -> vector<2x2xf32> {
  %k = arith.constant dense<[[0.5, -2.5], [3.0, 8.0]]> : vector<2x2xf32>
  %s = arith.addf %x, %k : vector<2x2xf32>
  %r = arith.remf %s, %y : vector<2x2xf32>
  return %r : vector<2x2xf32>
}
// -----
// arith.cmpf
func.func @arith_cmpf_ordered(%x: f32) -> (i1, i1, i1, i1, i1, i1, i1) {
  %k = arith.constant -3.0 : f32
  %c0 = arith.cmpf oeq, %x, %k : f32
  %c1 = arith.cmpf ogt, %x, %k : f32
  %c2 = arith.cmpf oge, %x, %k : f32
  %c3 = arith.cmpf olt, %x, %k : f32
  %c4 = arith.cmpf ole, %x, %k : f32
  %c5 = arith.cmpf one, %x, %k : f32
  %c6 = arith.cmpf ord, %x, %k : f32
  return %c0, %c1, %c2, %c3, %c4, %c5, %c6 : i1, i1, i1, i1, i1, i1, i1
}
func.func @arith_cmpf_unordered(%x: f32) -> (i1, i1, i1, i1, i1, i1, i1) {
  %k = arith.constant 1.5 : f32
  %c0 = arith.cmpf ueq, %x, %k : f32
  %c1 = arith.cmpf ugt, %x, %k : f32
  %c2 = arith.cmpf uge, %x, %k : f32
  %c3 = arith.cmpf ult, %x, %k : f32
  %c4 = arith.cmpf ule, %x, %k : f32
  %c5 = arith.cmpf une, %x, %k : f32
  %c6 = arith.cmpf uno, %x, %k : f32
  return %c0, %c1, %c2, %c3, %c4, %c5, %c6 : i1, i1, i1, i1, i1, i1, i1
}
func.func @arith_cmpf_nan(%x: f32) -> (i1, i1, i1, i1, i1) {
  %k = arith.constant 0x7FC00000 : f32
  %c0 = arith.cmpf oeq, %x, %k : f32
  %c1 = arith.cmpf ord, %x, %k : f32
  %c2 = arith.cmpf ult, %x, %k : f32
  %c3 = arith.cmpf uno, %x, %k : f32
  %c4 = arith.cmpf une, %x, %k : f32
  return %c0, %c1, %c2, %c3, %c4 : i1, i1, i1, i1, i1
}
func.func @arith_cmpf_constant(%x: f32) -> (i1, i1) {
  %k = arith.constant 1.0 : f32
  %c0 = arith.cmpf false, %x, %k : f32
  %c1 = arith.cmpf true, %x, %k : f32
  return %c0, %c1 : i1, i1
}
// -----
// arith.cmpf: other types
func.func @arith_cmpf_f16(%x: f16) -> (i1, i1, i1) {
  %k = arith.constant 2.5 : f16
  %c0 = arith.cmpf olt, %x, %k : f16
  %c1 = arith.cmpf une, %x, %k : f16
  %c2 = arith.cmpf ueq, %x, %k : f16
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpf_bf16(%x: bf16) -> (i1, i1, i1) {
  %k = arith.constant 2.5 : bf16
  %c0 = arith.cmpf olt, %x, %k : bf16
  %c1 = arith.cmpf une, %x, %k : bf16
  %c2 = arith.cmpf ueq, %x, %k : bf16
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpf_f64(%x: f64) -> (i1, i1, i1) {
  %k = arith.constant 2.5 : f64
  %c0 = arith.cmpf olt, %x, %k : f64
  %c1 = arith.cmpf une, %x, %k : f64
  %c2 = arith.cmpf ueq, %x, %k : f64
  return %c0, %c1, %c2 : i1, i1, i1
}
func.func @arith_cmpf_v4f32(%x: vector<4xf32>) -> (vector<4xi1>, vector<4xi1>, vector<4xi1>) {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0]> : vector<4xf32>
  %c0 = arith.cmpf olt, %x, %k : vector<4xf32>
  %c1 = arith.cmpf une, %x, %k : vector<4xf32>
  %c2 = arith.cmpf ueq, %x, %k : vector<4xf32>
  return %c0, %c1, %c2 : vector<4xi1>, vector<4xi1>, vector<4xi1>
}
func.func @arith_cmpf_v2f64(%x: vector<2xf64>) -> (vector<2xi1>, vector<2xi1>, vector<2xi1>) {
  %k = arith.constant dense<[0.5, -2.5]> : vector<2xf64>
  %c0 = arith.cmpf olt, %x, %k : vector<2xf64>
  %c1 = arith.cmpf une, %x, %k : vector<2xf64>
  %c2 = arith.cmpf ueq, %x, %k : vector<2xf64>
  return %c0, %c1, %c2 : vector<2xi1>, vector<2xi1>, vector<2xi1>
}
func.func @arith_cmpf_v8f16(%x: vector<8xf16>) -> (vector<8xi1>, vector<8xi1>, vector<8xi1>) {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xf16>
  %c0 = arith.cmpf olt, %x, %k : vector<8xf16>
  %c1 = arith.cmpf une, %x, %k : vector<8xf16>
  %c2 = arith.cmpf ueq, %x, %k : vector<8xf16>
  return %c0, %c1, %c2 : vector<8xi1>, vector<8xi1>, vector<8xi1>
}
func.func @arith_cmpf_v8bf16(%x: vector<8xbf16>) -> (vector<8xi1>, vector<8xi1>, vector<8xi1>) {
  %k = arith.constant dense<[0.5, -2.5, 3.0, 8.0, 1.0, 2.0, -3.0, 4.5]> : vector<8xbf16>
  %c0 = arith.cmpf olt, %x, %k : vector<8xbf16>
  %c1 = arith.cmpf une, %x, %k : vector<8xbf16>
  %c2 = arith.cmpf ueq, %x, %k : vector<8xbf16>
  return %c0, %c1, %c2 : vector<8xi1>, vector<8xi1>, vector<8xi1>
}
func.func @arith_cmpf_v2x2f32(%x: vector<2x2xf32>) -> (vector<2x2xi1>, vector<2x2xi1>, vector<2x2xi1>) {
  %k = arith.constant dense<[[0.5, -2.5], [3.0, 8.0]]> : vector<2x2xf32>
  %c0 = arith.cmpf olt, %x, %k : vector<2x2xf32>
  %c1 = arith.cmpf une, %x, %k : vector<2x2xf32>
  %c2 = arith.cmpf ueq, %x, %k : vector<2x2xf32>
  return %c0, %c1, %c2 : vector<2x2xi1>, vector<2x2xi1>, vector<2x2xi1>
}
// -----
// arith.extf, arith.truncf
func.func @arith_extf(%x: f32) -> f64 {
  %k = arith.constant 0.3 : f32
  %s = arith.addf %x, %k : f32
  %a = arith.extf %s : f32 to f64
  return %a : f64
}
func.func @arith_truncf(%x: f64) -> f32 {
  %k = arith.constant 0.3 : f64
  %s = arith.addf %x, %k : f64
  %a = arith.truncf %s : f64 to f32
  return %a : f32
}
// -----
// arith.extf, arith.truncf: f16
func.func @arith_extf_f16(%x: f16) -> f32 {
  %k = arith.constant 0.3 : f16
  %s = arith.addf %x, %k : f16
  %a = arith.extf %s : f16 to f32
  return %a : f32
}
func.func @arith_extf_f16_f64(%x: f16) -> f64 {
  %k = arith.constant 0.3 : f16
  %s = arith.addf %x, %k : f16
  %a = arith.extf %s : f16 to f64
  return %a : f64
}
func.func @arith_truncf_f16(%x: f32) -> f16 {
  %k = arith.constant 0.3 : f32
  %s = arith.addf %x, %k : f32
  %a = arith.truncf %s : f32 to f16
  return %a : f16
}
func.func @arith_truncf_f64_f16(%x: f64) -> f16 {
  %k = arith.constant 0.3 : f64
  %s = arith.addf %x, %k : f64
  %a = arith.truncf %s : f64 to f16
  return %a : f16
}
// -----
// arith.extf, arith.truncf: bf16
func.func @arith_extf_bf16(%x: bf16) -> f32 {
  %k = arith.constant 0.3 : bf16
  %s = arith.addf %x, %k : bf16
  %a = arith.extf %s : bf16 to f32
  return %a : f32
}
func.func @arith_extf_bf16_f64(%x: bf16) -> f64 {
  %k = arith.constant 0.3 : bf16
  %s = arith.addf %x, %k : bf16
  %a = arith.extf %s : bf16 to f64
  return %a : f64
}
func.func @arith_truncf_bf16(%x: f32) -> bf16 {
  %k = arith.constant 0.3 : f32
  %s = arith.addf %x, %k : f32
  %a = arith.truncf %s : f32 to bf16
  return %a : bf16
}
func.func @arith_truncf_f64_bf16(%x: f64) -> bf16 {
  %k = arith.constant 0.3 : f64
  %s = arith.addf %x, %k : f64
  %a = arith.truncf %s : f64 to bf16
  return %a : bf16
}
// -----
// arith.extf, arith.truncf: vectors
func.func @arith_extf_vector(%x: vector<4xf32>) -> vector<4xf64> {
  %k = arith.constant dense<[0.3, 1.0, -1.0, 2.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %a = arith.extf %s : vector<4xf32> to vector<4xf64>
  return %a : vector<4xf64>
}
func.func @arith_truncf_vector(%x: vector<4xf64>) -> vector<4xf32> {
  %k = arith.constant dense<[0.3, 1.0, -1.0, 2.0]> : vector<4xf64>
  %s = arith.addf %x, %k : vector<4xf64>
  %a = arith.truncf %s : vector<4xf64> to vector<4xf32>
  return %a : vector<4xf32>
}
func.func @arith_extf_vector_bf16(%x: vector<2x4xbf16>) -> vector<2x4xf32> {
  %k = arith.constant dense<0.3> : vector<2x4xbf16>
  %s = arith.addf %x, %k : vector<2x4xbf16>
  %a = arith.extf %s : vector<2x4xbf16> to vector<2x4xf32>
  return %a : vector<2x4xf32>
}
func.func @arith_truncf_vector_f16(%x: vector<4xf32>) -> vector<4xf16> {
  %k = arith.constant dense<[0.3, 1.0, -1.0, 2.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %a = arith.truncf %s : vector<4xf32> to vector<4xf16>
  return %a : vector<4xf16>
}
func.func @arith_truncf_vector_bf16(%x: vector<4xf32>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.3, 1.0, -1.0, 2.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %a = arith.truncf %s : vector<4xf32> to vector<4xbf16>
  return %a : vector<4xbf16>
}
// -----
// arith.truncf: rounding modes
func.func @arith_truncf_rounding(%x: f64) -> (f32, f32, f32) {
  %k = arith.constant 0.3 : f64
  %s = arith.addf %x, %k : f64
  %a = arith.truncf %s to_nearest_even : f64 to f32
  %b = arith.truncf %s upward : f64 to f32
  %c = arith.truncf %s toward_zero : f64 to f32
  return %a, %b, %c : f32, f32, f32
}
// -----
// arith.extf, arith.truncf: f8E5M2
// compile: no
func.func @arith_truncf_f8E5M2(%x: f32) -> i8 {
  %k = arith.constant 2.0 : f32
  %s = arith.mulf %x, %k : f32
  %t = arith.truncf %s : f32 to f8E5M2
  %b = arith.bitcast %t : f8E5M2 to i8
  return %b : i8
}
func.func @arith_extf_f8E5M2(%x: i8) -> f32 {
  %k = arith.constant 60 : i8
  %s = arith.addi %x, %k : i8
  %b = arith.bitcast %s : i8 to f8E5M2
  %r = arith.extf %b : f8E5M2 to f32
  return %r : f32
}
// -----
// arith.extf, arith.truncf: f8E4M3FN
// compile: no
func.func @arith_truncf_f8E4M3FN(%x: f32) -> i8 {
  %k = arith.constant 2.0 : f32
  %s = arith.mulf %x, %k : f32
  %t = arith.truncf %s : f32 to f8E4M3FN
  %b = arith.bitcast %t : f8E4M3FN to i8
  return %b : i8
}
func.func @arith_extf_f8E4M3FN(%x: i8) -> f32 {
  %k = arith.constant 60 : i8
  %s = arith.addi %x, %k : i8
  %b = arith.bitcast %s : i8 to f8E4M3FN
  %r = arith.extf %b : f8E4M3FN to f32
  return %r : f32
}
// -----
// arith.extf, arith.truncf: f8E8M0FNU
func.func @arith_truncf_f8E8M0FNU(%x: f32) -> i8 {
  %k = arith.constant 0.5 : f32
  %s = arith.addf %x, %k : f32
  %t = arith.truncf %s : f32 to f8E8M0FNU
  %b = arith.bitcast %t : f8E8M0FNU to i8
  return %b : i8
}
func.func @arith_extf_f8E8M0FNU(%x: i8) -> f32 {
  %k = arith.constant 60 : i8
  %s = arith.addi %x, %k : i8
  %b = arith.bitcast %s : i8 to f8E8M0FNU
  %r = arith.extf %b : f8E8M0FNU to f32
  return %r : f32
}
// -----
// arith.extf, arith.truncf: f4E2M1FN
func.func @arith_truncf_f4E2M1FN(%x: f32) -> i8 {
  %k = arith.constant 2.0 : f32
  %s = arith.mulf %x, %k : f32
  %t = arith.truncf %s : f32 to f4E2M1FN
  %b = arith.bitcast %t : f4E2M1FN to i4
  %r = arith.extui %b : i4 to i8
  return %r : i8
}
func.func @arith_extf_f4E2M1FN(%x: i8) -> f32 {
  %s = arith.trunci %x : i8 to i4
  %b = arith.bitcast %s : i4 to f4E2M1FN
  %r = arith.extf %b : f4E2M1FN to f32
  return %r : f32
}
// -----
// arith.scaling_extf
func.func @arith_scaling_extf(%x: i8) -> f32 {
  %k = arith.constant 126 : i8
  %s = arith.addi %x, %k : i8
  %scale = arith.bitcast %s : i8 to f8E8M0FNU
  %n = arith.trunci %x : i8 to i4
  %in = arith.bitcast %n : i4 to f4E2M1FN
  %r = arith.scaling_extf %in, %scale : f4E2M1FN, f8E8M0FNU to f32
  return %r : f32
}
// -----
// arith.scaling_extf: of numbers that are no f8E8M0FNU
func.func @arith_scaling_extf_f32(%x: f16, %y: f32) -> f32 {
  %k = arith.constant 0.3 : f16
  %in = arith.addf %x, %k : f16
  %half = arith.constant 0.5 : f32
  %scale = arith.addf %y, %half : f32
  %r = arith.scaling_extf %in, %scale : f16, f32 to f32
  return %r : f32
}
// -----
// arith.scaling_truncf
func.func @arith_scaling_truncf(%x: f32, %e: i8) -> i8 {
  %k = arith.constant 126 : i8
  %s = arith.addi %e, %k : i8
  %scale = arith.bitcast %s : i8 to f8E8M0FNU
  %four = arith.constant 4.0 : f32
  %in = arith.mulf %x, %four : f32
  %t = arith.scaling_truncf %in, %scale : f32, f8E8M0FNU to f4E2M1FN
  %n = arith.bitcast %t : f4E2M1FN to i4
  %r = arith.extui %n : i4 to i8
  return %r : i8
}
// -----
// arith.scaling_truncf: of numbers that are no f8E8M0FNU
func.func @arith_scaling_truncf_f32(%x: f32, %y: f32) -> f16 {
  %k = arith.constant 0.3 : f32
  %in = arith.addf %x, %k : f32
  %half = arith.constant 0.5 : f32
  %scale = arith.addf %y, %half : f32
  %r = arith.scaling_truncf %in, %scale : f32, f32 to f16
  return %r : f16
}
// -----
// arith.sitofp, arith.uitofp, arith.fptosi, arith.fptoui
func.func @arith_itof(%x: i32) -> (f32, f32) {
  %k = arith.constant -3 : i32
  %s = arith.muli %x, %k : i32
  %a = arith.sitofp %s : i32 to f32
  %b = arith.uitofp %s : i32 to f32
  return %a, %b : f32, f32
}
func.func @arith_ftoi(%x: f32) -> (i32, i32) {
  %k = arith.constant 2.5 : f32
  %s = arith.mulf %x, %k : f32
  %n = arith.negf %s : f32
  %a = arith.fptosi %n : f32 to i32
  %b = arith.fptoui %s : f32 to i32
  return %a, %b : i32, i32
}
// -----
// arith.sitofp, arith.uitofp, arith.fptosi, arith.fptoui: other types
func.func @arith_i64_f64(%x: i64) -> (f64, f64) {
  %k = arith.constant -3 : i64
  %s = arith.muli %x, %k : i64
  %a = arith.sitofp %s : i64 to f64
  %b = arith.uitofp %s : i64 to f64
  return %a, %b : f64, f64
}
func.func @arith_i8_f32(%x: i8) -> (f32, f32) {
  %k = arith.constant -3 : i8
  %s = arith.muli %x, %k : i8
  %a = arith.sitofp %s : i8 to f32
  %b = arith.uitofp %s : i8 to f32
  return %a, %b : f32, f32
}
func.func @arith_i64_f32(%x: i64) -> (f32, f32) {
  %k = arith.constant -3 : i64
  %s = arith.muli %x, %k : i64
  %a = arith.sitofp %s : i64 to f32
  %b = arith.uitofp %s : i64 to f32
  return %a, %b : f32, f32
}
func.func @arith_i32_f16(%x: i32) -> (f16, f16) {
  %k = arith.constant 3 : i32
  %s = arith.muli %x, %k : i32
  %a = arith.sitofp %s : i32 to f16
  %b = arith.uitofp %s : i32 to f16
  return %a, %b : f16, f16
}
func.func @arith_i16_bf16(%x: i16) -> (bf16, bf16) {
  %k = arith.constant 3 : i16
  %s = arith.muli %x, %k : i16
  %a = arith.sitofp %s : i16 to bf16
  %b = arith.uitofp %s : i16 to bf16
  return %a, %b : bf16, bf16
}
func.func @arith_f64_i64(%x: f64) -> (i64, i64) {
  %k = arith.constant 2.5 : f64
  %s = arith.mulf %x, %k : f64
  %n = arith.negf %s : f64
  %a = arith.fptosi %n : f64 to i64
  %b = arith.fptoui %s : f64 to i64
  return %a, %b : i64, i64
}
func.func @arith_f32_i8(%x: f32) -> (i8, i8) {
  %k = arith.constant 2.5 : f32
  %s = arith.mulf %x, %k : f32
  %n = arith.negf %s : f32
  %a = arith.fptosi %n : f32 to i8
  %b = arith.fptoui %s : f32 to i8
  return %a, %b : i8, i8
}
func.func @arith_f16_i32(%x: f16) -> (i32, i32) {
  %k = arith.constant 2.5 : f16
  %s = arith.mulf %x, %k : f16
  %n = arith.negf %s : f16
  %a = arith.fptosi %n : f16 to i32
  %b = arith.fptoui %s : f16 to i32
  return %a, %b : i32, i32
}
func.func @arith_bf16_i16(%x: bf16) -> (i16, i16) {
  %k = arith.constant 2.5 : bf16
  %s = arith.mulf %x, %k : bf16
  %n = arith.negf %s : bf16
  %a = arith.fptosi %n : bf16 to i16
  %b = arith.fptoui %s : bf16 to i16
  return %a, %b : i16, i16
}
func.func @arith_v4i32_v4f32(%x: vector<4xi32>) -> (vector<4xf32>, vector<4xf32>) {
  %k = arith.constant dense<[1, -3, 4, -5]> : vector<4xi32>
  %s = arith.muli %x, %k : vector<4xi32>
  %a = arith.sitofp %s : vector<4xi32> to vector<4xf32>
  %b = arith.uitofp %s : vector<4xi32> to vector<4xf32>
  return %a, %b : vector<4xf32>, vector<4xf32>
}
func.func @arith_v4f32_v4i32(%x: vector<4xf32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = arith.constant dense<[1.25, 3.0, 4.5, 5.0]> : vector<4xf32>
  %s = arith.mulf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %a = arith.fptosi %n : vector<4xf32> to vector<4xi32>
  %b = arith.fptoui %s : vector<4xf32> to vector<4xi32>
  return %a, %b : vector<4xi32>, vector<4xi32>
}
func.func @arith_v2x2i8_v2x2f64(%x: vector<2x2xi8>) -> (vector<2x2xf64>, vector<2x2xf64>) {
  %k = arith.constant dense<[[1, -3], [4, -5]]> : vector<2x2xi8>
  %s = arith.muli %x, %k : vector<2x2xi8>
  %a = arith.sitofp %s : vector<2x2xi8> to vector<2x2xf64>
  %b = arith.uitofp %s : vector<2x2xi8> to vector<2x2xf64>
  return %a, %b : vector<2x2xf64>, vector<2x2xf64>
}
func.func @arith_i1_f32(%x: i1) -> (f32, f32) {
  %a = arith.sitofp %x : i1 to f32
  %b = arith.uitofp %x : i1 to f32
  return %a, %b : f32, f32
}
// -----
// arith.maximumf, arith.minimumf: f80 and f128, of zeros and NaN
func.func @arith_extremes_f80(%x: f64) -> (f64, f64, f64, f64) {
  %pz = arith.constant 0.0 : f80
  %nz = arith.constant -0.0 : f80
  %w = arith.constant 0x7FF8000000000000 : f64
  %one = arith.constant 1.0 : f80
  %xt = arith.extf %x : f64 to f80
  %nan = arith.extf %w : f64 to f80
  %a = arith.maximumf %pz, %nz : f80
  %b = arith.minimumf %pz, %nz : f80
  %c = arith.maximumf %xt, %nan : f80
  %d = arith.minimumf %xt, %one : f80
  %ia = arith.divf %one, %a : f80
  %ib = arith.divf %one, %b : f80
  %ria = arith.truncf %ia : f80 to f64
  %rib = arith.truncf %ib : f80 to f64
  %rc = arith.truncf %c : f80 to f64
  %rd = arith.truncf %d : f80 to f64
  return %ria, %rib, %rc, %rd : f64, f64, f64, f64
}
func.func @arith_extremes_f128(%x: f64) -> (f64, f64, f64, f64) {
  %pz = arith.constant 0.0 : f128
  %nz = arith.constant -0.0 : f128
  %w = arith.constant 0x7FF8000000000000 : f64
  %one = arith.constant 1.0 : f128
  %xt = arith.extf %x : f64 to f128
  %nan = arith.extf %w : f64 to f128
  %a = arith.maximumf %pz, %nz : f128
  %b = arith.minimumf %pz, %nz : f128
  %c = arith.maximumf %xt, %nan : f128
  %d = arith.minimumf %xt, %one : f128
  %ia = arith.divf %one, %a : f128
  %ib = arith.divf %one, %b : f128
  %ria = arith.truncf %ia : f128 to f64
  %rib = arith.truncf %ib : f128 to f64
  %rc = arith.truncf %c : f128 to f64
  %rd = arith.truncf %d : f128 to f64
  return %ria, %rib, %rc, %rd : f64, f64, f64, f64
}
// -----
// arith.maximumf, arith.minimumf: of zeros and NaN beside f8E8M0FNU
func.func @arith_extremes_scaled(%x: f64) -> (f64, f64, f64, f64) {
  %pz = arith.constant 0.0 : f32
  %nz = arith.constant -0.0 : f32
  %w = arith.constant 0x7FF8000000000000 : f64
  %one = arith.constant 1.0 : f32
  %xt = arith.truncf %x : f64 to f32
  %nan = arith.truncf %w : f64 to f32
  %a = arith.maximumf %pz, %nz : f32
  %b = arith.minimumf %pz, %nz : f32
  %c = arith.maximumf %xt, %nan : f32
  %d = arith.minimumf %xt, %one : f32
  %ia = arith.divf %one, %a : f32
  %ib = arith.divf %one, %b : f32
  %ria = arith.extf %ia : f32 to f64
  %rib = arith.extf %ib : f32 to f64
  %rc = arith.extf %c : f32 to f64
  %rd = arith.extf %d : f32 to f64
  return %ria, %rib, %rc, %rd : f64, f64, f64, f64
}
func.func @arith_scale(%x: i8) -> f32 {
  %s = arith.bitcast %x : i8 to f8E8M0FNU
  %r = arith.extf %s : f8E8M0FNU to f32
  return %r : f32
}
