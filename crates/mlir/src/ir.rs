//! Handles to IR as small copyable values, and queries that melior lacks.
//!
//! memplan reads IR that the pass manager owns for the whole run, so one lifetime is enough for the context and the
//! operation that a pass runs on.

use crate::{
    ffi,
    string_ref::{borrow, copy},
};
use melior::{
    Context,
    ir::{
        AttributeLike, BlockLike, BlockRef, Identifier, Location, OperationRef, RegionLike,
        RegionRef, TypeLike, Value, ValueLike, operation::OperationLike,
    },
};
use mlir_sys::{
    MlirBlock, MlirContext, MlirOperation, MlirRegion, MlirValue, mlirBlockArgumentGetArgNumber,
    mlirBlockArgumentGetOwner, mlirBlockGetFirstOperation, mlirBlockGetNextInRegion,
    mlirOpResultGetOwner, mlirOpResultGetResultNumber, mlirOperationDestroy,
    mlirOperationGetNextInBlock, mlirRegionGetFirstBlock, mlirRegionGetNextInOperation,
    mlirTypeGetTypeID, mlirValueGetFirstUse, mlirValueIsABlockArgument,
};
use std::{
    hash::{Hash, Hasher},
    marker::PhantomData,
};

pub mod changes;

pub use melior::ir::{Attribute, Type};

/// An operation.
pub type Op<'c> = OperationRef<'c, 'c>;
/// A value.
pub type Val<'c> = Value<'c, 'c>;
/// A block.
pub type Block<'c> = BlockRef<'c, 'c>;
/// A region.
pub type Region<'c> = RegionRef<'c, 'c>;

/// The identity of an IR object, as a key of maps. Never order by it: addresses differ from run to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key(usize);

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The low bits of an address carry little information.
        state.write_usize(self.0 >> 3);
    }
}

/// Objects with an identity.
pub trait Identity {
    /// The identity.
    fn key(&self) -> Key;
}

macro_rules! identity {
    ($($type:ty),*) => {$(
        impl Identity for $type {
            fn key(&self) -> Key {
                Key(self.to_raw().ptr as usize)
            }
        }
    )*};
}
identity!(
    Op<'_>,
    Val<'_>,
    Block<'_>,
    Region<'_>,
    Type<'_>,
    Attribute<'_>
);

pub(crate) fn op_from_raw<'c>(raw: MlirOperation) -> Option<Op<'c>> {
    // SAFETY: a handle that MLIR returned; null is excluded.
    (!raw.ptr.is_null()).then(|| unsafe { OperationRef::from_raw(raw) })
}

pub(crate) fn value_from_raw<'c>(raw: MlirValue) -> Option<Val<'c>> {
    // SAFETY: as above.
    (!raw.ptr.is_null()).then(|| unsafe { Value::from_raw(raw) })
}

fn block_from_raw<'c>(raw: MlirBlock) -> Option<Block<'c>> {
    // SAFETY: as above.
    (!raw.ptr.is_null()).then(|| unsafe { BlockRef::from_raw(raw) })
}

pub(crate) fn region_from_raw<'c>(raw: MlirRegion) -> Option<Region<'c>> {
    // SAFETY: as above.
    (!raw.ptr.is_null()).then(|| unsafe { RegionRef::from_raw(raw) })
}

/// The operations of a block, in order. The next one is looked up before the current one is returned, so the current
/// one may be erased.
pub fn ops<'c>(block: Block<'c>) -> impl Iterator<Item = Op<'c>> {
    // SAFETY: walks the block's list.
    let mut next = unsafe { mlirBlockGetFirstOperation(block.to_raw()) };
    std::iter::from_fn(move || {
        let current = op_from_raw(next)?;
        // SAFETY: as above.
        next = unsafe { mlirOperationGetNextInBlock(next) };
        Some(current)
    })
}

