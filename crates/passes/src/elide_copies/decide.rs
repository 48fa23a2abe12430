//! Which buffers become parts of others.
//!
//! A move makes a buffer the part of another one that an operation writes from it. It may be made if nothing
//! else touches that part from the first use of the buffer up to the operation, but for what writes parts of
//! the other one and nothing else, such as the fill of a padded one, which is done earlier; if the other
//! one and the view can be made that early; and if every user takes the strides of the part. What moves may
//! have parts itself, and what it moves into may have moved.
//!
//! A move comes with the chain behind it: what the buffer took over from, element by element, becomes that
//! part, too. Moves are tried in the order of the text, and kept if the most bytes that are live at once
//! become fewer, or are at fewer positions. A second try also keeps what changes nothing, as two moves may do
//! together what none does alone; the better one of both counts. Each round costs O(log n) for a move, and as
//! many steps as its part is touched in between.

use super::{
    load::{Load, Peak},
    places::Place,
    read::{Fact, Facts, Positions, Touch, early},
    refusal::Refusal,
};
use crate::units::{Slice, Space, bytes, most, plan, spaces};
use memplan_lifetimes::{
    Analysis,
    live::{Ranges, contains, union},
    program::{BufferId, Position},
};
use memplan_mlir::{
    ir::{
        Identity, Key, Origin, Type, Val, is_memref, operands, origin, results, type_of, users,
        uses,
    },
    melior::ir::operation::OperationLike,
    names::Names,
    strides::{Retyped, retype},
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{cell::OnceCell, collections::BTreeMap, marker::PhantomData};

/// What is done.
#[derive(Debug, Default)]
pub struct Decision {
    /// The moves that are made, by their places, what they go into first.
    pub moves: Vec<usize>,
    /// For each of them: in front of which position the view has to be there.
    pub first: Vec<Position>,
    /// The copies that become views, by their places.
    pub lends: Vec<usize>,
    /// What is done earlier: the operation at a position, in front of another position.
    pub early: Vec<(Position, Position)>,
    /// The most bytes live at once before and after, of all arenas.
    pub bytes: (u64, u64),
    /// Why moves are not made.
    pub refused: Vec<(usize, Refusal)>,
    /// Why copies do not become views.
    pub kept: Vec<(usize, Refusal)>,
}

/// Touches of a buffer that one move looks at.
const MOST_TOUCHES: usize = 4096;
/// Times that all moves are tried.
const ROUNDS: usize = 8;
/// Buffers in buffers in buffers: each one more is gone through for each of the others.
const MOST_NESTED: u32 = 128;
/// Views of views that types are followed through.
const DEEPEST: usize = 32;

/// What is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// What lowers the most bytes live at once.
    Lower,
    /// What does not raise them.
    Equal,
    /// All that can be done.
    None,
}

/// Decides on all of a function. With [`Guard::Lower`], a plan takes no more than `limit` bytes then; none is what it
/// takes now.
pub fn decide<'c>(
    analysis: &Analysis<'c>,
    facts: &Facts<'c>,
    positions: &Positions,
    names: &mut Names,
    guard: Guard,
    limit: Option<u64>,
) -> Decision {
    let spaces = spaces(analysis);
    if guard == Guard::Lower && !may_lower(analysis, facts, &spaces) {
        return nothing(analysis, facts, &spaces);
    }
    let mut known = Known::default();
    let mut tried = |keep: Keep| {
        let mut state = State::new(analysis, facts, positions, names, &mut known, &spaces);
        let before = sum(&state.peaks());
        state.rounds(keep);
        let mut decision = state.decision();
        decision.bytes = (before, sum(&state.peaks()));
        (decision, state.units)
    };
    match guard {
        Guard::None => return tried(Keep::Any).0,
        Guard::Equal => return tried(Keep::NoWorse).0,
        Guard::Lower => {}
    }
    let mut tries = [tried(Keep::Better), tried(Keep::NoWorse)];
    tries.sort_by_key(|(decision, _)| decision.bytes.1);
    let now = OnceCell::new();
    let now = || *now.get_or_init(|| spaces.iter().map(|one| one.planned(analysis)).sum());
    let lowers = |(decision, units): &(Decision, Vec<Unit>)| {
        decision.bytes.1 < decision.bytes.0
            && bytes_planned(analysis, facts, units, spaces.len()) <= limit.unwrap_or_else(now)
    };
    let best = tries.iter().position(lowers);
    let [(mut decision, _), other] = tries;
    match best {
        Some(0) => {}
        Some(_) => decision = other.0,
        None => decision.give_up(),
    }
    decision
}

