//! The lattice: facts about one program point.

use super::{
    pending::Pending,
    program::{ArenaId, OpId, SliceId, ValueId},
};
use smallvec::SmallVec;

/// What overwrote a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Writer {
    /// A write to another slice.
    Slice(SliceId),
    /// A callee to which the slice is donated.
    Callee,
}

/// The write that overwrote a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Culprit {
    /// The operation.
    pub op: OpId,
    /// What was written, or who wrote.
    pub by: Writer,
    /// The value that it wrote through, if that value may also refer to the overwritten slice: only the slice that it
    /// refers to was then written, whichever it is. Also the values that this one was forwarded to. None after another
    /// write to these bytes, or once all are redefined.
    pub through: Through,
}

/// Values of which each can read a slice, if it refers to it, although it was overwritten. Sorted; at most
/// [`MOST_THROUGH`]: to leave one out is safe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Through {
    values: [Option<ValueId>; MOST_THROUGH],
}

/// The length of a chain of live values that is followed.
pub const MOST_THROUGH: usize = 4;

impl Through {
    /// One value, or none.
    pub fn one(value: Option<ValueId>) -> Self {
        let mut through = Self::default();
        through.values[0] = value;
        through
    }

    /// The values.
    pub fn values(self) -> impl Iterator<Item = ValueId> {
        self.values.into_iter().flatten()
    }

    /// Whether it has this value.
    pub fn contains(self, value: ValueId) -> bool {
        self.values.contains(&Some(value))
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The values of both.
    pub fn common(self, other: Self) -> Self {
        self.values()
            .filter(|value| other.contains(*value))
            .collect()
    }

    /// Without a value.
    pub fn without(self, value: ValueId) -> Self {
        self.values().filter(|other| *other != value).collect()
    }
}

/// Keeps the last values: those that earlier ones were forwarded to.
impl FromIterator<ValueId> for Through {
    fn from_iter<I: IntoIterator<Item = ValueId>>(values: I) -> Self {
        let mut all: SmallVec<[ValueId; 8]> = values.into_iter().collect();
        let extra = all.len().saturating_sub(MOST_THROUGH);
        all.drain(..extra);
        all.sort_unstable();
        all.dedup();
        let mut through = Self::default();
        for (place, value) in through.values.iter_mut().zip(all) {
            *place = Some(value);
        }
        through
    }
}

impl Culprit {
    /// The same write, once fewer or other values can read the slice.
    pub const fn with(self, through: Through) -> Self {
        Self { through, ..self }
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
                Self::Clobbered(by.with(by.through.common(also.through)))
            }
            _ if other.rank() > self.rank() => other,
            _ => self,
        }
    }

    /// Whether some value can still read the contents.
    pub fn is_readable(self) -> bool {
        match self {
            Self::Intact => true,
            Self::Clobbered(by) => !by.through.is_empty(),
            _ => false,
        }
    }

    /// The values that can read the slice although it was overwritten.
    pub fn through(self) -> Through {
        match self {
            Self::Clobbered(by) => by.through,
            _ => Through::default(),
        }
    }

    /// The contents once other values can read the slice although it was overwritten.
    pub fn with_through(self, through: Through) -> Self {
        match self {
            Self::Clobbered(by) => Self::Clobbered(by.with(through)),
            other => other,
        }
    }

    /// The contents once `value` is redefined.
    pub fn redefined(self, value: ValueId) -> Self {
        match self {
            Self::Clobbered(by) => Self::Clobbered(by.with(by.through.without(value))),
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
            .flat_map(|content| content.through().values())
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

    /// Older instances alone, whose slots were spared.
    pub const OLDER: Self = Self {
        latest: false,
        older: true,
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

    /// Whether one is the latest instance and the other an older one: these lie in different slots.
    pub fn are_apart(self, other: Self) -> bool {
        matches!(
            [self, other],
            [Self::LATEST, Self::OLDER] | [Self::OLDER, Self::LATEST]
        )
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
