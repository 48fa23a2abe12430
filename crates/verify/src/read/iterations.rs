//! Arenas of iterations of a parallel loop that lie in an arena around the loop, and arenas on the stack.
//!
//! In a loop of `n1 x … x nk` iterations, the arena of an iteration starts at
//!
//! ```text
//! offset + f1 * ((i1 - lower1) / step1) + … + fk * ((ik - lowerk) / stepk)
//! ```
//!
//! with constants for all values but the induction variables. Sorted by size, each factor must be at least the one
//! before it times the number of iterations in that dimension, and the smallest at least the size of an arena. Then
//! no two iterations share a byte. Only this pattern is accepted.
//!
//! Outside the loop, all of these bytes are one slice. It is born and written when an iteration starts, and read
//! when it ends, so any other slice in these bytes is clobbered, or clobbers it.

use super::ProgramReader;
use crate::{
    codes,
    program::{Action, BufferName, Values},
};
use memplan_mlir::{
    build,
    ir::{Block, Identity, Op, Origin, Val, block_parent, ops, origin, parent_block, results},
};
use memplan_semantics::{
    ByteView,
    arithmetic::{Binary, Rounding, Sign},
    attributes::BUFFER,
    loops::{Iterations, parallel_iterations},
};

/// A summand: the dimension, and the factor of its iteration number.
type Summand = (usize, u64);

impl<'c> ProgramReader<'c, '_> {
    /// Reads the arena of an iteration.
    pub(super) fn iteration_arena(&mut self, op: Op<'c>, view: &ByteView<'c>) {
        if let Err(reason) = self.read_iteration_arena(op, view) {
            let reason = format!("the arena of an iteration cannot be verified: {reason}");
            self.malformed(op, codes::PLACE, reason);
        }
    }

    fn read_iteration_arena(
        &mut self,
        op: Op<'c>,
        view: &ByteView<'c>,
    ) -> Result<(), &'static str> {
        let (source, result) = (view.source, view.result);
        let buffer = build::integer(op, BUFFER).ok_or("it has no number")?;
        let outer = self.arenas.get(&source.key()).ok_or("it has no arena")?;
        let (id, scope, whole) = (outer.id, outer.scope, outer.size);
        let alignment = outer.alignment;
        let inner = self.arenas.get(&result.key()).ok_or("it is not an arena")?;
        let (inner, size, wanted) = (inner.id, inner.size, inner.alignment);
        let (whole, size) = whole.zip(size).ok_or("a size is unknown")?;
        if !self.is_arena(source) {
            return Err("it is a view of memory that is not an arena");
        }
        let (block, owner) = self.body_around(op).ok_or("it is not in a loop")?;
        if scope != self.around {
            return Err("its loop is not in the scope of the enclosing arena");
        }
        let (dimensions, _) = parallel_iterations(owner, &mut self.semantics).ok_or(
            "the trip count of its loop \
            is not constant",
        )?;
        let (mut offset, mut summands) = (0, Vec::new());
        self.summands(view.shift, block, &dimensions, &mut offset, &mut summands)?;
        let end = end_of_iterations(offset, size, &dimensions, summands.clone())?;
        if end > whole {
            return Err("it exceeds the enclosing arena");
        }
        let wanted = wanted.unwrap_or(1).max(1);
        if alignment.is_some_and(|alignment| alignment % wanted != 0)
            || offset % wanted != 0
            || summands.iter().any(|(_, factor)| factor % wanted != 0)
        {
            return Err("it is not aligned");
        }
        let all = offset..end;
        self.in_banks(
            op,
            id,
            BufferName::Number(buffer),
            std::slice::from_ref(&all),
        );
        let slice = self.slice_id(id, BufferName::Number(buffer), vec![all]);
        let (bytes, arena, value) = (self.new_value(), self.value(source), self.value(result));
        self.iteration_bytes
            .entry(block.key())
            .or_default()
            .push(bytes);
        let op = self.id(op);
        let birth = Action::Birth {
            slice,
            arena,
            result: bytes,
            choice: None,
        };
        self.action(op, birth);
        let written = Action::access(Values::new(), Values::from_slice(&[bytes]));
        self.action(op, written);
        self.action(
            op,
            Action::Allocate {
                arena: inner,
                value,
            },
        );
        Ok(())
    }

    /// The innermost operation around `op` whose bodies run in parallel, and the block of it that contains `op`.
    fn body_around(&self, op: Op<'c>) -> Option<(Block<'c>, Op<'c>)> {
        let mut at = op;
        loop {
            let block = parent_block(at)?;
            at = block_parent(block)?;
            if self.scope == Some(at.key()) {
                return Some((block, at));
            }
        }
    }

    fn summands(
        &mut self,
        value: Val<'c>,
        block: Block<'c>,
        dimensions: &[Iterations],
        offset: &mut u64,
        summands: &mut Vec<Summand>,
    ) -> Result<(), &'static str> {
        const TOO_LARGE: &str = "its offset is too large";
        let mut rest = value;
        loop {
            if let Some(constant) = self.constant(rest) {
                let constant = u64::try_from(constant).map_err(|_| "its offset is negative")?;
                *offset = offset.checked_add(constant).ok_or(TOO_LARGE)?;
                return Ok(());
            }
            let [sum, product] = self
                .binary(rest, Binary::Add)
                .ok_or("its offset is not a sum of multiples of iteration numbers")?;
            let [number, factor] = self
                .binary(product, Binary::Multiply)
                .ok_or("its offset is not a sum of multiples of iteration numbers")?;
            let factor = self.constant(factor).ok_or("a factor is not constant")?;
            let factor = u64::try_from(factor).map_err(|_| "a factor is negative")?;
            let dimension = self.dimension(number, block, dimensions)?;
            summands.push((dimension, factor));
            rest = sum;
        }
    }

    /// The dimension whose iterations `(variable - lower) / step` numbers.
    fn dimension(
        &mut self,
        iteration: Val<'c>,
        block: Block<'c>,
        dimensions: &[Iterations],
    ) -> Result<usize, &'static str> {
        let (mut rest, mut lower, mut step) = (iteration, 0, 1);
        if let Some([left, right]) =
            self.binary(rest, Binary::Divide(Sign::Unsigned, Rounding::Zero))
        {
            step = self.constant(right).ok_or("a step is not constant")?;
            rest = left;
        }
        if let Some([left, right]) = self.binary(rest, Binary::Subtract) {
            lower = self
                .constant(right)
                .ok_or("a lower bound is not constant")?;
            rest = left;
        }
        let number = match origin(rest) {
            Some(Origin::Argument(of, number)) if of == block => number,
            _ => return Err("an iteration is not numbered by an induction variable of the loop"),
        };
        let dimension = dimensions.get(number);
        dimension
            .filter(|dimension| dimension.lower == lower && dimension.step == step)
            .map(|_| number)
            .ok_or("an iteration is not numbered from the lower bound in steps of the loop")
    }

    /// Reads the bytes of an iteration at its end: they were its own until here.
    pub(super) fn end_iteration(&mut self, block: Block<'c>, end: Op<'c>) {
        let Some(bytes) = self.iteration_bytes.get(&block.key()) else {
            return;
        };
        let read = Action::access(bytes.iter().copied().collect(), Values::new());
        let op = self.id(end);
        self.action(op, read);
    }

    /// Memory allocated on the stack in a `memref.alloca_scope` is dead after it.
    pub(super) fn leave_stack(&mut self, block: Block<'c>, end: Op<'c>) {
        let on_stack: Vec<Val<'c>> = ops(block)
            .filter(|op| self.semantics.of(*op).plain_allocation() == Some(true))
            .flat_map(results)
            .filter(|value| self.arenas.contains_key(&value.key()))
            .collect();
        for value in on_stack {
            let arena = self.arenas[&value.key()].id;
            let value = self.value(value);
            let op = self.id(end);
            self.action(op, Action::Free { arena, value });
        }
    }
}

