//! A planned function as plain data: what the abstract run executes.
//!
//! Blocks, regions and the operations that hold regions are flattened into one graph of nodes.
//! A node is a run of steps; an edge hands values over to the block arguments or results that
//! they become. Only what may touch an arena is kept.

use memplan_flow::ids;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;

ids! {
    /// A value that may refer to memory.
    pub ValueId,
    /// A buffer of an arena.
    pub SliceId,
    /// An arena.
    pub ArenaId,
    /// An operation that a diagnostic may point to, numbered in the order of the text.
    pub OpId,
    /// A run of steps.
    pub NodeId,
    /// A choice among slots.
    pub ChoiceId,
}

/// Some values.
pub type Values = SmallVec<[ValueId; 2]>;

/// A buffer of an arena, known by the arena and its number.
#[derive(Clone, Debug)]
pub struct Slice {
    /// Where it lives.
    pub arena: ArenaId,
    /// The number that the plan gave it.
    pub buffer: i64,
    /// Its bytes; more than one range if its instances rotate.
    pub slots: Vec<Range<u64>>,
}

/// An arena.
#[derive(Clone, Debug)]
pub struct Arena {
    /// The value that refers to it as a whole. It refers to no slice, but as long as it is live, a
    /// slice may be born.
    pub value: ValueId,
    /// Its slices.
    pub slices: Vec<SliceId>,
}

/// What a step does with tokens and the like.
#[derive(Clone, Debug)]
pub enum Token {
    /// Something is started.
    Start(Start),
    /// `to` is done only when one of `from` is, or, if `all`, is any of them.
    After {
        /// What it waits for, or may be.
        from: Values,
        /// The other.
        to: ValueId,
        /// Only if all of them prove it.
        all: bool,
        /// Those of `from` that nothing uses again.
        spent: Values,
    },
    /// A group of copies is made; groups are done in their order.
    Group {
        /// Copies that were in none.
        from: Values,
        /// The group.
        to: ValueId,
    },
    /// All of these are done.
    Wait(Values),
    /// All groups but so many are done.
    Drain(u32),
    /// The function is left.
    Leave,
}

/// How something is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// What it uses.
    pub uses: Values,
    /// What proves that it is done; empty if that is not known.
    pub proofs: Values,
    /// It has to be put into a group first.
    pub grouped: bool,
    /// Its tag, by number, if it has one.
    pub tag: Option<u32>,
}

/// What a value is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// Memory of its own, or not known.
    Root,
    /// A view of one value.
    View {
        /// What it views.
        source: ValueId,
        /// Its aligned pointer lies within the bytes of the allocation.
        pointer_inside: bool,
    },
    /// One of two values.
    Select(ValueId, ValueId),
}

/// Why a slice must not be used as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Escape {
    /// Handed to the caller.
    Returned,
    /// Stored in memory, or captured otherwise.
    Stored,
    /// Cast to something that is no memref.
    Cast,
    /// Its pointer is used as a number.
    Pointer,
}

/// What is known of the elements that an operation reads and writes. The values refer to rows one
/// after another, of so many bytes.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// All bytes are written, and none is read through this value.
    pub overwritten: SmallVec<[(ValueId, u64); 1]>,
    /// Each element of the first is read before the one at its place in the second is written, and
    /// not after.
    pub in_step: SmallVec<[(ValueId, ValueId, u64); 1]>,
}

/// What a step does.
#[derive(Clone, Debug)]
pub enum Action {
    /// The slice gets a new instance, which `result` refers to.
    Birth {
        /// Of which.
        slice: SliceId,
        /// The arena that the view is of.
        arena: ValueId,
        /// The view.
        result: ValueId,
        /// How its slot is chosen.
        choice: Option<ChoiceId>,
    },
    /// The arena is allocated.
    Allocate {
        /// Which.
        arena: ArenaId,
        /// The value that refers to it.
        value: ValueId,
    },
    /// The arena is freed.
    Free {
        /// Which.
        arena: ArenaId,
        /// The value that refers to it.
        value: ValueId,
    },
    /// `result` may refer to whatever one of `sources` refers to.
    Alias {
        /// The new value.
        result: ValueId,
        /// What it may be.
        sources: Values,
    },
    /// Memory is read and written, in no known order but for what `elements` says.
    Access {
        /// Through these.
        reads: Values,
        /// Through these.
        writes: Values,
        /// What is known of single elements.
        elements: Elements,
    },
    /// A buffer is copied to another place, and is there from then on.
    Move {
        /// The view of it where it was.
        from: ValueId,
        /// The view of it where it is then.
        to: ValueId,
    },
    /// The value gets where it cannot be followed.
    Escape(ValueId, Escape),
    /// The values' memory was needed until here, through addresses.
    Needed(Values),
    /// The values are no address of a buffer any more.
    Ended(Values, i64),
    /// The value's memory is freed.
    Deallocate(ValueId),
    /// The values are promised to be distinct memory.
    Distinct(Values),
    /// Something goes on when control has passed it, or is waited for.
    Token(Token),
}

impl Action {
    /// Memory is read and written, in no known order.
    pub fn access(reads: Values, writes: Values) -> Self {
        Self::Access {
            reads,
            writes,
            elements: Elements::default(),
        }
    }

