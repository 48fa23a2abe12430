//! Whole numbers that follow from constants, and why others do not.
//!
//! An operation is folded by MLIR, given what is known of its operands, so what a number is computed by is
//! nowhere listed here.

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

/// So many operations are looked at for one number.
const FUEL: u32 = 1024;

/// Numbers that are known besides, such as induction variables in an iteration.
pub type Env<'e, 'c> = &'e dyn Fn(Val<'c>) -> Option<i64>;

/// Nothing is known besides.
pub fn nothing(_: Val<'_>) -> Option<i64> {
    None
}

/// The number that an integer or index value always is, sign-extended from its width.
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
        // Constants are free.
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

/// What keeps a number from being worked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// An argument of the function.
    Argument,
    /// The induction variable of a loop around.
    Induction,
    /// It goes through a loop, a branch or a block.
    Flow,
    /// The result of a call.
    Call,
    /// Read from memory.
    Memory,
    /// Constants come to nothing that is one.
    Undone,
    /// There is too much to look at.
    Long,
    /// What is not looked into.
    Other,
}

impl Why {
    /// In words that follow the number's name.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Argument => {
                "depends on an argument of the function: it is constant only after inlining, if \
                 callers pass constants"
            }
            Self::Induction => {
                "depends on the induction variable of a loop around, which has too many turns to \
                 look at each"
            }
            Self::Flow => {
                "comes out of a branch or a loop: it is constant only after constant propagation, \
                 if at all"
            }
            Self::Call => {
                "depends on the result of a call: it is constant only after inlining, if at all"
            }
            Self::Memory => {
                "is read from memory that is no constant global: it is constant only after values \
                 stored there have been forwarded, if at all"
            }
            Self::Undone => "is computed from constants in a way that gives none",
            Self::Long => "takes more than a thousand operations to work out",
            Self::Other => "depends on what only the run knows",
        }
    }
}

/// Why a value is not constant: the first thing in its computation that is not.
pub fn why<'c>(value: Val<'c>, semantics: &mut Semantics) -> Why {
    let mut evaluation = Evaluation::new(semantics, &nothing);
    let mut at = value;
    for _ in 0..FUEL {
        let op = match origin(at) {
            Some(Origin::Argument(block, number)) => {
                return argument(block, number, evaluation.semantics);
            }
            Some(Origin::Result(op, _)) => op,
            None => return Why::Other,
        };
        let info = evaluation.semantics.info(op);
        if info.is_call() {
            return Why::Call;
        }
        if info.is_region_branch() {
            return Why::Flow;
        }
        if regions(op).next().is_some() || operands(op).next().is_none() {
            return Why::Other;
        }
        if !is_effect_free(op) {
            return match only_reads(op, evaluation.semantics) {
                true => Why::Memory,
                false => Why::Other,
            };
        }
        let mut all = operands(op);
        let unknown = all.find(|operand| evaluation.constant(*operand).is_none());
        if evaluation.fuel == 0 {
            return Why::Long;
        }
        match unknown {
            Some(unknown) if integer_width(type_of(unknown)).is_some() => at = unknown,
            Some(_) => return Why::Other,
            None => return Why::Undone,
        }
    }
    Why::Long
}

/// Does an operation read one memref, and no other memory?
fn only_reads(op: Op<'_>, semantics: &mut Semantics) -> bool {
    let memory = semantics.of(op);
    memory.reads() && !memory.writes() && !memory.frees() && memory.unnamed == Unnamed::default()
}

fn argument(block: Block<'_>, number: usize, semantics: &mut Semantics) -> Why {
    let Some(owner) = block_parent(block) else {
        return Why::Other;
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
        Why::Induction
    } else if semantics.info(owner).is_function() && is_entry {
        Why::Argument
    } else {
        Why::Flow
    }
}

fn is_argument<'c>(value: Val<'c>, block: Block<'c>, number: usize) -> bool {
    matches!(origin(value), Some(Origin::Argument(home, at)) if home == block && at == number)
}
