// An arena that is used in several blocks is held from one block that comes before all of them to one after all of them.
// RUN: %memplan-opt %s --split-input-file --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' \
// RUN:   | FileCheck %s

func.func private @use(memref<1000xf32>)

// 1. Around a loop of blocks, not in the block before it nor in the one after it.
// CHECK-LABEL: func @loop
// CHECK-NOT:     memref.alloc
// CHECK:         cf.cond_br %{{.*}}, ^[[LOOP:bb[0-9]+]], ^[[END:bb[0-9]+]]
// CHECK:       ^[[LOOP]]:
// CHECK:         memref.alloc() {{.*}} : memref<4000xi8>
// CHECK-NEXT:    cf.br ^[[HEAD:bb[0-9]+]]
// CHECK:         cf.cond_br %{{.*}}, ^[[HEAD]](%{{.*}}), ^[[DONE:bb[0-9]+]]
// CHECK:       ^[[DONE]]:
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    cf.br ^[[END]]
// CHECK:       ^[[END]]:
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^before, ^end
^before:
  cf.br ^head(%c0 : index)
^head(%i: index):
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  cf.br ^body
^body:
  call @use(%a) : (memref<1000xf32>) -> ()
  %j = arith.addi %i, %c1 : index
  %more = arith.cmpi ult, %j, %n : index
  cf.cond_br %more, ^head(%j : index), ^after
^after:
  cf.br ^end
^end:
  return
}

// -----

func.func private @use(memref<1000xf32>)

// 2. The text is in another order than the execution: the first use of the text is the last one.
// CHECK-LABEL: func @order
// CHECK:         cf.br ^[[FIRST:bb[0-9]+]]
// CHECK:       ^[[LAST:bb[0-9]+]]:
// CHECK:         call @use
// CHECK:         memref.dealloc
// CHECK:         return
// CHECK:       ^[[FIRST]]:
// CHECK:         memref.alloc
// CHECK:         call @use
// CHECK:         cf.cond_br %{{.*}}, ^[[LAST]]
func.func @order(%c: i1) {
  cf.br ^first
^last:
  call @use(%a) : (memref<1000xf32>) -> ()
  return
^first:
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  cf.cond_br %c, ^last, ^middle
^middle:
  call @use(%a) : (memref<1000xf32>) -> ()
  cf.br ^last
}

// -----

func.func private @use(memref<1000xf32>)

// 3. Two returns: it is freed at each.
// CHECK-LABEL: func @two_returns
// CHECK:         memref.alloc
// CHECK:         cf.cond_br
// CHECK:         call @use
// CHECK:         memref.dealloc
// CHECK:         return
// CHECK:         call @use
// CHECK:         memref.dealloc
// CHECK:         return
func.func @two_returns(%c: i1) {
  %a = memref.alloc() : memref<1000xf32>
  call @use(%a) : (memref<1000xf32>) -> ()
  cf.cond_br %c, ^one, ^other
^one:
  call @use(%a) : (memref<1000xf32>) -> ()
  return
^other:
  call @use(%a) : (memref<1000xf32>) -> ()
  return
}
