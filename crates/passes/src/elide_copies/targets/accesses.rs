//! Accesses to memory from outside of a function, and which of them may be to the memory of an argument.
//!
//! Arguments may refer to the same memory as each other, as globals and as what other functions access, unless one of them
//! is `noalias`, or donated, or `memref.distinct_objects` names both.

use crate::elide_copies::{
    globals::Globals,
    read::{Unnamed, unnamed},
};
use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root,
    program::{Position, Use, UseKind, ValueId},
};
use memplan_mlir::ir::Op;
use memplan_semantics::{Semantics, attributes};
use rustc_hash::{FxHashMap, FxHashSet};

/// The accesses of a function.
pub struct Accesses<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// Uses of memory from outside, in program order, constant globals excluded.
    named: Vec<Use>,
    /// Positions of calls, in program order.
    calls: Vec<Position>,
    /// Deallocations of memory from outside.
    frees: Vec<(Position, ValueId)>,
    /// For each argument, whether nothing else refers to its memory.
    alone: Vec<bool>,
    /// Pairs of arguments with separate memory, the smaller number first.
    distinct: FxHashSet<(u32, u32)>,
    /// Arguments that operations may use that are not followed, or for an unknown time.
    escaped: Vec<bool>,
    /// Whether asynchronous work may use memory from outside.
    is_pending: bool,
    /// Operations that access memory that they do not name, with their positions.
    unnamed: Vec<(Position, Unnamed)>,
    /// Buffers that become memory of an argument, from a position to another one.
    taken: Vec<(Position, Position, u32)>,
}

/// An access that may be to the memory of an argument.
#[derive(Clone, Copy, Debug)]
pub enum Access {
    /// By this value.
    Named(Use),
    /// By a call, an operation that does not name it, or asynchronous work.
    Hidden,
}

impl<'a, 'c> Accesses<'a, 'c> {
    /// The accesses of a function.
    pub fn of(
        function: Op<'c>,
        analysis: &'a Analysis<'c>,
        semantics: &mut Semantics,
        globals: &Globals<'c>,
    ) -> Self {
        let (program, aliases) = (&analysis.program, &analysis.aliases);
        let mut constant: FxHashMap<ValueId, bool> = FxHashMap::default();
        let mut is_constant = |value: ValueId| {
            let base = aliases.base(value);
            let value = analysis.handles.values[base.index()];
            *constant
                .entry(base)
                .or_insert_with(|| globals.constant(value, semantics).is_some())
        };
        let touches = |used: &&Use| matches!(used.kind, UseKind::Touch | UseKind::Overwrite);
        let named = program.uses.iter().filter(touches);
        let named = named.filter(|used| aliases.is_external(used.value));
        let named = named.filter(|used| !is_constant(used.value)).copied();
        let named = named.collect();
        let frees = program.deallocs.iter();
        let frees = frees.filter(|free| aliases.is_external(free.value));
        let frees = frees.map(|free| (free.position, free.value)).collect();
        let mut calls: Vec<Position> = program.calls.iter().map(|call| call.position).collect();
        calls.sort_unstable();
        let places = program.argument_places.iter();
        let (_, escapes) = aliases.escapes(program, |reason| reason != Reason::Returned);
        let mut escaped: Vec<bool> = escapes.iter().map(Option::is_some).collect();
        let arguments = |value: &ValueId| {
            let roots = aliases.roots(*value).iter();
            let arguments = roots.filter_map(|root| match root {
                Root::Argument(number) => Some(*number),
                Root::Buffer(_) => None,
            });
            arguments.collect::<Vec<u32>>()
        };
        for number in program
            .pending
            .iter()
            .flat_map(|entry| &entry.values)
            .flat_map(arguments)
        {
            escaped[number as usize] = true;
        }
        let asynchronous = program.escapes.iter();
        let asynchronous = asynchronous.filter(|(_, reason)| *reason == Reason::Asynchronous);
        let pending = program.pending.iter().flat_map(|entry| &entry.values);
        let mut pending = pending.chain(asynchronous.map(|(value, _)| value));
        let is_pending = pending.any(|value| aliases.is_external(*value));
        let mut distinct = FxHashSet::default();
        for values in &program.distinct {
            let numbers: Vec<Vec<u32>> = values.iter().map(arguments).collect();
            for (at, one) in numbers.iter().enumerate() {
                for other in &numbers[..at] {
                    if let ([one], [other]) = (one.as_slice(), other.as_slice()) {
                        distinct.insert((*one.min(other), *one.max(other)));
                    }
                }
            }
        }
        let all = analysis.handles.ops.iter();
        Self {
            analysis,
            named,
            calls,
            frees,
            alone: places
                .map(|place| attributes::is_noalias(function, *place))
                .collect(),
            distinct,
            escaped,
            is_pending,
            unnamed: all
                .map(|(position, op)| (*position, unnamed(*op, semantics)))
                .filter(|(_, one)| one.reads || one.writes || one.fence)
                .collect(),
            taken: Vec::new(),
        }
    }

