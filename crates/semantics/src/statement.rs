//! The words in which the tables of dialects speak: one row is a list of statements about an operation.

pub use crate::subject::Operands;
use crate::{
    allocators::Allocator,
    arithmetic::Computation,
    op_memory::{DataStart, OperandNumber, RegionOrder, Uses},
    subject::Subject,
};
use memplan_mlir::ir::{Op, Type};

/// When an operation may run where it would not have run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speculation {
    /// As upstream's interface says.
    Interface,
    /// As upstream's interface says, if it computes scalars and vectors from such.
    Values,
    /// For divisors that are known to be neither zero nor, if they are signed, -1: the division of the least number
    /// by that overflows.
    Divisor {
        /// The divisor.
        operand: u32,
        /// It divides signed numbers.
        signed: bool,
    },
    /// Where its affine map divides by positive constants alone.
    Map,
    /// Where its basis is known, and positive.
    StaticBasis,
    /// For constant exponents that are not negative: zero to the power of a negative number is not defined.
    Exponent(u32),
}

/// Where the bounds and steps of a loop are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounds {
    /// `LoopLikeOpInterface` says them. An attribute of this name makes comparisons unsigned.
    Interface {
        /// The attribute.
        unsigned: Option<&'static str>,
    },
    /// They are results of affine maps.
    Maps(Maps),
}

/// Attributes of a loop whose bounds are results of affine maps: the largest of the lower ones, the smallest of the upper
/// ones. The operands of both come first among those of the loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maps {
    /// The map of lower bounds.
    pub lower: &'static str,
    /// The map of upper bounds.
    pub upper: &'static str,
    /// The step; an array of them where there are groups.
    pub steps: &'static str,
    /// How many lower and upper bounds each dimension has; `None`: there is one dimension, which has all.
    pub groups: Option<[&'static str; 2]>,
}

/// How an operation chooses one of its regions or successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// The first where operand 0 holds, otherwise the second, if there is one.
    Truth,
    /// By the place of operand 0 in the list that this attribute is; the first of all is for numbers that are not there.
    Cases(&'static str),
    /// The first where operands are in an integer set, otherwise the second, if there is one.
    Set,
}

/// Which regions of an operation become functions of their own when it is lowered, so that stack memory in them lives as long
/// as one run of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlined {
    /// All.
    Always,
    /// Those of several blocks for certain; of others, a loop may be left around the body in that function.
    SeveralBlocks,
}

/// When an operation may trap, or is not defined, though its operands are: what stands before it may have made sure that
/// it is not. What its regions' operations do is theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traps {
    /// Never.
    Never,
    /// Where sizes of its memrefs are only known at run time: others MLIR has found to fit.
    UnlessStatic,
    /// Where it has operands: sizes that are only known at run time.
    UnlessConstant,
    /// Perhaps always: what it promises may not hold.
    Perhaps,
}

/// Whether control comes back from an operation, as far as that is no matter of the blocks in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// It does.
    Always,
    /// It does if the step, which this operand is, is positive.
    IfPositive(OperandNumber),
    /// The program may end there.
    Perhaps,
}

/// An operation writes one value to all elements of a memref, and does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The value.
    pub value: OperandNumber,
    /// What is written.
    pub memref: OperandNumber,
}

/// When a store writes every element of a memref.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covers {
    /// If that has one; the place is given by this.
    OneElement(Place),
    /// If the vector that is operand 0 has as many, and indices are zero.
    Vector,
    /// The same, and the dimensions of the vector are those of the memref.
    Transfer,
}

/// The place of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The operands from this one are its indices.
    Indices(OperandNumber),
    /// The affine map of this name gives them.
    Map(&'static str),
}

/// Which elements of its source a view has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All, in their order.
    All,
    /// Those that `OffsetSizeAndStrideOpInterface` says.
    Slice,
}

/// Which bytes of its source a view has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// They start so many bytes after the source as this operand says.
    pub shift: OperandNumber,
    /// The operands from this one are the sizes that its type leaves open.
    pub sizes: OperandNumber,
}

/// Which operands may have other strides than they have, and then it does the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strides {
    /// All memrefs.
    Any,
    /// The operand of this number.
    AnyOf(OperandNumber),
    /// All memrefs, as long as elements of the last dimension are next to each other.
    UnitInnermost,
    /// Inputs and outputs of `LinalgOp`.
    Structured,
}

/// The type of a view of a memref of another type than it has.
pub type Retype = for<'c> fn(Op<'c>, Type<'c>) -> Option<Type<'c>>;