/// The blocks of a region, in textual order.
pub fn blocks<'c>(region: Region<'c>) -> impl Iterator<Item = Block<'c>> {
    // SAFETY: walks the region's list.
    let mut next = unsafe { mlirRegionGetFirstBlock(region.to_raw()) };
    std::iter::from_fn(move || {
        let current = block_from_raw(next)?;
        // SAFETY: as above.
        next = unsafe { mlirBlockGetNextInRegion(next) };
        Some(current)
    })
}

/// The regions of an operation, in order.
pub fn regions<'c>(op: Op<'c>) -> impl Iterator<Item = Region<'c>> {
    // SAFETY: walks the operation's regions.
    let mut next = unsafe { mlir_sys::mlirOperationGetFirstRegion(op.to_raw()) };
    std::iter::from_fn(move || {
        let current = region_from_raw(next)?;
        // SAFETY: as above.
        next = unsafe { mlirRegionGetNextInOperation(next) };
        Some(current)
    })
}

/// The arguments of a block.
pub fn arguments<'c>(block: Block<'c>) -> impl Iterator<Item = Val<'c>> {
    (0..block.argument_count()).map(move |index| {
        // SAFETY: the index is below the count.
        unsafe {
            Value::from_raw(mlir_sys::mlirBlockGetArgument(
                block.to_raw(),
                index as isize,
            ))
        }
    })
}

/// An operand of an operation, by number.
pub fn operand<'c>(op: Op<'c>, number: u32) -> Option<Val<'c>> {
    let is_one = (number as usize) < op.operand_count();
    // SAFETY: the number is below the count.
    is_one.then(|| unsafe {
        Value::from_raw(mlir_sys::mlirOperationGetOperand(
            op.to_raw(),
            number as isize,
        ))
    })
}

/// The operands of an operation.
pub fn operands<'c>(op: Op<'c>) -> impl Iterator<Item = Val<'c>> {
    (0..op.operand_count()).map(move |index| {
        // SAFETY: the index is below the count.
        unsafe {
            Value::from_raw(mlir_sys::mlirOperationGetOperand(
                op.to_raw(),
                index as isize,
            ))
        }
    })
}

/// The results of an operation.
pub fn results<'c>(op: Op<'c>) -> impl Iterator<Item = Val<'c>> {
    (0..op.result_count()).map(move |index| {
        // SAFETY: the index is below the count.
        unsafe {
            Value::from_raw(mlir_sys::mlirOperationGetResult(
                op.to_raw(),
                index as isize,
            ))
        }
    })
}

/// Is `first` before `second` in the same block?
pub fn is_before(first: Op<'_>, second: Op<'_>) -> bool {
    // SAFETY: live operations.
    unsafe {
        mlir_sys::mlirOperationGetBlock(first.to_raw()).ptr
            == mlir_sys::mlirOperationGetBlock(second.to_raw()).ptr
            && mlir_sys::mlirOperationIsBeforeInBlock(first.to_raw(), second.to_raw())
    }
}

/// The successors of an operation.
pub fn successors<'c>(op: Op<'c>) -> impl Iterator<Item = Block<'c>> {
    (0..op.successor_count()).filter_map(move |index| {
        // SAFETY: the index is below the count.
        block_from_raw(unsafe { mlir_sys::mlirOperationGetSuccessor(op.to_raw(), index as isize) })
    })
}

/// The terminator of a block: its last operation, if that is a terminator, or is unregistered and so may be one.
pub fn terminator<'c>(block: Block<'c>) -> Option<Op<'c>> {
    // SAFETY: a live block.
    op_from_raw(unsafe { ffi::memplanBlockTerminator(block.to_raw()) })
}

/// The next operation in the block.
pub fn next_in_block<'c>(op: Op<'c>) -> Option<Op<'c>> {
    // SAFETY: a live operation.
    op_from_raw(unsafe { mlirOperationGetNextInBlock(op.to_raw()) })
}

/// The enclosing operation.
pub fn parent<'c>(op: Op<'c>) -> Option<Op<'c>> {
    // SAFETY: a live operation.
    op_from_raw(unsafe { mlir_sys::mlirOperationGetParentOperation(op.to_raw()) })
}

