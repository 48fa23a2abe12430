//! Whole numbers that follow from constants, and why others do not.

use memplan_mlir::{
    affine,
    build::integer,
    copy::integer_width,
    ir::{Block, Op, Origin, Val, block_parent, operands, origin, type_of},
    names::{Known, Names},
};

/// So many operations are looked at for one number.
const FUEL: u32 = 256;

/// Numbers that are known besides, such as induction variables in a turn.
pub type Env<'e, 'c> = &'e dyn Fn(Val<'c>) -> Option<i64>;

/// Nothing is known besides.
pub fn nothing(_: Val<'_>) -> Option<i64> {
    None
}

/// The number that an integer or index value always is, sign-extended from its width.
pub fn evaluate<'c>(value: Val<'c>, names: &mut Names, env: Env<'_, 'c>) -> Option<i64> {
    let mut fuel = FUEL;
    value_of(value, names, env, &mut fuel)
}

fn value_of<'c>(
    value: Val<'c>,
    names: &mut Names,
    env: Env<'_, 'c>,
    fuel: &mut u32,
) -> Option<i64> {
    if let Some(known) = env(value) {
        return Some(known);
    }
    *fuel = fuel.checked_sub(1)?;
    let Some(Origin::Result(op, 0)) = origin(value) else {
        return None;
    };
    let width = integer_width(type_of(value)).filter(|width| (1..=64).contains(width))?;
    let known = names.info(op).known;
    if known == Known::Constant {
        return integer(op, "value").map(|number| wrap(number, width));
    }
    let mut inputs = [0_i64; 3];
    if known == Known::AffineApply {
        let mut numbers = Vec::new();
        for operand in operands(op) {
            numbers.push(value_of(operand, names, env, fuel)?);
        }
        return affine::evaluate(op, "map", &numbers)?.first().copied();
    }
    if !is_computed(known) || operands(op).count() > 3 {
        return None;
    }
    for (at, operand) in operands(op).enumerate() {
        inputs[at] = value_of(operand, names, env, fuel)?;
    }
    let from = operands(op)
        .next()
        .and_then(|operand| integer_width(type_of(operand)))?;
    compute(op, known, inputs, from).map(|number| wrap(number, width))
}

const fn is_computed(known: Known) -> bool {
    use Known::*;
    matches!(
        known,
        AddI | SubI
            | MulI
            | DivSI
            | DivUI
            | RemSI
            | RemUI
            | AndI
            | OrI
            | XOrI
            | MaxSI
            | MinSI
            | CmpI
            | Select
            | IndexCast
            | IndexCastUI
            | ExtSI
            | ExtUI
            | TruncI
    )
}

/// The low bits of a number, with their sign.
fn wrap(number: i64, width: u32) -> i64 {
    let unused = 64 - width.min(64);
    number << unused >> unused
}

fn unsigned(number: i64, width: u32) -> u64 {
    (number as u64) & (u64::MAX >> (64 - width.min(64)))
}

fn compute(op: Op<'_>, known: Known, [a, b, c]: [i64; 3], width: u32) -> Option<i64> {
    let (ua, ub) = (unsigned(a, width), unsigned(b, width));
    Some(match known {
        Known::AddI => a.wrapping_add(b),
        Known::SubI => a.wrapping_sub(b),
        Known::MulI => a.wrapping_mul(b),
        Known::DivSI => a.checked_div(b)?,
        Known::RemSI => a.checked_rem(b)?,
        Known::DivUI => ua.checked_div(ub)? as i64,
        Known::RemUI => ua.checked_rem(ub)? as i64,
        Known::AndI => a & b,
        Known::OrI => a | b,
        Known::XOrI => a ^ b,
        Known::MaxSI => a.max(b),
        Known::MinSI => a.min(b),
        Known::Select => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Known::IndexCast | Known::ExtSI | Known::TruncI => a,
        Known::IndexCastUI | Known::ExtUI => ua as i64,
        Known::CmpI => {
            let holds = match integer(op, "predicate")? {
                0 => a == b,
                1 => a != b,
                2 => a < b,
                3 => a <= b,
                4 => a > b,
                5 => a >= b,
                6 => ua < ub,
                7 => ua <= ub,
                8 => ua > ub,
                9 => ua >= ub,
                _ => return None,
            };
            // What `i1` is, sign-extended.
            -i64::from(holds)
        }
        _ => return None,
    })
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
    /// Read from memory, or from what else is not looked into.
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
            Self::Other => "depends on what only the run knows",
        }
    }
}

/// Why a value is not constant: the first thing in its computation that is not.
pub fn why<'c>(value: Val<'c>, names: &mut Names) -> Why {
    let mut open = vec![value];
    let mut fuel = FUEL;
    while let Some(value) = open.pop() {
        if fuel == 0 {
            break;
        }
        fuel -= 1;
        match origin(value) {
            Some(Origin::Argument(block, number)) => return argument(block, number, names),
            Some(Origin::Result(op, _)) => {
                let info = names.info(op);
                if info.is_call() {
                    return Why::Call;
                }
                if info.is_region_branch() {
                    return Why::Flow;
                }
                if info.known == Known::Constant {
                    continue;
                }
                if !is_computed(info.known) && info.known != Known::AffineApply {
                    return Why::Other;
                }
                open.extend(operands(op));
            }
            None => return Why::Other,
        }
    }
    Why::Other
}

fn argument(block: Block<'_>, number: usize, names: &mut Names) -> Why {
    let Some(owner) = block_parent(block) else {
        return Why::Other;
    };
    let info = names.info(owner);
    let is_entry = memplan_mlir::ir::regions(owner)
        .filter_map(|region| memplan_mlir::ir::blocks(region).next())
        .any(|first| first == block);
    match info.known {
        Known::ScfFor | Known::AffineFor if number == 0 => Why::Induction,
        _ if info.is_function() && is_entry => Why::Argument,
        _ => Why::Flow,
    }
}
