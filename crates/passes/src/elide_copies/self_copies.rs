//! Copies of a memory to itself do nothing, and go.

use super::buffer_part::have_same_addresses;
use memplan_lifetimes::{Analysis, program::ValueId};
use memplan_mlir::ir::{Op, erase};
use memplan_semantics::Semantics;

/// Removes such copies; returns their number. `says` is called for each before the change. The analysis is invalid if there
/// are any.
pub fn run<'c>(analysis: &Analysis<'c>, semantics: &mut Semantics, says: impl Fn(Op<'c>)) -> usize {
    let value = |of: ValueId| analysis.handles.values[of.index()];
    let mut count = 0;
    for step in &analysis.program.in_step {
        let base = analysis.aliases.base(step.read);
        let is_itself = step.copy.is_some()
            && step.same_elements
            && base == analysis.aliases.base(step.written)
            && have_same_addresses(
                (value(step.read), value(base)),
                (value(step.written), value(base)),
                semantics,
            );
        if let Some(op) = analysis.handles.op_at(step.position).filter(|_| is_itself) {
            says(op);
            erase(op);
            count += 1;
        }
    }
    count
}
