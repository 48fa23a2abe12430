//! Whether one argument of a function can have the memory of another one, which the function only writes at first.

use super::{
    donated_results::has_views_only,
    old_contents::{UsesByBase, are_needed},
    read::Positions,
};
use memplan_lifetimes::{
    Analysis,
    program::{ValueId, ValueKind},
};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, blocks},
};
use memplan_semantics::Semantics;

/// The arguments of a function.
pub struct ArgumentMemory<'a, 'c> {
    function: Op<'c>,
    analysis: &'a Analysis<'c>,
    positions: Positions,
    uses: UsesByBase,
    escaped: Vec<bool>,
}

impl<'a, 'c> ArgumentMemory<'a, 'c> {
    /// Reads the arguments of a function.
    pub fn of(function: Op<'c>, analysis: &'a Analysis<'c>) -> Self {
        let program = &analysis.program;
        let (_, escapes) = analysis.aliases.escapes(program, |_| true);
        Self {
            function,
            analysis,
            positions: Positions::of(analysis),
            uses: UsesByBase::of(analysis),
            escaped: escapes.iter().map(Option::is_some).collect(),
        }
    }

    /// Whether the memory of `argument` can be that of `out_param`: nothing needs the one when the other is written, other
    /// than element by element, or in other parts.
    pub fn may_hold(&self, argument: usize, out_param: usize, semantics: &mut Semantics) -> bool {
        let analysis = self.analysis;
        let Some(entry) = function_body(self.function).and_then(|body| blocks(body).next()) else {
            return false;
        };
        let (Some(old), Some(new)) = (self.value(argument), self.value(out_param)) else {
            return false;
        };
        let is_followed = |(value, number): (ValueId, u32)| {
            let program = &analysis.program;
            let is_it = |other: ValueId| analysis.aliases.base(other) == value;
            let mut pending = program.pending.iter().flat_map(|entry| &entry.values);
            let returned = program.returned.iter().map(|(_, value)| value);
            let freed = program.deallocs.iter().map(|free| &free.value);
            let distinct = program.distinct.iter().flatten();
            let asserted = program.alignments.iter().map(|(value, _)| value);
            let mut others = returned.chain(freed).chain(distinct).chain(asserted);
            !self.escaped[number as usize]
                && has_views_only(analysis, value, number)
                && !pending.any(|value| is_it(*value))
                && !others.any(|value| is_it(*value))
        };
        is_followed(old)
            && is_followed(new)
            && !are_needed(
                analysis,
                &self.uses,
                (old.0, new.0),
                entry,
                &self.positions,
                semantics,
            )
    }

    /// The value of an argument, by its number in the function, with its number among the memrefs.
    fn value(&self, place: usize) -> Option<(ValueId, u32)> {
        let program = &self.analysis.program;
        let mut all = program.values.iter().enumerate();
        all.find_map(|(index, fact)| match fact.kind {
            ValueKind::Argument(number) if program.argument_places[number as usize] == place => {
                Some((ValueId::new(index), number))
            }
            _ => None,
        })
    }
}
