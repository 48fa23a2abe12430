//! Kernels as people write them: their bytes are those of the largest barrier interval.

use memplan_planner::Effort;
use memplan_workgroup::interpret::find_fault;
use memplan_workgroup::{
    Action, AsyncCopy, BlockId, Branch, Buffer, BufferId, Extent, GroupId, Kernel, Options, Place,
    Plan, Wait, plan,
};

/// A kernel that is written block by block.
struct Writer {
    kernel: Kernel,
    at: BlockId,
}

impl Writer {
    fn new() -> Self {
        let mut kernel = Kernel::new();
        let at = kernel.add_block(Branch::Uniform);
        Self { kernel, at }
    }

    fn buffer(&mut self, size: u64) -> BufferId {
        self.kernel.add_buffer(Buffer {
            size,
            alignment: 16,
        })
    }

    fn action(&mut self, action: Action) -> &mut Self {
        self.kernel.push(self.at, action);
        self
    }

    fn write(&mut self, buffer: BufferId) -> &mut Self {
        self.action(Action::Write(buffer, Extent::Whole))
    }

    fn read(&mut self, buffer: BufferId) -> &mut Self {
        self.action(Action::Read(buffer))
    }

    fn barrier(&mut self) -> &mut Self {
        self.action(Action::Barrier)
    }

    /// Copies that make a group.
    fn copies(&mut self, buffers: &[BufferId]) -> &mut Self {
        let writes = buffers.iter().map(|buffer| (*buffer, Extent::Whole));
        self.action(Action::Copy(AsyncCopy {
            group: GroupId(0),
            reads: Vec::new(),
            writes: writes.collect(),
        }))
        .action(Action::Commit)
    }

    fn wait(&mut self, newest: u32) -> &mut Self {
        self.action(Action::Wait(Wait::AllButNewest(newest)))
    }

    /// A loop with its condition at the end.
    fn repeated(&mut self, body: impl FnOnce(&mut Self)) -> &mut Self {
        let header = self.block_after(self.at);
        self.at = header;
        body(self);
        let latch = self.at;
        self.kernel.add_edge(latch, header);
        self.at = self.block_after(latch);
        self
    }

    /// Only some threads execute the body.
    fn divergent(&mut self, body: impl FnOnce(&mut Self)) -> &mut Self {
        let before = self.at;
        self.kernel.blocks[before].branch = Branch::Divergent;
        self.at = self.block_after(before);
        body(self);
        let end = self.block_after(self.at);
        self.kernel.add_edge(before, end);
        self.at = end;
        self
    }

    fn block_after(&mut self, from: BlockId) -> BlockId {
        let block = self.kernel.add_block(Branch::Uniform);
        self.kernel.add_edge(from, block);
        block
    }

    fn plan(&self, insert_barriers: bool) -> Plan {
        let options = Options {
            insert_barriers,
            effort: Effort::Quick,
            ..Options::default()
        };
        let plan = plan(&self.kernel, &options).expect("valid kernel");
        let places: Vec<Place> = plan.inserted.iter().map(|barrier| barrier.place).collect();
        let changed = self.kernel.with_barriers(&places);
        assert_eq!(find_fault(&changed, &plan.offsets, 10, 1), None);
        plan
    }
}

/// The bytes, the largest barrier interval, and what separate buffers take.
fn numbers(plan: &Plan) -> [u64; 3] {
    assert!(plan.interval_bytes <= plan.lower_bound);
    [plan.bytes, plan.interval_bytes, plan.separate_bytes]
}

/// C = A B by tiles of 32 rows of 32 bytes, and then C through workgroup memory, in rows that are stored together.
#[test]
fn tiled_matmul() {
    let mut kernel = Writer::new();
    let [a, b, c] = [1024, 1024, 2048].map(|size| kernel.buffer(size));
    kernel.repeated(|kernel| {
        kernel.write(a).write(b).barrier();
        kernel.read(a).read(b).barrier();
    });
    kernel.write(c).barrier().read(c);
    // A barrier ends each iteration, so that C takes the bytes of A and B.
    let plan = kernel.plan(false);
    assert_eq!(numbers(&plan), [2048, 2048, 4096]);
    assert_eq!(plan.offsets[c], 0);
}

