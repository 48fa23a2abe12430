//! Placement of frees at the ends of blocks, as MLIR's `ownership-based-buffer-deallocation` does.
//!
//! Memory belongs to the region that allocates it (see `ownership_analysis`). Before the terminator of each
//! block, one [`BlockEndDealloc`] handles the memory that the region owns:
//!
//! * Its *memrefs* are the values that may own memory there: the block's arguments, the values that are live
//!   at its start, and the new memory of the block. Several of them may alias.
//! * Its *retained* values, for each edge, are the values that the edge passes and those that are live at its
//!   target.
//! * Memory that is owned and aliases no retained value is freed, once. For each retained value the dealloc
//!   computes whether its memory is owned. The result accompanies a passed value. For a value that stays live
//!   it holds for the rest of the live range, since memory is owned until nothing refers to it.
//!
//! So the memory that the region owns at the start of a block is that of an argument or a live value. The
//! ownership of that value is known.
//!
//! Some blocks have several edges, and the condition of their branch is available before the last step. These
//! have a dealloc for each edge, under that condition. In other blocks one dealloc retains the values of all
//! edges. Another dealloc on each edge frees the memory that this edge does not need.

use crate::{
    DecideError,
    function::{EdgeId, EdgeSplit, Function, SegmentId, ValueId, ValueKind},
    no_alias::NoAlias,
    order::SegmentOrder,
    ownership_analysis::OwnershipAnalysis,
    plan::{
        BlockEndDealloc, Free, OwnedIf, Ownership, OwnershipSource, PassedOwnership, Plan,
        ProgramPoint,
    },
    value_liveness::ValueLiveness,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Decides where memory is freed: at the ends of blocks.
pub fn decide(function: &Function) -> Result<Plan, DecideError> {
    let order = SegmentOrder::of(function);
    let live = ValueLiveness::of(function, &order, &function.used_at_start);
    let owned = OwnershipAnalysis::of(function, &order);
    let mut ends = BlockEndPlacer {
        plan: Plan {
            ownership: flag_ownership(function, &owned),
            passed_ownership: function
                .edges
                .iter()
                .map(|edge| vec![PassedOwnership::default(); edge.passed.len()])
                .collect(),
            reached: (0..function.segments.len())
                .map(|segment| order.is_reachable(SegmentId::new(segment)))
                .collect(),
            ..Plan::default()
        },
        function,
        entering: entering_values(function, &order, &live, &owned),
        defined: defined_values(function),
        result_slots: vec![SmallVec::new(); function.values.len()],
        no_alias: NoAlias::of(function, &order),
        order: &order,
        owned,
    };
    let mut is_continued = vec![false; function.segments.len()];
    for before in function
        .segments
        .iter()
        .filter_map(|segment| segment.continues)
    {
        is_continued[before.index()] = true;
    }
    for segment in order.segments() {
        if !is_continued[segment.index()] {
            ends.place_block(*segment)?;
        }
    }
    Ok(ends.plan)
}

struct BlockEndPlacer<'f> {
    function: &'f Function,
    order: &'f SegmentOrder,
    no_alias: NoAlias<'f>,
    owned: OwnershipAnalysis,
    /// For each segment, the values of its region that are live at its start and may be owned.
    entering: Vec<Vec<ValueId>>,
    /// For each segment, the values that it defines.
    defined: Vec<Vec<ValueId>>,
    /// For each value, the dealloc results of its defining block that say whether it is owned.
    result_slots: Vec<SmallVec<[(usize, usize); 2]>>,
    plan: Plan,
}

