//! Indices as sums of loops, of quotients and of remainders.
//!
//! A sum is kept simple for the loops that it is about, so that equal indices mostly are equal sums.

use memplan_mlir::{affine_map::Expression, structured_ops::LinearIndex};
use smallvec::SmallVec;

/// What is added up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atom {
    /// The iteration of a loop.
    Loop(u32),
    /// A quotient by a positive number, rounded down.
    Quotient(Box<Sum>, i64),
    /// What such a quotient leaves.
    Remainder(Box<Sum>, i64),
}

/// A sum of atoms with factors that are not 0, each once, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sum {
    /// The atoms.
    pub terms: SmallVec<[(Atom, i64); 2]>,
    /// What is added to them.
    pub constant: i64,
}

/// A number does not fit 64 bits.
#[derive(Clone, Copy, Debug)]
pub struct TooLarge;

type Result<T> = std::result::Result<T, TooLarge>;

impl Sum {
    /// A number.
    pub fn of(constant: i64) -> Self {
        Self {
            terms: SmallVec::new(),
            constant,
        }
    }

    /// A loop of this extent.
    pub fn of_loop(number: u32, extents: &[i64]) -> Self {
        let mut sum = Self::default();
        // The only iteration is 0.
        if extents.get(number as usize) != Some(&1) {
            sum.terms.push((Atom::Loop(number), 1));
        }
        sum
    }

    /// An index of an operation.
    pub fn of_index(index: &LinearIndex, extents: &[i64]) -> Result<Self> {
        let mut sum = Self::of(index.constant);
        for (number, factor) in &index.terms {
            sum.add(&Self::of_loop(*number, extents), *factor)?;
        }
        Ok(sum)
    }

    /// A result of an affine map.
    pub fn of_expression(expression: &Expression, extents: &[i64]) -> Result<Self> {
        let of = |expression: &Expression| Self::of_expression(expression, extents);
        match expression {
            Expression::Constant(number) => Ok(Self::of(*number)),
            Expression::Input(number) => Ok(Self::of_loop(*number, extents)),
            Expression::Sum(parts) => {
                let mut sum = of(&parts[0])?;
                sum.add(&of(&parts[1])?, 1)?;
                Ok(sum)
            }
            Expression::Product(left, factor) => {
                let mut sum = Self::default();
                sum.add(&of(left)?, *factor)?;
                Ok(sum)
            }
            Expression::Quotient(left, by) => of(left)?.quotient(*by, extents),
            Expression::Remainder(left, by) => of(left)?.remainder(*by, extents),
        }
    }

    /// Adds a multiple of another sum.
    pub fn add(&mut self, other: &Self, factor: i64) -> Result<()> {
        let grow = |number: i64, by: i64| {
            let by = by.checked_mul(factor).ok_or(TooLarge)?;
            number.checked_add(by).ok_or(TooLarge)
        };
        self.constant = grow(self.constant, other.constant)?;
        if factor == 0 {
            return Ok(());
        }
        for (atom, number) in &other.terms {
            match self.terms.binary_search_by(|(known, _)| known.cmp(atom)) {
                Ok(place) => {
                    let sum = grow(self.terms[place].1, *number)?;
                    match sum {
                        0 => drop(self.terms.remove(place)),
                        sum => self.terms[place].1 = sum,
                    }
                }
                Err(place) => self.terms.insert(place, (atom.clone(), grow(0, *number)?)),
            }
        }
        Ok(())
    }

