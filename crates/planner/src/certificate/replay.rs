//! Replays search trees: walks over their nodes with one state and undoes the changes of a subtree
//! when it leaves it.

mod leaf_buffers;
mod references;
mod state;

use super::error::CertificateError;
use super::obstacles::NO_OFFSET;
use super::overlaps::NumberedRanges;
use crate::{Buffer, Node, Problem, Refutation};
use leaf_buffers::LeafBuffers;
use references::check_references;
use state::State;

/// The bound in bytes that `refutation` proves for `problem`, which must be valid.
pub fn bound(problem: &Problem, refutation: &Refutation) -> Result<u64, CertificateError> {
    check_references(problem, refutation)?;
    let mut replay = Replay {
        state: State::new(problem, refutation),
        leaf_buffers: LeafBuffers::new(problem, refutation),
        lemmas: Vec::new(),
        first_node: 0,
    };
    for lemma in &refutation.lemmas {
        replay.state.begin_tree(&lemma.least);
        let bound = replay.walk(&lemma.nodes)?;
        let premises = replay.state.end_tree(&lemma.least);
        replay.lemmas.push(ProvenLemma { premises, bound });
    }
    let free = (0u32..).zip(&problem.buffers).filter(|(_, it)| is_free(it));
    let all: Vec<(u32, u64)> = free.map(|(position, _)| (position, 0)).collect();
    replay.state.begin_tree(&all);
    replay.walk(&refutation.nodes)
}

/// A lemma with its proven bound.
struct ProvenLemma {
    /// The premises: classes of twins and least offsets of the buffers, the highest first.
    premises: Vec<(u32, u64)>,
    bound: u64,
}

/// The state of a replay.
struct Replay<'a> {
    state: State,
    leaf_buffers: LeafBuffers<'a>,
    /// The lemmas that precede the current tree.
    lemmas: Vec<ProvenLemma>,
    /// The number of nodes in the trees before the current one.
    first_node: usize,
}

impl Replay<'_> {
    /// Computes the bound of a tree. Restores the state.
    fn walk(&mut self, nodes: &[Node]) -> Result<u64, CertificateError> {
        let (first, state) = (self.first_node, &mut self.state);
        self.first_node += nodes.len();
        let mut open: Vec<OpenBranch> = Vec::new();
        let mut bound = NO_OFFSET;
        for (index, &node) in (first..).zip(nodes) {
            let end = match node {
                Node::Branch(position) => {
                    let buffer = position as usize;
                    let node = index;
                    if state.placed[buffer] {
                        return Err(CertificateError::AlreadyPlaced { node, position });
                    }
                    if !state.present[buffer] {
                        return Err(CertificateError::NotPlaceable { node, position });
                    }
                    open.push(OpenBranch {
                        buffer: position,
                        changes: state.changes.len(),
                    });
                    state.raise(buffer);
                    continue;
                }
                Node::Leaf(time) => {
                    let (buffers, taken) = self.leaf_buffers.at_time(time as usize);
                    state.stack_end(buffers, taken)
                }
                Node::Clique(clique) => {
                    let (buffers, taken) = self.leaf_buffers.of_clique(clique as usize);
                    state.stack_end(buffers, taken)
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
                        return Err(CertificateError::LemmaDoesNotApply { node, lemma });
                    }
                    proven.bound
                }
            };
            bound = bound.min(end);
            if !next_subtree(state, &mut open) {
                return match index + 1 {
                    end if end < self.first_node => Err(CertificateError::Trailing { node: end }),
                    _ => Ok(bound),
                };
            }
        }
        let nodes = self.first_node;
        Err(CertificateError::Truncated { nodes })
    }
}

/// A branch with an open subtree. The walk is in its second subtree exactly if the buffer is
/// placed.
struct OpenBranch {
    buffer: u32,
    /// The number of changes before the branch.
    changes: usize,
}

/// Moves to the second subtree of the last branch that has not visited it. Returns false at the end
/// of the tree.
fn next_subtree(state: &mut State, open: &mut Vec<OpenBranch>) -> bool {
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

/// Whether the buffer is active and not fixed.
fn is_free(buffer: &Buffer) -> bool {
    buffer.is_active() && buffer.fixed_offset.is_none()
}

/// All nodes, in the order of the certificate.
fn nodes(refutation: &Refutation) -> impl Iterator<Item = Node> + '_ {
    let lemmas = refutation.lemmas.iter().flat_map(|lemma| &lemma.nodes);
    lemmas.chain(&refutation.nodes).copied()
}

/// The buffers that satisfy `keep`: their positions and live ranges.
fn numbered_ranges(problem: &Problem, keep: impl Fn(&Buffer) -> bool) -> Vec<NumberedRanges<'_>> {
    (0u32..)
        .zip(&problem.buffers)
        .filter(|(_, buffer)| keep(buffer))
        .map(|(position, buffer)| (position, buffer.live.as_slice()))
        .collect()
}
