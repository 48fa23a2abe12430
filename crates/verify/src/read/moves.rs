//! Moves of buffers.
//!
//! A buffer moves by a view of its next place, marked `memplan.move` in addition to its number, and a later copy of
//! all of it with the same mark. The copy is a `memref.copy` if the two places have no byte in common, or
//!
//! ```text
//! scf.for i = 0 to n step 1 { at = i or n - 1 - i; store (load source[at]), target[at] }
//! ```
//!
//! over all n contiguous elements. The loop counts upwards if the buffer moves down, and downwards if it moves up,
//! so that no element is overwritten before it is read. Only these two patterns are accepted.
//!
//! Each place of a buffer is a slice of its own. References to the old place are as stale as those to an instance
//! that was born again. In a function that moves buffers, each buffer has exactly one view that is not the target
//! of a move.

use super::ProgramReader;
use crate::{
    codes,
    program::{Action, ArenaId},
};
use memplan_mlir::{
    build,
    ir::{
        Identity, Key, Op, Origin, Val, next_in_block, operands, ops, origin, regions, results,
        type_of,
    },
    layout::row_length,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::{BUFFER, MOVE};
use memplan_semantics::{
    Computes, DataStart, Loop, ResultFact, arithmetic::Binary, constants::no_known_values,
    declared::is_effect_free, loops::Iterations, op_memory::OperandNumber,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The number of operations that may be between the view of the next place and the copy.
const MOST_BETWEEN: usize = 4;

/// The moves of a function.
#[derive(Default)]
pub struct Moves<'c> {
    /// The first view of each buffer.
    first: FxHashMap<(ArenaId, i64), Op<'c>>,
    /// Views to which buffers move, in the order of the text.
    targets: Vec<Op<'c>>,
    /// The views that are the target of a copy.
    reached: FxHashSet<Key>,
}

/// A view of a buffer at a static place.
struct MovedView<'c> {
    view: Op<'c>,
    arena: Val<'c>,
    buffer: i64,
    bytes: Range<u64>,
}

