//! A function as plain data: the tree of its blocks, its memref values, and what is done to them.
//!
//! Positions number operations in the order of the text: a simple operation has one position, an
//! operation with control flow inside has one where it starts, those of its blocks, and one where
//! it ends. A block has one more position in front, for its arguments. What is nested in an
//! operation whose inner order is unknown shares that operation's position.

use crate::{ranges::Ranges, reason::Reason};
use memplan_flow::ids;
use smallvec::SmallVec;

pub use crate::ranges::Position;

ids! {
    /// A memref value.
    pub ValueId,
    /// An allocation.
    pub BufferId,
    /// A block.
    pub BlockId,
    /// An operation with control flow inside, or the body of a scope.
    pub NodeId,
    /// A body with an arena of its own: the function's, or one that runs in parallel.
    pub ScopeId,
}

/// Where control may go at the end of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Successor {
    /// To the start of a block of the same node.
    Block(BlockId),
    /// Out of the node.
    Exit,
}

/// A block.
#[derive(Clone, Debug)]
pub struct BlockFact {
    /// The node that it is in.
    pub node: NodeId,
    /// Its first position, that of its arguments.
    pub first: Position,
    /// One past its last position.
    pub end: Position,
    /// Where control goes.
    pub successors: SmallVec<[Successor; 2]>,
    /// Where it comes from, other than the node's entry.
    pub predecessors: SmallVec<[BlockId; 2]>,
}

/// An operation with control flow inside, or the body of a scope.
#[derive(Clone, Debug)]
pub struct NodeFact {
    /// The block that holds it; `None` for the body of a scope.
    pub parent: Option<BlockId>,
    /// The scope of what is inside.
    pub scope: ScopeId,
    /// Where it starts.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// Its blocks.
    pub blocks: Vec<BlockId>,
    /// The blocks that control may enter first.
    pub entries: SmallVec<[BlockId; 2]>,
    /// Control may pass it without entering a block.
    pub passes: bool,
}

/// A body with an arena of its own.
#[derive(Clone, Debug)]
pub struct ScopeFact {
    /// Its blocks.
    pub body: NodeId,
    /// Where it stands in the scope around it; `None` for the function's body.
    pub outer: Option<Outer>,
}

/// Where a scope stands in the one around it.
#[derive(Clone, Copy, Debug)]
pub struct Outer {
    /// The scope around.
    pub scope: ScopeId,
    /// The block that holds the operation.
    pub block: BlockId,
    /// The positions that the operation spans, both included.
    pub span: (Position, Position),
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// Used, but its definition was not come across: memory that is not known.
    Unknown,
    /// The result of an allocation.
    Alloc(BufferId),
    /// Memref argument number n of the function.
    Argument(u32),
    /// The same memory as its only source.
    View,
    /// The memory of any of its sources: block argument, region result, select, result of a call.
    Merge,
}

/// A memref value.
#[derive(Clone, Debug)]
pub struct ValueFact {
    /// What it is.
    pub kind: ValueKind,
    /// Where it may come from.
    pub sources: SmallVec<[ValueId; 2]>,
    /// It may also be memory that is not known.
    pub external: bool,
    /// Where it is defined.
    pub block: BlockId,
    /// At which position.
    pub position: Position,
    /// Bytes from its first to its last element, where these lie one after another; what has as many
    /// as its allocation is all of it.
    pub extent: Option<u64>,
}

/// What an operation does with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UseKind {
    /// Reads or writes its memory.
    Touch,
    /// Writes all of its elements, and reads none of them: what they were before is not needed.
    Overwrite,
    /// Hands it on to what may then be the same memory: a branch, a yield, a select.
    Forward,
    /// Views it, or asks something of it that does not depend on its contents.
    Mention,
}

/// An operation writes one memref element by element as it reads another, and reads no element of
/// that after it has written the one at its place.
#[derive(Clone, Copy, Debug)]
pub struct InStep {
    /// What is read.
    pub read: ValueId,
    /// What is written.
    pub written: ValueId,
    /// The block.
    pub block: BlockId,
    /// The position.
    pub position: Position,
    /// Both are laid out row by row, so that what is at one place has the same bytes.
    pub same_bytes: bool,
    /// Both have the same element type.
    pub same_elements: bool,
    /// It copies the elements of one to the other, and does nothing else: its place among the operations that do.
    pub copy: Option<u32>,
    /// They must not be the same memory: such a copy in place has to go.
    pub apart: bool,
}

/// A use of a value.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The value.
    pub value: ValueId,
    /// The block.
    pub block: BlockId,
    /// The position.
    pub position: Position,
    /// What is done.
    pub kind: UseKind,
    /// It may write the memory.
    pub writes: bool,
}

