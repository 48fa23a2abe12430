// llvm.add, llvm.sub, llvm.mul
func.func @llvm_ring_i8(%x: i8, %y: i8) -> (i8, i8, i8) {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r0 = llvm.add %s, %y : i8
  %r1 = llvm.sub %s, %y : i8
  %r2 = llvm.mul %s, %y : i8
  return %r0, %r1, %r2 : i8, i8, i8
}
func.func @llvm_ring_i32(%x: i32, %y: i32) -> (i32, i32, i32) {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r0 = llvm.add %s, %y : i32
  %r1 = llvm.sub %s, %y : i32
  %r2 = llvm.mul %s, %y : i32
  return %r0, %r1, %r2 : i32, i32, i32
}
func.func @llvm_ring_i64(%x: i64, %y: i64) -> (i64, i64, i64) {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r0 = llvm.add %s, %y : i64
  %r1 = llvm.sub %s, %y : i64
  %r2 = llvm.mul %s, %y : i64
  return %r0, %r1, %r2 : i64, i64, i64
}
func.func @llvm_ring_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r0 = llvm.add %s, %y : vector<4xi32>
  %r1 = llvm.sub %s, %y : vector<4xi32>
  %r2 = llvm.mul %s, %y : vector<4xi32>
  return %r0, %r1, %r2 : vector<4xi32>, vector<4xi32>, vector<4xi32>
}
// -----
// llvm.and, llvm.or, llvm.xor
func.func @llvm_bits_i8(%x: i8, %y: i8) -> (i8, i8, i8) {
  %k = llvm.mlir.constant(21 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r0 = llvm.and %s, %y : i8
  %r1 = llvm.or %s, %y : i8
  %r2 = llvm.xor %s, %y : i8
  return %r0, %r1, %r2 : i8, i8, i8
}
func.func @llvm_bits_i32(%x: i32, %y: i32) -> (i32, i32, i32) {
  %k = llvm.mlir.constant(21 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r0 = llvm.and %s, %y : i32
  %r1 = llvm.or %s, %y : i32
  %r2 = llvm.xor %s, %y : i32
  return %r0, %r1, %r2 : i32, i32, i32
}
func.func @llvm_bits_i64(%x: i64, %y: i64) -> (i64, i64, i64) {
  %k = llvm.mlir.constant(21 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r0 = llvm.and %s, %y : i64
  %r1 = llvm.or %s, %y : i64
  %r2 = llvm.xor %s, %y : i64
  return %r0, %r1, %r2 : i64, i64, i64
}
func.func @llvm_bits_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %k = llvm.mlir.constant(dense<21> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r0 = llvm.and %s, %y : vector<4xi32>
  %r1 = llvm.or %s, %y : vector<4xi32>
  %r2 = llvm.xor %s, %y : vector<4xi32>
  return %r0, %r1, %r2 : vector<4xi32>, vector<4xi32>, vector<4xi32>
}
// -----
// llvm.sdiv, llvm.srem
func.func @llvm_div_i8(%x: i8, %y: i8) -> (i8, i8) {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r0 = llvm.sdiv %s, %y : i8
  %r1 = llvm.srem %s, %y : i8
  return %r0, %r1 : i8, i8
}
func.func @llvm_div_i32(%x: i32, %y: i32) -> (i32, i32) {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r0 = llvm.sdiv %s, %y : i32
  %r1 = llvm.srem %s, %y : i32
  return %r0, %r1 : i32, i32
}
func.func @llvm_div_i64(%x: i64, %y: i64) -> (i64, i64) {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r0 = llvm.sdiv %s, %y : i64
  %r1 = llvm.srem %s, %y : i64
  return %r0, %r1 : i64, i64
}
func.func @llvm_div_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r0 = llvm.sdiv %s, %y : vector<4xi32>
  %r1 = llvm.srem %s, %y : vector<4xi32>
  return %r0, %r1 : vector<4xi32>, vector<4xi32>
}
// -----
// llvm.udiv, llvm.urem
func.func @llvm_divu_i8(%x: i8, %y: i8) -> (i8, i8) {
  %k = llvm.mlir.constant(9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r0 = llvm.udiv %s, %y : i8
  %r1 = llvm.urem %s, %y : i8
  return %r0, %r1 : i8, i8
}
func.func @llvm_divu_i32(%x: i32, %y: i32) -> (i32, i32) {
  %k = llvm.mlir.constant(9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r0 = llvm.udiv %s, %y : i32
  %r1 = llvm.urem %s, %y : i32
  return %r0, %r1 : i32, i32
}
func.func @llvm_divu_i64(%x: i64, %y: i64) -> (i64, i64) {
  %k = llvm.mlir.constant(9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r0 = llvm.udiv %s, %y : i64
  %r1 = llvm.urem %s, %y : i64
  return %r0, %r1 : i64, i64
}
func.func @llvm_divu_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>) {
  %k = llvm.mlir.constant(dense<9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r0 = llvm.udiv %s, %y : vector<4xi32>
  %r1 = llvm.urem %s, %y : vector<4xi32>
  return %r0, %r1 : vector<4xi32>, vector<4xi32>
}
// -----
// llvm.shl, llvm.ashr, llvm.lshr
func.func @llvm_shift_i8(%x: i8, %y: i8) -> (i8, i8, i8) {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r0 = llvm.shl %s, %y : i8
  %r1 = llvm.ashr %s, %y : i8
  %r2 = llvm.lshr %s, %y : i8
  return %r0, %r1, %r2 : i8, i8, i8
}
func.func @llvm_shift_i32(%x: i32, %y: i32) -> (i32, i32, i32) {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r0 = llvm.shl %s, %y : i32
  %r1 = llvm.ashr %s, %y : i32
  %r2 = llvm.lshr %s, %y : i32
  return %r0, %r1, %r2 : i32, i32, i32
}
func.func @llvm_shift_i64(%x: i64, %y: i64) -> (i64, i64, i64) {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r0 = llvm.shl %s, %y : i64
  %r1 = llvm.ashr %s, %y : i64
  %r2 = llvm.lshr %s, %y : i64
  return %r0, %r1, %r2 : i64, i64, i64
}
func.func @llvm_shift_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi32>, vector<4xi32>) {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r0 = llvm.shl %s, %y : vector<4xi32>
  %r1 = llvm.ashr %s, %y : vector<4xi32>
  %r2 = llvm.lshr %s, %y : vector<4xi32>
  return %r0, %r1, %r2 : vector<4xi32>, vector<4xi32>, vector<4xi32>
}
// -----
// llvm.fadd, llvm.fsub, llvm.fmul, llvm.fdiv, llvm.fneg
func.func @llvm_field_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %p = llvm.fmul %s, %y : f32
  %q = llvm.fdiv %p, %k : f32
  %m = llvm.fsub %q, %k : f32
  %n = llvm.fneg %m : f32
  return %n : f32
}
func.func @llvm_field_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %p = llvm.fmul %s, %y : f64
  %q = llvm.fdiv %p, %k : f64
  %m = llvm.fsub %q, %k : f64
  %n = llvm.fneg %m : f64
  return %n : f64
}
func.func @llvm_field_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %p = llvm.fmul %s, %y : vector<4xf32>
  %q = llvm.fdiv %p, %k : vector<4xf32>
  %m = llvm.fsub %q, %k : vector<4xf32>
  %n = llvm.fneg %m : vector<4xf32>
  return %n : vector<4xf32>
}
func.func @llvm_field_f16(%x: f16, %y: f16) -> f16 {
  %k = llvm.mlir.constant(-2.5 : f16) : f16
  %s = llvm.fadd %x, %k : f16
  %p = llvm.fmul %s, %y : f16
  %q = llvm.fdiv %p, %k : f16
  %m = llvm.fsub %q, %k : f16
  %n = llvm.fneg %m : f16
  return %n : f16
}
func.func @llvm_field_bf16(%x: bf16, %y: bf16) -> bf16 {
  %k = llvm.mlir.constant(-2.5 : bf16) : bf16
  %s = llvm.fadd %x, %k : bf16
  %p = llvm.fmul %s, %y : bf16
  %q = llvm.fdiv %p, %k : bf16
  %m = llvm.fsub %q, %k : bf16
  %n = llvm.fneg %m : bf16
  return %n : bf16
}
// -----
// llvm.frem
func.func @llvm_frem_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-7.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.frem %s, %y : f32
  return %r : f32
}
func.func @llvm_frem_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-7.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.frem %s, %y : f64
  return %r : f64
}
func.func @llvm_frem_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-7.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.frem %s, %y : vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.fcmp
func.func @llvm_fcmp(%x: f32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %c0 = llvm.fcmp "oeq" %x, %k : f32
  %c1 = llvm.fcmp "ogt" %x, %k : f32
  %c2 = llvm.fcmp "oge" %x, %k : f32
  %c3 = llvm.fcmp "olt" %x, %k : f32
  %c4 = llvm.fcmp "ole" %x, %k : f32
  %c5 = llvm.fcmp "one" %x, %k : f32
  %c6 = llvm.fcmp "ord" %x, %k : f32
  %c7 = llvm.fcmp "ueq" %x, %k : f32
  %c8 = llvm.fcmp "ugt" %x, %k : f32
  %c9 = llvm.fcmp "uge" %x, %k : f32
  %c10 = llvm.fcmp "ult" %x, %k : f32
  %c11 = llvm.fcmp "ule" %x, %k : f32
  %c12 = llvm.fcmp "une" %x, %k : f32
  %c13 = llvm.fcmp "uno" %x, %k : f32
  return %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9, %c10, %c11, %c12, %c13 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
func.func @llvm_fcmp_vector(%x: vector<4xf32>) -> vector<4xi1> {
  %k = llvm.mlir.constant(dense<[1.0, 2.0, 1.5, -1.0]> : vector<4xf32>) : vector<4xf32>
  %r = llvm.fcmp "olt" %x, %k : vector<4xf32>
  return %r : vector<4xi1>
}
// -----
// llvm.icmp, llvm.select: of numbers
func.func @llvm_icmp(%x: i32) -> (i1, i1, i1, i1, i1, i1, i1, i1, i1, i1) {
  %k = llvm.mlir.constant(-2 : i32) : i32
  %c0 = llvm.icmp "eq" %x, %k : i32
  %c1 = llvm.icmp "ne" %x, %k : i32
  %c2 = llvm.icmp "slt" %x, %k : i32
  %c3 = llvm.icmp "sle" %x, %k : i32
  %c4 = llvm.icmp "sgt" %x, %k : i32
  %c5 = llvm.icmp "sge" %x, %k : i32
  %c6 = llvm.icmp "ult" %x, %k : i32
  %c7 = llvm.icmp "ule" %x, %k : i32
  %c8 = llvm.icmp "ugt" %x, %k : i32
  %c9 = llvm.icmp "uge" %x, %k : i32
  return %c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7, %c8, %c9 : i1, i1, i1, i1, i1, i1, i1, i1, i1, i1
}
func.func @llvm_select(%x: i32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2 : i32) : i32
  %f = llvm.mlir.constant(7.0 : f32) : f32
  %c = llvm.icmp "slt" %x, %k : i32
  %r = llvm.select %c, %y, %f : i1, f32
  return %r : f32
}
// -----
// llvm.sext, llvm.zext, llvm.trunc
func.func @llvm_extend(%x: i8) -> (i32, i32) {
  %k = llvm.mlir.constant(120 : i8) : i8
  %s = llvm.mul %x, %k : i8
  %a = llvm.sext %s : i8 to i32
  %b = llvm.zext %s : i8 to i32
  return %a, %b : i32, i32
}
func.func @llvm_trunc(%x: i64) -> i8 {
  %k = llvm.mlir.constant(1000000007 : i64) : i64
  %s = llvm.mul %x, %k : i64
  %r = llvm.trunc %s : i64 to i8
  return %r : i8
}
func.func @llvm_extend_vector(%x: vector<4xi8>) -> (vector<4xi32>, vector<4xi16>) {
  %k = llvm.mlir.constant(dense<[120, -1, 3, 64]> : vector<4xi8>) : vector<4xi8>
  %s = llvm.mul %x, %k : vector<4xi8>
  %a = llvm.sext %s : vector<4xi8> to vector<4xi32>
  %b = llvm.zext %s : vector<4xi8> to vector<4xi16>
  return %a, %b : vector<4xi32>, vector<4xi16>
}
// -----
// llvm.fpext, llvm.fptrunc
func.func @llvm_fpext(%x: f32) -> f64 {
  %k = llvm.mlir.constant(0.3 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.fpext %s : f32 to f64
  return %r : f64
}
func.func @llvm_fptrunc(%x: f64) -> (f32, f16) {
  %k = llvm.mlir.constant(0.3 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.fptrunc %s : f64 to f32
  %h = llvm.fptrunc %s : f64 to f16
  return %r, %h : f32, f16
}
// -----
// llvm.sitofp, llvm.uitofp, llvm.fptosi, llvm.fptoui
func.func @llvm_itof(%x: i32) -> (f32, f64) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.mul %x, %k : i32
  %a = llvm.sitofp %s : i32 to f32
  %b = llvm.uitofp %s : i32 to f64
  return %a, %b : f32, f64
}
func.func @llvm_ftoi(%x: f32) -> (i32, i64) {
  %k = llvm.mlir.constant(2.5 : f32) : f32
  %s = llvm.fmul %x, %k : f32
  %n = llvm.fneg %s : f32
  %a = llvm.fptosi %n : f32 to i32
  %b = llvm.fptoui %s : f32 to i64
  return %a, %b : i32, i64
}
// -----
// llvm.bitcast, llvm.freeze: of numbers
func.func @llvm_bitcast(%x: f32, %v: vector<2xf32>) -> (i32, i64) {
  %a = llvm.bitcast %x : f32 to i32
  %b = llvm.bitcast %v : vector<2xf32> to i64
  %c = llvm.freeze %b : i64
  return %a, %c : i32, i64
}
// -----
// llvm.intr.ceil
func.func @llvm_ceil_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.ceil(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_ceil_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.ceil(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_ceil_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.ceil(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.fabs
func.func @llvm_fabs_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.fabs(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_fabs_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.fabs(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_fabs_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.fabs(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.floor
func.func @llvm_floor_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.floor(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_floor_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.floor(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_floor_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.floor(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.nearbyint
func.func @llvm_nearbyint_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.nearbyint(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_nearbyint_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.nearbyint(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_nearbyint_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.nearbyint(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.rint
func.func @llvm_rint_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.rint(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_rint_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.rint(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_rint_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.rint(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.round
func.func @llvm_round_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.round(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_round_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.round(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_round_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.round(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.roundeven
func.func @llvm_roundeven_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.roundeven(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_roundeven_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.roundeven(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_roundeven_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.roundeven(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.sqrt
func.func @llvm_sqrt_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.sqrt(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_sqrt_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.sqrt(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_sqrt_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.sqrt(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.trunc
func.func @llvm_trunc_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-4.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.trunc(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_trunc_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-4.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.trunc(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_trunc_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-4.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.trunc(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.cos
func.func @llvm_cos_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.cos(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_cos_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.cos(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_cos_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.cos(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.cosh
func.func @llvm_cosh_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.cosh(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_cosh_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.cosh(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_cosh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.cosh(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.exp
func.func @llvm_exp_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.exp(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_exp_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.exp(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_exp_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.exp(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.exp10
func.func @llvm_exp10_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.exp10(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_exp10_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.exp10(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_exp10_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.exp10(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.exp2
func.func @llvm_exp2_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.exp2(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_exp2_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.exp2(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_exp2_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.exp2(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.log
func.func @llvm_log_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.log(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_log_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.log(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_log_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.log(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.log10
func.func @llvm_log10_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.log10(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_log10_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.log10(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_log10_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.log10(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.log2
func.func @llvm_log2_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.log2(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_log2_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.log2(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_log2_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.log2(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.sin
func.func @llvm_sin_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.sin(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_sin_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.sin(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_sin_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.sin(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.sinh
func.func @llvm_sinh_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.sinh(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_sinh_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.sinh(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_sinh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.sinh(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.tan
func.func @llvm_tan_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.tan(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_tan_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.tan(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_tan_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.tan(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.tanh
func.func @llvm_tanh_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.tanh(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_tanh_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.tanh(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_tanh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.tanh(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.acos
func.func @llvm_acos_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-1.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.acos(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_acos_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-1.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.acos(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_acos_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-1.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.acos(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.asin
func.func @llvm_asin_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-1.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.asin(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_asin_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-1.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.asin(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_asin_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-1.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.asin(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.atan
func.func @llvm_atan_f32(%x: f32) -> f32 {
  %k = llvm.mlir.constant(-1.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.atan(%s) : (f32) -> f32
  return %r : f32
}
func.func @llvm_atan_f64(%x: f64) -> f64 {
  %k = llvm.mlir.constant(-1.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.atan(%s) : (f64) -> f64
  return %r : f64
}
func.func @llvm_atan_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-1.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.atan(%s) : (vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.atan2
func.func @llvm_atan2_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.atan2(%s, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_atan2_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.atan2(%s, %y) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_atan2_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.atan2(%s, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.copysign
func.func @llvm_copysign_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.copysign(%y, %s) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_copysign_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.copysign(%y, %s) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_copysign_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.copysign(%y, %s) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.maximum
func.func @llvm_maximum_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.maximum(%s, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_maximum_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.maximum(%s, %y) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_maximum_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.maximum(%s, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.maxnum
func.func @llvm_maxnum_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.maxnum(%s, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_maxnum_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.maxnum(%s, %y) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_maxnum_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.maxnum(%s, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.minimum
func.func @llvm_minimum_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.minimum(%s, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_minimum_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.minimum(%s, %y) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_minimum_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.minimum(%s, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.minnum
func.func @llvm_minnum_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(-2.5 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.minnum(%s, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_minnum_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(-2.5 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.minnum(%s, %y) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_minnum_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<-2.5> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.minnum(%s, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.pow
func.func @llvm_pow_f32(%x: f32, %y: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.pow(%s, %y) : (f32, f32) -> f32
  return %r : f32
}
func.func @llvm_pow_f64(%x: f64, %y: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.pow(%s, %y) : (f64, f64) -> f64
  return %r : f64
}
func.func @llvm_pow_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.pow(%s, %y) : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.powi
func.func @llvm_powi(%x: f32, %n: i32) -> f32 {
  %r = llvm.intr.powi(%x, %n) : (f32, i32) -> f32
  return %r : f32
}
// -----
// llvm.intr.ldexp
func.func @llvm_ldexp(%x: f32, %n: i32) -> f32 {
  %r = llvm.intr.ldexp(%x, %n) : (f32, i32) -> f32
  return %r : f32
}
// -----
// llvm.intr.frexp
func.func @llvm_frexp(%x: f32) -> (f32, i32) {
  %k = llvm.mlir.constant(10.0 : f32) : f32
  %s = llvm.fmul %x, %k : f32
  %p = llvm.intr.frexp(%s) : (f32) -> !llvm.struct<(f32, i32)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(f32, i32)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(f32, i32)>
  return %a, %b : f32, i32
}
// -----
// llvm.intr.sincos
func.func @llvm_sincos(%x: f32) -> (f32, f32) {
  %p = llvm.intr.sincos(%x) : (f32) -> !llvm.struct<(f32, f32)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(f32, f32)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(f32, f32)>
  return %a, %b : f32, f32
}
// -----
// llvm.intr.fma
func.func @llvm_fma_f32(%x: f32, %y: f32, %z: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.fma(%s, %y, %z) : (f32, f32, f32) -> f32
  return %r : f32
}
func.func @llvm_fma_f64(%x: f64, %y: f64, %z: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.fma(%s, %y, %z) : (f64, f64, f64) -> f64
  return %r : f64
}
func.func @llvm_fma_v4f32(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.fma(%s, %y, %z) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.fmuladd
func.func @llvm_fmuladd_f32(%x: f32, %y: f32, %z: f32) -> f32 {
  %k = llvm.mlir.constant(0.25 : f32) : f32
  %s = llvm.fadd %x, %k : f32
  %r = llvm.intr.fmuladd(%s, %y, %z) : (f32, f32, f32) -> f32
  return %r : f32
}
func.func @llvm_fmuladd_f64(%x: f64, %y: f64, %z: f64) -> f64 {
  %k = llvm.mlir.constant(0.25 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.fmuladd(%s, %y, %z) : (f64, f64, f64) -> f64
  return %r : f64
}
func.func @llvm_fmuladd_v4f32(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<0.25> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.fmuladd(%s, %y, %z) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.llrint
func.func @llvm_llrint(%x: f32, %y: f64) -> (i64, i64) {
  %a = llvm.intr.llrint(%x) : (f32) -> i64
  %b = llvm.intr.llrint(%y) : (f64) -> i64
  return %a, %b : i64, i64
}
// -----
// llvm.intr.lrint
func.func @llvm_lrint(%x: f32, %y: f64) -> (i64, i64) {
  %a = llvm.intr.lrint(%x) : (f32) -> i64
  %b = llvm.intr.lrint(%y) : (f64) -> i64
  return %a, %b : i64, i64
}
// -----
// llvm.intr.llround
func.func @llvm_llround(%x: f32, %y: f64) -> (i64, i64) {
  %a = llvm.intr.llround(%x) : (f32) -> i64
  %b = llvm.intr.llround(%y) : (f64) -> i64
  return %a, %b : i64, i64
}
// -----
// llvm.intr.lround
func.func @llvm_lround(%x: f32, %y: f64) -> (i64, i64) {
  %a = llvm.intr.lround(%x) : (f32) -> i64
  %b = llvm.intr.lround(%y) : (f64) -> i64
  return %a, %b : i64, i64
}
// -----
// llvm.intr.is.fpclass
func.func @llvm_is_fpclass(%x: f32) -> (i1, i1) {
  %a = "llvm.intr.is.fpclass"(%x) <{bit = 3 : i32}> : (f32) -> i1
  %b = "llvm.intr.is.fpclass"(%x) <{bit = 256 : i32}> : (f32) -> i1
  return %a, %b : i1, i1
}
// -----
// llvm.intr.abs
func.func @llvm_abs_i8(%x: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = "llvm.intr.abs"(%s) <{is_int_min_poison = false}> : (i8) -> i8
  return %r : i8
}
func.func @llvm_abs_i32(%x: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = "llvm.intr.abs"(%s) <{is_int_min_poison = false}> : (i32) -> i32
  return %r : i32
}
func.func @llvm_abs_i64(%x: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = "llvm.intr.abs"(%s) <{is_int_min_poison = false}> : (i64) -> i64
  return %r : i64
}
func.func @llvm_abs_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.abs"(%s) <{is_int_min_poison = false}> : (vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.bitreverse
func.func @llvm_bitreverse_i8(%x: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.bitreverse(%s) : (i8) -> i8
  return %r : i8
}
func.func @llvm_bitreverse_i32(%x: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.bitreverse(%s) : (i32) -> i32
  return %r : i32
}
func.func @llvm_bitreverse_i64(%x: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.bitreverse(%s) : (i64) -> i64
  return %r : i64
}
func.func @llvm_bitreverse_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.bitreverse(%s) : (vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.bswap
func.func @llvm_bswap_i32(%x: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.bswap(%s) : (i32) -> i32
  return %r : i32
}
func.func @llvm_bswap_i64(%x: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.bswap(%s) : (i64) -> i64
  return %r : i64
}
func.func @llvm_bswap_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.bswap(%s) : (vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.ctpop
func.func @llvm_ctpop_i8(%x: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.ctpop(%s) : (i8) -> i8
  return %r : i8
}
func.func @llvm_ctpop_i32(%x: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.ctpop(%s) : (i32) -> i32
  return %r : i32
}
func.func @llvm_ctpop_i64(%x: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.ctpop(%s) : (i64) -> i64
  return %r : i64
}
func.func @llvm_ctpop_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.ctpop(%s) : (vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.ctlz
func.func @llvm_ctlz_i8(%x: i8) -> i8 {
  %k = llvm.mlir.constant(10 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = "llvm.intr.ctlz"(%s) <{is_zero_poison = false}> : (i8) -> i8
  return %r : i8
}
func.func @llvm_ctlz_i32(%x: i32) -> i32 {
  %k = llvm.mlir.constant(10 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = "llvm.intr.ctlz"(%s) <{is_zero_poison = false}> : (i32) -> i32
  return %r : i32
}
func.func @llvm_ctlz_i64(%x: i64) -> i64 {
  %k = llvm.mlir.constant(10 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = "llvm.intr.ctlz"(%s) <{is_zero_poison = false}> : (i64) -> i64
  return %r : i64
}
func.func @llvm_ctlz_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<10> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.ctlz"(%s) <{is_zero_poison = false}> : (vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.cttz
func.func @llvm_cttz_i8(%x: i8) -> i8 {
  %k = llvm.mlir.constant(10 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = "llvm.intr.cttz"(%s) <{is_zero_poison = false}> : (i8) -> i8
  return %r : i8
}
func.func @llvm_cttz_i32(%x: i32) -> i32 {
  %k = llvm.mlir.constant(10 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = "llvm.intr.cttz"(%s) <{is_zero_poison = false}> : (i32) -> i32
  return %r : i32
}
func.func @llvm_cttz_i64(%x: i64) -> i64 {
  %k = llvm.mlir.constant(10 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = "llvm.intr.cttz"(%s) <{is_zero_poison = false}> : (i64) -> i64
  return %r : i64
}
func.func @llvm_cttz_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<10> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.cttz"(%s) <{is_zero_poison = false}> : (vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.fshl
func.func @llvm_fshl_i8(%x: i8, %y: i8, %z: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.fshl(%s, %y, %z) : (i8, i8, i8) -> i8
  return %r : i8
}
func.func @llvm_fshl_i32(%x: i32, %y: i32, %z: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.fshl(%s, %y, %z) : (i32, i32, i32) -> i32
  return %r : i32
}
func.func @llvm_fshl_i64(%x: i64, %y: i64, %z: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.fshl(%s, %y, %z) : (i64, i64, i64) -> i64
  return %r : i64
}
func.func @llvm_fshl_v4i32(%x: vector<4xi32>, %y: vector<4xi32>, %z: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.fshl(%s, %y, %z) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.fshr
func.func @llvm_fshr_i8(%x: i8, %y: i8, %z: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.fshr(%s, %y, %z) : (i8, i8, i8) -> i8
  return %r : i8
}
func.func @llvm_fshr_i32(%x: i32, %y: i32, %z: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.fshr(%s, %y, %z) : (i32, i32, i32) -> i32
  return %r : i32
}
func.func @llvm_fshr_i64(%x: i64, %y: i64, %z: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.fshr(%s, %y, %z) : (i64, i64, i64) -> i64
  return %r : i64
}
func.func @llvm_fshr_v4i32(%x: vector<4xi32>, %y: vector<4xi32>, %z: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.fshr(%s, %y, %z) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.smax
func.func @llvm_smax_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.smax(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_smax_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.smax(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_smax_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.smax(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_smax_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.smax(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.smin
func.func @llvm_smin_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.smin(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_smin_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.smin(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_smin_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.smin(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_smin_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.smin(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.umax
func.func @llvm_umax_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.umax(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_umax_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.umax(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_umax_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.umax(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_umax_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.umax(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.umin
func.func @llvm_umin_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(-9 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.umin(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_umin_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.umin(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_umin_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-9 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.umin(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_umin_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-9> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.umin(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.sadd.sat
func.func @llvm_sadd_sat_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(124 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.sadd.sat(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_sadd_sat_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(125 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.sadd.sat(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_sadd_sat_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(125 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.sadd.sat(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_sadd_sat_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<125> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.sadd.sat(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.ssub.sat
func.func @llvm_ssub_sat_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(125 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.ssub.sat(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_ssub_sat_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-129 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.ssub.sat(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_ssub_sat_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-129 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.ssub.sat(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_ssub_sat_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-129> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.ssub.sat(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.uadd.sat
func.func @llvm_uadd_sat_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.uadd.sat(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_uadd_sat_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.uadd.sat(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_uadd_sat_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.uadd.sat(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_uadd_sat_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.uadd.sat(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.usub.sat
func.func @llvm_usub_sat_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(-1 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.usub.sat(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_usub_sat_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(-1 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.usub.sat(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_usub_sat_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(-1 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.usub.sat(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_usub_sat_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<-1> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.usub.sat(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.sshl.sat
func.func @llvm_sshl_sat_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(60 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.sshl.sat(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_sshl_sat_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(60 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.sshl.sat(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_sshl_sat_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(60 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.sshl.sat(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_sshl_sat_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<60> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.sshl.sat(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.ushl.sat
func.func @llvm_ushl_sat_i8(%x: i8, %y: i8) -> i8 {
  %k = llvm.mlir.constant(60 : i8) : i8
  %s = llvm.add %x, %k : i8
  %r = llvm.intr.ushl.sat(%s, %y) : (i8, i8) -> i8
  return %r : i8
}
func.func @llvm_ushl_sat_i32(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(60 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.ushl.sat(%s, %y) : (i32, i32) -> i32
  return %r : i32
}
func.func @llvm_ushl_sat_i64(%x: i64, %y: i64) -> i64 {
  %k = llvm.mlir.constant(60 : i64) : i64
  %s = llvm.add %x, %k : i64
  %r = llvm.intr.ushl.sat(%s, %y) : (i64, i64) -> i64
  return %r : i64
}
func.func @llvm_ushl_sat_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<60> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = llvm.intr.ushl.sat(%s, %y) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.scmp
func.func @llvm_scmp(%x: i32, %y: i32) -> i8 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.scmp(%s, %y) : (i32, i32) -> i8
  return %r : i8
}
// -----
// llvm.intr.ucmp
func.func @llvm_ucmp(%x: i32, %y: i32) -> i8 {
  %k = llvm.mlir.constant(-9 : i32) : i32
  %s = llvm.add %x, %k : i32
  %r = llvm.intr.ucmp(%s, %y) : (i32, i32) -> i8
  return %r : i8
}
// -----
// llvm.intr.sadd.with.overflow
func.func @llvm_sadd_with_overflow_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %p = "llvm.intr.sadd.with.overflow"(%s, %y) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i8, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i8, i1)>
  return %a, %b : i8, i1
}
func.func @llvm_sadd_with_overflow_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %p = "llvm.intr.sadd.with.overflow"(%s, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i32, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
  return %a, %b : i32, i1
}
func.func @llvm_sadd_with_overflow_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %p = "llvm.intr.sadd.with.overflow"(%s, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i64, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i64, i1)>
  return %a, %b : i64, i1
}
func.func @llvm_sadd_with_overflow_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.sadd.with.overflow"(%s, %y) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
// -----
// llvm.intr.ssub.with.overflow
func.func @llvm_ssub_with_overflow_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %p = "llvm.intr.ssub.with.overflow"(%s, %y) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i8, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i8, i1)>
  return %a, %b : i8, i1
}
func.func @llvm_ssub_with_overflow_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %p = "llvm.intr.ssub.with.overflow"(%s, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i32, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
  return %a, %b : i32, i1
}
func.func @llvm_ssub_with_overflow_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %p = "llvm.intr.ssub.with.overflow"(%s, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i64, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i64, i1)>
  return %a, %b : i64, i1
}
func.func @llvm_ssub_with_overflow_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.ssub.with.overflow"(%s, %y) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
// -----
// llvm.intr.smul.with.overflow
func.func @llvm_smul_with_overflow_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %p = "llvm.intr.smul.with.overflow"(%s, %y) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i8, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i8, i1)>
  return %a, %b : i8, i1
}
func.func @llvm_smul_with_overflow_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %p = "llvm.intr.smul.with.overflow"(%s, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i32, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
  return %a, %b : i32, i1
}
func.func @llvm_smul_with_overflow_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %p = "llvm.intr.smul.with.overflow"(%s, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i64, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i64, i1)>
  return %a, %b : i64, i1
}
func.func @llvm_smul_with_overflow_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.smul.with.overflow"(%s, %y) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
// -----
// llvm.intr.uadd.with.overflow
func.func @llvm_uadd_with_overflow_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %p = "llvm.intr.uadd.with.overflow"(%s, %y) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i8, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i8, i1)>
  return %a, %b : i8, i1
}
func.func @llvm_uadd_with_overflow_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %p = "llvm.intr.uadd.with.overflow"(%s, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i32, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
  return %a, %b : i32, i1
}
func.func @llvm_uadd_with_overflow_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %p = "llvm.intr.uadd.with.overflow"(%s, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i64, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i64, i1)>
  return %a, %b : i64, i1
}
func.func @llvm_uadd_with_overflow_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.uadd.with.overflow"(%s, %y) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
// -----
// llvm.intr.usub.with.overflow
func.func @llvm_usub_with_overflow_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %p = "llvm.intr.usub.with.overflow"(%s, %y) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i8, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i8, i1)>
  return %a, %b : i8, i1
}
func.func @llvm_usub_with_overflow_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %p = "llvm.intr.usub.with.overflow"(%s, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i32, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
  return %a, %b : i32, i1
}
func.func @llvm_usub_with_overflow_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %p = "llvm.intr.usub.with.overflow"(%s, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i64, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i64, i1)>
  return %a, %b : i64, i1
}
func.func @llvm_usub_with_overflow_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.usub.with.overflow"(%s, %y) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
// -----
// llvm.intr.umul.with.overflow
func.func @llvm_umul_with_overflow_i8(%x: i8, %y: i8) -> (i8, i1) {
  %k = llvm.mlir.constant(-3 : i8) : i8
  %s = llvm.add %x, %k : i8
  %p = "llvm.intr.umul.with.overflow"(%s, %y) : (i8, i8) -> !llvm.struct<(i8, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i8, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i8, i1)>
  return %a, %b : i8, i1
}
func.func @llvm_umul_with_overflow_i32(%x: i32, %y: i32) -> (i32, i1) {
  %k = llvm.mlir.constant(-3 : i32) : i32
  %s = llvm.add %x, %k : i32
  %p = "llvm.intr.umul.with.overflow"(%s, %y) : (i32, i32) -> !llvm.struct<(i32, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i32, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i32, i1)>
  return %a, %b : i32, i1
}
func.func @llvm_umul_with_overflow_i64(%x: i64, %y: i64) -> (i64, i1) {
  %k = llvm.mlir.constant(-3 : i64) : i64
  %s = llvm.add %x, %k : i64
  %p = "llvm.intr.umul.with.overflow"(%s, %y) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(i64, i1)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(i64, i1)>
  return %a, %b : i64, i1
}
func.func @llvm_umul_with_overflow_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> (vector<4xi32>, vector<4xi1>) {
  %k = llvm.mlir.constant(dense<-3> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.umul.with.overflow"(%s, %y) : (vector<4xi32>, vector<4xi32>) -> !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<4xi32>, vector<4xi1>)>
  return %a, %b : vector<4xi32>, vector<4xi1>
}
// -----
// llvm.intr.expect
func.func @llvm_expect(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(5 : i32) : i32
  %s = llvm.intr.expect %x, %k : i32
  %r = llvm.add %s, %y : i32
  return %r : i32
}
// -----
// llvm.intr.expect.with.probability
func.func @llvm_expect_with_probability(%x: i32, %y: i32) -> i32 {
  %k = llvm.mlir.constant(5 : i32) : i32
  %s = llvm.intr.expect.with.probability %x, %k, 5.000000e-01 : i32
  %r = llvm.add %s, %y : i32
  return %r : i32
}
// -----
// llvm.intr.experimental.constrained.fpext
func.func @llvm_constrained_fpext(%x: f32) -> f64 {
  %r = llvm.intr.experimental.constrained.fpext %x ignore : f32 to f64
  return %r : f64
}
// -----
// llvm.intr.experimental.constrained.fptrunc
func.func @llvm_constrained_fptrunc(%x: f64) -> f32 {
  %k = llvm.mlir.constant(0.3 : f64) : f64
  %s = llvm.fadd %x, %k : f64
  %r = llvm.intr.experimental.constrained.fptrunc %s tonearest ignore : f64 to f32
  return %r : f32
}
// -----
// llvm.intr.experimental.constrained.sitofp
func.func @llvm_constrained_sitofp(%x: i32) -> f32 {
  %r = llvm.intr.experimental.constrained.sitofp %x tonearest ignore : i32 to f32
  return %r : f32
}
// -----
// llvm.intr.experimental.constrained.uitofp
func.func @llvm_constrained_uitofp(%x: i32) -> f32 {
  %r = llvm.intr.experimental.constrained.uitofp %x tonearest ignore : i32 to f32
  return %r : f32
}
// -----
// llvm.intr.experimental.noalias.scope.decl
#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "domain">
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "scope">
func.func @llvm_noalias_scope_decl(%x: f32, %p: !llvm.ptr, %q: !llvm.ptr) -> f32 {
  llvm.intr.experimental.noalias.scope.decl #scope
  %one = llvm.mlir.constant(1 : i64) : i64
  %own = llvm.alloca %one x f32 : (i64) -> !llvm.ptr
  llvm.store %x, %own {alias_scopes = [#scope]} : f32, !llvm.ptr
  llvm.store %x, %p {noalias_scopes = [#scope]} : f32, !llvm.ptr
  %a = llvm.load %own {alias_scopes = [#scope]} : !llvm.ptr -> f32
  %b = llvm.load %p {noalias_scopes = [#scope]} : !llvm.ptr -> f32
  %r = llvm.fadd %a, %b : f32
  return %r : f32
}
// -----
// llvm.intr.dbg.label
#file = #llvm.di_file<"sample.c" in "/">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#routine = #llvm.di_subroutine_type<types = #type, #type>
#program = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "dbg_label", file = #file, line = 1, scopeLine = 1, subprogramFlags = Definition, type = #routine>
#label = #llvm.di_label<scope = #program, name = "again", file = #file, line = 2>
llvm.func @llvm_dbg_label(%x: i32) -> i32 {
  llvm.intr.dbg.label #label loc(fused<#program>["sample.c":2:1])
  %r = llvm.add %x, %x : i32 loc(fused<#program>["sample.c":3:1])
  llvm.return %r : i32
} loc(fused<#program>["sample.c":1:1])
// -----
// llvm.intr.matrix.multiply
func.func @llvm_matrix_multiply(%x: vector<6xf32>, %y: vector<6xf32>) -> vector<4xf32> {
  %k = llvm.mlir.constant(dense<[1.0, -2.0, 3.0, 4.0, -5.0, 6.0]> : vector<6xf32>) : vector<6xf32>
  %s = llvm.fadd %x, %k : vector<6xf32>
  %r = llvm.intr.matrix.multiply %s, %y {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 2 : i32} : (vector<6xf32>, vector<6xf32>) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.matrix.transpose
func.func @llvm_matrix_transpose(%x: vector<6xf32>) -> vector<6xf32> {
  %k = llvm.mlir.constant(dense<[1.0, -2.0, 3.0, 4.0, -5.0, 6.0]> : vector<6xf32>) : vector<6xf32>
  %s = llvm.fadd %x, %k : vector<6xf32>
  %r = llvm.intr.matrix.transpose %s {rows = 2 : i32, columns = 3 : i32} : vector<6xf32> into vector<6xf32>
  return %r : vector<6xf32>
}
// -----
// llvm.intr.get.active.lane.mask
func.func @llvm_get_active_lane_mask(%x: i64) -> vector<4xi1> {
  %n = llvm.mlir.constant(4 : i64) : i64
  %r = llvm.intr.get.active.lane.mask %x, %n : i64, i64 to vector<4xi1>
  return %r : vector<4xi1>
}
// -----
// llvm.intr.stepvector
func.func @llvm_stepvector(%x: vector<4xi32>) -> vector<4xi32> {
  %s = llvm.intr.stepvector : vector<4xi32>
  %r = llvm.mul %s, %x : vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.stepvector, llvm.intr.vector.insert, llvm.intr.vector.extract: scalable
// compile: no
func.func @llvm_stepvector_scalable(%x: vector<4xi32>) -> vector<4xi32> {
  %s = llvm.intr.stepvector : vector<[4]xi32>
  %i = llvm.intr.vector.insert %x, %s[0] : vector<4xi32> into vector<[4]xi32>
  %t = llvm.add %i, %s : vector<[4]xi32>
  %r = llvm.intr.vector.extract %t[0] : vector<4xi32> from vector<[4]xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vector.insert, llvm.intr.vector.extract
func.func @llvm_vector_insert(%x: vector<2xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = llvm.mlir.constant(dense<[1, 5]> : vector<2xi32>) : vector<2xi32>
  %s = llvm.add %x, %k : vector<2xi32>
  %r = llvm.intr.vector.insert %s, %y[2] : vector<2xi32> into vector<4xi32>
  return %r : vector<4xi32>
}
func.func @llvm_vector_extract(%y: vector<4xi32>) -> vector<2xi32> {
  %k = llvm.mlir.constant(dense<[1, 5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %y, %k : vector<4xi32>
  %r = llvm.intr.vector.extract %s[2] : vector<2xi32> from vector<4xi32>
  return %r : vector<2xi32>
}
// -----
// llvm.intr.vector.interleave2
func.func @llvm_interleave2(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<8xi32> {
  %k = llvm.mlir.constant(dense<[1, 5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %y, %k : vector<4xi32>
  %r = "llvm.intr.vector.interleave2"(%s, %x) : (vector<4xi32>, vector<4xi32>) -> vector<8xi32>
  return %r : vector<8xi32>
}
// -----
// llvm.intr.vector.deinterleave2
func.func @llvm_deinterleave2(%x: vector<4xi32>) -> (vector<2xi32>, vector<2xi32>) {
  %k = llvm.mlir.constant(dense<[1, 5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %p = "llvm.intr.vector.deinterleave2"(%s) : (vector<4xi32>) -> !llvm.struct<(vector<2xi32>, vector<2xi32>)>
  %a = llvm.extractvalue %p[0] : !llvm.struct<(vector<2xi32>, vector<2xi32>)>
  %b = llvm.extractvalue %p[1] : !llvm.struct<(vector<2xi32>, vector<2xi32>)>
  return %a, %b : vector<2xi32>, vector<2xi32>
}
// -----
// llvm.intr.vscale
// compile: no
func.func @llvm_vscale(%x: i64) -> i64 {
  %s = "llvm.intr.vscale"() : () -> i64
  %r = llvm.mul %s, %x : i64
  return %r : i64
}
// -----
// llvm.intr.vector.reduce.add
func.func @llvm_reduce_add(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.add"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.and
func.func @llvm_reduce_and(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.and"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.mul
func.func @llvm_reduce_mul(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.mul"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.or
func.func @llvm_reduce_or(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.or"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.smax
func.func @llvm_reduce_smax(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.smax"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.smin
func.func @llvm_reduce_smin(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.smin"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.umax
func.func @llvm_reduce_umax(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.umax"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.umin
func.func @llvm_reduce_umin(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.umin"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.xor
func.func @llvm_reduce_xor(%x: vector<4xi32>) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vector.reduce.xor"(%s) : (vector<4xi32>) -> i32
  return %r : i32
}
// -----
// llvm.intr.vector.reduce.fmax
func.func @llvm_reduce_fmax(%x: vector<4xf32>) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.vector.reduce.fmax(%s) : (vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.intr.vector.reduce.fmaximum
func.func @llvm_reduce_fmaximum(%x: vector<4xf32>) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.vector.reduce.fmaximum(%s) : (vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.intr.vector.reduce.fmin
func.func @llvm_reduce_fmin(%x: vector<4xf32>) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.vector.reduce.fmin(%s) : (vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.intr.vector.reduce.fminimum
func.func @llvm_reduce_fminimum(%x: vector<4xf32>) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = llvm.intr.vector.reduce.fminimum(%s) : (vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.intr.vector.reduce.fadd
func.func @llvm_reduce_fadd(%x: vector<4xf32>, %y: f32) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vector.reduce.fadd"(%y, %s) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.intr.vector.reduce.fmul
func.func @llvm_reduce_fmul(%x: vector<4xf32>, %y: f32) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vector.reduce.fmul"(%y, %s) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.intr.vp.add
func.func @llvm_vp_add(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.add"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.and
func.func @llvm_vp_and(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.and"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.ashr
func.func @llvm_vp_ashr(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.ashr"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.lshr
func.func @llvm_vp_lshr(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.lshr"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.mul
func.func @llvm_vp_mul(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.mul"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.or
func.func @llvm_vp_or(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.or"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.sdiv
func.func @llvm_vp_sdiv(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.sdiv"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.shl
func.func @llvm_vp_shl(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.shl"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.smax
func.func @llvm_vp_smax(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.smax"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.smin
func.func @llvm_vp_smin(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.smin"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.srem
func.func @llvm_vp_srem(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.srem"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.sub
func.func @llvm_vp_sub(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.sub"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.udiv
func.func @llvm_vp_udiv(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.udiv"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.umax
func.func @llvm_vp_umax(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.umax"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.umin
func.func @llvm_vp_umin(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.umin"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.urem
func.func @llvm_vp_urem(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.urem"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.xor
func.func @llvm_vp_xor(%x: vector<4xi32>, %y: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.xor"(%s, %y, %m, %all) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.fadd
func.func @llvm_vp_fadd(%x: vector<4xf32>, %y: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fadd"(%s, %y, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fdiv
func.func @llvm_vp_fdiv(%x: vector<4xf32>, %y: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fdiv"(%s, %y, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fmul
func.func @llvm_vp_fmul(%x: vector<4xf32>, %y: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fmul"(%s, %y, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.frem
func.func @llvm_vp_frem(%x: vector<4xf32>, %y: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.frem"(%s, %y, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fsub
func.func @llvm_vp_fsub(%x: vector<4xf32>, %y: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fsub"(%s, %y, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fma
func.func @llvm_vp_fma(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fma"(%s, %y, %z, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fmuladd
func.func @llvm_vp_fmuladd(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fmuladd"(%s, %y, %z, %m, %all) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fneg
func.func @llvm_vp_fneg(%x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fneg"(%s, %m, %all) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fpext
func.func @llvm_vp_fpext(%x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf64> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fpext"(%s, %m, %all) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf64>
  return %r : vector<4xf64>
}
// -----
// llvm.intr.vp.fptosi
func.func @llvm_vp_fptosi(%x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fptosi"(%s, %m, %all) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.sext
func.func @llvm_vp_sext(%x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi64> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.sext"(%s, %m, %all) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi64>
  return %r : vector<4xi64>
}
// -----
// llvm.intr.vp.zext
func.func @llvm_vp_zext(%x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi64> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.zext"(%s, %m, %all) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi64>
  return %r : vector<4xi64>
}
// -----
// llvm.intr.vp.trunc
func.func @llvm_vp_trunc(%x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi8> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.trunc"(%s, %m, %all) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xi8>
  return %r : vector<4xi8>
}
// -----
// llvm.intr.vp.sitofp
func.func @llvm_vp_sitofp(%x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.sitofp"(%s, %m, %all) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.uitofp
func.func @llvm_vp_uitofp(%x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.uitofp"(%s, %m, %all) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.fptoui
func.func @llvm_vp_fptoui(%x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[1.0, 5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.fptoui"(%s, %m, %all) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// llvm.intr.vp.fptrunc
func.func @llvm_vp_fptrunc(%x: vector<4xf64>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %two = llvm.mlir.constant(2 : i32) : i32
  %all = llvm.add %n, %two : i32
  %k = llvm.mlir.constant(dense<[0.3, -5.0, 7.0, 8.0]> : vector<4xf64>) : vector<4xf64>
  %s = llvm.fadd %x, %k : vector<4xf64>
  %r = "llvm.intr.vp.fptrunc"(%s, %m, %all) : (vector<4xf64>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}
// -----
// llvm.intr.vp.reduce.add
func.func @llvm_vp_reduce_add(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.add"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.and
func.func @llvm_vp_reduce_and(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.and"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.mul
func.func @llvm_vp_reduce_mul(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.mul"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.or
func.func @llvm_vp_reduce_or(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.or"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.smax
func.func @llvm_vp_reduce_smax(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.smax"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.smin
func.func @llvm_vp_reduce_smin(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.smin"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.umax
func.func @llvm_vp_reduce_umax(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.umax"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.umin
func.func @llvm_vp_reduce_umin(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.umin"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.xor
func.func @llvm_vp_reduce_xor(%y: i32, %x: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> i32 {
  %k = llvm.mlir.constant(dense<[1, -5, 7, 8]> : vector<4xi32>) : vector<4xi32>
  %s = llvm.add %x, %k : vector<4xi32>
  %r = "llvm.intr.vp.reduce.xor"(%y, %s, %m, %n) : (i32, vector<4xi32>, vector<4xi1>, i32) -> i32
  return %r : i32
}
// -----
// llvm.intr.vp.reduce.fadd
func.func @llvm_vp_reduce_fadd(%y: f32, %x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.reduce.fadd"(%y, %s, %m, %n) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  return %r : f32
}
// -----
// llvm.intr.vp.reduce.fmax
func.func @llvm_vp_reduce_fmax(%y: f32, %x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.reduce.fmax"(%y, %s, %m, %n) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  return %r : f32
}
// -----
// llvm.intr.vp.reduce.fmin
func.func @llvm_vp_reduce_fmin(%y: f32, %x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.reduce.fmin"(%y, %s, %m, %n) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  return %r : f32
}
// -----
// llvm.intr.vp.reduce.fmul
func.func @llvm_vp_reduce_fmul(%y: f32, %x: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> f32 {
  %k = llvm.mlir.constant(dense<[1.0, -5.0, 7.0, 8.0]> : vector<4xf32>) : vector<4xf32>
  %s = llvm.fadd %x, %k : vector<4xf32>
  %r = "llvm.intr.vp.reduce.fmul"(%y, %s, %m, %n) : (f32, vector<4xf32>, vector<4xi1>, i32) -> f32
  return %r : f32
}
// -----
// llvm.intr.coro.size, llvm.intr.coro.align
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func internal @llvm_coroutine(%x: i32, %to: !llvm.ptr) -> !llvm.ptr attributes {passthrough = ["presplitcoroutine"]} {
  %null = llvm.mlir.zero : !llvm.ptr
  %align = llvm.mlir.constant(0 : i32) : i32
  %no = llvm.mlir.constant(false) : i1
  %none = llvm.mlir.none : !llvm.token
  %id = llvm.intr.coro.id %align, %null, %null, %null : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %size = llvm.intr.coro.size : i64
  %alignment = llvm.intr.coro.align : i64
  %both = llvm.add %size, %alignment : i64
  %room = llvm.call @malloc(%both) : (i64) -> !llvm.ptr
  %handle = llvm.intr.coro.begin %id, %room : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  %saved = llvm.intr.coro.save %handle : (!llvm.ptr) -> !llvm.token
  %state = llvm.intr.coro.suspend %saved, %no : i8
  llvm.switch %state : i8, ^suspended [
    0: ^resumed,
    1: ^destroyed
  ]
^resumed:
  llvm.store %x, %to : i32, !llvm.ptr
  llvm.br ^destroyed
^destroyed:
  %memory = llvm.intr.coro.free %id, %handle : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.call @free(%memory) : (!llvm.ptr) -> ()
  llvm.br ^suspended
^suspended:
  %ended = llvm.intr.coro.end %handle, %no, %none : (!llvm.ptr, i1, !llvm.token) -> i1
  llvm.return %handle : !llvm.ptr
}
func.func @llvm_coroutine_resumed(%x: i32, %to: !llvm.ptr) -> i32 {
  %handle = llvm.call @llvm_coroutine(%x, %to) : (i32, !llvm.ptr) -> !llvm.ptr
  %before = llvm.load %to : !llvm.ptr -> i32
  llvm.intr.coro.resume %handle : !llvm.ptr
  %after = llvm.load %to : !llvm.ptr -> i32
  %r = llvm.sub %after, %before : i32
  return %r : i32
}
// -----
// llvm.blocktag
llvm.func @llvm_blocktag(%x: i32) -> i32 {
  %target = llvm.blockaddress <function = @llvm_blocktag, tag = <id = 1>> : !llvm.ptr
  %next = llvm.add %x, %x : i32
  llvm.indirectbr %target : !llvm.ptr, [
    ^next(%next : i32)
  ]
^next(%r : i32):
  llvm.blocktag <id = 1>
  llvm.return %r : i32
}
// -----
// llvm.comdat, llvm.comdat_selector
llvm.comdat @comdats {
  llvm.comdat_selector @llvm_twice any
}
llvm.mlir.global linkonce_odr @number(7 : i32) comdat(@comdats::@llvm_twice) {alignment = 4 : i64} : i32
llvm.func linkonce_odr @llvm_twice(%x: i32) -> i32 comdat(@comdats::@llvm_twice) {
  %r = llvm.add %x, %x : i32
  llvm.return %r : i32
}
func.func @llvm_comdat(%x: i32) -> i32 {
  %p = llvm.mlir.addressof @number : !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  %d = llvm.call @llvm_twice(%x) : (i32) -> i32
  %r = llvm.add %n, %d : i32
  return %r : i32
}
// -----
// llvm.mlir.global_ctors
llvm.mlir.global internal @ctors_number(7 : i32) : i32
llvm.func internal @llvm_ctors_run() {
  %p = llvm.mlir.addressof @ctors_number : !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %n, %one : i32
  llvm.store %s, %p : i32, !llvm.ptr
  llvm.return
}
llvm.mlir.global_ctors ctors = [@llvm_ctors_run], priorities = [65535 : i32], data = [#llvm.zero]
func.func @llvm_global_ctors(%x: i32) -> i32 {
  %p = llvm.mlir.addressof @ctors_number : !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  %r = llvm.add %n, %x : i32
  return %r : i32
}
// -----
// llvm.mlir.global_dtors
llvm.mlir.global internal @dtors_number(7 : i32) : i32
llvm.func internal @llvm_dtors_run() {
  %p = llvm.mlir.addressof @dtors_number : !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.add %n, %one : i32
  llvm.store %s, %p : i32, !llvm.ptr
  llvm.return
}
llvm.mlir.global_dtors dtors = [@llvm_dtors_run], priorities = [65535 : i32], data = [#llvm.zero]
func.func @llvm_global_dtors(%x: i32) -> i32 {
  %p = llvm.mlir.addressof @dtors_number : !llvm.ptr
  %n = llvm.load %p : !llvm.ptr -> i32
  %r = llvm.add %n, %x : i32
  return %r : i32
}
// -----
// llvm.mlir.ifunc
llvm.func internal @llvm_twice_x86(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  llvm.return %r : i32
}
llvm.func internal @llvm_resolve_twice() -> !llvm.ptr {
  %p = llvm.mlir.addressof @llvm_twice_x86 : !llvm.ptr
  llvm.return %p : !llvm.ptr
}
llvm.mlir.ifunc external @twice_resolved : !llvm.func<i32 (i32)>, !llvm.ptr @llvm_resolve_twice
func.func @llvm_ifunc(%x: i32) -> i32 {
  %r = llvm.call @twice_resolved(%x) : (i32) -> i32
  return %r : i32
}
// -----
// llvm.mlir.global, llvm.mlir.alias, llvm.mlir.addressof: of numbers
llvm.mlir.global internal @global_number(7 : i32) : i32
llvm.mlir.alias internal @alias_number : i32 {
  %p = llvm.mlir.addressof @global_number : !llvm.ptr
  llvm.return %p : !llvm.ptr
}
func.func @llvm_global(%x: i32) -> i32 {
  %p = llvm.mlir.addressof @global_number : !llvm.ptr
  %q = llvm.mlir.addressof @alias_number : !llvm.ptr
  %n = llvm.load %q : !llvm.ptr -> i32
  %s = llvm.add %n, %x : i32
  llvm.store %s, %p : i32, !llvm.ptr
  %r = llvm.load %q : !llvm.ptr -> i32
  llvm.store %n, %p : i32, !llvm.ptr
  return %r : i32
}
// -----
// llvm.linker_options
llvm.linker_options ["-l", "m"]
func.func @llvm_linker_options(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  return %r : i32
}
// -----
// llvm.module_flags
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<max, "PIC Level", 2 : i32>]
func.func @llvm_module_flags(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  return %r : i32
}
// -----
// llvm.inline_asm: of numbers
func.func @llvm_inline_asm(%x: i64) -> i64 {
  llvm.inline_asm has_side_effects "nop", "" : () -> ()
  %r = llvm.inline_asm "lea 3($1), $0", "=r,r" %x : (i64) -> i64
  return %r : i64
}
// -----
// llvm.call_intrinsic: of numbers
func.func @llvm_call_intrinsic(%x: vector<4xf32>, %y: f32) -> f32 {
  %r = llvm.call_intrinsic "llvm.vector.reduce.fadd"(%y, %x) : (f32, vector<4xf32>) -> f32
  return %r : f32
}
// -----
// llvm.insertelement, llvm.extractelement, llvm.shufflevector, llvm.insertvalue, llvm.extractvalue: of numbers
func.func @llvm_aggregates(%v: vector<4xf32>, %x: f32, %i: i32) -> (vector<2xf32>, f32, i32) {
  %k = llvm.mlir.constant(4.0 : f32) : f32
  %y = llvm.fadd %x, %k : f32
  %a = llvm.insertelement %y, %v[%i : i32] : vector<4xf32>
  %b = llvm.shufflevector %a, %v [2, 5] : vector<4xf32>
  %c = llvm.extractelement %a[%i : i32] : vector<4xf32>
  %u = llvm.mlir.undef : !llvm.struct<(f32, array<2 x i32>)>
  %s = llvm.insertvalue %i, %u[1, 0] : !llvm.struct<(f32, array<2 x i32>)>
  %d = llvm.extractvalue %s[1, 0] : !llvm.struct<(f32, array<2 x i32>)>
  return %b, %c, %d : vector<2xf32>, f32, i32
}
// -----
// llvm.invoke, llvm.landingpad, llvm.resume: of numbers
llvm.func @__gxx_personality_v0(...) -> i32
llvm.func internal @llvm_thrice(%x: i32) -> i32 attributes {passthrough = ["noinline"]} {
  %three = llvm.mlir.constant(3 : i32) : i32
  %r = llvm.mul %x, %three : i32
  llvm.return %r : i32
}
llvm.func @llvm_invoke(%x: i32) -> i32 attributes {personality = @__gxx_personality_v0} {
  %r = llvm.invoke @llvm_thrice(%x) to ^normal unwind ^unwound : (i32) -> i32
^normal:
  llvm.return %r : i32
^unwound:
  %pad = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.resume %pad : !llvm.struct<(ptr, i32)>
}
