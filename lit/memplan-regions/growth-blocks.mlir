// Memory that the iterations of a loop or the levels of a recursion allocate, and that is dead before the loop or the
// recursion ends, does not add up: ten times the iterations take not one byte more, in regions and on the heap
// together. Loops of blocks. Each line: the result, the most bytes held for regions, the most on the heap, the
// allocations there, and the regions, their bytes and those of the heap that are left. Without regions, the result is
// the same.
// RUN: %S/Inputs/growth.sh %s blocks,in_block %runner-libraries,%runtime %memplan-opt | FileCheck %s
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

// 1. A loop of blocks carries its memory.
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

// 2. The memory of a loop of blocks dies in the iteration.
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
