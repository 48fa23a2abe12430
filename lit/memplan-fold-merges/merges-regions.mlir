// Results of blocks, regions and selects: a value that is always one memref or flag is replaced by it, others are not.
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-fold-merges)' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,MODULE
// RUN: %memplan-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(func.func(memplan-fold-merges))' \
// RUN:   | FileCheck %s
// Again, nothing changes.
// RUN: %memplan-opt %s --allow-unregistered-dialect \
// RUN:   --pass-pipeline='builtin.module(memplan-fold-merges)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --allow-unregistered-dialect --pass-pipeline='builtin.module(memplan-fold-merges)' \
// RUN:   | diff %t.once.mlir -

func.func private @use(memref<4xf32>)
func.func private @use_two(memref<4xf32>, memref<4xf32>)
func.func private @flag(i1)

// 1. Blocks that are never executed pass values on to no one, and branch to each other without a start.
// CHECK-LABEL: func.func @unreachable(
// CHECK:         call @use(%arg0)
// CHECK:       ^bb2(%[[K:.*]]: memref<4xf32>):
// CHECK-NEXT:    call @use(%[[K]])
func.func @unreachable(%a: memref<4xf32>, %b: memref<4xf32>) {
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%m: memref<4xf32>):
  call @use(%m) : (memref<4xf32>) -> ()
  return
^bb2(%k: memref<4xf32>):
  call @use(%k) : (memref<4xf32>) -> ()
  cf.br ^bb2(%k : memref<4xf32>)
^bb3:
  cf.br ^bb1(%b : memref<4xf32>)
}

// 2. A region that is executed once gives what is made in it, which cannot be named outside.
// CHECK-LABEL: func.func @once(
// CHECK:         %[[R:.*]]:2 = scf.execute_region
// CHECK:         call @use_two(%[[R]]#0, %arg0)
func.func @once(%a: memref<4xf32>) {
  %r:2 = scf.execute_region -> (memref<4xf32>, memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  call @use_two(%r#0, %r#1) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 3. Selects, also of each other, and switches.
// CHECK-LABEL: func.func @selects(
// CHECK-NOT:     arith.select
// CHECK:         call @use_two(%arg0, %arg0)
func.func @selects(%a: memref<4xf32>, %c: i1, %at: index) {
  %s = arith.select %c, %a, %a : memref<4xf32>
  %t = arith.select %c, %s, %a : memref<4xf32>
  %w = scf.index_switch %at -> memref<4xf32>
  case 1 {
    scf.yield %t : memref<4xf32>
  }
  default {
    scf.yield %s : memref<4xf32>
  }
  call @use_two(%t, %w) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// 4. Flags that loops and branches carry.
// CHECK-LABEL: func.func @flags(
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         call @flag(%[[TRUE]])
// CHECK:         call @flag(%arg1)
func.func @flags(%n: index, %c: i1, %a: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %true, %q = %c) -> (i1, i1) {
    %other = arith.constant true
    %s:2 = scf.if %q -> (i1, i1) {
      scf.yield %other, %q : i1, i1
    } else {
      scf.yield %p, %c : i1, i1
    }
    scf.yield %s#0, %s#1 : i1, i1
  }
  call @flag(%r#0) : (i1) -> ()
  call @flag(%r#1) : (i1) -> ()
  return
}

// 5. Operations that are not known to forward values: unregistered operations, bodies that run in parallel or on
// another lane, regions that are isolated from above, values of another type.
// CHECK-LABEL: func.func @unknown(
// CHECK:         %[[R:.*]] = "test.region"(%arg0) ({
// CHECK-NEXT:    ^bb0(%[[M:.*]]: memref<4xf32>):
// CHECK-NEXT:      func.call @use(%[[M]])
// CHECK:           "test.yield"(%[[M]])
// CHECK:         call @use(%[[R]])
// CHECK:         %[[W:.*]] = gpu.warp_execute_on_lane_0(%{{.*}})[32] args(%arg0 : memref<4xf32>) -> (memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%[[L:.*]]: memref<4xf32>):
// CHECK-NEXT:      func.call @use(%[[L]])
// CHECK:         call @use(%[[W]])
func.func @unknown(%a: memref<4xf32>, %lane: index) {
  %r = "test.region"(%a) ({
  ^bb0(%m: memref<4xf32>):
    func.call @use(%m) : (memref<4xf32>) -> ()
    "test.yield"(%m) : (memref<4xf32>) -> ()
  }) : (memref<4xf32>) -> memref<4xf32>
  call @use(%r) : (memref<4xf32>) -> ()
  %w = gpu.warp_execute_on_lane_0(%lane)[32] args(%a : memref<4xf32>) -> (memref<4xf32>) {
  ^bb0(%l: memref<4xf32>):
    func.call @use(%l) : (memref<4xf32>) -> ()
    gpu.yield %l : memref<4xf32>
  }
  call @use(%w) : (memref<4xf32>) -> ()
  return
}

// 6. A loop without a terminator that is known ends as it does; a body inside of an unregistered operation folds.
// CHECK-LABEL: func.func @inside(
// CHECK:         "test.region"() ({
// CHECK:           func.call @use(%arg0)
func.func @inside(%a: memref<4xf32>, %c: i1) {
  "test.region"() ({
    %s = scf.if %c -> memref<4xf32> {
      scf.yield %a : memref<4xf32>
    } else {
      scf.yield %a : memref<4xf32>
    }
    func.call @use(%s) : (memref<4xf32>) -> ()
  }) : () -> ()
  return
}

// 7. Functions in functions are bodies of their own; declarations have none.
// MODULE-LABEL: module @inner
// MODULE:         func.call @use(%arg0)
module @inner {
  func.func private @use(memref<4xf32>)
  func.func @f(%a: memref<4xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    scf.for %i = %c1 to %n step %c1 iter_args(%m = %a) -> memref<4xf32> {
      func.call @use(%m) : (memref<4xf32>) -> ()
      scf.yield %m : memref<4xf32>
    }
    return
  }
}

// 8. Functions without memrefs stay as they are.
// MODULE-LABEL: llvm.func @llvm(
// MODULE:       ^bb1(%[[P:.*]]: !llvm.ptr, %[[D:.*]]: i1):
// MODULE:         llvm.store %[[D]], %[[P]]
llvm.func @llvm(%p: !llvm.ptr, %c: i1) {
  llvm.cond_br %c, ^bb1(%p, %c : !llvm.ptr, i1), ^bb1(%p, %c : !llvm.ptr, i1)
^bb1(%q: !llvm.ptr, %d: i1):
  llvm.store %d, %q : i1, !llvm.ptr
  llvm.return
}
