//! Who owns what where.
//!
//! At each point, some values are *owners*. The memory that the function has to free belongs to exactly
//! one owner whose flag holds; other owners' flags do not hold. So no two owners have to be compared.
//!
//! * New memory belongs to the value that it is made for.
//! * An owner stays one while some value that may be its memory is used later on. (A value that is
//!   known to own other memory is none.) Then its memory is given back: behind the last use, or on the
//!   edges to where nothing uses it.
//! * On an edge to where the owner cannot be named, or where its memory is needed only through what the
//!   edge passes on, it hands its memory to the parameter that is the same for certain. Where none is
//!   certain, a test at run time finds it.
//! * A parameter's flag is known where all edges agree; else it goes with the parameter.
//!
//! Whether an owner stays at the start of a segment does not depend on the edge that control comes by:
//! a value that is live there, and is none of the segment's parameters, was live on all ways from its
//! definition, which dominates the segment, and so was the owner.

use crate::{
    DecideError,
    distinct::Distinct,
    flags,
    function::{EdgeId, Function, Kind, Room, SegmentId, StepIndex, ValueId},
    live::Live,
    order::Order,
    plan::{Flag, Free, Pass, Plan, ProgramPoint, Source, Test},
    present::Present,
};
use owner_sets::{OwnerSets, Owners, is_dropped};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

mod owner_sets;

/// How often uses are added where no code can be put.
const MOST_ROUNDS: usize = 16;

/// Decides where memory is given back.
pub fn decide(function: &Function) -> Result<Plan, DecideError> {
    let order = Order::of(function);
    let mut kept = function.kept.clone();
    for _ in 0..MOST_ROUNDS {
        let live = Live::of(function, &order, &kept);
        let mut round = Round::new(function, &order, &live);
        let first = round.run();
        // Parameters that always own memory own other memory than others do: with that, more is free
        // early. It has to hold in what comes out, too.
        let sure: Vec<bool> = (0..function.values.len())
            .map(|index| {
                let param = matches!(function.values[index].kind, Kind::Param);
                param && first.plan.flags[index] == Flag::Yes
            })
            .collect();
        let mut done = first;
        if sure.contains(&true) {
            round.sure.clone_from(&sure);
            let second = round.run();
            let holds = |index: usize| !sure[index] || second.plan.flags[index] == Flag::Yes;
            if (0..sure.len()).all(holds) {
                done = second;
            }
        }
        if let Some(edge) = done.doubtful {
            return Err(DecideError::Taken { edge });
        }
        if done.homeless.is_empty() {
            return Ok(done.plan);
        }
        let before = kept.len();
        let mut no_place = Vec::new();
        for (edge, value) in done.homeless {
            match function.edge(edge).to {
                Some(to)
                    if function.edge(edge).room != Room::Unknown
                        && order.is_visible(function, value, to)
                        && function.is_named(value) =>
                {
                    if !kept.contains(&(to, value)) {
                        kept.push((to, value));
                    }
                }
                _ => no_place.push((edge, value)),
            }
        }
        if !no_place.is_empty() {
            return Err(DecideError::NoPlace(no_place));
        }
        if kept.len() == before {
            break;
        }
    }
    Err(DecideError::TooManyRounds)
}

/// A plan, and what it has no place for.
struct Done {
    plan: Plan,
    /// Frees and tests on edges that have no room for code.
    homeless: Vec<(EdgeId, ValueId)>,
    /// An edge on which an owner stays one although its memory may be taken.
    doubtful: Option<EdgeId>,
}

/// One attempt.
struct Round<'f> {
    function: &'f Function,
    order: &'f Order,
    live: &'f Live,
    distinct: Distinct<'f>,
    /// Values whose memory is no other owner's, as long as they are owners.
    sure: Vec<bool>,
    present: Present,
    /// Owners that stay ones although their memory may be taken.
    doubtful: Vec<(EdgeId, ValueId)>,
    /// The new memory that each segment has to free.
    fresh: Vec<SmallVec<[ValueId; 2]>>,
    /// The groups of values that new memory may get to.
    owning: FxHashSet<ValueId>,
    sets: OwnerSets,
    /// For each value, whether it is passed to a parameter that nobody uses: it may be asked for although it is dead.
    is_dropped: Vec<bool>,
}

