//! Chains: functions of operations on static memrefs that follow each other, as `memplan-split` runs them strip by
//! strip. Every value is read by later operations or by nobody, and all that a chain returns or may write is printed.

mod buffer;
mod calling;
mod chain;
mod elementwise;
mod generics;
mod items;
mod lengths;
mod moves;
mod nests;
mod products;
mod scalars;
mod windows;
mod writes;

use std::collections::BTreeMap;

use super::choices::Choices;
use super::types::Element;
use buffer::{Buffer, types};
use chain::Chain;

/// Extents: many are prime, so that strips have a rest.
const EXTENTS: [usize; 14] = [16, 13, 7, 11, 12, 17, 19, 20, 23, 24, 29, 31, 32, 37];

/// Extents of a small value.
const ANY: [usize; 12] = [12, 1, 2, 3, 5, 7, 11, 13, 19, 24, 30, 31];

/// The most operations before a nested chain, and after it.
const MOST: usize = 12;

/// A chain, and the functions around it.
pub struct Generated {
    /// The choices that determine it.
    pub choices: Choices,
    /// Its functions.
    pub text: String,
    /// The count of each generated feature.
    pub features: BTreeMap<&'static str, u64>,
}

/// The program of some choices.
pub fn program(choices: Choices, prefix: String) -> Generated {
    let mut chain = Chain::new(choices, prefix);
    if chain.choices.chance(12) {
        chain.on_items();
        return generated(chain);
    }
    if chain.choices.chance(12) {
        chain.along_length();
        return generated(chain);
    }
    chain.start_values();
    let count = chain.between(5, MOST);
    chain.steps(count);
    let nested = chain
        .choices
        .weighted(&[(66, 0), (8, 1), (14, 2), (5, 3), (7, 4)]);
    match nested {
        1 => chain.branch(),
        2 => chain.looped(),
        3 => chain.called(),
        4 => chain.blocks(),
        _ => {}
    }
    if nested > 0 {
        let count = chain.between(1, MOST);
        chain.steps(count);
    }
    let results = chain.results();
    chain.free_allocations(&results);
    chain.finish(&results);
    let conditions: &[bool] = match nested {
        1 | 4 => &[true, false],
        _ => &[true],
    };
    chain.main(&results, conditions);
    generated(chain)
}

/// The program of a chain, and of the lines that call it.
fn generated(chain: Chain) -> Generated {
    let main = chain.lines;
    let helpers: String = [Element::F32, Element::F64, Element::I32, Element::I8]
        .into_iter()
        .filter(|element| {
            let call = format!("_{element}(");
            main.iter().any(|line| line.contains(&call))
        })
        .map(|element| calling::helpers(&chain.prefix, element))
        .collect();
    let text = format!(
        "{helpers}{}func.func private @{}main(%n: index) {{\n{}\n  return\n}}\n",
        chain.functions.concat(),
        chain.prefix,
        main.join("\n")
    );
    Generated {
        choices: chain.choices,
        text,
        features: chain.features,
    }
}

/// The kinds of operations.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Unary,
    Binary,
    Residual,
    Generic,
    Convolution,
    Pad,
    Concatenation,
    Slice,
    Transpose,
    Broadcast,
    Reduction,
    Matmul,
    Reshape,
    Poke,
    TwoResults,
    Interleaved,
    Scattered,
    Taps,
    Doubled,
    Converted,
    Spread,
}

/// The operations with their weights; the simplest first.
const KINDS: [(usize, Kind); 21] = [
    (9, Kind::Unary),
    (6, Kind::Binary),
    (6, Kind::Residual),
    (15, Kind::Generic),
    (22, Kind::Convolution),
    (9, Kind::Pad),
    (6, Kind::Concatenation),
    (6, Kind::Slice),
    (6, Kind::Transpose),
    (3, Kind::Broadcast),
    (3, Kind::Reduction),
    (9, Kind::Matmul),
    (6, Kind::Reshape),
    (2, Kind::Poke),
    (4, Kind::TwoResults),
    (3, Kind::Interleaved),
    (4, Kind::Scattered),
    (6, Kind::Taps),
    (2, Kind::Doubled),
    (2, Kind::Converted),
    (2, Kind::Spread),
];

