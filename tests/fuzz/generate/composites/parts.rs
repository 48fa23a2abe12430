//! Parts of composite buffers, and writes to them.

use super::super::generator::Generator;
use super::super::types::{Dim, MAYBE_ZERO, Type};
use super::super::values::Memref;
use super::super::writes::identity;

/// A part of a composite buffer.
#[derive(Debug, Clone)]
pub(super) struct Part {
    offsets: Vec<Dim>,
    pub(super) sizes: Vec<Dim>,
    steps: Vec<u64>,
}

impl Part {
    fn fixed(offsets: &[u64], sizes: &[u64], steps: &[u64]) -> Self {
        let dims = |numbers: &[u64]| numbers.iter().map(|number| Dim::Fixed(*number)).collect();
        Self {
            offsets: dims(offsets),
            sizes: dims(sizes),
            steps: steps.to_vec(),
        }
    }
}

impl Generator {
    /// Parts of a composite buffer, and whether they cover it.
    pub(super) fn parts(&mut self, r#type: &Type) -> Option<(Vec<Part>, bool)> {
        let Some(sizes) = r#type.contiguous() else {
            return self.dynamic_parts(r#type);
        };
        if sizes.is_empty() {
            return None;
        }
        let ones = vec![1; sizes.len()];
        let axis = self.choices.below(sizes.len());
        let size = sizes[axis];
        let kind = self
            .choices
            .weighted(&[(6, 0), (6, 1), (2, 2), (2, 3), (1, 4)]);
        let none = vec![0; sizes.len()];
        Some(match kind {
            1 if size > 1 => {
                let mut parts = Vec::new();
                let mut start = 0;
                while start < size {
                    let length = 1 + self.choices.below((size - start) as usize) as u64;
                    let length = if parts.len() == 3 {
                        size - start
                    } else {
                        length
                    };
                    let (mut offsets, mut part) = (none.clone(), sizes.clone());
                    (offsets[axis], part[axis]) = (start, length);
                    parts.push(Part::fixed(&offsets, &part, &ones));
                    start += length;
                }
                (parts, true)
            }
            2 if size > 1 => {
                self.feature("part with steps");
                let both = [0, 1].map(|start| {
                    let (mut offsets, mut part, mut steps) =
                        (none.clone(), sizes.clone(), ones.clone());
                    (offsets[axis], part[axis], steps[axis]) = (start, (size + 1 - start) / 2, 2);
                    Part::fixed(&offsets, &part, &steps)
                });
                (both.to_vec(), true)
            }
            3 => {
                self.feature("parts that may share elements");
                let count = 2 + self.choices.below(2);
                let parts = (0..count).map(|_| {
                    let (offsets, part) = self.part_of(&sizes);
                    Part::fixed(&offsets, &part, &ones)
                });
                (parts.collect(), false)
            }
            4 => (vec![Part::fixed(&none, &sizes, &ones)], true),
            _ => {
                let (offsets, part) = self.part_of(&sizes);
                (vec![Part::fixed(&offsets, &part, &ones)], false)
            }
        })
    }

