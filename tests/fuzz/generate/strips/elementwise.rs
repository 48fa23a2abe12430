//! Operations whose maps have a pattern: elementwise ones, several taps of one value, strided writes, two results,
//! conversions, and changes in place.

use super::super::types::Element;
use super::buffer::Buffer;
use super::chain::Chain;
use super::generics::identity;

impl Chain {
    /// A named operation on each element.
    pub fn unary(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        self.unary_of(&value);
    }

    /// A named operation on each element of a value; sometimes in place.
    pub fn unary_of(&mut self, value: &Buffer) {
        if !self.affords(value.count()) {
            return;
        }
        let out = self.in_step(value, &[]);
        match self.is_float() {
            true => {
                let operation = *self.choices.of(&["tanh", "tanh", "abs", "negf"]);
                self.line(format!("linalg.{operation} ins({value}) outs({out})"));
            }
            false => {
                let operation = *self.choices.of(&["add", "mul", "max"]);
                self.two_operands(operation, value, value, &out);
            }
        }
        self.add(out);
    }

    /// A named operation on two values.
    pub fn binary(&mut self) {
        let Some(one) = self.pick(|_| true) else {
            return;
        };
        let shape = one.shape.clone();
        let other = self.pick_or_argument(|other| other.shape == shape);
        let Some(other) = other.filter(|_| self.affords(one.count())) else {
            return;
        };
        let out = self.in_step(&one, &[&other]);
        let operation = *self.choices.of(&["add", "sub", "max", "mul"]);
        self.two_operands(operation, &one, &other, &out);
        self.add(out);
    }

    /// A value and the centre of a larger one.
    pub fn residual(&mut self) {
        let Some(one) = self.pick(|_| true) else {
            return;
        };
        let shape = one.shape.clone();
        let larger = self.pick_or_argument(|other| {
            other.rank() == shape.len()
                && other.shape != shape
                && other.shape.iter().zip(&shape).all(|(a, b)| a >= b)
        });
        let Some(larger) = larger.filter(|_| self.affords(one.count())) else {
            return self.binary();
        };
        self.feature("residual with a centre");
        let offsets: Vec<usize> = (larger.shape.iter().zip(&shape))
            .map(|(all, part)| self.between(0, all - part))
            .collect();
        let centre = self.window(&larger, &offsets, &shape);
        let out = self.allocate(&shape);
        let operation = *self.choices.of(&["add", "sub", "mul"]);
        self.two_operands(operation, &one, &centre, &out);
        self.add(out);
    }

    /// What an operation writes that reads `one` in step: memory of its own, or an operand itself.
    fn in_step(&mut self, one: &Buffer, more: &[&Buffer]) -> Buffer {
        let out = self.any_target(&one.shape);
        let mut operands = more.iter().copied().chain([one]);
        match operands.all(|operand| operand.root != out.root || operand.name == out.name) {
            true => out,
            false => self.allocate(&one.shape),
        }
    }

    /// A named operation with two operands.
    pub fn two_operands(&mut self, operation: &str, one: &Buffer, other: &Buffer, out: &Buffer) {
        self.line(format!(
            "linalg.{operation} ins({}, {} : {}, {}) outs({out})",
            one.name,
            other.name,
            one.type_text(),
            other.type_text()
        ));
    }

    /// Each element from several rows of one value.
    pub fn taps(&mut self) {
        let Some(value) = self.pick(|value| value.rank() > 0) else {
            return;
        };
        let rank = value.rank();
        let dim = self.choices.below(rank);
        let factor = *self.choices.of(&[1, 1, 2, 3]);
        let count = self.between(2, 3);
        // No row is the index itself, so that the loop may be shorter than the value.
        let shifts: Vec<usize> = (0..count).map(|_| self.between(1, 4)).collect();
        let last = shifts.iter().max().copied().unwrap_or(0);
        if last >= value.shape[dim] {
            return;
        }
        let mut shape = value.shape.clone();
        let fewer = *self.choices.of(&[0, 0, 1]);
        let fits = (value.shape[dim] - 1 - last) / factor + 1;
        shape[dim] = fits.saturating_sub(fewer).max(1);
        if !self.is_small(&shape) || !self.affords(value.count() * count) {
            return;
        }
        self.feature("rows of a value");
        let out = self.target(&shape, &[&value]);
        let same = identity(rank);
        let shifted = |shift: &usize| {
            let from = format!("d{dim}");
            let indices: Vec<String> = (0..rank)
                .map(|at| match at == dim {
                    true => format!("{from} * {factor} + {shift}"),
                    false => format!("d{at}"),
                })
                .collect();
            indices.join(", ")
        };
        let maps: Vec<String> = shifts.iter().map(shifted).chain([same]).collect();
        let ins = vec![value; count];
        let kinds = vec!["\"parallel\""; rank];
        let elements = self.open_generic(&kinds, &maps, &ins, &[&out]);
        let result = self.combined(&elements[..count]);
        self.close_generic(&[result], &[&out]);
        self.add(out);
    }

