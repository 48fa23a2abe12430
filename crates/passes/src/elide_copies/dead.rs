//! Buffers that are written and never read go, with the operations that only write them.

use super::read::buffers;
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Origin, Val, blocks, erase, is_memref, operands, ops, origin, regions,
        results, type_of, uses,
    },
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{Semantics, declared::is_effect_free, op_memory::Capture};
use rustc_hash::FxHashSet;

/// Largest number of uses of a buffer that are visited.
const MOST_USES: usize = 4096;

/// Removes such buffers; returns their number. `gone` receives the allocations, and `says` is called for each before the
/// change. The analysis is invalid if there are any.
pub fn run<'c>(
    analysis: &Analysis<'c>,
    semantics: &mut Semantics,
    gone: &mut FxHashSet<Key>,
    says: impl Fn(Op<'c>),
) -> usize {
    let mut count = 0;
    for fact in buffers(analysis).iter().filter(|fact| fact.moves) {
        let Some(Origin::Result(alloc, _)) = origin(fact.value) else {
            continue;
        };
        let Some(uses) = Uses::of(fact.value, semantics) else {
            continue;
        };
        says(alloc);
        gone.insert(alloc.key());
        uses.writers.into_iter().for_each(erase);
        uses.views.into_iter().rev().for_each(erase);
        erase(alloc);
        count += 1;
    }
    count
}

/// The operations that use a buffer which nothing reads.
#[derive(Default)]
struct Uses<'c> {
    /// Those that write or free it.
    writers: Vec<Op<'c>>,
    /// Those that view it, sources first.
    views: Vec<Op<'c>>,
}

impl<'c> Uses<'c> {
    /// `None` if something reads the buffer, or more than that happens.
    fn of(value: Val<'c>, semantics: &mut Semantics) -> Option<Self> {
        let mut found = Self::default();
        let mut known: FxHashSet<Key> = FxHashSet::default();
        let mut values: FxHashSet<Key> = FxHashSet::default();
        let mut work = vec![value];
        values.insert(value.key());
        while let Some(value) = work.pop() {
            for (op, operand) in uses(value) {
                if !known.insert(op.key()) {
                    continue;
                }
                if known.len() > MOST_USES {
                    return None;
                }
                if is_view(op, operand, semantics) {
                    found.views.push(op);
                    for view in results(op).filter(|result| is_memref(type_of(*result))) {
                        values.insert(view.key());
                        work.push(view);
                    }
                } else {
                    found.writers.push(op);
                }
            }
        }
        let mut writers = found.writers.iter();
        let is_dead = writers
            .all(|op| semantics.is_deallocation(*op) || only_writes(*op, &values, semantics));
        is_dead.then_some(found)
    }
}

/// Whether an operation only views this operand.
fn is_view(op: Op<'_>, operand: usize, semantics: &mut Semantics) -> bool {
    let is_source = semantics.of(op).view_source() == Some(operand as u32);
    is_source && is_effect_free(op) && results(op).all(|result| is_memref(type_of(result)))
}

/// Whether nothing but these values would be different without an operation.
fn only_writes<'c>(op: Op<'c>, values: &FxHashSet<Key>, semantics: &mut Semantics) -> bool {
    let memory = semantics.of(op);
    let given: Vec<Val<'c>> = operands(op).collect();
    let writes_only_these = memory.operands.iter().all(|used| {
        let is_own = values.contains(&given[used.operand as usize].key());
        let stays = used.capture == Capture::No && used.frees.is_none();
        stays && (is_own || !used.touch.writes())
    });
    let is_simple = memory.opaque.is_none()
        && !memory.is_call
        && !memory.fence
        && memory.start.is_none()
        && memory.joins.is_empty()
        && memory.promises.is_empty()
        && !memory.unnamed.writes
        && !memory.unnamed.allocates
        && !memory.unnamed.other_resources
        && results(op).next().is_none()
        && op.successor_count() == 0;
    let mut payload = regions(op).flat_map(blocks).flat_map(ops);
    is_simple
        && writes_only_these
        && !semantics.info(op).is_terminator()
        && !semantics.may_not_return(op)
        && payload.all(|nested| {
            regions(nested).next().is_none()
                && (is_effect_free(nested) || semantics.info(nested).is_terminator())
        })
}
