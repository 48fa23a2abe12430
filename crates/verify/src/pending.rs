//! Asynchronous operations on the abstract machine.
//!
//! An operation that was started and not yet waited for is *pending* on the slices that it uses. Each such start
//! has the tokens, groups and tags that prove its completion once they are waited for. These are ordinary values;
//! what they stand for is known at each point, for the values of that point. An operation that is started again
//! while it is pending counts as two starts: the newest one, and all older ones together. A join keeps the
//! operations that are pending on either path, and the proofs of completion that hold on both.
//!
//! Every action that uses tokens visits all pending starts. There are few at a time.

use super::{
    persistent_map::{Change, PersistentMap},
    program::{NodeId, OpId, Program, SliceId, Start, Token, ValueId, Values},
    proofs::{Key, Proof},
};

/// The pending operations at one program point.
#[derive(Clone, Debug, Default)]
pub struct Pending(PersistentMap);

impl Pending {
    /// Whether nothing is pending.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pending operations and the slices that they use.
    pub fn iter(&self) -> impl Iterator<Item = Key> {
        self.0.keys()
    }

    /// Replaces the map by the union of both. Returns true if it changed.
    pub fn join(&mut self, other: &Self) -> bool {
        self.0.join(&other.0)
    }

    /// Changes the proofs for which `concerns` is true.
    fn change(&mut self, concerns: impl Fn(&Proof) -> bool, mut to: impl FnMut(&mut Proof)) {
        self.0.change(|starts| {
            let mut proofs = starts.newest.iter().chain(&starts.older);
            if !proofs.any(&concerns) {
                return Change::Keep;
            }
            let mut changed = starts.clone();
            changed
                .proofs()
                .filter(|proof| concerns(proof))
                .for_each(&mut to);
            Change::To(changed)
        });
    }

    /// Starts an operation on some slices.
    pub fn start(&mut self, program: &Program, op: OpId, slices: &[SliceId], start: &Start) {
        let mut proof = Proof {
            by: start.proofs.clone(),
            ungrouped: start.grouped,
            later_groups: 0,
        };
        proof.by.sort_unstable();
        // If two operations share a tag, a wait may be for either.
        if let Some(tag) = start.tag {
            self.0.change(|other| {
                if !other
                    .tag
                    .is_some_and(|other| program.may_be_one_tag(tag, other))
                {
                    return Change::Keep;
                }
                proof.by.clear();
                let mut other = other.clone();
                other.proofs().for_each(|proof| proof.by.clear());
                Change::To(other)
            });
        }
        for slice in slices {
            self.0.put((op, *slice), |mut starts| {
                starts.tag = start.tag;
                let before = starts.newest.replace(proof.clone());
                starts.older = match (before, starts.older.take()) {
                    (Some(one), Some(other)) => Some(one.both(&other)),
                    (one, other) => one.or(other),
                };
                starts
            });
        }
    }

    /// The effect of an action on tokens, other than a start.
    pub fn apply(&mut self, token: &Token) {
        match token {
            Token::After {
                from,
                to,
                all,
                spent,
            } => self.change(
                |proof| match all {
                    true => from.iter().all(|value| proof.is_by(value)),
                    false => from.iter().any(|value| proof.is_by(value)),
                },
                |proof| {
                    proof.by.retain(|value| !spent.contains(value));
                    proof.add(*to);
                },
            ),
            Token::Group { from, to } => self.change(
                |proof| !proof.ungrouped || from.iter().any(|value| proof.is_by(value)),
                |proof| {
                    if proof.ungrouped {
                        proof.ungrouped = false;
                        proof.by = Values::from_slice(&[*to]);
                    } else {
                        proof.later_groups = proof.later_groups.saturating_add(1);
                        proof.add(*to);
                    }
                },
            ),
            Token::Wait(values) => {
                self.end(|proof| !proof.ungrouped && values.iter().any(|value| proof.is_by(value)));
            }
            Token::Drain(groups) => {
                self.end(|proof| !proof.ungrouped && proof.later_groups >= *groups);
            }
            Token::Start(_) | Token::Leave => {}
        }
    }

    fn end(&mut self, is_done: impl Fn(&Proof) -> bool) {
        self.0.change(|starts| {
            let is_done = |proof: &Option<Proof>| proof.as_ref().is_some_and(&is_done);
            let (newest, older) = (is_done(&starts.newest), is_done(&starts.older));
            if !newest && !older {
                return Change::Keep;
            }
            let mut left = starts.clone();
            if newest {
                left.newest = None;
            }
            if older {
                left.older = None;
            }
            match left.is_over() {
                true => Change::Drop,
                false => Change::To(left),
            }
        });
    }

    /// The pending operations after an edge to `to`, along which values are bound to others.
    pub fn flow(&self, program: &Program, to: NodeId, binds: &[(ValueId, ValueId)]) -> Self {
        let redefined = &program.nodes[to.index()].redefined;
        let is_redefined = |value: &ValueId| redefined.binary_search(value).is_ok();
        let is_bound = |value: &ValueId| binds.iter().any(|(from, _)| from == value);
        let mut after = self.clone();
        after.change(
            |proof| {
                proof
                    .by
                    .iter()
                    .any(|value| is_redefined(value) || is_bound(value))
            },
            |proof| {
                let before = proof.clone();
                proof.by.retain(|value| !is_redefined(value));
                for (_, into) in binds.iter().filter(|(from, _)| before.is_by(from)) {
                    let mut sources = binds.iter().filter(|(_, other)| other == into);
                    if sources.all(|(from, _)| before.is_by(from)) {
                        proof.add(*into);
                    }
                }
            },
        );
        after
    }
}
