// A choice by a constant flag is replaced by its value, and operations without uses are erased.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-fold-merges)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-fold-merges)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-fold-merges)' | diff %t.once.mlir -

func.func private @use(memref<4xf32>)
func.func private @flag(i1)

// 1. Arms that are always taken, one in the other, and those that never are.
// CHECK-LABEL: func.func @arms(
// CHECK-NEXT:    call @use(%arg0)
// CHECK-NEXT:    call @use(%arg1)
// CHECK-NEXT:    call @use(%arg0)
// CHECK-NEXT:    return
func.func @arms(%a: memref<4xf32>, %b: memref<4xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  scf.if %false {
    scf.if %true {
      func.call @use(%b) : (memref<4xf32>) -> ()
    }
  }
  %r = scf.if %true -> memref<4xf32> {
    func.call @use(%a) : (memref<4xf32>) -> ()
    %s = scf.if %false -> memref<4xf32> {
      scf.yield %b : memref<4xf32>
    } else {
      func.call @use(%b) : (memref<4xf32>) -> ()
      scf.yield %a : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  } else {
    scf.if %true {
      func.call @use(%b) : (memref<4xf32>) -> ()
    }
    scf.yield %b : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  return
}

// 2. Cases.
// CHECK-LABEL: func.func @cases(
// CHECK-NOT:     scf
// CHECK:         call @use(%arg1)
// CHECK-NEXT:    call @use(%arg0)
// CHECK-NEXT:    return
func.func @cases(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %r = scf.index_switch %c3 -> memref<4xf32>
  case 2 {
    scf.yield %a : memref<4xf32>
  }
  case 3 {
    scf.yield %b : memref<4xf32>
  }
  default {
    scf.yield %a : memref<4xf32>
  }
  call @use(%r) : (memref<4xf32>) -> ()
  scf.index_switch %c7
  case 2 {
    func.call @use(%b) : (memref<4xf32>) -> ()
    scf.yield
  }
  default {
    func.call @use(%a) : (memref<4xf32>) -> ()
    scf.yield
  }
  return
}

// 3. Branches, and the blocks that nothing leads to then. A merge of what is left is that.
// CHECK-LABEL: func.func @branches(
// CHECK:         cf.br ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.br ^bb2(%arg0 : memref<4xf32>)
// CHECK-NEXT:  ^bb2(%{{.*}}: memref<4xf32>):
// CHECK-NEXT:    call @use(%arg0)
// CHECK-NEXT:    return
func.func @branches(%a: memref<4xf32>, %b: memref<4xf32>) {
  %true = arith.constant true
  %i = arith.constant 5 : i32
  cf.cond_br %true, ^bb1, ^bb2
^bb1:
  cf.switch %i : i32, [
    default: ^bb3(%b : memref<4xf32>),
    5: ^bb3(%a : memref<4xf32>)
  ]
^bb2:
  %m = memref.alloc() : memref<4xf32>
  scf.if %true {
    func.call @use(%m) : (memref<4xf32>) -> ()
  }
  cf.cond_br %true, ^bb2, ^bb3(%m : memref<4xf32>)
^bb3(%k: memref<4xf32>):
  call @use(%k) : (memref<4xf32>) -> ()
  return
}

// 4. Logic on constants.
// CHECK-LABEL: func.func @logic(
// CHECK-NOT:     arith.andi
// CHECK-NOT:     arith.ori
// CHECK-NOT:     arith.xori
// CHECK:         call @flag(%arg0)
// CHECK:         call @flag(%arg0)
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         call @flag(%[[TRUE]])
// CHECK:         return
func.func @logic(%c: i1, %i: index, %a: memref<4xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = arith.andi %c, %true : i1
  call @flag(%0) : (i1) -> ()
  %1 = arith.ori %false, %0 : i1
  call @flag(%1) : (i1) -> ()
  %2 = arith.xori %false, %true : i1
  %3 = arith.cmpi eq, %i, %i : index
  %4 = arith.andi %2, %3 : i1
  call @flag(%4) : (i1) -> ()
  return
}

// 5. A result that is one of two memrefs from outside is selected; one from inside stays; a flag that the choice hangs
// on is that.
// CHECK-LABEL: func.func @selected(
// CHECK:         %[[S:.*]] = arith.select %arg2, %arg0, %arg1
// CHECK:         %[[NOT:.*]] = arith.xori %arg2
// CHECK:         %[[R:.*]] = scf.if %arg2 -> (memref<4xf32>) {
// CHECK-NEXT:      %[[M:.*]] = memref.alloc
// CHECK-NEXT:      scf.yield %[[M]] : memref<4xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %arg0 : memref<4xf32>
// CHECK:         call @use(%[[S]])
// CHECK:         call @use(%[[R]])
// CHECK:         call @flag(%arg2)
// CHECK:         call @flag(%[[NOT]])
func.func @selected(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %r:4 = scf.if %c -> (memref<4xf32>, memref<4xf32>, i1, i1) {
    %m = memref.alloc() : memref<4xf32>
    scf.yield %a, %m, %true, %false : memref<4xf32>, memref<4xf32>, i1, i1
  } else {
    scf.yield %b, %a, %false, %true : memref<4xf32>, memref<4xf32>, i1, i1
  }
  call @use(%r#0) : (memref<4xf32>) -> ()
  call @use(%r#1) : (memref<4xf32>) -> ()
  call @flag(%r#2) : (i1) -> ()
  call @flag(%r#3) : (i1) -> ()
  return
}

// 6. Operations with effects stay, and so does code that other passes wrote: numbers, loops, casts, copies, stores of
// a memref to itself.
// CHECK-LABEL: func.func @others(
// CHECK:         arith.addi
// CHECK:         scf.for
// CHECK:         memref.cast
// CHECK:         memref.cast
// CHECK:         memref.copy %arg0, %arg0
// CHECK:         scf.if
// CHECK:           memref.alloc
func.func @others(%a: memref<4xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %unused = arith.addi %n, %c0 : index
  scf.for %i = %c0 to %c0 step %c1 {
    func.call @use(%a) : (memref<4xf32>) -> ()
  }
  %m = memref.cast %a : memref<4xf32> to memref<?xf32>
  %k = memref.cast %m : memref<?xf32> to memref<4xf32>
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    %b = memref.alloc() : memref<4xf32>
  }
  return
}

// 7. In a function that is left by unwinding, flags come after the landing pad.
// CHECK-LABEL: llvm.func @unwinds(
// CHECK:         llvm.landingpad
// CHECK:         scf.if
llvm.func @personality(...) -> i32
llvm.func @may_throw()
llvm.func @unwinds(%c: i1) attributes {personality = @personality} {
  %true = arith.constant true
  %m = memref.alloc() : memref<4xf32>
  llvm.invoke @may_throw() to ^next(%true : i1) unwind ^pad(%true : i1) : () -> ()
^next(%d: i1):
  llvm.return
^pad(%e: i1):
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  %f = arith.andi %c, %e : i1
  scf.if %f {
    llvm.call @may_throw() : () -> ()
  }
  llvm.resume %l : !llvm.struct<(ptr, i32)>
}

// 8. Where an arm frees memory, which one it is stays with what the arm gives; nested and by calls, too.
// CHECK-LABEL: func.func @frees(
// CHECK-NOT:     arith.select
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc %arg1
// CHECK-NEXT:      scf.yield %arg0
// CHECK:           scf.yield %arg1
// CHECK-NOT:     arith.select
// CHECK:         return
func.func @frees(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %d: i1) {
  %r = scf.if %c -> memref<4xf32> {
    memref.dealloc %b : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.if %d {
      func.call @use(%a) : (memref<4xf32>) -> ()
    }
    scf.yield %b : memref<4xf32>
  }
  %s = scf.if %d -> memref<4xf32> {
    scf.yield %a : memref<4xf32>
  } else {
    scf.if %c {
      func.call @use(%a) : (memref<4xf32>) -> ()
    }
    scf.yield %r : memref<4xf32>
  }
  call @use(%s) : (memref<4xf32>) -> ()
  return
}