/// The block that contains an operation.
pub fn parent_block<'c>(op: Op<'c>) -> Option<Block<'c>> {
    // SAFETY: a live operation.
    block_from_raw(unsafe { mlir_sys::mlirOperationGetBlock(op.to_raw()) })
}

/// The operation of `block` that is or contains `op`.
pub fn ancestor_in<'c>(op: Op<'c>, block: Block<'c>) -> Option<Op<'c>> {
    let mut at = op;
    while parent_block(at)?.key() != block.key() {
        at = parent(at)?;
    }
    Some(at)
}

/// The operation that contains a block.
pub fn block_parent<'c>(block: Block<'c>) -> Option<Op<'c>> {
    // SAFETY: a live block.
    op_from_raw(unsafe { mlir_sys::mlirBlockGetParentOperation(block.to_raw()) })
}

/// The definition of a value.
pub enum Origin<'c> {
    /// Result of an operation, by number.
    Result(Op<'c>, usize),
    /// Argument of a block, by number.
    Argument(Block<'c>, usize),
}

/// The definition of a value.
pub fn origin<'c>(value: Val<'c>) -> Option<Origin<'c>> {
    let raw = value.to_raw();
    // SAFETY: a live value, whose kind is checked first.
    unsafe {
        if mlirValueIsABlockArgument(raw) {
            Some(Origin::Argument(
                block_from_raw(mlirBlockArgumentGetOwner(raw))?,
                mlirBlockArgumentGetArgNumber(raw) as usize,
            ))
        } else {
            Some(Origin::Result(
                op_from_raw(mlirOpResultGetOwner(raw))?,
                mlirOpResultGetResultNumber(raw) as usize,
            ))
        }
    }
}

/// A context, as a small copyable handle. (melior's own reference to a context borrows from a value on the stack, and
/// cannot outlive the function that took it.)
#[derive(Clone, Copy)]
pub struct ContextHandle<'c> {
    pub(crate) raw: MlirContext,
    lifetime: PhantomData<&'c Context>,
}

impl<'c> ContextHandle<'c> {
    pub(crate) const fn from_raw(raw: MlirContext) -> Self {
        Self {
            raw,
            lifetime: PhantomData,
        }
    }

