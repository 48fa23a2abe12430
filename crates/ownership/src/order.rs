//! The order of segments, and which dominate which (Cooper, Harvey and Kennedy, "A simple, fast
//! dominance algorithm", 2001).

use crate::function::{EdgeId, Function, RegionId, SegmentId, Step, ValueId};
use smallvec::SmallVec;

const NEVER: u32 = u32::MAX;

/// Reachable segments in reverse postorder, and their dominators.
#[derive(Clone, Debug)]
pub struct Order {
    /// Reachable segments, each behind its dominators.
    pub segments: Vec<SegmentId>,
    /// The edges into each segment that come from reachable ones.
    pub incoming: Vec<SmallVec<[EdgeId; 2]>>,
    /// When the walk over the tree of dominators enters and leaves each segment.
    spans: Vec<(u32, u32)>,
    /// When the walk over the tree of regions enters and leaves each region.
    regions: Vec<(u32, u32)>,
}

impl Order {
    /// Of a function.
    pub fn of(function: &Function) -> Self {
        let count = function.segments.len();
        let mut postorder = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        let mut stack: Vec<(SegmentId, usize)> = Vec::new();
        if count > 0 {
            seen[0] = true;
            stack.push((SegmentId(0), 0));
        }
        while let Some((segment, at)) = stack.pop() {
            let Some(edge) = function.segment(segment).edges.get(at) else {
                postorder.push(segment);
                continue;
            };
            stack.push((segment, at + 1));
            if let Some(to) = function.edge(*edge).to
                && !seen[to.index()]
            {
                seen[to.index()] = true;
                stack.push((to, 0));
            }
        }
        let segments: Vec<SegmentId> = postorder.into_iter().rev().collect();
        let mut incoming = function.incoming();
        for edges in &mut incoming {
            edges.retain(|edge| seen[function.edge(*edge).from.index()]);
        }
        let mut number = vec![NEVER; count];
        for (at, segment) in segments.iter().enumerate() {
            number[segment.index()] = at as u32;
        }
        let dominators = dominators(function, &segments, &number, &incoming);
        Self {
            spans: spans(count, |at| {
                let segment = segments.get(at)?;
                let parent = (at > 0).then(|| segments[dominators[at] as usize].index());
                Some((segment.index(), parent))
            }),
            regions: spans(function.regions.len(), |at| {
                let parent = function.regions.get(at)?;
                Some((at, parent.map(RegionId::index)))
            }),
            segments,
            incoming,
        }
    }

    /// Is a segment ever reached?
    pub fn is_reachable(&self, segment: SegmentId) -> bool {
        self.spans[segment.index()].0 != NEVER
    }

    /// Does every way to `other` lead through `one`? Also if they are the same.
    pub fn dominates(&self, one: SegmentId, other: SegmentId) -> bool {
        let (one, other) = (self.spans[one.index()], self.spans[other.index()]);
        one.0 <= other.0 && other.1 <= one.1 && other.0 != NEVER
    }

    /// Can what stands at the start of `at` name `value`? A parameter of `at` can be named.
    pub fn is_visible(&self, function: &Function, value: ValueId, at: SegmentId) -> bool {
        let value = function.value(value);
        let is_before = if value.segment == at {
            value.step.is_none()
        } else {
            self.dominates(value.segment, at)
        };
        let region = |segment: SegmentId| {
            let region = function.segment(segment).region.unwrap_or(RegionId(0));
            self.regions[region.index()]
        };
        let (inner, outer) = (region(at), region(value.segment));
        is_before && outer.0 <= inner.0 && inner.1 <= outer.1
    }

    /// Is `one` defined before `other`, on every way to `other`? Parameters of one segment are defined
    /// at once.
    pub fn is_before(&self, function: &Function, one: ValueId, other: ValueId) -> bool {
        let place = |value: ValueId| -> (SegmentId, Option<Step>) {
            let value = function.value(value);
            (value.segment, value.step)
        };
        let (one, other) = (place(one), place(other));
        if one.0 == other.0 {
            one.1 < other.1
        } else {
            self.dominates(one.0, other.0)
        }
    }
}

/// The immediate dominator of each segment, both by their places in the order.
fn dominators(
    function: &Function,
    segments: &[SegmentId],
    number: &[u32],
    incoming: &[SmallVec<[EdgeId; 2]>],
) -> Vec<u32> {
    let mut dominators = vec![NEVER; segments.len()];
    if let Some(first) = dominators.first_mut() {
        *first = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (at, segment) in segments.iter().enumerate().skip(1) {
            let mut new = NEVER;
            for edge in &incoming[segment.index()] {
                let mut from = number[function.edge(*edge).from.index()];
                if dominators[from as usize] == NEVER {
                    continue;
                }
                if new == NEVER {
                    new = from;
                    continue;
                }
                while from != new {
                    if from > new {
                        from = dominators[from as usize];
                    } else {
                        new = dominators[new as usize];
                    }
                }
            }
            changed |= dominators[at] != new;
            dominators[at] = new;
        }
    }
    dominators
}

/// When a walk over a tree enters and leaves each node. `parent` gives, for 0, 1, …, a node and the
/// one above it, which came before.
fn spans(
    count: usize,
    parent: impl Fn(usize) -> Option<(usize, Option<usize>)>,
) -> Vec<(u32, u32)> {
    let mut children: Vec<SmallVec<[u32; 2]>> = vec![SmallVec::new(); count];
    let mut roots = Vec::new();
    for at in 0.. {
        match parent(at) {
            None => break,
            Some((node, None)) => roots.push(node as u32),
            Some((node, Some(above))) => children[above].push(node as u32),
        }
    }
    let mut spans = vec![(NEVER, 0); count];
    let mut clock = 0;
    let mut stack: Vec<(u32, usize)> = roots.into_iter().rev().map(|root| (root, 0)).collect();
    while let Some((node, at)) = stack.pop() {
        if at == 0 {
            spans[node as usize].0 = clock;
            clock += 1;
        }
        match children[node as usize].get(at) {
            Some(child) => {
                stack.push((node, at + 1));
                stack.push((*child, 0));
            }
            None => {
                spans[node as usize].1 = clock;
                clock += 1;
            }
        }
    }
    spans
}
