//! Decides which buffers become parts of others.
//!
//! A move makes a buffer the part of another one that an operation writes from it. It is legal under three
//! conditions. No other operation touches that part from the first use of the buffer up to the operation,
//! except those that only write parts of the other buffer, such as the fill of a padded one; these execute
//! earlier. The other buffer and the view can be created that early. And every user accepts the strides of
//! the part. A buffer that is read after it was copied becomes the part, too, if nothing writes either until the
//! last of these reads. A moved buffer may contain parts itself, and its destination may be moved.
//!
//! A move includes the chain of in-place reuse: buffers from which the buffer was computed element by element
//! become that part, too. Moves are tried in program order, and kept if the most bytes live at once decrease,
//! or if fewer positions have that many. A second attempt also keeps moves that change nothing, as two moves
//! may gain together; the better result of both attempts counts. A move into a buffer that is allocated in a block around,
//! and live there anyway, as a loop's, saves a copy for nothing, and is kept, too. Each round costs O(log n) for a move, and a
//! step for each touch of its part in between.

mod allowed;
mod profitability;
mod search;
mod state;

use super::{
    Refusal,
    read::{Facts, Positions},
};
use crate::{
    coalescing::{Slice, Space, most, plan, spaces},
    peak_load::Peak,
};
use memplan_lifetimes::{
    Analysis,
    live::{Ranges, contains},
    program::{BufferId, Position},
};
use memplan_semantics::Semantics;
use profitability::{CoalescedBuffers, Takeovers, Units};
use search::Keep;
use state::{Cache, State};
use std::cell::OnceCell;

/// The decision for a function.
#[derive(Debug, Default)]
pub struct Decision {
    /// Indices of the moves, destinations first.
    pub moves: Vec<usize>,
    /// For each of them, the position before which its view is needed.
    pub first: Vec<Position>,
    /// Indices of the copies that become views.
    pub views: Vec<usize>,
    /// Operations that execute earlier: from a position, to before another one.
    pub early: Vec<(Position, Position)>,
    /// The most bytes live at once before and after, over all arenas.
    pub bytes: (u64, u64),
    /// Reasons for moves that are not made.
    pub refused: Vec<(usize, Refusal)>,
    /// Reasons for copies that do not become views.
    pub kept: Vec<(usize, Refusal)>,
}

/// Which changes are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Those that lower the most bytes live at once.
    Lower,
    /// Those that do not raise them.
    Equal,
    /// All that are legal.
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
    let any_around = facts.moves.iter().any(|one| one.is_around);
    if guard == Guard::Lower && !any_around && !may_lower(analysis, facts, &spaces) {
        return nothing(analysis, facts, &spaces);
    }
    let mut known = Cache::default();
    let units = Units::of(analysis, &spaces);
    let takeovers = Takeovers::of(analysis);
    let mut tried = |keep: Keep| {
        let units = (units.clone(), &takeovers);
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
    let fits = |(_, units): &(Decision, Vec<CoalescedBuffers>)| {
        bytes_planned(analysis, facts, units, spaces.len()) <= limit.unwrap_or_else(now)
    };
    let lowers =
        |one: &(Decision, Vec<CoalescedBuffers>)| one.0.bytes.1 < one.0.bytes.0 && fits(one);
    let best = tries.iter().position(lowers);
    let [(mut decision, _), other] = tries;
    match best {
        Some(0) => {}
        Some(_) => decision = other.0,
        None => {
            let free = any_around.then(|| tried(Keep::Free));
            match free.filter(|one| !one.0.moves.is_empty() && fits(one)) {
                Some((free, _)) => decision = free,
                None => decision.give_up(),
            }
        }
    }
    decision
}

/// Bytes of a plan of all groups, one arena for each space. Buffers of dynamic size do not count: their
/// assumed part of the load must not pay for more bytes of others.
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
        // A group that was merged into another has no live range left.
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
    /// Discards all changes.
    fn give_up(&mut self) {
        let refused = self.moves.drain(..).map(|place| (place, Refusal::NoGain));
        self.refused.extend(refused);
        let kept = self.views.drain(..).map(|place| (place, Refusal::NoGain));
        self.kept.extend(kept);
        self.first.clear();
        self.early.clear();
        self.bytes.1 = self.bytes.0;
    }
}

/// Whether the peak may decrease: only if a buffer that is live there can be elided.
fn may_lower(analysis: &Analysis<'_>, facts: &Facts<'_>, spaces: &[Space]) -> bool {
    let mut goes = vec![false; facts.buffers.len()];
    for one in &facts.moves {
        goes[one.from.index()] = true;
    }
    for one in &facts.view_candidates {
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

/// The decision to change nothing, as it would not lower the most bytes live at once.
fn nothing(analysis: &Analysis<'_>, facts: &Facts<'_>, spaces: &[Space]) -> Decision {
    let bytes = spaces.iter().map(|space| space.load(analysis)).sum();
    let moves = facts.moves.iter().enumerate();
    let moves = moves.filter(|(_, one)| !one.is_whole);
    Decision {
        bytes: (bytes, bytes),
        refused: moves.map(|(place, _)| (place, Refusal::NoGain)).collect(),
        kept: (0..facts.view_candidates.len())
            .map(|place| (place, Refusal::NoGain))
            .collect(),
        ..Decision::default()
    }
}

fn sum(peaks: &[Peak]) -> u64 {
    let bytes = peaks.iter().map(|peak| peak.bytes).sum::<i128>();
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
