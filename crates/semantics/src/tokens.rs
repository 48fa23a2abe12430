//! Types of other compilers that are tokens, for all contexts of the process.

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

/// From now on, values of the type that prints so (`!npu.token`) are tokens: they can be waited for, and hold nothing.
pub fn register_token_type(r#type: impl Into<String>) {
    let mut all = TOKENS.write().unwrap_or_else(PoisonError::into_inner);
    all.insert(r#type.into());
    ANY.store(true, Ordering::Release);
}

/// Has a type been registered as that of tokens?
pub(crate) fn is_token(r#type: Type<'_>) -> bool {
    let all = || TOKENS.read().unwrap_or_else(PoisonError::into_inner);
    ANY.load(Ordering::Acquire) && all().contains(&r#type.to_string())
}