    /// Whether the memory of an argument may be used by operations that are not followed, so that nothing is known of it.
    pub fn is_escaped(&self, argument: u32) -> bool {
        self.escaped[argument as usize] || self.is_pending && !self.alone[argument as usize]
    }

    /// A buffer becomes the memory of an argument, from the first position to the second.
    pub fn take(&mut self, first: Position, end: Position, argument: u32) {
        self.taken.push((first, end, argument));
    }

    /// The values by which an argument is accessed from one position to another, which is not included.
    pub fn of_argument(
        &self,
        argument: u32,
        (first, end): (Position, Position),
    ) -> impl Iterator<Item = ValueId> + '_ {
        let start = self.named.partition_point(|used| used.position < first);
        let end = self.named.partition_point(|used| used.position < end);
        let values = self.named[start..end].iter().map(|used| used.value);
        values
            .filter(move |value| self.analysis.aliases.roots(*value) == [Root::Argument(argument)])
    }

    /// The first access from one position up to another, both included, that may be to the memory of an argument, and for
    /// which `counts` holds. `in_parallel`: these positions are in a parallel body, whose other threads may see the memory
    /// after a fence.
    pub fn find(
        &self,
        argument: u32,
        (first, last): (Position, Position),
        in_parallel: bool,
        counts: impl Fn(Access, bool) -> bool,
    ) -> Option<Access> {
        let start = self.named.partition_point(|used| used.position < first);
        let end = self.named.partition_point(|used| used.position <= last);
        let named = self.named[start..end].iter();
        let mut named = named.filter(|used| self.may_be(used.value, argument));
        if let Some(used) = named.find(|used| counts(Access::Named(**used), used.writes)) {
            return Some(Access::Named(*used));
        }
        let overlaps = |one: &&(Position, Position, u32)| one.0 <= last && first < one.1;
        let mut taken = self.taken.iter().filter(overlaps);
        if taken.any(|one| !self.are_apart(one.2, argument)) && counts(Access::Hidden, true) {
            return Some(Access::Hidden);
        }
        let mut frees = self.frees.iter();
        let is_freed = |(at, value): &(Position, ValueId)| {
            first <= *at && *at <= last && self.may_be(*value, argument)
        };
        if frees.any(is_freed) && counts(Access::Hidden, true) {
            return Some(Access::Hidden);
        }
        // What does not name such an argument is not derived from it, as it has not escaped.
        let is_alone = self.alone[argument as usize];
        let call = self.calls.partition_point(|call| *call < first);
        let is_called = !is_alone && self.calls.get(call).is_some_and(|call| *call <= last);
        if is_called && counts(Access::Hidden, true) {
            return Some(Access::Hidden);
        }
        let start = self
            .unnamed
            .partition_point(|(position, _)| *position < first);
        let end = self
            .unnamed
            .partition_point(|(position, _)| *position <= last);
        let mut hidden = self.unnamed[start..end].iter();
        let counts = |one: &Unnamed| {
            one.fence && (in_parallel || !is_alone)
                || !is_alone && counts(Access::Hidden, one.writes)
        };
        hidden.any(|(_, one)| counts(one)).then_some(Access::Hidden)
    }

    /// Whether memory of a value may be that of an argument.
    fn may_be(&self, value: ValueId, argument: u32) -> bool {
        let aliases = &self.analysis.aliases;
        let roots = aliases.roots(value);
        let is_argument = |root: &Root| match root {
            Root::Argument(other) => !self.are_apart(*other, argument),
            Root::Buffer(_) => false,
        };
        roots.iter().any(is_argument)
            || aliases.is_wide(value)
            || aliases.is_unknown(value) && !self.alone[argument as usize]
    }

    /// Whether two arguments have separate memory.
    fn are_apart(&self, one: u32, other: u32) -> bool {
        one != other
            && (self.alone[one as usize]
                || self.alone[other as usize]
                || self.distinct.contains(&(one.min(other), one.max(other))))
    }
}
