//! The flow with real threads.

#![cfg(not(loom))]

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use memplan_order::{Abandoned, Flow};
use proptest::prelude::*;

/// A value that counts its live instances.
struct Counted<T> {
    value: T,
    live: Arc<AtomicUsize>,
}

impl<T> Counted<T> {
    /// A new value, and the number of live ones with it.
    fn new(value: T, live: &Arc<AtomicUsize>) -> (Self, usize) {
        let now = live.fetch_add(1, SeqCst) + 1;
        let live = live.clone();
        (Self { value, live }, now)
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        self.live.fetch_sub(1, SeqCst);
    }
}

/// The work on one unit.
#[derive(Clone, Debug)]
struct Plan {
    /// The number of parts that it is split into, if any.
    parts: Option<usize>,
    /// The time that the unit and each part take, in microseconds.
    takes: u64,
}

/// The input of a worker: the unit, and its part.
type Task = (usize, Option<usize>);

fn plans() -> impl Strategy<Value = Vec<Plan>> {
    let parts = prop_oneof![2 => Just(None), 1 => (0..5_usize).prop_map(Some)];
    let takes = prop_oneof![2 => Just(0), 1 => 0..300_u64];
    let plan = (parts, takes).prop_map(|(parts, takes)| Plan { parts, takes });
    prop::collection::vec(plan, 0..40)
}

fn pause(micros: u64) {
    if micros > 0 {
        thread::sleep(Duration::from_micros(micros));
    }
}

/// The output for these plans, and the maximum number of units in flight.
fn run(plans: &[Plan], workers: usize, window: usize) -> (Vec<Vec<Task>>, usize) {
    let flow: Flow<Task, Task> = Flow::new(window);
    let pushed = AtomicUsize::new(0);
    let mut most = 0;
    let mut written = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            let _guard = flow.guard();
            for unit in 0..plans.len() {
                flow.push((unit, None)).unwrap();
                pushed.store(unit + 1, SeqCst);
            }
            flow.close();
        });
        for _ in 0..workers {
            scope.spawn(|| {
                let _guard = flow.guard();
                while let Some((ticket, (unit, part))) = flow.next() {
                    assert_eq!(ticket.unit(), unit);
                    assert_eq!(ticket.part(), part.unwrap_or(0));
                    let plan = &plans[unit];
                    pause(plan.takes);
                    match plan.parts {
                        Some(parts) if part.is_none() => {
                            ticket.split((0..parts).map(|part| (unit, Some(part))).collect());
                        }
                        _ => ticket.done((unit, part)),
                    }
                }
            });
        }
        let _guard = flow.guard();
        loop {
            // Nothing is taken between these two lines. The unit added last may not be counted yet.
            let in_flight = pushed.load(SeqCst).saturating_sub(written.len());
            most = most.max(in_flight);
            let Some(results) = flow.take() else { break };
            written.push(results);
        }
    });
    (written, most)
}

/// The expected output for these plans.
fn expected(plans: &[Plan]) -> Vec<Vec<Task>> {
    let of = |(unit, plan): (usize, &Plan)| match plan.parts {
        None => vec![(unit, None)],
        Some(parts) => (0..parts).map(|part| (unit, Some(part))).collect(),
    };
    plans.iter().enumerate().map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_order_does_not_depend_on_workers_or_window(
        plans in plans(),
        workers in 1..=8_usize,
        window in 0..10_usize,
    ) {
        let (written, most) = run(&plans, workers, window);
        prop_assert_eq!(written, expected(&plans));
        prop_assert!(most <= window.max(1));
    }

    #[test]
    fn all_values_are_dropped_once_whenever_it_is_abandoned(
        units in 0..20_usize,
        workers in 1..=4_usize,
        window in 1..5_usize,
        written in 0..20_usize,
    ) {
        let live = Arc::new(AtomicUsize::new(0));
        let flow = Flow::new(window);
        thread::scope(|scope| {
            scope.spawn(|| {
                let _guard = flow.guard();
                for unit in 0..units {
                    let (unit, now) = Counted::new(unit, &live);
                    // Two more: one that the producer holds, and one that the writer holds.
                    assert!(now <= window + 2);
                    if flow.push(unit).is_err() {
                        return;
                    }
                }
                flow.close();
            });
            for _ in 0..workers {
                scope.spawn(|| {
                    while let Some((ticket, unit)) = flow.next() {
                        ticket.done(unit);
                    }
                });
            }
            let _guard = flow.guard();
            for next in 0..written {
                let Some(results) = flow.take() else { break };
                assert_eq!(results[0].value, next);
            }
            flow.abandon();
        });
        assert_eq!(flow.push(Counted::new(0, &live).0), Err(Abandoned));
        drop(flow);
        prop_assert_eq!(live.load(SeqCst), 0);
    }
}

#[test]
fn the_producer_waits_at_a_full_window() {
    for window in [0, 1, 3] {
        let flow: Flow<usize, usize> = Flow::new(window);
        let window = window.max(1);
        let pushed = AtomicUsize::new(0);
        thread::scope(|scope| {
            scope.spawn(|| {
                for unit in 0..window + 2 {
                    if flow.push(unit).is_err() {
                        return;
                    }
                    pushed.fetch_add(1, SeqCst);
                }
            });
            let _guard = flow.guard();
            for taken in 0..3 {
                while pushed.load(SeqCst) < window + taken.min(2) {
                    thread::yield_now();
                }
                thread::sleep(Duration::from_millis(20));
                assert_eq!(pushed.load(SeqCst), window + taken.min(2));
                // A result alone does not advance the window: the writer has to take it.
                let (ticket, unit) = flow.next().unwrap();
                ticket.done(unit);
                thread::sleep(Duration::from_millis(20));
                assert_eq!(pushed.load(SeqCst), window + taken.min(2));
                assert_eq!(flow.take(), Some(vec![taken]));
            }
            flow.abandon();
        });
    }
}

