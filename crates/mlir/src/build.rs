//! Construction of the operations that memplan writes.

mod arenas;
mod branches;
mod calls;
mod control;
mod copies;
mod ownership;
mod saturating;
pub mod stack_tables;
mod transfer;
mod views;

pub use arenas::move_into_scope;
pub use copies::{CopiedMemRef, Problem as CopyProblem, copy_problem, has_strict_casts};
pub use stack_tables::common_start_type;
pub use transfer::Transfer;
pub use views::{Index, dropped_dimensions};

use crate::{
    copy::{copy_before, copy_to_end},
    ir::{Block, ContextHandle, Op, Val, changes, context_of, parent_block, type_of},
};
use melior::{
    StringRef,
    ir::{
        Attribute, AttributeLike, BlockLike, Location, Region, Type,
        attribute::{
            ArrayAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, IntegerAttribute,
        },
        operation::{OperationBuilder, OperationLike},
        r#type::MemRefType,
    },
};
use mlir_sys::{
    mlirOperationRemoveDiscardableAttributeByName, mlirOperationSetDiscardableAttributeByName,
};

/// The attribute of an allocation or deallocation that deallocation passes must leave alone.
pub const MANUAL_DEALLOCATION: &str = "bufferization.manual_deallocation";

/// The operation that must be the first one of an unwind destination.
const LANDING_PAD: &str = "llvm.landingpad";

/// MLIR refused to create an operation. This does not happen if the dialects are loaded.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// An operation, with melior's error.
    #[error("cannot build `{0}`: {1}")]
    Operation(&'static str, melior::Error),
    /// An operation, a type or a value that is written, or that the new code needs, is not what it has to be.
    #[error(
        "cannot write the new code: an operation or a type is not of the form that was expected"
    )]
    Unexpected,
}

impl BuildError {
    /// [`BuildError::Unexpected`].
    pub const fn unexpected() -> Self {
        Self::Unexpected
    }
}

/// Predicates of `arith.cmpi`; the values are MLIR's.
#[derive(Clone, Copy, Debug)]
pub enum Compare {
    /// Equal.
    Equal = 0,
    /// Not equal.
    NotEqual = 1,
    /// Signed less than.
    Less = 2,
    /// Signed less than or equal.
    LessOrEqual = 3,
    /// Unsigned less than.
    UnsignedLess = 6,
}

/// An insertion point and a location: operations are inserted before an operation or at the end of a block.
#[derive(Clone, Copy)]
pub struct Builder<'c> {
    context: ContextHandle<'c>,
    block: Block<'c>,
    before: Option<Op<'c>>,
    location: Location<'c>,
}

