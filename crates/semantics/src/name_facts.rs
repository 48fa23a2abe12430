//! What a name alone decides: the row of the table, looked up once.

use crate::{
    allocators::Allocator,
    dialects,
    form::Form,
    op_memory::RegionOrder,
    registration::registry::{self, Describe},
    statement::{Outlined, Statement},
};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike, names::NameInfo};
use std::sync::Arc;

#[cfg(debug_assertions)]
use crate::statement::Row;
#[cfg(debug_assertions)]

/// What is known of the operations of one name.
pub(crate) struct NameFacts {
    pub(crate) info: NameInfo,
    /// What the table says of memory; `None` where it has no row that does.
    pub(crate) row: Option<&'static [Statement]>,
    /// All that the row of the table says.
    pub(crate) control: &'static [Statement],
    /// The row says all: interfaces are not asked.
    pub(crate) is_whole: bool,
    /// What its dialect says of all operations without a row.
    pub(crate) others: &'static [Statement],
    /// Who describes them, if somebody has registered that.
    pub(crate) described: Option<Arc<Describe>>,
    pub(crate) says: NameSays,
    pub(crate) form: Form,
    /// When regions run.
    pub(crate) order: RegionOrder,
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
    /// An embedder describes each of them.
    pub is_described: bool,
    /// Which of their regions become functions of their own.
    pub outlined: Option<Outlined>,
    /// They go over all elements of their memrefs.
    pub walks: bool,
}

impl NameSays {
    fn of(row: &[Statement]) -> Self {
        let mut says = Self::default();
        for statement in row {
            match statement {
                Statement::Frees(..) | Statement::Reallocates(_) => says.frees = true,
                Statement::Address(_) => says.gives_addresses = true,
                Statement::Allocates(by) => says.allocates = Some(*by),
                Statement::Outlines(which) => says.outlined = Some(*which),
                Statement::Walks => says.walks = true,
                _ => {}
            }
        }
        says
    }
}

impl NameFacts {
    pub(crate) fn of(op: Op<'_>, info: NameInfo) -> Self {
        let (whole, others) = dialects::look_up(op, info);
        let name = op.name();
        let described = name.as_string_ref().as_str().ok().and_then(registry::ask);
        // A row that is about control alone leaves memory to interfaces.
        let row = whole.filter(|row| row.is_empty() || !row.iter().all(Statement::is_control));
        let control = whole.unwrap_or_default();
        let stated = whole.unwrap_or(others);
        let mut order = match info.has_parallel_region() {
            true => RegionOrder::Parallel,
            false => RegionOrder::Sequential,
        };
        for statement in stated {
            if let Statement::Runs(stated) = statement {
                order = *stated;
            }
        }
        Self {
            info,
            row,
            control,
            is_whole: row.is_some_and(Statement::say_all),
            others,
            says: NameSays {
                is_described: described.is_some(),
                ..NameSays::of(stated)
            },
            form: Form::of(control, order, info.is_allocation_scope()),
            order,
            described,
        }
    }

    /// The same with another row, if that is one of this name.
    #[cfg(debug_assertions)]
    pub(crate) fn with_row(self, op: Op<'_>, row: Option<Row>) -> Self {
        match row {
            Some(Row { name, statements }) if op.name().as_string_ref().as_str() == Ok(name) => {
                Self {
                    row: Some(statements),
                    is_whole: Statement::say_all(statements),
                    says: NameSays::of(statements),
                    ..self
                }
            }
            _ => self,
        }
    }
}
