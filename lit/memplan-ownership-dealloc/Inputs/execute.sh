# Executes each program of a folder on strict-heap.mlir: bash execute.sh FOLDER LIBRARIES MLIR-OPT...
# Our pass prints what CHECK says, also on blocks. With frees at the ends of blocks it prints the same except for peaks.
# UPSTREAM says how upstream's pipeline ends: its output, its errors, or "crashes". UPSTREAM-PASSES names other passes of
# upstream for a program, PASSES the passes that replace ours, one pipeline a line.
# Coroutines need LLVM's passes, if only those of -O0.
set -o pipefail
folder=$1 libraries=$2
shift 2
ours='memplan-ownership-dealloc,canonicalize,buffer-deallocation-simplification,bufferization-lower-deallocations,cse'
lower='convert-bufferization-to-memref,canonicalize,async-func-to-async-runtime,async-to-async-runtime,async-runtime-ref-counting,async-runtime-ref-counting-opt,lower-affine,convert-linalg-to-loops,convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-async-to-llvm,convert-arith-to-llvm,finalize-memref-to-llvm{use-generic-functions=true},convert-func-to-llvm,convert-cf-to-llvm,convert-ub-to-llvm,reconcile-unrealized-casts'
ends='memplan-ownership-dealloc{placement=block-end},canonicalize,memplan-simplify-dealloc,memplan-lower-dealloc,cse'
heap=$(dirname "$0")/strict-heap.mlir
runner=(mlir-runner -O0 -e main -entry-point-result=void
    -shared-libs="$libraries/libmlir_runner_utils.so,$libraries/libmlir_c_runner_utils.so,$libraries/libmlir_async_runtime.so")

except_peaks() { sed -E 's/^([^,]*, [^,]*), [^,]*,/\1,/'; }

for program in "$folder"/*.mlir; do
    whole=$program.whole
    cat "$program" "$heap" > "$whole"
    mapfile -t alone < <(sed -n 's|^// PASSES: ||p' "$program")
    all=("$ours" "convert-scf-to-cf,$ours") all_ends=("$ends" "convert-scf-to-cf,$ends")
    [ ${#alone[@]} -eq 0 ] || { all=("${alone[@]}") all_ends=(); }
    for passes in "${all[@]}"; do
        "$@" "$whole" --pass-pipeline="builtin.module($passes,$lower)" 2> "$program.errors" |
            "${runner[@]}" 2>> "$program.errors" |
            tee "$program.printed" | FileCheck "$program" || { echo "$passes"; cat "$program.errors"; exit 1; }
    done
    # At the ends of blocks more is held at a time: all else is the same.
    for passes in "${all_ends[@]}"; do
        "$@" "$whole" --pass-pipeline="builtin.module($passes,$lower)" 2> "$program.errors" |
            "${runner[@]}" 2>> "$program.errors" | except_peaks |
            diff <(except_peaks < "$program.printed") - || { cat "$program" "$program.errors"; exit 1; }
    done
    upstream=$(sed -n 's|^// UPSTREAM-PASSES: ||p' "$program")
    upstream=${upstream:-buffer-deallocation-pipeline}
    {
        "$@" "$whole" --pass-pipeline="builtin.module($upstream)" -o "$program.upstream" 2> "$program.errors"
        status=$?
        if [ $status -ge 128 ]; then
            echo crashes
        elif [ $status -ne 0 ]; then
            grep error: "$program.errors"
        else
            "$@" "$program.upstream" --pass-pipeline="builtin.module($lower)" | "${runner[@]}" || echo crashes
        fi
    } 2> /dev/null | FileCheck "$program" --check-prefix=UPSTREAM || { cat "$program.errors"; exit 1; }
done
