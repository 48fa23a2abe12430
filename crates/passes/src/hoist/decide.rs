//! Decides which allocations move, and before which loops.

use memplan_lifetimes::{Analysis, program::BufferId};
use memplan_mlir::{
    build::Compare,
    ir::{
        Block, Identity, Op, Origin, Val, block_parent, blocks, operands, origin, parent,
        parent_block, regions,
    },
};
use memplan_semantics::{Form, Loop, Semantics, constants::no_known_values, loops::Bound};

/// An allocation to move.
pub struct Move<'c> {
    /// The allocation.
    pub alloc: Op<'c>,
    /// The loop before which it is placed.
    pub before: Op<'c>,
    /// Operations in the loop that compute its sizes, and the bounds that are compared. They move first, in
    /// this order.
    pub computed: Vec<Op<'c>>,
    /// Comparisons that all hold if the allocation executes.
    pub conditions: Vec<Condition<'c>>,
    /// Deallocations of it in the loop.
    pub frees: Vec<Op<'c>>,
}

/// A comparison of the bounds of a loop: the loop has an iteration if it holds.
#[derive(Clone, Copy)]
pub struct Condition<'c> {
    pub how: Compare,
    pub lower: Val<'c>,
    pub upper: Val<'c>,
}

/// Allocations of a function to move, in program order.
pub fn decide<'c>(analysis: &Analysis<'c>, semantics: &mut Semantics) -> Vec<Move<'c>> {
    // An allocation with older instances needs one buffer for each iteration.
    let alone = analysis
        .plannable
        .iter()
        .filter(|plannable| plannable.carried.is_empty())
        .map(|plannable| plannable.buffer);
    let is_dynamic = |buffer: &BufferId| analysis.program.buffers[buffer.index()].dynamic.is_some();
    alone
        .filter(is_dynamic)
        .filter_map(|buffer| one(analysis, buffer, semantics))
        .collect()
}

fn one<'c>(
    analysis: &Analysis<'c>,
    buffer: BufferId,
    semantics: &mut Semantics,
) -> Option<Move<'c>> {
    let alloc = analysis.handles.buffers[buffer.index()];
    let frees = frees(analysis, buffer)?;
    let mut needed: Vec<Val<'c>> = operands(alloc).collect();
    let mut conditions = Vec::new();
    let mut computed = Vec::new();
    let mut before = None;
    let mut block = parent_block(alloc)?;
    while let Some((around, condition)) = loop_of(block, semantics) {
        // Bounds of an inner loop have to be known before the outer one, too.
        needed.extend(condition.iter().flat_map(|one| [one.lower, one.upper]));
        let Some(moved) = movable(&needed, around, semantics) else {
            break;
        };
        computed = moved;
        conditions.extend(condition);
        before = Some(around);
        block = parent_block(around)?;
    }
    Some(Move {
        alloc,
        before: before?,
        computed,
        conditions,
        frees,
    })
}

/// Deallocations of a buffer, if all are in the block that allocates it and nothing else frees it.
fn frees<'c>(analysis: &Analysis<'c>, buffer: BufferId) -> Option<Vec<Op<'c>>> {
    let (program, aliases) = (&analysis.program, &analysis.aliases);
    let mut frees = Vec::new();
    for (fact, op) in program.deallocs.iter().zip(&analysis.handles.deallocs) {
        if aliases.buffers(fact.value).any(|one| one == buffer) {
            let is_alone =
                !aliases.is_external(fact.value) && aliases.buffers(fact.value).count() == 1;
            if !is_alone || fact.block != program.buffers[buffer.index()].block {
                return None;
            }
            frees.push(*op);
        }
    }
    Some(frees)
}

/// The sequential loop of which an iteration executes a block once, and the condition for an iteration.
/// `None` if there is no such loop, or it never iterates.
fn loop_of<'c>(
    block: Block<'c>,
    semantics: &mut Semantics,
) -> Option<(Op<'c>, Option<Condition<'c>>)> {
    let around = block_parent(block)?;
    if semantics.form(around) == Form::Repeated {
        // The first region executes once more than the second.
        let first = blocks(regions(around).next()?).next()?;
        return (first == block).then_some((around, None));
    }
    let found = Loop::of(around, semantics)?;
    let only = found.only_dimension()?;
    match (
        found.counted(semantics, &no_known_values),
        &only.lower,
        &only.upper,
    ) {
        (Ok(iterations), ..) => (iterations.count > 0).then_some((around, None)),
        (Err(_), Bound::Value(lower), Bound::Value(upper)) => {
            let how = match only.unsigned {
                true => Compare::UnsignedLess,
                false => Compare::Less,
            };
            let (lower, upper) = (*lower, *upper);
            Some((around, Some(Condition { how, lower, upper })))
        }
        (Err(_), ..) => None,
    }
}

/// Largest number of operations that are moved for one allocation.
const MOST_COMPUTED: usize = 64;