/// The bytes of a plan of all units, an arena for each space. What only the run knows the size of is not in it: its
/// part of the load, which is a guess, must not pay for more of the others.
fn bytes_planned(analysis: &Analysis<'_>, facts: &Facts<'_>, units: &[Unit], spaces: usize) -> u64 {
    let alignment = |buffer: &BufferId| {
        let place = facts.buffers[buffer.index()].place;
        place.map(|place| analysis.plannable[place].alignment)
    };
    let mut arenas: Vec<Vec<(Ranges, Slice)>> = vec![Vec::new(); spaces];
    for unit in units {
        // What is left over of units that have become one is live nowhere.
        if let Some(slice) = unit.slice.filter(|_| !unit.live.is_empty()) {
            let strictest = unit.members.iter().filter_map(alignment).max();
            let slice = slice.aligned(strictest.unwrap_or(1));
            arenas[unit.space].push((unit.live.clone(), slice));
        }
    }
    arenas
        .into_iter()
        .map(|arena| plan(arena.into_iter()))
        .fold(0, u64::saturating_add)
}

impl Decision {
    /// Nothing is done.
    fn give_up(&mut self) {
        let refused = self.moves.drain(..).map(|place| (place, Refusal::NoGain));
        self.refused.extend(refused);
        let kept = self.lends.drain(..).map(|place| (place, Refusal::NoGain));
        self.kept.extend(kept);
        self.first.clear();
        self.early.clear();
        self.bytes.1 = self.bytes.0;
    }
}

/// Can what is live where most bytes are become less? Only where some of that goes.
fn may_lower(analysis: &Analysis<'_>, facts: &Facts<'_>, spaces: &[Space]) -> bool {
    let mut goes = vec![false; facts.buffers.len()];
    for one in &facts.moves {
        goes[one.from.index()] = true;
    }
    for one in &facts.lends {
        goes[one.to.index()] = true;
    }
    spaces.iter().any(|space| {
        let profile = space.profile(analysis);
        let peak = most(&profile);
        let first = profile.iter().find(|(_, bytes)| *bytes == peak);
        first.is_some_and(|(position, _)| {
            space.members.iter().any(|member| {
                let plannable = &analysis.plannable[*member];
                goes[plannable.buffer.index()] && contains(&plannable.live, *position)
            })
        })
    })
}

/// Nothing is done, as it would not lower the most bytes live at once.
fn nothing(analysis: &Analysis<'_>, facts: &Facts<'_>, spaces: &[Space]) -> Decision {
    let bytes = spaces.iter().map(|space| space.load(analysis)).sum();
    let moves = facts.moves.iter().enumerate();
    let moves = moves.filter(|(_, one)| !one.is_whole);
    Decision {
        bytes: (bytes, bytes),
        refused: moves.map(|(place, _)| (place, Refusal::NoGain)).collect(),
        kept: (0..facts.lends.len())
            .map(|place| (place, Refusal::NoGain))
            .collect(),
        ..Decision::default()
    }
}

/// What is asked of the program, and remembered.
#[derive(Default)]
struct Known<'c> {
    /// For each position, what `early` said.
    early: FxHashMap<Position, Option<Position>>,
    /// Whether all that use a buffer take a type, of buffers that no others are part of.
    fits: FxHashMap<(BufferId, Key), bool>,
    forms: PhantomData<Type<'c>>,
}

fn sum(peaks: &[Peak]) -> u64 {
    let bytes = peaks.iter().map(|peak| peak.bytes).sum::<i128>();
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// Which moves are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Better,
    NoWorse,
    Any,
}

/// What is undone where a move is not kept.
enum Undo<'c> {
    Moved(BufferId, Option<usize>),
    First(BufferId, Position),
    Form(BufferId, Option<Type<'c>>),
    Occupied(BufferId),
    At(Key),
    Lent(BufferId),
    Lends(BufferId),
    Nested(BufferId, u32),
}

/// Something that is done.
#[derive(Clone, Copy)]
enum Step {
    Move(usize),
    Lend(usize),
}

