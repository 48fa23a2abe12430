#!/usr/bin/env bash
# turns.sh FILE LABEL WAY ROWS PIPELINE LIBRARIES OPT...: runs @WAY of FILE with so many rows, on a heap that counts. Prints the
# label and what @main of the file prints.
set -euo pipefail
# shellcheck source=turns-lowered.sh
source "$(dirname "$0")/turns-lowered.sh"
file=$1 label=$2 way=$3 rows=$4 pipeline=$5 libraries=$6
shift 6
lowered "$file" "$way" "$rows" "$pipeline" "$@" |
    mlir-runner -e main -entry-point-result=void "-shared-libs=$libraries" | sed "s/^/$label: /; s/  */ /g; s/ $//"
