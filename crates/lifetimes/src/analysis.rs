//! The complete analysis of one function: plannable allocations with their live ranges, and skipped ones.

use crate::{
    Reason,
    alias::Aliases,
    analysis_options::AnalysisOptions,
    in_place::{Takeover, takeovers},
    instances::Needed,
    live::Ranges,
    program::{BufferId, Position, Program, ValueId},
    read::{self, Handles},
};
use memplan_mlir::{
    ir::Op,
    layout::{DataLayout, MAX_BYTES},
};
use memplan_semantics::Semantics;
use memplan_summaries::{Callees, Escaping};
use rustc_hash::FxHashMap;

/// Largest number of older instances of an allocation that rotate through slots.
pub const MOST_CARRIED: usize = 3;

/// An allocation that can be planned.
#[derive(Clone, Debug)]
pub struct Plannable {
    /// The allocation.
    pub buffer: BufferId,
    /// Live ranges, in positions of its scope.
    pub live: Ranges,
    /// The parts of `live` in which only this value refers to it. If the value refers to another
    /// allocation there, that one is needed and this one is not.
    pub through_one: Vec<(Position, Position, ValueId)>,
    /// The same, and the parts in which values that are always this one refer to it, too.
    pub through_copies: Vec<(Position, Position, ValueId)>,
    /// Values that may refer to an older instance when it is allocated again. The allocation needs
    /// one slot for each of these, and one more.
    pub carried: Vec<ValueId>,
    /// Alignment in bytes: the strictest that the allocation, its type or the program requires.
    pub alignment: u64,
}

/// An operation that takes the address of a value. The memory must not move from there to the end of the
/// function, or until it is freed.
#[derive(Clone, Copy, Debug)]
pub struct Addressed<'c> {
    /// The value whose address is taken.
    pub value: ValueId,
    /// The operation that takes the address.
    pub op: Op<'c>,
    /// The reason to skip the allocation where addresses are not allowed.
    pub reason: Reason,
}

/// Result of the analysis of a function.
pub struct Analysis<'c> {
    /// The function as plain data.
    pub program: Program,
    /// The IR of each id.
    pub handles: Handles<'c>,
    /// Which allocations each value may refer to.
    pub aliases: Aliases,
    /// The reason to skip each allocation, if there is one.
    pinned: Vec<Option<Reason>>,
    /// Plannable allocations, in program order.
    pub plannable: Vec<Plannable>,
    /// Skipped allocations and the reasons, in program order.
    pub skipped: Vec<(BufferId, Reason)>,
    /// Operations at which one buffer may reuse the bytes of another, if the live ranges allow it.
    pub takeovers: Vec<Takeover>,
    /// Addresses that are taken and dead after the function returns. Empty if the options exclude
    /// them: they count as escapes then.
    pub addressed: Vec<Addressed<'c>>,
    /// For each deallocation, whether it frees planned allocations only, and is removed with them.
    pub dropped_deallocs: Vec<bool>,
    /// For each `memref.distinct_objects`, whether it names planned allocations. Their storage is not
    /// separate any more, so the operation is removed.
    pub dropped_distinct: Vec<bool>,
}

/// Analyses a function with default options.
pub fn analyse<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
) -> Analysis<'c> {
    analyse_with_options(function, semantics, callees, &AnalysisOptions::default())
}

/// Analyses a function. Allocations that the options exclude are skipped.
pub fn analyse_with_options<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    options: &AnalysisOptions,
) -> Analysis<'c> {
    let mut layout = DataLayout::at(function);
    let (mut program, handles) =
        read::read(function, semantics, &mut layout, callees, options.allocas);
    options.bound(function, semantics, &mut program, &handles);
    options.apply(&mut program, &handles);
    let aliases = Aliases::of(&program);
    let mut addressed = Vec::new();
    if options.addressed && !handles.addresses.is_empty() {
        let escaping = Escaping::of(function, semantics, callees);
        let stays = |(_, op): &&(usize, Op<'c>)| {
            let mut escaping = escaping.iter();
            escaping.all(|escaping| !escaping.has_result_of(*op))
        };
        let known: FxHashMap<usize, Op<'c>> =
            handles.addresses.iter().filter(stays).copied().collect();
        let mut place = 0..;
        program.escapes.retain(|(value, reason)| {
            let op = place.next().and_then(|place: usize| known.get(&place));
            addressed.extend(op.map(|op| Addressed {
                value: *value,
                op: *op,
                reason: *reason,
            }));
            op.is_none()
        });
    }
    let mut analysis = Analysis {
        pinned: program.buffers.iter().map(|fact| fact.skip).collect(),
        program,
        handles,
        aliases,
        plannable: Vec::new(),
        skipped: Vec::new(),
        takeovers: Vec::new(),
        addressed,
        dropped_deallocs: Vec::new(),
        dropped_distinct: Vec::new(),
    };
    if !analysis.program.buffers.is_empty() {
        analysis.find_plannable();
    }
    analysis.update_lists();
    analysis
}

