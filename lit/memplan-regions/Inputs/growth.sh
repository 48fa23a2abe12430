#!/usr/bin/env bash
# growth.sh FILE CASE,CASE... LIBRARIES OPT...: executes each case of FILE with 1,000 rows and with 10,000: in regions,
# without them, with the region of the function for all, and lowered to blocks before.
set -euo pipefail
# shellcheck source=counted.sh
source "$(dirname "$0")/counted.sh"
file=$1 cases=$2 libraries=$3
shift 3
for case in ${cases//,/ }; do
    run() { execute "$file" "$1" "$case" "$2" "$3" "$libraries" "${@:4}"; }
    run "$case-1000" 1000 memplan-regions,memplan-dealloc-pipeline "$@"
    run "$case-10000" 10000 memplan-regions,memplan-dealloc-pipeline "$@"
    run malloc 10000 memplan-dealloc-pipeline "$@"
    run enclosing 10000 'memplan-regions{loops=enclosing},memplan-dealloc-pipeline' "$@"
    run blocks 10000 convert-scf-to-cf,memplan-regions,memplan-dealloc-pipeline "$@"
done
