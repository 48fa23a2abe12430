//! Which operations can get more operands, arguments and results.

use memplan_mlir::ir::Op;
use memplan_semantics::names::{Names, OpKind};

/// Operations whose operands, arguments and results stay matched when one is added to the end of each.
pub fn grows(op: Op<'_>, names: &mut Names) -> bool {
    matches!(
        names.info(op).kind,
        OpKind::ScfFor
            | OpKind::ScfWhile
            | OpKind::ScfIf
            | OpKind::ScfIndexSwitch
            | OpKind::ScfExecuteRegion
            | OpKind::AffineFor
            | OpKind::AffineIf
            | OpKind::AllocaScope
    )
}
