//! A planned function as plain data: the program that the abstract machine executes.
//!
//! Blocks, regions and operations with regions are flattened into one graph of nodes. A node is a sequence of
//! actions. An edge binds values to the block arguments or results that they become. Only values and actions that
//! may touch an arena are kept.

use super::bank_layout::Banks;
use fixedbitset::FixedBitSet;
use memplan_flow::ids;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{fmt, ops::Range, rc::Rc};

ids! {
    /// A value that may refer to memory.
    pub ValueId,
    /// A buffer of an arena.
    pub SliceId,
    /// An arena.
    pub ArenaId,
    /// An operation that a diagnostic may point to, numbered in the order of the text.
    pub OpId,
    /// A sequence of actions.
    pub NodeId,
    /// A choice among the slots of a rotating buffer.
    pub ChoiceId,
}

/// A list of values.
pub type Values = SmallVec<[ValueId; 2]>;

/// The number of bytes of all of a slice of dynamic size.
pub const ALL_BYTES: u64 = u64::MAX;

/// The address of slices of dynamic size on the abstract machine, after every slice of static size. They share bytes there,
/// unless their order is known.
pub const DYNAMIC_START: u64 = 1 << 62;

/// The fewest bytes of such a slice on the abstract machine: more than any real one has.
pub const DYNAMIC_BYTES: u64 = 1 << 60;

/// Where a slice of dynamic size is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The number of its start.
    pub start: usize,
    /// The number of its size, among those of its arena.
    pub need: usize,
    /// Its size in bytes, if that is static.
    pub bytes: Option<u64>,
}

/// A buffer of an arena, identified by the arena and the buffer's number.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The arena of the buffer.
    pub arena: ArenaId,
    /// The number in the plan.
    pub buffer: BufferName,
    /// The byte ranges in the arena; more than one if instances rotate among slots.
    pub slots: Vec<Range<u64>>,
    /// Where it is among the slices of dynamic size.
    pub places: SmallVec<[Place; 1]>,
}

/// An arena.
#[derive(Clone, Debug)]
pub struct Arena {
    /// The value that refers to the arena as a whole. It refers to no slice, but while it is live, a slice may be born.
    pub value: ValueId,
    /// The slices of the arena.
    pub slices: Vec<SliceId>,
}

/// The effect of an action on tokens, groups and tags of asynchronous operations.
#[derive(Clone, Debug)]
pub enum Token {
    /// An asynchronous operation starts.
    Start(Start),
    /// `to` proves the completion of an operation if one of `from` does or, with `all`, if all of them do.
    After {
        /// The values whose completion `to` implies.
        from: Values,
        /// The value that stands for them from now on.
        to: ValueId,
        /// Whether only all of `from` together prove completion.
        all: bool,
        /// The values of `from` that nothing uses later.
        spent: Values,
    },
    /// Copies are collected into a group; groups complete in order.
    Group {
        /// Copies that are in no group yet.
        from: Values,
        /// The value of the group.
        to: ValueId,
    },
    /// A wait: all of these have completed.
    Wait(Values),
    /// A wait: all groups have completed except so many of the latest.
    Drain(u32),
    /// The function returns.
    Leave,
}

/// The start of an asynchronous operation.
#[derive(Clone, Debug)]
pub struct Start {
    /// The values whose memory it uses.
    pub uses: Values,
    /// The values that prove its completion; empty if unknown.
    pub proofs: Values,
    /// Whether it must be put into a group before a wait covers it.
    pub grouped: bool,
    /// The index of its tag, if it has one.
    pub tag: Option<u32>,
}

/// The derivation of a value from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivation {
    /// Memory of its own, or of unknown origin.
    Root,
    /// A view of one value.
    View {
        /// The viewed value.
        source: ValueId,
        /// Whether its aligned pointer lies within the bytes of the allocation.
        pointer_inside: bool,
    },
    /// One of two values.
    Select(ValueId, ValueId),
}

