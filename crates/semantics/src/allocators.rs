//! Allocators: memory is freed by the counterpart of what allocated it.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};
use thiserror::Error;

/// What allocates memory, and what frees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// `memref.alloc` and `memref.dealloc`: the one whose allocations are planned.
    Memref,
    /// An operation that says that it allocates, and nothing else of it: freed by `memref.dealloc`, not planned.
    Unnamed,
    /// Freed by an operation of this name, with the memref as its only operand.
    FreedBy(&'static str),
    /// Freed by the program alone, in a way that only the program knows.
    Program,
}

impl Allocator {
    /// Who frees its memory where nothing else is known of it: those that name no operation leave that to
    /// `memref.dealloc`.
    #[must_use]
    pub const fn counterpart(self) -> Self {
        match self {
            Self::FreedBy(name) => Self::FreedBy(name),
            Self::Memref | Self::Unnamed | Self::Program => Self::Memref,
        }
    }

    /// The operation that frees its memory in place of `memref.dealloc`.
    pub const fn dealloc_name(self) -> Option<&'static str> {
        match self {
            Self::FreedBy(name) => Some(name),
            Self::Memref | Self::Unnamed | Self::Program => None,
        }
    }

    /// The allocator that an embedder calls so. What is freed by `memref.dealloc` is not planned: what else the
    /// operation does is for the embedder to know.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        if name == MEMREF {
            return Ok(Self::Unnamed);
        }
        let all = ALLOCATORS.read().unwrap_or_else(PoisonError::into_inner);
        let known = all.get(name).copied();
        known.ok_or_else(|| format!("no allocator is registered as '{name}'"))
    }
}

/// Device memory of the GPU dialect.
pub const GPU: Allocator = Allocator::FreedBy("gpu.dealloc");

/// The name of the allocator that `memref.dealloc` frees for.
const MEMREF: &str = "memref";

static ALLOCATORS: RwLock<BTreeMap<String, Allocator>> = RwLock::new(BTreeMap::new());

/// Why an allocator cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AllocatorError {
    /// There is one of this name.
    #[error("an allocator is registered as '{0}' already, with another operation that frees")]
    Twice(String),
    /// No allocator may have this name.
    #[error("no allocator may be registered as '{0}'")]
    Name(String),
}

/// From now on, descriptions of operations may name this allocator. An operation of the name `free`, with the memref as
/// its only operand, frees its memory; `None`: the program alone does, in a way that only the program knows.
///
/// # Errors
///
/// Another allocator has the name, which is empty, or `memref`.
pub fn register_allocator(
    name: impl Into<String>,
    free: Option<&str>,
) -> Result<(), AllocatorError> {
    let name = name.into();
    if name.is_empty() || name == MEMREF {
        return Err(AllocatorError::Name(name));
    }
    let mut all = ALLOCATORS.write().unwrap_or_else(PoisonError::into_inner);
    match all.get(&name) {
        Some(known) if known.dealloc_name() == free => return Ok(()),
        Some(_) => return Err(AllocatorError::Twice(name)),
        None => {}
    }
    // Registered once, it is there for as long as the process lives.
    let by = free.map_or(Allocator::Program, |free| {
        Allocator::FreedBy(Box::leak(free.to_owned().into_boxed_str()))
    });
    all.insert(name, by);
    Ok(())
}
