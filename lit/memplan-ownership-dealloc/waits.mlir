// Tokens, groups, and drains of transfers that control waits for elsewhere than in the block of the start: on each
// path, what is used is freed after the wait there, or not at all.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>%t.said | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --implicit-check-not=warning <%t.said

// 1. Each branch waits.
// CHECK-LABEL: func @branches
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         gpu.memcpy async
// CHECK-NOT:     dealloc
// CHECK:         gpu.wait [
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK:         } else {
// CHECK-NEXT:      gpu.wait [
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK:         return
func.func @branches(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  scf.if %c {
    gpu.wait [%t]
  } else {
    gpu.wait [%t]
  }
  return
}

// 2. One branch waits only.
// CHECK-LABEL: func @one_branch
// CHECK-NOT:     dealloc
// CHECK:         return
// SAID:          {{.*}}:[[#@LINE+2]]:8: warning: is not freed
func.func @one_branch(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  scf.if %c {
    gpu.wait [%t]
  }
  return
}

// 3. The iteration after waits, for what is of outside.
// CHECK-LABEL: func @of_outside
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NOT:     dealloc
// CHECK:         scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.wait [
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @of_outside(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> !gpu.async.token {
    gpu.wait [%before]
    %next = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
    scf.yield %next : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// 4. The iteration after waits, for what was allocated in the one before: nothing names that there.
// CHECK-LABEL: func @of_the_iteration
// CHECK-NOT:     dealloc
// CHECK:         return
// SAID:          {{.*}}:[[#@LINE+7]]:10: warning: is not freed
func.func @of_the_iteration(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> !gpu.async.token {
    gpu.wait [%before]
    %a = memref.alloc() : memref<4xf32>
    %next = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
    scf.yield %next : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// 5. A loop that is not entered has not waited.
// CHECK-LABEL: func @perhaps_never
// CHECK-NOT:     dealloc
// CHECK:         return
// SAID:          {{.*}}:[[#@LINE+4]]:8: warning: is not freed
func.func @perhaps_never(%x: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    gpu.wait [%t]
  }
  return
}

// 6. A group that iterations add to: what is of outside is freed after the wait for it, what iterations allocate is
// not.
// CHECK-LABEL: func @group
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NOT:     dealloc
// CHECK:         async.await_all
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
// SAID:          {{.*}}:[[#@LINE+7]]:13: warning: is not freed
func.func @group(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %group = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %made = memref.alloc() : memref<4xf32>
    %t = async.execute {
      memref.copy %a, %made : memref<4xf32> to memref<4xf32>
      async.yield
    }
    async.add_to_group %t, %group : !async.token
  }
  async.await_all %group
  return
}

// 7. The token of another start, and a choice of two.
// CHECK-LABEL: func @other_token
// CHECK-NOT:     dealloc
// CHECK:         return
// SAID:          {{.*}}:[[#@LINE+3]]:8: warning: is not freed
// SAID:          {{.*}}:[[#@LINE+3]]:8: warning: is not freed
func.func @other_token(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  %u = gpu.memcpy async %b, %x : memref<4xf32>, memref<4xf32>
  %either = arith.select %c, %t, %u : !gpu.async.token
  gpu.wait [%either]
  return
}

// 8. Groups of transfers, drained in another block; the last one is not.
// CHECK-LABEL: func @drained
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NOT:     dealloc
// CHECK:         scf.if
// CHECK-NEXT:      nvgpu.device_async_wait
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:    } else {
// CHECK-NEXT:      nvgpu.device_async_wait
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NOT:     dealloc
// CHECK:         return
// SAID:          {{.*}}:[[#@LINE+4]]:8: warning: is not freed
func.func @drained(%s: memref<32xf32, 3>, %c: i1) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  %t = nvgpu.device_async_copy %a[%c0], %s[%c0], 4 : memref<32xf32> to memref<32xf32, 3>
  %g = nvgpu.device_async_create_group %t
  %u = nvgpu.device_async_copy %b[%c0], %s[%c0], 4 : memref<32xf32> to memref<32xf32, 3>
  %h = nvgpu.device_async_create_group %u
  scf.if %c {
    nvgpu.device_async_wait %h {numGroups = 1 : i32}
  } else {
    nvgpu.device_async_wait %g
  }
  return
}

// 9. A call that gives a token, awaited in both branches.
// CHECK-LABEL: func @called
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         async.await
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK:         async.await
// CHECK-NEXT:    memref.dealloc %[[A]]
async.func @borrows(%m: memref<4xf32>, %x: memref<4xf32>) -> !async.token {
  memref.copy %m, %x : memref<4xf32> to memref<4xf32>
  return
}
func.func @called(%x: memref<4xf32>, %c: i1) {
  %a = memref.alloc() : memref<4xf32>
  %t = async.call @borrows(%a, %x) : (memref<4xf32>, memref<4xf32>) -> !async.token
  scf.if %c {
    async.await %t : !async.token
  } else {
    async.await %t : !async.token
  }
  return
}

// 10. Blocks: what is allocated in a block that a loop of blocks comes back to is other memory at the wait.
// CHECK-LABEL: func @blocks
// CHECK-NOT:     dealloc
// CHECK:         return
// SAID:          {{.*}}:[[#@LINE+6]]:8: warning: is not freed
func.func @blocks(%x: memref<4xf32>, %c: i1) {
  %t0 = gpu.wait async
  cf.br ^loop(%t0 : !gpu.async.token)
^loop(%before: !gpu.async.token):
  gpu.wait [%before]
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  cf.cond_br %c, ^loop(%t : !gpu.async.token), ^end
^end:
  gpu.wait [%t]
  return
}
