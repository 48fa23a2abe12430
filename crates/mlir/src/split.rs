//! Splitting a module into modules with some of its functions each.

use crate::{
    ffi,
    ir::{Attribute, Op, op_from_raw},
    string_ref::{borrow, copy},
};
use melior::{
    Context,
    ir::{AttributeLike, Module},
};
use mlir_sys::{MlirAttribute, MlirStringRef};
use std::ffi::c_void;

/// The kind of a module's operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A function with a body.
    Function,
    /// A global with a value.
    Data,
    /// A declaration: a function or a global that is defined elsewhere.
    Declared,
    /// Anything else.
    Other,
}

/// An operation of a module, and the symbols that it refers to.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Symbol name; empty if it has none.
    pub name: String,
    /// Only this module may refer to the symbol.
    pub is_local: bool,
    /// Data that is never written.
    pub is_constant: bool,
    /// The operation has indirect calls, or operations with unknown effects.
    pub calls_values: bool,
    /// Number of operations, itself and nested ones.
    pub ops: usize,
    /// Symbols that it calls.
    pub calls: Vec<String>,
    /// Symbols that it refers to otherwise.
    pub uses: Vec<String>,
}

/// Parses a module, text or bytecode. Diagnostics are reported in the context; locations name `source`.
pub fn parse<'c>(context: &'c Context, text: &[u8], source: &str) -> Option<Module<'c>> {
    let text = MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    };
    // SAFETY: both texts outlive the call, which copies them; null is excluded.
    unsafe {
        let module = ffi::memplanParse(context.to_raw(), text, borrow(source));
        Module::from_option_raw(module)
    }
}

/// A module as bytecode, with locations.
pub fn bytecode(module: &Module<'_>) -> Vec<u8> {
    unsafe extern "C" fn append(part: MlirStringRef, bytes: *mut c_void) {
        // SAFETY: MLIR passes valid bytes, and the vector given below.
        unsafe {
            let part = std::slice::from_raw_parts(part.data.cast::<u8>(), part.length);
            (*bytes.cast::<Vec<u8>>()).extend_from_slice(part);
        }
    }
    let mut bytes: Vec<u8> = Vec::new();
    // SAFETY: a live module; the vector outlives the call.
    unsafe {
        mlir_sys::mlirOperationWriteBytecode(
            module.as_operation().to_raw(),
            Some(append),
            (&raw mut bytes).cast(),
        );
    }
    bytes
}

/// An empty module with the attributes of another one.
pub fn module_like<'c>(module: &Module<'c>) -> Module<'c> {
    // SAFETY: a live module; nothing else owns the result yet.
    unsafe { Module::from_raw(ffi::memplanModuleLike(module.to_raw())) }
}

/// The operations of a module.
pub fn operations<'c>(module: &Module<'c>) -> impl Iterator<Item = Op<'c>> {
    // SAFETY: the module's block lives as long as the module, which callers hold.
    let body = unsafe { crate::ir::Block::from_raw(module.body().to_raw()) };
    crate::ir::ops(body)
}

/// What an operation is in LLVM IR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LlvmForm {
    /// MLIR translates it.
    Translated,
    /// A cast between types of which one was not converted.
    Cast,
    /// It has none.
    None,
}

/// What an operation is in LLVM IR. The translations must have been registered in the context.
pub fn llvm_form(op: Op<'_>) -> LlvmForm {
    // SAFETY: a live operation.
    match unsafe { ffi::memplanLlvmForm(op.to_raw()) } {
        ffi::MEMPLAN_LLVM_TRANSLATED => LlvmForm::Translated,
        ffi::MEMPLAN_LLVM_CAST => LlvmForm::Cast,
        form => {
            debug_assert_eq!(form, ffi::MEMPLAN_LLVM_NONE);
            LlvmForm::None
        }
    }
}

/// Why a memref of an operation has no descriptor in LLVM, if one has none.
pub fn memref_problem(op: Op<'_>) -> Option<String> {
    unsafe extern "C" fn take(text: MlirStringRef, found: *mut c_void) {
        // SAFETY: the shim passes a valid text, and the `Option` given below.
        unsafe { *found.cast::<Option<String>>() = Some(copy(text)) }
    }
    let mut found: Option<String> = None;
    // SAFETY: a live operation; `found` outlives the call.
    unsafe { ffi::memplanMemrefProblem(op.to_raw(), Some(take), (&raw mut found).cast()) };
    found
}

/// The first operation in `root` with a vector of more than `limit` elements in its last dimension, and the number of
/// these.
pub fn large_vector(root: Op<'_>, limit: i64) -> Option<(Op<'_>, i64)> {
    let mut elements = 0;
    // SAFETY: a live operation, in which the result is; the number outlives the call.
    let found = unsafe { ffi::memplanLargeVector(root.to_raw(), limit, &raw mut elements) };
    op_from_raw(found).map(|op| (op, elements))
}

