//! Which types can hold an address, and which are tokens. Asked once per type.

use crate::tokens::is_token;
use memplan_mlir::ir::{
    Identity, Key, Type, awaited, is_group, is_memref, is_plain_data, is_tensor,
};
use rustc_hash::FxHashMap;

/// What a value of a type can be, as far as memory is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeClass {
    /// Holds no address.
    Data,
    /// A memref, ranked or not.
    Memref,
    /// Can be waited for, and holds nothing: `!async.token`, `!gpu.async.token`,
    /// `!nvgpu.device.async.token`, and types that an embedder has registered.
    Token,
    /// Can be waited for, and holds a memref that is there then: `!async.value<memref<…>>`.
    FutureMemref,
    /// Can be waited for; what is added to it is waited for, too: `!async.group`.
    Group,
    /// Its name says that it is a token; how it is waited for is not known.
    UnknownToken,
    /// A tensor.
    Tensor,
    /// Anything else: a pointer, a descriptor, a type that is not known.
    Pointer,
}

impl TypeClass {
    /// Can it be waited for in ways that are known?
    pub const fn is_token(self) -> bool {
        matches!(self, Self::Token | Self::FutureMemref | Self::Group)
    }

    /// Can a value refer to memory? What is only waited for does not.
    pub const fn refers_to_memory(self) -> bool {
        !matches!(self, Self::Data | Self::Token | Self::Group)
    }

    /// Is it a memref, or one that is still to come?
    pub const fn holds_memref(self) -> bool {
        matches!(self, Self::Memref | Self::FutureMemref)
    }
}

/// Types of values in registers, by the start of their text: they hold no address, though MLIR knows nothing of them. A
/// storage specifier holds the sizes of a sparse tensor, but none of its memory.
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

/// The tokens of MLIR's own dialects, and values that come without memory in them.
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
    if is_group(r#type) {
        return TypeClass::Group;
    }
    if let Some(element) = awaited(r#type) {
        return match class_or_memref(element) {
            TypeClass::Data => TypeClass::Token,
            TypeClass::Memref | TypeClass::FutureMemref => TypeClass::FutureMemref,
            // It can be waited for, but what comes then is not followed.
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