    /// The values that it uses.
    pub fn uses(&self) -> impl Iterator<Item = ValueId> {
        let (some, more): (&[ValueId], &[ValueId]) = match self {
            Self::Allocate { .. } => (&[], &[]),
            Self::Birth { arena: value, .. } | Self::Free { value, .. } => {
                (std::slice::from_ref(value), &[])
            }
            Self::Alias { sources, .. } => (sources, &[]),
            Self::Access { reads, writes, .. } => (reads, writes),
            Self::Escape(value, _) | Self::Deallocate(value) => (std::slice::from_ref(value), &[]),
            Self::Move { from, to } => (std::slice::from_ref(from), std::slice::from_ref(to)),
            Self::Distinct(values) | Self::Needed(values) | Self::Ended(values, _) => (values, &[]),
            Self::Token(Token::Start(start)) => (&start.uses, &[]),
            Self::Token(_) => (&[], &[]),
        };
        some.iter().chain(more).copied()
    }

    /// False if it only makes a value that nothing needs.
    pub fn is_needed(&self, needed: &[bool]) -> bool {
        match self {
            Self::Alias { result, .. } => needed[result.index()],
            _ => true,
        }
    }

    /// The value that it defines.
    pub const fn result(&self) -> Option<ValueId> {
        match self {
            Self::Allocate { value, .. } => Some(*value),
            Self::Birth { result, .. } | Self::Alias { result, .. } => Some(*result),
            _ => None,
        }
    }
}

/// One thing that an operation does.
#[derive(Clone, Debug)]
pub struct Step {
    /// Which operation.
    pub op: OpId,
    /// What it does.
    pub action: Action,
}

/// A way from the end of a node to the start of another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The other.
    pub to: NodeId,
    /// What is handed over, and what it becomes. A target that appears more than once becomes
    /// one of its sources.
    pub binds: Vec<(ValueId, ValueId)>,
}

/// Steps that run one after another.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Which of the program's steps.
    pub steps: Range<usize>,
    /// Where control may go from its end.
    pub edges: Vec<Edge>,
    /// Tokens and tags that are others each time that it starts: sorted.
    pub fresh: Values,
}

/// An element of a memref that transfers are waited for by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// The memref.
    pub memref: ValueId,
    /// Its indices, where they are constants.
    pub indices: Vec<Option<i64>>,
}

/// A planned function. Node 0 is its entry.
#[derive(Debug, Default)]
pub struct Program {
    /// Arenas.
    pub arenas: Vec<Arena>,
    /// Buffers of arenas.
    pub slices: Vec<Slice>,
    /// For each choice among slots, the values that keep their slots: sorted.
    pub choices: Vec<Vec<ValueId>>,
    /// What each value is made from.
    pub values: Vec<Derivation>,
    /// Tags of transfers.
    pub tags: Vec<Tag>,
    /// Operations that move buffers.
    pub moves: FxHashSet<OpId>,
    /// Buffers whose address may be taken.
    pub pinned: FxHashSet<SliceId>,
    /// All steps.
    pub steps: Vec<Step>,
    /// All nodes.
    pub nodes: Vec<Node>,
}

/// Longer chains of `arith.select` than this are not followed.
const DEEPEST: usize = 64;

impl Program {
    /// Lets each value of each choice also stand for what it is a view of: both lie in one slot,
    /// for the aligned pointer of the view lies within the bytes of the allocation.
    pub fn close_choices(&mut self) {
        for held in &mut self.choices {
            for index in 0..held.len() {
                let mut value = held[index];
                while let Derivation::View {
                    source,
                    pointer_inside: true,
                } = self.values[value.index()]
                {
                    held.push(source);
                    value = source;
                }
            }
            held.sort_unstable();
            held.dedup();
        }
    }

    /// May two tags be one element?
    pub fn may_be_one_tag(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.tags[one as usize], &self.tags[other as usize]);
        one.memref == other.memref
            && !one
                .indices
                .iter()
                .zip(&other.indices)
                .any(|pair| matches!(pair, (Some(one), Some(other)) if one != other))
    }

    /// Do two slices have a byte in common?
    pub fn share_bytes(&self, one: SliceId, other: SliceId) -> bool {
        let (one, other) = (&self.slices[one.index()], &self.slices[other.index()]);
        one.arena == other.arena
            && one.slots.iter().any(|a| {
                let mut slots = other.slots.iter();
                slots.any(|b| a.start.max(b.start) < a.end.min(b.end))
            })
    }

    /// What a value is a view of, through views of views.
    pub fn root(&self, mut value: ValueId) -> ValueId {
        // In code that control never reaches, views may go around in circles.
        for _ in 0..self.values.len() {
            match self.values[value.index()] {
                Derivation::View { source, .. } => value = source,
                _ => break,
            }
        }
        value
    }

    /// Is a slice one run of so many bytes, the same as another?
    pub fn is_same_run(&self, one: SliceId, other: SliceId, bytes: u64) -> bool {
        let (one, other) = (&self.slices[one.index()], &self.slices[other.index()]);
        one.arena == other.arena
            && matches!(one.slots.as_slice(), [slot] if slot.end - slot.start == bytes)
            && one.slots == other.slots
    }

    /// Does the choice stay clear of the slot that `value` lies in?
    pub fn spares(&self, choice: ChoiceId, value: ValueId) -> bool {
        self.is_held(&self.choices[choice.index()], value, DEEPEST)
    }

    fn is_held(&self, held: &[ValueId], mut value: ValueId, depth: usize) -> bool {
        loop {
            if held.binary_search(&value).is_ok() {
                return true;
            }
            match self.values[value.index()] {
                Derivation::View { source, .. } => value = source,
                Derivation::Select(a, b) => {
                    return depth > 0
                        && self.is_held(held, a, depth - 1)
                        && self.is_held(held, b, depth - 1);
                }
                Derivation::Root => return false,
            }
        }
    }
}
