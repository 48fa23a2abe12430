//! The state of a chain that is being written: its text, its memrefs, and how much it may still compute.

use std::collections::BTreeMap;

use super::super::choices::Choices;
use super::super::types::Element;
use super::buffer::{Buffer, Layout};

/// The most elements that one program computes, each as often as something is added to it.
const WORK: usize = 100_000;

/// A chain that is being written.
pub struct Chain {
    /// The random choices.
    pub choices: Choices,
    /// The count of each generated feature.
    pub features: BTreeMap<&'static str, u64>,
    /// The prefix of every symbol.
    pub prefix: String,
    /// Functions that are complete.
    pub functions: Vec<String>,
    /// The lines of the function.
    pub lines: Vec<String>,
    /// The indentation of the next line.
    pub indent: usize,
    /// The element type of most values.
    pub element: Element,
    /// The arguments.
    pub arguments: Vec<Buffer>,
    /// Whether arguments are written, too.
    pub writes_arguments: bool,
    /// Whether nothing else refers to the memory of arguments.
    pub are_alone: bool,
    /// The values that may be read, the oldest first.
    pub pool: Vec<Buffer>,
    /// The allocations of the regions around, the innermost last.
    pub allocations: Vec<Vec<Buffer>>,
    /// Whether allocations are freed at the end of their region.
    pub frees: bool,
    /// The variable of the loop around, and its largest value.
    pub variable: Option<(String, usize)>,
    /// How much may still be computed.
    pub work: usize,
    /// The most elements of a buffer.
    pub most: usize,
    names: u32,
}

impl Chain {
    /// An empty chain.
    pub fn new(mut choices: Choices, prefix: String) -> Self {
        let element = choices.weighted(&[
            (6, Element::F32),
            (1, Element::F64),
            (1, Element::I32),
            (1, Element::I8),
        ]);
        let writes_arguments = choices.chance(30);
        let are_alone = writes_arguments && choices.chance(60);
        let frees = choices.chance(40);
        let most = *choices.of(&[1500, 3000, 5000]);
        Self {
            choices,
            features: BTreeMap::new(),
            prefix,
            functions: Vec::new(),
            lines: Vec::new(),
            indent: 1,
            element,
            arguments: Vec::new(),
            writes_arguments,
            are_alone,
            pool: Vec::new(),
            allocations: vec![Vec::new()],
            frees,
            variable: None,
            work: WORK,
            most,
            names: 0,
        }
    }

    /// Counts a feature.
    pub fn feature(&mut self, name: &'static str) {
        *self.features.entry(name).or_default() += 1;
    }

