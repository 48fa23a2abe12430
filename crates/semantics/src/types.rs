//! Classifies types: which ones can contain an address, and which ones are tokens. Each type is classified once.

use crate::tokens::is_token;
use memplan_mlir::ir::{
    Identity, Key, Type, async_value_type, is_async_group, is_memref, is_plain_data, is_tensor,
};
use rustc_hash::FxHashMap;

/// The relevance of a type for memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeClass {
    /// Contains no address.
    Data,
    /// A memref, ranked or unranked.
    Memref,
    /// Can be waited for, and contains no address: `!async.token`, `!gpu.async.token`, `!nvgpu.device.async.token`,
    /// and types that an embedder has registered.
    Token,
    /// Can be waited for, and then contains a memref: `!async.value<memref<…>>`.
    FutureMemref,
    /// Can be waited for, which waits for everything added to it: `!async.group`.
    Group,
    /// Is a token according to its name, but it is unknown how to wait for it.
    UnknownToken,
    /// A tensor.
    Tensor,
    /// Any other type: a pointer, a descriptor, an unknown type.
    Pointer,
}

impl TypeClass {
    /// Is it known how to wait for it?
    pub const fn is_token(self) -> bool {
        matches!(self, Self::Token | Self::FutureMemref | Self::Group)
    }

    /// Can a value of this class refer to memory? A token or group does not.
    pub const fn refers_to_memory(self) -> bool {
        !matches!(self, Self::Data | Self::Token | Self::Group)
    }

    /// Is it a memref or a future memref?
    pub const fn holds_memref(self) -> bool {
        matches!(self, Self::Memref | Self::FutureMemref)
    }
}

/// Types of values in registers, by the start of their text. They contain no address, although MLIR does not know
/// that. A storage specifier contains the sizes of a sparse tensor, but no reference to its memory.
const REGISTERS: [&str; 10] = [
    "!amx.tile<",
    "!emitc.ptrdiff_t",
    "!emitc.size_t",
    "!emitc.ssize_t",
    "!gpu.mma_matrix<",
    "!nvgpu.warpgroup.accumulator<",
    "!quant.",
    "!shape.shape",
    "!shape.size",
    "!sparse_tensor.storage_specifier<",
];

/// The token types of MLIR's own dialects. They contain no address.
const TOKENS: [&str; 4] = [
    "!async.token",
    "!gpu.async.token",
    "!mpi.request",
    "!nvgpu.device.async.token",
];

/// The classes of the types of one context.
#[derive(Default)]
pub struct TypeClasses {
    known: FxHashMap<Key, TypeClass>,
}

impl TypeClasses {
    /// The class of a type.
    pub fn of(&mut self, r#type: Type<'_>) -> TypeClass {
        if is_memref(r#type) {
            return TypeClass::Memref;
        }
        *self
            .known
            .entry(r#type.key())
            .or_insert_with(|| class(r#type))
    }
}

fn class(r#type: Type<'_>) -> TypeClass {
    if is_plain_data(r#type) {
        return TypeClass::Data;
    }
    if is_token(r#type) {
        return TypeClass::Token;
    }
    if is_async_group(r#type) {
        return TypeClass::Group;
    }
    if let Some(element) = async_value_type(r#type) {
        return match class_or_memref(element) {
            TypeClass::Data => TypeClass::Token,
            TypeClass::Memref | TypeClass::FutureMemref => TypeClass::FutureMemref,
            // It can be waited for, but its contents are not tracked.
            _ => TypeClass::Pointer,
        };
    }
    if is_tensor(r#type) {
        return TypeClass::Tensor;
    }
    let text = r#type.to_string();
    if TOKENS.contains(&text.as_str()) {
        TypeClass::Token
    } else if text == "none" || REGISTERS.iter().any(|start| text.starts_with(start)) {
        TypeClass::Data
    } else if text.contains("token") {
        TypeClass::UnknownToken
    } else {
        TypeClass::Pointer
    }
}

fn class_or_memref(r#type: Type<'_>) -> TypeClass {
    if is_memref(r#type) {
        TypeClass::Memref
    } else {
        class(r#type)
    }
}
