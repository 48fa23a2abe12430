//! Integer arithmetic of operations. Code that takes expressions apart matches on [`Computes`] instead of names of
//! operations. [`constants`](crate::constants) folds whole expressions.

use memplan_mlir::{
    build::integer,
    ir::{Op, Val},
    melior::ir::operation::OperationLike,
};

/// The computation of an integer, index or boolean value. Numbers have the width of the value, and wrap around. If an
/// operation promises that they do not, the result is undefined on overflow.
#[derive(Clone, Copy, Debug)]
pub enum Computes<'c> {
    /// This constant, sign-extended.
    Constant(i64),
    /// A binary operation on two values of the same type.
    Binary(Binary, [Val<'c>; 2]),
    /// A comparison of two values; the result is a boolean.
    Compare(Predicate, [Val<'c>; 2]),
    /// The second value if the first is true, otherwise the third.
    Select([Val<'c>; 3]),
    /// A conversion to another width.
    Cast(Cast, Val<'c>),
    /// The size of a dimension of a memref or tensor; the second value is the number of the dimension.
    Dimension([Val<'c>; 2]),
    /// The aligned pointer of a memref.
    Pointer(Val<'c>),
    /// An element of a memref; the other operands are its indices, in order.
    Element(Val<'c>),
}

/// A binary operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide(Sign, Rounding),
    /// Remainder of a division that rounds towards zero.
    Remainder(Sign),
    /// Minimum.
    Min(Sign),
    /// Maximum.
    Max(Sign),
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to higher bits.
    ShiftLeft,
    /// Shift to lower bits; a signed shift is arithmetic.
    ShiftRight(Sign),
}

/// Interpretation of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Two's complement.
    Signed,
    /// Unsigned.
    Unsigned,
}

/// Rounding of a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards zero.
    Zero,
    /// Towards negative infinity.
    Floor,
    /// Towards positive infinity.
    Ceiling,
}

/// The predicate of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Less than.
    Less(Sign),
    /// Less than or equal.
    AtMost(Sign),
    /// Greater than.
    Greater(Sign),
    /// Greater than or equal.
    AtLeast(Sign),
}

/// A conversion between widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// Drops higher bits.
    Truncate,
    /// Adds higher bits.
    Extend(Sign),
    /// To or from `index`: drops or adds higher bits.
    Index(Sign),
}

/// The computation of an operation, as the table states it.
#[derive(Clone, Copy, Debug)]
pub enum Computation {
    /// The constant in this attribute.
    Constant(&'static str),
    /// A binary operation on operands 0 and 1.
    Binary(Binary),
    /// A comparison of operands 0 and 1, with the predicate in this attribute.
    Compare(&'static str),
    /// Operand 1 if operand 0 is true, otherwise operand 2.
    Select,
    /// A conversion of operand 0.
    Cast(Cast),
    /// The size of operand 0 in dimension operand 1.
    Dimension,
    /// The aligned pointer of operand 0.
    Pointer,
    /// The element of operand 0 at the indices in the other operands.
    Element,
    /// The low and the high half of the product of operands 0 and 1, which have no sign.
    WideProduct,
}

impl Predicate {
    /// In the order of the dialects' predicate numbers, with the dialects' names.
    const ALL: [(Self, &'static str); 10] = {
        use Sign::{Signed, Unsigned};
        [
            (Self::Equal, "eq"),
            (Self::NotEqual, "ne"),
            (Self::Less(Signed), "slt"),
            (Self::AtMost(Signed), "sle"),
            (Self::Greater(Signed), "sgt"),
            (Self::AtLeast(Signed), "sge"),
            (Self::Less(Unsigned), "ult"),
            (Self::AtMost(Unsigned), "ule"),
            (Self::Greater(Unsigned), "ugt"),
            (Self::AtLeast(Unsigned), "uge"),
        ]
    };

    /// The predicate in an attribute: a number, or an enum printed as `#dialect<kind name>`.
    pub(crate) fn of(op: Op<'_>, name: &str) -> Option<Self> {
        if let Some(number) = integer(op, name) {
            let at = usize::try_from(number).ok()?;
            return Self::ALL.get(at).map(|(predicate, _)| *predicate);
        }
        let text = op.attribute(name).ok()?.to_string();
        let word = text.strip_suffix('>')?.rsplit(' ').next()?;
        let mut all = Self::ALL.iter();
        all.find_map(|(predicate, known)| (*known == word).then_some(*predicate))
    }
}
