//! Remarks.

use super::{
    codes,
    forms::{Dropped, Outcome},
    unknown::Along,
    work::WrittenChain,
};
use memplan_declarations::split::DECLARATION;
use memplan_mlir::{
    diagnostics::{Diagnostic, Outcome as Passed, collects_remarks, optimization_remark},
    ir::{Op, symbol_name},
    melior::ir::{Location, operation::OperationLike},
};

/// Emits a remark at each chain, and one at the operation that keeps the peak: as a diagnostic with `diagnostics`, and to MLIR's remark engine
/// if that is enabled.
pub fn remarks(function: Op<'_>, outcome: &Outcome<'_>, diagnostics: bool) {
    let pass = DECLARATION.argument;
    let collects = collects_remarks(function, pass);
    if !diagnostics && !collects {
        return;
    }
    let name = symbol_name(function);
    let unknown = outcome.unknown.iter().map(|chain| {
        let count = chain.operations;
        let one = match chain.along {
            Along::Items => "item by item",
            Along::Rows => "row by row",
        };
        let text = format!("split: {count} operations run {one}; {}", bytes(outcome));
        (chain.location, text)
    });
    let chains = outcome.chains.iter();
    let chains = chains.map(|chain| (chain.location, describe(chain, outcome)));
    for (location, text) in unknown.chain(chains) {
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
    if outcome.before == 0 {
        return;
    }
    let (location, text) = match kept(outcome) {
        Some((Some(location), text)) => (location, text),
        Some((None, text)) => (function.location(), text),
        None => return,
    };
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

fn describe(chain: &WrittenChain<'_>, outcome: &Outcome<'_>) -> String {
    let (chosen, facts) = (&chain.chosen, &chain.facts);
    let heights = chosen.splits.iter().map(|split| split.height.to_string());
    let heights: Vec<String> = heights.collect();
    let loops = chosen.splits.iter().map(|split| split.number.to_string());
    let loops: Vec<String> = loops.collect();
    let amounts = &facts.amounts;
    let strips = chosen.cost.strips;
    let repeated = match facts.repeated {
        0 => String::new(),
        count => format!("{count} iterations repeated, "),
    };
    let [unsplit, time] = chosen.times.map(|time| time as f64);
    format!(
        "split: {} operations along {} of {}, {strips} strips of {} rows with {:.1} operations each, {} bytes in {} \
         line buffers, {} bytes copied in a call, {repeated}{:.2} of the time by the model; they hold {} bytes instead of {}, and {}",
        chosen.operations,
        match &loops[..] {
            [one] => format!("loop {one}"),
            all => format!("loops {}", all.join(" and ")),
        },
        chain.seed,
        heights.join(" x "),
        amounts.executions as f64 / strips.max(1) as f64,
        amounts.line_bytes,
        amounts.line_buffers,
        amounts.copied,
        time / unsplit.max(1.0),
        facts.after,
        facts.before,
        bytes(outcome)
    )
}

fn bytes(outcome: &Outcome<'_>) -> String {
    let (after, before) = (outcome.after, outcome.before);
    let bound = bound(outcome);
    format!("the plan of the function takes {after} bytes instead of {before}{bound}")
}

fn bound(outcome: &Outcome<'_>) -> String {
    let bound = outcome.bound.as_ref();
    bound.map_or_else(String::new, |bound| bound.text(outcome.after))
}

/// Why the peak is no lower, and where; `None` if it is in a chain.
fn kept<'c>(outcome: &Outcome<'c>) -> Option<(Option<Location<'c>>, String)> {
    let (before, after) = (outcome.before, outcome.after);
    let is_whole = outcome.chains.is_empty() && outcome.unknown.is_empty();
    let start = match is_whole {
        true => format!("not split: the plan of the function takes {before} bytes"),
        false => format!("not split further: the plan of the function takes {after} bytes"),
    };
    let start = start + &bound(outcome);
    Some(match (&outcome.obstacle, outcome.dropped) {
        (_, Some(Dropped::Growth)) if is_whole => {
            let why = "with chains, it would have more operations than `max-code-growth` allows";
            (None, format!("{start}; {why}"))
        }
        (_, Some(Dropped::Unwritable)) if is_whole => {
            let why = "the code of a chain that was found needs other types or operations";
            (None, format!("{start}; {why}"))
        }
        (_, Some(Dropped::Fits)) if is_whole => (
            None,
            format!("{start}; the limits of memory spaces cost nothing"),
        ),
        (_, Some(Dropped::Cost)) if is_whole => (
            None,
            format!("{start}; within the limits, chains would cost more"),
        ),
        (Some(obstacle), _) => {
            let text = format!("{start}; {}", obstacle.text());
            (Some(obstacle.location), text)
        }
        (None, Some(Dropped::Plan(bytes))) if is_whole => {
            let text = format!("{start}; with chains, it takes {bytes}, or results hold more");
            (None, text)
        }
        (None, _) if is_whole => (None, format!("{start}; nothing in it can be split")),
        (None, _) => return None,
    })
}
