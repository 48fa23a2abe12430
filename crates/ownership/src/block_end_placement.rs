//! Who frees what at the ends of blocks.
//!
//! Memory belongs to the region that it is made in (see `owned.rs`). At the end of each of its
//! blocks, what the region owns is gathered:
//!
//! * *to free* is what may be owned there: the block's arguments, what is live at its start, and what is
//!   made in it. Several of them may be the same memory.
//! * *retained*, by each way out, is what is passed, and what is live there.
//! * What is owned and is no retained value's memory is given back, once. Of each retained value is found
//!   whether it is owned. That goes with what is passed, and holds for what stays live as long as that
//!   lives, since memory is owned until nothing refers to it.
//!
//! So at the start of a block, memory that the region owns is that of an argument or of a live value, and
//! what is known of that one says so.
//!
//! Where a block has several ways out, and code in front of its last step can ask which is taken, there is
//! a gather for each, which asks that, too. Else one gather retains what any of them does, and what it found
//! is gathered once more behind it, on each way.

use crate::{
    DecideError,
    distinct::Distinct,
    function::{EdgeId, Function, Kind, Room, SegmentId, ValueId},
    live::Live,
    order::Order,
    owned::Ownership,
    plan::{Flag, Free, Gather, Owned, Pass, Plan, ProgramPoint, Source},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Decides where memory is given back: at the ends of blocks.
pub fn decide(function: &Function) -> Result<Plan, DecideError> {
    let order = Order::of(function);
    let live = Live::of(function, &order, &function.kept);
    let owned = Ownership::of(function, &order);
    let mut ends = Ends {
        plan: Plan {
            flags: flags(function, &owned),
            passes: function
                .edges
                .iter()
                .map(|edge| vec![Pass::default(); edge.passed.len()])
                .collect(),
            reached: (0..function.segments.len())
                .map(|segment| order.is_reachable(SegmentId::new(segment)))
                .collect(),
            ..Plan::default()
        },
        function,
        entering: entering(function, &order, &live, &owned),
        made: made(function),
        found: vec![SmallVec::new(); function.values.len()],
        distinct: Distinct::of(function, &order),
        order: &order,
        owned,
    };
    let mut is_continued = vec![false; function.segments.len()];
    for before in function
        .segments
        .iter()
        .filter_map(|segment| segment.behind)
    {
        is_continued[before.index()] = true;
    }
    for segment in order.segments() {
        if !is_continued[segment.index()] {
            ends.block(*segment)?;
        }
    }
    Ok(ends.plan)
}

struct Ends<'f> {
    function: &'f Function,
    order: &'f Order,
    distinct: Distinct<'f>,
    owned: Ownership,
    /// For each segment, the values of its region that are live at its start and may be owned.
    entering: Vec<Vec<ValueId>>,
    /// For each segment, the values that it defines.
    made: Vec<Vec<ValueId>>,
    /// For each value, where the block that defines it finds whether it is owned.
    found: Vec<SmallVec<[(usize, usize); 2]>>,
    plan: Plan,
}