    /// Writes one line.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push("  ".repeat(self.indent) + text.as_ref());
    }

    /// A new name.
    pub fn name(&mut self, start: &str) -> String {
        format!("%{start}{}", self.fresh())
    }

    /// A new number.
    pub fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// Writes `%name = TEXT` and returns the name.
    pub fn value(&mut self, text: impl AsRef<str>) -> String {
        let name = self.name("v");
        self.line(format!("{name} = {}", text.as_ref()));
        name
    }

    /// Whether the elements are floats.
    pub fn is_float(&self) -> bool {
        is_float(self.element)
    }

    /// A constant element.
    pub fn constant(&mut self, number: i32, element: Element) -> String {
        self.value(match is_float(element) {
            true => format!("arith.constant {number}.0 : {element}"),
            false => format!("arith.constant {number} : {element}"),
        })
    }

    /// A constant index.
    pub fn index(&mut self, number: usize) -> String {
        self.value(format!("arith.constant {number} : index"))
    }

    /// A number from `least` to `most`.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.choices.below(most.saturating_sub(least) + 1)
    }

    /// The numbers below `count`, in a random order with this probability in percent.
    pub fn order(&mut self, count: usize, percent: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        if self.choices.chance(percent) {
            for at in (1..count).rev() {
                let other = at - self.choices.below(at + 1);
                order.swap(at, other);
            }
        }
        order
    }

    /// A new argument.
    pub fn argument(&mut self, shape: &[usize]) -> Buffer {
        let root = self.fresh();
        let buffer = Buffer {
            name: format!("%a{root}"),
            shape: shape.to_vec(),
            element: self.element,
            root,
            is_argument: true,
            is_allocation: false,
            layout: None,
        };
        self.arguments.push(buffer.clone());
        buffer
    }

    /// A new allocation.
    pub fn allocate(&mut self, shape: &[usize]) -> Buffer {
        self.allocate_of(shape, self.element)
    }

    /// A new allocation of these elements.
    pub fn allocate_of(&mut self, shape: &[usize], element: Element) -> Buffer {
        let root = self.fresh();
        let buffer = Buffer {
            name: format!("%m{root}"),
            shape: shape.to_vec(),
            element,
            root,
            is_argument: false,
            is_allocation: true,
            layout: None,
        };
        let r#type = buffer.type_text();
        self.line(format!("{} = memref.alloc() : {}", buffer.name, r#type));
        if let Some(region) = self.allocations.last_mut() {
            region.push(buffer.clone());
        }
        buffer
    }

    /// `linalg.fill`.
    pub fn fill(&mut self, buffer: &Buffer, number: i32) {
        let element = buffer.element;
        let value = self.constant(number, element);
        self.line(format!(
            "linalg.fill ins({value} : {element}) outs({buffer})"
        ));
    }

    /// A copy, by one of two operations.
    pub fn copy(&mut self, from: &Buffer, to: &Buffer) {
        match self.choices.chance(40) {
            false => self.line(format!(
                "memref.copy {}, {} : {} to {}",
                from.name,
                to.name,
                from.type_text(),
                to.type_text()
            )),
            true => self.line(format!("linalg.copy ins({from}) outs({to})")),
        }
    }

    /// `memref.subview` without the dimensions in `dropped`.
    pub fn part(
        &mut self,
        of: &Buffer,
        offsets: &[usize],
        sizes: &[usize],
        steps: &[usize],
        dropped: &[usize],
    ) -> Buffer {
        let dims = 0..sizes.len();
        let steps: Vec<usize> = dims
            .clone()
            .map(|dim| if sizes[dim] == 1 { 1 } else { steps[dim] })
            .collect();
        let mut starts: Vec<String> = offsets.iter().map(usize::to_string).collect();
        let mut is_static = true;
        if !starts.is_empty() && self.choices.chance(12) {
            let dim = self.choices.below(starts.len());
            starts[dim] = self.index(offsets[dim]);
            is_static = false;
        }
        if let Some((variable, last)) = self.variable.clone() {
            let fits = |dim: &usize| {
                offsets[*dim] == 0 && last + (sizes[*dim] - 1) * steps[*dim] < of.shape[*dim]
            };
            let moved = dims.clone().find(fits).filter(|_| self.choices.chance(35));
            if let Some(dim) = moved {
                self.feature("part that moves in a loop");
                starts[dim] = variable;
                is_static = false;
            }
        }
        let layout = of.layout();
        let distance: usize = layout.strides.iter().zip(offsets).map(|(a, b)| a * b).sum();
        let kept: Vec<usize> = dims.filter(|dim| !dropped.contains(dim)).collect();
        let mut part = Buffer {
            name: self.name("p"),
            shape: kept.iter().map(|dim| sizes[*dim]).collect(),
            is_allocation: false,
            layout: Some(Layout {
                strides: kept
                    .iter()
                    .map(|dim| layout.strides[*dim] * steps[*dim])
                    .collect(),
                offset: layout
                    .offset
                    .filter(|_| is_static)
                    .map(|offset| offset + distance),
            }),
            ..of.clone()
        };
        part.name = self.value(format!(
            "memref.subview {}[{}] {sizes:?} {steps:?} : {} to {}",
            of.name,
            starts.join(", "),
            of.type_text(),
            part.type_text()
        ));
        part
    }

    /// A part without steps.
    pub fn window(&mut self, of: &Buffer, offsets: &[usize], sizes: &[usize]) -> Buffer {
        self.part(of, offsets, sizes, &vec![1; sizes.len()], &[])
    }

    /// A value for which `fits` is true, most often the last one.
    pub fn pick(&mut self, fits: impl Fn(&Buffer) -> bool) -> Option<Buffer> {
        let element = self.element;
        let found: Vec<&Buffer> = self
            .pool
            .iter()
            .rev()
            .filter(|buffer| buffer.element == element && fits(buffer))
            .collect();
        let latest = *found.first()?;
        Some(match self.choices.chance(35) {
            false => latest.clone(),
            true => (*self.choices.of(&found)).clone(),
        })
    }

    /// A value or an argument for which `fits` is true.
    pub fn pick_or_argument(&mut self, fits: impl Fn(&Buffer) -> bool) -> Option<Buffer> {
        let element = self.element;
        let all = self.pool.iter().rev().chain(&self.arguments);
        let found: Vec<&Buffer> = all
            .filter(|buffer| buffer.element == element && fits(buffer))
            .collect();
        if found.is_empty() {
            return None;
        }
        Some((*self.choices.of(&found)).clone())
    }

    /// A value may be read from now on.
    pub fn add(&mut self, buffer: Buffer) {
        if buffer.rank() > 0 {
            self.pool.push(buffer);
        }
    }

    /// A value that may be written, and for which `fits` is true.
    pub fn pick_writable(&mut self, fits: impl Fn(&Buffer) -> bool) -> Option<Buffer> {
        let writes = self.writes_arguments;
        self.pick(|value| (writes || !value.is_argument) && fits(value))
    }

    /// Whether a buffer of this shape is small enough.
    pub fn is_small(&self, shape: &[usize]) -> bool {
        let count: usize = shape.iter().product();
        (1..=self.most).contains(&count)
    }

    /// Whether so much may still be computed; if so, less may be later.
    pub fn affords(&mut self, work: usize) -> bool {
        let affords = work <= self.work;
        if affords {
            self.work -= work;
        }
        affords
    }

    /// What an operation writes, not in the memory of `reads`: new memory most often, or an older value, an argument or
    /// the interior of a larger buffer.
    pub fn target(&mut self, shape: &[usize], reads: &[&Buffer]) -> Buffer {
        let target = self.any_target(shape);
        match reads.iter().any(|read| read.root == target.root) {
            true => self.allocate(shape),
            false => target,
        }
    }

    /// The same in the memory of operands, too.
    pub fn any_target(&mut self, shape: &[usize]) -> Buffer {
        let kind = self.choices.weighted(&[(78, 0), (7, 1), (8, 2), (7, 3)]);
        match kind {
            1 => {
                let older = self.pick_writable(|other| other.shape == shape);
                if let Some(older) = older {
                    self.feature("an older value is overwritten");
                    return older;
                }
            }
            2 => {
                let grow: Vec<usize> = shape.iter().map(|_| self.choices.below(3)).collect();
                let larger: Vec<usize> = shape.iter().zip(&grow).map(|(a, b)| a + b).collect();
                if self.is_small(&larger) {
                    self.feature("interior of a larger buffer");
                    let whole = self.allocate(&larger);
                    let number = *self.choices.of(&[0, 1, -1]);
                    self.fill(&whole, number);
                    self.add(whole.clone());
                    let offsets: Vec<usize> =
                        grow.iter().map(|most| self.between(0, *most)).collect();
                    return self.window(&whole, &offsets, shape);
                }
            }
            3 if self.writes_arguments => {
                self.feature("an argument is written");
                return self.argument(shape);
            }
            _ => {}
        }
        self.allocate(shape)
    }
}

/// Whether these elements are floats.
pub fn is_float(element: Element) -> bool {
    matches!(element, Element::F32 | Element::F64)
}
