//! Many executions of a kernel.

use super::fault::Fault;
use super::machine::interpret;
use super::random::Random;
use super::run::{Choices, Run, Schedule, Timing};
use crate::{BufferId, Kernel};
use memplan_flow::PrimaryMap;

const TIMINGS: [Timing; 3] = [Timing::Early, Timing::Late, Timing::Random];

/// Executes a kernel by 2 to 8 threads, with different schedules and branches, which depend on the seed. Returns the first
/// fault.
///
/// # Panics
/// As [`interpret`].
pub fn find_fault(
    kernel: &Kernel,
    offsets: &PrimaryMap<BufferId, u64>,
    runs: usize,
    seed: u64,
) -> Option<Fault> {
    let mut random = Random::new(seed);
    (0..runs).find_map(|number| {
        let threads = [2, 3, 4, 8][random.below(4)];
        let schedule = match number % 5 {
            0 => Schedule::RunAhead,
            1 => Schedule::Lag(random.below(threads)),
            2 => Schedule::Random,
            3 => Schedule::RoundRobin,
            _ => Schedule::RunAheadReversed,
        };
        let run = Run {
            threads,
            schedule,
            timing: TIMINGS[random.below(3)],
            most_visits: 1 + random.below(6),
            seed: random.number(),
        };
        interpret(kernel, offsets, &run, &mut random).err()
    })
}

/// How much of a kernel was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Coverage {
    /// An execution had a fault.
    Fault(Fault),
    /// All paths of two threads were executed, and had no fault.
    All,
    /// More paths are left.
    Some,
}

/// Executes a kernel by two threads on all paths that leave no block more than `most_visits` times by choice, for a seed
/// that decides which bytes are written. It stops after `most_runs` paths.
///
/// # Panics
/// As [`interpret`].
pub fn try_all_paths(
    kernel: &Kernel,
    offsets: &PrimaryMap<BufferId, u64>,
    most_visits: usize,
    most_runs: usize,
    seed: u64,
) -> Coverage {
    let mut path = Path::default();
    // One schedule suffices for all paths: it decides when branches are taken, and races do not depend on it.
    let run = Run {
        threads: 2,
        schedule: Schedule::RoundRobin,
        timing: TIMINGS[(seed % 3) as usize],
        most_visits,
        seed,
    };
    for _ in 0..most_runs {
        path.position = 0;
        if let Err(fault) = interpret(kernel, offsets, &run, &mut path) {
            return Coverage::Fault(fault);
        }
        if !path.advance() {
            return Coverage::All;
        }
    }
    Coverage::Some
}

/// Decisions so far, as digits of a number that is counted up. The first digit is the most significant one.
#[derive(Default)]
struct Path {
    /// The decision and the number of edges.
    digits: Vec<(usize, usize)>,
    position: usize,
}

impl Path {
    /// The next path; false after the last one.
    fn advance(&mut self) -> bool {
        self.digits.truncate(self.position);
        while let Some((digit, edges)) = self.digits.last_mut() {
            *digit += 1;
            if digit < edges {
                return true;
            }
            self.digits.pop();
        }
        false
    }
}

impl Choices for Path {
    fn choose(&mut self, edges: usize) -> usize {
        if self.position == self.digits.len() {
            self.digits.push((0, edges));
        }
        self.position += 1;
        self.digits[self.position - 1].0
    }
}
