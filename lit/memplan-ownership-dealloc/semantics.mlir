// What operations do to memory is known of each by itself: views, stores and loads of memrefs, tokens, hints.
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

// 2. What affine.store stores in a memref of memrefs, affine.load gives: it is freed behind the last use of what is loaded.
// CHECK-LABEL: func @stored(
// CHECK:         affine.store %[[A:.*]], %[[BOX:.*]][0]
// CHECK-NEXT:    affine.load %[[BOX]][0]
// CHECK-NEXT:    memref.dealloc %[[BOX]]
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @stored() -> f32 {
  %c0 = arith.constant 0 : index
  %box = memref.alloc() : memref<1xmemref<4xf32>>
  %a = memref.alloc() : memref<4xf32>
  affine.store %a, %box[0] : memref<1xmemref<4xf32>>
  %m = affine.load %box[0] : memref<1xmemref<4xf32>>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}

// 3. A group of copies of a thread is waited for by name.
// CHECK-LABEL: func @group(
// CHECK:         nvgpu.device_async_wait
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @group(%d: memref<4xf32, 3>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %t = nvgpu.device_async_copy %a[%c0], %d[%c0], 4 : memref<4xf32> to memref<4xf32, 3>
  %g = nvgpu.device_async_create_group %t
  nvgpu.device_async_wait %g
  return
}

// 4. Or by how many younger ones may be left: the first of two is done where one is left, the second where none is.
// CHECK-LABEL: func @drained(
// CHECK-SAME:      %[[D:.*]]: memref
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK:         nvgpu.device_async_wait %{{.*}} {numGroups = 1 : i32}
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    nvgpu.device_async_wait %{{.*}} {numGroups = 0 : i32}
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @drained(%d: memref<4xf32, 3>) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %t = nvgpu.device_async_copy %a[%c0], %d[%c0], 2 : memref<4xf32> to memref<4xf32, 3>
  %g = nvgpu.device_async_create_group %t
  %u = nvgpu.device_async_copy %b[%c0], %d[%c0], 2 : memref<4xf32> to memref<4xf32, 3>
  %h = nvgpu.device_async_create_group %u
  nvgpu.device_async_wait %h {numGroups = 1 : i32}
  %r = memref.load %d[%c0] : memref<4xf32, 3>
  nvgpu.device_async_wait %h {numGroups = 0 : i32}
  return %r : f32
}

// 5. A matrix in registers is plain data, nothing to wait for.
// CHECK-LABEL: func @matrix(
// CHECK:         gpu.subgroup_mma_load_matrix
// CHECK-NEXT:    memref.dealloc
// CHECK:         gpu.subgroup_mma_store_matrix
func.func @matrix(%x: memref<16x16xf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf16>
  memref.copy %x, %a : memref<16x16xf16> to memref<16x16xf16>
  %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %m, %x[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  return
}

// 6. Who waits for a token waits for all that it comes after: by operations that start behind others, or by gpu.wait async,
//    which itself waits for nothing.
// CHECK-LABEL: func @chain(
// CHECK:         gpu.wait [
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @chain(%x: memref<4xf32>, %z: f32) {
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = gpu.memset async [%t1] %x, %z : memref<4xf32>, f32
  %t3 = gpu.wait async [%t2]
  gpu.wait [%t3]
  return
}
// CHECK-LABEL: func @tasks(
// CHECK:         async.await
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @tasks(%z: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %t = async.execute {
    memref.store %z, %a[%c0] : memref<4xf32>
    async.yield
  }
  %u = async.execute [%t] { async.yield }
  async.await %u : !async.token
  return
}

// 7. The program frees device memory itself, by an operation that is waited for: nobody else does, and nothing is said.
// CHECK-LABEL: func @freed(
// CHECK-COUNT-1: gpu.dealloc
// CHECK-NOT:     gpu.dealloc
// CHECK:         return
func.func @freed(%x: memref<4xf32>) {
  %t0 = gpu.wait async
  %a, %t1 = gpu.alloc async [%t0] () : memref<4xf32>
  %t2 = gpu.memcpy async [%t1] %a, %x : memref<4xf32>, memref<4xf32>
  %t3 = gpu.dealloc async [%t2] %a : memref<4xf32>
  gpu.wait [%t3]
  return
}

// 8. Hints, flushes and atomic accesses use memory, and do no more with it.
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

// 9. Who asks for the rank of memory uses none, as with a size.
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

// 10. A handle of a library holds the memory that it was created from.
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

// 11. So it is freed by the program where memref.alloc allocated it.
// CHECK-LABEL: func @freed_on_the_device(
// CHECK:         gpu.dealloc async
// CHECK-NEXT:    gpu.wait [
// CHECK-NEXT:    return
func.func @freed_on_the_device(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<4xf32>
  gpu.wait [%t2]
  return
}

// 12. A copy of a GPU without a token is done when control has passed it.
// CHECK-LABEL: func @synchronous(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    gpu.memcpy %[[A]]
// CHECK-NEXT:    gpu.memcpy %{{.*}}, %[[A]] :
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @synchronous(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  gpu.memcpy %a, %x : memref<4xf32>, memref<4xf32>
  gpu.memcpy %y, %a : memref<4xf32>, memref<4xf32>
  return
}

// 13. Two atomic accesses that are one, and a wait for a tag that no transfer has: done at once, and nothing is captured.
// CHECK-LABEL: func @atomic_pair(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK:         omp.atomic.capture
// CHECK:         acc.atomic.capture
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    memref.load %[[B]]
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @atomic_pair(%e: i32) -> i32 {
  %a = memref.alloc() : memref<i32>
  %b = memref.alloc() : memref<i32>
  memref.store %e, %a[] : memref<i32>
  omp.atomic.capture {
    omp.atomic.read %b = %a : memref<i32>, memref<i32>, i32
    omp.atomic.write %a = %e : memref<i32>, i32
  }
  acc.atomic.capture {
    acc.atomic.read %b = %a : memref<i32>, memref<i32>, i32
    acc.atomic.write %a = %e : memref<i32>, i32
  }
  %v = memref.load %b[] : memref<i32>
  return %v : i32
}
// CHECK-LABEL: func @waits_for_nothing(
// CHECK:         affine.dma_wait %[[A:.*]][0]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @waits_for_nothing() {
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1xi32>
  affine.dma_wait %a[0], %c1 : memref<1xi32>
  return
}

// 14. Who asks for a size uses no memory.
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

// 15. A memref of vectors starts where its source does: no second choice is made among the allocations. In another memory
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