impl Ends<'_> {
    /// The block that ends with a segment.
    fn block(&mut self, end: SegmentId) -> Result<(), DecideError> {
        let block = self.segments(end);
        let mut memrefs = self.memrefs(&block);
        let takes = self.takes(&block);
        if takes.is_empty() && !memrefs.iter().any(|memref| self.may_own(memref)) {
            return Ok(());
        }
        let retained = self.function.segment(end).edges.iter();
        let retained = unique(retained.flat_map(|edge| self.retained(*edge)));
        self.taken(&takes, &mut memrefs, &retained)?;
        if !memrefs.iter().any(|memref| self.may_own(memref)) {
            return Ok(());
        }
        if let Some((edge, value)) = self.obstacle(end, &memrefs) {
            return Err(DecideError::NoPlace(vec![(edge, value)]));
        }
        let fact = self.function.segment(end);
        let last = fact.steps.checked_sub(1);
        let place = match last {
            Some(_) => ProgramPoint::End(end),
            None => ProgramPoint::Start(end),
        };
        let ways: SmallVec<[(EdgeId, Vec<ValueId>); 2]> = fact
            .edges
            .iter()
            .map(|edge| (*edge, self.retained(*edge)))
            .collect();
        let used = fact.uses.iter().filter(|(step, _)| Some(*step) == last);
        let used = used.map(|(_, value)| *value);
        let used = used.filter(|value| self.may_be(*value, end));
        let retained = unique(
            ways.iter()
                .flat_map(|(_, kept)| kept.iter().copied())
                .chain(used),
        );
        self.apart(&mut memrefs, &retained, place);
        if !memrefs.iter().any(|memref| self.may_own(memref)) {
            return Ok(());
        }
        if fact.is_choice {
            for (edge, retained) in ways {
                let gather = self.gather(Gather {
                    place,
                    taken: Some(edge),
                    memrefs: memrefs.clone(),
                    retained,
                });
                self.finds(gather, &block);
                self.passes(gather, edge);
            }
            return Ok(());
        }
        let gather = self.gather(Gather {
            place,
            taken: None,
            memrefs,
            retained,
        });
        self.finds(gather, &block);
        for (edge, kept) in ways {
            self.passes(gather, edge);
            self.rest(gather, edge, kept)?;
        }
        Ok(())
    }

    /// What operations in the midst of a block take, as far as it may be the function's.
    fn takes(&self, block: &[SegmentId]) -> Vec<(EdgeId, ValueId)> {
        let function = self.function;
        if function.taken.is_empty() {
            return Vec::new();
        }
        let mut takes = Vec::new();
        for edge in block
            .iter()
            .flat_map(|segment| &function.segment(*segment).edges)
        {
            let fact = function.edge(*edge);
            let params = fact.to.map_or(&[][..], |to| &function.segment(to).params);
            for (passed, param) in fact.passed.iter().zip(params) {
                if let Some(value) = passed.filter(|_| function.taken.contains(param))
                    && self.owned.may_be(value)
                {
                    takes.push((*edge, value));
                }
            }
        }
        takes
    }

    /// What is taken is not there any more at the end of its block, if its region owns it for certain (else a region
    /// around may), nothing refers to it behind, and nothing else there may be the same memory. All else is not
    /// followed.
    fn taken(
        &mut self,
        takes: &[(EdgeId, ValueId)],
        memrefs: &mut Vec<(ValueId, Owned)>,
        retained: &[ValueId],
    ) -> Result<(), DecideError> {
        if takes.is_empty() {
            return Ok(());
        }
        let mut alike: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
        for value in memrefs.iter().map(|(value, _)| value).chain(retained) {
            alike
                .entry(self.distinct.group(*value))
                .or_default()
                .push(*value);
        }
        let memrefs_of: FxHashSet<ValueId> = memrefs.iter().map(|(value, _)| *value).collect();
        let is_retained: FxHashSet<ValueId> = retained.iter().copied().collect();
        for (edge, value) in takes {
            // Few, where memory passes between few values: what is made and taken is alone.
            let others = alike.get(&self.distinct.group(*value));
            let mut others = others.into_iter().flatten().filter(|other| *other != value);
            if self.owned.flag(*value) != Flag::Yes
                || is_retained.contains(value)
                || !memrefs_of.contains(value)
                || !others.all(|other| self.distinct.are(*value, *other))
            {
                return Err(DecideError::Taken { edge: *edge });
            }
        }
        let gone: FxHashSet<ValueId> = takes.iter().map(|(_, value)| *value).collect();
        memrefs.retain(|(value, _)| !gone.contains(value));
        Ok(())
    }

    /// Whose memory cannot be given back at the end of a block, and for which way out.
    fn obstacle(&self, end: SegmentId, memrefs: &[(ValueId, Owned)]) -> Option<(EdgeId, ValueId)> {
        let fact = self.function.segment(end);
        // Nothing in front of the last step can name what that makes.
        let is_last = |value: ValueId| {
            let value = self.function.value(value);
            value.segment == end && value.step.is_some_and(|step| step + 1 == fact.steps)
        };
        // Regions that the last step enters use memory for longer than the block.
        let region = self.function.region(end);
        let enters = |edge: &EdgeId| {
            let to = self.function.edge(*edge).to;
            let to = to.map_or(region, |to| self.function.region(to));
            to != region && self.function.is_inside(to, region)
        };
        let is_unknown = |edge: &EdgeId| self.function.edge(*edge).room == Room::Unknown;
        let has_no_end = fact.is_virtual
            || fact
                .edges
                .iter()
                .any(|edge| enters(edge) || is_unknown(edge));
        let mut memrefs = memrefs.iter().map(|(value, _)| *value);
        let value = memrefs.find(|value| has_no_end || is_last(*value))?;
        Some((*fact.edges.first()?, value))
    }

    /// What is better not given back together with other memory is given back by itself, where nothing else
    /// may be the same.
    fn apart(
        &mut self,
        memrefs: &mut Vec<(ValueId, Owned)>,
        retained: &[ValueId],
        place: ProgramPoint,
    ) {
        for value in &self.function.apart {
            let Some(at) = memrefs.iter().position(|(other, _)| other == value) else {
                continue;
            };
            let owners = memrefs.iter().filter(|memref| self.may_own(memref));
            let others: Vec<ValueId> = owners
                .map(|(other, _)| *other)
                .filter(|other| other != value)
                .chain(retained.iter().copied())
                .collect();
            if self.plan.flag(*value) == Flag::Yes
                && others
                    .into_iter()
                    .all(|other| self.distinct.are(*value, other))
            {
                memrefs.remove(at);
                self.plan.frees.push(Free {
                    value: *value,
                    place,
                });
            }
        }
    }

    /// What was retained for the sake of something else is given back behind an edge.
    fn rest(&mut self, gather: usize, edge: EdgeId, kept: Vec<ValueId>) -> Result<(), DecideError> {
        let is_kept: FxHashSet<ValueId> = kept.iter().copied().collect();
        let retained = self.plan.gathers[gather].retained.iter().enumerate();
        let rest: Vec<(ValueId, Owned)> = retained
            .filter(|(_, value)| !is_kept.contains(value) && self.owned.may_be(**value))
            .map(|(slot, value)| {
                (
                    *value,
                    Owned::Found(SmallVec::from_slice(&[(gather, slot)])),
                )
            })
            .collect();
        let Some((value, _)) = rest.first() else {
            return Ok(());
        };
        let fact = self.function.edge(edge);
        if fact.room != Room::Split {
            return Err(DecideError::NoPlace(vec![(edge, *value)]));
        }
        let alone = fact
            .to
            .filter(|to| self.order.incoming[to.index()].len() == 1);
        self.gather(Gather {
            place: alone.map_or(ProgramPoint::Edge(edge), ProgramPoint::Start),
            taken: None,
            memrefs: rest,
            retained: kept,
        });
        Ok(())
    }

    fn gather(&mut self, gather: Gather) -> usize {
        self.plan.gathers.push(gather);
        self.plan.gathers.len() - 1
    }

    /// The segments of a block, by its last one.
    fn segments(&self, end: SegmentId) -> SmallVec<[SegmentId; 2]> {
        let before = |segment: &SegmentId| self.function.segment(*segment).behind;
        let mut all: SmallVec<[SegmentId; 2]> = std::iter::successors(Some(end), before).collect();
        all.reverse();
        all
    }

    /// What a block may have to free.
    fn memrefs(&self, block: &[SegmentId]) -> Vec<(ValueId, Owned)> {
        let function = self.function;
        let start = block[0];
        let is_argument = |value: &&ValueId| {
            let fact = function.value(**value);
            fact.segment == start && fact.step.is_none()
        };
        let flagged = |value: &ValueId| (*value, Owned::Flag);
        let mut all: Vec<(ValueId, Owned)> = Vec::new();
        let first = self.made[start.index()].iter();
        all.extend(first.filter(is_argument).map(flagged));
        let live = self.entering[start.index()].iter();
        all.extend(live.map(|value| (*value, self.owned_later(*value))));
        for segment in block {
            let values = self.made[segment.index()].iter();
            let values =
                values.filter(|value| !is_argument(value) && !function.taken.contains(value));
            let is_new = |value: &&ValueId| match function.value(**value).kind {
                Kind::Fresh { owned, .. } => owned || function.scoped.contains(value),
                Kind::Param | Kind::Told(_) => true,
                Kind::Any(_) | Kind::Foreign => false,
            };
            all.extend(values.filter(is_new).map(flagged));
        }
        all
    }

    /// Whether a value is owned behind the block that defines it.
    fn owned_later(&self, value: ValueId) -> Owned {
        match self.function.value(value).kind {
            Kind::Fresh { .. } => Owned::Flag,
            _ => Owned::Found(self.found[value.index()].clone()),
        }
    }

    fn may_own(&self, (value, owned): &(ValueId, Owned)) -> bool {
        match owned {
            Owned::Flag => self.plan.flag(*value) != Flag::No,
            Owned::Found(found) => !found.is_empty(),
        }
    }

    /// What is needed behind an edge: what is passed, and what is live there.
    fn retained(&self, edge: EdgeId) -> Vec<ValueId> {
        let fact = self.function.edge(edge);
        let passed = fact.passed.iter().flatten().copied();
        let passed = passed.filter(|value| self.is_asked(edge, *value));
        let is_home = |to: &SegmentId| self.function.region(fact.from) == self.function.region(*to);
        let live = fact.to.filter(is_home).into_iter();
        unique(passed.chain(live.flat_map(|to| self.entering[to.index()].iter().copied())))
    }

    /// Is it worth asking whether what an edge passes is owned? What is returned without ever being owned is
    /// copied in any case.
    fn is_asked(&self, edge: EdgeId, value: ValueId) -> bool {
        let fact = self.function.edge(edge);
        let is_argument = self.function.value(value).step.is_none();
        self.may_be(value, fact.from)
            || is_argument && fact.to.is_some() && self.is_home(value, fact.from)
    }

    /// May a value be memory that the region of a segment owns?
    fn may_be(&self, value: ValueId, segment: SegmentId) -> bool {
        self.owned.may_be(value) && self.is_home(value, segment)
    }

    /// Does the region of a segment define a value?
    fn is_home(&self, value: ValueId, segment: SegmentId) -> bool {
        let home = self.function.value(value).segment;
        self.function.region(home) == self.function.region(segment)
    }

    /// What a gather finds of what the block defines holds from there on.
    fn finds(&mut self, gather: usize, block: &[SegmentId]) {
        for (slot, value) in self.plan.gathers[gather].retained.iter().enumerate() {
            if block.contains(&self.function.value(*value).segment) {
                self.found[value.index()].push((gather, slot));
            }
        }
    }

    /// What a gather finds of what an edge passes goes with it.
    fn passes(&mut self, gather: usize, edge: EdgeId) {
        let fact = self.function.edge(edge);
        let retained = &self.plan.gathers[gather].retained;
        for (at, value) in fact.passed.iter().enumerate() {
            let Some(value) = value.filter(|value| self.is_asked(edge, *value)) else {
                continue;
            };
            let pass = &mut self.plan.passes[edge.index()][at];
            let slot = retained.iter().position(|one| *one == value);
            pass.sources
                .extend(slot.map(|slot| Source::Gathered { gather, slot }));
            pass.certain = fact.to.is_none() && self.owned.flag(value) == Flag::Yes;
        }
    }
}

