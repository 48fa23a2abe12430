//! Executes kernels with planned bytes, to find races. It shares no code with the analysis.
//!
//! All threads run, one action at a time, in the order of a [`Schedule`]. Each buffer has its bytes twice: at its planned
//! offset, and alone. A byte has a tag that names the write which wrote it. There are three [`Fault`]s:
//!
//! * a race: two accesses to a byte for different buffers in one barrier interval, one of them a write, by two threads or by
//!   a copy in flight. An interval is known from barriers that were executed, so that no schedule hides a race;
//! * lost contents: a read finds another tag than in the buffer alone;
//! * barriers that threads do not execute together.
//!
//! Reads read the whole buffer. Which bytes a thread writes depends on a seed. In a whole write, each byte has one thread.
//! [`find_fault`] tries schedules and seeds; [`try_all_paths`] tries all paths through a small kernel.

mod control;
mod fault;
mod machine;
mod memory;
mod random;
mod run;
mod search;
mod thread;

pub use control::uniform_blocks;
pub use fault::{Access, Fault};
pub use machine::interpret;
pub use random::Random;
pub use run::{Choices, Run, Schedule, Timing};
pub use search::{Coverage, find_fault, try_all_paths};
