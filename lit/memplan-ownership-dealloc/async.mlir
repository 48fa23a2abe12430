// Owners of memory where upstream cannot lower the program, or only another machine could run it.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' | FileCheck %s

module attributes {gpu.container_module} {
// 1. One of two values that are pending is passed on: both are awaited, and a comparison finds the other.
// CHECK-LABEL: func.func @select(
func.func @select(%v: f32, %c: i1) -> !async.value<memref<4xf32>> {
  // CHECK:      %[[V:.*]] = call @later
  // CHECK-NEXT: %[[W:.*]] = call @later
  // CHECK-NEXT: %[[S:.*]] = arith.select %{{.*}}, %[[V]], %[[W]]
  // CHECK-NEXT: %[[MV:.*]] = async.await %[[V]]
  // CHECK-NEXT: %[[MS:.*]] = async.await %[[S]]
  // CHECK-NEXT: bufferization.dealloc (%[[MV]] : memref<4xf32>) if (%{{.*}}) retain (%[[MS]] : memref<4xf32>)
  // CHECK-NEXT: %[[MW:.*]] = async.await %[[W]]
  // CHECK-NEXT: %[[MT:.*]] = async.await %[[S]]
  // CHECK-NEXT: bufferization.dealloc (%[[MW]] : memref<4xf32>) if (%{{.*}}) retain (%[[MT]] : memref<4xf32>)
  // CHECK-NEXT: return %[[S]]
  %a = call @later(%v) : (f32) -> !async.value<memref<4xf32>>
  %b = call @later(%v) : (f32) -> !async.value<memref<4xf32>>
  %s = arith.select %c, %a, %b : !async.value<memref<4xf32>>
  return %s : !async.value<memref<4xf32>>
}
func.func private @later(%v: f32) -> !async.value<memref<4xf32>>

// 2. Only the value of the token is awaited, in another block: the work is not known to be done on all paths, so what
// it
//    uses is never freed; what it makes is.
// CHECK-LABEL: func.func @unfinished(
func.func @unfinished(%v: f32, %c: i1) {
  // CHECK:      memref.dealloc %{{.*}} : memref<4xf32>
  // CHECK-NEXT: async.yield
  // CHECK:      cf.cond_br
  // CHECK-NEXT: ^{{.*}}:
  // CHECK-NEXT: async.await
  // CHECK-NEXT: return
  // CHECK-NEXT: ^{{.*}}:
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<8xf32>
  %t, %r = async.execute -> !async.value<memref<4xf32>> {
    linalg.fill ins(%v : f32) outs(%a : memref<8xf32>)
    %m = memref.alloc() : memref<4xf32>
    async.yield %m : memref<4xf32>
  }
  cf.cond_br %c, ^wait, ^leave
^wait:
  async.await %t : !async.token
  return
^leave:
  return
}

// 3. A kernel uses its operands; with a token until that is waited for.
// CHECK-LABEL: func.func @kernel(
func.func @kernel(%n: index) {
  // CHECK:      gpu.launch_func
  // CHECK-NEXT: memref.dealloc
  // CHECK:      %[[TOKEN:.*]] = gpu.launch_func async
  // CHECK-NEXT: gpu.wait [%[[TOKEN]]]
  // CHECK-NEXT: gpu.dealloc
  %a = memref.alloc() : memref<8xf32>
  gpu.launch_func @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<8xf32>)
  %w = gpu.wait async
  %b, %d = gpu.alloc async [%w] () : memref<8xf32>
  %t = gpu.launch_func async [%d] @kernels::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%b : memref<8xf32>)
  gpu.wait [%t]
  return
}
gpu.module @kernels {
  gpu.func @kernel(%a: memref<8xf32>) kernel {
    gpu.return
  }
}

// 4. Memory of the device with a flag is freed by its own kind; a test for it frees nothing itself.
// CHECK-LABEL: func.func @device(
func.func @device(%c: i1, %d: i1, %x: memref<8xf32>) -> f32 {
  // CHECK:      %[[FLAG:.*]] = scf.if
  // CHECK-NOT:  memref.dealloc
  // CHECK:      scf.if %{{.*}} {
  // CHECK-NEXT:   gpu.dealloc
  %c0 = arith.constant 0 : index
  %b = scf.if %c -> (memref<8xf32>) {
    %a = gpu.alloc () : memref<8xf32>
    scf.yield %a : memref<8xf32>
  } else {
    scf.yield %x : memref<8xf32>
  }
  %r = memref.load %b[%c0] : memref<8xf32>
  return %r : f32
}
// CHECK-LABEL: func.func @device_test(
func.func @device_test(%c: i1, %d: i1) -> memref<8xf32> {
  // CHECK:      %[[A:.*]] = gpu.alloc
  // CHECK:      %[[B:.*]] = gpu.alloc
  // CHECK:      %[[S:.*]] = arith.select
  // CHECK:      %[[SAME:.*]]:2 = bufferization.dealloc (%[[A]] : memref<8xf32>) if (%{{.*}}) retain (%[[S]], %[[A]] : memref<8xf32>, memref<8xf32>)
  // CHECK:      %[[NOT:.*]] = arith.xori %[[SAME]]#0
  // CHECK:      %[[FREE:.*]] = arith.andi %{{.*}}, %[[NOT]]
  // CHECK:      scf.if %[[FREE]] {
  // CHECK-NEXT:   gpu.dealloc %[[A]]
  // CHECK:      scf.if
  // CHECK-NEXT:   gpu.dealloc %[[B]]
  // CHECK:      return %[[S]]
  %a = gpu.alloc () : memref<8xf32>
  %b = gpu.alloc () : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  return %s : memref<8xf32>
}

