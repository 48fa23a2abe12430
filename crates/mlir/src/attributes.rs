//! Attributes that several threads use, and elements of constants.

use crate::{ffi, ir::Op};
use melior::ir::{Attribute, AttributeLike, operation::OperationLike};

/// An attribute that threads may share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedAttribute<'c>(Attribute<'c>);

// SAFETY: attributes do not change, and their context lives as long as `'c`.
unsafe impl Send for SharedAttribute<'_> {}
// SAFETY: as above.
unsafe impl Sync for SharedAttribute<'_> {}

impl<'c> SharedAttribute<'c> {
    /// Shares an attribute.
    pub const fn new(attribute: Attribute<'c>) -> Self {
        Self(attribute)
    }

    /// The attribute.
    pub const fn get(self) -> Attribute<'c> {
        self.0
    }
}

/// The number that all elements of an attribute of dense elements are; `None` if they differ, or are no numbers.
pub fn splat<'c>(op: Op<'c>, name: &str) -> Option<Attribute<'c>> {
    let dense = op.attribute(name).ok()?.to_raw();
    // SAFETY: a live attribute, whose kind is checked before its elements are read.
    unsafe {
        let is_splat = mlir_sys::mlirAttributeIsADenseElements(dense)
            && mlir_sys::mlirDenseElementsAttrIsSplat(dense);
        let element = is_splat.then(|| mlir_sys::mlirDenseElementsAttrGetSplatValue(dense))?;
        let is_number =
            mlir_sys::mlirAttributeIsAFloat(element) || mlir_sys::mlirAttributeIsAInteger(element);
        is_number.then(|| Attribute::from_raw(element))
    }
}

/// Whether all dense elements are zero: numbers, or complex ones.
pub fn is_zero_splat(dense: Attribute<'_>) -> bool {
    let dense = dense.to_raw();
    // SAFETY: a live attribute, whose kind is checked before its elements are read.
    unsafe {
        let is_splat = mlir_sys::mlirAttributeIsADenseElements(dense)
            && mlir_sys::mlirDenseElementsAttrIsSplat(dense);
        if !is_splat {
            return false;
        }
        let element = mlir_sys::mlirDenseElementsAttrGetSplatValue(dense);
        match mlir_sys::mlirAttributeIsAArray(element) {
            true => (0..mlir_sys::mlirArrayAttrGetNumElements(element)).all(|place| {
                is_zero(Attribute::from_raw(mlir_sys::mlirArrayAttrGetElement(
                    element, place,
                )))
            }),
            false => is_zero(Attribute::from_raw(element)),
        }
    }
}

/// Whether a number is zero; a float, without a sign.
fn is_zero(number: Attribute<'_>) -> bool {
    let raw = number.to_raw();
    // SAFETY: a live attribute, whose kind is checked. Attributes of numbers are unique, of any width.
    unsafe {
        let zero = if mlir_sys::mlirAttributeIsAFloat(raw) {
            let context = mlir_sys::mlirAttributeGetContext(raw);
            mlir_sys::mlirFloatAttrDoubleGet(context, mlir_sys::mlirAttributeGetType(raw), 0.0)
        } else if mlir_sys::mlirAttributeIsAInteger(raw) {
            mlir_sys::mlirIntegerAttrGet(mlir_sys::mlirAttributeGetType(raw), 0)
        } else {
            return false;
        };
        mlir_sys::mlirAttributeEqual(raw, zero)
    }
}

/// Whether it is the attribute that has no value.
pub fn is_unit(attribute: Attribute<'_>) -> bool {
    // SAFETY: a live attribute.
    unsafe { mlir_sys::mlirAttributeIsAUnit(attribute.to_raw()) }
}

/// The entry of a dictionary; `None` if there is none, or for other attributes.
pub fn entry<'c>(dictionary: Attribute<'c>, name: &str) -> Option<Attribute<'c>> {
    let raw = dictionary.to_raw();
    // SAFETY: a live attribute, whose kind is checked first; null is excluded.
    unsafe {
        if !mlir_sys::mlirAttributeIsADictionary(raw) {
            return None;
        }
        let name = crate::string_ref::borrow(name);
        Attribute::from_option_raw(mlir_sys::mlirDictionaryAttrGetElementByName(raw, name))
    }
}

