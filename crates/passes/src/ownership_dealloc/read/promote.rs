//! Promotes containers of one memref to values, as mem2reg does for scalars.
//!
//! At each point, the container holds the value that was stored last. Where control flow merges, that may be
//! one memref or another. There a parameter is added, which receives the held value along each edge. It
//! stands for no value of the IR, but can be loaded from the container at the start of its segment. So a loop
//! that replaces the stored memref is like a loop that carries a memref, and branches that store different
//! memrefs are like branches that yield them. Parameters are those of pruned static single assignment form
//! (Cytron et al., 1991; Choi et al., 1991): they are placed only where edges pass different memrefs and some
//! path loads one later.

use super::{OwnershipReader, Reading};
use crate::memory_function::{IrEdge, SegmentStart, Walk};
use memplan_mlir::{
    ir::{Identity, Key, Op, ops, type_of},
    layout::element_count,
};
use memplan_ownership::{
    Function,
    function::{EdgeId, EdgeSplit, SegmentId, StepIndex, ValueId, ValueKind},
    order::SegmentOrder,
    plan::ProgramPoint,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The number of iterations until the held values are stable.
const MAX_ROUNDS: usize = 64;

/// A value that is held in memory.
#[derive(Clone, Copy, Debug)]
pub struct ValueInMemory {
    /// The value.
    pub value: ValueId,
    /// The container.
    pub container: ValueId,
    /// The place at which the container holds it.
    pub place: ProgramPoint,
}

/// The kind of access to a container.
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

/// The value that a container holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredValue {
    /// Nothing has been stored.
    Nothing,
    /// A value.
    Value(ValueId),
    /// The parameter of a segment.
    Param(SegmentId),
}

/// A container during promotion.
struct PromotedMemref<'r, 'c> {
    reading: &'r Reading<'c>,
    function: &'r Function,
    order: &'r SegmentOrder,
    /// The segment that allocates it.
    allocating_segment: SegmentId,
    /// The value that each segment stores last.
    stored: FxHashMap<SegmentId, ValueId>,
    /// The segments at whose start the held value is live.
    live: FxHashSet<SegmentId>,
    /// Segments with a parameter.
    params: FxHashSet<SegmentId>,
    /// The value that is held at the start of each segment.
    entering: FxHashMap<SegmentId, StoredValue>,
}

