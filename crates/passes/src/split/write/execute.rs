//! Operations on the rows of a strip.

use super::{
    super::{item_shapes::ITEMS, read::shape_with},
    numbers::{Computed, NumberKey},
    operand::{Rows, operand},
    rows::{CurrentStrip, first_row, iterations, part_of},
    writer::{Item, Kind, Memory, Writer},
};
use memplan_mlir::{
    build::{BuildError, Builder, set_attribute},
    ir::{
        Block, Identity, Op, Origin, Val, blocks, erase, operands, ops, origin, regions,
        replace_all_uses, results, type_of,
    },
    loops::lower_affine,
    melior::ir::operation::OperationLike,
    values::set_operand,
};
use memplan_semantics::{LinearLoops, attributes::ITEM};
use memplan_strips::{chain::Spread, frontiers::Frontiers, program::Access, views::View};
use smallvec::SmallVec;

impl<'c> Writer<'_, 'c> {
    /// Executes a link on the rows of a strip.
    pub(super) fn execute(
        &mut self,
        builder: &Builder<'c>,
        at: usize,
        both: [Option<&CurrentStrip<'c>>; 2],
        memory: &[Option<Memory<'c>>],
    ) -> Result<(), BuildError> {
        let op = self.reading.ops[self.link(at).node.index()];
        let builder = builder.located(op.location());
        let node = self.reading.program.node(self.link(at).node);
        let (copy, loops) = self
            .copied(&builder, op)
            .ok_or_else(BuildError::unexpected)?;
        // Views are inserted before it.
        let before = Builder::before(copy, op.location()).ok_or_else(BuildError::unexpected)?;
        let operands = &self.reading.operands[self.link(at).node.index()];
        for (place, (_, number)) in operands.iter().enumerate() {
            let memref = loops.memref(place).ok_or_else(BuildError::unexpected)?;
            let seen = (*number, &node.accesses[*number], memref);
            if let Some(value) = self.operand(&before, at, seen, both, memory)? {
                let (op, operand) = loops.places[place];
                set_operand(op, operand, value);
            }
        }
        self.bound(&before, &loops, at, both)?;
        // Strips are narrow, so that calls cost more than loops.
        if let Some([from, to]) = self.semantics.copy_by_call(copy) {
            let copied = before.copy_elements(from, to);
            let copied = copied.ok_or_else(BuildError::unexpected)?;
            if let Ok(item) = copy.attribute(ITEM) {
                set_attribute(copied, ITEM, item);
            }
            erase(copy);
            return self.record(at, copied);
        }
        self.record(at, copy)?;
        self.shift_indices(&before, copy, at, both)
    }

    /// A copy of an operation, whose loops have bounds that can be set.
    fn copied(&mut self, builder: &Builder<'c>, op: Op<'c>) -> Option<(Op<'c>, LinearLoops<'c>)> {
        let mut copy = builder.copied(op)?;
        let mut loops = self.semantics.linear_loops(copy)?;
        if loops.loops.iter().any(|place| place.operand.is_none()) {
            copy = lower_affine(copy)?;
            loops = self.semantics.linear_loops(copy)?;
        }
        Some((copy, loops))
    }

    /// Sets the bounds of split loops that are operations.
    fn bound(
        &self,
        before: &Builder<'c>,
        loops: &LinearLoops<'c>,
        at: usize,
        both: [Option<&CurrentStrip<'c>>; 2],
    ) -> Result<(), BuildError> {
        for (dimension, (spread, _)) in self.splits.iter().enumerate() {
            let (Some(current), Some(place)) = (
                both[dimension],
                loops.loops.get(spread.links[at].split as usize),
            ) else {
                continue;
            };
            let numbers = self.numbers(before);
            let count = iterations(current, self.front(dimension, Item::Link(at)));
            let upper = numbers.value(numbers.linear(count, 1, place.lower)?)?;
            let operand = place.operand.ok_or_else(BuildError::unexpected)?;
            set_operand(place.op, operand, upper);
        }
        Ok(())
    }

    /// What an access sees in a strip of its memref; `None` if it sees all of it.
    fn operand(
        &self,
        builder: &Builder<'c>,
        at: usize,
        (number, access, memref): (usize, &Access, Val<'c>),
        both: [Option<&CurrentStrip<'c>>; 2],
        memory: &[Option<Memory<'c>>],
    ) -> Result<Option<Val<'c>>, BuildError> {
        let numbers = self.numbers(builder);
        let place = self.spread().place(access.buffer);
        let held = place.filter(|place| self.is_between(*place));
        let mut rows: SmallVec<[Rows<'c>; 2]> = SmallVec::new();
        for (dimension, (spread, _)) in self.splits.iter().enumerate() {
            let (Some(window), Some(current)) = (spread.links[at].windows[number], both[dimension])
            else {
                return Ok(None);
            };
            let front = self.front(dimension, Item::Link(at));
            let held = held.map(|place| self.held(dimension, place));
            rows.push(part_of(&numbers, current, &window, front, held)?);
        }
        // What is whole in memory is seen as before.
        let (view, whole) = (self.reading.program.view(access), View::default());
        let (value, shape, view) = match held.map(|place| memory[place].clone()) {
            Some(held) => {
                let (value, shape) = held.ok_or_else(BuildError::unexpected)?;
                (value, shape, view)
            }
            None => {
                let shape = match self.kind {
                    Kind::Strips(_) => shape_with(type_of(memref), None),
                    Kind::Items(..) => shape_with(type_of(memref), Some(ITEMS)),
                    Kind::Lengths(lengths, _) => lengths.known(memref),
                };
                let shape = shape.ok_or_else(BuildError::unexpected)?;
                (memref, shape, &whole)
            }
        };
        let parts = rows.iter().map(|rows| {
            let [start, count] = [rows.start, rows.count].map(NumberKey::of);
            (rows.dimension, start, count)
        });
        let computed = Computed::Seen(value.key(), access.view, parts.collect());
        let seen = || operand(&numbers, value, &shape, view, &rows);
        self.known.get_or_build(computed, seen).map(Some)
    }

    /// Adds the first row to the numbers of iterations of split loops.
    pub(super) fn shift_indices(
        &mut self,
        before: &Builder<'c>,
        op: Op<'c>,
        at: usize,
        both: [Option<&CurrentStrip<'c>>; 2],
    ) -> Result<(), BuildError> {
        let mut open: Vec<Block<'c>> = regions(op).flat_map(blocks).collect();
        let mut found: Vec<(Op<'c>, usize)> = Vec::new();
        while let Some(block) = open.pop() {
            for nested in ops(block) {
                open.extend(regions(nested).flat_map(blocks));
                let number = self.semantics.loop_index(nested);
                let is_split =
                    |(spread, _): &(&Spread, &Frontiers)| number == Some(spread.links[at].split);
                if let Some(dimension) = self.splits.iter().position(is_split) {
                    found.push((nested, dimension));
                }
            }
        }
        for (index, dimension) in found {
            let Some(current) = both[dimension] else {
                continue;
            };
            let numbers = self.numbers(before);
            let front = self.front(dimension, Item::Link(at));
            let first = numbers.value(first_row(&numbers, current, front)?)?;
            let after = Builder::after(index, index.location());
            let after = after.ok_or_else(BuildError::unexpected)?;
            let value = results(index).next().ok_or_else(BuildError::unexpected)?;
            let sum = after.add(value, first)?;
            replace_all_uses(value, sum);
            if let Some(Origin::Result(add, _)) = origin(sum) {
                let at = operands(add).position(|operand| operand == sum);
                set_operand(add, at.unwrap_or(0), value);
            }
        }
        Ok(())
    }
}
