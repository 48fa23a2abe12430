//! Kernels as plain data.

use memplan_flow::{PrimaryMap, ids};

ids! {
    /// A buffer in workgroup memory.
    pub BufferId,
    /// A basic block. The first one is the entry.
    pub BlockId,
    /// A name of asynchronous copies, which [`Wait::Group`] waits for.
    pub GroupId,
}

/// A buffer in workgroup memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Its size in bytes.
    pub size: u64,
    /// Its alignment in bytes: any number but 0.
    pub alignment: u64,
}

/// How much of a buffer all threads together write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Any bytes. Older contents of the others stay.
    Part,
    /// Every byte. A thread that has executed the write reads no older contents afterwards: it reads bytes of other
    /// threads only after these have written them. In divergent control, this is the same as [`Extent::Part`].
    Whole,
}

/// An asynchronous copy, from its start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsyncCopy {
    /// The name for [`Wait::Group`].
    pub group: GroupId,
    /// The buffers that it reads. Other memory that it reads is no part of the kernel.
    pub reads: Vec<BufferId>,
    /// The buffers that it writes.
    pub writes: Vec<(BufferId, Extent)>,
}

/// Asynchronous copies that are complete after a wait. Only copies of the same thread are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wait {
    /// All copies with this name that were started.
    Group(GroupId),
    /// All copies in groups that were [committed](Action::Commit), except in this number of the newest groups.
    AllButNewest(u32),
}

/// What a thread does. An atomic update is a read and a write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Reads bytes of a buffer.
    Read(BufferId),
    /// Writes bytes of a buffer.
    Write(BufferId, Extent),
    /// From here on, a thread reads no older contents: it reads bytes only after a thread that has executed this has
    /// written them. In divergent control, it means nothing.
    Discard(BufferId),
    /// Waits for all threads of the workgroup.
    Barrier,
    /// Starts an asynchronous copy.
    Copy(AsyncCopy),
    /// Closes a group: all copies that this thread has started since the last commit.
    Commit,
    /// Waits for asynchronous copies of this thread.
    Wait(Wait),
}

impl Action {
    /// The buffer whose contents the action makes undefined.
    pub fn discards(&self) -> Option<BufferId> {
        match self {
            Action::Discard(buffer) => Some(*buffer),
            _ => None,
        }
    }

    /// The buffers that the action reads, now or later.
    pub fn reads(&self) -> impl Iterator<Item = BufferId> + '_ {
        let (one, more): (Option<BufferId>, &[BufferId]) = match self {
            Action::Read(buffer) => (Some(*buffer), &[]),
            Action::Copy(copy) => (None, &copy.reads),
            _ => (None, &[]),
        };
        one.into_iter().chain(more.iter().copied())
    }

    /// The buffers that the action writes, now or later.
    pub fn writes(&self) -> impl Iterator<Item = (BufferId, Extent)> + '_ {
        let (one, more): (_, &[(BufferId, Extent)]) = match self {
            Action::Write(buffer, extent) => (Some((*buffer, *extent)), &[]),
            Action::Copy(copy) => (None, &copy.writes),
            _ => (None, &[]),
        };
        one.into_iter().chain(more.iter().copied())
    }
}

/// How threads choose among the successors of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branch {
    /// All threads choose the same one.
    Uniform,
    /// Each thread chooses by itself.
    Divergent,
}

/// A basic block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its actions, in order.
    pub actions: Vec<Action>,
    /// The blocks of which one follows. The kernel ends after a block without successors.
    pub successors: Vec<BlockId>,
    /// How threads choose the successor.
    pub branch: Branch,
}

/// A place in a kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The block.
    pub block: BlockId,
    /// The action, by its position in the block. As a place to insert at: before this action. The number of actions means
    /// the end of the block.
    pub action: usize,
}

/// A kernel: what each thread of a workgroup executes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kernel {
    /// The buffers.
    pub buffers: PrimaryMap<BufferId, Buffer>,
    /// The blocks. A back edge makes a loop.
    pub blocks: PrimaryMap<BlockId, Block>,
}

impl Kernel {
    /// A kernel without buffers and blocks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a buffer.
    pub fn add_buffer(&mut self, buffer: Buffer) -> BufferId {
        self.buffers.push(buffer)
    }

    /// Adds an empty block without successors.
    pub fn add_block(&mut self, branch: Branch) -> BlockId {
        self.blocks.push(Block {
            actions: Vec::new(),
            successors: Vec::new(),
            branch,
        })
    }

    /// Adds an action at the end of a block.
    ///
    /// # Panics
    /// If the kernel has no such block.
    pub fn push(&mut self, block: BlockId, action: Action) {
        self.blocks[block].actions.push(action);
    }

    /// Adds an edge.
    ///
    /// # Panics
    /// If the kernel has no block `from`.
    pub fn add_edge(&mut self, from: BlockId, to: BlockId) {
        self.blocks[from].successors.push(to);
    }

    /// The same kernel with a barrier at each of these places, which are of this kernel.
    ///
    /// # Panics
    /// If the kernel has no such place.
    #[must_use]
    pub fn with_barriers(&self, places: &[Place]) -> Self {
        let mut places = places.to_vec();
        places.sort_unstable();
        places.dedup();
        let mut kernel = self.clone();
        // From the last one on, so that the positions before it stay.
        for place in places.iter().rev() {
            let actions = &mut kernel.blocks[place.block].actions;
            actions.insert(place.action, Action::Barrier);
        }
        kernel
    }
}
