//! Memory layouts for bounded programs: one stack whose offsets are all known at compile time.
//!
//! A bounded program has loops with constant trip counts only, and no recursion. With its loops unrolled and the code
//! after each branch duplicated for each arm, it is a tree of straight-line segments. Values are then placed on each
//! path from the root to a leaf by itself.
//!
//! | task | module |
//! |---|---|
//! | describe the program | [`tree`], or [`program`] with its loops and branches |
//! | find the last uses of values, and the load | [`live`] |
//! | place values in one walk over the tree, moving some where that lowers the stack | [`scan`], [`compact`] |
//! | choose a layout: without moves, within a budget of moved bytes, or the whole curve | [`plan`] |
//! | check a layout independently | [`mod@check`] |
//! | analyse the program without expanding it | [`paths`] |
//! | compute the size of the tree, with numbers of any size | [`count`] |
//!
//! In a layout with moves, sizes are rounded up to the strictest alignment of a tree, so that compaction leaves no gap:
//! the stack is as high as the load of the rounded sizes and no higher. Without moves, each value has its own size and
//! alignment. The problem is then dynamic storage allocation, which [`memplan_planner`] solves for all paths together.
//!
//! A value is live from the operation that defines it to its last use on each path. A value that one edge of a branch
//! does not need is dead on that edge. An operation's operands are still live while values are moved before it.
//!
//! The crate does not depend on MLIR, and all results are deterministic.
//!
//! ```
//! use memplan_bounded::{Analysis, Builder, Placement, Value, check::check};
//!
//! let mut program = Builder::new();
//! program.open(None);
//! let mut buffer = |bytes| program.step(&[], [Value::buffer(bytes, 8)])[0];
//! let [a, b, c] = [32, 16, 32].map(&mut buffer);
//! program.step(&[a], []);
//! program.step(&[c], []);
//! // 32 bytes below and 32 above of b are free: 64, but not contiguous.
//! let d = program.step(&[], [Value::buffer(64, 8)])[0];
//! program.step(&[b, d], []);
//! let tree = program.finish()?;
//! let analysis = Analysis::new(&tree, Placement::First, Default::default());
//! let unmoved = analysis.without_moves()?;
//! let moved = analysis.lowest(&unmoved);
//! assert_eq!((unmoved.layout.peak, moved.layout.peak), (112, 80));
//! assert_eq!(moved.worst.moved_bytes, 16);
//! check(&tree, &moved.layout)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod check;
pub mod compact;
pub mod count;
pub mod layout;
pub mod live;
pub mod paths;
pub mod plan;
pub mod program;
pub mod scan;
pub mod space;
pub mod tree;

pub use count::Count;
pub use layout::{Layout, Motion, PathCost, Relocation};
pub use live::{Deaths, Load};
pub use plan::{Analysis, Placement, Plan, TradeOffPoint};
pub use tree::{Builder, NameId, SegmentId, StepId, Tree, TreeError, Value, ValueId, ValueKind};