impl BlockEndPlacer<'_> {
    /// Places the deallocs of the block that ends with a segment.
    fn place_block(&mut self, end: SegmentId) -> Result<(), DecideError> {
        let block = self.segments_of_block(end);
        let mut memrefs = self.memrefs(&block);
        let consumed = self.consumed_values(&block);
        if consumed.is_empty() && !memrefs.iter().any(|memref| self.may_own(memref)) {
            return Ok(());
        }
        let retained = self.function.segment(end).edges.iter();
        let retained = unique(retained.flat_map(|edge| self.retained(*edge)));
        self.remove_consumed(&consumed, &mut memrefs, &retained)?;
        if !memrefs.iter().any(|memref| self.may_own(memref)) {
            return Ok(());
        }
        if let Some((edge, value)) = self.obstacle(end, &memrefs) {
            return Err(DecideError::NoPlaceForFrees(vec![(edge, value)]));
        }
        let fact = self.function.segment(end);
        let last = fact.steps.checked_sub(1);
        let place = match last {
            Some(_) => ProgramPoint::End(end),
            None => ProgramPoint::Start(end),
        };
        let edges: SmallVec<[(EdgeId, Vec<ValueId>); 2]> = fact
            .edges
            .iter()
            .map(|edge| (*edge, self.retained(*edge)))
            .collect();
        let used = fact.uses.iter().filter(|(step, _)| Some(*step) == last);
        let used = used.map(|(_, value)| *value);
        let used = used.filter(|value| self.may_be_owned_by_region(*value, end));
        let retained = unique(
            edges
                .iter()
                .flat_map(|(_, kept)| kept.iter().copied())
                .chain(used),
        );
        self.free_separately(&mut memrefs, &retained, place);
        if !memrefs.iter().any(|memref| self.may_own(memref)) {
            return Ok(());
        }
        if fact.has_branch_condition {
            for (edge, retained) in edges {
                let dealloc = self.add_dealloc(BlockEndDealloc {
                    place,
                    only_on: Some(edge),
                    memrefs: memrefs.clone(),
                    retained,
                });
                self.record_results(dealloc, &block);
                self.pass_results(dealloc, edge);
            }
            return Ok(());
        }
        let dealloc = self.add_dealloc(BlockEndDealloc {
            place,
            only_on: None,
            memrefs,
            retained,
        });
        self.record_results(dealloc, &block);
        for (edge, kept) in edges {
            self.pass_results(dealloc, edge);
            self.dealloc_on_edge(dealloc, edge, kept)?;
        }
        Ok(())
    }

    /// The values that operations inside a block consume, as far as the function may own them, with the edges
    /// out of these operations.
    fn consumed_values(&self, block: &[SegmentId]) -> Vec<(EdgeId, ValueId)> {
        let function = self.function;
        if function.consumed.is_empty() {
            return Vec::new();
        }
        let mut consumed = Vec::new();
        for edge in block
            .iter()
            .flat_map(|segment| &function.segment(*segment).edges)
        {
            let fact = function.edge(*edge);
            let params = fact.to.map_or(&[][..], |to| &function.segment(to).params);
            for (passed, param) in fact.passed.iter().zip(params) {
                if let Some(value) = passed.filter(|_| function.consumed.contains(param))
                    && self.owned.may_be_owned(value)
                {
                    consumed.push((*edge, value));
                }
            }
        }
        consumed
    }

    /// Removes consumed memory from the memrefs of a block's dealloc. That is correct if the region owns it
    /// for certain (else an enclosing region may own it), nothing refers to it afterwards, and no other value
    /// there may alias it. All other cases are errors.
    fn remove_consumed(
        &mut self,
        consumed: &[(EdgeId, ValueId)],
        memrefs: &mut Vec<(ValueId, OwnedIf)>,
        retained: &[ValueId],
    ) -> Result<(), DecideError> {
        if consumed.is_empty() {
            return Ok(());
        }
        let mut by_group: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
        for value in memrefs.iter().map(|(value, _)| value).chain(retained) {
            by_group
                .entry(self.no_alias.group(*value))
                .or_default()
                .push(*value);
        }
        let memrefs_of: FxHashSet<ValueId> = memrefs.iter().map(|(value, _)| *value).collect();
        let is_retained: FxHashSet<ValueId> = retained.iter().copied().collect();
        for (edge, value) in consumed {
            // These are few where memory flows between few values: memory that is allocated and consumed is
            // alone in its group.
            let others = by_group.get(&self.no_alias.group(*value));
            let mut others = others.into_iter().flatten().filter(|other| *other != value);
            if self.owned.ownership_of(*value) != Ownership::Always
                || is_retained.contains(value)
                || !memrefs_of.contains(value)
                || !others.all(|other| self.no_alias.never_alias(*value, *other))
            {
                return Err(DecideError::ConsumedWhileLive { edge: *edge });
            }
        }
        let removed: FxHashSet<ValueId> = consumed.iter().map(|(_, value)| *value).collect();
        memrefs.retain(|(value, _)| !removed.contains(value));
        Ok(())
    }

    /// An edge, and a value whose memory cannot be freed at the end of a block.
    fn obstacle(
        &self,
        end: SegmentId,
        memrefs: &[(ValueId, OwnedIf)],
    ) -> Option<(EdgeId, ValueId)> {
        let fact = self.function.segment(end);
        // Code before the last step cannot name the results of the last step.
        let is_last = |value: ValueId| {
            let value = self.function.value(value);
            value.segment == end && value.step.is_some_and(|step| step + 1 == fact.steps)
        };
        // Regions that the last step enters use memory after the end of the block.
        let region = self.function.region(end);
        let enters = |edge: &EdgeId| {
            let to = self.function.edge(*edge).to;
            let to = to.map_or(region, |to| self.function.region(to));
            to != region && self.function.is_inside(to, region)
        };
        let is_unknown = |edge: &EdgeId| self.function.edge(*edge).split == EdgeSplit::Unknown;
        let has_no_end = fact.is_virtual
            || fact
                .edges
                .iter()
                .any(|edge| enters(edge) || is_unknown(edge));
        let mut memrefs = memrefs.iter().map(|(value, _)| *value);
        let value = memrefs.find(|value| has_no_end || is_last(*value))?;
        Some((*fact.edges.first()?, value))
    }

    /// Frees memory by an operation of its own, if [`Function::freed_separately`] contains it and no other
    /// memref or retained value may alias it.
    fn free_separately(
        &mut self,
        memrefs: &mut Vec<(ValueId, OwnedIf)>,
        retained: &[ValueId],
        place: ProgramPoint,
    ) {
        for value in &self.function.freed_separately {
            let Some(at) = memrefs.iter().position(|(other, _)| other == value) else {
                continue;
            };
            let owners = memrefs.iter().filter(|memref| self.may_own(memref));
            let others: Vec<ValueId> = owners
                .map(|(other, _)| *other)
                .filter(|other| other != value)
                .chain(retained.iter().copied())
                .collect();
            if self.plan.ownership_of(*value) == Ownership::Always
                && others
                    .into_iter()
                    .all(|other| self.no_alias.never_alias(*value, other))
            {
                memrefs.remove(at);
                self.plan.frees.push(Free {
                    value: *value,
                    place,
                });
            }
        }
    }

    /// Frees on an edge the memory that was retained only for other edges.
    fn dealloc_on_edge(
        &mut self,
        dealloc: usize,
        edge: EdgeId,
        kept: Vec<ValueId>,
    ) -> Result<(), DecideError> {
        let is_kept: FxHashSet<ValueId> = kept.iter().copied().collect();
        let retained = self.plan.block_end_deallocs[dealloc]
            .retained
            .iter()
            .enumerate();
        let rest: Vec<(ValueId, OwnedIf)> = retained
            .filter(|(_, value)| !is_kept.contains(value) && self.owned.may_be_owned(**value))
            .map(|(slot, value)| {
                (
                    *value,
                    OwnedIf::BlockEnd(SmallVec::from_slice(&[(dealloc, slot)])),
                )
            })
            .collect();
        let Some((value, _)) = rest.first() else {
            return Ok(());
        };
        let fact = self.function.edge(edge);
        if fact.split != EdgeSplit::Possible {
            return Err(DecideError::NoPlaceForFrees(vec![(edge, *value)]));
        }
        let alone = fact
            .to
            .filter(|to| self.order.incoming[to.index()].len() == 1);
        self.add_dealloc(BlockEndDealloc {
            place: alone.map_or(ProgramPoint::Edge(edge), ProgramPoint::Start),
            only_on: None,
            memrefs: rest,
            retained: kept,
        });
        Ok(())
    }

    fn add_dealloc(&mut self, dealloc: BlockEndDealloc) -> usize {
        self.plan.block_end_deallocs.push(dealloc);
        self.plan.block_end_deallocs.len() - 1
    }

    /// The segments of a block, given its last one.
    fn segments_of_block(&self, end: SegmentId) -> SmallVec<[SegmentId; 2]> {
        let before = |segment: &SegmentId| self.function.segment(*segment).continues;
        let mut all: SmallVec<[SegmentId; 2]> = std::iter::successors(Some(end), before).collect();
        all.reverse();
        all
    }

    /// The memrefs that a block may have to free.
    fn memrefs(&self, block: &[SegmentId]) -> Vec<(ValueId, OwnedIf)> {
        let function = self.function;
        let start = block[0];
        let is_argument = |value: &&ValueId| {
            let fact = function.value(**value);
            fact.segment == start && fact.step.is_none()
        };
        let flagged = |value: &ValueId| (*value, OwnedIf::Flag);
        let mut all: Vec<(ValueId, OwnedIf)> = Vec::new();
        let first = self.defined[start.index()].iter();
        all.extend(first.filter(is_argument).map(flagged));
        let live = self.entering[start.index()].iter();
        all.extend(live.map(|value| (*value, self.owned_after(*value))));
        for segment in block {
            let values = self.defined[segment.index()].iter();
            let values =
                values.filter(|value| !is_argument(value) && !function.consumed.contains(value));
            let is_new = |value: &&ValueId| match function.value(**value).kind {
                ValueKind::Fresh { owned, .. } => owned || function.automatic.contains(value),
                ValueKind::Param | ValueKind::FreshOrAnyOf(_) => true,
                ValueKind::AnyOf(_) | ValueKind::Foreign => false,
            };
            all.extend(values.filter(is_new).map(flagged));
        }
        all
    }

    /// Whether a value is owned after the block that defines it.
    fn owned_after(&self, value: ValueId) -> OwnedIf {
        match self.function.value(value).kind {
            ValueKind::Fresh { .. } => OwnedIf::Flag,
            _ => OwnedIf::BlockEnd(self.result_slots[value.index()].clone()),
        }
    }

    fn may_own(&self, (value, owned): &(ValueId, OwnedIf)) -> bool {
        match owned {
            OwnedIf::Flag => self.plan.ownership_of(*value) != Ownership::Never,
            OwnedIf::BlockEnd(found) => !found.is_empty(),
        }
    }

    /// The values that are needed after an edge: passed ones, and those that are live at its target.
    fn retained(&self, edge: EdgeId) -> Vec<ValueId> {
        let fact = self.function.edge(edge);
        let passed = fact.passed.iter().flatten().copied();
        let passed = passed.filter(|value| self.is_queried(edge, *value));
        let is_same_region =
            |to: &SegmentId| self.function.region(fact.from) == self.function.region(*to);
        let live = fact.to.filter(is_same_region).into_iter();
        unique(passed.chain(live.flat_map(|to| self.entering[to.index()].iter().copied())))
    }

    /// Whether the ownership of a passed value has to be queried. Returned values that are never owned are
    /// copied in any case.
    fn is_queried(&self, edge: EdgeId, value: ValueId) -> bool {
        let fact = self.function.edge(edge);
        let is_argument = self.function.value(value).step.is_none();
        self.may_be_owned_by_region(value, fact.from)
            || is_argument && fact.to.is_some() && self.is_defined_in_region(value, fact.from)
    }

    /// Whether a value may refer to memory that the region of a segment owns.
    fn may_be_owned_by_region(&self, value: ValueId, segment: SegmentId) -> bool {
        self.owned.may_be_owned(value) && self.is_defined_in_region(value, segment)
    }

    /// Whether the region of a segment defines a value.
    fn is_defined_in_region(&self, value: ValueId, segment: SegmentId) -> bool {
        let defined_in = self.function.value(value).segment;
        self.function.region(defined_in) == self.function.region(segment)
    }

    /// Records the dealloc's results for values that the block defines.
    fn record_results(&mut self, dealloc: usize, block: &[SegmentId]) {
        for (slot, value) in self.plan.block_end_deallocs[dealloc]
            .retained
            .iter()
            .enumerate()
        {
            if block.contains(&self.function.value(*value).segment) {
                self.result_slots[value.index()].push((dealloc, slot));
            }
        }
    }

    /// Records the dealloc's results for values that an edge passes.
    fn pass_results(&mut self, dealloc: usize, edge: EdgeId) {
        let fact = self.function.edge(edge);
        let retained = &self.plan.block_end_deallocs[dealloc].retained;
        for (at, value) in fact.passed.iter().enumerate() {
            let Some(value) = value.filter(|value| self.is_queried(edge, *value)) else {
                continue;
            };
            let pass = &mut self.plan.passed_ownership[edge.index()][at];
            let slot = retained.iter().position(|one| *one == value);
            pass.sources
                .extend(slot.map(|slot| OwnershipSource::BlockEnd { dealloc, slot }));
            pass.is_always_owned =
                fact.to.is_none() && self.owned.ownership_of(value) == Ownership::Always;
        }
    }
}

