//! Computes sizes and offsets before an arena. Takes no decisions.

mod stack;

use super::{
    decide::{Part, Slot},
    facts::{DimId, Size, Term},
    layout::{Layout, Multiples},
    moves::{guarded, may_move},
    sources::{Condition, Site, Sources},
};
use crate::index_constants::IndexConstants;
use memplan_lifetimes::program::BufferId;
use memplan_mlir::{
    build::{BuildError, Builder, Compare},
    ir::{Identity, Key, Op, Origin, Val, operands, origin, parent, parent_block, type_of},
    values,
};
use memplan_semantics::speculation::Divisor;
use rustc_hash::FxHashMap;

/// Largest size of a slot, in bytes: larger ones exceed every address space, and the sum of all slots must
/// not overflow.
pub const MOST_BYTES: i64 = 1 << 54;

/// Values computed for an arena.
pub struct Computed<'c> {
    /// Insertion point before the arena.
    pub builder: Builder<'c>,
    /// Bytes of the arena.
    pub total: Val<'c>,
    /// Offset of each buffer's slot.
    pub offsets: FxHashMap<BufferId, Val<'c>>,
}

/// Computes the size of an arena of `fixed` bytes and the slots of `part`, and the offsets of the slots.
/// They are computed before `anchor`, or before the operation of the part. `None` if there is no insertion point.
pub fn compute<'c>(
    sources: &Sources<'c>,
    fixed: u64,
    part: &Part,
    anchor: Option<Op<'c>>,
) -> Result<Option<Computed<'c>>, BuildError> {
    let Some(first) = sources.sites.get(part.site.0 as usize) else {
        return Ok(None);
    };
    let Some(anchor) = anchor.or_else(|| first.ops.get(part.place as usize).copied()) else {
        return Ok(None);
    };
    let Some(builder) = Builder::before(anchor, first.location()) else {
        return Ok(None);
    };
    let mut computer = Computer {
        sources,
        first,
        anchor,
        builder,
        constants: IndexConstants::new(builder),
        products: FxHashMap::default(),
    };
    for buffer in part.slots.iter().flat_map(|slot| &slot.members) {
        let operands = sources.operands.get(buffer).into_iter().flatten().flatten();
        let factors = sources.factors.get(buffer).into_iter();
        for dim in operands.chain(factors.flat_map(|factors| &factors.dims)) {
            computer.hoist(sources.dims[dim.0 as usize])?;
        }
    }
    let mut offsets = FxHashMap::default();
    let alignment = part.slots.first().map_or(1, |slot| slot.alignment);
    let start = fixed.next_multiple_of(alignment) as i64;
    let mut at = computer.constants.get(start)?;
    if let [slot] = part.slots.as_slice()
        && let Some(Layout::Stack(stack)) = &slot.layout
    {
        let total = computer.stack(at, slot, stack, &mut offsets)?;
        return Ok(Some(Computed {
            builder,
            total,
            offsets,
        }));
    }
    let last = part.slots.iter().rposition(|slot| !slot.is_conditional());
    let mut ends = Vec::new();
    for (index, slot) in part.slots.iter().enumerate() {
        let size = match &slot.layout {
            Some(Layout::Multiples(layout)) => {
                let unit = computer.unit(layout)?;
                let mut made: FxHashMap<u64, Val<'c>> = FxHashMap::default();
                for (buffer, units) in slot.members.iter().zip(&layout.offsets) {
                    let offset = match made.get(units) {
                        Some(offset) => *offset,
                        None => computer.offset(at, unit, *units)?,
                    };
                    made.insert(*units, offset);
                    offsets.insert(*buffer, offset);
                }
                computer.times(unit, layout.units)?
            }
            _ => {
                for buffer in &slot.members {
                    offsets.insert(*buffer, at);
                }
                computer.size(&slot.terms, MOST_BYTES)?
            }
        };
        if last.is_none_or(|last| last <= index) {
            ends.push((at, size));
        }
        if let Some(next) = part.slots.get(index + 1) {
            let taken = match slot.layout {
                // It is a multiple of its own alignment.
                Some(_) => size,
                None => computer.round_up(size, next.alignment as i64)?,
            };
            at = computer.builder.add(at, taken)?;
        }
    }
    let total = computer.total(fixed, part, &ends)?;
    Ok(Some(Computed {
        builder,
        total,
        offsets,
    }))
}

