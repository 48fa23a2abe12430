#!/usr/bin/env bash
# turns.sh FILE LABEL WAY ROWS PIPELINE LIBRARIES OPT...: runs @WAY of FILE with so many rows, on a heap that counts. Prints the
# label and what @main of the file prints.
set -euo pipefail
file=$1 label=$2 way=$3 rows=$4 pipeline=$5 libraries=$6
shift 6
lower=convert-linalg-to-loops,convert-bufferization-to-memref,convert-scf-to-cf,expand-strided-metadata,lower-affine,\
'convert-arith-to-llvm,finalize-memref-to-llvm{use-generic-functions=true},convert-func-to-llvm,convert-cf-to-llvm,'\
reconcile-unrealized-casts
heap=$(dirname "$0")/../../memplan-merge-alloc/Inputs/counting-heap.mlir
sed "s/@WAY/@$way/; s/ROWS/$rows/" "$file" | cat - "$heap" |
    "$@" "--pass-pipeline=builtin.module($pipeline,$lower)" |
    mlir-runner -e main -entry-point-result=void "-shared-libs=$libraries" | sed "s/^/$label: /; s/  */ /g; s/ $//"
