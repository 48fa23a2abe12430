//! Donated arguments that the function cannot use as its own memory.

use super::{
    codes::{CAPTURED, OTHER_RESULT},
    donated_results::is_returned_alone,
};
use memplan_lifetimes::{
    Analysis, Reason,
    program::{ValueId, ValueKind},
};
use memplan_mlir::{
    codes::Code,
    diagnostics::Diagnostic,
    ir::{Op, type_of},
    layout::memory_space,
    melior::ir::operation::OperationLike,
    pass::Failed,
    symbols,
};
use memplan_semantics::{Readings, Semantics, attributes};

/// Checks the arguments that `memplan.donated` marks. `is_function`: the pass runs on one function, and does not see what the
/// others do with them.
pub fn check<'c>(
    functions: &[Op<'c>],
    readings: &Readings,
    is_function: bool,
    analyse: impl Fn(Op<'c>, &mut Semantics) -> Analysis<'c>,
) -> Result<(), Failed> {
    let mut result = Ok(());
    for function in functions {
        let problems = readings.with(*function, |semantics| {
            problems(*function, &analyse(*function, semantics), is_function)
        });
        for Problem { place, code, why } in problems {
            if symbols::has_argument_mark(*function, place, attributes::DONATED) {
                let text = format!("argument {place} is donated, but {why}");
                Diagnostic::new(code, function.location(), text).emit();
                result = Err(Failed);
            }
        }
    }
    result
}

/// Why an argument cannot be donated.
pub struct Problem {
    /// The number of the argument.
    pub place: usize,
    code: &'static Code,
    why: String,
}

/// The arguments of a function that cannot be donated.
pub fn problems(function: Op<'_>, analysis: &Analysis<'_>, is_function: bool) -> Vec<Problem> {
    let captured = match is_function {
        true => Vec::new(),
        false => captured(analysis),
    };
    let mut all = captured;
    all.extend(other_results(function, analysis));
    all
}

/// Arguments that are stored, or that a callee may keep: someone else has the memory then.
fn captured(analysis: &Analysis<'_>) -> Vec<Problem> {
    let program = &analysis.program;
    let captures = |reason: Reason| matches!(reason, Reason::Stored | Reason::KeptByCallee);
    let (_, escapes) = analysis.aliases.escapes(program, captures);
    let escapes = escapes.into_iter().enumerate();
    let found = escapes.filter_map(|(number, reason)| {
        Some(Problem {
            place: program.argument_places[number],
            code: CAPTURED,
            why: reason?.text().to_owned(),
        })
    });
    found.collect()
}

/// Arguments of which a result starts as a copy that cannot be the argument.
fn other_results(function: Op<'_>, analysis: &Analysis<'_>) -> Vec<Problem> {
    let program = &analysis.program;
    let kind = |of: ValueId| program.values[of.index()].kind;
    let mut found = Vec::new();
    for step in program.in_step.iter().filter(|step| step.copy.is_some()) {
        let (ValueKind::Argument(number), ValueKind::Alloc(buffer)) =
            (kind(step.read), kind(step.written))
        else {
            continue;
        };
        let place = program.argument_places[number as usize];
        let is_result = program.returned.iter().any(|(_, value)| {
            let mut buffers = analysis.aliases.buffers(*value);
            buffers.any(|one| one == buffer)
        });
        if !is_result || !is_returned_alone(analysis, buffer) {
            continue;
        }
        let [given, made] =
            [step.read, step.written].map(|value| type_of(analysis.handles.values[value.index()]));
        let needs = program.buffers[buffer.index()].alignment as i64;
        let has = symbols::argument_integer(function, place, attributes::LLVM_ALIGN)
            .filter(|has| needs > *has);
        let why = match has {
            _ if memory_space(given) != memory_space(made) => {
                "is in another memory space".to_owned()
            }
            Some(has) => format!("is aligned to {needs} bytes, and the argument to {has}"),
            None => continue,
        };
        found.push(Problem {
            place,
            code: OTHER_RESULT,
            why: format!("the result that starts as its copy {why}"),
        });
    }
    found
}
