//! `memplan-check-tree`: whether a function is a tree of straight lines.
//!
//! Four things are looked for: no loop, neither of blocks nor as an operation; no block with two predecessors;
//! no branch that joins again, so that each return ends one path; and no memory of a size that only the run
//! knows, so that every value can have its place.

use crate::{
    bounded::{
        MOVE,
        constants::{evaluate, nothing},
        loops::is_counted,
    },
    functions,
};
use memplan_mlir::{
    calls, diagnostics,
    ir::{
        Block, Identity, Key, Op, Region, arguments, blocks, operands, ops, successors, terminator,
    },
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    pass::{Declaration, Example, Failed, Pass, Run},
};
use rustc_hash::FxHashMap;

/// The pass.
pub struct CheckTree;

impl Pass for CheckTree {
    const DECLARATION: &'static Declaration = &Declaration {
        argument: "memplan-check-tree",
        summary: "Check that functions are trees of straight lines: no loops, no joins, a path for each return",
        description: "\
Behind `memplan-expand-loops` and `memplan-treeify` a function has no loop, no block with more than one predecessor, \
none but the first with arguments, no branch whose arms join again, and no allocation of a size that only the run knows. \
What is otherwise is an error where it stands. Loops in operations that are one step (`linalg.generic`, a move of \
memory by `memplan-tree-scan`) are not the function's.",
        example: Example {
            before: "\
func.func @f(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb1
^bb1:
  return
}",
            after: "error: memplan-check-tree: the block is reached in 2 ways",
        },
        options: &[],
        statistics: &[],
        dialects: &[],
        module_only: false,
    };

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let result = functions::visit_all(run.op, check);
        run.preserve_all();
        result
    }
}

/// An error at each thing that a tree of straight lines does not have.
pub fn check(function: Op<'_>) -> Result<(), Failed> {
    let Some(body) = calls::function_body(function) else {
        return Ok(());
    };
    let faults = faults(function, body, &mut Names::default());
    for (op, what) in &faults {
        let message = format!("{}: {what}", CheckTree::DECLARATION.argument);
        diagnostics::error(op.location(), message).emit();
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Failed)
    }
}

/// What a tree of straight lines does not have, in the order of the text.
pub fn faults<'c>(function: Op<'c>, body: Region<'c>, names: &mut Names) -> Vec<(Op<'c>, String)> {
    let mut faults = Vec::new();
    let mut ways: FxHashMap<Key, usize> = FxHashMap::default();
    for block in blocks(body) {
        for target in terminator(block).into_iter().flat_map(successors) {
            *ways.entry(target.key()).or_default() += 1;
        }
    }
    let reached = reached(body);
    for (number, block) in blocks(body).enumerate() {
        let at = ops(block).next().unwrap_or(function);
        let count = ways.get(&block.key()).copied().unwrap_or(0);
        if number == 0 && count > 0 {
            faults.push((at, "control comes back to the first block".to_owned()));
        } else if number > 0 {
            match count {
                0 => faults.push((at, "the block is never reached".to_owned())),
                1 if !reached.contains_key(&block.key()) => {
                    faults.push((at, "the block is in a loop".to_owned()));
                }
                1 => {}
                _ => faults.push((at, format!("the block is reached in {count} ways"))),
            }
            if arguments(block).next().is_some() {
                faults.push((at, "the block has arguments".to_owned()));
            }
        }
        faults.extend(ops(block).filter_map(|op| Some((op, fault(op, names)?.to_owned()))));
    }
    faults
}

fn reached<'c>(body: Region<'c>) -> FxHashMap<Key, ()> {
    let mut reached = FxHashMap::default();
    let mut open: Vec<Block<'c>> = blocks(body).take(1).collect();
    while let Some(block) = open.pop() {
        if reached.insert(block.key(), ()).is_none() {
            open.extend(terminator(block).into_iter().flat_map(successors));
        }
    }
    reached
}

fn fault<'c>(op: Op<'c>, names: &mut Names) -> Option<&'static str> {
    let info = names.info(op);
    match info.known {
        known if is_counted(known) && !op.has_attribute(MOVE) => Some("there is a loop"),
        Known::ScfWhile => Some("there is a loop"),
        Known::ScfIf | Known::AffineIf | Known::ScfIndexSwitch | Known::ScfExecuteRegion => {
            Some("there is a branch that joins again")
        }
        Known::Branch => Some("there is a block that only goes on"),
        Known::Alloc | Known::Alloca if operands(op).next().is_some() => {
            let is_constant = |size| evaluate(size, names, &nothing).is_some();
            Some(match operands(op).all(is_constant) {
                true => {
                    "there is an allocation of a size that follows from constants: memplan-treeify \
                     gives it a type that says so"
                }
                false => "there is an allocation of a size that only the run knows",
            })
        }
        _ => None,
    }
}
