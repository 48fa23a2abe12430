//! Branch and bound over the stacks of buffers, with explanations.

use super::choice::{Choice, Pick};
use super::model::Model;
use super::state::{Hint, Mark, State};
use super::tree::Tree;
use crate::timeline::Span;
use std::time::Instant;

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// With a plan that fits.
    Fits,
    /// With a proof that none does.
    Refuted,
    /// With neither, for want of effort.
    Unknown,
}

/// What was decided about an item, or followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is placed; the other case is open.
    Placed,
    /// It is placed; in the other case a section overflows.
    Forced(Hint),
    /// It is raised; that it cannot be placed was shown by `at` nodes of the tree.
    Raised,
}

#[derive(Clone, Copy)]
struct Frame {
    item: u32,
    kind: Kind,
    mark: Mark,
    /// The piece of time that the item was chosen for.
    piece: Span,
    /// Length of the tree before the first case, and, where that is done, after it.
    tree: [usize; 2],
}

/// The search of one problem; what it learns lasts from run to run.
pub struct Search<'a> {
    pub state: State<'a>,
    pub choice: Choice,
    pub tree: Tree,
    frames: Vec<Frame>,
    /// For each raised frame why the item cannot be placed.
    refused: Vec<u64>,
    /// Conflicts so far.
    pub conflicts: u64,
}

/// How far a run may go.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub conflicts: u64,
    /// The value of `state.steps` at which to stop.
    pub steps: u64,
    /// Looked at now and then.
    pub deadline: Option<Instant>,
}

impl<'a> Search<'a> {
    pub fn new(model: &'a Model, seed: u64) -> Self {
        Search {
            state: State::new(model),
            choice: Choice::new(model, seed),
            tree: Tree::default(),
            frames: Vec::new(),
            refused: Vec::new(),
            conflicts: 0,
        }
    }

    /// Looks for a plan with a peak of at most `capacity`.
    pub fn run(&mut self, capacity: u64, pick: Pick, limit: Limit) -> Answer {
        self.state.reset(capacity);
        self.choice.prepare(self.state.model, pick);
        self.tree.clear();
        self.frames.clear();
        self.refused.clear();
        let last = self.conflicts.saturating_add(limit.conflicts);
        loop {
            if let Some(section) = self.state.settle() {
                if !self.resolve(section) {
                    return Answer::Refuted;
                }
                if self.conflicts >= last || self.state.steps >= limit.steps || self.late(limit) {
                    return Answer::Unknown;
                }
            } else if self.state.left == 0 {
                return Answer::Fits;
            } else if let Some(hint) = self.forced() {
                self.place(hint.item, Kind::Forced(hint), self.piece());
            } else {
                let (item, piece) = self.next();
                self.place(item, Kind::Placed, piece);
            }
        }
    }

    fn late(&self, limit: Limit) -> bool {
        let due = |deadline| Instant::now() >= deadline;
        self.conflicts.is_multiple_of(64) && limit.deadline.is_some_and(due)
    }

    /// The piece in which the last item was chosen.
    fn piece(&self) -> Span {
        self.frames.last().map_or(self.whole(), |frame| frame.piece)
    }

    fn whole(&self) -> Span {
        Span {
            start: 0,
            end: self.state.rest.len() as u32,
        }
    }

    fn place(&mut self, item: u32, kind: Kind, piece: Span) {
        let tree = self.tree.len();
        self.frames.push(Frame {
            item,
            kind,
            mark: self.state.mark(),
            piece,
            tree: [tree, tree],
        });
        self.state.place(item);
    }

    /// An item that must be placed now: raised, it would leave no room in a section.
    fn forced(&mut self) -> Option<Hint> {
        while let Some(hint) = self.state.hints.pop() {
            if self.state.placed[hint.item as usize] {
                continue;
            }
            let support = self.state.next_support(hint.item);
            let height = support.min(hint.second);
            if support > self.state.low[hint.item as usize]
                && self.state.exceeds(hint.section, height)
            {
                return Some(hint);
            }
        }
        None
    }

    /// The next item to decide about, and its piece: the innermost piece of time with anything left
    /// in it is finished first, so that independent pieces are not tried in all combinations.
    fn next(&mut self) -> (u32, Span) {
        let rest = &self.state.rest;
        let unfinished = |piece: &Span| {
            rest[piece.start as usize..piece.end as usize]
                .iter()
                .any(|&rest| rest > 0)
        };
        let pieces = self.frames.iter().rev().map(|frame| frame.piece);
        let around = pieces.into_iter().find(unfinished).unwrap_or(self.whole());
        let piece = self.choice.piece(&self.state, around);
        let item = self.choice.item(&mut self.state, piece);
        (item, piece)
    }

    /// Back to the last decision that `section`, which overflows, follows from, and into its other
    /// case. Returns whether there is one.
    fn resolve(&mut self, section: u32) -> bool {
        self.conflicts += 1;
        self.choice.blame(section);
        self.tree.leaf(section);
        let floor = self.state.floor[section as usize];
        self.state.reasons.start_empty();
        self.state
            .add_why_exceeded(section, super::state::NONE, floor);
        while let Some(frame) = self.frames.pop() {
            self.state.back_to(frame.mark);
            let item = frame.item;
            if frame.kind != Kind::Raised {
                self.state.unplace(item);
                if !self.state.reasons.remove_placed(item) {
                    continue;
                }
            }
            match frame.kind {
                Kind::Placed => {
                    self.raise(frame);
                    return true;
                }
                Kind::Forced(hint) => self.add_why_forced(hint),
                Kind::Raised => self.leave_raised(frame),
            }
        }
        false
    }

    fn raise(&mut self, frame: Frame) {
        let making = self.state.reasons.making();
        let number = self.refused.len() / making.len();
        self.refused.extend_from_slice(making);
        self.frames.push(Frame {
            kind: Kind::Raised,
            mark: self.state.mark(),
            tree: [frame.tree[0], self.tree.len()],
            ..frame
        });
        self.state.raise(frame.item, number);
    }

    /// The conflict depends on an item that had to be placed: why so.
    fn add_why_forced(&mut self, hint: Hint) {
        let state = &mut self.state;
        let support = state.next_support(hint.item);
        let height = if state.model.is_open() {
            let enough = state.enough(hint.section);
            support.min(state.model.fit(hint.item, enough))
        } else {
            support
        };
        state.add_why_raised(hint.item, height);
        state.add_why_exceeded(hint.section, hint.item, hint.second);
        self.tree.leaf(hint.section);
        self.tree.branch(hint.item);
    }

    /// Both cases of an item have failed. If the second did without the item's being raised, the
    /// first need not have been tried.
    fn leave_raised(&mut self, frame: Frame) {
        let words = self.state.reasons.making().len();
        let refused = self.refused.len() - words;
        if self.state.reasons.remove_raised(refused / words) {
            self.state.reasons.add(&self.refused[refused..]);
            let own = self.state.last_event(frame.item);
            self.state.reasons.add_event(own);
            self.tree.branch(frame.item);
        } else {
            self.tree.cut(frame.tree[0], frame.tree[1]);
        }
        self.refused.truncate(refused);
    }
}
