//! The run over states.

use super::{
    PathsError, Walked,
    cost::{Cost, Turn},
    ends::{Ends, Inner, place},
    mode::Mode,
    state::{GONE, Instance, NOBODY, State, States, merge, rename},
};
use crate::{
    compact,
    layout::Motion,
    plan::Placement,
    program::{Block, Item, Var},
    space::Placed,
    tree::{Value, ValueId},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// So many items are run, over all states.
const MOST_WORK: u64 = 20_000_000;

/// A run.
pub struct Run {
    mode: Mode,
    unit: u64,
    /// Operations by address, numbered as they are met first.
    numbers: FxHashMap<*const Item, u64>,
    /// The highest stack, or load.
    pub peak: u64,
    moved: Cost,
    /// Items run, over all states.
    pub work: u64,
    offsets: FxHashMap<Var, u64>,
    moves: bool,
    agrees: bool,
    /// A value is live together with an older one of the same name.
    pub overlaps_itself: bool,
    /// When each name may be live.
    pub instants: FxHashMap<Var, FxHashSet<u64>>,
}

impl Run {
    /// Runs a program.
    pub fn of(program: &Block, unit: u64, mode: Mode) -> Result<Self, PathsError> {
        let mut run = Self {
            mode,
            unit,
            numbers: FxHashMap::default(),
            peak: 0,
            moved: Cost::default(),
            work: 0,
            offsets: FxHashMap::default(),
            moves: false,
            agrees: true,
            overlaps_itself: false,
            instants: FxHashMap::default(),
        };
        let ends = Ends::of(program, &mut FxHashSet::default())?;
        let states = run.block(program, &ends, vec![(State::default(), Cost::default())])?;
        let costs = states.iter().map(|(_, cost)| *cost);
        run.moved = costs.fold(Cost::default(), Cost::or);
        Ok(run)
    }

    /// What it came to.
    pub fn walked(self) -> Walked {
        let offsets = (self.agrees && !self.moves).then_some(self.offsets);
        Walked::of(self.peak, self.moved, offsets)
    }

    fn block(
        &mut self,
        block: &Block,
        ends: &Ends,
        mut states: States,
    ) -> Result<States, PathsError> {
        for (at, item) in block.items.iter().enumerate() {
            self.work += states.len() as u64;
            if self.work > MOST_WORK {
                return Err(PathsError::Work);
            }
            let dead = &ends.dead[at];
            match (item, &ends.inner[at]) {
                (Item::Alias { .. }, Inner::Unused) => {}
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
                        state.tidy();
                    }
                }
                (Item::Step { makes, .. }, _) => {
                    for (state, cost) in &mut states {
                        self.step(item, state, cost, makes, dead)?;
                    }
                }
                (Item::Branch { arms, results, .. }, Inner::Arms(inner, behind)) => {
                    let mut all = Vec::new();
                    for (state, cost) in &mut states {
                        self.step(item, state, cost, &[], &[])?;
                    }
                    for (arm, ends) in arms.iter().zip(inner) {
                        let mut here = states.clone();
                        for (state, _) in &mut here {
                            state.keep(&ends.before);
                        }
                        let here = merge(here, self.mode)?;
                        let mut here = self.block(arm, ends, here)?;
                        rename(&mut here, &arm.yields, results)?;
                        all.extend(here);
                    }
                    for (state, _) in &mut all {
                        state.keep(behind);
                    }
                    states = merge(all, self.mode)?;
                }
                (
                    Item::Loop { .. },
                    Inner::Turns {
                        last_first,
                        repeats,
                        behind,
                    },
                ) => {
                    states = self.turns(item, last_first, *repeats, states)?;
                    for (state, _) in &mut states {
                        state.keep(behind);
                    }
                    states = merge(states, self.mode)?;
                }
                _ => return Err(PathsError::Unknown),
            }
        }
        Ok(states)
    }

    fn turns(
        &mut self,
        item: &Item,
        last_first: &[Ends],
        repeats: (usize, usize),
        mut states: States,
    ) -> Result<States, PathsError> {
        let Item::Loop {
            turns,
            starts,
            carried,
            results,
            ..
        } = item
        else {
            return Err(PathsError::Unknown);
        };
        let listed = |turn: u64| place(turns - 1 - turn, last_first.len(), repeats);
        rename(&mut states, starts, carried)?;
        let mut seen: FxHashMap<(Vec<State>, usize), (u64, Vec<Cost>)> = FxHashMap::default();
        let mut turn = 0;
        while turn < *turns {
            let ends = &last_first[listed(turn)];
            states = self.enter(ends, states)?;
            // Turns that are left until those near the last one differ.
            let alike = (turns - 1 - turn).checked_sub(last_first.len() as u64);
            if let Some(alike) = alike {
                let (now, costs): (Vec<State>, Vec<Cost>) = states.iter().cloned().unzip();
                if let Some((earlier, before)) = seen.get(&(now.clone(), listed(turn))) {
                    // From here on it goes on as it did.
                    let length = turn - earlier;
                    let times = alike / length;
                    if times > 0 {
                        let more: Option<Vec<Cost>> = costs
                            .iter()
                            .zip(before)
                            .map(|(cost, before)| cost.more_than(*before))
                            .collect();
                        let first = more.as_ref().and_then(|more| more.first().copied());
                        let same =
                            first.filter(|first| more.iter().flatten().all(|one| one == first));
                        match same {
                            // The same for all states, so for all times to come.
                            Some(same) => {
                                for (_, cost) in &mut states {
                                    *cost = cost.plus(same.repeated(times));
                                }
                            }
                            None => {
                                let period: Vec<&Ends> = (0..=length)
                                    .map(|next| &last_first[listed(turn + next)])
                                    .collect();
                                states = self.many_turns(item, &period, states, times)?;
                            }
                        }
                        turn += times * length;
                        seen.clear();
                        continue;
                    }
                } else {
                    seen.insert((now, listed(turn)), (turn, costs));
                }
            }
            states = self.turn(item, ends, states)?;
            turn += 1;
        }
        rename(&mut states, carried, results)?;
        Ok(states)
    }

    /// In front of a turn.
    fn enter(&self, ends: &Ends, mut states: States) -> Result<States, PathsError> {
        for (state, _) in &mut states {
            state.keep(&ends.before);
        }
        merge(states, self.mode)
    }

    /// A turn of a loop.
    fn turn(&mut self, item: &Item, ends: &Ends, mut states: States) -> Result<States, PathsError> {
        let Item::Loop {
            induction,
            carried,
            body,
            ..
        } = item
        else {
            return Err(PathsError::Unknown);
        };
        if let Some(made) = induction {
            let dead: &[Var] = if ends.uses_number { &[] } else { &[made.0] };
            for (state, cost) in &mut states {
                self.step(item, state, cost, &[*made], dead)?;
            }
        }
        states = self.block(body, ends, states)?;
        rename(&mut states, &body.yields, carried)?;
        Ok(states)
    }

    /// What it costs to run turns that lead from these states to the same ones so many times; `period` has
    /// what ends in each, and in the one behind them.
    fn many_turns(
        &mut self,
        item: &Item,
        period: &[&Ends],
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
        let mut way = Turn::new(count);
        for (from, (state, _)) in states.iter().enumerate() {
            let mut alone = vec![(state.clone(), Cost::default())];
            for (at, ends) in period.iter().enumerate() {
                alone = self.enter(ends, alone)?;
                if at + 1 < period.len() {
                    alone = self.turn(item, ends, alone)?;
                }
            }
            for (state, cost) in alone {
                let to = numbers.get(&state).ok_or(PathsError::Work)?;
                way.add(from, *to, cost);
            }
        }
        let costs = states.iter().map(|(_, cost)| Some(*cost)).collect();
        let costs = way.after(costs, times);
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
        makes: &[(Var, Value)],
        dead: &[Var],
    ) -> Result<(), PathsError> {
        let next = self.numbers.len() as u64;
        let instant = *self.numbers.entry(item).or_insert(next) * 2;
        self.note(state, instant);
        // What is used for the last time is free, for what is made.
        let made: SmallVec<[Var; 2]> = makes.iter().map(|(name, _)| *name).collect();
        let read: Vec<Var> = dead
            .iter()
            .copied()
            .filter(|name| !made.contains(name))
            .collect();
        let before = matches!(self.mode, Mode::Defrag(..)).then(|| state.clone());
        state.forget(&read);
        let numbers = state.tidy();
        let first = state.instances.len();
        for (name, value) in makes {
            let size = value.size.next_multiple_of(self.unit);
            let offset = self.offset(state, size);
            if matches!(self.mode, Mode::Trace) {
                // Of a name there is one instance, however many turns it is from.
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
                    _ => NOBODY,
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
        if !makes.is_empty() {
            self.reach(state, first, makes);
        }
        self.note(state, instant + 1);
        if dead.len() > read.len() {
            state.forget(dead);
            state.tidy();
        }
        Ok(())
    }

    /// Moves memory so that what is made, the instances from `first` on, ends below the limit. What the
    /// operation reads is in `before`, which has the numbers `numbers` now; what is gone then dies here.
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
        let mut placed: Vec<Placed> = before
            .iter()
            .enumerate()
            .filter(|(_, one)| one.size > 0)
            .map(|(number, one)| Placed {
                offset: one.offset,
                size: one.size,
                value: ValueId::new(number),
            })
            .collect();
        placed.sort_unstable_by_key(|one| one.offset);
        let is_pinned = |at: &Placed| before[at.value.index()].pinned;
        let dies = |at: &Placed| numbers[at.value.index()] == GONE;
        let Some((motions, room)) = compact::relocate(&is_pinned, &placed, dies, limit, need)
        else {
            return Err(PathsError::Room);
        };
        let has_moves = !motions.is_empty();
        cost.times += u64::from(has_moves);
        self.moves |= has_moves;
        let mut put = |value: ValueId, offset: u64| {
            let size = before[value.index()].size;
            *cost = cost.plus(Cost {
                times: 0,
                moves: 1,
                bytes: size,
            });
            self.peak = self.peak.max(offset + size);
            if let Some(lives) = state.instances.get_mut(numbers[value.index()] as usize) {
                lives.offset = offset;
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

    fn offset(&self, state: &State, size: u64) -> u64 {
        let placement = match self.mode {
            Mode::Load | Mode::Trace => return 0,
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
            if hole >= size {
                if placement != Placement::Best {
                    return top;
                }
                if found.is_none_or(|(known, _)| hole < known) {
                    found = Some((hole, top));
                }
            }
            top = top.max(end);
        }
        found.map_or(top, |(_, at)| at)
    }

    /// Takes down how high the stack is, and where things lie.
    fn reach(&mut self, state: &State, first: usize, makes: &[(Var, Value)]) {
        match self.mode {
            Mode::Trace => return,
            Mode::Load => {
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
        for ((name, _), one) in makes.iter().zip(&state.instances[first..]) {
            let known = *self.offsets.entry(*name).or_insert(one.offset);
            self.agrees &= known == one.offset;
        }
    }

    /// Takes down what may be live when, for the planner.
    fn note(&mut self, state: &State, instant: u64) {
        if matches!(self.mode, Mode::Trace) {
            for one in &state.instances {
                self.instants.entry(one.name).or_default().insert(instant);
            }
        }
    }
}
