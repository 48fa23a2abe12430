// placement=block-end: one bufferization.dealloc before the terminator of a block frees all that the block may own.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' | FileCheck %s
// A second run changes nothing, wherever it would put frees.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' -o %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end})' \
// RUN:   | diff %t.once.mlir -
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | diff %t.once.mlir -
// Lowered by our passes, by upstream's, and in the pipeline, nothing is left that asks the run who owns what.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},\
// RUN:   memplan-simplify-dealloc,memplan-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-ownership-dealloc{placement=block-end},%upstream-lower-dealloc)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-dealloc-pipeline{placement=block-end})' \
// RUN:   | FileCheck %s --check-prefixes=LOWERED,PIPELINE
// LOWERED-NOT: bufferization.dealloc

// 1. The example of the document on ownership-based buffer deallocation. The select is compared on each exit; so is
// the operand of the branch.
// CHECK-LABEL: func @example(
// CHECK-SAME:    %[[MEMREF:[a-z0-9]+]]: memref<?xi8>, %[[N:[a-z0-9]+]]: index, %[[WHICH:[a-z0-9]+]]: i1, %[[C:[a-z0-9]+]]: i1)
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[N]])
// CHECK-NEXT:    %[[ALLOCA:.*]] = memref.alloca(%[[N]])
// CHECK-NEXT:    %[[SELECT:.*]] = arith.select %[[WHICH]], %[[ALLOC]], %[[ALLOCA]]
// CHECK-NEXT:    %[[NOT:.*]] = arith.xori %[[TRUE]], %[[C]]
// CHECK-NEXT:    %[[ONE:.*]]:2 = bufferization.dealloc (%[[MEMREF]], %[[ALLOC]], %[[ALLOCA]] : memref<?xi8>, memref<?xi8>, memref<?xi8>) if (%[[FALSE]], %[[C]], %[[FALSE]]) retain (%[[ALLOC]], %[[SELECT]] : memref<?xi8>, memref<?xi8>)
// CHECK-NEXT:    %[[TWO:.*]]:2 = bufferization.dealloc (%[[MEMREF]], %[[ALLOC]], %[[ALLOCA]] : memref<?xi8>, memref<?xi8>, memref<?xi8>) if (%[[FALSE]], %[[NOT]], %[[FALSE]]) retain (%[[MEMREF]], %[[SELECT]] : memref<?xi8>, memref<?xi8>)
// CHECK-NEXT:    %[[OWNED:.*]] = arith.select %[[C]], %[[ONE]]#1, %[[TWO]]#1
// CHECK-NEXT:    cf.cond_br %[[C]], ^bb1(%[[ALLOC]], %[[ONE]]#0 : memref<?xi8>, i1), ^bb1(%[[MEMREF]], %[[TWO]]#0 : memref<?xi8>, i1)
// CHECK-NEXT:  ^bb1(%[[ARG:.*]]: memref<?xi8>, %[[FLAG:.*]]: i1):
// CHECK-NEXT:    memref.copy %[[ARG]], %[[SELECT]]
// CHECK-NEXT:    bufferization.dealloc (%[[ARG]], %[[SELECT]] : memref<?xi8>, memref<?xi8>) if (%[[FLAG]], %[[OWNED]])
// CHECK-NEXT:    return
func.func @example(%memref: memref<?xi8>, %n: index, %which: i1, %c: i1) {
  %alloc = memref.alloc(%n) : memref<?xi8>
  %alloca = memref.alloca(%n) : memref<?xi8>
  %select = arith.select %which, %alloc, %alloca : memref<?xi8>
  cf.cond_br %c, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%arg: memref<?xi8>):
  memref.copy %arg, %select : memref<?xi8> to memref<?xi8>
  return
}

// 2. Straight-line code: everything at once, but what is returned. An argument is the caller's.
// CHECK-LABEL: func @straight(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>)
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[A]], %[[B]]
// CHECK-NEXT:    bufferization.dealloc (%[[X]], %[[A]], %[[B]] : {{.*}}) if (%false, %true, %true) retain (%[[B]] : memref<8xf32>)
// CHECK-NEXT:    return %[[B]]
// PIPELINE-LABEL: func @straight(
// PIPELINE:       %[[A:.*]] = memref.alloc()
// PIPELINE:       %[[B:.*]] = memref.alloc()
// PIPELINE-NEXT:  memref.copy %[[A]], %[[B]]
// PIPELINE-NEXT:  memref.dealloc %[[A]]
// PIPELINE-NEXT:  return %[[B]]
func.func @straight(%x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return %b : memref<8xf32>
}

// 3. A branch with one successor retains the memory that it passes on or that is used after it; other owned memory is
// freed.
// CHECK-LABEL: func @branch(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    %[[D:.*]] = memref.alloc()
// CHECK-NEXT:    %[[O:.*]]:2 = bufferization.dealloc (%{{.*}}, %[[A]], %[[B]], %[[D]] : {{.*}}) if (%false, %true, %true, %true) retain (%[[A]], %[[B]] : memref<8xf32>, memref<8xf32>)
// CHECK-NEXT:    cf.br ^bb1(%[[A]], %[[O]]#0 : memref<8xf32>, i1)
// CHECK-NEXT:  ^bb1(%[[P:.*]]: memref<8xf32>, %[[F:.*]]: i1):
// CHECK:         bufferization.dealloc (%[[P]], %[[B]] : {{.*}}) if (%[[F]], %true)
// CHECK-NEXT:    return
func.func @branch(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  cf.br ^next(%a : memref<8xf32>)
^next(%p: memref<8xf32>):
  memref.copy %p, %x : memref<8xf32> to memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  return
}

