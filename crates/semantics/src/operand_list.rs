//! Numbers of operands, and lists of them that many results of one operation share.

use smallvec::SmallVec;
use std::{ops::Deref, sync::Arc};

/// The number of an operand, among all operands of the operation.
pub type OperandNumber = u32;
/// Numbers of operands, ascending.
pub type OperandNumbers = SmallVec<[OperandNumber; 4]>;

/// Numbers of operands, ascending. A clone takes constant time: a loop that carries many memrefs has a list of all its
/// operands for each result.
#[derive(Clone, Debug)]
pub struct OperandList(List);

#[derive(Clone, Debug)]
enum List {
    Few(OperandNumbers),
    Many(Arc<[OperandNumber]>),
}

impl From<OperandNumbers> for OperandList {
    fn from(numbers: OperandNumbers) -> Self {
        Self(match numbers.spilled() {
            true => List::Many(numbers.into_vec().into()),
            false => List::Few(numbers),
        })
    }
}

impl Deref for OperandList {
    type Target = [OperandNumber];

    fn deref(&self) -> &[OperandNumber] {
        match &self.0 {
            List::Few(numbers) => numbers,
            List::Many(numbers) => numbers,
        }
    }
}

impl PartialEq for OperandList {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (List::Many(one), List::Many(other)) if Arc::ptr_eq(one, other) => true,
            _ => **self == **other,
        }
    }
}

impl Eq for OperandList {}

impl<'a> IntoIterator for &'a OperandList {
    type Item = &'a OperandNumber;
    type IntoIter = std::slice::Iter<'a, OperandNumber>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_long_lists_share_their_numbers() {
        let list = OperandList::from((0..100).collect::<OperandNumbers>());
        assert_eq!(list.clone().as_ptr(), list.as_ptr());
        assert_eq!(list.len(), 100);
    }

    #[test]
    fn lists_are_equal_by_their_numbers() {
        let list = |count| OperandList::from((0..count).collect::<OperandNumbers>());
        assert_eq!(list(3), list(3));
        assert_eq!(list(100), list(100));
        assert_ne!(list(3), list(100));
        assert_ne!(list(99), list(100));
    }
}
