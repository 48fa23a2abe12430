//! Products of matrices, and reductions.

use super::buffer::Buffer;
use super::chain::Chain;

impl Chain {
    /// A product of matrices, or of a batch of them, with an argument or another value.
    pub fn matmul(&mut self) {
        let rank = *self.choices.of(&[2, 2, 3]);
        let Some(value) = self.pick(|value| value.rank() == rank) else {
            return;
        };
        let (batch, rows, common) = (
            &value.shape[..rank - 2],
            value.shape[rank - 2],
            value.shape[rank - 1],
        );
        let columns = *self.choices.of(&[8, 1, 3, 16, 31, 40]);
        let other = match self.choices.chance(50) {
            false => None,
            true => self.pick(|other| {
                other.rank() == rank
                    && other.shape[..rank - 2] == *batch
                    && other.shape[rank - 2] == common
            }),
        };
        let columns = other
            .as_ref()
            .map_or(columns, |other| other.shape[rank - 1]);
        let shape = [batch, &[rows, columns]].concat();
        let work = shape.iter().product::<usize>() * common;
        if !self.is_small(&shape) || !self.affords(work) {
            return;
        }
        let operation = match rank {
            2 => "matmul",
            _ => "batch_matmul",
        };
        self.feature(match rank {
            2 => "product of matrices",
            _ => "products of a batch",
        });
        let other = other.unwrap_or_else(|| self.argument(&[batch, &[common, columns]].concat()));
        let out = self.target(&shape, &[&value, &other]);
        let is_written = self.pool.iter().any(|older| older.name == out.name);
        if !is_written || self.choices.chance(50) {
            let number = *self.choices.of(&[0, 0, 1]);
            self.fill(&out, number);
        }
        self.two_operands(operation, &value, &other, &out);
        self.add(out);
    }

    /// A reduction along some dimensions.
    pub fn reduction(&mut self) {
        let Some(value) = self.pick(|value| value.rank() >= 2) else {
            return;
        };
        let rank = value.rank();
        let count = self.between(1, rank.saturating_sub(2).max(1));
        let mut dims = self.order(rank, 100);
        dims.truncate(count);
        dims.sort_unstable();
        let kept = (0..rank).filter(|dim| !dims.contains(dim));
        let shape: Vec<usize> = kept.map(|dim| value.shape[dim]).collect();
        if !self.affords(value.count()) {
            return;
        }
        self.feature("reduction of a value");
        let out = self.target(&shape, &[&value]);
        let number = *self.choices.of(&[0, 1]);
        self.fill(&out, number);
        let operations: &[&str] = match self.is_float() {
            true => &["arith.addf", "arith.maximumf", "arith.subf"],
            false => &["arith.addi", "arith.subi"],
        };
        let operation = *self.choices.of(operations);
        self.reduce(&value, &out, &dims, operation);
        self.add(out);
    }

    /// The sum of each row of a value.
    pub fn sums_of_rows(&mut self, value: &Buffer) -> Buffer {
        let out = self.allocate(&value.shape[..1]);
        self.fill(&out, 0);
        let dims: Vec<usize> = (1..value.rank()).collect();
        let operation = match self.is_float() {
            true => "arith.addf",
            false => "arith.addi",
        };
        self.reduce(value, &out, &dims, operation);
        out
    }

    fn reduce(&mut self, value: &Buffer, out: &Buffer, dims: &[usize], operation: &str) {
        let element = self.element;
        let (one, other) = (self.name("e"), self.name("e"));
        self.line(format!(
            "linalg.reduce ins({value}) outs({out}) dimensions = {dims:?} ({one}: {element}, {other}: {element}) {{"
        ));
        self.indent += 1;
        let result = self.binary_of(operation, &one, &other);
        self.line(format!("linalg.yield {result} : {element}"));
        self.indent -= 1;
        self.line("}");
    }
}