// 5. A wait that returns a token joins tokens; it does not block. Nothing is freed before the wait of the host, also
// after
//    further operations of the device.
// CHECK-LABEL: func.func @joined(
func.func @joined(%x: memref<8xf32>) {
  // CHECK:      %[[COPY:.*]] = gpu.memcpy async
  // CHECK-NEXT: %[[JOIN:.*]] = gpu.wait async [%[[COPY]]]
  // CHECK-NEXT: gpu.wait [%[[JOIN]]]
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<8xf32>
  %s = gpu.wait async
  %t = gpu.memcpy async [%s] %a, %x : memref<8xf32>, memref<8xf32>
  %j = gpu.wait async [%t]
  gpu.wait [%j]
  return
}
// CHECK-LABEL: func.func @chain(
func.func @chain(%x: memref<8xf32>, %y: memref<8xf32>) {
  // CHECK:      %[[A:.*]] = memref.alloc
  // CHECK-NEXT: %[[B:.*]] = memref.alloc
  // CHECK:      gpu.memcpy async
  // CHECK-NEXT: gpu.memcpy async
  // CHECK-NEXT: gpu.wait async
  // CHECK-NEXT: %[[LAST:.*]] = gpu.memcpy async
  // CHECK-NEXT: gpu.wait [%[[LAST]]]
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: memref.dealloc
  // CHECK-NEXT: return
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = gpu.wait async
  %t = gpu.memcpy async [%s] %a, %x : memref<8xf32>, memref<8xf32>
  %u = gpu.memcpy async [%s] %b, %x : memref<8xf32>, memref<8xf32>
  %j = gpu.wait async [%t, %u]
  %v = gpu.memcpy async [%j] %y, %x : memref<8xf32>, memref<8xf32>
  gpu.wait [%v]
  return
}

// 6. Only joined, or waited for by the host in another block alone: the copy may still run at every later operation.
// CHECK-LABEL: func.func @only_joined(
func.func @only_joined(%x: memref<8xf32>) {
  // CHECK-NOT:  dealloc
  // CHECK:      return
  %a = memref.alloc() : memref<8xf32>
  %s = gpu.wait async
  %t = gpu.memcpy async [%s] %a, %x : memref<8xf32>, memref<8xf32>
  %j = gpu.wait async [%t]
  return
}
// CHECK-LABEL: func.func @joined_elsewhere(
func.func @joined_elsewhere(%x: memref<8xf32>, %c: i1) {
  // CHECK-NOT:  dealloc
  // CHECK:      return
  %a = memref.alloc() : memref<8xf32>
  %s = gpu.wait async
  %t = gpu.memcpy async [%s] %a, %x : memref<8xf32>, memref<8xf32>
  %j = gpu.wait async [%t]
  scf.if %c {
    gpu.wait [%j]
  }
  return
}

// 7. A kernel that gets the address as a number uses the memory until its token has been waited for.
// CHECK-LABEL: func.func @kernel_of_address(
func.func @kernel_of_address(%n: index) {
  // CHECK:      %[[TOKEN:.*]] = gpu.launch_func async
  // CHECK-NEXT: gpu.wait [%[[TOKEN]]]
  // CHECK-NEXT: memref.dealloc
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %s = gpu.wait async
  %t = gpu.launch_func async [%s] @addresses::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%p : index)
  gpu.wait [%t]
  return
}
// CHECK-LABEL: func.func @kernel_of_address_not_awaited(
func.func @kernel_of_address_not_awaited(%n: index) {
  // CHECK-NOT:  dealloc
  // CHECK:      return
  %a = memref.alloc() : memref<8xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  %s = gpu.wait async
  %t = gpu.launch_func async [%s] @addresses::@kernel blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%p : index)
  %j = gpu.wait async [%t]
  return
}
gpu.module @addresses {
  gpu.func @kernel(%p: index) kernel {
    gpu.return
  }
}
}
