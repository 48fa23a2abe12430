//! Programs on tensors, whose memory is not there yet.

use crate::codes::UNBUFFERIZED;
use memplan_mlir::{
    diagnostics::{Diagnostic, known_location},
    ir::{Block, Op, Type, arguments, blocks, is_tensor, ops, regions, results, type_of},
    run_cache,
};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a pass of this run has looked.
#[derive(Default)]
struct Looked(AtomicBool);

/// Warns at the first tensor, if there is any: one pass of several that follow each other.
pub fn warn(root: Op<'_>) {
    let looked = run_cache::get::<Looked>(root);
    if looked.is_some_and(|looked| looked.0.swap(true, Ordering::Relaxed)) {
        return;
    }
    if let Some((op, tensor)) = first_tensor(root) {
        let text = format!(
            "the memory of {tensor} is not planned: bufferize the program first, as with \
             `one-shot-bufferize{{bufferize-function-boundaries}}`"
        );
        Diagnostic::new(UNBUFFERIZED, known_location(op), text).emit();
    }
}

/// The first tensor at or below an operation, with the operation that has it as a result or as an argument of its body.
fn first_tensor<'c>(root: Op<'c>) -> Option<(Op<'c>, Type<'c>)> {
    let mut open = vec![root];
    while let Some(op) = open.pop() {
        let own = blocks_of(op).flat_map(arguments).chain(results(op));
        let mut types = own.map(type_of);
        if let Some(tensor) = types.find(|one| is_tensor(*one)) {
            return Some((op, tensor));
        }
        let from = open.len();
        open.extend(blocks_of(op).flat_map(ops));
        open[from..].reverse();
    }
    None
}

fn blocks_of<'c>(op: Op<'c>) -> impl Iterator<Item = Block<'c>> {
    regions(op).flat_map(blocks)
}
