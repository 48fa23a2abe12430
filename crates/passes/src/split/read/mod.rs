//! Reads a block as plain data for the search: operations with their loops and accesses, and the memory that these access.

mod loops;
mod shapes;
mod views;

use crate::op_effects::{Access as Effects, AccessAnalysis, OUTSIDE, Root, argument_of};
use loops::Given;
pub use loops::Nests;
use memplan_lifetimes::{
    Analysis, Reason,
    program::{ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{
        Block, Identity, Key, Op, Type, Val, ancestor_in, blocks, is_memref, operands, ops,
        parent_block, regions, results, terminator, type_of, users,
    },
    layout::DataLayout,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::{OPERANDS_APART, has_banks},
};
use memplan_strips::{
    program::{Buffer, BufferId, Node, Origin, Program, ViewId, WholeUse},
    views::View,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub use shapes::{MemrefShapes, Shape, StaticShapes, shape_with};

/// A block.
pub struct BlockReading<'c> {
    /// The block.
    pub block: Block<'c>,
    /// As plain data.
    pub program: Program,
    /// Whether any operation has loops, of whatever size.
    pub has_loops: bool,
    /// The operation of each node.
    pub ops: Vec<Op<'c>>,
    /// For each node, its memref operands: their numbers, and their accesses.
    pub operands: Vec<Operands>,
    /// The value of each buffer, if it has one.
    pub buffers: Vec<Option<Val<'c>>>,
    /// The alignment of each buffer, in bytes.
    pub alignments: Vec<u64>,
    /// For each view, the operations of its steps, from the buffer on.
    pub views: Vec<Vec<Op<'c>>>,
    /// For each view, its buffer.
    pub viewed: Vec<BufferId>,
    /// Deallocations of the block's own buffers.
    pub frees: Vec<Free<'c>>,
}

/// The memref operands of an operation, or of loads and stores in its loops: their numbers, and their positions among the accesses
/// of its node.
pub type Operands = SmallVec<[(u32, usize); 3]>;

/// A deallocation of a buffer that its block allocates.
#[derive(Clone, Copy)]
pub struct Free<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The buffer.
    pub buffer: BufferId,
    /// The number of nodes before it.
    pub at: usize,
}

/// Reads blocks of an analysed function. Memrefs have the shapes that `shapes` knows. `nests`: which loops over elements have
/// strips.
pub fn read<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    blocks: &[Block<'c>],
    nests: Nests,
    shapes: &mut dyn MemrefShapes<'c>,
) -> Vec<BlockReading<'c>> {
    let (effects, origins) = (AccessAnalysis::with_arguments(analysis), origins(analysis));
    let arguments = arguments(analysis);
    let Some(layout) = analysis.handles.function.map(DataLayout::at) else {
        return Vec::new();
    };
    let mut read = |block: &Block<'c>| {
        let facts = (
            analysis,
            &effects,
            &origins[..],
            &arguments[..],
            nests,
            &layout,
        );
        read_block(facts, semantics, *block, shapes)
    };
    blocks.iter().map(&mut read).collect()
}

/// What is known of a function: its effects, where the memory of allocations comes from, and its memref arguments; and which
/// loops over elements have strips.
type Facts<'r, 'c> = (
    &'r Analysis<'c>,
    &'r AccessAnalysis<'r, 'c>,
    &'r [Origin],
    &'r [Option<Val<'c>>],
    Nests,
    &'r DataLayout,
);

fn read_block<'r, 'c>(
    (analysis, effects, origins, arguments, nests, layout): Facts<'r, 'c>,
    semantics: &'r mut Semantics,
    block: Block<'c>,
    shapes: &'r mut dyn MemrefShapes<'c>,
) -> BlockReading<'c> {
    let mut reader = Reader {
        semantics,
        effects,
        block,
        origins,
        arguments,
        analysis,
        nests,
        shapes,
        layout,
        reading: BlockReading {
            block,
            program: Program::default(),
            has_loops: false,
            ops: Vec::new(),
            operands: Vec::new(),
            buffers: Vec::new(),
            alignments: Vec::new(),
            views: Vec::new(),
            viewed: Vec::new(),
            frees: Vec::new(),
        },
        seen: FxHashMap::default(),
        roots: FxHashMap::default(),
        types: FxHashMap::default(),
    };
    for op in ops(block) {
        reader.op(op);
    }
    reader.reading
}