/// What shares bytes: one or more buffers, joined in place.
#[derive(Clone, Default)]
struct Unit {
    space: usize,
    size: i128,
    /// What a plan takes for it; none where only the run knows its size.
    slice: Option<Slice>,
    members: SmallVec<[BufferId; 2]>,
    live: Ranges,
}

struct State<'a, 'c> {
    analysis: &'a Analysis<'c>,
    facts: &'a Facts<'c>,
    positions: &'a Positions,
    names: &'a mut Names,
    /// The move that each buffer has made.
    moved: Vec<Option<usize>>,
    /// The moves into each buffer.
    occupants: Vec<SmallVec<[usize; 2]>>,
    /// How deep others are nested in each buffer.
    nested: Vec<u32>,
    /// For each view, the buffers that are it.
    at: FxHashMap<Key, SmallVec<[BufferId; 2]>>,
    /// Of each buffer: where it is used first.
    first: Vec<Position>,
    /// The type of what has moved.
    form: Vec<Option<Type<'c>>>,
    /// When each buffer is live, with what moved into it.
    live: Vec<Ranges>,
    /// The unit of each buffer.
    unit: Vec<usize>,
    units: Vec<Unit>,
    loads: Vec<Load>,
    known: &'a mut Known<'c>,
    /// Moves by what they go into.
    into: Vec<SmallVec<[usize; 2]>>,
    undo: Vec<Undo<'c>>,
    refusals: Vec<Option<Refusal>>,
    /// Where each buffer is freed first.
    freed: Vec<Position>,
    /// The view that each buffer has become.
    lent: Vec<Option<usize>>,
    /// The views of each buffer that were copies.
    lends: Vec<SmallVec<[usize; 2]>>,
    /// Copies that are tried together: those of one buffer.
    groups: Vec<SmallVec<[usize; 4]>>,
    kept: Vec<Option<Refusal>>,
}

impl<'a, 'c> State<'a, 'c> {
    fn new(
        analysis: &'a Analysis<'c>,
        facts: &'a Facts<'c>,
        positions: &'a Positions,
        names: &'a mut Names,
        known: &'a mut Known<'c>,
        spaces: &[Space],
    ) -> Self {
        let count = facts.buffers.len();
        let mut state = Self {
            analysis,
            facts,
            positions,
            names,
            moved: vec![None; count],
            occupants: vec![SmallVec::new(); count],
            nested: vec![0; count],
            at: FxHashMap::default(),
            first: facts.buffers.iter().map(|fact| fact.first_user).collect(),
            form: vec![None; count],
            live: vec![Ranges::new(); count],
            unit: vec![usize::MAX; count],
            units: Vec::new(),
            loads: Vec::new(),
            known,
            into: vec![SmallVec::new(); count],
            undo: Vec::new(),
            refusals: vec![None; facts.moves.len()],
            freed: freed(analysis),
            lent: vec![None; count],
            lends: vec![SmallVec::new(); count],
            groups: groups(facts),
            kept: vec![None; facts.lends.len()],
        };
        for (place, one) in facts.moves.iter().enumerate() {
            state.into[one.into.index()].push(place);
        }
        for (place, space) in spaces.iter().enumerate() {
            state.add_space(place, space);
        }
        state
    }

    fn add_space(&mut self, place: usize, space: &Space) {
        let analysis = self.analysis;
        let start = self.units.len();
        let hosts = space.hosts(analysis);
        let mut numbers = vec![usize::MAX; hosts.len()];
        for (index, host) in hosts.iter().enumerate() {
            let member = space.members[index];
            let plannable = &analysis.plannable[member];
            if numbers[*host] == usize::MAX {
                numbers[*host] = self.units.len();
                self.units.push(Unit {
                    space: place,
                    size: i128::from(bytes(analysis, space.members[*host])),
                    slice: Slice::of(analysis, space.members[*host]),
                    ..Unit::default()
                });
            }
            let unit = numbers[*host];
            self.units[unit].members.push(plannable.buffer);
            self.unit[plannable.buffer.index()] = unit;
            self.live[plannable.buffer.index()] = plannable.live.clone();
        }
        let mut load = Load::new(analysis.program.end);
        for unit in start..self.units.len() {
            let live = self.united(&self.units[unit].members);
            load.add(&live, self.units[unit].size);
            self.units[unit].live = live;
        }
        self.loads.push(load);
    }

