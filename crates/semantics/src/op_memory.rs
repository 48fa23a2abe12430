//! What one operation does to memory.

use crate::allocators::Allocator;
use memplan_mlir::{
    ir::{Op, operands},
    values::is_zero,
};
use smallvec::SmallVec;

/// The number of an operand, among all operands of the operation.
pub type OperandNumber = u32;
/// The number of a result, among all results of the operation.
pub type ResultNumber = u32;
/// Numbers of operands, ascending.
pub type OperandNumbers = SmallVec<[OperandNumber; 4]>;

/// What one operation does to memory, by itself: what its regions' operations do is theirs, what its
/// callee does is for a summary to say.
///
/// * Every operand and result whose type can hold an address has exactly one entry, in ascending order.
///   Others have none, except for results that are an address as a number.
/// * Where `opaque` is set, all other fields are the worst case: a reader that ignores it stays safe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpMemory {
    /// Operands that can hold an address.
    pub operands: SmallVec<[OperandUse; 4]>,
    /// Results that can hold an address.
    pub results: SmallVec<[ResultUse; 2]>,
    /// Effects on memory that no operand names, and on other resources.
    pub unnamed: Unnamed,
    /// When its regions run, if it has some.
    pub regions: RegionOrder,
    /// It goes on after control has passed it.
    pub start: Option<Start>,
    /// What it waits for, or puts in order.
    pub joins: SmallVec<[Join; 1]>,
    /// Operands that keep their memory where they are the same as one that is freed.
    pub retained: OperandNumbers,
    /// What the program promises of its operands.
    pub promises: SmallVec<[Promise; 1]>,
    /// It does the same where its memrefs are in another memory space, as long as views of them are there, too.
    pub any_space: bool,
    /// Nothing changes places with it.
    pub fence: bool,
    /// It is a call: what is done to its arguments and what its results are, the callee shows. Captures are those of a
    /// callee that is not looked at: it may store one argument in another, where the types allow it.
    pub is_call: bool,
    /// Why it cannot be followed.
    pub opaque: Option<Opaque>,
}

/// What an operation does with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandUse {
    /// Which operand.
    pub operand: OperandNumber,
    /// What happens to the contents.
    pub touch: Touch,
    /// Where the address goes.
    pub capture: Capture,
    /// It is freed.
    pub frees: Option<Frees>,
}

impl OperandUse {
    /// Does the operation take ownership of it, so that somebody else frees it from now on?
    pub fn is_taken(&self) -> bool {
        self.frees
            .is_some_and(|frees| frees.by.is_none() && frees.is_certain)
    }
}

/// What happens to the contents of a memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touch {
    /// Nothing: it is passed on, or not used.
    Nothing,
    /// Sizes, strides and the address are used; no byte is.
    Descriptor,
    /// Bytes are.
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

    /// What both do.
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

/// Where the address of an operand goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Nowhere but into results.
    No,
    /// It is stored in the memory of this operand.
    Inside(OperandNumber),
    /// Code that is not seen may know it, for ever.
    Anywhere,
}

/// How an operand is freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frees {
    /// The allocator that takes it back; `None`: somebody else frees it from now on, or that is not known.
    pub by: Option<Allocator>,
    /// It is freed, or somebody else's, for certain; else perhaps, as far as is known.
    pub is_certain: bool,
    /// The operand of type `i1` that must be true.
    pub flag: Option<OperandNumber>,
}

/// Something that the program promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// The operand's address is a multiple of so many bytes.
    Alignment {
        /// The operand.
        operand: OperandNumber,
        /// A power of two.
        bytes: u64,
        /// This operation alone relies on it.
        here: bool,
    },
    /// All memref operands are separate storage.
    Distinct,
}

/// What one result is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultUse {
    /// Which result.
    pub result: ResultNumber,
    /// What it is.
    pub fact: ResultFact,
}

