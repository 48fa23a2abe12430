//! Operations that read some memrefs and write another: in place, or only apparently so.

use super::generator::Generator;
use super::types::{Dim, Element, Type};
use super::values::Memref;
use super::writes::identity;

/// An element in a nest of loops: its indices are those of the loops, some of them plus one.
struct Place {
    shifts: Vec<bool>,
    is_reversed: bool,
}

impl Generator {
    /// A memref to overwrite: a new one, one in scope that was written before, or one that has not been written yet.
    fn target(&mut self, r#type: &Type, fits: impl Fn(&Memref) -> bool) -> Memref {
        let kind = self.choices.below(3);
        let found = match kind {
            0 => None,
            1 => self.find(|memref| {
                !memref.shared && !memref.written && memref.r#type == *r#type && fits(memref)
            }),
            _ => self.find(|memref| !memref.shared && memref.r#type == *r#type && fits(memref)),
        };
        found.unwrap_or_else(|| self.allocate(r#type))
    }

    /// An operation from memrefs in scope to another.
    pub fn compute(&mut self) {
        let r#type = self.a_type();
        let first = self.readable(&r#type);
        let second = self.readable(&r#type);
        match self.choices.below(11) {
            0 | 1 => self.elementwise(&first, &second),
            2 => self.loops(&first, &second),
            3 => self.accumulate(&first),
            4 => self.transposed(&first, &second),
            5 => self.other_width(&first),
            6 => self.reduced(&first),
            7 => self.broadcast(&first),
            8 => self.shifted(&first),
            9 => self.stencil(&first, &second),
            _ => self.chain(&first),
        }
    }

    /// Elementwise; in place if the output is one of the inputs.
    fn elementwise(&mut self, first: &Memref, second: &Memref) {
        let rank = first.r#type.shape.len();
        let map = identity(rank);
        let (a, b) = (first.clone(), second.clone());
        let out = self.target(&first.r#type, |out| {
            let fits = |other: &Memref| out.name == other.name || !out.roots.overlap(&other.roots);
            out.r#type.layout.is_empty() && fits(&a) && fits(&b)
        });
        if !out.written {
            self.feature("elementwise into fresh memory");
        }
        let element = first.r#type.element;
        self.generic(
            &[(first, &map), (second, &map)],
            (&out, &map),
            rank,
            &mut |this, values| this.combine(&values[0], &values[1], element),
        );
        self.set_written(&out);
    }

    /// The same as loops, with any overlap.
    fn loops(&mut self, first: &Memref, second: &Memref) {
        let out = self.target(&first.r#type, |_| true);
        self.feature("loops read and write");
        let (r#type, element) = (first.r#type.clone(), first.r#type.element);
        self.nest(&r#type.shape, &mut |this, indices| {
            let at = indices.join(", ");
            let a = this.value(format!("memref.load {}[{at}] : {type}", first.name, type = r#type));
            let b =
                this.value(format!("memref.load {}[{at}] : {type}", second.name, type = r#type));
            let c = this.combine(&a, &b, element);
            this.line(format!(
                "memref.store {c}, {}[{at}] : {}",
                out.name, out.r#type
            ));
        });
        self.set_written(&out);
    }

    /// A nest of loops in which the indices of accesses differ by constants, or are swapped.
    fn stencil(&mut self, first: &Memref, second: &Memref) {
        let r#type = first.r#type.clone();
        let sizes = r#type.contiguous().unwrap_or_default();
        if sizes.is_empty() || sizes.contains(&1) {
            return self.loops(first, second);
        }
        self.feature("loops with shifted indices");
        let plain = Type {
            layout: String::new(),
            ..r#type.clone()
        };
        // Memory that nothing else uses may be reused.
        let own = self.choices.chance(70).then(|| {
            let own = self.allocate(&plain);
            self.write_whole(&own);
            self.set_written(&own);
            own
        });
        let first = own.as_ref().unwrap_or(first);
        let second = match self.choices.chance(50) {
            true => first,
            false => second,
        };
        let out = match own {
            Some(_) => self.allocate(&plain),
            None => self.target(&r#type, |_| true),
        };
        let element = r#type.element;
        let shape: Vec<Dim> = sizes.iter().map(|size| Dim::Fixed(size - 1)).collect();
        let is_square = sizes.iter().all(|size| *size == sizes[0]);
        let [one, other, to] = [0; 3].map(|_| Place {
            shifts: sizes.iter().map(|_| self.choices.chance(35)).collect(),
            is_reversed: is_square && self.choices.chance(10),
        });
        let is_late = self.choices.chance(15);
        self.nest(&shape, &mut |this, indices| {
            let mut value = this.load(first, &one, indices);
            if !is_late {
                let more = this.load(second, &other, indices);
                value = this.combine(&value, &more, element);
            }
            this.store(&value, &out, &to, indices);
            if is_late {
                let more = this.load(second, &other, indices);
                value = this.combine(&value, &more, element);
                this.store(&value, &out, &to, indices);
            }
        });
        if let Some(own) = &own {
            self.drop_or_free(own);
        }
        if out.written {
            return self.set_written(&out);
        }
        // Some of its elements are not written: the others are copied.
        let whole = self.allocate(&r#type);
        self.write_whole(&whole);
        self.set_written(&whole);
        self.nest(&shape, &mut |this, indices| {
            let value = this.load(&out, &to, indices);
            this.store(&value, &whole, &to, indices);
        });
        self.print(&whole);
    }

    fn load(&mut self, from: &Memref, place: &Place, indices: &[String]) -> String {
        let at = self.indices_at(place, indices);
        self.value(format!("memref.load {}[{at}] : {}", from.name, from.r#type))
    }

    fn store(&mut self, value: &str, to: &Memref, place: &Place, indices: &[String]) {
        let at = self.indices_at(place, indices);
        self.line(format!(
            "memref.store {value}, {}[{at}] : {}",
            to.name, to.r#type
        ));
    }

    fn indices_at(&mut self, place: &Place, indices: &[String]) -> String {
        let mut at: Vec<String> = Vec::new();
        for (index, is_shifted) in indices.iter().zip(&place.shifts) {
            at.push(match is_shifted {
                true => self.value(format!("arith.addi {index}, %c1 : index")),
                false => index.clone(),
            });
        }
        if place.is_reversed {
            at.reverse();
        }
        at.join(", ")
    }

    /// An operation whose output is read as well.
    fn accumulate(&mut self, first: &Memref) {
        let a = first.clone();
        let found = self.find(|out| {
            out.written && !out.shared && out.r#type == a.r#type && !out.roots.overlap(&a.roots)
        });
        let Some(out) = found else { return };
        self.feature("output is read");
        let rank = first.r#type.shape.len();
        let map = identity(rank);
        let element = first.r#type.element;
        self.generic(&[(first, &map)], (&out, &map), rank, &mut |this, values| {
            this.combine(&values[0], &values[1], element)
        });
    }

    /// A square and its transpose: not in place.
    fn transposed(&mut self, first: &Memref, second: &Memref) {
        if !matches!(first.r#type.sizes().as_deref(), Some([rows, columns]) if rows == columns) {
            return self.elementwise(first, second);
        }
        self.feature("an operand is transposed");
        let same = identity(2);
        let turned = "(d0, d1) -> (d1, d0)";
        let second = if self.choices.chance(60) {
            first
        } else {
            second
        };
        let (a, b) = (first.clone(), second.clone());
        let out = self.target(&first.r#type, |out| {
            out.r#type.layout.is_empty()
                && !out.roots.overlap(&a.roots)
                && !out.roots.overlap(&b.roots)
        });
        let element = first.r#type.element;
        self.generic(
            &[(first, &same), (second, turned)],
            (&out, &same),
            2,
            &mut |this, values| this.combine(&values[0], &values[1], element),
        );
        self.set_written(&out);
    }

    /// A conversion to elements of another width, or of the same width and another type.
    fn other_width(&mut self, first: &Memref) {
        let from = first.r#type.element;
        let to = match from {
            Element::I8 => *self.choices.of(&[Element::I32, Element::I16]),
            Element::I16 => *self.choices.of(&[Element::I32, Element::I64, Element::I8]),
            Element::I32 => *self.choices.of(&[Element::I64, Element::I8, Element::F32]),
            Element::I64 => *self.choices.of(&[Element::I32, Element::I16, Element::F64]),
            Element::F32 => *self.choices.of(&[Element::F64, Element::I32]),
            Element::F64 => *self.choices.of(&[Element::F32, Element::I64]),
            _ => return self.shifted(first),
        };
        let wide = to.bytes() != from.bytes();
        self.feature(if wide {
            "elements of another width"
        } else {
            "elements of another type"
        });
        let r#type = Type {
            element: to,
            layout: String::new(),
            ..first.r#type.clone()
        };
        let out = self.allocate(&r#type);
        let rank = r#type.shape.len();
        let map = identity(rank);
        self.generic(&[(first, &map)], (&out, &map), rank, &mut |this, values| {
            let number = this.number_of(&values[0], from);
            this.element_of(&number, to)
        });
        self.set_written(&out);
    }

    /// A reduction of rows, or of all elements.
    fn reduced(&mut self, first: &Memref) {
        let Some(sizes) = first
            .r#type
            .sizes()
            .filter(|sizes| matches!(sizes.len(), 1 | 2))
        else {
            return self.shifted(first);
        };
        self.feature("reduction");
        let r#type = first.r#type.with(&sizes[..1], String::new());
        let element = first.r#type.element;
        let out = if sizes.len() == 2 {
            self.allocate(&r#type)
        } else {
            self.allocate(&first.r#type.with(&[1], String::new()))
        };
        self.fill(&out);
        self.set_written(&out);
        let kinds = ["parallel", "reduction"];
        if sizes.len() == 2 {
            let maps = ("(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)");
            self.generic_with(
                &[(first, maps.0)],
                (&out, maps.1),
                &kinds,
                &mut |this, values| this.combine(&values[0], &values[1], element),
            );
        } else {
            self.generic_with(
                &[(first, "(d0) -> (d0)")],
                (&out, "(d0) -> (0)"),
                &kinds[1..],
                &mut |this, values| this.combine(&values[0], &values[1], element),
            );
        }
    }

    /// A broadcast of a row or of an element.
    fn broadcast(&mut self, first: &Memref) {
        let Some(sizes) = first
            .r#type
            .contiguous()
            .filter(|sizes| matches!(sizes.len(), 1 | 2))
        else {
            return self.shifted(first);
        };
        self.feature("broadcast");
        let element = first.r#type.element;
        let small = if sizes.len() == 2 { sizes[1] } else { 1 };
        let row = self.readable(&first.r#type.with(&[small], String::new()));
        let rank = sizes.len();
        let same = identity(rank);
        let map = if rank == 2 {
            "(d0, d1) -> (d1)"
        } else {
            "(d0) -> (0)"
        };
        let (a, b) = (first.clone(), row.clone());
        let out = self.target(&first.r#type, |out| {
            out.r#type.layout.is_empty()
                && (out.name == a.name || !out.roots.overlap(&a.roots))
                && !out.roots.overlap(&b.roots)
        });
        self.generic(
            &[(first, &same), (&row, map)],
            (&out, &same),
            rank,
            &mut |this, values| this.combine(&values[0], &values[1], element),
        );
        self.set_written(&out);
    }

    /// Each element from another index: reversed, or the next one.
    fn shifted(&mut self, first: &Memref) {
        let r#type = first.r#type.clone();
        let element = r#type.element;
        let a = first.clone();
        let out = self.target(&r#type, |out| !out.roots.overlap(&a.roots));
        match r#type.sizes().as_deref() {
            Some([size]) if *size > 0 && self.choices.chance(50) => {
                self.feature("reversed");
                let map = format!("(d0) -> ({} - d0)", size - 1);
                let same = identity(1);
                self.generic(
                    &[(first, &map), (first, &same)],
                    (&out, &same),
                    1,
                    &mut |this, values| this.combine(&values[0], &values[1], element),
                );
            }
            _ => {
                self.feature("the next element");
                self.nest(&r#type.shape, &mut |this, indices| {
                    let mut next = Vec::new();
                    for (index, dim) in indices.iter().zip(&r#type.shape) {
                        let sum = this.value(format!("arith.addi {index}, %c1 : index"));
                        let size = dim.value();
                        next.push(this.value(format!("arith.remui {sum}, {size} : index")));
                    }
                    let (here, next) = (indices.join(", "), next.join(", "));
                    let x = this.value(
                        format!("memref.load {}[{next}] : {type}", first.name, type = r#type),
                    );
                    let y = this.value(
                        format!("memref.load {}[{here}] : {type}", first.name, type = r#type),
                    );
                    let z = this.combine(&x, &y, element);
                    this.line(format!(
                        "memref.store {z}, {}[{here}] : {}",
                        out.name, out.r#type
                    ));
                });
            }
        }
        self.set_written(&out);
    }

    /// The last use of a buffer, by an operation with a new output of the same size. In place is valid where the
    /// elements are read in the order in which they are written, and by no other operand in another order.
    pub fn last_use(&mut self) {
        let element = self.a_type().element;
        let shape = *self.choices.of::<&[u64]>(&[&[5], &[4, 4], &[8], &[3, 3]]);
        let r#type = Type::plain(element, shape);
        let from = self.allocate_plain(&r#type);
        self.write_whole(&from);
        let out = self.allocate_plain(&r#type);
        let rank = shape.len();
        let same = identity(rank);
        let other = match (rank, shape[0]) {
            (1, size) => format!("(d0) -> ({} - d0)", size - 1),
            _ => "(d0, d1) -> (d1, d0)".to_owned(),
        };
        let kind = self.choices.below(5);
        let maps: &[&str] = match kind {
            0 => &[&same],
            1 => &[&same, &same],
            2 => &[&other],
            3 => &[&same, &other],
            _ => &[&other, &same],
        };
        self.feature(if kind < 2 {
            "last use, in step"
        } else {
            "last use, in another order"
        });
        let ins: Vec<(&Memref, &str)> = maps.iter().map(|map| (&from, *map)).collect();
        self.generic(&ins, (&out, &same), rank, &mut |this, values| {
            this.combine(&values[0], &values[maps.len() - 1], element)
        });
        self.set_written(&out);
        let free = self.choices.chance(self.frees);
        if free {
            self.free(&from);
        } else {
            self.remove_freed(&from.roots);
        }
        self.print(&out);
    }

    /// Elementwise operations one after another, each into new memory.
    fn chain(&mut self, first: &Memref) {
        self.feature("chain of elementwise ops");
        let mut last = first.clone();
        for _ in 0..2 + self.choices.below(4) {
            let out = self.allocate(&first.r#type);
            let rank = out.r#type.shape.len();
            let map = identity(rank);
            let element = out.r#type.element;
            self.generic(&[(&last, &map)], (&out, &map), rank, &mut |this, values| {
                this.combine(&values[0], &values[0], element)
            });
            self.set_written(&out);
            last = out;
            last.written = true;
            if self.choices.chance(15) {
                self.print(&last);
            }
        }
    }

    /// Prints a number that depends on every element.
    pub fn print(&mut self, memref: &Memref) {
        if self.body.parallel > 0 || self.body.quiet {
            return;
        }
        let sum = self.checksum(memref);
        self.print_number(&sum);
    }

    /// Prints a number of type i64.
    pub fn print_number(&mut self, number: &str) {
        self.line(format!("func.call @fuzz_print({number}) : (i64) -> ()"));
    }

    /// A number of type i64 from all elements in their order.
    pub fn checksum(&mut self, memref: &Memref) -> String {
        let mut open = Vec::new();
        let mut accumulated = "%f7".to_owned();
        let mut indices = Vec::new();
        for dim in &memref.r#type.shape {
            let (result, index, inner) = (self.name("sum"), self.name("i"), self.name("a"));
            self.line(format!(
                "{result} = scf.for {index} = %c0 to {} step %c1 iter_args({inner} = {accumulated}) -> (i64) {{",
                dim.value()
            ));
            self.body.indent += 1;
            open.push(result);
            indices.push(index);
            accumulated = inner;
        }
        let element = memref.r#type.element;
        let value = self.value(format!(
            "memref.load {}[{}] : {}",
            memref.name,
            indices.join(", "),
            memref.r#type
        ));
        let number = self.number_of(&value, element);
        let product = self.value(format!("arith.muli {accumulated}, %f31 : i64"));
        let mut sum = self.value(format!("arith.addi {product}, {number} : i64"));
        for result in open.into_iter().rev() {
            self.line(format!("scf.yield {sum} : i64"));
            self.body.indent -= 1;
            self.line("}");
            sum = result;
        }
        sum
    }
}
