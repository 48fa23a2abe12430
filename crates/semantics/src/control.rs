//! Transfer of control between an operation and its regions or successors, as far as it is known.

use crate::{
    form::Form,
    op_memory::RegionOrder,
    semantics::Semantics,
    statement::{Bounds, Chooser, Statement},
};
use memplan_mlir::{
    build::{dense_integers, integers_of},
    control_flow,
    copy::integer_width,
    ir::{Identity, Op, Val, blocks, operands, parent, regions, successors, terminator, type_of},
    melior::ir::operation::OperationLike,
};

/// The choice of an operation among its regions or successors.
#[derive(Clone, Debug)]
pub struct Choice<'c> {
    /// The value that it depends on; `None` for several values.
    pub flag: Option<Val<'c>>,
    /// The rule.
    pub by: Chosen,
}

/// The rule by which an operation chooses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The first if the value is true, otherwise the second, if there is one.
    Truth,
    /// By the index of the value in this list, plus one; index 0 for values that are not in the list. `None`: the
    /// list is not known.
    Cases(Option<Vec<i64>>),
    /// The first if operands are in an integer set, otherwise the second.
    Set,
}

impl Choice<'_> {
    /// The index that is chosen for a known value.
    pub fn chosen(&self, flag: i64) -> Option<usize> {
        match &self.by {
            Chosen::Truth => Some(usize::from(flag == 0)),
            Chosen::Cases(cases) => {
                let case = cases.as_ref()?.iter().position(|case| *case == flag);
                Some(case.map_or(0, |case| case + 1))
            }
            Chosen::Set => None,
        }
    }
}

impl Semantics {
    /// The control form of an operation.
    pub fn form(&mut self, op: Op<'_>) -> Form {
        self.facts(op).form
    }

    /// The choice of an operation of [`Form::Choice`].
    pub fn choice<'c>(&mut self, op: Op<'c>) -> Option<Choice<'c>> {
        let chooser = self.facts(op).control.iter().find_map(|say| match say {
            Statement::Chooses(chooser) => Some(*chooser),
            _ => None,
        })?;
        let flag = operands(op).next();
        Some(match chooser {
            Chooser::Truth => Choice {
                flag,
                by: Chosen::Truth,
            },
            Chooser::Cases(name) => Choice {
                flag,
                by: Chosen::Cases(cases(op, name)),
            },
            Chooser::Set => Choice {
                flag: None,
                by: Chosen::Set,
            },
        })
    }

    pub(crate) fn bounds(&mut self, op: Op<'_>) -> Option<Bounds> {
        self.facts(op).control.iter().find_map(|say| match say {
            Statement::Counts(bounds) => Some(*bounds),
            _ => None,
        })
    }

    /// The order in which the regions of `op` run.
    pub fn region_order(&mut self, op: Op<'_>) -> RegionOrder {
        self.facts(op).order
    }

    /// Does `op` run in program order with everything else, for one execution of the block of `maker`? It does not if
    /// another iteration of an enclosing body may run at the same time, or if an enclosing body is asynchronous. `op`
    /// is in that block, in a block that this one dominates, or nested in either.
    pub fn runs_in_order<'c>(&mut self, op: Op<'c>, maker: Op<'c>) -> bool {
        let top = parent(maker).map(|around| around.key());
        let mut around = parent(op);
        while let Some(op) = around.filter(|op| Some(op.key()) != top) {
            if self.region_order(op) != RegionOrder::Sequential || !self.info(op).is_registered() {
                return false;
            }
            around = parent(op);
        }
        around.is_some()
    }

    /// Does `op` end a region of a sequential form ([`Form::is_path`]) and forward its operands?
    pub fn is_yield(&mut self, op: Op<'_>) -> bool {
        self.info(op).is_region_terminator()
            && successors(op).next().is_none()
            && parent(op).is_some_and(|around| self.form(around).is_path())
    }

    /// Does `op` end a block that control never leaves?
    pub fn is_never_left(&mut self, op: Op<'_>) -> bool {
        let row = self.facts(op).row.unwrap_or_default();
        row.iter().any(|say| matches!(say, Statement::NeverLeft))
    }

    /// Are all edges into, between and out of the regions of `op` known? Then each block ends in a branch, in a
    /// terminator with known edges, or is never left.
    pub fn paths_are_known(&mut self, op: Op<'_>) -> bool {
        let ends = regions(op).flat_map(blocks).all(|block| {
            terminator(block).is_some_and(|last| {
                last.successor_count() > 0
                    || self.is_never_left(last)
                    || (self.info(last).is_region_terminator()
                        && control_flow::terminator_edges(last).is_some())
            })
        });
        ends && control_flow::entry_edges(op).is_some()
    }
}

/// The case values in an attribute: an array, or dense elements of the type of operand 0; none without the attribute.
fn cases(op: Op<'_>, name: &str) -> Option<Vec<i64>> {
    if !op.has_attribute(name) {
        return Some(Vec::new());
    }
    // Constants are sign-extended, and so are elements of these widths.
    let width = || integer_width(type_of(operands(op).next()?));
    integers_of(op, name).or_else(|| {
        let has_whole_bytes = matches!(width(), Some(8 | 16 | 32 | 64));
        dense_integers(op, name).filter(|_| has_whole_bytes)
    })
}
