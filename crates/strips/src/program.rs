//! A block as plain data: operations with loops, the elements that they access, and the buffers that have these.
//!
//! Operations that touch no memory are not part of it.

use crate::views::View;
use memplan_flow::ids;
use smallvec::SmallVec;
use std::ops::Range;

ids! {
    /// An operation that touches memory, by its order in the block.
    pub NodeId,
    /// An allocation of the block, or other memory.
    pub BufferId,
    /// How an access sees its buffer.
    pub ViewId,
}

/// Most rows of a dimension, and rows times columns of two: a check that follows each of them has to end.
pub const MOST_ROWS: i64 = 1 << 22;

/// A loop of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Number of iterations.
    pub extent: i64,
    /// Whether each iteration writes other elements; others accumulate.
    pub is_parallel: bool,
}

/// An index: a sum of loops times coefficients, and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Linear {
    /// Loops with their coefficients, which are not 0, sorted by loop.
    pub terms: SmallVec<[(u32, i64); 2]>,
    /// What is added.
    pub constant: i64,
}

impl Linear {
    /// The index that is a loop.
    pub fn of_loop(number: u32) -> Self {
        Self {
            terms: SmallVec::from_slice(&[(number, 1)]),
            constant: 0,
        }
    }

    /// The coefficient of a loop.
    pub fn coefficient(&self, number: u32) -> i64 {
        let term = self.terms.iter().find(|(other, _)| *other == number);
        term.map_or(0, |(_, coefficient)| *coefficient)
    }

    /// The loop that this is, without anything else.
    pub fn as_loop(&self) -> Option<u32> {
        match self.terms[..] {
            [(number, 1)] if self.constant == 0 => Some(number),
            _ => None,
        }
    }

    /// Whether it is inside of a dimension of this size in all iterations.
    pub fn is_inside(&self, loops: &[Loop], size: i64) -> bool {
        let (mut least, mut most) = (self.constant, self.constant);
        for (number, coefficient) in &self.terms {
            let last = loops[*number as usize].extent.saturating_sub(1);
            let last = last.saturating_mul(*coefficient);
            least = least.saturating_add(last.min(0));
            most = most.saturating_add(last.max(0));
        }
        least >= 0 && most < size
    }

    /// Whether it goes over a dimension of this size, index by index.
    pub fn covers(&self, loops: &[Loop], size: i64) -> bool {
        match self.as_loop() {
            Some(number) => loops[number as usize].extent == size,
            None => self.terms.is_empty() && self.constant == 0 && size == 1,
        }
    }
}

/// A memref operand of a node whose elements are accessed by indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The memory.
    pub buffer: BufferId,
    /// How the operand sees it.
    pub view: ViewId,
    /// An index for each dimension of the operand.
    pub indices: SmallVec<[Linear; 4]>,
    /// Whether elements are read.
    pub reads: bool,
    /// Whether elements are written.
    pub writes: bool,
    /// Bytes of an element that an operation moves, of memory from outside, too; 0 if they are not known.
    pub moved: u64,
}

impl Access {
    /// Whether the rows have to be there: it reads them, or sees them as an operand whose elements nobody uses.
    pub const fn sees(&self) -> bool {
        self.reads || !self.writes
    }
}

/// Memory that a node may touch anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WholeUse {
    /// The memory.
    pub buffer: BufferId,
    /// Whether it may be written.
    pub writes: bool,
}

/// An operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Its loops; none if they are not known.
    pub loops: SmallVec<[Loop; 6]>,
    /// Its accesses.
    pub accesses: SmallVec<[Access; 3]>,
    /// What it touches besides.
    pub whole: SmallVec<[WholeUse; 2]>,
    /// Whether no chain may contain it, not even beside its strips.
    pub is_fence: bool,
    /// Whether the program may end there, without any effect that is seen outside.
    pub stops: bool,
    /// Whether an earlier node that may stop may guard it against undefined behaviour.
    pub is_guarded: bool,
}

impl Node {
    /// Whether strips of it can be executed.
    pub fn has_strips(&self) -> bool {
        !self.loops.is_empty()
    }

