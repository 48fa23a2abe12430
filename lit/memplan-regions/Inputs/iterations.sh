#!/usr/bin/env bash
# iterations.sh FILE LABEL CASE ROWS PIPELINE LIBRARIES OPT...: executes @CASE of FILE with so many rows after PIPELINE.
set -euo pipefail
# shellcheck source=counted.sh
source "$(dirname "$0")/counted.sh"
execute "$@"
