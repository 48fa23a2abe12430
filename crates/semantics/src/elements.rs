//! Accesses of an operation to the elements of its memrefs: all are written, one is copied or filled, or each is read
//! before the element at the same index is written. These depend only on the operation, not on the memory that its
//! operands refer to.

use crate::{
    declared::{self, is_effect_free},
    op_elements::{Broadcast, Copy, Elements, Filled, StoredElement, StoredRow},
    op_memory::OperandNumber,
    semantics::Semantics,
    statement::{Covers, ElementIndices, Returns},
};
use memplan_mlir::{
    affine, build,
    ir::{Op, Val, blocks, element_of, is_memref, operands, ops, regions, type_of},
    layout::{element_count, rank, vector_shape},
    melior::ir::operation::OperationLike,
    structured_ops::{
        StructuredTransfer, structured_access, structured_transfer, transfer_covers, vector_covers,
    },
    values::is_zero,
};
use smallvec::SmallVec;
use std::sync::Arc;

impl Semantics {
    /// The element accesses of `op`. They hold only if it is not asynchronous: an asynchronous operation may access
    /// its memory at any time.
    pub fn elements(&mut self, op: Op<'_>) -> Arc<Elements> {
        let is_described = self.facts(op).described.is_some();
        let mut known = self.cache.as_mut().filter(|_| !is_described);
        let known = known.as_mut().map(|cache| cache.at(op));
        if let Some(elements) = known.and_then(|known| known.elements.as_ref()) {
            let elements = Arc::clone(elements);
            debug_assert_eq!(*elements, self.compute_elements(op), "changed unseen");
            return elements;
        }
        let elements = match self.compute_elements(op) {
            none if none == Elements::default() => Arc::clone(&self.no_elements),
            some => Arc::new(some),
        };
        if let Some(cache) = self.cache.as_mut().filter(|_| !is_described) {
            cache.at(op).elements = Some(Arc::clone(&elements));
        }
        elements
    }

    fn compute_elements(&mut self, op: Op<'_>) -> Elements {
        let table = &self.facts(op).table;
        let (is_structured, overwrites) = (table.is_structured, table.overwrites);
        if table.is_described
            && let Some(elements) = declared::elements(op)
        {
            return elements;
        }
        let mut elements = Elements::default();
        let copy = self.copy(op);
        if is_structured {
            let contents = structured_access(op);
            let overwritten = contents.overwritten.iter().map(|at| *at as OperandNumber);
            elements.overwritten = overwritten.collect();
            if !contents.elementwise.is_empty() && !self.regions_touch_memory(op) {
                for (read, written) in contents.elementwise {
                    let pair = (read as OperandNumber, written as OperandNumber);
                    elements.of_types(op, pair, copy.as_ref());
                }
            }
        } else if let Some(copy) = &copy {
            elements.overwritten.push(copy.to);
            if copy.order.is_none() {
                elements.of_types(op, (copy.from, copy.to), Some(copy));
                // If the types have different shapes, the sizes are not known to be equal.
                elements.pairs.retain(|pair| pair.same_elements);
                elements.pairs.iter_mut().for_each(|pair| pair.apart = true);
            }
        } else if let Some((operand, when)) = overwrites
            && covers(op, operand, when)
        {
            elements.overwritten.push(operand);
        }
        // At most as many pairs as the operation has operands.
        elements.pairs.sort_by_key(|pair| !pair.same_bytes);
        elements
    }

    /// The copy that `op` does, if both memrefs have the same element type.
    pub fn copy(&mut self, op: Op<'_>) -> Option<Copy> {
        let table = &self.facts(op).table;
        let copy = match table.copies {
            Some((from, to, order)) => {
                let order = match order {
                    Some(name) => Some(build::integers_of(op, name)?),
                    None => None,
                };
                Copy { from, to, order }
            }
            None if table.is_structured => match structured_transfer(op)? {
                StructuredTransfer::Copy { from, to, order } => Copy {
                    from: from as OperandNumber,
                    to: to as OperandNumber,
                    order,
                },
                StructuredTransfer::Broadcast { .. } | StructuredTransfer::Fill { .. } => {
                    return None;
                }
            },
            None => return None,
        };
        let one = operands(op).nth(copy.from as usize).map(type_of)?;
        let other = operands(op).nth(copy.to as usize).map(type_of)?;
        let is_copy = is_memref(one) && is_memref(other) && element_of(one) == element_of(other);
        is_copy.then_some(copy)
    }

