//! The statements that the dialect tables are built from. One row is a list of statements about an operation.

pub use crate::subject::Operands;
use crate::{
    allocators::Allocator,
    arithmetic::Computation,
    op_memory::{DataStart, OperandNumber, RegionOrder, Uses},
    subject::Subject,
};
use memplan_mlir::ir::{Op, Type};

/// The condition under which an operation is speculatable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speculation {
    /// As upstream's interface reports.
    Interface,
    /// As upstream's interface reports, for operations that compute scalars and vectors from scalars and vectors.
    Values,
    /// If the divisor is known not to be zero and, for signed division, not to be -1. Dividing the smallest number by
    /// -1 overflows.
    Divisor {
        /// The divisor.
        operand: u32,
        /// The division is signed.
        signed: bool,
    },
    /// If its affine map divides only by positive constants.
    Map,
    /// If its basis is static and positive.
    StaticBasis,
    /// If the exponent is a constant that is not negative. Zero to the power of a negative number is undefined.
    Exponent(u32),
}

/// The source of the bounds and steps of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// `LoopLikeOpInterface` provides them. If the attribute of this name is present, comparisons are unsigned.
    Interface {
        /// The attribute.
        unsigned: Option<&'static str>,
    },
    /// They are results of affine maps.
    Maps(Maps),
}

/// The attributes of a loop whose bounds are results of affine maps. The lower bound is the maximum of the results of
/// its map, and the upper bound is the minimum. The operands of both maps are the first operands of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maps {
    /// The map of lower bounds.
    pub lower: &'static str,
    /// The map of upper bounds.
    pub upper: &'static str,
    /// The step; an array of steps if there are groups.
    pub steps: &'static str,
    /// The number of lower and upper bounds of each dimension. `None`: there is one dimension, which has all of them.
    pub groups: Option<[&'static str; 2]>,
}

/// How an operation selects one of its regions or successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// The first one if operand 0 is true; otherwise the second one, if it exists.
    Truth,
    /// By the position of operand 0 in the list in this attribute. The first region or successor is for numbers that
    /// are not in the list.
    Cases(&'static str),
    /// The first one if the operands are in an integer set; otherwise the second one, if it exists.
    Set,
}

/// Which regions of an operation are outlined into functions when it is lowered. Stack memory allocated in such a
/// region is released when the function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlined {
    /// All regions.
    Always,
    /// Regions of several blocks, always. For other regions, the function may contain a loop around the body.
    SeveralBlocks,
}

/// When an operation may trap or have undefined behavior although its operands are defined. An earlier operation may
/// have excluded that. Operations in its regions are not considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traps {
    /// Never.
    Never,
    /// If its memrefs have dynamic sizes. The verifier has checked that static sizes match.
    UnlessStatic,
    /// If it has operands, which are dynamic sizes.
    UnlessConstant,
    /// Possibly always: a guarantee that it states may not hold.
    Perhaps,
}

/// Whether an operation returns, apart from the operations in its regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// It does.
    Always,
    /// It does if this operand, the step, is positive.
    IfPositive(OperandNumber),
    /// The program may end at the operation.
    Perhaps,
}

/// The operation writes one value to all elements of a memref, and has no other effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The value.
    pub value: OperandNumber,
    /// The memref.
    pub memref: OperandNumber,
}

/// When a store writes every element of a memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// If the memref has one element, which has these indices.
    OneElement(ElementIndices),
    /// If operand 0 is a vector with the same number of elements, and all indices are zero.
    Vector,
    /// As [`Covers::Vector`], and the vector has the dimensions of the memref.
    Transfer,
    /// Never by itself: it writes so many elements of the last dimension, from these indices on.
    Row {
        /// The first index.
        first: OperandNumber,
        /// The attribute with the number of elements.
        count: &'static str,
    },
}

/// The indices of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementIndices {
    /// The operands from this one on are the indices.
    Operands(OperandNumber),
    /// The indices are results of the affine map of this name.
    Map(&'static str),
}

/// The elements of its source that a view contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All elements.
    All(Arrangement),
    /// The elements described by `OffsetSizeAndStrideOpInterface`.
    Slice,
}

/// How the dimensions of a view are those of its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// They are the same.
    Same,
    /// They are permuted by the affine map in this attribute.
    Permuted(&'static str),
    /// Each is divided into those of a group of the view; the groups are in this attribute.
    Divided(&'static str),
    /// Each group of them is merged into one of the view; the groups are in this attribute.
    Merged(&'static str),
}

/// The bytes of its source that a view contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The operand that is the distance in bytes from the start of the source.
    pub shift: OperandNumber,
    /// The operands from this one on are the dynamic sizes of the view.
    pub sizes: OperandNumber,
}

/// Which operands may have other strides without changing what the operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strides {
    /// All memrefs.
    Any,
    /// The operand of this number.
    AnyOf(OperandNumber),
    /// All memrefs whose elements of the last dimension are contiguous.
    UnitInnermost,
    /// The inputs and outputs of `LinalgOp`.
    Structured,
}

