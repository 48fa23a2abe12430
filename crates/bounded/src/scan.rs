//! Layouts by one walk over the tree: without reuse, with reuse of holes, and with moves.

use crate::{
    compact,
    layout::{Layout, Motion, Relocation},
    live::Deaths,
    space::{PlacedValue, Space},
    tree::{SegmentId, StepId, Tree, Value, ValueId},
};

/// The rule that chooses the offset of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit<'h> {
    /// The lowest hole that fits.
    First,
    /// The smallest hole that fits, else the top.
    Best,
    /// A given offset for each value, where those bytes are free; else the lowest hole that fits.
    Hint(&'h [u64]),
}

/// A layout without reuse: on each path, every value is placed above all earlier ones. Linear.
pub fn plain(tree: &Tree) -> Layout {
    let mut offsets = vec![0; tree.values.len()];
    let mut tops: Vec<u64> = Vec::with_capacity(tree.segments.len());
    for segment in &tree.segments {
        let mut top = segment.parent.map_or(0, |parent| tops[parent.index()]);
        for step in segment.steps.clone() {
            for value in tree.defines(StepId(step)) {
                let Value {
                    size, alignment, ..
                } = tree.values[value.index()];
                if size > 0 {
                    offsets[value.index()] = top.next_multiple_of(alignment);
                    top = offsets[value.index()] + size;
                }
            }
        }
        tops.push(top);
    }
    Layout::fixed(tree, offsets)
}

/// A layout that reuses the bytes of a value after its last use on each path. Nothing moves.
pub fn scan(tree: &Tree, deaths: &Deaths, fit: Fit<'_>) -> Layout {
    Walk::new(tree, deaths, fit, None).run()
}

/// Like [`scan`], but moves values to make room where a new value would end above `limit`. With a limit of at least the
/// load and nothing pinned, this always succeeds; else the stack grows.
pub fn defrag(tree: &Tree, deaths: &Deaths, fit: Fit<'_>, limit: u64) -> Layout {
    Walk::new(tree, deaths, fit, Some(limit)).run()
}