    /// `index`.
    pub fn index_type(self) -> Type<'c> {
        // SAFETY: a live context; so for all that follow.
        unsafe { Type::from_raw(mlir_sys::mlirIndexTypeGet(self.raw)) }
    }

    /// A signless integer type.
    pub fn integer_type(self, bits: u32) -> Type<'c> {
        // SAFETY: as above.
        unsafe { Type::from_raw(mlir_sys::mlirIntegerTypeGet(self.raw, bits)) }
    }

    /// `unit`.
    pub fn unit(self) -> Attribute<'c> {
        // SAFETY: as above.
        unsafe { Attribute::from_raw(mlir_sys::mlirUnitAttrGet(self.raw)) }
    }

    /// A string attribute.
    pub fn text(self, text: &str) -> Attribute<'c> {
        let text = borrow(text);
        // SAFETY: as above; the text is copied.
        unsafe { Attribute::from_raw(mlir_sys::mlirStringAttrGet(self.raw, text)) }
    }

    /// `array<i64: …>`.
    pub fn integers(self, values: &[i64]) -> Attribute<'c> {
        // SAFETY: as above; the values are copied.
        unsafe {
            Attribute::from_raw(mlir_sys::mlirDenseI64ArrayGet(
                self.raw,
                values.len() as isize,
                values.as_ptr(),
            ))
        }
    }

    /// `array<i32: …>`.
    pub fn short_integers(self, values: &[i32]) -> Attribute<'c> {
        // SAFETY: as above; the values are copied.
        unsafe {
            Attribute::from_raw(mlir_sys::mlirDenseI32ArrayGet(
                self.raw,
                values.len() as isize,
                values.as_ptr(),
            ))
        }
    }

    /// `dense<0> : tensor<SIZExi8>` for `memref<SIZExi8>`; `None` for another type.
    pub fn zero_bytes(self, memref: Type<'c>) -> Option<Attribute<'c>> {
        let raw = memref.to_raw();
        // SAFETY: live types, whose kind is checked first.
        unsafe {
            let is_vector = mlir_sys::mlirTypeIsAMemRef(raw)
                && mlir_sys::mlirShapedTypeGetRank(raw) == 1
                && !mlir_sys::mlirShapedTypeIsDynamicDim(raw, 0);
            let size = is_vector.then(|| mlir_sys::mlirShapedTypeGetDimSize(raw, 0))?;
            let byte = self.integer_type(8);
            if mlir_sys::mlirShapedTypeGetElementType(raw).ptr != byte.to_raw().ptr {
                return None;
            }
            let none = mlir_sys::mlirAttributeGetNull();
            let r#type = mlir_sys::mlirRankedTensorTypeGet(1, &raw const size, byte.to_raw(), none);
            let zeros = mlir_sys::mlirDenseElementsAttrUInt8SplatGet(r#type, 0);
            Some(Attribute::from_raw(zeros))
        }
    }

    /// `@NAME`.
    pub fn symbol(self, name: &str) -> Attribute<'c> {
        let name = borrow(name);
        // SAFETY: as above; the name is copied.
        unsafe { Attribute::from_raw(mlir_sys::mlirFlatSymbolRefAttrGet(self.raw, name)) }
    }

    /// `(INPUTS) -> RESULTS`.
    pub fn function_type(self, inputs: &[Type<'c>], results: &[Type<'c>]) -> Type<'c> {
        let raw = |types: &[Type<'c>]| types.iter().map(TypeLike::to_raw).collect::<Vec<_>>();
        let (inputs, results) = (raw(inputs), raw(results));
        // SAFETY: as above; the arrays have the lengths given.
        unsafe {
            Type::from_raw(mlir_sys::mlirFunctionTypeGet(
                self.raw,
                inputs.len() as isize,
                inputs.as_ptr(),
                results.len() as isize,
                results.as_ptr(),
            ))
        }
    }

    /// `{NAME = VALUE, …}`.
    pub fn dictionary(self, entries: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
        // SAFETY: as above; the array has the length given.
        unsafe {
            let entries: Vec<_> = entries
                .iter()
                .map(|(name, value)| {
                    mlir_sys::mlirNamedAttributeGet(self.identifier(name).to_raw(), value.to_raw())
                })
                .collect();
            Attribute::from_raw(mlir_sys::mlirDictionaryAttrGet(
                self.raw,
                entries.len() as isize,
                entries.as_ptr(),
            ))
        }
    }

    /// `[VALUE, …]`.
    pub fn array(self, values: &[Attribute<'c>]) -> Attribute<'c> {
        let values: Vec<_> = values.iter().map(|value| value.to_raw()).collect();
        // SAFETY: as above; the array has the length given.
        unsafe {
            Attribute::from_raw(mlir_sys::mlirArrayAttrGet(
                self.raw,
                values.len() as isize,
                values.as_ptr(),
            ))
        }
    }

    /// Parses an attribute. `None`, and a diagnostic, if that fails.
    pub fn parse_attribute(self, text: &str) -> Option<Attribute<'c>> {
        let text = borrow(text);
        // SAFETY: as above; null is excluded.
        unsafe { Attribute::from_option_raw(mlir_sys::mlirAttributeParseGet(self.raw, text)) }
    }

    /// An identifier, such as the name of an attribute.
    pub fn identifier(self, name: &str) -> Identifier<'c> {
        let name = borrow(name);
        // SAFETY: as above; the name is copied.
        unsafe { Identifier::from_raw(mlir_sys::mlirIdentifierGet(self.raw, name)) }
    }

    /// The unknown location.
    pub fn unknown_location(self) -> Location<'c> {
        // SAFETY: as above.
        unsafe { Location::from_raw(mlir_sys::mlirLocationUnknownGet(self.raw)) }
    }
}

