//! What is known of one operation at one point.

use super::{BlockId, HandleFact, HandleId, Handles};

/// What covers an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cover {
    /// Sorted.
    pub handles: Handles,
    /// It is in no group yet; the handles are those that put it into one.
    pub loose: bool,
    /// So many groups, at least, were made after its own.
    pub age: u32,
}

impl Cover {
    pub fn covers(&self, handle: &HandleId) -> bool {
        self.handles.binary_search(handle).is_ok()
    }

    pub fn add(&mut self, handle: HandleId) {
        if let Err(place) = self.handles.binary_search(&handle) {
            self.handles.insert(place, handle);
        }
    }

    pub fn remove(&mut self, handle: HandleId) {
        self.handles.retain(|other| *other != handle);
    }

    /// What holds for both.
    fn join(&mut self, other: &Self) {
        self.handles.retain(|handle| other.covers(handle));
        self.loose |= other.loose;
        self.age = self.age.min(other.age);
    }

    fn carried(&self, made: &[HandleFact], pairs: &[(HandleId, HandleId)], into: BlockId) -> Self {
        let mut carried = self.clone();
        let is_made = |handle: &HandleId| made[handle.0 as usize].made_in.contains(&into);
        carried.handles.retain(|handle| !is_made(handle));
        for (from, to) in pairs {
            if self.covers(from) {
                carried.add(*to);
            }
        }
        carried
    }
}

/// What may still go on.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct State {
    /// The instance that was started last.
    pub newest: Option<Cover>,
    /// All that were started before.
    pub older: Option<Cover>,
}

impl State {
    pub const fn is_done(&self) -> bool {
        self.newest.is_none() && self.older.is_none()
    }

    pub fn covers(&self) -> impl Iterator<Item = &Cover> {
        self.newest.iter().chain(&self.older)
    }

    pub fn covers_mut(&mut self) -> impl Iterator<Item = &mut Cover> {
        self.newest.iter_mut().chain(&mut self.older)
    }

    /// Ends the instances of which this holds.
    pub fn end(&mut self, is_over: impl Fn(&Cover) -> bool) {
        for instance in [&mut self.newest, &mut self.older] {
            if instance.as_ref().is_some_and(&is_over) {
                *instance = None;
            }
        }
    }

    /// Another instance is started.
    pub fn start(&mut self, cover: Cover) {
        let before = self.newest.replace(cover);
        join(&mut self.older, before.as_ref());
    }

    /// Takes what holds on either path; says if that is something else.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        join(&mut self.newest, other.newest.as_ref());
        join(&mut self.older, other.older.as_ref());
        *self != before
    }

    /// What holds in the block behind an edge that hands over `pairs`, if it is entered at its start.
    pub fn carried(
        &self,
        made: &[HandleFact],
        pairs: &[(HandleId, HandleId)],
        into: BlockId,
    ) -> Self {
        let carried = |cover: &Cover| cover.carried(made, pairs, into);
        Self {
            newest: self.newest.as_ref().map(carried),
            older: self.older.as_ref().map(carried),
        }
    }
}

fn join(into: &mut Option<Cover>, other: Option<&Cover>) {
    match (into.as_mut(), other) {
        (Some(cover), Some(other)) => cover.join(other),
        (None, Some(other)) => *into = Some(other.clone()),
        (_, None) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(handles: &[u32]) -> Cover {
        Cover {
            handles: handles.iter().copied().map(HandleId).collect(),
            loose: false,
            age: 0,
        }
    }

    #[test]
    fn where_paths_meet_only_what_covers_on_both_does() {
        let mut state = State::default();
        state.start(cover(&[1, 2]));
        let mut other = State::default();
        other.start(cover(&[2, 3]));
        assert!(state.join(&other));
        assert_eq!(state.newest, Some(cover(&[2])));
        assert!(!state.join(&State::default()), "done on the other path");
    }

    #[test]
    fn older_instances_have_one_cover_together() {
        let mut state = State::default();
        state.start(cover(&[1, 9]));
        state.start(cover(&[2, 9]));
        state.start(cover(&[3]));
        assert_eq!(state.older, Some(cover(&[9])));
        state.end(|cover| cover.covers(&HandleId(9)));
        assert_eq!((state.newest, state.older), (Some(cover(&[3])), None));
    }
}
