//! Faults in workgroup memory.

use memplan_mlir::{
    codes::Code, diagnostics::Diagnostic, ir::Op, melior::ir::operation::OperationLike,
};

/// A fault, at an operation.
pub struct WorkgroupFault<'c> {
    code: &'static Code,
    op: Op<'c>,
    text: String,
    note: Option<(Op<'c>, &'static str)>,
}

impl<'c> WorkgroupFault<'c> {
    pub(super) fn new(code: &'static Code, op: Op<'c>, text: String) -> Self {
        Self {
            code,
            op,
            text,
            note: None,
        }
    }

    pub(super) fn note(mut self, op: Op<'c>, text: &'static str) -> Self {
        self.note = Some((op, text));
        self
    }

    /// Reports the fault.
    pub fn emit(&self) {
        let mut diagnostic = Diagnostic::new(self.code, self.op.location(), &self.text);
        if let Some((op, text)) = self.note {
            diagnostic = diagnostic.note(op.location(), text);
        }
        diagnostic.emit();
    }
}
