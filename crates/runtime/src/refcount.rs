//! The reference count of a region and the generation of its header, in one atomic word.
//!
//! The upper half is the generation: odd while the region is alive, even while the header is free. The lower half
//! counts references. Both change in one atomic step. So exactly one of the threads that release a reference sees
//! that it was the last. And a handle of an earlier life of the header cannot change the count of a later one.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// The last generation in which a region can be alive. A header that has reached it is not used again.
pub const LAST_GENERATION: u32 = (1 << 31) - 1;

/// The most references of a region.
pub const MOST_REFERENCES: u32 = u32::MAX;

/// Why a count was left unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefCountError {
    /// The generation has ended.
    Expired,
    /// The generation has not begun yet.
    NeverBegun,
    /// The count is [`MOST_REFERENCES`].
    TooMany,
}

/// Does a region have references after a release?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remaining {
    /// At least one is left.
    Some,
    /// None is left: the caller, and nobody else, ends the region.
    None,
}

/// Generation and reference count.
#[derive(Debug)]
pub struct RefCount(AtomicU64);

const fn word(generation: u32, references: u32) -> u64 {
    (generation as u64) << 32 | references as u64
}

const fn generation(word: u64) -> u32 {
    (word >> 32) as u32
}

const fn references(word: u64) -> u32 {
    word as u32
}

impl Default for RefCount {
    fn default() -> Self {
        Self(AtomicU64::new(0))
    }
}

impl RefCount {
    /// The current generation, odd if a region is alive.
    #[inline(always)]
    pub fn generation(&self) -> u32 {
        generation(self.0.load(Ordering::Relaxed))
    }

    /// Is a region alive?
    pub fn is_alive(&self) -> bool {
        references(self.0.load(Ordering::Relaxed)) > 0
    }

    /// Starts a new life with one reference, and returns its generation. Nobody else uses the header.
    pub fn begin(&self) -> u32 {
        let begun = generation(self.0.load(Ordering::Relaxed)) + 1;
        // Release: orders the initialization of the header before the count, for threads that got the handle without
        // synchronization.
        self.0.store(word(begun, 1), Ordering::Release);
        begun
    }

    /// Number of references in a generation.
    ///
    /// # Errors
    /// [`RefCountError::Expired`] or [`RefCountError::NeverBegun`].
    pub fn references(&self, life: u32) -> Result<u32, RefCountError> {
        let now = self.0.load(Ordering::Relaxed);
        check(now, life).map(|()| references(now))
    }

    /// Adds a reference.
    ///
    /// # Errors
    /// Any [`RefCountError`].
    pub fn retain(&self, life: u32) -> Result<(), RefCountError> {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            check(now, life)?;
            if references(now) == MOST_REFERENCES {
                return Err(RefCountError::TooMany);
            }
            match self
                .0
                .compare_exchange_weak(now, now + 1, Ordering::Relaxed, Ordering::Relaxed)
            {
                Ok(_) => return Ok(()),
                Err(seen) => now = seen,
            }
        }
    }

    /// Releases a reference.
    ///
    /// # Errors
    /// [`RefCountError::Expired`] or [`RefCountError::NeverBegun`].
    pub fn release(&self, life: u32) -> Result<Remaining, RefCountError> {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            check(now, life)?;
            let (next, left) = match references(now) {
                1 => (word(generation(now) + 1, 0), Remaining::None),
                _ => (now - 1, Remaining::Some),
            };
            // Release: the thread that ends the region sees all writes that were made with this reference. Acquire:
            // this thread sees those of the others, if it ends the region.
            match self
                .0
                .compare_exchange_weak(now, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return Ok(left),
                Err(seen) => now = seen,
            }
        }
    }
}

fn check(now: u64, life: u32) -> Result<(), RefCountError> {
    if generation(now) == life && references(now) > 0 {
        Ok(())
    } else if life % 2 == 1 && life < generation(now) {
        Err(RefCountError::Expired)
    } else {
        Err(RefCountError::NeverBegun)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_life_begins_and_ends() {
        let count = RefCount::default();
        let life = count.begin();
        assert_eq!(count.retain(life), Ok(()));
        assert_eq!(count.references(life), Ok(2));
        assert_eq!(count.release(life), Ok(Remaining::Some));
        assert_eq!(count.release(life), Ok(Remaining::None));
        assert!(!count.is_alive());
        assert_eq!(count.release(life), Err(RefCountError::Expired));
        let next = count.begin();
        assert_eq!(count.retain(life), Err(RefCountError::Expired));
        assert_eq!(count.references(next), Ok(1));
    }

    #[test]
    fn generations_that_never_began_are_errors() {
        let count = RefCount::default();
        assert_eq!(count.retain(0), Err(RefCountError::NeverBegun));
        assert_eq!(count.retain(1), Err(RefCountError::NeverBegun));
        let life = count.begin();
        assert_eq!(count.retain(life + 2), Err(RefCountError::NeverBegun));
        assert_eq!(count.release(life), Ok(Remaining::None));
        // An even number is no life, even while it is the header's generation.
        assert_eq!(count.retain(life + 1), Err(RefCountError::NeverBegun));
    }

    #[test]
    fn references_do_not_wrap() {
        let count = RefCount(AtomicU64::new(word(1, MOST_REFERENCES)));
        assert_eq!(count.retain(1), Err(RefCountError::TooMany));
        assert_eq!(count.references(1), Ok(MOST_REFERENCES));
    }
}