#[test]
fn parts_go_before_newer_units() {
    let flow: Flow<u32, u32> = Flow::new(3);
    for unit in [1, 2, 3] {
        flow.push(unit).unwrap();
    }
    flow.close();
    let (first, _) = flow.next().unwrap();
    let (second, _) = flow.next().unwrap();
    second.split(vec![20, 21]);
    first.split(vec![10, 11]);
    let mut took = Vec::new();
    while let Some((ticket, unit)) = flow.next() {
        took.push((ticket.unit(), ticket.part(), unit));
        ticket.done(unit);
    }
    assert_eq!(
        took,
        [(0, 0, 10), (0, 1, 11), (1, 0, 20), (1, 1, 21), (2, 0, 3)]
    );
    let written: Vec<_> = std::iter::from_fn(|| flow.take()).collect();
    assert_eq!(written, [vec![10, 11], vec![20, 21], vec![3]]);
}

#[test]
fn nothing_is_taken_from_an_abandoned_flow() {
    let flow: Flow<u32, u32> = Flow::new(3);
    flow.push(1).unwrap();
    flow.push(2).unwrap();
    let (ticket, unit) = flow.next().unwrap();
    ticket.done(unit);
    assert!(!flow.is_abandoned());
    let (ticket, _) = flow.next().unwrap();
    flow.abandon();
    // A late result is neither taken nor an error.
    ticket.split(vec![3, 4]);
    assert!(flow.is_abandoned());
    assert_eq!(flow.take(), None);
    assert!(flow.next().is_none());
    assert_eq!(flow.push(5), Err(Abandoned));
}

#[test]
fn splitting_a_part_panics_and_abandons() {
    let flow: Flow<u32, u32> = Flow::new(1);
    flow.push(1).unwrap();
    flow.next().unwrap().0.split(vec![2]);
    let (ticket, _) = flow.next().unwrap();
    let split = catch_unwind(AssertUnwindSafe(|| ticket.split(vec![3])));
    assert!(split.is_err());
    assert!(flow.is_abandoned());
}

#[test]
fn a_unit_after_the_last_panics_and_nothing_else_does() {
    let flow: Flow<u32, u32> = Flow::new(2);
    flow.push(1).unwrap();
    flow.close();
    let after = catch_unwind(AssertUnwindSafe(|| flow.push(2)));
    assert!(after.is_err());
    let (ticket, unit) = flow.next().unwrap();
    ticket.done(unit);
    assert_eq!(flow.take(), Some(vec![1]));
    assert_eq!(flow.take(), None);
    assert!(!flow.is_abandoned());
}

#[test]
fn a_thread_that_ends_well_abandons_nothing() {
    let flow: Flow<u32, u32> = Flow::new(1);
    drop(flow.guard());
    assert!(!flow.is_abandoned());
}

/// The thread that panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Producer,
    /// A worker that holds a ticket, and no guard.
    Worker,
    /// A worker that holds a guard, and no ticket.
    IdleWorker,
    Writer,
}

/// The number of units written until the panic of `role` at unit `at` ended all threads.
fn written_until_panic(role: Role, at: usize, workers: usize) -> usize {
    let flow = Flow::new(2);
    // No panic message: the panic is intended.
    let panics = |who: Role, unit: usize| {
        if who == role && unit == at {
            resume_unwind(Box::new(()));
        }
    };
    let start = Barrier::new(workers + 2);
    let mut written = 0;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        thread::scope(|scope| {
            scope.spawn(|| {
                let _guard = flow.guard();
                start.wait();
                // Nobody closes the flow: only the panic ends the wait.
                for unit in 0.. {
                    panics(Role::Producer, unit);
                    if flow.push(unit).is_err() {
                        return;
                    }
                }
            });
            for _ in 0..workers {
                scope.spawn(|| {
                    let guard = (role == Role::IdleWorker).then(|| flow.guard());
                    start.wait();
                    while let Some((ticket, unit)) = flow.next() {
                        panics(Role::Worker, unit);
                        ticket.done(unit);
                        panics(Role::IdleWorker, unit);
                    }
                    drop(guard);
                });
            }
            let _guard = flow.guard();
            start.wait();
            while let Some(results) = flow.take() {
                assert_eq!(results, [written]);
                panics(Role::Writer, written);
                written += 1;
            }
        });
    }));
    assert!(ended.is_err());
    assert!(flow.is_abandoned());
    written
}

#[test]
fn a_panic_in_any_role_ends_all_threads() {
    for role in [Role::Producer, Role::Worker, Role::IdleWorker, Role::Writer] {
        for workers in [1, 2, 8] {
            for at in [0, 1, 7] {
                let written = written_until_panic(role, at, workers);
                match role {
                    Role::Producer | Role::Worker => assert!(written <= at),
                    // Other threads may continue as far as the window allows, until they see the panic.
                    Role::IdleWorker => {}
                    Role::Writer => assert_eq!(written, at),
                }
            }
        }
    }
}