    fn united(&self, members: &[BufferId]) -> Ranges {
        let parts = members.iter().flat_map(|one| &self.live[one.index()]);
        union(parts.copied().collect())
    }

    fn peaks(&self) -> Vec<Peak> {
        self.loads.iter().map(Load::peak).collect()
    }

    fn rounds(&mut self, keep: Keep) {
        for _ in 0..ROUNDS {
            let mut any = false;
            for place in 0..self.facts.moves.len() {
                any |= self.attempt(place, keep);
            }
            for group in 0..self.groups.len() {
                any |= self.attempt_views(group, keep);
            }
            if !any {
                return;
            }
        }
    }

    /// Makes a move, with the chain behind it, if it is worth it.
    fn attempt(&mut self, place: usize, keep: Keep) -> bool {
        let one = &self.facts.moves[place];
        if self.moved[one.from.index()].is_some() || one.is_whole {
            return false;
        }
        self.undo.clear();
        if let Err(refusal) = self.make(place) {
            self.roll_back();
            self.refusals[place] = Some(refusal);
            return false;
        }
        let mut made: SmallVec<[Step; 4]> = SmallVec::new();
        made.push(Step::Move(place));
        let mut at = one.from;
        while let Some(next) = self.chain(at) {
            made.push(Step::Move(next));
            at = self.facts.moves[next].from;
        }
        if self.settle(&made, keep) {
            self.refusals[place] = None;
            return true;
        }
        self.roll_back();
        self.refusals[place] = Some(Refusal::NoGain);
        false
    }

    /// Makes views of copies of one buffer: of all, or else of each that is worth it alone.
    fn attempt_views(&mut self, group: usize, keep: Keep) -> bool {
        let all = self.groups[group].clone();
        let mut any = self.attempt_together(&all, keep);
        if !any && all.len() > 1 {
            for one in &all {
                any |= self.attempt_together(&[*one], keep);
            }
        }
        any
    }

    fn attempt_together(&mut self, lends: &[usize], keep: Keep) -> bool {
        self.undo.clear();
        let mut made: SmallVec<[Step; 4]> = SmallVec::new();
        for &place in lends {
            if self.lent[self.facts.lends[place].to.index()].is_some() {
                continue;
            }
            let kept = self.undo.len();
            match self.lend(place) {
                Ok(()) => made.push(Step::Lend(place)),
                Err(refusal) => {
                    self.roll_back_to(kept);
                    self.kept[place] = Some(refusal);
                }
            }
        }
        if made.is_empty() {
            return false;
        }
        // A view is read by strides: not for nothing.
        let keep = match keep {
            Keep::Any => Keep::Any,
            _ => Keep::Better,
        };
        if self.settle(&made, keep) {
            return true;
        }
        self.roll_back();
        for step in made {
            if let Step::Lend(place) = step {
                self.kept[place] = Some(Refusal::NoGain);
            }
        }
        false
    }

    /// Makes a view of a copy, if it may be made.
    fn lend(&mut self, place: usize) -> Result<(), Refusal> {
        let one = &self.facts.lends[place];
        let to = one.to.index();
        if self.moved[to].is_some() || !self.occupants[to].is_empty() || !self.lends[to].is_empty()
        {
            return Err(Refusal::Touched);
        }
        if let Some(buffer) = one.buffer {
            let at = buffer.index();
            if self.moved[at].is_some() || self.lent[at].is_some() {
                return Err(Refusal::Touched);
            }
            let touches = &self.facts.buffers[at].touches;
            let start = touches.partition_point(|touch| touch.position <= one.position);
            let count = touches[start..].partition_point(|touch| touch.position < one.end);
            let overwritten = |touch: &Touch| touch.writes && !touch.place.is_apart(&one.place);
            let is_taken = |occupant: &usize| {
                let other = &self.facts.moves[*occupant];
                self.first[other.from.index()] < one.end && one.position <= other.position
            };
            if count > MOST_TOUCHES
                || touches[start..start + count].iter().any(overwritten)
                || self.occupants[at].iter().any(is_taken)
                || self.freed[at] < one.end
            {
                return Err(Refusal::Touched);
            }
            self.lends[at].push(place);
            self.undo.push(Undo::Lends(buffer));
        }
        self.undo.push(Undo::Lent(one.to));
        self.lent[to] = Some(place);
        self.reform(one.to, one.form)
    }

