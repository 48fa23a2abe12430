//! Searches paths of a thread through a kernel.

use super::WorkgroupFault;
use crate::codes;
use memplan_mlir::ir::Op;
use memplan_semantics::workgroup::code::{Buffer, Code, What};
use rustc_hash::FxHashSet;

/// The number of an event, or of the end of a part.
type Node = usize;

/// An access that a thread, or a copy of it, does at a node.
#[derive(Clone, Copy)]
struct Access<'c> {
    node: Node,
    op: Op<'c>,
    buffer: Buffer,
    writes: bool,
    /// It starts here. Otherwise it is a copy that may be in flight here, on some path.
    starts: bool,
}

/// The events of a kernel as one graph.
pub struct Paths<'c> {
    successors: Vec<Vec<Node>>,
    barriers: FxHashSet<Node>,
    discards: FxHashSet<(Node, Buffer)>,
    accesses: Vec<Access<'c>>,
    /// The nodes in the divergent control of each branch.
    regions: Vec<FxHashSet<Node>>,
}

impl<'c> Paths<'c> {
    pub fn of(code: &Code<'c>) -> Self {
        let mut starts = Vec::new();
        let mut count = 0;
        for part in code.parts.values() {
            starts.push(count);
            count += part.events.len() + 1;
        }
        let mut paths = Self {
            successors: vec![Vec::new(); count],
            barriers: FxHashSet::default(),
            discards: FxHashSet::default(),
            accesses: Vec::new(),
            regions: Vec::new(),
        };
        let all = code.parts.values().zip(&starts);
        for (part, start) in all.clone() {
            for at in 0..part.events.len() {
                paths.successors[start + at].push(start + at + 1);
            }
            let to = part.successors.iter().map(|to| starts[to.index()]);
            paths.successors[start + part.events.len()] = to.collect();
        }
        for (part, start) in all.clone() {
            for (at, event) in part.events.iter().enumerate() {
                let (node, op) = (start + at, event.op);
                let mut add = |buffer: &Buffer, writes| {
                    paths.accesses.push(Access {
                        node,
                        op,
                        buffer: *buffer,
                        writes,
                        starts: true,
                    });
                };
                match &event.what {
                    What::Read(buffer) => add(buffer, false),
                    What::Write(buffer) => add(buffer, true),
                    What::Discard(buffer) => {
                        paths.discards.insert((node, *buffer));
                    }
                    What::Barrier => {
                        paths.barriers.insert(node);
                    }
                    What::Copy { .. } | What::Commit | What::Wait(_) => {}
                }
            }
        }
        let events = all.clone().flat_map(|(part, start)| {
            let events = part.events.iter().map(|event| Some(&event.what));
            let nodes = events.chain([None]).enumerate();
            nodes.map(move |(at, what)| (start + at, what))
        });
        let mut whats: Vec<Option<&What>> = vec![None; count];
        events.for_each(|(node, what)| whats[node] = what);
        for (part, start) in all.clone() {
            for (at, event) in part.events.iter().enumerate() {
                let What::Copy { reads, writes } = &event.what else {
                    continue;
                };
                let own = start + at;
                for node in paths.in_flight(own, &whats) {
                    let reads = reads.iter().map(|buffer| (buffer, false));
                    let writes = writes.iter().map(|buffer| (buffer, true));
                    for (buffer, writes) in reads.chain(writes) {
                        paths.accesses.push(Access {
                            node,
                            op: event.op,
                            buffer: *buffer,
                            writes,
                            starts: node == own,
                        });
                    }
                }
            }
        }
        for part in code.parts.values().filter(|part| part.diverges) {
            let mut open: Vec<usize> = part.successors.iter().map(|to| to.index()).collect();
            let (mut seen, mut nodes) = (FxHashSet::default(), FxHashSet::default());
            while let Some(at) = open.pop() {
                let inside = &code.parts[memplan_semantics::graph::SegmentId::new(at)];
                if !inside.is_uniform && seen.insert(at) {
                    nodes.extend(starts[at]..=starts[at] + inside.events.len());
                    open.extend(inside.successors.iter().map(|to| to.index()));
                }
            }
            paths.regions.push(nodes);
        }
        paths
    }

