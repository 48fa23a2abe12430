//! Operations that compute sizes, as in programs that were bufferized.

use super::along::Along;
use super::sizes::{Formula, Number, Size};

impl Along<'_> {
    /// Whether two sizes are the same for each length.
    pub fn is_same(&self, one: &Size, other: &Size) -> bool {
        (0..self.lengths).all(|length| one.at(length) == other.at(length))
    }

    /// Whether sizes are the same for each length.
    pub fn are_same(&self, some: &[Size], others: &[Size]) -> bool {
        let mut both = some.iter().zip(others);
        some.len() == others.len() && both.all(|(one, other)| self.is_same(one, other))
    }

    /// A constant index.
    pub fn index(&mut self, number: i64) -> String {
        self.chain.value(format!("arith.constant {number} : index"))
    }

    /// A size that is computed from another one; `None` if it is below `least` for any length.
    pub fn computed(&mut self, size: &Size, formula: Formula, least: i64) -> Option<Size> {
        let number = match size {
            Size::Fixed(size) => {
                let size = formula.of(*size, false);
                return (size >= least).then_some(Size::Fixed(size));
            }
            Size::Run(number) => number.clone(),
        };
        let kind = self
            .chain
            .choices
            .weighted(&[(3, 0), (2, 1), (2, 2), (1, 3)]);
        let values = number.values.iter();
        let values: Vec<i64> = values.map(|one| formula.of(*one, kind == 0)).collect();
        if values.iter().any(|value| *value < least) {
            return None;
        }
        let name = match kind {
            1 => self.applied(&number.name, formula, "d0"),
            2 => self.applied(&number.name, formula, "s0"),
            _ => self.by_arithmetic(&number.name, formula, kind == 0),
        };
        Some(Size::Run(Number { name, values }))
    }

    fn applied(&mut self, name: &str, formula: Formula, input: &str) -> String {
        self.chain.feature("size of a map");
        let mut text = input.to_owned();
        if formula.times != 1 {
            text = format!("{text} * {}", formula.times);
        }
        if formula.plus != 0 {
            text = format!("{text} + {}", formula.plus);
        }
        if formula.by != 1 {
            let word = match formula.rounds_up {
                true => "ceildiv",
                false => "floordiv",
            };
            text = format!("({text}) {word} {}", formula.by);
        }
        if formula.then != 0 {
            text = format!("{text} + {}", formula.then);
        }
        self.chain.value(match input {
            "d0" => format!("affine.apply affine_map<(d0) -> ({text})>({name})"),
            _ => format!("affine.apply affine_map<()[s0] -> ({text})>()[{name}]"),
        })
    }

    fn by_arithmetic(&mut self, name: &str, formula: Formula, truncates: bool) -> String {
        self.chain.feature("size by arithmetic");
        let mut name = name.to_owned();
        if formula.times != 1 {
            name = self.binary("muli", &name, formula.times);
        }
        name = self.added(&name, formula.plus);
        if formula.by != 1 {
            let operation = match (formula.rounds_up, truncates) {
                (true, _) => "ceildivsi",
                (false, true) => "divsi",
                (false, false) => "floordivsi",
            };
            name = self.binary(operation, &name, formula.by);
        }
        self.added(&name, formula.then)
    }

    fn added(&mut self, name: &str, number: i64) -> String {
        match number {
            0 => name.to_owned(),
            1.. if self.chain.choices.chance(20) => self.binary("subi", name, -number),
            1.. => self.binary("addi", name, number),
            _ if self.chain.choices.chance(30) => self.binary("addi", name, number),
            _ => self.binary("subi", name, -number),
        }
    }

    fn binary(&mut self, operation: &str, name: &str, number: i64) -> String {
        let number = self.index(number);
        self.chain
            .value(format!("arith.{operation} {name}, {number} : index"))
    }
}