/// The same without the barrier after the last iteration: the barrier is before the writes of the next iteration.
#[test]
fn tiled_matmul_with_a_barrier_added() {
    let mut kernel = Writer::new();
    let [a, b, c] = [1024, 1024, 2048].map(|size| kernel.buffer(size));
    kernel.repeated(|kernel| {
        kernel.barrier();
        kernel.write(a).write(b).barrier();
        kernel.read(a).read(b);
    });
    kernel.write(c).barrier().read(c);
    assert_eq!(numbers(&kernel.plan(false)), [4096, 4096, 4096]);
    let plan = kernel.plan(true);
    assert_eq!(numbers(&plan), [2048, 2048, 4096]);
    // After the loop, where it costs least.
    let [barrier] = plan.inserted[..] else {
        panic!("one barrier: {:?}", plan.inserted);
    };
    let after_loop = Place {
        block: kernel.at,
        action: 0,
    };
    assert_eq!((barrier.place, barrier.saved_bytes), (after_loop, 2048));
}

/// Copies of the next tiles are in flight while a thread computes with the present ones. The loop is unrolled twice, for
/// two pairs of tiles.
#[test]
fn matmul_with_double_buffering() {
    let mut kernel = Writer::new();
    let [a, b, next_a, next_b] = [1024; 4].map(|size| kernel.buffer(size));
    let c = kernel.buffer(2048);
    kernel.copies(&[a, b]);
    kernel.repeated(|kernel| {
        kernel.copies(&[next_a, next_b]).wait(1).barrier();
        kernel.read(a).read(b).barrier();
        kernel.copies(&[a, b]).wait(1).barrier();
        kernel.read(next_a).read(next_b).barrier();
    });
    // The last copies are in flight until here.
    let mut unwaited = Writer {
        kernel: kernel.kernel.clone(),
        at: kernel.at,
    };
    kernel.wait(0).barrier().write(c).barrier().read(c);
    assert_eq!(numbers(&kernel.plan(false)), [4096, 4096, 6144]);
    // No copy into the second pair is in flight: C takes its bytes without the wait. A barrier cannot end a copy.
    unwaited.write(c).barrier().read(c);
    let plan = unwaited.plan(true);
    assert_eq!(numbers(&plan), [4096, 4096, 6144]);
    for tile in [a, b] {
        assert!(plan.interference.interferes(tile, c));
    }
    for tile in [next_a, next_b] {
        assert!(!plan.interference.interferes(tile, c));
    }
    // A wait without a barrier orders only the copies of the same thread.
    let mut alone = Writer {
        at: unwaited.at,
        kernel: unwaited.kernel.clone(),
    };
    alone.kernel.blocks[alone.at]
        .actions
        .insert(0, Action::Wait(Wait::AllButNewest(0)));
    assert!(alone.plan(false).interference.interferes(a, c));
}

/// A block of queries: S = Q K^T, softmax of S into P with the maxima of rows, O += P V. K, V and S are of one iteration.
#[test]
fn attention() {
    let mut kernel = Writer::new();
    let q = kernel.buffer(4096);
    let [k, v] = [4096; 2].map(|size| kernel.buffer(size));
    let s = kernel.buffer(2048);
    let p = kernel.buffer(1024);
    let maxima = kernel.buffer(128);
    let o = kernel.buffer(4096);
    kernel.write(q);
    kernel.repeated(|kernel| {
        kernel.write(k).barrier();
        kernel.read(q).read(k).write(s).barrier();
        kernel.read(s).write(maxima).barrier();
        kernel.read(s).read(maxima).write(p).barrier();
        kernel.write(v).barrier();
        kernel.read(p).read(v).barrier();
    });
    kernel.write(o).barrier().read(o);
    let plan = kernel.plan(false);
    // Q, K and S in one interval. V takes the bytes of K, and O those of anything.
    assert_eq!(numbers(&plan), [10_240, 10_240, 19_584]);
    assert!(!plan.interference.interferes(k, v));
    assert!(!plan.interference.interferes(o, q));
    assert!(plan.interference.interferes(q, p));
}

/// Sums of 256 values of four bytes. The rounds of the tree go from one buffer to another that is half as large.
#[test]
fn tree_reduction() {
    let mut kernel = Writer::new();
    let rounds: Vec<BufferId> = (0..6).map(|round| kernel.buffer(1024 >> round)).collect();
    kernel.write(rounds[0]).barrier();
    for pair in rounds.windows(2) {
        // Fewer and fewer threads work.
        kernel.divergent(|kernel| {
            kernel.read(pair[0]);
            kernel.action(Action::Write(pair[1], Extent::Part));
        });
        kernel.barrier();
    }
    kernel.read(rounds[5]);
    // Two rounds at a time: 1024 + 512.
    assert_eq!(numbers(&kernel.plan(false)), [1536, 1536, 2016]);
}

