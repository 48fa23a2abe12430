//! Evaluation of affine maps on constants, and what simple ones compute.

use crate::ir::Op;
use melior::ir::{AttributeLike, operation::OperationLike};
use mlir_sys::{MlirAffineExpr, MlirAffineMap};
use smallvec::SmallVec;

/// The results of the affine map in `attribute` of `op` for these operands, dimensions first. `None` if there is no
/// such map, the number of operands differs, or a result does not fit 64 bits.
pub fn evaluate(op: Op<'_>, attribute: &str, operands: &[i64]) -> Option<Vec<i64>> {
    let attribute = op.attribute(attribute).ok()?;
    // SAFETY: a live attribute, whose kind is checked first; positions are below the counts.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(attribute.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(attribute.to_raw());
        let dims = usize::try_from(mlir_sys::mlirAffineMapGetNumDims(map)).ok()?;
        let inputs = usize::try_from(mlir_sys::mlirAffineMapGetNumInputs(map)).ok()?;
        if inputs != operands.len() {
            return None;
        }
        let (dims, symbols) = operands.split_at(dims);
        (0..mlir_sys::mlirAffineMapGetNumResults(map))
            .map(|at| expression(mlir_sys::mlirAffineMapGetResult(map, at), dims, symbols))
            .collect()
    }
}

/// A sum of numbers, each times a factor, and of a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearSum {
    /// Numbers of operands, dimensions first, with their factors.
    pub terms: SmallVec<[(usize, i64); 2]>,
    /// The constant.
    pub constant: i64,
}

/// The results of the affine map in `attribute` of `op`, if they are linear in its operands.
pub fn linear(op: Op<'_>, attribute: &str) -> Option<Vec<LinearSum>> {
    let attribute = op.attribute(attribute).ok()?;
    // SAFETY: a live attribute, whose kind is checked first; positions are below the counts.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(attribute.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(attribute.to_raw());
        let dims = mlir_sys::mlirAffineMapGetNumDims(map);
        let results = 0..mlir_sys::mlirAffineMapGetNumResults(map);
        let results = results.map(|at| {
            let mut sum = LinearSum::default();
            sum.add(mlir_sys::mlirAffineMapGetResult(map, at), dims, 1)?;
            Some(sum)
        });
        results.collect()
    }
}

impl LinearSum {
    /// Adds an expression times a factor; `None` if it is not linear.
    ///
    /// # Safety
    /// The expression is live.
    unsafe fn add(&mut self, expr: MlirAffineExpr, dims: isize, factor: i64) -> Option<()> {
        // SAFETY: the caller's promise; each query fits the kind that was checked first.
        unsafe {
            if let Some(at) = input(expr, dims) {
                self.terms.push((at, factor));
                return Some(());
            }
            if mlir_sys::mlirAffineExprIsAConstant(expr) {
                let constant = mlir_sys::mlirAffineConstantExprGetValue(expr);
                self.constant = self.constant.checked_add(constant.checked_mul(factor)?)?;
                return Some(());
            }
            let is_sum = mlir_sys::mlirAffineExprIsAAdd(expr);
            if !is_sum && !mlir_sys::mlirAffineExprIsAMul(expr) {
                return None;
            }
            let left = mlir_sys::mlirAffineBinaryOpExprGetLHS(expr);
            let right = mlir_sys::mlirAffineBinaryOpExprGetRHS(expr);
            if is_sum {
                self.add(left, dims, factor)?;
                return self.add(right, dims, factor);
            }
            // A simplified product has its constant on the right.
            if !mlir_sys::mlirAffineExprIsAConstant(right) {
                return None;
            }
            let by = mlir_sys::mlirAffineConstantExprGetValue(right);
            self.add(left, dims, factor.checked_mul(by)?)
        }
    }
}

/// The numbers of the dimensions that are the results of the affine map in `attribute` of `op`, if it permutes its
/// dimensions.
pub fn permutation(op: Op<'_>, attribute: &str) -> Option<Vec<u32>> {
    let attribute = op.attribute(attribute).ok()?;
    // SAFETY: a live attribute, whose kind is checked first; positions are below the counts.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(attribute.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(attribute.to_raw());
        if !mlir_sys::mlirAffineMapIsPermutation(map) {
            return None;
        }
        let results = 0..mlir_sys::mlirAffineMapGetNumResults(map);
        let results = results.map(|at| mlir_sys::mlirAffineMapGetResult(map, at));
        results
            .map(|result| u32::try_from(mlir_sys::mlirAffineDimExprGetPosition(result)).ok())
            .collect()
    }
}

