// math.absf
func.func @math_absf_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.absf %n : f32
  return %r : f32
}
func.func @math_absf_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.absf %n : f64
  return %r : f64
}
// -----
// math.absf: f16
func.func @math_absf_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.absf %n : f16
  return %r : f16
}
// -----
// math.absf: bf16
func.func @math_absf_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.absf %n : bf16
  return %r : bf16
}
// -----
// math.absf: vectors
func.func @math_absf_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.absf %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_absf_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.absf %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_absf_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.absf %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.absf: vectors of rank 2
func.func @math_absf_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.absf %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.absf: fast math
func.func @math_absf_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.absf %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.acos
func.func @math_acos_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %h = arith.divf %x, %two : f32
  %s = arith.mulf %h, %k : f32
  %r = math.acos %s : f32
  return %r : f32
}
func.func @math_acos_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %two = arith.constant 2.0 : f64
  %h = arith.divf %x, %two : f64
  %s = arith.mulf %h, %k : f64
  %r = math.acos %s : f64
  return %r : f64
}
// -----
// math.acos: f16
func.func @math_acos_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %two = arith.constant 2.0 : f16
  %h = arith.divf %x, %two : f16
  %s = arith.mulf %h, %k : f16
  %r = math.acos %s : f16
  return %r : f16
}
// -----
// math.acos: bf16
func.func @math_acos_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %two = arith.constant 2.0 : bf16
  %h = arith.divf %x, %two : bf16
  %s = arith.mulf %h, %k : bf16
  %r = math.acos %s : bf16
  return %r : bf16
}
// -----
// math.acos: vectors
func.func @math_acos_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xf32>
  %two = arith.constant dense<2.0> : vector<4xf32>
  %h = arith.divf %x, %two : vector<4xf32>
  %s = arith.mulf %h, %k : vector<4xf32>
  %r = math.acos %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_acos_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xf16>
  %two = arith.constant dense<2.0> : vector<4xf16>
  %h = arith.divf %x, %two : vector<4xf16>
  %s = arith.mulf %h, %k : vector<4xf16>
  %r = math.acos %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_acos_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xbf16>
  %two = arith.constant dense<2.0> : vector<4xbf16>
  %h = arith.divf %x, %two : vector<4xbf16>
  %s = arith.mulf %h, %k : vector<4xbf16>
  %r = math.acos %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.acos: vectors of rank 2
func.func @math_acos_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, -0.75]]> : vector<2x2xf64>
  %two = arith.constant dense<2.0> : vector<2x2xf64>
  %h = arith.divf %x, %two : vector<2x2xf64>
  %s = arith.mulf %h, %k : vector<2x2xf64>
  %r = math.acos %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.acos: fast math
func.func @math_acos_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %h = arith.divf %x, %two : f32
  %s = arith.mulf %h, %k : f32
  %r = math.acos %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.acosh
func.func @math_acosh_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.acosh %s : f32
  return %r : f32
}
func.func @math_acosh_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.acosh %s : f64
  return %r : f64
}
// -----
// math.acosh: f16
func.func @math_acosh_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.acosh %s : f16
  return %r : f16
}
// -----
// math.acosh: bf16
func.func @math_acosh_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.acosh %s : bf16
  return %r : bf16
}
// -----
// math.acosh: vectors
func.func @math_acosh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.acosh %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_acosh_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.acosh %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_acosh_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.acosh %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.acosh: vectors of rank 2
func.func @math_acosh_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.acosh %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.acosh: fast math
func.func @math_acosh_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.acosh %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.asin
func.func @math_asin_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %h = arith.divf %x, %two : f32
  %s = arith.mulf %h, %k : f32
  %r = math.asin %s : f32
  return %r : f32
}
func.func @math_asin_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %two = arith.constant 2.0 : f64
  %h = arith.divf %x, %two : f64
  %s = arith.mulf %h, %k : f64
  %r = math.asin %s : f64
  return %r : f64
}
// -----
// math.asin: f16
func.func @math_asin_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %two = arith.constant 2.0 : f16
  %h = arith.divf %x, %two : f16
  %s = arith.mulf %h, %k : f16
  %r = math.asin %s : f16
  return %r : f16
}
// -----
// math.asin: bf16
func.func @math_asin_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %two = arith.constant 2.0 : bf16
  %h = arith.divf %x, %two : bf16
  %s = arith.mulf %h, %k : bf16
  %r = math.asin %s : bf16
  return %r : bf16
}
// -----
// math.asin: vectors
func.func @math_asin_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xf32>
  %two = arith.constant dense<2.0> : vector<4xf32>
  %h = arith.divf %x, %two : vector<4xf32>
  %s = arith.mulf %h, %k : vector<4xf32>
  %r = math.asin %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_asin_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xf16>
  %two = arith.constant dense<2.0> : vector<4xf16>
  %h = arith.divf %x, %two : vector<4xf16>
  %s = arith.mulf %h, %k : vector<4xf16>
  %r = math.asin %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_asin_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xbf16>
  %two = arith.constant dense<2.0> : vector<4xbf16>
  %h = arith.divf %x, %two : vector<4xbf16>
  %s = arith.mulf %h, %k : vector<4xbf16>
  %r = math.asin %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.asin: vectors of rank 2
func.func @math_asin_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, -0.75]]> : vector<2x2xf64>
  %two = arith.constant dense<2.0> : vector<2x2xf64>
  %h = arith.divf %x, %two : vector<2x2xf64>
  %s = arith.mulf %h, %k : vector<2x2xf64>
  %r = math.asin %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.asin: fast math
func.func @math_asin_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %h = arith.divf %x, %two : f32
  %s = arith.mulf %h, %k : f32
  %r = math.asin %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.asinh
