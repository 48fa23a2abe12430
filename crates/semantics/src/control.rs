//! Where control goes between an operation and its regions or successors, as far as it is known.

use crate::{
    form::Form,
    op_memory::RegionOrder,
    semantics::Semantics,
    statement::{Bounds, Chooser, Statement},
};
use memplan_mlir::{
    build::{dense_integers, integers_of},
    copy::integer_width,
    flow,
    ir::{Identity, Op, Val, blocks, operands, parent, regions, successors, terminator, type_of},
    melior::ir::operation::OperationLike,
};

/// How an operation chooses among its regions, or its successors.
#[derive(Clone, Debug)]
pub struct Choice<'c> {
    /// What it depends on; `None`: on more than one value.
    pub flag: Option<Val<'c>>,
    /// By what.
    pub by: Chosen,
}

/// What an operation chooses by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chosen {
    /// The first where the flag holds, otherwise the second, if there is one.
    Truth,
    /// By the place of the flag among these numbers; the first of all is for numbers that are not there. `None`: the numbers
    /// are not known.
    Cases(Option<Vec<i64>>),
    /// The first or the second, as operands are in an integer set or not.
    Set,
}

impl Choice<'_> {
    /// Which one it chooses for a flag that is known.
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
    /// What an operation does with control.
    pub fn form(&mut self, op: Op<'_>) -> Form {
        self.facts(op).form
    }

    /// How an operation of [`Form::Choice`] chooses.
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

    /// When the regions of `op` run.
    pub fn region_order(&mut self, op: Op<'_>) -> RegionOrder {
        self.facts(op).order
    }

    /// Does `op` run in order with all others that do, for one execution of the block that `maker` stands in: neither at once
    /// with another iteration of a body around it, nor after control has passed such a body? It stands in that block, in one
    /// that this dominates, or nested in either.
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

    /// Does `op` end a region that a path goes through ([`Form::is_path`]), and pass its operands on to what follows?
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

    /// Are all paths into, between and out of the regions of `op` known? Each block then ends in a branch, in a
    /// terminator that says where control goes, or is never left.
    pub fn paths_are_known(&mut self, op: Op<'_>) -> bool {
        let ends = regions(op).flat_map(blocks).all(|block| {
            terminator(block).is_some_and(|last| {
                last.successor_count() > 0
                    || self.is_never_left(last)
                    || (self.info(last).is_region_terminator()
                        && flow::terminator_edges(last).is_some())
            })
        });
        ends && flow::entry_edges(op).is_some()
    }
}

/// The numbers of a list: an array, or dense elements of the type of operand 0; without the attribute, none.
fn cases(op: Op<'_>, name: &str) -> Option<Vec<i64>> {
    if !op.has_attribute(name) {
        return Some(Vec::new());
    }
    // Constants are kept sign-extended; so are elements of these widths.
    let width = || integer_width(type_of(operands(op).next()?));
    integers_of(op, name).or_else(|| {
        let has_whole_bytes = matches!(width(), Some(8 | 16 | 32 | 64));
        dense_integers(op, name).filter(|_| has_whole_bytes)
    })
}
