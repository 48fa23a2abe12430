#!/usr/bin/env bash
# filter.sh FILE LABEL WAY ROWS PIPELINE LIBRARIES OPT...: runs @WAY of FILE with so many rows. Prints the label, what was computed,
# the most bytes that were held for regions, and the regions and their bytes that are left.
set -euo pipefail
file=$1 label=$2 way=$3 rows=$4 pipeline=$5 libraries=$6
shift 6
lower=convert-linalg-to-loops,convert-bufferization-to-memref,convert-scf-to-cf,expand-strided-metadata,lower-affine,\
convert-arith-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts
sed "s/@WAY/@$way/; s/ROWS/$rows/" "$file" |
    "$@" "--pass-pipeline=builtin.module($pipeline,$lower)" |
    mlir-runner -e main -entry-point-result=void "-shared-libs=$libraries" | sed "s/^/$label: /; s/  */ /g; s/ $//"