func.func @math_asinh_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.asinh %n : f32
  return %r : f32
}
func.func @math_asinh_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.asinh %n : f64
  return %r : f64
}
// -----
// math.asinh: f16
func.func @math_asinh_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.asinh %n : f16
  return %r : f16
}
// -----
// math.asinh: bf16
func.func @math_asinh_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.asinh %n : bf16
  return %r : bf16
}
// -----
// math.asinh: vectors
func.func @math_asinh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.asinh %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_asinh_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.asinh %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_asinh_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.asinh %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.asinh: vectors of rank 2
func.func @math_asinh_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.asinh %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.asinh: fast math
func.func @math_asinh_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.asinh %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.atan
func.func @math_atan_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.atan %n : f32
  return %r : f32
}
func.func @math_atan_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.atan %n : f64
  return %r : f64
}
// -----
// math.atan: f16
func.func @math_atan_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.atan %n : f16
  return %r : f16
}
// -----
// math.atan: bf16
func.func @math_atan_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.atan %n : bf16
  return %r : bf16
}
// -----
// math.atan: vectors
func.func @math_atan_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.atan %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_atan_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.atan %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_atan_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.atan %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.atan: vectors of rank 2
func.func @math_atan_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.atan %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.atan: fast math
func.func @math_atan_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.atan %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.atanh
func.func @math_atanh_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %h = arith.divf %x, %two : f32
  %s = arith.mulf %h, %k : f32
  %r = math.atanh %s : f32
  return %r : f32
}
func.func @math_atanh_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %two = arith.constant 2.0 : f64
  %h = arith.divf %x, %two : f64
  %s = arith.mulf %h, %k : f64
  %r = math.atanh %s : f64
  return %r : f64
}
// -----
// math.atanh: f16
func.func @math_atanh_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %two = arith.constant 2.0 : f16
  %h = arith.divf %x, %two : f16
  %s = arith.mulf %h, %k : f16
  %r = math.atanh %s : f16
  return %r : f16
}
// -----
// math.atanh: bf16
func.func @math_atanh_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %two = arith.constant 2.0 : bf16
  %h = arith.divf %x, %two : bf16
  %s = arith.mulf %h, %k : bf16
  %r = math.atanh %s : bf16
  return %r : bf16
}
// -----
// math.atanh: vectors
func.func @math_atanh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xf32>
  %two = arith.constant dense<2.0> : vector<4xf32>
  %h = arith.divf %x, %two : vector<4xf32>
  %s = arith.mulf %h, %k : vector<4xf32>
  %r = math.atanh %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_atanh_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xf16>
  %two = arith.constant dense<2.0> : vector<4xf16>
  %h = arith.divf %x, %two : vector<4xf16>
  %s = arith.mulf %h, %k : vector<4xf16>
  %r = math.atanh %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_atanh_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, -0.75]> : vector<4xbf16>
  %two = arith.constant dense<2.0> : vector<4xbf16>
  %h = arith.divf %x, %two : vector<4xbf16>
  %s = arith.mulf %h, %k : vector<4xbf16>
  %r = math.atanh %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.atanh: vectors of rank 2
func.func @math_atanh_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, -0.75]]> : vector<2x2xf64>
  %two = arith.constant dense<2.0> : vector<2x2xf64>
  %h = arith.divf %x, %two : vector<2x2xf64>
  %s = arith.mulf %h, %k : vector<2x2xf64>
  %r = math.atanh %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.atanh: fast math
func.func @math_atanh_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %two = arith.constant 2.0 : f32
  %h = arith.divf %x, %two : f32
  %s = arith.mulf %h, %k : f32
  %r = math.atanh %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.cbrt
