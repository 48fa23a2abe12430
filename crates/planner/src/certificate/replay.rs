//! The bound of a tree: a walk over its nodes that keeps one state and undoes what it leaves.

use super::check::CertificateError;
use super::meetings::{Lists, Presence, meetings};
use super::obstacles::{NOWHERE, Places};
use crate::{Buffer, LiveRange, Node, Problem, Refutation};

/// The bound in bytes that `refutation` proves for `problem`, which has been checked.
pub fn bound(problem: &Problem, refutation: &Refutation) -> Result<u64, CertificateError> {
    check_names(problem, refutation)?;
    let nodes = &refutation.nodes;
    let mut state = State::new(problem, nodes);
    let crowds = crowds(problem, &refutation.times, nodes);
    let mut open: Vec<Open> = Vec::new();
    let mut bound = NOWHERE;
    for (index, &node) in nodes.iter().enumerate() {
        match node {
            Node::Branch(position) => {
                if state.placed[position as usize] {
                    let node = index;
                    return Err(CertificateError::Placed { node, position });
                }
                open.push(Open {
                    buffer: position,
                    changes: state.changes.len(),
                });
                state.raise(position as usize);
            }
            Node::Leaf(time) => {
                bound = bound.min(state.stack(crowds.of(time as usize)));
                if !next_subtree(&mut state, &mut open) {
                    return match index + 1 {
                        end if end < nodes.len() => Err(CertificateError::Trailing { node: end }),
                        _ => Ok(bound),
                    };
                }
            }
        }
    }
    let nodes = nodes.len();
    Err(CertificateError::Truncated { nodes })
}

/// A branch whose subtrees are not all done; whether it is at the second is whether its buffer is
/// placed.
struct Open {
    buffer: u32,
    /// How many changes had been made before.
    changes: usize,
}

/// Goes to the second subtree of the last branch that has not been there; false at the tree's end.
fn next_subtree(state: &mut State, open: &mut Vec<Open>) -> bool {
    while let Some(branch) = open.last() {
        let buffer = branch.buffer as usize;
        state.undo(branch.changes);
        if !state.placed[buffer] {
            state.place(buffer);
            return true;
        }
        state.placed[buffer] = false;
        open.pop();
    }
    false
}

/// Whether the buffer is neither fixed nor aside of all others.
fn is_free(buffer: &Buffer) -> bool {
    buffer.is_active() && buffer.fixed_offset.is_none()
}

/// Every node names a buffer that can be placed, or a time that is listed.
fn check_names(problem: &Problem, refutation: &Refutation) -> Result<(), CertificateError> {
    let times = refutation.times.len();
    for (index, &name) in refutation.nodes.iter().enumerate() {
        let node = index;
        match name {
            Node::Branch(position) => {
                if !problem.buffers.get(position as usize).is_some_and(is_free) {
                    return Err(CertificateError::NothingToPlace { node, position });
                }
            }
            Node::Leaf(time) => {
                if time as usize >= times {
                    return Err(CertificateError::UnknownTime { node, time, times });
                }
            }
        }
    }
    Ok(())
}

/// For each listed time that a leaf names the buffers that are live then.
///
/// As large as all these together; a proof names few times, each for many leaves.
fn crowds(problem: &Problem, times: &[u64], nodes: &[Node]) -> Lists {
    let mut named = vec![false; times.len()];
    for node in nodes {
        if let &Node::Leaf(time) = node {
            named[time as usize] = true;
        }
    }
    let points: Vec<[LiveRange; 1]> = times
        .iter()
        .map(|&time| [LiveRange::from((time, time.saturating_add(1)))])
        .collect();
    let subjects: Vec<Presence> = (0u32..)
        .zip(&points)
        .filter(|&(time, point)| named[time as usize] && point[0].start < point[0].end)
        .map(|(time, point)| (time, point.as_slice()))
        .collect();
    meetings(
        times.len(),
        &subjects,
        &presences(problem, Buffer::is_active),
    )
}

