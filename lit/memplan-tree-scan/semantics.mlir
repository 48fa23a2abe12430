// Memory of operations that may be pending: tasks and copies with a token are, teams of threads and matrices in
// registers are not.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{remarks verify})' --split-input-file \
// RUN:   --verify-diagnostics -o /dev/null

// 1. A critical section ends before the code after it.
// expected-remark @+1 {{stack of 16 bytes}}
func.func @critical(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  omp.critical {
    %v = memref.load %a[%c0] : memref<4xf32>
    memref.store %v, %x[%c0] : memref<4xf32>
    omp.terminator
  }
  return
}

// -----

// 2. A matrix in registers is no token.
// expected-remark @+1 {{stack of 512 bytes}}
func.func @matrix(%x: memref<16x16xf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16x16xf16>
  memref.copy %x, %a : memref<16x16xf16> to memref<16x16xf16>
  %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}

// -----

// 3. A task may run later.
// expected-remark @+1 {{stack of 0 bytes}}
func.func @task(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-remark @+1 {{skipped: it is used by an asynchronous operation, and not every path has a wait that covers it}}
  %a = memref.alloc() : memref<4xf32>
  omp.task {
    %v = memref.load %a[%c0] : memref<4xf32>
    memref.store %v, %x[%c0] : memref<4xf32>
    omp.terminator
  }
  return
}

// -----

// 4. So may a copy with a token, until control has waited for it.
// expected-remark @+1 {{stack of 16 bytes}}
func.func @copy(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  gpu.wait [%t]
  return
}

// -----

// 5. Sizes are no use of memory: both buffers have one place.
// expected-remark @+1 {{stack of 4096 bytes}}
func.func @sizes(%x: memref<1024xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1024xf32>
  memref.copy %x, %a : memref<1024xf32> to memref<1024xf32>
  memref.copy %a, %x : memref<1024xf32> to memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  memref.copy %x, %b : memref<1024xf32> to memref<1024xf32>
  memref.copy %b, %x : memref<1024xf32> to memref<1024xf32>
  %d = memref.dim %a, %c0 : memref<1024xf32>
  %r = memref.rank %a : memref<1024xf32>
  return %d, %r : index, index
}

// -----

// 6. A view in another order touches nothing, and what is read through it is.
// expected-remark @+1 {{stack of 128 bytes}}
func.func @transposed(%x: memref<4x4xf32>) {
  %a = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %a : memref<4x4xf32> to memref<4x4xf32>
  %t = memref.transpose %a (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  %b = memref.alloc() : memref<4x4xf32>
  memref.copy %x, %b : memref<4x4xf32> to memref<4x4xf32>
  memref.copy %t, %b : memref<4x4xf32, strided<[1, 4]>> to memref<4x4xf32>
  %u = memref.transpose %b (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
  memref.copy %b, %x : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

// 7. A store says how its memory is aligned.
// expected-remark @+1 {{stack of 36 bytes}}
func.func @said(%n: f32, %v: vector<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<5xf32>
  memref.store %n, %b[%c0] : memref<5xf32>
  %a = memref.alloc() : memref<4xf32>
  vector.store %v, %a[%c0] {alignment = 16 : i64} : memref<4xf32>, vector<4xf32>
  %q = memref.load %b[%c0] : memref<5xf32>
  return %q : f32
}

// -----

// 8. An atomic update ends before the code after it; its body computes a number.
// expected-remark @+1 {{stack of 4 bytes}}
func.func @update(%e: i32) -> i32 {
  %a = memref.alloc() : memref<i32>
  memref.store %e, %a[] : memref<i32>
  omp.atomic.update %a : memref<i32> {
  ^bb0(%old: i32):
    %new = arith.addi %old, %e : i32
    omp.yield(%new : i32)
  }
  %v = memref.load %a[] : memref<i32>
  return %v : i32
}

// -----

// 9. An operation that writes to memory that it does not name among its operands may store them there.
ml_program.global private mutable @cell : memref<4xf32>
// expected-remark @+1 {{stack of 0 bytes}}
func.func @somewhere(%x: memref<4xf32>) {
  // expected-remark @+1 {{skipped: its address may be stored in memory}}
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  ml_program.global_store @cell = %a : memref<4xf32>
  return
}
