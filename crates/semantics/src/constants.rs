//! Integers that can be computed from constants, and the reasons why others cannot.
//!
//! MLIR folds each operation, given the known operands. So this module needs no list of arithmetic operations.

use crate::declared::is_effect_free;
use crate::{form::Form, op_memory::Unnamed, semantics::Semantics};
use memplan_mlir::{
    build::integer_value,
    copy::integer_width,
    ir::{
        Block, Identity, Key, Op, Origin, Val, block_parent, blocks, operands, origin, regions,
        type_of,
    },
    loops::parts,
    melior::ir::{Attribute, attribute::IntegerAttribute},
    values::{Folded, fold},
};
use rustc_hash::FxHashMap;

/// Most operations that are folded for one number.
const FUEL: u32 = 1024;

/// Values that are known in addition, such as induction variables of an iteration.
pub type Env<'e, 'c> = &'e dyn Fn(Val<'c>) -> Option<i64>;

/// No additional values are known.
pub fn no_known_values(_: Val<'_>) -> Option<i64> {
    None
}

/// The constant value of an integer or index, sign-extended from its width.
pub fn evaluate<'c>(value: Val<'c>, semantics: &mut Semantics, env: Env<'_, 'c>) -> Option<i64> {
    Evaluation::new(semantics, env).number(value)
}

struct Evaluation<'c, 'e> {
    semantics: &'e mut Semantics,
    env: Env<'e, 'c>,
    known: FxHashMap<Key, Option<Attribute<'c>>>,
    fuel: u32,
}

impl<'c, 'e> Evaluation<'c, 'e> {
    fn new(semantics: &'e mut Semantics, env: Env<'e, 'c>) -> Self {
        Self {
            semantics,
            env,
            known: FxHashMap::default(),
            fuel: FUEL,
        }
    }

    fn number(&mut self, value: Val<'c>) -> Option<i64> {
        let width = integer_width(type_of(value)).filter(|width| (1..=64).contains(width))?;
        let constant = integer_value(self.constant(value)?)?;
        let unused = 64 - width;
        Some(constant << unused >> unused)
    }

    /// The constant that a value always is.
    fn constant(&mut self, value: Val<'c>) -> Option<Attribute<'c>> {
        if let Some(number) = (self.env)(value) {
            return Some(IntegerAttribute::new(type_of(value), number).into());
        }
        let Some(Origin::Result(op, number)) = origin(value) else {
            return None;
        };
        if let Some(known) = self.known.get(&value.key()) {
            return *known;
        }
        // Constants cost no fuel.
        if operands(op).next().is_some() {
            self.fuel = self.fuel.checked_sub(1)?;
        }
        let found = self.folded(op, number);
        self.known.insert(value.key(), found);
        found
    }

    fn folded(&mut self, op: Op<'c>, number: usize) -> Option<Attribute<'c>> {
        if regions(op).next().is_some() || self.semantics.info(op).is_call() {
            return None;
        }
        let given: Vec<Option<Attribute<'c>>> =
            operands(op).map(|operand| self.constant(operand)).collect();
        match fold(op, number, &given)? {
            Folded::Constant(constant) => Some(constant),
            Folded::Value(value) => self.constant(value),
        }
    }
}

/// The reason why a number is not constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NonConstantReason {
    /// It depends on an argument of the function.
    Argument,
    /// It depends on the induction variable of an enclosing loop.
    Induction,
    /// It depends on the control flow of a loop, a branch or a block.
    ControlFlow,
    /// It depends on the result of a call.
    Call,
    /// It is read from memory.
    Memory,
    /// It does not fold, although its operands are constant.
    NotFoldable,
    /// Its computation has too many operations.
    TooManyOps,
    /// Its computation cannot be analyzed.
    Other,
}

impl NonConstantReason {
    /// The reason in words, as the predicate of a sentence about the number.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Argument => {
                "depends on an argument of the function (constant after inlining, if callers \
                 pass constants)"
            }
            Self::Induction => {
                "depends on the induction variable of an enclosing loop, which has too many \
                 iterations to evaluate each"
            }
            Self::ControlFlow => {
                "is a result of a branch or a loop (constant after constant propagation, if at \
                 all)"
            }
            Self::Call => "depends on the result of a call (constant after inlining, if at all)",
            Self::Memory => {
                "is loaded from memory that is not a constant global (constant after \
                 store-to-load forwarding, if at all)"
            }
            Self::NotFoldable => "is computed from constants, but is not constant",
            Self::TooManyOps => "takes more than a thousand operations to evaluate",
            Self::Other => "is known only at run time",
        }
    }
}

/// The reason why a value is not constant: the first part of its computation that is not.
pub fn why_not_constant<'c>(value: Val<'c>, semantics: &mut Semantics) -> NonConstantReason {
    let mut evaluation = Evaluation::new(semantics, &no_known_values);
    let mut at = value;
    for _ in 0..FUEL {
        let op = match origin(at) {
            Some(Origin::Argument(block, number)) => {
                return argument(block, number, evaluation.semantics);
            }
            Some(Origin::Result(op, _)) => op,
            None => return NonConstantReason::Other,
        };
        let info = evaluation.semantics.info(op);
        if info.is_call() {
            return NonConstantReason::Call;
        }
        if info.is_region_branch() {
            return NonConstantReason::ControlFlow;
        }
        if regions(op).next().is_some() || operands(op).next().is_none() {
            return NonConstantReason::Other;
        }
        if !is_effect_free(op) {
            return match only_reads(op, evaluation.semantics) {
                true => NonConstantReason::Memory,
                false => NonConstantReason::Other,
            };
        }
        let mut all = operands(op);
        let unknown = all.find(|operand| evaluation.constant(*operand).is_none());
        if evaluation.fuel == 0 {
            return NonConstantReason::TooManyOps;
        }
        match unknown {
            Some(unknown) if integer_width(type_of(unknown)).is_some() => at = unknown,
            Some(_) => return NonConstantReason::Other,
            None => return NonConstantReason::NotFoldable,
        }
    }
    NonConstantReason::TooManyOps
}

/// Does an operation read one memref and do nothing else to memory?
fn only_reads(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let memory = semantics.of(op);
    memory.reads() && !memory.writes() && !memory.frees() && memory.unnamed == Unnamed::default()
}

fn argument(block: Block<'_>, number: usize, semantics: &mut Semantics) -> NonConstantReason {
    let Some(owner) = block_parent(block) else {
        return NonConstantReason::Other;
    };
    let is_entry = regions(owner)
        .filter_map(|region| blocks(region).next())
        .any(|first| first == block);
    let variables = || parts(owner).map(|parts| parts.induction);
    if semantics.form(owner) == Form::Counted
        && variables()
            .into_iter()
            .flatten()
            .any(|variable| is_argument(variable, block, number))
    {
        NonConstantReason::Induction
    } else if semantics.info(owner).is_function() && is_entry {
        NonConstantReason::Argument
    } else {
        NonConstantReason::ControlFlow
    }
}

fn is_argument<'c>(value: Val<'c>, block: Block<'c>, number: usize) -> bool {
    matches!(origin(value), Some(Origin::Argument(home, at)) if home == block && at == number)
}
