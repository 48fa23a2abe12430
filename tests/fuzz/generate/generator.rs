//! The state that the parts of the generator share: the text, the values in scope, frames and regions.

use std::collections::{BTreeMap, BTreeSet};

use super::Aim;
use super::calls::Callable;
use super::choices::Choices;
use super::types::{Dim, Element, MAYBE_ZERO, SPACE, Type};
use super::values::{Memref, Roots};

/// Shapes of types; the simplest first. A program with little memory runs fast.
const SHAPES: [&[u64]; 13] = [
    &[4],
    &[8],
    &[5],
    &[16],
    &[2, 3],
    &[4, 4],
    &[1],
    &[3, 5],
    &[7],
    &[2, 2, 2],
    &[],
    &[0],
    &[0, 4],
];

/// The maximum number of statements of one program.
const STATEMENTS: usize = 60;

/// The memory of a region that is being written: allocations that it may still free.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Allocations to which no one else refers.
    pub owned: BTreeSet<u32>,
}

/// A function that is being written.
#[derive(Debug, Default)]
pub struct Body {
    /// Its lines.
    pub lines: Vec<String>,
    /// The indentation of the next line.
    pub indent: usize,
    /// The memrefs in scope, the oldest first.
    pub env: Vec<Memref>,
    /// The regions around, the innermost last.
    pub frames: Vec<Frame>,
    /// Values of type index that differ between iterations.
    pub numbers: Vec<String>,
    /// The number of parallel bodies around.
    pub parallel: usize,
    /// The number of loops around.
    pub loops: usize,
    /// The number of operations with regions around.
    pub depth: usize,
    /// Whether a memref is returned: nothing may be on the stack.
    pub returns: bool,
    /// Whether nothing is printed: the function may be called where the order of prints is undefined.
    pub quiet: bool,
}

/// A program that is being generated.
pub struct Generator {
    /// The random choices.
    pub choices: Choices,
    /// The aim of the program.
    pub aim: Aim,
    /// The current function.
    pub body: Body,
    /// The functions that are complete.
    pub functions: Vec<String>,
    /// The prefix of every symbol.
    pub prefix: String,
    /// The types of most values: few, so that values can merge.
    pub types: Vec<Type>,
    /// The count of each generated feature.
    pub features: BTreeMap<&'static str, u64>,
    /// The percentage of allocations that are freed, among those that may be.
    pub frees: usize,
    /// The number of statements that may still be generated.
    pub statements: usize,
    /// The number of functions that wait for the current one, which they call.
    pub helpers: usize,
    /// Globals that the program writes: symbol, type and number of the memory.
    pub state: Vec<(String, Type, u32)>,
    /// The functions that may be called.
    pub callable: Vec<Callable>,
    names: u32,
    roots: u32,
}

