//! Affine maps as plain data.

mod simple;

use crate::ir::{Attribute, Op};
use melior::ir::{AttributeLike, operation::OperationLike};
use mlir_sys::{MlirAffineExpr, MlirAffineMap};

/// A result of an affine map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number.
    Constant(i64),
    /// An input, by number.
    Input(u32),
    /// A sum.
    Sum(Box<[Self; 2]>),
    /// A product with a number.
    Product(Box<Self>, i64),
    /// A quotient by a positive number, rounded down.
    Quotient(Box<Self>, i64),
    /// What such a quotient leaves.
    Remainder(Box<Self>, i64),
}

impl Expression {
    /// Its value for these inputs; `None` if it does not fit 64 bits, or a number that is divided is negative: what divides
    /// it may round it towards zero.
    pub fn at(&self, inputs: &[i64]) -> Option<i64> {
        match self {
            Self::Constant(number) => Some(*number),
            Self::Input(number) => inputs.get(*number as usize).copied(),
            Self::Sum(both) => both[0].at(inputs)?.checked_add(both[1].at(inputs)?),
            Self::Product(one, by) => one.at(inputs)?.checked_mul(*by),
            Self::Quotient(one, by) => {
                let number = one.at(inputs).filter(|number| *number >= 0)?;
                number.checked_div(*by)
            }
            Self::Remainder(one, by) => {
                let number = one.at(inputs).filter(|number| *number >= 0)?;
                number.checked_rem(*by)
            }
        }
    }

    /// How much more it is if an input is `more`, whatever the inputs are; `None` if that depends on them.
    pub fn growth(&self, input: u32, more: i64) -> Option<i64> {
        match self {
            Self::Constant(_) => Some(0),
            Self::Input(number) => Some(if *number == input { more } else { 0 }),
            Self::Sum(both) => {
                let [one, other] = [&both[0], &both[1]].map(|one| one.growth(input, more));
                one?.checked_add(other?)
            }
            Self::Product(one, by) => one.growth(input, more)?.checked_mul(*by),
            Self::Quotient(one, by) => {
                let growth = one.growth(input, more)?;
                (growth % by == 0).then(|| growth / by)
            }
            Self::Remainder(one, by) => {
                let growth = one.growth(input, more)?;
                (growth % by == 0).then_some(0)
            }
        }
    }

    /// Whether it is never negative, as far as its parts say; `inputs`: whether an input is never negative.
    pub fn is_never_negative(&self, inputs: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Self::Constant(number) => *number >= 0,
            Self::Input(number) => inputs(*number),
            Self::Sum(both) => both.iter().all(|one| one.is_never_negative(inputs)),
            Self::Product(one, by) => *by >= 0 && one.is_never_negative(inputs),
            Self::Quotient(one, _) => one.is_never_negative(inputs),
            Self::Remainder(..) => true,
        }
    }

    /// Whether nothing is divided that may be negative.
    pub fn divides_no_negative(&self, inputs: &dyn Fn(u32) -> bool) -> bool {
        match self {
            Self::Constant(_) | Self::Input(_) => true,
            Self::Sum(both) => both.iter().all(|one| one.divides_no_negative(inputs)),
            Self::Product(one, _) => one.divides_no_negative(inputs),
            Self::Quotient(one, _) | Self::Remainder(one, _) => {
                one.is_never_negative(inputs) && one.divides_no_negative(inputs)
            }
        }
    }

    /// The inputs that it uses, as bits; those from number 63 on are one.
    pub fn inputs(&self) -> u64 {
        match self {
            Self::Constant(_) => 0,
            Self::Input(number) => 1 << number.min(&63),
            Self::Sum(both) => both[0].inputs() | both[1].inputs(),
            Self::Product(one, _) | Self::Quotient(one, _) | Self::Remainder(one, _) => {
                one.inputs()
            }
        }
    }

    /// The largest number in it, without its sign.
    pub fn largest_number(&self) -> u64 {
        match self {
            Self::Constant(number) => number.unsigned_abs(),
            Self::Input(_) => 0,
            Self::Sum(both) => both[0].largest_number().max(both[1].largest_number()),
            Self::Product(one, by) | Self::Quotient(one, by) | Self::Remainder(one, by) => {
                one.largest_number().max(by.unsigned_abs())
            }
        }
    }

    /// The expression with others in place of its inputs.
    pub fn of(&self, inputs: &[Self]) -> Option<Self> {
        Some(match self {
            Self::Constant(number) => Self::Constant(*number),
            Self::Input(number) => inputs.get(*number as usize)?.clone(),
            Self::Sum(both) => Self::Sum(Box::new([both[0].of(inputs)?, both[1].of(inputs)?])),
            Self::Product(one, by) => Self::Product(Box::new(one.of(inputs)?), *by),
            Self::Quotient(one, by) => Self::Quotient(Box::new(one.of(inputs)?), *by),
            Self::Remainder(one, by) => Self::Remainder(Box::new(one.of(inputs)?), *by),
        })
    }
}