/// The context of an operation.
pub fn context_of<'c>(op: Op<'c>) -> ContextHandle<'c> {
    // SAFETY: a live operation.
    ContextHandle::from_raw(unsafe { mlir_sys::mlirOperationGetContext(op.to_raw()) })
}

/// Has the value no uses?
pub fn is_unused(value: Val<'_>) -> bool {
    // SAFETY: a live value.
    unsafe { mlirValueGetFirstUse(value.to_raw()).ptr.is_null() }
}

/// Is the type a memref, ranked or unranked? Compares type ids, which is faster than a cast.
pub fn is_memref(r#type: Type<'_>) -> bool {
    // SAFETY: type ids of live types.
    unsafe {
        let id = mlirTypeGetTypeID(r#type.to_raw()).ptr;
        id == mlir_sys::mlirMemRefTypeGetTypeID().ptr
            || id == mlir_sys::mlirUnrankedMemRefTypeGetTypeID().ptr
    }
}

/// The element type of an `!async.value`; `None` for other types.
pub fn async_value_type<'c>(r#type: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: a live type; null is excluded.
    unsafe { Type::from_option_raw(ffi::memplanAsyncValueElement(r#type.to_raw())) }
}

/// Is the type `!async.group`?
pub fn is_async_group(r#type: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { ffi::memplanIsAsyncGroup(r#type.to_raw()) }
}

/// Is the type a memref, or an `!async.value` of one?
pub fn holds_memref(r#type: Type<'_>) -> bool {
    is_memref(r#type)
        || (!is_plain_data(r#type) && async_value_type(r#type).is_some_and(holds_memref))
}

/// Can memrefs be stored in memory of this type?
pub fn stores_memrefs(r#type: Type<'_>) -> bool {
    element_of(r#type).is_some_and(holds_memref)
}

/// Nesting depth of memrefs in the memory that a value of this type refers to: 0 for memrefs of plain data and for
/// types that are no memrefs, 1 for memrefs of memrefs, and so on. An `!async.value` counts as its element type. An
/// `!async.group` may hold anything.
pub fn nested_memrefs(r#type: Type<'_>) -> usize {
    if is_plain_data(r#type) {
        return 0;
    }
    match element_of(r#type) {
        Some(element) if holds_memref(element) => nested_memrefs(element) + 1,
        Some(_) => 0,
        None if is_async_group(r#type) => usize::MAX,
        None => async_value_type(r#type).map_or(0, nested_memrefs),
    }
}

/// The element type of a memref, if that is a memref.
pub fn element_memref(r#type: Type<'_>) -> Option<Type<'_>> {
    element_of(r#type).filter(|element| is_memref(*element))
}

/// The element type of a memref.
pub fn element_of(memref: Type<'_>) -> Option<Type<'_>> {
    is_memref(memref).then(|| element_of_shaped(memref))
}

/// Is the type a tensor, ranked or unranked?
pub fn is_tensor(r#type: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { mlir_sys::mlirTypeIsATensor(r#type.to_raw()) }
}

/// The type of a value.
pub fn type_of<'c>(value: Val<'c>) -> Type<'c> {
    // SAFETY: a live value.
    unsafe { Type::from_raw(mlir_sys::mlirValueGetType(value.to_raw())) }
}

/// Is the type a scalar, or a vector, struct, array or tuple of scalars? Such types cannot hold a pointer.
pub fn is_plain_data(r#type: Type<'_>) -> bool {
    is_scalar(r#type)
        || (r#type.is_vector() && is_scalar(element_of_shaped(r#type)))
        || is_data_aggregate(r#type)
}

/// Is the type a struct or array of the LLVM dialect, or a tuple, of plain data only?
fn is_data_aggregate(r#type: Type<'_>) -> bool {
    // SAFETY: a live type.
    unsafe { ffi::memplanIsDataAggregate(r#type.to_raw()) }
}

fn is_scalar(r#type: Type<'_>) -> bool {
    r#type.is_integer() || r#type.is_index() || r#type.is_float() || r#type.is_complex()
}

/// The element type of a memref, a vector or a tensor.
fn element_of_shaped(shaped: Type<'_>) -> Type<'_> {
    // SAFETY: a live shaped type.
    unsafe { Type::from_raw(mlir_sys::mlirShapedTypeGetElementType(shaped.to_raw())) }
}

/// Has an operation a discardable attribute of this name that is not `false`? Does not allocate an error if it has
/// none.
pub fn has_mark(op: Op<'_>, name: &str) -> bool {
    // SAFETY: a live operation; the name outlives the call; null is excluded.
    unsafe {
        let mark = mlir_sys::mlirOperationGetDiscardableAttributeByName(op.to_raw(), borrow(name));
        !mark.ptr.is_null()
            && (!mlir_sys::mlirAttributeIsABool(mark) || mlir_sys::mlirBoolAttrGetValue(mark))
    }
}

/// Whether an operation has attributes that its dialect does not define.
pub fn has_discardable_attributes(op: Op<'_>) -> bool {
    // SAFETY: a live operation.
    unsafe { mlir_sys::mlirOperationGetNumDiscardableAttributes(op.to_raw()) > 0 }
}

/// The users of a value, once for each use.
pub fn users<'c>(value: Val<'c>) -> impl Iterator<Item = Op<'c>> {
    // SAFETY: walks the uses of a live value.
    let mut next = unsafe { mlirValueGetFirstUse(value.to_raw()) };
    std::iter::from_fn(move || {
        if next.ptr.is_null() {
            return None;
        }
        // SAFETY: as above; null is excluded.
        let owner = unsafe { mlir_sys::mlirOpOperandGetOwner(next) };
        // SAFETY: as above.
        next = unsafe { mlir_sys::mlirOpOperandGetNextUse(next) };
        op_from_raw(owner)
    })
}

/// The uses of a value: the operation, and the number of the operand.
pub fn uses<'c>(value: Val<'c>) -> impl Iterator<Item = (Op<'c>, usize)> {
    // SAFETY: walks the uses of a live value.
    let mut next = unsafe { mlirValueGetFirstUse(value.to_raw()) };
    std::iter::from_fn(move || {
        if next.ptr.is_null() {
            return None;
        }
        // SAFETY: as above; null is excluded.
        let (owner, number) = unsafe {
            (
                mlir_sys::mlirOpOperandGetOwner(next),
                mlir_sys::mlirOpOperandGetOperandNumber(next),
            )
        };
        // SAFETY: as above.
        next = unsafe { mlir_sys::mlirOpOperandGetNextUse(next) };
        op_from_raw(owner).map(|op| (op, number as usize))
    })
}

/// Changes the type of a value.
pub fn set_type<'c>(value: Val<'c>, r#type: Type<'c>) {
    changes::value(value);
    // SAFETY: live handles.
    unsafe { mlir_sys::mlirValueSetType(value.to_raw(), r#type.to_raw()) }
}

/// Replaces all uses of `from` by `to`.
pub fn replace_all_uses<'c>(from: Val<'c>, to: Val<'c>) {
    changes::uses_of(from);
    // SAFETY: live values.
    unsafe { ffi::memplanReplaceAllUses(from.to_raw(), to.to_raw()) }
}

/// Erases an operation. Its results must be unused; no handle to it may be used afterwards.
pub fn erase(op: Op<'_>) {
    debug_assert!(results(op).all(is_unused));
    changes::erased(op);
    // SAFETY: a live operation, which is removed from its block first.
    unsafe { mlirOperationDestroy(op.to_raw()) }
}

/// A location as a diagnostic prints it: `file:line:column`, or MLIR's own form.
pub fn location_text(location: Location<'_>) -> String {
    let text = location.to_string();
    let inner = text
        .strip_prefix("loc(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(&text);
    inner.replace('"', "")
}

/// The symbol name of an operation; empty if it has none.
pub fn symbol_name(op: Op<'_>) -> String {
    // SAFETY: the text lives as long as the attribute; it is copied at once.
    unsafe {
        let text = ffi::memplanSymbolName(op.to_raw());
        copy(text)
    }
}