impl Generator {
    /// An empty program.
    pub fn new(mut choices: Choices, aim: Aim, prefix: String) -> Self {
        let frees = *choices.of(&[0, 50, 0, 100, 30]);
        let mut generator = Self {
            choices,
            aim,
            body: Body::default(),
            functions: Vec::new(),
            prefix,
            types: Vec::new(),
            features: BTreeMap::new(),
            frees,
            statements: STATEMENTS,
            helpers: 0,
            state: Vec::new(),
            callable: Vec::new(),
            names: 0,
            roots: 0,
        };
        let space = if generator.choices.chance(6) {
            generator.feature("memory space");
            SPACE
        } else {
            0
        };
        for _ in 0..1 + generator.choices.below(3) {
            let mut r#type = generator.new_type();
            r#type.space = space;
            generator.types.push(r#type);
        }
        generator
    }

    fn new_type(&mut self) -> Type {
        let element = *self.choices.of(&Element::ALL);
        if self.choices.chance(18) {
            // Zero by value is rare, since all buffers of that size are then empty.
            let run = *self.choices.of(&[0, 1, 2, 0, 1, 2, MAYBE_ZERO]);
            let mut shape = vec![Dim::Run(run)];
            if self.choices.chance(25) {
                shape.push(Dim::Fixed(3));
            }
            self.feature("size of the run");
            return Type {
                element,
                shape,
                layout: String::new(),
                space: 0,
            };
        }
        let shape = self.choices.weighted(&SHAPES.map(|shape| {
            let rare = shape.is_empty() || shape.contains(&0);
            (if rare { 1 } else { 4 }, shape)
        }));
        Type::plain(element, shape)
    }

    /// One of the program's types.
    pub fn a_type(&mut self) -> Type {
        let at = self.choices.below(self.types.len());
        self.types[at].clone()
    }

    /// One of the program's types, or any.
    pub fn any_type(&mut self) -> Type {
        if self.choices.chance(12) {
            self.new_type()
        } else {
            self.a_type()
        }
    }

    /// Counts a feature.
    pub fn feature(&mut self, name: &'static str) {
        *self.features.entry(name).or_default() += 1;
    }

    /// Writes one line.
    pub fn line(&mut self, text: impl AsRef<str>) {
        let indent = "  ".repeat(self.body.indent + 1);
        self.body.lines.push(indent + text.as_ref());
    }

    /// Writes `%name = TEXT` and returns the name.
    pub fn value(&mut self, text: impl AsRef<str>) -> String {
        let name = self.name("v");
        self.line(format!("{name} = {}", text.as_ref()));
        name
    }

    /// A new name.
    pub fn name(&mut self, start: &str) -> String {
        self.names += 1;
        format!("%{start}{}", self.names)
    }

    /// A new number for a symbol or a block.
    pub fn fresh(&mut self) -> u32 {
        self.names += 1;
        self.names
    }

    /// The number of a new allocation.
    pub fn root(&mut self) -> u32 {
        self.roots += 1;
        self.roots
    }

    /// The memory that a new merge may refer to.
    pub fn any_root(&mut self) -> Roots {
        Roots::any_before(self.root())
    }

    /// Opens a region: lines are indented, and allocations belong to it.
    pub fn open(&mut self) -> Vec<Memref> {
        self.body.indent += 1;
        self.body.depth += 1;
        self.body.frames.push(Frame::default());
        self.body.env.clone()
    }

    /// Closes a region, and restores the scope before it. Returns which of its memrefs have been written.
    pub fn close(&mut self, before: Vec<Memref>) -> Vec<bool> {
        self.body.frames.pop();
        self.body.depth -= 1;
        self.body.indent -= 1;
        let inside = std::mem::replace(&mut self.body.env, before);
        let wrote = |outer: &Memref| {
            let same = inside.iter().find(|inner| inner.name == outer.name);
            outer.written || same.is_some_and(|inner| inner.written)
        };
        self.body.env.iter().map(wrote).collect()
    }

    /// Marks the memrefs as written that were written on every path through an operation.
    pub fn mark_written(&mut self, paths: &[Vec<bool>]) {
        for (index, memref) in self.body.env.iter_mut().enumerate() {
            if !memref.written && !paths.is_empty() && paths.iter().all(|path| path[index]) {
                memref.written = true;
                *self.features.entry("written on every path").or_default() += 1;
            }
        }
    }

    /// Adds a memref to the scope.
    pub fn add(&mut self, memref: Memref) {
        self.body.env.push(memref);
    }

    /// Adds a merge of written memrefs to the scope.
    pub fn add_merge(&mut self, name: String, r#type: Type, roots: Roots, shared: bool) {
        self.feature("merge");
        self.add(Memref {
            name,
            r#type,
            roots,
            written: true,
            shared,
            whole: true,
        });
    }

    /// The memory of `roots` is freed: removes everything that may refer to it.
    pub fn remove_freed(&mut self, roots: &Roots) {
        self.body.env.retain(|memref| !memref.roots.overlap(roots));
        for frame in &mut self.body.frames {
            frame.owned.retain(|root| !roots.known.contains(root));
        }
    }

    /// Whether the innermost region owns all of this memory.
    pub fn owns(&self, memref: &Memref) -> bool {
        let Some(frame) = self.body.frames.last() else {
            return false;
        };
        memref.whole
            && memref.roots.before == 0
            && !memref.roots.known.is_empty()
            && memref.roots.known.is_subset(&frame.owned)
    }

    /// A memref in scope for which `fits` is true: often one of the last.
    pub fn find(&mut self, fits: impl Fn(&Memref) -> bool) -> Option<Memref> {
        let found: Vec<usize> = (0..self.body.env.len())
            .rev()
            .filter(|at| fits(&self.body.env[*at]))
            .collect();
        if found.is_empty() {
            return None;
        }
        let near = if self.choices.chance(50) {
            found.len()
        } else {
            found.len().min(4)
        };
        let at = found[self.choices.below(near)];
        Some(self.body.env[at].clone())
    }

    /// A readable memref of the type; a new one if there is none.
    pub fn readable(&mut self, r#type: &Type) -> Memref {
        self.find(|memref| memref.written && memref.r#type == *r#type)
            .unwrap_or_else(|| self.allocate_written(r#type))
    }

    /// A memref of the type to pass on, which may be written unless `shared`.
    pub fn passable(&mut self, r#type: &Type, shared: bool) -> Memref {
        self.find(|memref| memref.written && memref.r#type == *r#type && (shared || !memref.shared))
            .unwrap_or_else(|| self.allocate_written(r#type))
    }

    /// Nobody may write the memory of a memref from now on, by any name.
    pub fn set_shared(&mut self, memref: &Memref) {
        for other in &mut self.body.env {
            other.shared |= other.name == memref.name || other.roots.overlap(&memref.roots);
        }
    }

    /// Nobody may write the memrefs in scope from now on.
    pub fn set_all_shared(&mut self) {
        for memref in &mut self.body.env {
            memref.shared = true;
        }
    }

    /// For values of which a new one may be any: if one must not be written, the others must not either.
    pub fn share_alike(&mut self, values: &[&Memref]) -> bool {
        let shared = values.iter().any(|value| value.shared);
        if shared {
            for value in values {
                self.set_shared(value);
            }
        }
        shared
    }

    /// A new, written memref of the type.
    pub fn allocate_written(&mut self, r#type: &Type) -> Memref {
        let mut memref = self.allocate(r#type);
        self.write_whole(&memref);
        memref.written = true;
        memref
    }

    /// The memref has been written completely.
    pub fn set_written(&mut self, memref: &Memref) {
        for other in &mut self.body.env {
            other.written |= other.name == memref.name;
        }
    }

    /// A constant of type i64.
    pub fn i64(&mut self, number: i64) -> String {
        self.value(format!("arith.constant {number} : i64"))
    }

    /// At most `most` statements.
    pub fn block(&mut self, most: usize) {
        for _ in 0..most {
            let start = self.choices.start();
            let more = self.statements > 0 && self.choices.chance(88);
            if more {
                self.statements -= 1;
                self.statement();
            }
            self.choices.end(start);
            if !more {
                return;
            }
        }
    }

    /// A condition; inside of a loop, it differs between iterations.
    pub fn condition(&mut self) -> String {
        let number = self.number();
        let shift = self.choices.below(4);
        let modulus = *self.choices.of(&[2, 2, 3]);
        let with = self.choices.below(3);
        let kind = *self.choices.of(&["eq", "ne", "ult"]);
        let sum = self.value(format!("arith.addi {number}, %c{shift} : index"));
        let rest = self.value(format!("arith.remui {sum}, %c{modulus} : index"));
        self.value(format!("arith.cmpi {kind}, {rest}, %c{with} : index"))
    }

    /// A number known only at run time.
    pub fn number(&mut self) -> String {
        if self.body.numbers.is_empty() || self.choices.chance(20) {
            return "%n".to_owned();
        }
        let at = self.choices.below(self.body.numbers.len());
        self.body.numbers[at].clone()
    }
}