/// Where the memory of each allocation comes from, for operations of its own block.
fn origins<'c>(analysis: &Analysis<'c>) -> Vec<Origin> {
    let mut origins = vec![Origin::Outside; analysis.program.buffers.len()];
    for plannable in &analysis.plannable {
        // In banks that the program names, a buffer stays as it is.
        let has_banks = has_banks(analysis.handles.buffers[plannable.buffer.index()]);
        origins[plannable.buffer.index()] = match has_banks {
            true => Origin::Result,
            false => Origin::Inside,
        };
    }
    for (buffer, reason) in &analysis.skipped {
        if *reason == Reason::Returned {
            origins[buffer.index()] = Origin::Result;
        }
    }
    // What is used in other blocks is needed after its own one.
    for (index, value) in analysis.handles.values.iter().enumerate() {
        for buffer in analysis.aliases.buffers(ValueId::new(index)) {
            let origin = &mut origins[buffer.index()];
            if *origin == Origin::Inside {
                let block = parent_block(analysis.handles.buffers[buffer.index()]);
                let is_inside = |op| block.is_some_and(|block| ancestor_in(op, block).is_some());
                if !users(*value).all(is_inside) {
                    *origin = Origin::Result;
                }
            }
        }
    }
    origins
}

/// The memref arguments.
fn arguments<'c>(analysis: &Analysis<'c>) -> Vec<Option<Val<'c>>> {
    let mut arguments = vec![None; analysis.program.argument_places.len()];
    for (fact, value) in analysis.program.values.iter().zip(&analysis.handles.values) {
        if let ValueKind::Argument(number) = fact.kind {
            arguments[number as usize] = Some(*value);
        }
    }
    arguments
}

struct Reader<'r, 'c> {
    analysis: &'r Analysis<'c>,
    semantics: &'r mut Semantics,
    effects: &'r AccessAnalysis<'r, 'c>,
    block: Block<'c>,
    origins: &'r [Origin],
    arguments: &'r [Option<Val<'c>>],
    nests: Nests,
    shapes: &'r mut dyn MemrefShapes<'c>,
    layout: &'r DataLayout,
    reading: BlockReading<'c>,
    /// Memrefs that are followed, with their buffers.
    seen: FxHashMap<Key, (BufferId, ViewId)>,
    roots: FxHashMap<Root, BufferId>,
    /// Buffers of the same type, shape and alignment have the same number.
    types: FxHashMap<(Type<'c>, Option<Shape>, u64), u32>,
}

