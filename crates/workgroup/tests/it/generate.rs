//! Random kernels.

use memplan_workgroup::interpret::{Random, uniform_blocks};
use memplan_workgroup::{
    Action, AsyncCopy, BlockId, Branch, Buffer, BufferId, Extent, GroupId, Kernel, Wait,
};

/// How large kernels are.
#[derive(Clone, Copy)]
pub struct Shape {
    pub buffers: usize,
    /// The most bytes of a buffer.
    pub bytes: usize,
    /// Statements in a sequence.
    pub statements: usize,
    /// Nested loops and branches.
    pub depth: usize,
}

pub const SMALL: Shape = Shape {
    buffers: 5,
    bytes: 4,
    statements: 6,
    depth: 2,
};

pub const TINY: Shape = Shape {
    buffers: 3,
    bytes: 2,
    statements: 5,
    depth: 1,
};

/// A valid kernel. Every fourth one has edges anywhere; the others have nested loops and branches.
pub fn kernel(seed: u64, shape: Shape) -> Kernel {
    let mut random = Random::new(seed);
    let mut kernel = Kernel::new();
    for _ in 0..2 + random.below(shape.buffers - 1) {
        kernel.add_buffer(Buffer {
            size: 1 + random.below(shape.bytes) as u64,
            alignment: [1, 1, 2, 3][random.below(4)],
        });
    }
    let mut generator = Generator {
        kernel,
        random,
        shape,
        barriers: 15 + (seed % 5) as usize * 10,
        copies: (seed % 3) as usize * 12,
        discards: (seed / 3 % 3) as usize * 10,
        phase: 0,
    };
    match seed % 4 {
        3 => generator.any_edges(),
        _ => {
            let entry = generator.kernel.add_block(Branch::Uniform);
            generator.sequence(entry, shape.depth, true);
        }
    }
    generator.kernel
}

struct Generator {
    kernel: Kernel,
    random: Random,
    shape: Shape,
    /// Per cent of actions that are barriers, and that belong to copies.
    barriers: usize,
    copies: usize,
    /// Per cent of other actions that discard contents.
    discards: usize,
    /// Grows with barriers. Most actions access the two buffers of a phase, so that others may take their bytes.
    phase: usize,
}

impl Generator {
    fn buffer(&mut self) -> BufferId {
        let count = self.kernel.buffers.len();
        let number = match self.random.chance(80) {
            true => self.phase + self.random.below(2),
            false => self.random.below(count),
        };
        BufferId::new(number % count)
    }

    fn extent(&mut self) -> Extent {
        match self.random.chance(70) {
            true => Extent::Whole,
            false => Extent::Part,
        }
    }

    fn action(&mut self, is_uniform: bool) -> Action {
        if is_uniform && self.random.chance(self.barriers) {
            self.phase += self.random.below(3);
            return Action::Barrier;
        }
        if self.random.chance(self.copies) {
            let group = GroupId::new(self.random.below(2));
            return match self.random.below(5) {
                0 | 1 => self.copy(group),
                2 => Action::Commit,
                3 => Action::Wait(Wait::Group(group)),
                _ => Action::Wait(Wait::AllButNewest(self.random.below(3) as u32)),
            };
        }
        if self.random.chance(self.discards) {
            return Action::Discard(self.buffer());
        }
        match self.random.chance(50) {
            true => Action::Read(self.buffer()),
            false => Action::Write(self.buffer(), self.extent()),
        }
    }

    fn copy(&mut self, group: GroupId) -> Action {
        let reads = (0..self.random.below(2)).map(|_| self.buffer()).collect();
        let writes = (0..1 + self.random.below(2)).map(|_| (self.buffer(), self.extent()));
        Action::Copy(AsyncCopy {
            group,
            reads,
            writes: writes.collect(),
        })
    }

