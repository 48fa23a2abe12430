// Operations that run asynchronously, and their waits.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.said | FileCheck %s
// RUN: count 0 <%t.said

module attributes {gpu.container_module} {

// 1. A group of copies of a thread is waited for by name.
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

// 2. Or by how many younger ones may be left: the first of two is done where one is left, the second where none is.
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

// 3. A matrix in registers is plain data, nothing to wait for.
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

// 4. A wait for a token covers all operations that it depends on: those that start after others, or through gpu.wait
// async,
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

// 5. The program frees device memory itself, by an operation that is awaited: the pass does not, and there is no
// remark.
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

// 6. The program frees memory that memref.alloc allocated by an operation of the device.
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

// 7. A GPU copy without a token is synchronous.
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

// 8. Two atomic accesses that are one, and a wait for a tag that no transfer has: done at once, and nothing is
// captured.
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
}