/// How an owner leaves a segment by an edge.
enum Leave {
    /// It is one there, too.
    Stays,
    /// A parameter takes over.
    Moves(usize),
    /// One of these parameters does, or nobody.
    Tested(SmallVec<[usize; 2]>),
    /// Nobody needs its memory there.
    Ends,
}

/// What an edge passes on, for who asks about one owner after the other.
struct PassedOn {
    edge: EdgeId,
    /// Of each value, the first parameter that it becomes.
    first: FxHashMap<ValueId, usize>,
    /// Values that are not known to own their memory, and what they become, by their group.
    others: FxHashMap<ValueId, SmallVec<[(usize, ValueId); 2]>>,
}

impl<'f> Round<'f> {
    fn new(function: &'f Function, order: &'f Order, live: &'f Live) -> Self {
        let mut fresh = vec![SmallVec::new(); function.segments.len()];
        for (index, value) in function.values.iter().enumerate() {
            if matches!(value.kind, Kind::Fresh { owned: true, .. } | Kind::Told(_)) {
                fresh[value.segment.index()].push(ValueId::new(index));
            }
        }
        let distinct = Distinct::of(function, order);
        let made = fresh.iter().flatten().map(|value| distinct.group(*value));
        Self {
            function,
            order,
            live,
            owning: made.collect(),
            fresh,
            present: Present::of(function, live, &distinct),
            distinct,
            sure: vec![false; function.values.len()],
            doubtful: Vec::new(),
            sets: OwnerSets::default(),
            is_dropped: is_dropped(function, live),
        }
    }

    /// Is the memory of an owner no other owner's, for certain?
    fn is_sure(&self, owner: ValueId) -> bool {
        self.sure[owner.index()]
            || matches!(
                self.function.value(owner).kind,
                Kind::Fresh {
                    owned: true,
                    same_as: None
                }
            )
    }

    /// Is `other` never the memory of `owner` while that owns it?
    fn is_apart(&mut self, owner: ValueId, other: ValueId) -> bool {
        // What a call gives is new where it is owned.
        let is_new = matches!(self.function.value(owner).kind, Kind::Told(_));
        (is_new && self.order.is_before(self.function, other, owner))
            || self.distinct.are(owner, other)
    }

    /// May `other` be the memory of `owner`, as long as that and `owners` own theirs?
    fn may_be(&mut self, owner: ValueId, other: ValueId, owners: &FxHashSet<ValueId>) -> bool {
        let is_others = owners.contains(&other) && self.is_sure(other);
        other == owner || !(is_others || self.is_apart(owner, other))
    }

    /// The last step of a segment that may use the memory of `owner`, by other values than those `but` it.
    fn last(
        &mut self,
        owner: ValueId,
        segment: SegmentId,
        owners: &FxHashSet<ValueId>,
        but: &FxHashSet<ValueId>,
    ) -> Option<StepIndex> {
        for at in self.present.group(segment, self.distinct.group(owner)) {
            let (other, last) = self.present.value(segment, at);
            if last.is_none() {
                break;
            }
            if !but.contains(&other) && self.may_be(owner, other, owners) {
                return last;
            }
        }
        None
    }

