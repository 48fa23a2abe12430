//! What passes rewrite that move what is computed to where it is needed: buffers that are copied to parts of others (pads,
//! concatenations, rows), copies that are only read, and branches from one buffer that can be computed in any order. And
//! what keeps them from it: reads between the writes, second writes, parts that share elements, what is needed behind.

use super::generator::Generator;
use super::types::{Dim, Element, MAYBE_ZERO, Type};
use super::values::{Memref, Roots};
use super::writes::identity;

/// Shapes of boxes of their own; the plainest first.
const SHAPES: [&[u64]; 10] = [
    &[8],
    &[6],
    &[4, 4],
    &[6, 3],
    &[1, 6],
    &[2, 5],
    &[5, 1],
    &[2, 3, 4],
    &[12],
    &[1, 3, 3],
];

/// Boxes in boxes.
const DEEPEST: usize = 2;

/// A part of a box.
#[derive(Debug, Clone)]
struct Part {
    offsets: Vec<Dim>,
    sizes: Vec<Dim>,
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

/// What is done for a box, in an order of which more is known only when it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Allocate,
    Fill,
    Source(usize),
    Write(usize),
}

impl Step {
    /// Can it come now?
    fn is_ready(self, done: &[Self], fills: bool) -> bool {
        match self {
            Self::Allocate | Self::Source(_) => true,
            Self::Fill => done.contains(&Self::Allocate),
            Self::Write(part) => {
                done.contains(&Self::Source(part))
                    && done.contains(if fills { &Self::Fill } else { &Self::Allocate })
            }
        }
    }
}

impl Generator {
    /// A box, which is then read, or handed on as it is.
    pub fn boxed(&mut self) {
        let r#type = self.box_type();
        let Some(made) = self.compose(&r#type, 0) else {
            return;
        };
        match self.choices.below(4) {
            0 => self.print(&made),
            1 => {
                self.derived(&made);
            }
            2 => self.write_partly(&made),
            _ => {}
        }
    }

    fn box_type(&mut self) -> Type {
        let known = self.a_type();
        if known.contiguous().is_some_and(|sizes| !sizes.is_empty()) && self.choices.chance(50) {
            return known;
        }
        let runs = matches!(known.shape.first(), Some(Dim::Run(run)) if *run != MAYBE_ZERO);
        if runs && known.layout.is_empty() {
            return known;
        }
        let shape = *self.choices.of(&SHAPES);
        Type {
            space: known.space,
            ..Type::plain(known.element, shape)
        }
    }

