//! MLIR contexts for programs without a tool that provides one.

use melior::{Context, dialect::DialectRegistry, utility::register_all_dialects};

/// A context with all dialects that ship with MLIR, loaded.
pub fn with_all_dialects() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}