/// In divergent control, no barrier may be added.
#[test]
fn buffers_of_two_divergent_edges_interfere() {
    let kernel = |branch| {
        let mut kernel = Writer::new();
        let [then, otherwise] = [64; 2].map(|size| kernel.buffer(size));
        let entry = kernel.at;
        kernel.kernel.blocks[entry].branch = branch;
        let sides = [then, otherwise].map(|buffer| {
            kernel.at = kernel.block_after(entry);
            kernel.write(buffer).read(buffer);
            kernel.at
        });
        let end = kernel.block_after(sides[0]);
        kernel.kernel.add_edge(sides[1], end);
        kernel.plan(true)
    };
    let divergent = kernel(Branch::Divergent);
    assert_eq!(numbers(&divergent), [128, 128, 128]);
    assert!(divergent.inserted.is_empty());
    let uniform = kernel(Branch::Uniform);
    assert_eq!(numbers(&uniform), [64, 64, 128]);
}

/// Contents that an iteration leaves for the next one.
#[test]
fn contents_survive_loops() {
    let kernel = |extent| {
        let mut kernel = Writer::new();
        let [sums, tile] = [64; 2].map(|size| kernel.buffer(size));
        kernel.write(sums).barrier();
        kernel.repeated(|kernel| {
            kernel.write(tile).barrier().read(tile).barrier();
            kernel.action(Action::Write(sums, extent));
            kernel.barrier().read(sums).barrier();
        });
        kernel.plan(false)
    };
    assert_eq!(numbers(&kernel(Extent::Part)), [128, 128, 128]);
    assert_eq!(numbers(&kernel(Extent::Whole)), [64, 64, 128]);
}

/// In divergent control, threads together need not write everything, even if each of them writes.
#[test]
fn divergent_writes_keep_older_contents() {
    let kernel = |branch| {
        let mut kernel = Writer::new();
        let [sums, tile] = [64; 2].map(|size| kernel.buffer(size));
        kernel.write(sums).barrier();
        kernel.write(tile).barrier().read(tile).barrier();
        let before = kernel.at;
        kernel.kernel.blocks[before].branch = branch;
        let sides = [0; 2].map(|_| {
            kernel.at = kernel.block_after(before);
            kernel.write(sums).at
        });
        kernel.at = kernel.block_after(sides[0]);
        kernel.kernel.add_edge(sides[1], kernel.at);
        kernel.barrier().read(sums);
        kernel.plan(false)
    };
    assert_eq!(numbers(&kernel(Branch::Divergent)), [128, 128, 128]);
    assert_eq!(numbers(&kernel(Branch::Uniform)), [64, 64, 128]);
}

/// On the edge without another copy, the first one is the newest, and so the wait does not complete it.
#[test]
fn waits_count_the_fewest_newer_groups() {
    let mut kernel = Writer::new();
    let [tile, other, last] = [64; 3].map(|size| kernel.buffer(size));
    kernel.copies(&[tile]);
    let before = kernel.at;
    kernel.at = kernel.block_after(before);
    kernel.copies(&[other]);
    kernel.at = kernel.block_after(kernel.at);
    kernel.kernel.add_edge(before, kernel.at);
    kernel.wait(1).barrier().write(last).barrier().read(last);
    let interference = kernel.plan(false).interference;
    assert!(interference.interferes(tile, last));
    assert!(interference.interferes(other, last));
}

/// A wait for one group says nothing about another one.
#[test]
fn waits_name_groups() {
    let mut kernel = Writer::new();
    let [tile, other, last] = [64; 3].map(|size| kernel.buffer(size));
    for (group, buffer) in [(0, tile), (1, other)] {
        kernel.action(Action::Copy(AsyncCopy {
            group: GroupId(group),
            reads: Vec::new(),
            writes: vec![(buffer, Extent::Whole)],
        }));
    }
    kernel.action(Action::Wait(Wait::Group(GroupId(0))));
    kernel.barrier().write(last).barrier().read(last);
    let interference = kernel.plan(false).interference;
    assert!(!interference.interferes(tile, last));
    assert!(interference.interferes(other, last));
}