    /// A box that is written part by part; not there where what it was made of is gone.
    fn compose(&mut self, r#type: &Type, depth: usize) -> Option<Memref> {
        let (parts, covers) = self.parts(r#type)?;
        let fills = !covers || self.choices.chance(20);
        self.feature(if covers {
            "concatenation"
        } else {
            "part of a box"
        });
        if depth > 0 {
            self.feature("box in a box");
        }
        let mut left = vec![Step::Allocate];
        if fills {
            left.push(Step::Fill);
        }
        for part in 0..parts.len() {
            left.extend([Step::Source(part), Step::Write(part)]);
        }
        let mut done: Vec<Step> = Vec::new();
        let mut made: Option<String> = None;
        let mut sources: Vec<Option<Memref>> = vec![None; parts.len()];
        while !left.is_empty() {
            let ready: Vec<usize> = (0..left.len())
                .filter(|at| left[*at].is_ready(&done, fills))
                .collect();
            let at = ready[self.choices.below(ready.len())];
            let step = left.remove(at);
            match step {
                Step::Allocate => {
                    let memref = match self.choices.chance(15) {
                        true => self.allocate(r#type),
                        false => self.allocate_plain(r#type),
                    };
                    made = Some(memref.name);
                }
                Step::Fill => {
                    let memref = self.in_sight(made.as_ref()?)?;
                    if self.choices.chance(20) {
                        self.write_whole(&memref);
                    } else {
                        self.fill_box(&memref);
                    }
                    self.set_written(&memref);
                }
                Step::Source(part) => {
                    let part = &parts[part];
                    let source = Type {
                        shape: part.sizes.clone(),
                        layout: String::new(),
                        ..r#type.clone()
                    };
                    let Step::Source(at) = step else { continue };
                    sources[at] = Some(self.source(&source, depth));
                }
                Step::Write(at) => {
                    let memref = self.in_sight(made.as_ref()?)?;
                    let source = sources[at].take()?;
                    self.write_part(&memref, &parts[at], source);
                }
            }
            done.push(step);
            // Others look at what is there, and write it, in between.
            if !left.is_empty() && self.statements > 0 && self.choices.chance(12) {
                self.feature("something between the writes of a box");
                self.block(1);
            }
        }
        let memref = self.in_sight(made.as_ref()?)?;
        self.set_written(&memref);
        if fills && self.choices.chance(8) && !memref.shared {
            self.feature("filled a second time");
            self.fill_box(&memref);
        }
        Some(Memref {
            written: true,
            ..memref
        })
    }

    /// What has this name, if it is there still and may be written.
    fn in_sight(&self, name: &str) -> Option<Memref> {
        let found = self.body.env.iter().find(|memref| memref.name == name);
        found.filter(|memref| !memref.shared).cloned()
    }

    /// Parts of a box, and whether they are all of it.
    fn parts(&mut self, r#type: &Type) -> Option<(Vec<Part>, bool)> {
        let Some(sizes) = r#type.contiguous() else {
            return self.parts_of_a_run(r#type);
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

    /// The same where the first size is known to the run alone.
    fn parts_of_a_run(&mut self, r#type: &Type) -> Option<(Vec<Part>, bool)> {
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

    /// `memref.subview` of a box.
    fn part_view(&mut self, memref: &Memref, part: &Part) -> Memref {
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

    /// Writes all elements of a box alike.
    fn fill_box(&mut self, memref: &Memref) {
        if self.choices.chance(60) || memref.r#type.shape.is_empty() {
            return self.fill(memref);
        }
        self.feature("filled by linalg.map");
        let element = memref.r#type.element;
        let number = self.mixed_indices(&[]);
        let value = self.element_of(&number, element);
        let init = self.name("e");
        self.line(format!(
            "linalg.map outs({} : {}) ({init}: {element}) {{",
            memref.name, memref.r#type
        ));
        self.body.indent += 1;
        let mut value = value;
        if self.choices.chance(40) {
            // Each element another one: by its place.
            let place = self.value("linalg.index 0 : index");
            let number = self.mixed_indices(&[place]);
            value = self.element_of(&number, element);
        }
        self.line(format!("linalg.yield {value} : {element}"));
        self.body.indent -= 1;
        self.line("}");
    }

    /// What goes into a part: often computed for that.
    fn source(&mut self, r#type: &Type, depth: usize) -> Memref {
        let kind = self
            .choices
            .weighted(&[(6, 0), (3, 1), (3, 2), (2, 3), (2, 4), (1, 5)]);
        match kind {
            1 => {
                let memref = self.allocate_plain(r#type);
                self.write_whole(&memref);
                self.set_written(&memref);
                memref
            }
            2 if depth < DEEPEST => match self.compose(r#type, depth + 1) {
                Some(memref) => memref,
                None => self.computed(r#type),
            },
            3 => self.reshaped(r#type),
            4 => self.readable(r#type),
            5 => self.summed(r#type),
            _ => self.computed(r#type),
        }
    }

    /// New memory that is computed from what is in sight.
    fn computed(&mut self, r#type: &Type) -> Memref {
        let from = self.readable(r#type);
        self.derived(&from)
    }

    /// Operations in step, one after another, each into new memory; the last one's.
    fn derived(&mut self, from: &Memref) -> Memref {
        self.feature("chain into a box");
        let mut last = from.clone();
        let count = 1 + self.choices.below(3);
        for turn in 0..count {
            let out = self.allocate_plain(&last.r#type);
            self.compute_one(&last, &out);
            self.set_written(&out);
            if turn > 0 && self.choices.chance(50) {
                self.drop_or_free(&last);
            }
            last = Memref {
                written: true,
                ..out
            };
        }
        last
    }

    /// One operation that reads a buffer, perhaps others, and writes another one whole.
    fn compute_one(&mut self, from: &Memref, out: &Memref) {
        let rank = from.r#type.shape.len();
        let element = from.r#type.element;
        let same = identity(rank);
        let sizes = from.r#type.sizes().unwrap_or_default();
        match self.choices.below(9) {
            1 => {
                let other = self.readable(&from.r#type);
                self.generic(
                    &[(from, &same), (&other, &same)],
                    (out, &same),
                    rank,
                    &mut |this, values| this.combine(&values[0], &values[1], element),
                );
            }
            2 if !sizes.is_empty() => {
                let small = from.r#type.with(&sizes[rank - 1..], String::new());
                let other = self.readable(&small);
                self.feature("broadcast beside an operand in step");
                let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
                let map = format!("({}) -> (d{})", dims.join(", "), rank - 1);
                self.generic(
                    &[(from, &same), (&other, &map)],
                    (out, &same),
                    rank,
                    &mut |this, values| this.combine(&values[0], &values[1], element),
                );
            }
            3 if rank == 2 && sizes.len() == 2 && sizes[0] == sizes[1] => {
                self.feature("an operand is transposed");
                let turned = "(d0, d1) -> (d1, d0)";
                let both = self.choices.chance(50);
                let first = if both { same.as_str() } else { turned };
                self.generic(
                    &[(from, first), (from, turned)],
                    (out, &same),
                    2,
                    &mut |this, values| this.combine(&values[0], &values[1], element),
                );
            }
            4 if sizes.contains(&1) && !sizes.contains(&0) => {
                self.feature("a dimension of one element is 0 in a map");
                let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
                let zeros: Vec<String> = (0..rank)
                    .map(|dim| match sizes[dim] {
                        1 => "0".to_owned(),
                        _ => format!("d{dim}"),
                    })
                    .collect();
                let map = format!("({}) -> ({})", dims.join(", "), zeros.join(", "));
                self.generic(&[(from, &map)], (out, &same), rank, &mut |this, values| {
                    this.combine(&values[0], &values[0], element)
                });
            }
            5 if matches!(
                element,
                Element::F32 | Element::F64 | Element::I64 | Element::I32
            ) =>
            {
                let name = *self.choices.of(&["add", "mul"]);
                // No product of products, which would be infinite.
                let name = match element {
                    Element::F32 | Element::F64 => "add",
                    _ => name,
                };
                self.feature("named operation");
                self.line(format!(
                    "linalg.{name} ins({0}, {0} : {1}, {1}) outs({2} : {3})",
                    from.name, from.r#type, out.name, out.r#type
                ));
            }
            6 if rank > 0 => {
                self.feature("linalg.map");
                let (input, init) = (self.name("e"), self.name("e"));
                self.line(format!(
                    "linalg.map ins({} : {}) outs({} : {}) ({input}: {element}, {init}: {element}) {{",
                    from.name, from.r#type, out.name, out.r#type
                ));
                self.body.indent += 1;
                self.holds();
                let value = self.combine(&input, &input, element);
                self.line(format!("linalg.yield {value} : {element}"));
                self.body.indent -= 1;
                self.line("}");
            }
            7 => {
                self.feature("loops read and write");
                let r#type = out.r#type.clone();
                self.nest(&r#type.shape, &mut |this, indices| {
                    let at = indices.join(", ");
                    let value =
                        this.value(format!("memref.load {}[{at}] : {}", from.name, from.r#type));
                    let value = this.combine(&value, &value, element);
                    this.line(format!(
                        "memref.store {value}, {}[{at}] : {}",
                        out.name, out.r#type
                    ));
                });
            }
            _ => {
                let asserts = self.choices.chance(15);
                self.generic(&[(from, &same)], (out, &same), rank, &mut |this, values| {
                    if asserts {
                        this.holds();
                    }
                    this.combine(&values[0], &values[0], element)
                });
            }
        }
    }

    /// `cf.assert` of what is so.
    pub fn holds(&mut self) {
        self.feature("cf.assert");
        let condition = self.value("arith.cmpi ult, %n, %c64 : index");
        self.line(format!("cf.assert {condition}, \"so it is\""));
    }

    /// New memory of other sizes, seen as these.
    fn reshaped(&mut self, r#type: &Type) -> Memref {
        let Some(sizes) = r#type.contiguous().filter(|sizes| !sizes.is_empty()) else {
            return self.computed(r#type);
        };
        let count: u64 = sizes.iter().product();
        let dims: Vec<String> = (0..sizes.len()).map(|dim| dim.to_string()).collect();
        let expands = sizes.len() > 1 && self.choices.chance(50);
        let other = match (expands, sizes.as_slice()) {
            (true, _) => r#type.with(&[count], String::new()),
            (false, [size]) if size.is_multiple_of(2) => r#type.with(&[size / 2, 2], String::new()),
            (false, [size]) => r#type.with(&[1, *size], String::new()),
            _ => return self.computed(r#type),
        };
        self.feature("view of what is computed");
        let from = self.computed(&other);
        let text = match expands {
            true => {
                let shape: Vec<String> = sizes.iter().map(u64::to_string).collect();
                format!(
                    "memref.expand_shape {} [[{}]] output_shape [{}] : {other} into {type}",
                    from.name,
                    dims.join(", "),
                    shape.join(", "),
                    type = r#type
                )
            }
            false => format!(
                "memref.collapse_shape {} [[0, 1]] : {other} into {type}",
                from.name,
                type = r#type
            ),
        };
        let memref = Memref {
            name: self.value(text),
            r#type: r#type.clone(),
            whole: false,
            ..from
        };
        self.add(memref.clone());
        memref
    }

    /// New memory of sums over rows.
    fn summed(&mut self, r#type: &Type) -> Memref {
        let sizes = r#type.contiguous();
        let (Some([size]), Element::I64 | Element::F32 | Element::I32) =
            (sizes.as_deref(), r#type.element)
        else {
            return self.computed(r#type);
        };
        self.feature("sums into a box");
        let from = self.readable(&r#type.with(&[*size, 3], String::new()));
        let out = self.allocate_plain(r#type);
        self.fill(&out);
        let element = r#type.element;
        self.generic_with(
            &[(&from, "(d0, d1) -> (d0, d1)")],
            (&out, "(d0, d1) -> (d0)"),
            &["parallel", "reduction"],
            &mut |this, values| this.combine(&values[0], &values[1], element),
        );
        self.set_written(&out);
        Memref {
            written: true,
            ..out
        }
    }

    /// Writes a part of a box from what was made for it, which is mostly not needed behind.
    fn write_part(&mut self, memref: &Memref, part: &Part, source: Memref) {
        let there = self.body.env.iter().any(|one| one.name == source.name);
        let source = match there && !source.roots.overlap(&memref.roots) {
            true => source,
            // Gone by now, or perhaps the box itself.
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
    fn write_view(&mut self, view: &Memref, source: &Memref, is_written: bool) {
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

    fn copy(&mut self, from: &Memref, to: &Memref, is_linalg: bool) {
        self.line(match is_linalg {
            true => format!(
                "linalg.copy ins({} : {}) outs({} : {})",
                from.name, from.r#type, to.name, to.r#type
            ),
            false => format!(
                "memref.copy {}, {} : {} to {}",
                from.name, to.name, from.r#type, to.r#type
            ),
        });
    }

    /// Nothing uses a buffer any more; sometimes it is freed.
    fn drop_or_free(&mut self, memref: &Memref) {
        let is_one = memref.roots.before == 0 && memref.roots.known.len() == 1;
        let there = self.body.env.iter().any(|one| one.name == memref.name);
        if !is_one || !there {
            return;
        }
        if self.owns(memref) && self.choices.chance(self.frees) {
            return self.free(memref);
        }
        // Only the innermost region may not use it: others may have to free it.
        self.hide(&memref.roots);
    }

    /// What may refer to this memory goes out of sight, and stays whose it is.
    fn hide(&mut self, roots: &Roots) {
        self.body.env.retain(|memref| !memref.roots.overlap(roots));
    }

    /// A box whose rows are written by a loop, one in each turn.
    pub fn rows(&mut self) {
        let element = self.a_type().element;
        let rows = 2 + self.choices.below(3) as u64;
        let row = *self.choices.of::<&[u64]>(&[&[4], &[3], &[2, 2], &[1]]);
        let row = Type::plain(element, row);
        let shape: Vec<Dim> = [Dim::Fixed(rows)]
            .into_iter()
            .chain(row.shape.iter().copied())
            .collect();
        let r#type = Type {
            shape,
            ..row.clone()
        };
        self.feature("rows of a box in a loop");
        let memref = self.allocate_plain(&r#type);
        let fills = self.choices.chance(40);
        if fills {
            self.fill_box(&memref);
            self.set_written(&memref);
        }
        let index = self.name("i");
        self.line(format!("scf.for {index} = %c0 to %c{rows} step %c1 {{"));
        let before = self.open();
        self.body.numbers.push(index.clone());
        self.body.loops += 1;
        if self.choices.chance(25) {
            self.block(1);
        }
        let source = self.source(&row, 1);
        if self.choices.chance(25) {
            self.block(1);
        }
        let there = self.in_sight(&memref.name).is_some();
        let from_sight = self.body.env.iter().any(|one| one.name == source.name);
        if there {
            let source = match from_sight && !source.roots.overlap(&memref.roots) {
                true => source,
                false => self.allocate_written(&row),
            };
            let at = match self.choices.chance(30) {
                true => {
                    let last = rows - 1;
                    self.value(format!("arith.subi %c{last}, {index} : index"))
                }
                false => index,
            };
            let view = self.row_view(&memref, &row, &at);
            self.write_view(&view, &source, fills);
            if self.choices.chance(75) {
                self.drop_or_free(&source);
            }
        }
        self.hand_on("", &[]);
        self.body.loops -= 1;
        self.body.numbers.pop();
        self.close(before);
        self.line("}");
        if there {
            self.set_written(&memref);
            if self.choices.chance(50) {
                self.print(&memref);
            }
        } else if !fills {
            self.hide(&memref.roots);
        }
    }

    /// The row of a turn, with or without the dimension of the rows.
    fn row_view(&mut self, memref: &Memref, row: &Type, at: &str) -> Memref {
        let sizes = row.sizes().unwrap_or_default();
        let rest = |number: &str| vec![number; sizes.len()].join(", ");
        let texts: Vec<String> = sizes.iter().map(u64::to_string).collect();
        let mut strides = vec![1; sizes.len()];
        for dim in (1..sizes.len()).rev() {
            strides[dim - 1] = strides[dim] * sizes[dim];
        }
        let strides: Vec<String> = strides.iter().map(u64::to_string).collect();
        let r#type = Type {
            layout: format!("strided<[{}], offset: ?>", strides.join(", ")),
            ..row.clone()
        };
        let name = self.value(format!(
            "memref.subview {}[{at}, {}] [1, {}] [1, {}] : {} to {type}",
            memref.name,
            rest("0"),
            texts.join(", "),
            rest("1"),
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

    /// A copy, or a transposition, of something that is then only read; sometimes it is written, or what it was made from is.
    pub fn copied(&mut self) {
        let known = self.a_type();
        let transposes = self.choices.chance(50);
        let source = match (transposes, known.contiguous().as_deref()) {
            (false, _) | (true, Some([_, _] | [_, _, _])) => {
                let made = self.choices.chance(40);
                match made {
                    true => self.computed(&known),
                    false => self.readable(&known),
                }
            }
            _ => {
                let shape = *self
                    .choices
                    .of::<&[u64]>(&[&[2, 3], &[3, 3], &[4, 1], &[2, 3, 2]]);
                self.computed(&known.with(shape, String::new()))
            }
        };
        let Some(copy) = self.copy_of(&source, transposes) else {
            return;
        };
        let mut seen = copy.clone();
        if self.choices.chance(30)
            && let Some(view) = self.flat(&copy)
        {
            seen = view;
        }
        if self.choices.chance(30) {
            self.block(1);
        }
        if self.choices.chance(20) {
            let current = self.body.env.iter().find(|one| one.name == source.name);
            let current = current.filter(|one| !one.shared).cloned();
            if let Some(current) = current {
                self.feature("what was copied is written");
                self.write_partly(&current);
            }
        }
        if self.choices.chance(15)
            && let Some(current) = self.in_sight(&copy.name)
        {
            self.feature("a copy is written");
            self.write_partly(&current);
        }
        for _ in 0..1 + self.choices.below(2) {
            if !self.body.env.iter().any(|one| one.name == seen.name) {
                return;
            }
            match self.choices.below(3) {
                0 => self.print(&seen),
                _ => {
                    self.derived(&seen);
                }
            }
        }
        if self.choices.chance(60) {
            self.drop_or_free(&copy);
        }
    }

    fn copy_of(&mut self, source: &Memref, transposes: bool) -> Option<Memref> {
        let sizes = source.r#type.contiguous();
        let plain = Type {
            layout: String::new(),
            ..source.r#type.clone()
        };
        let copy = match (transposes, sizes.as_deref()) {
            (true, Some(sizes)) if matches!(sizes.len(), 2 | 3) => {
                self.feature("linalg.transpose");
                let mut order: Vec<usize> = (0..sizes.len()).collect();
                for at in (1..order.len()).rev() {
                    order.swap(at, self.choices.below(at + 1));
                }
                let turned: Vec<u64> = order.iter().map(|dim| sizes[*dim]).collect();
                let r#type = plain.with(&turned, String::new());
                let copy = self.allocate_plain(&r#type);
                let order: Vec<String> = order.iter().map(usize::to_string).collect();
                self.line(format!(
                    "linalg.transpose ins({} : {}) outs({} : {type}) permutation = [{}]",
                    source.name,
                    source.r#type,
                    copy.name,
                    order.join(", "),
                    type = r#type
                ));
                copy
            }
            _ => {
                if source.r#type.space != 0 && !source.r#type.layout.is_empty() {
                    return None;
                }
                self.feature("copy that is read");
                let copy = self.allocate_plain(&plain);
                let is_linalg = self.choices.chance(40);
                self.copy(source, &copy, is_linalg);
                copy
            }
        };
        self.set_written(&copy);
        Some(Memref {
            written: true,
            ..copy
        })
    }

    /// A view of a copy with other dimensions.
    fn flat(&mut self, memref: &Memref) -> Option<Memref> {
        let sizes = memref.r#type.contiguous()?;
        self.feature("view of a copy");
        let (r#type, text) = match sizes.as_slice() {
            [size] => {
                let to = memref.r#type.with(&[1, *size], String::new());
                let text = format!(
                    "memref.expand_shape {} [[0, 1]] output_shape [1, {size}] : {} into {to}",
                    memref.name, memref.r#type
                );
                (to, text)
            }
            [rows, columns, rest @ ..] => {
                let mut shape = vec![rows * columns];
                shape.extend(rest);
                let to = memref.r#type.with(&shape, String::new());
                let groups = ["[0, 1]", "[0, 1], [2]"][rest.len().min(1)];
                let text = format!(
                    "memref.collapse_shape {} [{groups}] : {} into {to}",
                    memref.name, memref.r#type
                );
                (to, text)
            }
            [] => return None,
        };
        let view = Memref {
            name: self.value(text),
            r#type,
            whole: false,
            ..memref.clone()
        };
        self.add(view.clone());
        Some(view)
    }

    /// Branches from one buffer, each through a large one of its own to a small one, side by side; then all are joined.
    pub fn diamond(&mut self) {
        let element = self.a_type().element;
        let columns = 2 + self.choices.below(4) as u64;
        let small = Type::plain(element, &[columns]);
        let from = self.computed(&small);
        self.feature("branches side by side");
        let count = 2 + self.choices.below(3);
        let mut branches: Vec<(Option<Memref>, Option<Memref>)> = vec![(None, None); count];
        // In any order that there can be.
        for _ in 0..2 * count {
            let open: Vec<usize> = (0..count)
                .filter(|branch| branches[*branch].1.is_none())
                .collect();
            let branch = open[self.choices.below(open.len())];
            if self.choices.chance(10) {
                self.block(1);
            }
            if !self.body.env.iter().any(|one| one.name == from.name) {
                return;
            }
            match branches[branch].0.take() {
                None => {
                    let rows = 1 + self.choices.below(5) as u64;
                    let large = self.allocate_plain(&small.with(&[rows, columns], String::new()));
                    self.generic(
                        &[(&from, "(d0, d1) -> (d1)")],
                        (&large, "(d0, d1) -> (d0, d1)"),
                        2,
                        &mut |this, values| this.combine(&values[0], &values[0], element),
                    );
                    self.set_written(&large);
                    branches[branch].0 = Some(large);
                }
                Some(large) => {
                    let out = self.allocate_plain(&small);
                    self.fill(&out);
                    if self.body.env.iter().any(|one| one.name == large.name) {
                        self.generic_with(
                            &[(&large, "(d0, d1) -> (d0, d1)")],
                            (&out, "(d0, d1) -> (d1)"),
                            &["reduction", "parallel"],
                            &mut |this, values| this.combine(&values[0], &values[1], element),
                        );
                        self.drop_or_free(&large);
                    }
                    self.set_written(&out);
                    branches[branch].1 = Some(out);
                }
            }
        }
        let mut last = from;
        for out in branches.into_iter().filter_map(|(_, out)| out) {
            if !self.body.env.iter().any(|one| one.name == out.name)
                || !self.body.env.iter().any(|one| one.name == last.name)
            {
                return;
            }
            let same = identity(1);
            let joined = self.allocate_plain(&small);
            self.generic(
                &[(&last, &same), (&out, &same)],
                (&joined, &same),
                1,
                &mut |this, values| this.combine(&values[0], &values[1], element),
            );
            self.set_written(&joined);
            self.drop_or_free(&out);
            last = joined;
        }
        self.print(&last);
    }

    /// One element, and where another one goes is what it says.
    pub fn scalar(&mut self) {
        let plain = |memref: &Memref| {
            memref.written
                && memref.r#type.element == Element::I64
                && matches!(memref.r#type.contiguous().as_deref(), Some([size]) if *size > 0)
        };
        let Some(from) = self.find(plain) else {
            return self.holds();
        };
        let Some(to) = self.find(|memref| plain(memref) && !memref.shared) else {
            return self.holds();
        };
        self.feature("element whose place is loaded");
        let sizes = |memref: &Memref| memref.r#type.sizes().unwrap_or_default()[0];
        let at = self.choices.below(sizes(&from) as usize);
        let size = sizes(&to);
        let number = self.value(format!(
            "memref.load {}[%c{at}] : {}",
            from.name, from.r#type
        ));
        let place = self.value(format!("arith.index_cast {number} : i64 to index"));
        let place = self.value(format!("arith.remui {place}, %c{size} : index"));
        let old = self.value(format!("memref.load {}[{place}] : {}", to.name, to.r#type));
        let sum = self.value(format!("arith.addi {old}, {number} : i64"));
        self.line(format!(
            "memref.store {sum}, {}[{place}] : {}",
            to.name, to.r#type
        ));
    }
}
