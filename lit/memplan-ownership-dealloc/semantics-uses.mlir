// Operations that view, load, store or only measure memory.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.said | FileCheck %s
// RUN: count 0 <%t.said

module attributes {gpu.container_module} {

// 1. A transposition is a view, like any other: nothing is compared or copied.
// CHECK-LABEL: func @transposed(
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %{{.*}}, %[[A]]
// CHECK-NEXT:    %[[T:.*]] = memref.transpose %[[A]]
// CHECK-NEXT:    return %[[T]]
func.func @transposed(%o: memref<4x4xf32>) -> memref<4x4xf32, strided<[1, 4]>> {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %o, %a : memref<4x4xf32> to memref<4x4xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  return %t : memref<4x4xf32, strided<[1, 4]>>
}

// 2. affine.load returns the memref that affine.store stores in a memref of memrefs: it is freed after the last use of
// the loaded memref.
// CHECK-LABEL: func @stored(
// CHECK:         affine.store %[[A:.*]], %[[BOX:.*]][0]
// CHECK-NEXT:    affine.load %[[BOX]][0]
// CHECK-NEXT:    memref.dealloc %[[BOX]]
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @stored() -> f32 {
  %c0 = arith.constant 0 : index
  %nested = memref.alloc() : memref<1xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  affine.store %a, %nested[0] : memref<1xmemref<4xf32>>
  %m = affine.load %nested[0] : memref<1xmemref<4xf32>>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}

// 3. Hints, flushes and atomic accesses use memory, and do no more with it.
// CHECK-LABEL: func @prefetched(
// CHECK:         affine.prefetch
// CHECK-NEXT:    memref.dealloc
func.func @prefetched(%x: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32>
  affine.prefetch %a[0], read, locality<3>, data : memref<8xf32>
  return
}
// CHECK-LABEL: func @atomic(
// CHECK:         omp.atomic.read
// CHECK-DAG:     memref.dealloc
// CHECK-DAG:     omp.flush
func.func @atomic(%e: i32) -> i32 {
  %a = memref.alloc() : memref<i32>
  %b = memref.alloc() : memref<i32>
  omp.atomic.write %a = %e : memref<i32>, i32
  omp.atomic.update %a : memref<i32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %e : i32
    omp.yield(%new : i32)
  }
  omp.atomic.read %b = %a : memref<i32>, memref<i32>, i32
  omp.flush(%b : memref<i32>)
  %v = memref.load %b[] : memref<i32>
  return %v : i32
}
// CHECK-LABEL: func @atomic_acc(
// CHECK:         acc.atomic.read
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
func.func @atomic_acc(%e: i32) -> i32 {
  %a = memref.alloc() : memref<i32>
  %b = memref.alloc() : memref<i32>
  acc.atomic.write %a = %e : memref<i32>, i32
  acc.atomic.update %a : memref<i32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %e : i32
    acc.yield %new : i32
  }
  acc.atomic.read %b = %a : memref<i32>, memref<i32>, i32
  %v = memref.load %b[] : memref<i32>
  return %v : i32
}

// 4. Who asks for the rank of memory uses none, as with a size.
// CHECK-LABEL: func @rank(
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    memref.rank
func.func @rank(%x: memref<*xf32>) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %m = memref.cast %a : memref<4xf32> to memref<*xf32>
  %v = memref.load %a[%c0] : memref<4xf32>
  %r = memref.rank %m : memref<*xf32>
  return %v, %r : f32, index
}

// 5. A handle of a library holds the memory that it was created from.
// CHECK-LABEL: func @handle(
// CHECK:         gpu.destroy_dn_tensor
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @handle(%n: index) {
  %a = memref.alloc(%n) : memref<?xf64>
  %h = gpu.create_dn_tensor %a, %n : index into memref<?xf64>
  gpu.destroy_dn_tensor %h
  return
}

// 6. Who asks for a size uses no memory.
// CHECK-LABEL: func @size(
// CHECK:         memref.load %[[A:.*]][
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    memref.dim
// CHECK-NEXT:    return
func.func @size(%n: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %a[%c0] : memref<?xf32>
  %d = memref.dim %a, %c0 : memref<?xf32>
  return %v, %d : f32, index
}

// 7. A memref of vectors starts where its source does: no second choice is made among the allocations. In another
// memory
//     space it may have another address, and the allocations are compared.
// CHECK-LABEL: func @vectors(
// CHECK-COUNT-1: arith.select
// CHECK-NOT:     arith.select
// CHECK:         bufferization.dealloc (%{{.*}} : memref<4x4xf32>) if (%{{.*}}) retain (%{{.*}} : memref<vector<4x4xf32>>)
// CHECK:         return
func.func @vectors(%c: i1) -> memref<vector<4x4xf32>> {
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  %s = vector.type_cast %a : memref<4x4xf32> to memref<vector<4x4xf32>>
  %t = vector.type_cast %b : memref<4x4xf32> to memref<vector<4x4xf32>>
  %x = arith.select %c, %s, %t : memref<vector<4x4xf32>>
  return %x : memref<vector<4x4xf32>>
}
// CHECK-LABEL: func @other_space(
// CHECK-DAG:     %[[BASE:.*]] = arith.select %{{.*}} : memref<8xf32>{{$}}
// CHECK-DAG:     arith.select %{{.*}} : memref<8xf32, 1>
// CHECK:         bufferization.dealloc (%{{.*}} : memref<8xf32>) if (%{{.*}}) retain (%[[BASE]] : memref<8xf32>)
// CHECK:         return
func.func @other_space(%c: i1) -> memref<8xf32, 1> {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = memref.memory_space_cast %a : memref<8xf32> to memref<8xf32, 1>
  %t = memref.memory_space_cast %b : memref<8xf32> to memref<8xf32, 1>
  %x = arith.select %c, %s, %t : memref<8xf32, 1>
  return %x : memref<8xf32, 1>
}
}
