# Runs our pass and upstream's pipeline on each program of a folder: bash compare.sh FOLDER MLIR-OPT...
# CHECK says what ours writes, UPSTREAM what upstream's does: IR, its errors, or "crashes".
folder=$1
shift
for program in "$folder"/*.mlir; do
    "$@" "$program" --pass-pipeline='builtin.module(memplan-ownership-dealloc)' 2>&1 | FileCheck "$program" || exit 1
    {
        "$@" "$program" --buffer-deallocation-pipeline 2>&1
        [ $? -lt 128 ] || echo crashes
    } 2> /dev/null | FileCheck "$program" --check-prefix=UPSTREAM || exit 1
done
