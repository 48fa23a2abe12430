// complex.constant, complex.create, complex.re, complex.im
func.func @complex_create(%x: f32, %y: f32) -> complex<f32> {
  %k = arith.constant 2.0 : f32
  %s = arith.mulf %y, %k : f32
  %r = complex.create %x, %s : complex<f32>
  return %r : complex<f32>
}
func.func @complex_parts(%x: complex<f64>) -> (f64, f64) {
  %a = complex.re %x : complex<f64>
  %b = complex.im %x : complex<f64>
  return %b, %a : f64, f64
}
func.func @complex_constant(%which: i1, %x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.5 : f32, -2.0 : f32] : complex<f32>
  %r = complex.sub %k, %x : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.create, complex.re, complex.im: f16 and bf16
func.func @complex_parts_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %d = complex.add %c, %c : complex<f16>
  %a = complex.re %d : complex<f16>
  %b = complex.im %c : complex<f16>
  return %a, %b : f16, f16
}
func.func @complex_parts_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %d = complex.add %c, %c : complex<bf16>
  %a = complex.re %d : complex<bf16>
  %b = complex.im %c : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.add, complex.sub
func.func @complex_add(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.add %s, %y : complex<f32>
  return %r : complex<f32>
}
func.func @complex_sub(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sub %s, %y : complex<f32>
  return %r : complex<f32>
}
func.func @complex_add_f64(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.add %s, %y : complex<f64>
  return %r : complex<f64>
}
func.func @complex_sub_f64(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.sub %s, %y : complex<f64>
  return %r : complex<f64>
}
func.func @complex_add_fast(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.add %s, %y fastmath<fast> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.mul
func.func @complex_mul(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.mul %s, %y : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.mul: f64
func.func @complex_mul_f64(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.mul %s, %y : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.mul: fast math
func.func @complex_mul_fast(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.mul %s, %y fastmath<nnan, contract> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.div
func.func @complex_div(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.div %s, %y : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.div: f64
func.func @complex_div_f64(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.div %s, %y : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.div: fast math
func.func @complex_div_fast(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.div %s, %y fastmath<nnan, contract> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.neg
func.func @complex_neg(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.neg %s : complex<f32>
  return %r : complex<f32>
}
func.func @complex_neg_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.neg %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.conj
func.func @complex_conj(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.conj %s : complex<f32>
  return %r : complex<f32>
}
func.func @complex_conj_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.conj %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.eq, complex.neq
func.func @complex_eq(%x: complex<f32>, %y: complex<f32>) -> (i1, i1) {
  %k = complex.constant [1.5 : f32, 0.25 : f32] : complex<f32>
  %a = complex.eq %x, %k : complex<f32>
  %b = complex.eq %x, %y : complex<f32>
  return %a, %b : i1, i1
}
func.func @complex_neq(%x: complex<f32>, %y: complex<f32>) -> (i1, i1) {
  %k = complex.constant [1.5 : f32, 0.25 : f32] : complex<f32>
  %a = complex.neq %x, %k : complex<f32>
  %b = complex.neq %x, %y : complex<f32>
  return %a, %b : i1, i1
}
func.func @complex_eq_f64(%x: complex<f64>, %y: complex<f64>) -> (i1, i1) {
  %k = complex.constant [1.5 : f64, 0.25 : f64] : complex<f64>
  %a = complex.eq %x, %k : complex<f64>
  %b = complex.eq %x, %y : complex<f64>
  return %a, %b : i1, i1
}
func.func @complex_neq_f64(%x: complex<f64>, %y: complex<f64>) -> (i1, i1) {
  %k = complex.constant [1.5 : f64, 0.25 : f64] : complex<f64>
  %a = complex.neq %x, %k : complex<f64>
  %b = complex.neq %x, %y : complex<f64>
  return %a, %b : i1, i1
}
// -----
// complex.abs
func.func @complex_abs(%x: complex<f32>) -> f32 {
  %k = complex.constant [0.25 : f32, -1.5 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.abs %s : complex<f32>
  return %r : f32
}
// -----
// complex.abs: f64
func.func @complex_abs_f64(%x: complex<f64>) -> f64 {
  %k = complex.constant [0.25 : f64, -1.5 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.abs %s : complex<f64>
  return %r : f64
}
// -----
// complex.abs: fast math
func.func @complex_abs_fast(%x: complex<f32>) -> f32 {
  %k = complex.constant [0.25 : f32, -1.5 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.abs %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : f32
}
// -----
// complex.angle
func.func @complex_angle(%x: complex<f32>) -> f32 {
  %k = complex.constant [0.25 : f32, -1.5 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.angle %s : complex<f32>
  return %r : f32
}
// -----
// complex.angle: f64
func.func @complex_angle_f64(%x: complex<f64>) -> f64 {
  %k = complex.constant [0.25 : f64, -1.5 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.angle %s : complex<f64>
  return %r : f64
}
// -----
// complex.angle: fast math
func.func @complex_angle_fast(%x: complex<f32>) -> f32 {
  %k = complex.constant [0.25 : f32, -1.5 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.angle %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : f32
}
// -----
// complex.cos
func.func @complex_cos(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.cos %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.cos: f64
func.func @complex_cos_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.cos %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.cos: fast math
func.func @complex_cos_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.cos %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.exp
func.func @complex_exp(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.exp %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.exp: f64
func.func @complex_exp_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.exp %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.exp: fast math
func.func @complex_exp_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.exp %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.expm1
func.func @complex_expm1(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.expm1 %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.expm1: f64
func.func @complex_expm1_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.expm1 %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.expm1: fast math
func.func @complex_expm1_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.expm1 %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.log
func.func @complex_log(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.log %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.log: f64
func.func @complex_log_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.log %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.log: fast math
func.func @complex_log_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.log %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.log1p
func.func @complex_log1p(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.log1p %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.log1p: f64
func.func @complex_log1p_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.log1p %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.log1p: fast math
func.func @complex_log1p_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.log1p %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.rsqrt
func.func @complex_rsqrt(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.rsqrt %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.rsqrt: f64
func.func @complex_rsqrt_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.rsqrt %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.rsqrt: fast math
func.func @complex_rsqrt_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.rsqrt %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.sign
func.func @complex_sign(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sign %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.sign: f64
func.func @complex_sign_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.sign %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.sign: fast math
func.func @complex_sign_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sign %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.sin
func.func @complex_sin(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sin %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.sin: f64
func.func @complex_sin_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.sin %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.sin: fast math
func.func @complex_sin_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sin %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.sqrt
func.func @complex_sqrt(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sqrt %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.sqrt: f64
func.func @complex_sqrt_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.sqrt %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.sqrt: fast math
func.func @complex_sqrt_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.sqrt %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.tan
func.func @complex_tan(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.tan %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.tan: f64
func.func @complex_tan_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.tan %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.tan: fast math
func.func @complex_tan_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.tan %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.tanh
func.func @complex_tanh(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.tanh %s : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.tanh: f64
func.func @complex_tanh_f64(%x: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.25 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.tanh %s : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.tanh: fast math
func.func @complex_tanh_fast(%x: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.25 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.tanh %s fastmath<nnan, ninf, nsz> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.atan2
func.func @complex_atan2(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.atan2 %s, %y : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.atan2: f64
func.func @complex_atan2_f64(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.atan2 %s, %y : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.pow
func.func @complex_pow(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.pow %s, %y : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.pow: f64
func.func @complex_pow_f64(%x: complex<f64>, %y: complex<f64>) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.pow %s, %y : complex<f64>
  return %r : complex<f64>
}
// -----
// complex.pow: fast math
func.func @complex_pow_fast(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.pow %s, %y fastmath<nnan, ninf> : complex<f32>
  return %r : complex<f32>
}
// -----
// complex.powi
func.func @complex_powi(%x: complex<f32>, %n: i32) -> complex<f32> {
  %k = complex.constant [0.25 : f32, -0.75 : f32] : complex<f32>
  %s = complex.add %x, %k : complex<f32>
  %r = complex.powi %s, %n : complex<f32>, i32
  return %r : complex<f32>
}
// -----
// complex.powi: f64
func.func @complex_powi_f64(%x: complex<f64>, %n: i32) -> complex<f64> {
  %k = complex.constant [0.25 : f64, -0.75 : f64] : complex<f64>
  %s = complex.add %x, %k : complex<f64>
  %r = complex.powi %s, %n : complex<f64>, i32
  return %r : complex<f64>
}
// -----
// complex.bitcast
// compile: no
func.func @complex_bitcast_from(%x: i64) -> complex<f32> {
  %k = arith.constant 0x3F8000003F000000 : i64
  %s = arith.addi %x, %k : i64
  %r = complex.bitcast %s : i64 to complex<f32>
  return %r : complex<f32>
}
// -----
// complex.bitcast: to a number
// compile: no
func.func @complex_bitcast_to(%x: complex<f32>) -> i64 {
  %r = complex.bitcast %x : complex<f32> to i64
  return %r : i64
}
// -----
// complex.sub, complex.mul, complex.neg, complex.conj: f16
func.func @complex_sub_f16(%x: f16, %y: f16) -> (f16, f16) {
  %k = arith.constant 0.25 : f16
  %c = complex.create %x, %y : complex<f16>
  %d = complex.create %k, %x : complex<f16>
  %r = complex.sub %c, %d : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
func.func @complex_mul_f16(%x: f16, %y: f16) -> (f16, f16) {
  %k = arith.constant 0.25 : f16
  %c = complex.create %x, %y : complex<f16>
  %d = complex.create %k, %x : complex<f16>
  %r = complex.mul %c, %d : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
func.func @complex_neg_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.neg %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
func.func @complex_conj_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.conj %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.div: f16
func.func @complex_div_f16(%x: f16, %y: f16) -> (f16, f16) {
  %k = arith.constant 0.25 : f16
  %c = complex.create %x, %y : complex<f16>
  %d = complex.create %k, %x : complex<f16>
  %r = complex.div %c, %d : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.abs: f16
func.func @complex_abs_f16(%x: f16, %y: f16) -> f16 {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.abs %c : complex<f16>
  return %r : f16
}
// -----
// complex.angle: f16
func.func @complex_angle_f16(%x: f16, %y: f16) -> f16 {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.angle %c : complex<f16>
  return %r : f16
}
// -----
// complex.cos: f16
func.func @complex_cos_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.cos %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.exp: f16
func.func @complex_exp_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.exp %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.expm1: f16
func.func @complex_expm1_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.expm1 %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.log: f16
func.func @complex_log_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.log %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.log1p: f16
func.func @complex_log1p_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.log1p %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.rsqrt: f16
func.func @complex_rsqrt_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.rsqrt %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.sign: f16
func.func @complex_sign_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.sign %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.sin: f16
func.func @complex_sin_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.sin %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.sqrt: f16
func.func @complex_sqrt_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.sqrt %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.tan: f16
func.func @complex_tan_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.tan %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.tanh: f16
func.func @complex_tanh_f16(%x: f16, %y: f16) -> (f16, f16) {
  %c = complex.create %x, %y : complex<f16>
  %r = complex.tanh %c : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.atan2: f16
func.func @complex_atan2_f16(%x: f16, %y: f16) -> (f16, f16) {
  %k = arith.constant 0.25 : f16
  %c = complex.create %x, %y : complex<f16>
  %d = complex.create %k, %x : complex<f16>
  %r = complex.atan2 %c, %d : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.pow: f16
func.func @complex_pow_f16(%x: f16, %y: f16) -> (f16, f16) {
  %k = arith.constant 0.25 : f16
  %c = complex.create %x, %y : complex<f16>
  %d = complex.create %k, %x : complex<f16>
  %r = complex.pow %c, %d : complex<f16>
  %a = complex.re %r : complex<f16>
  %b = complex.im %r : complex<f16>
  return %a, %b : f16, f16
}
// -----
// complex.sub, complex.mul, complex.neg, complex.conj: bf16
func.func @complex_sub_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %k = arith.constant 0.25 : bf16
  %c = complex.create %x, %y : complex<bf16>
  %d = complex.create %k, %x : complex<bf16>
  %r = complex.sub %c, %d : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
func.func @complex_mul_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %k = arith.constant 0.25 : bf16
  %c = complex.create %x, %y : complex<bf16>
  %d = complex.create %k, %x : complex<bf16>
  %r = complex.mul %c, %d : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
func.func @complex_neg_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.neg %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
func.func @complex_conj_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.conj %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.div: bf16
func.func @complex_div_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %k = arith.constant 0.25 : bf16
  %c = complex.create %x, %y : complex<bf16>
  %d = complex.create %k, %x : complex<bf16>
  %r = complex.div %c, %d : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.abs: bf16
func.func @complex_abs_bf16(%x: bf16, %y: bf16) -> bf16 {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.abs %c : complex<bf16>
  return %r : bf16
}
// -----
// complex.angle: bf16
func.func @complex_angle_bf16(%x: bf16, %y: bf16) -> bf16 {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.angle %c : complex<bf16>
  return %r : bf16
}
// -----
// complex.cos: bf16
func.func @complex_cos_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.cos %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.exp: bf16
func.func @complex_exp_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.exp %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.expm1: bf16
func.func @complex_expm1_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.expm1 %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.log: bf16
func.func @complex_log_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.log %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.log1p: bf16
func.func @complex_log1p_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.log1p %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.rsqrt: bf16
func.func @complex_rsqrt_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.rsqrt %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.sign: bf16
func.func @complex_sign_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.sign %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.sin: bf16
func.func @complex_sin_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.sin %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.sqrt: bf16
func.func @complex_sqrt_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.sqrt %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.tan: bf16
func.func @complex_tan_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.tan %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.tanh: bf16
func.func @complex_tanh_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %c = complex.create %x, %y : complex<bf16>
  %r = complex.tanh %c : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.atan2: bf16
func.func @complex_atan2_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %k = arith.constant 0.25 : bf16
  %c = complex.create %x, %y : complex<bf16>
  %d = complex.create %k, %x : complex<bf16>
  %r = complex.atan2 %c, %d : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.pow: bf16
func.func @complex_pow_bf16(%x: bf16, %y: bf16) -> (bf16, bf16) {
  %k = arith.constant 0.25 : bf16
  %c = complex.create %x, %y : complex<bf16>
  %d = complex.create %k, %x : complex<bf16>
  %r = complex.pow %c, %d : complex<bf16>
  %a = complex.re %r : complex<bf16>
  %b = complex.im %r : complex<bf16>
  return %a, %b : bf16, bf16
}
// -----
// complex.mul, complex.add: of a memref
func.func @complex_sum_of_products(%a: memref<?xcomplex<f32>>, %b: memref<?xcomplex<f32>>) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xcomplex<f32>>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> complex<f32> {
    %x = memref.load %a[%i] : memref<?xcomplex<f32>>
    %y = memref.load %b[%i] : memref<?xcomplex<f32>>
    %p = complex.mul %x, %y : complex<f32>
    %s = complex.add %sum, %p : complex<f32>
    scf.yield %s : complex<f32>
  }
  return %r : complex<f32>
}
// -----
// complex.sqrt, complex.rsqrt, complex.log, complex.log1p, complex.sign, complex.abs, complex.pow: f80
func.func @complex_sqrt_f80(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.sqrt %c : complex<f80>
  %re = complex.re %d : complex<f80>
  %im = complex.im %d : complex<f80>
  %p = arith.truncf %re : f80 to f64
  %q = arith.truncf %im : f80 to f64
  return %p, %q : f64, f64
}
func.func @complex_rsqrt_f80(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.rsqrt %c : complex<f80>
  %re = complex.re %d : complex<f80>
  %im = complex.im %d : complex<f80>
  %p = arith.truncf %re : f80 to f64
  %q = arith.truncf %im : f80 to f64
  return %p, %q : f64, f64
}
func.func @complex_log_f80(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.log %c : complex<f80>
  %re = complex.re %d : complex<f80>
  %im = complex.im %d : complex<f80>
  %p = arith.truncf %re : f80 to f64
  %q = arith.truncf %im : f80 to f64
  return %p, %q : f64, f64
}
func.func @complex_log1p_f80(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.log1p %c : complex<f80>
  %re = complex.re %d : complex<f80>
  %im = complex.im %d : complex<f80>
  %p = arith.truncf %re : f80 to f64
  %q = arith.truncf %im : f80 to f64
  return %p, %q : f64, f64
}
func.func @complex_sign_f80(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.sign %c : complex<f80>
  %re = complex.re %d : complex<f80>
  %im = complex.im %d : complex<f80>
  %p = arith.truncf %re : f80 to f64
  %q = arith.truncf %im : f80 to f64
  return %p, %q : f64, f64
}
func.func @complex_abs_f80(%x: f64) -> f64 {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.abs %c : complex<f80>
  %p = arith.truncf %d : f80 to f64
  return %p : f64
}
func.func @complex_pow_f80(%x: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f80
  %k = arith.constant -0.75 : f80
  %c = complex.create %a, %k : complex<f80>
  %d = complex.pow %c, %c : complex<f80>
  %re = complex.re %d : complex<f80>
  %im = complex.im %d : complex<f80>
  %p = arith.truncf %re : f80 to f64
  %q = arith.truncf %im : f80 to f64
  return %p, %q : f64, f64
}
// -----
// complex.sqrt, complex.rsqrt, complex.log, complex.log1p, complex.sign, complex.abs, complex.pow: f128
func.func @complex_sqrt_f128(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.sqrt %c : complex<f128>
  %re = complex.re %d : complex<f128>
  %im = complex.im %d : complex<f128>
  %p = arith.truncf %re : f128 to f64
  %q = arith.truncf %im : f128 to f64
  return %p, %q : f64, f64
}
func.func @complex_rsqrt_f128(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.rsqrt %c : complex<f128>
  %re = complex.re %d : complex<f128>
  %im = complex.im %d : complex<f128>
  %p = arith.truncf %re : f128 to f64
  %q = arith.truncf %im : f128 to f64
  return %p, %q : f64, f64
}
func.func @complex_log_f128(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.log %c : complex<f128>
  %re = complex.re %d : complex<f128>
  %im = complex.im %d : complex<f128>
  %p = arith.truncf %re : f128 to f64
  %q = arith.truncf %im : f128 to f64
  return %p, %q : f64, f64
}
func.func @complex_log1p_f128(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.log1p %c : complex<f128>
  %re = complex.re %d : complex<f128>
  %im = complex.im %d : complex<f128>
  %p = arith.truncf %re : f128 to f64
  %q = arith.truncf %im : f128 to f64
  return %p, %q : f64, f64
}
func.func @complex_sign_f128(%x: f64, %y: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.sign %c : complex<f128>
  %re = complex.re %d : complex<f128>
  %im = complex.im %d : complex<f128>
  %p = arith.truncf %re : f128 to f64
  %q = arith.truncf %im : f128 to f64
  return %p, %q : f64, f64
}
func.func @complex_abs_f128(%x: f64) -> f64 {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.abs %c : complex<f128>
  %p = arith.truncf %d : f128 to f64
  return %p : f64
}
func.func @complex_pow_f128(%x: f64) -> (f64, f64) {
  %a = arith.extf %x : f64 to f128
  %k = arith.constant -0.75 : f128
  %c = complex.create %a, %k : complex<f128>
  %d = complex.pow %c, %c : complex<f128>
  %re = complex.re %d : complex<f128>
  %im = complex.im %d : complex<f128>
  %p = arith.truncf %re : f128 to f64
  %q = arith.truncf %im : f128 to f64
  return %p, %q : f64, f64
}
