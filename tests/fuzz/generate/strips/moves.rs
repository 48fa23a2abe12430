//! What moves elements: concatenations, slices, transposes, broadcasts, and views.

use super::buffer::{Buffer, Layout};
use super::chain::Chain;

impl Chain {
    /// Two values, one after the other, along any dimension.
    pub fn concatenation(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        let dim = self.choices.below(value.rank());
        let fits = |other: &Buffer| {
            other.rank() == value.rank()
                && (0..value.rank()).all(|at| at == dim || other.shape[at] == value.shape[at])
        };
        let Some(other) = self.pick_or_argument(fits) else {
            return;
        };
        let mut shape = value.shape.clone();
        shape[dim] += other.shape[dim];
        let count: usize = shape.iter().product();
        if !self.is_small(&shape) || !self.affords(count) {
            return;
        }
        self.feature("concatenation of values");
        let out = self.allocate(&shape);
        let parts = match self.choices.chance(50) {
            false => [value, other],
            true => [other, value],
        };
        let mut copies = Vec::new();
        let mut at = 0;
        for part in parts {
            let mut offsets = vec![0; shape.len()];
            offsets[dim] = at;
            at += part.shape[dim];
            copies.push((part, offsets));
        }
        if self.choices.chance(30) {
            copies.reverse();
        }
        for (part, offsets) in copies {
            let to = self.window(&out, &offsets, &part.shape);
            self.copy(&part, &to);
        }
        self.add(out);
    }

    /// Rows of several values in turns.
    pub fn interleaved(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        let dim = self.choices.below(value.rank());
        let count = *self.choices.of(&[2, 2, 3]);
        let mut shape = value.shape.clone();
        shape[dim] *= count;
        if value.shape[dim] < 2 || !self.is_small(&shape) || !self.affords(count * value.count()) {
            return;
        }
        self.feature("rows in turns");
        let out = self.allocate(&shape);
        let has_gaps = self.choices.chance(30);
        if has_gaps {
            self.fill(&out, 3);
        }
        for number in 0..count {
            if has_gaps && number == 1 {
                continue;
            }
            let other = match number {
                0 => None,
                _ => self.pick(|other| other.shape == value.shape),
            };
            let other = other.unwrap_or_else(|| value.clone());
            let (mut offsets, mut steps) = (vec![0; shape.len()], vec![1; shape.len()]);
            offsets[dim] = number;
            steps[dim] = count;
            // The part may not move: others would not be written then.
            let variable = self.variable.take();
            let to = self.part(&out, &offsets, &value.shape, &steps, &[]);
            self.variable = variable;
            match self.choices.chance(50) {
                false => self.copy(&other, &to),
                true => {
                    let operation = *self.choices.of(&["add", "mul", "max"]);
                    self.two_operands(operation, &other, &value, &to);
                }
            }
        }
        self.add(out);
    }

