//! How often a region is referenced, and which life of its header that is, in one word.
//!
//! The upper half is the generation: odd while the region is alive, even while the header is free. The lower half
//! counts references. As both change in one step, of all threads that release one sees the last reference go, and a
//! handle of an earlier life takes nothing from a later one.

#[cfg(loom)]
use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicU64, Ordering};

/// The last generation in which a region can be alive. A header that has reached it is not used again.
pub const LAST_GENERATION: u32 = (1 << 31) - 1;

/// The most references to a region.
pub const MOST_REFERENCES: u32 = u32::MAX;

/// Why a count was left as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The generation is over.
    Over,
    /// The generation has not been yet.
    Never,
    /// There are [`MOST_REFERENCES`].
    TooMany,
}

/// Whether references are left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Left {
    /// At least one.
    Some,
    /// None: the caller, and nobody else, ends the region.
    None,
}

/// Generation and references.
#[derive(Debug)]
pub struct Count(AtomicU64);

const fn word(generation: u32, references: u32) -> u64 {
    (generation as u64) << 32 | references as u64
}

const fn generation(word: u64) -> u32 {
    (word >> 32) as u32
}

const fn references(word: u64) -> u32 {
    word as u32
}

impl Default for Count {
    fn default() -> Self {
        Self(AtomicU64::new(0))
    }
}

impl Count {
    /// The generation, alive or not.
    #[inline(always)]
    pub fn generation(&self) -> u32 {
        generation(self.0.load(Ordering::Relaxed))
    }

    /// Whether a region is alive.
    pub fn is_alive(&self) -> bool {
        references(self.0.load(Ordering::Relaxed)) > 0
    }

    /// Begins a life with one reference, and gives its generation. The caller alone has the header.
    pub fn begin(&self) -> u32 {
        let begun = generation(self.0.load(Ordering::Relaxed)) + 1;
        // Behind all that made the header new, for whoever asks with a handle that got here without order.
        self.0.store(word(begun, 1), Ordering::Release);
        begun
    }

    /// How many references that life has.
    ///
    /// # Errors
    /// It is over, or has not been.
    pub fn references(&self, life: u32) -> Result<u32, Refused> {
        let now = self.0.load(Ordering::Relaxed);
        check(now, life).map(|()| references(now))
    }

    /// Adds a reference.
    ///
    /// # Errors
    /// That life is over, or has not been, or there are too many.
    pub fn retain(&self, life: u32) -> Result<(), Refused> {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            check(now, life)?;
            if references(now) == MOST_REFERENCES {
                return Err(Refused::TooMany);
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

    /// Takes a reference away.
    ///
    /// # Errors
    /// That life is over, or has not been.
    pub fn release(&self, life: u32) -> Result<Left, Refused> {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            check(now, life)?;
            let (next, left) = match references(now) {
                1 => (word(generation(now) + 1, 0), Left::None),
                _ => (now - 1, Left::Some),
            };
            // Release: what was written with this reference is there for whoever ends the region. Acquire: for us.
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

fn check(now: u64, life: u32) -> Result<(), Refused> {
    if generation(now) == life && references(now) > 0 {
        Ok(())
    } else if life % 2 == 1 && life < generation(now) {
        Err(Refused::Over)
    } else {
        Err(Refused::Never)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_life_begins_and_ends() {
        let count = Count::default();
        let life = count.begin();
        assert_eq!(count.retain(life), Ok(()));
        assert_eq!(count.references(life), Ok(2));
        assert_eq!(count.release(life), Ok(Left::Some));
        assert_eq!(count.release(life), Ok(Left::None));
        assert!(!count.is_alive());
        assert_eq!(count.release(life), Err(Refused::Over));
        let next = count.begin();
        assert_eq!(count.retain(life), Err(Refused::Over));
        assert_eq!(count.references(next), Ok(1));
    }

    #[test]
    fn generations_that_have_not_been_are_told() {
        let count = Count::default();
        assert_eq!(count.retain(0), Err(Refused::Never));
        assert_eq!(count.retain(1), Err(Refused::Never));
        let life = count.begin();
        assert_eq!(count.retain(life + 2), Err(Refused::Never));
        assert_eq!(count.release(life), Ok(Left::None));
        // An even number is of no life, though it is the header's own now.
        assert_eq!(count.retain(life + 1), Err(Refused::Never));
    }

    #[test]
    fn references_do_not_wrap() {
        let count = Count(AtomicU64::new(word(1, MOST_REFERENCES)));
        assert_eq!(count.retain(1), Err(Refused::TooMany));
        assert_eq!(count.references(1), Ok(MOST_REFERENCES));
    }
}
