//! What a name alone decides: the row of the table, looked up once.

use crate::{allocators::Allocator, dialects, op_memory::RegionOrder, statement::Statement};
use memplan_mlir::{ir::Op, names::NameInfo};

/// What is known of the operations of one name.
pub(crate) struct NameFacts {
    pub(crate) info: NameInfo,
    /// What the table says; `None` where it has no row.
    pub(crate) row: Option<&'static [Statement]>,
    /// The row says all: interfaces are not asked.
    pub(crate) is_whole: bool,
    /// What its dialect says of all operations without a row.
    pub(crate) others: &'static [Statement],
    pub(crate) says: NameSays,
}

/// What the table says of all operations of one name. It costs one look-up, and no interface is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameSays {
    /// They free an operand.
    pub frees: bool,
    /// Their results are addresses, as numbers or pointers.
    pub gives_addresses: bool,
    /// Whose memory they allocate.
    pub allocates: Option<Allocator>,
    /// When their regions run.
    pub regions: RegionOrder,
}

impl NameSays {
    fn of(row: &[Statement]) -> Self {
        let mut says = Self::default();
        for statement in row {
            match statement {
                Statement::Frees(..) | Statement::Reallocates(_) => says.frees = true,
                Statement::Address(_) => says.gives_addresses = true,
                Statement::Allocates(by) => says.allocates = Some(*by),
                Statement::Runs(order) => says.regions = *order,
                _ => {}
            }
        }
        says
    }
}

impl NameFacts {
    pub(crate) fn of(op: Op<'_>, info: NameInfo) -> Self {
        let (row, others) = dialects::look_up(op, info);
        let is_whole = row.is_some_and(Statement::say_all);
        let mut says = NameSays::of(row.unwrap_or_default());
        if row.is_none() {
            says.regions = NameSays::of(others).regions;
        }
        let is_by_trait = says.regions == RegionOrder::Sequential && !is_whole;
        if info.is_ruled {
            says.regions = RegionOrder::Sequential;
        } else if is_by_trait && info.has_parallel_region() {
            says.regions = RegionOrder::Parallel;
        }
        Self {
            info,
            row,
            is_whole,
            others,
            says,
        }
    }
}
