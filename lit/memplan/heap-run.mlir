// Executed: recursions with arenas on both sides of the call, arenas of iterations, arenas across blocks, a loop whose
// result is its last buffer, and a branch whose buffers are left alone.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify},%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify scope=module},%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan{verify arena=arg},%to-llvm)' | %runner | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(func.func(convert-linalg-to-loops),convert-scf-to-cf)' \
// RUN:   | %memplan-opt --pass-pipeline='builtin.module(memplan{verify},%to-llvm)' | %runner | FileCheck %s

// CHECK:      55
// CHECK-NEXT: 1240
// CHECK-NEXT: 30
// CHECK-NEXT: 21
// CHECK-NEXT: 7
// CHECK-NEXT: 100

func.func private @printI64(i64)
func.func private @printNewline()
func.func private @print(%x: i64) {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// The sum of the elements.
func.func private @sum(%a: memref<4xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i64
  %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %z) -> (i64) {
    %x = memref.load %a[%i] : memref<4xi64>
    %u = arith.addi %t, %x : i64
    scf.yield %u : i64
  }
  return %s : i64
}

// 1 + ... + n: what is before the call is needed after it in one buffer only.
func.func private @recursion(%n: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %kept = memref.alloc() : memref<4xi64>
  linalg.fill ins(%n : i64) outs(%kept : memref<4xi64>)
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%one : i64) outs(%a : memref<4xi64>)
  %s = call @sum(%a) : (memref<4xi64>) -> i64
  %e = arith.cmpi eq, %n, %z : i64
  %r = scf.if %e -> (i64) {
    scf.yield %z : i64
  } else {
    %m = arith.subi %n, %one : i64
    %below = func.call @recursion(%m) : (i64) -> i64
    scf.yield %below : i64
  }
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%s : i64) outs(%b : memref<4xi64>)
  %v = memref.load %kept[%c0] : memref<4xi64>
  %four = call @sum(%b) : (memref<4xi64>) -> i64
  %sixteen = arith.constant 16 : i64
  %zero = arith.subi %four, %sixteen : i64
  %w = arith.addi %v, %zero : i64
  %t = arith.addi %w, %r : i64
  return %t : i64
}

// Iterations that call a recursion: 5 * 4 * 55 + 4 * (0 + 1 + 2 + 3 + 4) + 100.
func.func private @iterations(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (i64) {
    %x = arith.index_cast %i : index to i64
    %a = memref.alloc() : memref<4xi64>
    linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
    %s = func.call @sum(%a) : (memref<4xi64>) -> i64
    %below = func.call @recursion(%ten) : (i64) -> i64
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%below : i64) outs(%b : memref<4xi64>)
    %u = func.call @sum(%b) : (memref<4xi64>) -> i64
    %v = arith.addi %s, %u : i64
    %w = arith.addi %t, %v : i64
    scf.yield %w : i64
  }
  %hundred = arith.constant 100 : i64
  %q = arith.addi %r, %hundred : i64
  return %q : i64
}

// A loop of blocks with a buffer in two of them.
func.func private @blocks(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i64
  cf.br ^head(%c0, %z : index, i64)
^head(%i: index, %t: i64):
  %x = arith.index_cast %i : index to i64
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  cf.br ^body
^body:
  %v = memref.load %a[%c1] : memref<4xi64>
  %sq = arith.muli %v, %v : i64
  %u = arith.addi %t, %sq : i64
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^head(%j, %u : index, i64), ^end(%u : i64)
^end(%r: i64):
  return %r : i64
}

// The last buffer of a loop.
func.func private @last(%n: index) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 21 : i64
  %r = memref.alloc() : memref<4xi64>
  linalg.fill ins(%z : i64) outs(%r : memref<4xi64>)
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r) -> (memref<4xi64>) {
    %x = arith.index_cast %i : index to i64
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%x : i64) outs(%b : memref<4xi64>)
    scf.yield %b : memref<4xi64>
  }
  return %s : memref<4xi64>
}

// One of two buffers of different sizes.
func.func private @one_of_two(%c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %x = arith.constant 100 : i64
  %r = scf.if %c -> (memref<?xi64>) {
    %a = memref.alloc() : memref<1000xi64>
    linalg.fill ins(%x : i64) outs(%a : memref<1000xi64>)
    %d = memref.cast %a : memref<1000xi64> to memref<?xi64>
    scf.yield %d : memref<?xi64>
  } else {
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%x : i64) outs(%b : memref<4xi64>)
    %d = memref.cast %b : memref<4xi64> to memref<?xi64>
    scf.yield %d : memref<?xi64>
  }
  %v = memref.load %r[%c0] : memref<?xi64>
  return %v : i64
}

func.func @main() attributes {memplan.arena_in = "alloc"} {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %ten = arith.constant 10 : i64
  %no = arith.constant false
  %one = call @recursion(%ten) : (i64) -> i64
  call @print(%one) : (i64) -> ()
  %two = call @iterations(%c5) : (index) -> i64
  call @print(%two) : (i64) -> ()
  %three = call @blocks(%c5) : (index) -> i64
  call @print(%three) : (i64) -> ()
  %four = call @last(%c0) : (index) -> memref<4xi64>
  %x = memref.load %four[%c0] : memref<4xi64>
  call @print(%x) : (i64) -> ()
  %five = call @last(%c8) : (index) -> memref<4xi64>
  %y = memref.load %five[%c0] : memref<4xi64>
  call @print(%y) : (i64) -> ()
  %six = call @one_of_two(%no) : (i1) -> i64
  call @print(%six) : (i64) -> ()
  return
}
