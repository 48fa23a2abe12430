//! The async dialect. Tokens, async values and groups are handles: waiting for a handle waits for the operation that
//! it belongs to.

use crate::{
    op_memory::{DataStart::Same, Join, RegionOrder::Asynchronous, TokenRef, Uses},
    statement::{
        Dialect,
        Operands::Number,
        Outlined,
        Statement::{Captures, Outlines, Runs, Special, Starts, Views, Waits},
        row,
    },
    subject::Subject,
};
use smallvec::smallvec;

pub const DIALECT: Dialect = Dialect {
    name: "async",
    rows: &[
        row("async.add_to_group", &[Special(add_to_group)]),
        // The result is the memref in the async value.
        row("async.await", &[Waits, Views(Number(0), Same)]),
        row("async.await_all", &[Waits]),
        // Its callee runs asynchronously.
        row(
            "async.call",
            &[Starts {
                uses: Uses::Operands,
                grouped: false,
            }],
        ),
        row("async.create_group", &[]),
        row(
            "async.execute",
            &[
                Runs(Asynchronous),
                Outlines(Outlined::Always),
                Starts {
                    uses: Uses::Regions,
                    grouped: false,
                },
            ],
        ),
        row("async.runtime.add_ref", &[]),
        row("async.runtime.add_to_group", &[Special(add_to_group)]),
        row("async.runtime.await", &[Waits]),
        row("async.runtime.create", &[]),
        row("async.runtime.create_group", &[]),
        row("async.runtime.drop_ref", &[]),
        row("async.runtime.is_error", &[]),
        row("async.runtime.load", &[Views(Number(0), Same)]),
        row("async.runtime.set_available", &[]),
        row("async.runtime.set_error", &[]),
        row("async.runtime.store", &[Captures(Number(0))]),
        row("async.yield", &[]),
    ],
    others: &[],
    is_ordered: true,
};

/// The group completes no earlier than what is added to it.
fn add_to_group(subject: &mut Subject<'_, '_>) {
    let join = Join::After {
        all_of: smallvec![TokenRef::Operand(0)],
        to: TokenRef::Operand(1),
    };
    subject.memory.joins.push(join);
}
