//! All paths of a program, without writing it out.
//!
//! The program is run on *states*: what each name stands for, and how large that is (for the load) or where
//! it lies (for a layout). Names that no path uses later on are forgotten, so paths that differ in nothing
//! else have one state from there on, and a turn of a loop that begins with the states of an earlier one
//! need not be run. Work grows with the states that are told apart, of which there may be [`MOST_STATES`] at
//! one place, and not with the paths.
//!
//! For the load, a state goes if another one has the same names of the same values, all at least as large:
//! whatever comes, it cannot be the one that needs most.
//!
//! What names are used later on is found from the end, for each block by itself; of a loop, for each turn
//! counted from the last one, until that repeats.

use crate::{
    compact,
    layout::Motion,
    plan::Placement,
    program::{Block, Item, Var},
    space::Placed,
    tree::{Value, ValueId},
};
use memplan_planner::{Buffer, Effort, Options, Planner, Problem, Solution, validate::validate};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// So many states are told apart at one place.
pub const MOST_STATES: usize = 256;
/// So many items are run, over all states.
const MOST_WORK: u64 = 20_000_000;
/// So many turns of a loop are told apart by what is used behind them.
const MOST_ENDS: usize = 1 << 12;

/// Why the paths were not followed to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathsError {
    /// Paths differ in too many ways.
    #[error("paths differ in more than {MOST_STATES} ways at one place")]
    States,
    /// Turns differ in too many ways.
    #[error("turns of loops differ in too many ways to follow all of them")]
    Work,
    /// A name is used where it is not known.
    #[error("a name is used where it is not known")]
    Unknown,
    /// There is no place on a stack that is that low.
    #[error("what is moved finds no room")]
    Room,
}

/// What a layout costs, and whether every path puts each value at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walked {
    /// Bytes of the stack.
    pub peak: u64,
    /// The most bytes that are moved on a path.
    pub moved_bytes: u64,
    /// The place of each value, where all paths and turns agree on it and nothing moves.
    pub offsets: Option<FxHashMap<Var, u64>>,
}

/// A program, with the strictest alignment of its values, to which sizes are rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Paths<'p> {
    program: &'p Block,
    unit: u64,
}

impl<'p> Paths<'p> {
    /// The paths of a program.
    pub fn new(program: &'p Block) -> Self {
        let mut unit = 1;
        each_value(program, &mut |_, value| {
            if value.size > 0 {
                unit = unit.max(value.alignment);
            }
        });
        Self { program, unit }
    }

    /// The strictest alignment.
    pub const fn unit(&self) -> u64 {
        self.unit
    }

    /// The most bytes that are live at once on any path.
    ///
    /// # Errors
    ///
    /// If there is too much to tell apart.
    pub fn load(&self) -> Result<u64, PathsError> {
        Ok(self.run(Mode::Load)?.peak)
    }

    /// The stack if nothing is shared: the most bytes that a path makes. Linear.
    pub fn plain(&self) -> u64 {
        self.plain_of(self.program)
    }

    fn plain_of(&self, block: &Block) -> u64 {
        let items = block.items.iter().map(|item| match item {
            Item::Step { makes, .. } => {
                let sizes = makes.iter().map(|(_, value)| self.size(value));
                sizes.fold(0, u64::saturating_add)
            }
            Item::Alias { .. } => 0,
            Item::Branch { arms, .. } => {
                arms.iter().map(|arm| self.plain_of(arm)).max().unwrap_or(0)
            }
            Item::Loop {
                turns,
                induction,
                body,
                ..
            } => {
                let number = induction.as_ref().map_or(0, |(_, value)| self.size(value));
                let turn = self.plain_of(body).saturating_add(number);
                turn.saturating_mul(*turns)
            }
        });
        items.fold(0, u64::saturating_add)
    }

    fn size(&self, value: &Value) -> u64 {
        value.size.next_multiple_of(self.unit)
    }