/// One statement about an operation. What it names replaces what MLIR's interfaces say of that.
#[derive(Clone, Copy, Debug)]
pub enum Statement {
    /// Uses sizes, strides and the address, and no byte.
    Descriptor(Operands),
    /// Reads bytes.
    Reads(Operands),
    /// Writes bytes; they may stay as they are.
    Writes(Operands),
    /// Code that is not seen may know the address, for ever.
    Captures(Operands),
    /// The address of the first may be stored in the memory of the second.
    StoresInto(Operands, Operands),
    /// The memory goes back to the allocator.
    Frees(Operands, Allocator),
    /// Its memref results are new memory of the allocator.
    Allocates(Allocator),
    /// Its memref results are new memory with the contents of the operand, or the operand's own.
    Clones(Operands),
    /// Frees the operand; its memref result is new memory with the same contents, or the operand's own.
    Reallocates(Operands),
    /// All memref results are views of the operand; its other memref operands are read.
    Views(Operands, DataStart),
    /// Each memref result is a view of the operand of the same number, and these are separate storage.
    PassesThrough,
    /// Each memref result is one of the operands.
    AnyOf(Operands),
    /// Reads the operand; memref results are its elements.
    Loads(Operands),
    /// Memref results are memory of somebody else.
    Borrows,
    /// Each result that can hold an address, or is a number, is the address of these operands, or may be.
    Address(Operands),
    /// If a result is a token, it goes on after control has passed it, until that token is done; it starts
    /// when its token operands are done.
    StartsIfToken(Uses),
    /// It goes on after control has passed it, until its token results are done.
    Starts {
        /// What it uses then.
        uses: Uses,
        /// It also counts as one of the thread's transfers until these are drained.
        grouped: bool,
    },
    /// It goes on after control has passed it; how it is waited for is not known.
    NeverEnds,
    /// Control waits for its token operands.
    Waits,
    /// Its token results are done when its token operands are, without a wait. Without a result, it waits.
    WaitsOrJoins,
    /// Nothing changes places with it: it orders what other operations, threads or devices do.
    Fence,
    /// When it may run where it would not have run.
    Speculates(Speculation),
    /// When it may trap.
    Traps(Traps),
    /// Whether control comes back from it.
    Returns(Returns),
    /// It ends a block that control never leaves.
    NeverLeft,
    /// It does to elements what `LinalgOp` says.
    Structured,
    /// It writes every element of the operand, and reads none through it.
    Overwrites(OperandNumber, Covers),
    /// It copies all elements of the first to the second of the same shape, and does nothing else, if both have the
    /// same element type: in their order, or with the dimensions in the order that the attribute says.
    Copies(OperandNumber, OperandNumber, Option<&'static str>),
    /// It fills a memref.
    Fills(Fill),
    /// Which elements of operand 0 its result has.
    Part(Part),
    /// Its result is a view of bytes of operand 0, one after another.
    Bytes(Bytes),
    /// What its result is computed by.
    Computes(Computation),
    /// Which strides it takes.
    Strides(Strides),
    /// What its result is if operand 0 has other strides.
    Retypes(Retype),
    /// It may be compiled as if memrefs were aligned to whole vectors, or as their allocations say.
    ReliesOnAlignment,
    /// When its regions run.
    Runs(RegionOrder),
    /// Its regions become functions of their own.
    Outlines(Outlined),
    /// It is a loop of these bounds: its body runs once for each value of its induction variables.
    Counts(Bounds),
    /// It is a loop that runs until a condition of its own does not hold.
    Repeats,
    /// One of its regions runs, or control goes to one of its successors.
    Chooses(Chooser),
    /// Its only region runs once.
    RunsOnce,
    /// It only passes control on to its only successor.
    Jumps,
    /// It goes to one of its successors by the address of that, so that no block can be put in between.
    JumpsByAddress,
    /// It has to be the first operation of each block that unwinding goes to.
    StartsLandingPad,
    /// More operands, arguments and results can be added at the end of each, and those that belong together still do. Of a
    /// function, in all its calls and returns, too.
    Extends,
    /// It is a loop with a result for each of its last operands: what all iterations have come to. The terminator of its body
    /// has as many operands, and as many regions: each gets what iterations before came to and the operand, and gives what
    /// they come to now.
    Reduces,
    /// It frees operands where flags hold: see [`Frees::flag`](crate::Frees) and [`OpMemory::retained`](crate::OpMemory).
    FreesByFlags,
    /// Its model of `BufferDeallocationOpInterface` is upstream's, and says what is known of it besides.
    UpstreamModel,
    /// The symbol that it names is a function that it starts.
    Launches,
    /// It goes over all elements of its memrefs: how long it takes depends on their sizes.
    Walks,
    /// It does the same where its memrefs are in another memory space, as long as views of them are there, too.
    AnySpace,
    /// Its attribute `alignment`, if it has one, promises that of its memrefs.
    AlignedAsSaid,
    /// What a list of statements cannot say.
    Special(fn(&mut Subject<'_, '_>)),
}

impl Statement {
    /// Divides signed numbers by operand 1.
    pub const SIGNED_DIVISION: Self = Self::Speculates(Speculation::Divisor {
        operand: 1,
        signed: true,
    });
    /// Divides unsigned numbers by operand 1.
    pub const UNSIGNED_DIVISION: Self = Self::Speculates(Speculation::Divisor {
        operand: 1,
        signed: false,
    });

    /// Does it say what happens to memory, and so stand in for effects that an operation does not declare?
    pub(crate) const fn says_effects(&self) -> bool {
        !self.is_aside() && !matches!(self, Self::Runs(_) | Self::AnySpace | Self::AlignedAsSaid)
    }

    /// Is it no part of [`OpMemory`](crate::OpMemory), but asked for by itself?
    pub(crate) const fn is_aside(&self) -> bool {
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
                | Self::Computes(_)
                | Self::Strides(_)
                | Self::Retypes(_)
                | Self::ReliesOnAlignment
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

    /// Do these leave nothing to ask interfaces for? Operations that they are about do one thing.
    pub(crate) fn say_all(all: &[Self]) -> bool {
        let says_all = |one: &Self| {
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
        all.iter().any(says_all) && all.iter().all(|one| says_all(one) || !one.says_effects())
    }
}

/// What the table says of the operations of one name.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// What it says, beside MLIR's interfaces; all, where an operation declares no effects.
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
    /// One row a name, in the order of names.
    pub rows: &'static [Row],
    /// What holds of all its other operations, in addition to what their interfaces say.
    pub others: &'static [Statement],
    /// Its operations may order what threads and devices do: nothing changes places with them.
    pub is_ordered: bool,
}
