//! Calls that donate memory: nothing else may pass it, and nothing may use it afterwards.

use super::{codes::MISUSED, read::Positions};
use memplan_lifetimes::{
    Analysis,
    program::{UseKind, ValueId},
};
use memplan_mlir::{
    calls::{call_arguments, callee},
    diagnostics::Diagnostic,
    ir::{Identity, Key, Op, Val, is_memref, operands, parent_block, type_of},
    melior::ir::operation::OperationLike,
    pass::Failed,
};
use memplan_semantics::{Semantics, attributes};
use rustc_hash::FxHashMap;

/// Checks the calls of a function, as far as it is certain what is the same memory, and what is executed afterwards.
pub fn check(analysis: &Analysis<'_>, semantics: &mut Semantics) -> Result<(), Failed> {
    let ops = analysis.handles.ops.iter();
    let calls: Vec<Op<'_>> = ops
        .map(|(_, op)| *op)
        .filter(|op| semantics.of(*op).is_call)
        .filter(|op| callee(*op).is_some_and(attributes::may_describe_arguments))
        .collect();
    // What shares an arena is the business of `memplan-verify`.
    if calls.is_empty() || analysis.program.has_arena {
        return Ok(());
    }
    let positions = Positions::of(analysis);
    let values = analysis.handles.values.iter().enumerate();
    let ids = values.map(|(at, value)| (value.key(), ValueId::new(at)));
    let checker = Checker {
        analysis,
        positions,
        ids: ids.collect(),
    };
    let mut result = Ok(());
    for call in calls {
        result = result.and(checker.call(call));
    }
    result
}

struct Checker<'a, 'c> {
    analysis: &'a Analysis<'c>,
    positions: Positions,
    ids: FxHashMap<Key, ValueId>,
}

impl<'c> Checker<'_, 'c> {
    fn call(&self, call: Op<'c>) -> Result<(), Failed> {
        let (Some(callee), Some(range)) = (callee(call), call_arguments(call)) else {
            return Ok(());
        };
        let given: Vec<Val<'c>> = operands(call).collect();
        let given = &given[range];
        for (place, value) in given.iter().enumerate() {
            if !is_memref(type_of(*value)) || !attributes::is_donated(callee, place) {
                continue;
            }
            let Some(base) = self.base(*value) else {
                continue;
            };
            let mut others = given
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place);
            if let Some((other, _)) = others.find(|(_, value)| self.base(**value) == Some(base)) {
                let text =
                    format!("argument {place} is donated, and its memory is argument {other}, too");
                Diagnostic::new(MISUSED, call.location(), text).emit();
                return Err(Failed);
            }
            if let Some(later) = self.later_use(call, base) {
                let text =
                    format!("argument {place} is donated, but its memory is used after the call");
                Diagnostic::new(MISUSED, call.location(), text)
                    .note(later.location(), "it is used here")
                    .emit();
                return Err(Failed);
            }
        }
        Ok(())
    }

    /// The allocation, argument or merge that a value is a view of.
    fn base(&self, value: Val<'c>) -> Option<ValueId> {
        let id = self.ids.get(&value.key())?;
        Some(self.analysis.aliases.base(*id))
    }

    /// An operation after the call, in the same block, that reads this memory other than by a result, before anything writes it.
    fn later_use(&self, call: Op<'c>, base: ValueId) -> Option<Op<'c>> {
        let block = parent_block(call)?;
        let position = self.positions.in_block(call, block)?;
        let uses = &self.analysis.program.uses;
        let start = uses.partition_point(|used| used.position <= position);
        let mut later = uses[start..].iter().filter(|used| {
            matches!(used.kind, UseKind::Touch | UseKind::Overwrite)
                && self.analysis.aliases.base(used.value) == base
        });
        let (used, op) = later.find_map(|used| {
            let op = self.analysis.handles.op_at(used.position)?;
            let at = self.positions.in_block(op, block)?;
            (at > position).then_some((used, op))
        })?;
        (!used.writes).then_some(op)
    }
}
