// What has no bound, since numbers wrap around; and bounds that plans and memplan-verify have to see alike.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify bounds=known})' \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify bounds=known},cse,canonicalize,memplan-verify)' \
// RUN:   -o /dev/null
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' -o /dev/null
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan{verify})' -o /dev/null

// 1. Three times a number of at most 8 that may be negative, and a difference of two such numbers.
// CHECK-LABEL: func @wraps(
// CHECK:         memref.alloc(%
// CHECK:         memref.alloc(%
func.func private @use(memref<?xi8>) attributes {memplan.nocallback}
func.func @wraps(%n: index, %k: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %most = affine.min affine_map<()[s0] -> (s0, 8)>()[%n]
  %product = arith.muli %most, %c3 : index
  scf.if %c {
    %a = memref.alloc(%product) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  %least = affine.max affine_map<()[s0] -> (s0, 0)>()[%k]
  %difference = arith.subi %most, %least : index
  scf.if %c {
    %a = memref.alloc(%difference) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  return
}

// -----

// 2. An induction variable that is compared without a sign.
// CHECK-LABEL: func @unsigned_loop(
// CHECK:         memref.alloc(%
func.func private @use(memref<?xi8>) attributes {memplan.nocallback}
func.func @unsigned_loop(%n: index) {
  %c100 = arith.constant 100 : index
  %step = arith.constant -9223372036854775808 : index
  %most = affine.min affine_map<()[s0] -> (s0, 8)>()[%n]
  scf.for unsigned %i = %c100 to %most step %step {
    %a = memref.alloc(%i) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  return
}

// -----

// 3. The largest divisor: the quotient is rounded up to 1.
// CHECK-LABEL: func @largest_divisor(
// CHECK:         memref.alloc() {{.*}} : memref<1xi8>
func.func @largest_divisor(%n: index {memplan.bounds = [[0, 8]]}, %out: memref<?xi8>) {
  %x = arith.constant 1 : i8
  %most = arith.constant 9223372036854775807 : index
  %q = arith.ceildivsi %n, %most : index
  %a = memref.alloc(%q) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  memref.copy %a, %out : memref<?xi8> to memref<?xi8>
  return
}

// -----

// 4. A bound by a minimum alone, in an arena of dynamic size.
// CHECK-LABEL: func @by_a_minimum(
// CHECK:         memref.alloc(%{{.*}}) {{{.*}}memplan.arena}
// CHECK-NOT:     memref.alloc(
func.func @by_a_minimum(%a: memref<?xf32>, %o: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %x = arith.constant 1.0 : f64
  %n = memref.dim %a, %c0 : memref<?xf32>
  %k = arith.minsi %n, %c4 : index
  %b = memref.alloc(%n) : memref<?xf64>
  linalg.fill ins(%x : f64) outs(%b : memref<?xf64>)
  memref.copy %b, %o : memref<?xf64> to memref<?xf64>
  %d = memref.alloc(%k) : memref<16x?xf64>
  linalg.fill ins(%x : f64) outs(%d : memref<16x?xf64>)
  return
}

// -----

// 5. Buffers with bounds one above the other, below one without: offsets are sums of constants that are rounded up.
// CHECK-LABEL: func @rounded(
// CHECK:         memref.alloc(%{{.*}}) {{{.*}}memplan.arena}
// CHECK-NOT:     memref.alloc(
func.func @rounded(%x: memref<?xf32>, %n: index {memplan.bounds = [[0, 8]]}) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n, %n) : memref<?x?xi64>
  %ten = arith.constant 10 : i64
  linalg.fill ins(%ten : i64) outs(%a : memref<?x?xi64>)
  %b = memref.alloc(%n) : memref<?xi8>
  %one = arith.constant 1 : i8
  linalg.fill ins(%one : i8) outs(%b : memref<?xi8>)
  %unused = memref.alloc(%m, %m) {alignment = 64 : i64} : memref<?x?xf32>
  %c = memref.alloc(%n) {alignment = 64 : i64} : memref<?xi8>
  linalg.fill ins(%one : i8) outs(%c : memref<?xi8>)
  linalg.map { arith.addi } ins(%b, %b : memref<?xi8>, memref<?xi8>) outs(%c : memref<?xi8>)
  %d = memref.alloc(%n, %n) : memref<?x?xi64>
  linalg.fill ins(%ten : i64) outs(%d : memref<?x?xi64>)
  memref.copy %a, %d : memref<?x?xi64> to memref<?x?xi64>
  return
}

// -----

// 6. The dimension of a buffer with a bound is the size of another one.
// CHECK-LABEL: func @dimension_of_a_slice(
// CHECK:         memref.alloc() {{.*}} : memref<{{[0-9]+}}xi8>
// CHECK-NOT:     memref.alloc(
func.func @dimension_of_a_slice(%n: index {memplan.bounds = [[0, 8]]}, %o: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %m = memref.alloc(%n) : memref<?xi8>
  linalg.fill ins(%v : i8) outs(%m : memref<?xi8>)
  %d = memref.dim %m, %c0 : memref<?xi8>
  %a = memref.alloc(%d) : memref<?xi8>
  memref.copy %m, %a : memref<?xi8> to memref<?xi8>
  memref.copy %a, %o : memref<?xi8> to memref<?xi8>
  return
}

// -----

// 7. Canonicalization swaps the operands of the test whether a loop runs.
// CHECK-LABEL: func @swapped_test(
func.func @swapped_test(%a: memref<?x?xf32>, %k: i32, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  %m = memref.dim %a, %c1 : memref<?x?xf32>
  %end = arith.index_cast %k : i32 to index
  scf.for %i = %c0 to %end step %c1 {
    %b = memref.alloc(%n, %m) : memref<?x?xf32>
    linalg.fill ins(%f : f32) outs(%b : memref<?x?xf32>)
    memref.copy %b, %a : memref<?x?xf32> to memref<?x?xf32>
  }
  return
}
