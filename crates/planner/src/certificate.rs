//! Why no plan can have a lower peak, in a form that can be checked without trusting a planner.

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
    /// One buffer cannot end lower: its fixed offset, or 0, and its size.
    End {
        /// The id of the buffer.
        buffer: u64,
    },
    /// All ways of stacking the buffers on each other, cut off where they need too much.
    Search(Refutation),
}

/// A tree over all ways of stacking the buffers.
///
/// It rests on this: in a plan in which no buffer can be moved down by itself, each lies at offset
/// 0 or at the least aligned offset on top of another buffer that is live at once with it (or on
/// top of a fixed or a forbidden range). Every plan can be brought into this form without
/// raising its peak.
///
/// The state of a check is, for each buffer, a least offset `low` and whether it is *placed* there.
/// At first `low` is 0, or the least aligned offset that is free of what is fixed, and nothing but
/// the fixed buffers is placed.
///
/// * A *branch* on a buffer that is not placed has two subtrees. First: the buffer is *raised*, it
///   lies higher than at `low`, so at least on the least top `low + size` above `low` of a buffer
///   that is not placed and live at once with it. Second: it is *at* `low`, which is right only
///   if no buffer that is not placed and is live at once with it can end below it or there; those
///   buffers get at least its end as `low`, as far as alignment and fixed ranges allow.
/// * A *leaf* names a point in time. For any height `h`, the buffers that are live then, not placed,
///   and have a `low` of at least `h` end no lower than `h` plus their sizes.
///
/// The bound is the least over all leaves of the largest `h` plus sizes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refutation {
    /// Points in time that the leaves name by number.
    pub times: Vec<u64>,
    /// The nodes in preorder: each branch, its *raised* subtree, its *at* subtree.
    pub nodes: Vec<Node>,
}

/// A node of a [`Refutation`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// On the buffer with this position in [`Problem::buffers`](crate::Problem::buffers).
    Branch(u32),
    /// At the point in time with this position in [`Refutation::times`].
    Leaf(u32),
}
