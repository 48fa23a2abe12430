// Dimensions with upper bounds: a static arena for the largest sizes.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' | FileCheck %s
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify arena=global assert-bounds=false})' \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify arena=arg},cse,canonicalize,memplan-verify)' \
// RUN:   | FileCheck %s --check-prefix=ARGUMENT
// RUN: %memplan-opt %s --split-input-file \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{verify bounds=known})' | FileCheck %s --check-prefix=KNOWN

// 1. The bounds of an argument: 4 * 8 * 512 bytes. The second buffer is in place.
// CHECK-LABEL: func @given(
// CHECK:         %[[D0:.*]] = memref.dim %arg0, %c0{{.*}} : memref<?x?xf32>
// CHECK:         %[[D0_FITS:.*]] = arith.cmpi sle, %[[D0]], %c8{{.*}} : index
// CHECK:         cf.assert {{.*}}, "d0 is not within its bounds, 1 to 8"
// CHECK:         cf.assert {{.*}}, "d1 is not within its bounds, 0 to 512"
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<16384xi8>
// CHECK:         memref.view %[[ARENA]][%[[ZERO:.*]]][%{{.*}}, %{{.*}}] {memplan.buffer = 0 : i64} : memref<16384xi8> to memref<?x?xf32>
// CHECK:         memref.view %[[ARENA]][%[[ZERO]]][%{{.*}}, %{{.*}}] {memplan.buffer = 1 : i64}
// GLOBAL:        memref.global "private" @given_arena : memref<16384xi8>
// GLOBAL:        func @given(
// GLOBAL-NOT:    cf.assert
// GLOBAL:        memref.view
// ARGUMENT:      func @given_arena_size() -> (index, index)
// ARGUMENT:        arith.constant 16384 : index
func.func @given(%x: memref<?x?xf32> {memplan.bounds = [[1, 8], [0, 512]]}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  %b = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  memref.copy %b, %x : memref<?x?xf32> to memref<?x?xf32>
  return
}

// -----

// 2. Sums, products, quotients, minima and choices of numbers with bounds; a number that is an argument.
// CHECK-LABEL: func @computed(
// CHECK:         cf.assert {{.*}}, "argument 0 is not within its bounds, 0 to 10"
// CHECK:         memref.alloc() {{.*}} : memref<12xi8>
// CHECK:         memref.alloc() {{.*}} : memref<40xi8>
// CHECK:         memref.alloc() {{.*}} : memref<9xi8>
// CHECK:         memref.alloc() {{.*}} : memref<3xi8>
// CHECK:         memref.alloc() {{.*}} : memref<7xi8>
// CHECK:         memref.alloc() {{.*}} : memref<100xi8>
// CHECK:         memref.alloc() {{.*}} : memref<20xi8>
func.func private @use(memref<?xi8>) attributes {memplan.nocallback}
func.func @computed(%n: index {memplan.bounds = [[0, 10]]}, %k: index, %c: i1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %sum = arith.addi %n, %c2 : index
  scf.if %c {
    %a = memref.alloc(%sum) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  %product = arith.muli %n, %c4 : index
  scf.if %c {
    %a = memref.alloc(%product) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  %less = arith.subi %sum, %c1 : index
  %less_n = arith.addi %n, %c1 : index
  %minus = arith.constant -1 : index
  %n_less = arith.addi %n, %minus : index
  scf.if %c {
    %a = memref.alloc(%n_less) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  %quotient = arith.ceildivsi %n, %c4 : index
  scf.if %c {
    %a = memref.alloc(%quotient) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  %least = arith.minsi %k, %c7 : index
  scf.if %c {
    %a = memref.alloc(%least) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  scf.if %c {
    %a = memref.alloc(%n, %n) : memref<?x?xi8>
    %cast = memref.collapse_shape %a [[0, 1]] : memref<?x?xi8> into memref<?xi8>
    func.call @use(%cast) : (memref<?xi8>) -> ()
  }
  %twice = arith.muli %n, %c2 : index
  %choice = arith.select %c, %n, %twice : index
  scf.if %c {
    %a = memref.alloc(%choice) : memref<?xi8>
    func.call @use(%a) : (memref<?xi8>) -> ()
  }
  return
}

// -----

// 3. An assertion of the program, where these are used: of what is executed after it.
// CHECK-LABEL: func @asserted(
// CHECK:         memref.alloc(%
// KNOWN-LABEL: func @asserted(
// KNOWN:         memref.alloc() {{.*}} : memref<64xi8>
func.func @asserted(%n: index, %m: index, %out: memref<?xi8>) {
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %x = arith.constant 1 : i8
  %n_fits = arith.cmpi sle, %n, %c8 : index
  %m_fits = arith.cmpi ult, %m, %c9 : index
  %fit = arith.andi %n_fits, %m_fits : i1
  cf.assert %fit, "at most 8"
  %a = memref.alloc(%n, %m) : memref<?x?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?x?xi8>)
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xi8> into memref<?xi8>
  memref.copy %flat, %out : memref<?xi8> to memref<?xi8>
  return
}
// KNOWN-LABEL: func @asserted_later(
// KNOWN:         memref.alloc(%
func.func @asserted_later(%n: index, %out: memref<?xi8>) {
  %c8 = arith.constant 8 : index
  %x = arith.constant 1 : i8
  %a = memref.alloc(%n) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%a : memref<?xi8>)
  memref.copy %a, %out : memref<?xi8> to memref<?xi8>
  %fit = arith.cmpi sle, %n, %c8 : index
  cf.assert %fit, "at most 8"
  return
}

// A product of two numbers that may be negative has no bound: it may be large.
// KNOWN-LABEL: func @product(
// KNOWN:         memref.alloc(%{{.*}}) : memref<?xi8>
func.func @product(%n: index, %m: index, %out: memref<?xi8>) {
  %c8 = arith.constant 8 : index
  %x = arith.constant 1 : i8
  %n_fits = arith.cmpi sle, %n, %c8 : index
  cf.assert %n_fits, "at most 8"
  %m_fits = arith.cmpi sle, %m, %c8 : index
  cf.assert %m_fits, "at most 8"
  %product = arith.muli %n, %m : index
  %b = memref.alloc(%product) : memref<?xi8>
  linalg.fill ins(%x : i8) outs(%b : memref<?xi8>)
  memref.copy %b, %out : memref<?xi8> to memref<?xi8>
  return
}

// -----

// 4. One buffer has a bound, and another one does not: they share an arena of dynamic size.
// CHECK-LABEL: func @mixed(
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64,
// CHECK:         memref.view %[[ARENA]][%{{.*}}][%{{.*}}] {memplan.buffer = 0 : i64}
// CHECK:         memref.view %[[ARENA]][%{{.*}}][%{{.*}}] {memplan.buffer = 1 : i64}
// CHECK-NOT:     memref.alloc(
func.func @mixed(%x: memref<?xf32> {memplan.bounds = [[0, 100]]}, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = memref.dim %y, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  return
}
