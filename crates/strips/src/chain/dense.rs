//! Facts of few of many ids, which are forgotten at once.

use memplan_flow::EntityRef;
use std::marker::PhantomData;

/// A value for each of some ids.
#[derive(Clone, Debug)]
pub struct Dense<I, T> {
    values: Vec<(u32, T)>,
    /// Values with another number are of an earlier time.
    now: u32,
    ids: PhantomData<I>,
}

impl<I: EntityRef, T: Copy + Default> Dense<I, T> {
    /// No values, for so many ids.
    pub fn new(count: usize) -> Self {
        Self {
            values: vec![(0, T::default()); count],
            now: 1,
            ids: PhantomData,
        }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        match self.now.checked_add(1) {
            Some(next) => self.now = next,
            None => *self = Self::new(self.values.len()),
        }
    }

    /// The value of an id.
    pub fn get(&self, id: I) -> Option<T> {
        let (time, value) = self.values[id.index()];
        (time == self.now).then_some(value)
    }

    /// Gives an id a value; whether it had none.
    pub fn insert(&mut self, id: I, value: T) -> bool {
        let known = &mut self.values[id.index()];
        let is_new = known.0 != self.now;
        *known = (self.now, value);
        is_new
    }
}