/// What a result is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultFact {
    /// New memory.
    New {
        /// Who frees it.
        by: Allocator,
        /// It is freed with its scope.
        automatic: bool,
        /// It may be the memory of this operand after all: a clone that is folded, a reallocation in place.
        may_share: Option<OperandNumber>,
    },
    /// A view of an operand: the same allocation.
    View {
        /// The operand.
        of: OperandNumber,
        /// Where its data starts.
        start: DataStart,
    },
    /// The memory of one of these operands, chosen at run time.
    AnyOf(OperandNumbers),
    /// An element of a memref of memrefs.
    Loaded {
        /// The operand that is loaded from.
        from: OperandNumber,
    },
    /// Memory of somebody else, which is never freed here.
    Borrowed,
    /// The memory of any of these operands, or memory that is not followed.
    Unknown {
        /// The operands.
        may_be: OperandNumbers,
    },
    /// A number, pointer, structure or descriptor that holds the address of any of these operands.
    Address {
        /// The operands.
        of: OperandNumbers,
    },
    /// Something that can be waited for: see [`OpMemory::start`] and [`OpMemory::joins`].
    Token,
}

/// Where the aligned pointer of a view is, next to that of its source. A shift by zero is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataStart {
    /// At the same place.
    Same,
    /// So many bytes after it as this operand says.
    ShiftedBy(OperandNumber),
    /// Not known.
    Unknown,
}

impl DataStart {
    /// May the data of a view, a result of `op`, start elsewhere than that of what it is a view of?
    pub fn moves(self, op: Op<'_>) -> bool {
        match self {
            Self::Same => false,
            Self::Unknown => true,
            Self::ShiftedBy(shift) => !operands(op).nth(shift as usize).is_some_and(is_zero),
        }
    }
}

/// When the regions of an operation run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionOrder {
    /// One after another, while the operation runs: as `RegionBranchOpInterface` says, or in an order that is not known.
    #[default]
    Sequential,
    /// At the same time as each other, or several times at once, while the operation runs.
    Parallel,
    /// Perhaps after control has passed the operation.
    Asynchronous,
    /// Perhaps on another device, after control has passed the operation.
    Offloaded,
}

impl RegionOrder {
    /// May they still run after control has passed the operation?
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
    /// Has an effect on something that is no memory.
    pub other_resources: bool,
}

/// Something that can be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRef {
    /// The token that an operand is.
    Operand(OperandNumber),
    /// The token that a result is.
    Result(ResultNumber),
    /// An element of memory that only transfers use, as their tag.
    Tag {
        /// The operand that is the memory.
        memref: OperandNumber,
        /// The first operand that is an index of the element; as many follow as the memref has dimensions.
        first_index: OperandNumber,
    },
}

/// Tokens.
pub type TokenRefs = SmallVec<[TokenRef; 2]>;

/// What an operation uses after control has passed it, until one of its tokens has been waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// What is used.
    pub uses: Uses,
    /// Each of them shows that it is done. None: it is never known to end.
    pub tokens: TokenRefs,
    /// It also counts as one of the thread's transfers until these are drained.
    pub grouped: bool,
}

/// What an asynchronous operation uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// Its operands.
    Operands,
    /// Its operands, and what its regions use.
    Regions,
}

/// What an operation waits for, or puts in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Join {
    /// Control goes on only when these are done.
    Wait(TokenRefs),
    /// `to` is done no earlier than all of these.
    After {
        /// What is waited for.
        all_of: TokenRefs,
        /// What is done later.
        to: TokenRef,
    },
    /// `to` is one of these.
    OneOf {
        /// What it may be.
        of: TokenRefs,
        /// What it is.
        to: TokenRef,
    },
    /// `to` stands for these, and for all transfers of the thread before that belong to no group.
    Group {
        /// What belongs to the group.
        of: TokenRefs,
        /// The group.
        to: TokenRef,
    },
    /// Control goes on only when at most so many of the thread's groups are left.
    Drain {
        /// So many may be left.
        at_most: u32,
    },
}

