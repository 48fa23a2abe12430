//! Placement of frees after last uses.
//!
//! At each point, some values are *owners*. Memory that the function has to free belongs to exactly one owner
//! whose ownership flag holds; the flags of all other owners do not hold. So owners never have to be compared
//! with each other.
//!
//! * New memory belongs to the value that it is allocated for.
//! * An owner stays an owner while a value that may alias it is live. (A value that owns other memory for
//!   certain does not count.) Then its memory is freed: after the last use, or on the edges to segments where
//!   no alias is live.
//! * Some edges lead to a segment where the owner is not visible, or where only the values that the edge
//!   passes need the memory. On these, ownership moves to the parameter that is the same memory for certain.
//!   If no parameter is, a test at run time finds the new owner.
//! * Loops need no rule of their own. A loop is an edge to an earlier segment, and a value that a loop carries is
//!   a parameter of that segment. On this edge, as on any other, an owner stays, dies, or moves to a parameter
//!   (`OwnerExit`): a buffer that the next iteration replaces dies there, and two that are swapped move.
//! * The ownership of a parameter is a constant where all edges agree. Otherwise a flag accompanies the
//!   parameter.
//!
//! Whether an owner stays one at the start of a segment does not depend on the edge that control takes. A
//! value that is live there, and is no parameter of the segment, was live on all paths from its definition.
//! Its definition dominates the segment, and so does that of the owner.

use crate::{
    DecideError,
    alias_classes::Split,
    function::{EdgeId, EdgeSplit, Function, SegmentId, StepIndex, ValueId, ValueKind},
    no_alias::NoAlias,
    order::SegmentOrder,
    plan::{AliasTest, Free, Ownership, OwnershipSource, PassedOwnership, Plan, ProgramPoint},
    propagate_ownership,
    segment_values::SegmentValues,
    value_liveness::ValueLiveness,
};
use owner_sets::{OwnerSets, Owners, is_dropped};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

mod owner_sets;

/// The number of attempts, each with more uses added at the ends of edges that take no code.
const MAX_ROUNDS: usize = 16;

/// Decides where memory is freed: after last uses.
pub fn decide(function: &Function) -> Result<Plan, DecideError> {
    let order = SegmentOrder::of(function);
    let mut used_at_start = function.used_at_start.clone();
    for _ in 0..MAX_ROUNDS {
        let live = ValueLiveness::of(function, &order, &used_at_start);
        let mut round = PlacementRound::new(function, &order, &live);
        let first = round.run();
        // Parameters that always own memory own other memory than all other owners. With that known, more
        // memory can be freed early. The second plan has to confirm it.
        let sole_owners: Vec<bool> = (0..function.values.len())
            .map(|index| {
                let param = matches!(function.values[index].kind, ValueKind::Param);
                param && first.plan.ownership[index] == Ownership::Always
            })
            .collect();
        let mut result = first;
        if sole_owners.contains(&true) {
            round.sole_owners.clone_from(&sole_owners);
            let second = round.run();
            let holds = |index: usize| {
                !sole_owners[index] || second.plan.ownership[index] == Ownership::Always
            };
            if (0..sole_owners.len()).all(holds) {
                result = second;
            }
        }
        if let Some(edge) = result.perhaps_consumed {
            return Err(DecideError::ConsumedWhileLive { edge });
        }
        if result.unplaceable.is_empty() {
            return Ok(result.plan);
        }
        let before = used_at_start.len();
        let mut no_place = Vec::new();
        for (edge, value) in result.unplaceable {
            match function.edge(edge).to {
                Some(to)
                    if function.edge(edge).split != EdgeSplit::Unknown
                        && order.is_visible(function, value, to)
                        && function.is_ir_value(value) =>
                {
                    if !used_at_start.contains(&(to, value)) {
                        used_at_start.push((to, value));
                    }
                }
                _ => no_place.push((edge, value)),
            }
        }
        if !no_place.is_empty() {
            return Err(DecideError::NoPlaceForFrees(no_place));
        }
        if used_at_start.len() == before {
            break;
        }
    }
    Err(DecideError::TooManyRounds)
}

/// The plan of one attempt, and its obstacles.
struct RoundResult {
    plan: Plan,
    /// Frees and tests on edges that take no code, with their owners.
    unplaceable: Vec<(EdgeId, ValueId)>,
    /// An edge that consumes memory which an owner that stays one may own.
    perhaps_consumed: Option<EdgeId>,
}

