//! What it takes to cut a module into modules of some of its functions each.

use crate::{
    ffi,
    ir::{Attribute, Op, op_from_raw},
    text::{borrow, copy},
};
use melior::{
    Context,
    ir::{AttributeLike, Module},
};
use mlir_sys::{MlirAttribute, MlirStringRef};
use std::ffi::c_void;

/// What an operation of a module is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function with a body.
    Function,
    /// A global with a value.
    Data,
    /// A function or a global that is defined elsewhere.
    Declared,
    /// Anything else.
    Other,
}

/// An operation of a module, and what it refers to.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it is.
    pub kind: Kind,
    /// Its name; empty where it has none.
    pub name: String,
    /// Only this module may refer to it.
    pub is_local: bool,
    /// Data that nobody writes to.
    pub is_constant: bool,
    /// It calls functions that it was given as values, or what it does is not known.
    pub calls_values: bool,
    /// Operations that it holds, and itself.
    pub ops: usize,
    /// Symbols that it calls.
    pub calls: Vec<String>,
    /// Symbols that it refers to otherwise.
    pub uses: Vec<String>,
}

/// Parses a module, text or bytecode. Diagnostics go to the context; locations name the source.
pub fn parse<'c>(context: &'c Context, text: &[u8], source: &str) -> Option<Module<'c>> {
    let text = MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    };
    // SAFETY: both texts outlive the call, which copies them; null is ruled out.
    unsafe {
        let module = ffi::memplanParse(context.to_raw(), text, borrow(source));
        Module::from_option_raw(module)
    }
}

/// A module as bytecode, with locations.
pub fn bytecode(module: &Module<'_>) -> Vec<u8> {
    unsafe extern "C" fn append(part: MlirStringRef, bytes: *mut c_void) {
        // SAFETY: MLIR lends valid bytes, and hands back the vector given below.
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

/// An empty module with the attributes of another.
pub fn module_like<'c>(module: &Module<'c>) -> Module<'c> {
    // SAFETY: a live module; the result is nobody's yet.
    unsafe { Module::from_raw(ffi::memplanModuleLike(module.to_raw())) }
}

/// The operations of a module.
pub fn operations<'c>(module: &Module<'c>) -> impl Iterator<Item = Op<'c>> {
    // SAFETY: the module's block lives as long as the module; callers hold it.
    let body = unsafe { crate::ir::Block::from_raw(module.body().to_raw()) };
    crate::ir::ops(body)
}

/// Reads an operation of a module.
pub fn symbol(op: Op<'_>) -> Symbol {
    unsafe extern "C" fn collect(name: MlirStringRef, is_call: bool, data: *mut c_void) {
        // SAFETY: the shim hands over a valid text, and the lists passed below.
        unsafe {
            let (calls, uses) = &mut *data.cast::<(Vec<String>, Vec<String>)>();
            match is_call {
                true => calls.push(copy(name)),
                false => uses.push(copy(name)),
            }
        }
    }
    let mut found: (Vec<String>, Vec<String>) = Default::default();
    // SAFETY: plain data, for which zeros will do.
    let mut read: ffi::MemplanSymbol = unsafe { std::mem::zeroed() };
    // SAFETY: a live operation; `collect` does not unwind, and what it gets back outlives the call.
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
            ffi::MEMPLAN_SYMBOL_FUNCTION => Kind::Function,
            ffi::MEMPLAN_SYMBOL_DATA => Kind::Data,
            ffi::MEMPLAN_SYMBOL_DECLARED => Kind::Declared,
            kind => {
                debug_assert_eq!(kind, ffi::MEMPLAN_SYMBOL_OTHER);
                Kind::Other
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

/// Lets other modules refer to what an operation defines.
pub fn share(op: Op<'_>) {
    // SAFETY: a live operation.
    unsafe { ffi::memplanShare(op.to_raw()) }
}

/// Puts a declaration of what an operation defines at the end of a module.
pub fn declare(op: Op<'_>, module: &Module<'_>) {
    // SAFETY: live handles; the declaration is nobody's until the block takes it.
    unsafe {
        let declaration = ffi::memplanDeclaration(op.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), declaration);
    }
}

/// Puts a copy of an operation at the end of a module.
pub fn copy_to(op: Op<'_>, module: &Module<'_>) {
    // SAFETY: live handles; the copy is nobody's until the block takes it.
    unsafe {
        let copied = mlir_sys::mlirOperationClone(op.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), copied);
    }
}

/// Moves an operation from its module to the end of another.
pub fn move_to(op: Op<'_>, module: &Module<'_>) {
    // SAFETY: live handles; the operation is nobody's until the block takes it.
    unsafe {
        mlir_sys::mlirOperationRemoveFromParent(op.to_raw());
        mlir_sys::mlirBlockAppendOwnedOperation(module.body().to_raw(), op.to_raw());
    }
}

/// What a private constant `memref.global` holds: the same attribute where that is the same.
pub fn constant_contents(op: Op<'_>) -> Option<Attribute<'_>> {
    // SAFETY: a live operation; null is ruled out.
    unsafe { Attribute::from_option_raw(ffi::memplanConstantContents(op.to_raw())) }
}

/// Renames symbols where an operation, or what it holds, refers to them. Names are attributes that hold a text.
pub fn rename_uses<'c>(
    op: Op<'c>,
    mut name_of: impl FnMut(Attribute<'c>) -> Option<Attribute<'c>>,
) {
    type Callback<'a, 'c> = &'a mut dyn FnMut(Attribute<'c>) -> Option<Attribute<'c>>;
    unsafe extern "C" fn rename(name: MlirAttribute, data: *mut c_void) -> MlirAttribute {
        // SAFETY: a live attribute, and the callback passed below.
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

/// Whether two operations are the same but for locations. They may be broken.
pub fn is_same(one: Op<'_>, other: Op<'_>) -> bool {
    // SAFETY: live operations.
    unsafe { ffi::memplanSame(one.to_raw(), other.to_raw()) }
}

/// Gives an operation another name.
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

/// The operation that a handle of melior's stands for.
pub fn op_of<'c>(module: &Module<'c>) -> Option<Op<'c>> {
    op_from_raw(module.as_operation().to_raw())
}
