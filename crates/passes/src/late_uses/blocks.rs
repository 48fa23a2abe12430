//! The blocks of a function as lists of steps: what each operation, with those nested in it, does to memory, and how many
//! innermost iterations it has.

use crate::{
    op_effects::{Access, AccessAnalysis, OUTSIDE, Root},
    shapes::Shapes,
};
use memplan_lifetimes::{
    Analysis,
    program::{Position, UseKind},
};
use memplan_mlir::{
    calls::function_body,
    ir::{Block, Identity, Key, Op, blocks, is_memref, operands, ops, regions, type_of},
    layout::element_count,
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    RegionOrder, ResultFact, Semantics,
    attributes::{ITEMS, RECOMPUTED, STRIPS, allows_other_bits, has_other_than},
    loops::trip_count,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::OnceCell;

/// An operation of a block, with those nested in it.
pub struct Step<'c> {
    pub op: Op<'c>,
    /// Its first and its last position.
    pub start: Position,
    pub end: Position,
    /// Memory that it reads, and that it writes or frees; sorted.
    pub reads: SmallVec<[Root; 4]>,
    pub writes: SmallVec<[Root; 2]>,
    /// Whether all that it does is known, and it ends.
    pub is_plain: bool,
    /// Innermost iterations in a call of the function.
    pub iterations: u64,
    /// Many buffers may ask, each of many steps.
    repeatable: OnceCell<bool>,
}

impl Step<'_> {
    /// Whether it does the same, and nothing else, if it is repeated after itself, as far as it alone is concerned.
    pub fn is_repeatable(&self, semantics: &mut Semantics) -> bool {
        let known = self.repeatable.get().copied();
        known.unwrap_or_else(|| {
            *self
                .repeatable
                .get_or_init(|| is_repeatable(self.op, semantics))
        })
    }
}

/// A block.
pub struct Steps<'c> {
    pub block: Block<'c>,
    pub steps: Vec<Step<'c>>,
    /// For each memory, the steps that write it, ascending.
    writers: FxHashMap<Root, Vec<u32>>,
    /// Whether a loop over strips or items is around it.
    pub is_in_strips: bool,
}

impl Steps<'_> {
    /// Whether a step between two others, both excluded, writes a memory.
    pub fn is_written(&self, root: Root, after: u32, before: u32) -> bool {
        let Some(writers) = self.writers.get(&root) else {
            return false;
        };
        let next = writers.partition_point(|step| *step <= after);
        writers.get(next).is_some_and(|step| *step < before)
    }
}

/// The blocks of a function.
pub struct Blocks<'c> {
    pub all: Vec<Steps<'c>>,
    /// The index of each block.
    pub places: FxHashMap<Key, usize>,
    /// For each operation of these blocks, its index in its block.
    pub step_of: FxHashMap<Key, u32>,
    /// Innermost iterations of a call, without those that are repeated.
    pub iterations: u64,
    /// Those that are repeated.
    pub repeated: u64,
}

/// What a block does in a call.
#[derive(Default)]
struct Total {
    access: Access,
    iterations: u64,
}

struct BlockReader<'a, 'c> {
    analysis: &'a Analysis<'c>,
    accesses: &'a AccessAnalysis<'a, 'c>,
    semantics: &'a mut Semantics,
    positions: FxHashMap<Key, Position>,
    ends: FxHashMap<Position, Position>,
    found: Blocks<'c>,
}

impl<'c> Blocks<'c> {
    /// Reads the blocks of a function.
    pub fn of(
        analysis: &Analysis<'c>,
        accesses: &AccessAnalysis<'_, 'c>,
        semantics: &mut Semantics,
    ) -> Self {
        let program = &analysis.program;
        let nodes = program.nodes.iter().filter(|node| node.parent.is_some());
        let scopes = program.scopes.iter().filter_map(|scope| scope.outer);
        let ends = nodes.map(|node| (node.start, node.end));
        let mut reader = BlockReader {
            analysis,
            accesses,
            semantics,
            positions: analysis
                .handles
                .ops
                .iter()
                .map(|(at, op)| (op.key(), *at))
                .collect(),
            ends: ends.chain(scopes.map(|outer| outer.span)).collect(),
            found: Self {
                all: Vec::new(),
                places: FxHashMap::default(),
                step_of: FxHashMap::default(),
                iterations: 0,
                repeated: 0,
            },
        };
        let body = analysis.handles.function.and_then(function_body);
        let mut total: u64 = 0;
        for block in body.into_iter().flat_map(blocks) {
            total = total.saturating_add(reader.block(block, 1, false).iterations);
        }
        reader.found.iterations = total.saturating_sub(reader.found.repeated);
        reader.found
    }
}