/// One attempt at a plan.
struct PlacementRound<'f> {
    function: &'f Function,
    order: &'f SegmentOrder,
    live: &'f ValueLiveness,
    no_alias: NoAlias<'f>,
    /// Values that own other memory than all other owners, as long as they are owners.
    sole_owners: Vec<bool>,
    segment_values: SegmentValues,
    /// Owners that stay owners on an edge that may consume their memory.
    perhaps_consumed: Vec<(EdgeId, ValueId)>,
    /// For each segment, the new memory that the function has to free.
    fresh: Vec<SmallVec<[ValueId; 2]>>,
    /// The alias groups that contain new memory which the function has to free.
    owning_groups: FxHashSet<ValueId>,
    sets: OwnerSets,
    /// For each value, whether it is passed to an unused parameter. Ownership of such a value may be queried
    /// although the value is dead.
    is_dropped: Vec<bool>,
}

/// The fate of an owner on an edge out of its segment.
enum OwnerExit {
    /// It stays an owner.
    Stays,
    /// Ownership moves to the parameter of this number.
    Moves(usize),
    /// A test at run time finds the new owner among the parameters of these numbers, or none.
    Tested(SmallVec<[usize; 2]>),
    /// The memory is not needed any more.
    Dies,
}

/// The values that an edge passes, indexed for queries about many owners.
struct EdgeArguments {
    edge: EdgeId,
    /// For each passed value, the first parameter that receives it.
    first: FxHashMap<ValueId, usize>,
    /// By alias group: the passed values that may alias other owners.
    others: FxHashMap<ValueId, PassedGroup>,
}

/// Values of one alias group that an edge passes.
#[derive(Default)]
struct PassedGroup {
    /// Each value with the number of its parameter.
    all: SmallVec<[(usize, ValueId); 2]>,
    /// If most of them never alias.
    split: Option<Split>,
}

impl<'f> PlacementRound<'f> {
    fn new(function: &'f Function, order: &'f SegmentOrder, live: &'f ValueLiveness) -> Self {
        let mut fresh = vec![SmallVec::new(); function.segments.len()];
        for (index, value) in function.values.iter().enumerate() {
            if matches!(
                value.kind,
                ValueKind::Fresh { owned: true, .. } | ValueKind::FreshOrAnyOf(_)
            ) {
                fresh[value.segment.index()].push(ValueId::new(index));
            }
        }
        let no_alias = NoAlias::of(function, order);
        let groups = fresh.iter().flatten().map(|value| no_alias.group(*value));
        Self {
            function,
            order,
            live,
            owning_groups: groups.collect(),
            fresh,
            segment_values: SegmentValues::of(function, live, &no_alias),
            no_alias,
            sole_owners: vec![false; function.values.len()],
            perhaps_consumed: Vec::new(),
            sets: OwnerSets::default(),
            is_dropped: is_dropped(function, live),
        }
    }

    /// Whether an owner's memory is known to be no other owner's.
    fn is_sole_owner(&self, owner: ValueId) -> bool {
        self.sole_owners[owner.index()]
            || matches!(
                self.function.value(owner).kind,
                ValueKind::Fresh {
                    owned: true,
                    may_alias: None
                }
            )
    }

    /// Whether `other` never aliases `owner` while `owner` owns its memory.
    fn never_aliases(&mut self, owner: ValueId, other: ValueId) -> bool {
        // A call's result is new memory wherever it is owned.
        let is_new = matches!(self.function.value(owner).kind, ValueKind::FreshOrAnyOf(_));
        (is_new && self.order.is_before(self.function, other, owner))
            || self.no_alias.never_alias(owner, other)
    }

    /// Whether `other` may alias `owner`, as long as that and `owners` own their memory.
    fn may_alias(&mut self, owner: ValueId, other: ValueId, owners: &FxHashSet<ValueId>) -> bool {
        let is_others = owners.contains(&other) && self.is_sole_owner(other);
        other == owner || !(is_others || self.never_aliases(owner, other))
    }