/// The symbol that an operation of a module defines, and its references.
pub fn symbol(op: Op<'_>) -> Symbol {
    unsafe extern "C" fn collect(name: MlirStringRef, is_call: bool, data: *mut c_void) {
        // SAFETY: the shim passes a valid text, and the lists given below.
        unsafe {
            let (calls, uses) = &mut *data.cast::<(Vec<String>, Vec<String>)>();
            match is_call {
                true => calls.push(copy(name)),
                false => uses.push(copy(name)),
            }
        }
    }
    let mut found: (Vec<String>, Vec<String>) = Default::default();
    // SAFETY: plain data, for which zeros are valid.
    let mut read: ffi::MemplanSymbol = unsafe { std::mem::zeroed() };
    // SAFETY: a live operation; `collect` does not unwind, and its argument outlives the call.
    unsafe {
        ffi::memplanSymbol(
            op.to_raw(),
            &raw mut read,
            Some(collect),
            (&raw mut found).cast(),
        );
    }
    Symbol {
        kind: match read.kind {
            ffi::MEMPLAN_SYMBOL_FUNCTION => SymbolKind::Function,
            ffi::MEMPLAN_SYMBOL_DATA => SymbolKind::Data,
            ffi::MEMPLAN_SYMBOL_DECLARED => SymbolKind::Declared,
            kind => {
                debug_assert_eq!(kind, ffi::MEMPLAN_SYMBOL_OTHER);
                SymbolKind::Other
            }
        },
        name: crate::ir::symbol_name(op),
        is_local: read.is_local,
        is_constant: read.is_constant,
        calls_values: read.calls_values,
        ops: usize::try_from(read.ops).unwrap_or_default(),
        calls: found.0,
        uses: found.1,
    }
}

/// Makes a definition visible to other modules.
pub fn make_external(op: Op<'_>) {
    // SAFETY: a live operation.
    unsafe { ffi::memplanMakeExternal(op.to_raw()) }
}

/// Appends a declaration of a definition to a module.
pub fn declare(op: Op<'_>, module: &Module<'_>) {
    // SAFETY: live handles; nothing owns the declaration until the block takes it over.
    unsafe {
        let declaration = ffi::memplanDeclaration(op.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), declaration);
    }
}

/// Appends a copy of an operation to a module.
pub fn copy_to(op: Op<'_>, module: &Module<'_>) {
    // SAFETY: live handles; nothing owns the copy until the block takes it over.
    unsafe {
        let copied = mlir_sys::mlirOperationClone(op.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), copied);
    }
}

/// Moves an operation from its module to the end of another.
pub fn move_to(op: Op<'_>, module: &Module<'_>) {
    // SAFETY: live handles; nothing owns the operation until the block takes it over.
    unsafe {
        mlir_sys::mlirOperationRemoveFromParent(op.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), op.to_raw());
    }
}

/// The contents of a private constant `memref.global`. Equal contents are the same attribute.
pub fn constant_contents(op: Op<'_>) -> Option<Attribute<'_>> {
    // SAFETY: a live operation; null is excluded.
    unsafe { Attribute::from_option_raw(ffi::memplanConstantContents(op.to_raw())) }
}

/// Renames symbols in all references of an operation and of nested ones. `name_of` maps string attributes; `None`
/// keeps a name.
pub fn rename_uses<'c>(
    op: Op<'c>,
    mut name_of: impl FnMut(Attribute<'c>) -> Option<Attribute<'c>>,
) {
    type Callback<'a, 'c> = &'a mut dyn FnMut(Attribute<'c>) -> Option<Attribute<'c>>;
    unsafe extern "C" fn rename(name: MlirAttribute, data: *mut c_void) -> MlirAttribute {
        // SAFETY: a live attribute, and the callback given below.
        let renamed = unsafe {
            let name_of = &mut *data.cast::<Callback<'_, '_>>();
            name_of(Attribute::from_raw(name))
        };
        renamed.map_or(
            MlirAttribute {
                ptr: std::ptr::null(),
            },
            |name| name.to_raw(),
        )
    }
    let mut callback: Callback<'_, 'c> = &mut name_of;
    // SAFETY: a live operation; the callback outlives the call.
    unsafe {
        ffi::memplanRenameUses(
            op.to_raw(),
            Some(rename),
            (&raw mut callback).cast::<c_void>(),
        );
    }
}

/// Are two operations equal except for their locations? They may be invalid.
pub fn is_equivalent(one: Op<'_>, other: Op<'_>) -> bool {
    // SAFETY: live operations.
    unsafe { ffi::memplanIsEquivalent(one.to_raw(), other.to_raw()) }
}

/// Renames the symbol of an operation.
pub fn rename<'c>(op: Op<'c>, name: Attribute<'c>) {
    // SAFETY: live handles; the name of the attribute is copied.
    unsafe {
        mlir_sys::mlirOperationSetInherentAttributeByName(
            op.to_raw(),
            borrow("sym_name"),
            name.to_raw(),
        );
    }
}

/// The operation of a module.
pub fn op_of<'c>(module: &Module<'c>) -> Option<Op<'c>> {
    op_from_raw(module.as_operation().to_raw())
}
