//! Sums of products of dimensions.

use super::{
    facts::{Bounds, DimId, GuardId, Names, Size, Term},
    samples::Sample,
};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Dimensions that are multiplied, where conditions hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Product {
    dims: SmallVec<[DimId; 2]>,
    guards: SmallVec<[(GuardId, bool); 1]>,
}

/// A sum of sizes, each a number of bytes times dimensions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial {
    terms: BTreeMap<Product, u128>,
}

/// The largest of some polynomials; zero without any.
#[derive(Clone, Debug, Default)]
pub struct Largest {
    all: Vec<Polynomial>,
}

/// Most polynomials that are compared. More become one that is at least as large as each.
const MOST_COMPARED: usize = 64;

impl Polynomial {
    /// A size.
    pub fn of(size: &Term) -> Self {
        let mut sum = Self::default();
        sum.add(size);
        sum
    }

    /// Adds a size.
    pub fn add(&mut self, term: &Term) {
        if term.size.bytes > 0 {
            let product = Product {
                dims: term.size.dims.clone(),
                guards: term.guards.clone(),
            };
            let bytes = self.terms.entry(product).or_default();
            *bytes = bytes.saturating_add(u128::from(term.size.bytes));
        }
    }

    /// Its sum with another one.
    pub fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (product, bytes) in &other.terms {
            let known = sum.terms.entry(product.clone()).or_default();
            *known = known.saturating_add(*bytes);
        }
        sum
    }

    /// How many times it has a size without conditions.
    pub fn bytes(&self, size: &Size) -> u128 {
        let product = Product {
            dims: size.dims.clone(),
            guards: SmallVec::new(),
        };
        let bytes = self.terms.get(&product).copied().unwrap_or(0);
        bytes / u128::from(size.bytes.max(1))
    }

    /// Its value.
    pub fn at(&self, sample: &Sample) -> u128 {
        let products = self.terms.iter().map(|(product, bytes)| {
            let one = Term {
                size: Size {
                    bytes: 1,
                    dims: product.dims.clone(),
                },
                guards: product.guards.clone(),
                held: (0, 1),
            };
            bytes.saturating_mul(u128::from(sample.bytes_if(&one)))
        });
        products.fold(0, u128::saturating_add)
    }

    /// Takes a size away that was added before.
    pub fn remove(&mut self, term: &Term) {
        let product = Product {
            dims: term.size.dims.clone(),
            guards: term.guards.clone(),
        };
        if let Some(bytes) = self.terms.get_mut(&product) {
            *bytes = bytes.saturating_sub(u128::from(term.size.bytes));
            if *bytes == 0 {
                self.terms.remove(&product);
            }
        }
    }

    /// Whether each product is at least as large as in another polynomial.
    fn has(&self, other: &Self) -> bool {
        let mut all = other.terms.iter();
        all.all(|(product, bytes)| self.terms.get(product).is_some_and(|own| own >= bytes))
    }

    /// Whether it is never less than another one, where no dimension is negative. Products that another one has more of are
    /// compared with larger ones that this one has more of.
    pub fn is_at_least(&self, other: &Self, bounds: &Bounds) -> bool {
        let mut more: Vec<(&Product, u128)> = Vec::new();
        let mut fewer: Vec<(&Product, u128)> = Vec::new();
        for (product, bytes) in &self.terms {
            let missing = other.terms.get(product).copied().unwrap_or(0);
            if *bytes > missing {
                more.push((product, bytes - missing));
            }
        }
        for (product, bytes) in &other.terms {
            let own = self.terms.get(product).copied().unwrap_or(0);
            if own < *bytes {
                fewer.push((product, bytes - own));
            }
        }
        fewer.into_iter().all(|(small, mut bytes)| {
            for (large, left) in &mut more {
                if bytes > 0 && large.is_at_least(small, bounds) {
                    let taken = bytes.min(*left);
                    bytes -= taken;
                    *left -= taken;
                }
            }
            bytes == 0
        })
    }

    /// Its text, such as `16*d0*d1 + 4*d0`, as if all conditions held.
    pub fn text(&self, names: &Names) -> String {
        let mut sums: BTreeMap<&[DimId], u128> = BTreeMap::new();
        for (product, bytes) in &self.terms {
            let sum = sums.entry(&product.dims).or_default();
            *sum = sum.saturating_add(*bytes);
        }
        let products = sums.iter().rev().map(|(dims, bytes)| {
            let size = Size {
                bytes: u64::try_from(*bytes).unwrap_or(u64::MAX),
                dims: (*dims).into(),
            };
            size.text(names)
        });
        let products: Vec<String> = products.collect();
        match products.is_empty() {
            true => "0".to_string(),
            false => products.join(" + "),
        }
    }
}

impl Product {
    /// Whether it is never less than another one: it is that one times dimensions that are at least one, or that are among the
    /// others, wherever the other one is not zero.
    fn is_at_least(&self, small: &Self, bounds: &Bounds) -> bool {
        let mut rest = self.dims.clone();
        for dim in &small.dims {
            match rest.iter().position(|other| other == dim) {
                Some(place) => {
                    rest.remove(place);
                }
                None => return false,
            }
        }
        let mut guards = self.guards.iter();
        guards.all(|guard| small.guards.contains(guard))
            && rest.iter().all(|dim| {
                let least = bounds.constant.get(dim.0 as usize).and_then(|both| both.0);
                small.dims.contains(dim) || least.is_some_and(|least| least > 0)
            })
    }
}

impl Largest {
    /// Each of them plus a polynomial.
    pub fn plus(&self, more: &Polynomial) -> Self {
        match self.all.is_empty() {
            true => Self {
                all: vec![more.clone()],
            },
            false => Self {
                all: self.all.iter().map(|one| one.plus(more)).collect(),
            },
        }
    }