    /// The last step of a segment that may use the memory of `owner` through a value that is not in `except`.
    fn last_use(
        &mut self,
        owner: ValueId,
        segment: SegmentId,
        owners: &FxHashSet<ValueId>,
        except: &FxHashSet<ValueId>,
    ) -> Option<StepIndex> {
        let values = &self.segment_values;
        let mut search = values.search(segment, owner, false, &self.no_alias);
        while let Some((other, last)) = self.segment_values.next(&mut search) {
            if last.is_none() {
                break;
            }
            if !except.contains(&other) && self.may_alias(owner, other, owners) {
                return last;
            }
        }
        None
    }

    fn run(&mut self) -> RoundResult {
        let count = self.function.segments.len();
        let mut plan = Plan {
            passed_ownership: self
                .function
                .edges
                .iter()
                .map(|edge| vec![PassedOwnership::default(); edge.passed.len()])
                .collect(),
            reached: (0..count)
                .map(|segment| self.order.is_reachable(SegmentId::new(segment)))
                .collect(),
            ..Plan::default()
        };
        let mut unplaceable = Vec::new();
        // The owners at the end of each segment that has been visited.
        let mut ends: Vec<Option<Owners>> = (0..count).map(|_| None).collect();
        for segment in self.order.segments() {
            let fact = self.function.segment(*segment);
            let next = fact
                .edges
                .iter()
                .filter_map(|edge| self.function.edge(*edge).to);
            self.segment_values
                .select_segments(std::iter::once(*segment).chain(next));
            let mut owners: Vec<ValueId> = fact.params.clone();
            owners.retain(|owner| {
                !self.function.consumed.contains(owner)
                    && self.owning_groups.contains(&self.no_alias.group(*owner))
            });
            let from = self.order.incoming[segment.index()]
                .iter()
                .find_map(|edge| ends[self.function.edge(*edge).from.index()].as_ref());
            let mut sets = Vec::new();
            if let Some(from) = from {
                let staying = self.staying_owners(from, *segment, &mut sets);
                owners.extend(staying);
            }
            let ending = self.visit_segment(*segment, owners, &mut plan);
            self.visit_edges(*segment, &ending, &mut plan, &mut unplaceable);
            ends[segment.index()] = Some(self.owners_at_end(*segment, ending, sets));
        }
        propagate_ownership::propagate(self.function, self.order, &mut plan);
        plan.frees
            .retain(|free| plan.ownership[free.value.index()] != Ownership::Never);
        let may_own = |value: ValueId| plan.ownership[value.index()] != Ownership::Never;
        unplaceable.retain(|(_, value)| may_own(*value));
        let mut perhaps_consumed = std::mem::take(&mut self.perhaps_consumed).into_iter();
        RoundResult {
            perhaps_consumed: perhaps_consumed
                .find(|(_, value)| may_own(*value))
                .map(|(edge, _)| edge),
            plan,
            unplaceable,
        }
    }

    /// Whether an owner stays one at the start of a segment after this one. `owners` are the owners at the
    /// end of this one.
    fn stays_owner(&mut self, owner: ValueId, to: SegmentId, owners: &FxHashSet<ValueId>) -> bool {
        self.keeping_alias(owner, to, owners).is_some()
    }

    /// A live value that keeps an owner alive at the start of the next segment.
    fn keeping_alias(
        &mut self,
        owner: ValueId,
        to: SegmentId,
        owners: &FxHashSet<ValueId>,
    ) -> Option<ValueId> {
        if !self.is_visible_into(owner, to) {
            return None;
        }
        if self.enters(owner, to) {
            return Some(owner);
        }
        let values = &self.segment_values;
        let mut search = values.search(to, owner, true, &self.no_alias);
        while let Some((other, _)) = self.segment_values.next(&mut search) {
            if self.function.value(other).segment != to && self.may_alias(owner, other, owners) {
                return Some(other);
            }
        }
        None
    }

    /// Whether a value is defined in another segment, and visible at the start of this one.
    fn is_visible_into(&self, value: ValueId, to: SegmentId) -> bool {
        self.function.value(value).segment != to && self.order.is_visible(self.function, value, to)
    }

    fn enters(&self, value: ValueId, segment: SegmentId) -> bool {
        let enters = self.segment_values.enters(value, segment);
        enters.unwrap_or_else(|| self.live.enters(value, segment))
    }

