// Sparse tensors, executed: helpers that return the buffers which they are given, grown or not, copy nothing, and all
// is freed.
// Each line: the number of entries, allocations, most bytes held at once, bytes left, wrong frees. Stock lowering
// makes as many allocations, and frees what a helper grows there and not after the call, but nothing else.
// RUN: cat %s %S/../memplan-ownership-dealloc/Inputs/strict-heap.mlir > %t.mlir
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(sparsification-and-bufferization,\
// RUN:   memplan-dealloc-pipeline)' -o %t.freed.mlir 2> %t.errors
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.freed.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNINGS --allow-empty < %t.errors
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(sparsification-and-bufferization,memplan)' -o %t.planned.mlir
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.planned.mlir | FileCheck %s
// RUN: %memplan-opt %t.mlir \
// RUN:   --pass-pipeline='builtin.module(sparsification-and-bufferization,memplan{dynamic=regions})' -o %t.regions.mlir
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.regions.mlir | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(sparsification-and-bufferization,\
// RUN:   sparse-storage-specifier-to-llvm,memplan-dealloc-pipeline)' -o %t.lowered.mlir
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.lowered.mlir | FileCheck %s
// RUN: %memplan-opt %t.mlir --pass-pipeline='builtin.module(sparsification-and-bufferization)' -o %t.stock.mlir
// RUN: bash %S/Inputs/sparse.sh %mlir_lib_dir %t.stock.mlir | FileCheck %s --check-prefix=STOCK
// WARNINGS-NOT: memplan-W
// CHECK: 4096, 20, 99328, 0, 0
// CHECK-NEXT: 4096, 66, 245888, 0, 0
// STOCK: 4096, 20, 82944, 66560, 0
// STOCK-NEXT: 4096, 66, 279936, 264064, 0

#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>
#coo = #sparse_tensor.encoding<{map = (i, j) -> (i : compressed(nonunique), j : singleton)}>
#dcsc = #sparse_tensor.encoding<{map = (i, j) -> (j : compressed, i : compressed)}>

// 1. From dense to rows.
func.func @csr(%t: tensor<64x64xf64>) -> index attributes {no_inline} {
  %s = sparse_tensor.convert %t : tensor<64x64xf64> to tensor<64x64xf64, #csr>
  %n = sparse_tensor.number_of_entries %s : tensor<64x64xf64, #csr>
  return %n : index
}
// 2. From dense to coordinates, and from there to columns, which sorts.
func.func @others(%t: tensor<64x64xf64>) -> index attributes {no_inline} {
  %s = sparse_tensor.convert %t : tensor<64x64xf64> to tensor<64x64xf64, #coo>
  %u = sparse_tensor.convert %s : tensor<64x64xf64, #coo> to tensor<64x64xf64, #dcsc>
  %n = sparse_tensor.number_of_entries %u : tensor<64x64xf64, #dcsc>
  return %n : index
}
func.func @show(%n: index) {
  %i = arith.index_cast %n : index to i32
  %f = arith.sitofp %i : i32 to f32
  func.call @heap_show(%f) : (f32) -> ()
  return
}
func.func @main() {
  %t = arith.constant dense<1.0> : tensor<64x64xf64>
  llvm.call @heap_start() : () -> ()
  %n = call @csr(%t) : (tensor<64x64xf64>) -> index
  call @show(%n) : (index) -> ()
  llvm.call @heap_start() : () -> ()
  %m = call @others(%t) : (tensor<64x64xf64>) -> index
  call @show(%m) : (index) -> ()
  return
}
