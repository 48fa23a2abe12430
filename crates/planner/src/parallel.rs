//! Solves several problems in parallel.

use crate::{Options, Outcome, PlanError, Planner, Problem, Watch};
use std::borrow::Borrow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// What became of independent problems.
#[derive(Clone, Debug)]
pub struct Solved {
    /// For each problem its plan, or what [`Planner::solve_with`] returned in place of one.
    pub results: Vec<Result<Outcome, PlanError>>,
    /// The threads that worked on them, with the calling one.
    pub threads: usize,
    /// The threads that the system did not start. The others did their work.
    pub missing: usize,
}

/// Solves independent problems, such as those of several memory spaces, on up to `threads` threads;
/// 0 means 1. The results are in the order of the problems and do not depend on the number of
/// threads. A time limit applies to each problem.
///
/// # Errors
///
/// For each problem those of [`Planner::solve_with`].
pub fn solve_all<P: Borrow<Problem> + Sync>(
    problems: &[P],
    planner: Planner,
    options: &Options,
    threads: usize,
) -> Solved {
    solve_all_watched(problems, planner, options, threads, &[])
}

/// The same, where another thread looks at the problems, each by the watch at its place, and may stop them.
///
/// # Errors
///
/// Those of [`solve_all`].
pub fn solve_all_watched<P: Borrow<Problem> + Sync>(
    problems: &[P],
    planner: Planner,
    options: &Options,
    threads: usize,
    watches: &[Watch],
) -> Solved {
    let wanted = threads.clamp(1, problems.len().max(1));
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let started = thread::scope(|scope| {
        let next = &next;
        let work = move |sender: mpsc::Sender<_>| {
            // Each thread takes the next unclaimed problem, so that none waits for a large one.
            while let Some((index, problem)) = take(problems, next) {
                // The receiver outlives the threads.
                let problem = problem.borrow();
                let solved = match watches.get(index) {
                    Some(watch) => planner.solve_watched(problem, options, watch),
                    None => planner.solve_with(problem, options),
                };
                _ = sender.send((index, solved));
            }
        };
        let mut started = 1;
        while started < wanted {
            let sender = sender.clone();
            let builder = thread::Builder::new();
            if builder.spawn_scoped(scope, move || work(sender)).is_err() {
                break;
            }
            started += 1;
        }
        work(sender);
        started
    });
    let mut solved: Vec<(usize, Result<Outcome, PlanError>)> = receiver.iter().collect();
    solved.sort_unstable_by_key(|&(index, _)| index);
    Solved {
        results: solved.into_iter().map(|(_, outcome)| outcome).collect(),
        threads: started,
        missing: wanted - started,
    }
}

fn take<'a, P>(problems: &'a [P], next: &AtomicUsize) -> Option<(usize, &'a P)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    problems.get(index).map(|problem| (index, problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    #[test]
    fn the_order_is_that_of_the_problems_whatever_the_threads() {
        let problems: Vec<Problem> = (0..20u64)
            .map(|number| {
                let buffers = (0..number).map(|id| Buffer::new(id, 8 + id, [(id, id + 3)]));
                let problem = Problem::new(buffers.collect()).expect("valid");
                // Some do not fit.
                problem.with_capacity(40)
            })
            .collect();
        let solve = |threads| {
            let solved = solve_all(&problems, Planner::Auto, &Options::default(), threads);
            assert_eq!(solved.missing, 0);
            assert_eq!(solved.threads, threads.clamp(1, problems.len()));
            solved.results
        };
        let one = solve(1);
        assert_eq!(one.len(), problems.len());
        assert!(one[3].is_ok() && one[19].is_err());
        for threads in [0, 2, 7, 64] {
            assert_eq!(solve(threads), one);
        }
    }
}
