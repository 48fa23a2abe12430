//! The memory behavior of one operation.

pub use crate::operand_list::{OperandNumber, OperandNumbers};
use crate::{allocators::Allocator, operand_list::OperandList};
use memplan_mlir::{
    ir::{Op, operands},
    values::is_zero,
};
use smallvec::SmallVec;

/// The number of a result, among all results of the operation.
pub type ResultNumber = u32;

/// The memory behavior of one operation by itself. Nested operations have facts of their own, and a callee has a
/// summary.
///
/// * Every operand and result whose type can hold an address has exactly one entry, in ascending order. Others have
///   none, except for results that are an address as a number.
/// * If `opaque` is set, all other fields have the worst case: a reader that ignores it stays safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpMemory {
    /// Operands that can hold an address.
    pub operands: SmallVec<[OperandUse; 4]>,
    /// Results that can hold an address.
    pub results: SmallVec<[ResultUse; 2]>,
    /// Effects on memory that no operand names, and on other resources.
    pub unnamed: Unnamed,
    /// The order in which its regions run, if it has some.
    pub regions: RegionOrder,
    /// The asynchronous work that the operation starts.
    pub start: Option<Start>,
    /// The waits of the operation, and the orders of tokens that it adds.
    pub joins: SmallVec<[Join; 1]>,
    /// Operands that keep their memory if they are the same as one that is freed.
    pub retained: OperandNumbers,
    /// The program's promises about operands.
    pub promises: SmallVec<[Promise; 1]>,
    /// The operation behaves the same if its memrefs are in another memory space, as long as views of them are there,
    /// too.
    pub any_space: bool,
    /// No operation may be moved across it.
    pub fence: bool,
    /// It is a call: the callee's summary has the accesses to arguments and the facts about results. Captures are
    /// those of an unknown callee: it may store one argument in another, if the types allow it.
    pub is_call: bool,
    /// The reason why it cannot be analyzed.
    pub opaque: Option<Opaque>,
}

/// The behavior of an operation regarding one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandUse {
    /// The operand.
    pub operand: OperandNumber,
    /// The access to the contents.
    pub touch: Touch,
    /// The capture of the address.
    pub capture: Capture,
    /// The operand is freed.
    pub frees: Option<Frees>,
}

impl OperandUse {
    /// Does the operation take ownership of the operand, so that somebody else frees it from now on?
    pub fn is_taken(&self) -> bool {
        self.frees
            .is_some_and(|frees| frees.by.is_none() && frees.is_certain)
    }
}

/// An access to the contents of a memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// None: the operand is forwarded, or not used.
    Nothing,
    /// Sizes, strides and the address are used, but no byte.
    Descriptor,
    /// Bytes are accessed.
    Contents {
        /// Some are read.
        reads: bool,
        /// Some are written.
        writes: bool,
    },
}

impl Touch {
    /// Reads bytes.
    pub const READ: Self = Self::Contents {
        reads: true,
        writes: false,
    };
    /// Writes bytes.
    pub const WRITE: Self = Self::Contents {
        reads: false,
        writes: true,
    };
    /// Reads and writes bytes.
    pub const BOTH: Self = Self::Contents {
        reads: true,
        writes: true,
    };

    /// Are bytes read?
    pub const fn reads(self) -> bool {
        matches!(self, Self::Contents { reads: true, .. })
    }

    /// Are bytes written?
    pub const fn writes(self) -> bool {
        matches!(self, Self::Contents { writes: true, .. })
    }

    /// Both accesses.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Contents { .. }, _) | (_, Self::Contents { .. }) => Self::Contents {
                reads: self.reads() || other.reads(),
                writes: self.writes() || other.writes(),
            },
            (Self::Descriptor, _) | (_, Self::Descriptor) => Self::Descriptor,
            _ => Self::Nothing,
        }
    }
}

/// The capture of an operand's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Not captured, except in results.
    No,
    /// Stored in the memory of this operand.
    Inside(OperandNumber),
    /// Unknown code may know the address from now on.
    Anywhere,
}

