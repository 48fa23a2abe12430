//! The memref dialect. `ViewLikeOpInterface` reports a view of operand 0; the rows add where the data of the view
//! starts.

use crate::{
    allocators::Allocator,
    arithmetic::Computation::{Dimension, Element, Pointer},
    op_memory::{
        DataStart::{Same, ShiftedBy, Unknown},
        Join, Start, TokenRef, Touch, Uses,
    },
    statement::{
        self, Arrangement,
        Covers::OneElement,
        Dialect, ElementIndices, GlobalAttributes,
        Operands::{Memref, Memrefs, Number},
        Part::{All, Slice},
        Speculation::Interface,
        Statement::{
            Address, AlignedByAttribute, Allocates, AnySpace, Borrows, Bytes, Computes, Copies,
            Descriptor, Extends, Fence, Frees, IsGlobal, Loads, LoadsElement, NamesGlobal,
            Overwrites, Part, PassesThrough, Reads, Reallocates, Retypes, RunsOnce, SameSizes,
            Special, Speculates, Strides, Traps, Views, Walks,
        },
        Strides::{Any, AnyOf},
        Traps::{Never, Perhaps, UnlessConstant, UnlessStatic},
        row,
    },
    subject::Subject,
};
use memplan_mlir::{
    ir::type_of,
    melior::ir::r#type::{MemRefType, ShapedTypeLike},
    strides::{cast_type, collapsed_type, expanded_type, sliced_type, transposed_view_type},
};
use smallvec::smallvec;

pub const DIALECT: Dialect = Dialect {
    name: "memref",
    rows: &[
        row(
            "memref.alloc",
            &[Allocates(Allocator::Memref), Traps(UnlessConstant)],
        ),
        row("memref.alloca", &[Traps(UnlessConstant)]),
        row("memref.alloca_scope", &[RunsOnce, Extends, Traps(Never)]),
        row(
            "memref.assume_alignment",
            &[
                Views(Number(0), Same),
                SameSizes,
                AlignedByAttribute,
                AnySpace,
                Traps(Perhaps),
            ],
        ),
        row("memref.atomic_rmw", &[Fence]),
        row("memref.atomic_yield", &[Fence]),
        row(
            "memref.cast",
            &[
                Views(Number(0), Same),
                SameSizes,
                AnySpace,
                Part(All(Arrangement::Same)),
                Retypes(cast_type),
            ],
        ),
        row(
            "memref.collapse_shape",
            &[
                Views(Number(0), Same),
                AnySpace,
                Part(All(Arrangement::Merged("reassociation"))),
                Retypes(collapsed_type),
            ],
        ),
        row(
            "memref.copy",
            &[
                AnySpace,
                Walks,
                Copies(0, 1, None),
                Strides(Any),
                Traps(UnlessStatic),
            ],
        ),
        row(
            "memref.dealloc",
            &[Frees(Number(0), Allocator::Memref), AnySpace, Traps(Never)],
        ),
        row(
            "memref.dim",
            &[
                Descriptor(Number(0)),
                Computes(Dimension),
                AnySpace,
                Speculates(Interface),
                Strides(Any),
            ],
        ),
        row("memref.distinct_objects", &[PassesThrough]),
        row("memref.dma_start", &[Special(dma_start)]),
        row("memref.dma_wait", &[Reads(Memrefs), Special(dma_wait)]),
        row(
            "memref.expand_shape",
            &[
                Views(Number(0), Same),
                AnySpace,
                Part(All(Arrangement::Divided("reassociation"))),
                Retypes(expanded_type),
            ],
        ),
        row(
            "memref.extract_aligned_pointer_as_index",
            &[Address(Number(0)), Computes(Pointer)],
        ),
        row("memref.extract_strided_metadata", &[Views(Number(0), Same)]),
        row("memref.generic_atomic_rmw", &[Fence]),
        row(
            "memref.get_global",
            &[Borrows, NamesGlobal("name"), Traps(Never)],
        ),
        row(
            "memref.global",
            &[IsGlobal(GlobalAttributes {
                constant: "constant",
                contents: "initial_value",
            })],
        ),
        row(
            "memref.load",
            &[
                Loads(Number(0)),
                LoadsElement(ElementIndices::Operands(1)),
                Computes(Element),
                AnySpace,
                Strides(Any),
                AlignedByAttribute,
            ],
        ),
        row("memref.memory_space_cast", &[Views(Number(0), Unknown)]),
        row("memref.prefetch", &[AnySpace, Strides(Any)]),
        row(
            "memref.rank",
            &[Descriptor(Number(0)), AnySpace, Strides(Any)],
        ),
        row("memref.realloc", &[Reallocates(Memref(0))]),
        row(
            "memref.reinterpret_cast",
            &[Views(Number(0), Same), AnySpace],
        ),
        row("memref.reshape", &[Views(Number(0), Same), AnySpace]),
        // The stored value may be a memref.
        row(
            "memref.store",
            &[
                AnySpace,
                Overwrites(1, OneElement(ElementIndices::Operands(2))),
                Strides(AnyOf(1)),
                AlignedByAttribute,
            ],
        ),
        row(
            "memref.subview",
            &[
                Views(Number(0), Same),
                AnySpace,
                Part(Slice),
                Retypes(sliced_type),
            ],
        ),
        // No interface reports that it is a view.
        row(
            "memref.transpose",
            &[
                Views(Number(0), Same),
                AnySpace,
                Traps(UnlessStatic),
                Part(All(Arrangement::Permuted("permutation"))),
                Retypes(transposed_view_type),
            ],
        ),
        row(
            "memref.view",
            &[
                Views(Number(0), ShiftedBy(1)),
                Bytes(statement::Bytes { shift: 1, sizes: 2 }),
                AnySpace,
            ],
        ),
    ],
    others: &[],
    is_ordered: false,
};

/// Copies the first memref to the second; the third is the tag.
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

/// The memref of this number as a tag; its indices are the operands after it.
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
