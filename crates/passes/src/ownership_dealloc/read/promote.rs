//! Memrefs of one memref as variables, as if they were promoted to registers.
//!
//! What such memory holds is, at each place, what was stored last. Where control flow merges, that may be one memref or
//! another: a parameter there, which edges pass what is held by then. It stands for no value of the IR, but can be read from
//! the memory at the start of its segment. So a loop that replaces what the memory holds is like a loop that carries a
//! memref, and branches that store one memref or another are like branches that give one.
//! Parameters are those of pruned static single assignment form (Cytron et al., 1991; Choi et al., 1991): only where edges pass
//! different memrefs, and some path loads it later.

use super::{OwnershipReader, Reading};
use crate::memory_function::{IrEdge, Start, Walk};
use memplan_mlir::{
    ir::{Identity, Key, Op, ops, type_of},
    layout::element_count,
};
use memplan_ownership::{
    Function,
    function::{EdgeId, Kind, Room, SegmentId, StepIndex, ValueId},
    order::Order,
    plan::ProgramPoint,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// How often it is looked at what segments hold until nothing changes.
const MOST_ROUNDS: usize = 64;

/// A value that is held in memory.
#[derive(Clone, Copy, Debug)]
pub struct ValueInMemory {
    /// The value.
    pub value: ValueId,
    /// The memory.
    pub container: ValueId,
    /// Where it is there.
    pub place: ProgramPoint,
}

/// What an operation does with memory that holds a memref.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessKind {
    /// It loads this value.
    Loads(ValueId),
    /// It stores this value.
    Stores(ValueId),
}

/// An operation that loads or stores a memref.
#[derive(Clone, Copy)]
pub(super) struct Access<'c> {
    pub container: ValueId,
    pub op: Op<'c>,
    pub kind: AccessKind,
    pub segment: SegmentId,
    pub step: StepIndex,
}

/// What memory holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredValue {
    /// Nothing has been stored.
    Nothing,
    /// A value.
    Value(ValueId),
    /// The parameter of a segment.
    Param(SegmentId),
}

/// What one memory holds, and where.
struct Variable<'r, 'c> {
    reading: &'r Reading<'c>,
    function: &'r Function,
    order: &'r Order,
    /// The segment that allocates it.
    home: SegmentId,
    /// What segments store last.
    stored: FxHashMap<SegmentId, ValueId>,
    /// The segments at whose start somebody relies on what is held.
    live: FxHashSet<SegmentId>,
    /// Segments that have a parameter.
    params: FxHashSet<SegmentId>,
    /// What is held at the starts of segments.
    entering: FxHashMap<SegmentId, StoredValue>,
}

impl<'c> OwnershipReader<'c, '_> {
    /// Takes memory for a variable: what loads from it give. `None` if that cannot be.
    pub(super) fn promote_one(
        &mut self,
        home: ValueId,
        mut accesses: Vec<Access<'c>>,
        order: &Order,
    ) -> Option<Vec<(ValueId, ValueId)>> {
        let val = self.reading.memory.values[home.index()]?;
        let made = &self.reading.memory.function.values[home.index()];
        let (segment, step) = (made.segment, made.step?);
        let maker = *self.reading.memory.steps[segment.index()].get(step as usize)?;
        if self.without_variables || element_count(type_of(val)) != Some(1) {
            return None;
        }
        let semantics = &mut *self.semantics;
        let mut is_plain = |access: &Access<'c>| {
            access.container == home && semantics.runs_in_order(access.op, maker)
        };
        if !accesses.iter().all(&mut is_plain) {
            return None;
        }
        // A copy loads before it stores.
        accesses.sort_by_key(|access| {
            let is_store = matches!(access.kind, AccessKind::Stores(_));
            (access.segment, access.step, is_store)
        });
        let mut variable = Variable::of(&self.reading, order, segment, &accesses);
        if !variable.settle() {
            return None;
        }
        let mut placed: Vec<SegmentId> = variable.params.iter().copied().collect();
        placed.sort_unstable();
        let starts = placed
            .iter()
            .map(|at| self.reading.memory.starts[at.index()]);
        let mut firsts = starts.filter_map(|start| match start {
            Start::Block(block) => ops(block).next(),
            Start::Behind(_) | Start::Between(_) => None,
        });
        if firsts.any(|first| self.semantics.table_facts(first).starts_landing_pad) {
            return None;
        }
        let passed: Vec<Vec<StoredValue>> = placed.iter().map(|at| variable.passed(*at)).collect();
        let entering = variable.entering;
        let first = self.reading.memory.function.values.len();
        let name = |held: StoredValue| match held {
            StoredValue::Nothing => None,
            StoredValue::Value(value) => Some(value),
            StoredValue::Param(at) => {
                let number = placed.binary_search(&at).ok()?;
                Some(ValueId::new(first + number))
            }
        };
        for (at, passed) in placed.iter().zip(passed) {
            let number = self.reading.memory.function.segment(*at).params.len();
            let value = self.memory().value(Kind::Param, *at, None, None);
            self.reading.held_in.push(ValueInMemory {
                value,
                container: home,
                place: ProgramPoint::Start(*at),
            });
            // It can be read there as long as the memory stands.
            self.reading.memory.function.kept.push((*at, home));
            for edge in &self.reading.incoming[at.index()] {
                let fact = &mut self.reading.memory.function.edges[edge.index()];
                fact.passed.resize(number, None);
                fact.passed.push(None);
            }
            for (edge, held) in order.incoming[at.index()].iter().zip(passed) {
                let fact = &mut self.reading.memory.function.edges[edge.index()];
                fact.passed[number] = name(held);
            }
        }
        let mut given = Vec::new();
        let mut now: Option<(SegmentId, StoredValue)> = None;
        for access in accesses {
            let at = access.segment;
            let held = match now {
                Some((last, held)) if last == at => held,
                _ => entering.get(&at).copied().unwrap_or(StoredValue::Nothing),
            };
            now = Some((at, held));
            match access.kind {
                AccessKind::Stores(value) => {
                    now = Some((at, StoredValue::Value(value)));
                    // It has been copied.
                    if self.reading.memory.values[value.index()].is_none() {
                        self.reading.held_in.push(ValueInMemory {
                            value,
                            container: home,
                            place: ProgramPoint::After(at, access.step),
                        });
                    }
                }
                AccessKind::Loads(value) => {
                    given.push((value, name(held).unwrap_or(self.reading.elsewhere)));
                }
            }
        }
        Some(given)
    }
}

