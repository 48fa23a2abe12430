//! Why no plan can have a lower peak, in a form that can be checked without trusting a planner.
//!
//! | step | module |
//! |---|---|
//! | which bound a certificate proves, and why that is so | `check` |
//! | replay a tree over all ways of stacking the buffers | `replay` |
//! | bound what cannot share a byte | `cliques` |
//! | where a buffer may lie beside what is fixed | `obstacles` |
//! | which buffers are live at once | `meetings` |
//! | write and read certificates as text | `text` |
//!
//! Nothing here is shared with the planners.

mod check;
mod cliques;
mod error;
mod meetings;
mod obstacles;
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
    /// The buffers live at `time` with at least this alignment: each but the topmost takes its size
    /// rounded up to it, so that the sum of the rounded sizes, less the most that rounding added to
    /// one of them, is needed.
    Alignment {
        /// A point in time.
        time: u64,
        /// Bytes; a power of two.
        alignment: u64,
    },
    /// These buffers are live at once two by two, though maybe never all together, as where live
    /// ranges have holes: they need the sum of their sizes, and more around what is forbidden for
    /// each of them. Or, where each has at least the alignment A, what `Alignment` says of them.
    Clique {
        /// The ids of the buffers.
        buffers: Vec<u64>,
    },
    /// One buffer cannot end lower: its fixed offset, or the least that what is fixed leaves free,
    /// and its size.
    End {
        /// The id of the buffer.
        buffer: u64,
    },
    /// All ways of stacking the buffers on each other, cut off where they need too much.
    Search(Refutation),
}

impl Certificate {
    /// The kind in a word: `nothing`, `load`, `alignment`, `clique`, `end` or `search`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Certificate::Nothing => "nothing",
            Certificate::Load { .. } => "load",
            Certificate::Alignment { .. } => "alignment",
            Certificate::Clique { .. } => "clique",
            Certificate::End { .. } => "end",
            Certificate::Search(_) => "search",
        }
    }
}

/// A tree over all ways of stacking the buffers.
///
/// It rests on this: in a plan in which no buffer can be moved to any lower offset by itself, each
/// lies at the least offset that is possible for it alone or at the least one on top of another
/// buffer that is live at once with it. *Possible* means aligned and clear of what is fixed while
/// the buffer is live. Every plan can be brought into this form without raising its peak.
///
/// The state of a check is, for each buffer, a least offset `low` and whether it is *placed* there.
/// At first `low` is the least possible offset, and nothing but the fixed buffers is placed.
/// Buffers of no bytes and buffers that are never live are not in the tree; a *neighbour* of a
/// buffer is one that is not fixed and is live at once with it.
///
/// * A *branch* on a buffer that is not placed has two subtrees. First: the buffer is *raised*, it
///   lies higher than at `low`. Then it lies on a neighbour, and `low` becomes the least possible
///   offset on top of any. The top is `low + size` of the neighbour. Where that is not above `low`
///   of the buffer, a neighbour that is placed does not count, and any other may lie higher yet:
///   its top is `low + 1` of the buffer. Without neighbours there is no such plan, and `low` is
///   infinite. Second: the buffer is placed *at* `low`. Then each neighbour that is not placed and
///   cannot lie below it, because its `low + size` is above `low` of the buffer, gets at least
///   the least possible offset on top of the buffer as `low`.
/// * A *leaf* names a point in time. For any height `h`, the buffers that are live then and have a
///   `low` of at least `h`, fixed and placed ones with the others, end no lower than `h` plus their
///   sizes, and higher by the bytes in between that are forbidden then. Of those not fixed and
///   with an alignment of at least A, the sizes count rounded up to A, less the most that rounding
///   added to one of them.
///
/// * A leaf may name a *clique* instead, buffers that are live at once two by two. The same holds for
///   them, with the bytes that are forbidden at some time of each.
/// * A leaf may name a *lemma* where the state is no weaker than what it says: to each of its buffers
///   belongs another one of the state, with no less a `low`, that is this one or its *twin*: of the
///   same size and alignment, live at once with the same others, and with the same possible offsets.
///   It ends no lower than the bound of the lemma.
///
/// A [`Lemma`] is a tree over some of the buffers, of which each lies no lower than is said, beside
/// what is fixed; the others play no part in it. Where they lie, and where those of the lemma would
/// lie in a plan that has no room to move down, is not asked.
///
/// The bound is the least over all leaves of the largest such end. Any tree is a proof; what
/// a bad one loses is the height of its bound. A branch loses nothing where no neighbour that is
/// not placed has `low + size` at or below `low` of the buffer, as for one with the least `low`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refutation {
    /// Points in time that the leaves name by number.
    pub times: Vec<u64>,
    /// Positions in [`Problem::buffers`](crate::Problem::buffers), of buffers that are live at once
    /// two by two; leaves name the cliques by number.
    pub cliques: Vec<Vec<u32>>,
    /// What trees rest on that come later: lemmas on those before them.
    pub lemmas: Vec<Lemma>,
    /// The nodes in preorder: each branch, its *raised* subtree, its *at* subtree.
    pub nodes: Vec<Node>,
}

impl Refutation {
    /// How many nodes there are, with those of lemmas.
    pub fn node_count(&self) -> usize {
        let lemmas = self.lemmas.iter().map(|lemma| lemma.nodes.len());
        lemmas.sum::<usize>() + self.nodes.len()
    }
}

/// What holds wherever some of the buffers lie at certain offsets or higher, with its proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lemma {
    /// Buffers by position, each once, and their least offsets.
    pub least: Vec<(u32, u64)>,
    /// A tree over these buffers, as in [`Refutation::nodes`].
    pub nodes: Vec<Node>,
}

/// A node of a [`Refutation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// On the buffer with this position in [`Problem::buffers`](crate::Problem::buffers).
    Branch(u32),
    /// At the point in time with this position in [`Refutation::times`].
    Leaf(u32),
    /// A leaf at the clique with this position in [`Refutation::cliques`].
    Clique(u32),
    /// A leaf by the lemma with this position in [`Refutation::lemmas`].
    Lemma(u32),
}
