// Memory of asynchronous operations goes to regions where they are awaited before the scope ends. The region is emptied
// after the wait, no earlier. Tokens.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{remarks})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{release=last-use})' --split-input-file \
// RUN:   | FileCheck %s

// 1. A copy, and the one that starts after it.
// CHECK-LABEL: func @chain
// CHECK:         gpu.memcpy async
// CHECK:         %[[T:.+]] = gpu.memcpy async
// CHECK-NOT:     call @
// CHECK:         gpu.wait [%[[T]]]
// CHECK:         call @memplan_region_empty
func.func @chain(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<?xf32>, memref<?xf32>
  %t2 = gpu.memcpy async [%t1] %b, %x : memref<?xf32>, memref<?xf32>
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  gpu.wait [%t2]
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 2. In each iteration of a loop.
func.func @loop(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of a loop}}
    %t = async.execute {
      memref.copy %x, %a : memref<?xf32> to memref<?xf32>
      async.yield
    }
    async.await %t : !async.token
  }
  return
}

// -----

// 3. Memory that the body itself allocates is not followed, and neither is its result.
func.func @inside(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is forwarded along unknown control flow}}
  %t, %v = async.execute -> !async.value<memref<?xf32>> {
    %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is allocated in a body of unknown execution}}
    memref.copy %x, %b : memref<?xf32> to memref<?xf32>
    async.yield %a : memref<?xf32>
  }
  %m = async.await %v : !async.value<memref<?xf32>>
  memref.copy %m, %x : memref<?xf32> to memref<?xf32>
  async.await %t : !async.token
  return
}

// -----

// 4. Another block waits, or none.
func.func @elsewhere(%n: index, %x: memref<?xf32>, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %t0 = gpu.memcpy async %a, %x : memref<?xf32>, memref<?xf32>
  %t1 = gpu.memcpy async %b, %x : memref<?xf32>, memref<?xf32>
  scf.if %c {
    gpu.wait [%t0]
  }
  return
}

// -----

// 5. A token that is passed on: the wait in the next iteration is of another block's.
func.func @carried(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t0 = gpu.wait async
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> !gpu.async.token {
    gpu.wait [%before]
    %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
    %next = gpu.memcpy async %a, %x : memref<?xf32>, memref<?xf32>
    scf.yield %next : !gpu.async.token
  }
  gpu.wait [%t]
  return
}

// -----

// 6. A team of threads is done when the operation ends.
func.func @team(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  omp.parallel {
    %b = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: it is allocated in a body of unknown execution}}
    omp.critical {
      %v = memref.load %a[%c0] : memref<?xf32>
      memref.store %v, %b[%c0] : memref<?xf32>
      omp.terminator
    }
    memref.copy %b, %x : memref<?xf32> to memref<?xf32>
    omp.terminator
  }
  return
}

// -----

// 7. A kernel that control waits for.
func.func @kernel(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%lx = %c1, %ly = %c1, %lz = %c1) {
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %x[%c0] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// 8. Each branch waits.
// CHECK-LABEL: func @branches
// CHECK:         gpu.memcpy async
// CHECK:         scf.if
// CHECK:         } else {
// CHECK:         }
// CHECK-NEXT:    call @memplan_region_empty
func.func @branches(%n: index, %x: memref<?xf32>, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %t = gpu.memcpy async %a, %x : memref<?xf32>, memref<?xf32>
  scf.if %c {
    gpu.wait [%t]
  } else {
    gpu.wait [%t]
  }
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 9. A token that is passed on: the iteration after waits, and what is used is of outside.
// CHECK-LABEL: func @of_outside
// CHECK:         scf.for
// CHECK-NOT:     call @
// CHECK:         gpu.wait
// CHECK-NOT:     call @
// CHECK:         }
// CHECK:         gpu.wait
// CHECK-NEXT:    call @memplan_region_empty
func.func @of_outside(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %t0 = gpu.memcpy async %a, %x : memref<?xf32>, memref<?xf32>
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%before = %t0) -> !gpu.async.token {
    gpu.wait [%before]
    %next = gpu.memcpy async %a, %x : memref<?xf32>, memref<?xf32>
    scf.yield %next : !gpu.async.token
  }
  gpu.wait [%t]
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  return
}

// -----

// 10. A call whose callee is pending until its token is awaited; one that is never awaited; and one that captures its
// argument.
// CHECK-LABEL: func @called
// CHECK:         async.await
// CHECK-NEXT:    call @memplan_region_empty
async.func @borrows(%m: memref<?xf32>, %x: memref<?xf32>) -> !async.token {
  memref.copy %m, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @called(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function}}
  %t = async.call @borrows(%a, %x) : (memref<?xf32>, memref<?xf32>) -> !async.token
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  async.await %t : !async.token
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  memref.copy %x, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @not_awaited(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an asynchronous or device operation uses it}}
  %t = async.call @borrows(%a, %x) : (memref<?xf32>, memref<?xf32>) -> !async.token
  return
}
async.func @keeps(%m: memref<?xf32>) -> !async.token {
  %t = async.execute {
    memref.copy %m, %m : memref<?xf32> to memref<?xf32>
    async.yield
  }
  return
}
func.func @kept(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an operation of unknown effects uses it}}
  %t = async.call @keeps(%a) : (memref<?xf32>) -> !async.token
  async.await %t : !async.token
  return
}
