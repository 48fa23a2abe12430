//! The rocdl dialect. Of its barriers, `rocdl.barrier` alone has fences: others order no accesses to memory.

use crate::statement::{
    Dialect,
    Statement::{Fence, WorkgroupBarrier},
    row,
};

pub const DIALECT: Dialect = Dialect {
    name: "rocdl",
    rows: &[row("rocdl.barrier", &[Fence, WorkgroupBarrier(|_| true)])],
    others: &[],
    is_ordered: true,
};
