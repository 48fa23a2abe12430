//! The lattice: facts about one program point.

use super::{
    pending::Pending,
    program::{ArenaId, OpId, SliceId, ValueId},
};

/// The write that overwrote a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Culprit {
    /// The operation.
    pub op: OpId,
    /// The slice that was written.
    pub slice: SliceId,
    /// The value that it wrote through, if that value may also refer to the overwritten slice in exactly the same
    /// bytes: the slice that it refers to was then written, whichever it is. `None` after another write to these bytes,
    /// or once the value is redefined.
    pub through: Option<ValueId>,
}

impl Culprit {
    /// The same write, once no value refers to both slices.
    const fn alone(self) -> Self {
        Self {
            through: None,
            ..self
        }
    }
}

/// The contents of an instance, in ascending order of the lattice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// There is no such instance.
    #[default]
    Unborn,
    /// Nothing was written since its birth.
    Undefined,
    /// The bytes written last are still there.
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

    /// The least upper bound. Of two culprits, that of `self` is kept.
    pub fn join(self, other: Self) -> Self {
        match (self, other) {
            (Self::Clobbered(by), Self::Clobbered(also)) if by.through != also.through => {
                Self::Clobbered(by.alone())
            }
            _ if other.rank() > self.rank() => other,
            _ => self,
        }
    }

    /// Whether some value can still read the contents.
    pub const fn is_readable(self) -> bool {
        match self {
            Self::Intact => true,
            Self::Clobbered(by) => by.through.is_some(),
            _ => false,
        }
    }

    /// The contents once `value` is redefined.
    pub fn redefined(self, value: ValueId) -> Self {
        match self {
            Self::Clobbered(by) if by.through == Some(value) => Self::Clobbered(by.alone()),
            other => other,
        }
    }

    /// The contents after a write to the instance.
    pub fn written(self) -> Self {
        self.join(Self::Intact)
    }

    /// The contents after a write to some of its bytes through another slice.
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
    /// The contents of the instance born last.
    pub latest: Content,
    /// The contents of all older instances whose slots were spared.
    pub older: Content,
}

impl Contents {
    /// Whether some value can still read one of the contents.
    pub fn is_readable(self) -> bool {
        self.latest.is_readable() || self.older.is_readable()
    }

    /// The contents once `value` is redefined.
    pub fn redefined(self, value: ValueId) -> Self {
        Self {
            latest: self.latest.redefined(value),
            older: self.older.redefined(value),
        }
    }

    /// The values that can read the slice although it was overwritten.
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

/// The instances of a slice that a value may refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ages {
    /// The instance born last.
    pub latest: bool,
    /// An older instance whose slot every later birth has spared.
    pub older: bool,
    /// An older instance whose bytes a later birth may have taken: that birth.
    pub stale: Option<OpId>,
}

impl Ages {
    /// The latest instance alone.
    pub const LATEST: Self = Self {
        latest: true,
        older: false,
        stale: None,
    };

    /// The union of both.
    pub fn join(self, other: Self) -> Self {
        Self {
            latest: self.latest | other.latest,
            older: self.older | other.older,
            stale: self.stale.or(other.stale),
        }
    }

    /// The ages after another birth, which spares the instance's slot or not.
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

/// The facts at the start of a node; each list is sorted by its keys, without duplicates.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Live values and the slices that they refer to.
    pub refs: Vec<((ValueId, SliceId), Ages)>,
    /// The contents of the slices that live values refer to.
    pub contents: Vec<(SliceId, Contents)>,
    /// Arenas that may be freed, and the operation that frees them.
    pub freed: Vec<(ArenaId, OpId)>,
    /// The asynchronous operations that may still run.
    pub pending: Pending,
}

impl State {
    /// Replaces the state by the least upper bound of both. Returns true if it changed. A different culprit alone is no
    /// change, so the one found first is reported.
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

/// Merges two sorted lists. Returns true if the first one changed.
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
