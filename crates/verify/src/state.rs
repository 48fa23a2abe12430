//! What is known at one point of the program: the lattice.

use super::{
    pending::Pending,
    program::{ArenaId, OpId, SliceId, ValueId},
};

/// Who overwrote a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Culprit {
    /// The operation.
    pub op: OpId,
    /// The slice that it wrote to.
    pub slice: SliceId,
    /// The value that it wrote through, if that may also be what was overwritten, in just the same
    /// bytes: then what it refers to is one of both, and was written. `None` once another one wrote
    /// there, or the value has become another.
    pub through: Option<ValueId>,
}

impl Culprit {
    /// The same, of what no value refers to any more.
    const fn alone(self) -> Self {
        Self {
            through: None,
            ..self
        }
    }
}

/// The contents of an instance. Each is above the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// There is no such instance.
    #[default]
    Unborn,
    /// Nothing was written to it since its birth.
    Undefined,
    /// What was written to it is still there.
    Intact,
    /// Another slice may have overwritten it.
    Clobbered(Culprit),
}

impl Content {
    const fn rank(self) -> u8 {
        match self {
            Self::Unborn => 0,
            Self::Undefined => 1,
            Self::Intact => 2,
            Self::Clobbered(_) => 3,
        }
    }

    /// The least content above both. Of two culprits, that of `self` is kept.
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Clobbered(by), Self::Clobbered(also)) if by.through != also.through => {
                Self::Clobbered(by.alone())
            }
            _ if other.rank() > self.rank() => other,
            _ => self,
        }
    }

    /// Can it still be read through some value?
    pub const fn is_readable(self) -> bool {
        match self {
            Self::Intact => true,
            Self::Clobbered(by) => by.through.is_some(),
            _ => false,
        }
    }

    /// After `value` has become another.
    pub fn redefined(self, value: ValueId) -> Self {
        match self {
            Self::Clobbered(by) if by.through == Some(value) => Self::Clobbered(by.alone()),
            other => other,
        }
    }

    /// After a write to it.
    pub fn written(self) -> Self {
        self.join(Self::Intact)
    }

    /// After a write to bytes of it through another slice.
    pub fn overwritten(self, by: Culprit) -> Self {
        match self {
            Self::Intact => Self::Clobbered(by),
            Self::Clobbered(_) => self.join(Self::Clobbered(by)),
            other => other,
        }
    }
}

/// The contents of a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Of the instance that was born last.
    pub latest: Content,
    /// Of all older instances that rotate with it.
    pub older: Content,
}

impl Contents {
    /// Does either have anything to lose?
    pub fn is_readable(self) -> bool {
        self.latest.is_readable() || self.older.is_readable()
    }

    /// After `value` has become another.
    pub fn redefined(self, value: ValueId) -> Self {
        Self {
            latest: self.latest.redefined(value),
            older: self.older.redefined(value),
        }
    }

    /// The values through which it can be read although it was overwritten.
    pub fn through(self) -> impl Iterator<Item = ValueId> {
        [self.latest, self.older]
            .into_iter()
            .filter_map(|content| match content {
                Content::Clobbered(by) => by.through,
                _ => None,
            })
    }

    fn join(self, other: Self) -> Self {
        Self {
            latest: self.latest.join(other.latest),
            older: self.older.join(other.older),
        }
    }
}

/// Which instances of a slice a value may refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ages {
    /// The one that was born last.
    pub latest: bool,
    /// An older one whose slot every birth since has spared.
    pub older: bool,
    /// An older one that a birth may have taken the bytes of: this one.
    pub stale: Option<OpId>,
}

impl Ages {
    /// The latest instance alone.
    pub const LATEST: Self = Self {
        latest: true,
        older: false,
        stale: None,
    };

    /// Either.
    pub fn join(self, other: Self) -> Self {
        Self {
            latest: self.latest | other.latest,
            older: self.older | other.older,
            stale: self.stale.or(other.stale),
        }
    }

    /// After a birth that spares its slot, or does not.
    pub fn aged(self, spared: bool, birth: OpId) -> Self {
        if spared {
            Self {
                latest: false,
                older: self.latest | self.older,
                stale: self.stale,
            }
        } else {
            Self {
                latest: false,
                older: false,
                stale: self.stale.or(Some(birth)),
            }
        }
    }
}

/// What is known when a node starts; each list sorted by its keys, without doubles.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Live values and what they refer to.
    pub refs: Vec<((ValueId, SliceId), Ages)>,
    /// The contents of the slices that live values refer to.
    pub contents: Vec<(SliceId, Contents)>,
    /// Arenas that may be freed, and where.
    pub freed: Vec<(ArenaId, OpId)>,
    /// What goes on although control has passed it.
    pub pending: Pending,
}

impl State {
    /// Takes the least state above both; says if that is another one. A change of culprit alone is
    /// none, so that the first one found is the one that is told.
    pub fn join(&mut self, other: Self) -> bool {
        let refs = merge(&mut self.refs, other.refs, |a, b| {
            let joined = a.join(b);
            let grew = (joined.latest, joined.older, joined.stale.is_some())
                != (a.latest, a.older, a.stale.is_some());
            (joined, grew)
        });
        let contents = merge(&mut self.contents, other.contents, |a, b| {
            let joined = a.join(b);
            (joined, joined != a)
        });
        let freed = merge(&mut self.freed, other.freed, |a, _| (a, false));
        let pending = self.pending.join(&other.pending);
        refs | contents | freed | pending
    }
}

/// Merges two sorted lists; says if the first one changed.
fn merge<K: Copy + Ord, V: Copy>(
    into: &mut Vec<(K, V)>,
    other: Vec<(K, V)>,
    join: impl Fn(V, V) -> (V, bool),
) -> bool {
    let mut changed = false;
    let mut fresh = Vec::new();
    let mut place = 0;
    for (key, value) in other {
        while place < into.len() && into[place].0 < key {
            place += 1;
        }
        if place < into.len() && into[place].0 == key {
            let (joined, grew) = join(into[place].1, value);
            into[place].1 = joined;
            changed |= grew;
        } else {
            fresh.push((key, value));
        }
    }
    if !fresh.is_empty() {
        into.extend(fresh);
        into.sort_unstable_by_key(|(key, _)| *key);
        changed = true;
    }
    changed
}
