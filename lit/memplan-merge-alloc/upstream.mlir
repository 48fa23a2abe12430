// Planned output through upstream's deallocation: the arena is freed once, where it was. And vice versa.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{verify},%upstream-dealloc,cse,\
// RUN:   canonicalize)' --split-input-file \
// RUN:   | FileCheck %s
// RUN: sed "/memref.dealloc %[ab] :/d" %s \
// RUN:   | %memplan-opt --pass-pipeline='builtin.module(%upstream-dealloc,cse,canonicalize,\
// RUN:   memplan-merge-alloc{verify})' --split-input-file \
// RUN:   | FileCheck %s

// 1. With deallocations, without, with some: the arena's alone is left.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @some(
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NEXT:    return
func.func @some() {
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  memref.dealloc %a : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  return
}

// -----

// 2. All of them freed by hand; nothing of that is left.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @all(
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NEXT:    return
func.func @all() {
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  memref.dealloc %a : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @use(%b) : (memref<64xf32>) -> ()
  memref.dealloc %b : memref<64xf32>
  return
}

// -----

// 3. Freed on one path only, as upstream's deallocation writes it.
func.func private @use(memref<64xf32>)
// CHECK-LABEL: func @conditional(
// CHECK:         %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena}
// CHECK-NOT:     memref.dealloc
// CHECK:         memref.dealloc %[[ARENA]] {bufferization.manual_deallocation}
// CHECK-NEXT:    return
func.func @conditional(%c: i1) {
  %a = memref.alloc() : memref<64xf32>
  call @use(%a) : (memref<64xf32>) -> ()
  scf.if %c {
    memref.dealloc %a : memref<64xf32>
  }
  return
}
