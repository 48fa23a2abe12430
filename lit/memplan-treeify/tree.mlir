// Branches and the trees that replace them.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify,memplan-check-tree)' | FileCheck %s
// Twice is once.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-treeify,memplan-treeify,memplan-check-tree)' \
// RUN:   | FileCheck %s

// 1. Two consecutive branches are four paths; without an else, what follows comes at once.
// CHECK-LABEL: @row
// CHECK: cf.cond_br %arg0, ^[[A:.*]], ^[[B:.*]]
// CHECK: ^[[A]]:
// CHECK: %[[S:.*]] = arith.addf %arg2, %arg2
// CHECK: cf.cond_br %arg1, ^[[C:.*]], ^[[D:.*]]
// CHECK: ^[[C]]:
// CHECK: memref.store %[[S]]
// CHECK: return %[[S]]
// CHECK: ^[[D]]:
// CHECK-NEXT: return %[[S]]
// CHECK: ^[[B]]:
// CHECK: cf.cond_br %arg1, ^[[E:.*]], ^[[F:.*]]
// CHECK: ^[[E]]:
// CHECK: memref.store %arg2
// CHECK: return %arg2
// CHECK: ^[[F]]:
// CHECK-NEXT: return %arg2
func.func @row(%c: i1, %d: i1, %a: f32, %m: memref<f32>) -> f32 {
  %x = scf.if %c -> f32 {
    %s = arith.addf %a, %a : f32
    scf.yield %s : f32
  } else {
    scf.yield %a : f32
  }
  scf.if %d {
    memref.store %x, %m[] : memref<f32>
  }
  return %x : f32
}

// 2. A switch, with a branch in one of its cases.
// CHECK-LABEL: @cases
// CHECK: %[[N:.*]] = arith.index_cast %arg0 : index to i64
// CHECK: cf.switch %[[N]] : i64, [
// CHECK-NEXT: default: ^[[D:.*]],
// CHECK-NEXT: 2: ^[[A:.*]],
// CHECK-NEXT: 7: ^[[B:.*]]
// CHECK: ^[[D]]:
// CHECK: %[[Z:.*]] = arith.constant 0 : i32
// CHECK: return %[[Z]]
// CHECK: ^[[A]]:
// CHECK: cf.cond_br %arg1
// CHECK: return
// CHECK: return
// CHECK: ^[[B]]:
// CHECK: return %arg2
func.func @cases(%n: index, %c: i1, %a: i32) -> i32 {
  %r = scf.index_switch %n -> i32
  case 2 {
    %i = scf.if %c -> i32 {
      %s = arith.addi %a, %a : i32
      scf.yield %s : i32
    } else {
      scf.yield %a : i32
    }
    scf.yield %i : i32
  }
  case 7 {
    scf.yield %a : i32
  }
  default {
    %z = arith.constant 0 : i32
    scf.yield %z : i32
  }
  return %r : i32
}

// 3. Blocks that join, and arguments of blocks.
// CHECK-LABEL: @blocks
// CHECK: cf.cond_br %arg0, ^[[A:.*]], ^[[B:.*]]
// CHECK: ^[[A]]:
// CHECK-NEXT: arith.addf %arg1, %arg1
// CHECK: return
// CHECK: ^[[B]]:
// CHECK-NEXT: arith.addf %arg2, %arg2
// CHECK: return
func.func @blocks(%c: i1, %a: f32, %b: f32) -> f32 {
  cf.cond_br %c, ^join(%a : f32), ^other
^other:
  cf.br ^join(%b : f32)
^join(%x: f32):
  %s = arith.addf %x, %x : f32
  return %s : f32
}

// 4. A constant condition takes one path.
// CHECK-LABEL: @constant
// CHECK-NOT: cf.cond_br
// CHECK: return %arg1
// CHECK-NEXT: }
func.func @constant(%a: f32, %b: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c = arith.cmpi sgt, %c2, %c3 : index
  %r = scf.if %c -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  return %r : f32
}

// 5. An operation that is one step stays as it is, with its regions; its operands are replaced.
// CHECK-LABEL: @step
// CHECK: cf.cond_br
// CHECK: scf.parallel
// CHECK: memref.store %arg1
// CHECK: return
// CHECK: scf.parallel
// CHECK: memref.store %arg2
// CHECK: return
func.func @step(%c: i1, %a: f32, %b: f32, %m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %x = scf.if %c -> f32 {
    scf.yield %a : f32
  } else {
    scf.yield %b : f32
  }
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}

