//! Memory is given back by the counterpart of what allocated it.

use memplan_mlir::names::{Known, NameInfo};
use smallvec::SmallVec;

/// What gives memory back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeing {
    /// `memref.dealloc`
    Memref,
    /// An operation of this name, with the memref for its only operand.
    By(&'static str),
}

/// Memory of a device.
pub const GPU: Freeing = Freeing::By("gpu.dealloc");

/// What gives back the memory that an operation makes.
pub fn freeing(info: NameInfo) -> Freeing {
    match info.known {
        Known::GpuAlloc => GPU,
        _ => Freeing::Memref,
    }
}

/// What gives back the memory that a function returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// For some of its memrefs, an operation of this name; for the others, `memref.dealloc`.
    Known(SmallVec<[(usize, &'static str); 1]>),
    /// That is still to be found out.
    Pending,
    /// Nobody knows.
    Anything,
}

impl Default for Returned {
    fn default() -> Self {
        Self::Known(SmallVec::new())
    }
}

impl Returned {
    /// May any of it not be given back by `memref.dealloc`, as far as is known?
    pub fn has_others(&self) -> bool {
        match self {
            Self::Known(others) => !others.is_empty(),
            Self::Pending => false,
            Self::Anything => true,
        }
    }

    /// Of one of its memrefs; `None` where that is not known.
    pub fn of(&self, at: usize) -> Option<Freeing> {
        let Self::Known(others) = self else {
            return None;
        };
        let other = others.iter().find(|(one, _)| *one == at);
        Some(other.map_or(Freeing::Memref, |(_, name)| Freeing::By(name)))
    }
}
