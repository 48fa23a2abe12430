//! State of one asynchronous operation at one point, and the effect of operations that join tokens.
//!
//! A pending operation has a *cover*: the tokens of which each proves, once it was waited for, that the
//! operation is done. A token that is done no earlier than one of the cover joins it. A choice of tokens
//! joins it if it covers all of them. Earlier instances of the same operation that are still pending share
//! one cover (*older*).
//!
//! Transfers in groups complete in the order of their groups: a later group covers the earlier ones, and a
//! drain that leaves N groups ends all but the last N. Nothing ends a transfer that is in no group yet.

use memplan_flow::ids;
use smallvec::SmallVec;

ids! {
    /// An object that a wait takes: a token, an async value, a group, or an element of a tag.
    pub TokenId,
}

/// Several tokens.
pub type Tokens = SmallVec<[TokenId; 2]>;

/// Effect of an operation on tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// `to` covers what any of `from` covers, or with `all`, what all of them cover.
    After {
        /// Tokens that are done before `to`, or that `to` may be.
        from: Tokens,
        /// The later token.
        to: TokenId,
        /// Whether `to` is one of them, not after them.
        all: bool,
    },
    /// Creates a group of transfers.
    Group {
        /// The transfers.
        from: Tokens,
        /// The group.
        to: TokenId,
    },
    /// Waits for all of these.
    Wait(Tokens),
    /// Waits until at most this many groups are pending.
    Drain(u32),
}

/// Cover of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cover {
    /// Sorted.
    tokens: Tokens,
    /// Whether it is in no group yet: the tokens are then those that put it into one.
    loose: bool,
    /// Least number of groups that were created after its own.
    age: u32,
}

impl Cover {
    /// Cover of an operation that starts. `is_grouped`: its tokens only put it into a group.
    pub fn new(mut tokens: Tokens, is_grouped: bool) -> Self {
        tokens.sort_unstable();
        Self {
            tokens,
            loose: is_grouped,
            age: 0,
        }
    }

    fn covers(&self, token: TokenId) -> bool {
        self.tokens.binary_search(&token).is_ok()
    }

    fn covers_any(&self, tokens: &[TokenId]) -> bool {
        tokens.iter().any(|token| self.covers(*token))
    }

    fn add(&mut self, token: TokenId) {
        if let Err(place) = self.tokens.binary_search(&token) {
            self.tokens.insert(place, token);
        }
    }

    /// Intersection.
    fn join(&mut self, other: &Self) {
        self.tokens.retain(|token| other.covers(*token));
        self.loose |= other.loose;
        self.age = self.age.min(other.age);
    }
}

/// Instances of an operation that may be pending.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct State {
    /// The instance that started last.
    newest: Option<Cover>,
    /// All earlier instances.
    older: Option<Cover>,
}

impl State {
    /// Whether no instance is pending.
    pub const fn is_done(&self) -> bool {
        self.newest.is_none() && self.older.is_none()
    }

    /// Tokens that cover an instance.
    pub fn tokens(&self) -> impl Iterator<Item = TokenId> {
        let covers = self.newest.iter().chain(&self.older);
        covers.flat_map(|cover| cover.tokens.iter().copied())
    }

    fn covers_mut(&mut self) -> impl Iterator<Item = &mut Cover> {
        self.newest.iter_mut().chain(&mut self.older)
    }

    /// Starts another instance.
    pub fn start(&mut self, cover: Cover) {
        let before = self.newest.replace(cover);
        join(&mut self.older, before.as_ref());
    }

    /// Applies the effect of an operation. `is_grouped`: the instances are transfers in groups.
    /// `is_last_use`: a token has no later use.
    pub fn apply(&mut self, act: &Act, is_grouped: bool, is_last_use: impl Fn(TokenId) -> bool) {
        match act {
            Act::After { from, to, all } => self.follows(from, *to, *all, is_last_use),
            Act::Group { from, to } if is_grouped => self.groups(from, *to),
            Act::Wait(of) => self.waits(of),
            Act::Drain(most) if is_grouped => self.drains(*most),
            Act::Group { .. } | Act::Drain(_) => {}
        }
    }

