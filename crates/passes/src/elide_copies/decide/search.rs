//! Tries moves and views, and keeps profitable ones.

use super::state::State;
use memplan_declarations::elide_copies::Refusal;
use memplan_lifetimes::program::BufferId;
use smallvec::SmallVec;

/// Largest number of rounds over all moves.
const ROUNDS: usize = 8;

/// Which moves are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Those that cost nothing and save a copy.
    Free,
    /// Those that lower the peak, too.
    Better,
    NoWorse,
    Any,
}

/// A change.
#[derive(Clone, Copy)]
pub(super) enum Rewrite {
    Move(usize),
    View(usize),
}

impl State<'_, '_> {
    pub(super) fn rounds(&mut self, keep: Keep) {
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

    /// Makes a move with its chain, if it is profitable.
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
        let mut made: SmallVec<[Rewrite; 4]> = SmallVec::new();
        made.push(Rewrite::Move(place));
        let mut at = one.from;
        while let Some(next) = self.chain(at) {
            made.push(Rewrite::Move(next));
            at = self.facts.moves[next].from;
        }
        let refusal = match self.are_too_many(&made) {
            true => Refusal::Many,
            false if self.settle(&made, keep) => {
                self.refusals[place] = None;
                return true;
            }
            false => Refusal::NoGain,
        };
        self.roll_back();
        self.refusals[place] = Some(refusal);
        false
    }

    /// Replaces the copies of one buffer by views: all of them, or else each that is profitable alone.
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

    fn attempt_together(&mut self, candidates: &[usize], keep: Keep) -> bool {
        self.undo.clear();
        let mut made: SmallVec<[Rewrite; 4]> = SmallVec::new();
        for &place in candidates {
            if self.view_of[self.facts.view_candidates[place].to.index()].is_some() {
                continue;
            }
            let kept = self.undo.len();
            match self.make_view(place) {
                Ok(()) => made.push(Rewrite::View(place)),
                Err(refusal) => {
                    self.roll_back_to(kept);
                    self.kept[place] = Some(refusal);
                }
            }
        }
        if made.is_empty() {
            return false;
        }
        // A view is read by strides, so it has to gain bytes.
        let keep = match keep {
            Keep::Any => Keep::Any,
            Keep::Free => return false,
            _ => Keep::Better,
        };
        let refusal = match self.are_too_many(&made) {
            true => Refusal::Many,
            false if self.settle(&made, keep) => return true,
            false => Refusal::NoGain,
        };
        self.roll_back();
        for step in made {
            if let Rewrite::View(place) = step {
                self.kept[place] = Some(refusal);
            }
        }
        false
    }

    /// Moves the buffers whose bytes `buffer` reuses into it, if that is legal.
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
}
