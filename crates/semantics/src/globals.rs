//! Globals, and the operations whose results are their memory.

use crate::semantics::Semantics;
use memplan_mlir::{
    attributes::{SharedAttribute, splat},
    calls::flat_name,
    ir::Op,
    melior::ir::operation::OperationLike,
};

impl Semantics {
    /// The name of the global whose memory the result of `op` is.
    pub fn global_name(&mut self, op: Op<'_>) -> Option<String> {
        let attribute = self.table_facts(op).names_global?;
        flat_name(op.attribute(attribute).ok()?)
    }

    /// Whether `op` declares a constant global: the number that all of its elements are, or `None` in it if they differ.
    pub fn constant_global<'c>(&mut self, op: Op<'c>) -> Option<Option<SharedAttribute<'c>>> {
        let attributes = self.table_facts(op).global?;
        let is_constant = op.has_attribute(attributes.constant);
        is_constant.then(|| splat(op, attributes.contents).map(SharedAttribute::new))
    }
}
