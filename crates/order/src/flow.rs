//! The state behind a lock, and threads that wait for it to change.

use crate::{
    state::{Found, Place, State},
    sync::{Bell, Lock},
};

/// Somebody gave up, and nothing more will come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was abandoned")]
pub struct Abandoned;

/// Units on their way from one thread through several to one.
#[derive(Debug)]
pub struct Flow<In, Out> {
    state: Lock<State<In, Out>>,
    /// There is room in the window.
    room: Bell,
    /// There is work, or there will be none.
    work: Bell,
    /// The unit that the writer waits for is done, or no more will come.
    done: Bell,
}

impl<In, Out> Flow<In, Out> {
    /// With room for so many units, at least one, from the one that the writer waits for to the newest.
    pub fn new(window: usize) -> Self {
        Self {
            state: Lock::new(State::new(window)),
            room: Bell::new(),
            work: Bell::new(),
            done: Bell::new(),
        }
    }

    /// Adds a unit, when there is room.
    ///
    /// # Errors
    /// Somebody gave up.
    pub fn give(&self, unit: In) -> Result<(), Abandoned> {
        let mut state = self.state.hold();
        while state.is_full() && !state.is_abandoned() {
            state = self.room.wait(state);
        }
        if state.is_abandoned() {
            return Err(Abandoned);
        }
        state.give(unit);
        drop(state);
        self.work.ring();
        Ok(())
    }

    /// No more units will be given.
    pub fn close(&self) {
        self.state.hold().close();
        self.work.ring_all();
        self.done.ring_all();
    }

    /// What is to be worked on next, when there is something; `None` when nothing will come any more.
    pub fn next(&self) -> Option<(Ticket<'_, In, Out>, In)> {
        let mut state = self.state.hold();
        loop {
            match state.next() {
                Found::Some((place, unit, is_whole)) => {
                    let ticket = Ticket {
                        flow: self,
                        place,
                        is_whole,
                        is_used: false,
                    };
                    return Some((ticket, unit));
                }
                Found::Wait => state = self.work.wait(state),
                Found::End => return None,
            }
        }
    }

    /// What the next unit was made into, when that is done: one result, or one for each of its parts, in their order. `None`
    /// when no more will come.
    pub fn take(&self) -> Option<Vec<Out>> {
        let mut state = self.state.hold();
        loop {
            match state.take() {
                Found::Some(results) => {
                    drop(state);
                    self.room.ring();
                    return Some(results);
                }
                Found::Wait => state = self.done.wait(state),
                Found::End => return None,
            }
        }
    }

    /// Gives up: nobody waits any more, and nothing more is worked on or taken.
    pub fn abandon(&self) {
        self.state.hold().abandon();
        self.room.ring_all();
        self.work.ring_all();
        self.done.ring_all();
    }

    /// Whether somebody gave up.
    pub fn is_abandoned(&self) -> bool {
        self.state.hold().is_abandoned()
    }
}

/// Says that something is being worked on. Whoever drops it without a result gives up for all.
#[must_use]
#[derive(Debug)]
pub struct Ticket<'a, In, Out> {
    flow: &'a Flow<In, Out>,
    place: Place,
    is_whole: bool,
    is_used: bool,
}

impl<In, Out> Ticket<'_, In, Out> {
    /// The number of the unit: how many were given before it.
    pub fn unit(&self) -> usize {
        self.place.0
    }

    /// Its place among the parts of the unit.
    pub fn part(&self) -> usize {
        self.place.1
    }

    /// Hands over what it was made into.
    pub fn done(mut self, result: Out) {
        self.is_used = true;
        let mut state = self.flow.state.hold();
        let can_take = state.done(self.place, self.is_whole, result);
        drop(state);
        if can_take {
            self.flow.done.ring();
        }
        // Those who waited for parts of it may go.
        if self.is_whole {
            self.flow.work.ring_all();
        }
    }

    /// Puts parts in its place, which are worked on before units that come later. Without parts, it is done. A part does not
    /// come apart again: that gives up.
    pub fn come_apart(mut self, parts: Vec<In>) {
        debug_assert!(self.is_whole, "a part does not come apart again");
        if !self.is_whole {
            return;
        }
        self.is_used = true;
        let mut state = self.flow.state.hold();
        let can_take = state.come_apart(self.place, parts);
        drop(state);
        if can_take {
            self.flow.done.ring();
        }
        self.flow.work.ring_all();
    }
}

impl<In, Out> Drop for Ticket<'_, In, Out> {
    fn drop(&mut self) {
        if !self.is_used {
            self.flow.abandon();
        }
    }
}
