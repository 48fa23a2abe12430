//! Regions that several threads share.

use std::sync::Barrier;
use std::thread;

use memplan_runtime::{Error, Region, statistics};

const THREADS: usize = 4;

/// All threads retain and release one region concurrently, and fill it alternately.
#[test]
fn threads_fill_alternately_and_count_concurrently() {
    let barrier = Barrier::new(THREADS);
    let region = Region::new().unwrap();
    let handle = region.handle();
    let shared: Vec<_> = (0..THREADS).map(|_| region.retain().unwrap()).collect();
    thread::scope(|scope| {
        for (number, mine) in shared.into_iter().enumerate() {
            let barrier = &barrier;
            scope.spawn(move || {
                for iteration in 0..200 {
                    let more: Vec<_> = (0..10).map(|_| mine.retain().unwrap()).collect();
                    if iteration % THREADS == number {
                        // SAFETY: the other threads wait.
                        let memory = unsafe { mine.allocate(1000, 64) }.unwrap();
                        // SAFETY: so many bytes were allocated.
                        unsafe { memory.write_bytes(number as u8, 1000) };
                    }
                    drop(more);
                    barrier.wait();
                }
            });
        }
    });
    let usage = region.statistics();
    assert_eq!((usage.references, usage.allocations), (1, 200));
    drop(region);
    // SAFETY: the memory is never used; the handle is not a reference.
    let stale = std::mem::ManuallyDrop::new(unsafe { Region::from_handle(handle) });
    assert_eq!(stale.retain().err(), Some(Error::Freed));
}

/// One thread makes regions, a second fills them, a third releases them. So blocks and headers change threads.
#[test]
fn a_region_of_one_thread_is_freed_by_another() {
    let (made, to_fill) = std::sync::mpsc::sync_channel::<Region>(16);
    let (filled, to_free) = std::sync::mpsc::sync_channel::<Region>(16);
    thread::scope(|scope| {
        scope.spawn(move || {
            for _ in 0..20_000 {
                made.send(Region::new().unwrap()).unwrap();
            }
        });
        scope.spawn(move || {
            for (iteration, region) in to_fill.into_iter().enumerate() {
                for size in [100, 3000, 20_000] {
                    // SAFETY: only this thread has the region.
                    let memory = unsafe { region.allocate(size, 16) }.unwrap();
                    // SAFETY: so many bytes were allocated.
                    unsafe { memory.write_bytes(iteration as u8, size as usize) };
                }
                filled.send(region).unwrap();
            }
        });
        scope.spawn(move || to_free.into_iter().for_each(drop));
    });
    // The threads have ended, so their caches are freed; this thread and others of this file cache little.
    assert!(statistics::process().held_bytes <= 64 << 20);
}

/// Two threads try to close a cycle from both sides: one of them fails.
#[test]
fn a_cycle_closed_by_two_threads_is_an_error() {
    for _ in 0..500 {
        let (one, two) = (Region::new().unwrap(), Region::new().unwrap());
        let barrier = Barrier::new(2);
        let refer = |child: i64, parent: i64| {
            // SAFETY: both are alive until the threads end, and only one thread fills each child.
            let (child, parent) =
                unsafe { (Region::from_handle(child), Region::from_handle(parent)) };
            barrier.wait();
            // SAFETY: as above.
            let result = unsafe { child.refer(&parent) };
            let _ = (child.into_handle(), parent.into_handle());
            result
        };
        let (first, second) = (one.handle(), two.handle());
        let results = thread::scope(|scope| {
            let other = scope.spawn(|| refer(second, first));
            [refer(first, second), other.join().unwrap()]
        });
        assert!(results.contains(&Ok(())), "{results:?}");
        assert!(results.contains(&Err(Error::Cycle)), "{results:?}");
    }
}
