//! The transfer functions: the effect of each action on the state.
//!
//! A machine holds the state of one program point in tables indexed by id. It loads a node's state, executes the
//! node's actions in place, and derives the state along each edge.

use super::{
    fault::{Fault, Faults},
    interval_tree::IntervalTree,
    live::LiveValues,
    pending::Pending,
    program::{
        Action, Arena, ArenaId, BufferName, ChoiceId, Edge, Elements, Escape, Node, OpAction, OpId,
        Program, SliceId, Token, ValueId, Values,
    },
    state::{Ages, Content, Contents, Culprit, MOST_THROUGH, State, Through, Writer},
};
use smallvec::SmallVec;

type Refs = SmallVec<[(SliceId, Ages); 1]>;

/// An abstract machine that executes a planned program.
pub struct Machine<'p> {
    program: &'p Program,
    live: &'p LiveValues,
    /// The slices that each value may refer to.
    refs: Vec<Refs>,
    /// For each slice, the number of values that refer to it.
    ref_counts: Vec<u32>,
    /// For each slice, the values that refer to it, and perhaps some that no longer do.
    referrers: Vec<Vec<ValueId>>,
    contents: Vec<Contents>,
    /// For each arena, its slices that can still be read.
    readable: Vec<IntervalTree>,
    freed: Vec<Option<OpId>>,
    /// The asynchronous operations that may still run.
    pending: Pending,
    /// Arenas that may have an entry in `freed`.
    ever_freed: Vec<ArenaId>,
    /// Values that may have an entry in `refs`.
    touched: Vec<ValueId>,
    /// For each value, slices that may be readable through it alone.
    through: Vec<Vec<SliceId>>,
    /// For each slice, its last index in a result of [`Self::joined`].
    joined_index: Vec<u32>,
}

impl<'p> Machine<'p> {
    /// A machine with an empty state.
    pub fn new(program: &'p Program, live: &'p LiveValues) -> Self {
        let arenas = (0..program.arenas.len() as u32).map(ArenaId);
        Self {
            program,
            live,
            refs: vec![Refs::new(); program.values.len()],
            ref_counts: vec![0; program.slices.len()],
            referrers: vec![Vec::new(); program.slices.len()],
            contents: vec![Contents::default(); program.slices.len()],
            readable: arenas
                .map(|arena| IntervalTree::new(program, arena))
                .collect(),
            freed: vec![None; program.arenas.len()],
            pending: Pending::default(),
            ever_freed: Vec::new(),
            touched: Vec::new(),
            through: vec![Vec::new(); program.values.len()],
            joined_index: vec![0; program.slices.len()],
        }
    }

    /// Loads a state.
    pub fn load(&mut self, state: &State) {
        for value in std::mem::take(&mut self.touched) {
            self.drop_value(value);
        }
        for arena in self.ever_freed.drain(..) {
            self.freed[arena.index()] = None;
        }
        for &((value, slice), ages) in &state.refs {
            self.add_ref(value, slice, ages);
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
        for index in node.actions.clone() {
            self.execute(&program.actions[index], faults);
            for &value in &live.last[index] {
                self.drop_value(value);
            }
        }
    }

    /// The state after an edge.
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
        let contents = slices.iter().map(|slice| self.forwarded(*slice, edge));
        state.contents = slices.iter().copied().zip(contents).collect();
        let live = &self.live.on_entry[edge.to.index()];
        for &arena in &self.ever_freed {
            let Arena { value, slices } = &self.program.arenas[arena.index()];
            let matters = live.binary_search(value).is_ok()
                || slices
                    .iter()
                    .any(|slice| self.ref_counts[slice.index()] > 0);
            if let Some(op) = self.freed[arena.index()].filter(|_| matters) {
                state.freed.push((arena, op));
            }
        }
        state.freed.sort_unstable_by_key(|(arena, _)| *arena);
        state.freed.dedup_by_key(|(arena, _)| *arena);
        state.pending = self.pending.flow(self.program, edge.to, &edge.binds);
        state
    }

