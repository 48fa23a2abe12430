//! The expressions that operations compute: compares each row of the tables with MLIR's folding.

use memplan_mlir::{
    context::with_all_dialects,
    copy::integer_width,
    ir::{Op, Val, blocks, ops, regions, results, type_of},
    melior::ir::{BlockLike, Module},
};
use memplan_semantics::{
    Computes, Semantics,
    arithmetic::{Binary, Cast, Predicate, Rounding, Sign},
    constants::{evaluate, no_known_values},
};
use std::fmt::Write;

const NUMBERS: [i64; 7] = [-128, -7, -1, 0, 1, 3, 127];
const PREDICATES: [&str; 10] = [
    "eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge",
];

/// Interprets a number of this width as signed or unsigned.
fn read(number: i64, width: u32, sign: Sign) -> i128 {
    match sign {
        Sign::Signed => i128::from(number),
        Sign::Unsigned => i128::from(number) & ((1 << width) - 1),
    }
}

fn divided(left: i128, right: i128, rounding: Rounding) -> Option<i128> {
    let (quotient, rest) = (left.checked_div(right)?, left.checked_rem(right)?);
    let is_negative = (left < 0) != (right < 0);
    Some(match rounding {
        Rounding::Floor if rest != 0 && is_negative => quotient - 1,
        Rounding::Ceiling if rest != 0 && !is_negative => quotient + 1,
        _ => quotient,
    })
}

fn binary(binary: Binary, numbers: [i64; 2], width: u32) -> Option<i128> {
    let both = |sign| numbers.map(|number| read(number, width, sign));
    let [left, right] = both(Sign::Signed);
    let amount = u32::try_from(right).ok().filter(|by| *by < width);
    Some(match binary {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide(sign, rounding) => divided(both(sign)[0], both(sign)[1], rounding)?,
        Binary::Remainder(sign) => both(sign)[0].checked_rem(both(sign)[1])?,
        Binary::Min(sign) => both(sign)[0].min(both(sign)[1]),
        Binary::Max(sign) => both(sign)[0].max(both(sign)[1]),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::Xor => left ^ right,
        Binary::ShiftLeft => left << amount?,
        Binary::ShiftRight(sign) => both(sign)[0] >> amount?,
    })
}

fn compared(predicate: Predicate, numbers: [i64; 2], width: u32) -> bool {
    let both = |sign| numbers.map(|number| read(number, width, sign));
    let [left, right] = numbers;
    match predicate {
        Predicate::Equal => left == right,
        Predicate::NotEqual => left != right,
        Predicate::Less(sign) => both(sign)[0] < both(sign)[1],
        Predicate::AtMost(sign) => both(sign)[0] <= both(sign)[1],
        Predicate::Greater(sign) => both(sign)[0] > both(sign)[1],
        Predicate::AtLeast(sign) => both(sign)[0] >= both(sign)[1],
    }
}

fn width(value: Val<'_>) -> u32 {
    integer_width(type_of(value)).expect("a number")
}

/// The result of the operation that computes the value, for constant operands.
fn computed(value: Val<'_>, semantics: &mut Semantics) -> Option<i64> {
    let computes = semantics.computes(value).expect("it has a row");
    let mut constant = |value| semantics.constant(value).expect("a constant");
    let number = match computes {
        Computes::Constant(number) => i128::from(number),
        Computes::Binary(what, of) => binary(what, of.map(&mut constant), width(of[0]))?,
        Computes::Compare(predicate, of) => {
            let holds = compared(predicate, of.map(&mut constant), width(of[0]));
            // The comparison has one bit, which is sign-extended.
            -i128::from(holds)
        }
        Computes::Select([which, yes, no]) => match constant(which) {
            0 => i128::from(constant(no)),
            _ => i128::from(constant(yes)),
        },
        Computes::Cast(cast, of) => match cast {
            Cast::Truncate => i128::from(constant(of)),
            Cast::Extend(sign) | Cast::Index(sign) => read(constant(of), width(of), sign),
        },
        Computes::Dimension(_) | Computes::Pointer(_) | Computes::Element(_) => return None,
    };
    let unused = 64 - width(value);
    Some((number as i64) << unused >> unused)
}