impl<'c> ProgramReader<'c, '_> {
    /// Checks a view with a number, in a function that moves buffers.
    pub(super) fn placed(&mut self, op: Op<'c>, arena: ArenaId, buffer: i64) {
        let Some(moves) = &mut self.moves else { return };
        if op.has_attribute(MOVE) {
            moves.targets.push(op);
            return;
        }
        let known = *moves.first.entry((arena, buffer)).or_insert(op);
        if known.key() != op.key() {
            let reason = format!("buffer {buffer} is at another offset without a move");
            self.malformed(op, codes::MOVE, reason);
        }
    }

    /// Reports views that are the target of a move without a copy.
    pub(super) fn finish_moves(&mut self) {
        let Some(moves) = self.moves.take() else {
            return;
        };
        for op in moves.targets {
            if !moves.reached.contains(&op.key()) {
                let buffer = build::integer(op, BUFFER).unwrap_or_default();
                let reason = format!("buffer {buffer} is not copied to its new offset");
                self.malformed(op, codes::MOVE, reason);
            }
        }
    }

    /// Reads an operation that is marked as a move.
    pub(super) fn moved(&mut self, op: Op<'c>) {
        if let Err(reason) = self.read_move(op) {
            let reason = format!("a move cannot be verified: {reason}");
            self.malformed(op, codes::MOVE, reason);
        }
    }

    fn read_move(&mut self, op: Op<'c>) -> Result<(), &'static str> {
        let operand = |at: OperandNumber| operands(op).nth(at as usize);
        let (source, target, up) = if let Some(copy) = self.semantics.copy(op)
            && copy.order.is_none()
            && let Some((from, to)) = operand(copy.from).zip(operand(copy.to))
        {
            (from, to, None)
        } else {
            let (source, target, up) = self.copy_loop(op)?;
            (
                self.contiguous_base(source),
                self.contiguous_base(target),
                Some(up),
            )
        };
        let (from, to) = (self.moved_view(source)?, self.moved_view(target)?);
        if let Some(moves) = &mut self.moves
            && !moves.reached.insert(to.view.key())
        {
            return Err("the buffer was already moved there");
        }
        if from.arena.key() != to.arena.key() || from.buffer != to.buffer {
            return Err("it copies another buffer");
        }
        if type_of(source) != type_of(target) {
            return Err("the buffer has another type there");
        }
        if !to.view.has_attribute(MOVE) {
            return Err("no move of the buffer to that offset is recorded");
        }
        let overlaps = from.bytes.start < to.bytes.end && to.bytes.start < from.bytes.end;
        match up {
            None if overlaps => return Err("the two places overlap"),
            // A move downwards copies upwards.
            Some(up) if up != (to.bytes.start < from.bytes.start) => {
                return Err("it overwrites bytes that it has not read");
            }
            _ => {}
        }
        let mut between = next_in_block(to.view);
        for _ in 0..MOST_BETWEEN {
            match between {
                Some(next) if next.key() == op.key() => break,
                Some(next) if is_effect_free(next) && regions(next).next().is_none() => {
                    between = next_in_block(next);
                }
                _ => break,
            }
        }
        if between.is_none_or(|next| next.key() != op.key()) {
            return Err("it is not directly after the view of the new offset");
        }
        let (from, to) = (self.value(source), self.value(target));
        let op = self.id(op);
        self.program.moves.insert(op);
        self.action(op, Action::Move { from, to });
        Ok(())
    }

    /// The view of a buffer at a static place.
    fn moved_view(&mut self, value: Val<'c>) -> Result<MovedView<'c>, &'static str> {
        const NO_BUFFER: &str = "its source is not a buffer";
        let Some(Origin::Result(op, _)) = origin(value) else {
            return Err(NO_BUFFER);
        };
        let buffer = build::integer(op, BUFFER).ok_or(NO_BUFFER)?;
        let view = self.semantics.byte_view(op).ok_or(NO_BUFFER)?;
        let arena = view.source;
        if !self.arenas.contains_key(&arena.key()) {
            return Err(NO_BUFFER);
        }
        let start = self.constant(view.shift);
        let start = start.and_then(|at| u64::try_from(at).ok());
        let start = start.ok_or("an offset is unknown")?;
        let extent = self.layout.extent(type_of(value));
        let size = extent.map_err(|_| "a size is unknown")?.size;
        let end = start.checked_add(size).ok_or("an offset is too large")?;
        Ok(MovedView {
            view: op,
            arena,
            buffer,
            bytes: start..end,
        })
    }

    /// The value whose elements `value` has as contiguous memory of one dimension.
    fn contiguous_base(&mut self, value: Val<'c>) -> Val<'c> {
        let Some(Origin::Result(op, at)) = origin(value) else {
            return value;
        };
        let source = match self.semantics.of(op).result(at) {
            Some(ResultFact::View {
                of,
                start: DataStart::Same,
            }) => operands(op).nth(*of as usize),
            _ => None,
        };
        source.unwrap_or(value)
    }

    /// A loop that copies all elements of one contiguous memref to another: both, and whether it counts upwards.
    fn copy_loop(&mut self, op: Op<'c>) -> Result<(Val<'c>, Val<'c>, bool), &'static str> {
        const OTHER: &str = "the loop does something else";
        let counts = Loop::of(op, &mut self.semantics).ok_or("it is not a copy")?;
        let counted = counts.counted(&mut self.semantics, &no_known_values);
        let dimension = counts.only_dimension().ok_or(OTHER)?;
        if results(op).next().is_some() {
            return Err(OTHER);
        }
        let body = counts.body().ok_or(OTHER)?;
        let inside: Vec<Op<'c>> = ops(body).collect();
        let (minus, load, store) = match inside[..] {
            [load, store, _] => (None, load, store),
            [minus, load, store, _] => (Some(minus), load, store),
            _ => return Err(OTHER),
        };
        let Some(Computes::Element(source)) = self.semantics.computed(load) else {
            return Err(OTHER);
        };
        let stored = self.semantics.stored_element(store).ok_or(OTHER)?;
        let count = self.contiguous_elements(source).ok_or("it copies no row")?;
        let all = u64::try_from(count).map(|count| Iterations {
            lower: 0,
            step: 1,
            count,
        });
        if all.ok() != counted.ok() || self.contiguous_elements(stored.memref) != Some(count) {
            return Err("it does not copy all elements");
        }
        let iteration = dimension.induction;
        let at = match minus {
            None => iteration,
            Some(minus) => self.reversed_index(minus, iteration, count).ok_or(OTHER)?,
        };
        // Both have one dimension, so they have one index.
        let read_at = operands(load).nth(1);
        let is_copied = Some(stored.value) == results(load).next()
            && read_at == Some(at)
            && stored.indices.as_slice() == [at];
        match is_copied {
            true => Ok((source, stored.memref, minus.is_none())),
            false => Err(OTHER),
        }
    }

    /// `count - 1 - iteration`.
    fn reversed_index(&mut self, op: Op<'c>, iteration: Val<'c>, count: i64) -> Option<Val<'c>> {
        let result = results(op).next()?;
        let [last, by] = self.binary(result, Binary::Subtract)?;
        (by == iteration && self.constant(last) == Some(count - 1)).then_some(result)
    }

    /// The number of elements of a one-dimensional value, if they are all of the memory that it refers to.
    fn contiguous_elements(&mut self, value: Val<'c>) -> Option<i64> {
        let length = row_length(type_of(value))?;
        let whole = self.contiguous_base(value);
        let same = self.layout.extent(type_of(whole)).ok()?.size
            == self.layout.extent(type_of(value)).ok()?.size;
        same.then_some(length)
    }
}
