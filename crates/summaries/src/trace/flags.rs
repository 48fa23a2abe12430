//! Whether a flag may be true when the memory that it concerns is an argument.
//!
//! Deallocation frees memory that only some paths own under a flag, and its own output has such flags. A flag
//! and its memref are traced to their sources together. Edges forward both. A flag that
//! `bufferization.dealloc` returns for a retained memref is true if a memref that it would free under a flag
//! is the same memory. A flag that a call returns is true if the memref result beside it is new. A memref
//! that is stored and loaded again is separated from its flag; its identity is then ignored. A flag that is
//! the condition of a select implies which memref was selected. Any other flag may be true.

use super::{Holds, Tracer};
use crate::value_graph::{Root, Roots};
use memplan_flow::{Dominators, Graph};
use memplan_mlir::{
    constants::constant,
    copy::integer_width,
    ir::{Identity, Key, Op, Origin, Val, arguments, operands, origin, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    ResultFact,
    arithmetic::{Binary, Computes},
    attributes::OWNED_RESULTS,
    graph::{BODY, ControlGraph, EdgeId, SegmentId, Sources, Taken},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A memref, and a flag.
type Pair<'c> = (Val<'c>, Val<'c>);

/// Largest number of pairs that are followed for all flags of a function. The remaining flags may be true.
const MOST_FOLLOWED: usize = 1 << 16;
/// Largest depth of conjunctions that are followed.
const MOST_CONDITIONS: usize = 8;
/// Largest depth of views that are followed.
const MOST_VIEWS: usize = 64;

impl<'c> Tracer<'c, '_> {
    /// Computes whether the conditions may hold under which memory is freed that can be one argument only.
    pub(super) fn flags(&mut self, control: &ControlGraph<'c>, roots: &Roots) {
        let mut flags: Option<Flags<'_, 'c>> = None;
        let mut frees = std::mem::take(&mut self.trace.frees);
        for free in &mut frees {
            let Some(flag) = free.flag else { continue };
            free.holds = match constant(flag) {
                Some(0) => Holds::Never,
                Some(_) => Holds::Always,
                None => Holds::Sometimes,
            };
            let is_by_callee = std::mem::take(&mut free.is_others_flag);
            let root = roots.of(free.node);
            if free.holds == Holds::Never || matches!(root, Root::None | Root::Others) {
                continue;
            }
            let flags = flags.get_or_insert_with(|| Flags::of(control, roots));
            let pair = (free.value, flag);
            if root == Root::Many {
                free.is_others_flag = is_by_callee || flags.may_hold(self, pair);
            } else if free.holds == Holds::Sometimes {
                free.flag_argument = flags.argument(flag);
                if free.flag_argument.is_none() && !flags.may_hold(self, pair) {
                    free.holds = Holds::Never;
                }
            }
        }
        self.trace.frees = frees;
    }
}

struct Flags<'g, 'c> {
    control: &'g ControlGraph<'c>,
    roots: &'g Roots,
    dominators: Dominators<SegmentId>,
    /// Segments that define values; for targets of edges, the segment that starts there.
    segments: FxHashMap<Key, SegmentId>,
    /// Edges into each segment.
    incoming: Vec<SmallVec<[EdgeId; 2]>>,
    left: usize,
    /// Indices of the flags among the function's arguments.
    arguments: FxHashMap<Key, u32>,
}

impl<'g, 'c> Flags<'g, 'c> {
    fn of(control: &'g ControlGraph<'c>, roots: &'g Roots) -> Self {
        let taken = |segment: SegmentId| {
            let edges = control.edges_from(segment);
            let taken = edges.filter(|edge| edge.taken != Taken::Never);
            taken.filter_map(|edge| edge.to)
        };
        let graph = Graph::new(control.segments.len(), taken);
        let mut segments = FxHashMap::default();
        for segment in control.segments.keys() {
            let targets = control.targets(segment).into_iter();
            segments.extend(targets.map(|target| (target.key(), segment)));
            segments.extend(control.ops(segment).map(|op| (op.key(), segment)));
        }
        let mut incoming = vec![SmallVec::new(); control.segments.len()];
        for (id, edge) in control.edges.iter() {
            if let Some(to) = edge.to.filter(|_| edge.taken != Taken::Never) {
                incoming[to.index()].push(id);
            }
        }
        let start = control.segments.keys().next();
        let entry = control.entry(BODY).map(|entry| control.blocks[entry].block);
        let arguments = entry.into_iter().flat_map(arguments).zip(0..);
        let flags = arguments.filter(|(value, _)| integer_width(type_of(*value)) == Some(1));
        let arguments = flags.map(|(value, number)| (value.key(), number)).collect();
        Self {
            control,
            roots,
            dominators: Dominators::of(&graph, start.unwrap_or(SegmentId::new(0))),
            segments,
            incoming,
            left: MOST_FOLLOWED,
            arguments,
        }
    }

    /// The index of the argument that a flag is.
    fn argument(&self, flag: Val<'c>) -> Option<u32> {
        self.arguments.get(&flag.key()).copied()
    }

    /// Whether the flag may be true when the memref is an argument.
    fn may_hold(&mut self, tracer: &mut Tracer<'c, '_>, pair: Pair<'c>) -> bool {
        self.may_hold_within(tracer, pair, MOST_CONDITIONS)
    }

    /// As `may_hold`, with a limit on the depth of conjunctions, of which both conditions are checked.
    fn may_hold_within(
        &mut self,
        tracer: &mut Tracer<'c, '_>,
        pair: Pair<'c>,
        conditions: usize,
    ) -> bool {
        let mut seen: FxHashSet<(Key, Key)> = FxHashSet::default();
        let mut open = vec![pair];
        while let Some((memref, flag)) = open.pop() {
            let memref = viewed(tracer, memref);
            if !seen.insert((memref.key(), flag.key())) {
                continue;
            }
            let Some(left) = self.left.checked_sub(1) else {
                return true;
            };
            self.left = left;
            if let Some([one, other]) = both(tracer, flag) {
                let left = conditions.checked_sub(1);
                let is_false =
                    left.is_some_and(|left| !self.may_hold_within(tracer, (memref, other), left));
                if !is_false {
                    open.push((memref, one));
                }
                continue;
            }
            let chosen = chosen(tracer, (memref, flag));
            if let Some(chosen) = &chosen
                && chosen.by_flag
            {
                open.extend(&chosen.pairs);
                continue;
            }
            let before = open.len();
            if self.sources(tracer, (memref, flag), &mut open).is_some() {
                continue;
            }
            open.truncate(before);
            let Some(chosen) = chosen else {
                return true;
            };
            open.extend(chosen.pairs);
        }
        false
    }

    /// Adds the pairs of which at least one flag must be true if this one is; `None` if it may be true
    /// regardless.
    fn sources(
        &self,
        tracer: &mut Tracer<'c, '_>,
        (memref, flag): Pair<'c>,
        open: &mut Vec<Pair<'c>>,
    ) -> Option<()> {
        let node = tracer.trace.graph.of(memref).address;
        if matches!(self.roots.of(node), Root::None | Root::Others) {
            return Some(());
        }
        if let Some(flag) = constant(flag) {
            return (flag == 0).then_some(());
        }
        if let Some(segment) = self.segments.get(&flag.key()) {
            let is_loaded = is_loaded(tracer, memref);
            return self.forwarded((memref, flag), *segment, is_loaded, open);
        }
        let Origin::Result(op, number) = origin(flag)? else {
            return None;
        };
        if let Some(
            Computes::Binary(Binary::Or, [one, other]) | Computes::Select([_, one, other]),
        ) = tracer.semantics.computed(op)
        {
            open.extend([(memref, one), (memref, other)]);
            return Some(());
        }
        let is_beside =
            || matches!(origin(memref), Some(Origin::Result(by, _)) if by.key() == op.key());
        if op.has_attribute(OWNED_RESULTS) && is_beside() {
            return Some(());
        }
        let memory = tracer.describe(op);
        let retained = memory.retained.get(number)?;
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        if viewed(tracer, given[*retained as usize]) != memref && !is_loaded(tracer, memref) {
            return None;
        }
        for used in &memory.operands {
            if let Some(frees) = used.frees {
                open.push((given[used.operand as usize], given[frees.flag? as usize]));
            }
        }
        Some(())
    }

    /// Pairs that edges forward.
    fn forwarded(
        &self,
        (memref, flag): Pair<'c>,
        segment: SegmentId,
        is_loaded: bool,
        open: &mut Vec<Pair<'c>>,
    ) -> Option<()> {
        let incoming = &self.incoming[segment.index()];
        let of_memref = self.segment_of(memref)?;
        let is_target = self.segments.get(&memref.key()) == Some(&segment);
        // A memref that is defined before the segment stays the same. Otherwise the flag may concern the
        // memref of another iteration.
        let is_before = of_memref != segment && self.dominators.dominates(of_memref, segment);
        if incoming.is_empty() || !(is_target || is_before || is_loaded) {
            return None;
        }
        for edge in incoming {
            let edge = &self.control.edges[*edge];
            let values = self.control.values(edge);
            let source = |value| Sources::of(values).of_target(value);
            let memref = if is_target { source(memref)? } else { memref };
            let flag = source(flag)?;
            // The flag and the memref that memory then holds are chosen together.
            if is_target || !is_loaded || constant(flag).is_none() {
                open.push((memref, flag));
            }
        }
        Some(())
    }

    /// The segment that defines a value.
    fn segment_of(&self, value: Val<'c>) -> Option<SegmentId> {
        let by_op = |op: Op<'c>| self.segments.get(&op.key());
        let target = self.segments.get(&value.key());
        let segment = target.or_else(|| match origin(value)? {
            Origin::Result(op, _) => by_op(op),
            Origin::Argument(..) => None,
        });
        segment.copied()
    }
}

/// The operands of a conjunction.
fn both<'c>(tracer: &mut Tracer<'c, '_>, flag: Val<'c>) -> Option<[Val<'c>; 2]> {
    match tracer.semantics.computes(flag)? {
        Computes::Binary(Binary::And, both) => Some(both),
        _ => None,
    }
}

