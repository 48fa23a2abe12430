//! Numbers that are products.

use crate::{
    arithmetic::{Binary, Computes},
    semantics::Semantics,
    statement::Speculation,
};
use memplan_mlir::{
    affine,
    ir::{Origin, Val, operands, origin},
};
use smallvec::{SmallVec, smallvec};

/// A product of a constant and other numbers. It may wrap around.
#[derive(Clone, Debug)]
pub struct Product<'c> {
    /// The constant, which is positive.
    pub constant: u64,
    /// The other factors.
    pub factors: SmallVec<[Val<'c>; 2]>,
}

impl Semantics {
    /// The factors of a number that an operation computes as a product, or by an affine map that is one.
    pub fn product<'c>(&mut self, value: Val<'c>) -> Option<Product<'c>> {
        if let Some(Computes::Binary(Binary::Multiply, both)) = self.computes(value) {
            return Some(self.product_of(1, &both));
        }
        let Some(Origin::Result(op, 0)) = origin(value) else {
            return None;
        };
        let facts = self.table_facts(op);
        if !matches!(facts.speculation, Some(Speculation::Map)) || facts.least_of.is_some() {
            return None;
        }
        let (constant, numbers) = affine::product(op, "map")?;
        let constant = u64::try_from(constant).ok().filter(|one| *one > 0)?;
        let all: SmallVec<[Val<'c>; 4]> = operands(op).collect();
        let numbers = numbers.into_iter().map(|number| all.get(number).copied());
        let numbers: SmallVec<[Val<'c>; 2]> = numbers.collect::<Option<_>>()?;
        Some(self.product_of(constant, &numbers))
    }

    fn product_of<'c>(&mut self, constant: u64, numbers: &[Val<'c>]) -> Product<'c> {
        let mut product = Product {
            constant,
            factors: smallvec![],
        };
        for number in numbers {
            let constant = self.constant(*number);
            let constant = constant.and_then(|one| u64::try_from(one).ok());
            let constant = constant.filter(|one| *one > 0);
            match constant.and_then(|one| product.constant.checked_mul(one)) {
                Some(more) => product.constant = more,
                None => product.factors.push(*number),
            }
        }
        product
    }
}
