//! The origins of a function's memrefs as plain data, for passes that rewrite `bufferization.dealloc`.
//!
//! A function is read once. Reading never fails: a value that is not understood may be any memory that
//! escaped. On a module, the summaries of callees say what calls return and capture ([`callees`]).

pub mod callees;
pub mod dead_views;
mod read;

use memplan_mlir::{
    calls::function_body,
    ir::{Op, Val},
};
use memplan_ownership::{
    conditions::Conditions,
    dealloc::FlagId,
    function::{SegmentId, ValueId},
    origins::OriginsInput,
};
use memplan_semantics::{Allocator, Semantics, allocators};

use memplan_summaries::Summaries;
use read::read;

/// Mark: the data may start elsewhere than the allocation.
pub const MOVED: u8 = 1;
/// Mark: allocated by an operation whose memory `memref.dealloc` frees.
const BY_MEMREF: u8 = 2;
/// Mark: allocated by `gpu.alloc`.
const BY_GPU: u8 = 4;
/// Marks of memory whose allocator is unknown.
const BY_ANY: u8 = BY_MEMREF | BY_GPU;

/// The allocator whose counterpart frees memory with these marks.
pub fn allocator_of(marks: u8) -> Result<Allocator, MixedAllocators> {
    match (marks & BY_MEMREF != 0, marks & BY_GPU != 0) {
        (true, true) => Err(MixedAllocators),
        (false, true) => Ok(allocators::GPU),
        (_, false) => Ok(Allocator::Memref),
    }
}

/// The marks of memory of an allocator.
fn marks_of(by: Allocator) -> u8 {
    match by {
        Allocator::Memref | Allocator::Unnamed | Allocator::Program => BY_MEMREF,
        allocators::GPU => BY_GPU,
        // There is no mark for it: neither deallocation fits.
        Allocator::FreedBy(_) => BY_ANY,
    }
}

/// Memory comes from different allocators, which free it differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("frees memory of different allocators, which need different deallocations")]
pub struct MixedAllocators;

/// A memref operand.
#[derive(Clone, Copy)]
pub struct DeallocOperand<'c> {
    /// The memref.
    pub val: Val<'c>,
    /// The value whose memory it is.
    pub id: ValueId,
    /// It is a view whose data starts elsewhere than that of its source.
    pub is_moved: bool,
}

/// A `bufferization.dealloc`.
pub struct DeallocSite<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The segment that contains it; `None` in code that is not followed.
    pub segment: Option<SegmentId>,
    /// The memrefs that it frees.
    pub memrefs: Vec<DeallocOperand<'c>>,
    /// The condition of each memref.
    pub conditions: Vec<FlagId>,
    /// The memrefs that it retains.
    pub retained: Vec<DeallocOperand<'c>>,
    /// Its results.
    pub results: Vec<FlagId>,
    /// For each result, whether it has uses.
    pub is_used: Vec<bool>,
}

/// An operation that allocates memory and has no other effect.
pub struct Allocation<'c> {
    /// The value of its memory.
    pub id: ValueId,
    /// The operation.
    pub op: Op<'c>,
}

/// An operation that makes a view and has no other effect.
pub struct View<'c> {
    /// The value whose memory it views.
    pub id: ValueId,
    /// The operation.
    pub op: Op<'c>,
    /// The source of the view.
    pub source: Val<'c>,
}

/// A function as plain data, with the IR that it was read from.
#[derive(Default)]
pub struct Reading<'c> {
    /// The input of [`memplan_ownership::origins::Origins`]. Edges out of the function pass its results, by
    /// number.
    pub memory: OriginsInput,
    /// For each value, the memref that is no view; `None` if there is none.
    pub roots: Vec<Option<Val<'c>>>,
    /// Its deallocs. Each comes after the deallocs that dominate it.
    pub sites: Vec<DeallocSite<'c>>,
    /// Conditions.
    pub conditions: Conditions,
    /// For each condition, its value.
    pub flags: Vec<Val<'c>>,
    /// Allocations.
    pub allocations: Vec<Allocation<'c>>,
    /// For each value, the number of its uses and those of its views. Views and deallocs do not count as
    /// uses.
    pub uses: Vec<u32>,
    /// Pure views, in the order of the walk.
    pub views: Vec<View<'c>>,
}

impl<'c> Reading<'c> {
    /// The memref to use in place of an operand: the source of its views, where that is available.
    pub fn root(&self, operand: &DeallocOperand<'c>) -> Val<'c> {
        self.roots[operand.id.index()].unwrap_or(operand.val)
    }
}

/// Reads a function, if it has a body that contains a `bufferization.dealloc`.
pub fn read_deallocs<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    calls: &Summaries,
) -> Option<Reading<'c>> {
    let body = function_body(function)?;
    has_deallocs(function, semantics).then(|| read(function, body, semantics, calls))
}

/// Whether an operation is a `bufferization.dealloc`, which these passes rewrite.
fn is_dealloc(op: Op<'_>, semantics: &mut Semantics) -> bool {
    semantics.table_facts(op).frees_by_flags
}

/// Whether a function contains a `bufferization.dealloc`.
fn has_deallocs(function: Op<'_>, semantics: &mut Semantics) -> bool {
    use memplan_mlir::ir::{blocks, ops, regions};
    regions(function).flat_map(blocks).flat_map(ops).any(|op| {
        let info = semantics.info(op);
        is_dealloc(op, semantics)
            || !info.is_function() && !info.is_symbol_table() && has_deallocs(op, semantics)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_function::with_function;
    use memplan_mlir::ir::{arguments, blocks, regions};

    #[test]
    fn memory_of_one_allocator_is_freed_by_it() {
        for allocator in [Allocator::Memref, allocators::GPU] {
            assert_eq!(allocator_of(marks_of(allocator)), Ok(allocator));
        }
    }

    #[test]
    fn memory_without_a_mark_is_freed_as_a_memref() {
        assert_eq!(allocator_of(0), Ok(Allocator::Memref));
        assert_eq!(allocator_of(MOVED), Ok(Allocator::Memref));
    }

    #[test]
    fn memory_of_two_allocators_is_freed_by_neither() {
        let both = marks_of(Allocator::Memref) | marks_of(allocators::GPU);
        assert_eq!(allocator_of(both), Err(MixedAllocators));
        let other = marks_of(Allocator::FreedBy("npu.free"));
        assert_eq!(allocator_of(other), Err(MixedAllocators));
    }

    #[test]
    fn a_function_without_deallocs_is_not_read() {
        let text = "func.func @f(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32> return }";
        with_function(text, |function| {
            let reading = read_deallocs(function, &mut Semantics::default(), &Summaries::default());
            assert!(reading.is_none());
        });
    }

    #[test]
    fn a_view_has_the_memory_of_its_source() {
        let text = "
            func.func @f(%a: memref<4xf32>, %c: i1) {
              %v = memref.cast %a : memref<4xf32> to memref<?xf32>
              bufferization.dealloc (%v : memref<?xf32>) if (%c)
              return
            }";
        with_function(text, |function| {
            let reading = read_deallocs(function, &mut Semantics::default(), &Summaries::default());
            let reading = reading.expect("a dealloc");
            let entry = regions(function).flat_map(blocks).next().expect("a block");
            let argument = arguments(entry).next().expect("an argument");
            let operand = reading.sites[0].memrefs[0];
            assert!(operand.val != argument && reading.root(&operand) == argument);
        });
    }
}