struct Computer<'a, 'c> {
    sources: &'a Sources<'c>,
    first: &'a Site<'c>,
    anchor: Op<'c>,
    builder: Builder<'c>,
    constants: IndexConstants<'c>,
    /// Products of several dimensions.
    products: FxHashMap<(Key, Key), Val<'c>>,
}

impl<'c> Computer<'_, 'c> {
    /// The largest of some sizes, at most `most`.
    fn size(&mut self, terms: &[Term], most: i64) -> Result<Val<'c>, BuildError> {
        let mut largest = None;
        for term in terms {
            let bytes = self.term(term, most)?;
            largest = Some(match largest {
                None => bytes,
                Some(largest) => self.builder.maximum(bytes, largest)?,
            });
        }
        let nothing = self.constants.get(0)?;
        match (largest, terms) {
            (None, _) => Ok(nothing),
            // What a condition selects alone could be one of two layouts.
            (Some(bytes), [only]) if !only.guards.is_empty() => {
                self.builder.maximum(bytes, nothing)
            }
            (Some(bytes), _) => Ok(bytes),
        }
    }

    /// The size that others are multiples of: as many of them as there are do not overflow.
    fn unit(&mut self, layout: &Multiples) -> Result<Val<'c>, BuildError> {
        let most = (MOST_BYTES / layout.units.clamp(1, MOST_BYTES as u64) as i64).max(1);
        let bytes = self.product(&layout.unit, most)?;
        self.round_up(bytes, layout.rounding as i64)
    }

    fn times(&mut self, unit: Val<'c>, units: u64) -> Result<Val<'c>, BuildError> {
        if units == 1 {
            return Ok(unit);
        }
        let count = self.constants.get(units as i64)?;
        self.builder.multiply(unit, count)
    }

    fn offset(&mut self, at: Val<'c>, unit: Val<'c>, units: u64) -> Result<Val<'c>, BuildError> {
        if units == 0 {
            return Ok(at);
        }
        let before = self.times(unit, units)?;
        self.builder.add(at, before)
    }

    /// A size, at most `most`. Dimensions are numbers without a sign: a negative one is too large, and so is a product that
    /// would wrap around. The arena is then too large to be allocated, and never too small.
    fn product(&mut self, size: &Size, most: i64) -> Result<Val<'c>, BuildError> {
        let mut dims = size.dims.iter();
        let Some(first) = dims.next().filter(|_| size.bytes > 0) else {
            return self.constants.get(size.bytes.min(most as u64) as i64);
        };
        let mut product = self.dim(*first);
        for dim in dims {
            product = self.saturating_product(product, self.dim(*dim))?;
        }
        let bytes = size.bytes.min(most as u64) as i64;
        let largest = self.constants.get(most / bytes)?;
        let elements = self.builder.unsigned_minimum(product, largest)?;
        self.times(elements, bytes as u64)
    }

    /// A product of numbers without a sign, or the largest number if it has more bits.
    fn saturating_product(&mut self, one: Val<'c>, other: Val<'c>) -> Result<Val<'c>, BuildError> {
        let key = (one.key(), other.key());
        if let Some(known) = self.products.get(&key) {
            return Ok(*known);
        }
        let (low, high) = self.builder.wide_product(one, other)?;
        let (nothing, largest) = (self.constants.get(0)?, self.constants.get(-1)?);
        let overflows = self.builder.compare(Compare::NotEqual, high, nothing)?;
        let product = self.builder.select(overflows, largest, low)?;
        self.products.insert(key, product);
        Ok(product)
    }

    fn term(&mut self, term: &Term, most: i64) -> Result<Val<'c>, BuildError> {
        let mut bytes = self.product(&term.size, most)?;
        // One select for each condition: a condition may be undefined if an enclosing one does not hold.
        for (guard, holds) in term.guards.iter().rev() {
            let condition = match self.sources.guards[guard.0 as usize] {
                Condition::Value(value) => {
                    self.hoist(value)?;
                    value
                }
                Condition::Runs(low, high, unsigned) => {
                    self.hoist(low)?;
                    self.hoist(high)?;
                    let less = if unsigned {
                        Compare::UnsignedLess
                    } else {
                        Compare::Less
                    };
                    self.builder.compare(less, low, high)?
                }
            };
            let nothing = self.constants.get(0)?;
            bytes = if *holds {
                self.builder.select(condition, bytes, nothing)?
            } else {
                self.builder.select(condition, nothing, bytes)?
            };
        }
        Ok(bytes)
    }

    /// End of the last slot that is not empty, so that rounding up to an empty slot takes no bytes.
    fn total(
        &mut self,
        fixed: u64,
        part: &Part,
        ends: &[(Val<'c>, Val<'c>)],
    ) -> Result<Val<'c>, BuildError> {
        let may_be_empty = part.slots.last().is_some_and(Slot::is_conditional);
        let mut total = None;
        if may_be_empty && part.slots.iter().all(Slot::is_conditional) {
            total = Some(self.constants.get(fixed as i64)?);
        }
        let nothing = self.constants.get(0)?;
        for (at, size) in ends {
            let mut end = self.builder.add(*at, *size)?;
            if !may_be_empty {
                return Ok(end);
            }
            let Some(before) = total else {
                total = Some(end);
                continue;
            };
            let is_there = self.builder.compare(Compare::Less, nothing, *size)?;
            end = self.builder.select(is_there, end, nothing)?;
            total = Some(self.builder.maximum(before, end)?);
        }
        total.map_or_else(|| self.constants.get(fixed as i64), Ok)
    }

    /// A sum, without an operation for nothing.
    fn sum(&mut self, one: Val<'c>, other: Val<'c>) -> Result<Val<'c>, BuildError> {
        match one == self.constants.get(0)? {
            true => Ok(other),
            false => self.builder.add(one, other),
        }
    }

    fn dim(&self, dim: DimId) -> Val<'c> {
        self.sources.dims[dim.0 as usize]
    }

    fn round_up(&mut self, size: Val<'c>, alignment: i64) -> Result<Val<'c>, BuildError> {
        if alignment <= 1 {
            return Ok(size);
        }
        let more = self.constants.get(alignment - 1)?;
        let mask = self.constants.get(-alignment)?;
        let sum = self.builder.add(size, more)?;
        self.builder.and(sum, mask)
    }

    /// Moves the definition of a value before the arena, if it is not there.
    fn hoist(&mut self, value: Val<'c>) -> Result<(), BuildError> {
        self.hoist_before(value, self.anchor)
    }

    /// Moves the definition of a value before an operation of the arena's block, or further up, so that it
    /// stays before its uses.
    fn hoist_before(&mut self, value: Val<'c>, anchor: Op<'c>) -> Result<(), BuildError> {
        let Some(Origin::Result(op, _)) = origin(value) else {
            return Ok(());
        };
        // Its current position: it may have been moved for another arena.
        let anchor = match self.around(op) {
            Some(around) if values::is_before(around, anchor) => around,
            _ => anchor,
        };
        if anchor.key() == op.key() || !self.first.holds(op) {
            return Ok(());
        }
        // A value whose operation must not move was not ready here.
        if !may_move(op) {
            return Ok(());
        }
        for operand in operands(op) {
            self.hoist_before(operand, anchor)?;
        }
        if let Some((by, divisor)) = guarded(op) {
            let builder = Builder::before(anchor, self.first.location());
            let builder = builder.ok_or_else(BuildError::unexpected)?;
            guard_division(op, by, divisor, builder)?;
        }
        values::move_before(op, anchor);
        Ok(())
    }

    /// The operation of the arena's block that is or contains an operation.
    fn around(&self, op: Op<'c>) -> Option<Op<'c>> {
        let block = parent_block(self.anchor)?;
        let mut at = op;
        while parent_block(at)? != block {
            at = parent(at)?;
        }
        Some(at)
    }
}

/// Gives a division a divisor for which it is defined: where the divisor changes, the program would not have
/// executed it.
fn guard_division<'c>(
    op: Op<'c>,
    by: Divisor,
    divisor: Val<'c>,
    builder: Builder<'c>,
) -> Result<(), BuildError> {
    let Some(divided) = operands(op).next() else {
        return Ok(());
    };
    let r#type = type_of(divisor);
    let zero = builder.constant(0, r#type)?;
    let one = builder.constant(1, r#type)?;
    let mut undefined = builder.compare(Compare::Equal, divisor, zero)?;
    if by.signed {
        // The smallest number divided by -1: the number that is its own negative and not 0.
        let minus_one = builder.constant(-1, r#type)?;
        let negative = builder.subtract(zero, divided)?;
        let itself = builder.compare(Compare::Equal, negative, divided)?;
        let by_minus_one = builder.compare(Compare::Equal, divisor, minus_one)?;
        let overflows = builder.and(itself, by_minus_one)?;
        undefined = builder.or(undefined, overflows)?;
    }
    let divisor = builder.select(undefined, one, divisor)?;
    values::set_operand(op, by.operand as usize, divisor);
    Ok(())
}