impl<'c> Reader<'_, 'c> {
    fn shape(&mut self, memref: Val<'c>) -> Option<Shape> {
        self.shapes.shape(memref, self.semantics)
    }

    fn op(&mut self, op: Op<'c>) {
        if let Some(root) = self.allocated(op) {
            self.buffer_of(root);
            return;
        }
        if self.view(op) || self.is_view_of_outside(op) {
            return;
        }
        if let Some(root) = self.freed(op) {
            let (buffer, at) = (self.buffer_of(root), self.reading.ops.len());
            self.reading.frees.push(Free { op, buffer, at });
            return;
        }
        let mut effects = Effects::default();
        self.effects.record(op, self.semantics, &mut effects);
        let mut inside = Effects::default();
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.record(nested, &mut inside);
        }
        let own = (effects.reads.clone(), effects.writes.clone());
        let is_guarded_inside = inside.guarded;
        effects.add(&inside);
        let is_memref = |value: Val<'c>| is_memref(type_of(value));
        let makes_memref = results(op).any(is_memref);
        let uses_memref = operands(op).any(is_memref);
        if makes_memref && !uses_memref && !effects.fence {
            // Memory from outside, such as a global.
            return;
        }
        let is_fence = effects.fence || effects.writes.contains(&OUTSIDE);
        let mut node = Node {
            is_fence,
            stops: effects.stops,
            is_guarded: effects.guarded,
            ..Node::default()
        };
        let mut given = Given::default();
        if !is_fence && !makes_memref && !op.has_attribute(OPERANDS_APART) {
            given = self.structured(op, &mut node);
        }
        if given.are_loops {
            // Such loops end, whatever their operations are.
            let mut leaves = Effects::default();
            self.record_leaves(op, &mut leaves);
            (node.stops, node.is_guarded) = (leaves.stops, leaves.guarded);
        } else if node.has_strips() && self.fits(op, &node, &given.memrefs) {
            node.is_guarded = is_guarded_inside;
        }
        node.is_fence |= effects.stops && !node.has_strips();
        // Nothing comes after the end of the block.
        node.is_fence |= terminator(self.block).is_some_and(|last| last.key() == op.key());
        let mut whole: FxHashMap<BufferId, bool> = FxHashMap::default();
        if !node.has_strips() {
            for memref in operands(op).filter(|value| is_memref(*value)) {
                for root in self.effects.roots_of(memref) {
                    whole.entry(self.buffer_of(root)).or_default();
                }
            }
        }
        let mut touched = Vec::new();
        if !given.are_loops {
            touched.extend([(&inside.reads[..], false), (&inside.writes[..], true)]);
        }
        if !node.has_strips() {
            touched.extend([(&own.0[..], false), (&own.1[..], true)]);
        }
        for (roots, writes) in touched {
            for root in roots {
                let buffer = self.buffer_of(*root);
                *whole.entry(buffer).or_default() |= writes;
            }
        }
        let mut whole: Vec<_> = whole.into_iter().collect();
        whole.sort_unstable();
        let whole = whole.into_iter();
        node.whole = whole
            .map(|(buffer, writes)| WholeUse { buffer, writes })
            .collect();
        if node.buffers().next().is_none() && !node.is_fence {
            return;
        }
        self.reading.program.add(node);
        self.reading.ops.push(op);
        self.reading.operands.push(given.operands);
    }

    /// Whether an operation only views memory that another block allocates.
    fn is_view_of_outside(&mut self, op: Op<'c>) -> bool {
        let source = operands(op)
            .next()
            .filter(|_| self.semantics.view_step(op).is_some());
        let roots = source.map(|source| self.effects.roots_of(source));
        roots.is_some_and(|roots| {
            roots.iter().all(|root| {
                let allocation = self.allocation(*root);
                allocation.is_none_or(|op| parent_block(op) != Some(self.block))
            })
        })
    }

    /// The allocation of a memory, if the function has it.
    fn allocation(&self, root: Root) -> Option<Op<'c>> {
        self.analysis.handles.buffers.get(root as usize).copied()
    }

    /// The memory that an operation allocates.
    fn allocated(&self, op: Op<'c>) -> Option<Root> {
        let value = results(op).next()?;
        let mut roots = self.effects.roots_of(value).into_iter();
        match (roots.next(), roots.next()) {
            (Some(root), None) => {
                let by = self.allocation(root)?;
                (by.key() == op.key()).then_some(root)
            }
            _ => None,
        }
    }

    /// The memory that an operation frees, if the block allocates it and no other block uses it.
    fn freed(&mut self, op: Op<'c>) -> Option<Root> {
        let mut memrefs = operands(op);
        let memref = memrefs
            .next()
            .filter(|memref| is_memref(type_of(*memref)))?;
        if memrefs.next().is_some() || !self.semantics.is_deallocation(op) {
            return None;
        }
        match self.effects.roots_of(memref)[..] {
            [root] => {
                let is_own = parent_block(self.allocation(root)?) == Some(self.block);
                (is_own && self.origins[root as usize] == Origin::Inside).then_some(root)
            }
            _ => None,
        }
    }

    fn record(&mut self, op: Op<'c>, effects: &mut Effects) {
        self.effects.record(op, self.semantics, effects);
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.record(nested, effects);
        }
    }

    /// The effects of what is in loops, without those of the loops.
    fn record_leaves(&mut self, op: Op<'c>, effects: &mut Effects) {
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            if regions(nested).next().is_some() {
                self.record_leaves(nested, effects);
            } else if !self.semantics.info(nested).is_terminator() {
                self.effects.record(nested, self.semantics, effects);
            }
        }
    }

    /// The buffer of a memory.
    fn buffer_of(&mut self, root: Root) -> BufferId {
        if let Some(known) = self.roots.get(&root) {
            return *known;
        }
        let id = if root == OUTSIDE {
            self.add(None, Origin::Outside, 0, 1)
        } else if let Some(number) = argument_of(root) {
            self.add(self.arguments[number as usize], Origin::Outside, 0, 1)
        } else {
            let op = self.analysis.handles.buffers[root as usize];
            let fact = &self.analysis.program.buffers[root as usize];
            let is_here = parent_block(op) == Some(self.block);
            let origin = if is_here {
                self.origins[root as usize]
            } else {
                Origin::Outside
            };
            self.add(results(op).next(), origin, fact.size, fact.alignment)
        };
        self.roots.insert(root, id);
        id
    }

    fn add(
        &mut self,
        value: Option<Val<'c>>,
        origin: Origin,
        bytes: u64,
        alignment: u64,
    ) -> BufferId {
        let id = BufferId::new(self.reading.program.buffers.len());
        let r#type = value.map(type_of);
        let shape = value.and_then(|value| self.shape(value));
        let sizes = shape.iter().flatten();
        let count = sizes.product::<i64>().max(1).unsigned_abs();
        let number = self.types.len() as u32;
        let number = match r#type {
            Some(r#type) => {
                let like = (r#type, shape.clone(), alignment);
                *self.types.entry(like).or_insert(number)
            }
            None => u32::MAX,
        };
        let origin = match shape {
            Some(_) => origin,
            None => Origin::Outside,
        };
        self.reading.program.buffers.push(Buffer {
            origin,
            shape: shape.unwrap_or_default(),
            element: bytes / count,
            r#type: number,
            nodes: Vec::new(),
            writers: Vec::new(),
        });
        self.reading.buffers.push(value);
        self.reading.alignments.push(alignment);
        if let Some(value) = value {
            let view = ViewId::new(self.reading.program.views.len());
            self.reading.program.views.push(View {
                steps: Vec::new(),
                is_whole: true,
            });
            self.reading.views.push(Vec::new());
            self.reading.viewed.push(id);
            self.seen.insert(value.key(), (id, view));
        }
        id
    }
}
