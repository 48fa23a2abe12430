# Executes a bufferized program of sparse tensors that calls strict-heap.mlir: bash sparse.sh LIBRARIES PROGRAM
set -o pipefail
lower='sparse-storage-specifier-to-llvm,func.func(expand-realloc),convert-bufferization-to-memref,convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-math-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm{use-generic-functions=true},convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts'
mlir-opt "$2" --pass-pipeline="builtin.module($lower)" |
    mlir-runner -O0 -e main -entry-point-result=void -shared-libs="$1/libmlir_runner_utils.so,$1/libmlir_c_runner_utils.so"
