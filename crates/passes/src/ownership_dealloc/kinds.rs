//! Memory is given back by the counterpart of what allocated it.

use memplan_mlir::{
    ir::Op,
    names::{Known, NameInfo},
};

/// What gives memory back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeing {
    /// `memref.dealloc`
    Memref,
    /// `gpu.dealloc`
    Gpu,
}

/// What gives back the memory that an operation makes.
pub fn freeing(_op: Op<'_>, info: NameInfo) -> Freeing {
    match info.known {
        Known::GpuAlloc => Freeing::Gpu,
        _ => Freeing::Memref,
    }
}
