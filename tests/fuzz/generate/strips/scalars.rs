//! The computations of single elements.

use super::chain::Chain;

impl Chain {
    /// One element from several.
    pub fn combined(&mut self, elements: &[String]) -> String {
        let Some((first, others)) = elements.split_first() else {
            let element = self.element;
            return self.constant(3, element);
        };
        let operations: &[(usize, &str)] = match self.is_float() {
            true => &[
                (3, "arith.addf"),
                (2, "arith.subf"),
                (1, "arith.mulf"),
                (1, "arith.maximumf"),
            ],
            false => &[
                (1, "arith.addi"),
                (1, "arith.subi"),
                (1, "arith.muli"),
                (1, "arith.maxsi"),
            ],
        };
        let mut all = first.clone();
        for other in others {
            let operation = self.choices.weighted(operations);
            all = match self.choices.chance(50) {
                false => self.binary_of(operation, &all, other),
                true => self.binary_of(operation, other, &all),
            };
        }
        if self.is_float() && self.choices.chance(40) {
            let operation = *self.choices.of(&["math.absf", "math.tanh", "math.sin"]);
            let element = self.element;
            all = self.value(format!("{operation} {all} : {element}"));
        }
        all
    }

    /// The sum of two elements.
    pub fn sum(&mut self, one: &str, other: &str) -> String {
        let operation = match self.is_float() {
            true => "arith.addf",
            false => "arith.addi",
        };
        self.binary_of(operation, one, other)
    }

    /// An operation on two elements.
    pub fn binary_of(&mut self, operation: &str, one: &str, other: &str) -> String {
        let element = self.element;
        self.value(format!("{operation} {one}, {other} : {element}"))
    }

    /// An element from the index of a dimension of the operation around.
    pub fn element_of_index(&mut self, dim: usize) -> String {
        let element = self.element;
        let index = self.value(format!("linalg.index {dim} : index"));
        let integer = match element.bytes() {
            1 => "i8",
            8 => "i64",
            _ => "i32",
        };
        let number = self.value(format!("arith.index_cast {index} : index to {integer}"));
        match self.is_float() {
            true => self.value(format!("arith.sitofp {number} : {integer} to {element}")),
            false => number,
        }
    }
}