/// The buffers that `keep` keeps, by position.
fn presences(problem: &Problem, keep: impl Fn(&Buffer) -> bool) -> Vec<Presence<'_>> {
    (0u32..)
        .zip(&problem.buffers)
        .filter(|(_, buffer)| keep(buffer))
        .map(|(position, buffer)| (position, buffer.live.as_slice()))
        .collect()
}

/// What is known of the buffers, by position, at one node.
struct State {
    sizes: Vec<u64>,
    places: Places,
    /// For each buffer that a node branches on, the others that are not fixed and live at once.
    neighbours: Lists,
    /// The least offset of each; [`NOWHERE`] where there is no such plan.
    low: Vec<u64>,
    placed: Vec<bool>,
    /// Buffers whose `low` was changed, and what it was, in order.
    changes: Vec<(u32, u64)>,
    /// `low` and size of the buffers of a stack.
    stack: Vec<(u64, u64)>,
}

impl State {
    fn new(problem: &Problem, nodes: &[Node]) -> Self {
        let count = problem.buffers.len();
        let mut branched = vec![false; count];
        for node in nodes {
            if let &Node::Branch(position) = node {
                branched[position as usize] = true;
            }
        }
        let free = presences(problem, is_free);
        let mut subjects = free.clone();
        subjects.retain(|&(position, _)| branched[position as usize]);
        let places = Places::new(problem);
        State {
            sizes: problem.buffers.iter().map(|buffer| buffer.size).collect(),
            low: (0..count)
                .map(|buffer| places.least_from(buffer, 0))
                .collect(),
            neighbours: meetings(count, &subjects, &free),
            places,
            placed: vec![false; count],
            changes: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Where a buffer ends at the least.
    fn top(&self, buffer: usize) -> u64 {
        self.low[buffer].saturating_add(self.sizes[buffer])
    }

    fn lift(&mut self, buffer: usize, low: u64) {
        if low > self.low[buffer] {
            self.changes.push((buffer as u32, self.low[buffer]));
            self.low[buffer] = low;
        }
    }

    /// `buffer` lies higher than at `low`: on one of its neighbours.
    fn raise(&mut self, buffer: usize) {
        let low = self.low[buffer];
        let mut least = NOWHERE;
        for &neighbour in self.neighbours.of(buffer) {
            let neighbour = neighbour as usize;
            if neighbour == buffer {
                continue;
            }
            let top = self.top(neighbour);
            if top > low {
                least = least.min(top);
            } else if !self.placed[neighbour] {
                least = least.min(low.saturating_add(1)); // it may lie higher yet
            }
        }
        self.lift(buffer, self.places.least_from(buffer, least));
    }

    /// `buffer` lies at `low`: neighbours that cannot be below are above.
    fn place(&mut self, buffer: usize) {
        let (low, top) = (self.low[buffer], self.top(buffer));
        self.placed[buffer] = true;
        for index in 0..self.neighbours.of(buffer).len() {
            let neighbour = self.neighbours.of(buffer)[index] as usize;
            if !self.placed[neighbour] && self.top(neighbour) > low {
                self.lift(neighbour, self.places.least_from(neighbour, top));
            }
        }
    }

    /// Takes back all changes but the first `keep`.
    fn undo(&mut self, keep: usize) {
        for (buffer, low) in self.changes.drain(keep..).rev() {
            self.low[buffer as usize] = low;
        }
    }

    /// Where `crowd`, which is live at one time, ends at the least: stacked in order of `low`.
    fn stack(&mut self, crowd: &[u32]) -> u64 {
        self.stack.clear();
        for &buffer in crowd {
            let buffer = buffer as usize;
            self.stack.push((self.low[buffer], self.sizes[buffer]));
        }
        self.stack.sort_unstable();
        let stacked = self.stack.iter();
        stacked.fold(0, |top: u64, &(low, size)| {
            top.max(low).saturating_add(size)
        })
    }
}
