//! Certificates: proofs of lower bounds on the peak, which can be checked without trusting a
//! planner.
//!
//! | step | module |
//! |---|---|
//! | compute the bound that a certificate proves; the correctness argument | `check` |
//! | replay a search tree over the stackings of the buffers | `replay` |
//! | bound buffers that cannot share a byte | `cliques` |
//! | replay a tree over the distances of buffers with windows | `distances` |
//! | walk over a tree of choices of banks | `banks` |
//! | compute the possible offsets of a buffer next to fixed ones | `obstacles` |
//! | list the buffers that are live at the same time | `overlaps` |
//! | write and read certificates as text | `text` |
//!
//! The planners share no code with these modules, except for the choices of banks (`bank_choices`).

mod banks;
mod check;
mod cliques;
mod distances;
mod error;
mod obstacles;
mod overlaps;
mod replay;
mod text;

pub use check::check;
pub use error::CertificateError;
pub use text::{Claim, TextError, TextReason, from_text, to_text};

/// A proof of a lower bound on the peak of every plan of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Certificate {
    /// Proves nothing: a bound of 0.
    #[default]
    Nothing,
    /// The buffers that are live at `time` need the sum of their sizes.
    Load {
        /// A point in time.
        time: u64,
    },
    /// The buffers that are live at `time` and whose alignments this one divides. Each of them except
    /// the topmost takes its size rounded up to the alignment. So the bound is the sum of the
    /// rounded sizes, less the largest rounding of any of them.
    Alignment {
        /// A point in time.
        time: u64,
        /// Bytes, at least 1.
        alignment: u64,
    },
    /// Buffers that conflict pairwise, although they may never all be live at once because their
    /// live ranges have holes. They need the sum of their sizes, and the bytes that are forbidden
    /// for all of them in between. If A divides the alignment of each, the bound of `Alignment` holds
    /// for them, too.
    Clique {
        /// The ids of the buffers.
        buffers: Vec<u64>,
    },
    /// One buffer that cannot end lower. It lies at its fixed offset, or at the least offset that
    /// fixed buffers and forbidden ranges leave free.
    End {
        /// The id of the buffer.
        buffer: u64,
    },
    /// A search tree over the stackings of the buffers, pruned where a stacking needs too much.
    Search(Refutation),
    /// A tree of cases over the distances of buffers: the nodes in preorder, each split, its first case, its second.
    /// Windows count. The bound is the least of the leaves: the highest end of a buffer that lies at the least offset
    /// that the cases around the leaf allow, and the sums of bytes in use at one time from any height on.
    Distances(Vec<DistanceNode>),
    /// Buffers that must be apart, in pairs, and are in use at once, in pairs. They touch more banks than there are for them:
    /// there is no plan.
    Apart {
        /// The ids of the buffers.
        buffers: Vec<u64>,
    },
    /// A tree over the banks of buffers. No plan ends at or below its limit.
    Banks(BankRefutation),
}

impl Certificate {
    /// The name of the kind: `nothing`, `load`, `alignment`, `clique`, `end`, `search`, `distances`, `apart` or `banks`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Certificate::Nothing => "nothing",
            Certificate::Load { .. } => "load",
            Certificate::Alignment { .. } => "alignment",
            Certificate::Clique { .. } => "clique",
            Certificate::End { .. } => "end",
            Certificate::Search(_) => "search",
            Certificate::Distances(_) => "distances",
            Certificate::Apart { .. } => "apart",
            Certificate::Banks(_) => "banks",
        }
    }
}

/// A search tree over the stackings of the buffers, in the sense of branch and bound.
///
/// Call a plan *compact* if no single buffer can move to a lower offset. In a compact plan each
/// buffer lies at its least possible offset, or at the least possible offset on top of a
/// conflicting buffer. An offset is *possible* if it is aligned and clear of all fixed buffers and
/// forbidden ranges while the buffer is live. Every plan can be made compact without raising its
/// peak.
///
/// The state of the checker holds, for each buffer, a least offset `low` and whether the buffer is
/// *placed* there. At the root `low` is the least possible offset, and only the fixed buffers are
/// placed. Buffers without bytes and buffers that are never live are not in the tree. A *neighbour*
/// of a buffer is a conflicting buffer that is not fixed.
///
/// * A *branch* on a buffer that is not placed has two subtrees. In the *raised* subtree the buffer
///   lies above `low`, so it lies on a neighbour. Its `low` becomes the least possible offset on
///   top of any neighbour. The top of a neighbour is its `low + size`. If that is not above the
///   buffer's `low`, a placed neighbour does not count. Any other neighbour may lie higher, so its
///   top is the buffer's `low + 1`. Without neighbours there is no such plan, and `low` is
///   infinite. In the *at* subtree the buffer is placed at `low`. A neighbour that is not placed
///   and whose `low + size` is above the buffer's `low` cannot lie below it. The `low` of such a
///   neighbour becomes at least the least possible offset on top of the buffer.
/// * A *leaf* names a point in time. For any height `h`, take the buffers that are live then and
///   have a `low` of at least `h`, including fixed and placed ones. They end no lower than `h` plus
///   their sizes, plus the bytes in between that are forbidden then. The sizes of those that are
///   not fixed and have an alignment that A divides count rounded up to A, less the largest rounding
///   of any of them.
///
/// * A leaf may name a *clique* instead: buffers that conflict pairwise. The same bound holds for
///   them, with the bytes that are forbidden at some time of each of them.
/// * A leaf may name a *lemma* if the state implies its premises: each buffer of the lemma
///   corresponds to a different buffer of the state whose `low` is no less. That buffer is the same
///   one or its *twin*. Twins have the same size, alignment, neighbours and possible offsets. The
///   leaf then ends no lower than the bound of the lemma.
///
/// A [`Lemma`] is a tree over some of the buffers, each with a least offset, together with the
/// fixed buffers. It makes no assumption about the other buffers, and it does not assume a compact
/// plan.
///
/// The bound of a tree is the minimum over its leaves of the largest such end. Every tree is a
/// proof; a bad tree proves a weaker bound. A branch loses nothing if no unplaced neighbour has
/// its `low + size` at or below the buffer's `low`. This holds for the buffer with the least `low`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refutation {
    /// Points in time; leaves refer to them by index.
    pub times: Vec<u64>,
    /// Cliques of buffers that conflict pairwise, as positions in
    /// [`Problem::buffers`](crate::Problem::buffers). Leaves refer to the cliques by index.
    pub cliques: Vec<Vec<u32>>,
    /// Lemmas, which later trees may use: each may use the lemmas before it.
    pub lemmas: Vec<Lemma>,
    /// The nodes in preorder: each branch, its *raised* subtree, its *at* subtree.
    pub nodes: Vec<Node>,
}

