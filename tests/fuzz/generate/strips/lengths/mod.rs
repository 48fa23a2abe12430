//! Chains along a length that is known only at run time, as the height of an image or a number of tokens. They are called
//! with several lengths, short ones and longer ones.

mod along;
mod arithmetic;
mod calls;
mod frees;
mod loops;
mod moves;
mod products;
mod sizes;
mod value;
mod views;
mod windows;

use super::super::types::Element;
use super::chain::Chain;
use along::{Along, CALLS, MOST, WORK};
use frees::Frees;
use sizes::{Number, Size};
use value::Value;

/// Sizes of dimensions that are known.
const FIXED: [i64; 6] = [8, 5, 9, 12, 13, 16];

/// Other lengths for which sizes have to be right, so that equal ones are equal for all.
const OTHERS: usize = 40;

/// The kinds of operations.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Elementwise,
    Pad,
    Window,
    Doubled,
    Product,
    Attention,
    Softmax,
    Transposed,
    Concatenated,
    Sliced,
    Reshaped,
    Cast,
    Biased,
    Broadcast,
    Reduced,
    Overwritten,
}

/// The operations with their weights; the simplest first.
const KINDS: [(usize, Kind); 16] = [
    (16, Kind::Elementwise),
    (6, Kind::Pad),
    (28, Kind::Window),
    (4, Kind::Doubled),
    (8, Kind::Product),
    (8, Kind::Attention),
    (2, Kind::Softmax),
    (4, Kind::Transposed),
    (5, Kind::Concatenated),
    (6, Kind::Sliced),
    (4, Kind::Reshaped),
    (3, Kind::Cast),
    (4, Kind::Biased),
    (4, Kind::Broadcast),
    (5, Kind::Reduced),
    (2, Kind::Overwritten),
];

impl Chain {
    /// A chain along a length, called with several lengths.
    pub fn along_length(&mut self) {
        self.feature("chain along a length");
        let element = self
            .choices
            .weighted(&[(5, Element::F32), (1, Element::F64)]);
        let mut along = Along {
            chain: self,
            element,
            lengths: CALLS + OTHERS,
            numbers: Vec::new(),
            memrefs: Vec::new(),
            values: Vec::new(),
            allocations: Vec::new(),
            roots: 0,
            work: WORK,
        };
        for (name, number) in [("zero", "0.0"), ("one", "1.0"), ("low", "-3.0")] {
            let line = format!("%{name} = arith.constant {number} : {element}");
            along.chain.line(line);
        }
        along.start();
        for _ in 0..along.chain.between(3, 12) {
            let start = along.chain.choices.start();
            along.step();
            along.chain.choices.end(start);
        }
        along.finish();
    }
}

