//! What a name alone decides: the row of the table, looked up once.

use crate::{
    allocators::Allocator,
    dialects,
    op_memory::RegionOrder,
    registration::registry::{self, Describe},
    statement::Statement,
};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike, names::NameInfo};
use std::sync::Arc;

/// What is known of the operations of one name.
pub(crate) struct NameFacts {
    pub(crate) info: NameInfo,
    /// What the table says; `None` where it has no row.
    pub(crate) row: Option<&'static [Statement]>,
    /// The row says all: interfaces are not asked.
    pub(crate) is_whole: bool,
    /// What its dialect says of all operations without a row.
    pub(crate) others: &'static [Statement],
    /// Who describes them, if somebody has registered that.
    pub(crate) described: Option<Arc<Describe>>,
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
    /// An embedder describes each of them.
    pub is_described: bool,
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
        let name = op.name();
        let described = name.as_string_ref().as_str().ok().and_then(registry::ask);
        let is_whole = row.is_some_and(Statement::say_all);
        let mut says = NameSays {
            is_described: described.is_some(),
            ..NameSays::of(row.unwrap_or_default())
        };
        if row.is_none() {
            says.regions = NameSays::of(others).regions;
        }
        let is_by_trait = says.regions == RegionOrder::Sequential && !is_whole;
        if described.is_some() {
            says.regions = RegionOrder::Sequential;
        } else if is_by_trait && info.has_parallel_region() {
            says.regions = RegionOrder::Parallel;
        }
        Self {
            info,
            row,
            is_whole,
            others,
            described,
            says,
        }
    }
}