    /// The contents of a slice after an edge: values that can read it although it was overwritten are redefined, or
    /// forwarded to others, which then can.
    fn forwarded(&self, slice: SliceId, edge: &Edge) -> Contents {
        let binds = &edge.binds;
        let live = &self.live.on_entry[edge.to.index()];
        let contents = self.contents[slice.index()];
        let forward = |content: Content, refers: fn(Ages) -> bool| {
            let through = content.through();
            if through.is_empty() {
                return content;
            }
            // A value that is bound to itself is not redefined.
            let redefined = |value: &ValueId| {
                let mut binds = binds.iter();
                binds.any(|(from, to)| to == value && from != to)
            };
            let kept = through.values().filter(|value| !redefined(value));
            let becomes = binds.iter().map(|(_, to)| *to).filter(|to| {
                let mut sources = binds.iter().filter(|(_, other)| other == to);
                self.reads_through(
                    slice,
                    through,
                    refers,
                    sources.by_ref().map(|(from, _)| *from),
                )
            });
            let after = || live.iter().copied().chain(binds.iter().map(|(_, to)| *to));
            content.with_through(self.useful(kept.chain(becomes), after))
        };
        Contents {
            latest: forward(contents.latest, |ages| ages.latest),
            older: forward(contents.older, |ages| ages.older),
        }
    }

    /// Of values that can read a slice although it was overwritten: if they are too many, those that are among `live`, or of
    /// which a view is.
    fn useful<L: Iterator<Item = ValueId>>(
        &self,
        values: impl Iterator<Item = ValueId>,
        live: impl Fn() -> L,
    ) -> Through {
        let mut values: SmallVec<[ValueId; 8]> = values.collect();
        if values.len() > MOST_THROUGH {
            values.retain(|value| live().any(|other| self.program.root(other) == *value));
        }
        values.into_iter().collect()
    }

    /// Whether one of these values refers to the slice, and all that do can read it although it was overwritten.
    fn reads_through(
        &self,
        slice: SliceId,
        through: Through,
        refers: fn(Ages) -> bool,
        values: impl Iterator<Item = ValueId>,
    ) -> bool {
        let mut any = false;
        for value in values {
            let mut refs = self.refs[value.index()].iter();
            if refs.any(|&(other, ages)| other == slice && refers(ages)) {
                any = true;
                if !through.contains(self.program.root(value)) {
                    return false;
                }
            }
        }
        any
    }

