//! All orders in which threads may count references, by loom. In a folder of its own, as libraries have no hash in
//! their names: `RUSTFLAGS="--cfg loom" cargo test -p memplan-runtime --release --test loom --target-dir target/loom`.

#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread;
use memplan_runtime::count::{Count, Left, Refused};

/// A header with what the region has, which its last reference takes apart, and how often that was done.
struct Header {
    count: Count,
    contents: UnsafeCell<u32>,
    ended: AtomicU32,
}

// SAFETY: loom checks each access to the contents.
unsafe impl Sync for Header {}

impl Header {
    fn new() -> (Arc<Self>, u32) {
        let header = Self {
            count: Count::default(),
            contents: UnsafeCell::new(0),
            ended: AtomicU32::new(0),
        };
        let life = header.count.begin();
        (Arc::new(header), life)
    }

    fn release(&self, life: u32) -> Result<Left, Refused> {
        let left = self.count.release(life)?;
        if left == Left::None {
            // SAFETY: loom checks that nobody else is there.
            self.contents
                .with_mut(|contents| unsafe { *contents = u32::MAX });
            self.ended.fetch_add(1, Relaxed);
        }
        Ok(left)
    }
}

#[test]
fn of_all_that_release_one_ends_the_region() {
    loom::model(|| {
        let (header, life) = Header::new();
        header.count.retain(life).unwrap();
        header.count.retain(life).unwrap();
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let header = header.clone();
                thread::spawn(move || header.release(life).unwrap())
            })
            .collect();
        let mine = header.release(life).unwrap();
        let theirs = threads.into_iter().map(|thread| thread.join().unwrap());
        let ends = theirs.chain([mine]).filter(|left| *left == Left::None);
        assert_eq!(ends.count(), 1);
        assert_eq!(header.ended.load(Relaxed), 1);
        assert!(!header.count.is_alive());
    });
}

#[test]
fn what_a_thread_wrote_is_there_when_another_ends_the_region() {
    loom::model(|| {
        let (header, life) = Header::new();
        header.count.retain(life).unwrap();
        let filler = header.clone();
        let thread = thread::spawn(move || {
            // SAFETY: loom checks that nobody else is there.
            filler
                .contents
                .with_mut(|contents| unsafe { *contents = 1 });
            filler.release(life).unwrap();
        });
        header.release(life).unwrap();
        thread.join().unwrap();
        assert_eq!(header.ended.load(Relaxed), 1);
    });
}

#[test]
fn a_reference_that_is_taken_while_one_is_released_keeps_the_region() {
    loom::model(|| {
        let (header, life) = Header::new();
        header.count.retain(life).unwrap();
        let other = header.clone();
        let thread = thread::spawn(move || {
            other.count.retain(life).unwrap();
            other.release(life).unwrap()
        });
        assert_eq!(header.release(life), Ok(Left::Some));
        assert_eq!(thread.join().unwrap(), Left::Some);
        assert_eq!(header.ended.load(Relaxed), 0);
        assert_eq!(header.count.references(life), Ok(1));
        assert_eq!(header.release(life), Ok(Left::None));
    });
}

#[test]
fn a_double_release_is_told_to_one_of_two() {
    loom::model(|| {
        let (header, life) = Header::new();
        let other = header.clone();
        let thread = thread::spawn(move || other.release(life));
        let results = [header.release(life), thread.join().unwrap()];
        assert!(results.contains(&Ok(Left::None)), "{results:?}");
        assert!(results.contains(&Err(Refused::Over)), "{results:?}");
        assert_eq!(header.ended.load(Relaxed), 1);
    });
}

#[test]
fn a_stale_handle_takes_nothing_from_the_next_life() {
    loom::model(|| {
        let (header, life) = Header::new();
        let stale = header.clone();
        let thread = thread::spawn(move || (stale.count.retain(life), stale.count.release(life)));
        let ended = header.release(life);
        let next = (ended == Ok(Left::None)).then(|| header.count.begin());
        let (retained, released) = thread.join().unwrap();
        match next {
            // The other came first, or not at all; it never counted in the next life.
            Some(next) => assert_eq!(header.count.references(next), Ok(1)),
            // Its reference was the last but one, or it released what was not its own and ended the life.
            None => assert!(retained.is_ok() || released.is_ok()),
        }
        assert!(header.ended.load(Relaxed) <= 1);
    });
}