    /// The owners at the end of a segment. Frees the memory of all others inside it.
    fn visit_segment(
        &mut self,
        segment: SegmentId,
        mut owners: Vec<ValueId>,
        plan: &mut Plan,
    ) -> FxHashSet<ValueId> {
        let fact = self.function.segment(segment);
        owners.extend_from_slice(&self.fresh[segment.index()]);
        let all: FxHashSet<ValueId> = owners.iter().copied().collect();
        let mut ending = FxHashSet::default();
        if fact.is_virtual {
            return all;
        }
        let edges = self.edge_arguments(segment, &all);
        for owner in owners {
            let exits = edges
                .iter()
                .any(|edge| !matches!(self.exit(owner, edge, &all), OwnerExit::Dies));
            if exits {
                ending.insert(owner);
                continue;
            }
            let defined = self.function.value(owner);
            let defined = defined.step.filter(|_| defined.segment == segment);
            let last = defined.max(self.last_use(owner, segment, &all, &FxHashSet::default()));
            match last {
                None => plan.frees.push(Free {
                    value: owner,
                    place: ProgramPoint::Start(segment),
                }),
                Some(step) if step + 1 < fact.steps => plan.frees.push(Free {
                    value: owner,
                    place: ProgramPoint::After(segment, step),
                }),
                // The last step uses it.
                Some(_) => {
                    ending.insert(owner);
                }
            }
        }
        ending
    }

    /// The fate of an owner on an edge.
    fn exit(
        &mut self,
        owner: ValueId,
        arguments: &EdgeArguments,
        owners: &FxHashSet<ValueId>,
    ) -> OwnerExit {
        let fact = self.function.edge(arguments.edge);
        if let Some(to) = fact.to
            && self.stays_owner(owner, to, owners)
        {
            return OwnerExit::Stays;
        }
        self.exit_by_arguments(owner, arguments)
    }

    /// The values that the edges out of a segment pass.
    fn edge_arguments(
        &self,
        segment: SegmentId,
        owners: &FxHashSet<ValueId>,
    ) -> Vec<EdgeArguments> {
        let edges = self.function.segment(segment).edges.iter();
        edges
            .map(|edge| self.arguments_of(*edge, owners, false))
            .collect()
    }

    /// The values that an edge passes to parameters that are used; with `to_unused`, to all parameters.
    fn arguments_of(
        &self,
        edge: EdgeId,
        owners: &FxHashSet<ValueId>,
        to_unused: bool,
    ) -> EdgeArguments {
        let mut all = EdgeArguments {
            edge,
            first: FxHashMap::default(),
            others: FxHashMap::default(),
        };
        for (at, passed) in self.function.edge(edge).passed.iter().enumerate() {
            let Some(passed) = *passed else { continue };
            if to_unused || self.live.is_passed_value_used(self.function, edge, at) {
                all.first.entry(passed).or_insert(at);
                if !(owners.contains(&passed) && self.is_sole_owner(passed)) {
                    let group = self.no_alias.group(passed);
                    let of_group = all.others.entry(group).or_default();
                    of_group.all.push((at, passed));
                }
            }
        }
        for passed in all.others.values_mut() {
            let values = passed.all.iter().map(|(_, value)| *value);
            passed.split = self.no_alias.classes().split(values);
        }
        all
    }

    /// The fate on an edge of an owner that does not stay one.
    fn exit_by_arguments(&mut self, owner: ValueId, arguments: &EdgeArguments) -> OwnerExit {
        if let Some(at) = arguments.first.get(&owner) {
            return OwnerExit::Moves(*at);
        }
        // Values of other groups never alias.
        let Some(others) = arguments.others.get(&self.no_alias.group(owner)) else {
            return OwnerExit::Dies;
        };
        let split = others.split.as_ref();
        let classes = self.no_alias.classes();
        let search = split.and_then(|split| classes.search(split, owner));
        let mut tested = SmallVec::new();
        let mut test = |(at, passed): (usize, ValueId)| {
            if !self.never_aliases(owner, passed) {
                tested.push(at);
            }
        };
        if let (Some(split), Some(mut search)) = (split, search) {
            while let Some(at) = split.next(&mut search) {
                test(others.all[at as usize]);
            }
        } else {
            others.all.iter().copied().for_each(test);
        }
        if tested.is_empty() {
            OwnerExit::Dies
        } else {
            OwnerExit::Tested(tested)
        }
    }

