//! What an execution finds.

use crate::{BufferId, Place};
use thiserror::Error;

/// An access to a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The thread.
    pub thread: usize,
    /// The buffer for which it accesses the byte.
    pub buffer: BufferId,
    /// The action.
    pub place: Place,
    /// Whether it writes.
    pub is_write: bool,
}

/// What goes wrong in an execution.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// No barrier separates two accesses for different buffers.
    #[error(
        "byte {byte}: thread {} accesses it for buffer {} and thread {} for buffer {} in one barrier interval",
        first.thread, first.buffer.0, second.thread, second.buffer.0
    )]
    Race {
        /// The offset of the byte.
        byte: u64,
        /// The access that was executed first.
        first: Access,
        /// The other access.
        second: Access,
    },
    /// A read finds bytes of another buffer.
    #[error("byte {byte}: thread {} reads buffer {}, whose contents were overwritten", read.thread, read.buffer.0)]
    Lost {
        /// The offset of the byte.
        byte: u64,
        /// The read.
        read: Access,
    },
    /// A thread waits at a barrier that another thread does not execute.
    #[error("a thread waits at action {} of block {} for threads that do not come", place.action, place.block.0)]
    Barrier {
        /// The barrier.
        place: Place,
    },
}
