//! The xegpu dialect. Descriptors keep the address of the memory that they were created from.

use crate::statement::{
    Dialect,
    Operands::All,
    Statement::{Address, Fence, Reads, Writes},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "xegpu",
    rows: &[
        row("xegpu.alloc_nbarrier", &[Fence]),
        row("xegpu.fence", &[Fence]),
        row("xegpu.init_nbarrier", &[Fence]),
        row("xegpu.nbarrier_arrive", &[Fence]),
        row("xegpu.nbarrier_wait", &[Fence]),
        row("xegpu.prefetch", &[Reads(All)]),
        row("xegpu.prefetch_nd", &[Reads(All)]),
        row("xegpu.store", &[Writes(All)]),
        row("xegpu.store_nd", &[Writes(All)]),
        row("xegpu.update_offset", &[Address(All)]),
    ],
    others: &[],
    is_ordered: true,
};
