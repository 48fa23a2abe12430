//! Memory is given back by the counterpart of what allocated it.

use memplan_mlir::names::{Known, NameInfo};

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