impl std::fmt::Display for Expression {
    /// As MLIR reads it, with dimensions as inputs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Constant(number) => write!(f, "{number}"),
            Self::Input(number) => write!(f, "d{number}"),
            Self::Sum(both) => write!(f, "({} + {})", both[0], both[1]),
            Self::Product(one, by) => write!(f, "({one} * {by})"),
            Self::Quotient(one, by) => write!(f, "({one} floordiv {by})"),
            Self::Remainder(one, by) => write!(f, "({one} mod {by})"),
        }
    }
}

/// The number of inputs and the results of an affine map without symbols; `None` for other attributes.
pub fn results_of(map: Attribute<'_>) -> Option<(usize, Vec<Expression>)> {
    // SAFETY: a live attribute, whose kind is checked first.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(map.to_raw());
        match mlir_sys::mlirAffineMapGetNumSymbols(map) {
            0 => results(map),
            _ => None,
        }
    }
}

/// The only result of the affine map in `attribute` of `op`; its inputs are dimensions, and then symbols.
pub fn only_result(op: Op<'_>, attribute: &str) -> Option<Expression> {
    let map = op.attribute(attribute).ok()?;
    // SAFETY: a live attribute, whose kind is checked first.
    let (_, results) = unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        results(mlir_sys::mlirAffineMapAttrGetValue(map.to_raw()))?
    };
    let [result] = <[Expression; 1]>::try_from(results).ok()?;
    Some(result)
}

/// # Safety
/// The map is live.
unsafe fn results(map: MlirAffineMap) -> Option<(usize, Vec<Expression>)> {
    // SAFETY: the caller's promise; positions are below the counts.
    unsafe {
        let inputs = usize::try_from(mlir_sys::mlirAffineMapGetNumInputs(map)).ok()?;
        let dims = mlir_sys::mlirAffineMapGetNumDims(map);
        let results = 0..mlir_sys::mlirAffineMapGetNumResults(map);
        let results = results.map(|at| expression(mlir_sys::mlirAffineMapGetResult(map, at), dims));
        Some((inputs, results.collect::<Option<_>>()?))
    }
}

/// # Safety
/// The expression is live.
unsafe fn expression(expr: MlirAffineExpr, dims: isize) -> Option<Expression> {
    // SAFETY: the caller's promise; each query fits the kind that was checked first.
    unsafe {
        if mlir_sys::mlirAffineExprIsAConstant(expr) {
            let number = mlir_sys::mlirAffineConstantExprGetValue(expr);
            return Some(Expression::Constant(number));
        }
        if mlir_sys::mlirAffineExprIsADim(expr) {
            let at = mlir_sys::mlirAffineDimExprGetPosition(expr);
            return Some(Expression::Input(u32::try_from(at).ok()?));
        }
        if mlir_sys::mlirAffineExprIsASymbol(expr) {
            let at = dims + mlir_sys::mlirAffineSymbolExprGetPosition(expr);
            return Some(Expression::Input(u32::try_from(at).ok()?));
        }
        if !mlir_sys::mlirAffineExprIsABinary(expr) {
            return None;
        }
        let left = expression(mlir_sys::mlirAffineBinaryOpExprGetLHS(expr), dims)?;
        let right = expression(mlir_sys::mlirAffineBinaryOpExprGetRHS(expr), dims)?;
        if mlir_sys::mlirAffineExprIsAAdd(expr) {
            return Some(Expression::Sum(Box::new([left, right])));
        }
        // A simplified product has its constant on the right.
        let Expression::Constant(number) = right else {
            return None;
        };
        let left = Box::new(left);
        if mlir_sys::mlirAffineExprIsAMul(expr) {
            Some(Expression::Product(left, number))
        } else if number <= 0 {
            None
        } else if mlir_sys::mlirAffineExprIsAFloorDiv(expr) {
            Some(Expression::Quotient(left, number))
        } else if mlir_sys::mlirAffineExprIsACeilDiv(expr) {
            let more = Expression::Constant(number - 1);
            let sum = Expression::Sum(Box::new([*left, more]));
            Some(Expression::Quotient(Box::new(sum), number))
        } else if mlir_sys::mlirAffineExprIsAMod(expr) {
            Some(Expression::Remainder(left, number))
        } else {
            None
        }
    }
}