/// The condition and the two values of a select.
fn selected<'c>(tracer: &mut Tracer<'c, '_>, value: Val<'c>) -> Option<[Val<'c>; 3]> {
    match tracer.semantics.computes(value)? {
        Computes::Select(selected) => Some(selected),
        _ => None,
    }
}

/// Memrefs that a select may give if a flag is true.
struct Chosen<'c> {
    /// The memrefs, each with the flag for it.
    pairs: SmallVec<[Pair<'c>; 2]>,
    /// Whether the flag implies the choice, or is selected together with it.
    by_flag: bool,
}

fn chosen<'c>(tracer: &mut Tracer<'c, '_>, (memref, flag): Pair<'c>) -> Option<Chosen<'c>> {
    let [condition, one, other] = selected(tracer, memref)?;
    let is_true = implied(tracer, condition, flag);
    let together = selected(tracer, flag).filter(|[by, ..]| by.key() == condition.key());
    let flags = together.map_or([flag; 2], |[_, one, other]| [one, other]);
    let pairs = [(true, (one, flags[0])), (false, (other, flags[1]))];
    let pairs = pairs
        .into_iter()
        .filter(|(by, _)| is_true.is_none_or(|is_true| is_true == *by));
    Some(Chosen {
        pairs: pairs.map(|(_, pair)| pair).collect(),
        by_flag: is_true.is_some() || together.is_some(),
    })
}

