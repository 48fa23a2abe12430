#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::state::State;
use crate::{Guard, Ticket, told};
use std::ops::{Deref, DerefMut};

/// Someone failed for good, and nothing more is worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the work was abandoned")]
pub struct Abandoned;

/// Units on their way from one producer over workers to one writer.
///
/// Values are neither made nor dropped while its lock is held, but for those left when the flow itself goes.
#[derive(Debug)]
pub struct Flow<In, Out> {
    state: Mutex<State<In, Out>>,
    window: usize,
    /// The producer waits here for room.
    room: Condvar,
    /// Workers wait here for units and parts.
    work: Condvar,
    /// The writer waits here for the next unit in order.
    done: Condvar,
}

/// The state, for one thread alone.
struct Locked<'flow, In, Out>(Option<MutexGuard<'flow, State<In, Out>>>);

impl<'flow, In, Out> Locked<'flow, In, Out> {
    fn new(guard: MutexGuard<'flow, State<In, Out>>) -> Self {
        told::after(&raw const *guard);
        Self(Some(guard))
    }

    fn wait(mut self, on: &Condvar) -> Self {
        let guard = self
            .0
            .take()
            .expect("it is given up only here, and at the end");
        told::before(&raw const *guard);
        Self::new(on.wait(guard).unwrap_or_else(PoisonError::into_inner))
    }
}

impl<In, Out> Deref for Locked<'_, In, Out> {
    type Target = State<In, Out>;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref().expect("it is given up only by waiting")
    }
}

impl<In, Out> DerefMut for Locked<'_, In, Out> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.0.as_mut().expect("it is given up only by waiting")
    }
}

impl<In, Out> Drop for Locked<'_, In, Out> {
    fn drop(&mut self) {
        if let Some(guard) = &self.0 {
            told::before(&raw const **guard);
        }
    }
}

impl<In, Out> Flow<In, Out> {
    /// A flow with at most `window` units, though at least one, from the one that the writer awaits to the newest.
    pub fn new(window: usize) -> Self {
        Self {
            state: Mutex::new(State::new()),
            window: window.max(1),
            room: Condvar::new(),
            work: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// Adds a unit. Waits while the window is full. For the producer.
    ///
    /// # Errors
    /// The flow is abandoned, before or while it waits.
    ///
    /// # Panics
    /// The flow is closed.
    pub fn give(&self, unit: In) -> Result<(), Abandoned> {
        let mut state = self.lock();
        while !state.abandoned && state.in_flight() >= self.window {
            state = state.wait(&self.room);
        }
        if state.abandoned {
            return Err(Abandoned);
        }
        assert!(!state.closed, "a closed flow takes no more units");
        state.push(unit);
        self.work.notify_one();
        Ok(())
    }

    /// There are no more units. For the producer.
    pub fn close(&self) {
        self.lock().closed = true;
        self.work.notify_all();
        self.done.notify_all();
    }

    /// The oldest unit or part that no worker has. Waits while there is none but may be one, also for whole units of
    /// other workers, as they may come apart: a worker holds no ticket meanwhile. None once the flow is closed and
    /// nothing can come, or abandoned. For workers.
    pub fn next(&self) -> Option<(Ticket<'_, In, Out>, In)> {
        let mut state = self.lock();
        while !state.is_worked() {
            if let Some((unit, part, what)) = state.pop() {
                return Some((Ticket::new(self, unit, part), what));
            }
            state = state.wait(&self.work);
        }
        None
    }

    /// The results of the next unit in order: one, or one for each part in their order. Waits for them. None once the
    /// flow is closed and all are taken, or abandoned. For the writer.
    pub fn take(&self) -> Option<Vec<Out>> {
        let mut state = self.lock();
        while !state.is_taken() {
            if let Some(results) = state.take() {
                self.room.notify_one();
                return Some(results);
            }
            state = state.wait(&self.done);
        }
        None
    }

    /// Ends every wait: someone failed for good. What is in flight goes with the flow.
    pub fn abandon(&self) {
        self.lock().abandoned = true;
        self.room.notify_all();
        self.work.notify_all();
        self.done.notify_all();
    }

    /// Whether someone failed for good.
    pub fn is_abandoned(&self) -> bool {
        self.lock().abandoned
    }

    /// Abandons the flow should this thread panic while it holds what this returns.
    pub fn guard(&self) -> Guard<'_, In, Out> {
        Guard(self)
    }

    pub(crate) fn finish(&self, unit: usize, part: Option<usize>, out: Out) {
        let mut state = self.lock();
        state.finish(unit, part, out);
        self.tell(&state);
    }

    pub(crate) fn split(&self, unit: usize, parts: Vec<In>) {
        let mut state = self.lock();
        state.split(unit, parts);
        self.work.notify_all();
        self.tell(&state);
    }

    /// Wakes those who have waited for a unit or a part to be done.
    fn tell(&self, state: &State<In, Out>) {
        if state.is_first_done() {
            self.done.notify_one();
        }
        if state.is_worked() {
            self.work.notify_all();
        }
    }

    /// What a panic left behind is whole: nothing in here panics between two changes that belong together.
    fn lock(&self) -> Locked<'_, In, Out> {
        Locked::new(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
