// An arena is allocated before its first use and freed after its last one, in the innermost block that has all of them
// and does not repeat.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s

// 1. It is not held across a call after its last use: a recursion holds none.
// CHECK-LABEL: func @recursion
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK:         call @recursion
// CHECK-NOT:     memref.dealloc
func.func @recursion(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<64xindex>
  memref.store %n, %a[%c1] : memref<64xindex>
  %x = memref.load %a[%c1] : memref<64xindex>
  %e = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %e -> index {
    scf.yield %x : index
  } else {
    %m = arith.subi %n, %c1 : index
    %y = func.call @recursion(%m) : (index) -> index
    scf.yield %y : index
  }
  return %r : index
}

// -----

// 2. It is not held where the branch that uses it is not taken, nor before or after that.
// CHECK-LABEL: func @branch
// CHECK-NOT:     memref.alloc
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             memref.alloc() {{.*}} : memref<512xi8>
// CHECK:             memref.load
// CHECK:             memref.load
// CHECK-NEXT:        memref.dealloc
// CHECK-NEXT:        scf.yield
func.func @branch(%x: memref<64xf32>, %c: i1, %d: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : f32
  %r = scf.if %c -> f32 {
    %s = scf.if %d -> f32 {
      %a = memref.alloc() : memref<64xf32>
      %b = memref.alloc() : memref<64xf32>
      linalg.transpose ins(%x : memref<64xf32>) outs(%a : memref<64xf32>) permutation = [0]
      linalg.fill ins(%z : f32) outs(%b : memref<64xf32>)
      %v = memref.load %a[%c0] : memref<64xf32>
      %w = memref.load %b[%c0] : memref<64xf32>
      scf.yield %w : f32
    } else {
      scf.yield %z : f32
    }
    scf.yield %s : f32
  } else {
    scf.yield %z : f32
  }
  return %r : f32
}

// -----

// 3. A loop allocates nothing in each iteration: the arena is around the loop.
// CHECK-LABEL: func @loop
// CHECK:         arith.addi
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         scf.for
// CHECK-NOT:       memref.dealloc
// CHECK:           memref.copy
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    arith.muli
func.func @loop(%x: memref<64xf32>, %y: memref<64xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.addi %n, %c1 : index
  scf.for %i = %c0 to %m step %c1 {
    %a = memref.alloc() : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  }
  %r = arith.muli %m, %m : index
  return %r : index
}

// -----

// 4. A block that repeats allocates nothing either: the arena is that of the function.
// CHECK-LABEL: func @blocks
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:       ^bb1:
// CHECK:       ^bb2:
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @blocks(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  cf.br ^head
^head:
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  cf.cond_br %c, ^head, ^exit
^exit:
  return
}

// -----

// 5. One that does not repeat does.
// CHECK-LABEL: func @one_of_two
// CHECK-NOT:     memref.alloc
// CHECK:       ^bb1:
// CHECK:         memref.alloc
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    cf.br ^bb2
func.func @one_of_two(%x: memref<64xf32>, %y: memref<64xf32>, %c: i1) {
  cf.cond_br %c, ^then, ^exit
^then:
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  memref.copy %a, %y : memref<64xf32> to memref<64xf32>
  cf.br ^exit
^exit:
  return
}

// -----

// 6. What a parallel body uses is used by its operation.
// CHECK-LABEL: func @parallel
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         scf.forall
// CHECK:         memref.load
// CHECK:         }
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @after
func.func private @after()
func.func @parallel(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  scf.forall (%i) in (64) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %y[%i] : memref<64xf32>
  }
  call @after() : () -> ()
  return
}

// -----

// 7. An asynchronous operation uses it until the wait.
// CHECK-LABEL: func @wait
// CHECK:         memref.alloc() {{.*}} : memref<256xi8>
// CHECK:         async.execute
// CHECK:         async.await
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @after
func.func private @after()
func.func @wait(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %t = async.execute {
    linalg.exp ins(%a : memref<64xf32>) outs(%y : memref<64xf32>)
    async.yield
  }
  async.await %t : !async.token
  call @after() : () -> ()
  return
}
