//! Accesses of one operation to the elements of its memrefs.

use crate::op_memory::OperandNumber;
use memplan_mlir::{
    ir::{Op, Val, operands, type_of},
    layout::has_identity_layout,
    strides::have_same_elements,
};
use smallvec::SmallVec;

/// The certain facts about an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// Operands of which every element is written, and none is read through the operand.
    pub overwritten: SmallVec<[OperandNumber; 1]>,
    /// Pairs of operands that are accessed element by element, those with the same bytes first.
    pub pairs: SmallVec<[Pair; 2]>,
}

/// Two operands of the same shape. Each element of one is read before the element of the other at the same index is
/// written, and not after, nor is it read after that through other operands of the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The operand that is read.
    pub read: OperandNumber,
    /// The operand that is written.
    pub written: OperandNumber,
    /// Both have the identity layout, so that elements at the same index are at the same bytes.
    pub same_bytes: bool,
    /// Both have the same element type.
    pub same_elements: bool,
    /// The elements are copied, and nothing else is done.
    pub copies: bool,
    /// The operands must not be the same memory: the operation is no loop over elements.
    pub apart: bool,
}

/// A copy of all elements of one memref to another, by an operation that does nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The operand that is read.
    pub from: OperandNumber,
    /// The operand that is written.
    pub to: OperandNumber,
    /// Dimension i of the written memref is this dimension of the read one; `None` if the order is the same.
    pub order: Option<Vec<i64>>,
}

/// A copy that repeats the elements of a memref in the other one, by an operation that does nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broadcast {
    /// The operand that is read.
    pub from: OperandNumber,
    /// The operand that is written.
    pub to: OperandNumber,
    /// Dimension i of the written memref is this dimension of the read one; for -1, none: each index reads the same.
    pub order: Vec<i64>,
}

/// A write of one value to all elements of a memref, by an operation that does nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filled {
    /// The operand with the value; `None` if a region uses a value from outside.
    pub value: Option<OperandNumber>,
    /// The memref.
    pub memref: OperandNumber,
    /// A memref of any shape may take its place.
    pub takes_any_shape: bool,
}

/// A store of one value to one element.
#[derive(Clone, Debug)]
pub struct StoredElement<'c> {
    /// The stored value.
    pub value: Val<'c>,
    /// The memref.
    pub memref: Val<'c>,
    /// The indices.
    pub indices: SmallVec<[Val<'c>; 4]>,
}

/// A store of a box of elements.
#[derive(Clone, Debug)]
pub struct StoredRow<'c> {
    /// The memref.
    pub memref: Val<'c>,
    /// The indices of the first element, or the operands of an affine map of which they are the results.
    pub indices: SmallVec<[Val<'c>; 4]>,
    /// The attribute with that map.
    pub map: Option<&'static str>,
    /// How many elements are written in each dimension.
    pub sizes: SmallVec<[i64; 4]>,
}

impl Elements {
    /// Adds a pair; the types decide whether it has the same bytes.
    pub(crate) fn of_types(
        &mut self,
        op: Op<'_>,
        pair: (OperandNumber, OperandNumber),
        copy: Option<&Copy>,
    ) {
        let has_identity_layout = |at: OperandNumber| {
            let operand = operands(op).nth(at as usize);
            operand.is_some_and(|value| has_identity_layout(type_of(value)))
        };
        self.pair(
            op,
            pair,
            has_identity_layout(pair.0) && has_identity_layout(pair.1),
            copy,
        );
    }

    pub(crate) fn pair(
        &mut self,
        op: Op<'_>,
        (read, written): (OperandNumber, OperandNumber),
        same_bytes: bool,
        copy: Option<&Copy>,
    ) {
        let types = [read, written].map(|at| operands(op).nth(at as usize).map(type_of));
        let [Some(one), Some(other)] = types else {
            return;
        };
        let same_elements = have_same_elements(one, other);
        if same_bytes || same_elements {
            let is_copy =
                |copy: &Copy| copy.order.is_none() && (copy.from, copy.to) == (read, written);
            self.pairs.push(Pair {
                read,
                written,
                same_bytes,
                same_elements,
                copies: same_elements && copy.is_some_and(is_copy),
                apart: false,
            });
        }
    }
}
