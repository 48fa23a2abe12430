//! Results that are allocated, although a donated argument has the memory for them: they become that argument.
//!
//! Nothing may need the argument when the result is written, other than element by element, or in other parts.

use super::{
    old_contents::{UsesByBase, are_needed},
    read::{Fact, Positions, buffers},
    types::{is_reshape, may_be},
    write::{forget, replace},
};
use memplan_lifetimes::{
    Analysis,
    alias::Root,
    program::{BufferId, ValueId, ValueKind},
};
use memplan_mlir::{
    calls::function_body,
    ir::{Op, Origin, Val, blocks, erase, origin, type_of},
    layout::{has_identity_layout, memory_space},
    strides::reshaped_view,
};
use memplan_semantics::{Semantics, attributes};
use rustc_hash::{FxHashMap, FxHashSet};

/// A result that becomes an argument.
struct Given<'c> {
    result: Val<'c>,
    argument: Val<'c>,
}

/// Lets results be donated arguments; returns their number. The analysis is invalid if there are any. `may_take` says
/// whether an argument is free for it, and `is_returned_alone` whether a buffer is always its result.
pub fn run<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    may_take: impl Fn(u32) -> bool,
) -> usize {
    let program = &analysis.program;
    let arguments = program.values.iter().enumerate();
    let arguments = arguments.filter_map(|(index, fact)| match fact.kind {
        ValueKind::Argument(number) => Some((ValueId::new(index), number)),
        _ => None,
    });
    let donated = arguments.filter(|(value, number)| {
        let place = program.argument_places[*number as usize];
        attributes::is_donated(function, place)
            && may_take(*number)
            && has_views_only(analysis, *value, *number)
    });
    let donated: Vec<(ValueId, u32)> = donated.collect();
    let mut returned: Vec<BufferId> = Vec::new();
    for (_, value) in &program.returned {
        for root in analysis.aliases.roots(*value) {
            if let Root::Buffer(buffer) = root
                && !returned.contains(buffer)
                && is_returned_alone(analysis, *buffer)
            {
                returned.push(*buffer);
            }
        }
    }
    if donated.is_empty() || returned.is_empty() {
        return 0;
    }
    let search = Search {
        function,
        analysis,
        facts: buffers(analysis),
        positions: Positions::of(analysis),
        uses: UsesByBase::of(analysis),
    };
    let mut given: Vec<Given<'c>> = Vec::new();
    let mut taken: FxHashSet<u32> = FxHashSet::default();
    let before = comes_from(analysis);
    for result in returned {
        let made = program.buffers[result.index()].value;
        // What it is computed from comes first: it may then be updated in place.
        let sources = all_sources(&before, made);
        let mut order: Vec<&(ValueId, u32)> = donated.iter().collect();
        order.sort_by_key(|(value, _)| !sources.contains(value));
        let free = order
            .into_iter()
            .filter(|(_, number)| !taken.contains(number));
        let free: Vec<(ValueId, u32)> = free.copied().collect();
        let found = free
            .into_iter()
            .find(|(value, _)| search.fits(result, *value, semantics));
        if let Some((value, number)) = found {
            taken.insert(number);
            given.push(Given {
                result: analysis.handles.values[made.index()],
                argument: analysis.handles.values[value.index()],
            });
        }
    }
    for one in &given {
        let Some(Origin::Result(alloc, _)) = origin(one.result) else {
            continue;
        };
        let form = type_of(one.result);
        let view = match form == type_of(one.argument) {
            true => one.argument,
            false => reshaped_view(alloc, one.argument, form),
        };
        forget(one.result, semantics);
        replace(one.result, view, semantics);
        erase(alloc);
    }
    given.len()
}

/// Whether a buffer is no result, or each result that it is, is always this buffer.
pub fn is_returned_alone(analysis: &Analysis<'_>, to: BufferId) -> bool {
    let is_it = |value: ValueId| analysis.aliases.buffers(value).any(|buffer| buffer == to);
    let returned = &analysis.program.returned;
    let mut numbers = returned
        .iter()
        .filter(|(_, value)| is_it(*value))
        .map(|(number, _)| *number);
    numbers.all(|number| {
        let mut same = returned.iter().filter(|(other, _)| *other == number);
        same.all(|(_, value)| {
            analysis.aliases.roots(*value) == [Root::Buffer(to)]
                && !analysis.aliases.is_unknown(*value)
        })
    })
}

/// Whether all that may be an argument is the argument or a view of it.
pub fn has_views_only(analysis: &Analysis<'_>, argument: ValueId, number: u32) -> bool {
    let values = (0..analysis.program.values.len()).map(ValueId::new);
    let mut others = values.filter(|value| analysis.aliases.base(*value) != argument);
    !others.any(|value| {
        analysis
            .aliases
            .roots(value)
            .contains(&Root::Argument(number))
            || analysis.aliases.is_wide(value)
    })
}

struct Search<'a, 'c> {
    function: Op<'c>,
    analysis: &'a Analysis<'c>,
    facts: Vec<Fact<'c>>,
    positions: Positions,
    uses: UsesByBase,
}

impl Search<'_, '_> {
    /// Whether a result can be an argument.
    fn fits(&self, result: BufferId, argument: ValueId, semantics: &mut Semantics) -> bool {
        let (analysis, fact) = (self.analysis, &self.facts[result.index()]);
        let buffer = &analysis.program.buffers[result.index()];
        let memory = analysis.handles.values[argument.index()];
        let (form, has) = (type_of(fact.value), type_of(memory));
        let Some(entry) = function_body(self.function).and_then(|body| blocks(body).next()) else {
            return false;
        };
        fact.takes
            && buffer.dynamic.is_none()
            && has_identity_layout(has)
            && (form == has || is_reshape(form, has))
            && memory_space(form) == memory_space(has)
            && may_be(fact.value, form, semantics).is_ok()
            && !are_needed(
                analysis,
                &self.uses,
                (argument, buffer.value),
                entry,
                &self.positions,
                semantics,
            )
    }
}

/// For each value, the values that it is written from element by element.
fn comes_from(analysis: &Analysis<'_>) -> FxHashMap<ValueId, Vec<ValueId>> {
    let mut all: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
    for step in &analysis.program.in_step {
        let [read, written] = [step.read, step.written].map(|value| analysis.aliases.base(value));
        all.entry(written).or_default().push(read);
    }
    all
}

/// The values that one comes from, also through others.
fn all_sources(before: &FxHashMap<ValueId, Vec<ValueId>>, value: ValueId) -> FxHashSet<ValueId> {
    let mut seen = FxHashSet::default();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        let sources = before.get(&value).into_iter().flatten().copied();
        work.extend(sources.filter(|source| seen.insert(*source)));
    }
    seen
}