/// The deallocation of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frees {
    /// The allocator that frees the memory; `None`: somebody else frees it from now on, or it is not known.
    pub by: Option<Allocator>,
    /// It is certain that the operand is freed or changes its owner; otherwise it may.
    pub is_certain: bool,
    /// The operand of type `i1` that must be true.
    pub flag: Option<OperandNumber>,
}

/// A promise of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The operand's address is a multiple of this number of bytes.
    Alignment {
        /// The operand.
        operand: OperandNumber,
        /// A power of two.
        bytes: u64,
        /// Only this operation relies on it.
        here: bool,
    },
    /// All memref operands are distinct allocations.
    Distinct,
}

/// The fact about one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultUse {
    /// The result.
    pub result: ResultNumber,
    /// The fact.
    pub fact: ResultFact,
}

/// The origin of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultFact {
    /// New memory.
    New {
        /// The allocator that frees it.
        by: Allocator,
        /// It is freed with its scope.
        automatic: bool,
        /// It may be the memory of this operand instead: a clone that is folded, a reallocation in place.
        may_share: Option<OperandNumber>,
    },
    /// A view of an operand: the same allocation.
    View {
        /// The operand.
        of: OperandNumber,
        /// Start of the view's data.
        start: DataStart,
    },
    /// The memory of one of these operands, chosen at run time.
    AnyOf(OperandList),
    /// An element of a memref of memrefs.
    Loaded {
        /// The operand that is loaded from.
        from: OperandNumber,
    },
    /// Memory that somebody else owns, and that is never freed here.
    Borrowed,
    /// The memory of any of these operands, or memory that is not tracked.
    Unknown {
        /// The operands.
        may_be: OperandList,
    },
    /// A number, pointer, structure or descriptor that holds the address of any of these operands.
    Address {
        /// The operands.
        of: OperandList,
    },
    /// A token, which can be waited for: see [`OpMemory::start`] and [`OpMemory::joins`].
    Token,
}

/// The aligned pointer of a view, relative to that of its source. A shift by zero counts as equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataStart {
    /// Equal.
    Same,
    /// Later by the number of bytes in this operand.
    ShiftedBy(OperandNumber),
    /// Not known.
    Unknown,
}

impl DataStart {
    /// May the data of a view, a result of `op`, start elsewhere than that of its source?
    pub fn moves(self, op: Op<'_>) -> bool {
        match self {
            Self::Same => false,
            Self::Unknown => true,
            Self::ShiftedBy(shift) => !operands(op).nth(shift as usize).is_some_and(is_zero),
        }
    }
}

/// The order in which the regions of an operation run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionOrder {
    /// One after another while the operation runs, as `RegionBranchOpInterface` states or in an unknown order.
    #[default]
    Sequential,
    /// In parallel with each other or with themselves, while the operation runs.
    Parallel,
    /// Asynchronously: possibly after the operation is done.
    Asynchronous,
    /// Asynchronously, and possibly on another device.
    Offloaded,
}

impl RegionOrder {
    /// May they still run after the operation is done?
    pub const fn outlives(self) -> bool {
        matches!(self, Self::Asynchronous | Self::Offloaded)
    }
}

/// Effects that name no operand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unnamed {
    /// Reads memory.
    pub reads: bool,
    /// Writes memory.
    pub writes: bool,
    /// Allocates memory.
    pub allocates: bool,
    /// Has an effect on a resource other than memory.
    pub other_resources: bool,
}

/// A reference to something that can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRef {
    /// The token in an operand.
    Operand(OperandNumber),
    /// The token in a result.
    Result(ResultNumber),
    /// An element of memory that only transfers use, as their tag.
    Tag {
        /// The operand with the memory.
        memref: OperandNumber,
        /// The first index operand of the element; there are as many as the memref has dimensions.
        first_index: OperandNumber,
    },
}

/// Tokens.
pub type TokenRefs = SmallVec<[TokenRef; 2]>;

/// Asynchronous work: memory that an operation uses until one of its tokens has been waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The memory.
    pub uses: Uses,
    /// Each of these tokens shows that the work is done. Without tokens, its end is never known.
    pub tokens: TokenRefs,
    /// It also counts as one of the thread's transfers until these are drained.
    pub grouped: bool,
}