    fn run(&mut self) -> Done {
        let count = self.function.segments.len();
        let mut plan = Plan {
            passes: self
                .function
                .edges
                .iter()
                .map(|edge| vec![Pass::default(); edge.passed.len()])
                .collect(),
            reached: (0..count)
                .map(|segment| self.order.is_reachable(SegmentId::new(segment)))
                .collect(),
            ..Plan::default()
        };
        let mut homeless = Vec::new();
        // The owners at the end of each segment that was seen.
        let mut ends: Vec<Option<Owners>> = (0..count).map(|_| None).collect();
        for segment in self.order.segments() {
            let fact = self.function.segment(*segment);
            let next = fact
                .edges
                .iter()
                .filter_map(|edge| self.function.edge(*edge).to);
            self.present.look_at(std::iter::once(*segment).chain(next));
            let mut owners: Vec<ValueId> = fact.params.clone();
            owners.retain(|owner| {
                !self.function.taken.contains(owner)
                    && self.owning.contains(&self.distinct.group(*owner))
            });
            let from = self.order.incoming[segment.index()]
                .iter()
                .find_map(|edge| ends[self.function.edge(*edge).from.index()].as_ref());
            let mut sets = Vec::new();
            if let Some(from) = from {
                let staying = self.staying(from, *segment, &mut sets);
                owners.extend(staying);
            }
            let ending = self.segment(*segment, owners, &mut plan);
            self.edges(*segment, &ending, &mut plan, &mut homeless);
            ends[segment.index()] = Some(self.at_end(*segment, ending, sets));
        }
        flags::solve(self.function, self.order, &mut plan);
        plan.frees
            .retain(|free| plan.flags[free.value.index()] != Flag::No);
        let may_own = |value: ValueId| plan.flags[value.index()] != Flag::No;
        homeless.retain(|(_, value)| may_own(*value));
        let mut doubtful = std::mem::take(&mut self.doubtful).into_iter();
        Done {
            doubtful: doubtful
                .find(|(_, value)| may_own(*value))
                .map(|(edge, _)| edge),
            plan,
            homeless,
        }
    }

    /// Is an owner one at the start of a segment after this one, too? `owners` are those at the end.
    fn stays(&mut self, owner: ValueId, to: SegmentId, owners: &FxHashSet<ValueId>) -> bool {
        self.reason(owner, to, owners).is_some()
    }

    /// The live value for whose sake an owner is one at the start of a segment after this one, too.
    fn reason(
        &mut self,
        owner: ValueId,
        to: SegmentId,
        owners: &FxHashSet<ValueId>,
    ) -> Option<ValueId> {
        if !self.is_named_after(owner, to) {
            return None;
        }
        if self.enters(owner, to) {
            return Some(owner);
        }
        let group = self.present.group(to, self.distinct.group(owner));
        for at in group {
            let (other, _) = self.present.value(to, at);
            if self.live.enters(other, to)
                && self.function.value(other).segment != to
                && self.may_be(owner, other, owners)
            {
                return Some(other);
            }
        }
        None
    }

    /// Is a segment another one than that which defines a value, and can it name the value?
    fn is_named_after(&self, value: ValueId, to: SegmentId) -> bool {
        self.function.value(value).segment != to && self.order.is_visible(self.function, value, to)
    }

    fn enters(&self, value: ValueId, segment: SegmentId) -> bool {
        let enters = self.present.enters(value, segment);
        enters.unwrap_or_else(|| self.live.enters(value, segment))
    }

