//! Layouts made by walking the tree: plain, with holes used again, and with values moved.

use crate::{
    compact,
    layout::{Layout, Motion, Relocation},
    live::Deaths,
    space::{Placed, Space},
    tree::{SegmentId, StepId, Tree, ValueId},
};

/// Which place a value gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit<'h> {
    /// The lowest that holds it.
    First,
    /// The smallest hole that holds it, else the top.
    Best,
    /// The one named for each value, where nothing lies there; else the lowest.
    Hint(&'h [u64]),
}

/// Every value behind all others of its path: nothing is shared but by paths. Linear.
pub fn plain(tree: &Tree) -> Layout {
    let sizes = tree.rounded();
    let mut offsets = vec![0; tree.values.len()];
    let mut tops: Vec<u64> = Vec::with_capacity(tree.segments.len());
    for segment in &tree.segments {
        let mut top = segment.parent.map_or(0, |parent| tops[parent.index()]);
        for step in segment.steps.clone() {
            for value in tree.defines(StepId(step)) {
                offsets[value.index()] = top;
                top += sizes[value.index()];
            }
        }
        tops.push(top);
    }
    Layout::fixed(tree, offsets)
}

/// Bytes are free from the last use on, on each path, and used again. Nothing moves.
pub fn scan(tree: &Tree, deaths: &Deaths, fit: Fit<'_>) -> Layout {
    Walk::new(tree, deaths, fit, None).run()
}

/// As [`scan`], but where a value would end above `limit`, others are moved to make room for it below. With
/// a limit of at least the load and nothing pinned, that is always possible; else the stack grows.
pub fn defrag(tree: &Tree, deaths: &Deaths, fit: Fit<'_>, limit: u64) -> Layout {
    Walk::new(tree, deaths, fit, Some(limit)).run()
}

/// The walk. The work is that of each placement, logarithmic in what is live but where values move.
struct Walk<'t> {
    tree: &'t Tree,
    deaths: &'t Deaths,
    fit: Fit<'t>,
    limit: Option<u64>,
    sizes: Vec<u64>,
    space: Space,
    /// Where each value that lives lies now.
    now: Vec<u64>,
    layout: Layout,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, deaths: &'t Deaths, fit: Fit<'t>, limit: Option<u64>) -> Self {
        Self {
            tree,
            deaths,
            fit,
            limit,
            sizes: tree.rounded(),
            space: Space::default(),
            now: vec![0; tree.values.len()],
            layout: Layout {
                offsets: vec![0; tree.values.len()],
                relocations: Vec::new(),
                peak: 0,
            },
        }
    }

    fn run(mut self) -> Layout {
        // The segments around the one at hand, and what was done until the end of each.
        let mut around: Vec<(SegmentId, usize)> = Vec::new();
        for (index, segment) in self.tree.segments.iter().enumerate() {
            while around
                .last()
                .is_some_and(|(outer, _)| Some(*outer) != segment.parent)
            {
                around.pop();
            }
            let mark = around.last().map_or(0, |(_, mark)| *mark);
            let now = &mut self.now;
            self.space
                .undo(mark, |value, offset| now[value.index()] = offset);
            for value in &self.deaths.on_entry[index] {
                self.free(*value);
            }
            for step in segment.steps.clone() {
                self.step(StepId(step));
            }
            around.push((SegmentId::new(index), self.space.mark()));
        }
        self.layout
    }

    fn free(&mut self, value: ValueId) {
        self.space
            .take(self.now[value.index()], self.sizes[value.index()]);
    }

    fn step(&mut self, step: StepId) {
        let made = self.tree.defines(step);
        let dying = &self.deaths.at_step[step.index()];
        if made.is_empty() {
            for value in dying {
                self.free(*value);
            }
            return;
        }
        let read: Vec<ValueId> = dying
            .iter()
            .copied()
            .filter(|value| !made.contains(value))
            .collect();
        let mark = self.space.mark();
        for value in &read {
            self.free(*value);
        }
        if !self.place_all(made) {
            let now = &mut self.now;
            self.space
                .undo(mark, |value, offset| now[value.index()] = offset);
            self.relocate(step, made, &read);
        }
        for value in made {
            let at = self.now[value.index()];
            self.layout.offsets[value.index()] = at;
            let size = self.sizes[value.index()];
            if size > 0 {
                self.layout.peak = self.layout.peak.max(at + size);
            }
        }
        for value in dying.iter().filter(|value| made.contains(value)) {
            self.free(*value);
        }
    }

    /// Places what an operation makes; false, with some of it placed, if it would end above the limit.
    fn place_all(&mut self, made: &[ValueId]) -> bool {
        made.iter().all(|value| {
            let size = self.sizes[value.index()];
            let at = self.place_of(*value, size);
            self.put(*value, at);
            self.limit.is_none_or(|limit| at + size <= limit)
        })
    }

    fn put(&mut self, value: ValueId, at: u64) {
        self.now[value.index()] = at;
        self.space.put(value, at, self.sizes[value.index()]);
    }

    fn place_of(&self, value: ValueId, size: u64) -> u64 {
        if size == 0 {
            return 0;
        }
        match self.fit {
            Fit::First => self.space.first_fit(size),
            Fit::Best => self.space.best_fit(size),
            Fit::Hint(hints) => {
                let hint = hints[value.index()];
                let is_below = self.limit.is_none_or(|limit| hint + size <= limit);
                match is_below && self.space.is_free(hint, size) {
                    true => hint,
                    false => self.space.first_fit(size),
                }
            }
        }
    }

    /// Makes room for what an operation makes, by moves in front of it: what it reads is still there.
    fn relocate(&mut self, step: StepId, made: &[ValueId], read: &[ValueId]) {
        let limit = self.limit.unwrap_or(u64::MAX);
        let need: u64 = made.iter().map(|value| self.sizes[value.index()]).sum();
        let placed: Vec<Placed> = self.space.placed().collect();
        let values = &self.tree.values;
        let is_pinned = |at: &Placed| values[at.value.index()].pinned;
        let dies = |block: &Placed| block.size > 0 && read.contains(&block.value);
        let room = compact::relocate(&is_pinned, &placed, dies, limit, need);
        let Some((motions, room)) = room else {
            // Pinned values are in the way: the stack grows.
            for value in read {
                self.free(*value);
            }
            let limit = self.limit.take();
            self.place_all(made);
            self.limit = limit;
            return;
        };
        self.carry_out(&motions);
        for value in read {
            self.free(*value);
        }
        let mut at = room;
        for value in made {
            self.put(*value, at);
            at += self.sizes[value.index()];
        }
        if !motions.is_empty() {
            self.layout.relocations.push(Relocation { step, motions });
        }
    }

    fn carry_out(&mut self, motions: &[Motion]) {
        for motion in motions {
            match *motion {
                Motion::Move { value, from, to } => {
                    let size = self.sizes[value.index()];
                    self.space.take(from, size);
                    self.put(value, to);
                    self.layout.peak = self.layout.peak.max(to + size);
                }
                Motion::Swap { below, above, at } => {
                    let (low, high) = (self.sizes[below.index()], self.sizes[above.index()]);
                    self.space.take(at, low);
                    self.space.take(at + low, high);
                    self.put(above, at);
                    self.put(below, at + high);
                }
            }
        }
    }
}