/// The kinds of escapes: uses of a slice that the arena does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Escape {
    /// Returned to the caller.
    Returned,
    /// Stored in memory, or captured in another way.
    Stored,
    /// Cast to a type that is no memref.
    Cast,
    /// Its pointer is used as an integer.
    Pointer,
    /// The pointer of its allocation is compared with another one: an escape if the arena may be another one by now.
    Allocation,
    /// Its pointer is compared with another one: an escape unless the slice alone has its bytes, and the instance is the latest.
    Compared,
}

/// Facts about the order in which an operation reads and writes elements. The values refer to contiguous memory of
/// so many bytes.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// All bytes are written, and none is read through this value.
    pub overwritten: SmallVec<[(ValueId, u64); 1]>,
    /// Each element of the first value is read before the element of the same index in the second is written, and not
    /// afterwards.
    pub in_step: SmallVec<[(ValueId, ValueId, u64); 1]>,
}

/// The effect of an action.
#[derive(Clone, Debug)]
pub enum Action {
    /// A new instance of the slice, to which `result` refers.
    Birth {
        /// The slice.
        slice: SliceId,
        /// The arena of which the view is.
        arena: ValueId,
        /// The view.
        result: ValueId,
        /// The choice of its slot, for a rotating buffer.
        choice: Option<ChoiceId>,
    },
    /// The arena is allocated.
    Allocate {
        /// The arena.
        arena: ArenaId,
        /// The value that refers to it.
        value: ValueId,
    },
    /// The arena is freed.
    Free {
        /// The arena.
        arena: ArenaId,
        /// The value that refers to it.
        value: ValueId,
    },
    /// `result` may refer to the memory of any of `sources`.
    Alias {
        /// The new value.
        result: ValueId,
        /// The values that it may be.
        sources: Values,
    },
    /// Memory is read and written, in an unknown order except for the facts in `elements`.
    Access {
        /// The values through which memory is read.
        reads: Values,
        /// The values through which memory is written.
        writes: Values,
        /// The known order of element accesses.
        elements: Elements,
    },
    /// The callee may overwrite the memory of a donated operand, which nothing else that the call passes may be.
    Donate {
        /// The operand.
        value: ValueId,
        /// The other operands.
        others: Values,
        /// Whether no result of the call is the operand.
        is_lost: bool,
    },
    /// A buffer is copied to another place, where it lives from then on.
    Move {
        /// The view of its old place.
        from: ValueId,
        /// The view of its new place.
        to: ValueId,
    },
    /// The value escapes.
    Escape(ValueId, Escape),
    /// The memory of these values was needed up to here, through addresses.
    Needed(Values),
    /// The values are no longer addresses of the buffer with this number.
    Ended(Values, i64),
    /// The value's memory is freed.
    Deallocate(ValueId),
    /// The values are promised to be distinct memory.
    Distinct(Values),
    /// An asynchronous operation starts or is waited for.
    Token(Token),
}

impl Action {
    /// Reads and writes of memory in an unknown order.
    pub fn access(reads: Values, writes: Values) -> Self {
        Self::Access {
            reads,
            writes,
            elements: Elements::default(),
        }
    }

    /// The values that the action uses.
    pub fn uses(&self) -> impl Iterator<Item = ValueId> {
        let (some, more): (&[ValueId], &[ValueId]) = match self {
            Self::Allocate { .. } => (&[], &[]),
            Self::Birth { arena: value, .. } | Self::Free { value, .. } => {
                (std::slice::from_ref(value), &[])
            }
            Self::Alias { sources, .. } => (sources, &[]),
            Self::Access { reads, writes, .. } => (reads, writes),
            Self::Escape(value, _) | Self::Deallocate(value) => (std::slice::from_ref(value), &[]),
            Self::Donate { value, others, .. } => (std::slice::from_ref(value), others),
            Self::Move { from, to } => (std::slice::from_ref(from), std::slice::from_ref(to)),
            Self::Distinct(values) | Self::Needed(values) | Self::Ended(values, _) => (values, &[]),
            Self::Token(Token::Start(start)) => (&start.uses, &[]),
            Self::Token(_) => (&[], &[]),
        };
        some.iter().chain(more).copied()
    }

    /// Whether the action has an effect: false if it only defines a value that is not needed.
    pub fn is_needed(&self, needed: &[bool]) -> bool {
        match self {
            Self::Alias { result, .. } => needed[result.index()],
            _ => true,
        }
    }

