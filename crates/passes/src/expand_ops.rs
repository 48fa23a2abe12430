//! `memplan-expand-ops`: loops in place of operations that MLIR's conversion to LLVM leaves.

use memplan_mlir::{
    expand::expand_ops,
    pass::{Declaration, Failed, Pass, Run},
};

/// The pass.
pub struct ExpandOps;

impl Pass for ExpandOps {
    const DECLARATION: &'static Declaration = &memplan_declarations::expand_ops::DECLARATION;

    fn new() -> Self {
        Self
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        let expanded = expand_ops(run.op);
        if expanded == 0 {
            run.preserve_all();
        }
        run.count(0, expanded);
        Ok(())
    }
}
