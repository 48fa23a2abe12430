//! Traits and interfaces of operations, which depend on the name alone. Names are interned.

use crate::{ffi, ir::Op, string_ref::copy};
use mlir_sys::{mlirIdentifierStr, mlirOperationGetName};

macro_rules! flags {
    ($($(#[$doc:meta])* $method:ident = $flag:ident;)*) => {
        impl NameFlags {
            $($(#[$doc])* pub const fn $method(self) -> bool {
                self.0 & ffi::$flag as u32 != 0
            })*
        }
    };
}

/// Traits and interfaces that all operations of one name have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameFlags(u32);

flags! {
    /// The dialect is loaded and knows the operation.
    is_registered = MEMPLAN_REGISTERED;
    /// Declares its memory effects.
    has_memory_effects = MEMPLAN_MEMORY_EFFECTS;
    /// The effects are those of the nested operations.
    has_recursive_effects = MEMPLAN_RECURSIVE_EFFECTS;
    /// RegionBranchOpInterface.
    is_region_branch = MEMPLAN_REGION_BRANCH;
    /// RegionBranchTerminatorOpInterface.
    is_region_terminator = MEMPLAN_REGION_TERMINATOR;
    /// BranchOpInterface.
    is_branch = MEMPLAN_BRANCH;
    /// LoopLikeOpInterface.
    is_loop = MEMPLAN_LOOP_LIKE;
    /// ViewLikeOpInterface.
    is_view = MEMPLAN_VIEW_LIKE;
    /// CallOpInterface.
    is_call = MEMPLAN_CALL;
    /// FunctionOpInterface.
    is_function = MEMPLAN_FUNCTION;
    /// AutomaticAllocationScope.
    is_allocation_scope = MEMPLAN_ALLOCATION_SCOPE;
    /// HasParallelRegion.
    has_parallel_region = MEMPLAN_PARALLEL_REGION;
    /// IsolatedFromAbove.
    is_isolated = MEMPLAN_ISOLATED;
    /// IsTerminator.
    is_terminator = MEMPLAN_TERMINATOR;
    /// ReturnLike.
    is_return = MEMPLAN_RETURN_LIKE;
    /// SymbolTable.
    is_symbol_table = MEMPLAN_SYMBOL_TABLE;
    /// BufferDeallocationOpInterface.
    has_deallocation_model = MEMPLAN_DEALLOCATION_MODEL;
    /// SymbolUserOpInterface.
    is_symbol_user = MEMPLAN_SYMBOL_USER;
}

/// The traits and interfaces of an operation.
pub fn flags(op: Op<'_>) -> NameFlags {
    // SAFETY: a live operation.
    NameFlags(unsafe { ffi::memplanOperationNameFlags(op.to_raw()) })
}

/// The name of an operation.
pub fn name_of(op: Op<'_>) -> String {
    // SAFETY: a live operation; the text is copied.
    unsafe { copy(mlirIdentifierStr(mlirOperationGetName(op.to_raw()))) }
}

/// The identity of an operation's name.
pub fn name_key(op: Op<'_>) -> usize {
    // SAFETY: a live operation.
    unsafe { mlirOperationGetName(op.to_raw()).ptr as usize }
}