    /// A part with steps, as a view; sometimes without dimensions of one element.
    pub fn slice(&mut self) {
        let Some(value) = self.pick(|_| true) else {
            return;
        };
        let (mut offsets, mut sizes, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for extent in value.shape.iter().copied() {
            let step = *self.choices.of(&[1, 1, 1, 2, 2, 3]);
            let offset = self.between(0, 3.min(extent - 1));
            let fewer = *self.choices.of(&[0, 0, 1, 2]);
            sizes.push(
                ((extent - 1 - offset) / step + 1)
                    .saturating_sub(fewer)
                    .max(1),
            );
            offsets.push(offset);
            steps.push(step);
        }
        let mut dropped: Vec<usize> = (0..sizes.len()).filter(|dim| sizes[*dim] == 1).collect();
        dropped.retain(|_| self.choices.chance(40));
        // MLIR tells dimensions of one element apart by their strides.
        let strides = value.layout().strides;
        let one_of = |dim: usize| strides[dim] * steps[dim];
        let kept: Vec<usize> = (0..sizes.len())
            .filter(|dim| sizes[*dim] == 1 && !dropped.contains(dim))
            .map(one_of)
            .collect();
        dropped.retain(|dim| !kept.contains(&one_of(*dim)));
        if dropped.len() == sizes.len() {
            dropped.clear();
        }
        if !dropped.is_empty() {
            self.feature("slice of lower rank");
            steps = vec![1; sizes.len()];
        }
        self.feature("slice");
        let part = self.part(&value, &offsets, &sizes, &steps, &dropped);
        self.add(part.clone());
        if self.choices.chance(50) {
            self.unary_of(&part);
        }
    }

    /// Dimensions in another order, as a copy or as a view.
    pub fn transpose(&mut self) {
        let Some(value) = self.pick(|value| value.rank() > 1) else {
            return;
        };
        let order = self.order(value.rank(), 80);
        let shape: Vec<usize> = order.iter().map(|dim| value.shape[*dim]).collect();
        if !self.choices.chance(25) {
            if !self.affords(value.count()) {
                return;
            }
            self.feature("transpose of a value");
            let out = self.target(&shape, &[&value]);
            self.line(format!(
                "linalg.transpose ins({value}) outs({out}) permutation = {order:?}"
            ));
            return self.add(out);
        }
        let long = shape.iter().filter(|size| **size > 1).count();
        if long < 2 || order.is_sorted() {
            return;
        }
        self.feature("transposed view");
        let layout = value.layout();
        let mut view = Buffer {
            name: String::new(),
            shape,
            is_allocation: false,
            layout: Some(Layout {
                strides: order.iter().map(|dim| layout.strides[*dim]).collect(),
                offset: layout.offset,
            }),
            ..value.clone()
        };
        let names = |dims: &mut dyn Iterator<Item = usize>| {
            let names: Vec<String> = dims.map(|dim| format!("i{dim}")).collect();
            names.join(", ")
        };
        view.name = self.value(format!(
            "memref.transpose {} ({}) -> ({}) : {} to {}",
            value.name,
            names(&mut (0..order.len())),
            names(&mut order.iter().copied()),
            value.type_text(),
            view.type_text()
        ));
        self.copy_out(&view);
        self.add(view);
    }

    /// A view may be copied to an argument.
    fn copy_out(&mut self, view: &Buffer) {
        // In a loop, parts move, so that elements may be unwritten.
        let may = self.writes_arguments && self.variable.is_none();
        if may && self.choices.chance(25) && self.affords(view.count()) {
            self.feature("a view is copied to an argument");
            let out = self.argument(&view.shape);
            self.copy(view, &out);
            self.add(out);
        }
    }

    /// A value several times, along a new dimension.
    pub fn broadcast_along(&mut self) {
        let Some(value) = self.pick(|value| value.rank() <= 3 && value.count() < 600) else {
            return;
        };
        let dim = self.between(0, value.rank());
        let times = *self.choices.of(&[2, 1, 5, 16]);
        let mut shape = value.shape.clone();
        shape.insert(dim, times);
        if !self.is_small(&shape) || !self.affords(value.count() * times) {
            return;
        }
        self.feature("broadcast of a value");
        let out = self.allocate(&shape);
        self.line(format!(
            "linalg.broadcast ins({value}) outs({out}) dimensions = [{dim}]"
        ));
        self.add(out);
    }

    /// A dimension as two, or two as one.
    pub fn reshape(&mut self) {
        let Some(value) = self.pick(|value| value.layout.is_none()) else {
            return;
        };
        let rank = value.rank();
        let dim = self.choices.below(rank);
        let expands = rank == 1 || (rank <= 4 && self.choices.chance(50));
        let mut shape = value.shape.clone();
        let parts = match expands {
            true => {
                let size = shape[dim];
                let factors: Vec<usize> =
                    (1..=size).filter(|by| size.is_multiple_of(*by)).collect();
                let outer = *self.choices.of(&factors);
                shape.splice(dim..=dim, [outer, size / outer]);
                rank
            }
            false => {
                let dim = dim.min(rank - 2);
                let size = shape[dim] * shape[dim + 1];
                shape.splice(dim..dim + 2, [size]);
                rank - 1
            }
        };
        let dim = dim.min(parts - 1);
        let groups: Vec<Vec<usize>> = (0..parts)
            .map(|at| match at.cmp(&dim) {
                std::cmp::Ordering::Less => vec![at],
                std::cmp::Ordering::Equal => vec![at, at + 1],
                std::cmp::Ordering::Greater => vec![at + 1],
            })
            .collect();
        self.feature("reshape");
        let mut view = Buffer {
            name: String::new(),
            shape,
            is_allocation: false,
            ..value.clone()
        };
        let (operation, sizes) = match expands {
            true => ("expand_shape", format!(" output_shape {:?}", view.shape)),
            false => ("collapse_shape", String::new()),
        };
        view.name = self.value(format!(
            "memref.{operation} {} {groups:?}{sizes} : {} into {}",
            value.name,
            value.type_text(),
            view.type_text()
        ));
        self.copy_out(&view);
        if !self.choices.chance(30) {
            return self.add(view);
        }
        self.feature("a shape, and back");
        let back = match expands {
            true => "collapse_shape",
            false => "expand_shape",
        };
        let sizes = match expands {
            true => String::new(),
            false => format!(" output_shape {:?}", value.shape),
        };
        let name = self.value(format!(
            "memref.{back} {} {groups:?}{sizes} : {} into {}",
            view.name,
            view.type_text(),
            value.type_text()
        ));
        self.add(Buffer {
            name,
            is_allocation: false,
            ..value
        });
    }
}
