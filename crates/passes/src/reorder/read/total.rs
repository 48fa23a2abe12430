//! Operations that make sense wherever their operands are defined. All others may count on what stands in front of them:
//! an assertion that an index is in bounds, or that a divisor is not zero.

use memplan_mlir::{
    ir::{Op, Origin, Type, is_memref, operands, origin, results, type_of},
    melior::ir::{
        operation::OperationLike,
        r#type::{MemRefType, ShapedTypeLike},
    },
    names::{Known, NameInfo},
    values::lower_bound,
};
use memplan_semantics::speculation::is_safe_to_speculate;

/// What a name says of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Computes values from values.
    Arithmetic,
    /// Runs over all elements of its memrefs.
    Elements,
    /// Of devices, threads, or addresses: what it does is not in its effects alone.
    Unfollowed,
    /// Anything else.
    Other,
}

/// Dialects of devices, threads and addresses.
const UNFOLLOWED: [&str; 12] = [
    "acc", "amdgpu", "amx", "async", "gpu", "llvm", "mpi", "nvgpu", "nvvm", "omp", "rocdl", "xegpu",
];

impl Kind {
    /// What the name of an operation says.
    pub fn of(op: Op<'_>) -> Self {
        let name = op.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        match name.split_once('.') {
            _ if name.contains("atomic") || name.contains("barrier") => Self::Unfollowed,
            Some((dialect, _)) if UNFOLLOWED.contains(&dialect) => Self::Unfollowed,
            Some(("arith" | "math" | "complex", _)) => Self::Arithmetic,
            Some(("linalg", "pack" | "unpack")) => Self::Other,
            Some(("linalg", _)) => Self::Elements,
            _ => Self::Other,
        }
    }
}

/// Does an operation make sense wherever its operands are defined? What is in it is asked by itself.
pub fn is_total(op: Op<'_>, info: NameInfo, kind: Kind) -> bool {
    match kind {
        Kind::Arithmetic => is_safe_to_speculate(op),
        Kind::Elements => has_known_sizes(op),
        Kind::Unfollowed => false,
        Kind::Other => match info.known {
            Known::ScfFor
            | Known::ScfIf
            | Known::ScfYield
            | Known::ScfExecuteRegion
            | Known::ScfIndexSwitch
            | Known::AffineFor
            | Known::AffineIf
            | Known::AffineYield
            | Known::AllocaScope
            | Known::Dealloc
            | Known::GetGlobal => true,
            Known::Alloc | Known::Alloca => op.operand_count() == 0,
            Known::Copy => has_known_sizes(op),
            Known::AssumeAlignment | Known::Reshape => false,
            _ if info.is_view() || info.known == Known::Transpose => {
                op.operand_count() == 1 && has_known_sizes(op)
            }
            _ => is_safe_to_speculate(op),
        },
    }
}

/// Are all sizes of the memrefs of an operation known? Then they have been found to fit.
fn has_known_sizes(op: Op<'_>) -> bool {
    let is_known = |r#type: Type<'_>| {
        !is_memref(r#type)
            || MemRefType::try_from(r#type).is_ok_and(|memref| memref.has_static_shape())
    };
    operands(op).chain(results(op)).map(type_of).all(is_known)
}

/// The step of an `scf.for`, if that is a constant.
pub fn step(op: Op<'_>) -> Option<i64> {
    let step = operands(op).nth(2)?;
    match origin(step)? {
        Origin::Result(..) => lower_bound(step),
        Origin::Argument(..) => None,
    }
}