    fn execute(&mut self, action: &OpAction, faults: &mut impl Faults) {
        let op = action.op;
        match &action.action {
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
            Action::Donate {
                value,
                others,
                is_lost,
            } => {
                self.check_passed(op, *value, others, faults);
                if *is_lost {
                    self.donate(op, *value);
                }
            }
            Action::Move { from, to } => self.relocate(op, *from, *to, faults),
            Action::Escape(value, kind) => {
                let is_address = matches!(kind, Escape::Cast | Escape::Pointer);
                if *kind == Escape::Allocation {
                    self.check_freed(op, std::iter::once(value), faults);
                }
                for &(slice, ages) in &self.refs[value.index()] {
                    if is_address && self.program.pinned.contains(&slice) {
                        continue;
                    }
                    match kind {
                        Escape::Compared if self.has_own_address(slice, ages) => continue,
                        Escape::Allocation if ages.stale.is_none() => continue,
                        _ => {}
                    }
                    faults.add(Fault::Escapes {
                        op,
                        slice,
                        kind: *kind,
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
                self.check_start(op, &start.uses, faults);
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
            Action::Token(token) => self.pending.apply(token),
        }
    }

    /// Whether the address of an instance is that of no other memory. The reader has checked the slice; a base is not accessed.
    fn has_own_address(&self, slice: SliceId, ages: Ages) -> bool {
        let place = &self.program.slices[slice.index()];
        matches!(place.buffer, BufferName::View(_))
            || ages == Ages::LATEST && self.freed[place.arena.index()].is_none()
    }

    /// The latest instance becomes an older one, and a new one is born.
    fn birth(&mut self, op: OpId, slice: SliceId, result: ValueId, choice: Option<ChoiceId>) {
        let program = self.program;
        // Instances without bytes never conflict.
        let empty = program.slices[slice.index()]
            .slots
            .iter()
            .all(|slot| slot.is_empty());
        let spares = |value| empty || choice.is_some_and(|choice| program.spares(choice, value));
        let mut before = Ages::default();
        for &value in &self.referrers[slice.index()] {
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

    /// References to the arena's former memory do not refer to the new one.
    fn allocate(&mut self, op: OpId, arena: ArenaId) {
        self.freed[arena.index()] = None;
        for &slice in &self.program.arenas[arena.index()].slices {
            if self.ref_counts[slice.index()] == 0 {
                continue;
            }
            for value in &self.referrers[slice.index()] {
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
        // What can read a slice through all sources can read it through the result. Views are known by their roots.
        let mut readable: SmallVec<[(SliceId, bool, bool); 2]> = SmallVec::new();
        if self.program.root(result) == result {
            for &(slice, _) in &refs {
                let contents = self.contents[slice.index()];
                let reads = |content: Content, refers: fn(Ages) -> bool| {
                    let through = content.through();
                    let values = sources.iter().copied();
                    !through.is_empty() && self.reads_through(slice, through, refers, values)
                };
                let latest = reads(contents.latest, |ages| ages.latest);
                let older = reads(contents.older, |ages| ages.older);
                if latest || older {
                    readable.push((slice, latest, older));
                }
            }
        }
        self.define(result, &refs);
        for (slice, latest, older) in readable {
            let contents = self.contents[slice.index()];
            let referring = || self.referrers[slice.index()].iter().copied();
            let add = |content: Content, adds: bool| match adds {
                true => {
                    let values = content.through().values().chain([result]);
                    content.with_through(self.useful(values, referring))
                }
                false => content,
            };
            let contents = Contents {
                latest: add(contents.latest, latest),
                older: add(contents.older, older),
            };
            self.set(slice, contents);
        }
    }

    /// The union of the references of some values, in their order.
    fn joined(&mut self, values: &Values) -> Refs {
        let mut joined = Refs::new();
        for value in values {
            for &(slice, ages) in &self.refs[value.index()] {
                let place = self.joined_index[slice.index()] as usize;
                match joined.get_mut(place) {
                    Some((other, known)) if *other == slice => *known = known.join(ages),
                    _ => {
                        self.joined_index[slice.index()] = joined.len() as u32;
                        joined.push((slice, ages));
                    }
                }
            }
        }
        joined
    }

    /// All written slices become intact; then all slices that share bytes with them become clobbered.
    fn write(&mut self, op: OpId, writes: &Values, elements: &Elements) {
        let written = self.joined(writes);
        for &(slice, ages) in &written {
            let mut contents = self.contents[slice.index()];
            if ages.latest {
                contents.latest = contents.latest.written();
            }
            // An instance that a value may have lost is an older one to values that keep it.
            if ages.older || ages.stale.is_some() {
                contents.older = contents.older.written();
            }
            self.set(slice, contents);
        }
        for &(value, bytes) in &elements.overwritten {
            // The value refers to one instance only, and the operation writes all of it.
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
            let apart = self.program.banks.sharing_with(slice).iter();
            victims.extend(apart.filter(|other| self.contents[other.index()].is_readable()));
            for victim in victims.drain(..) {
                if self.program.are_ordered(slice, victim) {
                    continue;
                }
                // A write through a stale reference may change the bytes of the newer instance.
                if victim != slice || ages.stale.is_some() {
                    let contents = self.contents[victim.index()];
                    let through = self.written_through(writes, slice, victim);
                    let through = Through::one(through);
                    let by = Culprit {
                        op,
                        by: Writer::Slice(slice),
                        through,
                    };
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

    /// Nothing else that a call passes may be the memory of a donated value.
    fn check_passed(&self, op: OpId, value: ValueId, others: &Values, faults: &mut impl Faults) {
        for &(slice, ages) in &self.refs[value.index()] {
            for &(with, other) in others.iter().flat_map(|other| &self.refs[other.index()]) {
                let are_apart = slice == with && ages.are_apart(other);
                if !are_apart && self.program.share_bytes(slice, with) {
                    faults.add(Fault::PassedTwice { op, slice, with });
                }
            }
        }
    }

    /// The callee may overwrite what a value refers to.
    fn donate(&mut self, op: OpId, value: ValueId) {
        for (slice, ages) in self.refs[value.index()].clone() {
            let by = Culprit {
                op,
                by: Writer::Callee,
                through: Through::default(),
            };
            let mut contents = self.contents[slice.index()];
            if ages.latest {
                contents.latest = contents.latest.overwritten(by);
            }
            if ages.older || ages.stale.is_some() {
                contents.older = contents.older.overwritten(by);
            }
            self.set(slice, contents);
        }
    }

    /// All of a buffer is read, and then all of its new place is written: the reader accepts a move only if it copies
    /// in a direction that allows for this. References to the old place become stale.
    fn relocate(&mut self, op: OpId, from: ValueId, to: ValueId, faults: &mut impl Faults) {
        self.check_freed(op, [from, to].iter(), faults);
        self.check_moved(op, [to].iter(), faults);
        self.check_pending(op, [from, to].iter(), faults);
        self.check_reads(op, [from].iter(), faults);
        self.write(op, &Values::from_slice(&[to]), &Elements::default());
        for (slice, _) in self.refs[from.index()].clone() {
            for value in &self.referrers[slice.index()] {
                for (other, ages) in &mut self.refs[value.index()] {
                    if *other == slice {
                        *ages = ages.aged(false, op);
                    }
                }
            }
        }
    }

    /// Whether no write takes bytes that `read` refers to before they are read.
    fn is_in_step(&self, read: ValueId, writes: &Values, elements: &Elements) -> bool {
        let allowed = |slice: SliceId, ages: Ages, written: ValueId| {
            let mut pairs = elements.in_step.iter();
            let refs = &self.refs[written.index()];
            refs.iter().all(|&(other, other_ages)| {
                (slice == other && other_ages.stale.is_none())
                    || !self.program.clash(slice, other)
                    || (ages == Ages::LATEST && other_ages == Ages::LATEST)
                        && !self.program.banks.sharing_with(slice).contains(&other)
                        && pairs.any(|&(from, to, bytes)| {
                            (from, to) == (read, written)
                                && self.program.is_same_run(slice, other, bytes)
                        })
            })
        };
        let mut refs = self.refs[read.index()].iter();
        refs.all(|&(slice, ages)| writes.iter().all(|&written| allowed(slice, ages, written)))
    }

    /// The operation may read after its writes, except for accesses in step. These are checked only after a fault was
    /// found, as the check compares all pairs of slices.
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
                        && !by.through.contains(self.program.root(*value))
                    {
                        faults.add(Fault::Overwritten { op, slice, by });
                    }
                }
            }
        }
    }

    /// Checks that nothing is written at the old place of a moved buffer.
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

    /// Checks that nothing else uses the bytes of pending operations.
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
                    if with != slice && self.program.clash(slice, with) {
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

    /// Checks that an operation that starts uses no instance whose slot a later one has: it would be pending on both.
    fn check_start(&self, op: OpId, uses: &Values, faults: &mut impl Faults) {
        for &(slice, ages) in uses.iter().flat_map(|value| &self.refs[value.index()]) {
            // Uses of buffers before their moves have errors of their own.
            if let Some(birth) = ages.stale
                && !self.program.moves.contains(&birth)
            {
                faults.add(Fault::Pending {
                    op: birth,
                    slice,
                    with: slice,
                    start: op,
                });
            }
        }
    }

    /// Checks that no operation is pending on a slice that is born.
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

    /// Checks that no operation is pending on slices of an arena that is freed or left.
    fn check_left(&self, op: OpId, left: impl Fn(ArenaId) -> bool, faults: &mut impl Faults) {
        for (start, slice) in self.pending.iter() {
            if left(self.program.slices[slice.index()].arena) {
                faults.add(Fault::Left { op, slice, start });
            }
        }
    }

    /// Two slices that share bytes, even at different times, are not distinct memory to LLVM.
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

    /// The value that writes `slice` and may instead refer to the latest instance of `victim`; `None` if other values
    /// write `slice` too.
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
        // The root itself may be dead.
        let refs = &self.refs[value.index()];
        let latest = |slice: SliceId| {
            refs.contains(&(slice, Ages::LATEST))
                && self.program.slices[slice.index()].slots.len() == 1
        };
        (latest(slice) && latest(victim)).then_some(root)
    }

    fn define(&mut self, value: ValueId, refs: &[(SliceId, Ages)]) {
        for slice in std::mem::take(&mut self.through[value.index()]) {
            let contents = self.contents[slice.index()].redefined(value);
            self.set(slice, contents);
        }
        self.drop_value(value);
        for &(slice, ages) in refs {
            self.add_ref(value, slice, ages);
        }
    }

    fn add_ref(&mut self, value: ValueId, slice: SliceId, ages: Ages) {
        let refs = &mut self.refs[value.index()];
        if refs.is_empty() {
            self.touched.push(value);
        }
        refs.push((slice, ages));
        self.ref_counts[slice.index()] += 1;
        self.referrers[slice.index()].push(value);
    }

    /// Drops a value, and each slice to which it was the last reference.
    fn drop_value(&mut self, value: ValueId) {
        for (slice, _) in std::mem::take(&mut self.refs[value.index()]) {
            self.release(slice);
        }
    }

    /// Drops the value's references to buffers with this number.
    fn end(&mut self, value: ValueId, buffer: i64) {
        let refs = std::mem::take(&mut self.refs[value.index()]);
        let is_ended = |slice: SliceId| {
            self.program.slices[slice.index()].buffer == BufferName::Number(buffer)
        };
        let (ended, kept): (Refs, Refs) = refs.into_iter().partition(|(slice, _)| is_ended(*slice));
        self.refs[value.index()] = kept;
        for (slice, _) in ended {
            self.release(slice);
        }
    }

    /// Drops one reference to a slice.
    fn release(&mut self, slice: SliceId) {
        self.ref_counts[slice.index()] -= 1;
        if self.ref_counts[slice.index()] == 0 {
            self.referrers[slice.index()].clear();
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
