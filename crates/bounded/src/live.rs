//! Liveness of values on each path: from the definition to the last use.

use crate::tree::{SegmentId, StepId, Tree, ValueId};
use memplan_flow::{Graph, Live, Liveness};

/// The points at which values die.
///
/// The work is proportional to the operations, and for each value to the segments in which it is live.
#[derive(Clone, Debug, Default)]
pub struct Deaths {
    /// For each operation, the values of which it is the last use, and its own results that are never used.
    pub at_step: Vec<Vec<ValueId>>,
    /// For each segment, the values that are live at the end of its parent and not needed here.
    pub on_entry: Vec<Vec<ValueId>>,
    /// For each value, the parts of the preorder in which it is live, as half-open ranges of instants. An operation has
    /// two instants: it reads its operands at the first, and its results exist from the second on.
    pub ranges: Vec<Vec<(u64, u64)>>,
}

impl Deaths {
    /// Computes the deaths of all values.
    pub fn of(tree: &Tree) -> Self {
        let mut deaths = Self {
            at_step: vec![Vec::new(); tree.len()],
            on_entry: vec![Vec::new(); tree.segments.len()],
            ranges: vec![Vec::new(); tree.values.len()],
        };
        let segment_of = segments(tree);
        let mut uses: Vec<Vec<u32>> = vec![Vec::new(); tree.values.len()];
        for step in 0..tree.len() {
            for value in tree.uses(StepId::new(step)) {
                uses[value.index()].push(step as u32);
            }
        }
        let parents = Graph::new(tree.segments.len(), |segment: SegmentId| {
            tree.segments[segment.index()].parent
        });
        let mut liveness = Liveness::new(&parents);
        // For each segment, the value that was last used in it, and the operation.
        let mut last_use = vec![(u32::MAX, 0); tree.segments.len()];
        let mut live: Vec<Live<SegmentId>> = Vec::new();
        for (index, uses) in uses.iter().enumerate() {
            let value = ValueId::new(index);
            let definition = tree.definitions[index];
            let defined_in = segment_of[definition.index()];
            liveness.define(defined_in);
            liveness.used_in(defined_in);
            for &step in uses {
                let used_in = segment_of[step as usize];
                liveness.used_in(used_in);
                last_use[used_in.index()] = (value.0, step);
            }
            live.clear();
            live.extend_from_slice(liveness.nodes());
            live.sort_unstable_by_key(|live| live.node);
            let ranges = &mut deaths.ranges[index];
            for live in &live {
                let segment = live.node;
                let facts = &tree.segments[segment.index()];
                let start = match segment == defined_in {
                    true => u64::from(definition.0) * 2 + 1,
                    false => u64::from(facts.steps.start) * 2,
                };
                let end = if live.at_end {
                    let children = facts.children.iter();
                    for child in children.filter(|child| liveness.position(**child).is_none()) {
                        deaths.on_entry[child.index()].push(value);
                    }
                    u64::from(facts.steps.end) * 2
                } else {
                    match last_use[segment.index()] {
                        (user, step) if user == value.0 => {
                            deaths.at_step[step as usize].push(value);
                            u64::from(step) * 2 + 1
                        }
                        // A result without a use.
                        _ => {
                            deaths.at_step[definition.index()].push(value);
                            start + 1
                        }
                    }
                };
                match ranges.last_mut() {
                    _ if start == end => {}
                    Some(last) if last.1 == start => last.1 = end,
                    _ => ranges.push((start, end)),
                }
            }
        }
        deaths
    }
}

/// The segment of each operation.
pub(crate) fn segments(tree: &Tree) -> Vec<SegmentId> {
    let mut segment_of = vec![SegmentId(0); tree.len()];
    for (index, segment) in tree.segments.iter().enumerate() {
        for step in segment.steps.clone() {
            segment_of[step as usize] = SegmentId::new(index);
        }
    }
    segment_of
}

/// The load: the most bytes that are live at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// The maximum over all paths.
    pub most: u64,
    /// The same with sizes rounded up to the strictest alignment: a layout with moves needs no more.
    pub most_rounded: u64,
    /// For each segment, the maximum on the path from the root to its end.
    pub to_end: Vec<u64>,
}

impl Load {
    /// Computes the load, in time linear in the operations and deaths.
    pub fn of(tree: &Tree, deaths: &Deaths) -> Self {
        let to_end = Self::with_sizes(tree, deaths, &tree.sizes());
        let rounded = Self::with_sizes(tree, deaths, &tree.rounded());
        Self {
            most: to_end.iter().copied().max().unwrap_or(0),
            most_rounded: rounded.into_iter().max().unwrap_or(0),
            to_end,
        }
    }

    /// For each segment, the most bytes that are live at once up to its end.
    fn with_sizes(tree: &Tree, deaths: &Deaths, sizes: &[u64]) -> Vec<u64> {
        let sum = |values: &[ValueId]| values.iter().map(|value| sizes[value.index()]).sum::<u64>();
        // The bytes that are live at the end of each segment.
        let mut left = vec![0_u64; tree.segments.len()];
        let mut to_end = vec![0_u64; tree.segments.len()];
        for (index, segment) in tree.segments.iter().enumerate() {
            let (mut now, mut most) = match segment.parent {
                Some(parent) => (left[parent.index()], to_end[parent.index()]),
                None => (0, 0),
            };
            now -= sum(&deaths.on_entry[index]);
            for step in segment.steps.clone().map(StepId) {
                let defined = tree.defines(step);
                let dying = &deaths.at_step[step.index()];
                let unused = dying.iter().filter(|value| defined.contains(value));
                let unused: u64 = unused.map(|value| sizes[value.index()]).sum();
                let read = sum(dying) - unused;
                now = now - read + sum(defined);
                most = most.max(now);
                now -= unused;
            }
            left[index] = now;
            to_end[index] = most;
        }
        to_end
    }
}
