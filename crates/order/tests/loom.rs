//! Model checking of all interleavings of lock and wait operations, with loom and a bounded number of preemptions.
//! It needs a target folder of its own, as libraries have no hash in their names: `RUSTFLAGS="--cfg loom" cargo
//! test -p memplan-order --release --test loom --target-dir target/loom -- --test-threads 1`.
//!
//! Loom reports a thread that waits forever as a deadlock.

#![cfg(loom)]

use loom::sync::Arc;
use loom::thread::{self, JoinHandle};
use memplan_order::{Abandoned, Flow};

type Units = Arc<Flow<u32, u32>>;

/// How many preemptions more than by default the environment asks for.
fn more_preemptions() -> usize {
    let given = std::env::var("MEMPLAN_MORE_PREEMPTIONS");
    given.map_or(0, |number| number.parse().expect("a number"))
}

/// Checks `run` on a new flow, in all interleavings with at most so many preemptions, plus those of the environment.
fn model(preemptions: usize, window: usize, run: impl Fn(&Units) + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions + more_preemptions());
    builder.check(move || run(&Arc::new(Flow::new(window))));
}

/// Adds the units 0, 1, … and closes the flow.
fn produce(flow: &Units, units: u32) -> Result<(), Abandoned> {
    (0..units).try_for_each(|unit| flow.push(unit))?;
    flow.close();
    Ok(())
}

fn producer(flow: &Units, units: u32) -> JoinHandle<Result<(), Abandoned>> {
    let flow = flow.clone();
    thread::spawn(move || produce(&flow, units))
}

/// Works until nothing is left. `split` returns the parts of a unit that is split. Returns the units with results.
fn work(flow: &Units, split: impl Fn(u32) -> Option<Vec<u32>>) -> Vec<u32> {
    let mut took = Vec::new();
    while let Some((ticket, unit)) = flow.next() {
        if let Some(parts) = split(unit) {
            assert_eq!(ticket.unit(), unit as usize);
            ticket.split(parts);
        } else {
            took.push(unit);
            ticket.done(unit);
        }
    }
    took
}

fn worker(flow: &Units, split: fn(u32) -> Option<Vec<u32>>) -> JoinHandle<Vec<u32>> {
    let flow = flow.clone();
    thread::spawn(move || work(&flow, split))
}

fn whole(_: u32) -> Option<Vec<u32>> {
    None
}

/// Splits unit 1 into 10 and 11.
fn second_in_two(unit: u32) -> Option<Vec<u32>> {
    (unit == 1).then(|| vec![10, 11])
}

/// Everything that the writer takes.
fn written(flow: &Units) -> Vec<Vec<u32>> {
    std::iter::from_fn(|| flow.take()).collect()
}