/// The memory that an asynchronous operation uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// That of its operands.
    Operands,
    /// That of its operands, and the memory that its regions use.
    Regions,
}

/// A wait of an operation, or an order of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Join {
    /// Control continues only when these tokens are done.
    Wait(TokenRefs),
    /// `to` is done no earlier than all of these.
    After {
        /// The earlier tokens.
        all_of: TokenRefs,
        /// The later token.
        to: TokenRef,
    },
    /// `to` is one of these.
    OneOf {
        /// The possible tokens.
        of: TokenRefs,
        /// The token.
        to: TokenRef,
    },
    /// `to` stands for these, and for all earlier transfers of the thread that belong to no group.
    Group {
        /// The members of the group.
        of: TokenRefs,
        /// The group.
        to: TokenRef,
    },
    /// Control continues only when at most this number of the thread's groups are left.
    Drain {
        /// The number of groups.
        at_most: u32,
    },
}

/// The reason why an operation cannot be analyzed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// It does not declare its effects.
    UnknownEffects,
    /// It is asynchronous, and its waits are not known.
    Asynchronous,
}

impl OpMemory {
    /// The behavior regarding an operand; `None` if its type holds no address.
    pub fn operand(&self, number: usize) -> Option<&OperandUse> {
        let position = self
            .operands
            .binary_search_by_key(&number, |used| used.operand as usize);
        position.ok().map(|position| &self.operands[position])
    }

    pub(crate) fn operand_mut(&mut self, number: OperandNumber) -> Option<&mut OperandUse> {
        let position = self
            .operands
            .binary_search_by_key(&number, |used| used.operand);
        position.ok().map(|position| &mut self.operands[position])
    }

    /// The fact about a result; `None` if it holds no address.
    pub fn result(&self, number: usize) -> Option<&ResultFact> {
        let position = self
            .results
            .binary_search_by_key(&number, |used| used.result as usize);
        position.ok().map(|position| &self.results[position].fact)
    }

    /// Sets the fact about a result, in place of an earlier one.
    pub fn set_result(&mut self, result: ResultNumber, fact: ResultFact) {
        match self
            .results
            .binary_search_by_key(&result, |used| used.result)
        {
            Ok(position) => self.results[position].fact = fact,
            Err(position) => self.results.insert(position, ResultUse { result, fact }),
        }
    }

    /// Is an operand the memory of a tag of transfers that start here, or that are waited for?
    pub fn has_tag(&self, number: usize) -> bool {
        let is_tag = |token: &TokenRef| matches!(token, TokenRef::Tag { memref, .. } if *memref as usize == number);
        let started = self.start.iter().flat_map(|start| &start.tokens);
        let awaited = self.joins.iter().filter_map(|join| match join {
            Join::Wait(tokens) => Some(tokens),
            _ => None,
        });
        started.chain(awaited.flatten()).any(is_tag)
    }

    /// Is a result new stack memory, or new memory of `memref.alloc`'s allocator?
    pub fn allocates_result(&self, number: usize) -> bool {
        matches!(
            self.result(number),
            Some(ResultFact::New { by, automatic, .. }) if *automatic || *by == Allocator::Memref
        )
    }

    /// Does control wait here?
    pub fn waits(&self) -> bool {
        let mut joins = self.joins.iter();
        joins.any(|join| matches!(join, Join::Wait(_) | Join::Drain { .. }))
    }

    /// Does it write memory that is known?
    pub fn writes(&self) -> bool {
        self.unnamed.writes || self.operands.iter().any(|used| used.touch.writes())
    }

    /// Does it read memory?
    pub fn reads(&self) -> bool {
        self.unnamed.reads || self.operands.iter().any(|used| used.touch.reads())
    }

    /// Does it free an operand?
    pub fn frees(&self) -> bool {
        self.operands.iter().any(|used| used.frees.is_some())
    }

    /// Does it free an operand, and return that or new memory with the same contents?
    pub fn reallocates(&self) -> bool {
        self.results.iter().any(|result| match result.fact {
            ResultFact::New {
                may_share: Some(of),
                ..
            } => self
                .operand(of as usize)
                .is_some_and(|used| used.frees.is_some()),
            _ => false,
        })
    }

