//! Reductions, broadcasts, products with weights and attention along lengths.

use super::along::Along;
use super::loops::{all_loops, loops_of};
use super::sizes::Size;
use super::value::Value;

impl Along<'_> {
    /// Sums or largest elements, without a dimension.
    pub fn reduced(&mut self, from: &Value) -> Option<Value> {
        if from.rank() < 2 {
            return None;
        }
        let (run, fixed) = (from.run(), from.fixed());
        let dims = match fixed.is_empty() || (run.len() > 1 && self.chain.choices.chance(15)) {
            true => run,
            false => fixed,
        };
        let dim = *self.chain.choices.of(&dims);
        self.chain.feature("reduction beside a length");
        let reduced = self.without(from, dim);
        let is_alone = reduced.rank() == 1 || self.chain.choices.chance(50);
        if is_alone || reduced.run().is_empty() {
            let dims = (0..from.rank()).filter(|one| *one != dim).collect();
            return self.joined(from, &reduced, dims);
        }
        Some(reduced)
    }

    /// Sums or largest elements along a dimension.
    fn without(&mut self, from: &Value, dim: usize) -> Value {
        let kept: Vec<usize> = (0..from.rank()).filter(|one| *one != dim).collect();
        let sizes = self.sizes_of(from);
        let sizes: Vec<Size> = kept.iter().map(|dim| sizes[*dim].clone()).collect();
        let element = self.element;
        let is_sum = self.chain.choices.chance(60);
        let (start, operation) = match is_sum {
            true => ("%zero", "addf"),
            false => ("%low", "maximumf"),
        };
        let made = self.filled(&sizes, start);
        // Loops of reductions are last.
        let place = |one: usize| match kept.iter().position(|kept| *kept == one) {
            Some(place) => place,
            None => kept.len(),
        };
        let read: Vec<usize> = (0..from.rank()).map(place).collect();
        let maps = [
            loops_of(from.rank(), &read),
            loops_of(from.rank(), &(0..kept.len()).collect::<Vec<usize>>()),
        ];
        let body = format!("%s = arith.{operation} %e0, %o : {element}");
        self.generic(&maps, (kept.len(), 1), &[from], &made, &[body]);
        made
    }

    /// A memref with one that has only some of its dimensions.
    fn joined(&mut self, one: &Value, other: &Value, dims: Vec<usize>) -> Option<Value> {
        self.affords(&one.sizes, 1).then(|| {
            let sizes = self.sizes_of(one);
            let made = self.allocate(&sizes);
            let all = (0..one.rank()).collect();
            self.elementwise_into(&[(one, all), (other, dims)], &made);
            made
        })
    }

    /// A memref with numbers for one of its dimensions.
    pub fn biased(&mut self, from: &Value) -> Option<Value> {
        let fixed = from.fixed();
        if fixed.is_empty() {
            return None;
        }
        self.chain.feature("broadcast beside a length");
        let dim = *self.chain.choices.of(&fixed);
        let size = from.sizes[dim].fixed()?;
        let bias = self.weights(&[size]);
        if self.chain.choices.chance(60) || from.rank() < 2 {
            return self.joined(from, &bias, vec![dim]);
        }
        // The broadcast is in memory of its own.
        let sizes = self.sizes_of(from);
        let wide = self.allocate(&sizes);
        let others: Vec<usize> = (0..from.rank()).filter(|one| *one != dim).collect();
        let (bias, to) = (self.operand(&bias), self.operand(&wide));
        self.chain.line(format!(
            "linalg.broadcast ins({bias}) outs({to}) dimensions = {others:?}"
        ));
        Some(self.elementwise(from, Some(&wide)))
    }

    /// A memref with one of lower rank.
    pub fn broadcast(&mut self, from: &Value) -> Option<Value> {
        let small = self.pick(|along, other| {
            other.rank() < from.rank() && along.places(other, from).is_some()
        })?;
        self.chain.feature("broadcast along a length");
        let dims = self.places(&small, from)?;
        self.joined(from, &small, dims)
    }

    /// The dimensions of a memref that those of another one fit, in their order.
    fn places(&self, small: &Value, large: &Value) -> Option<Vec<usize>> {
        let mut places = Vec::new();
        let mut dims = 0..large.rank();
        for size in &small.sizes {
            places.push(dims.find(|dim| self.is_same(size, &large.sizes[*dim]))?);
        }
        Some(places)
    }

    /// A product with weights.
    pub fn product(&mut self, from: &Value) -> Option<Value> {
        let rank = from.rank();
        let fixed = from.fixed();
        if rank < 2 || fixed.is_empty() {
            return None;
        }
        let columns = *self.chain.choices.of(&[3, 1, 2, 5, 8]);
        let dim = match fixed.contains(&(rank - 1)) && self.chain.choices.chance(70) {
            true => rank - 1,
            false => *self.chain.choices.of(&fixed),
        };
        let inner = from.sizes[dim].fixed()?;
        let mut sizes = self.sizes_of(from);
        sizes[dim] = Size::Fixed(columns);
        if inner > 32 || !self.affords(&sizes, inner) {
            return None;
        }
        self.chain.feature("product along a length");
        let made = self.filled(&sizes, "%zero");
        let named = self.chain.choices.chance(60);
        let (operation, left, right) = match (named, rank, dim) {
            (true, 2, 1) => {
                let weights = self.weights(&[inner, columns]);
                ("matmul", from.clone(), weights)
            }
            (true, 2, 0) => {
                let weights = self.weights(&[columns, inner]);
                ("matmul", weights, from.clone())
            }
            (true, 3, 2) if !from.sizes[0].is_run() => {
                let batch = from.sizes[0].fixed()?;
                let weights = self.weights(&[batch, inner, columns]);
                ("batch_matmul", from.clone(), weights)
            }
            _ => {
                let weights = self.weights(&[inner, columns]);
                let mut read: Vec<usize> = (0..rank).collect();
                read[dim] = rank;
                let out: Vec<usize> = (0..rank).collect();
                let maps = [
                    loops_of(rank + 1, &read),
                    loops_of(rank + 1, &[rank, dim]),
                    loops_of(rank + 1, &out),
                ];
                let body = self.product_body();
                self.generic(&maps, (rank, 1), &[from, &weights], &made, &body);
                return Some(made);
            }
        };
        let (types, to) = (
            format!("{}, {}", self.type_of(&left), self.type_of(&right)),
            self.operand(&made),
        );
        self.chain.line(format!(
            "linalg.{operation} ins({}, {} : {types}) outs({to})",
            left.name, right.name
        ));
        Some(made)
    }

    fn product_body(&self) -> [String; 2] {
        let element = self.element;
        [
            format!("%p = arith.mulf %e0, %e1 : {element}"),
            format!("%s = arith.addf %p, %o : {element}"),
        ]
    }

    /// Attention of tokens to all tokens of another memref, or of the same.
    pub fn attention(&mut self, from: &Value) -> Option<Value> {
        let rank = from.rank();
        if !(2..=3).contains(&rank) || from.run() != [rank - 2] {
            return None;
        }
        let keys = self.pick(|along, other| {
            let mut sizes = other.sizes.clone();
            if other.rank() != rank {
                return false;
            }
            sizes[rank - 2] = from.sizes[rank - 2].clone();
            other.sizes[rank - 2].is_run() && along.are_same(&sizes, &from.sizes)
        })?;
        let width = from.sizes[rank - 1].fixed()?;
        let (queries, tokens) = (self.size_of(from, rank - 2), self.size_of(&keys, rank - 2));
        let mut shape = self.sizes_of(from);
        shape[rank - 2] = queries;
        shape[rank - 1] = tokens;
        if !self.affords(&shape, 2 * width + 4) {
            return None;
        }
        self.chain.feature("attention along a length");
        let scores = self.filled(&shape, "%zero");
        let batch: Vec<usize> = (0..rank - 2).collect();
        let with = |dims: [usize; 2]| [batch.clone(), dims.to_vec()].concat();
        let (query, key, inner) = (rank - 2, rank - 1, rank);
        let maps = [
            loops_of(rank + 1, &with([query, inner])),
            loops_of(rank + 1, &with([key, inner])),
            loops_of(rank + 1, &with([query, key])),
        ];
        let body = self.product_body();
        self.generic(&maps, (rank, 1), &[from, &keys], &scores, &body);
        let parts = match self.chain.choices.chance(80) {
            true => self.softmax(&scores),
            false => self.elementwise(&scores, None),
        };
        let sizes = self.sizes_of(from);
        let made = self.filled(&sizes, "%zero");
        let named = match rank {
            2 => "matmul",
            _ => "batch_matmul",
        };
        if self.chain.choices.chance(50) {
            let types = format!("{}, {}", self.type_of(&parts), self.type_of(&keys));
            let to = self.operand(&made);
            self.chain.line(format!(
                "linalg.{named} ins({}, {} : {types}) outs({to})",
                parts.name, keys.name
            ));
            return Some(made);
        }
        let maps = [
            loops_of(rank + 1, &with([query, inner])),
            loops_of(rank + 1, &with([inner, key])),
            loops_of(rank + 1, &with([query, key])),
        ];
        let body = self.product_body();
        self.generic(&maps, (rank, 1), &[&parts, &keys], &made, &body);
        Some(made)
    }

    /// Parts of the sum of each row.
    pub fn softmax(&mut self, from: &Value) -> Value {
        self.chain.feature("softmax along a length");
        let element = self.element;
        let rank = from.rank();
        let kept: Vec<usize> = (0..rank - 1).collect();
        let sizes = self.sizes_of(from);
        let row = |along: &mut Self, of: &Value, start: &str, operation: &str| {
            let made = along.filled(&sizes[..rank - 1], start);
            let maps = [all_loops(rank), loops_of(rank, &kept)];
            let body = format!("%s = arith.{operation} %e0, %o : {element}");
            along.generic(&maps, (rank - 1, 1), &[of], &made, &[body]);
            made
        };
        let most = row(self, from, "%low", "maximumf");
        let powers = self.allocate(&sizes);
        let maps = [all_loops(rank), loops_of(rank, &kept), all_loops(rank)];
        let body = [
            format!("%d = arith.subf %e0, %e1 : {element}"),
            format!("%s = math.exp %d : {element}"),
        ];
        self.generic(&maps, (rank, 0), &[from, &most], &powers, &body);
        let sum = row(self, &powers, "%zero", "addf");
        let parts = self.allocate(&sizes);
        let body = [format!("%s = arith.divf %e0, %e1 : {element}")];
        self.generic(&maps, (rank, 0), &[&powers, &sum], &parts, &body);
        parts
    }
}