    /// `to` is done no earlier than any of `from`, or with `all`, is one of them. `is_last_use`: a token has
    /// no later use.
    pub fn follows(
        &mut self,
        from: &[TokenId],
        to: TokenId,
        all: bool,
        is_last_use: impl Fn(TokenId) -> bool,
    ) {
        for cover in self.covers_mut() {
            let is_covered = match all {
                true => from.iter().all(|token| cover.covers(*token)),
                false => cover.covers_any(from),
            };
            if is_covered {
                let drops = |token: &TokenId| from.contains(token) && is_last_use(*token);
                cover.tokens.retain(|token| !drops(token));
                cover.add(to);
            }
        }
    }

    /// Creates a group of transfers, to which the instances belong.
    pub fn groups(&mut self, from: &[TokenId], to: TokenId) {
        for cover in self.covers_mut() {
            if !cover.loose {
                cover.age = cover.age.saturating_add(1);
                cover.add(to);
            } else if cover.covers_any(from) {
                cover.loose = false;
                cover.age = 0;
                cover.tokens = Tokens::from_slice(&[to]);
            }
        }
    }

    /// Waits for tokens.
    pub fn waits(&mut self, of: &[TokenId]) {
        self.end(|cover| !cover.loose && cover.covers_any(of));
    }

    /// Waits until at most `most` groups of transfers are pending, to which the instances belong.
    pub fn drains(&mut self, most: u32) {
        self.end(|cover| !cover.loose && cover.age >= most);
    }

    /// Ends the instances for which `is_over` holds.
    fn end(&mut self, is_over: impl Fn(&Cover) -> bool) {
        for instance in [&mut self.newest, &mut self.older] {
            if instance.as_ref().is_some_and(&is_over) {
                *instance = None;
            }
        }
    }

    /// Joins the states of two paths. Returns whether the state changed.
    pub fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        join(&mut self.newest, other.newest.as_ref());
        join(&mut self.older, other.older.as_ref());
        *self != before
    }

    /// State after an edge that forwards `pairs`, and that defines the tokens anew for which `is_made` holds.
    #[must_use]
    pub fn forwarded(
        &self,
        pairs: &[(TokenId, TokenId)],
        is_made: impl Fn(TokenId) -> bool,
    ) -> Self {
        let forwarded = |cover: &Cover| {
            let mut forwarded = cover.clone();
            forwarded.tokens.retain(|token| !is_made(*token));
            for (from, to) in pairs {
                if cover.covers(*from) {
                    forwarded.add(*to);
                }
            }
            forwarded
        };
        Self {
            newest: self.newest.as_ref().map(forwarded),
            older: self.older.as_ref().map(forwarded),
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

    fn tokens(tokens: &[u32]) -> Tokens {
        tokens.iter().copied().map(TokenId).collect()
    }

    fn cover(of: &[u32]) -> Cover {
        Cover::new(tokens(of), false)
    }

    #[test]
    fn where_paths_merge_only_what_covers_on_both_does() {
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
        state.apply(&Act::Wait(tokens(&[9])), false, |_| false);
        assert_eq!((state.newest, state.older), (Some(cover(&[3])), None));
    }

    #[test]
    fn a_choice_covers_what_all_of_them_do() {
        let mut state = State::default();
        state.start(cover(&[1]));
        let choice = |from: &[u32]| Act::After {
            from: tokens(from),
            to: TokenId(5),
            all: true,
        };
        state.apply(&choice(&[1, 2]), false, |_| false);
        assert_eq!(state.newest, Some(cover(&[1])));
        state.apply(&choice(&[1, 1]), false, |_| false);
        assert_eq!(state.newest, Some(cover(&[1, 5])));
    }

    #[test]
    fn a_drain_ends_all_but_the_last_groups() {
        let mut state = State::default();
        state.start(Cover::new(tokens(&[1]), true));
        state.apply(&Act::Drain(0), true, |_| false);
        state.apply(&Act::Wait(tokens(&[1])), true, |_| false);
        assert!(!state.is_done(), "it is in no group");
        let group = |from: &[u32], to| Act::Group {
            from: tokens(from),
            to: TokenId(to),
        };
        state.apply(&group(&[1], 2), true, |_| false);
        state.apply(&Act::Drain(1), true, |_| false);
        assert!(!state.is_done(), "its group is the last one");
        state.apply(&group(&[], 3), true, |_| false);
        state.apply(&Act::Drain(1), true, |_| false);
        assert!(state.is_done());
    }
}