impl Chain {
    /// The first values: an argument, what is computed from it, or both.
    fn start_values(&mut self) {
        let kind = self.choices.weighted(&[(6, 0), (3, 1), (1, 2)]);
        let shape = match kind {
            0 => {
                let rows = match self.choices.chance(10) {
                    false => *self.choices.of(&EXTENTS),
                    true => self.between(1, 3),
                };
                let columns = *self.choices.of(&EXTENTS);
                let channels = self.between(1, 4);
                let batch = *self.choices.of(&[1, 1, 1, 2]);
                match self.choices.chance(50) {
                    false => vec![batch, channels, rows, columns],
                    true => vec![batch, rows, columns, channels],
                }
            }
            1 => vec![*self.choices.of(&EXTENTS), *self.choices.of(&EXTENTS)],
            _ => {
                let rank = self.between(1, 3);
                (0..rank).map(|_| *self.choices.of(&ANY)).collect()
            }
        };
        let first = self.argument(&shape);
        self.most = self.most.max(2 * first.count());
        self.add(first.clone());
        if self.choices.chance(30) {
            self.feature("two arguments of one type");
            let second = self.argument(&shape);
            self.add(second);
        }
        if !self.choices.chance(10) {
            self.unary_of(&first);
        }
    }

    /// At most so many operations.
    fn steps(&mut self, most: usize) {
        for _ in 0..most {
            let start = self.choices.start();
            let more = self.choices.chance(97);
            if more {
                self.step();
            }
            self.choices.end(start);
            if !more {
                return;
            }
        }
    }

    /// An operation; none, if nothing fits.
    fn step(&mut self) {
        match self.choices.weighted(&KINDS) {
            Kind::Unary => self.unary(),
            Kind::Binary => self.binary(),
            Kind::Residual => self.residual(),
            Kind::Generic => self.generic(),
            Kind::Convolution => self.convolution(),
            Kind::Pad => self.pad(),
            Kind::Concatenation => self.concatenation(),
            Kind::Slice => self.slice(),
            Kind::Transpose => self.transpose(),
            Kind::Broadcast => self.broadcast_along(),
            Kind::Reduction => self.reduction(),
            Kind::Matmul => self.matmul(),
            Kind::Reshape => self.reshape(),
            Kind::Poke => self.poke(),
            Kind::TwoResults => self.two_results(),
            Kind::Interleaved => self.interleaved(),
            Kind::Scattered => self.scattered(),
            Kind::Taps => self.taps(),
            Kind::Doubled => self.doubled(),
            Kind::Converted => self.converted(),
            Kind::Spread => self.spread(),
        }
    }

    /// What is returned: the last value, sums of its rows, or a copy of it; sometimes another value, too.
    fn results(&mut self) -> Vec<Buffer> {
        let last = match self.pool.last() {
            Some(last) => last.clone(),
            None => self.arguments[0].clone(),
        };
        self.element = last.element;
        if self.are_alone && self.choices.chance(60) {
            self.feature("a result in an argument");
            let out = self.argument(&last.shape);
            match self.choices.chance(50) {
                false => self.copy(&last, &out),
                true => self.two_operands("add", &last, &last, &out),
            }
        }
        let sums = self.choices.chance(80) && last.rank() > 1;
        let first = match last.is_allocation {
            _ if sums => self.sums_of_rows(&last),
            true => last,
            false => {
                let own = self.allocate(&last.shape);
                self.copy(&last, &own);
                own
            }
        };
        let mut results = vec![first];
        let others: Vec<Buffer> = self
            .pool
            .iter()
            .filter(|other| other.is_allocation && other.name != results[0].name)
            .cloned()
            .collect();
        if !others.is_empty() && self.choices.chance(20) {
            self.feature("two results");
            results.push(self.choices.of(&others).clone());
        }
        results
    }

    /// The chain is complete: its function is written.
    fn finish(&mut self, results: &[Buffer]) {
        let mark = match self.are_alone {
            false => "",
            true => " {memplan.noalias}",
        };
        let parameters: Vec<String> = self
            .arguments
            .iter()
            .map(|argument| format!("{}: {}{mark}", argument.name, argument.type_text()))
            .collect();
        let visibility = match self.choices.chance(50) {
            false => "",
            true => "private ",
        };
        let names: Vec<&str> = results.iter().map(|result| result.name.as_str()).collect();
        self.functions.push(format!(
            "func.func {visibility}@{}chain({}, %cond: i1) -> ({}) {{\n{}\n  return {} : {}\n}}\n",
            self.prefix,
            parameters.join(", "),
            types(results),
            self.lines.join("\n"),
            names.join(", "),
            types(results)
        ));
        self.lines.clear();
    }
}
