//! Propagates each start forward to the waits that cover it.

use super::{
    ActKind, Facts, HandleId, Handles, Source, StartFact, StartId, Tag,
    flow::{Concern, Flow, Part},
};
use crate::{
    Reason,
    live::{Ranges, union},
    program::{Pending, Position, Program, Successor, ValueId},
};
use memplan_summaries::asynchronous::state::{Cover, State};
use rustc_hash::{FxHashMap, FxHashSet};

/// Largest number of steps for one function. Starts that are not solved by then escape. It bounds the time
/// where many operations are pending at once.
const MOST_STEPS: usize = 1 << 22;

impl Facts {
    /// The tag of a transfer.
    pub(super) fn tag(&self, start: StartId) -> Option<&Tag> {
        let handles = &self.starts[start.0 as usize].handles;
        self.handles[handles.first()?.0 as usize].tag.as_ref()
    }
}

/// Adds the ranges in which memory is pending to `program`. Memory that no wait covers on some path escapes.
pub(crate) fn pending(program: &mut Program, facts: &Facts) {
    if facts.starts.is_empty() {
        return;
    }
    let found = Solver::new(program, facts).solve();
    for (start, ranges) in facts.starts.iter().zip(found) {
        let values = used(program, start);
        match ranges {
            Some(ranges) => program.pending.push(Pending {
                scope: start.scope,
                values,
                ranges,
            }),
            None => {
                let values = values.into_iter();
                let escapes = values.map(|value| (value, Reason::Asynchronous));
                program.escapes.extend(escapes);
            }
        }
    }
}

/// Values defined outside of an operation that it uses.
fn used(program: &Program, start: &StartFact) -> Vec<ValueId> {
    let (first, last) = start.span;
    let mut seen = FxHashSet::default();
    program.uses[start.uses.clone()]
        .iter()
        .map(|used| used.value)
        .filter(|value| {
            let defined = program.values[value.index()].position;
            !(first < defined && defined <= last) && seen.insert(*value)
        })
        .collect()
}

pub(super) struct Solver<'f> {
    flow: Flow<'f>,
    steps: usize,
    states: FxHashMap<Part, State>,
    work: Vec<Part>,
    waiting: FxHashSet<Part>,
    ranges: Vec<(Position, Position)>,
    /// Transfers that may have the same tag, and start while this one is pending.
    clashes: Vec<StartId>,
}

impl<'f> Solver<'f> {
    pub fn new(program: &'f Program, facts: &'f Facts) -> Self {
        Self {
            flow: Flow::of(program, facts),
            steps: 0,
            states: FxHashMap::default(),
            work: Vec::new(),
            waiting: FxHashSet::default(),
            ranges: Vec::new(),
            clashes: Vec::new(),
        }
    }

    /// For each start, the ranges in which it is pending; `None` if it may never be done.
    pub fn solve(&mut self) -> Vec<Option<Ranges>> {
        let facts = self.flow.facts;
        let unclear = self.unclear_tags();
        let mut found: Vec<Option<Ranges>> = vec![None; facts.starts.len()];
        let after = self.followed_by();
        for index in (0..facts.starts.len()).rev() {
            let id = StartId(index as u32);
            found[index] = match after[index] {
                // It is pending as long as its dependent operation, which is later in its block.
                Some(other) => found[other.0 as usize].as_ref().map(|ranges| {
                    let mut ranges = ranges.to_vec();
                    let (this, other) = (facts.starts[index].span, &facts.starts[other.0 as usize]);
                    ranges.push((this.0, other.span.0 + 1));
                    union(ranges)
                }),
                None if unclear.contains(&id) => None,
                None => self.run(id, &facts.starts[index].handles),
            };
        }
        found
    }

    /// For each start, the dependent operation that alone uses its token, if it is later in the block. Chains of
    /// these are long, so their members are not solved one by one.
    fn followed_by(&self) -> Vec<Option<StartId>> {
        let facts = self.flow.facts;
        let mut made_by: FxHashMap<HandleId, StartId> = FxHashMap::default();
        for (id, start) in (0..).map(StartId).zip(&facts.starts) {
            if let [handle] = start.handles[..]
                && !start.grouped
                && facts.tag(id).is_none()
            {
                made_by.insert(handle, id);
            }
        }
        let mut after = vec![None; facts.starts.len()];
        for act in &facts.acts {
            let ActKind::After {
                from,
                to,
                all: false,
            } = &act.kind
            else {
                continue;
            };
            for handle in from {
                if let (Some(start), Some(next)) = (made_by.get(handle), made_by.get(to))
                    && self.flow.is_last_use(*handle, act.block)
                    && facts.starts[start.0 as usize].span.1 < act.position
                    && facts.starts[next.0 as usize].span.0 == act.position
                {
                    after[start.0 as usize] = Some(*next);
                }
            }
        }
        after
    }

    /// Transfers for which the wait is ambiguous: another one with the same tag may be pending when they start.
    fn unclear_tags(&mut self) -> FxHashSet<StartId> {
        let mut unclear = FxHashSet::default();
        let mut work: Vec<StartId> = (0..self.flow.facts.starts.len() as u32)
            .map(StartId)
            .filter(|start| self.flow.facts.tag(*start).is_some())
            .collect();
        while let Some(start) = work.pop() {
            let handles = match unclear.contains(&start) {
                true => Handles::new(),
                false => self.flow.facts.starts[start.0 as usize].handles.clone(),
            };
            // A transfer that is never done clashes with all that it reaches; whether it ends does not matter.
            self.run(start, &handles);
            let clashes = std::mem::take(&mut self.clashes);
            let own = (!clashes.is_empty()).then_some(start);
            work.extend(
                clashes
                    .into_iter()
                    .chain(own)
                    .filter(|one| unclear.insert(*one)),
            );
            if self.steps > MOST_STEPS {
                // Clashes may have been missed.
                let starts = (0..self.flow.facts.starts.len() as u32).map(StartId);
                return starts.collect();
            }
        }
        unclear
    }

