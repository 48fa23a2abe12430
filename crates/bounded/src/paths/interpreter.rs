//! Abstract interpretation of a program on states.

use super::{
    PathsError, StackLayout,
    cost::{Cost, IterationCost},
    mode::Mode,
    name_liveness::{NameLiveness, NestedLiveness, iteration_index},
    state::{GONE, Instance, State, States, UNNAMED, merge, rename},
};
use crate::{
    compact,
    layout::Motion,
    plan::Placement,
    program::{Block, Item, Var},
    space::PlacedValue,
    tree::{Value, ValueId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The number of items that may be interpreted, over all states.
const MOST_WORK: u64 = 20_000_000;

/// An interpretation of a program, and its results so far.
pub struct Interpreter {
    mode: Mode,
    unit: u64,
    /// Numbers of operations by address, in the order in which they are first interpreted.
    numbers: FxHashMap<*const Item, u64>,
    /// The highest stack, or the load.
    pub peak: u64,
    /// The highest stack if nothing is moved: sizes are not rounded up.
    unmoved_peak: u64,
    moved: Cost,
    /// The number of items interpreted, over all states.
    pub work: u64,
    offsets: FxHashMap<Var, u64>,
    moves: bool,
    agrees: bool,
    /// Whether a value is live together with an older one of the same name.
    pub overlaps_itself: bool,
    /// The instants at which each name may be live.
    pub instants: FxHashMap<Var, FxHashSet<u64>>,
}

impl Interpreter {
    /// Interprets `program`.
    pub fn run(program: &Block, unit: u64, mode: Mode) -> Result<Self, PathsError> {
        let mut run = Self {
            mode,
            unit,
            numbers: FxHashMap::default(),
            peak: 0,
            unmoved_peak: 0,
            moved: Cost::default(),
            work: 0,
            offsets: FxHashMap::default(),
            moves: false,
            agrees: true,
            overlaps_itself: false,
            instants: FxHashMap::default(),
        };
        let liveness = NameLiveness::of(program, &mut FxHashSet::default())?;
        let states = run.block(
            program,
            &liveness,
            vec![(State::default(), Cost::default())],
        )?;
        let costs = states.iter().map(|(_, cost)| *cost);
        run.moved = costs.fold(Cost::default(), Cost::or);
        Ok(run)
    }

    /// The layout that the interpretation found.
    pub fn into_layout(self) -> StackLayout {
        let offsets = (self.agrees && !self.moves).then_some(self.offsets);
        let peak = match self.moves {
            true => self.peak,
            false => self.unmoved_peak,
        };
        StackLayout::of(peak, self.moved, offsets)
    }

    fn block(
        &mut self,
        block: &Block,
        liveness: &NameLiveness,
        mut states: States,
    ) -> Result<States, PathsError> {
        for (at, item) in block.items.iter().enumerate() {
            self.work += states.len() as u64;
            if self.work > MOST_WORK {
                return Err(PathsError::Work);
            }
            let dead = &liveness.dead[at];
            match (item, &liveness.inner[at]) {
                (Item::Alias { .. }, NestedLiveness::UnusedAlias) => {}
                (Item::Alias { name, of }, _) => {
                    for (state, _) in &mut states {
                        let mut all = SmallVec::new();
                        for one in of {
                            all.extend_from_slice(state.find(*one).ok_or(PathsError::Unknown)?);
                        }
                        all.sort_unstable();
                        all.dedup();
                        state.bind(*name, all);
                        state.forget(dead);
                        state.renumber();
                    }
                }
                (Item::Step { defines, .. }, _) => {
                    for (state, cost) in &mut states {
                        self.step(item, state, cost, defines, dead)?;
                    }
                }
                (
                    Item::Branch { arms, results, .. },
                    NestedLiveness::Branch {
                        arms: inner,
                        live_after,
                    },
                ) => {
                    let mut all = Vec::new();
                    for (state, cost) in &mut states {
                        self.step(item, state, cost, &[], &[])?;
                    }
                    for (arm, liveness) in arms.iter().zip(inner) {
                        let mut here = states.clone();
                        for (state, _) in &mut here {
                            state.retain(&liveness.live_in);
                        }
                        let here = merge(here, self.mode)?;
                        let mut here = self.block(arm, liveness, here)?;
                        rename(&mut here, &arm.yields, results)?;
                        all.extend(here);
                    }
                    for (state, _) in &mut all {
                        state.retain(live_after);
                    }
                    states = merge(all, self.mode)?;
                }
                (
                    Item::Loop { .. },
                    NestedLiveness::Loop {
                        last_first,
                        repeats,
                        live_after,
                    },
                ) => {
                    states = self.iterations(item, last_first, *repeats, states)?;
                    for (state, _) in &mut states {
                        state.retain(live_after);
                    }
                    states = merge(states, self.mode)?;
                }
                _ => return Err(PathsError::Unknown),
            }
        }
        Ok(states)
    }

    fn iterations(
        &mut self,
        item: &Item,
        last_first: &[NameLiveness],
        repeats: (usize, usize),
        mut states: States,
    ) -> Result<States, PathsError> {
        let Item::Loop {
            trip_count,
            inits,
            carried,
            results,
            ..
        } = item
        else {
            return Err(PathsError::Unknown);
        };
        let listed =
            |iteration: u64| iteration_index(trip_count - 1 - iteration, last_first.len(), repeats);
        rename(&mut states, inits, carried)?;
        let mut seen: FxHashMap<(Vec<State>, usize), (u64, Vec<Cost>)> = FxHashMap::default();
        let mut iteration = 0;
        while iteration < *trip_count {
            let liveness = &last_first[listed(iteration)];
            states = self.enter_iteration(liveness, states)?;
            // The iterations left until those near the last one, whose liveness differs.
            let left = (trip_count - 1 - iteration).checked_sub(last_first.len() as u64);
            if let Some(left) = left {
                let (now, costs): (Vec<State>, Vec<Cost>) = states.iter().cloned().unzip();
                if let Some((earlier, before)) = seen.get(&(now.clone(), listed(iteration))) {
                    // The states repeat with this period.
                    let length = iteration - earlier;
                    let times = left / length;
                    if times > 0 {
                        let growth: Option<Vec<Cost>> = costs
                            .iter()
                            .zip(before)
                            .map(|(cost, before)| cost.more_than(*before))
                            .collect();
                        let first = growth.as_ref().and_then(|growth| growth.first().copied());
                        let same =
                            first.filter(|first| growth.iter().flatten().all(|one| one == first));
                        match same {
                            // The cost is the same from all states, so each further period adds it.
                            Some(same) => {
                                for (_, cost) in &mut states {
                                    *cost = cost.plus(same.repeated(times));
                                }
                            }
                            None => {
                                let period: Vec<&NameLiveness> = (0..=length)
                                    .map(|next| &last_first[listed(iteration + next)])
                                    .collect();
                                states = self.repeat_period(item, &period, states, times)?;
                            }
                        }
                        iteration += times * length;
                        seen.clear();
                        continue;
                    }
                } else {
                    seen.insert((now, listed(iteration)), (iteration, costs));
                }
            }
            states = self.iteration(item, liveness, states)?;
            iteration += 1;
        }
        rename(&mut states, carried, results)?;
        Ok(states)
    }

    /// The states before an iteration: only names that it or later ones use.
    fn enter_iteration(
        &self,
        liveness: &NameLiveness,
        mut states: States,
    ) -> Result<States, PathsError> {
        for (state, _) in &mut states {
            state.retain(&liveness.live_in);
        }
        merge(states, self.mode)
    }

    /// Interprets one iteration of a loop.
    fn iteration(
        &mut self,
        item: &Item,
        liveness: &NameLiveness,
        mut states: States,
    ) -> Result<States, PathsError> {
        let Item::Loop {
            induction,
            carried,
            body,
            ..
        } = item
        else {
            return Err(PathsError::Unknown);
        };
        if let Some(defined) = induction {
            let dead: &[Var] = if liveness.uses_induction {
                &[]
            } else {
                &[defined.0]
            };
            for (state, cost) in &mut states {
                self.step(item, state, cost, &[*defined], dead)?;
            }
        }
        states = self.block(body, liveness, states)?;
        rename(&mut states, &body.yields, carried)?;
        Ok(states)
    }

    /// The costs of `times` repetitions of a period of iterations that leads from these states to the same ones.
    /// `period` has the liveness of each iteration of the period, and of the one after them.
    fn repeat_period(
        &mut self,
        item: &Item,
        period: &[&NameLiveness],
        states: States,
        times: u64,
    ) -> Result<States, PathsError> {
        let count = states.len();
        let bits = u64::from(u64::BITS - times.leading_zeros());
        self.work += (count as u64).pow(3) * bits;
        if self.work > MOST_WORK {
            return Err(PathsError::Work);
        }
        let numbers: FxHashMap<&State, usize> = states
            .iter()
            .enumerate()
            .map(|(number, (state, _))| (state, number))
            .collect();
        let mut period_cost = IterationCost::new(count);
        for (from, (state, _)) in states.iter().enumerate() {
            let mut alone = vec![(state.clone(), Cost::default())];
            for (at, liveness) in period.iter().enumerate() {
                alone = self.enter_iteration(liveness, alone)?;
                if at + 1 < period.len() {
                    alone = self.iteration(item, liveness, alone)?;
                }
            }
            for (state, cost) in alone {
                let to = numbers.get(&state).ok_or(PathsError::Work)?;
                period_cost.add(from, *to, cost);
            }
        }
        let costs = states.iter().map(|(_, cost)| Some(*cost)).collect();
        let costs = period_cost.apply(costs, times);
        let both = states.into_iter().zip(costs);
        Ok(both
            .filter_map(|((state, _), cost)| Some((state, cost?)))
            .collect())
    }

    fn step(
        &mut self,
        item: &Item,
        state: &mut State,
        cost: &mut Cost,
        defines: &[(Var, Value)],
        dead: &[Var],
    ) -> Result<(), PathsError> {
        let next = self.numbers.len() as u64;
        let instant = *self.numbers.entry(item).or_insert(next) * 2;
        self.record_live(state, instant);
        // The bytes of operands that are used for the last time are free for the results.
        let defined: SmallVec<[Var; 2]> = defines.iter().map(|(name, _)| *name).collect();
        let read: Vec<Var> = dead
            .iter()
            .copied()
            .filter(|name| !defined.contains(name))
            .collect();
        let before = matches!(self.mode, Mode::Defrag(..)).then(|| state.clone());
        state.forget(&read);
        let numbers = state.renumber();
        let first = state.instances.len();
        for (name, value) in defines {
            let (size, alignment) = match self.mode {
                Mode::RoundedLoad | Mode::Defrag(..) => (value.size.next_multiple_of(self.unit), 1),
                Mode::Load | Mode::Trace | Mode::Scan(_) => (value.size, value.alignment),
            };
            let offset = self.offset(state, size, alignment);
            if matches!(self.mode, Mode::Trace) {
                // In a trace, a name has one instance, whatever iteration it is from.
                let known = state.instances.iter().position(|one| one.name == *name);
                if let Some(known) = known {
                    self.overlaps_itself |= size > 0;
                    state.bind(*name, SmallVec::from_buf([known as u32]));
                    continue;
                }
            }
            state.instances.push(Instance {
                name: match self.mode {
                    Mode::Trace => *name,
                    _ => UNNAMED,
                },
                size,
                offset,
                pinned: value.pinned,
            });
            state.bind(
                *name,
                SmallVec::from_buf([state.instances.len() as u32 - 1]),
            );
        }
        if let (Mode::Defrag(_, limit), Some(before)) = (self.mode, before) {
            let ends = state.instances.iter().skip(first);
            let ends = ends.filter(|one| one.size > 0);
            if ends.map(|one| one.offset + one.size).any(|end| end > limit) {
                self.relocate(state, &before.instances, &numbers, first, limit, cost)?;
            }
        }
        if !defines.is_empty() {
            self.record_layout(state, first, defines);
        }
        self.record_live(state, instant + 1);
        if dead.len() > read.len() {
            state.forget(dead);
            state.renumber();
        }
        Ok(())
    }

    /// Moves values so that the results, the instances from `first` on, end below the limit. `before` has the instances
    /// before the operation, operands included; `numbers` has their numbers now. Those that are [`GONE`] die at the
    /// operation.
    fn relocate(
        &mut self,
        state: &mut State,
        before: &[Instance],
        numbers: &[u32],
        first: usize,
        limit: u64,
        cost: &mut Cost,
    ) -> Result<(), PathsError> {
        let need: u64 = state.instances[first..].iter().map(|one| one.size).sum();
        let mut placed: Vec<PlacedValue> = before
            .iter()
            .enumerate()
            .filter(|(_, one)| one.size > 0)
            .map(|(number, one)| PlacedValue {
                offset: one.offset,
                size: one.size,
                value: ValueId::new(number),
            })
            .collect();
        placed.sort_unstable_by_key(|one| one.offset);
        let is_pinned = |at: &PlacedValue| before[at.value.index()].pinned;
        let dies = |at: &PlacedValue| numbers[at.value.index()] == GONE;
        let Some((motions, room)) = compact::relocate(&is_pinned, &placed, dies, limit, need)
        else {
            return Err(PathsError::Room);
        };
        let has_moves = !motions.is_empty();
        cost.defragmentations += u64::from(has_moves);
        self.moves |= has_moves;
        let mut put = |value: ValueId, offset: u64| {
            let size = before[value.index()].size;
            *cost = cost.plus(Cost {
                defragmentations: 0,
                moves: 1,
                bytes: size,
            });
            self.peak = self.peak.max(offset + size);
            if let Some(survivor) = state.instances.get_mut(numbers[value.index()] as usize) {
                survivor.offset = offset;
            }
        };
        for motion in motions {
            match motion {
                Motion::Move { value, to, .. } => put(value, to),
                Motion::Swap { below, above, at } => {
                    put(above, at);
                    put(below, at + before[above.index()].size);
                }
            }
        }
        let mut at = room;
        for one in &mut state.instances[first..] {
            one.offset = at;
            at += one.size;
        }
        Ok(())
    }

    fn offset(&self, state: &State, size: u64, alignment: u64) -> u64 {
        let placement = match self.mode {
            Mode::Load | Mode::RoundedLoad | Mode::Trace => return 0,
            Mode::Scan(placement) | Mode::Defrag(placement, _) => placement,
        };
        if size == 0 {
            return 0;
        }
        let mut taken: Vec<(u64, u64)> = state
            .instances
            .iter()
            .filter(|one| one.size > 0)
            .map(|one| (one.offset, one.offset + one.size))
            .collect();
        taken.sort_unstable();
        let (mut top, mut found): (u64, Option<(u64, u64)>) = (0, None);
        for (start, end) in taken {
            let hole = start.saturating_sub(top);
            let at = top.next_multiple_of(alignment);
            if at + size <= top + hole {
                if placement != Placement::Best {
                    return at;
                }
                if found.is_none_or(|(known, _)| hole < known) {
                    found = Some((hole, at));
                }
            }
            top = top.max(end);
        }
        found.map_or(top.next_multiple_of(alignment), |(_, at)| at)
    }

    /// Records the size of the stack, and the offsets of the results.
    fn record_layout(&mut self, state: &State, first: usize, defines: &[(Var, Value)]) {
        match self.mode {
            Mode::Trace => return,
            Mode::Load | Mode::RoundedLoad => {
                self.peak = self.peak.max(state.bytes());
                return;
            }
            Mode::Scan(_) | Mode::Defrag(..) => {}
        }
        for one in &state.instances {
            if one.size > 0 {
                self.peak = self.peak.max(one.offset + one.size);
            }
        }
        for ((name, value), one) in defines.iter().zip(&state.instances[first..]) {
            if value.size > 0 {
                self.unmoved_peak = self.unmoved_peak.max(one.offset + value.size);
            }
            let known = *self.offsets.entry(*name).or_insert(one.offset);
            self.agrees &= known == one.offset;
        }
    }

    /// Records the names that may be live at `instant`, for the solver.
    fn record_live(&mut self, state: &State, instant: u64) {
        if matches!(self.mode, Mode::Trace) {
            for one in &state.instances {
                self.instants.entry(one.name).or_default().insert(instant);
            }
        }
    }
}
