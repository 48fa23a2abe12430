//! What an operation does to the elements of the memrefs that it gets: all of them written, one copied or filled, or
//! each one read before its place is written. What the operation is decides it, whatever its operands refer to.

use crate::{
    declared::{self, is_effect_free},
    op_elements::{Copy, Elements, StoredElement},
    op_memory::OperandNumber,
    semantics::Semantics,
    statement::{Covers, Fill, Place, Returns},
};
use memplan_mlir::{
    affine, build,
    contents::{structured_contents, transfer_covers, vector_covers},
    ir::{Op, blocks, element_of, is_memref, operands, ops, regions, type_of},
    layout::element_count,
    values::is_zero,
};
use std::sync::Arc;

impl Semantics {
    /// What `op` does to elements, if it does it at once: an operation that goes on by itself may do it at any time.
    pub fn elements(&mut self, op: Op<'_>) -> Arc<Elements> {
        let is_described = self.facts(op).described.is_some();
        let mut known = self.answers.as_mut().filter(|_| !is_described);
        let known = known.as_mut().map(|answers| answers.at(op));
        if let Some(elements) = known.and_then(|known| known.elements.as_ref()) {
            let elements = Arc::clone(elements);
            debug_assert_eq!(*elements, self.ask_elements(op), "changed unseen");
            return elements;
        }
        let elements = match self.ask_elements(op) {
            none if none == Elements::default() => Arc::clone(&self.no_elements),
            some => Arc::new(some),
        };
        if let Some(answers) = self.answers.as_mut().filter(|_| !is_described) {
            answers.at(op).elements = Some(Arc::clone(&elements));
        }
        elements
    }

    fn ask_elements(&mut self, op: Op<'_>) -> Elements {
        let says = &self.facts(op).says;
        let (is_structured, overwrites) = (says.is_structured, says.overwrites);
        if says.is_described
            && let Some(elements) = declared::elements(op)
        {
            return elements;
        }
        let mut elements = Elements::default();
        let copy = self.copy(op);
        if is_structured {
            let contents = structured_contents(op);
            let overwritten = contents.overwritten.iter().map(|at| *at as OperandNumber);
            elements.overwritten = overwritten.collect();
            if !contents.in_step.is_empty() && !self.regions_touch_memory(op) {
                for (read, written) in contents.in_step {
                    let pair = (read as OperandNumber, written as OperandNumber);
                    elements.of_types(op, pair, copy.as_ref());
                }
            }
        } else if let Some(copy) = &copy {
            elements.overwritten.push(copy.to);
            if copy.order.is_none() {
                elements.of_types(op, (copy.from, copy.to), Some(copy));
                // Of types with other shapes, it is not known that sizes are the same.
                elements.pairs.retain(|pair| pair.same_elements);
                elements.pairs.iter_mut().for_each(|pair| pair.apart = true);
            }
        } else if let Some((operand, when)) = overwrites
            && covers(op, operand, when)
        {
            elements.overwritten.push(operand);
        }
        // As many as an operation has operands.
        elements.pairs.sort_by_key(|pair| !pair.same_bytes);
        elements
    }

    /// The copy that `op` is, of one element type.
    pub fn copy(&mut self, op: Op<'_>) -> Option<Copy> {
        let (from, to, order) = self.facts(op).says.copies?;
        let one = operands(op).nth(from as usize).map(type_of)?;
        let other = operands(op).nth(to as usize).map(type_of)?;
        if !is_memref(one) || !is_memref(other) || element_of(one) != element_of(other) {
            return None;
        }
        let order = match order {
            Some(name) => Some(build::integers_of(op, name)?),
            None => None,
        };
        Some(Copy { from, to, order })
    }

    /// The fill that `op` is.
    pub fn fill(&mut self, op: Op<'_>) -> Option<Fill> {
        self.facts(op).says.fills
    }

    /// The element that `op` stores, if it stores one at indices that are operands, and does nothing else.
    pub fn stored_element<'c>(&mut self, op: Op<'c>) -> Option<StoredElement<'c>> {
        let Some((memref, Covers::OneElement(Place::Indices(first)))) =
            self.facts(op).says.overwrites
        else {
            return None;
        };
        Some(StoredElement {
            value: operands(op).next().filter(|_| memref == 1)?,
            memref: operands(op).nth(memref as usize)?,
            indices: operands(op).skip(first as usize).collect(),
        })
    }

    /// Is all that `op` writes of its memrefs within them, whatever its operands are, if sizes of several memrefs fit?
    pub fn writes_in_bounds(&mut self, op: Op<'_>) -> bool {
        match self.facts(op).says.overwrites {
            Some((_, Covers::OneElement(Place::Indices(first)))) => {
                operands(op).skip(first as usize).all(is_zero)
            }
            Some((_, Covers::OneElement(Place::Map(name)))) => affine::evaluate(op, name, &[])
                .is_some_and(|place| place.into_iter().all(|index| index == 0)),
            _ => true,
        }
    }

    /// May something in the regions of `op` touch memory, or does it get a memref from outside? What an assertion does
    /// is an effect, but none on memory.
    fn regions_touch_memory(&mut self, op: Op<'_>) -> bool {
        let mut nested = regions(op).flat_map(blocks).flat_map(ops);
        nested.any(|op| {
            operands(op).any(|value| is_memref(type_of(value)))
                || self.regions_touch_memory(op)
                || (!is_effect_free(op) && !self.is_assertion(op))
        })
    }

    /// Does `op` end the program, or do nothing? Then what it writes is no memory of the program.
    pub fn is_assertion(&mut self, op: Op<'_>) -> bool {
        let facts = self.facts(op);
        facts.says.returns == Some(Returns::Perhaps) && !facts.info.is_terminator()
    }
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
    }
}
