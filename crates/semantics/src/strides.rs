//! Which operations take memrefs of other strides, and what their views of such are.

use crate::{declared, semantics::Semantics, statement::Strides};
use memplan_mlir::{
    contents::is_structured_operand,
    ir::{Op, Type},
    melior::ir::operation::OperationLike,
    strides::is_last_dim_unit_stride,
};

/// What becomes of an operation where an operand is a memref of another layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retyped<'c> {
    /// It is not known to do the same, or is not valid.
    Refuses,
    /// It does the same.
    Takes,
    /// It is a view, of this type.
    Views(Type<'c>),
}

/// What operations say of addresses, and what does not hold of another one.
const ALIGNMENT: &str = "alignment";

impl Semantics {
    /// What becomes of `op` if an operand has type `type`, which has the same shape and elements as its own.
    pub fn retyped<'c>(&mut self, op: Op<'c>, operand: usize, r#type: Type<'c>) -> Retyped<'c> {
        let says = &self.facts(op).says;
        if says.is_described
            && let Some(any) = declared::any_strides(op)
        {
            return match any.contains(&(operand as u32)) {
                true => Retyped::Takes,
                false => Retyped::Refuses,
            };
        }
        if let Some(retype) = says.retypes {
            let view = if operand == 0 {
                retype(op, r#type)
            } else {
                None
            };
            return view.map_or(Retyped::Refuses, Retyped::Views);
        }
        let takes = match says.strides {
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