/// The value of a condition when a flag is true, if the flag implies it.
fn implied<'c>(tracer: &mut Tracer<'c, '_>, condition: Val<'c>, flag: Val<'c>) -> Option<bool> {
    let mut open: SmallVec<[(Val<'c>, bool); 4]> = SmallVec::from_iter([(flag, true)]);
    for _ in 0..MOST_VIEWS {
        let (flag, is_true) = open.pop()?;
        if flag.key() == condition.key() {
            return Some(is_true);
        }
        let Some(Origin::Result(op, _)) = origin(flag) else {
            continue;
        };
        match tracer.semantics.computed(op) {
            Some(Computes::Binary(Binary::And, both)) if is_true => {
                open.extend(both.map(|one| (one, true)));
            }
            Some(Computes::Binary(Binary::Or, both)) if !is_true => {
                open.extend(both.map(|one| (one, false)));
            }
            Some(Computes::Binary(Binary::Xor, [one, other]))
                if constant(other).is_some_and(|bits| bits != 0) =>
            {
                open.push((one, !is_true));
            }
            _ => {}
        }
    }
    None
}

/// Whether a memref is loaded from memory: it then flows separately from its flag.
fn is_loaded<'c>(tracer: &mut Tracer<'c, '_>, memref: Val<'c>) -> bool {
    let Some(Origin::Result(op, number)) = origin(memref) else {
        return false;
    };
    let memory = tracer.describe(op);
    matches!(memory.result(number), Some(ResultFact::Loaded { .. }))
}

/// The source of a memref through all views: the same memory.
fn viewed<'c>(tracer: &mut Tracer<'c, '_>, mut memref: Val<'c>) -> Val<'c> {
    // In unreachable code, views may form a cycle.
    for _ in 0..MOST_VIEWS {
        let Some(Origin::Result(op, number)) = origin(memref) else {
            break;
        };
        let memory = tracer.describe(op);
        let Some(ResultFact::View { of, .. }) = memory.result(number) else {
            break;
        };
        let Some(source) = operands(op).nth(*of as usize) else {
            break;
        };
        memref = source;
    }
    memref
}
