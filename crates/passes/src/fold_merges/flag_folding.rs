//! Folds flags that constants determine, and selects between equal values.

use super::scan::{FoldCandidates, is_flag};
use memplan_mlir::{
    build::{BuildError, Builder, integer_value},
    ir::{Attribute, Identity, Op, Val, is_unused, operands, replace_all_uses, results, type_of},
    melior::ir::{attribute::IntegerAttribute, operation::OperationLike},
    values::{Folded, fold as folded},
};
use memplan_semantics::{Computes, Semantics};

/// Folds operations whose operands are constants or equal values, in textual order, so that chains fold. The
/// operations stay, without uses. Returns whether anything changed.
pub fn fold<'c>(
    candidates: &FoldCandidates<'c>,
    semantics: &mut Semantics,
) -> Result<bool, BuildError> {
    let mut is_changed = false;
    for op in &candidates.flag_ops {
        let Some(result) = results(*op).next().filter(|result| !is_unused(*result)) else {
            continue;
        };
        let Some(outcome) = outcome(*op, semantics) else {
            continue;
        };
        let to = match outcome {
            Folded::Value(value) if value.key() == result.key() => continue,
            Folded::Value(value) => value,
            Folded::Constant(_) if !is_flag(type_of(result)) => continue,
            Folded::Constant(constant) => {
                let Some(number) = integer_value(constant) else {
                    continue;
                };
                let builder =
                    Builder::before(*op, op.location()).ok_or_else(BuildError::unexpected)?;
                builder.boolean(number != 0)?
            }
        };
        if type_of(to) == type_of(result) {
            replace_all_uses(result, to);
            is_changed = true;
        }
    }
    Ok(is_changed)
}

fn outcome<'c>(op: Op<'c>, semantics: &mut Semantics) -> Option<Folded<'c>> {
    let all: Vec<Val<'c>> = operands(op).collect();
    let mut constant = |value: &Val<'c>| -> Option<Attribute<'c>> {
        let number = semantics.constant(*value)?;
        Some(IntegerAttribute::new(type_of(*value), number).into())
    };
    let given: Vec<Option<Attribute<'c>>> = all.iter().map(&mut constant).collect();
    let known = given.iter().flatten().count();
    let (one, other) = match all.as_slice() {
        [_, one, other] | [one, other] => (*one, *other),
        _ => return None,
    };
    // MLIR's folder copies the operation, so it is called only if some operand is known.
    let may_fold = match semantics.computed(op)? {
        Computes::Compare(..) => known == 2 || one == other,
        _ => known > 0 || one == other,
    };
    may_fold.then(|| folded(op, 0, &given)).flatten()
}
