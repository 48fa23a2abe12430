//! The bufferization dialect.

use crate::{
    allocators::Allocator,
    op_memory::{Capture, Frees, Touch},
    statement::{
        Dialect,
        Operands::Number,
        Statement::{Clones, FreesByFlags, Special},
        row,
    },
    subject::Subject,
};
use memplan_mlir::build;

pub const DIALECT: Dialect = Dialect {
    name: "bufferization",
    rows: &[
        row("bufferization.clone", &[Clones(Number(0))]),
        row("bufferization.dealloc", &[Special(dealloc), FreesByFlags]),
    ],
    others: &[],
    is_ordered: false,
};

/// The operands are memrefs, one condition for each of them, and the retained memrefs.
fn dealloc(subject: &mut Subject<'_, '_>) {
    let sizes = build::short_integers(subject.op, "operandSegmentSizes").unwrap_or_default();
    let [memrefs, conditions, _] = sizes[..] else {
        return;
    };
    let (memrefs, conditions) = (memrefs as u32, conditions as u32);
    for used in &mut subject.memory.operands {
        used.capture = Capture::No;
        used.touch = Touch::Descriptor;
        if used.operand < memrefs {
            used.frees = Some(Frees {
                by: Some(Allocator::Memref),
                flag: Some(memrefs + used.operand),
                is_certain: false,
            });
        } else if used.operand >= memrefs + conditions {
            subject.memory.retained.push(used.operand);
        }
    }
}
