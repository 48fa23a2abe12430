//! The blocks of a function whose operations may be split: those of its body, and those of loops and branches in these.

use super::read::BlockReading;
use memplan_mlir::{
    calls::function_body,
    ir::{Block, Identity, Key, Op, block_parent, blocks, ops, regions},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Form, Semantics, attributes::STRIPS};
use memplan_strips::{
    in_place::Pairs,
    load::Load,
    program::{NodeId, Program},
};
use rustc_hash::FxHashMap;

/// The blocks, each after those around it. `in_parallel`: bodies that run in parallel, too.
pub fn blocks_of<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    in_parallel: bool,
) -> Vec<Block<'c>> {
    let mut found: Vec<Block<'c>> = function_body(function)
        .into_iter()
        .flat_map(blocks)
        .collect();
    let mut at = 0;
    while let Some(block) = found.get(at).copied() {
        at += 1;
        // What is in strips already is not split again.
        for op in ops(block).filter(|op| !op.has_attribute(STRIPS)) {
            let may_be_split = match semantics.form(op) {
                Form::Counted | Form::Repeated | Form::Choice | Form::Once => true,
                Form::Parallel => in_parallel,
                _ => false,
            };
            if may_be_split {
                found.extend(regions(op).flat_map(blocks));
            }
        }
    }
    found
}

/// A block with the bytes of its plan.
#[derive(Clone, Copy)]
pub struct BlockLoad {
    /// The number of its reading.
    pub number: usize,
    /// The most bytes that its own allocations hold.
    pub own: u64,
    /// The bytes that blocks around it hold meanwhile.
    pub around: u64,
    /// Those of them that no strips of these blocks change.
    pub whole_around: u64,
}

impl BlockLoad {
    /// The most bytes that are held in it.
    pub const fn all(&self) -> u64 {
        self.own.saturating_add(self.around)
    }
}

/// The bytes of blocks, the largest first.
pub fn loads(readings: &[BlockReading<'_>]) -> Vec<BlockLoad> {
    let mut around: FxHashMap<Key, [u64; 2]> = FxHashMap::default();
    let mut all = Vec::with_capacity(readings.len());
    for (number, reading) in readings.iter().enumerate() {
        let program = &reading.program;
        let load = Load::of(program, &Pairs::of(program));
        let parent = block_parent(reading.block).map(|op| op.key());
        let outer = parent.and_then(|parent| around.get(&parent).copied());
        let [outer, whole_outer] = outer.unwrap_or_default();
        let one = BlockLoad {
            number,
            own: load.at.iter().copied().max().unwrap_or(0),
            around: outer,
            whole_around: whole_outer,
        };
        for (at, op) in reading.ops.iter().enumerate() {
            if regions(*op).next().is_some() {
                let bytes = load.at[at].saturating_add(outer);
                let whole = whole_across(program, &load, NodeId::new(at));
                around.insert(op.key(), [bytes, whole.saturating_add(whole_outer)]);
            }
        }
        all.push(one);
    }
    all.sort_by_key(|one| std::cmp::Reverse(one.all()));
    all
}

/// The bytes of buffers that a node touches whole, and that others touch before it and after it.
fn whole_across(program: &Program, load: &Load, id: NodeId) -> u64 {
    let whole = program.node(id).whole.iter().map(|used| used.buffer);
    let across = whole.filter(|buffer| {
        let span = program.buffer(*buffer).span();
        span.is_some_and(|(first, last)| first < id && id < last)
    });
    let held = across.map(|buffer| load.held(program, buffer, [true, true]));
    held.fold(0, u64::saturating_add)
}