    /// A walk over all paths that uses holes again.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn scan(&self, placement: Placement) -> Result<Walked, PathsError> {
        Ok(self.run(Mode::Scan(placement))?.walked())
    }

    /// As [`scan`](Self::scan), with memory moved so that nothing ends above `limit`.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load), and if there is no room: below the load, or where an operation makes
    /// what would have to lie where it reads.
    pub fn defrag(&self, placement: Placement, limit: u64) -> Result<Walked, PathsError> {
        Ok(self.run(Mode::Defrag(placement, limit))?.walked())
    }

    /// One place for each value on all paths, by a planner: values that are live at once somewhere lie
    /// apart. `None` if a value is live together with an older one of the same name.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn planner(&self, effort: Effort) -> Result<Option<Walked>, PathsError> {
        let Some((names, problem)) = self.problem()? else {
            return Ok(None);
        };
        let options = Options::default().with_effort(effort);
        let Ok(solved) = Planner::Auto.solve_with(&problem, &options) else {
            return Ok(None);
        };
        let offsets = names.iter().copied().zip(solved.solution.offsets);
        let mut best = Walked {
            peak: solved.solution.peak,
            moved_bytes: 0,
            offsets: Some(offsets.collect()),
        };
        // Never higher than a walk that agrees.
        for placement in [Placement::First, Placement::Best] {
            if let Ok(other) = self.scan(placement)
                && other.offsets.is_some()
                && other.peak < best.peak
            {
                best = other;
            }
        }
        Ok(Some(best))
    }

    /// Whether one place for each value is right: what may be live at once lies apart. Finds out what may be
    /// live by itself; values that exclude each other count as live at once behind the branch.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn holds(&self, offsets: &FxHashMap<Var, u64>) -> Result<bool, PathsError> {
        let Some((names, problem)) = self.problem()? else {
            return Ok(false);
        };
        let places: Option<Vec<u64>> = names
            .iter()
            .map(|name| offsets.get(name).copied())
            .collect();
        Ok(places
            .is_some_and(|places| validate(&problem, &Solution::new(&problem, places)).is_ok()))
    }

    /// What may be live when, as a problem for planners; `None` if a value is live together with an older one
    /// of the same name.
    fn problem(&self) -> Result<Option<(Vec<Var>, Problem)>, PathsError> {
        let run = self.run(Mode::Trace)?;
        if run.overlaps_itself {
            return Ok(None);
        }
        let mut sizes: FxHashMap<Var, u64> = FxHashMap::default();
        each_value(self.program, &mut |name, value| {
            sizes.insert(name, self.size(value));
        });
        let mut names: Vec<Var> = run.instants.keys().copied().collect();
        names.sort_unstable();
        let buffers = names.iter().map(|name| {
            let mut instants: Vec<u64> = run.instants[name].iter().copied().collect();
            instants.sort_unstable();
            let mut live: SmallVec<[(u64, u64); 4]> = SmallVec::new();
            for at in instants {
                match live.last_mut() {
                    Some(last) if last.1 == at => last.1 = at + 1,
                    _ => live.push((at, at + 1)),
                }
            }
            let size = sizes.get(name).copied().unwrap_or(0);
            Buffer::new(u64::from(name.0), size, live).aligned(self.unit)
        });
        let problem = Problem {
            buffers: buffers.collect(),
            ..Problem::default()
        };
        Ok(Some((names, problem)))
    }

    fn run(&self, mode: Mode) -> Result<Run, PathsError> {
        let mut run = Run {
            mode,
            unit: self.unit,
            numbers: FxHashMap::default(),
            peak: 0,
            moved: 0,
            work: 0,
            offsets: FxHashMap::default(),
            moves: false,
            agrees: true,
            overlaps_itself: false,
            instants: FxHashMap::default(),
        };
        let mut live = FxHashSet::default();
        let ends = Ends::of(self.program, &mut live)?;
        let states = run.block(self.program, &ends, vec![(State::default(), 0)])?;
        run.moved = states.iter().map(|(_, cost)| *cost).max().unwrap_or(0);
        Ok(run)
    }
}

fn each_value(block: &Block, visit: &mut impl FnMut(Var, &Value)) {
    for item in &block.items {
        match item {
            Item::Step { makes, .. } => makes.iter().for_each(|(name, value)| visit(*name, value)),
            Item::Alias { .. } => {}
            Item::Branch { arms, .. } => arms.iter().for_each(|arm| each_value(arm, visit)),
            Item::Loop {
                turns,
                induction,
                body,
                ..
            } => {
                if *turns > 0 {
                    if let Some((name, value)) = induction {
                        visit(*name, value);
                    }
                    each_value(body, visit);
                }
            }
        }
    }
}

/// What ends where in a block, given what is used behind it.
#[derive(Clone, Debug)]
struct Ends {
    /// For each item the names that nothing behind it uses.
    dead: Vec<Vec<Var>>,
    inner: Vec<Inner>,
    /// What is used that was there before, sorted.
    before: Vec<Var>,
    /// Of a turn: its number is used.
    uses_number: bool,
}

