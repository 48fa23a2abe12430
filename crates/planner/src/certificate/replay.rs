//! The bounds of trees: a walk over the nodes of each that keeps one state and undoes what it leaves.

mod crowds;
mod names;
mod state;

use super::error::CertificateError;
use super::meetings::Presence;
use super::obstacles::NOWHERE;
use crate::{Buffer, Node, Problem, Refutation};
use crowds::Crowds;
use names::check_names;
use state::State;

/// The bound in bytes that `refutation` proves for `problem`, which has been checked.
pub fn bound(problem: &Problem, refutation: &Refutation) -> Result<u64, CertificateError> {
    check_names(problem, refutation)?;
    let mut replay = Replay {
        state: State::new(problem, refutation),
        crowds: Crowds::new(problem, refutation),
        lemmas: Vec::new(),
        first: 0,
    };
    for lemma in &refutation.lemmas {
        replay.state.assume(&lemma.least);
        let bound = replay.walk(&lemma.nodes)?;
        let premises = replay.state.forget(&lemma.least);
        replay.lemmas.push(Proven { premises, bound });
    }
    let free = (0u32..).zip(&problem.buffers).filter(|(_, it)| is_free(it));
    let all: Vec<(u32, u64)> = free.map(|(position, _)| (position, 0)).collect();
    replay.state.assume(&all);
    replay.walk(&refutation.nodes)
}

/// A lemma that holds.
struct Proven {
    /// Classes of twins and least offsets of their buffers, the highest first.
    premises: Vec<(u32, u64)>,
    bound: u64,
}

/// What the trees of a refutation are held against.
struct Replay<'a> {
    state: State,
    crowds: Crowds<'a>,
    /// Those of the trees before this one.
    lemmas: Vec<Proven>,
    /// How many nodes there are in the trees before this one.
    first: usize,
}

impl Replay<'_> {
    /// The bound of a tree; leaves the state as it was.
    fn walk(&mut self, nodes: &[Node]) -> Result<u64, CertificateError> {
        let (first, state) = (self.first, &mut self.state);
        self.first += nodes.len();
        let mut open: Vec<Open> = Vec::new();
        let mut bound = NOWHERE;
        for (index, &node) in (first..).zip(nodes) {
            let end = match node {
                Node::Branch(position) => {
                    let buffer = position as usize;
                    let node = index;
                    if state.placed[buffer] {
                        return Err(CertificateError::Placed { node, position });
                    }
                    if !state.present[buffer] {
                        return Err(CertificateError::NothingToPlace { node, position });
                    }
                    open.push(Open {
                        buffer: position,
                        changes: state.changes.len(),
                    });
                    state.raise(buffer);
                    continue;
                }
                Node::Leaf(time) => {
                    let (crowd, taken) = self.crowds.at(time as usize);
                    state.stack(crowd, taken)
                }
                Node::Clique(clique) => {
                    let (crowd, taken) = self.crowds.clique(clique as usize);
                    state.stack(crowd, taken)
                }
                Node::Lemma(number) => {
                    let (node, lemma) = (index, number);
                    let lemmas = self.lemmas.len();
                    let proven = self.lemmas.get(number as usize);
                    let proven = proven.ok_or(CertificateError::UnknownLemma {
                        node,
                        lemma,
                        lemmas,
                    })?;
                    if !state.implies(&proven.premises) {
                        return Err(CertificateError::DoesNotApply { node, lemma });
                    }
                    proven.bound
                }
            };
            bound = bound.min(end);
            if !next_subtree(state, &mut open) {
                return match index + 1 {
                    end if end < self.first => Err(CertificateError::Trailing { node: end }),
                    _ => Ok(bound),
                };
            }
        }
        let nodes = self.first;
        Err(CertificateError::Truncated { nodes })
    }
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

/// All nodes, in the order of the certificate.
fn nodes(refutation: &Refutation) -> impl Iterator<Item = Node> + '_ {
    let lemmas = refutation.lemmas.iter().flat_map(|lemma| &lemma.nodes);
    lemmas.chain(&refutation.nodes).copied()
}

/// The buffers that `keep` keeps, by position.
fn presences(problem: &Problem, keep: impl Fn(&Buffer) -> bool) -> Vec<Presence<'_>> {
    (0u32..)
        .zip(&problem.buffers)
        .filter(|(_, buffer)| keep(buffer))
        .map(|(position, buffer)| (position, buffer.live.as_slice()))
        .collect()
}
