//! Errors of the certificate checker.

use crate::ProblemError;
use thiserror::Error;

/// Why a certificate is rejected. Nodes are numbered from 0 in the order of the certificate, those
/// of lemmas first.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CertificateError {
    /// The problem is invalid.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No buffer has the id.
    #[error("there is no buffer {id}")]
    UnknownBuffer {
        /// The id.
        id: u64,
    },
    /// Two buffers of a clique do not conflict, or are the same.
    #[error("buffers {first} and {second} are not live at once")]
    NoConflict {
        /// The id of one.
        first: u64,
        /// The id of the other.
        second: u64,
    },
    /// An alignment is 0.
    #[error("the alignment is 0")]
    Alignment,
    /// A branch is on no buffer that can be placed. Its position is beyond the last buffer; or the
    /// buffer is fixed, has no bytes or is never live; or the lemma does not list it.
    #[error("node {node} branches on position {position}, where there is no buffer to place")]
    NotPlaceable {
        /// The node.
        node: usize,
        /// The position in the problem.
        position: u32,
    },
    /// A branch is on a buffer that an enclosing branch has placed.
    #[error("node {node} branches on the buffer at position {position}, which is placed already")]
    AlreadyPlaced {
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
        /// The number of listed times.
        times: usize,
    },
    /// A leaf names a clique that is not listed.
    #[error("node {node} is at clique number {clique}, and there are {cliques}")]
    UnknownClique {
        /// The node.
        node: usize,
        /// The number of the clique.
        clique: u32,
        /// The number of listed cliques.
        cliques: usize,
    },
    /// A clique or a lemma lists a position without a buffer, or a buffer that has no bytes or is
    /// never live. In a lemma, the buffer may also be fixed or listed twice.
    #[error("position {position} is listed, where there is no such buffer")]
    InvalidPosition {
        /// The position in the problem.
        position: u32,
    },
    /// A leaf uses a lemma that is not proven before it.
    #[error("node {node} rests on lemma number {lemma}, and there are {lemmas} before it")]
    UnknownLemma {
        /// The node.
        node: usize,
        /// The number of the lemma.
        lemma: u32,
        /// The number of lemmas before it.
        lemmas: usize,
    },
    /// A leaf uses a lemma whose premises the state does not imply.
    #[error("node {node} rests on lemma number {lemma}, which does not apply there")]
    LemmaDoesNotApply {
        /// The node.
        node: usize,
        /// The number of the lemma.
        lemma: u32,
    },
    /// The problem has no banks, and the proof is about them.
    #[error("the proof is about banks, and there are none")]
    NoBanks,
    /// Two buffers of a proof need not be apart.
    #[error("buffers {first} and {second} need not be apart")]
    NotApart {
        /// The id of one buffer.
        first: u64,
        /// The id of the other.
        second: u64,
    },
    /// Buffers that are apart, and there are enough banks for them.
    #[error("the buffers touch {touched} banks or more, and there are {banks} for them")]
    EnoughBanks {
        /// The fewest banks that the buffers touch.
        touched: u64,
        /// The banks that they may touch.
        banks: u64,
    },
    /// A lemma does not prove that its buffers cannot be where it says.
    #[error("lemma number {lemma} does not prove that its buffers cannot be in these banks")]
    WeakLemma {
        /// The number of the lemma.
        lemma: usize,
    },
    /// The nodes end before the tree does.
    #[error("the tree is cut off after {nodes} nodes")]
    Truncated {
        /// The number of nodes.
        nodes: usize,
    },
    /// The proof is valid, but of a lower bound than the text claims.
    #[error("the proof claims {claimed} bytes, and proves {proven}")]
    ClaimTooHigh {
        /// The claimed bound in bytes.
        claimed: u64,
        /// The proven bound in bytes.
        proven: u64,
    },
    /// The tree ends before the nodes do.
    #[error("the tree ends before node {node}")]
    Trailing {
        /// The first node that is not in the tree.
        node: usize,
    },
}
