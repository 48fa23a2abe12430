//! Placement: in which memory space each buffer is, and when, so that each space suffices and the program costs least.
//!
//! A [`Problem`] is plain data. A buffer is a sequence of *touches* (operations that read or write it) with *gaps* between
//! them. At each touch it is in a space that the operation accepts. In a gap it may stay, be *evicted* to another space and
//! copied back before its next touch, or be *discarded* where it is computed again or overwritten. Reading and writing a byte
//! has a cost in each space; a copy reads every byte once, and writes it once.
//!
//! | step | module |
//! |---|---|
//! | state the problem | [`Problem`] |
//! | prove that nothing fits | [`Shortage`] |
//! | the cheapest sequence of one buffer | `sequence` |
//! | a lower bound on the cost | `bound`, `capacities` |
//! | find a plan, improve it | `insert`, `improve` |
//! | prove that no plan is cheaper | `exact` |
//! | check a plan | [`check`] |
//!
//! # Method
//!
//! Without limits, buffers are independent, and the cheapest sequence of each is a shortest path in a graph of layers: its
//! touches and gaps, each with the sets of spaces that may hold it. Limits couple them. Lagrangian relaxation gives each
//! position of a limited space a price per byte, which buffers that are there pay; the sum of the shortest paths, less the
//! price of all bytes of the spaces, is a lower bound for every choice of prices (Everett, "Generalized Lagrange multiplier
//! method", 1963; Fisher, "The Lagrangian relaxation method for solving integer programming problems", 1981). Prices rise
//! where a space is too full: subgradients with Polyak's step. Plans come from paths within what is left of each space, most
//! valuable bytes first, and are improved by taking a few buffers out and placing them again (large neighborhood search, Shaw
//! 1998). On small problems, branch and bound over single decisions closes the gap.
//!
//! Placing of whole buffers for life is the special case without gaps (OLLA, Steiner et al. 2022, and memory-aware tiling of
//! scratchpads); eviction of the furthest next use is Belady's rule for caches with equal pages. Neither accounts for costs
//! and sizes together.
//!
//! Every number is an integer, so that results do not depend on the machine.

#![forbid(unsafe_code)]

mod bound;
mod capacities;
mod cheapest_first;
mod check;
mod exact;
mod furthest;
mod improve;
mod insert;
mod loads;
mod options;
mod plan;
mod problem;
mod sequence;
mod shortage;
mod solve;
mod whole;
mod yardsticks;

pub use check::{Fault, check};
pub use loads::Load;
pub use options::Options;
pub use plan::{Holding, Plan, Sequence, used};
pub use problem::{
    Again, Buffer, Fixed, Gap, MOST_SPACES, Problem, ProblemError, Range, Space, SpaceSet, Touch,
};
pub use shortage::{Shortage, shortages};
pub use solve::{Outcome, Proof, solve};
pub use yardsticks::{cheapest_first, furthest_next_use, whole_buffers};
