//! Propagates each start forward to the waits that cover it.

use super::{
    Until,
    state::{Act, Cover, State, TokenId, Tokens},
    tokens::{Event, Passed, StartId, TokenFacts},
};
use memplan_flow::{EntitySet, SecondaryMap};
use memplan_semantics::graph::{ControlGraph, EdgeKind, End, SegmentId, Taken};
use rustc_hash::FxHashMap;

/// Largest number of steps for one body. Starts that are not solved by then may never be done. It bounds the
/// time where many operations are pending at once.
const MOST_STEPS: usize = 1 << 22;

/// Subject of an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Concern {
    Token(TokenId),
    Start(StartId),
    /// All groups of transfers.
    Groups,
    /// All transfers with a tag.
    Tags,
}

pub struct Solver<'g, 'c> {
    graph: &'g ControlGraph<'c>,
    facts: &'g TokenFacts<'c>,
    /// For each subject, the indices of its events in a segment.
    concerned: FxHashMap<(Concern, SegmentId), Vec<u32>>,
    /// Number of uses of each token.
    mentions: SecondaryMap<TokenId, u32>,
    steps: usize,
    states: FxHashMap<SegmentId, State>,
    open: Vec<SegmentId>,
    is_open: EntitySet<SegmentId>,
    /// Transfers that may have the same tag, and start while this one is pending.
    clashes: Vec<StartId>,
    until: Until<'c>,
    is_bounded: bool,
}

impl<'g, 'c> Solver<'g, 'c> {
    pub fn new(graph: &'g ControlGraph<'c>, facts: &'g TokenFacts<'c>) -> Self {
        let mut solver = Self {
            graph,
            facts,
            concerned: FxHashMap::default(),
            mentions: SecondaryMap::default(),
            steps: 0,
            states: FxHashMap::default(),
            open: Vec::new(),
            is_open: EntitySet::new(),
            clashes: Vec::new(),
            until: Until::default(),
            is_bounded: true,
        };
        for (at, _) in graph.segments.iter() {
            for (place, (_, event)) in facts.events[at].iter().enumerate() {
                solver.concern(at, place as u32, event);
            }
            for (from, _) in facts.forwarded[at].iter().flatten() {
                solver.mentions[*from] += 1;
            }
        }
        solver
    }

    fn concern(&mut self, at: SegmentId, place: u32, event: &Event) {
        let mut add = |concern| {
            let places = self.concerned.entry((concern, at)).or_default();
            if places.last() != Some(&place) {
                places.push(place);
            }
        };
        match event {
            Event::Start(start) => {
                add(Concern::Start(*start));
                if self.facts.tag(*start).is_some() {
                    add(Concern::Tags);
                }
            }
            Event::Joins(Act::After { from: used, .. } | Act::Wait(used)) => {
                for token in used {
                    self.mentions[*token] += 1;
                    add(Concern::Token(*token));
                }
            }
            Event::Joins(Act::Group { from, .. }) => {
                add(Concern::Groups);
                for token in from {
                    self.mentions[*token] += 1;
                }
            }
            Event::Joins(Act::Drain(_)) => add(Concern::Groups),
        }
    }