    fn visit_edges(
        &mut self,
        segment: SegmentId,
        ending: &FxHashSet<ValueId>,
        plan: &mut Plan,
        unplaceable: &mut Vec<(EdgeId, ValueId)>,
    ) {
        let mut owners: Vec<ValueId> = ending.iter().copied().collect();
        owners.sort_unstable();
        let arguments = self.edge_arguments(segment, ending);
        let mut to_unused: FxHashMap<EdgeId, EdgeArguments> = FxHashMap::default();
        for owner in owners {
            let edges = &self.function.segment(segment).edges;
            let is_unknown = |edge: &EdgeId| self.function.edge(*edge).split == EdgeSplit::Unknown;
            unplaceable.extend(
                edges
                    .iter()
                    .copied()
                    .find(is_unknown)
                    .map(|edge| (edge, owner)),
            );
            let mut exits: Vec<(EdgeId, OwnerExit)> = arguments
                .iter()
                .map(|arguments| (arguments.edge, self.exit(owner, arguments, ending)))
                .collect();
            // If code can only be placed before the last step, all edges have to do the same.
            if exits.len() > 1
                && exits
                    .iter()
                    .any(|(_, exit)| matches!(exit, OwnerExit::Tested(_)))
            {
                for (edge, exit) in &mut exits {
                    if self.function.edge(*edge).split != EdgeSplit::Possible
                        && !matches!(exit, OwnerExit::Stays)
                    {
                        let any = to_unused
                            .entry(*edge)
                            .or_insert_with(|| self.arguments_of(*edge, ending, true));
                        *exit = self.exit_by_arguments(owner, any);
                    }
                }
            }
            self.add_tests(segment, owner, &exits, plan, unplaceable);
            for (edge, exit) in exits {
                match exit {
                    OwnerExit::Stays => self.note_consumed(owner, edge, ending),
                    OwnerExit::Tested(_) => {}
                    OwnerExit::Moves(at) => self.move_to_param(owner, edge, at, plan),
                    OwnerExit::Dies => self.free_on_edge(owner, edge, plan, unplaceable),
                }
            }
        }
        self.mark_always_owned(segment, plan);
    }

    /// Notes an owner that stays one on an edge which may consume its memory.
    fn note_consumed(&mut self, owner: ValueId, edge: EdgeId, owners: &FxHashSet<ValueId>) {
        let fact = self.function.edge(edge);
        let Some(to) = fact.to.filter(|_| !self.function.consumed.is_empty()) else {
            return;
        };
        let params = self.function.segment(to).params.iter();
        for (passed, param) in fact.passed.iter().zip(params) {
            if let Some(passed) = *passed
                && self.function.consumed.contains(param)
                && self.may_alias(owner, passed, owners)
            {
                self.perhaps_consumed.push((edge, owner));
            }
        }
    }

    fn move_to_param(&self, owner: ValueId, edge: EdgeId, at: usize, plan: &mut Plan) {
        let fact = self.function.edge(edge);
        let passes = &mut plan.passed_ownership[edge.index()];
        passes[at].sources.push(OwnershipSource::Moved(owner));
        if fact.to.is_none() {
            for (other, passed) in fact.passed.iter().enumerate().skip(at + 1) {
                if *passed == Some(owner) {
                    passes[other].shared_with = Some(at);
                }
            }
        }
    }

    /// Frees an owner's memory that is not needed at the target of an edge.
    fn free_on_edge(
        &self,
        owner: ValueId,
        edge: EdgeId,
        plan: &mut Plan,
        unplaceable: &mut Vec<(EdgeId, ValueId)>,
    ) {
        let fact = self.function.edge(edge);
        if let Some(to) = fact.to {
            let is_visible = self.function.value(owner).segment != to
                && self.order.is_visible(self.function, owner, to);
            let alone = self.order.incoming[to.index()].len() == 1;
            let has_room = !self.function.segment(to).is_virtual;
            if is_visible && alone && has_room && self.function.is_ir_value(owner) {
                plan.frees.push(Free {
                    value: owner,
                    place: ProgramPoint::Start(to),
                });
                return;
            }
            if fact.split != EdgeSplit::Possible
                && let Some(at) = fact.passed.iter().position(|passed| *passed == Some(owner))
            {
                // An unused parameter carries ownership across the edge.
                self.move_to_param(owner, edge, at, plan);
                return;
            }
        }
        if fact.split != EdgeSplit::Possible {
            unplaceable.push((edge, owner));
        }
        plan.frees.push(Free {
            value: owner,
            place: ProgramPoint::Edge(edge),
        });
    }