// 4. A loop of blocks: the old buffer is freed in each iteration, the last one after the loop.
// CHECK-LABEL: func @blocks(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[F0:.*]] = bufferization.dealloc ({{.*}}, %[[A]] : {{.*}}) if (%false, %true) retain (%[[A]] : memref<8xf32>)
// CHECK-NEXT:    cf.br ^bb1(%{{.*}}, %[[A]], %[[F0]] : index, memref<8xf32>, i1)
// CHECK-NEXT:  ^bb1(%{{.*}}: index, %[[P:.*]]: memref<8xf32>, %[[F:.*]]: i1):
// CHECK:         %[[C:.*]] = arith.cmpi slt
// CHECK:         %[[GO:.*]] = arith.andi %[[F]], %[[C]]
// CHECK-NEXT:    %[[IN:.*]] = bufferization.dealloc (%[[P]] : {{.*}}) if (%[[GO]]) retain (%[[P]] : memref<8xf32>)
// CHECK-NEXT:    %[[STOP:.*]] = arith.andi %[[F]], %{{.*}}
// CHECK-NEXT:    %[[OUT:.*]] = bufferization.dealloc (%[[P]] : {{.*}}) if (%[[STOP]]) retain (%[[P]] : memref<8xf32>)
// CHECK-NEXT:    %[[OWNED:.*]] = arith.select %[[C]], %[[IN]], %[[OUT]]
// CHECK:       ^bb2:
// CHECK:         %[[Q:.*]] = memref.alloc()
// CHECK:         %[[NEXT:.*]] = bufferization.dealloc (%[[P]], %[[Q]] : {{.*}}) if (%[[OWNED]], %true) retain (%[[Q]] : memref<8xf32>)
// CHECK-NEXT:    cf.br ^bb1(%{{.*}}, %[[Q]], %[[NEXT]] : index, memref<8xf32>, i1)
// CHECK:       ^bb3:
// CHECK:         bufferization.dealloc (%[[P]] : memref<8xf32>) if (%[[OWNED]])
// CHECK-NEXT:    return
func.func @blocks(%n: index, %x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf32>
  cf.br ^head(%c0, %a : index, memref<8xf32>)
^head(%i: index, %p: memref<8xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %q = memref.alloc() : memref<8xf32>
  memref.copy %p, %q : memref<8xf32> to memref<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %q : index, memref<8xf32>)
^end:
  memref.copy %p, %x : memref<8xf32> to memref<8xf32>
  return
}

// 5. Several returns: each gives to the caller what it returns. Of an argument the caller gets a copy.
// CHECK-LABEL: func @returns(
// CHECK-SAME:    %{{.*}}: i1, %[[X:.*]]: memref<8xf32>)
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         %[[ONE:.*]] = bufferization.dealloc (%[[X]], %[[A]] : {{.*}}) if (%false, %{{.*}}) retain (%[[A]] : memref<8xf32>)
// CHECK-NEXT:    bufferization.dealloc (%[[X]], %[[A]] : {{.*}}) if (%false, %{{.*}})
// CHECK-NEXT:    cf.cond_br
// CHECK:         bufferization.dealloc (%[[A]] : memref<8xf32>) if (%true) retain (%[[A]] : memref<8xf32>)
// CHECK-NEXT:    return %[[A]]
// CHECK:         %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    memref.copy %[[X]], %[[COPY]]
// CHECK-NEXT:    return %[[COPY]]
func.func @returns(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<8xf32>
  cf.cond_br %c, ^one, ^two
^one:
  return %a : memref<8xf32>
^two:
  return %x : memref<8xf32>
}

// 6. Many exits: memory that any of them needs is kept, and freed where it is not needed, in a block of its own if
// other paths lead there.
// CHECK-LABEL: func @switch(
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    %[[B:.*]] = memref.alloc()
// CHECK-NEXT:    %[[O:.*]] = bufferization.dealloc (%{{.*}}, %[[A]], %[[B]] : {{.*}}) if (%false, %true, %true) retain (%[[A]] : memref<8xf32>)
// CHECK-NEXT:    cf.switch
// CHECK-NEXT:      default: ^bb1
// CHECK-NEXT:      7: ^bb2
// CHECK-NEXT:      8: ^bb3
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.copy %[[A]]
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<8xf32>) if (%true)
// CHECK-NEXT:    cf.br ^bb4
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<8xf32>) if (%[[O]])
// CHECK-NEXT:    return
// CHECK:       ^bb3:
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<8xf32>) if (%[[O]])
// CHECK-NEXT:    cf.br ^bb4
func.func @switch(%k: i32, %x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  cf.switch %k : i32, [
    default: ^use,
    7: ^end,
    8: ^other
  ]
^use:
  memref.copy %a, %x : memref<8xf32> to memref<8xf32>
  cf.br ^other
^end:
  return
^other:
  return
}

// 7. A function that owns nothing is left alone, though its blocks have arguments.
// CHECK-LABEL: func @others(
// CHECK-NOT:     i1
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @others(%x: memref<8xf32>) {
  %a = memref.alloca() : memref<8xf32>
  cf.br ^next(%a : memref<8xf32>)
^next(%p: memref<8xf32>):
  memref.copy %p, %x : memref<8xf32> to memref<8xf32>
  return
}

// 8. Nothing is freed, but something is copied: a dealloc of nothing says so to a second run, which would free the
// copy and
//     retain it.
// CHECK-LABEL: func.func @copied(
// CHECK-NEXT:    %[[COPY:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %{{.*}}, %[[COPY]]
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return %[[COPY]]
func.func @copied(%x: memref<8xf32>) -> memref<8xf32> {
  return %x : memref<8xf32>
}
