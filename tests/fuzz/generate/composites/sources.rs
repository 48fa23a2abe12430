//! The sources of parts of composite buffers: computed for that purpose, step by step.

use super::super::generator::Generator;
use super::super::types::{Element, Type};
use super::super::values::Memref;
use super::super::writes::identity;
use super::DEEPEST;

impl Generator {
    /// The source of a part: often computed for it.
    pub(super) fn source(&mut self, r#type: &Type, depth: usize) -> Memref {
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

    /// New memory, computed from memrefs in scope.
    pub(super) fn computed(&mut self, r#type: &Type) -> Memref {
        let from = self.readable(r#type);
        self.derived(&from)
    }

    /// Elementwise operations one after another, each into new memory; returns the last one.
    pub(super) fn derived(&mut self, from: &Memref) -> Memref {
        self.feature("chain into a box");
        let mut last = from.clone();
        let count = 1 + self.choices.below(3);
        for step in 0..count {
            let out = self.allocate_plain(&last.r#type);
            self.compute_one(&last, &out);
            self.set_written(&out);
            if step > 0 && self.choices.chance(50) {
                self.drop_or_free(&last);
            }
            last = Memref {
                written: true,
                ..out
            };
        }
        last
    }

    /// One operation that reads a buffer, perhaps others, and overwrites another one.
    pub(super) fn compute_one(&mut self, from: &Memref, out: &Memref) {
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
                // No products of products, which would be infinite.
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
                self.assertion();
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
                        this.assertion();
                    }
                    this.combine(&values[0], &values[0], element)
                });
            }
        }
    }

    /// New memory of other sizes, viewed with these.
    pub(super) fn reshaped(&mut self, r#type: &Type) -> Memref {
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
    pub(super) fn summed(&mut self, r#type: &Type) -> Memref {
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
}