/// Which values come with a flag: those that may be owned, if they can.
fn flags(function: &Function, owned: &Ownership) -> Vec<Flag> {
    let flag = |index: usize| {
        let (value, fact) = (ValueId::new(index), &function.values[index]);
        match fact.kind {
            Kind::Any(_) | Kind::Foreign => Flag::No,
            Kind::Param if function.taken.contains(&value) => Flag::No,
            Kind::Param if !owned.may_be(value) => Flag::No,
            Kind::Param if !function.segment(fact.segment).is_fixed => Flag::Dynamic,
            Kind::Param | Kind::Fresh { .. } | Kind::Told(_) => owned.flag(value),
        }
    };
    (0..function.values.len()).map(flag).collect()
}

/// For each segment, the values of its region that are live at its start and may be owned.
fn entering(
    function: &Function,
    order: &Order,
    live: &Live,
    owned: &Ownership,
) -> Vec<Vec<ValueId>> {
    let mut entering = vec![Vec::new(); function.segments.len()];
    for value in (0..function.values.len()).map(ValueId::new) {
        let home = function.region(function.value(value).segment);
        if !owned.may_be(value) {
            continue;
        }
        for (segment, enters, _) in live.segments(value) {
            if enters
                && function.region(segment) == home
                && order.is_visible(function, value, segment)
            {
                entering[segment.index()].push(value);
            }
        }
    }
    entering
}

/// For each segment, the values that it defines.
fn made(function: &Function) -> Vec<Vec<ValueId>> {
    let mut made = vec![Vec::new(); function.segments.len()];
    for (index, value) in function.values.iter().enumerate() {
        made[value.segment.index()].push(ValueId::new(index));
    }
    made
}

/// Each value once, in the order in which they come first.
fn unique(values: impl Iterator<Item = ValueId>) -> Vec<ValueId> {
    let mut seen = FxHashSet::default();
    values.filter(|value| seen.insert(*value)).collect()
}
