// Effects of operations on memory, where no interface gives them, or where a name alone says too much.
// RUN: %memplan-opt %s --pass-pipeline='builtin.module(memplan-regions{remarks})' -verify-diagnostics -o /dev/null

// 1. Without a token, a copy of the GPU dialect is synchronous; with one, it is done when the program has waited
// for it.
func.func @synchronous(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  gpu.memcpy %a, %x : memref<?xf32>, memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @asynchronous(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %x : memref<?xf32>, memref<?xf32>
  gpu.wait [%t1]
  return
}

// 2. A matrix in registers holds no address.
func.func @matrix(%n: index, %x: memref<?x16xf16>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?x16xf16> // expected-remark {{in the region of the function [memplan-R501]}}
  memref.copy %x, %a : memref<?x16xf16> to memref<?x16xf16>
  %m = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<?x16xf16> -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %m, %x[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<?x16xf16>
  return
}

// 3. affine.load and affine.store take memrefs from memory and put them there as memref.load and memref.store do.
func.func @stored(%n: index, %x: memref<?xf32>) {
  %cell = memref.alloca() : memref<1xmemref<?xf32>>
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  affine.store %a, %cell[0] : memref<1xmemref<?xf32>>
  %l = affine.load %cell[0] : memref<1xmemref<?xf32>>
  memref.copy %l, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @stored_away(%n: index, %cell: memref<1xmemref<?xf32>>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: a memref to it is stored in memory that other code may read}}
  affine.store %a, %cell[0] : memref<1xmemref<?xf32>>
  return
}

// 4. A hint, a flush, an atomic operation: done at once, and captures nothing.
func.func @hints(%n: index, %x: memref<?xf32>, %v: i32, %y: memref<i32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  affine.prefetch %a[0], read, locality<3>, data : memref<?xf32>
  omp.flush(%a : memref<?xf32>)
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  return
}

// 5. A copy may be folded into its source; a transposed memref is its source.
func.func @cloned(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32> // expected-remark {{skipped: an operation of unknown effects uses it}}
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  return
}
func.func @transposed(%n: index, %x: memref<?x?xf32>) {
  %a = memref.alloc(%n, %n) : memref<?x?xf32> // expected-remark {{in the region of the function [memplan-R501]}}
  %t = memref.transpose %a (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  memref.copy %x, %t : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  return
}