    /// The value that the action defines.
    pub const fn result(&self) -> Option<ValueId> {
        match self {
            Self::Allocate { value, .. } => Some(*value),
            Self::Birth { result, .. } | Self::Alias { result, .. } => Some(*result),
            _ => None,
        }
    }
}

/// An action of an operation.
#[derive(Clone, Debug)]
pub struct OpAction {
    /// The operation.
    pub op: OpId,
    /// The effect.
    pub action: Action,
}

/// An edge from the end of a node to the start of another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The target.
    pub to: NodeId,
    /// The values passed along the edge, each with the value that it becomes. A target that appears more than once
    /// becomes one of its sources.
    pub binds: Vec<(ValueId, ValueId)>,
}

/// Actions that run one after the other.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The range in the program's actions.
    pub actions: Range<usize>,
    /// The edges from its end.
    pub edges: Vec<Edge>,
    /// Tokens and tags that stand for a new start each time that the node starts, sorted.
    pub redefined: Values,
}

/// An element of a memref that serves as a tag for transfers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag {
    /// The memref.
    pub memref: ValueId,
    /// The indices, where they are constant.
    pub indices: Vec<Option<i64>>,
}

/// What a buffer of an arena is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BufferName {
    /// By its number.
    Number(i64),
    /// All bytes of the arena, through the arena itself: the view of them was folded.
    Arena,
    /// A view whose number is lost, as it was written anew: the count of such views before it.
    View(u32),
}

impl fmt::Display for BufferName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Arena => f.write_str("(all of the arena)"),
            Self::View(_) => f.write_str("(a view without number)"),
        }
    }
}

/// An operation whose operands are apart.
#[derive(Clone, Debug)]
pub struct ApartOperands {
    /// The operation.
    pub op: OpId,
    /// The operands in memory spaces in which an arena has banks: number, memory space by its number, value.
    pub operands: Vec<(usize, usize, ValueId)>,
}

/// The banks of a function, and what is apart.
#[derive(Debug, Default)]
pub struct BankRules {
    /// The arenas with banks.
    pub arenas: FxHashMap<ArenaId, Banks>,
    /// The slices of each group, each in one arena.
    pub groups: Vec<Vec<SliceId>>,
    /// Operations whose operands are apart.
    pub operands: Vec<ApartOperands>,
    /// For each slice of a group, those that are apart from it and share a bank.
    pub sharing: FxHashMap<SliceId, SmallVec<[SliceId; 1]>>,
}

impl BankRules {
    /// The slices that are apart from one, and share a bank with it.
    pub fn sharing_with(&self, slice: SliceId) -> &[SliceId] {
        self.sharing.get(&slice).map_or(&[], |all| all)
    }
}