    /// Moves into all of `buffer` what it takes over from, if that can be done.
    fn chain(&mut self, buffer: BufferId) -> Option<usize> {
        for at in 0..self.into[buffer.index()].len() {
            let place = self.into[buffer.index()][at];
            let one = &self.facts.moves[place];
            if !one.is_whole || self.moved[one.from.index()].is_some() {
                continue;
            }
            let kept = self.undo.len();
            if self.make(place).is_ok() {
                return Some(place);
            }
            self.roll_back_to(kept);
        }
        None
    }

    fn roll_back(&mut self) {
        self.roll_back_to(0);
    }

    fn roll_back_to(&mut self, kept: usize) {
        while self.undo.len() > kept {
            match self.undo.pop() {
                Some(Undo::Moved(buffer, was)) => self.moved[buffer.index()] = was,
                Some(Undo::First(buffer, was)) => self.first[buffer.index()] = was,
                Some(Undo::Form(buffer, was)) => self.form[buffer.index()] = was,
                Some(Undo::Occupied(buffer)) => {
                    self.occupants[buffer.index()].pop();
                }
                Some(Undo::At(view)) => {
                    if let Some(there) = self.at.get_mut(&view) {
                        there.pop();
                    }
                }
                Some(Undo::Nested(buffer, was)) => self.nested[buffer.index()] = was,
                Some(Undo::Lent(buffer)) => self.lent[buffer.index()] = None,
                Some(Undo::Lends(buffer)) => {
                    self.lends[buffer.index()].pop();
                }
                None => return,
            }
        }
    }

    /// Makes a move, if it may be made.
    fn make(&mut self, place: usize) -> Result<(), Refusal> {
        let facts = self.facts;
        let one = &facts.moves[place];
        let is_lent = |buffer: BufferId| self.lent[buffer.index()].is_some();
        if self.root(one.into) == one.from
            || is_lent(one.from)
            || is_lent(one.into)
            || !self.lends[one.from.index()].is_empty()
        {
            return Err(Refusal::Touched);
        }
        self.nest(one.from, one.into)?;
        let from = self.first[one.from.index()];
        self.claim(one.into, &one.place, (from, one.position), one.ready, None)?;
        // What it looks like there, and whether all that use it take that.
        let form = match self.form[one.into.index()] {
            None => type_of(one.view),
            Some(whole) => self
                .form_of_view(one.view, facts.buffers[one.into.index()].value, whole, 0)
                .ok_or(Refusal::Strides)?,
        };
        self.undo.push(Undo::Moved(one.from, None));
        self.moved[one.from.index()] = Some(place);
        self.occupants[one.into.index()].push(place);
        self.undo.push(Undo::Occupied(one.into));
        self.at.entry(one.view.key()).or_default().push(one.from);
        self.undo.push(Undo::At(one.view.key()));
        self.reform(one.from, form)
    }

    /// Makes a buffer part of another one, if these are not too many already.
    fn nest(&mut self, from: BufferId, into: BufferId) -> Result<(), Refusal> {
        let (mut depth, mut around) = (self.nested[from.index()], Some(into));
        while let Some(buffer) = around {
            depth += 1;
            if depth > MOST_NESTED {
                return Err(Refusal::Strides);
            }
            let was = self.nested[buffer.index()];
            if depth > was {
                self.undo.push(Undo::Nested(buffer, was));
                self.nested[buffer.index()] = depth;
            }
            around = self.moved[buffer.index()].map(|place| self.facts.moves[place].into);
        }
        Ok(())
    }

    /// The buffer that is not part of another one, and that this one is part of.
    fn root(&self, buffer: BufferId) -> BufferId {
        let mut at = buffer;
        while let Some(place) = self.moved[at.index()] {
            at = self.facts.moves[place].into;
        }
        at
    }

