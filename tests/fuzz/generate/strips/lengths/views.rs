//! Allocations, arguments, and views.

use super::along::Along;
use super::sizes::{Formula, Number, Size};
use super::value::{Layout, Value};

impl Along<'_> {
    /// The type of a memref.
    pub fn type_of(&self, value: &Value) -> String {
        let known = |number: &Option<i64>| number.map_or("?".to_owned(), |one| one.to_string());
        let sizes = value.sizes.iter().map(|size| known(&size.fixed()) + "x");
        let sizes: String = sizes.collect();
        let layout = match &value.layout {
            None => String::new(),
            Some(Layout { strides, offset }) => {
                let strides: Vec<String> = strides.iter().map(known).collect();
                let offset = match offset {
                    Some(0) => String::new(),
                    offset => format!(", offset: {}", known(offset)),
                };
                format!(", strided<[{}]{offset}>", strides.join(", "))
            }
        };
        format!("memref<{sizes}{}{layout}>", self.element)
    }

    /// The name and the type of a memref.
    pub fn operand(&self, value: &Value) -> String {
        format!("{} : {}", value.name, self.type_of(value))
    }

    /// A memref in memory of its own that has no name yet.
    pub fn unnamed(&mut self, sizes: &[Size]) -> Value {
        self.roots += 1;
        Value {
            name: String::new(),
            sizes: sizes.to_vec(),
            layout: None,
            root: self.roots,
            is_own: true,
        }
    }

    /// A new allocation.
    pub fn allocate(&mut self, sizes: &[Size]) -> Value {
        let mut value = self.unnamed(sizes);
        let run = sizes.iter().filter(|size| size.is_run());
        let run: Vec<String> = run.map(Size::text).collect();
        let r#type = self.type_of(&value);
        value.name = self.chain.name("m");
        let name = value.name.clone();
        self.chain.line(format!(
            "{name} = memref.alloc({}) : {}",
            run.join(", "),
            r#type
        ));
        self.allocations.push(value.clone());
        value
    }

    /// A memref of known sizes that the function gets.
    pub fn weights(&mut self, sizes: &[i64]) -> Value {
        let sizes: Vec<Size> = sizes.iter().map(|size| Size::Fixed(*size)).collect();
        self.given(&sizes)
    }

    /// A memref that the function gets.
    pub fn given(&mut self, sizes: &[Size]) -> Value {
        let mut value = self.unnamed(sizes);
        value.name = self.chain.name("a");
        value.is_own = false;
        self.memrefs.push(value.clone());
        value
    }

    /// A size of a memref, which may be asked for again.
    pub fn size_of(&mut self, value: &Value, dim: usize) -> Size {
        let size = value.sizes[dim].clone();
        match size {
            Size::Run(number) if self.chain.choices.chance(25) => {
                let at = self.index(dim as i64);
                let operand = self.operand(value);
                let (name, r#type) = operand.split_once(" : ").unwrap_or_default();
                let name = self
                    .chain
                    .value(format!("memref.dim {name}, {at} : {type}", type = r#type));
                Size::Run(Number { name, ..number })
            }
            size => size,
        }
    }

    /// All sizes of a memref.
    pub fn sizes_of(&mut self, value: &Value) -> Vec<Size> {
        let dims = 0..value.rank();
        dims.map(|dim| self.size_of(value, dim)).collect()
    }

    /// `memref.subview`, without the dimension in `dropped`.
    pub fn part(
        &mut self,
        of: &Value,
        offsets: &[i64],
        sizes: &[Size],
        steps: &[i64],
        dropped: Option<usize>,
    ) -> Value {
        let layout = of.layout();
        let kept: Vec<usize> = (0..sizes.len())
            .filter(|dim| Some(*dim) != dropped)
            .collect();
        let mut offset = layout.offset;
        for (stride, by) in layout.strides.iter().zip(offsets) {
            let more = match by {
                0 => Some(0),
                by => stride.map(|stride| stride * by),
            };
            offset = offset.zip(more).map(|(offset, more)| offset + more);
        }
        let strides = kept.iter().map(|dim| match steps[*dim] {
            1 => layout.strides[*dim],
            step => layout.strides[*dim].map(|stride| stride * step),
        });
        let mut part = Value {
            name: String::new(),
            sizes: kept.iter().map(|dim| sizes[*dim].clone()).collect(),
            layout: Some(Layout {
                strides: strides.collect(),
                offset,
            }),
            root: of.root,
            is_own: false,
        };
        let sizes: Vec<String> = sizes.iter().map(Size::text).collect();
        part.name = self.chain.value(format!(
            "memref.subview {}{offsets:?} [{}] {steps:?} : {} to {}",
            of.name,
            sizes.join(", "),
            self.type_of(of),
            self.type_of(&part)
        ));
        part
    }

    /// `memref.transpose`.
    pub fn permuted(&mut self, of: &Value, order: &[usize]) -> Value {
        let layout = of.layout();
        let mut view = Value {
            name: String::new(),
            sizes: order.iter().map(|dim| of.sizes[*dim].clone()).collect(),
            layout: Some(Layout {
                strides: order.iter().map(|dim| layout.strides[*dim]).collect(),
                offset: layout.offset,
            }),
            root: of.root,
            is_own: false,
        };
        let dims: Vec<String> = (0..of.rank()).map(|dim| format!("d{dim}")).collect();
        let results: Vec<String> = order.iter().map(|dim| format!("d{dim}")).collect();
        view.name = self.chain.value(format!(
            "memref.transpose {} ({}) -> ({}) : {} to {}",
            of.name,
            dims.join(", "),
            results.join(", "),
            self.type_of(of),
            self.type_of(&view)
        ));
        view
    }

    /// A memref that lies row-major with dimensions from `first` to `last` as one.
    pub fn merged(&mut self, of: &Value, first: usize, last: usize) -> Option<Value> {
        let mut all = Size::Fixed(1);
        for dim in first..=last {
            let size = self.size_of(of, dim);
            all = match (all, size) {
                (Size::Fixed(all), size) => self.computed(&size, Formula::times(all), 0)?,
                (all, Size::Fixed(size)) => self.computed(&all, Formula::times(size), 0)?,
                (Size::Run(all), Size::Run(size)) => {
                    let pairs = all.values.iter().zip(&size.values);
                    let values = pairs.map(|(one, other)| one * other).collect();
                    let text = format!("arith.muli {}, {} : index", all.name, size.name);
                    let name = self.chain.value(text);
                    Size::Run(Number { name, values })
                }
            };
        }
        let mut view = of.clone();
        view.is_own = false;
        view.sizes.splice(first..=last, [all]);
        let groups = groups(of.rank(), first, last);
        view.name = self.chain.value(format!(
            "memref.collapse_shape {} {groups} : {} into {}",
            of.name,
            self.type_of(of),
            self.type_of(&view)
        ));
        Some(view)
    }

    /// A memref that lies row-major with these sizes in place of a dimension.
    pub fn divided(&mut self, of: &Value, dim: usize, sizes: &[Size]) -> Value {
        let mut view = of.clone();
        view.is_own = false;
        let number = sizes.len();
        view.sizes.splice(dim..=dim, sizes.iter().cloned());
        let groups = groups(view.rank(), dim, dim + number - 1);
        let shape: Vec<String> = view.sizes.iter().map(Size::text).collect();
        view.name = self.chain.value(format!(
            "memref.expand_shape {} {groups} output_shape [{}] : {} into {}",
            of.name,
            shape.join(", "),
            self.type_of(of),
            self.type_of(&view)
        ));
        view
    }

    /// `memref.cast` to a type that says the size of a dimension only at run time.
    pub fn forgets(&mut self, of: &Value, dim: usize) -> Option<Value> {
        let size = of.sizes[dim].fixed()?;
        let mut view = of.clone();
        view.is_own = false;
        let name = self.index(size);
        let values = vec![size; self.lengths];
        view.sizes[dim] = Size::Run(Number { name, values });
        if let Some(layout) = &mut view.layout {
            layout.offset = None;
        }
        view.name = self.chain.value(format!(
            "memref.cast {} : {} to {}",
            of.name,
            self.type_of(of),
            self.type_of(&view)
        ));
        Some(view)
    }
}

/// The groups of dimensions of a view with more of them: those from `first` to `last` are one.
fn groups(rank: usize, first: usize, last: usize) -> String {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for dim in 0..rank {
        match groups.last_mut() {
            Some(group) if dim > first && dim <= last => group.push(dim),
            _ => groups.push(vec![dim]),
        }
    }
    format!("{groups:?}")
}
