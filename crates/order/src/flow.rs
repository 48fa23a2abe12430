#[cfg(loom)]
use loom::sync::{Condvar, Mutex, MutexGuard};
use std::sync::PoisonError;
#[cfg(not(loom))]
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::state::State;
use crate::{Guard, Ticket, valgrind};
use std::ops::{Deref, DerefMut};

/// The flow was abandoned after a fatal failure; no more units are processed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the work was abandoned")]
pub struct Abandoned;

/// Transfers units from one producer through workers to one writer.
///
/// Values are neither created nor dropped while the lock is held, except those that are left when the flow is
/// dropped.
#[derive(Debug)]
pub struct Flow<In, Out> {
    state: Mutex<State<In, Out>>,
    window: usize,
    /// The producer waits here until the window is not full.
    not_full: Condvar,
    /// Workers wait here for units and parts.
    work: Condvar,
    /// The writer waits here for the next unit in order.
    done: Condvar,
}

/// The locked state.
struct Locked<'flow, In, Out>(Option<MutexGuard<'flow, State<In, Out>>>);

impl<'flow, In, Out> Locked<'flow, In, Out> {
    fn new(guard: MutexGuard<'flow, State<In, Out>>) -> Self {
        valgrind::after(&raw const *guard);
        Self(Some(guard))
    }

    fn wait(mut self, on: &Condvar) -> Self {
        let guard = self
            .0
            .take()
            .expect("it is given up only here, and at the end");
        valgrind::before(&raw const *guard);
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
            valgrind::before(&raw const **guard);
        }
    }
}

impl<In, Out> Flow<In, Out> {
    /// A flow with a window of at most `window` units, but at least one, from the unit that the writer waits for to the
    /// newest one.
    pub fn new(window: usize) -> Self {
        Self {
            state: Mutex::new(State::new()),
            window: window.max(1),
            not_full: Condvar::new(),
            work: Condvar::new(),
            done: Condvar::new(),
        }
    }

    /// Adds a unit. Waits while the window is full. For the producer.
    ///
    /// # Errors
    /// If the flow is abandoned, before or during the wait.
    ///
    /// # Panics
    /// If the flow is closed.
    pub fn push(&self, unit: In) -> Result<(), Abandoned> {
        let mut state = self.lock();
        while !state.abandoned && state.in_flight() >= self.window {
            state = state.wait(&self.not_full);
        }
        if state.abandoned {
            return Err(Abandoned);
        }
        assert!(!state.closed, "a closed flow takes no more units");
        state.push(unit);
        self.work.notify_one();
        Ok(())
    }

    /// Closes the flow: there are no more units. For the producer.
    pub fn close(&self) {
        self.lock().closed = true;
        self.work.notify_all();
        self.done.notify_all();
    }

    /// The oldest unit or part without a worker. Waits if there is none yet; other workers may still split the whole
    /// units that they hold. The caller must hold no ticket meanwhile. `None` once the flow is closed and nothing is
    /// left, or abandoned. For workers.
    pub fn next(&self) -> Option<(Ticket<'_, In, Out>, In)> {
        let mut state = self.lock();
        while !state.is_done_for_workers() {
            if let Some((unit, part, input)) = state.pop() {
                return Some((Ticket::new(self, unit, part), input));
            }
            state = state.wait(&self.work);
        }
        None
    }

    /// The results of the next unit in order: one, or one for each part in their order. Waits for them. `None` once the
    /// flow is closed and all are taken, or abandoned. For the writer.
    pub fn take(&self) -> Option<Vec<Out>> {
        let mut state = self.lock();
        while !state.is_done_for_writer() {
            if let Some(results) = state.take() {
                self.not_full.notify_one();
                return Some(results);
            }
            state = state.wait(&self.done);
        }
        None
    }

    /// Ends every wait after a fatal failure. Units in the flow are dropped with it.
    pub fn abandon(&self) {
        self.lock().abandoned = true;
        self.not_full.notify_all();
        self.work.notify_all();
        self.done.notify_all();
    }

    /// Whether the flow was abandoned.
    pub fn is_abandoned(&self) -> bool {
        self.lock().abandoned
    }

    /// A guard that abandons the flow if this thread panics while it holds the guard.
    pub fn guard(&self) -> Guard<'_, In, Out> {
        Guard(self)
    }

    pub(crate) fn finish(&self, unit: usize, part: Option<usize>, out: Out) {
        let mut state = self.lock();
        state.finish(unit, part, out);
        self.notify(&state);
    }

    pub(crate) fn split(&self, unit: usize, parts: Vec<In>) {
        let mut state = self.lock();
        state.split(unit, parts);
        self.work.notify_all();
        self.notify(&state);
    }

    /// Wakes the threads that wait for a finished unit or part.
    fn notify(&self, state: &State<In, Out>) {
        if state.is_first_done() {
            self.done.notify_one();
        }
        if state.is_done_for_workers() {
            self.work.notify_all();
        }
    }

    /// The state is consistent after a panic: no code in here panics between two changes that belong together.
    fn lock(&self) -> Locked<'_, In, Out> {
        Locked::new(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
