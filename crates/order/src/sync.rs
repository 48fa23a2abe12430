//! Locks, of the standard library or of the model checker. A lock that somebody held while it panicked is taken all the same:
//! a flow changes in steps after each of which it is whole.

#[cfg(loom)]
use loom::sync as given;
#[cfg(not(loom))]
use std::sync as given;

use std::sync::PoisonError;

/// What may be held by one thread at a time.
pub type Held<'a, T> = given::MutexGuard<'a, T>;

/// A lock with something in it.
#[derive(Debug)]
pub struct Lock<T>(given::Mutex<T>);

impl<T> Lock<T> {
    /// A lock with `inner` in it.
    pub fn new(inner: T) -> Self {
        Self(given::Mutex::new(inner))
    }

    /// Waits for it.
    pub fn hold(&self) -> Held<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where threads wait until something has changed.
#[derive(Debug)]
pub struct Bell(given::Condvar);

impl Bell {
    /// One that nobody waits at.
    pub fn new() -> Self {
        Self(given::Condvar::new())
    }

    /// Waits, with the lock let go.
    pub fn wait<'a, T>(&self, held: Held<'a, T>) -> Held<'a, T> {
        self.0.wait(held).unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes one who waits.
    pub fn ring(&self) {
        self.0.notify_one();
    }

    /// Wakes all who wait.
    pub fn ring_all(&self) {
        self.0.notify_all();
    }
}