    /// For each start, how long it may be pending; `None` if it may never be done.
    pub fn solve(mut self) -> Vec<Option<Until<'c>>> {
        let unclear = self.unclear_tags();
        let next = self.followed_by();
        let mut found: Vec<Option<Until<'c>>> = Vec::new();
        for (start, fact) in self.facts.starts.iter() {
            let is_run = next[start].is_none() && !unclear.contains(start);
            found.push(match is_run {
                true => self.run(start, fact.tokens.clone()),
                false => None,
            });
        }
        // It is pending as long as the last operation of its chain of dependent operations.
        for (start, _) in self.facts.starts.iter().rev() {
            if let Some(next) = next[start] {
                found[start.index()] = found[next.index()].clone();
            }
        }
        found
    }

    /// For each start, the dependent operation that alone uses its token, if it is later in the segment.
    /// Chains of these are long, so their members are not solved one by one.
    fn followed_by(&self) -> SecondaryMap<StartId, Option<StartId>> {
        let facts = self.facts;
        let mut made_by: FxHashMap<TokenId, StartId> = FxHashMap::default();
        for (id, start) in facts.starts.iter() {
            if let [token] = start.tokens[..]
                && !start.is_grouped
                && facts.tag(id).is_none()
            {
                made_by.insert(token, id);
            }
        }
        let mut next = SecondaryMap::default();
        for (at, _) in self.graph.segments.iter() {
            for (op, event) in &facts.events[at] {
                let Event::Joins(Act::After {
                    from,
                    to,
                    all: false,
                }) = event
                else {
                    continue;
                };
                for token in from {
                    if let (Some(start), Some(other)) = (made_by.get(token), made_by.get(to))
                        && self.mentions[*token] == 1
                        && start < other
                        && facts.starts[*start].at.0 == at
                        && facts.starts[*other].at.0 == at
                        && facts.starts[*other].op == *op
                    {
                        next[*start] = Some(*other);
                    }
                }
            }
        }
        next
    }

    /// Transfers for which the wait is ambiguous: another one with the same tag may be pending when they
    /// start.
    fn unclear_tags(&mut self) -> EntitySet<StartId> {
        let mut unclear = EntitySet::new();
        let facts = self.facts;
        let tagged = facts.starts.iter().map(|(start, _)| start);
        let mut work: Vec<StartId> = tagged.filter(|start| facts.tag(*start).is_some()).collect();
        while let Some(start) = work.pop() {
            let tokens = match unclear.contains(start) {
                true => Tokens::new(),
                false => facts.starts[start].tokens.clone(),
            };
            // A transfer that is never done clashes with all that it reaches; whether it ends does not
            // matter.
            self.run(start, tokens);
            let clashes = std::mem::take(&mut self.clashes);
            let own = (!clashes.is_empty()).then_some(start);
            for one in clashes.into_iter().chain(own) {
                if unclear.insert(one) {
                    work.push(one);
                }
            }
            if self.steps > MOST_STEPS {
                // Clashes may have been missed.
                unclear.extend(facts.starts.iter().map(|(start, _)| start));
                return unclear;
            }
        }
        unclear
    }

    /// How long a start that these tokens cover is pending; `None` if control flow may leave the body before.
    fn run(&mut self, start: StartId, tokens: Tokens) -> Option<Until<'c>> {
        let fact = &self.facts.starts[start];
        self.states.clear();
        self.open.clear();
        self.is_open.clear();
        self.clashes.clear();
        self.until = Until::default();
        self.is_bounded = true;
        let cover = Cover::new(tokens, fact.is_grouped);
        let mut state = State::default();
        state.start(cover.clone());
        let (at, place) = fact.at;
        self.segment(start, &cover, (at, place + 1), state);
        while let Some(at) = self.open.pop() {
            self.is_open.remove(at);
            if let Some(state) = self.states.get(&at).cloned() {
                self.segment(start, &cover, (at, 0), state);
            }
            if self.steps > MOST_STEPS {
                return None;
            }
        }
        let until = std::mem::take(&mut self.until);
        self.is_bounded.then_some(until)
    }

    /// Propagates through one segment, from the index of an event.
    fn segment(
        &mut self,
        start: StartId,
        cover: &Cover,
        (at, mut place): (SegmentId, u32),
        mut state: State,
    ) {
        let (facts, graph) = (self.facts, self.graph);
        self.steps += 1;
        while let Some(next) = self.next(start, &state, at, place) {
            let (op, event) = &facts.events[at][next as usize];
            self.event(start, cover, (at, event), &mut state);
            if state.is_done() {
                if !self.until.waits.contains(op) {
                    self.until.waits.push(*op);
                }
                return;
            }
            place = next + 1;
        }
        let segment = &graph.segments[at];
        match segment.end {
            End::NeverLeft(_) => return,
            End::Enters(entered) if facts.passed[entered] != Passed::Through => {
                return self.goes(graph.entered[entered].after, state);
            }
            _ => {}
        }
        let region = graph.blocks[segment.block].region;
        let of = graph.regions[region].of;
        let around = of.map_or(Passed::Through, |of| facts.passed[of]);
        let mut is_left = false;
        let mut edges = 0;
        for (number, edge) in graph.edges_from(at).enumerate() {
            edges += 1;
            if edge.taken == Taken::Never {
                continue;
            }
            if matches!(edge.kind, EdgeKind::Yield(_) | EdgeKind::NoTerminator(_)) {
                is_left = true;
                self.until.left.insert(region);
                if around != Passed::Through {
                    continue;
                }
            }
            let pairs = facts.forwarded[at]
                .get(number)
                .map_or(&[][..], Vec::as_slice);
            self.goes_along(edge.to, pairs, &state);
        }
        if edges == 0 {
            self.is_bounded = false;
        }
        if is_left && around != Passed::Through {
            // The end of one parallel body does not lead to another one, and groups are those of a thread.
            let after = of.and_then(|of| graph.entered[of].after);
            match around == Passed::Parallel && !facts.starts[start].is_grouped {
                true => self.goes(after, state),
                false => self.is_bounded = false,
            }
        }
    }

    fn goes(&mut self, to: Option<SegmentId>, state: State) {
        self.goes_along(to, &[], &state);
    }

    fn goes_along(&mut self, to: Option<SegmentId>, pairs: &[(TokenId, TokenId)], state: &State) {
        let Some(to) = to else {
            self.is_bounded = false;
            return;
        };
        let segment = &self.graph.segments[to];
        let enters = segment.after.is_none();
        let tokens = &self.facts.tokens;
        let state = state.forwarded(pairs, |token| {
            enters && tokens[token].made_in.contains(&segment.block)
        });
        if enters {
            self.until.entered.insert(segment.block);
        }
        let is_new = match self.states.get_mut(&to) {
            Some(known) => known.join(&state),
            None => {
                self.states.insert(to, state);
                true
            }
        };
        if is_new && self.is_open.insert(to) {
            self.open.push(to);
        }
    }

    /// Index of the next event that concerns a start.
    fn next(&mut self, start: StartId, state: &State, at: SegmentId, place: u32) -> Option<u32> {
        let facts = self.facts;
        if facts.events[at].len() <= place as usize {
            return None;
        }
        let mut first: Option<u32> = None;
        let mut look = |concern| {
            self.steps += 1;
            let Some(places) = self.concerned.get(&(concern, at)) else {
                return;
            };
            let next = places.get(places.partition_point(|one| *one < place));
            first = first.into_iter().chain(next.copied()).min();
        };
        look(Concern::Start(start));
        if facts.starts[start].is_grouped {
            look(Concern::Groups);
        }
        if facts.tag(start).is_some() {
            look(Concern::Tags);
        }
        state.tokens().for_each(|token| look(Concern::Token(token)));
        first
    }

    fn event(
        &mut self,
        start: StartId,
        cover: &Cover,
        (at, event): (SegmentId, &Event),
        state: &mut State,
    ) {
        let facts = self.facts;
        match event {
            Event::Start(other) => {
                let tags = facts.tag(start).zip(facts.tag(*other));
                if tags.is_some_and(|(one, other)| one.may_be(other)) {
                    self.clashes.push(*other);
                }
                if *other == start {
                    state.start(cover.clone());
                }
            }
            Event::Joins(act) => {
                let (mentions, block) = (&self.mentions, self.graph.segments[at].block);
                // A token that is defined in another block may be used here again.
                let is_made_here = |token: TokenId| facts.tokens[token].made_in[..] == [block];
                let is_last_use = |token| mentions[token] == 1 && is_made_here(token);
                state.apply(act, facts.starts[start].is_grouped, is_last_use);
            }
        }
    }
}