#[derive(Clone, Debug)]
enum Inner {
    Nothing,
    /// Nobody asks for the alias.
    Unused,
    /// And what is used behind the branch, sorted.
    Arms(Vec<Ends>, Vec<Var>),
    /// For turns counted from the last one; from `repeats.0` on, as many as `repeats.1` come again.
    Turns {
        last_first: Vec<Ends>,
        repeats: (usize, usize),
        /// What is used behind the loop, sorted.
        behind: Vec<Var>,
    },
}

fn sorted(live: &FxHashSet<Var>) -> Vec<Var> {
    let mut live: Vec<Var> = live.iter().copied().collect();
    live.sort_unstable();
    live
}

impl Ends {
    /// `live` is what is used behind the block, and then what is used from its start on.
    fn of(block: &Block, live: &mut FxHashSet<Var>) -> Result<Self, PathsError> {
        let mut dead = vec![Vec::new(); block.items.len()];
        let mut inner = Vec::with_capacity(block.items.len());
        for (at, item) in block.items.iter().enumerate().rev() {
            let dead = &mut dead[at];
            let mut make = |name: Var, live: &mut FxHashSet<Var>| {
                if !live.remove(&name) {
                    dead.push(name);
                }
            };
            let mut used: Vec<Var> = Vec::new();
            let what = match item {
                Item::Step { uses, makes } => {
                    makes.iter().for_each(|(name, _)| make(*name, live));
                    used.extend(uses);
                    Inner::Nothing
                }
                Item::Alias { name, of } => {
                    if live.remove(name) {
                        used.extend(of);
                        Inner::Nothing
                    } else {
                        Inner::Unused
                    }
                }
                Item::Branch {
                    uses,
                    arms,
                    results,
                } => {
                    let after = sorted(live);
                    let wanted: Vec<bool> = results.iter().map(|name| live.remove(name)).collect();
                    let behind = live.clone();
                    let mut all = Vec::with_capacity(arms.len());
                    for arm in arms {
                        let mut at_end = behind.clone();
                        hand_on(&arm.yields, &wanted, &mut at_end);
                        let ends = Self::of(arm, &mut at_end)?;
                        live.extend(ends.before.iter().copied());
                        all.push(ends);
                    }
                    used.extend(uses);
                    Inner::Arms(all, after)
                }
                Item::Loop {
                    turns,
                    induction,
                    starts,
                    carried,
                    body,
                    results,
                } => {
                    let behind = sorted(live);
                    let wanted: Vec<bool> = results.iter().map(|name| live.remove(name)).collect();
                    if *turns == 0 {
                        used.extend(chosen(starts, &wanted));
                        Inner::Turns {
                            last_first: Vec::new(),
                            repeats: (0, 1),
                            behind,
                        }
                    } else {
                        let mut wanted = wanted;
                        let mut outer = std::mem::take(live);
                        let mut last_first: Vec<Self> = Vec::new();
                        let mut seen: FxHashMap<(Vec<Var>, Vec<bool>), usize> =
                            FxHashMap::default();
                        let mut repeats = (usize::MAX, 1);
                        let mut turn = 0;
                        while turn < *turns {
                            if let Some(known) = seen.get(&(sorted(&outer), wanted.clone())) {
                                repeats = (*known, last_first.len() - known);
                                break;
                            }
                            seen.insert((sorted(&outer), wanted.clone()), last_first.len());
                            if last_first.len() == MOST_ENDS {
                                return Err(PathsError::Work);
                            }
                            let mut at_end = outer.clone();
                            hand_on(&body.yields, &wanted, &mut at_end);
                            let mut ends = Self::of(body, &mut at_end)?;
                            if let Some((name, _)) = induction {
                                ends.uses_number = at_end.remove(name);
                            }
                            ends.before = sorted(&at_end);
                            wanted = carried.iter().map(|name| at_end.remove(name)).collect();
                            outer = at_end;
                            last_first.push(ends);
                            turn += 1;
                        }
                        // What the first turn asks for.
                        let first = place(turns - 1, last_first.len(), repeats);
                        let mut live_before: FxHashSet<Var> =
                            last_first[first].before.iter().copied().collect();
                        let wanted: Vec<bool> = carried
                            .iter()
                            .map(|name| live_before.remove(name))
                            .collect();
                        *live = live_before;
                        used.extend(chosen(starts, &wanted));
                        Inner::Turns {
                            last_first,
                            repeats,
                            behind,
                        }
                    }
                }
            };
            for name in used {
                if live.insert(name) {
                    dead.push(name);
                }
            }
            inner.push(what);
        }
        inner.reverse();
        Ok(Self {
            dead,
            inner,
            before: sorted(live),
            uses_number: false,
        })
    }
}