    /// Takes part of a buffer, and of what that is part of, from one position up to another; `own` is who has it already.
    fn claim(
        &mut self,
        buffer: BufferId,
        place: &Place,
        (from, to): (Position, Position),
        ready: Position,
        own: Option<usize>,
    ) -> Result<(), Refusal> {
        let fact = &self.facts.buffers[buffer.index()];
        if ready >= from || fact.ready >= from {
            return Err(Refusal::Late);
        }
        self.is_free(buffer, fact, place, from, to)?;
        for at in 0..self.occupants[buffer.index()].len() {
            let occupant = self.occupants[buffer.index()][at];
            if Some(occupant) == own {
                continue;
            }
            let other = &self.facts.moves[occupant];
            let since = self.first[other.from.index()];
            if since <= to && from <= other.position && !other.place.is_apart(place) {
                return Err(Refusal::Touched);
            }
        }
        for lend in &self.lends[buffer.index()] {
            let one = &self.facts.lends[*lend];
            if from < one.end && one.position <= to {
                return Err(Refusal::Touched);
            }
        }
        let was = self.first[buffer.index()];
        if from < was {
            if let Some(moved) = self.moved[buffer.index()] {
                let outer = &self.facts.moves[moved];
                let times = (from, outer.position);
                self.claim(outer.into, &outer.place, times, outer.ready, Some(moved))?;
            }
            self.undo.push(Undo::First(buffer, was));
            self.first[buffer.index()] = from;
        }
        Ok(())
    }

    /// Does nothing touch a part, but what can be done earlier?
    fn is_free(
        &mut self,
        buffer: BufferId,
        fact: &Fact<'c>,
        place: &Place,
        from: Position,
        to: Position,
    ) -> Result<(), Refusal> {
        let start = fact.touches.partition_point(|touch| touch.position < from);
        let between = fact.touches[start..].partition_point(|touch| touch.position < to);
        if between > MOST_TOUCHES {
            return Err(Refusal::Touched);
        }
        let between = &fact.touches[start..start + between];
        for (at, touch) in between.iter().enumerate() {
            if touch.place.is_apart(place) {
                continue;
            }
            match self.early(buffer, touch.position) {
                Some(behind) if behind < from => {}
                Some(_) => return Err(Refusal::Late),
                None => return Err(Refusal::Touched),
            }
            // It passes what was done before it.
            let passes = between[..at].iter().all(|before| {
                before.place.is_apart(&touch.place)
                    || self
                        .early(buffer, before.position)
                        .is_some_and(|behind| behind < from)
                        && !before.place.is_apart(place)
            });
            if !passes {
                return Err(Refusal::Touched);
            }
        }
        Ok(())
    }

    fn early(&mut self, buffer: BufferId, position: Position) -> Option<Position> {
        if let Some(known) = self.known.early.get(&position) {
            return *known;
        }
        let fact = &self.facts.buffers[buffer.index()];
        let found = early(self.analysis, fact, position, self.positions, self.names);
        self.known.early.insert(position, found);
        found
    }

    /// Gives a buffer that has moved a type; whether all that use it take that.
    fn reform(&mut self, buffer: BufferId, form: Type<'c>) -> Result<(), Refusal> {
        self.undo
            .push(Undo::Form(buffer, self.form[buffer.index()]));
        self.form[buffer.index()] = Some(form);
        let value = self.facts.buffers[buffer.index()].value;
        if type_of(value) == form {
            return match speaks_of_address(value, 0) {
                true => Err(Refusal::Strides),
                false => Ok(()),
            };
        }
        if !self.occupants[buffer.index()].is_empty() {
            return self.fits(value, form, 0);
        }
        let key = (buffer, form.key());
        let known = self.known.fits.get(&key).copied();
        let fits = known.unwrap_or_else(|| self.fits(value, form, 0).is_ok());
        self.known.fits.insert(key, fits);
        if fits { Ok(()) } else { Err(Refusal::Strides) }
    }

    fn fits(&mut self, value: Val<'c>, form: Type<'c>, depth: usize) -> Result<(), Refusal> {
        if depth > DEEPEST {
            return Err(Refusal::Strides);
        }
        for (op, operand) in uses(value) {
            if self.names.info(op).known == memplan_mlir::names::Known::Dealloc {
                continue;
            }
            match retype(op, operand, form) {
                Retyped::Takes => {}
                Retyped::Refuses => return Err(Refusal::Strides),
                Retyped::Views(view) => {
                    for result in results(op) {
                        self.fits(result, view, depth + 1)?;
                    }
                }
            }
        }
        let there = self.at.get(&value.key()).cloned().unwrap_or_default();
        for buffer in there {
            self.reform(buffer, form)?;
        }
        Ok(())
    }

