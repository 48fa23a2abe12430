//! Errors of plans with banks.

use super::{Rules, failure::BankFailure};
use crate::memory_spaces::names::space_name;
use crate::merge_alloc::{codes, decide_error::DecideError, settings::Settings};
use memplan_lifetimes::Analysis;
use memplan_mlir::{
    diagnostics::Diagnostic, ir::Op, melior::ir::operation::OperationLike, pass::Failed,
};
use memplan_planner::BankError;
use memplan_semantics::attributes::{ACROSS_BANKS, OPERANDS_APART};

/// Largest number of buffers that an error lists.
const MOST_LISTED: usize = 32;

/// Reports that no plan keeps the rules of banks, at the buffers or at the operation that are the reason.
pub fn explain<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    error: &DecideError,
    rules: &Rules,
    settings: &Settings,
) -> Option<Failed> {
    let DecideError::Banks {
        memory_space,
        failure,
        peak,
    } = error
    else {
        return None;
    };
    let space = space_name(memory_space);
    let buffer = |id: u64| {
        let index = usize::try_from(id).ok()?;
        analysis.handles.buffers.get(index).copied()
    };
    let at = |op: Op<'c>, text: String| Diagnostic::new(codes::NO_BANK, op.location(), text);
    let mut diagnostic = match failure {
        BankFailure::Buffer(BankError::Size { id, size, most }) => match buffer(*id) {
            Some(op) => at(
                op,
                format!(
                    "it has {size} bytes, and its banks of memory space {space} have at most {most}; `{ACROSS_BANKS}` lets it \
                     cross from a bank to the next one"
                ),
            ),
            None => at(
                function,
                format!(
                    "an arena of a callee or of a parallel body has {size} bytes, and the banks of memory space {space} have \
                     at most {most}"
                ),
            ),
        },
        BankFailure::Buffer(BankError::Fixed { id, offset }) => at(
            buffer(*id).unwrap_or(function),
            format!("its offset of {offset} is given, and it is not in its banks of memory space {space} there"),
        ),
        BankFailure::Buffer(BankError::FixedTogether(shared)) => at(
            buffer(shared.second).unwrap_or(function),
            format!(
                "its offset is given, in bank {} of memory space {space}, and so is that of a buffer from which it has to be \
                 apart",
                shared.bank
            ),
        )
        .note(
            buffer(shared.first).unwrap_or(function).location(),
            "the other one",
        ),
        BankFailure::Apart(ids) => {
            let members = |id: &u64| {
                let mut all = analysis.plannable.iter();
                all.position(|own| u64::from(own.buffer.0) == *id)
            };
            let members: Vec<Option<usize>> = ids.iter().map(members).collect();
            let mut rules = rules.apart.iter().filter(|rule| {
                let mut all = members.iter();
                all.all(|one| one.is_some_and(|one| rule.members.binary_search(&one).is_ok()))
            });
            let touching = rules.find_map(|rule| analysis.handles.op_at(rule.position?));
            let diagnostic = match touching {
                Some(op) => at(
                    op,
                    format!(
                        "`{OPERANDS_APART}`: memory space {space} has too few banks for its {} buffers",
                        ids.len()
                    ),
                ),
                None => at(
                    function,
                    format!(
                        "memory space {space} has too few banks for {} buffers that have to be apart",
                        ids.len()
                    ),
                ),
            };
            let listed = ids.iter().filter_map(|id| buffer(*id)).take(MOST_LISTED);
            listed.fold(diagnostic, |diagnostic, op| {
                diagnostic.note(op.location(), "apart from the others")
            })
        }
        failure => {
            let text = format!("memory space {space}: {failure}");
            peak.iter()
                .take(MOST_LISTED)
                .fold(at(function, text), |diagnostic, (place, size)| {
                    let own = analysis.plannable.get(*place);
                    let op = own.map(|own| analysis.handles.buffers[own.buffer.index()]);
                    let location = op.unwrap_or(function).location();
                    diagnostic.note(location, format!("live at the peak: {size} bytes"))
                })
        }
    };
    let described = settings.machine.as_ref();
    if let Some(note) = described.and_then(|machine| machine.banks_note(memory_space)) {
        diagnostic = diagnostic.note(function.location(), note);
    }
    diagnostic.emit();
    Some(Failed)
}
