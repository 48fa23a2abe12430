//! Reference counts under all interleavings of threads, by loom. It needs a target folder of its own, as libraries
//! have no hash in their names:
//! `RUSTFLAGS="--cfg loom" cargo test -p memplan-runtime --release --test loom --target-dir target/loom`.

#![cfg(loom)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};
use loom::thread;
use memplan_runtime::refcount::{RefCount, RefCountError, Remaining};

/// A header whose contents are destroyed with its last reference. `ended` counts how often that happened.
struct Header {
    count: RefCount,
    contents: UnsafeCell<u32>,
    ended: AtomicU32,
}

// SAFETY: loom checks each access to the contents.
unsafe impl Sync for Header {}

impl Header {
    fn new() -> (Arc<Self>, u32) {
        let header = Self {
            count: RefCount::default(),
            contents: UnsafeCell::new(0),
            ended: AtomicU32::new(0),
        };
        let life = header.count.begin();
        (Arc::new(header), life)
    }

    fn release(&self, life: u32) -> Result<Remaining, RefCountError> {
        let left = self.count.release(life)?;
        if left == Remaining::None {
            // SAFETY: loom checks that no other thread accesses it.
            self.contents
                .with_mut(|contents| unsafe { *contents = u32::MAX });
            self.ended.fetch_add(1, Relaxed);
        }
        Ok(left)
    }
}

#[test]
fn exactly_one_release_ends_the_region() {
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
        let ends = theirs.chain([mine]).filter(|left| *left == Remaining::None);
        assert_eq!(ends.count(), 1);
        assert_eq!(header.ended.load(Relaxed), 1);
        assert!(!header.count.is_alive());
    });
}

#[test]
fn writes_are_visible_to_the_thread_that_ends_the_region() {
    loom::model(|| {
        let (header, life) = Header::new();
        header.count.retain(life).unwrap();
        let filler = header.clone();
        let thread = thread::spawn(move || {
            // SAFETY: loom checks that no other thread accesses it.
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
fn a_retain_during_a_release_keeps_the_region() {
    loom::model(|| {
        let (header, life) = Header::new();
        header.count.retain(life).unwrap();
        let other = header.clone();
        let thread = thread::spawn(move || {
            other.count.retain(life).unwrap();
            other.release(life).unwrap()
        });
        assert_eq!(header.release(life), Ok(Remaining::Some));
        assert_eq!(thread.join().unwrap(), Remaining::Some);
        assert_eq!(header.ended.load(Relaxed), 0);
        assert_eq!(header.count.references(life), Ok(1));
        assert_eq!(header.release(life), Ok(Remaining::None));
    });
}

#[test]
fn one_of_two_double_releases_fails() {
    loom::model(|| {
        let (header, life) = Header::new();
        let other = header.clone();
        let thread = thread::spawn(move || other.release(life));
        let results = [header.release(life), thread.join().unwrap()];
        assert!(results.contains(&Ok(Remaining::None)), "{results:?}");
        assert!(
            results.contains(&Err(RefCountError::Expired)),
            "{results:?}"
        );
        assert_eq!(header.ended.load(Relaxed), 1);
    });
}

#[test]
fn a_stale_handle_does_not_affect_the_next_life() {
    loom::model(|| {
        let (header, life) = Header::new();
        let stale = header.clone();
        let thread = thread::spawn(move || (stale.count.retain(life), stale.count.release(life)));
        let ended = header.release(life);
        let next = (ended == Ok(Remaining::None)).then(|| header.count.begin());
        let (retained, released) = thread.join().unwrap();
        match next {
            // The other thread came first, or failed; it never counted in the next life.
            Some(next) => assert_eq!(header.count.references(next), Ok(1)),
            // The other reference was released after this one, or the stale handle released this one and ended the
            // life.
            None => assert!(retained.is_ok() || released.is_ok()),
        }
        assert!(header.ended.load(Relaxed) <= 1);
    });
}
