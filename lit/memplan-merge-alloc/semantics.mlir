// Effects of single operations, where they decide the plan.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-merge-alloc{remarks in-place=false})' \
// RUN:   --split-input-file --verify-diagnostics -o /dev/null

// 1. A matrix in registers is data: it holds no address of what it was loaded from.
func.func @matrix_in_registers(%d: memref<16x16xf16>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{merged: 512 bytes}}
  %a = memref.alloc() : memref<16x16xf16>
  %z = arith.constant 0.0 : f16
  memref.store %z, %a[%c0, %c0] : memref<16x16xf16>
  %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %m, %d[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<16x16xf16>
  return
}

// -----

// 2. An asynchronous call uses its arguments until its token has been awaited, and not longer.
async.func @goes_on(%m: memref<64xf32>, %z: f32) -> !async.token {
  %c0 = arith.constant 0 : index
  memref.store %z, %m[%c0] : memref<64xf32>
  return
}
func.func private @use(memref<64xf32>)
func.func @called(%z: f32) {
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %a = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %b = memref.alloc() : memref<64xf32>
  // expected-remark @+1 {{of an arena of 512 bytes}}
  %c = memref.alloc() : memref<64xf32>
  %token = async.call @goes_on(%a, %z) : (memref<64xf32>, f32) -> !async.token
  call @use(%b) : (memref<64xf32>) -> ()
  async.await %token : !async.token
  call @use(%c) : (memref<64xf32>) -> ()
  return
}

// -----

// 3. Nobody waits for it.
async.func @goes_on(%m: memref<64xf32>, %z: f32) -> !async.token {
  %c0 = arith.constant 0 : index
  memref.store %z, %m[%c0] : memref<64xf32>
  return
}
func.func @never_awaited(%z: f32) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<64xf32>
  %token = async.call @goes_on(%a, %z) : (memref<64xf32>, f32) -> !async.token
  return
}

// -----

// 4. The asynchronous callee stores its argument.
async.func @stores(%m: memref<64xf32>, %nested: memref<1xmemref<64xf32>>) -> !async.token {
  %c0 = arith.constant 0 : index
  memref.store %m, %nested[%c0] : memref<1xmemref<64xf32>>
  return
}
func.func @stored(%nested: memref<1xmemref<64xf32>>) {
  // expected-remark @+1 {{[kept-by-callee]}}
  %a = memref.alloc() : memref<64xf32>
  %token = async.call @stores(%a, %nested) : (memref<64xf32>, memref<1xmemref<64xf32>>) -> !async.token
  async.await %token : !async.token
  return
}

// -----

// 5. Hints and flushes read at most.
func.func @hints(%z: f32) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{merged: 32 bytes}}
  %a = memref.alloc() : memref<8xf32>
  memref.store %z, %a[%c0] : memref<8xf32>
  affine.prefetch %a[0], read, locality<3>, data : memref<8xf32>
  memref.prefetch %a[%c0], read, locality<3>, data : memref<8xf32>
  omp.flush(%a : memref<8xf32>)
  %v = memref.load %a[%c0] : memref<8xf32>
  return %v : f32
}

// -----

// 6. Atomic operations read and write their memory, and capture nothing.
func.func @atomics(%x: i32) -> i32 {
  // expected-remark @+1 {{merged: 4 bytes}}
  %a = memref.alloc() : memref<i32>
  // expected-remark @+1 {{merged: 4 bytes}}
  %b = memref.alloc() : memref<i32>
  omp.atomic.write %a = %x : memref<i32>, i32
  omp.atomic.read %b = %a : memref<i32>, memref<i32>, i32
  acc.atomic.write %a = %x : memref<i32>, i32
  acc.atomic.read %b = %a : memref<i32>, memref<i32>, i32
  %v = memref.load %b[] : memref<i32>
  return %v : i32
}

// -----

// 7. So do those that hold two of them.
func.func @captures(%x: i32) -> i32 {
  // expected-remark @+1 {{merged: 4 bytes}}
  %a = memref.alloc() : memref<i32>
  // expected-remark @+1 {{merged: 4 bytes}}
  %b = memref.alloc() : memref<i32>
  memref.store %x, %a[] : memref<i32>
  omp.atomic.capture {
    omp.atomic.read %b = %a : memref<i32>, memref<i32>, i32
    omp.atomic.write %a = %x : memref<i32>, i32
  }
  acc.atomic.capture {
    acc.atomic.read %b = %a : memref<i32>, memref<i32>, i32
    acc.atomic.write %a = %x : memref<i32>, i32
  }
  %v = memref.load %b[] : memref<i32>
  return %v : i32
}

// -----

// 8. A wait that returns a token waits for nothing: the copy may be pending after it.
func.func @wait_with_a_token(%x: memref<4xf32>) {
  // expected-remark @+1 {{[asynchronous]}}
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = gpu.wait async [%t1]
  return
}

// -----

// 9. Freed by an operation of the device.
func.func @freed(%x: memref<4xf32>) {
  // expected-remark @+1 {{[freed-elsewhere]}}
  %a = memref.alloc() : memref<4xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<4xf32>, memref<4xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<4xf32>
  gpu.wait [%t2]
  return
}

// -----

// 10. A GPU copy without a token is synchronous.
func.func @synchronous(%x: memref<64xf32>, %y: memref<64xf32>) {
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %a = memref.alloc() : memref<64xf32>
  gpu.memcpy %a, %x : memref<64xf32>, memref<64xf32>
  gpu.memcpy %y, %a : memref<64xf32>, memref<64xf32>
  // expected-remark @+1 {{of an arena of 256 bytes}}
  %b = memref.alloc() : memref<64xf32>
  gpu.memcpy %b, %x : memref<64xf32>, memref<64xf32>
  gpu.memcpy %y, %b : memref<64xf32>, memref<64xf32>
  return
}

// -----

// 11. An operation that writes to memory that it does not name among its operands may store them there.
ml_program.global private mutable @cell : memref<4xf32>
func.func @somewhere(%x: memref<4xf32>) {
  // expected-remark @+1 {{[stored]}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  ml_program.global_store @cell = %a : memref<4xf32>
  return
}

// -----

// 12. A wait for a tag that no transfer has reads it at most.
func.func @no_transfer() {
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{merged: 4 bytes}}
  %a = memref.alloc() : memref<1xi32>
  affine.dma_wait %a[0], %c1 : memref<1xi32>
  return
}
