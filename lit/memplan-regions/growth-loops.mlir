// Memory that the iterations of a loop or the levels of a recursion allocate, and that is dead before the loop or the
// recursion ends, does not add up: ten times the iterations take not one byte more, in regions and on the heap
// together. Structured loops. Each line: the result, the most bytes held for regions, the most on the heap, the
// allocations there, and the regions, their bytes and those of the heap that are left. Without regions, the result is
// the same.
// RUN: %S/Inputs/growth.sh %s nested,rotated,selected,whiled,passed %runner-libraries,%runtime %memplan-opt \
// RUN:   | FileCheck %s
// CHECK: nested-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: nested-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: rotated-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: rotated-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: selected-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: selected-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: whiled-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: whiled-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: passed-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: passed-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0

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

// 1. A loop passes on the result of an inner loop.
func.func private @nested(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = call @make(%c1) : (index) -> memref<?xi64>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%x = %a) -> memref<?xi64> {
    %y = scf.for %j = %c0 to %c4 step %c1 iter_args(%z = %x) -> memref<?xi64> {
      %m = func.call @mapped(%z) : (memref<?xi64>) -> memref<?xi64>
      scf.yield %m : memref<?xi64>
    }
    scf.yield %y : memref<?xi64>
  }
  %s = call @sum(%r) : (memref<?xi64>) -> i64
  return %s : i64
}

// 2. Two that change places, of which one is new.
func.func private @rotated(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @make(%c0) : (index) -> memref<?xi64>
  %b = call @make(%c1) : (index) -> memref<?xi64>
  %r:2 = scf.for %i = %c0 to %rows step %c1 iter_args(%x = %a, %y = %b) -> (memref<?xi64>, memref<?xi64>) {
    %m = func.call @mapped(%x) : (memref<?xi64>) -> memref<?xi64>
    scf.yield %y, %m : memref<?xi64>, memref<?xi64>
  }
  %s = call @sum(%r#0) : (memref<?xi64>) -> i64
  %t = call @sum(%r#1) : (memref<?xi64>) -> i64
  %u = arith.subi %s, %t : i64
  return %u : i64
}

// 3. Some iterations pass on the memory that they received.
func.func private @selected(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @make(%c1) : (index) -> memref<?xi64>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%x = %a) -> memref<?xi64> {
    %c = func.call @is_third(%i) : (index) -> i1
    %m = func.call @mapped(%x) : (memref<?xi64>) -> memref<?xi64>
    %y = arith.select %c, %m, %x : memref<?xi64>
    scf.yield %y : memref<?xi64>
  }
  %s = call @sum(%r) : (memref<?xi64>) -> i64
  return %s : i64
}

// 4. A loop of another form carries its memory.
func.func private @whiled(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @make(%c1) : (index) -> memref<?xi64>
  %r:2 = scf.while (%i = %c0, %x = %a) : (index, memref<?xi64>) -> (index, memref<?xi64>) {
    %c = arith.cmpi slt, %i, %rows : index
    scf.condition(%c) %i, %x : index, memref<?xi64>
  } do {
  ^bb0(%i: index, %x: memref<?xi64>):
    %m = func.call @mapped(%x) : (memref<?xi64>) -> memref<?xi64>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %m : index, memref<?xi64>
  }
  %s = call @sum(%r#1) : (memref<?xi64>) -> i64
  return %s : i64
}

// 5. A loop whose condition makes what its body uses.
func.func private @passed(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r:3 = scf.while (%i = %c0, %s = %zero) : (index, i64) -> (index, i64, memref<?xi64>) {
    %c = arith.cmpi slt, %i, %rows : index
    %m = func.call @make(%i) : (index) -> memref<?xi64>
    scf.condition(%c) %i, %s, %m : index, i64, memref<?xi64>
  } do {
  ^bb0(%i: index, %s: i64, %x: memref<?xi64>):
    %v = func.call @sum(%x) : (memref<?xi64>) -> i64
    %t = arith.addi %s, %v : i64
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %t : index, i64
  }
  %s = call @sum(%r#2) : (memref<?xi64>) -> i64
  %t = arith.addi %s, %r#1 : i64
  return %t : i64
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
