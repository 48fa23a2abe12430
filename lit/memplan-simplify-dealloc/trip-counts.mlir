// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-simplify-dealloc)' | FileCheck %s

// A constant trip count rules out paths: the memref that comes out of a loop is what the body passes on if it is
// entered, and what was there before if it is not.

// CHECK-LABEL: func.func @affine_never(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
// CHECK: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK: bufferization.dealloc (%[[E]] : memref<8xf32>) if (%[[C]])
// CHECK: return %[[C]], %false
func.func @affine_never(%c: i1) -> (i1, i1) {
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %r = affine.for %i = 0 to 0 iter_args(%m = %d) -> (memref<8xf32>) {
    affine.yield %e : memref<8xf32>
  }
  %0 = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  %1 = bufferization.dealloc (%e : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @scf_never(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
// CHECK: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK: bufferization.dealloc (%[[E]] : memref<8xf32>) if (%[[C]])
// CHECK: return %[[C]], %false
func.func @scf_never(%c: i1) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %c0 step %c1 iter_args(%m = %d) -> (memref<8xf32>) {
    scf.yield %e : memref<8xf32>
  }
  %0 = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  %1 = bufferization.dealloc (%e : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @affine_once(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
// CHECK: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK: bufferization.dealloc (%[[D]] : memref<8xf32>) if (%[[C]])
// CHECK: return %false{{.*}}, %[[C]]
func.func @affine_once(%c: i1) -> (i1, i1) {
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %r = affine.for %i = 0 to 1 iter_args(%m = %d) -> (memref<8xf32>) {
    affine.yield %e : memref<8xf32>
  }
  %0 = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  %1 = bufferization.dealloc (%e : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @scf_once(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
// CHECK: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK: bufferization.dealloc (%[[D]] : memref<8xf32>) if (%[[C]])
// CHECK: return %false{{.*}}, %[[C]]
func.func @scf_once(%c: i1) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %d) -> (memref<8xf32>) {
    scf.yield %e : memref<8xf32>
  }
  %0 = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  %1 = bufferization.dealloc (%e : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @affine_many(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
// CHECK: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK: bufferization.dealloc (%[[D]] : memref<8xf32>) if (%[[C]])
// CHECK: return %false{{.*}}, %[[C]]
func.func @affine_many(%c: i1) -> (i1, i1) {
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %r = affine.for %i = 0 to 3 iter_args(%m = %d) -> (memref<8xf32>) {
    affine.yield %e : memref<8xf32>
  }
  %0 = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  %1 = bufferization.dealloc (%e : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @scf_many(
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1)
// CHECK: %[[D:.*]] = memref.alloc()
// CHECK-NEXT: %[[E:.*]] = memref.alloc()
// CHECK: bufferization.dealloc (%[[D]] : memref<8xf32>) if (%[[C]])
// CHECK: return %false{{.*}}, %[[C]]
func.func @scf_many(%c: i1) -> (i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = memref.alloc() : memref<8xf32>
  %e = memref.alloc() : memref<8xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %d) -> (memref<8xf32>) {
    scf.yield %e : memref<8xf32>
  }
  %0 = bufferization.dealloc (%d : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  %1 = bufferization.dealloc (%e : memref<8xf32>) if (%c) retain (%r : memref<8xf32>)
  return %0, %1 : i1, i1
}