    /// The type of a view of a buffer that has another type than it had.
    fn form_of_view(
        &self,
        view: Val<'c>,
        buffer: Val<'c>,
        whole: Type<'c>,
        depth: usize,
    ) -> Option<Type<'c>> {
        if view == buffer {
            return Some(whole);
        }
        let Some(Origin::Result(op, 0)) = origin(view) else {
            return None;
        };
        if depth > DEEPEST {
            return None;
        }
        let source = operands(op).next()?;
        let source = self.form_of_view(source, buffer, whole, depth + 1)?;
        match retype(op, 0, source) {
            Retyped::Views(form) => Some(form),
            _ => None,
        }
    }

    /// Keeps what has been done, if it is worth it.
    fn settle(&mut self, made: &[Step], keep: Keep) -> bool {
        let before = self.peaks();
        let mut was: SmallVec<[(usize, Unit); 4]> = SmallVec::new();
        let mut lived: SmallVec<[(BufferId, Ranges); 4]> = SmallVec::new();
        let units = self.units.len();
        let mut root = None;
        let mut ranges: Vec<(Position, Position)> = Vec::new();
        for step in made {
            let (gone, into, range) = self.effect(*step);
            root = into.map(|into| self.root(into));
            ranges.push(range);
            let unit = self.unit[gone.index()];
            if unit != usize::MAX {
                was.push((unit, self.units[unit].clone()));
                self.units[unit].members.retain(|member| *member != gone);
                self.refresh(unit);
            }
        }
        let root = root.filter(|root| self.unit[root.index()] != usize::MAX);
        let root_unit = root.map_or(usize::MAX, |root| self.unit[root.index()]);
        if let Some(root) = root {
            was.push((root_unit, self.units[root_unit].clone()));
            lived.push((root, self.live[root.index()].clone()));
            ranges.extend(&self.live[root.index()]);
            self.extend(root, union(ranges));
        }
        let after = self.peaks();
        let no_worse = after
            .iter()
            .zip(&before)
            .all(|(after, before)| after <= before);
        let better = no_worse && after != before;
        if better || (no_worse && keep == Keep::NoWorse) || keep == Keep::Any {
            for step in made {
                let (gone, ..) = self.effect(*step);
                self.unit[gone.index()] = usize::MAX;
            }
            return true;
        }
        if let Some(root) = root {
            self.unit[root.index()] = root_unit;
        }
        for (buffer, live) in lived {
            self.live[buffer.index()] = live;
        }
        for unit in units..self.units.len() {
            self.set(unit, SmallVec::new(), Ranges::new());
        }
        self.units.truncate(units);
        for (unit, before) in was.into_iter().rev() {
            self.set(unit, before.members, before.live);
        }
        false
    }

    /// The buffer that goes, what it becomes a part of, and for how long that is needed.
    fn effect(&self, step: Step) -> (BufferId, Option<BufferId>, (Position, Position)) {
        match step {
            Step::Move(place) => {
                let one = &self.facts.moves[place];
                let first = self.first[one.from.index()];
                (one.from, Some(one.into), (first, one.position + 1))
            }
            Step::Lend(place) => {
                let one = &self.facts.lends[place];
                (one.to, one.buffer, (one.position, one.end))
            }
        }
    }

    /// Makes a buffer live in these ranges; what it is joined with is left if it is in the way now.
    fn extend(&mut self, buffer: BufferId, live: Ranges) {
        let unit = self.unit[buffer.index()];
        let others: SmallVec<[BufferId; 2]> = {
            let members = self.units[unit].members.iter().copied();
            members.filter(|member| *member != buffer).collect()
        };
        let theirs = self.united(&others);
        let shared = |own: &Ranges| {
            let all = union(own.iter().chain(&theirs).copied().collect());
            length(own) + length(&theirs) - length(&all)
        };
        let fits = shared(&live) <= shared(&self.live[buffer.index()]);
        self.live[buffer.index()] = live.clone();
        if fits {
            return self.refresh(unit);
        }
        self.units[unit].members = others;
        self.refresh(unit);
        self.unit[buffer.index()] = self.units.len();
        self.units.push(Unit {
            space: self.units[unit].space,
            size: self.units[unit].size,
            slice: self.units[unit].slice,
            ..Unit::default()
        });
        self.set(self.units.len() - 1, SmallVec::from_slice(&[buffer]), live);
    }

    /// Brings a unit in line with its members.
    fn refresh(&mut self, unit: usize) {
        let members = self.units[unit].members.clone();
        let live = self.united(&members);
        self.set(unit, members, live);
    }

    fn set(&mut self, unit: usize, members: SmallVec<[BufferId; 2]>, live: Ranges) {
        let unit = &mut self.units[unit];
        let load = &mut self.loads[unit.space];
        load.add(&unit.live, -unit.size);
        load.add(&live, unit.size);
        (unit.members, unit.live) = (members, live);
    }

    /// What has been decided.
    fn decision(&mut self) -> Decision {
        let mut decision = Decision::default();
        let depth = |mut buffer: BufferId| {
            let mut depth = 0;
            while let Some(place) = self.moved[buffer.index()] {
                buffer = self.facts.moves[place].into;
                depth += 1;
            }
            depth
        };
        decision.moves = self.moved.iter().flatten().copied().collect();
        decision
            .moves
            .sort_by_key(|place| (depth(self.facts.moves[*place].from), *place));
        let from = |place: &usize| self.facts.moves[*place].from;
        decision.first = decision
            .moves
            .iter()
            .map(|place| self.first[from(place).index()])
            .collect();
        let mut seen: FxHashSet<BufferId> = FxHashSet::default();
        for place in &decision.moves {
            let into = self.facts.moves[*place].into;
            if seen.insert(into) {
                self.earlier(into, &mut decision.early);
            }
        }
        decision.lends = self.lent.iter().flatten().copied().collect();
        decision.lends.sort_unstable();
        decision.kept = (0..)
            .zip(&self.kept)
            .filter_map(|(place, refusal)| refusal.map(|refusal| (place, refusal)))
            .filter(|(place, _)| self.lent[self.facts.lends[*place].to.index()].is_none())
            .collect();
        decision.refused = (0..)
            .zip(&self.refusals)
            .filter_map(|(place, refusal)| refusal.map(|refusal| (place, refusal)))
            .filter(|(place, _)| self.moved[self.facts.moves[*place].from.index()].is_none())
            .collect();
        decision
    }
}