/// For each value, whether an ownership flag accompanies it.
fn flag_ownership(function: &Function, owned: &OwnershipAnalysis) -> Vec<Ownership> {
    let flag = |index: usize| {
        let (value, fact) = (ValueId::new(index), &function.values[index]);
        match fact.kind {
            ValueKind::AnyOf(_) | ValueKind::Foreign => Ownership::Never,
            ValueKind::Param if function.consumed.contains(&value) => Ownership::Never,
            ValueKind::Param if !owned.may_be_owned(value) => Ownership::Never,
            ValueKind::Param if !function.segment(fact.segment).has_fixed_params => {
                Ownership::Dynamic
            }
            ValueKind::Param | ValueKind::Fresh { .. } | ValueKind::FreshOrAnyOf(_) => {
                owned.ownership_of(value)
            }
        }
    };
    (0..function.values.len()).map(flag).collect()
}

/// For each segment, the values of its region that are live at its start and may be owned.
fn entering_values(
    function: &Function,
    order: &SegmentOrder,
    live: &ValueLiveness,
    owned: &OwnershipAnalysis,
) -> Vec<Vec<ValueId>> {
    let mut entering = vec![Vec::new(); function.segments.len()];
    for value in (0..function.values.len()).map(ValueId::new) {
        let defined_in = function.region(function.value(value).segment);
        if !owned.may_be_owned(value) {
            continue;
        }
        for (segment, enters, _) in live.segments(value) {
            if enters
                && function.region(segment) == defined_in
                && order.is_visible(function, value, segment)
            {
                entering[segment.index()].push(value);
            }
        }
    }
    entering
}

/// For each segment, the values that it defines.
fn defined_values(function: &Function) -> Vec<Vec<ValueId>> {
    let mut defined = vec![Vec::new(); function.segments.len()];
    for (index, value) in function.values.iter().enumerate() {
        defined[value.segment.index()].push(ValueId::new(index));
    }
    defined
}

/// Each value once, in the order of first occurrence.
fn unique(values: impl Iterator<Item = ValueId>) -> Vec<ValueId> {
    let mut seen = FxHashSet::default();
    values.filter(|value| seen.insert(*value)).collect()
}
