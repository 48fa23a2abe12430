//! Globals, and the operations whose results are their memory.

use crate::semantics::Semantics;
use memplan_mlir::{
    attributes::{SharedAttribute, is_unit, is_zero_splat, splat},
    calls::flat_name,
    ir::Op,
    melior::ir::operation::OperationLike,
};

/// The contents of a global that may be written, at the start of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitialContents {
    /// Another module defines the global.
    Elsewhere,
    /// Any.
    Undefined,
    /// Zeros.
    Zero,
    /// Other ones.
    Given,
}

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
    /// Whether `op` declares a constant global.
    pub fn is_constant_global(&mut self, op: Op<'_>) -> bool {
        let attributes = self.table_facts(op).global;
        attributes.is_some_and(|attributes| op.has_attribute(attributes.constant))
    }

    /// If `op` declares a global that may be written: its contents at the start.
    pub fn mutable_global(&mut self, op: Op<'_>) -> Option<InitialContents> {
        let attributes = self.table_facts(op).global?;
        if op.has_attribute(attributes.constant) {
            return None;
        }
        let Ok(contents) = op.attribute(attributes.contents) else {
            return Some(InitialContents::Elsewhere);
        };
        Some(if is_unit(contents) {
            InitialContents::Undefined
        } else if is_zero_splat(contents) {
            InitialContents::Zero
        } else {
            InitialContents::Given
        })
    }
}