/// The units for which the workers had results, sorted.
fn worked(workers: impl IntoIterator<Item = JoinHandle<Vec<u32>>>) -> Vec<u32> {
    let mut all: Vec<u32> = workers
        .into_iter()
        .flat_map(|worker| worker.join().unwrap())
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn units_are_written_in_order_and_worked_on_once() {
    model(3, 3, |flow| {
        let workers = [worker(flow, whole), worker(flow, whole)];
        assert_eq!(produce(flow, 3), Ok(()));
        assert_eq!(written(flow), [[0], [1], [2]]);
        assert_eq!(worked(workers), [0, 1, 2]);
        assert!(!flow.is_abandoned());
    });
}

#[test]
fn parts_are_written_in_the_place_of_their_unit() {
    model(1, 2, |flow| {
        let producer = producer(flow, 3);
        let workers = [worker(flow, second_in_two), worker(flow, second_in_two)];
        assert_eq!(written(flow), [vec![0], vec![10, 11], vec![2]]);
        assert_eq!(producer.join().unwrap(), Ok(()));
        assert_eq!(worked(workers), [0, 2, 10, 11]);
    });
}

#[test]
fn a_window_of_one_is_enough() {
    model(2, 1, |flow| {
        let producer = producer(flow, 2);
        let workers = [worker(flow, second_in_two), worker(flow, second_in_two)];
        assert_eq!(written(flow), [vec![0], vec![10, 11]]);
        assert_eq!(producer.join().unwrap(), Ok(()));
        assert_eq!(worked(workers), [0, 10, 11]);
    });
}

#[test]
fn one_worker_is_enough() {
    model(3, 1, |flow| {
        let producer = producer(flow, 3);
        let workers = [worker(flow, second_in_two)];
        assert_eq!(written(flow), [vec![0], vec![10, 11], vec![2]]);
        assert_eq!(producer.join().unwrap(), Ok(()));
        assert_eq!(worked(workers), [0, 2, 10, 11]);
    });
}

#[test]
fn a_unit_of_no_parts_has_no_results() {
    model(3, 2, |flow| {
        let producer = producer(flow, 2);
        let workers = [worker(flow, |unit| (unit == 1).then(Vec::new))];
        assert_eq!(written(flow), [vec![0], vec![]]);
        assert_eq!(producer.join().unwrap(), Ok(()));
        assert_eq!(worked(workers), [0]);
    });
}

#[test]
fn workers_wait_for_parts_of_a_unit_that_another_worker_holds() {
    model(3, 1, |flow| {
        flow.push(1).unwrap();
        flow.close();
        let (ticket, _) = flow.next().unwrap();
        let workers = [worker(flow, whole), worker(flow, whole)];
        // This thread does no work: if a worker had ended by now, nobody else could.
        ticket.split(vec![10, 11]);
        assert_eq!(written(flow), [[10, 11]]);
        assert_eq!(worked(workers), [10, 11]);
    });
}

#[test]
fn workers_that_wait_for_parts_end_when_none_come() {
    for empty in [true, false] {
        model(3, 1, move |flow| {
            flow.push(1).unwrap();
            flow.close();
            let (ticket, unit) = flow.next().unwrap();
            let workers = [worker(flow, whole), worker(flow, whole)];
            if empty {
                ticket.split(Vec::new());
            } else {
                ticket.done(unit);
            }
            assert_eq!(worked(workers), []);
            assert_eq!(written(flow).concat().is_empty(), empty);
        });
    }
}

#[test]
fn close_ends_all_that_wait() {
    model(3, 1, |flow| {
        let workers = [worker(flow, whole), worker(flow, whole)];
        let producer = producer(flow, 0);
        assert!(written(flow).is_empty());
        assert_eq!(producer.join().unwrap(), Ok(()));
        assert_eq!(worked(workers), []);
    });
}

#[test]
fn units_pushed_before_close_are_not_lost() {
    model(3, 1, |flow| {
        let workers = [worker(flow, whole), worker(flow, whole)];
        assert_eq!(produce(flow, 1), Ok(()));
        assert_eq!(written(flow), [[0]]);
        assert_eq!(worked(workers), [0]);
    });
}

#[test]
fn a_ticket_that_is_dropped_ends_all_waits() {
    model(2, 1, |flow| {
        let producer = producer(flow, 2);
        let honest = worker(flow, whole);
        let other = flow.clone();
        let dropper = thread::spawn(move || other.next().map(|(ticket, _)| drop(ticket)));
        let written = written(flow);
        let dropped = dropper.join().unwrap().is_some();
        assert_eq!(flow.is_abandoned(), dropped);
        assert!(producer.join().unwrap().is_ok() || dropped);
        let worked = honest.join().unwrap();
        // The first units were written, in order; all of them if no ticket was dropped.
        assert!(
            written
                .iter()
                .flatten()
                .copied()
                .eq(0..written.len() as u32)
        );
        assert!(written.len() <= worked.len());
        assert!(dropped || written.len() == 2);
    });
}

#[test]
fn the_writer_ends_all_waits() {
    model(2, 1, |flow| {
        let producer = producer(flow, 3);
        let workers = [worker(flow, second_in_two), worker(flow, second_in_two)];
        assert_eq!(flow.take(), Some(vec![0]));
        flow.abandon();
        assert_eq!(flow.take(), None);
        // With a window of one, the third unit cannot have been added.
        assert_eq!(producer.join().unwrap(), Err(Abandoned));
        let worked = worked(workers);
        assert!([0, 10, 11].starts_with(&worked));
        assert!(flow.next().is_none());
    });
}
