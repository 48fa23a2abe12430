// `when-larger=leave` leaves allocations alone if their arena could hold more than they do, each freed after its last use.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave remarks})' 2>&1 \
// RUN:   | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc)' \
// RUN:   | FileCheck %s --check-prefix=MERGE
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan)' \
// RUN:   | FileCheck %s --check-prefix=FREED
// A second run changes nothing.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave})' > %t.once.mlir
// RUN: %memplan-opt %t.once.mlir --pass-pipeline='builtin.module(memplan-merge-alloc{when-larger=leave})' \
// RUN:   | diff - %t.once.mlir

func.func private @use(memref<?xf32>)

// 1. Which of two buffers of different sizes is needed is known at run time only: an arena has the bytes of the larger.
// CHECK:         remark: not merged: the function could hold more with it in an arena than with each allocation freed after its last use [raises-heap]
// CHECK:         remark: not merged: {{.*}} [raises-heap]
// CHECK-LABEL: func @one_of_two
// CHECK-NOT:     memplan.arena
// CHECK:         return
// MERGE-LABEL: func @one_of_two
// MERGE:         memref.alloc() {{.*}}memplan.arena} : memref<4000xi8>
// FREED-LABEL: func @one_of_two
// FREED:         scf.if
// FREED:           memref.alloc() {memplan.skip = "raises-heap"} : memref<1000xf32>
// FREED:         else
// FREED:           memref.alloc() {memplan.skip = "raises-heap"} : memref<10xf32>
// FREED:         memref.dealloc
func.func @one_of_two(%c: i1) {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc() : memref<1000xf32>
    %x = memref.cast %a : memref<1000xf32> to memref<?xf32>
    func.call @use(%x) : (memref<?xf32>) -> ()
    scf.yield %x : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<10xf32>
    %y = memref.cast %b : memref<10xf32> to memref<?xf32>
    func.call @use(%y) : (memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  call @use(%r) : (memref<?xf32>) -> ()
  return
}

// 2. Of equal size: an arena holds what one of them would.
// CHECK-LABEL: func @equal
// CHECK:         memplan.arena} : memref<4000xi8>
// FREED-LABEL: func @equal
// FREED:         memplan.arena} : memref<4000xi8>
func.func @equal(%c: i1) {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc() : memref<1000xf32>
    %x = memref.cast %a : memref<1000xf32> to memref<?xf32>
    func.call @use(%x) : (memref<?xf32>) -> ()
    scf.yield %x : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<1000xf32>
    %y = memref.cast %b : memref<1000xf32> to memref<?xf32>
    func.call @use(%y) : (memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  call @use(%r) : (memref<?xf32>) -> ()
  return
}

// 3. What is left alone may hold more than one buffer; all else is merged.
// CHECK-LABEL: func @beside
// CHECK:         memplan.arena} : memref<8032xi8>
// CHECK:         memref.alloc() {memplan.skip = "raises-heap"} : memref<3000xf32>
// CHECK:         memref.alloc() {memplan.skip = "raises-heap"} : memref<10xf32>
func.func @beside(%c: i1) {
  %p = memref.alloc() : memref<1000xf32>
  %q = memref.alloc() : memref<1000xf32>
  %s = memref.cast %p : memref<1000xf32> to memref<?xf32>
  %t = memref.cast %q : memref<1000xf32> to memref<?xf32>
  call @use(%s) : (memref<?xf32>) -> ()
  call @use(%t) : (memref<?xf32>) -> ()
  call @use(%s) : (memref<?xf32>) -> ()
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc() : memref<3000xf32>
    %x = memref.cast %a : memref<3000xf32> to memref<?xf32>
    func.call @use(%x) : (memref<?xf32>) -> ()
    scf.yield %x : memref<?xf32>
  } else {
    %b = memref.alloc() : memref<10xf32>
    %y = memref.cast %b : memref<10xf32> to memref<?xf32>
    func.call @use(%y) : (memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  call @use(%r) : (memref<?xf32>) -> ()
  return
}
