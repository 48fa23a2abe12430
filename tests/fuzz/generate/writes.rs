//! Allocations, and all forms of writes to a memref: complete, in two halves, or partial.

use super::generator::Generator;
use super::types::{Dim, Element, Type};
use super::values::{Memref, Roots};

impl Generator {
    /// An allocation, not written yet; not in scope until it is added.
    pub fn allocate(&mut self, r#type: &Type) -> Memref {
        let kind = if r#type.space == 0 {
            self.choices.weighted(&[(12, 0), (2, 1), (1, 2)])
        } else {
            0
        };
        self.allocate_as(r#type, kind)
    }

    /// The same, but never a view of a larger allocation.
    pub fn allocate_plain(&mut self, r#type: &Type) -> Memref {
        self.allocate_as(r#type, 0)
    }

    fn allocate_as(&mut self, r#type: &Type, kind: u32) -> Memref {
        let r#type = Type {
            layout: String::new(),
            ..r#type.clone()
        };
        let root = self.root();
        let roots = Roots::one(root);
        let known = r#type.sizes().filter(|_| r#type.element != Element::I1);
        let mut attributes = "";
        if kind != 2 && self.choices.chance(12) {
            self.feature("alignment asked for");
            attributes = *self.choices.of(&[
                " {alignment = 16 : i64}",
                " {alignment = 8 : i64}",
                " {alignment = 32 : i64}",
                " {alignment = 256 : i64}",
            ]);
        }
        let mut sizes = r#type.run_sizes();
        for size in &mut sizes {
            *size = self.equal_value(size);
        }
        let sizes = sizes.join(", ");
        let mut memref = Memref {
            name: String::new(),
            r#type: r#type.clone(),
            roots,
            written: false,
            shared: false,
            whole: true,
        };
        match (kind, known) {
            (1, Some(known)) => {
                self.feature("view of bytes");
                let shift = *self.choices.of(&[0_u64, 16, 64]);
                if shift > 0 {
                    self.feature("view of bytes, shifted");
                }
                let bytes = shift + r#type.element.bytes() * known.iter().product::<u64>();
                let bytes = format!("memref<{}xi8>", bytes + [0, 3, 16][self.choices.below(3)]);
                let base = self.value(format!("memref.alloc(){attributes} : {bytes}"));
                let at = self.value(format!("arith.constant {shift} : index"));
                memref.name = self.value(
                    format!("memref.view {base}[{at}][] : {bytes} to {type}", type = r#type),
                );
                memref.whole = false;
            }
            (2, Some(_)) if self.body.loops == 0 && !self.body.returns => {
                self.feature("stack");
                memref.name = self.value(format!("memref.alloca() : {}", r#type));
                memref.whole = false;
            }
            _ => {
                self.feature("allocation");
                memref.name = self.value(format!("memref.alloc({sizes}){attributes} : {}", r#type));
                if let Some(frame) = self.body.frames.last_mut() {
                    frame.owned.insert(root);
                }
            }
        }
        self.add(memref.clone());
        memref
    }

    /// A nest of loops over the elements of a memref; `body` receives the indices.
    pub fn nest(&mut self, shape: &[Dim], body: &mut dyn FnMut(&mut Self, &[String])) {
        let affine =
            shape.iter().all(|dim| matches!(dim, Dim::Fixed(_))) && self.choices.chance(25);
        let mut indices = Vec::new();
        for dim in shape {
            let index = self.name("i");
            match dim {
                Dim::Fixed(size) if affine => {
                    self.line(format!("affine.for {index} = 0 to {size} {{"))
                }
                _ => self.line(format!(
                    "scf.for {index} = %c0 to {} step %c1 {{",
                    dim.value()
                )),
            }
            self.body.indent += 1;
            indices.push(index);
        }
        body(self, &indices);
        for _ in shape {
            self.body.indent -= 1;
            self.line("}");
        }
    }

    /// Writes every element, and reads none of them.
    pub fn write_whole(&mut self, memref: &Memref) {
        let Memref { name, r#type, .. } = memref;
        let element = r#type.element;
        let kind = self
            .choices
            .weighted(&[(4, 0), (4, 1), (4, 2), (3, 3), (2, 4), (2, 5)]);
        let source = match kind {
            3 => self.find(|other| {
                other.written
                    && other.r#type.element == element
                    && other.r#type.shape == r#type.shape
                    && other.r#type.space == r#type.space
                    && (r#type.space == 0
                        || (other.r#type.layout.is_empty() && r#type.layout.is_empty()))
                    && !other.roots.overlap(&memref.roots)
            }),
            _ => None,
        };
        match (kind, source) {
            (3, Some(source)) => {
                if self.choices.chance(50) {
                    self.feature("memref.copy");
                    self.line(format!(
                        "memref.copy {}, {name} : {} to {}",
                        source.name, source.r#type, r#type
                    ));
                } else {
                    self.feature("linalg.copy");
                    self.line(format!(
                        "linalg.copy ins({} : {}) outs({name} : {})",
                        source.name, source.r#type, r#type
                    ));
                }
            }
            (1, _) if !r#type.shape.is_empty() => {
                self.feature("linalg.generic writes whole");
                let order = if r#type.shape.len() == 2 && self.choices.chance(25) {
                    self.feature("writes whole, transposed");
                    "(d0, d1) -> (d1, d0)".to_owned()
                } else {
                    identity(r#type.shape.len())
                };
                self.generic(&[], (memref, &order), r#type.shape.len(), &mut |this, _| {
                    let indices: Vec<String> = (0..r#type.shape.len())
                        .map(|dim| this.value(format!("linalg.index {dim} : index")))
                        .collect();
                    let number = this.mixed_indices(&indices);
                    this.element_of(&number, element)
                });
            }
            (4, _) => self.write_vector(memref, false),
            (5, _) => {
                if !self.write_halves(memref) {
                    self.fill(memref);
                }
            }
            (2, _) => {
                self.feature("loops write whole");
                self.nest(&r#type.shape, &mut |this, indices| {
                    let number = this.mixed_indices(indices);
                    let value = this.element_of(&number, element);
                    this.line(format!(
                        "memref.store {value}, {name}[{}] : {}",
                        indices.join(", "),
                        r#type
                    ));
                });
            }
            _ => self.fill(memref),
        }
    }

    /// `linalg.fill`.
    pub fn fill(&mut self, memref: &Memref) {
        self.feature("linalg.fill");
        let element = memref.r#type.element;
        let number = self.mixed_indices(&[]);
        let value = self.element_of(&number, element);
        if self.choices.chance(25) {
            self.feature("generic fill");
            let rank = memref.r#type.shape.len();
            self.generic(&[], (memref, &identity(rank)), rank, &mut |_, _| {
                value.clone()
            });
            return;
        }
        self.line(format!(
            "linalg.fill ins({value} : {element}) outs({} : {})",
            memref.name, memref.r#type
        ));
    }

    /// `linalg.generic` over `rank` parallel dimensions; `body` computes the result from the elements, that of the
    /// output last.
    pub fn generic(
        &mut self,
        ins: &[(&Memref, &str)],
        out: (&Memref, &str),
        rank: usize,
        body: &mut dyn FnMut(&mut Self, &[String]) -> String,
    ) {
        let kinds = vec!["parallel"; rank];
        self.generic_with(ins, out, &kinds, body);
    }

    /// The same with other iterator types.
    pub fn generic_with(
        &mut self,
        ins: &[(&Memref, &str)],
        out: (&Memref, &str),
        kinds: &[&str],
        body: &mut dyn FnMut(&mut Self, &[String]) -> String,
    ) {
        let all: Vec<_> = ins.iter().copied().chain([out]).collect();
        let maps: Vec<String> = all
            .iter()
            .map(|(_, map)| format!("affine_map<{map}>"))
            .collect();
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("\"{kind}\"")).collect();
        let names: Vec<&str> = ins.iter().map(|(memref, _)| memref.name.as_str()).collect();
        let types: Vec<String> = ins
            .iter()
            .map(|(memref, _)| memref.r#type.to_string())
            .collect();
        let inputs = if ins.is_empty() {
            String::new()
        } else {
            format!("ins({} : {}) ", names.join(", "), types.join(", "))
        };
        self.line(format!(
            "linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {inputs}outs({} : {}) {{",
            maps.join(", "),
            kinds.join(", "),
            out.0.name,
            out.0.r#type
        ));
        let elements: Vec<String> = all.iter().map(|_| self.name("e")).collect();
        let arguments: Vec<String> = elements
            .iter()
            .zip(&all)
            .map(|(name, (memref, _))| format!("{name}: {}", memref.r#type.element))
            .collect();
        self.line(format!("^bb0({}):", arguments.join(", ")));
        self.body.indent += 1;
        let result = body(self, &elements);
        self.line(format!("linalg.yield {result} : {}", out.0.r#type.element));
        self.body.indent -= 1;
        self.line("}");
    }

    /// `vector.transfer_write`: complete, or masked or out of bounds, which leaves elements as they are.
    fn write_vector(&mut self, memref: &Memref, partly: bool) {
        let Memref { name, r#type, .. } = memref;
        let element = r#type.element;
        let size = match r#type.contiguous().as_deref() {
            Some([size]) if element.fits_vectors() => *size,
            _ if partly => return self.store_one(memref),
            _ => return self.fill(memref),
        };
        let number = self.mixed_indices(&[]);
        let value = self.element_of(&number, element);
        let vector = format!("vector<{size}x{element}>");
        let value = self.value(format!("vector.broadcast {value} : {element} to {vector}"));
        if !partly {
            self.feature("vector.transfer_write whole");
            return self.line(format!(
                "vector.transfer_write {value}, {name}[%c0] {{in_bounds = [true]}} : {vector}, {}",
                r#type
            ));
        }
        if self.choices.chance(50) {
            self.feature("vector.transfer_write masked");
            let count = self.choices.below(size as usize);
            let mask = self.value(format!("vector.create_mask %c{count} : vector<{size}xi1>"));
            self.line(format!(
                "vector.transfer_write {value}, {name}[%c0], {mask} {{in_bounds = [true]}} : {vector}, {}",
                r#type
            ));
        } else {
            self.feature("vector.transfer_write past the end");
            let from = self.choices.below(size as usize);
            self.line(format!(
                "vector.transfer_write {value}, {name}[%c{from}] : {vector}, {}",
                r#type
            ));
        }
    }

    /// Two partial writes that are complete together.
    fn write_halves(&mut self, memref: &Memref) -> bool {
        let Some(sizes) = memref
            .r#type
            .contiguous()
            .filter(|sizes| !sizes.is_empty() && sizes[0] > 1)
        else {
            return false;
        };
        self.feature("written by halves");
        let cut = 1 + self.choices.below(sizes[0] as usize - 1) as u64;
        let mut offsets = vec![0; sizes.len()];
        let mut part = sizes.clone();
        part[0] = cut;
        let first = self.subview(memref, &sizes, &offsets, &part);
        self.fill(&first);
        offsets[0] = cut;
        part[0] = sizes[0] - cut;
        let second = self.subview(memref, &sizes, &offsets, &part);
        self.fill(&second);
        true
    }

    /// Writes some elements of a memref that has been written.
    pub fn write_partly(&mut self, memref: &Memref) {
        match (self.choices.below(4), memref.r#type.contiguous()) {
            (1, _) => self.write_vector(memref, true),
            (2, Some(sizes)) if !sizes.is_empty() => {
                self.feature("a subview is filled");
                let (offsets, part) = self.part_of(&sizes);
                let view = self.subview(memref, &sizes, &offsets, &part);
                self.fill(&view);
            }
            (3, Some(sizes)) if sizes.len() == 1 && sizes[0] > 1 => {
                self.feature("loop writes in part");
                let element = memref.r#type.element;
                let to = 1 + self.choices.below(sizes[0] as usize - 1) as u64;
                self.nest(&[Dim::Fixed(to)], &mut |this, indices| {
                    let number = this.mixed_indices(indices);
                    let value = this.element_of(&number, element);
                    this.line(format!(
                        "memref.store {value}, {}[{}] : {}",
                        memref.name, indices[0], memref.r#type
                    ));
                });
            }
            _ => self.store_one(memref),
        }
    }

    /// Writes one element.
    fn store_one(&mut self, memref: &Memref) {
        if memref.r#type.may_be_empty() {
            return;
        }
        self.feature("one element is written");
        let number = self.mixed_indices(&[]);
        let value = self.element_of(&number, memref.r#type.element);
        let mut indices = Vec::new();
        for dim in &memref.r#type.shape {
            let least = match dim {
                Dim::Fixed(size) => *size as usize,
                Dim::Run(_) => 2,
            };
            indices.push(format!("%c{}", self.choices.below(least)));
        }
        self.line(format!(
            "memref.store {value}, {}[{}] : {}",
            memref.name,
            indices.join(", "),
            memref.r#type
        ));
    }

    /// A part of a shape, not empty: offsets and sizes.
    pub fn part_of(&mut self, sizes: &[u64]) -> (Vec<u64>, Vec<u64>) {
        let mut offsets = Vec::new();
        let mut part = Vec::new();
        for size in sizes {
            let offset = self.choices.below(*size as usize) as u64;
            offsets.push(offset);
            part.push(size - offset - self.choices.below((size - offset) as usize) as u64);
        }
        (offsets, part)
    }
}

/// The identity map of `rank` dimensions.
pub fn identity(rank: usize) -> String {
    let dims: Vec<String> = (0..rank).map(|dim| format!("d{dim}")).collect();
    format!("({0}) -> ({0})", dims.join(", "))
}