impl<'c> OwnershipReader<'c, '_> {
    /// Promotes a container. Returns the values of its loads; `None` if it cannot be promoted.
    pub(super) fn promote_one(
        &mut self,
        allocation: ValueId,
        mut accesses: Vec<Access<'c>>,
        order: &SegmentOrder,
    ) -> Option<Vec<(ValueId, ValueId)>> {
        let val = self.reading.memory.values[allocation.index()]?;
        let fact = &self.reading.memory.function.values[allocation.index()];
        let (segment, step) = (fact.segment, fact.step?);
        let allocating_op = *self.reading.memory.steps[segment.index()].get(step as usize)?;
        if self.without_promotion || element_count(type_of(val)) != Some(1) {
            return None;
        }
        let semantics = &mut *self.semantics;
        let mut is_plain = |access: &Access<'c>| {
            access.container == allocation && semantics.runs_in_order(access.op, allocating_op)
        };
        if !accesses.iter().all(&mut is_plain) {
            return None;
        }
        // A copy loads before it stores.
        accesses.sort_by_key(|access| {
            let is_store = matches!(access.kind, AccessKind::Stores(_));
            (access.segment, access.step, is_store)
        });
        let mut variable = PromotedMemref::of(&self.reading, order, segment, &accesses);
        if !variable.place_params() {
            return None;
        }
        let mut placed: Vec<SegmentId> = variable.params.iter().copied().collect();
        placed.sort_unstable();
        let starts = placed
            .iter()
            .map(|at| self.reading.memory.starts[at.index()]);
        let mut firsts = starts.filter_map(|start| match start {
            SegmentStart::Block(block) => ops(block).next(),
            SegmentStart::After(_) | SegmentStart::Between(_) => None,
        });
        if firsts.any(|first| self.semantics.table_facts(first).starts_landing_pad) {
            return None;
        }
        let passed: Vec<Vec<StoredValue>> = placed.iter().map(|at| variable.passed(*at)).collect();
        let entering = variable.entering;
        let first = self.reading.memory.function.values.len();
        let name = |held_value: StoredValue| match held_value {
            StoredValue::Nothing => None,
            StoredValue::Value(value) => Some(value),
            StoredValue::Param(at) => {
                let number = placed.binary_search(&at).ok()?;
                Some(ValueId::new(first + number))
            }
        };
        for (at, passed) in placed.iter().zip(passed) {
            let number = self.reading.memory.function.segment(*at).params.len();
            let value = self.memory().add_value(ValueKind::Param, *at, None, None);
            self.reading.values_in_memory.push(ValueInMemory {
                value,
                container: allocation,
                place: ProgramPoint::Start(*at),
            });
            // It can be loaded there as long as the container is allocated.
            self.reading
                .memory
                .function
                .used_at_start
                .push((*at, allocation));
            for edge in &self.reading.incoming[at.index()] {
                let fact = &mut self.reading.memory.function.edges[edge.index()];
                fact.passed.resize(number, None);
                fact.passed.push(None);
            }
            for (edge, held_value) in order.incoming[at.index()].iter().zip(passed) {
                let fact = &mut self.reading.memory.function.edges[edge.index()];
                fact.passed[number] = name(held_value);
            }
        }
        let mut resolved = Vec::new();
        let mut current: Option<(SegmentId, StoredValue)> = None;
        for access in accesses {
            let at = access.segment;
            let held_value = match current {
                Some((last, held_value)) if last == at => held_value,
                _ => entering.get(&at).copied().unwrap_or(StoredValue::Nothing),
            };
            current = Some((at, held_value));
            match access.kind {
                AccessKind::Stores(value) => {
                    current = Some((at, StoredValue::Value(value)));
                    // A copy stored it.
                    if self.reading.memory.values[value.index()].is_none() {
                        self.reading.values_in_memory.push(ValueInMemory {
                            value,
                            container: allocation,
                            place: ProgramPoint::After(at, access.step),
                        });
                    }
                }
                AccessKind::Loads(value) => {
                    resolved.push((value, name(held_value).unwrap_or(self.reading.untracked)));
                }
            }
        }
        Some(resolved)
    }
}

impl OwnershipReader<'_, '_> {
    /// After all loads are resolved: edges pass the original of a loaded memref for a promoted container, if
    /// it is the only one. An original that is visible at the load, and the same there, is so wherever the
    /// load is visible.
    pub(super) fn shorten_names(&mut self, followed: &FxHashSet<ValueId>) {
        let params = self
            .reading
            .values_in_memory
            .iter()
            .map(|held_value| held_value.value);
        let params: FxHashSet<ValueId> = params.collect();
        if params.is_empty() {
            return;
        }
        let untracked = self.reading.untracked;
        let function = &mut self.reading.memory.function;
        let (values, segments) = (&function.values, &function.segments);
        for edge in &mut function.edges {
            let Some(to) = edge.to else { continue };
            let all = segments[to.index()].params.iter().zip(&mut edge.passed);
            for (_, passed) in all.filter(|(param, _)| params.contains(param)) {
                // A stored value was loaded before, so this terminates.
                while let Some(value) = passed.filter(|value| followed.contains(value))
                    && let ValueKind::AnyOf(sources) = &values[value.index()].kind
                    && let [sole] = sources.as_slice()
                    && *sole != untracked
                {
                    *passed = Some(*sole);
                }
            }
        }
    }
}

impl<'r, 'c> PromotedMemref<'r, 'c> {
    fn of(
        reading: &'r Reading<'c>,
        order: &'r SegmentOrder,
        allocating_segment: SegmentId,
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
            if at == allocating_segment || !order.is_reachable(at) || !live.insert(at) {
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
            allocating_segment,
            stored,
            live,
            params: FxHashSet::default(),
            entering: FxHashMap::default(),
        }
    }

    /// Places the parameters; false if one cannot be placed.
    fn place_params(&mut self) -> bool {
        for _ in 0..MAX_ROUNDS {
            if !self.find_values() {
                return false;
            }
            let before = self.params.len();
            if !self.extend_params() {
                return false;
            }
            if self.params.len() == before {
                return self.params.iter().all(|at| self.can_have_param(*at));
            }
        }
        false
    }

