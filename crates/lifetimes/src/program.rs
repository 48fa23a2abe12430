//! A function as plain data: the tree of its blocks, its memref values, and their uses.
//!
//! Positions number operations in program order. A simple operation has one position. An operation
//! whose regions are followed has one where it starts, those of its blocks, and one where it ends. A
//! block starts with a position for its arguments. Operations nested in one whose order of execution is
//! unknown share its position.

use crate::{Reason, ranges::Ranges};
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
    /// An operation whose regions are followed, or the body of a scope.
    pub NodeId,
    /// A body with an arena of its own: the function's body, or a parallel one.
    pub ScopeId,
}

/// Destination of control flow at the end of a block.
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
    /// The node that contains it.
    pub node: NodeId,
    /// Its first position, that of its arguments.
    pub first: Position,
    /// One past its last position.
    pub end: Position,
    /// Where control flow goes at its end.
    pub successors: SmallVec<[Successor; 2]>,
    /// Blocks with an edge to it; the entry of the node is not among them.
    pub predecessors: SmallVec<[BlockId; 2]>,
}

/// An operation whose regions are followed, or the body of a scope.
#[derive(Clone, Debug)]
pub struct NodeFact {
    /// The block that contains it; `None` for the body of a scope.
    pub parent: Option<BlockId>,
    /// The scope of the operations in it.
    pub scope: ScopeId,
    /// Position of its start.
    pub start: Position,
    /// Position of its end.
    pub end: Position,
    /// Its blocks.
    pub blocks: Vec<BlockId>,
    /// Blocks that control flow may enter first.
    pub entries: SmallVec<[BlockId; 2]>,
    /// Whether control flow may skip all of its blocks.
    pub passes: bool,
    /// Whether some iteration of the loops around it enters it: it is in a loop over strips, where each operation has rows
    /// in some strip.
    pub runs_in_loop: bool,
}

/// A body with an arena of its own.
#[derive(Clone, Debug)]
pub struct ScopeFact {
    /// Its blocks.
    pub body: NodeId,
    /// Its position in the enclosing scope; `None` for the function's body.
    pub outer: Option<Outer>,
}

/// Position of a scope in the enclosing scope.
#[derive(Clone, Copy, Debug)]
pub struct Outer {
    /// The enclosing scope.
    pub scope: ScopeId,
    /// The block that contains the operation.
    pub block: BlockId,
    /// The positions that the operation spans, both included.
    pub span: (Position, Position),
}

/// Kind of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    /// Unknown memory: its definition was not visited.
    Unknown,
    /// The result of an allocation.
    Alloc(BufferId),
    /// A memref argument of the function, by index among these.
    Argument(u32),
    /// A view of its only source.
    View,
    /// The memory of any of its sources: block argument, region result, select, result of a call.
    Merge,
}

/// Views of views that are followed.
const MOST_VIEWS: usize = 64;

/// A memref value.
#[derive(Clone, Debug)]
pub struct ValueFact {
    /// Its kind.
    pub kind: ValueKind,
    /// Values that it may be.
    pub sources: SmallVec<[ValueId; 2]>,
    /// Whether it may also be unknown memory.
    pub external: bool,
    /// Block of its definition.
    pub block: BlockId,
    /// Position of its definition.
    pub position: Position,
    /// Bytes from the first to the last element, if the elements are contiguous. A view with the extent of its
    /// allocation is all of it.
    pub extent: Option<u64>,
    /// Whether it is a view that has all elements of its source.
    pub is_whole: bool,
}

/// Kind of a use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UseKind {
    /// Reads or writes the memory.
    Touch,
    /// Writes all elements and reads none: the earlier contents are dead.
    Overwrite,
    /// Forwards it to a value that may then be the same memory: a branch, a yield, a select.
    Forward,
    /// Views it, or reads properties that do not depend on its contents.
    Mention,
}

