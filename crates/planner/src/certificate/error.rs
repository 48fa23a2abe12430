//! Why a certificate proves nothing.

use crate::ProblemError;
use thiserror::Error;

/// Why a certificate proves nothing. Nodes are counted from 0 in the order of the certificate, those
/// of lemmas first.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CertificateError {
    /// The problem makes no sense.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No buffer has the id.
    #[error("there is no buffer {id}")]
    UnknownBuffer {
        /// The id.
        id: u64,
    },
    /// Two buffers of a clique are never live at once, or are the same.
    #[error("buffers {first} and {second} are not live at once")]
    NotAtOnce {
        /// The id of one.
        first: u64,
        /// The id of the other.
        second: u64,
    },
    /// An alignment is not a power of two.
    #[error("the alignment {alignment} is not a power of two")]
    Alignment {
        /// The alignment in bytes.
        alignment: u64,
    },
    /// A branch is on no buffer that could be anywhere: its position is beyond the last, or it is
    /// fixed, has no bytes or is never live; or in a lemma that leaves it out.
    #[error("node {node} branches on position {position}, where there is no buffer to place")]
    NothingToPlace {
        /// The node.
        node: usize,
        /// The position in the problem.
        position: u32,
    },
    /// A branch is on a buffer that a branch above has placed.
    #[error("node {node} branches on the buffer at position {position}, which is placed already")]
    Placed {
        /// The node.
        node: usize,
        /// The position in the problem.
        position: u32,
    },
    /// A leaf names a time that is not listed.
    #[error("node {node} is at time number {time}, and there are {times}")]
    UnknownTime {
        /// The node.
        node: usize,
        /// The number of the time.
        time: u32,
        /// How many times the certificate lists.
        times: usize,
    },
    /// A leaf names a clique that is not listed.
    #[error("node {node} is at clique number {clique}, and there are {cliques}")]
    UnknownClique {
        /// The node.
        node: usize,
        /// The number of the clique.
        clique: u32,
        /// How many cliques the certificate lists.
        cliques: usize,
    },
    /// A clique or a lemma lists a position where there is no buffer, or one that has no bytes or is
    /// never live; a lemma, one that is fixed or listed twice.
    #[error("position {position} is listed, where there is no such buffer")]
    NothingThere {
        /// The position in the problem.
        position: u32,
    },
    /// A leaf names a lemma that is not proven before it.
    #[error("node {node} rests on lemma number {lemma}, and there are {lemmas} before it")]
    UnknownLemma {
        /// The node.
        node: usize,
        /// The number of the lemma.
        lemma: u32,
        /// How many lemmas come before.
        lemmas: usize,
    },
    /// A leaf names a lemma that does not speak of plans such as are left there.
    #[error("node {node} rests on lemma number {lemma}, which does not apply there")]
    DoesNotApply {
        /// The node.
        node: usize,
        /// The number of the lemma.
        lemma: u32,
    },
    /// The nodes end before the tree does.
    #[error("the tree is cut off after {nodes} nodes")]
    Truncated {
        /// How many nodes there are.
        nodes: usize,
    },
    /// It is right, and proves less than it claims.
    #[error("the proof claims {claimed} bytes, and proves {proven}")]
    Weak {
        /// In bytes.
        claimed: u64,
        /// In bytes.
        proven: u64,
    },
    /// The tree ends before the nodes do.
    #[error("the tree ends before node {node}")]
    Trailing {
        /// The first node that is not in the tree.
        node: usize,
    },
}
