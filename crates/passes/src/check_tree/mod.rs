//! `memplan-check-tree`: checks that the blocks of a function form a tree.
//!
//! It checks four conditions. There is no loop, neither an operation nor one of blocks. No block has two
//! predecessors. No branch merges again, so that each return ends one path. No memory has a dynamic size, so
//! that every value can have a fixed offset.

use crate::{
    block_graph::{BlockGraph, BlockId},
    bounded::{MOVE, sized::is_of_any_size},
    failure::fail_as,
};
use memplan_declarations::check_tree::codes;
use memplan_mlir::{
    calls,
    codes::Code,
    ir::{
        Identity, Key, Op, Region, arguments, blocks, operands, ops, regions, successors,
        terminator,
    },
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, Pass, Run},
};
use memplan_semantics::{
    Form, Semantics,
    constants::{evaluate, no_known_values},
    functions,
};
use rustc_hash::FxHashMap;

/// The pass.
pub struct CheckTree;

impl Pass for CheckTree {
    const DECLARATION: &'static Declaration = &memplan_declarations::check_tree::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let result = functions::visit_all(run.op, check);
        run.preserve_all();
        result
    }
}

/// Reports an error for each violation.
pub fn check(function: Op<'_>) -> Result<(), Failed> {
    let Some(body) = calls::function_body(function) else {
        return Ok(());
    };
    let faults = faults(function, body, &mut Semantics::default());
    let mut result = Ok(());
    for Fault { op, code, what } in faults {
        result = Err(fail_as::<CheckTree>(op, code, what));
    }
    result
}

/// A violation.
pub struct Fault<'c> {
    op: Op<'c>,
    code: &'static Code,
    what: String,
}

/// Violations of a function, in program order.
pub fn faults<'c>(function: Op<'c>, body: Region<'c>, semantics: &mut Semantics) -> Vec<Fault<'c>> {
    let mut faults = Vec::new();
    let mut add = |op, code, what: &str| {
        let what = what.to_owned();
        faults.push(Fault { op, code, what });
    };
    let mut predecessors: FxHashMap<Key, usize> = FxHashMap::default();
    for block in blocks(body) {
        for target in terminator(block).into_iter().flat_map(successors) {
            *predecessors.entry(target.key()).or_default() += 1;
        }
    }
    let reached = BlockGraph::of(body).reached();
    for (number, block) in blocks(body).enumerate() {
        let at = ops(block).next().unwrap_or(function);
        let count = predecessors.get(&block.key()).copied().unwrap_or(0);
        if number == 0 && count > 0 {
            add(at, codes::LOOP, "a branch goes back to the entry block");
        } else if number > 0 {
            match count {
                0 => add(at, codes::USELESS, "the block is unreachable"),
                1 if !reached.contains(BlockId::new(number)) => {
                    add(at, codes::LOOP, "the block is in a loop");
                }
                1 => {}
                _ => add(
                    at,
                    codes::JOIN,
                    &format!("the block has {count} predecessors"),
                ),
            }
            if arguments(block).next().is_some() {
                add(at, codes::JOIN, "the block has arguments");
            }
        }
        for op in ops(block) {
            if let Some((code, what)) = fault(op, semantics) {
                add(op, code, what);
            }
        }
    }
    faults
}

fn fault(op: Op<'_>, semantics: &mut Semantics) -> Option<(&'static Code, &'static str)> {
    match semantics.form(op) {
        Form::Counted if !op.has_attribute(MOVE) => Some((codes::LOOP, "the function has a loop")),
        Form::Repeated => Some((codes::LOOP, "the function has a loop")),
        Form::Choice | Form::Once if regions(op).next().is_some() => {
            Some((codes::JOIN, "the arms of the branch merge after it"))
        }
        Form::Jump => Some((codes::USELESS, "the block only branches to another one")),
        Form::Other if is_of_any_size(op, semantics) => {
            let is_constant = |size| evaluate(size, semantics, &no_known_values).is_some();
            let what = match operands(op).all(is_constant) {
                true => {
                    "the allocation has a dynamic type but a constant size: memplan-treeify \
                     makes the type static"
                }
                false => "the allocation has a dynamic size",
            };
            Some((codes::ANY_SIZE, what))
        }
        _ => None,
    }
}