    /// Adds one action, or some that belong together: contents that are written and read, or a group of copies.
    fn actions(&mut self, at: BlockId, is_uniform: bool) {
        let barrier = is_uniform.then_some(Action::Barrier);
        let buffer = self.buffer();
        let actions = match self.random.below(10) {
            0 => {
                self.phase += 1;
                let (write, read) = (Action::Write(buffer, Extent::Whole), Action::Read(buffer));
                let end = barrier.clone().filter(|_| self.random.chance(50));
                vec![Some(write), barrier, Some(read), end]
            }
            1 if self.copies > 0 => vec![Some(self.copy(GroupId(0))), Some(Action::Commit)],
            2 if self.copies > 0 => {
                let wait = match self.random.chance(30) {
                    true => Wait::Group(GroupId(0)),
                    false => Wait::AllButNewest(self.random.below(3) as u32),
                };
                vec![Some(Action::Wait(wait)), barrier]
            }
            _ => vec![Some(self.action(is_uniform))],
        };
        for action in actions.into_iter().flatten() {
            self.kernel.push(at, action);
        }
    }

    fn branch(&mut self) -> Branch {
        match self.random.chance(50) {
            true => Branch::Uniform,
            false => Branch::Divergent,
        }
    }

    /// Adds statements from the end of a block on, and returns the block in which they end.
    fn sequence(&mut self, mut at: BlockId, depth: usize, is_uniform: bool) -> BlockId {
        for _ in 0..1 + self.random.below(self.shape.statements) {
            at = match self.random.below(10) {
                0 | 1 if depth > 0 => self.conditional(at, depth, is_uniform),
                2 if depth > 0 => self.repeated(at, depth, is_uniform),
                _ => {
                    self.actions(at, is_uniform);
                    at
                }
            };
        }
        at
    }

    fn conditional(&mut self, at: BlockId, depth: usize, is_uniform: bool) -> BlockId {
        let branch = self.branch();
        let is_uniform = is_uniform && branch == Branch::Uniform;
        self.kernel.blocks[at].branch = branch;
        let then = self.block_after(at);
        let mut otherwise = at;
        if self.random.chance(60) {
            otherwise = self.block_after(at);
            // Both sides write the same buffer first, or each what it likes.
            let write = Action::Write(self.buffer(), Extent::Whole);
            if self.random.chance(50) {
                self.kernel.push(then, write.clone());
                self.kernel.push(otherwise, write);
            }
            otherwise = self.sequence(otherwise, depth - 1, is_uniform);
        }
        let then = self.sequence(then, depth - 1, is_uniform);
        let end = self.block_after(then);
        self.kernel.add_edge(otherwise, end);
        end
    }

    /// A loop with its condition at the start or at the end.
    fn repeated(&mut self, at: BlockId, depth: usize, is_uniform: bool) -> BlockId {
        let branch = self.branch();
        let is_uniform = is_uniform && branch == Branch::Uniform;
        let header = self.block_after(at);
        if self.random.chance(50) {
            self.kernel.blocks[header].branch = branch;
            let body = self.block_after(header);
            let body = self.sequence(body, depth - 1, is_uniform);
            self.kernel.add_edge(body, header);
            return self.block_after(header);
        }
        let body = self.sequence(header, depth - 1, is_uniform);
        self.kernel.blocks[body].branch = branch;
        self.kernel.add_edge(body, header);
        self.block_after(body)
    }

    fn block_after(&mut self, from: BlockId) -> BlockId {
        let block = self.kernel.add_block(Branch::Uniform);
        self.kernel.add_edge(from, block);
        block
    }

    /// Blocks with edges to any other blocks, all of which can reach the last one.
    fn any_edges(&mut self) {
        let count = 3 + self.random.below(2 + self.shape.depth);
        for _ in 0..count {
            let branch = self.branch();
            self.kernel.add_block(branch);
        }
        for at in 0..count - 1 {
            let block = BlockId::new(at);
            let later = BlockId::new(at + 1 + self.random.below(count - 1 - at));
            self.kernel.add_edge(block, later);
            if self.random.chance(60) {
                let any = BlockId::new(self.random.below(count));
                self.kernel.add_edge(block, any);
            }
        }
        let is_uniform = uniform_blocks(&self.kernel);
        for (at, is_uniform) in is_uniform.into_iter().enumerate() {
            for _ in 0..self.random.below(self.shape.statements) {
                self.actions(BlockId::new(at), is_uniform);
            }
        }
    }
}
