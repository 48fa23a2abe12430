//! Bounded programs on one stack.
//!
//! A program whose loops all have constant trip counts, and which does not recurse, is a tree of straight
//! lines once its loops are written out and what follows a branch is written once for each way. Where
//! values lie is then decided path by path.
//!
//! | step | module |
//! |---|---|
//! | say what the program is | [`tree`], or [`program`] with its loops and branches |
//! | find where values die, and the load | [`live`] |
//! | place values by a walk, moving some where that helps | [`scan`], [`compact`] |
//! | offer layouts, a budget of moves, the curve | [`plan`] |
//! | recheck a layout from the outside | [`mod@check`] |
//! | the same analysis without writing anything out | [`paths`] |
//! | how large the tree is, in numbers of any size | [`count`] |
//!
//! Sizes are rounded up to the strictest alignment of a tree, so that compaction leaves no gap: with moves,
//! the stack is as high as the load and no higher. Without moves that is dynamic storage allocation, which
//! [`memplan_planner`] solves for all paths together.
//!
//! A value is live from the operation that defines it to its last use on each path; what is not needed on
//! one edge of a branch is free there. What an operation reads is still there when values are moved in
//! front of it.
//!
//! Nothing here knows MLIR, and everything is deterministic.
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
//! // 32 bytes below and 32 above of b are free: 64, but not side by side.
//! let d = program.step(&[], [Value::buffer(64, 8)])[0];
//! program.step(&[b, d], []);
//! let tree = program.finish()?;
//! let analysis = Analysis::new(&tree, Placement::First, Default::default());
//! let still = analysis.without_moves()?;
//! let moved = analysis.lowest(&still);
//! assert_eq!((still.layout.peak, moved.layout.peak), (112, 80));
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
pub use plan::{Analysis, Placement, Plan, Point};
pub use tree::{Builder, Kind, NameId, SegmentId, StepId, Tree, TreeError, Value, ValueId};
