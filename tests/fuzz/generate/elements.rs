//! Single elements: conversions from and to numbers, and combinations. Integers wrap, floats have the same bits
//! each time.

use super::generator::Generator;
use super::types::Element;

impl Generator {
    /// An element from a value of type i64.
    pub fn element_of(&mut self, number: &str, element: Element) -> String {
        match element {
            Element::I64 => number.to_owned(),
            Element::Index => self.value(format!("arith.index_cast {number} : i64 to index")),
            Element::F32 | Element::F64 => {
                let small = self.value(format!("arith.andi {number}, %f1023 : i64"));
                self.value(format!("arith.sitofp {small} : i64 to {element}"))
            }
            Element::I1 | Element::I8 | Element::I16 | Element::I32 => {
                self.value(format!("arith.trunci {number} : i64 to {element}"))
            }
            Element::Vector => {
                let one = self.element_of(number, Element::F32);
                let all = self.value(format!("vector.broadcast {one} : f32 to {element}"));
                let steps = self.value(format!(
                    "arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : {element}"
                ));
                self.value(format!("arith.addf {all}, {steps} : {element}"))
            }
            Element::Complex => {
                let one = self.element_of(number, Element::F32);
                let half = self.value("arith.constant 0.5 : f32");
                let other = self.value(format!("arith.addf {one}, {half} : f32"));
                self.value(format!("complex.create {one}, {other} : {element}"))
            }
        }
    }

    /// A value of type i64 that depends on all bits of an element.
    pub fn number_of(&mut self, value: &str, element: Element) -> String {
        match element {
            Element::I64 => value.to_owned(),
            Element::Index => self.value(format!("arith.index_cast {value} : index to i64")),
            Element::F64 => self.value(format!("arith.bitcast {value} : f64 to i64")),
            Element::F32 => {
                let bits = self.value(format!("arith.bitcast {value} : f32 to i32"));
                self.value(format!("arith.extsi {bits} : i32 to i64"))
            }
            Element::I1 => self.value(format!("arith.extui {value} : i1 to i64")),
            Element::I8 | Element::I16 | Element::I32 => {
                self.value(format!("arith.extsi {value} : {element} to i64"))
            }
            Element::Vector => {
                let first = self.value(format!("vector.extract {value}[0] : f32 from {element}"));
                let last = self.value(format!("vector.extract {value}[3] : f32 from {element}"));
                self.mixed(&first, &last)
            }
            Element::Complex => {
                let real = self.value(format!("complex.re {value} : {element}"));
                let imaginary = self.value(format!("complex.im {value} : {element}"));
                self.mixed(&real, &imaginary)
            }
        }
    }

    fn mixed(&mut self, first: &str, second: &str) -> String {
        let first = self.number_of(first, Element::F32);
        let second = self.number_of(second, Element::F32);
        let product = self.value(format!("arith.muli {first}, %f7 : i64"));
        self.value(format!("arith.addi {product}, {second} : i64"))
    }

    /// An element from two others. Floats stay small.
    pub fn combine(&mut self, first: &str, second: &str, element: Element) -> String {
        let number = 1 + self.choices.below(98);
        match element {
            Element::F32 | Element::F64 | Element::Vector => {
                let constant = |number: f64| match element {
                    Element::Vector => format!("arith.constant dense<{number:?}> : {element}"),
                    _ => format!("arith.constant {number:?} : {element}"),
                };
                let (half, quarter) = (self.value(constant(0.5)), self.value(constant(0.25)));
                let more = self.value(constant(number as f64));
                let first = self.value(format!("arith.mulf {first}, {half} : {element}"));
                let second = self.value(format!("arith.mulf {second}, {quarter} : {element}"));
                let sum = self.value(format!("arith.addf {first}, {second} : {element}"));
                self.value(format!("arith.addf {sum}, {more} : {element}"))
            }
            Element::Complex => {
                let constant =
                    format!("complex.constant [{number}.0 : f32, 0.5 : f32] : {element}");
                let more = self.value(constant);
                let half = self.value(format!(
                    "complex.constant [0.5 : f32, 0.0 : f32] : {element}"
                ));
                let first = self.value(format!("complex.mul {first}, {half} : {element}"));
                let second = self.value(format!("complex.mul {second}, {half} : {element}"));
                let difference = self.value(format!("complex.sub {first}, {second} : {element}"));
                self.value(format!("complex.add {difference}, {more} : {element}"))
            }
            Element::I1 => self.value(format!("arith.xori {first}, {second} : i1")),
            _ => {
                let factor = self.value(format!(
                    "arith.constant {} : {element}",
                    2 * (number % 40) + 1
                ));
                let product = self.value(format!("arith.muli {first}, {factor} : {element}"));
                let sum = self.value(format!("arith.addi {product}, {second} : {element}"));
                self.value(format!("arith.addi {sum}, {factor} : {element}"))
            }
        }
    }

    /// A value of type i64 from indices, so that no two elements of a memref are equal.
    pub fn mixed_indices(&mut self, indices: &[String]) -> String {
        let seed = 1 + self.choices.below(500) as i64;
        let mut number = self.i64(seed);
        for index in indices {
            let index = self.value(format!("arith.index_cast {index} : index to i64"));
            let product = self.value(format!("arith.muli {number}, %f5 : i64"));
            number = self.value(format!("arith.addi {product}, {index} : i64"));
        }
        number
    }
}
