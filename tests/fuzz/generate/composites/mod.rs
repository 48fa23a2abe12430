//! Composite buffers, which are written part by part, for passes that compute values where they are needed: buffers
//! copied into parts of others (pads, concatenations, rows), copies that are only read, and branches from one
//! buffer that can be computed in any order. Also the obstacles: reads between the writes, second writes, parts
//! that share elements, later uses of the sources.

mod carried;
mod copies;
mod diamond;
mod ordering;
mod parts;
mod rows;
mod sources;

use super::generator::Generator;
use super::types::{Dim, MAYBE_ZERO, Type};
use super::values::{Memref, Roots};

/// Shapes for composite buffers; the simplest first.
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

/// The nesting depth of composite buffers.
const DEEPEST: usize = 2;

/// A step in writing a composite buffer. The order of steps is a partial one, and is chosen at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Allocate,
    Fill,
    Source(usize),
    Write(usize),
}

impl Step {
    /// Whether the step can come now.
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
    /// A composite buffer, which is then read or passed on.
    pub fn composite(&mut self) {
        let r#type = self.composite_type();
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

    fn composite_type(&mut self) -> Type {
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

    /// A composite buffer that is written part by part; `None` if one of its sources was freed.
    fn compose(&mut self, r#type: &Type, depth: usize) -> Option<Memref> {
        let (parts, covers) = self.parts(r#type)?;
        let fills = !covers || self.choices.chance(20);
        self.feature(if covers {
            "concatenation"
        } else {
            "part of a box"
        });
        if depth > 0 {
            self.feature("nested composite");
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
                    let memref = self.in_scope(made.as_ref()?)?;
                    if self.choices.chance(20) {
                        self.write_whole(&memref);
                    } else {
                        self.fill_alike(&memref);
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
                    let memref = self.in_scope(made.as_ref()?)?;
                    let source = sources[at].take()?;
                    self.write_part(&memref, &parts[at], source);
                }
            }
            done.push(step);
            // Other statements, in between, read and write memory.
            if !left.is_empty() && self.statements > 0 && self.choices.chance(12) {
                self.feature("something between the writes of a box");
                self.block(1);
            }
        }
        let memref = self.in_scope(made.as_ref()?)?;
        self.set_written(&memref);
        if fills && self.choices.chance(8) && !memref.shared {
            self.feature("filled a second time");
            self.fill_alike(&memref);
        }
        Some(Memref {
            written: true,
            ..memref
        })
    }

    /// The memref of this name, if it is still there and may be written.
    fn in_scope(&self, name: &str) -> Option<Memref> {
        let found = self.body.env.iter().find(|memref| memref.name == name);
        found.filter(|memref| !memref.shared).cloned()
    }

    /// Writes all elements of a composite buffer alike.
    fn fill_alike(&mut self, memref: &Memref) {
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
            // Each element is different: by its index.
            let place = self.value("linalg.index 0 : index");
            let number = self.mixed_indices(&[place]);
            value = self.element_of(&number, element);
        }
        self.line(format!("linalg.yield {value} : {element}"));
        self.body.indent -= 1;
        self.line("}");
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
    pub fn drop_or_free(&mut self, memref: &Memref) {
        let is_one = memref.roots.before == 0 && memref.roots.known.len() == 1;
        let there = self.body.env.iter().any(|one| one.name == memref.name);
        if !is_one || !there {
            return;
        }
        if self.owns(memref) && self.choices.chance(self.frees) {
            return self.free(memref);
        }
        // Only the innermost region may not use it: others may have to free it.
        self.remove_from_scope(&memref.roots);
    }

    /// Removes everything that may refer to this memory from the scope, without a change of its owner.
    fn remove_from_scope(&mut self, roots: &Roots) {
        self.body.env.retain(|memref| !memref.roots.overlap(roots));
    }
}
