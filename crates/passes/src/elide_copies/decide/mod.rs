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

mod allowed;
mod profitability;
mod search;
mod state;

use super::{
    load::Peak,
    read::{Facts, Positions},
    refusal::Refusal,
};
use crate::coalescing::{Slice, Space, most, plan, spaces};
use memplan_lifetimes::{
    Analysis,
    live::{Ranges, contains},
    program::{BufferId, Position},
};
use memplan_semantics::Semantics;
use profitability::{CoalescedBuffers, Units};
use search::Keep;
use state::{Cache, State};
use std::cell::OnceCell;

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

/// Decides on all of a function, planned with slices at multiples of `alignment`. With [`Guard::Lower`], a plan takes no more than `limit` bytes then; none is what it
/// takes now.
pub fn decide<'c>(
    analysis: &Analysis<'c>,
    facts: &Facts<'c>,
    positions: &Positions,
    semantics: &mut Semantics,
    guard: Guard,
    alignment: u64,
    limit: Option<u64>,
) -> Decision {
    let spaces = spaces(analysis, alignment);
    if guard == Guard::Lower && !may_lower(analysis, facts, &spaces) {
        return nothing(analysis, facts, &spaces);
    }
    let mut known = Cache::default();
    let units = Units::of(analysis, &spaces);
    let mut tried = |keep: Keep| {
        let units = units.clone();
        let mut state = State::new(analysis, facts, positions, semantics, &mut known, units);
        let before = sum(&state.peaks());
        state.rounds(keep);
        let mut decision = state.decision();
        decision.bytes = (before, sum(&state.peaks()));
        (decision, state.units.all)
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
    let lowers = |(decision, units): &(Decision, Vec<CoalescedBuffers>)| {
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
fn bytes_planned(
    analysis: &Analysis<'_>,
    facts: &Facts<'_>,
    units: &[CoalescedBuffers],
    spaces: usize,
) -> u64 {
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

fn sum(peaks: &[Peak]) -> u64 {
    let bytes = peaks.iter().map(|peak| peak.bytes).sum::<i128>();
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
