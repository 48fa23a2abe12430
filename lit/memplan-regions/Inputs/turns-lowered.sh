# shellcheck shell=bash
# What turns.sh and turns-valgrind.sh share. Sourced.

# lowered FILE WAY ROWS PIPELINE OPT...: prints FILE with @WAY and so many rows, on a heap that counts, behind PIPELINE in the
# LLVM dialect.
lowered() {
    local file=$1 way=$2 rows=$3 pipeline=$4
    shift 4
    local lower=convert-linalg-to-loops,convert-bufferization-to-memref,convert-scf-to-cf,expand-strided-metadata,\
lower-affine,'convert-arith-to-llvm,finalize-memref-to-llvm{use-generic-functions=true},convert-func-to-llvm,'\
convert-cf-to-llvm,reconcile-unrealized-casts
    local heap
    heap=$(dirname "${BASH_SOURCE[0]}")/../../memplan-merge-alloc/Inputs/counting-heap.mlir
    sed "s/@WAY/@$way/; s/ROWS/$rows/" "$file" | cat - "$heap" | "$@" "--pass-pipeline=builtin.module($pipeline,$lower)"
}
