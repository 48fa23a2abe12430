//! `memplan-lsp`: MLIR's language server, for editors.

use memplan_mlir::tools::lsp_main;
use std::process::ExitCode;

fn main() -> ExitCode {
    lsp_main()
}