    /// The least and the greatest value.
    pub fn range(&self, extents: &[i64]) -> Result<(i64, i64)> {
        let (mut least, mut most) = (i128::from(self.constant), i128::from(self.constant));
        for (atom, factor) in &self.terms {
            let (low, high) = match atom {
                Atom::Loop(number) => {
                    let extent = extents.get(*number as usize).ok_or(TooLarge)?;
                    (0, extent - 1)
                }
                Atom::Quotient(sum, by) => {
                    let (low, high) = sum.range(extents)?;
                    (low.div_euclid(*by), high.div_euclid(*by))
                }
                Atom::Remainder(_, by) => (0, by - 1),
            };
            let ends = [low, high].map(|end| i128::from(end) * i128::from(*factor));
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        let number = |number: i128| i64::try_from(number).map_err(|_| TooLarge);
        Ok((number(least)?, number(most)?))
    }

    /// Multiples of a positive number, and the rest.
    fn divided(self, by: i64) -> (Self, Self) {
        let (mut multiples, mut rest) = (Self::default(), Self::default());
        multiples.constant = self.constant.div_euclid(by);
        rest.constant = self.constant.rem_euclid(by);
        for (atom, factor) in self.terms {
            match factor % by {
                0 => multiples.terms.push((atom, factor / by)),
                _ => rest.terms.push((atom, factor)),
            }
        }
        (multiples, rest)
    }

    /// The quotient by a positive number, rounded down.
    pub fn quotient(self, by: i64, extents: &[i64]) -> Result<Self> {
        let (mut multiples, rest) = self.divided(by);
        let (low, high) = rest.range(extents)?;
        if low.div_euclid(by) == high.div_euclid(by) {
            multiples.add(&Self::of(low.div_euclid(by)), 1)?;
            return Ok(multiples);
        }
        let mut quotient = Self::default();
        quotient.terms.push((Atom::Quotient(Box::new(rest), by), 1));
        multiples.add(&quotient, 1)?;
        Ok(multiples)
    }

    /// What such a quotient leaves.
    pub fn remainder(self, by: i64, extents: &[i64]) -> Result<Self> {
        let (_, mut rest) = self.divided(by);
        let (low, high) = rest.range(extents)?;
        if low.div_euclid(by) == high.div_euclid(by) {
            rest.constant -= low.div_euclid(by) * by;
            return Ok(rest);
        }
        let mut remainder = Self::default();
        let atom = Atom::Remainder(Box::new(rest), by);
        remainder.terms.push((atom, 1));
        Ok(remainder)
    }

    /// The sum where some loops begin later, and all have these extents.
    pub fn shifted(&self, firsts: &[(u32, i64)], extents: &[i64]) -> Result<Self> {
        let mut shifted = Self::of(self.constant);
        for (atom, factor) in &self.terms {
            let one = match atom {
                Atom::Loop(number) => {
                    let mut one = Self::of_loop(*number, extents);
                    if let Some((_, first)) = firsts.iter().find(|(split, _)| split == number) {
                        one.constant = *first;
                    }
                    one
                }
                Atom::Quotient(sum, by) => sum.shifted(firsts, extents)?.quotient(*by, extents)?,
                Atom::Remainder(sum, by) => {
                    sum.shifted(firsts, extents)?.remainder(*by, extents)?
                }
            };
            shifted.add(&one, *factor)?;
        }
        Ok(shifted)
    }

    /// The loops that occur, as a set.
    pub fn loops(&self) -> u64 {
        self.terms.iter().fold(0, |set, (atom, _)| {
            set | match atom {
                Atom::Loop(number) => 1_u64.checked_shl(*number).unwrap_or(0),
                Atom::Quotient(sum, _) | Atom::Remainder(sum, _) => sum.loops(),
            }
        })
    }

    /// Whether a loop occurs other than in remainders only.
    pub fn walks_along(&self, number: u32) -> bool {
        self.terms.iter().any(|(atom, _)| match atom {
            Atom::Loop(other) => *other == number,
            Atom::Quotient(sum, _) => sum.walks_along(number),
            Atom::Remainder(..) => false,
        })
    }

    /// The value at a point of the loops.
    pub fn at(&self, point: &[i64]) -> i64 {
        // Those that do not fit are refused before.
        self.terms
            .iter()
            .fold(self.constant, |sum, (atom, factor)| {
                let value = match atom {
                    Atom::Loop(number) => point[*number as usize],
                    Atom::Quotient(sum, by) => sum.at(point).div_euclid(*by),
                    Atom::Remainder(sum, by) => sum.at(point).rem_euclid(*by),
                };
                sum.wrapping_add(factor.wrapping_mul(value))
            })
    }
}

/// Most points that are looked at for one sum.
const MOST_POINTS: i64 = 1 << 22;

/// Does something at each point of a set of loops, until it is false. `None` if there are too many points.
pub fn each_point(
    set: u64,
    extents: &[i64],
    mut visit: impl FnMut(&[i64]) -> bool,
) -> Option<bool> {
    let is_in = |number: usize| number < 64 && set & (1 << number) != 0;
    let mut count: i64 = 1;
    for (number, extent) in extents.iter().enumerate() {
        if is_in(number) {
            count = count
                .checked_mul(*extent)
                .filter(|count| *count <= MOST_POINTS)?;
        }
    }
    let mut point: SmallVec<[i64; 8]> = extents.iter().map(|_| 0).collect();
    for _ in 0..count {
        if !visit(&point) {
            return Some(false);
        }
        for number in (0..extents.len()).rev().filter(|number| is_in(*number)) {
            point[number] += 1;
            if point[number] < extents[number] {
                break;
            }
            point[number] = 0;
        }
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_indices_are_equal_sums() {
        let extents = [4, 6];
        let mut sum = Sum::of(12);
        sum.add(&Sum::of_loop(0, &extents), 6).unwrap();
        sum.add(&Sum::of_loop(1, &extents), 1).unwrap();
        let quotient = sum.clone().quotient(6, &extents).unwrap();
        assert_eq!(quotient.shifted(&[], &extents).unwrap().at(&[3, 5]), 5);
        assert_eq!(quotient.terms.as_slice(), [(Atom::Loop(0), 1)]);
        let remainder = sum.remainder(6, &extents).unwrap();
        assert_eq!(remainder, Sum::of_loop(1, &extents));
    }

    #[test]
    fn what_is_left_wraps_around() {
        let extents = [8];
        let mut sum = Sum::of(3);
        sum.add(&Sum::of_loop(0, &extents), 1).unwrap();
        let remainder = sum.clone().remainder(5, &extents).unwrap();
        let quotient = sum.quotient(5, &extents).unwrap();
        for point in 0..8 {
            assert_eq!(remainder.at(&[point]), (point + 3) % 5);
            assert_eq!(quotient.at(&[point]), (point + 3) / 5);
        }
    }
}