/// The number of the input that an expression is, dimensions first.
///
/// # Safety
/// The expression is live.
unsafe fn input(expr: MlirAffineExpr, dims: isize) -> Option<usize> {
    // SAFETY: the caller's promise; each query fits the kind that was checked first.
    let at = unsafe {
        if mlir_sys::mlirAffineExprIsADim(expr) {
            mlir_sys::mlirAffineDimExprGetPosition(expr)
        } else if mlir_sys::mlirAffineExprIsASymbol(expr) {
            dims + mlir_sys::mlirAffineSymbolExprGetPosition(expr)
        } else {
            return None;
        }
    };
    usize::try_from(at).ok()
}

/// The only result of the affine map in `attribute` of `op`, if it is a product: a constant, and the numbers of operands,
/// dimensions first.
pub fn product(op: Op<'_>, attribute: &str) -> Option<(i64, Vec<usize>)> {
    let attribute = op.attribute(attribute).ok()?;
    // SAFETY: a live attribute, whose kind is checked first; positions are below the counts.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(attribute.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(attribute.to_raw());
        if mlir_sys::mlirAffineMapGetNumResults(map) != 1 {
            return None;
        }
        let dims = mlir_sys::mlirAffineMapGetNumDims(map);
        let mut found = (1_i64, Vec::new());
        let mut open = vec![mlir_sys::mlirAffineMapGetResult(map, 0)];
        while let Some(expr) = open.pop() {
            if mlir_sys::mlirAffineExprIsAConstant(expr) {
                let constant = mlir_sys::mlirAffineConstantExprGetValue(expr);
                found.0 = found.0.checked_mul(constant)?;
            } else if mlir_sys::mlirAffineExprIsAMul(expr) {
                open.push(mlir_sys::mlirAffineBinaryOpExprGetRHS(expr));
                open.push(mlir_sys::mlirAffineBinaryOpExprGetLHS(expr));
            } else {
                found.1.push(input(expr, dims)?);
            }
        }
        Some(found)
    }
}

/// Number of operands of the affine map in `attribute` of `op`: its dimensions and symbols.
pub fn inputs(op: Op<'_>, attribute: &str) -> Option<usize> {
    let attribute = op.attribute(attribute).ok()?;
    // SAFETY: as above.
    unsafe {
        let is_map = mlir_sys::mlirAttributeIsAAffineMap(attribute.to_raw());
        is_map.then(|| mlir_sys::mlirAffineMapAttrGetValue(attribute.to_raw()))
    }
    // SAFETY: a live map.
    .and_then(|map| usize::try_from(unsafe { mlir_sys::mlirAffineMapGetNumInputs(map) }).ok())
}

/// The value of an affine expression. `None` on overflow, or for division by a number that is not positive.
///
/// # Safety
/// The expression is live.
unsafe fn expression(expr: MlirAffineExpr, dims: &[i64], symbols: &[i64]) -> Option<i64> {
    // SAFETY: the caller's promise; each query fits the kind that was checked first.
    unsafe {
        if mlir_sys::mlirAffineExprIsAConstant(expr) {
            return Some(mlir_sys::mlirAffineConstantExprGetValue(expr));
        }
        if mlir_sys::mlirAffineExprIsADim(expr) {
            let at = usize::try_from(mlir_sys::mlirAffineDimExprGetPosition(expr)).ok()?;
            return dims.get(at).copied();
        }
        if mlir_sys::mlirAffineExprIsASymbol(expr) {
            let at = usize::try_from(mlir_sys::mlirAffineSymbolExprGetPosition(expr)).ok()?;
            return symbols.get(at).copied();
        }
        if !mlir_sys::mlirAffineExprIsABinary(expr) {
            return None;
        }
        let left = expression(mlir_sys::mlirAffineBinaryOpExprGetLHS(expr), dims, symbols)?;
        let right = expression(mlir_sys::mlirAffineBinaryOpExprGetRHS(expr), dims, symbols)?;
        if mlir_sys::mlirAffineExprIsAAdd(expr) {
            left.checked_add(right)
        } else if mlir_sys::mlirAffineExprIsAMul(expr) {
            left.checked_mul(right)
        } else if right <= 0 {
            None
        } else if mlir_sys::mlirAffineExprIsAMod(expr) {
            Some(left.rem_euclid(right))
        } else if mlir_sys::mlirAffineExprIsAFloorDiv(expr) {
            Some(left.div_euclid(right))
        } else if mlir_sys::mlirAffineExprIsACeilDiv(expr) {
            let floor = left.div_euclid(right);
            Some(floor + i64::from(left.rem_euclid(right) != 0))
        } else {
            None
        }
    }
}
