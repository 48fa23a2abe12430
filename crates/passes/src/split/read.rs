//! Reads a block as plain data for the search: operations with their loops and accesses, and the memory that these access.

use crate::op_effects::{Access as Effects, AccessAnalysis, OUTSIDE, Root, argument_of};
use memplan_lifetimes::{
    Analysis, Reason,
    program::{ValueId, ValueKind},
};
use memplan_mlir::{
    build::dropped_dimensions,
    ir::{
        Block, Identity, Key, Op, Origin as ValueOrigin, Type, Val, ancestor_in, blocks, is_memref,
        operands, ops, origin, parent_block, regions, results, terminator, type_of, users,
    },
    layout::{rank, static_dimension},
    structured_ops::{IndexedOperand, LinearIndex},
};
use memplan_semantics::{Number, Semantics, Slice, ViewStep};
use memplan_strips::{
    program::{Access, Buffer, BufferId, Linear, Loop, Node, Origin, Program, ViewId, WholeUse},
    views::{Groups, Step, View},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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

/// Reads blocks of an analysed function. Memrefs have the shapes that `shapes` knows.
pub fn read<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    blocks: &[Block<'c>],
    shapes: &mut dyn MemrefShapes<'c>,
) -> Vec<BlockReading<'c>> {
    let (effects, origins) = (AccessAnalysis::with_arguments(analysis), origins(analysis));
    let arguments = arguments(analysis);
    let mut read = |block: &Block<'c>| {
        let facts = (analysis, &effects, &origins[..], &arguments[..]);
        read_block(facts, semantics, *block, shapes)
    };
    blocks.iter().map(&mut read).collect()
}

/// What is known of a function: its effects, where the memory of allocations comes from, and its memref arguments.
type Facts<'r, 'c> = (
    &'r Analysis<'c>,
    &'r AccessAnalysis<'r, 'c>,
    &'r [Origin],
    &'r [Option<Val<'c>>],
);