/// The end of the last arena, if no two share a byte.
fn end_of_iterations(
    offset: u64,
    size: u64,
    dimensions: &[Iterations],
    mut summands: Vec<Summand>,
) -> Result<u64, &'static str> {
    const TOO_LARGE: &str = "its offset is too large";
    summands.sort_by_key(|(dimension, factor)| (*factor, *dimension));
    let mut counted = vec![false; dimensions.len()];
    let (mut least_factor, mut last) = (size, offset);
    for (dimension, factor) in summands {
        if std::mem::replace(&mut counted[dimension], true) {
            return Err("a variable is counted twice");
        }
        if factor < least_factor {
            return Err("two iterations share bytes");
        }
        let count = dimensions[dimension].count;
        least_factor = factor.checked_mul(count.max(1)).ok_or(TOO_LARGE)?;
        let by = factor
            .checked_mul(count.saturating_sub(1))
            .ok_or(TOO_LARGE)?;
        last = last.checked_add(by).ok_or(TOO_LARGE)?;
    }
    let all = counted.iter().zip(dimensions);
    if all
        .into_iter()
        .any(|(counted, one)| !counted && one.count > 1)
    {
        return Err("two iterations share bytes");
    }
    last.checked_add(size).ok_or(TOO_LARGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(count: u64) -> Iterations {
        Iterations {
            lower: 0,
            step: 1,
            count,
        }
    }

    #[test]
    fn disjoint_iterations_end_with_the_last_one() {
        let dimensions = [dimension(3), dimension(4)];
        assert_eq!(
            end_of_iterations(64, 10, &dimensions, vec![(0, 64), (1, 16)]),
            Ok(64 + 128 + 48 + 10)
        );
    }

    #[test]
    fn iterations_that_share_a_byte_are_refused() {
        let dimensions = [dimension(3), dimension(4)];
        assert!(end_of_iterations(0, 17, &dimensions, vec![(0, 64), (1, 16)]).is_err());
        assert!(end_of_iterations(0, 16, &dimensions, vec![(0, 63), (1, 16)]).is_err());
        assert!(end_of_iterations(0, 16, &dimensions, vec![(0, 64)]).is_err());
        assert!(end_of_iterations(0, 16, &dimensions, vec![(0, 64), (0, 16)]).is_err());
    }
}
