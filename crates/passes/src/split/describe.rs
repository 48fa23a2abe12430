//! Remarks.

use super::{
    codes,
    declaration::DECLARATION,
    work::{Outcome, WrittenChain},
};
use memplan_mlir::{
    diagnostics::{Diagnostic, Outcome as Passed, collects_remarks, optimization_remark},
    ir::{Op, symbol_name},
    melior::ir::operation::OperationLike,
};

/// Emits a remark at each chain, or one at the function: as a diagnostic with `diagnostics`, and to MLIR's remark engine
/// if that is enabled.
pub fn remarks(function: Op<'_>, outcome: &Outcome<'_>, diagnostics: bool) {
    let collects = collects_remarks(function);
    if !diagnostics && !collects {
        return;
    }
    let name = symbol_name(function);
    let pass = DECLARATION.argument;
    let items = outcome.items.iter().map(|items| {
        let count = items.operations;
        let text = format!(
            "split: {count} operations run item by item; {}",
            bytes(outcome)
        );
        (items.location, text)
    });
    let chains = outcome.chains.iter();
    let chains = chains.map(|chain| (chain.location, describe(chain, outcome)));
    for (location, text) in items.chain(chains) {
        if collects {
            let status = Passed::Passed;
            optimization_remark(codes::SPLIT, status, location, pass, "split", &name, || {
                text.clone()
            });
        }
        if diagnostics {
            Diagnostic::new(codes::SPLIT, location, text).emit();
        }
    }
    if outcome.chains.is_empty() && outcome.items.is_empty() && outcome.before > 0 {
        let text = reason(outcome);
        let location = function.location();
        if collects {
            let status = Passed::Missed;
            optimization_remark(codes::WHOLE, status, location, pass, "whole", &name, || {
                text.clone()
            });
        }
        if diagnostics {
            Diagnostic::new(codes::WHOLE, location, text).emit();
        }
    }
}

fn describe(chain: &WrittenChain<'_>, outcome: &Outcome<'_>) -> String {
    let chosen = &chain.chosen;
    let heights = chosen.splits.iter().map(|split| split.height.to_string());
    let heights: Vec<String> = heights.collect();
    format!(
        "split: {} operations, {} strips of {} rows, {} bytes copied in a call; {}",
        chosen.operations,
        chosen.cost.strips,
        heights.join(" x "),
        chosen.cost.copied,
        bytes(outcome)
    )
}

fn bytes(outcome: &Outcome<'_>) -> String {
    let (after, before) = (outcome.after, outcome.before);
    format!("the plan of the function takes {after} bytes instead of {before}")
}

fn reason(outcome: &Outcome<'_>) -> String {
    let most = outcome.refusals.iter().max_by_key(|(_, count)| **count);
    match most {
        Some((refusal, _)) => format!(
            "not split: no chain lowers the plan of {} bytes; mostly, {refusal}",
            outcome.before
        ),
        None => format!(
            "not split: no chain lowers the plan of {} bytes",
            outcome.before
        ),
    }
}
