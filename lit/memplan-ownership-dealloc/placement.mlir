// Where frees stand: at uses in blocks, on edges, around regions, and at the ends of blocks.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -

// 1. A use in a block that precedes that of the allocation in the text, and follows it in execution order.
// CHECK-LABEL: func @text_order(
// CHECK:       ^[[LAST:bb[0-9]+]]:
// CHECK-NEXT:    memref.copy %[[A:.*]], %
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
// CHECK:         %[[A]] = memref.alloc()
// CHECK-NEXT:    cf.br ^[[LAST]]
func.func @text_order(%x: memref<8xf32>) {
  cf.br ^first
^last:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  return
^first:
  %a = memref.alloc() : memref<8xf32>
  cf.br ^last
}

// 2. Unreachable code may return any value.
// CHECK-LABEL: func @never_reached(
// CHECK-NOT:     {{memref.copy|bufferization.clone}}
// CHECK:         return
func.func @never_reached() -> memref<8xf32> {
  cf.br ^loop
^loop:
  cf.br ^loop
^never(%p: memref<8xf32>):
  return %p : memref<8xf32>
}

// 3. Frees on one edge between blocks stand in the order of the values, as in a block of their own.
// CHECK-LABEL: func @between(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    memref.dealloc %[[C]]
// CHECK-NEXT:    cf.br
func.func @between(%k: i32, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  cf.switch %k : i32, [
    default: ^end(%a : memref<8xf32>),
    1: ^end(%b : memref<8xf32>),
    2: ^end(%c : memref<8xf32>)
  ]
^end(%p: memref<8xf32>):
  memref.copy %p, %x : memref<8xf32> to memref<8xf32>
  return
}

// 4. A block without a terminator ends where its last operation does: what it uses is used whenever the region runs.
// CHECK-LABEL: func @region(
// CHECK:         memref.alloc()
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.copy %[[B:.*]], %{{.*}} : memref<8xf32>
// CHECK:         memref.copy %[[C:.*]], %{{.*}} : memref<8xf32>
// CHECK-NEXT:    memref.dealloc %[[C]]
func.func @region(%c: i1, %x: memref<8xf32>) {
  %b = memref.alloc() : memref<8xf32>
  "test.region"() ({
    scf.if %c {
      memref.copy %x, %b : memref<8xf32> to memref<8xf32>
    }
  }) : () -> ()
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// 5. A reduction that does not look at what came before frees that in its region.
// CHECK-LABEL: func @forgets(
// CHECK:       ^bb0(%[[L:.*]]: memref<8xf32>, %[[M:.*]]: memref<8xf32>):
// CHECK:         memref.dealloc %[[L]]
// CHECK:         scf.reduce.return %[[M]]
func.func @forgets(%x: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%a) -> memref<8xf32> {
    %b = memref.alloc() : memref<8xf32>
    scf.reduce(%b : memref<8xf32>) {
    ^bb0(%l: memref<8xf32>, %m: memref<8xf32>):
      memref.copy %x, %m : memref<8xf32> to memref<8xf32>
      scf.reduce.return %m : memref<8xf32>
    }
  }
  memref.copy %r, %x : memref<8xf32> to memref<8xf32>
  return
}

// 6. A kernel is launched with a token: its memory is freed when that has been waited for; new memory that is made
// with a token, too.
// CHECK-LABEL: func @launched(
// CHECK:         gpu.launch async
// CHECK:         gpu.wait [
// CHECK-NEXT:    memref.dealloc
func.func @launched(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %l = memref.load %a[%n] : memref<?xf32>
    gpu.terminator
  }
  gpu.wait [%t]
  return
}
// CHECK-LABEL: func @made_with_token(
// CHECK:         gpu.alloc async
// CHECK-NEXT:    gpu.wait [
// CHECK-NEXT:    gpu.dealloc
func.func @made_with_token(%n: index) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] (%n) : memref<?xf32>
  gpu.wait [%t1]
  return
}

// 7. A value that never refers to new memory is not freed between the regions of a loop, where no code can stand.
// CHECK-LABEL: func @rotates_arguments(
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @rotates_arguments(%n: index, %c: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %x) -> (memref<16xf32>) {
    %s:2 = scf.for %j = %c0 to %n step %c1 iter_args(%v = %x, %w = %x) -> (memref<16xf32>, memref<16xf32>) {
      %e = arith.select %c, %q, %v : memref<16xf32>
      scf.yield %w, %e : memref<16xf32>, memref<16xf32>
    }
    scf.yield %s#1 : memref<16xf32>
  }
  memref.copy %r, %y : memref<16xf32> to memref<16xf32>
  return
}

// 8. Where code finds no place after last uses, it stands at the ends of blocks.
// CHECK-LABEL: func @same_twice(
// CHECK:         scf.for
// CHECK:         bufferization.dealloc (
// CHECK:         return
func.func @same_twice(%n: index, %c: i1, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%q = %m, %s = %x) -> (memref<16xf32>, memref<16xf32>) {
    %z = scf.if %c -> memref<16xf32> {
      %d = memref.alloc() : memref<16xf32>
      scf.yield %d : memref<16xf32>
    } else {
      scf.yield %s : memref<16xf32>
    }
    scf.yield %z, %z : memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %x : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %x : memref<16xf32> to memref<16xf32>
  return
}
