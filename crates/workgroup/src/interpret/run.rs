//! How to execute a kernel.

use super::random::Random;

/// Which thread runs next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// Each thread runs as far ahead as it can, the first one first.
    RunAhead,
    /// The same with the last thread first.
    RunAheadReversed,
    /// One action of each thread, in a cycle.
    RoundRobin,
    /// Any thread.
    Random,
    /// This thread runs only when no other one can.
    Lag(usize),
}

/// When asynchronous copies access memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// At their start.
    Early,
    /// When the wait for them is over.
    Late,
    /// Each at a random barrier, or early or late.
    Random,
}

/// How to execute a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The number of threads.
    pub threads: usize,
    /// Which thread runs next.
    pub schedule: Schedule,
    /// When asynchronous copies access memory.
    pub timing: Timing,
    /// After this many executions of a block, threads take the shortest path from it to the end of the kernel.
    pub most_visits: usize,
    /// Decides which bytes are written, and everything random.
    pub seed: u64,
}

/// Decides branches.
pub trait Choices {
    /// The edge to take, below the number of edges.
    fn choose(&mut self, edges: usize) -> usize;
}

impl Choices for Random {
    fn choose(&mut self, edges: usize) -> usize {
        self.below(edges)
    }
}
