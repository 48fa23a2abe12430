# shellcheck shell=bash
# For scripts that execute a case of a file. Sourced.

# lowered FILE CASE ROWS PIPELINE OPT...: prints FILE in the LLVM dialect, after PIPELINE, on a heap that counts. @main
# calls @CASE with so many rows.
lowered() {
    local file=$1 case=$2 rows=$3 pipeline=$4
    shift 4
    local lower=convert-linalg-to-loops,convert-bufferization-to-memref,convert-scf-to-cf,expand-strided-metadata,\
lower-affine,'convert-arith-to-llvm,finalize-memref-to-llvm{use-generic-functions=true},convert-func-to-llvm,'\
convert-cf-to-llvm,reconcile-unrealized-casts
    local heap
    heap=$(dirname "${BASH_SOURCE[0]}")/../../memplan-merge-alloc/Inputs/counting-heap.mlir
    sed "s/@CASE/@$case/; s/ROWS/$rows/" "$file" | cat - "$heap" |
        "$@" "--pass-pipeline=builtin.module($pipeline,$lower)"
}

# execute FILE LABEL CASE ROWS PIPELINE LIBRARIES OPT...: prints the label and what @main prints.
execute() {
    local file=$1 label=$2 case=$3 rows=$4 pipeline=$5 libraries=$6
    shift 6
    lowered "$file" "$case" "$rows" "$pipeline" "$@" |
        mlir-runner -e main -entry-point-result=void "-shared-libs=$libraries" |
        sed "s/^/$label: /; s/  */ /g; s/ $//"
}
