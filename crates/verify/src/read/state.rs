//! State in arenas that are globals: bytes that keep their contents between calls, so that no slice may have them.

use super::ProgramReader;
use crate::{codes, program::BufferName};
use memplan_mlir::{
    build,
    ir::{Identity, Key, Op, blocks, ops, parent, regions, results, symbol_name, type_of, users},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    ByteView,
    attributes::{ARENA, STATE},
};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The globals with state, by symbol table and name: what `memplan.state` says of each.
#[derive(Default)]
pub struct StateGlobals(FxHashMap<(Key, String), Vec<i64>>);

impl StateGlobals {
    /// Those of the symbol tables of functions.
    pub fn of<'c>(functions: impl Iterator<Item = Op<'c>>) -> Self {
        let mut tables = FxHashMap::default();
        for table in functions.filter_map(parent) {
            tables.entry(table.key()).or_insert(table);
        }
        let mut all = FxHashMap::default();
        for (key, table) in tables {
            for op in regions(table).flat_map(blocks).flat_map(ops) {
                if let Some(numbers) = numbers(op) {
                    all.insert((key, symbol_name(op)), numbers);
                }
            }
        }
        Self(all)
    }
}

/// The numbers of the attribute, if there is one: none if it is no array of numbers.
fn numbers(op: Op<'_>) -> Option<Vec<i64>> {
    op.has_attribute(STATE)
        .then(|| build::integers_of(op, STATE).unwrap_or_default())
}

/// Ranges of bytes out of the attribute; `None` if it is not pairs of start and end.
fn ranges(numbers: &[i64]) -> Option<Vec<Range<u64>>> {
    if numbers.is_empty() {
        return None;
    }
    let pairs = numbers.chunks(2).map(|pair| match pair {
        [start, end] if start <= end => Some(u64::try_from(*start).ok()?..*end as u64),
        _ => None,
    });
    pairs.collect()
}

impl<'c> ProgramReader<'c, '_> {
    /// Checks an operation whose result is the memory of a global.
    pub(super) fn global(&mut self, op: Op<'c>) {
        let is_arena = op.has_attribute(ARENA);
        let own = numbers(op);
        let name = self.semantics.global_name(op).unwrap_or_default();
        if let Some((table, globals)) = self.table.zip(self.globals)
            && globals.0.get(&(table, name.clone())) != own.as_ref()
        {
            let reason = format!("`{STATE}` differs from that of the global");
            return self.malformed(op, codes::STATE, reason);
        }
        let Some(own) = own else {
            if !is_arena && self.arena_names.contains(&name) {
                let reason = "the global of an arena is referred to as a whole";
                self.malformed(op, codes::ARENA_USE, reason);
            }
            return;
        };
        let Some(ranges) = ranges(&own) else {
            let reason = format!("`{STATE}` is not a list of ranges");
            return self.malformed(op, codes::STATE, reason);
        };
        let Some(result) = results(op).next().filter(|_| !is_arena) else {
            return;
        };
        let is_inside = |bytes: Range<u64>| {
            ranges
                .iter()
                .any(|range| range.start <= bytes.start && bytes.end <= range.end)
        };
        let whole = self.layout.extent(type_of(result));
        if whole.is_ok_and(|whole| is_inside(0..whole.size)) {
            return;
        }
        for user in users(result) {
            let view = self.semantics.byte_view(user);
            let bytes = view.and_then(|view| self.bytes(&view));
            if !bytes.is_some_and(&is_inside) {
                let reason = "it may use other bytes of the arena than those of the state";
                self.malformed(user, codes::STATE, reason);
            }
        }
    }

    /// The bytes that a view has, where they are constant.
    fn bytes(&mut self, view: &ByteView<'c>) -> Option<Range<u64>> {
        let start = u64::try_from(self.constant(view.shift)?).ok()?;
        let extent = self.layout.extent(type_of(view.result)).ok()?;
        Some(start..start.checked_add(extent.size)?)
    }

    /// Reports a slice that has bytes of the state in its arena.
    pub(super) fn apart_from_state(
        &mut self,
        op: Op<'c>,
        arena: Op<'c>,
        buffer: BufferName,
        slots: &[Range<u64>],
    ) {
        let state = build::integers_of(arena, STATE).and_then(|own| ranges(&own));
        let is_common = |state: &Range<u64>| {
            let mut slots = slots.iter();
            slots.any(|slot| slot.start.max(state.start) < slot.end.min(state.end))
        };
        if let Some(range) = state.into_iter().flatten().find(is_common) {
            let (start, end) = (range.start, range.end);
            let reason = format!("buffer {buffer} has bytes of the state at {start} to {end}");
            self.malformed(op, codes::STATE, reason);
        }
    }
}