    /// The owners at the end of a segment; what nobody needs until then is given back.
    fn segment(
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
        let edges = self.passed_on(segment, &all);
        for owner in owners {
            let leaves = edges
                .iter()
                .any(|edge| !matches!(self.leave(owner, edge, &all), Leave::Ends));
            if leaves {
                ending.insert(owner);
                continue;
            }
            let made = self.function.value(owner);
            let made = made.step.filter(|_| made.segment == segment);
            let last = made.max(self.last(owner, segment, &all, &FxHashSet::default()));
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

    /// How an owner leaves by an edge.
    fn leave(
        &mut self,
        owner: ValueId,
        passed_on: &PassedOn,
        owners: &FxHashSet<ValueId>,
    ) -> Leave {
        let fact = self.function.edge(passed_on.edge);
        if let Some(to) = fact.to
            && self.stays(owner, to, owners)
        {
            return Leave::Stays;
        }
        self.handed_on(owner, passed_on)
    }

    /// What the edges out of a segment pass on, where there are these owners.
    fn passed_on(&self, segment: SegmentId, owners: &FxHashSet<ValueId>) -> Vec<PassedOn> {
        let edges = self.function.segment(segment).edges.iter();
        edges
            .map(|edge| self.passed_on_by(*edge, owners, false))
            .collect()
    }

    /// What an edge passes on to parameters that are wanted; if `to_any`, also to others.
    fn passed_on_by(&self, edge: EdgeId, owners: &FxHashSet<ValueId>, to_any: bool) -> PassedOn {
        let mut all = PassedOn {
            edge,
            first: FxHashMap::default(),
            others: FxHashMap::default(),
        };
        for (at, passed) in self.function.edge(edge).passed.iter().enumerate() {
            let Some(passed) = *passed else { continue };
            if to_any || self.live.is_param_wanted(self.function, edge, at) {
                all.first.entry(passed).or_insert(at);
                if !(owners.contains(&passed) && self.is_sure(passed)) {
                    let group = self.distinct.group(passed);
                    all.others.entry(group).or_default().push((at, passed));
                }
            }
        }
        all
    }

    /// As [`Self::leave`], for an owner that does not stay.
    fn handed_on(&mut self, owner: ValueId, passed_on: &PassedOn) -> Leave {
        if let Some(at) = passed_on.first.get(&owner) {
            return Leave::Moves(*at);
        }
        // Values of other groups are apart.
        let others = passed_on.others.get(&self.distinct.group(owner));
        let mut tested = SmallVec::new();
        for (at, passed) in others.into_iter().flatten() {
            if !self.is_apart(owner, *passed) {
                tested.push(*at);
            }
        }
        if tested.is_empty() {
            Leave::Ends
        } else {
            Leave::Tested(tested)
        }
    }

    fn edges(
        &mut self,
        segment: SegmentId,
        ending: &FxHashSet<ValueId>,
        plan: &mut Plan,
        homeless: &mut Vec<(EdgeId, ValueId)>,
    ) {
        let mut owners: Vec<ValueId> = ending.iter().copied().collect();
        owners.sort_unstable();
        let passed_on = self.passed_on(segment, ending);
        let mut to_any: FxHashMap<EdgeId, PassedOn> = FxHashMap::default();
        for owner in owners {
            let edges = &self.function.segment(segment).edges;
            let is_unknown = |edge: &EdgeId| self.function.edge(*edge).room == Room::Unknown;
            homeless.extend(
                edges
                    .iter()
                    .copied()
                    .find(is_unknown)
                    .map(|edge| (edge, owner)),
            );
            let mut leaves: Vec<(EdgeId, Leave)> = passed_on
                .iter()
                .map(|passed_on| (passed_on.edge, self.leave(owner, passed_on, ending)))
                .collect();
            // Where code can only be put in front of the last step, all ways have to do the same.
            if leaves.len() > 1
                && leaves
                    .iter()
                    .any(|(_, leave)| matches!(leave, Leave::Tested(_)))
            {
                for (edge, leave) in &mut leaves {
                    if self.function.edge(*edge).room != Room::Split
                        && !matches!(leave, Leave::Stays)
                    {
                        let any = to_any
                            .entry(*edge)
                            .or_insert_with(|| self.passed_on_by(*edge, ending, true));
                        *leave = self.handed_on(owner, any);
                    }
                }
            }
            self.test(segment, owner, &leaves, plan, homeless);
            for (edge, leave) in leaves {
                match leave {
                    Leave::Stays => self.is_taken(owner, edge, ending),
                    Leave::Tested(_) => {}
                    Leave::Moves(at) => self.moves(owner, edge, at, plan),
                    Leave::Ends => self.ends(owner, edge, plan, homeless),
                }
            }
        }
        self.certain(segment, plan);
    }

    /// Notes an owner that stays one on an edge that takes memory, which may be its own.
    fn is_taken(&mut self, owner: ValueId, edge: EdgeId, owners: &FxHashSet<ValueId>) {
        let fact = self.function.edge(edge);
        let Some(to) = fact.to.filter(|_| !self.function.taken.is_empty()) else {
            return;
        };
        let params = self.function.segment(to).params.iter();
        for (passed, param) in fact.passed.iter().zip(params) {
            if let Some(passed) = *passed
                && self.function.taken.contains(param)
                && self.may_be(owner, passed, owners)
            {
                self.doubtful.push((edge, owner));
            }
        }
    }

    fn moves(&self, owner: ValueId, edge: EdgeId, at: usize, plan: &mut Plan) {
        let fact = self.function.edge(edge);
        let passes = &mut plan.passes[edge.index()];
        passes[at].sources.push(Source::Moved(owner));
        if fact.to.is_none() {
            for (other, passed) in fact.passed.iter().enumerate().skip(at + 1) {
                if *passed == Some(owner) {
                    passes[other].shared_with = Some(at);
                }
            }
        }
    }

    /// Nobody needs the memory at the other end of an edge.
    fn ends(
        &self,
        owner: ValueId,
        edge: EdgeId,
        plan: &mut Plan,
        homeless: &mut Vec<(EdgeId, ValueId)>,
    ) {
        let fact = self.function.edge(edge);
        if let Some(to) = fact.to {
            let is_visible = self.function.value(owner).segment != to
                && self.order.is_visible(self.function, owner, to);
            let alone = self.order.incoming[to.index()].len() == 1;
            let has_room = !self.function.segment(to).is_virtual;
            if is_visible && alone && has_room && self.function.is_named(owner) {
                plan.frees.push(Free {
                    value: owner,
                    place: ProgramPoint::Start(to),
                });
                return;
            }
            if fact.room != Room::Split
                && let Some(at) = fact.passed.iter().position(|passed| *passed == Some(owner))
            {
                // A parameter that nobody uses carries it across.
                self.moves(owner, edge, at, plan);
                return;
            }
        }
        if fact.room != Room::Split {
            homeless.push((edge, owner));
        }
        plan.frees.push(Free {
            value: owner,
            place: ProgramPoint::Edge(edge),
        });
    }

    /// Tests of an owner, once for all edges where that is the same.
    fn test(
        &mut self,
        segment: SegmentId,
        owner: ValueId,
        leaves: &[(EdgeId, Leave)],
        plan: &mut Plan,
        homeless: &mut Vec<(EdgeId, ValueId)>,
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
        let lists: Vec<Option<Vec<ValueId>>> = leaves
            .iter()
            .map(|(edge, leave)| match leave {
                Leave::Tested(places) => Some(retained(*edge, places)),
                _ => None,
            })
            .collect();
        // In front of the last step, unless that uses the memory: what the test is about is used by none of those that
        // it asks for.
        let fact = self.function.segment(segment);
        let same = match lists.first() {
            Some(Some(first)) if !fact.is_virtual && lists.iter().all(|list| *list == lists[0]) => {
                let asked = first.iter().copied().collect();
                let last = self.last(owner, segment, &FxHashSet::default(), &asked);
                last.is_none_or(|last| last + 1 < fact.steps)
            }
            _ => false,
        };
        let mut shared = None;
        for ((edge, leave), list) in leaves.iter().zip(lists) {
            let (Leave::Tested(places), Some(retained)) = (leave, list) else {
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
                if !same && self.function.edge(*edge).room != Room::Split {
                    homeless.push((*edge, owner));
                }
                plan.tests.push(Test {
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
                        plan.passes[edge.index()][*at].shared_with = Some(*first);
                    }
                    continue;
                }
                used.push((slot, *at));
                plan.passes[edge.index()][*at]
                    .sources
                    .push(Source::Tested { test, slot });
            }
        }
    }

    /// What is passed is the memory of one of several owners, all of which leave it to a test: whichever
    /// it is, the parameter owns it, if they all do.
    fn certain(&self, segment: SegmentId, plan: &mut Plan) {
        for edge in &self.function.segment(segment).edges {
            for (at, passed) in self.function.edge(*edge).passed.iter().enumerate() {
                let (Some(passed), pass) = (passed, &plan.passes[edge.index()][at]) else {
                    continue;
                };
                let tested: SmallVec<[ValueId; 4]> = pass
                    .sources
                    .iter()
                    .filter_map(|source| match source {
                        // An earlier slot might be the same memory, and take it.
                        Source::Tested { test, slot: 0 } => Some(plan.tests[*test].value),
                        Source::Tested { .. } | Source::Moved(_) | Source::Gathered { .. } => None,
                    })
                    .collect();
                if tested.is_empty() {
                    continue;
                }
                let certain = self.is_one_of(*passed, &tested);
                plan.passes[edge.index()][at].certain = certain;
            }
        }
    }

    /// Is a value one of these, which all own memory for certain?
    fn is_one_of(&self, value: ValueId, owners: &[ValueId]) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match &self.function.value(value).kind {
                _ if owners.contains(&value) => {
                    if !self.is_sure(value) {
                        return false;
                    }
                }
                Kind::Any(sources) => open.extend(sources),
                _ => return false,
            }
        }
        true
    }
}