/// An allocation.
#[derive(Clone, Debug)]
pub struct BufferFact {
    /// Its result.
    pub value: ValueId,
    /// The scope that it belongs to.
    pub scope: ScopeId,
    /// The block.
    pub block: BlockId,
    /// The position.
    pub position: Position,
    /// Size in bytes; 0 where `skip` is set, and where only the run knows it.
    pub size: u64,
    /// Bytes for each unit of its dimensions that only the run knows, where there are some.
    pub dynamic: Option<u64>,
    /// Alignment in bytes, a power of two.
    pub alignment: u64,
    /// Left alone from the start.
    pub skip: Option<Reason>,
}

/// A deallocation.
#[derive(Clone, Copy, Debug)]
pub struct DeallocFact {
    /// What it frees.
    pub value: ValueId,
    /// Where.
    pub block: BlockId,
    /// At which position.
    pub position: Position,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct CallFact {
    /// The scope that it stands in.
    pub scope: ScopeId,
    /// The position.
    pub position: Position,
    /// False inside of an operation whose inner order is not known.
    pub in_order: bool,
}

/// A function as plain data.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Blocks, in the order of the text.
    pub blocks: Vec<BlockFact>,
    /// Nodes.
    pub nodes: Vec<NodeFact>,
    /// Scopes; the first is the function's body.
    pub scopes: Vec<ScopeFact>,
    /// Memref values.
    pub values: Vec<ValueFact>,
    /// Allocations, in the order of the text.
    pub buffers: Vec<BufferFact>,
    /// Uses, in the order of the text.
    pub uses: Vec<Use>,
    /// Operations that write in step with what they read, in the order of the text.
    pub in_step: Vec<InStep>,
    /// Deallocations.
    pub deallocs: Vec<DeallocFact>,
    /// Calls.
    pub calls: Vec<CallFact>,
    /// Values whose memory may be reached in ways that are not followed.
    pub escapes: Vec<(ValueId, Reason)>,
    /// For each result of the function, the values that are returned there.
    pub returned: Vec<(u32, ValueId)>,
    /// Alignments that the program asserts.
    pub alignments: Vec<(ValueId, u64)>,
    /// Alignments that single operations rely on.
    pub relied_on: Vec<(ValueId, u64)>,
    /// For each `memref.distinct_objects`, what it is said to keep apart.
    pub distinct: Vec<Vec<ValueId>>,
    /// There is an arena that was made before.
    pub has_arena: bool,
    /// Memref arguments of the function.
    pub arguments: u32,
    /// Their places among all arguments.
    pub argument_places: Vec<usize>,
    /// What asynchronous operations may still use when control has passed them.
    pub pending: Vec<Pending>,
    /// One past the last position.
    pub end: Position,
}

/// What an asynchronous operation may still use when control has passed it.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The scope that it stands in.
    pub scope: ScopeId,
    /// What it uses.
    pub values: Vec<ValueId>,
    /// From where to where.
    pub ranges: Ranges,
}

impl Program {
    /// Is a view of `base` all of it? Of what has a size that only the run knows, only the allocation's
    /// own value is.
    pub fn is_all_of(&self, view: ValueId, base: ValueId) -> bool {
        let extent = |value: ValueId| self.values[value.index()].extent;
        view == base || (extent(view).is_some() && extent(view) == extent(base))
    }

    /// The scope that a block belongs to.
    pub fn scope_of(&self, block: BlockId) -> ScopeId {
        self.nodes[self.blocks[block.index()].node.index()].scope
    }

    /// Where something at `position` of `block` stands, seen from `scope`: itself, or the span of
    /// the operation in `scope` whose body holds it. `None` if it is not inside.
    pub fn seen_from(
        &self,
        scope: ScopeId,
        block: BlockId,
        position: Position,
    ) -> Option<(BlockId, Position, Position)> {
        let mut at = (block, position, position);
        let mut inner = self.scope_of(block);
        while inner != scope {
            let outer = self.scopes[inner.index()].outer?;
            at = (outer.block, outer.span.0, outer.span.1);
            inner = outer.scope;
        }
        Some(at)
    }

    /// Fills in the predecessors of all blocks.
    pub(crate) fn connect(&mut self) {
        for index in 0..self.blocks.len() {
            for at in 0..self.blocks[index].successors.len() {
                if let Successor::Block(target) = self.blocks[index].successors[at] {
                    let from = BlockId::new(index);
                    let predecessors = &mut self.blocks[target.index()].predecessors;
                    if !predecessors.contains(&from) {
                        predecessors.push(from);
                    }
                }
            }
        }
    }
}