    /// The memory that it touches; some of it more than once.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + '_ {
        let whole = self.whole.iter().map(|used| used.buffer);
        self.accesses
            .iter()
            .map(|access| access.buffer)
            .chain(whole)
    }
}

/// Where the memory of a buffer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An allocation of the block, of which all uses are nodes of the block.
    Inside,
    /// An allocation of the block that is needed after it: a result.
    Result,
    /// Memory from outside of the block.
    Outside,
}

/// Memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Where it comes from.
    pub origin: Origin,
    /// Size of each dimension.
    pub shape: SmallVec<[i64; 4]>,
    /// Bytes of an element.
    pub element: u64,
    /// A number that all buffers of the same type share.
    pub r#type: u32,
    /// The nodes that touch it, sorted.
    pub nodes: Vec<NodeId>,
    /// Those that write it through an access, sorted.
    pub writers: Vec<NodeId>,
}

impl Buffer {
    /// Its bytes.
    pub fn bytes(&self) -> u64 {
        self.shape.iter().fold(self.element, |bytes, size| {
            bytes.saturating_mul((*size).max(0).unsigned_abs())
        })
    }

    /// Bytes that the plan of the block holds for it.
    pub fn planned_bytes(&self) -> u64 {
        match self.origin {
            Origin::Inside => self.bytes(),
            Origin::Result | Origin::Outside => 0,
        }
    }

    /// Whether one of these nodes writes it through an access.
    pub fn is_written_in(&self, nodes: &Range<usize>) -> bool {
        let first = self
            .writers
            .partition_point(|node| node.index() < nodes.start);
        let writer = self.writers.get(first);
        writer.is_some_and(|node| node.index() < nodes.end)
    }

    /// The first and the last node that touch it.
    pub fn span(&self) -> Option<(NodeId, NodeId)> {
        Some((*self.nodes.first()?, *self.nodes.last()?))
    }
}

/// The operations of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// In the order of the block.
    pub nodes: Vec<Node>,
    /// In the order of their allocation.
    pub buffers: Vec<Buffer>,
    /// Views.
    pub views: Vec<View>,
}

impl Program {
    /// Adds a node.
    pub fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId::new(self.nodes.len());
        let buffers: SmallVec<[BufferId; 4]> = node.buffers().collect();
        for buffer in buffers {
            let nodes = &mut self.buffers[buffer.index()].nodes;
            if nodes.last() != Some(&id) {
                nodes.push(id);
            }
        }
        for access in node.accesses.iter().filter(|access| access.writes) {
            let writers = &mut self.buffers[access.buffer.index()].writers;
            if writers.last() != Some(&id) {
                writers.push(id);
            }
        }
        self.nodes.push(node);
        id
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// A buffer.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id.index()]
    }

    /// Whether a node writes memory from outside of the block.
    pub fn writes_outside(&self, node: &Node) -> bool {
        let accesses = node.accesses.iter().filter(|access| access.writes);
        let whole = node.whole.iter().filter(|used| used.writes);
        let mut written = accesses
            .map(|access| access.buffer)
            .chain(whole.map(|used| used.buffer));
        written.any(|buffer| self.buffer(buffer).origin == Origin::Outside)
    }

    /// How an access sees its buffer.
    pub fn view(&self, access: &Access) -> &View {
        &self.views[access.view.index()]
    }

    /// What a buffer is to a chain of these nodes.
    pub fn role(&self, id: BufferId, nodes: &Range<usize>) -> Role {
        let buffer = self.buffer(id);
        let Some((first, last)) = buffer.span() else {
            return Role::Given;
        };
        match buffer.origin {
            Origin::Outside => Role::Given,
            _ if first.index() < nodes.start => Role::Given,
            Origin::Inside if last.index() < nodes.end => Role::Between,
            _ => Role::Made,
        }
    }
}

/// What a buffer is to a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It has contents before the chain.
    Given,
    /// Only the chain uses it.
    Between,
    /// The chain makes it, for what follows.
    Made,
}
