// Which operations go on after control has passed them: tasks and copies with a token do, teams of threads and
// matrices in registers do not.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-tree-scan{remarks})' --split-input-file --verify-diagnostics -o /dev/null

// 1. A critical section ends before control goes on.
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
func.func @task(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{E801}}
  omp.task {
    %v = memref.load %a[%c0] : memref<4xf32>
    memref.store %v, %x[%c0] : memref<4xf32>
    omp.terminator
  }
  return
}

// -----

// 4. So may a copy with a token.
func.func @copy(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{E801}}
  %t = gpu.memcpy async %a, %x : memref<4xf32>, memref<4xf32>
  gpu.wait [%t]
  return
}