impl State<'_, '_> {
    /// What is done earlier so that others may be parts of a buffer.
    fn earlier(&self, into: BufferId, early: &mut Vec<(Position, Position)>) {
        let mut to: BTreeMap<Position, Position> = BTreeMap::new();
        let touches = &self.facts.buffers[into.index()].touches;
        for place in &self.occupants[into.index()] {
            let one = &self.facts.moves[*place];
            let first = self.first[one.from.index()];
            let start = touches.partition_point(|touch| touch.position < first);
            let between = touches[start..]
                .iter()
                .take_while(|touch| touch.position < one.position);
            for touch in between.filter(|touch| !one.place.is_apart(&touch.place)) {
                let at = to.entry(touch.position).or_insert(first);
                *at = first.min(*at);
            }
        }
        early.extend(to);
    }
}

/// Where each buffer is freed first.
fn freed(analysis: &Analysis<'_>) -> Vec<Position> {
    let mut freed = vec![Position::MAX; analysis.program.buffers.len()];
    for free in &analysis.program.deallocs {
        for buffer in analysis.aliases.buffers(free.value) {
            let first = &mut freed[buffer.index()];
            *first = free.position.min(*first);
        }
    }
    freed
}

/// Copies of one buffer, in the order of the text; each of memory from outside is alone.
fn groups(facts: &Facts<'_>) -> Vec<SmallVec<[usize; 4]>> {
    let mut groups: Vec<SmallVec<[usize; 4]>> = Vec::new();
    let mut of: FxHashMap<BufferId, usize> = FxHashMap::default();
    for (place, one) in facts.lends.iter().enumerate() {
        let group = match one.buffer {
            Some(buffer) => *of.entry(buffer).or_insert(groups.len()),
            None => groups.len(),
        };
        if group == groups.len() {
            groups.push(SmallVec::new());
        }
        groups[group].push(place);
    }
    groups
}

/// Does something that uses a value, or a view of it, say how its address is aligned?
fn speaks_of_address(value: Val<'_>, depth: usize) -> bool {
    depth > DEEPEST
        || users(value).any(|op| {
            op.has_attribute("alignment")
                || results(op)
                    .filter(|result| is_memref(type_of(*result)))
                    .any(|view| speaks_of_address(view, depth + 1))
        })
}

fn length(ranges: &Ranges) -> u64 {
    ranges
        .iter()
        .map(|(first, end)| u64::from(end - first))
        .sum()
}
