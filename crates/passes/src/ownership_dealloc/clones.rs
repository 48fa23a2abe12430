//! Copies that are written out before anything is freed.
//!
//! Upstream's canonicalization takes what `bufferization.clone` copies in place of the copy where it sees no
//! `memref.dealloc` of it in the same block. It passes over `bufferization.dealloc`, over frees inside regions, and over
//! calls, so that it would read memory that is freed in between. A copy of an argument may stay, for that is there until
//! the function is done; but not what the caller gets, who may free the argument before the copy when all that is inlined.
//! What has no rank or no strides cannot be written out: there, a copy of what may be freed is refused.

use super::{
    error::{Trouble, What},
    read::{Reading, Way},
    told,
    write::WriteError,
};
use memplan_mlir::{
    build::{BuildError, Builder},
    ir::{erase, operands, replace_all_uses, results, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_ownership::function::ValueId;
use rustc_hash::FxHashSet;

/// Writes copies out that might be read when what they are copies of is gone; whether there were any. The reading
/// is of no use then.
pub fn write_out<'c>(reading: &Reading<'c>) -> Result<bool, WriteError<'c>> {
    let mut freed = FxHashSet::default();
    for (_, value, _) in &reading.freed {
        freed.extend(reading.origins(*value));
    }
    let mut returned = FxHashSet::default();
    for (edge, way) in reading.function.edges.iter().zip(&reading.ways) {
        if matches!(way, Way::Return(_)) {
            let values = edge.passed.iter().flatten();
            returned.extend(values.flat_map(|value| reading.origins(*value)));
        }
    }
    let is_there =
        |origin: &ValueId| told::argument(reading, *origin).is_some() && !freed.contains(origin);
    let mut is_changed = false;
    for (op, copy, source) in &reading.clones {
        let stays = reading.origins(*source).iter().all(is_there);
        if stays && !returned.contains(copy) {
            continue;
        }
        let (Some(from), Some(to)) = (operands(*op).next(), results(*op).next()) else {
            continue;
        };
        let form = type_of(to);
        let builder = Builder::before(*op, op.location()).ok_or_else(BuildError::signature)?;
        match builder.written_copy(from, form)? {
            Some(made) => {
                replace_all_uses(to, made);
                erase(*op);
                is_changed = true;
            }
            None if stays => {}
            None => {
                let what = What::Clone;
                return Err(WriteError::Trouble(Trouble { op: *op, what }));
            }
        }
    }
    Ok(is_changed)
}
