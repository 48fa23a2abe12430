//! What operations compute from integers, indices and truth values: who takes an expression apart matches on values of
//! [`Computes`] and asks for no name. [`constants`](crate::constants) folds whole expressions instead.

use memplan_mlir::{
    build::integer,
    ir::{Op, Val},
    melior::ir::operation::OperationLike,
};

/// What an integer, index or truth value is computed by. Numbers are as wide as the value, and wrap around; where an operation
/// promises that they do not, what it computes is not defined.
#[derive(Clone, Copy, Debug)]
pub enum Computes<'c> {
    /// It is this constant, sign-extended.
    Constant(i64),
    /// From two numbers of its type.
    Binary(Binary, [Val<'c>; 2]),
    /// A truth value: does the first compare like this with the second?
    Compare(Predicate, [Val<'c>; 2]),
    /// The second where the first holds, otherwise the third.
    Select([Val<'c>; 3]),
    /// The number of another width.
    Cast(Cast, Val<'c>),
    /// The size of a memref's or tensor's dimension; the second is the number of the dimension.
    Dimension([Val<'c>; 2]),
    /// The aligned pointer of a memref.
    Pointer(Val<'c>),
    /// The element of a memref; its indices are the other operands, in their order.
    Element(Val<'c>),
}

/// An operation on two numbers.
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
    /// What a division leaves that rounds towards zero.
    Remainder(Sign),
    /// The smaller one.
    Min(Sign),
    /// The larger one.
    Max(Sign),
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// To higher bits.
    ShiftLeft,
    /// To lower bits; those of signed numbers keep their sign.
    ShiftRight(Sign),
}

/// How numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// As two's complement.
    Signed,
    /// As numbers that are never negative.
    Unsigned,
}

/// Where a quotient is rounded to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Towards zero.
    Zero,
    /// Down.
    Floor,
    /// Up.
    Ceiling,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// They are the same.
    Equal,
    /// They are not.
    NotEqual,
    /// The first is smaller.
    Less(Sign),
    /// It is not larger.
    AtMost(Sign),
    /// It is larger.
    Greater(Sign),
    /// It is not smaller.
    AtLeast(Sign),
}

/// How a number gets another width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// Higher bits are dropped.
    Truncate,
    /// Higher bits are added.
    Extend(Sign),
    /// To or from an index: higher bits are dropped or added.
    Index(Sign),
}

/// What the table says that an operation computes.
#[derive(Clone, Copy, Debug)]
pub enum Computation {
    /// The constant that this attribute is.
    Constant(&'static str),
    /// From operands 0 and 1.
    Binary(Binary),
    /// Operands 0 and 1 are compared, as this attribute says.
    Compare(&'static str),
    /// Operand 1 where operand 0 holds, otherwise operand 2.
    Select,
    /// Operand 0, of another width.
    Cast(Cast),
    /// The size of operand 0 in dimension operand 1.
    Dimension,
    /// The aligned pointer of operand 0.
    Pointer,
    /// The element of operand 0 at the other operands.
    Element,
}

impl Predicate {
    /// In the order of numbers that stand for them, as dialects name them.
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

    /// That of an attribute: a number, or an enum that is printed as `#dialect<kind name>`.
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
