//! Numbers of a program that depend on the strip only.

use super::{assumed::Assumed, fault::Stop};
use memplan_mlir::{
    copy::integer_width,
    ir::{Identity, Key, Val, type_of},
    layout::{rank, static_dimension},
};
use memplan_semantics::{
    Computes, Semantics,
    arithmetic::{Binary, Predicate, Rounding, Sign},
    constants::{evaluate, no_known_values},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// One number per dimension.
pub type Sizes = SmallVec<[i64; 6]>;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// It is always the same.
    Constant(i64),
    /// It depends on a length: it is the first number, and grows by the second one with each period of the length.
    Length(i64, i64),
    /// It is at this place of the machine.
    Place(u32),
}

/// How a number is computed.
#[derive(Clone, Copy, Debug)]
pub enum Compute {
    /// By an operation on two numbers.
    Binary(Binary, [Number; 2]),
    /// By a comparison of two numbers.
    Compare(Predicate, [Number; 2]),
    /// By a choice between two numbers.
    Select([Number; 3]),
}

/// The places of numbers.
#[derive(Default)]
pub struct Places<'a, 'c> {
    /// What the function is taken to get.
    assumed: Option<&'a Assumed<'a, 'c>>,
    known: FxHashMap<Key, Option<Number>>,
    /// Number of places.
    pub count: u32,
}

impl<'a, 'c> Places<'a, 'c> {
    /// Numbers of a function that is taken to get these.
    pub fn assuming(assumed: &'a Assumed<'a, 'c>) -> Self {
        Self {
            assumed: Some(assumed),
            ..Self::default()
        }
    }

    /// The sizes that are recorded as known only at run time.
    pub fn sizes(&self) -> &[i64] {
        self.assumed.map_or(&[], |assumed| &assumed.sizes)
    }

    /// Whether sizes that are known only at run time are taken for others.
    pub const fn has_lengths(&self) -> bool {
        self.assumed.is_some()
    }

    /// The shape of a memref, if all sizes are known.
    pub fn shape(&mut self, memref: Val<'c>, semantics: &mut Semantics) -> Option<Sizes> {
        let r#type = type_of(memref);
        let dimensions = i64::try_from(rank(r#type)?).ok()?;
        let known: Option<Sizes> = (0..dimensions)
            .map(|at| static_dimension(r#type, at))
            .collect();
        known.or_else(|| Some(self.assumed?.shape(memref, semantics)?.into()))
    }

    /// Gives a value a place.
    pub fn place(&mut self, value: Val<'c>) -> u32 {
        let place = self.count;
        self.count += 1;
        self.known.insert(value.key(), Some(Number::Place(place)));
        place
    }

    /// The number of a value, which has a place or is a constant.
    pub fn number(&mut self, value: Val<'c>, semantics: &mut Semantics) -> Option<Number> {
        if let Some(known) = self.known.get(&value.key()) {
            return *known;
        }
        let number = evaluate(value, semantics, &no_known_values).map(Number::Constant);
        let number = number.or_else(|| {
            let (number, growth) = self.assumed?.number(value, semantics)?;
            Some(Number::Length(number, growth))
        });
        self.known.insert(value.key(), number);
        number
    }

    /// How a value is computed from numbers that are known.
    pub fn compute(&mut self, value: Val<'c>, semantics: &mut Semantics) -> Option<Compute> {
        // Others wrap around, or have no place in addresses.
        let is_followed = matches!(integer_width(type_of(value)), Some(1 | 64));
        let computes = semantics.computes(value).filter(|_| is_followed)?;
        match computes {
            Computes::Binary(binary, operands) => {
                let [left, right] = operands.map(|operand| self.number(operand, semantics));
                Some(Compute::Binary(binary, [left?, right?]))
            }
            Computes::Compare(predicate, operands) => {
                let [left, right] = operands.map(|operand| self.number(operand, semantics));
                Some(Compute::Compare(predicate, [left?, right?]))
            }
            Computes::Select(operands) => {
                let [flag, yes, no] = operands.map(|operand| self.number(operand, semantics));
                Some(Compute::Select([flag?, yes?, no?]))
            }
            _ => None,
        }
    }
}

/// The numbers of one execution.
pub struct Values {
    values: Vec<i64>,
}

impl Values {
    /// For so many places.
    pub fn new(count: u32) -> Self {
        Self {
            values: vec![0; count as usize],
        }
    }

    /// A number.
    pub fn get(&self, number: Number) -> i64 {
        match number {
            Number::Constant(number) | Number::Length(number, _) => number,
            Number::Place(place) => self.values[place as usize],
        }
    }

    /// The number at a place.
    pub fn at(&self, place: u32) -> i64 {
        self.values[place as usize]
    }

    /// Sets a number.
    pub fn set(&mut self, place: u32, number: i64) {
        self.values[place as usize] = number;
    }

    /// Computes a number.
    pub fn compute(&self, compute: &Compute) -> Result<i64, Stop> {
        let both = |numbers: &[Number; 2]| numbers.map(|number| self.get(number));
        Ok(match compute {
            Compute::Binary(binary, numbers) => {
                let [left, right] = both(numbers);
                computed(*binary, left, right).ok_or(Stop::Number)?
            }
            Compute::Compare(predicate, numbers) => {
                let [left, right] = both(numbers);
                i64::from(holds(*predicate, left, right))
            }
            Compute::Select([flag, yes, no]) => match self.get(*flag) {
                0 => self.get(*no),
                _ => self.get(*yes),
            },
        })
    }
}

/// The result of an operation; `None` if it is not followed.
fn computed(binary: Binary, left: i64, right: i64) -> Option<i64> {
    match binary {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide(Sign::Signed, Rounding::Zero) => left.checked_div(right),
        Binary::Divide(Sign::Signed, Rounding::Floor) if right > 0 => Some(left.div_euclid(right)),
        Binary::Divide(Sign::Unsigned, Rounding::Zero) => {
            let quotient = left.cast_unsigned().checked_div(right.cast_unsigned());
            quotient.map(u64::cast_signed)
        }
        Binary::Remainder(Sign::Signed) => left.checked_rem(right),
        Binary::Min(Sign::Signed) => Some(left.min(right)),
        Binary::Max(Sign::Signed) => Some(left.max(right)),
        Binary::And => Some(left & right),
        Binary::Or => Some(left | right),
        _ => None,
    }
}

fn holds(predicate: Predicate, left: i64, right: i64) -> bool {
    let (low, high) = (left.cast_unsigned(), right.cast_unsigned());
    match predicate {
        Predicate::Equal => left == right,
        Predicate::NotEqual => left != right,
        Predicate::Less(Sign::Signed) => left < right,
        Predicate::AtMost(Sign::Signed) => left <= right,
        Predicate::Greater(Sign::Signed) => left > right,
        Predicate::AtLeast(Sign::Signed) => left >= right,
        Predicate::Less(Sign::Unsigned) => low < high,
        Predicate::AtMost(Sign::Unsigned) => low <= high,
        Predicate::Greater(Sign::Unsigned) => low > high,
        Predicate::AtLeast(Sign::Unsigned) => low >= high,
    }
}
