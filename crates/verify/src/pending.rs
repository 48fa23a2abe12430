//! Operations that go on when control has passed them, as the abstract machine sees them.
//!
//! Each that was started and not yet waited for is *pending* on the slices that it uses, with the
//! tokens, groups and tags of which each proves, once waited for, that it is done. These are values like
//! others; what they stand for is known at each point, for the values of that point. An operation that
//! is started again while it is pending counts as two: the newest start, and all older ones together.
//! A join keeps what is pending on either path, and of what proves it done what does on both.
//!
//! Every step that uses tokens looks at all that is pending, which is little at a time.

use super::{
    program::{NodeId, OpId, Program, SliceId, Start, Token, ValueId, Values},
    shared::{Change, Shared},
    starts::{Key, Proof},
};

/// All that is pending at one point.
#[derive(Clone, Debug, Default)]
pub struct Pending(Shared);

impl Pending {
    /// Nothing is.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Which operations are pending on which slices.
    pub fn iter(&self) -> impl Iterator<Item = Key> {
        self.0.keys()
    }

    /// Takes what is pending in either; says if that is something else.
    pub fn join(&mut self, other: &Self) -> bool {
        self.0.join(&other.0)
    }

    /// Changes the proofs that this concerns.
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

    /// Something is started on some slices.
    pub fn start(&mut self, program: &Program, op: OpId, slices: &[SliceId], start: &Start) {
        let mut proof = Proof {
            by: start.proofs.clone(),
            loose: start.grouped,
            behind: 0,
        };
        proof.by.sort_unstable();
        // Which of two that share a tag a wait is for is not known.
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

    /// A step that uses tokens, other than a start.
    pub fn step(&mut self, token: &Token) {
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
                |proof| !proof.loose || from.iter().any(|value| proof.is_by(value)),
                |proof| {
                    if proof.loose {
                        proof.loose = false;
                        proof.by = Values::from_slice(&[*to]);
                    } else {
                        proof.behind = proof.behind.saturating_add(1);
                        proof.add(*to);
                    }
                },
            ),
            Token::Wait(values) => {
                self.end(|proof| !proof.loose && values.iter().any(|value| proof.is_by(value)));
            }
            Token::Drain(groups) => {
                self.end(|proof| !proof.loose && proof.behind >= *groups);
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

    /// What is pending behind an edge to `to`, along which values become others.
    pub fn flow(&self, program: &Program, to: NodeId, binds: &[(ValueId, ValueId)]) -> Self {
        let fresh = &program.nodes[to.index()].fresh;
        let is_fresh = |value: &ValueId| fresh.binary_search(value).is_ok();
        let is_handed = |value: &ValueId| binds.iter().any(|(from, _)| from == value);
        let mut flown = self.clone();
        flown.change(
            |proof| {
                proof
                    .by
                    .iter()
                    .any(|value| is_fresh(value) || is_handed(value))
            },
            |proof| {
                let before = proof.clone();
                proof.by.retain(|value| !is_fresh(value));
                for (_, into) in binds.iter().filter(|(from, _)| before.is_by(from)) {
                    let mut sources = binds.iter().filter(|(_, other)| other == into);
                    if sources.all(|(from, _)| before.is_by(from)) {
                        proof.add(*into);
                    }
                }
            },
        );
        flown
    }
}
