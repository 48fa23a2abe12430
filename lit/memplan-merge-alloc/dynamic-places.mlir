// Buffers of dynamic size: where their arenas are, which buffers stay, and the remarks.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify})' --split-input-file | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify remarks})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},cse,canonicalize,memplan-verify)' \
// RUN:   --split-input-file -o /dev/null
// RUN: %memplan-opt %s \
// RUN:   --pass-pipeline='builtin.module(memplan-merge-alloc{report=%t.json})' --split-input-file -o /dev/null
// RUN: memplan table --check %t.json

// 1. A computation moves before the arena, and so does a division with a divisor that is never zero; an affine
// division by a value that may be zero stays, and so does a load.
// CHECK-LABEL: func @moves
// CHECK:       arith.divsi
// CHECK:       arith.select
// CHECK:       memref.alloc({{.*}}memplan.arena
// CHECK:       affine.apply
// CHECK:       memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:       memref.load
// CHECK:       memref.alloc(%{{.*}}) : memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @moves(%n: index, %k: index, %c: i1, %x: memref<index>) {
  // expected-remark @+1 {{merged: in a slot of 4*d0 bytes, which 1 share}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-remark @+1 {{merged: in a slot of max(4*d0, 4*d1) bytes, which 2 share}}
  %e = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %e : memref<?xf32> to memref<?xf32>
  memref.copy %e, %a : memref<?xf32> to memref<?xf32>
  scf.if %c {
    %d = arith.divsi %n, %k : index
    // expected-remark @+1 {{merged: in a slot of max(4*d0, 4*d1) bytes, which 2 share}}
    %b = memref.alloc(%d) : memref<?xf32>
    func.call @use(%b) : (memref<?xf32>) -> ()
    %f = affine.apply affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %k]
    // expected-remark @+1 {{not merged: its size cannot be computed before the outermost loop, branch or block that contains the allocation [size-not-ready]}}
    %g = memref.alloc(%f) : memref<?xf32>
    func.call @use(%g) : (memref<?xf32>) -> ()
    %l = memref.load %x[] : memref<index>
    // expected-remark @+1 {{[size-not-ready]}}
    %h = memref.alloc(%l) : memref<?xf32>
    func.call @use(%h) : (memref<?xf32>) -> ()
  }
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// 2. Memory spaces have arenas of their own; the strictest alignment comes first.
// CHECK-LABEL: func @spaces
// CHECK:       memref.alloc(%{{.*}}) {alignment = 256 : i64, bufferization.manual_deallocation, memplan.arena} : memref<?xi8>
// CHECK:       memref.alloc(%{{.*}}) {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<?xi8, 3>
// CHECK-NOT:   memref.alloc(
func.func private @use(memref<?xf32>, memref<?xf32>)
func.func private @use3(memref<?xf32, 3>)
func.func @spaces(%n: index, %m: index) {
  // expected-remark @+1 {{merged}}
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-remark @+1 {{merged}}
  %b = memref.alloc(%m) {alignment = 256} : memref<?xf32>
  call @use(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  // expected-remark @+1 {{in memory space 3}}
  %c = memref.alloc(%n) : memref<?xf32, 3>
  call @use3(%c) : (memref<?xf32, 3>) -> ()
  // expected-remark @+1 {{in memory space 3}}
  %d = memref.alloc(%m) : memref<?xf32, 3>
  call @use3(%d) : (memref<?xf32, 3>) -> ()
  return
}

// -----

// 3. A buffer without another one to share with, one that is freed together with a buffer that stays, and one that is
// not always allocated stay.
// CHECK-LABEL: func @stays
// CHECK-NOT:   memplan.arena
func.func private @use(memref<?xf32>)
func.func @stays(%n: index, %c: i1) -> memref<?xf32> {
  // expected-remark @+1 {{[returned]}}
  %r = memref.alloc(%n) : memref<?xf32>
  // expected-remark @+1 {{[freed-with-other]}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %b = arith.select %c, %a, %r : memref<?xf32>
  scf.if %c {
    memref.dealloc %b : memref<?xf32>
    // expected-remark @+1 {{[none-to-share-with]}}
    %d = memref.alloc(%n) : memref<?xf32>
    func.call @use(%d) : (memref<?xf32>) -> ()
    // expected-remark @+1 {{[none-to-share-with]}}
    %e = memref.alloc(%n) : memref<?xf32>
    func.call @use(%e) : (memref<?xf32>) -> ()
  }
  return %r : memref<?xf32>
}

// -----

// 4. A layout with strides, and a computation that defines itself in a block that is never reached.
// CHECK-LABEL: func @odd
func.func private @use(memref<?xf32, strided<[2]>>)
func.func private @use1(memref<?xf32>)
func.func @odd(%n: index) {
  // expected-remark @+1 {{[layout]}}
  %a = memref.alloc(%n) : memref<?xf32, strided<[2]>>
  call @use(%a) : (memref<?xf32, strided<[2]>>) -> ()
  return
^never:
  %m = arith.addi %m, %k : index
  %k = arith.muli %m, %k : index
  // expected-remark @+1 {{not merged}}
  %b = memref.alloc(%m) : memref<?xf32>
  call @use1(%b) : (memref<?xf32>) -> ()
  cf.br ^never
}

// -----

// 5. An arena in the body of a loop, for sizes that each iteration computes, freed at its end.
// CHECK-LABEL: func @iteration
// CHECK-NOT:   memref.alloc(
// CHECK:       scf.for
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<?xi8>
// CHECK:         memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NEXT:  }
// CHECK-NEXT:  return
func.func private @use(memref<?xf32>, memref<?xf32>)
func.func @iteration(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark @+1 {{merged}}
    %a = memref.alloc(%i) : memref<?xf32>
    // expected-remark @+1 {{merged}}
    %b = memref.alloc(%i) : memref<?xf32>
    func.call @use(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  }
  return
}

// -----

// 6. After a branch between blocks: the advice is not what holds already.
func.func private @use(memref<?xf32>)
func.func @after_a_branch(%n: index, %early: i1) {
  cf.cond_br %early, ^out, ^on
^out:
  return
^on:
  // expected-remark @+1 {{not merged: its size is known only at run time, and it has no slot to share with a buffer that is always allocated [none-to-share-with]; allocate it, and a buffer that it can share with, on every path through the function, loop body or branch, or give it a static type}}
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  // expected-remark @+1 {{[none-to-share-with]}}
  %b = memref.alloc(%n) : memref<?xf32>
  call @use(%b) : (memref<?xf32>) -> ()
  return
}
