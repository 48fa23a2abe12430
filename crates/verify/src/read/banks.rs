//! Reads where the banks of arenas are, and which slices are where.

use super::ProgramReader;
use crate::{
    bank_layout::Banks,
    banks, codes,
    program::{ApartOperands, ArenaId, BufferName, SliceId},
};
use memplan_mlir::{
    attributes::{PlainValue, elements, integers, plain_value},
    ir::{Op, Origin, Val, has_mark, is_memref, operands, origin, type_of},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::attributes::{ACROSS_BANKS, APART, BANK, BANKS};
use std::ops::Range;

impl<'c> ProgramReader<'c, '_> {
    /// Reads where the banks of an arena are.
    pub(super) fn banks(&mut self, id: ArenaId, arena: Val<'c>) {
        let (at, attribute) = match origin(arena) {
            Some(Origin::Result(op, _)) => (op, op.attribute(BANKS).ok()),
            Some(Origin::Argument(_, number)) => {
                let attribute = symbols::argument_attribute(self.function, number, BANKS);
                (self.function, attribute)
            }
            None => return,
        };
        let Some(attribute) = attribute else {
            return;
        };
        let text = match plain_value(attribute) {
            Some(PlainValue::Text(text)) => text,
            _ => String::new(),
        };
        let Some(banks) = Banks::parse(&text) else {
            let reason = format!("`{BANKS}` does not say where banks are: {attribute}");
            return self.malformed(at, codes::BANK, reason);
        };
        self.program.banks.arenas.insert(id, banks);
        self.bank_spaces.push(memory_space(type_of(arena)));
    }

    /// Checks that a slice is in its banks. A view that was written anew may have lost its attributes.
    pub(super) fn in_banks(
        &mut self,
        op: Op<'c>,
        arena: ArenaId,
        buffer: BufferName,
        slots: &[Range<u64>],
    ) {
        let Some(banks) = self.program.banks.arenas.get(&arena) else {
            return;
        };
        if !matches!(buffer, BufferName::Number(_)) {
            return;
        }
        let allowed = op.attribute(BANK).ok().map(|attribute| {
            let number = match plain_value(attribute) {
                Some(PlainValue::Integer(number)) => Some(vec![number]),
                _ => integers(attribute),
            };
            // No bank has this number.
            number.unwrap_or_else(|| vec![-1])
        });
        let allowed = allowed.unwrap_or_default();
        let crosses = has_mark(op, ACROSS_BANKS);
        let mut wrong = slots
            .iter()
            .filter_map(|slot| banks.misplaced(slot, &allowed, crosses));
        if let Some(why) = wrong.next() {
            self.malformed(op, codes::BANK, format!("buffer {buffer} {why}"));
        }
    }

    /// Records the groups of a slice that are apart.
    pub(super) fn grouped(&mut self, op: Op<'c>, arena: ArenaId, slice: SliceId) {
        let Ok(attribute) = op.attribute(APART) else {
            return;
        };
        let text = |one| match plain_value(one) {
            Some(PlainValue::Text(text)) => Some(text),
            _ => None,
        };
        let names = match elements(attribute) {
            Some(all) => all.into_iter().filter_map(text).collect(),
            None => Vec::from_iter(text(attribute)),
        };
        if !self.program.banks.arenas.contains_key(&arena) || names.is_empty() {
            let reason = format!("`{APART}` of a slice names no group, or its arena has no banks");
            return self.malformed(op, codes::BANK, reason);
        }
        for name in names {
            let group = self.groups.entry((arena, name)).or_default();
            if !group.contains(&slice) {
                group.push(slice);
            }
        }
    }

    /// Records an operation whose operands are apart.
    pub(super) fn apart_operands(&mut self, op: Op<'c>) {
        let mut all = Vec::new();
        for (number, operand) in operands(op).enumerate() {
            if !is_memref(type_of(operand)) {
                continue;
            }
            let space = memory_space(type_of(operand));
            let space = self.bank_spaces.iter().position(|known| *known == space);
            if let (Some(space), Some(value)) = (space, self.reference(operand)) {
                all.push((number, space, value));
            }
        }
        let op = self.id(op);
        let apart = ApartOperands { op, operands: all };
        self.program.banks.operands.push(apart);
    }

    /// Finds the slices that are apart and share banks.
    pub(super) fn finish_banks(&mut self) {
        let groups = std::mem::take(&mut self.groups);
        self.program.banks.groups = groups.into_values().collect();
        banks::close(&mut self.program);
    }
}
