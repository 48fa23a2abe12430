//! Token types of other compilers, for all contexts of the process.

use memplan_mlir::ir::Type;
use std::{
    collections::BTreeSet,
    sync::{
        PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
};

static ANY: AtomicBool = AtomicBool::new(false);
static TOKENS: RwLock<BTreeSet<String>> = RwLock::new(BTreeSet::new());

/// Registers the type with this textual form, such as `!npu.token`, as a token type: values of the type can be waited
/// for, and contain no address.
pub fn register_token_type(r#type: impl Into<String>) {
    let mut all = TOKENS.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(r#type.into());
    ANY.store(true, Ordering::Release);
}

/// Is the type registered as a token type?
pub(crate) fn is_token(r#type: Type<'_>) -> bool {
    let all = || TOKENS.read().unwrap_or_else(PoisonError::into_inner);
    ANY.load(Ordering::Acquire) && all().contains(&r#type.to_string())
}
