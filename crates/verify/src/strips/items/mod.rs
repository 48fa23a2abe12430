//! Whether a loop over items, as those of a batch, does what the operations did on all items.
//!
//! How many items there are is known only at run time, so the check is about one iteration, with any number b:
//!
//! * b is only an offset of slices of one item. They are the only views of memory from outside that has items. Other memory
//!   from outside is only read. So each iteration touches its own item, memory of its own, and what none of them writes.
//! * The loop has as many iterations as the memory that it writes has items.
//! * Each operation says in `memplan.item` what it was. In the iteration it has to be that operation, on one item: the same
//!   indices in the same memory. What it reads has to be written by all operations that had written it before, and by no
//!   others.
//! * Operations in strips stand for those that they were in the iteration: that they are these is checked on its own.
//!
//! As iterations are independent, one after the other does the same as each operation on all items.

mod item_loop;
mod iteration;
mod operation;

use super::{body::Result, fault::StripFault};
use memplan_mlir::ir::Op;
use memplan_semantics::Semantics;

/// Checks a loop over items.
pub fn check<'c>(op: Op<'c>, semantics: &mut Semantics) -> std::result::Result<(), StripFault<'c>> {
    let mut items = item_loop::read(op, semantics)?;
    let operations = operation::read_all(&mut items, semantics)?;
    iteration::check(&mut items, &operations, semantics)
}

/// An error where something is not followed.
fn not_followed<'c, T>(op: Op<'c>, what: &'static str) -> Result<'c, T> {
    super::body::not_followed(op, what)
}
