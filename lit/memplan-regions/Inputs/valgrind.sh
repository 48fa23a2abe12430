#!/usr/bin/env bash
# valgrind.sh FILE CASE,CASE... TEMPORARY RUNTIME LIBRARIES VALGRIND... -- OPT...: executes each case of FILE with 30
# rows under valgrind, in regions and freed.
set -euo pipefail
# shellcheck source=counted.sh
source "$(dirname "$0")/counted.sh"
file=$1 cases=$2 temporary=$3 runtime=$4 libraries=$5
shift 5
valgrind=()
while [[ $1 != -- ]]; do
    valgrind+=("$1")
    shift
done
shift
for case in ${cases//,/ }; do
    lowered "$file" "$case" 30 memplan-regions,memplan-dealloc-pipeline "$@" |
        mlir-translate --mlir-to-llvmir | sed 's/@main(/@cases(/' >"$temporary.ll"
    printf 'define i32 @main() {\n  call void @cases()\n  ret i32 0\n}\n' >>"$temporary.ll"
    llc -O1 --relocation-model=pic --filetype=obj "$temporary.ll" -o "$temporary.o"
    cc "$temporary.o" -o "$temporary.exe" "$runtime" "$libraries/libmlir_c_runner_utils.so" \
        "-Wl,-rpath,$libraries" "-Wl,-rpath,$(dirname "$runtime")"
    MEMPLAN_REGION_DEBUG=1 "${valgrind[@]}" --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        "$temporary.exe"
done
