// Sizes of which the product does not fit into 64 bits: the runtime says so and ends the run, where malloc would get
// what is left of the product. Without elements, any product fits.
// RUN: sed 's/@CASE/@fits/' %s | %memplan-opt --pass-pipeline='builtin.module(memplan-regions,%to-llvm)' > %t.mlir
// RUN: %runner-regions %t.mlir | FileCheck %s --check-prefix=FITS
// RUN: for case in wraps wraps_to_little is_negative; do \
// RUN:   sed "s/@CASE/@$case/" %s \
// RUN:     | %memplan-opt --pass-pipeline='builtin.module(memplan-regions,%to-llvm)' > %t.mlir && \
// RUN:   not --crash %runner-regions %t.mlir 2>&1 | FileCheck %s || exit 1; done
// CHECK: memplan_region_allocate: region {{.*}}: the size is negative: -1
// FITS: 0

func.func private @printI64(i64)

func.func @elements(%a: memref<?x?xi64>) -> i64 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xi64>
  %m = memref.dim %a, %c1 : memref<?x?xi64>
  %k = arith.muli %n, %m : index
  %i = arith.index_cast %k : index to i64
  return %i : i64
}
func.func @makes(%n: index, %m: index) -> i64 attributes {no_inline} {
  %a = memref.alloc(%n, %m) : memref<?x?xi64>
  %k = call @elements(%a) : (memref<?x?xi64>) -> i64
  return %k : i64
}

// 8 * 2^62 is 0 in 64 bits, and stays too large.
func.func @wraps() -> i64 {
  %n = arith.constant 4611686018427387904 : index
  %m = arith.constant 3 : index
  %k = call @makes(%n, %m) : (index, index) -> i64
  return %k : i64
}
// 8 * (2^61 + 1) is 8.
func.func @wraps_to_little() -> i64 {
  %n = arith.constant 2305843009213693953 : index
  %m = arith.constant 1 : index
  %k = call @makes(%n, %m) : (index, index) -> i64
  return %k : i64
}
func.func @is_negative() -> i64 {
  %n = arith.constant -3 : index
  %m = arith.constant -5 : index
  %k = call @makes(%n, %m) : (index, index) -> i64
  return %k : i64
}
func.func @fits() -> i64 {
  %n = arith.constant 4611686018427387904 : index
  %m = arith.constant 0 : index
  %k = call @makes(%n, %m) : (index, index) -> i64
  return %k : i64
}
func.func @main() {
  %k = call @CASE() : () -> i64
  call @printI64(%k) : (i64) -> ()
  return
}
