//! Allocators: each frees the memory that it allocated.

use std::{
    collections::BTreeMap,
    sync::{PoisonError, RwLock},
};
use thiserror::Error;

/// An allocator, known by the operation that frees its memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// `memref.alloc` and `memref.dealloc`: the only allocator whose allocations are planned.
    Memref,
    /// An operation that only declares an allocation effect: its memory is freed by `memref.dealloc`, and not
    /// planned.
    Unnamed,
    /// Freed by an operation of this name, with the memref as its only operand.
    FreedBy(&'static str),
    /// Freed only by the program, by unknown means.
    Program,
}

impl Allocator {
    /// The allocator that frees the memory if nothing else is known about it. Allocators that name no operation leave
    /// that to `memref.dealloc`.
    #[must_use]
    pub const fn counterpart(self) -> Self {
        match self {
            Self::FreedBy(name) => Self::FreedBy(name),
            Self::Memref | Self::Unnamed | Self::Program => Self::Memref,
        }
    }

    /// The operation that frees the memory in place of `memref.dealloc`.
    pub const fn dealloc_name(self) -> Option<&'static str> {
        match self {
            Self::FreedBy(name) => Some(name),
            Self::Memref | Self::Unnamed | Self::Program => None,
        }
    }

    /// The allocator that an embedder registered under this name. Memory that `memref.dealloc` frees is not planned:
    /// only the embedder knows what else the operation does.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        if name == MEMREF {
            return Ok(Self::Unnamed);
        }
        let all = ALLOCATORS.read().unwrap_or_else(PoisonError::into_inner);
        let known = all.get(name).copied();
        known.ok_or_else(|| format!("there is no registered allocator '{name}'"))
    }
}

/// Device memory of the GPU dialect.
pub const GPU: Allocator = Allocator::FreedBy("gpu.dealloc");

/// The name of the allocator that `memref.dealloc` frees for.
const MEMREF: &str = "memref";

static ALLOCATORS: RwLock<BTreeMap<String, Allocator>> = RwLock::new(BTreeMap::new());

/// The reason why an allocator cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AllocatorError {
    /// Another allocator has this name.
    #[error("an allocator '{0}' is already registered with another deallocation")]
    Twice(String),
    /// The name is reserved.
    #[error("'{0}' is not a valid name of an allocator")]
    Name(String),
}

/// Registers an allocator, which descriptions of operations may then name. An operation of the name `free`, with the
/// memref as its only operand, frees its memory. `None`: only the program frees it, by unknown means.
///
/// # Errors
///
/// Another allocator has the name, or the name is empty or `memref`.
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
    // A registered allocator stays for the life of the process.
    let by = free.map_or(Allocator::Program, |free| {
        Allocator::FreedBy(Box::leak(free.to_owned().into_boxed_str()))
    });
    all.insert(name, by);
    Ok(())
}