    /// Adds the tests of an owner: a single one if it is the same for all edges.
    fn add_tests(
        &mut self,
        segment: SegmentId,
        owner: ValueId,
        exits: &[(EdgeId, OwnerExit)],
        plan: &mut Plan,
        unplaceable: &mut Vec<(EdgeId, ValueId)>,
    ) {
        let function = self.function;
        let retained = |edge: EdgeId, places: &[usize]| -> Vec<ValueId> {
            let mut all = Vec::new();
            for at in places {
                if let Some(passed) = function.edge(edge).passed[*at]
                    && !all.contains(&passed)
                {
                    all.push(passed);
                }
            }
            all
        };
        let lists: Vec<Option<Vec<ValueId>>> = exits
            .iter()
            .map(|(edge, exit)| match exit {
                OwnerExit::Tested(places) => Some(retained(*edge, places)),
                _ => None,
            })
            .collect();
        // The test stands before the last step, unless that step uses the memory through a value that is not
        // retained.
        let fact = self.function.segment(segment);
        let same = match lists.first() {
            Some(Some(first)) if !fact.is_virtual && lists.iter().all(|list| *list == lists[0]) => {
                let retained_values = first.iter().copied().collect();
                let last = self.last_use(owner, segment, &FxHashSet::default(), &retained_values);
                last.is_none_or(|last| last + 1 < fact.steps)
            }
            _ => false,
        };
        let mut shared = None;
        for ((edge, exit), list) in exits.iter().zip(lists) {
            let (OwnerExit::Tested(places), Some(retained)) = (exit, list) else {
                continue;
            };
            let test = if let Some(test) = shared {
                test
            } else {
                let place = if same {
                    ProgramPoint::End(segment)
                } else {
                    ProgramPoint::Edge(*edge)
                };
                if !same && self.function.edge(*edge).split != EdgeSplit::Possible {
                    unplaceable.push((*edge, owner));
                }
                plan.tests.push(AliasTest {
                    value: owner,
                    place,
                    retained: retained.clone(),
                });
                plan.tests.len() - 1
            };
            if same {
                shared = Some(test);
            }
            let mut used = SmallVec::<[(usize, usize); 2]>::new();
            for at in places {
                let passed = self.function.edge(*edge).passed[*at];
                let slot = retained.iter().position(|one| Some(*one) == passed);
                let Some(slot) = slot else { continue };
                if let Some((_, first)) = used.iter().find(|(other, _)| *other == slot) {
                    if self.function.edge(*edge).to.is_none() {
                        plan.passed_ownership[edge.index()][*at].shared_with = Some(*first);
                    }
                    continue;
                }
                used.push((slot, *at));
                plan.passed_ownership[edge.index()][*at]
                    .sources
                    .push(OwnershipSource::Tested { test, slot });
            }
        }
    }

    /// Marks parameters that always own what they are passed: the passed value is one of several owners'
    /// memory, all of which are tested, and all of which own memory for certain.
    fn mark_always_owned(&self, segment: SegmentId, plan: &mut Plan) {
        for edge in &self.function.segment(segment).edges {
            for (at, passed) in self.function.edge(*edge).passed.iter().enumerate() {
                let (Some(passed), pass) = (passed, &plan.passed_ownership[edge.index()][at])
                else {
                    continue;
                };
                let tested: SmallVec<[ValueId; 4]> = pass
                    .sources
                    .iter()
                    .filter_map(|source| match source {
                        // The value of an earlier slot might be the same memory and take ownership.
                        OwnershipSource::Tested { test, slot: 0 } => Some(plan.tests[*test].value),
                        OwnershipSource::Tested { .. }
                        | OwnershipSource::Moved(_)
                        | OwnershipSource::BlockEnd { .. } => None,
                    })
                    .collect();
                if tested.is_empty() {
                    continue;
                }
                let certain = self.is_always_one_of(*passed, &tested);
                plan.passed_ownership[edge.index()][at].is_always_owned = certain;
            }
        }
    }

    /// Whether a value always refers to the memory of one of `owners`, and all these own memory for certain.
    fn is_always_one_of(&self, value: ValueId, owners: &[ValueId]) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match &self.function.value(value).kind {
                _ if owners.contains(&value) => {
                    if !self.is_sole_owner(value) {
                        return false;
                    }
                }
                ValueKind::AnyOf(sources) => open.extend(sources),
                _ => return false,
            }
        }
        true
    }
}