/// Operations in a loop that compute values, operands first; `None` if one of them must not execute before
/// the loop.
fn movable<'c>(
    values: &[Val<'c>],
    around: Op<'c>,
    semantics: &mut Semantics,
) -> Option<Vec<Op<'c>>> {
    let mut order: Vec<Op<'c>> = Vec::new();
    // Each value, and whether its operands were visited.
    let mut work: Vec<(Val<'c>, bool)> = values.iter().map(|value| (*value, false)).collect();
    while let Some((value, is_ready)) = work.pop() {
        if is_outside(value, around) {
            continue;
        }
        let Some(Origin::Result(op, _)) = origin(value) else {
            return None;
        };
        if order.iter().any(|one| one.key() == op.key()) {
            continue;
        }
        if is_ready {
            order.push(op);
        } else if work.len() < MOST_COMPUTED && semantics.is_safe_to_speculate(op) {
            work.push((value, true));
            work.extend(operands(op).map(|operand| (operand, false)));
        } else {
            return None;
        }
        if order.len() > MOST_COMPUTED {
            return None;
        }
    }
    Some(order)
}

/// Whether a value is defined outside of an operation.
pub(super) fn is_outside(value: Val<'_>, around: Op<'_>) -> bool {
    let mut at = match origin(value) {
        Some(Origin::Result(op, _)) => Some(op),
        Some(Origin::Argument(block, _)) => block_parent(block),
        None => return false,
    };
    while let Some(op) = at {
        if op.key() == around.key() {
            return false;
        }
        at = parent(op);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_function::{named, with_function};
    use memplan_lifetimes::{AnalysisOptions, NoCallees, analyse_with_options};
    use memplan_mlir::melior::ir::operation::OperationLike;

    /// Names of the operations before which allocations move, with how many operations move along and how many
    /// comparisons there are.
    fn decided(body: &str) -> Vec<(String, usize, usize)> {
        let text = format!(
            "func.func @f(%n: index, %c: i1, %x: memref<?xf32>) {{
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %c4 = arith.constant 4 : index
              {body}
              return
            }}"
        );
        with_function(&text, |function| {
            let mut semantics = Semantics::default();
            let wanted = AnalysisOptions {
                dynamic: true,
                ..AnalysisOptions::default()
            };
            let callees = NoCallees::new(false);
            let analysis = analyse_with_options(function, &mut semantics, &callees, &wanted);
            let moves = decide(&analysis, &mut semantics);
            let name = |op: Op<'_>| {
                let name = op.name();
                name.as_string_ref().as_str().unwrap_or_default().to_owned()
            };
            moves
                .iter()
                .map(|one| (name(one.before), one.computed.len(), one.conditions.len()))
                .collect()
        })
    }

    const USE: &str = "
        memref.copy %x, %a : memref<?xf32> to memref<?xf32>
        memref.copy %a, %x : memref<?xf32> to memref<?xf32>";

    #[test]
    fn a_loop_of_constant_bounds_needs_no_comparison() {
        let body = format!(
            "scf.for %i = %c0 to %c4 step %c1 {{ %a = memref.alloc(%n) : memref<?xf32> {USE} }}"
        );
        assert_eq!(decided(&body), [("scf.for".to_owned(), 0, 0)]);
    }

    #[test]
    fn a_loop_that_may_not_run_needs_one() {
        let body = format!(
            "scf.for %i = %c0 to %n step %c1 {{ %a = memref.alloc(%n) : memref<?xf32> {USE} }}"
        );
        assert_eq!(decided(&body), [("scf.for".to_owned(), 0, 1)]);
    }

    #[test]
    fn a_size_that_is_computed_in_the_loop_moves_along() {
        let body = format!(
            "scf.for %i = %c0 to %c4 step %c1 {{
              %s = arith.addi %n, %c1 : index
              %a = memref.alloc(%s) : memref<?xf32> {USE}
            }}"
        );
        assert_eq!(decided(&body), [("scf.for".to_owned(), 1, 0)]);
    }

    #[test]
    fn a_size_of_the_iteration_stays() {
        let body = format!(
            "scf.for %i = %c0 to %c4 step %c1 {{ %a = memref.alloc(%i) : memref<?xf32> {USE} }}"
        );
        assert_eq!(decided(&body), []);
    }

    #[test]
    fn a_branch_in_between_keeps_it_inside() {
        let body = format!(
            "scf.for %i = %c0 to %c4 step %c1 {{
              scf.if %c {{ %a = memref.alloc(%n) : memref<?xf32> {USE} }}
            }}"
        );
        assert_eq!(decided(&body), []);
    }

    #[test]
    fn values_of_a_loop_are_not_outside_of_it() {
        let text = "
            func.func @f(%n: index, %c0: index, %c1: index) {
              scf.for %i = %c0 to %n step %c1 {
                %s = arith.addi %n, %i : index
                %t = arith.addi %s, %i : index
              }
              return
            }";
        with_function(text, |function| {
            let around = named(function, "scf.for")[0];
            let adds = named(function, "arith.addi");
            let outside = |op: Op<'_>| -> Vec<bool> {
                operands(op).map(|one| is_outside(one, around)).collect()
            };
            assert_eq!(outside(adds[0]), [true, false]);
            assert_eq!(outside(adds[1]), [false, false]);
        });
    }
}
