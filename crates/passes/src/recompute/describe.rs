//! Remarks.

use super::{codes, work::Outcome};
use memplan_declarations::recompute::DECLARATION;
use memplan_mlir::{
    diagnostics::{Diagnostic, Outcome as Status, collects_remarks, optimization_remark},
    ir::{Op, symbol_name},
    melior::ir::operation::OperationLike,
};

/// Emits a remark at each buffer that is computed again, and at those that are held at the peak: as a diagnostic with
/// `diagnostics`, and to MLIR's remark engine if that is enabled.
pub fn remarks(function: Op<'_>, outcome: &Outcome<'_>, diagnostics: bool) {
    let pass = DECLARATION.argument;
    let collects = collects_remarks(function, pass);
    if !diagnostics && !collects {
        return;
    }
    let name = symbol_name(function);
    let recomputed = outcome.recomputed.iter().map(|one| {
        let (repeated, all) = one.iterations;
        let text = format!(
            "computed again before a late use: {} {}, {repeated} iterations ({}% of the function); {} bytes are not held in \
             between; {} bytes are planned, {} before",
            one.operations,
            if one.operations == 1 { "operation" } else { "operations" },
            percent(repeated, all),
            one.size,
            outcome.after,
            outcome.before,
        );
        (codes::RECOMPUTED, Status::Passed, "recomputed", one.producer, text)
    });
    let held = outcome.held.iter().map(|one| {
        let refusal = one.refusal;
        let text = format!(
            "held at the peak: {} bytes that no operation uses there are not computed again: {} [{}]",
            one.size,
            refusal.text(),
            refusal.id()
        );
        (codes::HELD, Status::Missed, refusal.id(), one.alloc, text)
    });
    for (code, status, kind, op, text) in recomputed.chain(held) {
        if collects {
            let location = op.location();
            optimization_remark(code, status, location, pass, kind, &name, || text.clone());
        }
        if diagnostics {
            Diagnostic::new(code, op.location(), text).emit();
        }
    }
}

/// A part in percent, with one decimal, rounded up.
fn percent(part: u64, all: u64) -> String {
    let tenths = (u128::from(part) * 1000).div_ceil(u128::from(all.max(1)));
    format!("{}.{}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn percents_are_rounded_up() {
        assert_eq!(percent(0, 0), "0.0");
        assert_eq!(percent(1, 1_000_000), "0.1");
        assert_eq!(percent(30, 1000), "3.0");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.0");
    }
}
