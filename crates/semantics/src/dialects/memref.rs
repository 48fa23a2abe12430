//! memref. `ViewLikeOpInterface` says "a view of operand 0"; the rows add where its data starts.

use crate::{
    allocators::Allocator,
    op_memory::{
        DataStart::{Same, ShiftedBy, Unknown},
        Join, Promise, Start, TokenRef, Touch, Uses,
    },
    statement::{
        Dialect,
        Operands::{Memref, Memrefs, Number},
        Speculation::Interface,
        Statement::{
            Address, Allocates, AnySpace, Borrows, Descriptor, Frees, Loads, PassesThrough, Reads,
            Reallocates, RunsOnce, Special, Speculates, Views, Walks,
        },
        row,
    },
    subject::Subject,
};
use memplan_mlir::{
    build,
    ir::type_of,
    melior::ir::r#type::{MemRefType, ShapedTypeLike},
};
use smallvec::smallvec;

pub const DIALECT: Dialect = Dialect {
    name: "memref",
    rows: &[
        row("memref.alloc", &[Allocates(Allocator::Memref)]),
        row("memref.alloca_scope", &[RunsOnce]),
        row(
            "memref.assume_alignment",
            &[Views(Number(0), Same), Special(assume_alignment), AnySpace],
        ),
        row("memref.cast", &[Views(Number(0), Same), AnySpace]),
        row("memref.collapse_shape", &[Views(Number(0), Same), AnySpace]),
        row("memref.copy", &[AnySpace, Walks]),
        row(
            "memref.dealloc",
            &[Frees(Number(0), Allocator::Memref), AnySpace],
        ),
        row(
            "memref.dim",
            &[Descriptor(Number(0)), AnySpace, Speculates(Interface)],
        ),
        row("memref.distinct_objects", &[PassesThrough]),
        row("memref.dma_start", &[Special(dma_start)]),
        row("memref.dma_wait", &[Reads(Memrefs), Special(dma_wait)]),
        row("memref.expand_shape", &[Views(Number(0), Same), AnySpace]),
        row(
            "memref.extract_aligned_pointer_as_index",
            &[Address(Number(0))],
        ),
        row("memref.extract_strided_metadata", &[Views(Number(0), Same)]),
        row("memref.get_global", &[Borrows]),
        row("memref.global", &[]),
        row("memref.load", &[Loads(Number(0)), AnySpace]),
        row("memref.memory_space_cast", &[Views(Number(0), Unknown)]),
        row("memref.prefetch", &[AnySpace]),
        row("memref.rank", &[Descriptor(Number(0)), AnySpace]),
        row("memref.realloc", &[Reallocates(Memref(0))]),
        row(
            "memref.reinterpret_cast",
            &[Views(Number(0), Same), AnySpace],
        ),
        row("memref.reshape", &[Views(Number(0), Same), AnySpace]),
        row("memref.store", &[AnySpace]),
        row("memref.subview", &[Views(Number(0), Same), AnySpace]),
        // No interface says that it is a view.
        row("memref.transpose", &[Views(Number(0), Same), AnySpace]),
        row("memref.view", &[Views(Number(0), ShiftedBy(1)), AnySpace]),
    ],
    others: &[],
};

fn assume_alignment(subject: &mut Subject<'_, '_>) {
    let bytes = build::integer(subject.op, "alignment").and_then(|bytes| u64::try_from(bytes).ok());
    if let Some(bytes) = bytes.filter(|bytes| *bytes > 0) {
        subject.memory.promises.push(Promise::Alignment {
            operand: 0,
            bytes: bytes.next_power_of_two(),
        });
    }
}

/// From the first memref to the second; the third is its tag.
fn dma_start(subject: &mut Subject<'_, '_>) {
    subject.touch(Memref(0), Touch::READ);
    subject.touch(Memref(1), Touch::WRITE);
    subject.touch(Memref(2), Touch::BOTH);
    let tokens = tag(subject, 2).into_iter().collect();
    subject.memory.start = Some(Start {
        uses: Uses::Operands,
        tokens,
        grouped: false,
    });
}

fn dma_wait(subject: &mut Subject<'_, '_>) {
    if let Some(tag) = tag(subject, 0) {
        subject.memory.joins.push(Join::Wait(smallvec![tag]));
    }
}

/// The memref after so many others, as a tag: its indices follow it.
fn tag(subject: &Subject<'_, '_>, memrefs: u32) -> Option<TokenRef> {
    let memref = subject.select(Memref(memrefs)).first().copied()?;
    let value = subject.operands[memref as usize].0;
    let rank = MemRefType::try_from(type_of(value)).ok()?.rank() as u32;
    let is_there = ((memref + rank) as usize) < subject.operands.len();
    is_there.then_some(TokenRef::Tag {
        memref,
        first_index: memref + 1,
    })
}