/// All rows of both dialects, with all pairs of numbers.
fn program() -> String {
    let mut text = "func.func @f() {\n".to_owned();
    let mut line = |of: String| writeln!(text, "  {of}").expect("a string takes it");
    for (at, number) in NUMBERS.iter().enumerate() {
        line(format!("%i{at} = arith.constant {number} : i8"));
        line(format!("%x{at} = index.constant {number}"));
        line(format!("%c{at} = arith.constant {}", number & 1 == 1));
        line(format!("%b{at} = index.bool.constant {}", number & 1 == 1));
    }
    let arith = "addi subi muli divsi divui ceildivsi ceildivui floordivsi remsi remui minsi minui maxsi maxui andi ori \
                 xori shli shrsi shrui";
    let index = "add sub mul divs divu ceildivs ceildivu floordivs rems remu mins minu maxs maxu and or xor shl shrs shru";
    for (a, b) in (0..NUMBERS.len()).flat_map(|a| (0..NUMBERS.len()).map(move |b| (a, b))) {
        for name in arith.split_whitespace() {
            line(format!("%{name}_{a}_{b} = arith.{name} %i{a}, %i{b} : i8"));
        }
        for name in index.split_whitespace() {
            line(format!("%{name}_{a}_{b} = index.{name} %x{a}, %x{b}"));
        }
        for name in PREDICATES {
            line(format!(
                "%i{name}_{a}_{b} = arith.cmpi {name}, %i{a}, %i{b} : i8"
            ));
            line(format!("%x{name}_{a}_{b} = index.cmp {name}(%x{a}, %x{b})"));
        }
        line(format!(
            "%s_{a}_{b} = arith.select %c{a}, %i{a}, %i{b} : i8"
        ));
        line(format!(
            "%t_{a}_{b} = arith.select %b{a}, %x{a}, %x{b} : index"
        ));
    }
    for at in 0..NUMBERS.len() {
        for (name, from, to) in [
            ("arith.extsi", "i", "i8 to i16"),
            ("arith.extui", "i", "i8 to i16"),
            ("arith.trunci", "i", "i8 to i3"),
            ("arith.index_cast", "i", "i8 to index"),
            ("arith.index_castui", "i", "i8 to index"),
            ("index.casts", "i", "i8 to index"),
            ("index.castu", "i", "i8 to index"),
            ("index.castu", "x", "index to i8"),
        ] {
            let result = name.replace('.', "_");
            line(format!("%{from}_{result}_{at} = {name} %{from}{at} : {to}"));
        }
    }
    text + "  return\n}\n"
}

#[test]
fn tables_agree_with_folding() {
    let context = with_all_dialects();
    let module = Module::parse(&context, &program()).expect("the program parses");
    let function: Op<'_> = module.body().first_operation().expect("a function");
    let mut semantics = Semantics::default();
    let (mut held, mut open) = (0, 0);
    for op in regions(function).flat_map(blocks).flat_map(ops) {
        for value in results(op) {
            match evaluate(value, &mut semantics, &no_known_values) {
                Some(folded) => {
                    assert_eq!(computed(value, &mut semantics), Some(folded), "{op}");
                    held += 1;
                }
                None => open += 1,
            }
        }
    }
    // There is no result for divisions by zero, overflowing quotients and shifts that are too long.
    assert!(held > 2500 && open < 500, "{held} and {open}");
}

#[test]
fn results_without_a_row_are_unknown() {
    let text = "
        func.func @f(%n: index, %v: vector<4xi64>, %m: memref<?xindex>, %b: memref<64xi8>) {
          %wide = arith.constant 1 : i128
          %vector = arith.addi %v, %v : vector<4xi64>
          %float = arith.constant 1.0 : f32
          %low, %high = arith.mului_extended %n, %n : index
          return
        }";
    let context = with_all_dialects();
    let module = Module::parse(&context, text).expect("the program parses");
    let function: Op<'_> = module.body().first_operation().expect("a function");
    let mut semantics = Semantics::default();
    for op in regions(function).flat_map(blocks).flat_map(ops) {
        for value in results(op) {
            assert!(semantics.computes(value).is_none(), "{op}");
        }
    }
}
