// Rows of a table that are filtered take a region an iteration: ten times the rows take no more memory. An array whose
// elements are filtered takes one region for all of its elements, kept or not, until it has been used: that makes
// fewer calls, and takes memory as the array grows. A row that is computed from the one before takes two regions. Each
// line has the result, the most bytes that were held for regions, and the bytes that are left; without regions, the
// result is the same.
// RUN: %S/Inputs/iterations.sh %s rows-1000 rows 1000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt > %t
// RUN: %S/Inputs/iterations.sh %s rows-10000 rows 10000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s checkpoint rows 10000 'memplan-regions{loops=checkpoint},memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s per-iteration rows 10000 \
// RUN:   'memplan-regions{loops=per-iteration},memplan-dealloc-pipeline' %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s enclosing rows 10000 'memplan-regions{loops=enclosing},memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s array-1000 array 1000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s array-10000 array 10000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s fold-1000 fold 1000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s fold-10000 fold 10000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s malloc rows 10000 'memplan-dealloc-pipeline' %runner-libraries,%runtime \
// RUN:   %memplan-opt >> %t
// RUN: FileCheck %s < %t
// CHECK: rows-1000: {{[0-9]+}}, [[MOST:[0-9]{1,5}]], 0, 0
// CHECK-NEXT: rows-10000: [[SUM:[0-9]+]], [[MOST]], 0, 0
// CHECK-NEXT: checkpoint: [[SUM]], [[MOST]], 0, 0
// CHECK-NEXT: per-iteration: [[SUM]], [[MOST]], 0, 0
// CHECK-NEXT: enclosing: [[SUM]], [[ALL:[0-9]{8}]], 0, 0
// CHECK-NEXT: array-1000: {{[0-9]+}}, {{[0-9]+}}, 0, 0
// CHECK-NEXT: array-10000: [[SUM]], [[ALL]], 0, 0
// CHECK-NEXT: fold-1000: {{[0-9]+}}, [[FOLD:[0-9]{1,5}]], 0, 0
// CHECK-NEXT: fold-10000: {{[0-9]+}}, [[FOLD]], 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, 0, 0

func.func private @printI64(i64)
func.func private @printComma()
func.func private @printNewline()
func.func private @memplan_region_alive() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_held() -> i64 attributes {llvm.emit_c_interface}
func.func private @memplan_region_most_held() -> i64 attributes {llvm.emit_c_interface}

// A row of numbers, as long as the row asks for.
func.func private @make(%i: index) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %c100 = arith.constant 100 : index
  %more = arith.remui %i, %c50 : index
  %n = arith.addi %more, %c100 : index
  %row = memref.alloc(%n) : memref<?xi64>
  scf.for %j = %c0 to %n step %c1 {
    %k = arith.addi %i, %j : index
    %v = arith.index_cast %k : index to i64
    memref.store %v, %row[%j] : memref<?xi64>
  }
  return %row : memref<?xi64>
}

// A row that is computed from a row, which is not needed longer.
func.func private @mapped(%row: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %row, %c0 : memref<?xi64>
  %scratch = memref.alloc(%n) : memref<?xi64>
  memref.copy %row, %scratch : memref<?xi64> to memref<?xi64>
  %mapped = memref.alloc(%n) : memref<?xi64>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %scratch[%j] : memref<?xi64>
    %w = arith.muli %v, %v : i64
    memref.store %w, %mapped[%j] : memref<?xi64>
  }
  return %mapped : memref<?xi64>
}

func.func private @sum(%row: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %row, %c0 : memref<?xi64>
  %sum = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %v = memref.load %row[%j] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %sum : i64
}

// The contribution of a row that is kept, and nothing for another one.
func.func private @kept(%row: memref<?xi64>) -> i64 {
  %zero = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %mapped = call @mapped(%row) : (memref<?xi64>) -> memref<?xi64>
  %sum = call @sum(%mapped) : (memref<?xi64>) -> i64
  %rest = arith.remui %sum, %three : i64
  %keeps = arith.cmpi eq, %rest, %zero : i64
  %adds = arith.select %keeps, %sum, %zero : i64
  return %adds : i64
}

func.func private @rows(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %all = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %zero) -> i64 {
    %row = func.call @make(%i) : (index) -> memref<?xi64>
    %adds = func.call @kept(%row) : (memref<?xi64>) -> i64
    %t = arith.addi %s, %adds : i64
    scf.yield %t : i64
  }
  return %all : i64
}

func.func private @array(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %all = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %zero) -> i64 {
    %row = func.call @make(%i) : (index) -> memref<?xi64>
    %adds = func.call @kept(%row) : (memref<?xi64>) -> i64
    %t = arith.addi %s, %adds : i64
    scf.yield %t : i64
  } {memplan.single_region}
  return %all : i64
}

// Each row is computed from the one before.
func.func private @fold(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = call @make(%c1) : (index) -> memref<?xi64>
  %last = scf.for %i = %c0 to %rows step %c1 iter_args(%row = %first) -> memref<?xi64> {
    %mapped = func.call @mapped(%row) : (memref<?xi64>) -> memref<?xi64>
    %next = func.call @mapped(%mapped) : (memref<?xi64>) -> memref<?xi64>
    scf.yield %next : memref<?xi64>
  }
  %sum = call @sum(%last) : (memref<?xi64>) -> i64
  return %sum : i64
}

func.func @main() {
  %rows = arith.constant ROWS : index
  %sum = call @CASE(%rows) : (index) -> i64
  call @printI64(%sum) : (i64) -> ()
  call @printComma() : () -> ()
  %most = call @memplan_region_most_held() : () -> i64
  call @printI64(%most) : (i64) -> ()
  call @printComma() : () -> ()
  %alive = call @memplan_region_alive() : () -> i64
  call @printI64(%alive) : (i64) -> ()
  call @printComma() : () -> ()
  %held = call @memplan_region_held() : () -> i64
  call @printI64(%held) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
