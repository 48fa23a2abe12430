//! Writes state into the arena.

use super::State;
use crate::merge_alloc::{excluded::merged, materialize::result};
use memplan_mlir::{
    build::{BuildError, Builder, set_integers},
    ir::{Op, Type, erase, replace_all_uses},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::STATE;

/// Replaces globals by views of the arena, which is the global `name`. `referring` are the global and what refers to it.
/// Buffers have at least `least_alignment`.
pub fn write<'c>(
    states: &[State<'c>],
    name: &str,
    arena: Type<'c>,
    referring: &[Op<'c>],
    least_alignment: u64,
) -> Result<(), BuildError> {
    let ranges = states.iter().map(|state| (state.offset, state.end()));
    let ranges = merged(ranges, least_alignment);
    let flat: Vec<i64> = ranges
        .iter()
        .flat_map(|(from, to)| [*from as i64, *to as i64])
        .collect();
    for op in referring {
        set_integers(*op, STATE, &flat);
    }
    for state in states {
        for used in &state.uses {
            let builder =
                Builder::before(*used, used.location()).ok_or_else(BuildError::unexpected)?;
            let get = builder.get_global(name, arena)?;
            set_integers(get, STATE, &flat);
            let offset = builder.index(state.offset as i64)?;
            let view = builder.view(result(get), offset, state.memref, &[])?;
            replace_all_uses(result(*used), view);
            erase(*used);
        }
        erase(state.op);
    }
    Ok(())
}