/// The result type of a view for another type of the viewed memref.
pub type Retype = for<'c> fn(Op<'c>, Type<'c>) -> Option<Type<'c>>;

/// Attributes of an operation that declares a global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GlobalAttributes {
    /// Present if nothing writes the global.
    pub constant: &'static str,
    /// The contents.
    pub contents: &'static str,
}

/// One statement about an operation. It replaces the information of MLIR's interfaces about the operands or results
/// that it refers to.
#[derive(Clone, Copy, Debug)]
pub enum Statement {
    /// Uses only the sizes, the strides and the address, not the bytes.
    Descriptor(Operands),
    /// Reads bytes.
    Reads(Operands),
    /// Writes bytes, perhaps with their old values.
    Writes(Operands),
    /// Captures the address: unknown code may keep it for any time.
    Captures(Operands),
    /// May store the address of the first in the memory of the second.
    StoresInto(Operands, Operands),
    /// Frees the memory to the allocator.
    Frees(Operands, Allocator),
    /// The memref results are new memory from the allocator.
    Allocates(Allocator),
    /// The memref results are new memory with the contents of the operand, or alias the operand.
    Clones(Operands),
    /// Frees the operand. The memref result is new memory with the same contents, or aliases the operand.
    Reallocates(Operands),
    /// All memref results are views of the operand. The other memref operands are read.
    Views(Operands, DataStart),
    /// Each memref result is a view of the operand of the same number. Different operands do not alias.
    PassesThrough,
    /// Each memref result aliases one of the operands.
    AnyOf(Operands),
    /// Reads the operand. The memref results are elements of it.
    Loads(Operands),
    /// It reads one element of operand 0, and does nothing else with memory.
    LoadsElement(ElementIndices),
    /// The memref results are borrowed memory.
    Borrows,
    /// Its result is the memory of the global that this attribute names.
    NamesGlobal(&'static str),
    /// Its result is the least result of the affine map in this attribute.
    Least(&'static str),
    /// Its result is the number of the iteration of the loop, of the operation around it, that this attribute names.
    LoopIndex(&'static str),
    /// It declares a global.
    IsGlobal(GlobalAttributes),
    /// Each result that is a number or can contain an address may be the address of these operands.
    Address(Operands),
    /// Asynchronous if a result is a token. The operation starts when its token operands have completed, and runs
    /// until its token result completes.
    StartsIfToken(Uses),
    /// Asynchronous: runs until its token results complete.
    Starts {
        /// The operands that it uses while it runs.
        uses: Uses,
        /// It also belongs to the transfers that the thread can wait for as a group.
        grouped: bool,
    },
    /// Asynchronous; it is unknown how to wait for it.
    NeverEnds,
    /// Waits for its token operands.
    Waits,
    /// Its token results complete when its token operands do, without a wait. If it has no results, it waits.
    WaitsOrJoins,
    /// Orders other operations, threads or devices: no operation may be moved across it.
    Fence,
    /// Waits for all threads of the workgroup, and makes their earlier accesses to workgroup memory visible to all, if the
    /// function says so of the operation.
    WorkgroupBarrier(fn(Op<'_>) -> bool),
    /// Its results are the same in all threads of a workgroup.
    SameInWorkgroup,
    /// Its result is a coordinate of the thread in its workgroup, in the dimension in this attribute.
    ThreadId(&'static str),
    /// Its result is the number of threads of a workgroup, in the dimension in this attribute.
    WorkgroupSize(&'static str),
    /// When it is speculatable.
    Speculates(Speculation),
    /// When it may trap.
    Traps(Traps),
    /// Whether it returns.
    Returns(Returns),
    /// It terminates a block that control never leaves.
    NeverLeft,
    /// Its element accesses are those of `LinalgOp`.
    Structured,
    /// Writes every element of the operand, and reads none of them through the operand.
    Overwrites(OperandNumber, Covers),
    /// Copies all elements of the first to the second, which has the same shape, and has no other effects, provided
    /// that the element types are equal. The dimensions are in the same order, or permuted by the attribute.
    Copies(OperandNumber, OperandNumber, Option<&'static str>),
    /// Fills a memref.
    Fills(Fill),
    /// The elements of operand 0 that its result contains.
    Part(Part),
    /// Its result is a contiguous view of bytes of operand 0.
    Bytes(Bytes),
    /// Its result has the sizes of operand 0.
    SameSizes,
    /// The expression that computes its result.
    Computes(Computation),
    /// The strides that it supports.
    Strides(Strides),
    /// The type of its result if operand 0 has other strides.
    Retypes(Retype),
    /// The compiler may assume that its memrefs are aligned to whole vectors, or as their allocations state.
    ReliesOnAlignment,
    /// The order in which its regions run.
    Runs(RegionOrder),
    /// Its regions are outlined into functions.
    Outlines(Outlined),
    /// A loop with these bounds. Its body runs once for each value of its induction variables.
    Counts(Bounds),
    /// A loop that runs until its own condition is false.
    Repeats,
    /// Selects one of its regions to run, or one of its successors.
    Chooses(Chooser),
    /// Its only region runs once.
    RunsOnce,
    /// An unconditional branch to its only successor.
    Jumps,
    /// Branches to a successor by address, so no block can be inserted on the edge.
    JumpsByAddress,
    /// Must be the first operation of each block that unwinding reaches.
    StartsLandingPad,
    /// Operands, results and arguments can be added at the end of their lists, and the matching of the lists remains
    /// valid. For a function, they are added to all its calls and returns, too.
    Extends,
    /// A loop with reductions: its last operands are the initial values, and it has one result for each. The
    /// terminator of its body has one operand and one region per reduction. Each region receives the value of the
    /// earlier iterations and the operand, and yields the new value.
    Reduces,
    /// Frees operands if flags are true; see [`Frees::flag`](crate::Frees) and
    /// [`OpMemory::retained`](crate::OpMemory).
    FreesByFlags,
    /// Its model of `BufferDeallocationOpInterface` is upstream's, and agrees with what memplan knows about it.
    UpstreamModel,
    /// It launches the function that its symbol refers to.
    Launches,
    /// It visits all elements of its memrefs, so its run time depends on their sizes.
    Walks,
    /// Its memrefs may be in any memory space, provided that views of them are in the same space.
    AnySpace,
    /// Its attribute `alignment`, if present, states the alignment of its memrefs.
    AlignedByAttribute,
    /// A function for what a list of statements cannot express.
    Special(fn(&mut Subject<'_, '_>)),
}

impl Statement {
    /// Signed division by operand 1.
    pub const SIGNED_DIVISION: Self = Self::Speculates(Speculation::Divisor {
        operand: 1,
        signed: true,
    });
    /// Unsigned division by operand 1.
    pub const UNSIGNED_DIVISION: Self = Self::Speculates(Speculation::Divisor {
        operand: 1,
        signed: false,
    });

    /// Does the statement describe memory effects, so that it replaces effects that the operation does not declare?
    pub(crate) const fn describes_effects(&self) -> bool {
        !self.is_separate()
            && !matches!(
                self,
                Self::Runs(_) | Self::AnySpace | Self::AlignedByAttribute
            )
    }

    /// Is the statement queried on its own, instead of being part of [`OpMemory`](crate::OpMemory)?
    pub(crate) const fn is_separate(&self) -> bool {
        matches!(
            self,
            Self::Speculates(_)
                | Self::Traps(_)
                | Self::Returns(_)
                | Self::Structured
                | Self::Overwrites(..)
                | Self::Copies(..)
                | Self::Fills(_)
                | Self::Part(_)
                | Self::Bytes(_)
                | Self::SameSizes
                | Self::Computes(_)
                | Self::WorkgroupBarrier(_)
                | Self::SameInWorkgroup
                | Self::ThreadId(_)
                | Self::WorkgroupSize(_)
                | Self::Strides(_)
                | Self::Retypes(_)
                | Self::ReliesOnAlignment
                | Self::NamesGlobal(_)
                | Self::Least(_)
                | Self::LoopIndex(_)
                | Self::LoadsElement(_)
                | Self::IsGlobal(_)
                | Self::Outlines(_)
                | Self::Walks
                | Self::Counts(_)
                | Self::Repeats
                | Self::Chooses(_)
                | Self::RunsOnce
                | Self::Jumps
                | Self::JumpsByAddress
                | Self::StartsLandingPad
                | Self::Extends
                | Self::Reduces
                | Self::FreesByFlags
                | Self::UpstreamModel
                | Self::Launches
        )
    }

    /// Do these statements describe the operation completely, so that its interfaces need not be queried? They are
    /// about operations with a single effect.
    pub(crate) fn are_complete(all: &[Self]) -> bool {
        let is_complete = |one: &Self| {
            matches!(
                one,
                Self::Allocates(_)
                    | Self::AnyOf(_)
                    | Self::Borrows
                    | Self::Descriptor(_)
                    | Self::Frees(..)
                    | Self::Loads(_)
                    | Self::PassesThrough
                    | Self::Views(..)
            )
        };
        all.iter().any(is_complete)
            && all
                .iter()
                .all(|one| is_complete(one) || !one.describes_effects())
    }
}

/// The table entry for the operations of one name.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The statements about it, in addition to MLIR's interfaces. If the operation does not declare its effects, the
    /// statements are complete.
    pub statements: &'static [Statement],
}

/// A row.
pub const fn row(name: &'static str, statements: &'static [Statement]) -> Row {
    Row { name, statements }
}

/// The table of one dialect.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    /// Its namespace.
    pub name: &'static str,
    /// One row per name, sorted by name.
    pub rows: &'static [Row],
    /// Statements about all other operations of the dialect, in addition to their interfaces.
    pub others: &'static [Statement],
    /// Its operations may order threads and devices, so no operation may be moved across them.
    pub is_ordered: bool,
}
