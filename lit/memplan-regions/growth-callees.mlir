// Memory that the iterations of a loop or the levels of a recursion allocate, and that is dead before the loop or the
// recursion ends, does not add up: ten times the iterations take not one byte more, in regions and on the heap
// together. Callees. An output that is filled in a region, and regions that the options ask for, may grow. Each line:
// the result, the most bytes held for regions, the most on the heap, the allocations there, and the regions, their
// bytes and those of the heap that are left. Without regions, the result is the same.
// RUN: %S/Inputs/growth.sh %s either,part %runner-libraries,%runtime %memplan-opt > %t
// RUN: %S/Inputs/iterations.sh %s filtered-1000 filtered 1000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s filtered-10000 filtered 10000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s levels-200 levels 200 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s levels-2000 levels 2000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s malloc levels 2000 'memplan-dealloc-pipeline' %runner-libraries,%runtime \
// RUN:   %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s enclosing levels 2000 'memplan-regions{loops=enclosing},memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/iterations.sh %s single levels 2000 'memplan-regions{single-region},memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: FileCheck %s < %t
// CHECK: either-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: either-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: part-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: part-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: filtered-1000: {{[0-9]+}}, {{([0-9]{5})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: filtered-10000: {{[0-9]+}}, {{([89][0-9]{4})}}, 0, 0, 0, 0, 0
// CHECK: levels-200: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: levels-2000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], [[ALL:[0-9]{7}]], 0, 0, 0, 0, 0
// CHECK-NEXT: single: [[SUM]], [[ALL]], 0, 0, 0, 0, 0

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

// A row that is computed from a row.
func.func private @mapped(%row: memref<?xi64>) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %n = memref.dim %row, %c0 : memref<?xi64>
  %mapped = memref.alloc(%n) : memref<?xi64>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %row[%j] : memref<?xi64>
    %w = arith.addi %v, %one : i64
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

func.func private @is_third(%i: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %rest = arith.remui %i, %c3 : index
  %is = arith.cmpi eq, %rest, %c0 : index
  return %is : i1
}

// 1. A callee returns its argument, or something new, which dies with the iteration.
func.func private @maybe(%c: i1, %x: memref<?xi64>) -> memref<?xi64> {
  %y = scf.if %c -> memref<?xi64> {
    %m = func.call @mapped(%x) : (memref<?xi64>) -> memref<?xi64>
    scf.yield %m : memref<?xi64>
  } else {
    scf.yield %x : memref<?xi64>
  }
  return %y : memref<?xi64>
}
func.func private @either(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %a = call @make(%c1) : (index) -> memref<?xi64>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %zero) -> i64 {
    %c = func.call @is_third(%i) : (index) -> i1
    %y = func.call @maybe(%c, %a) : (i1, memref<?xi64>) -> memref<?xi64>
    %v = func.call @sum(%y) : (memref<?xi64>) -> i64
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// 2. A callee replaces its result in each iteration, and its caller calls it again and again.
func.func private @last(%i: index) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %a = call @make(%i) : (index) -> memref<?xi64>
  %r = scf.for %j = %c0 to %c5 step %c1 iter_args(%x = %a) -> memref<?xi64> {
    %c = func.call @is_third(%j) : (index) -> i1
    %m = func.call @mapped(%x) : (memref<?xi64>) -> memref<?xi64>
    %y = arith.select %c, %m, %x : memref<?xi64>
    scf.yield %y : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @part(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%s = %zero) -> i64 {
    %y = func.call @last(%i) : (index) -> memref<?xi64>
    %v = func.call @sum(%y) : (memref<?xi64>) -> i64
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %r : i64
}

// 3. The kept part of each row goes to an output in the region of the caller, which is as large as there are rows.
func.func private @all_kept(%rows: index) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %kept = memref.alloc(%rows) : memref<?xi64>
  scf.for %i = %c0 to %rows step %c1 {
    %row = func.call @make(%i) : (index) -> memref<?xi64>
    %v = func.call @sum(%row) : (memref<?xi64>) -> i64
    memref.store %v, %kept[%i] : memref<?xi64>
  }
  return %kept : memref<?xi64>
}
func.func private @filtered(%rows: index) -> i64 {
  %kept = call @all_kept(%rows) : (index) -> memref<?xi64>
  %s = call @sum(%kept) : (memref<?xi64>) -> i64
  return %s : i64
}

// 4. Each level of a recursion returns the memory that it allocates, or else that of the next level.
func.func private @deepest(%depth: index) -> memref<?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ugt, %depth, %c0 : index
  %r = scf.if %more -> memref<?xi64> {
    %less = arith.subi %depth, %c1 : index
    %d = func.call @deepest(%less) : (index) -> memref<?xi64>
    %m = func.call @mapped(%d) : (memref<?xi64>) -> memref<?xi64>
    %c = func.call @is_third(%depth) : (index) -> i1
    %y = arith.select %c, %m, %d : memref<?xi64>
    scf.yield %y : memref<?xi64>
  } else {
    %a = func.call @make(%c1) : (index) -> memref<?xi64>
    scf.yield %a : memref<?xi64>
  }
  return %r : memref<?xi64>
}
func.func private @levels(%depth: index) -> i64 {
  %y = call @deepest(%depth) : (index) -> memref<?xi64>
  %s = call @sum(%y) : (memref<?xi64>) -> i64
  return %s : i64
}

func.func @main() {
  %rows = arith.constant ROWS : index
  llvm.call @heap_start() : () -> ()
  %sum = call @CASE(%rows) : (index) -> i64
  call @printI64(%sum) : (i64) -> ()
  call @printComma() : () -> ()
  %most = call @memplan_region_most_held() : () -> i64
  call @printI64(%most) : (i64) -> ()
  call @printComma() : () -> ()
  %on_heap = llvm.call @heap_most() : () -> i64
  call @printI64(%on_heap) : (i64) -> ()
  call @printComma() : () -> ()
  %count = llvm.call @heap_allocations() : () -> i64
  call @printI64(%count) : (i64) -> ()
  call @printComma() : () -> ()
  %alive = call @memplan_region_alive() : () -> i64
  call @printI64(%alive) : (i64) -> ()
  call @printComma() : () -> ()
  %held = call @memplan_region_held() : () -> i64
  call @printI64(%held) : (i64) -> ()
  call @printComma() : () -> ()
  %left = llvm.call @heap_left() : () -> i64
  call @printI64(%left) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