/// The walk. A placement takes time logarithmic in the number of live values, unless it moves values.
struct Walk<'t> {
    tree: &'t Tree,
    deaths: &'t Deaths,
    fit: Fit<'t>,
    limit: Option<u64>,
    /// The bytes that each value takes: its size, or with moves, that rounded up to the strictest alignment.
    sizes: Vec<u64>,
    /// The strictest alignment, with moves: all offsets are multiples of it, as all sizes are.
    unit: Option<u64>,
    space: Space,
    /// The current offset of each live value.
    current: Vec<u64>,
    layout: Layout,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree, deaths: &'t Deaths, fit: Fit<'t>, limit: Option<u64>) -> Self {
        Self {
            tree,
            deaths,
            fit,
            limit,
            sizes: match limit {
                Some(_) => tree.rounded(),
                None => tree.sizes(),
            },
            unit: limit.map(|_| tree.unit()),
            space: Space::default(),
            current: vec![0; tree.values.len()],
            layout: Layout {
                offsets: vec![0; tree.values.len()],
                relocations: Vec::new(),
                peak: 0,
            },
        }
    }

    fn run(mut self) -> Layout {
        // The ancestors of the current segment, each with the undo mark at its end.
        let mut around: Vec<(SegmentId, usize)> = Vec::new();
        for (index, segment) in self.tree.segments.iter().enumerate() {
            while around
                .last()
                .is_some_and(|(outer, _)| Some(*outer) != segment.parent)
            {
                around.pop();
            }
            let mark = around.last().map_or(0, |(_, mark)| *mark);
            let current = &mut self.current;
            self.space
                .undo(mark, |value, offset| current[value.index()] = offset);
            for value in &self.deaths.on_entry[index] {
                self.free(*value);
            }
            for step in segment.steps.clone() {
                self.step(StepId(step));
            }
            around.push((SegmentId::new(index), self.space.mark()));
        }
        match self.layout.relocations.is_empty() {
            // Nothing moved, so sizes need not be rounded up.
            true => Layout::fixed(self.tree, self.layout.offsets),
            false => self.layout,
        }
    }

    fn free(&mut self, value: ValueId) {
        self.space
            .take(self.current[value.index()], self.sizes[value.index()]);
    }

    fn step(&mut self, step: StepId) {
        let results = self.tree.defines(step);
        let dying = &self.deaths.at_step[step.index()];
        if results.is_empty() {
            for value in dying {
                self.free(*value);
            }
            return;
        }
        let read: Vec<ValueId> = dying
            .iter()
            .copied()
            .filter(|value| !results.contains(value))
            .collect();
        let mark = self.space.mark();
        for value in &read {
            self.free(*value);
        }
        if !self.place_all(results) {
            let current = &mut self.current;
            self.space
                .undo(mark, |value, offset| current[value.index()] = offset);
            self.relocate(step, results, &read);
        }
        for value in results {
            let at = self.current[value.index()];
            self.layout.offsets[value.index()] = at;
            let size = self.sizes[value.index()];
            if size > 0 {
                self.layout.peak = self.layout.peak.max(at + size);
            }
        }
        for value in dying.iter().filter(|value| results.contains(value)) {
            self.free(*value);
        }
    }

    /// Places the results of an operation. Returns false, with some of them placed, if one would end above the limit.
    fn place_all(&mut self, results: &[ValueId]) -> bool {
        results.iter().all(|value| {
            let size = self.sizes[value.index()];
            let at = self.place_of(*value, size);
            self.put(*value, at);
            self.limit.is_none_or(|limit| at + size <= limit)
        })
    }

    fn put(&mut self, value: ValueId, at: u64) {
        self.current[value.index()] = at;
        self.space.put(value, at, self.sizes[value.index()]);
    }

    fn place_of(&self, value: ValueId, size: u64) -> u64 {
        if size == 0 {
            return 0;
        }
        let alignment = match self.unit {
            Some(_) => 1,
            None => self.tree.values[value.index()].alignment,
        };
        match self.fit {
            Fit::First => self.space.first_fit(size, alignment),
            Fit::Best => self.space.best_fit(size, alignment),
            Fit::Hint(hints) => {
                let hint = hints[value.index()];
                let is_below = self.limit.is_none_or(|limit| hint + size <= limit);
                let is_multiple = self.unit.is_none_or(|unit| hint.is_multiple_of(unit));
                match is_below && is_multiple && self.space.is_free(hint, size) {
                    true => hint,
                    false => self.space.first_fit(size, alignment),
                }
            }
        }
    }

    /// Makes room for the results of an operation, by moves before it: its operands are still live.
    fn relocate(&mut self, step: StepId, results: &[ValueId], read: &[ValueId]) {
        let limit = self.limit.unwrap_or(u64::MAX);
        let need: u64 = results.iter().map(|value| self.sizes[value.index()]).sum();
        let placed: Vec<PlacedValue> = self.space.placed().collect();
        let values = &self.tree.values;
        let is_pinned = |at: &PlacedValue| values[at.value.index()].pinned;
        let dies = |block: &PlacedValue| block.size > 0 && read.contains(&block.value);
        let room = compact::relocate(&is_pinned, &placed, dies, limit, need);
        let Some((motions, room)) = room else {
            // Pinned values leave too little space: the stack grows.
            for value in read {
                self.free(*value);
            }
            let limit = self.limit.take();
            self.place_all(results);
            self.limit = limit;
            return;
        };
        self.apply(&motions);
        for value in read {
            self.free(*value);
        }
        let mut at = room;
        for value in results {
            self.put(*value, at);
            at += self.sizes[value.index()];
        }
        if !motions.is_empty() {
            self.layout.relocations.push(Relocation { step, motions });
        }
    }

    fn apply(&mut self, motions: &[Motion]) {
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