impl Along<'_> {
    /// What two lengths are in each call, and otherwise.
    fn lengths(&mut self) -> [Vec<i64>; 2] {
        let choices = &mut self.chain.choices;
        let least = choices.weighted(&[(5, 1), (2, 2), (2, 3), (2, 0), (1, 5)]);
        let least_of_other = choices.weighted(&[(5, 1), (2, 2), (2, 5), (1, 0)]);
        let mut long = || least + 19 + choices.below(20) as i64;
        let mut lengths = vec![least, least + 1, least + 2, long(), long()];
        lengths.extend((0..OTHERS as i64 - 1).map(|more| least + more));
        lengths.push(least + 1000);
        let mut others: Vec<i64> = (0..CALLS)
            .map(|_| least_of_other + choices.below(14) as i64)
            .collect();
        others.extend((0..OTHERS as i64).map(|more| least_of_other + more * 7 % 17));
        [lengths, others]
    }

    /// What the function gets, and what it computes first.
    fn start(&mut self) {
        let [length, other] = self.lengths();
        let fixed = |along: &mut Self| Size::Fixed(*along.chain.choices.of(&FIXED));
        let channels = |along: &mut Self| Size::Fixed(along.chain.between(1, 4) as i64);
        let number = |values: &[i64]| {
            let (name, values) = (String::new(), values.to_vec());
            Size::Run(Number { name, values })
        };
        let rows = number(&length);
        let has_columns = self.chain.choices.chance(30);
        let columns = match has_columns {
            true => number(&other),
            false => fixed(self),
        };
        let batch = Size::Fixed(*self.chain.choices.of(&[1, 1, 1, 2]));
        let width = channels(self);
        let kind = self
            .chain
            .choices
            .weighted(&[(5, 0), (4, 1), (3, 2), (2, 3), (4, 4), (2, 5)]);
        let mut shape = match kind {
            0 => vec![batch, width, rows, columns],
            1 => vec![batch, rows, columns, width],
            2 => vec![width, rows, columns],
            3 => vec![rows, columns],
            4 => vec![batch, rows, width],
            _ => vec![rows, width],
        };
        let how = self.chain.choices.weighted(&[(7, 0), (2, 1), (1, 2)]);
        if how > 0 {
            self.chain.feature("length as a number");
            for size in &mut shape {
                if let Size::Run(number) = size {
                    number.name = self.chain.name("n");
                    self.numbers.push(number.clone());
                }
            }
        }
        if how != 1 {
            let first = self.argument(&mut shape);
            self.values.push(first);
        }
        if kind >= 4 && self.chain.choices.chance(60) {
            let mut keys = shape.clone();
            let at = keys.len() - 2;
            keys[at] = number(&other);
            let keys = self.argument(&mut keys);
            self.values.push(keys);
        } else if self.chain.choices.chance(15) {
            let mut again = shape.clone();
            let second = self.argument(&mut again);
            self.values.push(second);
        }
        let first = self.values.first().cloned().filter(|_| how != 1);
        let first = match (first, how) {
            (Some(first), 0) => self.elementwise(&first, None),
            (first, _) => {
                let made = self.allocate(&shape);
                let last = shape.len() - 1;
                let row = match shape[last].fixed() {
                    Some(size) => (self.weights(&[size]), vec![last]),
                    None => (self.weights(&[1]), Vec::new()),
                };
                match first {
                    Some(first) => {
                        let dims = (0..shape.len()).collect();
                        self.elementwise_into(&[(&first, dims)], &made);
                    }
                    None if row.1.is_empty() => self.fill(&made, "%one"),
                    None => self.elementwise_into(&[(&row.0, row.1)], &made),
                }
                made
            }
        };
        self.values.push(first);
    }

    /// A memref that the function gets, and its sizes.
    fn argument(&mut self, shape: &mut [Size]) -> Value {
        let mut argument = self.given(shape);
        for (dim, size) in shape.iter_mut().enumerate() {
            if let Size::Run(number) = size
                && number.name.is_empty()
            {
                let at = self.index(dim as i64);
                let r#type = self.type_of(&argument);
                number.name = self
                    .chain
                    .value(format!("memref.dim {}, {at} : {type}", argument.name, type = r#type));
                argument.sizes[dim] = size.clone();
            }
        }
        argument
    }

    /// An operation; none, if nothing fits.
    fn step(&mut self) {
        let from = match self.chain.choices.chance(15) {
            false => self.values.last().cloned(),
            true => self.pick(|_, _| true),
        };
        let Some(from) = from else {
            return;
        };
        let made = match self.chain.choices.weighted(&KINDS) {
            Kind::Elementwise => self.residual(&from),
            Kind::Pad => self.any_pad(&from),
            Kind::Window => self.window(&from),
            Kind::Doubled => self.doubled(&from),
            Kind::Product => self.product(&from),
            Kind::Attention => self.attention(&from),
            Kind::Softmax if from.rank() > 1 => Some(self.softmax(&from)),
            Kind::Softmax => None,
            Kind::Transposed => self.transposed(&from),
            Kind::Concatenated => self.concatenated(&from),
            Kind::Sliced => self.sliced(&from),
            Kind::Reshaped => self.reshaped(&from),
            Kind::Cast => self.cast(&from),
            Kind::Biased => self.biased(&from),
            Kind::Broadcast => self.broadcast(&from),
            Kind::Reduced => self.reduced(&from),
            Kind::Overwritten => self.overwritten(&from),
        };
        let fits = |value: &Value| {
            let counts = (0..CALLS).map(|length| value.count(length));
            !value.run().is_empty() && value.rank() < 6 && counts.max().unwrap_or(0) <= MOST
        };
        self.values.extend(made.filter(fits));
    }

    /// An operation on single elements, often with a second value of the same sizes.
    fn residual(&mut self, from: &Value) -> Option<Value> {
        if !self.affords(&from.sizes, 1) {
            return None;
        }
        let other = match self.chain.choices.chance(65) {
            true => self.pick(|along, other| {
                other.name != from.name && along.are_same(&other.sizes, &from.sizes)
            }),
            false => None,
        };
        if other.is_some() {
            self.chain.feature("two values along a length");
        }
        Some(self.elementwise(from, other.as_ref()))
    }

    /// An operation on single elements in place of them.
    fn overwritten(&mut self, from: &Value) -> Option<Value> {
        if !from.is_own {
            return None;
        }
        self.chain.feature("in place along a length");
        let operand = self.operand(from);
        self.chain
            .line(format!("linalg.tanh ins({operand}) outs({operand})"));
        None
    }

    /// The function is complete: it is written, with its calls.
    fn finish(&mut self) {
        let Some(last) = self.values.last().cloned() else {
            return;
        };
        let mut results = Vec::new();
        let mut written = Vec::new();
        let dims: Vec<usize> = (0..last.rank()).collect();
        if self.chain.choices.chance(10) {
            self.chain.feature("result in a memref of a length");
            let to = self.given(&last.sizes);
            self.elementwise_into(&[(&last, dims)], &to);
            written.push(to.name);
        } else if last.is_own && self.chain.choices.chance(70) {
            results.push(last);
        } else {
            results.push(self.elementwise(&last, None));
        }
        let known = |value: &Value| results.iter().any(|result| result.root == value.root);
        let others = self.values.iter();
        let others: Vec<Value> = others
            .filter(|value| value.is_own && !known(value))
            .cloned()
            .collect();
        if !others.is_empty() && self.chain.choices.chance(10) {
            self.chain.feature("two results along a length");
            results.push(self.chain.choices.of(&others).clone());
        }
        let how =
            self.chain
                .choices
                .weighted(&[(4, Frees::Never), (2, Frees::Last), (4, Frees::Early)]);
        self.free(how, &results);
        self.write(&results);
        self.call(&results, &written);
    }
}