    /// The memrefs from which and to which `op` copies by a call of a library function where their layouts are not
    /// contiguous.
    pub fn copy_by_call<'c>(&mut self, op: Op<'c>) -> Option<[Val<'c>; 2]> {
        let copy = self.copy(op).filter(|copy| copy.order.is_none())?;
        let is_call = op.name().as_string_ref().as_str() == Ok("memref.copy");
        let memref = |operand: OperandNumber| operands(op).nth(operand as usize);
        is_call.then_some([memref(copy.from)?, memref(copy.to)?])
    }

    /// The fill that `op` does.
    pub fn fill(&mut self, op: Op<'_>) -> Option<Filled> {
        let table = &self.facts(op).table;
        if let Some(fill) = table.fills {
            return Some(Filled {
                value: Some(fill.value),
                memref: fill.memref,
                takes_any_shape: true,
            });
        }
        let transfer = table
            .is_structured
            .then(|| structured_transfer(op))
            .flatten();
        match transfer? {
            StructuredTransfer::Fill { value, memref } => Some(Filled {
                value: value.map(|value| value as OperandNumber),
                memref: memref as OperandNumber,
                takes_any_shape: false,
            }),
            StructuredTransfer::Copy { .. } | StructuredTransfer::Broadcast { .. } => None,
        }
    }

    /// The broadcast that `op` does, if both memrefs have the same element type: a copy that repeats its source.
    pub fn broadcast(&mut self, op: Op<'_>) -> Option<Broadcast> {
        let is_structured = self.facts(op).table.is_structured;
        let transfer = is_structured.then(|| structured_transfer(op)).flatten();
        let Some(StructuredTransfer::Broadcast { from, to, order }) = transfer else {
            return None;
        };
        let one = operands(op).nth(from).map(type_of)?;
        let other = operands(op).nth(to).map(type_of)?;
        (element_of(one) == element_of(other)).then_some(Broadcast {
            from: from as OperandNumber,
            to: to as OperandNumber,
            order,
        })
    }

    /// Whether an operation loads or stores one element of a memref.
    pub fn accesses_one_element(&mut self, op: Op<'_>) -> bool {
        let table = self.facts(op).table;
        let stores = matches!(table.overwrites, Some((_, Covers::OneElement(_))));
        stores || table.loads_element.is_some()
    }

    /// The element that `op` stores, if its indices are operands and it does nothing else.
    pub fn stored_element<'c>(&mut self, op: Op<'c>) -> Option<StoredElement<'c>> {
        let Some((memref, Covers::OneElement(ElementIndices::Operands(first)))) =
            self.facts(op).table.overwrites
        else {
            return None;
        };
        Some(StoredElement {
            value: operands(op).next().filter(|_| memref == 1)?,
            memref: operands(op).nth(memref as usize)?,
            indices: operands(op).skip(first as usize).collect(),
        })
    }

    /// The elements that `op` stores for certain, if they are a box. An asynchronous operation stores them later.
    pub fn stored_row<'c>(&mut self, op: Op<'c>) -> Option<StoredRow<'c>> {
        let (memref, covers) = self.facts(op).table.overwrites?;
        let value = operands(op).nth(memref as usize)?;
        let dimensions = rank(type_of(value))?;
        let mut row = StoredRow {
            memref: value,
            indices: SmallVec::new(),
            map: None,
            sizes: SmallVec::from_elem(1, dimensions),
        };
        let first = match covers {
            Covers::OneElement(ElementIndices::Operands(first)) => first,
            Covers::OneElement(ElementIndices::Map(name)) => {
                row.map = Some(name);
                memref + 1
            }
            Covers::Row { first, count } => {
                *row.sizes.last_mut()? = build::integer(op, count)?;
                first
            }
            Covers::Vector => {
                let shape = stored_shape(op, value)?;
                let outer = dimensions.checked_sub(shape.len())?;
                row.sizes[outer..].copy_from_slice(&shape);
                memref + 1
            }
            // Its vector may have other dimensions, and a mask.
            Covers::Transfer => return None,
        };
        let indices = operands(op).skip(first as usize);
        row.indices = match row.map {
            Some(_) => indices.collect(),
            None => indices.take(dimensions).collect(),
        };
        Some(row)
    }

    /// Are all writes of `op` to its memrefs within their bounds, whatever its operands are, if the sizes of its
    /// memrefs fit?
    pub fn writes_in_bounds(&mut self, op: Op<'_>) -> bool {
        match self.facts(op).table.overwrites {
            Some((_, Covers::OneElement(ElementIndices::Operands(first)))) => {
                operands(op).skip(first as usize).all(is_zero)
            }
            Some((_, Covers::OneElement(ElementIndices::Map(name)))) => {
                affine::evaluate(op, name, &[])
                    .is_some_and(|place| place.into_iter().all(|index| index == 0))
            }
            _ => true,
        }
    }

    /// May an operation in the regions of `op` access memory, or does one have a memref operand? An assertion has an
    /// effect, but not on memory.
    fn regions_touch_memory(&mut self, op: Op<'_>) -> bool {
        let mut nested = regions(op).flat_map(blocks).flat_map(ops);
        nested.any(|op| {
            operands(op).any(|value| is_memref(type_of(value)))
                || self.regions_touch_memory(op)
                || (!is_effect_free(op) && !self.is_assertion(op))
        })
    }

    /// Does `op` either end the program or do nothing? Then it writes no memory of the program.
    pub fn is_assertion(&mut self, op: Op<'_>) -> bool {
        let facts = self.facts(op);
        facts.table.returns == Some(Returns::Perhaps) && !facts.info.is_terminator()
    }
}

/// The shape of the vector that operand 0 is, if its elements are those of the memref.
fn stored_shape(op: Op<'_>, memref: Val<'_>) -> Option<SmallVec<[i64; 4]>> {
    let (element, shape) = vector_shape(operands(op).next().map(type_of)?)?;
    (element_of(type_of(memref)) == Some(element)).then_some(shape)
}

/// Is every element of an operand written?
fn covers(op: Op<'_>, operand: OperandNumber, when: Covers) -> bool {
    let Some(memref) = operands(op).nth(operand as usize).map(type_of) else {
        return false;
    };
    match when {
        Covers::OneElement(_) => element_count(memref) == Some(1),
        Covers::Vector => {
            let vector = operands(op).next().map(type_of);
            vector.is_some_and(|vector| vector_covers(vector, memref))
                && operands(op).skip(operand as usize + 1).all(is_zero)
        }
        Covers::Transfer => transfer_covers(op),
        Covers::Row { .. } => false,
    }
}
