//! The operations of an iteration. Operations in strips are those that they were before.

use super::{
    Result,
    item_loop::{ItemLoop, is_new},
    not_followed,
};
use crate::strips::{
    body,
    chain::follow,
    claim::{ItemClaim, item_claim},
    fault::{Stop, StripFault},
    numbers::{Places, Values},
    sum::Sum,
};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Val, blocks, is_memref, operands, ops, regions, results, terminator,
        type_of,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::{ITEM, PIECES},
    declared::is_effect_free,
};
use smallvec::SmallVec;

/// Memory in an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// A value.
    Value(Key),
    /// A buffer of which a chain of strips has only strips.
    Strips(Key, i64),
}

/// An operand.
pub struct Access<'c> {
    /// Its number.
    pub operand: u32,
    pub place: Place,
    /// The memory, if it is not only there in strips.
    pub root: Option<Val<'c>>,
    pub reads: bool,
    pub writes: bool,
    /// The indices in the memory.
    pub indices: Vec<Sum>,
}

/// An operation.
pub struct Operation<'c> {
    pub op: Op<'c>,
    pub claim: ItemClaim,
    /// Extents of its loops.
    pub extents: SmallVec<[i64; 8]>,
    pub accesses: Vec<Access<'c>>,
    /// Whether each iteration of its loops writes other elements.
    pub is_parallel: bool,
    /// Whether it is in strips.
    pub is_in_strips: bool,
}

/// The operations of an iteration, in order.
pub fn read_all<'c>(
    items: &mut ItemLoop<'c>,
    semantics: &mut Semantics,
) -> Result<'c, Vec<Operation<'c>>> {
    let end = terminator(items.body).map(|end| end.key());
    let mut found = Vec::new();
    for op in ops(items.body).filter(|op| Some(op.key()) != end) {
        if op.has_attribute(PIECES) {
            strips(op, semantics, &mut found)?;
        } else if op.has_attribute(ITEM) {
            found.push(whole(op, items, semantics)?);
        } else {
            let makes = results(op).next().is_some()
                && (is_new(op, semantics) || semantics.view_step(op).is_some());
            let is_plain = regions(op).next().is_none() && is_effect_free(op);
            if !makes && !is_plain && !semantics.is_deallocation(op) {
                let what =
                    "an operation in a loop over items does not say what it was (`memplan.item`)";
                return not_followed(op, what);
            }
        }
    }
    Ok(found)
}

/// The claim of an operation, which has to be about a loop over items that it does not compute with.
fn claim_of<'c>(op: Op<'c>, semantics: &mut Semantics) -> Result<'c, ItemClaim> {
    let Some(claim) = item_claim(op) else {
        return not_followed(op, "`memplan.item` is missing or malformed");
    };
    let mut open: Vec<_> = regions(op).flat_map(blocks).collect();
    while let Some(block) = open.pop() {
        for nested in ops(block) {
            open.extend(regions(nested).flat_map(blocks));
            if semantics.loop_index(nested) == Some(claim.split) {
                return not_followed(op, "an operation computes with the number of an item");
            }
            if operands(nested).any(|value| is_memref(type_of(value))) {
                return not_followed(op, "an operation in its region uses memory");
            }
        }
    }
    let found = semantics.linear_loops(op);
    let loops = found.as_ref().map(|found| &found.nest.loops);
    let split = loops.and_then(|loops| loops.get(claim.split as usize));
    match split.is_some_and(|split| split.is_parallel) {
        true => Ok(claim),
        false => not_followed(op, "the loop over items of an operation adds up"),
    }
}

/// An operation on all of an item.
fn whole<'c>(
    op: Op<'c>,
    items: &ItemLoop<'c>,
    semantics: &mut Semantics,
) -> Result<'c, Operation<'c>> {
    let claim = claim_of(op, semantics)?;
    let found = semantics.linear_loops(op);
    let Some(found) = found.filter(|found| found.loops.is_empty()) else {
        return not_followed(op, "the loops of an operation are not known");
    };
    let memrefs: Vec<_> = (0..found.places.len()).map(|at| found.memref(at)).collect();
    let nest = found.nest;
    let extents = nest.loops.iter().map(|one| i64::try_from(one.extent?).ok());
    let Some(extents) = extents.collect::<Option<SmallVec<[i64; 8]>>>() else {
        return not_followed(op, "the loops of an operation are not known");
    };
    let fault = |stop: Stop| StripFault { op, stop };
    let (mut places, values) = (Places::default(), Values::new(0));
    let is_inside = |op: Op<'c>| items.contains(op);
    let mut accesses = Vec::new();
    for (one, value) in nest.operands.into_iter().zip(memrefs) {
        // Slices of an item are followed no further, since their offset is no constant.
        let chain = value.and_then(|value| follow(value, &is_inside, &mut places, semantics));
        let Some(chain) = chain else {
            return not_followed(op, "the memory of an operand is not known");
        };
        let own = one
            .indices
            .iter()
            .map(|index| Sum::of_index(index, &extents));
        let own = own.collect::<std::result::Result<_, _>>();
        let own = own.map_err(|error| fault(error.into()))?;
        let seen = chain.seen(&values).map_err(fault)?;
        let indices = seen.indices(&own, &extents).map_err(fault)?;
        accesses.push(Access {
            operand: one.operand,
            place: Place::Value(chain.root.key()),
            root: Some(chain.root),
            reads: one.reads,
            writes: one.writes,
            indices: indices.into_vec(),
        });
    }
    Ok(Operation {
        op,
        claim,
        extents,
        accesses,
        is_parallel: nest.loops.iter().all(|one| one.is_parallel),
        is_in_strips: false,
    })
}

/// The operations that a chain of strips was.
fn strips<'c>(
    outermost: Op<'c>,
    semantics: &mut Semantics,
    found: &mut Vec<Operation<'c>>,
) -> Result<'c, ()> {
    let body = body::read(outermost, Places::default(), semantics)?;
    for piece in body.pieces {
        let accesses = piece.accesses.into_iter().map(|access| {
            let number = body.buffers[access.buffer].number;
            let root = access.chain.root;
            Access {
                operand: access.operand,
                place: match access.is_between {
                    true => Place::Strips(outermost.key(), number),
                    false => Place::Value(root.key()),
                },
                root: (!access.is_between).then_some(root),
                reads: access.reads,
                writes: access.writes,
                indices: access.original,
            }
        });
        found.push(Operation {
            op: piece.op,
            claim: claim_of(piece.op, semantics)?,
            extents: piece.claim.extents,
            accesses: accesses.collect(),
            is_parallel: piece.is_parallel,
            is_in_strips: true,
        });
    }
    Ok(())
}