impl OwnershipReader<'_, '_> {
    /// When all loads are settled: what edges pass for variables by the name of a load, they pass by the only name of what is
    /// loaded. What is in sight where it is loaded, and the same there, is so wherever the load is in sight.
    pub(super) fn shorten_names(&mut self, followed: &FxHashSet<ValueId>) {
        let params = self.reading.held_in.iter().map(|held| held.value);
        let params: FxHashSet<ValueId> = params.collect();
        if params.is_empty() {
            return;
        }
        let elsewhere = self.reading.elsewhere;
        let function = &mut self.reading.memory.function;
        let (values, segments) = (&function.values, &function.segments);
        for edge in &mut function.edges {
            let Some(to) = edge.to else { continue };
            let all = segments[to.index()].params.iter().zip(&mut edge.passed);
            for (_, passed) in all.filter(|(param, _)| params.contains(param)) {
                // What is stored was loaded before, so that this comes to an end.
                while let Some(value) = passed.filter(|value| followed.contains(value))
                    && let Kind::Any(sources) = &values[value.index()].kind
                    && let [sole] = sources.as_slice()
                    && *sole != elsewhere
                {
                    *passed = Some(*sole);
                }
            }
        }
    }
}

impl<'r, 'c> Variable<'r, 'c> {
    fn of(
        reading: &'r Reading<'c>,
        order: &'r Order,
        home: SegmentId,
        accesses: &[Access<'c>],
    ) -> Self {
        let mut stored = FxHashMap::default();
        let mut seen: FxHashSet<SegmentId> = FxHashSet::default();
        let mut open: Vec<SegmentId> = Vec::new();
        for access in accesses {
            let is_first = seen.insert(access.segment);
            match access.kind {
                AccessKind::Stores(value) => {
                    stored.insert(access.segment, value);
                }
                AccessKind::Loads(_) if is_first => open.push(access.segment),
                AccessKind::Loads(_) => {}
            }
        }
        let function = &reading.memory.function;
        let mut live = FxHashSet::default();
        while let Some(at) = open.pop() {
            if at == home || !order.is_reachable(at) || !live.insert(at) {
                continue;
            }
            let from = order.incoming[at.index()].iter();
            let from = from.map(|edge| function.edge(*edge).from);
            open.extend(from.filter(|from| !stored.contains_key(from)));
        }
        Self {
            reading,
            function,
            order,
            home,
            stored,
            live,
            params: FxHashSet::default(),
            entering: FxHashMap::default(),
        }
    }

    /// Finds the parameters; false if there cannot be all.
    fn settle(&mut self) -> bool {
        for _ in 0..MOST_ROUNDS {
            if !self.find() {
                return false;
            }
            let before = self.params.len();
            if !self.join() {
                return false;
            }
            if self.params.len() == before {
                return self.params.iter().all(|at| self.has_room(*at));
            }
        }
        false
    }

    /// Can a segment have one more parameter?
    fn has_room(&self, at: SegmentId) -> bool {
        let mut edges = self.order.incoming[at.index()].iter();
        let is_known = |edge: &EdgeId| self.function.edge(*edge).room != Room::Unknown;
        let (function, home) = (self.function, self.home);
        at != home
            && self.order.dominates(home, at)
            && function.is_inside(function.region(at), function.region(home))
            && !self.function.segment(at).is_virtual
            && edges.all(is_known)
    }

    /// What is held at the start of each segment: what all edges pass, if that is one and the same, and can be named there,
    /// and a parameter otherwise. False if that does not come to an end.
    fn find(&mut self) -> bool {
        for _ in 0..MOST_ROUNDS {
            let mut is_settled = true;
            for at in self.order.segments() {
                if !self.live.contains(at) && !self.params.contains(at) {
                    continue;
                }
                let held = self.held(*at);
                if held == Some(StoredValue::Param(*at)) {
                    self.params.insert(*at);
                }
                if let Some(held) = held
                    && self.entering.insert(*at, held) != Some(held)
                {
                    is_settled = false;
                }
            }
            if is_settled {
                return true;
            }
        }
        false
    }

    /// What is held at the start of a segment, as far as that is known.
    fn held(&self, at: SegmentId) -> Option<StoredValue> {
        if self.params.contains(&at) {
            return Some(StoredValue::Param(at));
        }
        let mut sole = None;
        for edge in &self.order.incoming[at.index()] {
            let from = self.function.edge(*edge).from;
            let Some(held) = self.leaving(from) else {
                continue;
            };
            if sole.is_some_and(|sole| sole != held) || !self.is_in_sight(held, at) {
                return Some(StoredValue::Param(at));
            }
            sole = Some(held);
        }
        sole
    }

    /// What is held at the end of a segment, as far as that is known.
    fn leaving(&self, at: SegmentId) -> Option<StoredValue> {
        match self.stored.get(&at) {
            Some(value) => Some(StoredValue::Value(*value)),
            None if at == self.home => Some(StoredValue::Nothing),
            None => self.entering.get(&at).copied(),
        }
    }

    /// What edges pass for the parameter of a segment.
    fn passed(&self, at: SegmentId) -> Vec<StoredValue> {
        let edges = self.order.incoming[at.index()].iter();
        let held = edges.map(|edge| self.leaving(self.function.edge(*edge).from));
        held.map(|held| held.unwrap_or(StoredValue::Nothing))
            .collect()
    }

    /// Can it be named at the start of a segment?
    fn is_in_sight(&self, held: StoredValue, at: SegmentId) -> bool {
        let (function, order) = (self.function, self.order);
        match held {
            StoredValue::Nothing => true,
            StoredValue::Value(value) => {
                function.value(value).segment != at && order.is_visible(function, value, at)
            }
            StoredValue::Param(of) => {
                order.dominates(of, at)
                    && function.is_inside(function.region(at), function.region(of))
            }
        }
    }

    /// The end of a region, and an operation that enters regions, pass the same to all places where control may go on, so
    /// that these have parameters together. Branches, which are only entered, need none. False if they do not fit.
    fn join(&mut self) -> bool {
        let mut sources: FxHashMap<Key, SmallVec<[SegmentId; 2]>> = FxHashMap::default();
        for at in &self.params {
            for edge in &self.order.incoming[at.index()] {
                if let IrEdge::Enter(op) | IrEdge::Yield(op) = self.reading.ways[edge.index()] {
                    sources.entry(op.key()).or_default();
                }
            }
        }
        if sources.is_empty() {
            return true;
        }
        for (way, edge) in self.reading.ways.iter().zip(&self.function.edges) {
            if let (IrEdge::Enter(op) | IrEdge::Yield(op), Some(to)) = (way, edge.to)
                && let Some(all) = sources.get_mut(&op.key())
            {
                all.push(to);
            }
        }
        for targets in sources.values() {
            let count = |at: &SegmentId| self.function.segment(*at).params.len();
            let is_left_out = |at: &SegmentId| {
                let mut edges = self.reading.incoming[at.index()].iter();
                !self.params.contains(at)
                    && matches!(self.reading.starts[at.index()], Start::Block(_))
                    && edges.all(|edge| self.is_entered_by(*edge))
            };
            let all = targets.iter().filter(|at| !is_left_out(at));
            let all: SmallVec<[SegmentId; 2]> = all.copied().collect();
            if all
                .iter()
                .any(|at| count(at) != count(&all[0]) || !self.has_room(*at))
            {
                return false;
            }
            self.params.extend(all);
        }
        true
    }

    /// Does an edge lead from an operation into its regions?
    fn is_entered_by(&self, edge: EdgeId) -> bool {
        matches!(self.reading.ways[edge.index()], IrEdge::Enter(_))
    }
}