/// The entries of a dictionary, by name; `None` for other attributes.
pub fn entries(dictionary: Attribute<'_>) -> Option<Vec<(String, Attribute<'_>)>> {
    let raw = dictionary.to_raw();
    // SAFETY: a live attribute, whose kind is checked first; places are below the count.
    unsafe {
        if !mlir_sys::mlirAttributeIsADictionary(raw) {
            return None;
        }
        let places = 0..mlir_sys::mlirDictionaryAttrGetNumElements(raw);
        let entry = |place| {
            let entry = mlir_sys::mlirDictionaryAttrGetElement(raw, place);
            let name = crate::string_ref::copy(mlir_sys::mlirIdentifierStr(entry.name));
            (name, Attribute::from_raw(entry.attribute))
        };
        Some(places.map(entry).collect())
    }
}

/// A plain value.
#[derive(Clone, Debug, PartialEq)]
pub enum PlainValue {
    /// An integer, sign-extended.
    Integer(i64),
    /// A float.
    Float(f64),
    /// A string.
    Text(String),
    /// True or false.
    Flag(bool),
}

/// The value of an attribute that is a number, a string or a boolean; `None` for integers that 64 bits with a sign do not hold.
pub fn plain_value(attribute: Attribute<'_>) -> Option<PlainValue> {
    let raw = attribute.to_raw();
    // SAFETY: a live attribute, whose kind is checked before its value is read.
    unsafe {
        Some(if mlir_sys::mlirAttributeIsABool(raw) {
            PlainValue::Flag(mlir_sys::mlirBoolAttrGetValue(raw))
        } else if mlir_sys::mlirAttributeIsAInteger(raw) {
            PlainValue::Integer(integer_value(raw)?)
        } else if mlir_sys::mlirAttributeIsAFloat(raw) {
            PlainValue::Float(mlir_sys::mlirFloatAttrGetValueDouble(raw))
        } else if mlir_sys::mlirAttributeIsAString(raw) {
            PlainValue::Text(crate::string_ref::copy(mlir_sys::mlirStringAttrGetValue(
                raw,
            )))
        } else {
            return None;
        })
    }
}

/// The value of an integer of at most 64 bits, if it fits.
///
/// # Safety
///
/// `raw` is a live integer attribute.
unsafe fn integer_value(raw: mlir_sys::MlirAttribute) -> Option<i64> {
    // SAFETY: a live integer attribute, whose type is checked before its value is read.
    unsafe {
        let r#type = mlir_sys::mlirAttributeGetType(raw);
        let is_index = mlir_sys::mlirTypeIsAIndex(r#type);
        if !is_index && mlir_sys::mlirIntegerTypeGetWidth(r#type) > 64 {
            return None;
        }
        if is_index || mlir_sys::mlirIntegerTypeIsSignless(r#type) {
            Some(mlir_sys::mlirIntegerAttrGetValueInt(raw))
        } else if mlir_sys::mlirIntegerTypeIsSigned(r#type) {
            Some(mlir_sys::mlirIntegerAttrGetValueSInt(raw))
        } else {
            i64::try_from(mlir_sys::mlirIntegerAttrGetValueUInt(raw)).ok()
        }
    }
}

/// The value of the first entry with this key in the description of the target (`dlti.target_system_spec`) at an operation or
/// around it.
pub fn target_entry<'c>(op: Op<'c>, key: &str) -> Option<Attribute<'c>> {
    // SAFETY: a live operation, and a text that the call only reads; null is excluded.
    unsafe {
        let found = ffi::memplanTargetEntry(op.to_raw(), crate::string_ref::borrow(key));
        Attribute::from_option_raw(found)
    }
}

/// The elements of an array; `None` for other attributes.
pub fn elements(array: Attribute<'_>) -> Option<Vec<Attribute<'_>>> {
    let raw = array.to_raw();
    // SAFETY: a live attribute, whose kind is checked first; places are below the count.
    unsafe {
        if !mlir_sys::mlirAttributeIsAArray(raw) {
            return None;
        }
        let places = 0..mlir_sys::mlirArrayAttrGetNumElements(raw);
        let element = |place| mlir_sys::mlirArrayAttrGetElement(raw, place);
        Some(
            places
                .map(|place| Attribute::from_raw(element(place)))
                .collect(),
        )
    }
}

/// The numbers of `array<i64: …>`; `None` for other attributes.
pub fn integers(array: Attribute<'_>) -> Option<Vec<i64>> {
    let raw = array.to_raw();
    // SAFETY: as above.
    unsafe {
        if !mlir_sys::mlirAttributeIsADenseI64Array(raw) {
            return None;
        }
        let places = 0..mlir_sys::mlirDenseArrayGetNumElements(raw);
        Some(
            places
                .map(|place| mlir_sys::mlirDenseI64ArrayGetElement(raw, place))
                .collect(),
        )
    }
}
