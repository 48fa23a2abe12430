// A dealloc of nothing goes, wherever it stands.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-lower-dealloc)' | FileCheck %s
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-simplify-dealloc,memplan-lower-dealloc)' | FileCheck %s
// CHECK-NOT: bufferization.dealloc

// 1. In a function that has nothing else.
func.func @alone() {
  bufferization.dealloc
  return
}

// 2. In a region, where no memref is.
func.func @inside(%c: i1) {
  scf.if %c {
    bufferization.dealloc
  }
  return
}
