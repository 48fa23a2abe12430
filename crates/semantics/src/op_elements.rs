//! What one operation does to the elements of the memrefs that it gets.

use crate::op_memory::OperandNumber;
use memplan_mlir::{
    ir::{Op, Val, operands, type_of},
    layout::is_row_by_row,
    strides::have_same_elements,
};
use smallvec::SmallVec;

/// What is known for certain of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// Operands of which every element is written, and none is read through them.
    pub overwritten: SmallVec<[OperandNumber; 1]>,
    /// Operands that go together, those with the same bytes first.
    pub pairs: SmallVec<[Pair; 2]>,
}

/// Two operands of the same shape: each element of the one is read before the one at its place in the other is written,
/// and not after; through other operands of the same value neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// What is read.
    pub read: OperandNumber,
    /// What is written.
    pub written: OperandNumber,
    /// Both are laid out row by row, so that what is at one place has the same bytes.
    pub same_bytes: bool,
    /// Both have the same element type.
    pub same_elements: bool,
    /// The elements are copied, and nothing else is done.
    pub copies: bool,
    /// They must not be the same memory: it is no loop over elements.
    pub apart: bool,
}

/// An operation copies all elements of one memref to another, and does nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// What is read.
    pub from: OperandNumber,
    /// What is written.
    pub to: OperandNumber,
    /// Place i is this dimension of what is read; `None` where dimensions stay in their order.
    pub order: Option<Vec<i64>>,
}

/// An operation stores a value in one element.
#[derive(Clone, Debug)]
pub struct StoredElement<'c> {
    /// What is stored.
    pub value: Val<'c>,
    /// Where.
    pub memref: Val<'c>,
    /// At these indices.
    pub indices: SmallVec<[Val<'c>; 4]>,
}

impl Elements {
    /// Adds a pair; its types say whether it has the same bytes.
    pub(crate) fn of_types(
        &mut self,
        op: Op<'_>,
        pair: (OperandNumber, OperandNumber),
        copy: Option<&Copy>,
    ) {
        let is_row_by_row = |at: OperandNumber| {
            let operand = operands(op).nth(at as usize);
            operand.is_some_and(|value| is_row_by_row(type_of(value)))
        };
        self.pair(
            op,
            pair,
            is_row_by_row(pair.0) && is_row_by_row(pair.1),
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