/// An operation that writes one memref element by element as it reads another, and reads no element of
/// that after it wrote the element at the same index.
#[derive(Clone, Copy, Debug)]
pub struct InStep {
    /// The value that is read.
    pub read: ValueId,
    /// The value that is written.
    pub written: ValueId,
    /// The block.
    pub block: BlockId,
    /// The position.
    pub position: Position,
    /// Whether both layouts are contiguous rows, so that elements of one index have the same bytes.
    pub same_bytes: bool,
    /// Whether both have the same element type.
    pub same_elements: bool,
    /// If the operation only copies: its index among those that do.
    pub copy: Option<u32>,
    /// Whether the operation does not allow both to be the same memory, so that it has to be removed then.
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
    /// Kind of use.
    pub kind: UseKind,
    /// Whether it may write the memory.
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
    /// Size in bytes; 0 if `skip` is set or the size is dynamic.
    pub size: u64,
    /// For a dynamic size: bytes per unit of the product of the dynamic dimensions.
    pub dynamic: Option<u64>,
    /// Whether the size is an upper bound of a dynamic one.
    pub is_bounded: bool,
    /// Alignment in bytes, a power of two.
    pub alignment: u64,
    /// The reason to skip it, if that is known from the operation alone.
    pub skip: Option<Reason>,
}

/// A deallocation.
#[derive(Clone, Copy, Debug)]
pub struct DeallocFact {
    /// The freed value.
    pub value: ValueId,
    /// The block.
    pub block: BlockId,
    /// The position.
    pub position: Position,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub struct CallFact {
    /// The scope that contains it.
    pub scope: ScopeId,
    /// The block.
    pub block: BlockId,
    /// The position.
    pub position: Position,
    /// Whether the order of execution around it is known.
    pub in_order: bool,
    /// The most bytes of heap that the callee may hold at once; `u64::MAX` if that is not known.
    pub heap: u64,
}

/// A function as plain data.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Blocks, in program order.
    pub blocks: Vec<BlockFact>,
    /// Nodes.
    pub nodes: Vec<NodeFact>,
    /// Scopes; the first is the function's body.
    pub scopes: Vec<ScopeFact>,
    /// Memref values.
    pub values: Vec<ValueFact>,
    /// Allocations, in program order.
    pub buffers: Vec<BufferFact>,
    /// Uses, in program order.
    pub uses: Vec<Use>,
    /// Operations that write in step with what they read, in program order.
    pub in_step: Vec<InStep>,
    /// Deallocations.
    pub deallocs: Vec<DeallocFact>,
    /// Calls.
    pub calls: Vec<CallFact>,
    /// Values that escape: their memory may be used by operations that are not followed.
    pub escapes: Vec<(ValueId, Reason)>,
    /// Returned values, each with its index among the results of the function.
    pub returned: Vec<(u32, ValueId)>,
    /// Alignments that the program asserts, in bytes.
    pub alignments: Vec<(ValueId, u64)>,
    /// Alignments that single operations rely on, in bytes.
    pub relied_on: Vec<(ValueId, u64)>,
    /// Operands of each `memref.distinct_objects`.
    pub distinct: Vec<Vec<ValueId>>,
    /// Whether the function already has an arena.
    pub has_arena: bool,
    /// Number of memref arguments of the function.
    pub arguments: u32,
    /// Index of each memref argument among all arguments.
    pub argument_places: Vec<usize>,
    /// Memory that asynchronous operations may use until they are known to be done.
    pub pending: Vec<Pending>,
    /// One past the last position.
    pub end: Position,
}

/// Memory that an asynchronous operation may use until it is known to be done.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The scope that contains the operation.
    pub scope: ScopeId,
    /// Values that it uses.
    pub values: Vec<ValueId>,
    /// Ranges in which it may use them.
    pub ranges: Ranges,
}

impl Program {
    /// Whether a view of `base` is all of it. For a dynamic size, that is known of views that keep all elements.
    pub fn is_all_of(&self, view: ValueId, base: ValueId) -> bool {
        let extent = |value: ValueId| self.values[value.index()].extent;
        if extent(view).is_some() && extent(view) == extent(base) {
            return true;
        }
        let mut at = view;
        // In unreachable code, views may form a cycle.
        for _ in 0..MOST_VIEWS {
            if at == base {
                return true;
            }
            match &self.values[at.index()] {
                fact if fact.is_whole && fact.sources.len() == 1 => at = fact.sources[0],
                _ => break,
            }
        }
        false
    }

    /// The scope that a block belongs to.
    pub fn scope_of(&self, block: BlockId) -> ScopeId {
        self.nodes[self.blocks[block.index()].node.index()].scope
    }

    /// A position as seen from `scope`: its block with the position itself, or with the span of the operation in
    /// `scope` whose body contains it. `None` if `scope` does not contain it.
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
