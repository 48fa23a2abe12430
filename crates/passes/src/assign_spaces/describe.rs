//! Errors and remarks.

use super::{
    settings::{Settings, Space},
    work::{Error, Outcome, Short},
};
use crate::{codes::INTERNAL, failure::fail, memory_spaces::names::space_name};
use memplan_declarations::assign_spaces::{DECLARATION, codes};
use memplan_machine::Cost;
use memplan_mlir::{
    diagnostics::{
        Diagnostic, Outcome as Status, collects_remarks, known_location, optimization_remark,
    },
    ir::{Op, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_report::{CostReport, FunctionReport};

/// Most allocations that an error names.
const MOST_NAMED: usize = 8;

/// Emits the error of a function.
pub fn error(function: Op<'_>, error: &Error<'_>, settings: &Settings) {
    match error {
        Error::Short(short) => short
            .iter()
            .for_each(|one| too_small(function, one, settings)),
        Error::None { is_certain } => {
            let limits = settings.spaces.iter().filter_map(|space| {
                let limit = space.limit?;
                Some(format!("{limit} bytes of {}", name(space)))
            });
            let limits: Vec<String> = limits.collect();
            let limits = limits.join(", ");
            let message = match is_certain {
                true => format!("no assignment keeps all limits: {limits}"),
                false => format!("no assignment was found that keeps all limits: {limits}"),
            };
            fail(function, codes::SHORT, message);
        }
        Error::Internal => {
            fail(
                function,
                INTERNAL,
                "the assignment of spaces cannot be written",
            );
        }
    }
}

fn too_small(function: Op<'_>, short: &Short<'_>, settings: &Settings) {
    let space = &settings.spaces[short.shortage.space];
    let op = short.at.unwrap_or(function);
    let message = format!(
        "needs {} bytes of {} at once, which has {}",
        short.shortage.bytes,
        name(space),
        short.shortage.capacity
    );
    let mut diagnostic = Diagnostic::new(codes::SHORT, known_location(op), message);
    let mut buffers = short.buffers.clone();
    buffers.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    for (alloc, size) in buffers.iter().take(MOST_NAMED) {
        diagnostic = diagnostic.note(alloc.location(), format!("{size} bytes are needed there"));
    }
    for (bytes, whose) in [(short.callees, "callees"), (short.callers, "callers")] {
        if bytes > 0 {
            let text = format!("{whose} need {bytes} bytes at the same time");
            diagnostic = diagnostic.note(function.location(), text);
        }
    }
    let known: u64 = buffers.iter().map(|(_, size)| size).sum();
    let known = known + short.callees + short.callers;
    let others = short.shortage.bytes.saturating_sub(known);
    if others > 0 {
        let text = format!("{others} bytes are in no arena, or in arenas of nested bodies");
        diagnostic = diagnostic.note(op.location(), text);
    }
    if buffers.len() > MOST_NAMED {
        let text = format!("and {} more buffers", buffers.len() - MOST_NAMED);
        diagnostic = diagnostic.note(op.location(), text);
    }
    if let Some(place) = &space.place {
        diagnostic = diagnostic.note(
            op.location(),
            format!("{place}: the space is described here"),
        );
    }
    diagnostic.emit();
}

fn name(space: &Space) -> String {
    match space_name(&space.memory_space) {
        "default" => "the default memory space".to_owned(),
        name => format!("memory space {name}"),
    }
}

/// The report of a function.
pub fn report(function: Op<'_>, costs: Option<CostReport>) -> FunctionReport {
    FunctionReport {
        name: symbol_name(function),
        costs,
        ..FunctionReport::default()
    }
}

/// Emits a remark at each buffer that is in another space, or not in one for life, and one for the function.
pub fn remarks(function: Op<'_>, outcome: &Outcome<'_>, settings: &Settings) {
    let pass = DECLARATION.argument;
    let collects = collects_remarks(function, pass);
    if outcome.moved.is_empty() || (!settings.remarks && !collects) {
        return;
    }
    let function_name = symbol_name(function);
    let of = |space: &usize| space_name(&settings.spaces[*space].memory_space).to_owned();
    let moved = outcome.moved.iter().map(|one| {
        let spaces: Vec<String> = one.spaces.iter().map(of).collect();
        let mut text = match &spaces[..] {
            [space] => format!("{} bytes are in memory space {space}", one.size),
            all => format!(
                "{} bytes are in memory spaces {}, one after the other",
                one.size,
                all.join(", ")
            ),
        };
        if one.again > 0 {
            text += &format!(", and computed again ({})", one.again);
        }
        (codes::ASSIGNED, Status::Passed, "assigned", one.alloc, text)
    });
    let cost = |cost: u128| Cost(u64::try_from(cost).unwrap_or(u64::MAX)).to_string();
    let proof = match outcome.bound {
        0 if outcome.cost > 0 => "not proven".to_owned(),
        bound if bound < outcome.cost => format!("at least {}", cost(bound)),
        _ => "the least possible".to_owned(),
    };
    let repeated = match outcome.repeated {
        0 => String::new(),
        count => format!("{count} operations repeated; "),
    };
    let beside = match outcome.beside {
        0 => String::new(),
        count => format!(", {count} of them beside operations"),
    };
    let text = format!(
        "{} copies of {} bytes between memory spaces{beside}; {repeated}buffers cost {} {}, {proof}; without limits {}",
        outcome.copies,
        outcome.bytes,
        cost(outcome.cost),
        settings.unit,
        cost(outcome.unlimited),
    );
    let total = (codes::TOTAL, Status::Passed, "total", function, text);
    for (code, status, kind, op, text) in moved.chain([total]) {
        if collects {
            let location = op.location();
            optimization_remark(code, status, location, pass, kind, &function_name, || {
                text.clone()
            });
        }
        if settings.remarks {
            Diagnostic::new(code, op.location(), text).emit();
        }
    }
}
