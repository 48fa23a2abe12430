//! Workgroup memory of GPU kernels: buffers share bytes where a barrier separates their accesses.
//!
//! A [`Kernel`] is plain data: buffers, and a control-flow graph whose blocks have actions. All threads of a workgroup
//! execute it. [`plan`] returns an offset for each buffer; with [`Options::insert_barriers`] it also returns the few
//! barriers that lower the bytes, each with what it saves.
//!
//! | step | module |
//! |---|---|
//! | state the kernel | [`Kernel`], [`Action`], [`Branch`] |
//! | find divergent control, check the kernel | `control` |
//! | contents that a thread may still read | `needed` |
//! | accesses since the last barrier, copies in flight | `intervals`, `copies` |
//! | decide which buffers interfere | [`Analysis`], [`Interference`] |
//! | state the problem for the planner | [`Analysis::problem`], `cliques` |
//! | add barriers | [`insert_barriers`] |
//! | execute kernels to check plans | [`interpret`] |
//!
//! # Memory model
//!
//! *Threads and barriers.* Threads of a workgroup run in any order relative to each other. A barrier waits until all of
//! them have reached it, and makes their earlier accesses visible to all: `gpu.barrier` in the GPU dialect,
//! `__syncthreads()` in CUDA, `bar.sync 0` in PTX. Nothing else orders two threads here: barriers of subgroups, named
//! barriers and atomic operations are no [`Action::Barrier`].
//!
//! *Uniform control.* A branch is [uniform](Branch::Uniform) if all threads take the same edge each time. A
//! [divergent](Branch::Divergent) branch makes control divergent up to its immediate post-dominator. The GPU dialect
//! wants "either none or all work items" to execute a barrier, and CUDA allows one in conditional code only if the
//! condition is the same in the whole block. A barrier in divergent control is [an error](KernelError::DivergentBarrier).
//! All threads thus execute the same sequence of barriers. Within divergent control, nothing is assumed of uniform
//! branches.
//!
//! *Barrier intervals.* A barrier interval is the time between two consecutive barriers that a run executes (Li and
//! Gopalakrishnan, "Scalable SMT-based verification of GPU kernel functions" (PUG), FSE 2010; GPUVerify by Betts et al.,
//! OOPSLA 2012, checks the same intervals for races). Accesses of two threads in one interval have no order. In different
//! intervals, they have that of the intervals.
//!
//! *Contents.* They are undefined at the start of a kernel, and dead at its end. They survive until a
//! [discard](Action::Discard) or a [whole](Extent::Whole) write in uniform control. An access may touch any byte of its
//! buffer.
//!
//! *Asynchronous copies.* A copy may read and write its buffers at any time from its start to the end of a wait *of the
//! same thread* (`cp.async` and `cp.async.wait_group` in PTX; `nvgpu.device_async_copy`, `device_async_create_group` and
//! `device_async_wait`). Only a barrier after the wait makes that known to other threads. [`Wait::AllButNewest`] counts the
//! groups that [`Action::Commit`] closes.
//!
//! # Interference
//!
//! Two buffers interfere, and must have different bytes, in two cases:
//!
//! 1. Both are accessed in one barrier interval of a run, and one of them is written. There is a path without a barrier
//!    from one access to the other, or both are in the divergent control of one branch. A copy in flight accesses its
//!    buffers in each interval until its wait.
//! 2. One is written while contents of the other are live: written on a path before, and read on a path after, before a
//!    discard or a whole write.
//!
//! Each path is that of one thread. That suffices: all threads take the same path through uniform control, and any
//! path of another thread between two of its blocks is also one that this thread may take.
//!
//! ```
//! use memplan_workgroup::{Action, Branch, Buffer, Extent, Kernel, Options, plan};
//!
//! let mut kernel = Kernel::new();
//! let [tile, row] = [4096, 1024].map(|size| kernel.add_buffer(Buffer { size, alignment: 16 }));
//! let entry = kernel.add_block(Branch::Uniform);
//! for action in [
//!     Action::Write(tile, Extent::Whole),
//!     Action::Barrier,
//!     Action::Read(tile),
//!     Action::Write(row, Extent::Whole),
//!     Action::Barrier,
//!     Action::Read(row),
//! ] {
//!     kernel.push(entry, action);
//! }
//! // A slow thread may still read the tile while a fast one writes the row.
//! assert_eq!(plan(&kernel, &Options::default())?.bytes, 5120);
//!
//! let options = Options { insert_barriers: true, ..Options::default() };
//! let shared = plan(&kernel, &options)?;
//! assert_eq!(shared.bytes, 4096);
//! // One barrier, before the write of the row.
//! assert_eq!(shared.inserted.len(), 1);
//! assert_eq!((shared.inserted[0].place.action, shared.inserted[0].saved_bytes), (3, 1024));
//! # Ok::<(), memplan_workgroup::PlanError>(())
//! ```

#![forbid(unsafe_code)]

mod analysis;
mod cliques;
mod control;
mod copies;
mod error;
mod insert;
mod interference;
pub mod interpret;
mod intervals;
mod kernel;
mod needed;
mod options;
mod plan;

pub use analysis::Analysis;
pub use error::{KernelError, PlanError};
pub use insert::{Inserted, insert_barriers};
pub use interference::Interference;
pub use kernel::{
    Action, AsyncCopy, Block, BlockId, Branch, Buffer, BufferId, Extent, GroupId, Kernel, Place,
    Wait,
};
pub use options::Options;
pub use plan::{Plan, plan};
