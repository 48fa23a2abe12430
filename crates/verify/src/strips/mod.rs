//! Whether strips do what the operations did that `memplan-split` split.
//!
//! Each operation in strips says in `memplan.rows` what it was: its loops, and which elements of which buffers it accessed.
//! This is what was read, before the search. The loops over strips run here, on their numbers alone. Each memory has a *tag*
//! for each row, and for each column with two split dimensions: the buffer, row and column that are there, and the
//! operations that have written them.
//!
//! * A read has to find exactly the rows that the operation read in these iterations, written by all operations that
//!   had written them before, and by no others.
//! * In dimensions that are not split, and in memory that is whole, indices have to be those of the operation.
//! * A write adds the operation to the tags. It may not come twice, nor after a later one.
//! * A copy without `memplan.rows` copies tags. Nothing else may use memory.
//! * In the end, each row of whole memory that an operation wrote has to be written; sums have all of their parts, in order.
//! * The operations are those that `memplan.pieces` of the loop says, in their order.
//! * `memplan.rows` claims which iterations a strip has. The loops of the operation have to have as many.
//!
//! Where a length is known only at run time, the loops run for as many lengths as are enough for all: see `lengths`.
//!
//! So a fault of the search, of the frontiers, of what is kept between strips, or of views is found. What is trusted is how
//! the operations were read.

mod assumed;
mod body;
mod buffers;
mod chain;
mod claim;
mod fault;
mod general;
mod items;
mod lengths;
mod machine;
mod memory;
mod numbers;
mod operands;
mod piece;
mod pieces;
mod sum;
mod written;

pub use fault::StripFault;

use memplan_mlir::{
    ir::{Block, Op, blocks, ops, regions},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::{ITEMS, LENGTHS, PIECES},
};
use numbers::Places;

/// The first fault of each chain of a function.
pub fn faults<'c>(function: Op<'c>) -> Vec<StripFault<'c>> {
    let chains = with_attribute(function, PIECES);
    let mut semantics = Semantics::default();
    let mut check = |op: &Op<'c>| {
        if op.has_attribute(LENGTHS) {
            return lengths::check(function, *op, &mut semantics);
        }
        let mut body = body::read(*op, Places::default(), &mut semantics)?;
        written::check_order(&body)?;
        written::written(&mut body)?;
        written::check_roots(&body)?;
        machine::run(&body).map(|_| ())
    };
    let mut faults: Vec<StripFault<'c>> = chains.iter().filter_map(|op| check(op).err()).collect();
    let items = with_attribute(function, ITEMS);
    faults.extend(
        items
            .iter()
            .filter_map(|op| items::check(*op, &mut semantics).err()),
    );
    faults
}

/// The outermost loops of a function with an attribute, in order.
fn with_attribute<'c>(function: Op<'c>, name: &str) -> Vec<Op<'c>> {
    let mut found = Vec::new();
    let mut blocks: Vec<Block<'c>> = regions(function).flat_map(blocks).collect();
    let mut at = 0;
    while let Some(block) = blocks.get(at).copied() {
        at += 1;
        for op in ops(block) {
            if op.has_attribute(name) {
                found.push(op);
            } else {
                blocks.extend(regions(op).flat_map(memplan_mlir::ir::blocks));
            }
        }
    }
    found
}
