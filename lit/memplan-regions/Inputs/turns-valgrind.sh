#!/usr/bin/env bash
# turns-valgrind.sh FILE WAY ROWS TEMPORARY RUNTIME LIBRARIES VALGRIND... -- OPT...: runs @WAY of FILE with so many rows under
# valgrind, in regions and freed.
set -euo pipefail
# shellcheck source=turns-lowered.sh
source "$(dirname "$0")/turns-lowered.sh"
file=$1 way=$2 rows=$3 temporary=$4 runtime=$5 libraries=$6
shift 6
valgrind=()
while [[ $1 != -- ]]; do
    valgrind+=("$1")
    shift
done
shift
lowered "$file" "$way" "$rows" memplan-regions,memplan-dealloc-pipeline "$@" |
    mlir-translate --mlir-to-llvmir | sed 's/@main(/@cases(/' >"$temporary.ll"
printf 'define i32 @main() {\n  call void @cases()\n  ret i32 0\n}\n' >>"$temporary.ll"
llc -O1 --relocation-model=pic --filetype=obj "$temporary.ll" -o "$temporary.o"
cc "$temporary.o" -o "$temporary.exe" "$runtime" "$libraries/libmlir_c_runner_utils.so" \
    "-Wl,-rpath,$libraries" "-Wl,-rpath,$(dirname "$runtime")"
MEMPLAN_REGION_DEBUG=1 "${valgrind[@]}" --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
    "$temporary.exe"
