//! Ranges of indices in loops of structured operations.

use crate::{
    arithmetic::{Binary, Computes, Sign},
    semantics::Semantics,
    statement::ElementIndices,
};
use memplan_mlir::{
    ir::{Op, Origin, Val, operands, origin, parent, type_of},
    layout::static_dimension,
};

/// Largest depth of expressions that are followed.
const DEEPEST: usize = 8;

impl Semantics {
    /// Whether `op` loads one element, whose indices are known to be in the bounds of a memref of static size.
    pub(crate) fn loads_in_bounds(&mut self, op: Op<'_>) -> bool {
        let Some(ElementIndices::Operands(first)) = self.facts(op).table.loads_element else {
            return false;
        };
        let Some(memref) = operands(op).next().map(type_of) else {
            return false;
        };
        let mut indices = operands(op).skip(first as usize).enumerate();
        indices.all(|(dimension, index)| {
            let size = i64::try_from(dimension).ok();
            let size = size.and_then(|dimension| static_dimension(memref, dimension));
            let range = self.range(index, DEEPEST);
            size.zip(range)
                .is_some_and(|(size, (least, most))| least >= 0 && most < size)
        })
    }

    /// The least and the greatest value of an index.
    fn range(&mut self, value: Val<'_>, depth: usize) -> Option<(i64, i64)> {
        let Origin::Result(op, _) = origin(value)? else {
            return None;
        };
        let depth = depth.checked_sub(1)?;
        if let Some(number) = self.loop_index(op) {
            let mut around = parent(op);
            while let Some(op) = around {
                if self.facts(op).table.is_structured {
                    let nest = self.loop_nest(op)?;
                    let extent = nest.loops.get(number as usize)?.extent?;
                    return Some((0, i64::try_from(extent).ok()?.checked_sub(1)?));
                }
                around = parent(op);
            }
            return None;
        }
        match self.computes(value)? {
            Computes::Constant(constant) => Some((constant, constant)),
            Computes::Binary(binary, [one, other]) => {
                let (one, other) = (self.range(one, depth)?, self.range(other, depth)?);
                match binary {
                    Binary::Add => Some((one.0.checked_add(other.0)?, one.1.checked_add(other.1)?)),
                    Binary::Subtract => {
                        Some((one.0.checked_sub(other.1)?, one.1.checked_sub(other.0)?))
                    }
                    Binary::Multiply if one.0 >= 0 && other.0 >= 0 => {
                        Some((one.0.checked_mul(other.0)?, one.1.checked_mul(other.1)?))
                    }
                    Binary::Min(Sign::Signed) => Some((one.0.min(other.0), one.1.min(other.1))),
                    Binary::Max(Sign::Signed) => Some((one.0.max(other.0), one.1.max(other.1))),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
