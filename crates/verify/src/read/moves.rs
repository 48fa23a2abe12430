//! Buffers that are moved.
//!
//! A buffer moves by a view of its next place, marked `memplan.move` beside its number, and behind that a
//! copy of all of it, marked so as well: a `memref.copy` where the two places have no byte in common, or
//!
//! ```text
//! scf.for i = 0 to n step 1 { at = i or n - 1 - i; store (load source[at]), target[at] }
//! ```
//!
//! over all n elements in a row, which goes up if the buffer moves down and down if it moves up: then no
//! element is overwritten before it is read. Nothing is believed but these two patterns.
//!
//! Each place of a buffer is a slice of its own. What refers to a place that its buffer has left is as stale
//! as what refers to an instance that was born again. In a function that moves buffers, each has one view
//! that is not the goal of a move.

use super::Reader;
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
    Computes, DataStart, Loop, ResultFact, arithmetic::Binary, constants::nothing,
    declared::is_effect_free, loops::Iterations, op_memory::OperandNumber,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// So many operations may stand between the view of the next place and the copy.
const BETWEEN: usize = 4;

/// What is known of moves.
#[derive(Default)]
pub struct Moves<'c> {
    /// Where each buffer is first.
    first: FxHashMap<(ArenaId, i64), Op<'c>>,
    /// Views that buffers move to, in the order of the text.
    goals: Vec<Op<'c>>,
    /// Those that something is copied to.
    reached: FxHashSet<Key>,
}

/// A view of a buffer at a place that is known.
struct Place<'c> {
    view: Op<'c>,
    arena: Val<'c>,
    buffer: i64,
    bytes: Range<u64>,
}

impl<'c> Reader<'c> {
    /// A view with a number, in a function that moves buffers.
    pub(super) fn placed(&mut self, op: Op<'c>, arena: ArenaId, buffer: i64) {
        let Some(moves) = &mut self.moves else { return };
        if op.has_attribute(MOVE) {
            moves.goals.push(op);
            return;
        }
        let known = *moves.first.entry((arena, buffer)).or_insert(op);
        if known.key() != op.key() {
            let why = format!("buffer {buffer} is at another place without having been moved");
            self.malformed(op, codes::MOVE, why);
        }
    }

    /// Views that buffers should have moved to.
    pub(super) fn settle_moves(&mut self) {
        let Some(moves) = self.moves.take() else {
            return;
        };
        for op in moves.goals {
            if !moves.reached.contains(&op.key()) {
                let buffer = build::integer(op, BUFFER).unwrap_or_default();
                let why = format!("buffer {buffer} is not copied to where it is moved");
                self.malformed(op, codes::MOVE, why);
            }
        }
    }

    /// An operation that is marked as a move.
    pub(super) fn moved(&mut self, op: Op<'c>) {
        if let Err(why) = self.moved_by(op) {
            let why = format!("a move cannot be verified: {why}");
            self.malformed(op, codes::MOVE, why);
        }
    }

    fn moved_by(&mut self, op: Op<'c>) -> Result<(), &'static str> {
        let given = |at: OperandNumber| operands(op).nth(at as usize);
        let (source, target, up) = if let Some(copy) = self.semantics.copy(op)
            && copy.order.is_none()
            && let Some((from, to)) = given(copy.from).zip(given(copy.to))
        {
            (from, to, None)
        } else {
            let (source, target, up) = self.row_copy(op)?;
            (self.row_of(source), self.row_of(target), Some(up))
        };
        let (from, to) = (self.place(source)?, self.place(target)?);
        if let Some(moves) = &mut self.moves
            && !moves.reached.insert(to.view.key())
        {
            return Err("the buffer was moved there before");
        }
        if from.arena.key() != to.arena.key() || from.buffer != to.buffer {
            return Err("it copies another buffer");
        }
        if type_of(source) != type_of(target) {
            return Err("the buffer has another type there");
        }
        if !to.view.has_attribute(MOVE) {
            return Err("the buffer is not said to move there");
        }
        let overlaps = from.bytes.start < to.bytes.end && to.bytes.start < from.bytes.end;
        match up {
            None if overlaps => return Err("the two places overlap"),
            // From below where it moves down.
            Some(up) if up != (to.bytes.start < from.bytes.start) => {
                return Err("it overwrites what it has not read");
            }
            _ => {}
        }
        let mut between = next_in_block(to.view);
        for _ in 0..BETWEEN {
            match between {
                Some(next) if next.key() == op.key() => break,
                Some(next) if is_effect_free(next) && regions(next).next().is_none() => {
                    between = next_in_block(next);
                }
                _ => break,
            }
        }
        if between.is_none_or(|next| next.key() != op.key()) {
            return Err("it does not follow the view of the place");
        }
        let (from, to) = (self.value(source), self.value(target));
        let op = self.id(op);
        self.program.moves.insert(op);
        self.step(op, Action::Move { from, to });
        Ok(())
    }

    /// A view with a number at a constant place.
    fn place(&mut self, value: Val<'c>) -> Result<Place<'c>, &'static str> {
        const NO_BUFFER: &str = "it copies something that is no buffer";
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
        let start = start.ok_or("a place is not known")?;
        let extent = self.layout.extent(type_of(value));
        let size = extent.map_err(|_| "a size is not known")?.size;
        let end = start.checked_add(size).ok_or("a place is too large")?;
        Ok(Place {
            view: op,
            arena,
            buffer,
            bytes: start..end,
        })
    }

    /// What a row of all elements is of.
    fn row_of(&mut self, value: Val<'c>) -> Val<'c> {
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

    /// A loop that copies all of one row to another: both, and whether it goes up.
    fn row_copy(&mut self, op: Op<'c>) -> Result<(Val<'c>, Val<'c>, bool), &'static str> {
        const OTHER: &str = "the loop does something else";
        let counts = Loop::of(op, &mut self.semantics).ok_or("it is no copy")?;
        let counted = counts.counted(&mut self.semantics, &nothing);
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
        let count = self.elements_in_a_row(source).ok_or("it is of no row")?;
        let all = u64::try_from(count).map(|count| Iterations {
            lower: 0,
            step: 1,
            count,
        });
        if all.ok() != counted.ok() || self.elements_in_a_row(stored.memref) != Some(count) {
            return Err("it does not copy all elements");
        }
        let turn = dimension.induction;
        let at = match minus {
            None => turn,
            Some(minus) => self.mirrored(minus, turn, count).ok_or(OTHER)?,
        };
        // Both are rows: they have one index.
        let read_at = operands(load).nth(1);
        let is_copied = Some(stored.value) == results(load).next()
            && read_at == Some(at)
            && stored.indices.as_slice() == [at];
        match is_copied {
            true => Ok((source, stored.memref, minus.is_none())),
            false => Err(OTHER),
        }
    }

    /// `count - 1 - turn`.
    fn mirrored(&mut self, op: Op<'c>, turn: Val<'c>, count: i64) -> Option<Val<'c>> {
        let result = results(op).next()?;
        let [last, by] = self.binary(result, Binary::Subtract)?;
        (by == turn && self.constant(last) == Some(count - 1)).then_some(result)
    }

    /// How many elements a value of one dimension has, if these are all of the memory that it is of.
    fn elements_in_a_row(&mut self, value: Val<'c>) -> Option<i64> {
        let row = row_length(type_of(value))?;
        let whole = self.row_of(value);
        let same = self.layout.extent(type_of(whole)).ok()?.size
            == self.layout.extent(type_of(value)).ok()?.size;
        same.then_some(row)
    }
}