    /// Whether a segment can have one more parameter.
    fn can_have_param(&self, at: SegmentId) -> bool {
        let mut edges = self.order.incoming[at.index()].iter();
        let is_known = |edge: &EdgeId| self.function.edge(*edge).split != EdgeSplit::Unknown;
        let (function, allocation) = (self.function, self.allocating_segment);
        at != allocation
            && self.order.dominates(allocation, at)
            && function.is_inside(function.region(at), function.region(allocation))
            && !self.function.segment(at).is_virtual
            && edges.all(is_known)
    }

    /// Finds the value held at the start of each segment. If all edges pass one value that is visible there,
    /// it is that value; else it is a parameter. False if this does not converge.
    fn find_values(&mut self) -> bool {
        for _ in 0..MAX_ROUNDS {
            let mut is_settled = true;
            for at in self.order.segments() {
                if !self.live.contains(at) && !self.params.contains(at) {
                    continue;
                }
                let held_value = self.value_at_start(*at);
                if held_value == Some(StoredValue::Param(*at)) {
                    self.params.insert(*at);
                }
                if let Some(held_value) = held_value
                    && self.entering.insert(*at, held_value) != Some(held_value)
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

    /// The value held at the start of a segment, as far as it is known.
    fn value_at_start(&self, at: SegmentId) -> Option<StoredValue> {
        if self.params.contains(&at) {
            return Some(StoredValue::Param(at));
        }
        let mut sole = None;
        for edge in &self.order.incoming[at.index()] {
            let from = self.function.edge(*edge).from;
            let Some(held_value) = self.value_at_end(from) else {
                continue;
            };
            if sole.is_some_and(|sole| sole != held_value) || !self.is_visible(held_value, at) {
                return Some(StoredValue::Param(at));
            }
            sole = Some(held_value);
        }
        sole
    }

    /// The value held at the end of a segment, as far as it is known.
    fn value_at_end(&self, at: SegmentId) -> Option<StoredValue> {
        match self.stored.get(&at) {
            Some(value) => Some(StoredValue::Value(*value)),
            None if at == self.allocating_segment => Some(StoredValue::Nothing),
            None => self.entering.get(&at).copied(),
        }
    }

    /// The values that edges pass for the parameter of a segment.
    fn passed(&self, at: SegmentId) -> Vec<StoredValue> {
        let edges = self.order.incoming[at.index()].iter();
        let held_value = edges.map(|edge| self.value_at_end(self.function.edge(*edge).from));
        held_value
            .map(|held_value| held_value.unwrap_or(StoredValue::Nothing))
            .collect()
    }

    /// Whether a held value is visible at the start of a segment.
    fn is_visible(&self, held_value: StoredValue, at: SegmentId) -> bool {
        let (function, order) = (self.function, self.order);
        match held_value {
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

    /// Extends the set of parameters to all targets of an operation. The end of a region, and an operation
    /// that enters regions, forward the same operands to each target, so that all targets need parameters.
    /// Regions of branches, which are only entered, need none. False if the targets do not match.
    fn extend_params(&mut self) -> bool {
        let mut sources: FxHashMap<Key, SmallVec<[SegmentId; 2]>> = FxHashMap::default();
        for at in &self.params {
            for edge in &self.order.incoming[at.index()] {
                if let IrEdge::Enter(op) | IrEdge::Yield(op) = self.reading.ir_edges[edge.index()] {
                    sources.entry(op.key()).or_default();
                }
            }
        }
        if sources.is_empty() {
            return true;
        }
        for (ir_edge, edge) in self.reading.ir_edges.iter().zip(&self.function.edges) {
            if let (IrEdge::Enter(op) | IrEdge::Yield(op), Some(to)) = (ir_edge, edge.to)
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
                    && matches!(self.reading.starts[at.index()], SegmentStart::Block(_))
                    && edges.all(|edge| self.is_enter_edge(*edge))
            };
            let all = targets.iter().filter(|at| !is_left_out(at));
            let all: SmallVec<[SegmentId; 2]> = all.copied().collect();
            if all
                .iter()
                .any(|at| count(at) != count(&all[0]) || !self.can_have_param(*at))
            {
                return false;
            }
            self.params.extend(all);
        }
        true
    }

    /// Whether an edge leads from an operation into its regions.
    fn is_enter_edge(&self, edge: EdgeId) -> bool {
        matches!(self.reading.ir_edges[edge.index()], IrEdge::Enter(_))
    }
}
