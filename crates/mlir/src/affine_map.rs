//! Affine maps as plain data.

use crate::ir::Attribute;
use melior::ir::AttributeLike;
use mlir_sys::{MlirAffineExpr, MlirAffineMap};

/// A result of an affine map.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The number of inputs and the results of an affine map without symbols; `None` for other attributes.
pub fn results_of(map: Attribute<'_>) -> Option<(usize, Vec<Expression>)> {
    // SAFETY: a live attribute, whose kind is checked first; positions are below the counts.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(map.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(map.to_raw());
        if mlir_sys::mlirAffineMapGetNumSymbols(map) != 0 {
            return None;
        }
        let inputs = usize::try_from(mlir_sys::mlirAffineMapGetNumDims(map)).ok()?;
        let results = 0..mlir_sys::mlirAffineMapGetNumResults(map);
        let results = results.map(|at| expression(mlir_sys::mlirAffineMapGetResult(map, at)));
        Some((inputs, results.collect::<Option<_>>()?))
    }
}

/// # Safety
/// The expression is live.
unsafe fn expression(expr: MlirAffineExpr) -> Option<Expression> {
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
        if !mlir_sys::mlirAffineExprIsABinary(expr) {
            return None;
        }
        let left = expression(mlir_sys::mlirAffineBinaryOpExprGetLHS(expr))?;
        let right = expression(mlir_sys::mlirAffineBinaryOpExprGetRHS(expr))?;
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
        } else if mlir_sys::mlirAffineExprIsAMod(expr) {
            Some(Expression::Remainder(left, number))
        } else {
            None
        }
    }
}