    /// Does it free an operand and nothing else, though perhaps asynchronously?
    pub fn only_frees(&self) -> bool {
        let mut operands = self.operands.iter();
        self.frees()
            && self.unnamed == Unnamed::default()
            && operands.all(|used| used.touch == Touch::Nothing && used.capture == Capture::No)
            && self
                .results
                .iter()
                .all(|result| result.fact == ResultFact::Token)
    }

    /// The operand whose address it stores, and the operand in whose memory, if that is all that it does and it does
    /// not read that memory.
    pub fn plain_store(&self) -> Option<(OperandNumber, OperandNumber)> {
        let mut stored = None;
        let mut written = None;
        for used in &self.operands {
            match (used.capture, used.touch) {
                (Capture::Inside(memory), Touch::Nothing) if stored.is_none() => {
                    stored = Some((used.operand, memory));
                }
                (Capture::No, Touch::WRITE) if written.is_none() => written = Some(used.operand),
                _ => return None,
            }
        }
        let is_all = self.unnamed == Unnamed::default() && self.results.is_empty() && !self.frees();
        stored.filter(|(_, memory)| is_all && written == Some(*memory))
    }

    /// The operand that it loads a memref from, if it does nothing else.
    pub fn plain_load(&self) -> Option<OperandNumber> {
        let [
            ResultUse {
                fact: ResultFact::Loaded { from },
                ..
            },
        ] = self.results.as_slice()
        else {
            return None;
        };
        (self.operands.len() == 1 && !self.writes() && self.unnamed == Unnamed::default())
            .then_some(*from)
    }

    /// Are its results only other names for the memory of operands, and does it access no byte?
    pub fn only_renames(&self) -> bool {
        let mut operands = self.operands.iter();
        operands.all(|used| {
            matches!(used.touch, Touch::Nothing | Touch::Descriptor)
                && used.capture == Capture::No
                && used.frees.is_none()
        }) && self.start.is_none()
    }

    /// Does it only allocate memory for one memref, which `memref.dealloc` frees, or which is freed with its scope?
    /// True for the latter.
    pub fn plain_allocation(&self) -> Option<bool> {
        let [
            ResultUse {
                fact:
                    ResultFact::New {
                        by,
                        automatic,
                        may_share: None,
                    },
                ..
            },
        ] = self.results.as_slice()
        else {
            return None;
        };
        let is_plain = self.operands.is_empty() && (*automatic || *by == Allocator::Memref);
        is_plain.then_some(*automatic)
    }

    /// Does it use at most the descriptor of an operand, and capture it only in views?
    pub fn only_uses_descriptor_of(&self, operand: usize) -> bool {
        let Some(used) = self.operand(operand) else {
            return true;
        };
        let mut is_chosen = false;
        for result in &self.results {
            match &result.fact {
                ResultFact::AnyOf(of) => is_chosen |= of.contains(&used.operand),
                ResultFact::View { .. } | ResultFact::Borrowed => {}
                _ => return false,
            }
        }
        (used.touch == Touch::Descriptor || used.touch == Touch::Nothing && is_chosen)
            && used.capture == Capture::No
            && used.frees.is_none()
            && self.start.is_none()
            && self.opaque.is_none()
            && !self.fence
    }

    /// Does it only create other names for memory of its operands, so that it returns the same ones if it runs again
    /// later?
    pub fn only_views(&self) -> bool {
        let mut results = self.results.iter();
        let mut operands = self.operands.iter();
        results.any(|used| matches!(used.fact, ResultFact::View { .. } | ResultFact::AnyOf(_)))
            && operands.all(|used| self.only_uses_descriptor_of(used.operand as usize))
            && self.unnamed == Unnamed::default()
            && self.joins.is_empty()
    }

    /// The operand that all memref results are views of, if there is one.
    pub fn view_source(&self) -> Option<OperandNumber> {
        let mut sources = self.results.iter().filter_map(|used| match used.fact {
            ResultFact::View { of, .. } => Some(of),
            _ => None,
        });
        let first = sources.next()?;
        sources.all(|of| of == first).then_some(first)
    }
}

const _: () = {
    const fn is_send<T: Send + Sync>() {}
    is_send::<OpMemory>();
};
