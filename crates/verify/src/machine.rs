//! The transfer functions: what each step does to the state.
//!
//! A machine holds the state of one point in tables that are indexed by id. It takes a node's
//! state in, executes the node's steps in place, and hands the state on along each edge.

use super::{
    bytes::Bytes,
    fault::{Fault, Faults},
    live::Live,
    pending::Pending,
    program::{
        Action, Arena, ArenaId, ChoiceId, Edge, Elements, Escape, Node, OpId, Program, SliceId,
        Step, Token, ValueId, Values,
    },
    state::{Ages, Content, Contents, Culprit, State},
};
use smallvec::SmallVec;

type Refs = SmallVec<[(SliceId, Ages); 1]>;

/// An abstract machine that runs a planned program.
pub struct Machine<'p> {
    program: &'p Program,
    live: &'p Live,
    /// What each value may refer to.
    refs: Vec<Refs>,
    /// How many values refer to a slice.
    held: Vec<u32>,
    /// Which: all that do, and maybe some that no longer do.
    holders: Vec<Vec<ValueId>>,
    contents: Vec<Contents>,
    /// Where the slices of each arena are that can still be read.
    readable: Vec<Bytes>,
    freed: Vec<Option<OpId>>,
    /// What goes on although control has passed it.
    pending: Pending,
    /// Arenas that may have an entry in `freed`.
    ever_freed: Vec<ArenaId>,
    /// Values that may have an entry in `refs`.
    touched: Vec<ValueId>,
    /// For each value, slices that may be readable through it alone.
    through: Vec<Vec<SliceId>>,
    /// For each slice, where it was last put in what [`Self::joined`] gives.
    places: Vec<u32>,
}

impl<'p> Machine<'p> {
    /// A machine that knows nothing yet.
    pub fn new(program: &'p Program, live: &'p Live) -> Self {
        let arenas = (0..program.arenas.len() as u32).map(ArenaId);
        Self {
            program,
            live,
            refs: vec![Refs::new(); program.values.len()],
            held: vec![0; program.slices.len()],
            holders: vec![Vec::new(); program.slices.len()],
            contents: vec![Contents::default(); program.slices.len()],
            readable: arenas.map(|arena| Bytes::new(program, arena)).collect(),
            freed: vec![None; program.arenas.len()],
            pending: Pending::default(),
            ever_freed: Vec::new(),
            touched: Vec::new(),
            through: vec![Vec::new(); program.values.len()],
            places: vec![0; program.slices.len()],
        }
    }

    /// Starts at a state.
    pub fn load(&mut self, state: &State) {
        for value in std::mem::take(&mut self.touched) {
            self.drop_value(value);
        }
        for arena in self.ever_freed.drain(..) {
            self.freed[arena.index()] = None;
        }
        for &((value, slice), ages) in &state.refs {
            self.hold(value, slice, ages);
        }
        for &(slice, contents) in &state.contents {
            self.set(slice, contents);
        }
        for &(arena, op) in &state.freed {
            self.free(op, arena);
        }
        self.pending = state.pending.clone();
    }

    /// Executes a node.
    pub fn run(&mut self, node: &Node, faults: &mut impl Faults) {
        let (program, live) = (self.program, self.live);
        for index in node.steps.clone() {
            self.step(&program.steps[index], faults);
            for &value in &live.last[index] {
                self.drop_value(value);
            }
        }
    }