fn read_block<'r, 'c>(
    (analysis, effects, origins, arguments): Facts<'r, 'c>,
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
        shapes,
        reading: BlockReading {
            block,
            program: Program::default(),
            has_loops: false,
            ops: Vec::new(),
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
        origins[plannable.buffer.index()] = Origin::Inside;
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
    shapes: &'r mut dyn MemrefShapes<'c>,
    reading: BlockReading<'c>,
    /// Memrefs that are followed, with their buffers.
    seen: FxHashMap<Key, (BufferId, ViewId)>,
    roots: FxHashMap<Root, BufferId>,
    /// Buffers of the same type and alignment have the same number.
    types: FxHashMap<(Type<'c>, u64), u32>,
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
        if !is_fence && !makes_memref {
            self.structured(op, &mut node);
        }
        if node.has_strips() && self.fits(op, &node) {
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
        let mut touched = vec![(&inside.reads[..], false), (&inside.writes[..], true)];
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
            Some(r#type) => *self.types.entry((r#type, alignment)).or_insert(number),
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

    /// The buffer that a memref is a view of, if that is known.
    fn followed(&mut self, memref: Val<'c>) -> Option<(BufferId, ViewId)> {
        if let Some(known) = self.seen.get(&memref.key()) {
            return Some(*known);
        }
        self.shape(memref)?;
        match self.effects.roots_of(memref)[..] {
            [OUTSIDE] => self.follow_unnamed(memref),
            [root] if argument_of(root).is_some() => {
                self.buffer_of(root);
                if !self.seen.contains_key(&memref.key()) {
                    self.view_elsewhere(memref);
                }
            }
            [root] => self.follow_outside(memref, root),
            _ => {}
        }
        self.seen.get(&memref.key()).copied()
    }

    fn follow_unnamed(&mut self, memref: Val<'c>) {
        if !self.view_elsewhere(memref) {
            self.add(Some(memref), Origin::Outside, 0, 1);
        }
    }

    /// Follows a view that another block has. Returns whether the value is one.
    fn view_elsewhere(&mut self, memref: Val<'c>) -> bool {
        match origin(memref) {
            Some(ValueOrigin::Result(op, 0)) if parent_block(op) != Some(self.block) => {
                self.view(op)
            }
            _ => false,
        }
    }

    /// Follows a view of memory that another block allocates. Where its place is known only at run time, the first such view
    /// stands for all of the memory; what sees that otherwise is not followed then.
    fn follow_outside(&mut self, memref: Val<'c>, root: Root) {
        let (Some(allocation), Some(ValueOrigin::Result(op, _))) =
            (self.allocation(root), origin(memref))
        else {
            return;
        };
        if parent_block(allocation) == Some(self.block) {
            return;
        }
        if op.key() == allocation.key() {
            self.buffer_of(root);
        } else if !self.view(op) && !self.roots.contains_key(&root) && self.is_part(memref, root) {
            let id = self.add(Some(memref), Origin::Outside, 0, 1);
            self.roots.insert(root, id);
        }
    }

    /// Whether a memref has elements of an allocation, each at most once.
    fn is_part(&mut self, memref: Val<'c>, root: Root) -> bool {
        let Some(allocation) = self.allocation(root) else {
            return false;
        };
        let mut at = memref;
        loop {
            let Some(ValueOrigin::Result(op, _)) = origin(at) else {
                return false;
            };
            if op.key() == allocation.key() {
                return true;
            }
            let is_apart = match self.semantics.view_step(op) {
                Some(ViewStep::Slice(slice)) => {
                    let mut strides = slice.strides.iter();
                    strides.all(|stride| stride.constant().is_some_and(|stride| stride > 0))
                }
                step => step.is_some(),
            };
            let Some(source) = operands(op).next().filter(|_| is_apart) else {
                return false;
            };
            at = source;
        }
    }

    /// Follows a view. Returns whether the operation is one.
    fn view(&mut self, op: Op<'c>) -> bool {
        let (Some(source), Some(result)) = (operands(op).next(), results(op).next()) else {
            return false;
        };
        if !is_memref(type_of(source)) || !is_memref(type_of(result)) {
            return false;
        }
        let Some(step) = self.semantics.view_step(op) else {
            return false;
        };
        let (Some(from), Some(to)) = (self.shape(source), self.shape(result)) else {
            return false;
        };
        let Some(step) = known_step(op, &step, (&from, &to)) else {
            return false;
        };
        let Some((buffer, view)) = self.followed(source) else {
            return false;
        };
        let mut seen = self.reading.program.views[view.index()].clone();
        let is_part = matches!(step, Some(Step::Part { .. }));
        seen.is_whole &= !is_part || elements(&from) == elements(&to);
        add(step, &mut seen.steps);
        let mut through = self.reading.views[view.index()].clone();
        through.push(op);
        let id = ViewId::new(self.reading.program.views.len());
        self.reading.program.views.push(seen);
        self.reading.views.push(through);
        self.reading.viewed.push(buffer);
        self.seen.insert(result.key(), (buffer, id));
        true
    }

    /// Reads loops and accesses. Nothing is changed if they are not known.
    fn structured(&mut self, op: Op<'c>, node: &mut Node) {
        let Some(nest) = self.semantics.loop_nest(op) else {
            return;
        };
        self.reading.has_loops = true;
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let mut loops: SmallVec<[Loop; 6]> = SmallVec::new();
        for (number, one) in nest.loops.iter().enumerate() {
            let extent = match one.extent {
                Some(extent) => i64::try_from(extent).ok(),
                None => self.extent(&nest.operands, &given, number as u32),
            };
            let Some(extent) = extent else {
                return;
            };
            loops.push(Loop {
                extent,
                is_parallel: one.is_parallel,
            });
        }
        let mut accesses = SmallVec::new();
        for one in nest.operands {
            let Some((buffer, view)) = self.followed(given[one.operand as usize]) else {
                return;
            };
            accesses.push(Access {
                operand: one.operand,
                buffer,
                view,
                indices: one.indices.into_iter().map(linear).collect(),
                reads: one.reads,
                writes: one.writes,
            });
        }
        node.loops = loops;
        node.accesses = accesses;
    }

    /// Whether an operation does not trap, as its sizes are proven to fit: those that are not static are each walked along by
    /// one loop, index by index.
    fn fits(&mut self, op: Op<'c>, node: &Node) -> bool {
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let mut are_walked = node.accesses.iter().map(|access| {
            let memref = given[access.operand as usize];
            let shape = self.shape(memref);
            let mut indices = access.indices.iter().enumerate();
            indices.all(|(at, index)| {
                let is_static = static_dimension(type_of(memref), at as i64).is_some();
                let size = shape.as_ref().map(|shape| shape[at]);
                let extent = index
                    .as_loop()
                    .map(|walks| node.loops[walks as usize].extent);
                is_static || (extent.is_some() && extent == size)
            })
        });
        are_walked.all(|is_walked| is_walked) && self.semantics.traps_by_sizes_only(op)
    }

    /// A loop's number of iterations, by the dimensions that it walks along.
    fn extent(
        &mut self,
        accesses: &[IndexedOperand],
        given: &[Val<'c>],
        number: u32,
    ) -> Option<i64> {
        let mut sizes: SmallVec<[Option<i64>; 8]> = SmallVec::new();
        for one in accesses {
            let shape = self.shape(given[one.operand as usize]);
            for (dimension, index) in one.indices.iter().enumerate() {
                if index.terms[..] == [(number, 1)] && index.constant == 0 {
                    sizes.push(shape.as_ref().map(|shape| shape[dimension]));
                }
            }
        }
        self.shapes.extent(&sizes)
    }
}

fn linear(index: LinearIndex) -> Linear {
    let mut terms = index.terms;
    terms.sort_unstable();
    Linear {
        terms,
        constant: index.constant,
    }
}

/// Most elements of a memref that is followed, so that sums and products of its rows fit.
const MOST_ELEMENTS: i64 = 1 << 48;

/// Sizes of the dimensions of a memref.
pub type Shape = SmallVec<[i64; 4]>;

/// What is known of the shapes of memrefs.
pub trait MemrefShapes<'c> {
    /// The shape of a memref, if it is known.
    fn shape(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Shape>;

    /// A loop's number of iterations that its operation does not say: `sizes` are those of the dimensions that it walks along.
    fn extent(&self, sizes: &[Option<i64>]) -> Option<i64>;
}

/// Shapes whose sizes are all static.
pub struct StaticShapes;

impl<'c> MemrefShapes<'c> for StaticShapes {
    fn shape(&mut self, memref: Val<'c>, _: &mut Semantics) -> Option<Shape> {
        shape_with(type_of(memref), None)
    }

    fn extent(&self, _: &[Option<i64>]) -> Option<i64> {
        None
    }
}

/// The shape of a memref with `dynamic` in place of sizes that are not static, if there is one, unless it is too large.
pub fn shape_with(r#type: Type<'_>, dynamic: Option<i64>) -> Option<Shape> {
    let rank = i64::try_from(rank(r#type)?).ok()?;
    let shape = (0..rank).map(|at| static_dimension(r#type, at).or(dynamic));
    let shape: Shape = shape.collect::<Option<_>>()?;
    let sizes = shape.iter().map(|size| (*size).max(1));
    let count = sizes.fold(1_i64, i64::saturating_mul);
    (count <= MOST_ELEMENTS).then_some(shape)
}

/// The number of elements of a memref.
fn elements(shape: &Shape) -> Option<i64> {
    let mut sizes = shape.iter();
    sizes.try_fold(1_i64, |count, size| count.checked_mul(*size))
}

/// A step between memrefs of static sizes: `Some(None)` if it changes nothing, `None` if it is not known.
#[expect(
    clippy::option_option,
    reason = "a step that is known may change nothing"
)]
fn known_step(
    op: Op<'_>,
    step: &ViewStep<'_>,
    (source, result): (&Shape, &Shape),
) -> Option<Option<Step>> {
    let groups = |groups: &[Vec<u32>], shape: &[i64]| Groups {
        groups: groups
            .iter()
            .map(|group| SmallVec::from_slice(group))
            .collect(),
        shape: SmallVec::from_slice(shape),
    };
    Some(match step {
        ViewStep::Same => None,
        ViewStep::Permuted(order) => Some(Step::Transpose {
            order: SmallVec::from_slice(order),
        }),
        ViewStep::Divided(all) => Some(Step::Expand(groups(all, result))),
        ViewStep::Merged(all) => Some(Step::Collapse(groups(all, source))),
        ViewStep::Slice(slice) => Some(part(op, slice, result)?),
    })
}

/// Adds a step. One that undoes the last one leaves neither.
fn add(step: Option<Step>, steps: &mut Vec<Step>) {
    match (&step, steps.last()) {
        (Some(Step::Collapse(groups)), Some(Step::Expand(last)))
        | (Some(Step::Expand(groups)), Some(Step::Collapse(last)))
            if groups == last =>
        {
            steps.pop();
        }
        _ => steps.extend(step),
    }
}

/// A slice with known offsets, sizes and strides, of which dimensions of one element may be left out.
fn part(op: Op<'_>, slice: &Slice<'_>, result: &Shape) -> Option<Step> {
    let known = |numbers: &[Number<'_>]| -> Option<Shape> {
        numbers.iter().map(|number| number.constant()).collect()
    };
    let mut next = 0;
    let becomes = dropped_dimensions(op, slice.sizes.len())?.into_iter();
    let becomes = becomes.map(|is_dropped| {
        let kept = (!is_dropped).then_some(next);
        next += u32::from(!is_dropped);
        kept
    });
    let becomes: SmallVec<[Option<u32>; 4]> = becomes.collect();
    let size = |to: &Option<u32>| to.map_or(Some(1), |to| result.get(to as usize).copied());
    let sizes: Shape = becomes.iter().map(size).collect::<Option<_>>()?;
    Some(Step::Part {
        becomes,
        offsets: known(&slice.offsets)?,
        strides: known(&slice.strides)?,
        sizes,
    })
}
