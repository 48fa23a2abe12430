//! Forms of control that can be written in another way.

use crate::{op_memory::RegionOrder, statement::Statement};

/// What an operation does with control, of what can be written in another form: unrolled, or as blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A loop whose iterations run one after another, once for each value of its induction variable; its body is one
    /// block.
    Counted,
    /// A loop whose iterations may run at the same time, once for each value of its induction variables.
    AtOnce,
    /// A loop that runs until a condition of its own does not hold.
    Repeated,
    /// One of its regions or successors, as [`Choice`](crate::control::Choice) says; none where an operation with one region skips it.
    Choice,
    /// Its region, once.
    Once,
    /// Its region, once; what that allocates on the stack is gone then.
    Scope,
    /// Its only successor.
    Jump,
    /// Anything else.
    #[default]
    Other,
}

impl Form {
    pub(crate) fn of(row: &[Statement], order: RegionOrder, is_allocation_scope: bool) -> Self {
        let mut forms = row.iter().filter_map(|say| match say {
            Statement::Counts(_) if order == RegionOrder::Sequential => Some(Self::Counted),
            Statement::Counts(_) if order == RegionOrder::Parallel => Some(Self::AtOnce),
            Statement::Repeats => Some(Self::Repeated),
            Statement::Chooses(_) => Some(Self::Choice),
            Statement::RunsOnce if is_allocation_scope => Some(Self::Scope),
            Statement::RunsOnce => Some(Self::Once),
            Statement::Jumps => Some(Self::Jump),
            _ => None,
        });
        forms.next().unwrap_or_default()
    }

    /// Do paths of a function go through its regions, and on after them?
    pub const fn is_path(self) -> bool {
        matches!(self, Self::Counted | Self::Choice | Self::Once)
    }
}
