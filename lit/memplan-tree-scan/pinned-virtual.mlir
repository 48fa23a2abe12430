// Buffers whose address is taken, where loops and branches are kept: they end in the block that makes them, or are
// left alone.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{virtual=true verify=true report=%t.json})' \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

func.func private @use(index) attributes {memplan.bounded}

// 1. Allocated before the loop, and needed to the end: 16 bytes, and 24 for each iteration.
// CHECK-LABEL: func.func @around
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<40xi8>
// CHECK: memref.view {{.*}}memplan.pinned
// CHECK-NOT: memref.alloc
// CHECK: return
// REPORT: "name":"around"
// REPORT: "pinned":1,
func.func @around(%v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %b = memref.alloc() : memref<2xi64>
  %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
  scf.for %i = %c0 to %c9 step %c1 {
    %d = memref.alloc() : memref<3xi64>
    memref.store %v, %d[%c0] : memref<3xi64>
    func.call @use(%p) : (index) -> ()
  }
  return
}

// 2. Allocated in each iteration, without a known end: one for each iteration is needed to the end.
// CHECK-LABEL: func.func @in_an_iteration
// CHECK: scf.for
// CHECK: memref.alloc() : memref<2xi64>
// REPORT: "name":"in_an_iteration"
// REPORT: "reason":"pointer-extracted"
func.func @in_an_iteration() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %b = memref.alloc() : memref<2xi64>
    %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
    func.call @use(%p) : (index) -> ()
  }
  return
}

// 3. Allocated and ended in each iteration: the next iteration has the same bytes, and so has the code after it.
// CHECK-LABEL: func.func @ended
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<16xi8>
// CHECK: memref.view {{.*}}memplan.pinned
// CHECK: call @use
// CHECK-NEXT: memref.view {{.*}}memplan.ended = array<i64: 0>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @ended(%v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %b = memref.alloc() : memref<2xi64>
    %p = memref.extract_aligned_pointer_as_index %b : memref<2xi64> -> index
    func.call @use(%p) : (index) -> ()
    memref.dealloc %b : memref<2xi64>
    %d = memref.alloc() : memref<2xi64>
    memref.store %v, %d[%c0] : memref<2xi64>
  }
  return
}