/// Why an operation cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opaque {
    /// It says nothing of its effects.
    UnknownEffects,
    /// It goes on after control has passed it, and how it is waited for is not known.
    Asynchronous,
}

impl OpMemory {
    /// What is done with an operand; `None` where its type holds no address.
    pub fn operand(&self, number: usize) -> Option<&OperandUse> {
        let place = self
            .operands
            .binary_search_by_key(&number, |used| used.operand as usize);
        place.ok().map(|place| &self.operands[place])
    }

    pub(crate) fn operand_mut(&mut self, number: OperandNumber) -> Option<&mut OperandUse> {
        let place = self
            .operands
            .binary_search_by_key(&number, |used| used.operand);
        place.ok().map(|place| &mut self.operands[place])
    }

    /// What a result is; `None` where it holds no address.
    pub fn result(&self, number: usize) -> Option<&ResultFact> {
        let place = self
            .results
            .binary_search_by_key(&number, |used| used.result as usize);
        place.ok().map(|place| &self.results[place].fact)
    }

    /// Says what a result is, in place of what was said before.
    pub fn set_result(&mut self, result: ResultNumber, fact: ResultFact) {
        match self
            .results
            .binary_search_by_key(&result, |used| used.result)
        {
            Ok(place) => self.results[place].fact = fact,
            Err(place) => self.results.insert(place, ResultUse { result, fact }),
        }
    }

    /// Is an operand the memory of a tag, by which transfers that start here, or are waited for, are known?
    pub fn has_tag(&self, number: usize) -> bool {
        let is_tag = |token: &TokenRef| matches!(token, TokenRef::Tag { memref, .. } if *memref as usize == number);
        let started = self.start.iter().flat_map(|start| &start.tokens);
        let awaited = self.joins.iter().filter_map(|join| match join {
            Join::Wait(tokens) => Some(tokens),
            _ => None,
        });
        started.chain(awaited.flatten()).any(is_tag)
    }

    /// Is a result new memory of the stack, or of the allocator of `memref.alloc`?
    pub fn gives_memory(&self, number: usize) -> bool {
        matches!(
            self.result(number),
            Some(ResultFact::New { by, automatic, .. }) if *automatic || *by == Allocator::Memref
        )
    }

    /// Does control wait here for something?
    pub fn waits(&self) -> bool {
        let mut joins = self.joins.iter();
        joins.any(|join| matches!(join, Join::Wait(_) | Join::Drain { .. }))
    }

    /// Does it write memory, as far as it is known which?
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

    /// Does it free an operand, and give that or new memory with the same contents?
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

    /// Does it free an operand, and nothing else, though it may go on after control has passed it?
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

    /// The only place where it stores an address, if it stores one in memory that it does not read, and does nothing
    /// else: the operand whose address it is, and the memory.
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

    /// Are its results only other names of the memory of operands, of which no byte is touched?
    pub fn only_renames(&self) -> bool {
        let mut operands = self.operands.iter();
        operands.all(|used| {
            matches!(used.touch, Touch::Nothing | Touch::Descriptor)
                && used.capture == Capture::No
                && used.frees.is_none()
        }) && self.start.is_none()
    }

    /// Does it allocate memory for one memref that is freed by `memref.dealloc`, or with its scope, and do nothing else with
    /// memory? Then, is it freed with its scope?
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

    /// Does it use sizes, strides and the address of an operand at most, and do these go nowhere but into views of it?
    pub fn only_looks_at(&self, operand: usize) -> bool {
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

    /// Does it only make other names for memory that it gets, so that it gives the same ones again later?
    pub fn only_views(&self) -> bool {
        let mut results = self.results.iter();
        let mut operands = self.operands.iter();
        results.any(|used| matches!(used.fact, ResultFact::View { .. } | ResultFact::AnyOf(_)))
            && operands.all(|used| self.only_looks_at(used.operand as usize))
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