/// A planned function. Node 0 is its entry.
#[derive(Debug, Default)]
pub struct Program {
    /// The arenas.
    pub arenas: Vec<Arena>,
    /// The buffers of all arenas.
    pub slices: Vec<Slice>,
    /// For each start of slices of dynamic size, the sizes of its arena of which all slices end there or before; for each layout
    /// that the program may select.
    pub ended: Vec<SmallVec<[Rc<FixedBitSet>; 1]>>,
    /// For each choice among slots, the values whose slots it spares, sorted.
    pub choices: Vec<Vec<ValueId>>,
    /// The derivation of each value.
    pub values: Vec<Derivation>,
    /// The tags of transfers.
    pub tags: Vec<Tag>,
    /// Operations that move buffers.
    pub moves: FxHashSet<OpId>,
    /// The banks of arenas, and the slices that are apart.
    pub banks: BankRules,
    /// Buffers whose address may be taken.
    pub pinned: FxHashSet<SliceId>,
    /// The actions of all nodes.
    pub actions: Vec<OpAction>,
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// The depth of `arith.select` chains up to which they are followed.
const DEEPEST: usize = 64;

impl Program {
    /// The nodes that control may reach.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![NodeId(0)];
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut reached[node.index()], true) {
                open.extend(self.nodes[node.index()].edges.iter().map(|edge| edge.to));
            }
        }
        reached
    }

    /// Extends each choice to the sources of the views that it spares. Both lie in one slot, since the aligned pointer
    /// of the view lies within the bytes of the allocation.
    pub fn close_choices(&mut self) {
        for spared in &mut self.choices {
            for index in 0..spared.len() {
                let mut value = spared[index];
                while let Derivation::View {
                    source,
                    pointer_inside: true,
                } = self.values[value.index()]
                {
                    spared.push(source);
                    value = source;
                }
            }
            spared.sort_unstable();
            spared.dedup();
        }
    }

    /// Whether two tags may be the same element.
    pub fn may_be_one_tag(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.tags[one as usize], &self.tags[other as usize]);
        one.memref == other.memref
            && !one
                .indices
                .iter()
                .zip(&other.indices)
                .any(|pair| matches!(pair, (Some(one), Some(other)) if one != other))
    }

    /// Whether two slices share a byte.
    pub fn share_bytes(&self, one: SliceId, other: SliceId) -> bool {
        let (a, b) = (&self.slices[one.index()], &self.slices[other.index()]);
        a.arena == b.arena
            && !self.are_ordered(one, other)
            && a.slots.iter().any(|a| {
                let mut slots = b.slots.iter();
                slots.any(|b| a.start.max(b.start) < a.end.min(b.end))
            })
    }

    /// Whether two slices share a byte, or a bank although they are apart.
    pub fn clash(&self, one: SliceId, other: SliceId) -> bool {
        self.share_bytes(one, other) || self.banks.sharing_with(one).contains(&other)
    }

    /// Whether one of two slices of dynamic size ends before the other one starts.
    pub fn are_ordered(&self, one: SliceId, other: SliceId) -> bool {
        let (one, other) = (&self.slices[one.index()], &self.slices[other.index()]);
        let is_dynamic = |slice: &Slice| {
            let mut slots = slice.slots.iter();
            !slice.places.is_empty() && slots.all(|slot| slot.start >= DYNAMIC_START)
        };
        let are_ordered = |a: &Place, b: &Place| {
            let mut layouts = self.ended[a.start].iter().zip(&self.ended[b.start]);
            layouts.all(|(at_a, at_b)| at_b.contains(a.need) || at_a.contains(b.need))
        };
        is_dynamic(one)
            && is_dynamic(other)
            && one.places.iter().all(|a| {
                let mut places = other.places.iter();
                places.all(|b| are_ordered(a, b))
            })
    }

    /// The value that `value` is a view of, through views of views.
    pub fn root(&self, mut value: ValueId) -> ValueId {
        // In unreachable code, views may form a cycle.
        for _ in 0..self.values.len() {
            match self.values[value.index()] {
                Derivation::View { source, .. } => value = source,
                _ => break,
            }
        }
        value
    }

    /// Whether two slices are the same single range of `bytes` bytes, or of [`ALL_BYTES`].
    pub fn is_same_run(&self, one: SliceId, other: SliceId, bytes: u64) -> bool {
        let (one, other) = (&self.slices[one.index()], &self.slices[other.index()]);
        let is_size = |slice: &Slice, slot: &Range<u64>| match slice.places.as_slice() {
            [] => slot.end - slot.start == bytes,
            places => places.iter().all(|place| place.bytes == Some(bytes)),
        };
        let is_run = |slice: &Slice| matches!(slice.slots.as_slice(), [slot] if bytes == ALL_BYTES || is_size(slice, slot));
        one.arena == other.arena && one.slots == other.slots && is_run(one) && is_run(other)
    }

    /// Whether a choice never takes the slot in which `value` lies.
    pub fn spares(&self, choice: ChoiceId, value: ValueId) -> bool {
        self.is_spared(&self.choices[choice.index()], value, DEEPEST)
    }

    fn is_spared(&self, spared: &[ValueId], mut value: ValueId, depth: usize) -> bool {
        loop {
            if spared.binary_search(&value).is_ok() {
                return true;
            }
            match self.values[value.index()] {
                Derivation::View { source, .. } => value = source,
                Derivation::Select(a, b) => {
                    return depth > 0
                        && self.is_spared(spared, a, depth - 1)
                        && self.is_spared(spared, b, depth - 1);
                }
                Derivation::Root => return false,
            }
        }
    }
}
