//! Control forms: structured control flow that can be rewritten as another form.

use crate::{op_memory::RegionOrder, statement::Statement};

/// The control form of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A loop whose iterations run one after another, one for each value of its induction variable; its body is one
    /// block.
    Counted,
    /// A loop whose iterations may run in parallel, one for each value of its induction variables.
    Parallel,
    /// A loop that runs until a condition of its own is false.
    Repeated,
    /// One of the regions or successors runs, by its [`Choice`](crate::control::Choice); none if an operation with
    /// one region skips it.
    Choice,
    /// The region runs once.
    Once,
    /// The region runs once, and its stack allocations end with it.
    Scope,
    /// Control goes to the only successor.
    Jump,
    /// Any other operation.
    #[default]
    Other,
}

impl Form {
    pub(crate) fn of(row: &[Statement], order: RegionOrder, is_allocation_scope: bool) -> Self {
        let mut forms = row.iter().filter_map(|say| match say {
            Statement::Counts(_) if order == RegionOrder::Sequential => Some(Self::Counted),
            Statement::Counts(_) if order == RegionOrder::Parallel => Some(Self::Parallel),
            Statement::Repeats => Some(Self::Repeated),
            Statement::Chooses(_) => Some(Self::Choice),
            Statement::RunsOnce if is_allocation_scope => Some(Self::Scope),
            Statement::RunsOnce => Some(Self::Once),
            Statement::Jumps => Some(Self::Jump),
            _ => None,
        });
        forms.next().unwrap_or_default()
    }

    /// Do paths of the function go through its regions, and on after them?
    pub const fn is_path(self) -> bool {
        matches!(self, Self::Counted | Self::Choice | Self::Once)
    }
}
