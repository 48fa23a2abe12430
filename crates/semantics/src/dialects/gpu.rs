//! The gpu dialect. An operation with a token result is asynchronous, and starts when its token operands have
//! completed (`AsyncOpInterface`).

use crate::{
    allocators,
    interfaces::captures_by_type,
    op_memory::{Capture, RegionOrder::Parallel, Start, Uses},
    statement::{
        Dialect,
        Operands::{All, Memref, Memrefs},
        Outlined,
        Statement::{
            Address, Allocates, Borrows, Captures, Fence, Frees, Launches, Outlines, Reads, Runs,
            SameInWorkgroup, Special, StartsIfToken, ThreadId, UpstreamModel, WaitsOrJoins,
            WorkgroupBarrier, WorkgroupSize, Writes,
        },
        row,
    },
    subject::Subject,
};
use memplan_mlir::{build, ir::Op, melior::ir::operation::OperationLike};
use smallvec::SmallVec;

/// Creates a handle of a library, which keeps the address of the memory that it is created from.
const CREATES: &[crate::statement::Statement] = &[Address(All), StartsIfToken(Uses::Operands)];
/// Computes with handles: their memory may be read and written.
const COMPUTES: &[crate::statement::Statement] =
    &[Reads(All), Writes(All), StartsIfToken(Uses::Operands)];

/// As [`COMPUTES`], and a handle or descriptor operand keeps the addresses of the memrefs.
const HOLDS: &[crate::statement::Statement] = &[
    Reads(All),
    Writes(All),
    StartsIfToken(Uses::Operands),
    Special(holds_memrefs),
];

pub const DIALECT: Dialect = Dialect {
    name: "gpu",
    rows: &[
        row("gpu.all_reduce", &[]),
        row(
            "gpu.alloc",
            &[Allocates(allocators::GPU), StartsIfToken(Uses::Operands)],
        ),
        row(
            "gpu.barrier",
            &[Fence, WorkgroupBarrier(orders_workgroup_memory)],
        ),
        row("gpu.block_dim", &[WorkgroupSize("dimension")]),
        row("gpu.block_id", &[SameInWorkgroup]),
        row("gpu.cluster_block_id", &[SameInWorkgroup]),
        row("gpu.cluster_dim", &[SameInWorkgroup]),
        row("gpu.cluster_dim_blocks", &[SameInWorkgroup]),
        row("gpu.cluster_id", &[SameInWorkgroup]),
        row("gpu.create_2to4_spmat", CREATES),
        row("gpu.create_bsr", CREATES),
        row("gpu.create_coo", CREATES),
        row("gpu.create_coo_aos", CREATES),
        row("gpu.create_csc", CREATES),
        row("gpu.create_csr", CREATES),
        row("gpu.create_dn_tensor", CREATES),
        row(
            "gpu.dealloc",
            &[
                Frees(Memref(0), allocators::GPU),
                StartsIfToken(Uses::Operands),
            ],
        ),
        row("gpu.destroy_dn_tensor", COMPUTES),
        row("gpu.destroy_sp_mat", COMPUTES),
        row("gpu.dynamic_shared_memory", &[Borrows]),
        row("gpu.grid_dim", &[SameInWorkgroup]),
        row("gpu.host_register", &[Captures(All)]),
        row("gpu.host_unregister", &[Reads(All)]),
        row(
            "gpu.launch",
            &[
                Runs(Parallel),
                Outlines(Outlined::Always),
                StartsIfToken(Uses::Regions),
            ],
        ),
        row(
            "gpu.launch_func",
            &[
                Reads(Memrefs),
                Writes(Memrefs),
                StartsIfToken(Uses::Operands),
                Special(captures_by_type),
                Special(on_queue),
                Launches,
            ],
        ),
        row("gpu.num_subgroups", &[SameInWorkgroup]),
        row("gpu.sddmm", COMPUTES),
        row("gpu.sddmm_buffer_size", COMPUTES),
        row("gpu.set_csr_pointers", HOLDS),
        row("gpu.spgemm_copy", COMPUTES),
        row("gpu.spgemm_create_descr", CREATES),
        row("gpu.spgemm_destroy_descr", COMPUTES),
        row("gpu.spgemm_work_estimation_or_compute", HOLDS),
        row("gpu.spmat_get_size", COMPUTES),
        row("gpu.spmm", COMPUTES),
        row("gpu.spmm_buffer_size", COMPUTES),
        row("gpu.spmv", COMPUTES),
        row("gpu.spmv_buffer_size", COMPUTES),
        row("gpu.subgroup_size", &[SameInWorkgroup]),
        row("gpu.terminator", &[UpstreamModel]),
        row("gpu.thread_id", &[ThreadId("dimension")]),
        row("gpu.wait", &[WaitsOrJoins]),
    ],
    others: &[StartsIfToken(Uses::Operands)],
    is_ordered: true,
};

/// Captures the memrefs: later uses of the handle are not tracked to them.
fn holds_memrefs(subject: &mut Subject<'_, '_>) {
    for number in subject.select(Memrefs) {
        if let Some(used) = subject.memory.operand_mut(number) {
            used.capture = Capture::Anywhere;
        }
    }
}

/// It is unknown how to wait for a launch on a queue. The queue is the last operand segment.
fn on_queue(subject: &mut Subject<'_, '_>) {
    let sizes = build::short_integers(subject.op, "operandSegmentSizes").unwrap_or_default();
    if sizes.last().is_some_and(|count| *count > 0) {
        subject.memory.joins.clear();
        subject.memory.start = Some(Start {
            uses: Uses::Operands,
            tokens: SmallVec::new(),
            grouped: false,
        });
    }
}

/// A barrier may name the address spaces that it orders.
fn orders_workgroup_memory(barrier: Op<'_>) -> bool {
    let spaces = barrier.attribute("address_spaces");
    spaces.map_or(true, |spaces| spaces.to_string().contains("workgroup"))
}
