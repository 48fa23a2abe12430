//! Evaluation of affine maps on constants, and what simple ones compute.

use crate::ir::Op;
use melior::ir::{AttributeLike, operation::OperationLike};
use mlir_sys::{MlirAffineExpr, MlirAffineMap};

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

/// The results of the affine map in `attribute` of `op`, if each is an operand plus a constant: the number of the operand,
/// dimensions first, and the constant.
pub fn shifted(op: Op<'_>, attribute: &str) -> Option<Vec<(usize, i64)>> {
    let attribute = op.attribute(attribute).ok()?;
    // SAFETY: a live attribute, whose kind is checked first; positions are below the counts.
    unsafe {
        if !mlir_sys::mlirAttributeIsAAffineMap(attribute.to_raw()) {
            return None;
        }
        let map: MlirAffineMap = mlir_sys::mlirAffineMapAttrGetValue(attribute.to_raw());
        let dims = mlir_sys::mlirAffineMapGetNumDims(map);
        (0..mlir_sys::mlirAffineMapGetNumResults(map))
            .map(|at| shifted_input(mlir_sys::mlirAffineMapGetResult(map, at), dims))
            .collect()
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

/// The input that an expression is, and the constant that it adds.
///
/// # Safety
/// The expression is live.
unsafe fn shifted_input(expr: MlirAffineExpr, dims: isize) -> Option<(usize, i64)> {
    // SAFETY: the caller's promise; each query fits the kind that was checked first.
    unsafe {
        if mlir_sys::mlirAffineExprIsADim(expr) {
            let at = mlir_sys::mlirAffineDimExprGetPosition(expr);
            return Some((usize::try_from(at).ok()?, 0));
        }
        if mlir_sys::mlirAffineExprIsASymbol(expr) {
            let at = dims + mlir_sys::mlirAffineSymbolExprGetPosition(expr);
            return Some((usize::try_from(at).ok()?, 0));
        }
        if !mlir_sys::mlirAffineExprIsAAdd(expr) {
            return None;
        }
        // A simplified sum has its constant on the right.
        let right = mlir_sys::mlirAffineBinaryOpExprGetRHS(expr);
        if !mlir_sys::mlirAffineExprIsAConstant(right) {
            return None;
        }
        let by = mlir_sys::mlirAffineConstantExprGetValue(right);
        let (at, sum) = shifted_input(mlir_sys::mlirAffineBinaryOpExprGetLHS(expr), dims)?;
        Some((at, sum.checked_add(by)?))
    }
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
                let (input, 0) = shifted_input(expr, dims)? else {
                    return None;
                };
                found.1.push(input);
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
