//! All of it for one function: what can be planned, with live ranges, and what is left alone.

use crate::{
    alias::Aliases,
    analysis_options::AnalysisOptions,
    in_place::{Takeover, takeovers},
    instances::Needed,
    live::Ranges,
    program::{BufferId, Position, Program, ValueId},
    read::{self, Handles},
    reason::Reason,
};
use memplan_mlir::{
    ir::Op,
    layout::{DataLayout, MAX_BYTES},
};
use memplan_semantics::Semantics;
use memplan_summaries::{Callees, Escaping};
use rustc_hash::FxHashMap;

/// The most older instances of an allocation that slots are rotated for.
pub const MOST_CARRIED: usize = 3;

/// An allocation that can be planned.
#[derive(Clone, Debug)]
pub struct Plannable {
    /// Which one.
    pub buffer: BufferId,
    /// When it is live, in positions of its scope.
    pub live: Ranges,
    /// The parts of `live` in which it is needed only if this one value refers to it. Whatever else
    /// that value may refer to is not needed there, if it is as well.
    pub through_one: Vec<(Position, Position, ValueId)>,
    /// Values that may hold an older instance when it is allocated again: it needs one slot more
    /// than there are of these.
    pub carried: Vec<ValueId>,
    /// Alignment in bytes: what the allocation, its type and the program ask for.
    pub alignment: u64,
}

/// An address that is taken: what can be planned of the memory has to stay in its place from there on, to the
/// end of the function or of the memory.
#[derive(Clone, Copy, Debug)]
pub struct Addressed<'c> {
    /// Of what.
    pub value: ValueId,
    /// The operation that takes it.
    pub op: Op<'c>,
    /// Why that is left alone elsewhere.
    pub reason: Reason,
}

/// What is known of a function.
pub struct Analysis<'c> {
    /// The function as plain data.
    pub program: Program,
    /// The IR behind it.
    pub handles: Handles<'c>,
    /// Which allocations each value may refer to.
    pub aliases: Aliases,
    /// Why each allocation is left alone, if it is.
    pinned: Vec<Option<Reason>>,
    /// Allocations that can be planned, in the order of the text.
    pub plannable: Vec<Plannable>,
    /// Allocations that are left alone, in the order of the text, and why.
    pub skipped: Vec<(BufferId, Reason)>,
    /// Where one buffer may take over the bytes of another, if the live ranges allow it.
    pub takeovers: Vec<Takeover>,
    /// Addresses that are taken and of no use behind the function. None if that is not wanted: then they
    /// count as escapes.
    pub addressed: Vec<Addressed<'c>>,
    /// For each deallocation: it frees planned allocations only, and goes with them.
    pub dropped_deallocs: Vec<bool>,
    /// For each `memref.distinct_objects`: it speaks of planned allocations, whose storage is not
    /// separate any more.
    pub dropped_distinct: Vec<bool>,
}

/// Reads a function and decides what can be planned.
pub fn analyse<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
) -> Analysis<'c> {
    analyse_wanted(function, semantics, callees, &AnalysisOptions::default())
}

/// As [`analyse`], but leaves alone what is not wanted.
pub fn analyse_wanted<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    wanted: &AnalysisOptions,
) -> Analysis<'c> {
    let mut layout = DataLayout::at(function);
    let (mut program, handles) = read::read(function, semantics, &mut layout, callees);
    wanted.apply(&mut program, &handles);
    let aliases = Aliases::of(&program);
    let mut addressed = Vec::new();
    if wanted.addressed && !handles.addresses.is_empty() {
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
    analysis.settle();
    analysis
}

impl Analysis<'_> {
    /// Fills in what can be planned, if every deallocation agrees.
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
                    || (fact.dynamic.is_some() && slots > 1)
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
        settle_deallocs(program, aliases, pinned);
        for (index, pin) in pinned.iter().enumerate() {
            let buffer = BufferId::new(index);
            if pin.is_none() {
                self.plannable.push(Plannable {
                    buffer,
                    live: needed.buffer(buffer),
                    through_one: needed.through_one(buffer),
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

    /// Why an allocation is left alone; `None` if it can be planned.
    pub fn left_because(&self, buffer: BufferId) -> Option<Reason> {
        self.pinned[buffer.index()]
    }

    /// Leaves more allocations alone, and with them what cannot be planned without them.
    pub fn leave(&mut self, buffers: impl IntoIterator<Item = (BufferId, Reason)>) {
        for (buffer, reason) in buffers {
            self.pinned[buffer.index()].get_or_insert(reason);
        }
        self.settle();
    }

    /// Brings the lists in line with what is left alone.
    fn settle(&mut self) {
        let (program, aliases, pinned) = (&self.program, &self.aliases, &mut self.pinned);
        self.dropped_deallocs = settle_deallocs(program, aliases, pinned);
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

/// A deallocation may go only if everything that it may free is planned; else none of that is.
/// Pins what must be, until nothing changes, and returns which deallocations go.
fn settle_deallocs(
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
    let mut goes: Vec<bool> = vec![true; program.deallocs.len()];
    let mut work: Vec<usize> = (0..program.deallocs.len()).collect();
    while let Some(index) = work.pop() {
        let value = program.deallocs[index].value;
        let stays = aliases.is_external(value)
            || aliases
                .buffers(value)
                .any(|buffer| pinned[buffer.index()].is_some());
        if !stays || !goes[index] {
            continue;
        }
        goes[index] = false;
        for buffer in aliases.buffers(value) {
            let pin = &mut pinned[buffer.index()];
            if pin.is_none() {
                *pin = Some(Reason::FreedWithOther);
                work.extend(freed_by[buffer.index()].iter().map(|other| *other as usize));
            }
        }
    }
    goes
}
