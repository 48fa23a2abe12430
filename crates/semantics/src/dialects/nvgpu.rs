//! The nvgpu dialect.

use crate::{
    op_memory::{Join, Uses},
    statement::{
        Covers, Dialect,
        Operands::{All, Memref},
        Statement::{self, Address, Fence, Overwrites, Reads, Special, Starts, Writes},
        row,
    },
    subject::Subject,
};
use memplan_mlir::{build, melior::ir::operation::OperationLike};

/// Barriers are memory that threads share.
const BARRIER: &[Statement] = &[Reads(All), Writes(All), Fence];

pub const DIALECT: Dialect = Dialect {
    name: "nvgpu",
    rows: &[
        row(
            "nvgpu.device_async_copy",
            &[
                Writes(Memref(0)),
                Reads(Memref(1)),
                Overwrites(
                    0,
                    Covers::Row {
                        first: 1,
                        count: "dstElements",
                    },
                ),
                Starts {
                    uses: Uses::Operands,
                    grouped: true,
                },
            ],
        ),
        row("nvgpu.device_async_create_group", &[Special(create_group)]),
        row("nvgpu.device_async_wait", &[Special(wait)]),
        row("nvgpu.mbarrier.arrive", BARRIER),
        row("nvgpu.mbarrier.arrive.expect_tx", BARRIER),
        row("nvgpu.mbarrier.arrive.nocomplete", BARRIER),
        row("nvgpu.mbarrier.create", BARRIER),
        row("nvgpu.mbarrier.get", BARRIER),
        row("nvgpu.mbarrier.init", BARRIER),
        row("nvgpu.mbarrier.test.wait", BARRIER),
        row("nvgpu.mbarrier.try_wait.parity", BARRIER),
        row("nvgpu.tma.create.descriptor", &[Address(All)]),
        row("nvgpu.tma.fence.descriptor", &[Reads(All), Fence]),
        row("nvgpu.tma.prefetch.descriptor", &[Reads(All)]),
        row("nvgpu.warpgroup.mma", &[Reads(All)]),
    ],
    others: &[],
    is_ordered: true,
};

fn create_group(subject: &mut Subject<'_, '_>) {
    let of = subject.operand_tokens();
    for to in subject.result_tokens() {
        let of = of.clone();
        subject.memory.joins.push(Join::Group { of, to });
    }
}

/// Waits for its groups, or until at most `numGroups` groups of the thread are still running.
fn wait(subject: &mut Subject<'_, '_>) {
    let join = match subject.op.has_attribute("numGroups") {
        false => Join::Wait(subject.operand_tokens()),
        true => {
            let at_most = build::integer(subject.op, "numGroups");
            let Some(at_most) = at_most.and_then(|at_most| u32::try_from(at_most).ok()) else {
                return;
            };
            Join::Drain { at_most }
        }
    };
    subject.memory.joins.push(join);
}
