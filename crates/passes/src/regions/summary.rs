//! What a caller has to know of a function: which of its arguments and results are one memory.

use super::facts::{Call, Function, Reason, ValueId};
use smallvec::SmallVec;

/// Whose are the results of a function?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// The caller's, who frees them.
    Heap,
    /// Those of the region that the caller passes, or of whom it is that has lent the function an argument.
    Region,
}

/// Arguments and results that may be one memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// The arguments, by their numbers.
    pub arguments: SmallVec<[usize; 2]>,
    /// The results.
    pub results: SmallVec<[usize; 1]>,
    /// Why it cannot go to a region.
    pub stuck: Option<Reason>,
    /// The function makes some of what is among the results.
    pub is_made: bool,
}

impl Shared {
    /// Results that a caller gets without becoming their owner, in the version that lends them.
    pub fn is_lent(&self) -> bool {
        self.stuck.is_none() && !self.results.is_empty()
    }
}

/// What a caller has to know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// All arguments and results that are memrefs.
    pub shared: Vec<Shared>,
}

impl Summary {
    /// Nothing is known: all are one memory, with an obstacle.
    pub fn anything(function: &Function) -> Self {
        let some = |slots: &[Option<ValueId>]| {
            let all = slots.iter().enumerate();
            all.filter_map(|(at, slot)| slot.map(|_| at))
                .collect::<Vec<_>>()
        };
        let results = function.returns.first().map(|slots| some(slots));
        Self {
            shared: vec![Shared {
                arguments: some(&function.arguments).into(),
                results: results.unwrap_or_default().into(),
                stuck: Some(Reason::Rounds),
                is_made: false,
            }],
        }
    }

    /// That version makes memory, for which it needs a region.
    pub fn makes(&self) -> bool {
        self.shared.iter().any(|one| one.is_lent() && one.is_made)
    }

    /// The results of a call of it that may be what it makes.
    pub fn made_for(&self, call: &Call) -> impl Iterator<Item = ValueId> {
        let made = self.shared.iter();
        let made = made.filter(|one| one.is_lent() && one.is_made);
        let made = made.flat_map(|one| &one.results);
        made.filter_map(|at| call.results.get(*at).copied().flatten())
    }

    /// The results that it lends.
    pub fn lent(&self) -> impl Iterator<Item = usize> {
        let lent = self.shared.iter().filter(|one| one.is_lent());
        lent.flat_map(|one| one.results.iter().copied())
    }
}