impl Refutation {
    /// The number of nodes, including those of lemmas.
    pub fn node_count(&self) -> usize {
        let lemmas = self.lemmas.iter().map(|lemma| lemma.nodes.len());
        lemmas.sum::<usize>() + self.nodes.len()
    }
}

/// A bound that holds whenever some of the buffers lie at certain offsets or higher, with its
/// proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lemma {
    /// The premises: positions of buffers, each once, and their least offsets in bytes.
    pub least: Vec<(u32, u64)>,
    /// A tree over these buffers, as in [`Refutation::nodes`].
    pub nodes: Vec<Node>,
}

/// A node of a [`Refutation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// A branch on the buffer at this position in [`Problem::buffers`](crate::Problem::buffers).
    Branch(u32),
    /// A leaf at the point in time with this index in [`Refutation::times`].
    Leaf(u32),
    /// A leaf at the clique with this index in [`Refutation::cliques`].
    Clique(u32),
    /// A leaf that uses the lemma with this index in [`Refutation::lemmas`].
    Lemma(u32),
}

/// A node of a [`Certificate::Distances`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DistanceNode {
    /// In the first case, the offset of the buffer at position `upper` in
    /// [`Problem::buffers`](crate::Problem::buffers) less that of the one at `lower` is at least `distance`; in the
    /// second case it is less. Distances at which the two share a byte are left out of both.
    Split {
        /// The position of one buffer.
        upper: u32,
        /// The position of the other one.
        lower: u32,
        /// In bytes; negative where the first buffer lies below.
        distance: i64,
    },
    /// A case that is not split.
    Leaf,
}

/// A tree over the banks of the buffers, in the sense of branch and bound.
///
/// A buffer has *choices*: runs of consecutive banks, in one of which it lies in every plan that ends at or below the limit.
/// A buffer that may not cross has a choice for each of its contiguous banks that it fits in. One that may cross has one for
/// each run of them that it can touch; if it is apart from no other buffer, only the longest runs. In interleaved banks, a
/// buffer that is apart from another one has a choice for each bank that it may start in and for each number of banks that
/// it can touch from there on; one that is not has the largest number, and one without a rule has a single choice.
///
/// * A *branch* on a buffer has a subtree for each choice that is left to it, in the order of the first bank and then of the
///   number of banks. In it the buffer has this choice alone, and buffers that are apart from it lose the choices that have
///   a bank in common with it. A branch on a buffer without a choice has no subtree. Of two contiguous banks that are alike,
///   the second is left out: they have equally many bytes below the limit, starts whose distance is a multiple of each
///   alignment, no forbidden byte, and are choices of the same buffers, none of which may cross into one of them.
/// * A *leaf* names a lemma whose buffers have only the choices that are left in the lemma, or all one bank that is alike.
///
/// A [`BankLemma`] proves that some buffers cannot be where it says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BankRefutation {
    /// No plan ends at or below this address. `u64::MAX` where there is no plan at all.
    pub limit: u64,
    /// Lemmas, to which leaves refer by index.
    pub lemmas: Vec<BankLemma>,
    /// The nodes in preorder.
    pub nodes: Vec<BankNode>,
}

/// Buffers that cannot all be where the lemma says, below the limit of its tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BankLemma {
    /// Positions of buffers in [`Problem::buffers`](crate::Problem::buffers), each once, with a choice of each: the first
    /// bank and the number of banks.
    pub placements: Vec<(u32, u32, u32)>,
    /// The proof. It is of a problem without banks: the buffers of the lemma in its order, and bytes outside of their banks
    /// are forbidden. See `bank_choices` in the source.
    pub certificate: Box<Certificate>,
}

/// A node of a [`BankRefutation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BankNode {
    /// A branch on the buffer at this position in [`Problem::buffers`](crate::Problem::buffers).
    Branch(u32),
    /// A leaf at the lemma with this index in [`BankRefutation::lemmas`].
    Lemma(u32),
}
