//! State of the search, with undo.

use super::{
    Decision,
    profitability::{Takeovers, Units},
};
use crate::elide_copies::{
    Refusal,
    read::{Facts, Positions},
};
use memplan_lifetimes::{
    Analysis,
    program::{BufferId, Position},
};
use memplan_mlir::ir::{Key, Type};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{collections::BTreeMap, marker::PhantomData};

/// Cache of queries.
#[derive(Default)]
pub(super) struct Cache<'c> {
    /// For each position, the result of `early`.
    pub(super) early: FxHashMap<Position, Option<Position>>,
    /// Whether all users of a buffer accept a type, for buffers that contain no others.
    pub(super) fits: FxHashMap<(BufferId, Key), bool>,
    /// Whether vector operations may rely on the alignment of a buffer.
    pub(super) relies: FxHashMap<BufferId, bool>,
    pub(super) forms: PhantomData<Type<'c>>,
}

/// Undo log of a move.
pub(super) enum Undo<'c> {
    Moved(BufferId, Option<usize>),
    First(BufferId, Position),
    Form(BufferId, Option<Type<'c>>),
    Occupied(BufferId),
    At(Key),
    BecameView(BufferId),
    AddedView(BufferId),
    Nested(BufferId, u32),
}

pub(super) struct State<'a, 'c> {
    pub(super) analysis: &'a Analysis<'c>,
    pub(super) facts: &'a Facts<'c>,
    pub(super) positions: &'a Positions,
    pub(super) semantics: &'a mut Semantics,
    /// The move of each buffer.
    pub(super) moved: Vec<Option<usize>>,
    /// Moves into each buffer.
    pub(super) occupants: Vec<SmallVec<[usize; 2]>>,
    /// Depth of the buffers nested in each buffer.
    pub(super) nested: Vec<u32>,
    /// For each view, the buffers that it replaces.
    pub(super) at: FxHashMap<Key, SmallVec<[BufferId; 2]>>,
    /// First use of each buffer.
    pub(super) first: Vec<Position>,
    /// Type of each moved buffer.
    pub(super) form: Vec<Option<Type<'c>>>,
    pub(super) units: Units,
    pub(super) takeovers: &'a Takeovers,
    pub(super) known: &'a mut Cache<'c>,
    /// Moves by destination.
    pub(super) into: Vec<SmallVec<[usize; 2]>>,
    pub(super) undo: Vec<Undo<'c>>,
    pub(super) refusals: Vec<Option<Refusal>>,
    /// First deallocation of each buffer.
    pub(super) freed: Vec<Position>,
    /// The view that each buffer became.
    pub(super) view_of: Vec<Option<usize>>,
    /// Views of each buffer that were copies.
    pub(super) views: Vec<SmallVec<[usize; 2]>>,
    /// Copies of one buffer, which are tried together.
    pub(super) groups: Vec<SmallVec<[usize; 4]>>,
    pub(super) kept: Vec<Option<Refusal>>,
}

impl<'a, 'c> State<'a, 'c> {
    pub(super) fn new(
        analysis: &'a Analysis<'c>,
        facts: &'a Facts<'c>,
        positions: &'a Positions,
        semantics: &'a mut Semantics,
        known: &'a mut Cache<'c>,
        (units, takeovers): (Units, &'a Takeovers),
    ) -> Self {
        let count = facts.buffers.len();
        let mut state = Self {
            analysis,
            facts,
            positions,
            semantics,
            moved: vec![None; count],
            occupants: vec![SmallVec::new(); count],
            nested: vec![0; count],
            at: FxHashMap::default(),
            first: facts.buffers.iter().map(|fact| fact.first_user).collect(),
            form: vec![None; count],
            units,
            takeovers,
            known,
            into: vec![SmallVec::new(); count],
            undo: Vec::new(),
            refusals: vec![None; facts.moves.len()],
            freed: freed(analysis),
            view_of: vec![None; count],
            views: vec![SmallVec::new(); count],
            groups: groups(facts),
            kept: vec![None; facts.view_candidates.len()],
        };
        for (place, one) in facts.moves.iter().enumerate() {
            state.into[one.into.index()].push(place);
        }
        state
    }

    pub(super) fn roll_back(&mut self) {
        self.roll_back_to(0);
    }

    pub(super) fn roll_back_to(&mut self, kept: usize) {
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
                Some(Undo::BecameView(buffer)) => self.view_of[buffer.index()] = None,
                Some(Undo::AddedView(buffer)) => {
                    self.views[buffer.index()].pop();
                }
                None => return,
            }
        }
    }

    /// The outermost buffer that contains this one.
    pub(super) fn root(&self, buffer: BufferId) -> BufferId {
        let mut at = buffer;
        while let Some(place) = self.moved[at.index()] {
            at = self.facts.moves[place].into;
        }
        at
    }

    /// The decision of the current state.
    pub(super) fn decision(&mut self) -> Decision {
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
        decision.views = self.view_of.iter().flatten().copied().collect();
        decision.views.sort_unstable();
        decision.kept = (0..)
            .zip(&self.kept)
            .filter_map(|(place, refusal)| refusal.map(|refusal| (place, refusal)))
            .filter(|(place, _)| {
                self.view_of[self.facts.view_candidates[*place].to.index()].is_none()
            })
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
    /// Operations that execute earlier, so that other buffers may be parts of a buffer.
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

/// First deallocation of each buffer.
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

/// Copies by source buffer, in program order; a copy of other memory is alone.
fn groups(facts: &Facts<'_>) -> Vec<SmallVec<[usize; 4]>> {
    let mut groups: Vec<SmallVec<[usize; 4]>> = Vec::new();
    let mut of: FxHashMap<BufferId, usize> = FxHashMap::default();
    for (place, one) in facts.view_candidates.iter().enumerate() {
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
