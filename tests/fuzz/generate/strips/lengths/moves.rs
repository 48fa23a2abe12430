//! Operations along lengths that move elements: transposes, concatenations, slices, reshapes, casts.

use super::along::Along;
use super::sizes::{Formula, Size};
use super::value::Value;

impl Along<'_> {
    /// The dimensions in another order.
    pub fn transposed(&mut self, from: &Value) -> Option<Value> {
        if from.rank() < 2 {
            return None;
        }
        self.chain.feature("transpose along a length");
        let order = self.chain.order(from.rank(), 100);
        let sizes = self.sizes_of(from);
        let sizes: Vec<Size> = order.iter().map(|dim| sizes[*dim].clone()).collect();
        if self.chain.choices.chance(25) {
            let view = self.permuted(from, &order);
            return Some(self.elementwise(&view, None));
        }
        let made = self.allocate(&sizes);
        match self.chain.choices.chance(50) {
            false => {
                let (from, to) = (self.operand(from), self.operand(&made));
                self.chain.line(format!(
                    "linalg.transpose ins({from}) outs({to}) permutation = {order:?}"
                ));
            }
            true => {
                let place = |dim| order.iter().position(|one| *one == dim).unwrap_or(0);
                let dims = (0..from.rank()).map(place).collect();
                self.elementwise_into(&[(from, dims)], &made);
            }
        }
        Some(made)
    }

    /// Several memrefs one after the other, along a dimension of known sizes most often.
    pub fn concatenated(&mut self, from: &Value) -> Option<Value> {
        let dims = match self.chain.choices.chance(8) {
            true => from.run(),
            false => from.fixed(),
        };
        if dims.is_empty() {
            return None;
        }
        let dim = *self.chain.choices.of(&dims);
        let other = self.pick(|along, other| {
            let mut sizes = other.sizes.clone();
            if other.rank() != from.rank() || sizes[dim].is_run() != from.sizes[dim].is_run() {
                return false;
            }
            sizes[dim] = from.sizes[dim].clone();
            along.are_same(&sizes, &from.sizes)
        });
        let other = other.unwrap_or_else(|| from.clone());
        self.chain.feature("concatenation along a length");
        let parts = [from.clone(), other];
        let mut sizes = self.sizes_of(from);
        // Where the second part starts has to be known.
        let Some(first) = sizes[dim].fixed() else {
            return self.extended(from, dim);
        };
        let more = parts[1].sizes[dim].fixed()?;
        sizes[dim] = Size::Fixed(first + more);
        if !self.affords(&sizes, 1) {
            return None;
        }
        let made = self.allocate(&sizes);
        let mut start = 0;
        for part in &parts {
            let mut offsets = vec![0; made.rank()];
            offsets[dim] = start;
            let sizes = self.sizes_of(part);
            start += part.sizes[dim].fixed()?;
            let into = self.part(&made, &offsets, &sizes, &vec![1; made.rank()], None);
            match self.chain.choices.chance(60) {
                true => self.copy(part, &into),
                false => {
                    let dims = (0..part.rank()).collect();
                    self.elementwise_into(&[(part, dims)], &into);
                }
            }
        }
        Some(made)
    }

    /// A memref after a row of numbers.
    fn extended(&mut self, from: &Value, dim: usize) -> Option<Value> {
        let inside = self.sizes_of(from);
        let mut sizes = inside.clone();
        sizes[dim] = self.computed(&sizes[dim].clone(), Formula::plus(1), 1)?;
        let made = self.allocate(&sizes);
        let mut one = sizes.clone();
        one[dim] = Size::Fixed(1);
        let steps = vec![1; made.rank()];
        let row = self.part(&made, &vec![0; made.rank()], &one, &steps, None);
        self.fill(&row, "%one");
        let mut offsets = vec![0; made.rank()];
        offsets[dim] = 1;
        let rest = self.part(&made, &offsets, &inside, &steps, None);
        self.copy(from, &rest);
        Some(made)
    }

    /// A part of a memref: a view, or what is computed of it.
    pub fn sliced(&mut self, from: &Value) -> Option<Value> {
        let along = self.chain.choices.chance(40);
        let dims = if along { from.run() } else { from.fixed() };
        let dims: Vec<usize> = dims
            .into_iter()
            .filter(|dim| from.sizes[*dim].fixed() != Some(1))
            .collect();
        if dims.is_empty() {
            return None;
        }
        let dim = *self.chain.choices.of(&dims);
        let mut sizes = self.sizes_of(from);
        let (mut offsets, mut steps) = (vec![0; from.rank()], vec![1; from.rank()]);
        let mut dropped = None;
        match sizes[dim].clone() {
            Size::Fixed(size) => {
                self.chain.feature("slice beside a length");
                offsets[dim] = self.chain.between(0, size as usize - 1) as i64;
                let rest = size - offsets[dim];
                if rest > 2 && self.chain.choices.chance(20) {
                    steps[dim] = 2;
                }
                let most = (rest - 1) / steps[dim] + 1;
                let count = self.chain.between(1, most as usize) as i64;
                sizes[dim] = Size::Fixed(count);
                if count == 1 && from.rank() > 2 && self.chain.choices.chance(50) {
                    dropped = Some(dim);
                }
            }
            size => {
                self.chain.feature("slice along a length");
                offsets[dim] = self.chain.between(0, 2) as i64;
                let less = offsets[dim] + self.chain.between(0, 2) as i64;
                sizes[dim] = self.computed(&size, Formula::plus(-less), 0)?;
                if self.chain.choices.chance(15) {
                    self.chain.feature("slice with steps along a length");
                    steps[dim] = 2;
                    let half = Formula::windows(1, 2, false);
                    sizes[dim] = self.computed(&sizes[dim].clone(), half, 0)?;
                    // Rounded towards 0, it is too large if nothing is left.
                    let most = |length| (size.at(length) - offsets[dim] + 1).div_euclid(2);
                    let fits = |length| sizes[dim].at(length) <= most(length);
                    if !(0..self.lengths).all(fits) {
                        return None;
                    }
                }
            }
        }
        let part = self.part(from, &offsets, &sizes, &steps, dropped);
        match self.chain.choices.chance(50) {
            false => Some(self.elementwise(&part, None)),
            true => Some(part),
        }
    }

    /// A view with other dimensions.
    pub fn reshaped(&mut self, from: &Value) -> Option<Value> {
        if from.layout.is_some() {
            return None;
        }
        self.chain.feature("reshape along a length");
        let view = match self.chain.choices.chance(50) && from.rank() < 4 {
            true => {
                let dim = self.chain.choices.below(from.rank());
                let size = self.size_of(from, dim);
                let known = size.fixed().filter(|size| size % 2 == 0 && *size > 0);
                let parts = match known {
                    Some(size) => [Size::Fixed(2), Size::Fixed(size / 2)],
                    None => [Size::Fixed(1), size],
                };
                let flips = self.chain.choices.chance(50);
                let [one, other] = parts;
                let parts = if flips { [other, one] } else { [one, other] };
                self.divided(from, dim, &parts)
            }
            false if from.rank() > 1 => {
                let first = self.chain.choices.below(from.rank() - 1);
                let last = match self.chain.choices.chance(20) {
                    true => from.rank() - 1,
                    false => first + 1,
                };
                self.merged(from, first, last)?
            }
            false => return None,
        };
        Some(match self.chain.choices.chance(40) {
            true => view,
            false => self.elementwise(&view, None),
        })
    }

    /// A cast that forgets a size, and what is computed of it.
    pub fn cast(&mut self, from: &Value) -> Option<Value> {
        let fixed = from.fixed();
        if fixed.is_empty() {
            return None;
        }
        self.chain.feature("cast along a length");
        let dim = *self.chain.choices.of(&fixed);
        let view = self.forgets(from, dim)?;
        let made = self.elementwise(&view, None);
        // Back to what is known.
        let mut known = made.clone();
        known.is_own = false;
        known.sizes[dim] = from.sizes[dim].clone();
        let (before, after) = (self.type_of(&made), self.type_of(&known));
        known.name = self
            .chain
            .value(format!("memref.cast {} : {before} to {after}", made.name));
        Some(known)
    }
}