    /// Ranges in which a start with these handles is pending; `None` if its scope may be left before it is done.
    fn run(&mut self, start: StartId, handles: &Handles) -> Option<Ranges> {
        let facts = self.flow.facts;
        let fact = &facts.starts[start.0 as usize];
        self.states.clear();
        self.work.clear();
        self.waiting.clear();
        self.ranges.clear();
        self.clashes.clear();
        let cover = Cover::new(handles.clone(), fact.grouped);
        let first = self.flow.first_at(fact.span.0);
        let place = facts.acts[first as usize..]
            .iter()
            .position(|act| matches!(act.kind, ActKind::Start(one) if one == start))?;
        let act = first + place as u32;
        let block = facts.acts[act as usize].block;
        let part = self.flow.part_at(block, fact.span.0);
        let mut state = State::default();
        state.start(cover.clone());
        let mut bounded = self.part(start, &cover, part, (fact.span.0, act + 1), state);
        while let Some(part) = self.work.pop() {
            self.waiting.remove(&part);
            let Some(state) = self.states.get(&part).cloned() else {
                continue;
            };
            let (position, ..) = self.flow.span(part);
            let act = self.flow.first_at(position);
            bounded &= self.part(start, &cover, part, (position, act), state);
            if self.steps > MOST_STEPS {
                return None;
            }
        }
        bounded.then(|| union(std::mem::take(&mut self.ranges)))
    }

    /// Propagates through one part, from a position and the number of an act. False if control flow leaves the
    /// scope.
    fn part(
        &mut self,
        start: StartId,
        cover: &Cover,
        part: Part,
        (position, mut act): (Position, u32),
        mut state: State,
    ) -> bool {
        let (program, block) = (self.flow.program, part.0);
        let (_, end, node) = self.flow.span(part);
        while let Some(next) = self.next(start, &state, part, act) {
            let at = self.flow.facts.acts[next as usize].position;
            if at >= end {
                break;
            }
            self.act(start, cover, next, &mut state);
            if state.is_done() {
                self.ranges.push((position, at + 1));
                return true;
            }
            act = next + 1;
        }
        self.ranges
            .push((position, end + u32::from(node.is_some())));
        if let Some(node) = node {
            let fact = &program.nodes[node.index()];
            for entry in &fact.entries {
                let to = Successor::Block(*entry);
                self.go(Source::Node(node), to, (*entry, 0), &state);
            }
            if fact.passes {
                let after = (block, part.1 + 1);
                self.go(Source::Node(node), Successor::Exit, after, &state);
            }
            return true;
        }
        let mut stays = true;
        let fact = &program.blocks[block.index()];
        for successor in &fact.successors {
            let to = match successor {
                Successor::Block(target) => Some((*target, 0)),
                Successor::Exit => self.flow.part_after(fact.node),
            };
            match to {
                Some(to) => self.go(Source::Block(block), *successor, to, &state),
                None => stays = false,
            }
        }
        stays
    }

    /// Propagates along all edges to a part.
    fn go(&mut self, from: Source, to: Successor, part: Part, state: &State) {
        let facts = self.flow.facts;
        for pairs in self.flow.forwarded(from, to) {
            // After an operation, its results are defined anew.
            let carried = state.forwarded(pairs, |handle| {
                part.1 == 0 && facts.handles[handle.index()].made_in.contains(&part.0)
            });
            let changed = match self.states.get_mut(&part) {
                Some(known) => known.join(&carried),
                None => {
                    self.states.insert(part, carried);
                    true
                }
            };
            if changed && self.waiting.insert(part) {
                self.work.push(part);
            }
        }
    }

    /// The next act that concerns a start.
    fn next(&mut self, start: StartId, state: &State, part: Part, act: u32) -> Option<u32> {
        let facts = self.flow.facts;
        let mut first = None;
        let mut look = |concern| {
            self.steps += 1;
            let next = self.flow.next(concern, part.0, act);
            first = match (first, next) {
                (Some(one), Some(other)) => Some(u32::min(one, other)),
                (one, other) => one.or(other),
            };
        };
        look(Concern::Start(start));
        if facts.starts[start.0 as usize].grouped {
            look(Concern::Groups);
        }
        if facts.tag(start).is_some() {
            look(Concern::Tags);
        }
        for handle in state.tokens() {
            look(Concern::Handle(handle));
        }
        first
    }

    fn act(&mut self, start: StartId, cover: &Cover, act: u32, state: &mut State) {
        let facts = self.flow.facts;
        let fact = &facts.starts[start.0 as usize];
        let act = &facts.acts[act as usize];
        match &act.kind {
            ActKind::Start(other) => {
                let tags = facts.tag(start).zip(facts.tag(*other));
                if tags.is_some_and(|(one, other)| one.may_be(other)) {
                    self.clashes.push(*other);
                }
                if *other == start {
                    state.start(cover.clone());
                }
            }
            ActKind::After { from, to, all } => {
                let is_last_use = |handle| self.flow.is_last_use(handle, act.block);
                state.follows(from, *to, *all, is_last_use);
            }
            ActKind::Group { from, to } if fact.grouped => state.groups(from, *to),
            ActKind::Wait(waited) => state.waits(waited),
            ActKind::Drain(most) if fact.grouped => state.drains(*most),
            ActKind::Group { .. } | ActKind::Drain(_) => {}
        }
    }
}