fn chosen<'n>(names: &'n [Var], wanted: &'n [bool]) -> impl Iterator<Item = Var> + 'n {
    let both = names.iter().zip(wanted);
    both.filter(|(_, wanted)| **wanted).map(|(name, _)| *name)
}

fn hand_on(yields: &[Var], wanted: &[bool], live: &mut FxHashSet<Var>) {
    live.extend(chosen(yields, wanted));
}

/// Where a turn counted from the last one is listed.
fn place(turn: u64, listed: usize, (start, length): (usize, usize)) -> usize {
    match usize::try_from(turn) {
        Ok(turn) if turn < listed => turn,
        _ => start + ((turn - start as u64) % length as u64) as usize,
    }
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    /// How much is live.
    Load,
    /// What may be live when: all paths at once.
    Trace,
    Scan(Placement),
    Defrag(Placement, u64),
}

/// A value of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Instance {
    name: Var,
    size: u64,
    offset: u64,
    pinned: bool,
}

/// What names stand for: ascending names, each with the numbers of its instances. Instances are numbered as
/// they are come across in the names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct State {
    names: Vec<(Var, SmallVec<[u32; 1]>)>,
    instances: Vec<Instance>,
}

impl State {
    fn find(&self, name: Var) -> Option<&SmallVec<[u32; 1]>> {
        let at = self.names.binary_search_by_key(&name, |(name, _)| *name);
        at.ok().map(|at| &self.names[at].1)
    }

    fn bind(&mut self, name: Var, to: SmallVec<[u32; 1]>) {
        match self.names.binary_search_by_key(&name, |(name, _)| *name) {
            Ok(at) => self.names[at].1 = to,
            Err(at) => self.names.insert(at, (name, to)),
        }
    }

    fn forget(&mut self, names: &[Var]) {
        if !names.is_empty() {
            self.names.retain(|(name, _)| !names.contains(name));
        }
    }

    fn keep(&mut self, names: &[Var]) {
        self.names
            .retain(|(name, _)| names.binary_search(name).is_ok());
        self.tidy();
    }

    /// Forgets instances without a name, and numbers the others anew. Returns the new number of each, or
    /// [`GONE`].
    fn tidy(&mut self) -> Vec<u32> {
        let mut new: Vec<u32> = vec![GONE; self.instances.len()];
        let mut kept = Vec::with_capacity(self.instances.len());
        for (_, numbers) in &mut self.names {
            for number in numbers.iter_mut() {
                let known = &mut new[*number as usize];
                if *known == GONE {
                    *known = kept.len() as u32;
                    kept.push(self.instances[*number as usize]);
                }
                *number = *known;
            }
            numbers.sort_unstable();
            numbers.dedup();
        }
        self.instances = kept;
        new
    }

    fn bytes(&self) -> u64 {
        self.instances.iter().map(|one| one.size).sum()
    }
}

struct Run {
    mode: Mode,
    unit: u64,
    /// Operations by address, numbered as they are met first.
    numbers: FxHashMap<*const Item, u64>,
    peak: u64,
    moved: u64,
    work: u64,
    offsets: FxHashMap<Var, u64>,
    moves: bool,
    agrees: bool,
    overlaps_itself: bool,
    instants: FxHashMap<Var, FxHashSet<u64>>,
}

type States = Vec<(State, u64)>;