impl Analysis<'_> {
    /// Computes the plannable allocations and the takeovers.
    fn find_plannable(&mut self) {
        let (program, aliases, pinned) = (&self.program, &self.aliases, &mut self.pinned);
        for (pin, reason) in pinned.iter_mut().zip(aliases.escapes(program, |_| true).0) {
            *pin = pin.or(reason);
        }

        let mut needed = Needed::of(program, aliases);
        let mut carried: Vec<Vec<ValueId>> = vec![Vec::new(); program.buffers.len()];
        for index in 0..program.buffers.len() {
            if pinned[index].is_none() {
                carried[index] = needed.older_instances(BufferId::new(index));
                let fact = &program.buffers[index];
                let slots = carried[index].len() as u64 + 1;
                if needed.is_pending_again(BufferId::new(index)) {
                    pinned[index] = Some(Reason::PendingAgain);
                } else if carried[index].len() > MOST_CARRIED
                    || ((fact.dynamic.is_some() || fact.is_bounded) && slots > 1)
                {
                    pinned[index] = Some(Reason::OverlapsItself);
                } else if fact.size > MAX_BYTES / slots / 2 && slots > 1 {
                    // Half, to leave room for alignment.
                    pinned[index] = Some(Reason::TooLarge);
                }
            }
        }

        let mut alignments: Vec<u64> = program.buffers.iter().map(|fact| fact.alignment).collect();
        for (value, alignment) in program.alignments.iter().chain(&program.relied_on) {
            for buffer in aliases.buffers(*value) {
                let at = &mut alignments[buffer.index()];
                *at = (*at).max(*alignment);
            }
        }
        removable_deallocs(program, aliases, pinned);
        for (index, pin) in pinned.iter().enumerate() {
            let buffer = BufferId::new(index);
            if pin.is_none() {
                self.plannable.push(Plannable {
                    buffer,
                    live: needed.buffer(buffer),
                    through_one: needed.through_one(buffer, false),
                    through_copies: needed.through_one(buffer, true),
                    carried: std::mem::take(&mut carried[index]),
                    alignment: alignments[index],
                });
            }
        }
        let mut places = vec![None; program.buffers.len()];
        for (place, plannable) in self.plannable.iter().enumerate() {
            places[plannable.buffer.index()] = Some(place);
        }
        let live = |buffer: BufferId| {
            places[buffer.index()].map(|place: usize| &self.plannable[place].live)
        };
        self.takeovers = takeovers(program, aliases, live);
    }

    /// The reason to skip an allocation; `None` if it can be planned.
    pub fn skip_reason(&self, buffer: BufferId) -> Option<Reason> {
        self.pinned[buffer.index()]
    }

    /// Skips more allocations, and those that cannot be planned without them.
    pub fn skip(&mut self, buffers: impl IntoIterator<Item = (BufferId, Reason)>) {
        for (buffer, reason) in buffers {
            self.pinned[buffer.index()].get_or_insert(reason);
        }
        self.update_lists();
    }

    /// Updates the lists after allocations were skipped.
    fn update_lists(&mut self) {
        let (program, aliases, pinned) = (&self.program, &self.aliases, &mut self.pinned);
        self.dropped_deallocs = removable_deallocs(program, aliases, pinned);
        self.plannable
            .retain(|plannable| pinned[plannable.buffer.index()].is_none());
        let is_planned = |buffer: BufferId| pinned[buffer.index()].is_none();
        self.takeovers
            .retain(|takeover| is_planned(takeover.from) && is_planned(takeover.to));
        self.skipped = (0..)
            .map(BufferId)
            .zip(pinned.iter())
            .filter_map(|(buffer, pin)| pin.map(|reason| (buffer, reason)))
            .collect();
        self.dropped_distinct = program
            .distinct
            .iter()
            .map(|values| {
                values
                    .iter()
                    .flat_map(|value| aliases.buffers(*value))
                    .any(|buffer| pinned[buffer.index()].is_none())
            })
            .collect();
    }
}

/// Skips allocations that share a deallocation with one that is not planned, up to a fixpoint. Returns
/// which deallocations can be removed: those that free planned allocations only.
fn removable_deallocs(
    program: &Program,
    aliases: &Aliases,
    pinned: &mut [Option<Reason>],
) -> Vec<bool> {
    let mut freed_by: Vec<Vec<u32>> = vec![Vec::new(); program.buffers.len()];
    for (index, dealloc) in program.deallocs.iter().enumerate() {
        for buffer in aliases.buffers(dealloc.value) {
            freed_by[buffer.index()].push(index as u32);
        }
    }
    let mut is_removable: Vec<bool> = vec![true; program.deallocs.len()];
    let mut work: Vec<usize> = (0..program.deallocs.len()).collect();
    while let Some(index) = work.pop() {
        let value = program.deallocs[index].value;
        let stays = aliases.is_external(value)
            || aliases
                .buffers(value)
                .any(|buffer| pinned[buffer.index()].is_some());
        if !stays || !is_removable[index] {
            continue;
        }
        is_removable[index] = false;
        for buffer in aliases.buffers(value) {
            let pin = &mut pinned[buffer.index()];
            if pin.is_none() {
                *pin = Some(Reason::FreedWithOther);
                work.extend(freed_by[buffer.index()].iter().map(|other| *other as usize));
            }
        }
    }
    is_removable
}
