// Arguments that a callee frees, always or on some paths.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A callee frees its argument: the caller does not.
// CHECK-LABEL: func private @consume(
// CHECK:         memref.dealloc
// CHECK-LABEL: func @gives(
// CHECK:         call @consume
// CHECK-NEXT:    return
func.func private @consume(%a: memref<8xf32>, %x: memref<8xf32>) {
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
func.func @gives(%x: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  call @consume(%b, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// 2. Two functions call each other, and one frees what it is given: what the other passes on to it is freed, too.
// CHECK-LABEL: func private @pong(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         call @ping(%{{.*}}, %[[A]])
// CHECK-NOT:     memref.dealloc %[[A]]
// CHECK:         return
func.func private @ping(%n: index, %m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %z, ^done, ^more
^done:
  return
^more:
  %k = arith.subi %n, %c1 : index
  call @pong(%k, %m) : (index, memref<8xf32>) -> ()
  return
}
func.func private @pong(%n: index, %m: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %m, %a : memref<8xf32> to memref<8xf32>
  memref.dealloc %m : memref<8xf32>
  call @ping(%n, %a) : (index, memref<8xf32>) -> ()
  return
}

// 3. A callee frees what a block, a region or a loop passes on of its argument: the caller does not.
// CHECK-LABEL: func @gives_to_blocks(
// CHECK:         call @by_block
// CHECK-NEXT:    return
func.func private @by_block(%m: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^one(%m : memref<8xf32>), ^other(%m : memref<8xf32>)
^one(%p: memref<8xf32>):
  cf.br ^other(%p : memref<8xf32>)
^other(%q: memref<8xf32>):
  memref.dealloc %q : memref<8xf32>
  return
}
func.func @gives_to_blocks(%c: i1) {
  %b = memref.alloc() : memref<8xf32>
  call @by_block(%b, %c) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func @gives_to_regions(
// CHECK:         call @by_region
// CHECK-NEXT:    return
func.func private @by_region(%m: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %m) -> memref<8xf32> {
    %q = scf.execute_region -> memref<8xf32> {
      scf.yield %p : memref<8xf32>
    }
    scf.yield %q : memref<8xf32>
  }
  memref.dealloc %r : memref<8xf32>
  return
}
func.func @gives_to_regions(%n: index) {
  %b = memref.alloc() : memref<8xf32>
  call @by_region(%b, %n) : (memref<8xf32>, index) -> ()
  return
}

// 4. A block that is never reached passes a memref on: the callee does not free it.
// CHECK-LABEL: func @keeps_its_own(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         call @never(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]]
func.func private @never(%m: memref<8xf32>) {
  %r = scf.execute_region -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    memref.copy %m, %a : memref<8xf32> to memref<8xf32>
    scf.yield %a : memref<8xf32>
  ^never:
    scf.yield %m : memref<8xf32>
  }
  memref.dealloc %r : memref<8xf32>
  return
^nor_here:
  memref.dealloc %m : memref<8xf32>
  return
}
func.func @keeps_its_own() {
  %a = memref.alloc() : memref<8xf32>
  call @never(%a) : (memref<8xf32>) -> ()
  return
}

// 5. A callee frees its argument on some paths. It did not where the caller uses the memory later: after the call,
// after the loop around it, or by freeing it.
// CHECK-LABEL: func @goes_on_to_read(
// CHECK:         call @copies_or_not
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
// CHECK-LABEL: func @goes_on_to_free(
// CHECK:         call @copies_or_not
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
// CHECK-LABEL: func @used_after_a_loop(
// CHECK:         scf.for
// CHECK:         }
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func private @copies_or_not(%m: memref<4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %t = scf.if %c -> memref<4xf32> {
    %n = memref.alloc() : memref<4xf32>
    memref.copy %m, %n : memref<4xf32> to memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %x = memref.load %t[%c0] : memref<4xf32>
  scf.if %c {
    memref.dealloc %t : memref<4xf32>
  }
  return %x : f32
}
func.func @goes_on_to_read(%c: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %x = call @copies_or_not(%a, %c) : (memref<4xf32>, i1) -> f32
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}
func.func @goes_on_to_free(%c: i1) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %x = call @copies_or_not(%a, %c) : (memref<4xf32>, i1) -> f32
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}
func.func @used_after_a_loop(%c: i1, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %k = %c0 to %n step %c1 {
    %x = func.call @copies_or_not(%a, %c) : (memref<4xf32>, i1) -> f32
  }
  %y = memref.load %a[%i] : memref<4xf32>
  return %y : f32
}