impl Run {
    fn walked(self) -> Walked {
        Walked {
            peak: self.peak,
            moved_bytes: self.moved,
            offsets: (self.agrees && !self.moves).then_some(self.offsets),
        }
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
            induction,
            starts,
            carried,
            body,
            results,
        } = item
        else {
            return Err(PathsError::Unknown);
        };
        rename(&mut states, starts, carried)?;
        let mut seen: FxHashMap<(Vec<State>, usize), (u64, Vec<u64>)> = FxHashMap::default();
        let mut turn = 0;
        while turn < *turns {
            let from_last = turns - 1 - turn;
            let listed = place(from_last, last_first.len(), repeats);
            let ends = &last_first[listed];
            for (state, _) in &mut states {
                state.keep(&ends.before);
            }
            states = merge(states, self.mode)?;
            if from_last >= last_first.len() as u64 {
                let (now, costs): (Vec<State>, Vec<u64>) = states.iter().cloned().unzip();
                if let Some((earlier, before)) = seen.get(&(now.clone(), listed)) {
                    // From here on it goes on as it did, until turns near the last one differ.
                    let length = turn - earlier;
                    let times = (from_last - last_first.len() as u64) / length;
                    if times > 0 {
                        // More of each: exact for one state, and at least for several.
                        for ((_, cost), before) in states.iter_mut().zip(before) {
                            *cost += (*cost - before) * times;
                        }
                        turn += times * length;
                        seen.clear();
                        continue;
                    }
                } else {
                    seen.insert((now, listed), (turn, costs));
                }
            }
            if let Some(made) = induction {
                let dead: &[Var] = if ends.uses_number { &[] } else { &[made.0] };
                for (state, cost) in &mut states {
                    self.step(item, state, cost, &[*made], dead)?;
                }
            }
            states = self.block(body, ends, states)?;
            rename(&mut states, &body.yields, carried)?;
            turn += 1;
        }
        rename(&mut states, carried, results)?;
        Ok(states)
    }

    fn step(
        &mut self,
        item: &Item,
        state: &mut State,
        cost: &mut u64,
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
        cost: &mut u64,
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
        let mut put = |value: ValueId, offset: u64| {
            let size = before[value.index()].size;
            *cost += size;
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
            self.moves = true;
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

/// The number of an instance that no name stands for.
const GONE: u32 = u32::MAX;

/// The name of instances that differ in nothing but where they were made.
const NOBODY: Var = Var(u32::MAX);

/// Gives what one row of names stands for another row of names, all at once.
fn rename(states: &mut States, from: &[Var], to: &[Var]) -> Result<(), PathsError> {
    for (state, _) in states {
        let given: Vec<Option<SmallVec<[u32; 1]>>> =
            from.iter().map(|name| state.find(*name).cloned()).collect();
        for (name, numbers) in to.iter().zip(given) {
            // What nobody asks for may be gone.
            match numbers {
                Some(numbers) => state.bind(*name, numbers),
                None => state.forget(&[*name]),
            }
        }
    }
    Ok(())
}

/// States that are the same are one, with the higher cost.
fn merge(states: States, mode: Mode) -> Result<States, PathsError> {
    let mut places: FxHashMap<State, usize> = FxHashMap::default();
    let mut merged: States = Vec::new();
    for (state, cost) in states {
        match places.get(&state) {
            Some(at) => merged[*at].1 = merged[*at].1.max(cost),
            None => {
                places.insert(state.clone(), merged.len());
                merged.push((state, cost));
            }
        }
    }
    match mode {
        Mode::Load if merged.len() > 1 => merged = largest(merged),
        Mode::Trace if merged.len() > 1 => merged = vec![(union(merged), 0)],
        _ => {}
    }
    match merged.len() > MOST_STATES {
        true => Err(PathsError::States),
        false => Ok(merged),
    }
}

/// States without those that another one has at least as much of everything as.
fn largest(states: States) -> States {
    let mut kept: States = Vec::with_capacity(states.len());
    for (state, cost) in states {
        let covers = |one: &State, other: &State| {
            one.names == other.names
                && one
                    .instances
                    .iter()
                    .zip(&other.instances)
                    .all(|(a, b)| a.size >= b.size)
        };
        if kept.iter().any(|(other, _)| covers(other, &state)) {
            continue;
        }
        kept.retain(|(other, _)| !covers(&state, other));
        kept.push((state, cost));
    }
    kept
}

/// What names may stand for in any of the states: of each name there is one instance.
fn union(states: States) -> State {
    let mut all = State::default();
    let mut numbers: FxHashMap<Var, u32> = FxHashMap::default();
    for (state, _) in states {
        let new: Vec<u32> = state
            .instances
            .iter()
            .map(|one| {
                *numbers.entry(one.name).or_insert_with(|| {
                    all.instances.push(*one);
                    all.instances.len() as u32 - 1
                })
            })
            .collect();
        for (name, given) in state.names {
            let mut known = all.find(name).cloned().unwrap_or_default();
            known.extend(given.into_iter().map(|number| new[number as usize]));
            known.sort_unstable();
            known.dedup();
            all.bind(name, known);
        }
    }
    all.tidy();
    all
}
