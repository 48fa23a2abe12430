//! Where the memrefs of a function come from, as plain data: for passes that rewrite
//! `bufferization.dealloc`.
//!
//! A function is read once. Nothing makes that fail: what is not understood may be any memory that got out
//! of sight. On a module, the summaries of called functions say what they return and what they capture
//! ([`callees`]).

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
    origins::Memory,
};
use memplan_semantics::{Allocator, Semantics, allocators};

use memplan_summaries::Summaries;
use read::read;

/// Mark: the address of the data need not be the one that the memory was made with.
pub const MOVED: u8 = 1;
/// Mark: made by what `memref.dealloc` frees.
const BY_MEMREF: u8 = 2;
/// Mark: made by `gpu.alloc`.
const BY_GPU: u8 = 4;
/// Marks: it is not known what it was made by.
const BY_ANY: u8 = BY_MEMREF | BY_GPU;

/// What memory is freed by, as marks say.
pub fn freeing_of(marks: u8) -> Result<Allocator, MixedAllocators> {
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
        // Marks name no other: such memory is freed by neither.
        Allocator::FreedBy(_) => BY_ANY,
    }
}

/// Memory comes from different allocators, and is freed differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("frees memory of different allocators, which need different deallocations")]
pub struct MixedAllocators;

/// A memref that an operation uses.
#[derive(Clone, Copy)]
pub struct Operand<'c> {
    /// It.
    pub val: Val<'c>,
    /// The value whose memory it is.
    pub id: ValueId,
    /// It is a view whose data starts elsewhere than that of what it is a view of.
    pub is_moved: bool,
}

/// A `bufferization.dealloc`.
pub struct Site<'c> {
    /// It.
    pub op: Op<'c>,
    /// Where it stands; `None`: in what is not followed.
    pub segment: Option<SegmentId>,
    /// What it frees.
    pub memrefs: Vec<Operand<'c>>,
    /// When, for each.
    pub conditions: Vec<FlagId>,
    /// What it keeps.
    pub retained: Vec<Operand<'c>>,
    /// Its results.
    pub results: Vec<FlagId>,
    /// Somebody uses them.
    pub is_used: Vec<bool>,
}

/// An allocation that does nothing else.
pub struct Allocation<'c> {
    /// Its memory.
    pub id: ValueId,
    /// It.
    pub op: Op<'c>,
}

/// A view that does nothing else.
pub struct View<'c> {
    /// Whose memory it is a view of.
    pub id: ValueId,
    /// It.
    pub op: Op<'c>,
    /// The memref that it is a view of.
    pub source: Val<'c>,
}

/// A function as data, and the IR behind it.
#[derive(Default)]
pub struct Reading<'c> {
    /// As data. Edges out of the function pass what it returns, by number.
    pub memory: Memory,
    /// For each value, the memref that is no view; `None` for what has none.
    pub roots: Vec<Option<Val<'c>>>,
    /// Its deallocs, each behind those that dominate it.
    pub sites: Vec<Site<'c>>,
    /// Conditions.
    pub conditions: Conditions,
    /// For each condition, the value.
    pub flags: Vec<Val<'c>>,
    /// Allocations.
    pub allocations: Vec<Allocation<'c>>,
    /// For each value, how often it or a view of it is used, but for views and by deallocs.
    pub uses: Vec<u32>,
    /// Views that do nothing else, in the order of the walk.
    pub views: Vec<View<'c>>,
}

impl<'c> Reading<'c> {
    /// The memref to name for an operand: what it is a view of, where that can be named.
    pub fn root(&self, operand: &Operand<'c>) -> Val<'c> {
        self.roots[operand.id.index()].unwrap_or(operand.val)
    }
}

/// Reads a function, if it has a body and there is a `bufferization.dealloc` in it.
pub fn read_sites<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    calls: &Summaries,
) -> Option<Reading<'c>> {
    let body = function_body(function)?;
    has_sites(function, semantics).then(|| read(function, body, semantics, calls))
}

/// Is it a `bufferization.dealloc`: the operation that is rewritten?
fn is_site(op: Op<'_>, semantics: &mut Semantics) -> bool {
    semantics.table_facts(op).frees_by_flags
}

/// Is there a `bufferization.dealloc` in a function?
fn has_sites(function: Op<'_>, semantics: &mut Semantics) -> bool {
    use memplan_mlir::ir::{blocks, ops, regions};
    regions(function).flat_map(blocks).flat_map(ops).any(|op| {
        let info = semantics.info(op);
        is_site(op, semantics)
            || !info.is_function() && !info.is_symbol_table() && has_sites(op, semantics)
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
            assert_eq!(freeing_of(marks_of(allocator)), Ok(allocator));
        }
    }

    #[test]
    fn memory_without_a_mark_is_freed_as_a_memref() {
        assert_eq!(freeing_of(0), Ok(Allocator::Memref));
        assert_eq!(freeing_of(MOVED), Ok(Allocator::Memref));
    }

    #[test]
    fn memory_of_two_allocators_is_freed_by_neither() {
        let both = marks_of(Allocator::Memref) | marks_of(allocators::GPU);
        assert_eq!(freeing_of(both), Err(MixedAllocators));
        let other = marks_of(Allocator::FreedBy("npu.free"));
        assert_eq!(freeing_of(other), Err(MixedAllocators));
    }

    #[test]
    fn a_function_without_deallocs_is_not_read() {
        let text = "func.func @f(%a: memref<4xf32>) { memref.dealloc %a : memref<4xf32> return }";
        with_function(text, |function| {
            let reading = read_sites(function, &mut Semantics::default(), &Summaries::default());
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
            let reading = read_sites(function, &mut Semantics::default(), &Summaries::default());
            let reading = reading.expect("a dealloc");
            let entry = regions(function).flat_map(blocks).next().expect("a block");
            let argument = arguments(entry).next().expect("an argument");
            let operand = reading.sites[0].memrefs[0];
            assert!(operand.val != argument && reading.root(&operand) == argument);
        });
    }
}
