//! The operations that support memrefs of other strides, and the resulting types of their views.

use crate::{declared, semantics::Semantics, statement::Strides};
use memplan_mlir::{
    ir::{Op, Type},
    melior::ir::operation::OperationLike,
    strides::is_last_dim_unit_stride,
    structured_ops::is_structured_operand,
};

/// The effect on an operation if an operand gets another layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retyped<'c> {
    /// The operation becomes invalid, or is not known to do the same.
    Refuses,
    /// The operation does the same.
    Takes,
    /// The operation is a view, and its result gets this type.
    Views(Type<'c>),
}

/// The attribute that states the alignment of addresses. It does not hold for another address.
const ALIGNMENT: &str = "alignment";

impl Semantics {
    /// The effect on `op` if an operand gets the type `type`, which has the same shape and element type as the
    /// current one.
    pub fn retyped<'c>(&mut self, op: Op<'c>, operand: usize, r#type: Type<'c>) -> Retyped<'c> {
        let table = &self.facts(op).table;
        if table.is_described
            && let Some(any) = declared::any_strides(op)
        {
            return match any.contains(&(operand as u32)) {
                true => Retyped::Takes,
                false => Retyped::Refuses,
            };
        }
        if let Some(retype) = table.retypes {
            let view = if operand == 0 {
                retype(op, r#type)
            } else {
                None
            };
            return view.map_or(Retyped::Refuses, Retyped::Views);
        }
        let takes = match table.strides {
            None => false,
            Some(Strides::Structured) => is_structured_operand(op, operand),
            Some(_) if op.has_attribute(ALIGNMENT) => false,
            Some(Strides::Any) => true,
            Some(Strides::AnyOf(at)) => at as usize == operand,
            Some(Strides::UnitInnermost) => is_last_dim_unit_stride(r#type),
        };
        match takes {
            true => Retyped::Takes,
            false => Retyped::Refuses,
        }
    }
}