    /// The same for a dynamic first size.
    pub(super) fn dynamic_parts(&mut self, r#type: &Type) -> Option<(Vec<Part>, bool)> {
        let Some(Dim::Run(run)) = r#type.shape.first().copied() else {
            return None;
        };
        if !r#type.layout.is_empty() {
            return None;
        }
        self.feature("part of a size of the run");
        let rest = &r#type.shape[1..];
        let part = |offset: Dim, size: Dim| Part {
            offsets: [offset]
                .into_iter()
                .chain(rest.iter().map(|_| Dim::Fixed(0)))
                .collect(),
            sizes: [size].into_iter().chain(rest.iter().copied()).collect(),
            steps: vec![1; r#type.shape.len()],
        };
        let (zero, short, rests) = (Dim::Fixed(0), Dim::Run(0), Dim::Run(MAYBE_ZERO));
        Some(match (run, self.choices.chance(50)) {
            (0, true) => (vec![part(zero, rests), part(rests, Dim::Fixed(2))], true),
            (0, false) => (
                vec![part(Dim::Fixed(self.choices.below(3) as u64), rests)],
                false,
            ),
            (1, true) => (vec![part(zero, short), part(short, short)], true),
            (1, false) => (
                vec![part(Dim::Fixed(self.choices.below(3) as u64), short)],
                false,
            ),
            (2, true) => (vec![part(zero, short), part(short, Dim::Fixed(3))], true),
            (2, false) => (
                vec![part(Dim::Fixed(self.choices.below(4) as u64), short)],
                false,
            ),
            _ => return None,
        })
    }

    /// `memref.subview` of a composite buffer.
    pub(super) fn part_view(&mut self, memref: &Memref, part: &Part) -> Memref {
        let shape = &memref.r#type.shape;
        let mut strides = vec![1; shape.len()];
        for dim in (1..shape.len()).rev() {
            let Dim::Fixed(size) = shape[dim] else {
                continue;
            };
            strides[dim - 1] = strides[dim] * size;
        }
        let mut offset = Some(0);
        for (at, stride) in part.offsets.iter().zip(&strides) {
            offset = match at {
                Dim::Fixed(number) => offset.map(|offset| offset + number * stride),
                Dim::Run(_) => None,
            };
        }
        let text = |dims: &[Dim]| {
            let texts: Vec<String> = dims
                .iter()
                .map(|dim| match dim {
                    Dim::Fixed(number) => number.to_string(),
                    Dim::Run(_) => dim.value(),
                })
                .collect();
            texts.join(", ")
        };
        let numbers = |numbers: &[u64]| {
            let texts: Vec<String> = numbers.iter().map(u64::to_string).collect();
            texts.join(", ")
        };
        let apart: Vec<u64> = strides
            .iter()
            .zip(&part.steps)
            .map(|(stride, step)| stride * step)
            .collect();
        let layout = match offset {
            Some(0) => format!("strided<[{}]>", numbers(&apart)),
            Some(offset) => format!("strided<[{}], offset: {offset}>", numbers(&apart)),
            None => format!("strided<[{}], offset: ?>", numbers(&apart)),
        };
        let r#type = Type {
            shape: part.sizes.clone(),
            layout,
            ..memref.r#type.clone()
        };
        let name = self.value(format!(
            "memref.subview {}[{}] [{}] [{}] : {} to {type}",
            memref.name,
            text(&part.offsets),
            text(&part.sizes),
            numbers(&part.steps),
            memref.r#type,
            type = r#type
        ));
        Memref {
            name,
            r#type,
            whole: false,
            ..memref.clone()
        }
    }

    /// Writes a part of a composite buffer from its source, which is mostly dead afterwards.
    pub(super) fn write_part(&mut self, memref: &Memref, part: &Part, source: Memref) {
        let there = self.body.env.iter().any(|one| one.name == source.name);
        let source = match there && !source.roots.overlap(&memref.roots) {
            true => source,
            // Freed by now, or perhaps the composite buffer itself.
            false => {
                let r#type = Type {
                    layout: String::new(),
                    ..source.r#type
                };
                self.allocate_written(&r#type)
            }
        };
        let view = self.part_view(memref, part);
        self.write_view(&view, &source, memref.written);
        if self.choices.chance(75) {
            self.drop_or_free(&source);
        }
    }

    /// Writes a part from another buffer, by one of many operations.
    pub(super) fn write_view(&mut self, view: &Memref, source: &Memref, is_written: bool) {
        let rank = view.r#type.shape.len();
        let element = view.r#type.element;
        let same = identity(rank);
        let sizes = view.r#type.sizes().unwrap_or_default();
        let copies = source.r#type.space == 0 || source.r#type.layout.is_empty();
        match self.choices.below(10) {
            4 => {
                self.feature("an operation writes a part");
                self.generic(
                    &[(source, &same)],
                    (view, &same),
                    rank,
                    &mut |this, values| this.combine(&values[0], &values[0], element),
                );
            }
            5 => {
                self.feature("an operation of two writes a part");
                let plain = Type {
                    layout: String::new(),
                    ..source.r#type.clone()
                };
                let roots = view.roots.clone();
                let found = self.find(|other| {
                    other.written && other.r#type == plain && !other.roots.overlap(&roots)
                });
                let other = match found {
                    Some(other) => other,
                    None => self.allocate_written(&plain),
                };
                self.generic(
                    &[(source, &same), (&other, &same)],
                    (view, &same),
                    rank,
                    &mut |this, values| this.combine(&values[0], &values[1], element),
                );
            }
            6 if is_written => {
                self.feature("an operation adds to a part");
                self.generic(
                    &[(source, &same)],
                    (view, &same),
                    rank,
                    &mut |this, values| this.combine(&values[0], &values[1], element),
                );
            }
            7 if sizes.len() == 2 && sizes[0] == sizes[1] => {
                self.feature("a part is written in another order");
                let turned = "(d0, d1) -> (d1, d0)";
                self.generic(
                    &[(source, turned)],
                    (view, &same),
                    2,
                    &mut |this, values| this.combine(&values[0], &values[0], element),
                );
            }
            8 => {
                self.feature("loops write a part");
                let r#type = view.r#type.clone();
                self.nest(&r#type.shape, &mut |this, indices| {
                    let at = indices.join(", ");
                    let value = this.value(format!(
                        "memref.load {}[{at}] : {}",
                        source.name, source.r#type
                    ));
                    this.line(format!(
                        "memref.store {value}, {}[{at}] : {}",
                        view.name, view.r#type
                    ));
                });
            }
            kind => {
                self.feature("copied to a part");
                self.copy(source, view, kind > 2 || !copies);
            }
        }
    }
}