    /// The nodes at which a copy may be in flight, in order.
    fn in_flight(&self, copy: Node, whats: &[Option<&What>]) -> Vec<Node> {
        let waits = whats.iter().filter_map(|what| match what {
            Some(What::Wait(newest)) => Some(*newest),
            _ => None,
        });
        let most = waits.max().unwrap_or(0);
        // The groups that were closed after that of the copy; `None` before its own.
        let mut open: Vec<(Node, Option<u32>)> = vec![(copy, None)];
        let mut seen = FxHashSet::default();
        while let Some((node, newer)) = open.pop() {
            if !seen.insert((node, newer)) {
                continue;
            }
            let after = match whats[node] {
                Some(What::Commit) => Some(newer.map_or(0, |newer| most.min(newer + 1))),
                Some(What::Wait(newest)) if newer.is_some_and(|newer| newer >= *newest) => continue,
                _ => newer,
            };
            open.extend(self.successors[node].iter().map(|to| (*to, after)));
        }
        let mut nodes: Vec<Node> = seen.into_iter().map(|(node, _)| node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The nodes after some nodes, on paths that do not pass others.
    fn after(&self, from: Node, is_end: impl Fn(Node) -> bool) -> FxHashSet<Node> {
        let mut open = self.successors[from].clone();
        let mut seen = FxHashSet::default();
        while let Some(node) = open.pop() {
            if seen.insert(node) && !is_end(node) {
                open.extend(&self.successors[node]);
            }
        }
        seen
    }

    /// The first fault of two buffers that have common bytes, with these numbers. Each access searches the graph: quadratic,
    /// but kernels are small.
    pub fn pair(&self, buffers: [Buffer; 2], numbers: [i64; 2]) -> Option<WorkgroupFault<'c>> {
        let [one, other] = buffers;
        let race = self
            .race(one, other)
            .or_else(|| self.race(other, one))
            .or_else(|| self.divergent(one, other));
        if let Some((first, second)) = race {
            let text = format!(
                "buffers {} and {} share bytes, and no barrier separates this access from one to the other",
                numbers[0], numbers[1]
            );
            let fault = WorkgroupFault::new(codes::NO_BARRIER, second.op, text);
            return Some(fault.note(first.op, "the other access"));
        }
        let both = [
            (one, other, numbers),
            (other, one, [numbers[1], numbers[0]]),
        ];
        both.into_iter().find_map(|(kept, written, numbers)| {
            let (write, read) = self.lost(kept, written)?;
            let text = format!(
                "buffer {} is read after buffer {} overwrote its bytes",
                numbers[0], numbers[1]
            );
            let fault = WorkgroupFault::new(codes::OVERWRITTEN, read.op, text);
            Some(fault.note(write.op, "overwritten here"))
        })
    }

    fn of_buffer(&self, buffer: Buffer) -> impl Iterator<Item = Access<'c>> + Clone + '_ {
        let all = self.accesses.iter().copied();
        all.filter(move |access| access.buffer == buffer)
    }

    fn starting(&self, buffer: Buffer) -> impl Iterator<Item = Access<'c>> + Clone + '_ {
        self.of_buffer(buffer).filter(|access| access.starts)
    }

    /// An access to one buffer, or a copy of it in flight, and then the start of one to the other without a barrier in
    /// between.
    fn race(&self, one: Buffer, other: Buffer) -> Option<(Access<'c>, Access<'c>)> {
        self.of_buffer(one).find_map(|first| {
            let reached = self.after(first.node, |node| self.barriers.contains(&node));
            let mut all = self.starting(other);
            let second = all.find(|second| {
                let is_together = first.node == second.node || reached.contains(&second.node);
                is_together && (first.writes || second.writes)
            })?;
            Some((first, second))
        })
    }

    /// Accesses of two threads in divergent control.
    fn divergent(&self, one: Buffer, other: Buffer) -> Option<(Access<'c>, Access<'c>)> {
        self.regions.iter().find_map(|region| {
            let is_inside = |access: &Access<'c>| region.contains(&access.node);
            let mut all = self.starting(one).filter(is_inside);
            all.find_map(|first| {
                let mut others = self.starting(other).filter(is_inside);
                let second = others.find(|second| first.writes || second.writes)?;
                Some((first, second))
            })
        })
    }

    /// A write of `written` after a write of `kept`, and a read of `kept` after that.
    fn lost(&self, kept: Buffer, written: Buffer) -> Option<(Access<'c>, Access<'c>)> {
        let ends = |node: Node| self.discards.contains(&(node, kept));
        let mut defined = FxHashSet::default();
        for write in self.starting(kept).filter(|access| access.writes) {
            defined.extend(self.after(write.node, ends));
        }
        let mut writes = self.starting(written).filter(|access| access.writes);
        writes.find_map(|write| {
            let after = match defined.contains(&write.node) {
                true => self.after(write.node, ends),
                false => return None,
            };
            let mut reads = self.starting(kept).filter(|access| !access.writes);
            let read = reads.find(|read| after.contains(&read.node))?;
            Some((write, read))
        })
    }
}
