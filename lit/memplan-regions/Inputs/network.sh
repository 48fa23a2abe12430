# network.sh NAME FILE RUNTIME OPT...: executes a network with regions, after several pipelines; each prints the expected output.
set -euo pipefail
name=$1 file=$2 runtime=$3
shift 3
models=$(dirname "$0")/../../../tests/models
for passes in 'memplan{dynamic=regions}' 'memplan-regions{sizes=all},memplan-dealloc-pipeline' \
    'convert-scf-to-cf,memplan-regions{sizes=all},memplan-dealloc-pipeline'; do
    "$@" "$models/bufferized/$name.mlir" --pass-pipeline="builtin.module($passes)" -o "$file.mlir"
    MEMPLAN_REGION_DEBUG=1 LIBRARIES=$runtime "$models/execute" "$name" "$file.mlir" > "$file.printed"
    diff -wB "$models/run/$name.expected" "$file.printed" || { echo "$name: $passes" && exit 1; }
done
