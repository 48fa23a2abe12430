//! What operations in strips say together: which rows of which buffers they wrote, and in which memory.

use super::{
    body::{Body, Result, not_followed, stop},
    fault::{Stop, StripFault},
};
use memplan_mlir::build::integers_of;
use memplan_semantics::attributes::PIECES;
use rustc_hash::FxHashMap;

/// What the pieces say of the buffers.
pub fn written<'c>(body: &mut Body<'c>) -> Result<'c, ()> {
    for piece in &body.pieces {
        for access in &piece.accesses {
            for (at, split) in piece.claim.splits.iter().enumerate() {
                let mut indices = access.original.iter();
                let along = indices.position(|index| index.walks_along(split.number));
                let buffer = &mut body.buffers[access.buffer];
                let known = &mut buffer.dimensions[at];
                // Of memory that nothing writes in the strips, each operand has what it has.
                if access.writes || access.is_between {
                    match (&known, along) {
                        (Some(known), Some(along)) if *known != along => {
                            return not_followed(
                                piece.op,
                                "a buffer is split along several dimensions",
                            );
                        }
                        (None, along) => *known = along,
                        _ => {}
                    }
                }
            }
        }
    }
    for (number, piece) in body.pieces.iter_mut().enumerate() {
        let op = piece.op;
        let fault = |stop: Stop| StripFault { op, stop };
        for access in piece
            .accesses
            .iter_mut()
            .filter(|access| access.writes && !access.is_sum)
        {
            let buffer = &mut body.buffers[access.buffer];
            let dimensions = buffer.dimensions;
            let index = |at: usize| {
                let index = access.original.get(dimensions[at]?)?;
                let split = piece.claim.splits.get(at)?;
                Some((index, split.number))
            };
            let indices = [index(0), index(1)];
            access.writer = buffer
                .add_writer(number, indices, &piece.claim.extents)
                .map_err(fault)?;
            if !access.is_between {
                let root = &mut body.roots[access.root];
                if root.dimensions.is_some_and(|known| known != dimensions) {
                    return not_followed(piece.op, "memory is split along several dimensions");
                }
                root.dimensions = Some(dimensions);
            }
        }
    }
    Ok(())
}

/// Whether all operations are there, each once, in their order.
pub fn check_order<'c>(body: &Body<'c>) -> Result<'c, ()> {
    let Some(expected) = integers_of(body.op, PIECES) else {
        return not_followed(body.op, "`memplan.pieces` is missing");
    };
    let mut numbers = body
        .pieces
        .iter()
        .map(|piece| (piece.op, piece.claim.number));
    for number in &expected {
        match numbers.next() {
            Some((_, found)) if found == *number => {}
            Some((op, found)) => {
                let text = format!("operation {found} is in the place of operation {number}");
                return stop(op, Stop::Wrong(text));
            }
            None => {
                let text = format!("operation {number} is not in the strips");
                return stop(body.op, Stop::Wrong(text));
            }
        }
    }
    match numbers.next() {
        Some((op, number)) => {
            let text = format!("operation {number} is in the strips again");
            stop(op, Stop::Wrong(text))
        }
        None if !expected.is_sorted_by(|one, next| one < next) => {
            not_followed(body.op, "`memplan.pieces` is malformed")
        }
        None => Ok(()),
    }
}

/// Whether memory that is whole is apart from that of strips, and sums are apart from all else.
pub fn check_roots<'c>(body: &Body<'c>) -> Result<'c, ()> {
    let mut sums: FxHashMap<usize, usize> = FxHashMap::default();
    let mut whole: FxHashMap<usize, usize> = FxHashMap::default();
    for (number, piece) in body.pieces.iter().enumerate() {
        for access in &piece.accesses {
            let root = &body.roots[access.root];
            if access.is_sum {
                sums.insert(access.root, number);
            }
            let is_mixed = root.is_whole && (root.is_inside || root.is_of_strips);
            if is_mixed || (access.is_between && !root.is_private) {
                let text = "memory of strips takes the place of memory that is whole".to_owned();
                return stop(piece.op, Stop::Wrong(text));
            }
            if root.is_whole && *whole.entry(access.buffer).or_insert(access.root) != access.root {
                let operand = access.operand;
                let text = format!("operand {operand} has another memory than an operation before");
                return stop(piece.op, Stop::Wrong(text));
            }
        }
    }
    for (number, piece) in body.pieces.iter().enumerate() {
        for access in &piece.accesses {
            if sums.get(&access.root).is_some_and(|by| *by != number) {
                let text = "it uses memory in which another operation adds up over strips";
                return stop(piece.op, Stop::Wrong(text.to_owned()));
            }
        }
    }
    for (op, root) in &body.seen {
        let root_of = &body.roots[*root];
        let is_read_only = root_of.dimensions.is_none() && !sums.contains_key(root);
        if root_of.is_inside || root_of.is_of_strips || !is_read_only {
            return not_followed(*op, "an operation in its region uses memory of the strips");
        }
    }
    Ok(())
}