func.func @math_cbrt_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.cbrt %n : f32
  return %r : f32
}
func.func @math_cbrt_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.cbrt %n : f64
  return %r : f64
}
// -----
// math.cbrt: f16
func.func @math_cbrt_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.cbrt %n : f16
  return %r : f16
}
// -----
// math.cbrt: bf16
func.func @math_cbrt_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.cbrt %n : bf16
  return %r : bf16
}
// -----
// math.cbrt: vectors
func.func @math_cbrt_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.cbrt %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_cbrt_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.cbrt %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_cbrt_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.cbrt %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.cbrt: vectors of rank 2
func.func @math_cbrt_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.cbrt %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.cbrt: fast math
func.func @math_cbrt_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.cbrt %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.ceil
func.func @math_ceil_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.ceil %n : f32
  return %r : f32
}
func.func @math_ceil_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.ceil %n : f64
  return %r : f64
}
// -----
// math.ceil: f16
func.func @math_ceil_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.ceil %n : f16
  return %r : f16
}
// -----
// math.ceil: bf16
func.func @math_ceil_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.ceil %n : bf16
  return %r : bf16
}
// -----
// math.ceil: vectors
func.func @math_ceil_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.ceil %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_ceil_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.ceil %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_ceil_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.ceil %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.ceil: vectors of rank 2
func.func @math_ceil_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.ceil %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.ceil: fast math
func.func @math_ceil_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.ceil %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.cos
func.func @math_cos_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.cos %s : f32
  return %r : f32
}
func.func @math_cos_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.cos %s : f64
  return %r : f64
}
// -----
// math.cos: f16
func.func @math_cos_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.cos %s : f16
  return %r : f16
}
// -----
// math.cos: bf16
func.func @math_cos_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.cos %s : bf16
  return %r : bf16
}
// -----
// math.cos: vectors
func.func @math_cos_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.cos %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_cos_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.cos %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_cos_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.cos %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.cos: vectors of rank 2
func.func @math_cos_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.cos %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.cos: fast math
func.func @math_cos_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.cos %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.cosh
func.func @math_cosh_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.cosh %s : f32
  return %r : f32
}
func.func @math_cosh_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.cosh %s : f64
  return %r : f64
}
// -----
// math.cosh: f16
func.func @math_cosh_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.cosh %s : f16
  return %r : f16
}
// -----
// math.cosh: bf16
func.func @math_cosh_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.cosh %s : bf16
  return %r : bf16
}
// -----
// math.cosh: vectors
func.func @math_cosh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.cosh %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_cosh_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.cosh %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_cosh_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.cosh %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.cosh: vectors of rank 2
func.func @math_cosh_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.cosh %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.cosh: fast math
func.func @math_cosh_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.cosh %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.erf
func.func @math_erf_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.erf %n : f32
  return %r : f32
}
func.func @math_erf_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.erf %n : f64
  return %r : f64
}
// -----
// math.erf: f16
func.func @math_erf_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.erf %n : f16
  return %r : f16
}
// -----
// math.erf: bf16
func.func @math_erf_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.erf %n : bf16
  return %r : bf16
}
// -----
// math.erf: vectors
func.func @math_erf_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.erf %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_erf_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.erf %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_erf_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.erf %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.erf: vectors of rank 2
func.func @math_erf_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.erf %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.erf: fast math
func.func @math_erf_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.erf %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.erfc
func.func @math_erfc_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.erfc %n : f32
  return %r : f32
}
func.func @math_erfc_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.erfc %n : f64
  return %r : f64
}
// -----
// math.erfc: f16
func.func @math_erfc_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.erfc %n : f16
  return %r : f16
}
// -----
// math.erfc: bf16
func.func @math_erfc_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.erfc %n : bf16
  return %r : bf16
}
// -----
// math.erfc: vectors
func.func @math_erfc_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.erfc %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_erfc_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.erfc %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_erfc_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.erfc %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.erfc: vectors of rank 2
func.func @math_erfc_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.erfc %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.erfc: fast math
func.func @math_erfc_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.erfc %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.exp
func.func @math_exp_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.exp %s : f32
  return %r : f32
}
func.func @math_exp_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.exp %s : f64
  return %r : f64
}
// -----
// math.exp: f16
func.func @math_exp_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.exp %s : f16
  return %r : f16
}
// -----
// math.exp: bf16
func.func @math_exp_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.exp %s : bf16
  return %r : bf16
}
// -----
// math.exp: vectors
func.func @math_exp_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.exp %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_exp_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.exp %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_exp_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.exp %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.exp: vectors of rank 2
func.func @math_exp_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.exp %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.exp: fast math
func.func @math_exp_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.exp %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.exp2
func.func @math_exp2_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.exp2 %s : f32
  return %r : f32
}
func.func @math_exp2_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.exp2 %s : f64
  return %r : f64
}
// -----
// math.exp2: f16
func.func @math_exp2_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.exp2 %s : f16
  return %r : f16
}
// -----
// math.exp2: bf16
func.func @math_exp2_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.exp2 %s : bf16
  return %r : bf16
}
// -----
// math.exp2: vectors
func.func @math_exp2_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.exp2 %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_exp2_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.exp2 %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_exp2_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.exp2 %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.exp2: vectors of rank 2
func.func @math_exp2_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.exp2 %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.exp2: fast math
func.func @math_exp2_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.exp2 %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.expm1
func.func @math_expm1_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.expm1 %s : f32
  return %r : f32
}
func.func @math_expm1_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.expm1 %s : f64
  return %r : f64
}
// -----
// math.expm1: f16
func.func @math_expm1_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.expm1 %s : f16
  return %r : f16
}
// -----
// math.expm1: bf16
func.func @math_expm1_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.expm1 %s : bf16
  return %r : bf16
}
// -----
// math.expm1: vectors
func.func @math_expm1_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.expm1 %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_expm1_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.expm1 %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_expm1_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.expm1 %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.expm1: vectors of rank 2
func.func @math_expm1_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.expm1 %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.expm1: fast math
func.func @math_expm1_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.expm1 %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.floor
func.func @math_floor_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.floor %n : f32
  return %r : f32
}
func.func @math_floor_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.floor %n : f64
  return %r : f64
}
// -----
// math.floor: f16
func.func @math_floor_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.floor %n : f16
  return %r : f16
}
// -----
// math.floor: bf16
func.func @math_floor_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.floor %n : bf16
  return %r : bf16
}
// -----
// math.floor: vectors
func.func @math_floor_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.floor %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_floor_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.floor %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_floor_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.floor %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.floor: vectors of rank 2
func.func @math_floor_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.floor %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.floor: fast math
func.func @math_floor_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.floor %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.log
func.func @math_log_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log %s : f32
  return %r : f32
}
func.func @math_log_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.log %s : f64
  return %r : f64
}
// -----
// math.log: f16
func.func @math_log_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.log %s : f16
  return %r : f16
}
// -----
// math.log: bf16
func.func @math_log_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.log %s : bf16
  return %r : bf16
}
// -----
// math.log: vectors
func.func @math_log_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.log %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_log_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.log %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_log_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.log %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.log: vectors of rank 2
func.func @math_log_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.log %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.log: fast math
func.func @math_log_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.log10
func.func @math_log10_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log10 %s : f32
  return %r : f32
}
func.func @math_log10_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.log10 %s : f64
  return %r : f64
}
// -----
// math.log10: f16
func.func @math_log10_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.log10 %s : f16
  return %r : f16
}
// -----
// math.log10: bf16
func.func @math_log10_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.log10 %s : bf16
  return %r : bf16
}
// -----
// math.log10: vectors
func.func @math_log10_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.log10 %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_log10_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.log10 %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_log10_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.log10 %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.log10: vectors of rank 2
func.func @math_log10_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.log10 %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.log10: fast math
func.func @math_log10_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log10 %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.log1p
func.func @math_log1p_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log1p %s : f32
  return %r : f32
}
func.func @math_log1p_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.log1p %s : f64
  return %r : f64
}
// -----
// math.log1p: f16
func.func @math_log1p_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.log1p %s : f16
  return %r : f16
}
// -----
// math.log1p: bf16
func.func @math_log1p_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.log1p %s : bf16
  return %r : bf16
}
// -----
// math.log1p: vectors
func.func @math_log1p_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.log1p %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_log1p_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.log1p %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_log1p_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.log1p %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.log1p: vectors of rank 2
func.func @math_log1p_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.log1p %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.log1p: fast math
func.func @math_log1p_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log1p %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.log2
func.func @math_log2_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log2 %s : f32
  return %r : f32
}
func.func @math_log2_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.log2 %s : f64
  return %r : f64
}
// -----
// math.log2: f16
func.func @math_log2_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.log2 %s : f16
  return %r : f16
}
// -----
// math.log2: bf16
func.func @math_log2_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.log2 %s : bf16
  return %r : bf16
}
// -----
// math.log2: vectors
func.func @math_log2_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.log2 %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_log2_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.log2 %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_log2_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.log2 %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.log2: vectors of rank 2
func.func @math_log2_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.log2 %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.log2: fast math
func.func @math_log2_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.log2 %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.round
func.func @math_round_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.round %n : f32
  return %r : f32
}
func.func @math_round_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.round %n : f64
  return %r : f64
}
// -----
// math.round: f16
func.func @math_round_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.round %n : f16
  return %r : f16
}
// -----
// math.round: bf16
func.func @math_round_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.round %n : bf16
  return %r : bf16
}
// -----
// math.round: vectors
func.func @math_round_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.round %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_round_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.round %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_round_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.round %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.round: vectors of rank 2
func.func @math_round_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.round %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.round: fast math
func.func @math_round_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.round %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.roundeven
func.func @math_roundeven_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.roundeven %n : f32
  return %r : f32
}
func.func @math_roundeven_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.roundeven %n : f64
  return %r : f64
}
// -----
// math.roundeven: f16
func.func @math_roundeven_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.roundeven %n : f16
  return %r : f16
}
// -----
// math.roundeven: bf16
func.func @math_roundeven_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.roundeven %n : bf16
  return %r : bf16
}
// -----
// math.roundeven: vectors
func.func @math_roundeven_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.roundeven %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_roundeven_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.roundeven %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_roundeven_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.roundeven %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.roundeven: vectors of rank 2
func.func @math_roundeven_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.roundeven %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.roundeven: fast math
func.func @math_roundeven_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.roundeven %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.rsqrt
func.func @math_rsqrt_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.rsqrt %s : f32
  return %r : f32
}
func.func @math_rsqrt_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.rsqrt %s : f64
  return %r : f64
}
// -----
// math.rsqrt: f16
func.func @math_rsqrt_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.rsqrt %s : f16
  return %r : f16
}
// -----
// math.rsqrt: bf16
func.func @math_rsqrt_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.rsqrt %s : bf16
  return %r : bf16
}
// -----
// math.rsqrt: vectors
func.func @math_rsqrt_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.rsqrt %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_rsqrt_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.rsqrt %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_rsqrt_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.rsqrt %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.rsqrt: vectors of rank 2
func.func @math_rsqrt_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.rsqrt %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.rsqrt: fast math
func.func @math_rsqrt_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.rsqrt %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.sin
func.func @math_sin_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.sin %s : f32
  return %r : f32
}
func.func @math_sin_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.sin %s : f64
  return %r : f64
}
// -----
// math.sin: f16
func.func @math_sin_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.sin %s : f16
  return %r : f16
}
// -----
// math.sin: bf16
func.func @math_sin_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.sin %s : bf16
  return %r : bf16
}
// -----
// math.sin: vectors
func.func @math_sin_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.sin %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_sin_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.sin %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_sin_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.sin %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.sin: vectors of rank 2
func.func @math_sin_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.sin %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.sin: fast math
func.func @math_sin_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.sin %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.sinh
func.func @math_sinh_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.sinh %n : f32
  return %r : f32
}
func.func @math_sinh_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.sinh %n : f64
  return %r : f64
}
// -----
// math.sinh: f16
func.func @math_sinh_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.sinh %n : f16
  return %r : f16
}
// -----
// math.sinh: bf16
func.func @math_sinh_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.sinh %n : bf16
  return %r : bf16
}
// -----
// math.sinh: vectors
func.func @math_sinh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.sinh %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_sinh_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.sinh %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_sinh_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.sinh %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.sinh: vectors of rank 2
func.func @math_sinh_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.sinh %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.sinh: fast math
func.func @math_sinh_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.sinh %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.sqrt
func.func @math_sqrt_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.sqrt %s : f32
  return %r : f32
}
func.func @math_sqrt_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.sqrt %s : f64
  return %r : f64
}
// -----
// math.sqrt: f16
func.func @math_sqrt_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.sqrt %s : f16
  return %r : f16
}
// -----
// math.sqrt: bf16
func.func @math_sqrt_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.sqrt %s : bf16
  return %r : bf16
}
// -----
// math.sqrt: vectors
func.func @math_sqrt_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.sqrt %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_sqrt_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.sqrt %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_sqrt_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.sqrt %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.sqrt: vectors of rank 2
func.func @math_sqrt_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.sqrt %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.sqrt: fast math
func.func @math_sqrt_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.sqrt %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.tan
func.func @math_tan_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.tan %s : f32
  return %r : f32
}
func.func @math_tan_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.tan %s : f64
  return %r : f64
}
// -----
// math.tan: f16
func.func @math_tan_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.tan %s : f16
  return %r : f16
}
// -----
// math.tan: bf16
func.func @math_tan_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.tan %s : bf16
  return %r : bf16
}
// -----
// math.tan: vectors
func.func @math_tan_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.tan %s : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_tan_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.tan %s : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_tan_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.tan %s : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.tan: vectors of rank 2
func.func @math_tan_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.tan %s : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.tan: fast math
func.func @math_tan_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.tan %s fastmath<fast> : f32
  return %r : f32
}
// -----
// math.tanh
func.func @math_tanh_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.tanh %n : f32
  return %r : f32
}
func.func @math_tanh_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.tanh %n : f64
  return %r : f64
}
// -----
// math.tanh: f16
func.func @math_tanh_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.tanh %n : f16
  return %r : f16
}
// -----
// math.tanh: bf16
func.func @math_tanh_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.tanh %n : bf16
  return %r : bf16
}
// -----
// math.tanh: vectors
func.func @math_tanh_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.tanh %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_tanh_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.tanh %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_tanh_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.tanh %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.tanh: vectors of rank 2
func.func @math_tanh_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.tanh %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.tanh: fast math
func.func @math_tanh_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.tanh %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.trunc
func.func @math_trunc_f32(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.trunc %n : f32
  return %r : f32
}
func.func @math_trunc_f64(%x: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %n = arith.negf %s : f64
  %r = math.trunc %n : f64
  return %r : f64
}
// -----
// math.trunc: f16
func.func @math_trunc_f16(%x: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %n = arith.negf %s : f16
  %r = math.trunc %n : f16
  return %r : f16
}
// -----
// math.trunc: bf16
func.func @math_trunc_bf16(%x: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %n = arith.negf %s : bf16
  %r = math.trunc %n : bf16
  return %r : bf16
}
// -----
// math.trunc: vectors
func.func @math_trunc_v4f32(%x: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %n = arith.negf %s : vector<4xf32>
  %r = math.trunc %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_trunc_v4f16(%x: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %n = arith.negf %s : vector<4xf16>
  %r = math.trunc %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_trunc_v4bf16(%x: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %n = arith.negf %s : vector<4xbf16>
  %r = math.trunc %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.trunc: vectors of rank 2
func.func @math_trunc_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %n = arith.negf %s : vector<2x2xf64>
  %r = math.trunc %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.trunc: fast math
func.func @math_trunc_f32_fast(%x: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %n = arith.negf %s : f32
  %r = math.trunc %n fastmath<fast> : f32
  return %r : f32
}
// -----
// math.atan2
func.func @math_atan2_f32(%x: f32, %y: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.atan2 %s, %y : f32
  return %r : f32
}
func.func @math_atan2_f64(%x: f64, %y: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.atan2 %s, %y : f64
  return %r : f64
}
// -----
// math.atan2: f16
func.func @math_atan2_f16(%x: f16, %y: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.atan2 %s, %y : f16
  return %r : f16
}
// -----
// math.atan2: bf16
func.func @math_atan2_bf16(%x: bf16, %y: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.atan2 %s, %y : bf16
  return %r : bf16
}
// -----
// math.atan2: vectors
func.func @math_atan2_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.atan2 %s, %y : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_atan2_v4f16(%x: vector<4xf16>, %y: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.atan2 %s, %y : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_atan2_v4bf16(%x: vector<4xbf16>, %y: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.atan2 %s, %y : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.atan2: vectors of rank 2
func.func @math_atan2_v2x2f64(%x: vector<2x2xf64>, %y: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.atan2 %s, %y : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.powf
func.func @math_powf_f32(%x: f32, %y: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.powf %s, %y : f32
  return %r : f32
}
func.func @math_powf_f64(%x: f64, %y: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.powf %s, %y : f64
  return %r : f64
}
// -----
// math.powf: f16
func.func @math_powf_f16(%x: f16, %y: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.powf %s, %y : f16
  return %r : f16
}
// -----
// math.powf: bf16
func.func @math_powf_bf16(%x: bf16, %y: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.powf %s, %y : bf16
  return %r : bf16
}
// -----
// math.powf: vectors
func.func @math_powf_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.powf %s, %y : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_powf_v4f16(%x: vector<4xf16>, %y: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.powf %s, %y : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_powf_v4bf16(%x: vector<4xbf16>, %y: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.powf %s, %y : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.powf: vectors of rank 2
func.func @math_powf_v2x2f64(%x: vector<2x2xf64>, %y: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.powf %s, %y : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.copysign
func.func @math_copysign_f32(%x: f32, %y: f32) -> f32 {
  %n = arith.negf %y : f32
  %r = math.copysign %x, %n : f32
  return %r : f32
}
func.func @math_copysign_f64(%x: f64, %y: f64) -> f64 {
  %n = arith.negf %y : f64
  %r = math.copysign %x, %n : f64
  return %r : f64
}
// -----
// math.copysign: f16
func.func @math_copysign_f16(%x: f16, %y: f16) -> f16 {
  %n = arith.negf %y : f16
  %r = math.copysign %x, %n : f16
  return %r : f16
}
// -----
// math.copysign: bf16
func.func @math_copysign_bf16(%x: bf16, %y: bf16) -> bf16 {
  %n = arith.negf %y : bf16
  %r = math.copysign %x, %n : bf16
  return %r : bf16
}
// -----
// math.copysign: vectors
func.func @math_copysign_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %n = arith.negf %y : vector<4xf32>
  %r = math.copysign %x, %n : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_copysign_v4f16(%x: vector<4xf16>, %y: vector<4xf16>) -> vector<4xf16> {
  %n = arith.negf %y : vector<4xf16>
  %r = math.copysign %x, %n : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_copysign_v4bf16(%x: vector<4xbf16>, %y: vector<4xbf16>) -> vector<4xbf16> {
  %n = arith.negf %y : vector<4xbf16>
  %r = math.copysign %x, %n : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.copysign: vectors of rank 2
func.func @math_copysign_v2x2f64(%x: vector<2x2xf64>, %y: vector<2x2xf64>) -> vector<2x2xf64> {
  %n = arith.negf %y : vector<2x2xf64>
  %r = math.copysign %x, %n : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.fma
func.func @math_fma_f32(%x: f32, %y: f32, %z: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.fma %s, %y, %z : f32
  return %r : f32
}
func.func @math_fma_f64(%x: f64, %y: f64, %z: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.fma %s, %y, %z : f64
  return %r : f64
}
// -----
// math.fma: f16
func.func @math_fma_f16(%x: f16, %y: f16, %z: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.fma %s, %y, %z : f16
  return %r : f16
}
// -----
// math.fma: bf16
func.func @math_fma_bf16(%x: bf16, %y: bf16, %z: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.fma %s, %y, %z : bf16
  return %r : bf16
}
// -----
// math.fma: vectors
func.func @math_fma_v4f32(%x: vector<4xf32>, %y: vector<4xf32>, %z: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.fma %s, %y, %z : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_fma_v4f16(%x: vector<4xf16>, %y: vector<4xf16>, %z: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %r = math.fma %s, %y, %z : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_fma_v4bf16(%x: vector<4xbf16>, %y: vector<4xbf16>, %z: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %r = math.fma %s, %y, %z : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.fma: vectors of rank 2
func.func @math_fma_v2x2f64(%x: vector<2x2xf64>, %y: vector<2x2xf64>, %z: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.fma %s, %y, %z : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.clampf
func.func @math_clampf_f32(%x: f32, %y: f32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %y : f32
  %r = math.clampf %s to [%k, %y] : f32
  return %r : f32
}
func.func @math_clampf_f64(%x: f64, %y: f64) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %y : f64
  %r = math.clampf %s to [%k, %y] : f64
  return %r : f64
}
// -----
// math.clampf: f16
func.func @math_clampf_f16(%x: f16, %y: f16) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %y : f16
  %r = math.clampf %s to [%k, %y] : f16
  return %r : f16
}
// -----
// math.clampf: bf16
func.func @math_clampf_bf16(%x: bf16, %y: bf16) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %y : bf16
  %r = math.clampf %s to [%k, %y] : bf16
  return %r : bf16
}
// -----
// math.clampf: vectors
func.func @math_clampf_v4f32(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %y : vector<4xf32>
  %r = math.clampf %s to [%k, %y] : vector<4xf32>
  return %r : vector<4xf32>
}
func.func @math_clampf_v4f16(%x: vector<4xf16>, %y: vector<4xf16>) -> vector<4xf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %y : vector<4xf16>
  %r = math.clampf %s to [%k, %y] : vector<4xf16>
  return %r : vector<4xf16>
}
func.func @math_clampf_v4bf16(%x: vector<4xbf16>, %y: vector<4xbf16>) -> vector<4xbf16> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %y : vector<4xbf16>
  %r = math.clampf %s to [%k, %y] : vector<4xbf16>
  return %r : vector<4xbf16>
}
// -----
// math.clampf: vectors of rank 2
func.func @math_clampf_v2x2f64(%x: vector<2x2xf64>, %y: vector<2x2xf64>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %y : vector<2x2xf64>
  %r = math.clampf %s to [%k, %y] : vector<2x2xf64>
  return %r : vector<2x2xf64>
}
// -----
// math.sincos
func.func @math_sincos_f32(%x: f32) -> (f32, f32) {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %a, %b = math.sincos %s : f32
  return %a, %b : f32, f32
}
func.func @math_sincos_f64(%x: f64) -> (f64, f64) {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %a, %b = math.sincos %s : f64
  return %a, %b : f64, f64
}
// -----
// math.sincos: f16
func.func @math_sincos_f16(%x: f16) -> (f16, f16) {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %a, %b = math.sincos %s : f16
  return %a, %b : f16, f16
}
// -----
// math.sincos: bf16
func.func @math_sincos_bf16(%x: bf16) -> (bf16, bf16) {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %a, %b = math.sincos %s : bf16
  return %a, %b : bf16, bf16
}
// -----
// math.sincos: vectors
func.func @math_sincos_v4f32(%x: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %a, %b = math.sincos %s : vector<4xf32>
  return %a, %b : vector<4xf32>, vector<4xf32>
}
func.func @math_sincos_v4f16(%x: vector<4xf16>) -> (vector<4xf16>, vector<4xf16>) {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf16>
  %s = arith.addf %x, %k : vector<4xf16>
  %a, %b = math.sincos %s : vector<4xf16>
  return %a, %b : vector<4xf16>, vector<4xf16>
}
func.func @math_sincos_v4bf16(%x: vector<4xbf16>) -> (vector<4xbf16>, vector<4xbf16>) {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xbf16>
  %s = arith.addf %x, %k : vector<4xbf16>
  %a, %b = math.sincos %s : vector<4xbf16>
  return %a, %b : vector<4xbf16>, vector<4xbf16>
}
// -----
// math.sincos: vectors of rank 2
// compile: no
func.func @math_sincos_v2x2f64(%x: vector<2x2xf64>) -> (vector<2x2xf64>, vector<2x2xf64>) {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %a, %b = math.sincos %s : vector<2x2xf64>
  return %a, %b : vector<2x2xf64>, vector<2x2xf64>
}
// -----
// math.fpowi
func.func @math_fpowi_f32_i32(%x: f32, %n: i32) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.fpowi %s, %n : f32, i32
  return %r : f32
}
func.func @math_fpowi_f64_i32(%x: f64, %n: i32) -> f64 {
  %k = arith.constant 0.25 : f64
  %s = arith.addf %x, %k : f64
  %r = math.fpowi %s, %n : f64, i32
  return %r : f64
}
// -----
// math.fpowi: f16
func.func @math_fpowi_f16_i32(%x: f16, %n: i32) -> f16 {
  %k = arith.constant 0.25 : f16
  %s = arith.addf %x, %k : f16
  %r = math.fpowi %s, %n : f16, i32
  return %r : f16
}
// -----
// math.fpowi: bf16
func.func @math_fpowi_bf16_i32(%x: bf16, %n: i32) -> bf16 {
  %k = arith.constant 0.25 : bf16
  %s = arith.addf %x, %k : bf16
  %r = math.fpowi %s, %n : bf16, i32
  return %r : bf16
}
// -----
// math.fpowi: i64
func.func @math_fpowi_f32_i64(%x: f32, %n: i64) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.fpowi %s, %n : f32, i64
  return %r : f32
}
// -----
// math.fpowi: i8
func.func @math_fpowi_f32_i8(%x: f32, %n: i8) -> f32 {
  %k = arith.constant 0.25 : f32
  %s = arith.addf %x, %k : f32
  %r = math.fpowi %s, %n : f32, i8
  return %r : f32
}
// -----
// math.fpowi: vectors
func.func @math_fpowi_v4f32_i32(%x: vector<4xf32>, %n: vector<4xi32>) -> vector<4xf32> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.addf %x, %k : vector<4xf32>
  %r = math.fpowi %s, %n : vector<4xf32>, vector<4xi32>
  return %r : vector<4xf32>
}
// -----
// math.fpowi: vectors of rank 2
func.func @math_fpowi_v2x2f64_i32(%x: vector<2x2xf64>, %n: vector<2x2xi32>) -> vector<2x2xf64> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.addf %x, %k : vector<2x2xf64>
  %r = math.fpowi %s, %n : vector<2x2xf64>, vector<2x2xi32>
  return %r : vector<2x2xf64>
}
// -----
// math.absi
func.func @math_absi_i32(%x: i32) -> i32 {
  %k = arith.constant -5 : i32
  %s = arith.muli %x, %k : i32
  %r = math.absi %s : i32
  return %r : i32
}
// -----
// math.absi: other widths
func.func @math_absi_i8(%x: i8) -> i8 {
  %k = arith.constant -5 : i8
  %s = arith.muli %x, %k : i8
  %r = math.absi %s : i8
  return %r : i8
}
func.func @math_absi_i16(%x: i16) -> i16 {
  %k = arith.constant -5 : i16
  %s = arith.muli %x, %k : i16
  %r = math.absi %s : i16
  return %r : i16
}
func.func @math_absi_i64(%x: i64) -> i64 {
  %k = arith.constant -5 : i64
  %s = arith.muli %x, %k : i64
  %r = math.absi %s : i64
  return %r : i64
}
// -----
// math.absi: index
func.func @math_absi_index(%x: index) -> index {
  %k = arith.constant -5 : index
  %s = arith.muli %x, %k : index
  %r = math.absi %s : index
  return %r : index
}
// -----
// math.absi: vectors
func.func @math_absi_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xi32>
  %s = arith.muli %x, %k : vector<4xi32>
  %r = math.absi %s : vector<4xi32>
  return %r : vector<4xi32>
}
func.func @math_absi_v16i8(%x: vector<16xi8>) -> vector<16xi8> {
  %k = arith.constant dense<12> : vector<16xi8>
  %s = arith.muli %x, %k : vector<16xi8>
  %r = math.absi %s : vector<16xi8>
  return %r : vector<16xi8>
}
// -----
// math.absi: vectors of rank 2
// compile: no
func.func @math_absi_v2x2i64(%x: vector<2x2xi64>) -> vector<2x2xi64> {
  %k = arith.constant dense<[[-5, 4], [17, -1]]> : vector<2x2xi64>
  %s = arith.muli %x, %k : vector<2x2xi64>
  %r = math.absi %s : vector<2x2xi64>
  return %r : vector<2x2xi64>
}
// -----
// math.absi: vectors of index
func.func @math_absi_v4index(%x: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xindex>
  %s = arith.muli %x, %k : vector<4xindex>
  %r = math.absi %s : vector<4xindex>
  return %r : vector<4xindex>
}
// -----
// math.ctlz
func.func @math_ctlz_i32(%x: i32) -> i32 {
  %k = arith.constant -5 : i32
  %s = arith.muli %x, %k : i32
  %r = math.ctlz %s : i32
  return %r : i32
}
// -----
// math.ctlz: other widths
func.func @math_ctlz_i8(%x: i8) -> i8 {
  %k = arith.constant -5 : i8
  %s = arith.muli %x, %k : i8
  %r = math.ctlz %s : i8
  return %r : i8
}
func.func @math_ctlz_i16(%x: i16) -> i16 {
  %k = arith.constant -5 : i16
  %s = arith.muli %x, %k : i16
  %r = math.ctlz %s : i16
  return %r : i16
}
func.func @math_ctlz_i64(%x: i64) -> i64 {
  %k = arith.constant -5 : i64
  %s = arith.muli %x, %k : i64
  %r = math.ctlz %s : i64
  return %r : i64
}
// -----
// math.ctlz: index
func.func @math_ctlz_index(%x: index) -> index {
  %k = arith.constant -5 : index
  %s = arith.muli %x, %k : index
  %r = math.ctlz %s : index
  return %r : index
}
// -----
// math.ctlz: vectors
func.func @math_ctlz_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xi32>
  %s = arith.muli %x, %k : vector<4xi32>
  %r = math.ctlz %s : vector<4xi32>
  return %r : vector<4xi32>
}
func.func @math_ctlz_v16i8(%x: vector<16xi8>) -> vector<16xi8> {
  %k = arith.constant dense<12> : vector<16xi8>
  %s = arith.muli %x, %k : vector<16xi8>
  %r = math.ctlz %s : vector<16xi8>
  return %r : vector<16xi8>
}
// -----
// math.ctlz: vectors of rank 2
// compile: no
func.func @math_ctlz_v2x2i64(%x: vector<2x2xi64>) -> vector<2x2xi64> {
  %k = arith.constant dense<[[-5, 4], [17, -1]]> : vector<2x2xi64>
  %s = arith.muli %x, %k : vector<2x2xi64>
  %r = math.ctlz %s : vector<2x2xi64>
  return %r : vector<2x2xi64>
}
// -----
// math.ctlz: vectors of index
func.func @math_ctlz_v4index(%x: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xindex>
  %s = arith.muli %x, %k : vector<4xindex>
  %r = math.ctlz %s : vector<4xindex>
  return %r : vector<4xindex>
}
// -----
// math.cttz
func.func @math_cttz_i32(%x: i32) -> i32 {
  %k = arith.constant -5 : i32
  %s = arith.muli %x, %k : i32
  %r = math.cttz %s : i32
  return %r : i32
}
// -----
// math.cttz: other widths
func.func @math_cttz_i8(%x: i8) -> i8 {
  %k = arith.constant -5 : i8
  %s = arith.muli %x, %k : i8
  %r = math.cttz %s : i8
  return %r : i8
}
func.func @math_cttz_i16(%x: i16) -> i16 {
  %k = arith.constant -5 : i16
  %s = arith.muli %x, %k : i16
  %r = math.cttz %s : i16
  return %r : i16
}
func.func @math_cttz_i64(%x: i64) -> i64 {
  %k = arith.constant -5 : i64
  %s = arith.muli %x, %k : i64
  %r = math.cttz %s : i64
  return %r : i64
}
// -----
// math.cttz: index
func.func @math_cttz_index(%x: index) -> index {
  %k = arith.constant -5 : index
  %s = arith.muli %x, %k : index
  %r = math.cttz %s : index
  return %r : index
}
// -----
// math.cttz: vectors
func.func @math_cttz_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xi32>
  %s = arith.muli %x, %k : vector<4xi32>
  %r = math.cttz %s : vector<4xi32>
  return %r : vector<4xi32>
}
func.func @math_cttz_v16i8(%x: vector<16xi8>) -> vector<16xi8> {
  %k = arith.constant dense<12> : vector<16xi8>
  %s = arith.muli %x, %k : vector<16xi8>
  %r = math.cttz %s : vector<16xi8>
  return %r : vector<16xi8>
}
// -----
// math.cttz: vectors of rank 2
// compile: no
func.func @math_cttz_v2x2i64(%x: vector<2x2xi64>) -> vector<2x2xi64> {
  %k = arith.constant dense<[[-5, 4], [17, -1]]> : vector<2x2xi64>
  %s = arith.muli %x, %k : vector<2x2xi64>
  %r = math.cttz %s : vector<2x2xi64>
  return %r : vector<2x2xi64>
}
// -----
// math.cttz: vectors of index
func.func @math_cttz_v4index(%x: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xindex>
  %s = arith.muli %x, %k : vector<4xindex>
  %r = math.cttz %s : vector<4xindex>
  return %r : vector<4xindex>
}
// -----
// math.ctpop
func.func @math_ctpop_i32(%x: i32) -> i32 {
  %k = arith.constant -5 : i32
  %s = arith.muli %x, %k : i32
  %r = math.ctpop %s : i32
  return %r : i32
}
// -----
// math.ctpop: other widths
func.func @math_ctpop_i8(%x: i8) -> i8 {
  %k = arith.constant -5 : i8
  %s = arith.muli %x, %k : i8
  %r = math.ctpop %s : i8
  return %r : i8
}
func.func @math_ctpop_i16(%x: i16) -> i16 {
  %k = arith.constant -5 : i16
  %s = arith.muli %x, %k : i16
  %r = math.ctpop %s : i16
  return %r : i16
}
func.func @math_ctpop_i64(%x: i64) -> i64 {
  %k = arith.constant -5 : i64
  %s = arith.muli %x, %k : i64
  %r = math.ctpop %s : i64
  return %r : i64
}
// -----
// math.ctpop: index
func.func @math_ctpop_index(%x: index) -> index {
  %k = arith.constant -5 : index
  %s = arith.muli %x, %k : index
  %r = math.ctpop %s : index
  return %r : index
}
// -----
// math.ctpop: vectors
func.func @math_ctpop_v4i32(%x: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xi32>
  %s = arith.muli %x, %k : vector<4xi32>
  %r = math.ctpop %s : vector<4xi32>
  return %r : vector<4xi32>
}
func.func @math_ctpop_v16i8(%x: vector<16xi8>) -> vector<16xi8> {
  %k = arith.constant dense<12> : vector<16xi8>
  %s = arith.muli %x, %k : vector<16xi8>
  %r = math.ctpop %s : vector<16xi8>
  return %r : vector<16xi8>
}
// -----
// math.ctpop: vectors of rank 2
func.func @math_ctpop_v2x2i64(%x: vector<2x2xi64>) -> vector<2x2xi64> {
  %k = arith.constant dense<[[-5, 4], [17, -1]]> : vector<2x2xi64>
  %s = arith.muli %x, %k : vector<2x2xi64>
  %r = math.ctpop %s : vector<2x2xi64>
  return %r : vector<2x2xi64>
}
// -----
// math.ctpop: vectors of index
func.func @math_ctpop_v4index(%x: vector<4xindex>) -> vector<4xindex> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xindex>
  %s = arith.muli %x, %k : vector<4xindex>
  %r = math.ctpop %s : vector<4xindex>
  return %r : vector<4xindex>
}
// -----
// math.ipowi
func.func @math_ipowi_i32(%x: i32, %y: i32) -> i32 {
  %k = arith.constant -5 : i32
  %s = arith.addi %x, %k : i32
  %r = math.ipowi %s, %y : i32
  return %r : i32
}
// -----
// math.ipowi: other widths
func.func @math_ipowi_i8(%x: i8, %y: i8) -> i8 {
  %k = arith.constant -5 : i8
  %s = arith.addi %x, %k : i8
  %r = math.ipowi %s, %y : i8
  return %r : i8
}
func.func @math_ipowi_i16(%x: i16, %y: i16) -> i16 {
  %k = arith.constant -5 : i16
  %s = arith.addi %x, %k : i16
  %r = math.ipowi %s, %y : i16
  return %r : i16
}
func.func @math_ipowi_i64(%x: i64, %y: i64) -> i64 {
  %k = arith.constant -5 : i64
  %s = arith.addi %x, %k : i64
  %r = math.ipowi %s, %y : i64
  return %r : i64
}
// -----
// math.ipowi: index
// compile: no
func.func @math_ipowi_index(%x: index, %y: index) -> index {
  %k = arith.constant -5 : index
  %s = arith.addi %x, %k : index
  %r = math.ipowi %s, %y : index
  return %r : index
}
// -----
// math.ipowi: vectors
func.func @math_ipowi_v4i32(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi32> {
  %k = arith.constant dense<[-5, 4, 17, -1]> : vector<4xi32>
  %s = arith.addi %x, %k : vector<4xi32>
  %r = math.ipowi %s, %y : vector<4xi32>
  return %r : vector<4xi32>
}
// -----
// math.ipowi: vectors of rank 2
func.func @math_ipowi_v2x2i64(%x: vector<2x2xi64>, %y: vector<2x2xi64>) -> vector<2x2xi64> {
  %k = arith.constant dense<[[-5, 4], [17, -1]]> : vector<2x2xi64>
  %s = arith.addi %x, %k : vector<2x2xi64>
  %r = math.ipowi %s, %y : vector<2x2xi64>
  return %r : vector<2x2xi64>
}
// -----
// math.isnan
func.func @math_isnan_f32(%x: f32) -> (i1, i1) {
  %k = arith.constant 0.25 : f32
  %s = arith.mulf %x, %k : f32
  %a = math.isnan %s : f32
  %special = arith.constant 0x7FC00000 : f32
  %yes = arith.cmpf ogt, %x, %k : f32
  %n = arith.select %yes, %special, %x : f32
  %b = math.isnan %n : f32
  return %a, %b : i1, i1
}
// -----
// math.isnan: f64
func.func @math_isnan_f64(%x: f64) -> i1 {
  %k = arith.constant 0.25 : f64
  %s = arith.mulf %x, %k : f64
  %a = math.isnan %s : f64
  return %a : i1
}
// -----
// math.isnan: f16 and bf16
func.func @math_isnan_f16(%x: f16) -> i1 {
  %k = arith.constant 0.25 : f16
  %s = arith.mulf %x, %k : f16
  %a = math.isnan %s : f16
  return %a : i1
}
func.func @math_isnan_bf16(%x: bf16) -> i1 {
  %k = arith.constant 0.25 : bf16
  %s = arith.mulf %x, %k : bf16
  %a = math.isnan %s : bf16
  return %a : i1
}
// -----
// math.isnan: vectors
func.func @math_isnan_v4f32(%x: vector<4xf32>) -> vector<4xi1> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.mulf %x, %k : vector<4xf32>
  %a = math.isnan %s : vector<4xf32>
  return %a : vector<4xi1>
}
// -----
// math.isnan: vectors of rank 2
// compile: no
func.func @math_isnan_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xi1> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.mulf %x, %k : vector<2x2xf64>
  %a = math.isnan %s : vector<2x2xf64>
  return %a : vector<2x2xi1>
}
// -----
// math.isinf
// compile: no
func.func @math_isinf_f32(%x: f32) -> (i1, i1) {
  %k = arith.constant 0.25 : f32
  %s = arith.mulf %x, %k : f32
  %a = math.isinf %s : f32
  %special = arith.constant 0x7F800000 : f32
  %yes = arith.cmpf ogt, %x, %k : f32
  %n = arith.select %yes, %special, %x : f32
  %b = math.isinf %n : f32
  return %a, %b : i1, i1
}
// -----
// math.isinf: f64
// compile: no
func.func @math_isinf_f64(%x: f64) -> i1 {
  %k = arith.constant 0.25 : f64
  %s = arith.mulf %x, %k : f64
  %a = math.isinf %s : f64
  return %a : i1
}
// -----
// math.isinf: f16 and bf16
// compile: no
func.func @math_isinf_f16(%x: f16) -> i1 {
  %k = arith.constant 0.25 : f16
  %s = arith.mulf %x, %k : f16
  %a = math.isinf %s : f16
  return %a : i1
}
func.func @math_isinf_bf16(%x: bf16) -> i1 {
  %k = arith.constant 0.25 : bf16
  %s = arith.mulf %x, %k : bf16
  %a = math.isinf %s : bf16
  return %a : i1
}
// -----
// math.isinf: vectors
// compile: no
func.func @math_isinf_v4f32(%x: vector<4xf32>) -> vector<4xi1> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.mulf %x, %k : vector<4xf32>
  %a = math.isinf %s : vector<4xf32>
  return %a : vector<4xi1>
}
// -----
// math.isinf: vectors of rank 2
// compile: no
func.func @math_isinf_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xi1> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.mulf %x, %k : vector<2x2xf64>
  %a = math.isinf %s : vector<2x2xf64>
  return %a : vector<2x2xi1>
}
// -----
// math.isfinite
func.func @math_isfinite_f32(%x: f32) -> (i1, i1) {
  %k = arith.constant 0.25 : f32
  %s = arith.mulf %x, %k : f32
  %a = math.isfinite %s : f32
  %special = arith.constant 0x7F800000 : f32
  %yes = arith.cmpf ogt, %x, %k : f32
  %n = arith.select %yes, %special, %x : f32
  %b = math.isfinite %n : f32
  return %a, %b : i1, i1
}
// -----
// math.isfinite: f64
func.func @math_isfinite_f64(%x: f64) -> i1 {
  %k = arith.constant 0.25 : f64
  %s = arith.mulf %x, %k : f64
  %a = math.isfinite %s : f64
  return %a : i1
}
// -----
// math.isfinite: f16 and bf16
func.func @math_isfinite_f16(%x: f16) -> i1 {
  %k = arith.constant 0.25 : f16
  %s = arith.mulf %x, %k : f16
  %a = math.isfinite %s : f16
  return %a : i1
}
func.func @math_isfinite_bf16(%x: bf16) -> i1 {
  %k = arith.constant 0.25 : bf16
  %s = arith.mulf %x, %k : bf16
  %a = math.isfinite %s : bf16
  return %a : i1
}
// -----
// math.isfinite: vectors
func.func @math_isfinite_v4f32(%x: vector<4xf32>) -> vector<4xi1> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.mulf %x, %k : vector<4xf32>
  %a = math.isfinite %s : vector<4xf32>
  return %a : vector<4xi1>
}
// -----
// math.isfinite: vectors of rank 2
// compile: no
func.func @math_isfinite_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xi1> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.mulf %x, %k : vector<2x2xf64>
  %a = math.isfinite %s : vector<2x2xf64>
  return %a : vector<2x2xi1>
}
// -----
// math.isnormal
// compile: no
func.func @math_isnormal_f32(%x: f32) -> (i1, i1) {
  %k = arith.constant 0.25 : f32
  %s = arith.mulf %x, %k : f32
  %a = math.isnormal %s : f32
  %special = arith.constant 0x00000001 : f32
  %yes = arith.cmpf ogt, %x, %k : f32
  %n = arith.select %yes, %special, %x : f32
  %b = math.isnormal %n : f32
  return %a, %b : i1, i1
}
// -----
// math.isnormal: f64
// compile: no
func.func @math_isnormal_f64(%x: f64) -> i1 {
  %k = arith.constant 0.25 : f64
  %s = arith.mulf %x, %k : f64
  %a = math.isnormal %s : f64
  return %a : i1
}
// -----
// math.isnormal: f16 and bf16
// compile: no
func.func @math_isnormal_f16(%x: f16) -> i1 {
  %k = arith.constant 0.25 : f16
  %s = arith.mulf %x, %k : f16
  %a = math.isnormal %s : f16
  return %a : i1
}
func.func @math_isnormal_bf16(%x: bf16) -> i1 {
  %k = arith.constant 0.25 : bf16
  %s = arith.mulf %x, %k : bf16
  %a = math.isnormal %s : bf16
  return %a : i1
}
// -----
// math.isnormal: vectors
// compile: no
func.func @math_isnormal_v4f32(%x: vector<4xf32>) -> vector<4xi1> {
  %k = arith.constant dense<[0.25, -0.5, 0.0, 1.0]> : vector<4xf32>
  %s = arith.mulf %x, %k : vector<4xf32>
  %a = math.isnormal %s : vector<4xf32>
  return %a : vector<4xi1>
}
// -----
// math.isnormal: vectors of rank 2
// compile: no
func.func @math_isnormal_v2x2f64(%x: vector<2x2xf64>) -> vector<2x2xi1> {
  %k = arith.constant dense<[[0.25, -0.5], [0.0, 1.0]]> : vector<2x2xf64>
  %s = arith.mulf %x, %k : vector<2x2xf64>
  %a = math.isnormal %s : vector<2x2xf64>
  return %a : vector<2x2xi1>
}