    /// The state that goes along an edge.
    pub fn flow(&self, edge: &Edge) -> State {
        let mut state = State::default();
        for &value in &self.live.on_entry[edge.to.index()] {
            let refs = &self.refs[value.index()];
            let refs = refs.iter().map(|&(slice, ages)| ((value, slice), ages));
            state.refs.extend(refs);
        }
        for &(from, to) in &edge.binds {
            if self.live.used[to.index()] {
                let refs = &self.refs[from.index()];
                let refs = refs.iter().map(|&(slice, ages)| ((to, slice), ages));
                state.refs.extend(refs);
            }
        }
        state.refs.sort_by_key(|(key, _)| *key);
        state.refs.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.join(next.1);
            }
            same
        });
        let mut slices: Vec<SliceId> = state.refs.iter().map(|&((_, slice), _)| slice).collect();
        slices.sort_unstable();
        slices.dedup();
        let contents = slices.iter().map(|slice| {
            let contents = self.contents[slice.index()];
            // What is handed to itself stays what it is.
            let becomes = |value: &ValueId| {
                let mut binds = edge.binds.iter();
                binds.any(|(from, to)| to == value && from != to)
            };
            contents
                .through()
                .filter(becomes)
                .fold(contents, Contents::redefined)
        });
        state.contents = slices.iter().copied().zip(contents).collect();
        let live = &self.live.on_entry[edge.to.index()];
        for &arena in &self.ever_freed {
            let Arena { value, slices } = &self.program.arenas[arena.index()];
            let matters = live.binary_search(value).is_ok()
                || slices.iter().any(|slice| self.held[slice.index()] > 0);
            if let Some(op) = self.freed[arena.index()].filter(|_| matters) {
                state.freed.push((arena, op));
            }
        }
        state.freed.sort_unstable_by_key(|(arena, _)| *arena);
        state.freed.dedup_by_key(|(arena, _)| *arena);
        state.pending = self.pending.flow(self.program, edge.to, &edge.binds);
        state
    }

    fn step(&mut self, step: &Step, faults: &mut impl Faults) {
        let op = step.op;
        match &step.action {
            Action::Birth {
                slice,
                result,
                choice,
                ..
            } => {
                self.check_born(op, *slice, faults);
                self.birth(op, *slice, *result, *choice);
            }
            Action::Allocate { arena, .. } => self.allocate(op, *arena),
            Action::Free { arena, .. } => {
                self.check_left(op, |other| other == *arena, faults);
                self.free(op, *arena);
            }
            Action::Alias { result, sources } => self.alias(*result, sources),
            Action::Access {
                reads,
                writes,
                elements,
            } => {
                self.check_freed(op, reads.iter().chain(writes), faults);
                self.check_moved(op, writes.iter(), faults);
                self.check_pending(op, reads.iter().chain(writes), faults);
                self.check_reads(op, reads.iter(), faults);
                if !writes.is_empty() {
                    self.write(op, writes, elements);
                    self.check_late_reads(op, reads, writes, elements, faults);
                }
            }
            Action::Move { from, to } => self.relocate(op, *from, *to, faults),
            Action::Escape(value, how) => {
                let is_address = matches!(how, Escape::Cast | Escape::Pointer);
                for &(slice, _) in &self.refs[value.index()] {
                    if is_address && self.program.pinned.contains(&slice) {
                        continue;
                    }
                    faults.add(Fault::Escapes {
                        op,
                        slice,
                        how: *how,
                    });
                }
            }
            Action::Deallocate(value) => {
                for &(slice, _) in &self.refs[value.index()] {
                    faults.add(Fault::Deallocated { op, slice });
                }
            }
            Action::Ended(values, buffer) => {
                for value in values {
                    self.end(*value, *buffer);
                }
            }
            Action::Needed(values) => self.check_reads(op, values.iter(), faults),
            Action::Distinct(values) => self.check_distinct(op, values, faults),
            Action::Token(Token::Start(start)) => {
                let used = start.uses.iter();
                let mut slices: Vec<SliceId> = used
                    .flat_map(|value| &self.refs[value.index()])
                    .map(|(slice, _)| *slice)
                    .collect();
                slices.sort_unstable();
                slices.dedup();
                self.pending.start(self.program, op, &slices, start);
            }
            Action::Token(Token::Leave) => {
                let freed = self.freed.clone();
                self.check_left(op, |arena| freed[arena.index()].is_none(), faults);
            }
            Action::Token(token) => self.pending.step(token),
        }
    }

    /// The latest instance becomes an older one, and a new one is born.
    fn birth(&mut self, op: OpId, slice: SliceId, result: ValueId, choice: Option<ChoiceId>) {
        let program = self.program;
        // Instances without bytes are never in each other's way.
        let empty = program.slices[slice.index()]
            .slots
            .iter()
            .all(|slot| slot.is_empty());
        let spares = |value| empty || choice.is_some_and(|choice| program.spares(choice, value));
        let mut before = Ages::default();
        for &value in &self.holders[slice.index()] {
            if value == result {
                continue;
            }
            let refs = self.refs[value.index()].iter_mut();
            if let Some((_, ages)) = refs.into_iter().find(|(other, _)| *other == slice) {
                let spared = spares(value);
                if spared {
                    before = before.join(*ages);
                }
                *ages = ages.aged(spared, op);
            }
        }
        let was = self.contents[slice.index()];
        let mut now = Contents {
            latest: Content::Undefined,
            ..Contents::default()
        };
        if before.older {
            now.older = now.older.join(was.older);
        }
        if before.latest {
            now.older = now.older.join(was.latest);
        }
        self.define(result, &[(slice, Ages::LATEST)]);
        self.set(slice, now);
    }

    /// What refers to the memory that the arena had before does not refer to this one.
    fn allocate(&mut self, op: OpId, arena: ArenaId) {
        self.freed[arena.index()] = None;
        for &slice in &self.program.arenas[arena.index()].slices {
            if self.held[slice.index()] == 0 {
                continue;
            }
            for value in &self.holders[slice.index()] {
                for (other, ages) in &mut self.refs[value.index()] {
                    if *other == slice {
                        *ages = ages.aged(false, op);
                    }
                }
            }
            self.set(slice, Contents::default());
        }
    }

    fn free(&mut self, op: OpId, arena: ArenaId) {
        self.freed[arena.index()] = Some(op);
        self.ever_freed.push(arena);
    }

    fn alias(&mut self, result: ValueId, sources: &Values) {
        let refs = self.joined(sources);
        self.define(result, &refs);
    }

    /// What any of some values may refer to, in the order in which they refer to it.
    fn joined(&mut self, values: &Values) -> Refs {
        let mut joined = Refs::new();
        for value in values {
            for &(slice, ages) in &self.refs[value.index()] {
                let place = self.places[slice.index()] as usize;
                match joined.get_mut(place) {
                    Some((other, known)) if *other == slice => *known = known.join(ages),
                    _ => {
                        self.places[slice.index()] = joined.len() as u32;
                        joined.push((slice, ages));
                    }
                }
            }
        }
        joined
    }

    /// All that is written to becomes intact, then all that shares bytes with it clobbered.
    fn write(&mut self, op: OpId, writes: &Values, elements: &Elements) {
        let written = self.joined(writes);
        for &(slice, ages) in &written {
            let mut contents = self.contents[slice.index()];
            if ages.latest {
                contents.latest = contents.latest.written();
            }
            if ages.older {
                contents.older = contents.older.written();
            }
            self.set(slice, contents);
        }
        for &(value, bytes) in &elements.overwritten {
            // What a value refers to for certain, and all of it.
            if let [(slice, Ages::LATEST)] = self.refs[value.index()][..]
                && self.program.is_same_run(slice, slice, bytes)
            {
                let contents = self.contents[slice.index()];
                let latest = Content::Intact;
                self.set(slice, Contents { latest, ..contents });
            }
        }
        let mut victims = Vec::new();
        for (slice, ages) in written {
            let place = &self.program.slices[slice.index()];
            for slot in &place.slots {
                self.readable[place.arena.index()].overlapping(slot, &mut victims);
            }
            for victim in victims.drain(..) {
                // An instance that was born over may be written to: the new one has its bytes.
                if victim != slice || ages.stale.is_some() {
                    let contents = self.contents[victim.index()];
                    let through = self.written_through(writes, slice, victim);
                    let by = Culprit { op, slice, through };
                    self.set(
                        victim,
                        Contents {
                            latest: contents.latest.overwritten(by),
                            older: contents.older.overwritten(by),
                        },
                    );
                }
            }
        }
    }

    /// All of a buffer is read, then all of its next place written: a move is read to copy in the direction
    /// that allows for that. What refers to it where it was refers to nothing then.
    fn relocate(&mut self, op: OpId, from: ValueId, to: ValueId, faults: &mut impl Faults) {
        self.check_freed(op, [from, to].iter(), faults);
        self.check_moved(op, [to].iter(), faults);
        self.check_pending(op, [from, to].iter(), faults);
        self.check_reads(op, [from].iter(), faults);
        self.write(op, &Values::from_slice(&[to]), &Elements::default());
        for (slice, _) in self.refs[from.index()].clone() {
            for value in &self.holders[slice.index()] {
                for (other, ages) in &mut self.refs[value.index()] {
                    if *other == slice {
                        *ages = ages.aged(false, op);
                    }
                }
            }
        }
    }

    /// Does nothing that is written take bytes of what `read` refers to before they are read?
    fn is_in_step(&self, read: ValueId, writes: &Values, elements: &Elements) -> bool {
        let allowed = |slice: SliceId, ages: Ages, written: ValueId| {
            let mut pairs = elements.in_step.iter();
            let refs = &self.refs[written.index()];
            refs.iter().all(|&(other, other_ages)| {
                (slice == other && other_ages.stale.is_none())
                    || !self.program.share_bytes(slice, other)
                    || (ages == Ages::LATEST && other_ages == Ages::LATEST)
                        && pairs.any(|&(from, to, bytes)| {
                            (from, to) == (read, written)
                                && self.program.is_same_run(slice, other, bytes)
                        })
            })
        };
        let mut refs = self.refs[read.index()].iter();
        refs.all(|&(slice, ages)| writes.iter().all(|&written| allowed(slice, ages, written)))
    }

    /// The operation may read after it has written, except what is in step: that is asked where something is wrong
    /// only, as it takes each pair of slices.
    fn check_late_reads(
        &self,
        op: OpId,
        reads: &Values,
        writes: &Values,
        elements: &Elements,
        faults: &mut impl Faults,
    ) {
        let mut late = Vec::new();
        for read in reads {
            self.check_reads(op, std::iter::once(read), &mut late);
            if !late.is_empty() && self.is_in_step(*read, writes, elements) {
                late.clear();
            }
            for fault in late.drain(..) {
                faults.add(fault);
            }
        }
    }

    fn check_reads<'v>(
        &self,
        op: OpId,
        reads: impl Iterator<Item = &'v ValueId>,
        faults: &mut impl Faults,
    ) {
        for value in reads {
            for &(slice, ages) in &self.refs[value.index()] {
                if let Some(birth) = ages.stale {
                    faults.add(match self.program.moves.contains(&birth) {
                        true => Fault::Moved {
                            op,
                            slice,
                            moved: birth,
                        },
                        false => Fault::BornAgain {
                            birth,
                            slice,
                            read: op,
                        },
                    });
                }
                let contents = self.contents[slice.index()];
                for (refers, content) in
                    [(ages.latest, contents.latest), (ages.older, contents.older)]
                {
                    if refers
                        && let Content::Clobbered(by) = content
                        && by.through != Some(self.program.root(*value))
                    {
                        faults.add(Fault::Overwritten { op, slice, by });
                    }
                }
            }
        }
    }

    /// Nothing is written where a buffer was before it was moved.
    fn check_moved<'v>(
        &self,
        op: OpId,
        writes: impl Iterator<Item = &'v ValueId>,
        faults: &mut impl Faults,
    ) {
        for &(slice, ages) in writes.flat_map(|value| &self.refs[value.index()]) {
            if let Some(moved) = ages.stale
                && self.program.moves.contains(&moved)
            {
                faults.add(Fault::Moved { op, slice, moved });
            }
        }
    }

    fn check_freed<'v>(
        &self,
        op: OpId,
        values: impl Iterator<Item = &'v ValueId>,
        faults: &mut impl Faults,
    ) {
        for value in values {
            for &(slice, _) in &self.refs[value.index()] {
                let arena = self.program.slices[slice.index()].arena;
                if let Some(freed) = self.freed[arena.index()] {
                    faults.add(Fault::Freed { op, slice, freed });
                }
            }
        }
    }

    /// Nothing else may use the bytes of what goes on.
    fn check_pending<'v>(
        &self,
        op: OpId,
        values: impl Iterator<Item = &'v ValueId>,
        faults: &mut impl Faults,
    ) {
        if self.pending.is_empty() {
            return;
        }
        for value in values {
            for &(slice, _) in &self.refs[value.index()] {
                for (start, with) in self.pending.iter() {
                    if with != slice && self.program.share_bytes(slice, with) {
                        faults.add(Fault::Pending {
                            op,
                            slice,
                            with,
                            start,
                        });
                    }
                }
            }
        }
    }

    /// A slice is not born again while something goes on with it.
    fn check_born(&self, op: OpId, slice: SliceId, faults: &mut impl Faults) {
        for (start, with) in self.pending.iter().filter(|(_, with)| *with == slice) {
            faults.add(Fault::Pending {
                op,
                slice,
                with,
                start,
            });
        }
    }

    /// Arenas are not left while something goes on with their slices.
    fn check_left(&self, op: OpId, left: impl Fn(ArenaId) -> bool, faults: &mut impl Faults) {
        for (start, slice) in self.pending.iter() {
            if left(self.program.slices[slice.index()].arena) {
                faults.add(Fault::Left { op, slice, start });
            }
        }
    }

    /// Two slices that share bytes, now or at another time, are not distinct memory to LLVM.
    fn check_distinct(&self, op: OpId, values: &Values, faults: &mut impl Faults) {
        for (index, one) in values.iter().enumerate() {
            for other in &values[index + 1..] {
                for &(slice, _) in &self.refs[one.index()] {
                    for &(with, _) in &self.refs[other.index()] {
                        if self.program.share_bytes(slice, with) {
                            faults.add(Fault::NotDistinct { op, slice, with });
                        }
                    }
                }
            }
        }
    }

    /// The value that writes to `slice` but may as well be `victim`, the latest instance in just the
    /// same bytes; if there is no other that writes to `slice`.
    fn written_through(&self, writes: &Values, slice: SliceId, victim: SliceId) -> Option<ValueId> {
        let refers = |value: ValueId, slice: SliceId| {
            let mut refs = self.refs[value.index()].iter();
            refs.any(|&(other, _)| other == slice)
        };
        let mut values = writes.iter().filter(|value| refers(**value, slice));
        let value = *values.next()?;
        let root = self.program.root(value);
        if values.any(|other| self.program.root(*other) != root) {
            return None;
        }
        // The root itself may be needed no more.
        let refs = &self.refs[value.index()];
        let latest = |slice| refs.contains(&(slice, Ages::LATEST));
        let slots = &self.program.slices[slice.index()].slots;
        let bytes = slots.first().map_or(0, |slot| slot.end - slot.start);
        (latest(slice) && latest(victim) && self.program.is_same_run(slice, victim, bytes))
            .then_some(root)
    }

    fn define(&mut self, value: ValueId, refs: &[(SliceId, Ages)]) {
        for slice in std::mem::take(&mut self.through[value.index()]) {
            let contents = self.contents[slice.index()].redefined(value);
            self.set(slice, contents);
        }
        self.drop_value(value);
        for &(slice, ages) in refs {
            self.hold(value, slice, ages);
        }
    }

    fn hold(&mut self, value: ValueId, slice: SliceId, ages: Ages) {
        let refs = &mut self.refs[value.index()];
        if refs.is_empty() {
            self.touched.push(value);
        }
        refs.push((slice, ages));
        self.held[slice.index()] += 1;
        self.holders[slice.index()].push(value);
    }

    /// Forgets a value, and with the last one that refers to a slice, the slice.
    fn drop_value(&mut self, value: ValueId) {
        for (slice, _) in std::mem::take(&mut self.refs[value.index()]) {
            self.release(slice);
        }
    }

    /// The value refers to no buffer of that number any more.
    fn end(&mut self, value: ValueId, buffer: i64) {
        let refs = std::mem::take(&mut self.refs[value.index()]);
        let is_ended = |slice: SliceId| self.program.slices[slice.index()].buffer == buffer;
        let (ended, kept): (Refs, Refs) = refs.into_iter().partition(|(slice, _)| is_ended(*slice));
        self.refs[value.index()] = kept;
        for (slice, _) in ended {
            self.release(slice);
        }
    }

    /// A value less refers to a slice.
    fn release(&mut self, slice: SliceId) {
        self.held[slice.index()] -= 1;
        if self.held[slice.index()] == 0 {
            self.holders[slice.index()].clear();
            self.set(slice, Contents::default());
        }
    }

    fn set(&mut self, slice: SliceId, contents: Contents) {
        for value in contents.through() {
            self.through[value.index()].push(slice);
        }
        let known = &mut self.contents[slice.index()];
        if known.is_readable() != contents.is_readable() {
            let place = &self.program.slices[slice.index()];
            let readable = &mut self.readable[place.arena.index()];
            readable.mark(slice, &place.slots, contents.is_readable());
        }
        *known = contents;
    }
}