// 6. cf.switch and a region that runs once.
// CHECK-LABEL: @others
// CHECK: cf.switch %arg0 : i32, [
// CHECK-NEXT: default: ^{{.*}},
// CHECK-NEXT: 1: ^{{.*}}
// CHECK: %[[S:.*]] = arith.addf %arg1, %arg2
// CHECK-NEXT: return %[[S]]
// CHECK: %[[T:.*]] = arith.addf %arg2, %arg2
// CHECK-NEXT: return %[[T]]
func.func @others(%f: i32, %a: f32, %b: f32) -> f32 {
  cf.switch %f : i32, [
    default: ^go(%a : f32),
    1: ^go(%b : f32)
  ]
^go(%x: f32):
  %r = scf.execute_region -> f32 {
    %s = arith.addf %x, %b : f32
    scf.yield %s : f32
  }
  return %r : f32
}

// 7. A switch on an integer of odd width keeps its cases.
// CHECK-LABEL: @odd_width
// CHECK: cf.switch %arg0 : i7, [
// CHECK-NEXT: default: ^bb1,
// CHECK-NEXT: {{-3|125}}: ^bb2,
// CHECK-NEXT: 5: ^bb3
func.func @odd_width(%f: i7, %m: memref<i32>) {
  %a = arith.constant 1 : i32
  cf.switch %f : i7, [
    default: ^end(%a : i32),
    -3: ^other,
    5: ^end(%a : i32)
  ]
^other:
  %b = arith.constant 2 : i32
  cf.br ^end(%b : i32)
^end(%x: i32):
  memref.store %x, %m[] : memref<i32>
  return
}

// 8. Allocations of sizes that follow from constants are of that size.
// CHECK-LABEL: @sizes
// CHECK: %[[A:.*]] = memref.alloc() {alignment = 32 : i64} : memref<2x6xi64>
// CHECK-NEXT: %[[D:.*]] = memref.cast %[[A]] : memref<2x6xi64> to memref<2x?xi64>
// CHECK-NEXT: memref.store %arg0, %[[D]]
func.func @sizes(%v: i64) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %s = arith.addi %c3, %c3 : index
  %a = memref.alloc(%s) {alignment = 32 : i64} : memref<2x?xi64>
  memref.store %v, %a[%c0, %c0] : memref<2x?xi64>
  return
}

// 9. Constant flags: only the path that is taken is there.
// CHECK-LABEL: @known
// CHECK-NOT: cf.
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK-NOT: cf.
// CHECK: %[[NINE:.*]] = arith.constant 9 : i32
// CHECK: arith.addi %[[TWO]], %[[NINE]]
// CHECK-NOT: cf.
// CHECK: return
func.func @known(%m: memref<i32>) {
  %one = arith.constant 1 : i32
  %four = arith.constant -4 : i32
  %flag = arith.addi %one, %four : i32
  cf.switch %flag : i32, [
    default: ^default,
    -3: ^three(%one : i32)
  ]
^default:
  %s = memref.load %m[] : memref<i32>
  cf.br ^end(%s : i32)
^three(%t: i32):
  %two = arith.constant 2 : i32
  cf.switch %two : i32, [
    default: ^end(%two : i32)
  ]
^end(%x: i32):
  %y = arith.constant 9 : i32
  %z = arith.addi %x, %y : i32
  memref.store %z, %m[] : memref<i32>
  return
}

// 10. A case below zero: MLIR cannot read what it prints of such a cf.switch, so that numbers count from the least one.
// CHECK-LABEL: @below_zero
// CHECK: %[[N:.*]] = arith.index_cast %arg0 : index to i64
// CHECK: %[[LEAST:.*]] = arith.constant -2 : i64
// CHECK: %[[S:.*]] = arith.subi %[[N]], %[[LEAST]] : i64
// CHECK: cf.switch %[[S]] : i64, [
// CHECK-NEXT: default:
// CHECK-NEXT: 0:
// CHECK-NEXT: 7:
func.func @below_zero(%n: index, %x: f32, %y: f32) -> f32 {
  %r = scf.index_switch %n -> f32
  case -2 {
    scf.yield %x : f32
  }
  case 5 {
    scf.yield %y : f32
  }
  default {
    %s = arith.addf %x, %y : f32
    scf.yield %s : f32
  }
  return %r : f32
}
