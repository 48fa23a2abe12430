//! Branch and bound over the stacks of buffers, with explanations.

use super::branching::{Branching, Heuristic};
use super::model::Model;
use super::state::{Hint, Mark, State};
use super::tree::Tree;
use crate::timeline::Span;
use crate::watch::Until;

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchResult {
    /// A plan that fits was found.
    Fits,
    /// A proof was found that no plan fits.
    Refuted,
    /// The limit was reached.
    Unknown,
}

/// The state of a decision about an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// The item is placed; the raised case is open.
    Placed,
    /// The item is placed; in the raised case a section overflows.
    Forced(Hint),
    /// The item is raised; the placed case was refuted.
    Raised,
}

#[derive(Clone, Copy)]
struct Frame {
    item: u32,
    kind: Decision,
    mark: Mark,
    /// The piece of time that the item was chosen in.
    piece: Span,
    /// The length of the tree before the placed case, and after it once it is refuted.
    tree: [usize; 2],
}

/// The search of one problem. Learned weights persist across runs.
pub struct Search<'a> {
    pub state: State<'a>,
    pub branching: Branching,
    pub tree: Tree,
    frames: Vec<Frame>,
    /// For each raised frame the explanation why the item cannot be placed.
    refutations: Vec<u64>,
    /// Conflicts so far.
    pub conflicts: u64,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'w> {
    pub conflicts: u64,
    /// The value of `state.steps` at which to stop.
    pub steps: u64,
    /// Checked from time to time.
    pub until: Until<'w>,
}

impl<'a> Search<'a> {
    pub fn new(model: &'a Model, seed: u64) -> Self {
        Search {
            state: State::new(model),
            branching: Branching::new(model, seed),
            tree: Tree::default(),
            frames: Vec::new(),
            refutations: Vec::new(),
            conflicts: 0,
        }
    }

    /// Looks for a plan with a peak of at most `capacity`.
    pub fn run(&mut self, capacity: u64, heuristic: Heuristic, limit: Limit<'_>) -> SearchResult {
        self.state.reset(capacity);
        self.branching.prepare(self.state.model, heuristic);
        self.tree.clear();
        self.frames.clear();
        self.refutations.clear();
        let last = self.conflicts.saturating_add(limit.conflicts);
        loop {
            if let Some(section) = self.state.propagate() {
                if !self.resolve(section) {
                    return SearchResult::Refuted;
                }
                if self.conflicts >= last || self.state.steps >= limit.steps || self.is_late(limit)
                {
                    return SearchResult::Unknown;
                }
            } else if self.state.left == 0 {
                return SearchResult::Fits;
            } else if let Some(hint) = self.forced() {
                self.place(hint.item, Decision::Forced(hint), self.piece());
            } else {
                let (item, piece) = self.next();
                self.place(item, Decision::Placed, piece);
            }
        }
    }

    fn is_late(&self, limit: Limit<'_>) -> bool {
        self.conflicts.is_multiple_of(64) && limit.until.is_over()
    }

    /// The piece of the last decision.
    fn piece(&self) -> Span {
        self.frames
            .last()
            .map_or(self.all_sections(), |frame| frame.piece)
    }

    fn all_sections(&self) -> Span {
        Span {
            start: 0,
            end: self.state.rest.len() as u32,
        }
    }

    fn place(&mut self, item: u32, kind: Decision, piece: Span) {
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

    /// An item that must be placed now: if it were raised, a section would overflow.
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

    /// Chooses the next item and its piece. The innermost piece of time with unplaced items is
    /// finished first, so that independent pieces are not tried in all combinations.
    fn next(&mut self) -> (u32, Span) {
        let rest = &self.state.rest;
        let unfinished = |piece: &Span| {
            rest[piece.start as usize..piece.end as usize]
                .iter()
                .any(|&rest| rest > 0)
        };
        let pieces = self.frames.iter().rev().map(|frame| frame.piece);
        let around = pieces
            .into_iter()
            .find(unfinished)
            .unwrap_or(self.all_sections());
        let piece = self.branching.piece(&self.state, around);
        let item = self.branching.item(&mut self.state, piece);
        (item, piece)
    }

    /// Backtracks to the last decision that the overflow of `section` depends on, and enters its
    /// other case. Returns false if there is none.
    fn resolve(&mut self, section: u32) -> bool {
        self.conflicts += 1;
        self.branching.blame(section);
        self.tree.leaf(section);
        let floor = self.state.floor[section as usize];
        self.state.reasons.start_empty();
        self.state
            .explain_overflow(section, super::state::NONE, floor);
        while let Some(frame) = self.frames.pop() {
            self.state.back_to(frame.mark);
            let item = frame.item;
            if frame.kind != Decision::Raised {
                self.state.unplace(item);
                if !self.state.reasons.remove_placed(item) {
                    continue;
                }
            }
            match frame.kind {
                Decision::Placed => {
                    self.raise(frame);
                    return true;
                }
                Decision::Forced(hint) => self.explain_forced(hint),
                Decision::Raised => self.leave_raised(frame),
            }
        }
        false
    }

    fn raise(&mut self, frame: Frame) {
        let current = self.state.reasons.current();
        let number = self.refutations.len() / current.len();
        self.refutations.extend_from_slice(current);
        self.frames.push(Frame {
            kind: Decision::Raised,
            mark: self.state.mark(),
            tree: [frame.tree[0], self.tree.len()],
            ..frame
        });
        self.state.raise(frame.item, number);
    }

    /// Explains why an item had to be placed on which the conflict depends.
    fn explain_forced(&mut self, hint: Hint) {
        let state = &mut self.state;
        let support = state.next_support(hint.item);
        let height = if state.model.is_open() {
            let enough = state.overflow_height(hint.section);
            support.min(state.model.fit(hint.item, enough))
        } else {
            support
        };
        state.explain_raised(hint.item, height);
        state.explain_overflow(hint.section, hint.item, hint.second);
        self.tree.leaf(hint.section);
        self.tree.branch(hint.item);
    }

    /// Leaves an item whose cases are both refuted. If the refutation of the raised case does not
    /// depend on the decision, the tree needs only that.
    fn leave_raised(&mut self, frame: Frame) {
        let words = self.state.reasons.current().len();
        let refutations = self.refutations.len() - words;
        if self.state.reasons.remove_raised(refutations / words) {
            self.state.reasons.add(&self.refutations[refutations..]);
            let own = self.state.last_event(frame.item);
            self.state.reasons.add_event(own);
            self.tree.branch(frame.item);
        } else {
            self.tree.cut(frame.tree[0], frame.tree[1]);
        }
        self.refutations.truncate(refutations);
    }
}