    /// The largest of both.
    pub fn join(&mut self, other: &Self) {
        for one in &other.all {
            if !self.all.iter().any(|known| known.has(one)) {
                self.all.retain(|known| !one.has(known));
                self.all.push(one.clone());
            }
        }
        if self.all.len() > MOST_COMPARED {
            let mut bound = Polynomial::default();
            for (product, bytes) in self.all.iter().flat_map(|one| &one.terms) {
                let known = bound.terms.entry(product.clone()).or_default();
                *known = (*known).max(*bytes);
            }
            self.all = vec![bound];
        }
    }

    /// The largest of both, unless there are `most` without it.
    pub fn join_one(&mut self, one: &Polynomial, most: usize) {
        if !self.all.iter().any(|known| known.has(one)) {
            self.all.retain(|known| !one.has(known));
            if self.all.len() < most {
                self.all.push(one.clone());
            }
        }
    }

    /// The polynomials.
    pub fn polynomials(&self) -> &[Polynomial] {
        &self.all
    }

    /// Texts of the polynomials.
    pub fn texts(&self, names: &Names) -> Vec<String> {
        match self.all.is_empty() {
            true => vec!["0".to_string()],
            false => self.all.iter().map(|one| one.text(names)).collect(),
        }
    }

    /// Its text, such as `max(16*d0*d1, 4*d0 + 64)`.
    pub fn text(&self, names: &Names) -> String {
        match self.texts(names).as_slice() {
            [only] => only.clone(),
            all => format!("max({})", all.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn term(bytes: u64, dims: &[u32], guards: &[(u32, bool)]) -> Term {
        let guards = guards.iter();
        Term {
            size: Size {
                bytes,
                dims: dims.iter().map(|dim| DimId(*dim)).collect(),
            },
            guards: guards
                .map(|(guard, holds)| (GuardId(*guard), *holds))
                .collect(),
            held: (0, 1),
        }
    }

    fn sum(products: &[(u64, &[u32])]) -> Polynomial {
        let mut sum = Polynomial::default();
        for (bytes, dims) in products {
            sum.add(&term(*bytes, dims, &[]));
        }
        sum
    }

    fn bounds(least: &[u64]) -> Bounds {
        Bounds {
            constant: least.iter().map(|least| (Some(*least), None)).collect(),
            ..Bounds::default()
        }
    }

    #[test]
    fn a_square_is_at_least_its_root_but_not_for_another_dimension_that_may_be_zero() {
        let square = sum(&[(4, &[0, 0])]);
        assert!(square.is_at_least(&sum(&[(4, &[0])]), &bounds(&[0])));
        assert!(!square.is_at_least(&sum(&[(5, &[0])]), &bounds(&[0])));
        let both = sum(&[(4, &[0, 1])]);
        assert!(!both.is_at_least(&sum(&[(4, &[0])]), &bounds(&[0, 0])));
        assert!(both.is_at_least(&sum(&[(4, &[0])]), &bounds(&[0, 1])));
    }

    #[test]
    fn what_is_compared_with_one_product_is_not_compared_with_it_again() {
        let large = sum(&[(6, &[0, 0]), (1, &[0])]);
        assert!(large.is_at_least(&sum(&[(4, &[0, 0]), (3, &[0])]), &bounds(&[0])));
        assert!(!large.is_at_least(&sum(&[(4, &[0, 0]), (4, &[0])]), &bounds(&[0])));
        assert!(!large.is_at_least(&sum(&[(1, &[])]), &bounds(&[0])));
    }

    #[test]
    fn a_size_with_a_condition_is_at_most_one_without_and_not_the_other_way() {
        let sometimes = Polynomial::of(&term(4, &[0], &[(0, true)]));
        let always = Polynomial::of(&term(4, &[0], &[]));
        assert!(always.is_at_least(&sometimes, &bounds(&[0])));
        assert!(!sometimes.is_at_least(&always, &bounds(&[0])));
        let otherwise = Polynomial::of(&term(4, &[0], &[(0, false)]));
        assert!(!sometimes.is_at_least(&otherwise, &bounds(&[0])));
        let both = sometimes.plus(&always);
        assert!(!always.is_at_least(&both, &bounds(&[0])));
        assert_eq!(both.text(&Names::default()), "8*d0");
    }

    #[test]
    fn smaller_polynomials_are_left_out_of_the_largest() {
        let mut largest = Largest::default();
        for one in [
            sum(&[(4, &[0])]),
            sum(&[(8, &[0])]),
            sum(&[(6, &[0]), (1, &[])]),
        ] {
            largest.join(&Largest::default().plus(&one));
        }
        assert_eq!(largest.text(&Names::default()), "max(8*d0, 6*d0 + 1)");
        let more = largest.plus(&sum(&[(2, &[0])]));
        assert_eq!(more.text(&Names::default()), "max(10*d0, 8*d0 + 1)");
        assert_eq!(Largest::default().text(&Names::default()), "0");
    }

    #[test]
    fn too_many_polynomials_become_one_that_is_at_least_as_large() {
        let mut largest = Largest::default();
        let all: Vec<Polynomial> = (0..MOST_COMPARED as u64 + 1)
            .map(|place| sum(&[(1 + place, &[0]), (100 - place, &[1])]))
            .collect();
        for one in &all {
            largest.join(&Largest::default().plus(one));
        }
        let [bound] = largest.polynomials() else {
            panic!("{largest:?}");
        };
        assert!(all.iter().all(|one| bound.has(one)));
    }
}
