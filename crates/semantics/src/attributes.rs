//! memplan's own attributes, each once: passes write them, read them and, in `memplan-verify`, check them.

use crate::runtime_library;
use memplan_mlir::{
    build,
    codes::RENAMED_ATTRIBUTE,
    diagnostics::Diagnostic,
    ir::{Op, holds_memref, results, type_of},
    melior::ir::{attribute::ArrayAttribute, operation::OperationLike},
    symbols,
};
use smallvec::SmallVec;

/// An attribute of memplan's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// Where it stands and what it means, in Markdown.
    pub about: &'static str,
}

/// Declares names of attributes as constants, and all of them as `ALL`; the doc comments are the manual's text.
macro_rules! attributes {
    ($($(#[doc = $about:literal])* pub const $constant:ident: &str = $name:literal;)*) => {
        $($(#[doc = $about])* pub const $constant: &str = $name;)*

        /// All attributes that passes read or write.
        pub const ALL: &[Attribute] = &[$(Attribute {
            name: $name,
            about: concat!($($about),*),
        }),*];
    };
}

attributes! {
    // Plans.

    /// On an allocation: it is an arena. On a global: it is an arena with this alignment, in bytes.
    pub const ARENA: &str = "memplan.arena";
    /// On a slice of an arena: the number of its buffer. CSE then keeps the slices of different buffers apart.
    pub const BUFFER: &str = "memplan.buffer";
    /// On a slice with several slots: their offsets, in bytes.
    pub const SLOTS: &str = "memplan.slots";
    /// On a slice that a callee receives: the alignment that the callee needs, in bytes.
    pub const SLICE_ALIGNMENT: &str = "memplan.slice_alignment";
    /// On a slice: its address is taken, so it does not move.
    pub const PINNED: &str = "memplan.pinned";
    /// On an operation: the slices of these buffers end before it, and no address of them is used any more.
    pub const ENDED: &str = "memplan.ended";
    /// On the arena of a parallel body inside an arena of the scope around: the offset of the first iteration's arena, the
    /// distance between these arenas, and the number of iterations.
    pub const TURNS: &str = "memplan.turns";
    /// On a slice: a buffer moves there. On a copy, or on a loop that copies: it is that move, a step of the layout and not
    /// of the program.
    pub const MOVE: &str = "memplan.move";

    // What a user asks for.

    /// On an allocation: passes leave it alone.
    pub const KEEP: &str = "memplan.keep";
    /// On an allocation: its required offset in the arena, in bytes. After an analysis: its offset in the plan.
    pub const OFFSET: &str = "memplan.offset";
    /// On a function: where its arenas live. It overrides the option `arena`.
    pub const ARENA_IN: &str = "memplan.arena_in";
    /// On a function or a loop: temporaries share the region around them.
    pub const SINGLE_REGION: &str = "memplan.single_region";

    // What functions and calls say of themselves.

    /// On a result of a function: it is borrowed, so the caller does not free it.
    pub const BORROWED: &str = "memplan.borrowed";
    /// On a memref result of a function without a body: it is new memory that the caller frees, and it aliases no argument.
    pub const OWNED: &str = "memplan.owned";
    /// On a call: for each of its memref results, 1 where it is borrowed, else 0.
    pub const BORROWED_RESULTS: &str = "memplan.borrowed_results";
    /// On a function without a body: it never calls back into the module.
    pub const NO_CALLBACK: &str = "memplan.nocallback";
    /// On a function without a body: its execution is bounded.
    pub const BOUNDED: &str = "memplan.bounded";
    /// On functions that return ownership flags, and on calls of them: the ownership of results has been decided.
    pub const OWNED_RESULTS: &str = "memplan.owned_results";
    /// On functions that use regions: `memplan-regions` has processed them.
    pub const REGIONS: &str = "memplan.regions";
    /// On an argument: it is the region in which the function allocates its results.
    pub const DESTINATION: &str = "memplan.destination";
    /// On a helper function of deallocation.
    pub const DEALLOC_HELPER: &str = "memplan.dealloc_helper";

    // What `apply=false` leaves.

    /// On an allocation: the number of its scope.
    pub const SCOPE: &str = "memplan.scope";
    /// On an allocation: its live range.
    pub const LIVE: &str = "memplan.live";
    /// On an allocation of dynamic size: the number of its slot.
    pub const SLOT: &str = "memplan.slot";
    /// On an allocation: the id of the reason why a pass leaves it alone.
    pub const SKIP: &str = "memplan.skip";
    /// On an operation: the offsets of its allocations, in bytes.
    pub const OFFSETS: &str = "memplan.offsets";
    /// On an operation: the moves before it, each as old offset, new offset and size, in bytes.
    pub const MOVES: &str = "memplan.moves";
    /// On a function: the number of operations, and the bytes of the best stack without moves, before code after branches was
    /// duplicated.
    pub const BEFORE_TREE: &str = "memplan.before_tree";

    // Names of the version before.

    /// The old name of `memplan.borrowed` and of `memplan.slice_alignment`.
    pub const OLD_LENT: &str = "memplan.lent";
    /// The old name of `memplan.borrowed_results`.
    pub const OLD_LENT_RESULTS: &str = "memplan.lent_results";
}

/// The alignment in bytes that a callee needs of a slice that it receives; `None` where no callee receives it.
pub fn slice_alignment(slice: Op<'_>) -> Option<u64> {
    let bytes = [SLICE_ALIGNMENT, OLD_LENT]
        .into_iter()
        .find_map(|name| build::integer(slice, name))?;
    Some(bytes.max(1) as u64)
}

/// Does a callee receive this slice?
pub fn is_for_callee(slice: Op<'_>) -> bool {
    slice.has_attribute(SLICE_ALIGNMENT) || slice.has_attribute(OLD_LENT)
}

/// May a function say anything of its results?
pub fn may_describe_results(function: Op<'_>) -> bool {
    function.has_attribute("res_attrs") || runtime_library::returns_borrowed(function)
}

/// Does a function say that a result is borrowed, or is it a function of MLIR's runtime library of which that is known?
pub fn is_result_borrowed(function: Op<'_>, result: usize) -> bool {
    [BORROWED, OLD_LENT]
        .into_iter()
        .any(|name| symbols::has_result_mark(function, result, name))
        || runtime_library::returns_borrowed(function)
}

/// Does a function say that a result is new memory?
pub fn is_result_owned(function: Op<'_>, result: usize) -> bool {
    symbols::has_result_mark(function, result, OWNED)
}

/// A call has lost results, and it is not known which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale;

/// The memref results that a call says are borrowed. It says so of all that it gave when it was written; where some are gone,
/// that is still known if it says the same of each.
///
/// # Errors
/// It has another number of them, and does not say the same of each.
pub fn borrowed_by_call(call: Op<'_>) -> Result<SmallVec<[usize; 2]>, Stale> {
    let mut names = [BORROWED_RESULTS, OLD_LENT_RESULTS].into_iter();
    let Some(said) = names.find_map(|name| build::integers_of(call, name)) else {
        return Ok(SmallVec::new());
    };
    let memrefs = results(call).enumerate();
    let memrefs: SmallVec<[usize; 2]> = memrefs
        .filter(|(_, result)| holds_memref(type_of(*result)))
        .map(|(at, _)| at)
        .collect();
    if said.len() != memrefs.len() && said.iter().any(|one| *one != said[0]) {
        return Err(Stale);
    }
    let said = said.iter().chain(said.iter().cycle());
    let borrowed = memrefs.into_iter().zip(said).filter(|(_, one)| **one != 0);
    Ok(borrowed.map(|(at, _)| at).collect())
}

/// Says of a slice that has the name of the version before how it is called now.
pub fn remark_old_slice(slice: Op<'_>) {
    if slice.has_attribute(OLD_LENT) {
        remark(slice, OLD_LENT, SLICE_ALIGNMENT);
    }
}

/// Says the same of a call.
pub fn remark_old_call(call: Op<'_>) {
    if call.has_attribute(OLD_LENT_RESULTS) {
        remark(call, OLD_LENT_RESULTS, BORROWED_RESULTS);
    }
}

/// Says the same of a function.
pub fn remark_old_function(function: Op<'_>) {
    let each = function.attribute("res_attrs").ok();
    let Some(each) = each.and_then(|all| ArrayAttribute::try_from(all).ok()) else {
        return;
    };
    let mut all = 0..each.len();
    if all.any(|result| symbols::has_result_mark(function, result, OLD_LENT)) {
        remark(function, OLD_LENT, BORROWED);
    }
}

/// Does a call have the name of the version before?
pub fn is_old_call(call: Op<'_>) -> bool {
    results(call).next().is_some() && call.has_attribute(OLD_LENT_RESULTS)
}

fn remark(op: Op<'_>, old: &str, new: &str) {
    let text =
        format!("`{old}` is now called `{new}`: the next version does not read the old name");
    Diagnostic::new(RENAMED_ATTRIBUTE, op.location(), text).emit();
}