    /// Written with steps, shifts, and dimensions in another order, into what is filled before.
    pub fn scattered(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        let rank = value.rank();
        let order = self.order(rank, 30);
        let (mut shape, mut to) = (Vec::new(), Vec::new());
        for dim in order {
            let factor = *self.choices.of(&[1, 1, 2]);
            let shift = *self.choices.of(&[0, 0, 1, 2]);
            let beyond = *self.choices.of(&[0, 0, 1]);
            let size = value.shape[dim];
            if factor == 1 && shift == 0 {
                shape.push(size);
                to.push(format!("d{dim}"));
            } else {
                shape.push(factor * (size - 1) + shift + 1 + beyond);
                to.push(format!("d{dim} * {factor} + {shift}"));
            }
        }
        if !self.is_small(&shape) || !self.affords(value.count()) {
            return;
        }
        self.feature("written with steps");
        let out = self.allocate(&shape);
        let number = *self.choices.of(&[0, 4]);
        self.fill(&out, number);
        let kinds = vec!["\"parallel\""; rank];
        let maps = [identity(rank), to.join(", ")];
        let elements = self.open_generic(&kinds, &maps, &[value], &[&out]);
        let operation = match self.is_float() {
            true => "arith.subf",
            false => "arith.subi",
        };
        let result = self.binary_of(operation, &elements[0], &elements[1]);
        self.close_generic(&[result], &[&out]);
        self.add(out);
    }

    /// Two results, one of which has its dimensions reversed; sometimes nobody reads the other one.
    pub fn two_results(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        if !self.affords(2 * value.count()) {
            return;
        }
        self.feature("two results of one operation");
        let rank = value.rank();
        // One of them is turned, or both are read along the same rows.
        let is_turned = self.choices.chance(50);
        let mut dims: Vec<usize> = (0..rank).collect();
        if is_turned {
            dims.reverse();
        }
        let shape: Vec<usize> = dims.iter().map(|dim| value.shape[*dim]).collect();
        let (one, other) = (self.allocate(&value.shape), self.allocate(&shape));
        let dims: Vec<String> = dims.iter().map(|dim| format!("d{dim}")).collect();
        let maps = [identity(rank), identity(rank), dims.join(", ")];
        let kinds = vec!["\"parallel\""; rank];
        let elements = self.open_generic(&kinds, &maps, &[value], &[&one, &other]);
        let results = [
            self.sum(&elements[0], &elements[0]),
            self.combined(&elements[..1]),
        ];
        self.close_generic(&results, &[&one, &other]);
        if !is_turned || !self.choices.chance(40) {
            self.add(one);
        }
        self.add(other);
        if !is_turned {
            // One is read ahead of the other.
            self.taps();
            self.residual();
        }
    }

    /// A value, or a part of it, is doubled in place.
    pub fn doubled(&mut self) {
        let Some(value) = self.pick_writable(|_| true) else {
            return;
        };
        if !self.affords(value.count()) {
            return;
        }
        self.feature("doubled in place");
        let rank = value.rank();
        let mut part = value;
        if self.choices.chance(50) {
            let dim = self.choices.below(rank);
            let size = part.shape[dim];
            let mut offsets = vec![0; rank];
            offsets[dim] = *self.choices.of(&[0, 0, size / 2]);
            let mut sizes = part.shape.clone();
            sizes[dim] = self.between(1, size - offsets[dim]);
            part = self.window(&part, &offsets, &sizes);
        }
        let kinds = vec!["\"parallel\""; rank];
        let elements = self.open_generic(&kinds, &[identity(rank)], &[], &[&part]);
        let result = self.sum(&elements[0], &elements[0]);
        self.close_generic(&[result], &[&part]);
    }

    /// Elements of another width, which are those of the chain from now on.
    pub fn converted(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        let (to, operation) = match value.element {
            Element::F32 => (Element::F64, "arith.extf"),
            Element::F64 => (Element::F32, "arith.truncf"),
            Element::I32 => (Element::I8, "arith.trunci"),
            Element::I8 => (Element::I32, "arith.extsi"),
            _ => return,
        };
        if !self.affords(value.count()) {
            return;
        }
        self.feature("elements of another width");
        let from = value.element;
        let out = self.allocate_of(&value.shape, to);
        let rank = value.rank();
        let kinds = vec!["\"parallel\""; rank];
        let maps = [identity(rank), identity(rank)];
        let elements = self.open_generic(&kinds, &maps, &[value], &[&out]);
        let result = self.value(format!("{operation} {} : {from} to {to}", elements[0]));
        self.close_generic(&[result], &[&out]);
        self.element = to;
        self.add(out);
    }
}
