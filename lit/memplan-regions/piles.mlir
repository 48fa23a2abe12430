// What turns of a loop make, and the loop does not need until it is over, does not pile up: ten times the turns take not one
// byte more, and neither does ten times the levels of a recursion, in regions and on the heap together. Each way prints what it computed, the most bytes that were held for regions
// and the most on the heap, how many allocations that was, and the regions, their bytes and those of the heap that are left;
// without regions, the same is computed. What asks for regions, or fills an output in one, gets them.
// RUN: for way in blocks in_block nested rotated selected whiled passed either part; do %S/Inputs/turns.sh %s \
// RUN:   $way-1000 $way 1000 'memplan-regions,memplan-dealloc-pipeline' %runner-libraries,%runtime %memplan-opt || \
// RUN:   exit 1; done > %t.0
// RUN: for way in blocks in_block nested rotated selected whiled passed either part; do %S/Inputs/turns.sh %s \
// RUN:   $way-10000 $way 10000 'memplan-regions,memplan-dealloc-pipeline' %runner-libraries,%runtime %memplan-opt || \
// RUN:   exit 1; done > %t.1
// RUN: for way in blocks in_block nested rotated selected whiled passed either part; do %S/Inputs/turns.sh %s malloc \
// RUN:   $way 10000 'memplan-dealloc-pipeline' %runner-libraries,%runtime %memplan-opt || exit 1; done > %t.2
// RUN: for way in blocks in_block nested rotated selected whiled passed either part; do %S/Inputs/turns.sh %s \
// RUN:   enclosing $way 10000 'memplan-regions{loops=enclosing},memplan-dealloc-pipeline' %runner-libraries,%runtime \
// RUN:   %memplan-opt || exit 1; done > %t.3
// RUN: for way in blocks in_block nested rotated selected whiled passed either part; do %S/Inputs/turns.sh %s blocks \
// RUN:   $way 10000 'convert-scf-to-cf,memplan-regions,memplan-dealloc-pipeline' %runner-libraries,%runtime \
// RUN:   %memplan-opt || exit 1; done > %t.4
// RUN: paste -d '\n' %t.0 %t.1 %t.2 %t.3 %t.4 > %t
// RUN: %S/Inputs/turns.sh %s filtered-1000 filtered 1000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/turns.sh %s filtered-10000 filtered 10000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/turns.sh %s levels-200 levels 200 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/turns.sh %s levels-2000 levels 2000 'memplan-regions,memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/turns.sh %s malloc levels 2000 'memplan-dealloc-pipeline' %runner-libraries,%runtime %memplan-opt >> \
// RUN:   %t
// RUN: %S/Inputs/turns.sh %s enclosing levels 2000 'memplan-regions{loops=enclosing},memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: %S/Inputs/turns.sh %s single levels 2000 'memplan-regions{single-region},memplan-dealloc-pipeline' \
// RUN:   %runner-libraries,%runtime %memplan-opt >> %t
// RUN: FileCheck %s < %t
// CHECK: blocks-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: blocks-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
// CHECK: in_block-1000: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: in_block-10000: [[SUM:-?[0-9]+]], [[MOST]], [[HEAP]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: malloc: [[SUM]], 0, [[PEAK:[0-9]{4}]], {{[0-9]+}}, 0, 0, 0
// CHECK-NEXT: enclosing: [[SUM]], {{([0-9]{7,8})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: blocks: [[SUM]], 0, [[PEAK]], {{[0-9]+}}, 0, 0, 0
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
// CHECK-NEXT: filtered-1000: {{[0-9]+}}, {{([0-9]{5})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: filtered-10000: {{[0-9]+}}, {{([89][0-9]{4})}}, 0, 0, 0, 0, 0
// CHECK-NEXT: levels-200: {{-?[0-9]+}}, [[MOST:[0-9]{1,4}]], [[HEAP:[0-9]{1,4}]], {{[0-9]+}}, 0, 0, 0
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

// 1. A loop of blocks hands on what it makes.
func.func private @blocks(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @make(%c1) : (index) -> memref<?xi64>
  cf.br ^head(%c0, %a : index, memref<?xi64>)
^head(%i: index, %x: memref<?xi64>):
  %c = arith.cmpi slt, %i, %rows : index
  cf.cond_br %c, ^body, ^done
^body:
  %y = call @mapped(%x) : (memref<?xi64>) -> memref<?xi64>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %y : index, memref<?xi64>)
^done:
  %s = call @sum(%x) : (memref<?xi64>) -> i64
  return %s : i64
}

// 2. What a loop of blocks makes dies in the turn.
func.func private @in_block(%rows: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  cf.br ^head(%c0, %zero : index, i64)
^head(%i: index, %s: i64):
  %c = arith.cmpi slt, %i, %rows : index
  cf.cond_br %c, ^body, ^done
^body:
  %x = call @make(%i) : (index) -> memref<?xi64>
  %v = call @sum(%x) : (memref<?xi64>) -> i64
  %t = arith.addi %s, %v : i64
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %t : index, i64)
^done:
  return %s : i64
}

// 3. A loop hands on what a loop inside handed on.
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

// 4. Two that change places, of which one is new.
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

// 5. Some turns hand on what they got.
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

// 6. A loop of another form hands on what it makes.
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

// 7. One region of it makes what the other one uses.
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

// 8. A callee gives what it got, or something new: that goes with the turn.
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

// 9. A callee makes turn by turn what it gives in the end, and its caller asks again and again.
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

// 10. What is kept of each row goes to an output in the region of the caller: that is as large as there are rows.
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

// 11. What each level of a recursion makes, or else what it got from the next, is what it gives.
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
  %sum = call @WAY(%rows) : (index) -> i64
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