impl<'c> Builder<'c> {
    /// The block of the insertion point.
    pub fn block(&self) -> Block<'c> {
        self.block
    }

    /// Inserts before `op`. `None` if it is not in a block.
    pub fn before(op: Op<'c>, location: Location<'c>) -> Option<Self> {
        Some(Self {
            context: context_of(op),
            block: parent_block(op)?,
            before: Some(op),
            location,
        })
    }

    /// Inserts after `op`. `None` if it is not in a block.
    pub fn after(op: Op<'c>, location: Location<'c>) -> Option<Self> {
        Some(Self {
            before: crate::ir::next_in_block(op),
            ..Self::before(op, location)?
        })
    }

    /// Inserts at the start of `block`, which belongs to `owner`: after a landing pad, before all other operations.
    pub fn at_start(block: Block<'c>, owner: Op<'c>, location: Location<'c>) -> Self {
        let is_first = |op: &Op<'c>| op.name().as_string_ref().as_str() == Ok(LANDING_PAD);
        Self {
            context: context_of(owner),
            block,
            before: crate::ir::ops(block).find(|op| !is_first(op)),
            location,
        }
    }

    /// Inserts at the end of `block`, which belongs to `owner`.
    pub fn at_end(block: Block<'c>, owner: Op<'c>, location: Location<'c>) -> Self {
        Self {
            before: None,
            ..Self::at_start(block, owner, location)
        }
    }

    /// Inserts there with another location.
    pub fn located(self, location: Location<'c>) -> Self {
        Self { location, ..self }
    }

    /// Inserts a copy of an operation with the builder's location. It uses the same operands.
    pub fn copied(&self, op: Op<'c>) -> Option<Op<'c>> {
        let copy = match self.before {
            Some(before) => copy_before(op, self.block, before),
            None => copy_to_end(op, self.block),
        }?;
        // SAFETY: live handles.
        unsafe { mlir_sys::mlirOperationSetLocation(copy.to_raw(), self.location.to_raw()) }
        Some(copy)
    }

    fn insert(
        &self,
        name: &'static str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Op<'c>, BuildError> {
        self.insert_with(name, operands, results, attributes, Vec::new())
    }

    fn insert_with(
        &self,
        name: &'static str,
        operands: &[Val<'c>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        regions: Vec<Region<'c>>,
    ) -> Result<Op<'c>, BuildError> {
        let attributes: Vec<_> = attributes
            .iter()
            .map(|(name, value)| (self.context.identifier(name), *value))
            .collect();
        let op = OperationBuilder::new(name, self.location)
            .add_operands(operands)
            .add_results(results)
            .add_attributes(&attributes)
            .add_regions_vec(regions)
            .build()
            .map_err(|error| BuildError::Operation(name, error))?;
        changes::inserted(self.block);
        let inserted = match self.before {
            Some(before) => self.block.insert_operation_before(before, op),
            None => self.block.append_operation(op),
        };
        // SAFETY: the operation now belongs to the IR, which lives as long as `'c`.
        Ok(unsafe { Op::from_raw(inserted.to_raw()) })
    }

    fn insert_one(
        &self,
        name: &'static str,
        operands: &[Val<'c>],
        result: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Val<'c>, BuildError> {
        let op = self.insert(name, operands, &[result], attributes)?;
        op.result(0)
            .map(Into::into)
            .map_err(|error| BuildError::Operation(name, error))
    }

    /// The type `index`.
    pub fn index_type(&self) -> Type<'c> {
        self.context.index_type()
    }

    /// `memref<?xi8, SPACE>`, the type of an arena of dynamic size; `SPACE` is the memory space of `like`.
    pub fn dynamic_bytes_type(&self, like: Type<'c>) -> Type<'c> {
        self.bytes_type(i64::MIN, like)
    }

    /// `memref<SIZExi8, SPACE>`, the type of an arena of `size` bytes; `SPACE` is the memory space of `like`.
    pub fn bytes_type(&self, size: i64, like: Type<'c>) -> Type<'c> {
        let space = MemRefType::try_from(like)
            .ok()
            .and_then(|like| like.memory_space());
        MemRefType::contiguous(self.context.integer_type(8), &[size], space).into()
    }

    /// `arith.constant VALUE : index`.
    pub fn index(&self, value: i64) -> Result<Val<'c>, BuildError> {
        let r#type = self.index_type();
        let value = IntegerAttribute::new(r#type, value).into();
        self.insert_one("arith.constant", &[], r#type, &[("value", value)])
    }

    /// `memref.alloc()`, aligned to `alignment` bytes.
    pub fn alloc(&self, memref: Type<'c>, alignment: i64) -> Result<Op<'c>, BuildError> {
        let i64_type = self.context.integer_type(64);
        self.insert(
            "memref.alloc",
            &[],
            &[memref],
            &[
                (
                    "alignment",
                    IntegerAttribute::new(i64_type, alignment).into(),
                ),
                ("operandSegmentSizes", self.context.short_integers(&[0, 0])),
            ],
        )
    }

    /// `memref.alloc(SIZE)` of `size` bytes, aligned to `alignment` bytes.
    pub fn alloc_bytes(
        &self,
        memref: Type<'c>,
        size: Val<'c>,
        alignment: i64,
    ) -> Result<Op<'c>, BuildError> {
        self.insert(
            "memref.alloc",
            &[size],
            &[memref],
            &[
                ("alignment", self.integer_attribute(alignment)),
                ("operandSegmentSizes", self.context.short_integers(&[1, 0])),
            ],
        )
    }

    /// `memref.dealloc`.
    pub fn dealloc(&self, memref: Val<'c>) -> Result<Op<'c>, BuildError> {
        self.insert("memref.dealloc", &[memref], &[], &[])
    }

    /// `memref.view SOURCE[SHIFT][]`; `attributes` are discardable ones.
    pub fn view(
        &self,
        source: Val<'c>,
        shift: Val<'c>,
        memref: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Val<'c>, BuildError> {
        self.insert_one("memref.view", &[source, shift], memref, attributes)
    }

    /// `memref.view SOURCE[SHIFT][SIZES]`; `attributes` are discardable ones.
    pub fn dynamic_view(
        &self,
        source: Val<'c>,
        shift: Val<'c>,
        sizes: &[Val<'c>],
        memref: Type<'c>,
        attributes: &[(&str, Attribute<'c>)],
    ) -> Result<Val<'c>, BuildError> {
        let mut operands = vec![source, shift];
        operands.extend_from_slice(sizes);
        self.insert_one("memref.view", &operands, memref, attributes)
    }

    /// `arith.constant` of an integer or index type.
    pub fn constant(&self, value: i64, r#type: Type<'c>) -> Result<Val<'c>, BuildError> {
        let value = IntegerAttribute::new(r#type, value).into();
        self.insert_one("arith.constant", &[], r#type, &[("value", value)])
    }

    /// `arith.constant` of a number with a type.
    pub fn constant_of(&self, number: Attribute<'c>) -> Result<Val<'c>, BuildError> {
        let form = number.r#type();
        self.insert_one("arith.constant", &[], form, &[("value", number)])
    }

    /// An operation of `arith` on two values of one type, which is also the type of the result.
    fn arith(
        &self,
        name: &'static str,
        left: Val<'c>,
        right: Val<'c>,
    ) -> Result<Val<'c>, BuildError> {
        self.insert_one(name, &[left, right], type_of(left), &[])
    }

    /// An `i64` attribute.
    pub fn integer_attribute(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(self.context.integer_type(64), value).into()
    }

    /// An attribute that is an array of `i64`.
    pub fn integers_attribute(&self, values: &[i64]) -> Attribute<'c> {
        self.context.integers(values)
    }

    /// `memref.extract_aligned_pointer_as_index`.
    pub fn aligned_pointer(&self, memref: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.insert_one(
            "memref.extract_aligned_pointer_as_index",
            &[memref],
            self.index_type(),
            &[],
        )
    }

    /// `arith.subi`.
    pub fn subtract(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.subi", left, right)
    }

    /// `arith.addi`.
    pub fn add(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.addi", left, right)
    }

    /// `arith.muli`.
    pub fn multiply(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.muli", left, right)
    }

    /// `arith.divui`.
    pub fn divide(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.divui", left, right)
    }

    /// `arith.andi`.
    pub fn and(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.andi", left, right)
    }

    /// `arith.xori`.
    pub fn exclusive_or(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.xori", left, right)
    }

    /// `arith.maxsi`.
    pub fn maximum(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.maxsi", left, right)
    }

    /// `arith.minsi`.
    pub fn minimum(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.minsi", left, right)
    }

    /// `arith.minui`.
    pub fn unsigned_minimum(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        self.arith("arith.minui", left, right)
    }

    /// `arith.mului_extended`: the low and the high half of a product of numbers without a sign.
    pub fn wide_product(
        &self,
        left: Val<'c>,
        right: Val<'c>,
    ) -> Result<(Val<'c>, Val<'c>), BuildError> {
        let name = "arith.mului_extended";
        let r#type = type_of(left);
        let op = self.insert(name, &[left, right], &[r#type, r#type], &[])?;
        let half = |number| {
            op.result(number)
                .map(Into::into)
                .map_err(|error| BuildError::Operation(name, error))
        };
        Ok((half(0)?, half(1)?))
    }

    /// `arith.cmpi`.
    pub fn compare(
        &self,
        predicate: Compare,
        left: Val<'c>,
        right: Val<'c>,
    ) -> Result<Val<'c>, BuildError> {
        let i64_type = self.context.integer_type(64);
        let i1_type = self.context.integer_type(1);
        let predicate = IntegerAttribute::new(i64_type, predicate as i64).into();
        self.insert_one(
            "arith.cmpi",
            &[left, right],
            i1_type,
            &[("predicate", predicate)],
        )
    }

    /// `arith.ori` on booleans.
    pub fn or(&self, left: Val<'c>, right: Val<'c>) -> Result<Val<'c>, BuildError> {
        let i1_type = self.context.integer_type(1);
        self.insert_one("arith.ori", &[left, right], i1_type, &[])
    }

    /// `arith.select`.
    pub fn select(
        &self,
        condition: Val<'c>,
        yes: Val<'c>,
        no: Val<'c>,
    ) -> Result<Val<'c>, BuildError> {
        self.insert_one("arith.select", &[condition, yes, no], type_of(yes), &[])
    }
}

/// Sets a discardable attribute.
pub fn set_attribute<'c>(op: Op<'c>, name: &str, value: Attribute<'c>) {
    changes::attribute(op);
    // SAFETY: live handles; the name is copied.
    unsafe {
        mlirOperationSetDiscardableAttributeByName(
            op.to_raw(),
            StringRef::new(name).to_raw(),
            value.to_raw(),
        );
    }
}

/// Removes a discardable attribute. True if it was set.
pub fn remove_attribute(op: Op<'_>, name: &str) -> bool {
    changes::attribute(op);
    // SAFETY: as above.
    unsafe {
        mlirOperationRemoveDiscardableAttributeByName(op.to_raw(), StringRef::new(name).to_raw())
    }
}

/// Sets a unit attribute.
pub fn mark(op: Op<'_>, name: &str) {
    set_attribute(op, name, context_of(op).unit());
}

/// Sets an `i64` attribute.
pub fn set_integer(op: Op<'_>, name: &str, value: i64) {
    let i64_type = context_of(op).integer_type(64);
    set_attribute(op, name, IntegerAttribute::new(i64_type, value).into());
}

/// Sets a string attribute.
pub fn set_text(op: Op<'_>, name: &str, value: &str) {
    set_attribute(op, name, context_of(op).text(value));
}

/// Sets an attribute to an array of `i64`.
pub fn set_integers(op: Op<'_>, name: &str, values: &[i64]) {
    set_attribute(op, name, context_of(op).integers(values));
}

/// The values of an `array<i64>` attribute.
pub fn integers_of(op: Op<'_>, name: &str) -> Option<Vec<i64>> {
    let list = DenseI64ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    (0..list.len()).map(|at| list.element(at).ok()).collect()
}

/// The values of an array of integer attributes.
pub fn array_of_integers(op: Op<'_>, name: &str) -> Option<Vec<i64>> {
    let list = ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    let element = |at| IntegerAttribute::try_from(list.element(at).ok()?).ok();
    (0..list.len())
        .map(|at| element(at).map(|one| one.value()))
        .collect()
}

/// The numbers of an array of arrays of integer attributes.
pub fn groups_of_integers(op: Op<'_>, name: &str) -> Option<Vec<Vec<u32>>> {
    let list = ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    let group = |at| {
        let group = ArrayAttribute::try_from(list.element(at).ok()?).ok()?;
        let number = |at| IntegerAttribute::try_from(group.element(at).ok()?).ok();
        (0..group.len())
            .map(|at| u32::try_from(number(at)?.value()).ok())
            .collect()
    };
    (0..list.len()).map(group).collect()
}

/// The values of a dense elements attribute of integers.
pub fn dense_integers(op: Op<'_>, name: &str) -> Option<Vec<i64>> {
    let raw = op.attribute(name).ok()?.to_raw();
    // SAFETY: a live attribute, whose kind is checked first; positions are below the count.
    unsafe {
        if !mlir_sys::mlirAttributeIsADenseIntElements(raw) {
            return None;
        }
        let count = mlir_sys::mlirElementsAttrGetNumElements(raw);
        let bits = mlir_sys::mlirIntegerTypeGetWidth(mlir_sys::mlirShapedTypeGetElementType(
            mlir_sys::mlirAttributeGetType(raw),
        ));
        let element = |at: isize| match bits {
            1..=8 => Some(i64::from(mlir_sys::mlirDenseElementsAttrGetInt8Value(
                raw, at,
            ))),
            16 => Some(i64::from(mlir_sys::mlirDenseElementsAttrGetInt16Value(
                raw, at,
            ))),
            32 => Some(i64::from(mlir_sys::mlirDenseElementsAttrGetInt32Value(
                raw, at,
            ))),
            64 => Some(mlir_sys::mlirDenseElementsAttrGetInt64Value(raw, at)),
            _ => None,
        };
        (0..isize::try_from(count).ok()?).map(element).collect()
    }
}

/// The values of an `array<i32>` attribute.
pub fn short_integers(op: Op<'_>, name: &str) -> Option<Vec<i32>> {
    let list = DenseI32ArrayAttribute::try_from(op.attribute(name).ok()?).ok()?;
    (0..list.len())
        .map(|index| list.element(index).ok())
        .collect()
}

/// The value of an integer attribute whose type is `index` or has at most 64 bits.
pub fn integer_value(attribute: Attribute<'_>) -> Option<i64> {
    let attribute = IntegerAttribute::try_from(attribute).ok()?;
    let width = crate::copy::integer_width(attribute.r#type())?;
    (width <= 64).then(|| attribute.value())
}

/// The value of an integer attribute.
pub fn integer(op: Op<'_>, name: &str) -> Option<i64> {
    let attribute = op.attribute(name).ok()?;
    IntegerAttribute::try_from(attribute)
        .ok()
        .map(|attribute| attribute.value())
}