impl<'c> BlockReader<'_, 'c> {
    /// `weight`: how often the block runs in a call.
    fn block(&mut self, block: Block<'c>, weight: u64, is_in_strips: bool) -> Total {
        let mut total = Total::default();
        let mut found = Steps {
            block,
            steps: Vec::new(),
            writers: FxHashMap::default(),
            is_in_strips,
        };
        let mut has_positions = true;
        for op in ops(block) {
            let own = self.op(op, weight, is_in_strips);
            total.access.add(&own.access);
            total.iterations = total.iterations.saturating_add(own.iterations);
            match self.positions.get(&op.key()) {
                Some(start) => {
                    let index = found.steps.len() as u32;
                    self.found.step_of.insert(op.key(), index);
                    let step = self.step(op, *start, own);
                    for root in &step.writes {
                        found.writers.entry(*root).or_default().push(index);
                    }
                    found.steps.push(step);
                }
                None => has_positions = false,
            }
        }
        if has_positions {
            self.found.places.insert(block.key(), self.found.all.len());
            self.found.all.push(found);
        }
        total.access.reads.sort_unstable();
        total.access.reads.dedup();
        total.access.writes.sort_unstable();
        total.access.writes.dedup();
        total
    }

    fn step(&self, op: Op<'c>, start: Position, own: Total) -> Step<'c> {
        let end = self.ends.get(&start).copied().unwrap_or(start);
        let Access {
            mut reads,
            mut writes,
            fence,
            stops,
            ..
        } = own.access;
        if fence {
            // A call, for one: the analysis of live ranges knows what it does to buffers and arguments.
            let uses = &self.analysis.program.uses;
            let first = uses.partition_point(|used| used.position < start);
            for used in uses[first..].iter().take_while(|used| used.position <= end) {
                if matches!(used.kind, UseKind::Touch | UseKind::Overwrite) {
                    self.accesses.known_roots(used.value, &mut reads);
                    if used.writes {
                        self.accesses.known_roots(used.value, &mut writes);
                    }
                }
            }
            reads.push(OUTSIDE);
            writes.push(OUTSIDE);
        }
        reads.sort_unstable();
        reads.dedup();
        writes.sort_unstable();
        writes.dedup();
        Step {
            op,
            start,
            end,
            reads,
            writes,
            is_plain: !fence && !stops,
            iterations: own.iterations,
            repeatable: OnceCell::new(),
        }
    }

    fn op(&mut self, op: Op<'c>, weight: u64, is_in_strips: bool) -> Total {
        let mut total = Total::default();
        self.accesses.record(op, self.semantics, &mut total.access);
        let is_loop = self.semantics.info(op).is_loop();
        let trips = match is_loop {
            true => trip_count(op, self.semantics).unwrap_or(Shapes::FIRST),
            false => 1,
        };
        let inner_weight = weight.saturating_mul(trips);
        let is_in_strips = is_in_strips || op.has_attribute(STRIPS) || op.has_attribute(ITEMS);
        for block in regions(op).flat_map(blocks) {
            let inner = self.block(block, inner_weight, is_in_strips);
            total.access.add(&inner.access);
            total.iterations = total.iterations.saturating_add(inner.iterations);
        }
        if let Some(own) = self.own_iterations(op) {
            total.iterations = own.saturating_mul(weight);
        }
        if op.has_attribute(RECOMPUTED) {
            self.found.repeated = self.found.repeated.saturating_add(total.iterations);
        }
        total
    }

    /// Innermost iterations of an operation that stands for loops, or touches memory itself.
    fn own_iterations(&mut self, op: Op<'c>) -> Option<u64> {
        if let Some(loops) = self.semantics.linear_loops(op) {
            let extents = loops.nest.loops.iter();
            let extents = extents.map(|one| one.extent.unwrap_or(Shapes::FIRST));
            return Some(extents.fold(1, u64::saturating_mul));
        }
        let memrefs = || operands(op).map(type_of).filter(|form| is_memref(*form));
        if self.semantics.table_facts(op).is_structured {
            let elements = memrefs().filter_map(element_count).max()?;
            return u64::try_from(elements).ok();
        }
        let touches = regions(op).next().is_none() && memrefs().next().is_some();
        touches.then(|| {
            let memory = self.semantics.of(op);
            u64::from(memory.reads() || memory.writes())
        })
    }
}

/// Whether an operation does the same, and nothing else, if it is repeated after itself, as far as it alone is concerned.
fn is_repeatable(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let memory = semantics.of(op);
    !has_other_than(op, RECOMPUTED)
        && !allows_other_bits(op)
        && memory.regions == RegionOrder::Sequential
        && !memory.results.iter().any(|one| is_new(&one.fact))
        && regions(op)
            .flat_map(blocks)
            .flat_map(ops)
            .all(|nested| is_repeatable(nested, semantics))
}

/// Whether a result is new memory.
const fn is_new(fact: &ResultFact) -> bool {
    matches!(fact, ResultFact::New { .. })
}
