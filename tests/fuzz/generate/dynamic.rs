//! Buffers of dynamic size: sums, products, quotients and selections of numbers, from arguments or induction
//! variables, with equal sizes by different values, and sizes that are zero.
//!
//! All buffers of one such statement have the type `memref<?xT>`, so that they can merge in branches and loops
//! whatever their sizes are. Sizes of the same class are equal: elementwise operations use only such buffers.

use super::generator::Generator;
use super::types::{Dim, Element, Type};
use super::values::{Memref, Roots};
use super::writes::identity;

/// Divisions of sizes that trap for a divisor of zero, and the names of their counts; the simplest first.
const DIVISIONS: [(&str, &str); 14] = [
    ("quotient under a condition", "arith.divui"),
    ("remainder under a condition", "arith.remui"),
    ("remainder under a condition", "arith.remsi"),
    ("quotient under a condition", "arith.divsi"),
    ("quotient under a condition", "arith.floordivsi"),
    ("quotient under a condition", "arith.ceildivsi"),
    ("quotient under a condition", "arith.ceildivui"),
    ("quotient under a condition", "index.divu"),
    ("remainder under a condition", "index.rems"),
    ("remainder under a condition", "index.remu"),
    ("quotient under a condition", "index.floordivs"),
    ("quotient under a condition", "floordiv"),
    ("quotient under a condition", "ceildiv"),
    ("remainder under a condition", "mod"),
];

/// Values of two independent sizes: none, one, and several orders of magnitude.
const VALUES: [[u64; 2]; 6] = [[0, 1], [1, 0], [1, 39], [39, 1], [0, 0], [17, 38]];

/// A size below 40.
#[derive(Debug, Clone)]
struct Size {
    value: String,
    class: u32,
}

/// A buffer with a size of the class.
#[derive(Debug, Clone)]
struct Buffer {
    memref: Memref,
    class: u32,
    written: bool,
    /// Whether the current block allocated it, and no merge may refer to it.
    own: bool,
}

/// The values in scope for such a statement.
#[derive(Debug)]
struct Scene {
    element: Element,
    sizes: Vec<Size>,
    buffers: Vec<Buffer>,
    /// The sum of everything computed.
    sum: String,
    classes: u32,
    left: usize,
    depth: usize,
}

impl Scene {
    fn class(&mut self) -> u32 {
        self.classes += 1;
        self.classes
    }

    fn memref(&self, name: String) -> Memref {
        Memref {
            name,
            r#type: Type {
                element: self.element,
                shape: vec![Dim::Run(0)],
                layout: String::new(),
                space: 0,
            },
            roots: Roots::default(),
            written: true,
            shared: false,
            whole: true,
        }
    }
}

impl Generator {
    /// An equal value, seldom the same one.
    pub fn equal_value(&mut self, size: &str) -> String {
        let kind = self.choices.below(12);
        if kind > 0 && kind < 9 {
            self.feature("equal size by another name");
        }
        match kind {
            1 => self.value(format!("arith.addi {size}, %c0 : index")),
            2 => self.value(format!("arith.muli {size}, %c1 : index")),
            3 => {
                let number = self.value(format!("arith.index_cast {size} : index to i64"));
                self.value(format!("arith.index_cast {number} : i64 to index"))
            }
            4 => {
                let twice = self.value(format!("arith.addi {size}, {size} : index"));
                self.value(format!("arith.divui {twice}, %c2 : index"))
            }
            5 => self.value(format!(
                "affine.apply affine_map<(d0) -> (d0 + 3 - 3)>({size})"
            )),
            6 => {
                let more = self.value(format!("arith.addi {size}, %n : index"));
                self.value(format!("arith.subi {more}, %n : index"))
            }
            7 => {
                // Values loaded from memory are not known to be equal.
                let cell = self.value("memref.alloc() : memref<1xindex>");
                self.line(format!(
                    "memref.store {size}, {cell}[%c0] : memref<1xindex>"
                ));
                self.value(format!("memref.load {cell}[%c0] : memref<1xindex>"))
            }
            8 => {
                // A quotient that must not be computed where `%n` may be zero.
                let product = self.value(format!("arith.muli {size}, %n : index"));
                self.value(format!("arith.divui {product}, %n : index"))
            }
            _ => size.to_owned(),
        }
    }

    /// A statement with dynamic sizes.
    pub fn dynamic(&mut self) {
        self.feature("buffers of sizes of the run");
        let sum = self.value("memref.alloc() : memref<1xi64>");
        self.line(format!("memref.store %f7, {sum}[%c0] : memref<1xi64>"));
        if self.helpers < 2 && self.choices.chance(25) {
            self.feature("size is an argument");
            let number = self.fresh();
            let name = format!("@{}sized{number}", self.prefix);
            let head =
                format!("private {name}(%sum: memref<1xi64>, %n: index, %k: index, %l: index)");
            let numbers = vec!["%k".to_owned(), "%l".to_owned()];
            self.function(&head, Vec::new(), true, |this| {
                this.scene("%sum", &numbers);
                this.line("return");
            });
            let first = self.number();
            let same = self.choices.chance(50);
            let second = if same { first.clone() } else { self.number() };
            self.line(format!(
                "func.call {name}({sum}, %n, {first}, {second}) : (memref<1xi64>, index, index, index) -> ()"
            ));
            // No other order of sizes and offsets is the right one for all of these.
            for [first, second] in VALUES {
                if self.choices.chance(30) {
                    self.feature("other values of sizes");
                    let first = self.value(format!("arith.constant {first} : index"));
                    let second = self.value(format!("arith.constant {second} : index"));
                    self.line(format!(
                        "func.call {name}({sum}, %n, {first}, {second}) : \
                         (memref<1xi64>, index, index, index) -> ()"
                    ));
                }
            }
        } else {
            let numbers = [self.number(), self.number()];
            self.scene(&sum, &numbers);
        }
        if !self.body.quiet && self.body.parallel == 0 {
            let number = self.value(format!("memref.load {sum}[%c0] : memref<1xi64>"));
            self.print_number(&number);
        }
        if self.choices.chance(self.frees) {
            self.line(format!("memref.dealloc {sum} : memref<1xi64>"));
        }
    }

    fn scene(&mut self, sum: &str, numbers: &[String]) {
        let element = *self
            .choices
            .of(&[Element::I64, Element::F32, Element::I8, Element::I32]);
        let fixed = ["%n", "%c3", "%c0", "%c8"].map(str::to_owned);
        let all = fixed.iter().chain(numbers);
        let mut scene = Scene {
            element,
            sizes: Vec::new(),
            buffers: Vec::new(),
            sum: sum.to_owned(),
            classes: 0,
            left: 6 + self.choices.below(14),
            depth: 0,
        };
        for value in all {
            // The same value twice has two classes, which only misses equal sizes.
            let class = scene.class();
            let value = value.clone();
            scene.sizes.push(Size { value, class });
        }
        self.sized_block(&mut scene, false);
    }

    /// Statements. The buffers that the block allocated are freed or not, and one is yielded if it `yields`.
    fn sized_block(&mut self, scene: &mut Scene, yields: bool) {
        let (sizes, buffers) = (scene.sizes.clone(), scene.buffers.clone());
        for buffer in &mut scene.buffers {
            buffer.own = false;
        }
        let most = if scene.depth == 0 { 12 } else { 6 };
        for _ in 0..most {
            let start = self.choices.start();
            let more = scene.left > 0 && self.choices.chance(88);
            if more {
                scene.left -= 1;
                self.sized_statement(scene);
            }
            self.choices.end(start);
            if !more {
                break;
            }
        }
        let handed = yields.then(|| {
            let at = self.sized_written(scene);
            scene.buffers[at].own = false;
            scene.buffers[at].memref.clone()
        });
        let own: Vec<Memref> = scene
            .buffers
            .iter()
            .filter(|buffer| buffer.own)
            .map(|buffer| buffer.memref.clone())
            .collect();
        for memref in own {
            if self.choices.chance(self.frees) {
                self.line(format!(
                    "memref.dealloc {} : {}",
                    memref.name, memref.r#type
                ));
            }
        }
        if let Some(Memref { name, r#type, .. }) = handed {
            self.line(format!("scf.yield {name} : {type}", type = r#type));
        }
        (scene.sizes, scene.buffers) = (sizes, buffers);
    }

    fn sized_statement(&mut self, scene: &mut Scene) {
        let deep = scene.depth >= 3;
        match self.choices.weighted(&[
            (6, 0),
            (5, 1),
            (4, 2),
            (4, 3),
            (2, 4),
            (4, 5),
            (3, 6),
            (2, 7),
            (2, 8),
            (2, 9),
        ]) {
            1 => self.sized_write(scene),
            2 => self.sized_sum(scene),
            3 => self.sized_elementwise(scene),
            4 => self.sized_select(scene),
            5 if !deep => self.sized_if(scene),
            6 if !deep => self.sized_for(scene),
            7 if !deep => self.sized_carried(scene),
            8 if !deep => self.sized_yield(scene),
            9 => self.sized_free(scene),
            _ => {
                self.sized_buffer(scene);
            }
        }
    }

    /// A size in scope, or one computed from these.
    fn a_size(&mut self, scene: &mut Scene) -> Size {
        let a = self.choices.of(&scene.sizes).clone();
        let b = self.choices.of(&scene.sizes).clone();
        let kind = self.choices.below(20);
        let large = match kind {
            0..=4 => return a,
            5..=7 => {
                let value = self.equal_value(&a.value);
                let size = Size { value, ..a };
                scene.sizes.push(size.clone());
                return size;
            }
            8 | 9 if !scene.buffers.is_empty() => {
                let buffer = self.choices.of(&scene.buffers).clone();
                self.feature("size of another buffer");
                let value = self.extent(&buffer);
                let class = buffer.class;
                let size = Size { value, class };
                scene.sizes.push(size.clone());
                return size;
            }
            10 | 11 => format!("arith.addi {}, {} : index", a.value, b.value),
            12 => format!("arith.muli {}, {} : index", a.value, b.value),
            13 => format!("arith.maxsi {}, {} : index", a.value, b.value),
            14 => format!("arith.minui {}, {} : index", a.value, b.value),
            15 => {
                let condition = self.condition();
                format!("arith.select {condition}, {}, {} : index", a.value, b.value)
            }
            16 => {
                self.feature("size is a quotient");
                let more = self.value(format!("arith.addi {}, %c1 : index", b.value));
                format!("arith.divui {}, {more} : index", a.value)
            }
            17 => {
                self.feature("size is a quotient");
                format!("arith.ceildivui {}, %c3 : index", a.value)
            }
            18 => {
                let less = self.value(format!("arith.subi {}, {} : index", a.value, b.value));
                format!("arith.maxsi {less}, %c0 : index")
            }
            _ => format!(
                "affine.apply affine_map<()[s0, s1] -> (s0 + s1 * 2)>()[{}, {}]",
                a.value, b.value
            ),
        };
        let value = self.value(large);
        let value = match self.choices.below(2) {
            0 => self.value(format!("arith.minui {value}, %c16 : index")),
            _ => self.value(format!("arith.remui {value}, %c17 : index")),
        };
        let class = scene.class();
        let size = Size { value, class };
        scene.sizes.push(size.clone());
        size
    }

    fn extent(&mut self, buffer: &Buffer) -> String {
        let Memref { name, r#type, .. } = &buffer.memref;
        self.value(format!("memref.dim {name}, %c0 : {type}", type = r#type))
    }

    /// A new buffer; most are written at once.
    fn sized_buffer(&mut self, scene: &mut Scene) -> Buffer {
        let size = self.a_size(scene);
        self.sized_like(scene, &size)
    }

    fn sized_like(&mut self, scene: &mut Scene, size: &Size) -> Buffer {
        let at = scene.buffers.len();
        if self.choices.chance(12) {
            self.feature("size of the run that is known");
            let known = format!("memref<9x{}>", scene.element);
            let base = self.value(format!("memref.alloc() : {known}"));
            let name = self.value(format!(
                "memref.cast {base} : {known} to memref<?x{}>",
                scene.element
            ));
            let class = scene.class();
            let memref = scene.memref(name);
            scene.buffers.push(Buffer {
                memref,
                class,
                written: false,
                own: false,
            });
        } else {
            let alignment = *self.choices.of(&["", " {alignment = 64 : i64}"]);
            let name = self.value(format!(
                "memref.alloc({}){alignment} : memref<?x{}>",
                size.value, scene.element
            ));
            let memref = scene.memref(name);
            let class = size.class;
            scene.buffers.push(Buffer {
                memref,
                class,
                written: false,
                own: true,
            });
        }
        if self.choices.chance(85) {
            self.write_sized(scene, at);
        }
        scene.buffers[at].clone()
    }

    /// The index of a written buffer in scope, or of a new one.
    fn sized_written(&mut self, scene: &mut Scene) -> usize {
        let written: Vec<usize> = (0..scene.buffers.len())
            .filter(|at| scene.buffers[*at].written)
            .collect();
        if !written.is_empty() {
            return *self.choices.of(&written);
        }
        let size = self.a_size(scene);
        let at = scene.buffers.len();
        self.sized_like(scene, &size);
        if !scene.buffers[at].written {
            self.write_sized(scene, at);
        }
        at
    }

    /// Writes all of a buffer.
    fn write_sized(&mut self, scene: &mut Scene, at: usize) {
        let buffer = scene.buffers[at].clone();
        if self.choices.chance(60) {
            self.fill(&buffer.memref);
        } else {
            let extent = self.extent(&buffer);
            let index = self.name("i");
            self.line(format!("scf.for {index} = %c0 to {extent} step %c1 {{"));
            self.body.indent += 1;
            let number = self.mixed_indices(std::slice::from_ref(&index));
            let value = self.element_of(&number, scene.element);
            let Memref { name, r#type, .. } = &buffer.memref;
            self.line(format!("memref.store {value}, {name}[{index}] : {type}", type = r#type));
            self.body.indent -= 1;
            self.line("}");
        }
        scene.buffers[at].written = true;
    }

    /// Writes all or a part of a buffer.
    fn sized_write(&mut self, scene: &mut Scene) {
        if scene.buffers.is_empty() {
            return;
        }
        let at = self.choices.below(scene.buffers.len());
        if !scene.buffers[at].written || self.choices.chance(50) {
            return self.write_sized(scene, at);
        }
        self.feature("a part of a size of the run is written");
        let buffer = scene.buffers[at].clone();
        let extent = self.extent(&buffer);
        let half = self.value(format!("arith.divui {extent}, %c2 : index"));
        let part = format!("memref<?x{}, strided<[1]>>", scene.element);
        let name = self.value(format!(
            "memref.subview {}[0] [{half}] [1] : {} to {part}",
            buffer.memref.name, buffer.memref.r#type
        ));
        let mut view = buffer.memref;
        view.name = name;
        view.r#type.layout = "strided<[1]>".to_owned();
        self.fill(&view);
    }

    /// Adds all elements to the sum.
    fn sized_sum(&mut self, scene: &mut Scene) {
        let at = self.sized_written(scene);
        let buffer = scene.buffers[at].clone();
        let extent = self.extent(&buffer);
        let sum = scene.sum.clone();
        let before = self.value(format!("memref.load {sum}[%c0] : memref<1xi64>"));
        let (result, index, carried) = (self.name("sum"), self.name("i"), self.name("a"));
        self.line(format!(
            "{result} = scf.for {index} = %c0 to {extent} step %c1 iter_args({carried} = {before}) -> (i64) {{"
        ));
        self.body.indent += 1;
        let Memref { name, r#type, .. } = &buffer.memref;
        let value = self.value(format!("memref.load {name}[{index}] : {type}", type = r#type));
        let number = self.number_of(&value, scene.element);
        let product = self.value(format!("arith.muli {carried}, %f31 : i64"));
        let next = self.value(format!("arith.addi {product}, {number} : i64"));
        self.line(format!("scf.yield {next} : i64"));
        self.body.indent -= 1;
        self.line("}");
        self.line(format!("memref.store {result}, {sum}[%c0] : memref<1xi64>"));
    }

    /// One buffer from another of the same size.
    fn sized_elementwise(&mut self, scene: &mut Scene) {
        let at = self.sized_written(scene);
        let from = scene.buffers[at].clone();
        let others: Vec<usize> = (0..scene.buffers.len())
            .filter(|other| {
                let other = &scene.buffers[*other];
                other.class == from.class && other.own && other.memref.name != from.memref.name
            })
            .collect();
        let to = if !others.is_empty() && self.choices.chance(40) {
            *self.choices.of(&others)
        } else {
            let value = self.extent(&from);
            let value = self.equal_value(&value);
            let size = Size {
                value,
                class: from.class,
            };
            let name = self.value(format!(
                "memref.alloc({}) : {}",
                size.value, from.memref.r#type
            ));
            scene.sizes.push(size);
            let memref = scene.memref(name);
            let class = from.class;
            scene.buffers.push(Buffer {
                memref,
                class,
                written: false,
                own: true,
            });
            scene.buffers.len() - 1
        };
        let out = scene.buffers[to].memref.clone();
        if self.choices.chance(25) {
            self.feature("memref.copy");
            self.line(format!(
                "memref.copy {}, {} : {} to {}",
                from.memref.name, out.name, from.memref.r#type, out.r#type
            ));
        } else {
            self.feature("elementwise on a size of the run");
            let (map, element) = (identity(1), scene.element);
            self.generic(
                &[(&from.memref, &map)],
                (&out, &map),
                1,
                &mut |this, values| this.combine(&values[0], &values[0], element),
            );
        }
        scene.buffers[to].written = true;
    }

    /// Two written buffers that become operands of a merge.
    fn two_for_merge(&mut self, scene: &mut Scene) -> (Buffer, Buffer) {
        let first = self.sized_written(scene);
        let second = self.sized_written(scene);
        for at in [first, second] {
            scene.buffers[at].own = false;
        }
        (scene.buffers[first].clone(), scene.buffers[second].clone())
    }

    fn add_sized(&mut self, scene: &mut Scene, name: String) {
        let memref = scene.memref(name);
        let class = scene.class();
        scene.buffers.push(Buffer {
            memref,
            class,
            written: true,
            own: false,
        });
    }

    fn sized_select(&mut self, scene: &mut Scene) {
        let (first, second) = self.two_for_merge(scene);
        self.feature("sizes of the run meet");
        let condition = self.condition();
        let name = self.value(format!(
            "arith.select {condition}, {}, {} : {}",
            first.memref.name, second.memref.name, first.memref.r#type
        ));
        self.add_sized(scene, name);
    }

    fn sized_inside(&mut self, scene: &mut Scene, yields: bool) {
        self.body.indent += 1;
        scene.depth += 1;
        self.sized_block(scene, yields);
        scene.depth -= 1;
        self.body.indent -= 1;
    }

    fn sized_if(&mut self, scene: &mut Scene) {
        // The size is used only where it is not zero: divisions by it must stay in there.
        if self.choices.chance(40) {
            let by = self.choices.of(&scene.sizes).value.clone();
            let any = self.value(format!("arith.cmpi ne, {by}, %c0 : index"));
            self.line(format!("scf.if {any} {{"));
            self.body.indent += 1;
            let size = self.choices.of(&scene.sizes).value.clone();
            // Sizes are not negative, so all of these are below 41.
            let (feature, division) = *self.choices.of(&DIVISIONS);
            self.feature(feature);
            let value = match division {
                // Affine maps must not divide by a constant zero, even in unreachable code; a computed divisor may be
                // one.
                "floordiv" | "ceildiv" | "mod" if !is_argument_only(&by) => {
                    format!("arith.divui {size}, {by} : index")
                }
                "floordiv" | "ceildiv" | "mod" => format!(
                    "affine.apply affine_map<()[s0, s1] -> (s0 {division} s1)>()[{size}, {by}]"
                ),
                _ if division.starts_with("index") => format!("{division} {size}, {by}"),
                _ => format!("{division} {size}, {by} : index"),
            };
            let value = self.value(value);
            let class = scene.class();
            scene.sizes.push(Size { value, class });
            self.body.indent -= 1;
            self.sized_inside(scene, false);
            scene.sizes.pop();
            self.line("}");
            return;
        }
        let condition = self.condition();
        self.line(format!("scf.if {condition} {{"));
        self.sized_inside(scene, false);
        self.line("} else {");
        self.sized_inside(scene, false);
        self.line("}");
    }

    /// A loop's bound: a constant or a size.
    fn sized_trip_count(&mut self) -> String {
        self.choices.of(&["%c2", "%c1", "%c0", "%c3"]).to_string()
    }

    fn sized_for(&mut self, scene: &mut Scene) {
        let (index, trip_count) = (self.name("i"), self.sized_trip_count());
        self.feature("sizes that differ between iterations");
        self.line(format!("scf.for {index} = %c0 to {trip_count} step %c1 {{"));
        self.body.numbers.push(index.clone());
        let class = scene.class();
        scene.sizes.push(Size {
            value: index,
            class,
        });
        self.sized_inside(scene, false);
        scene.sizes.pop();
        self.body.numbers.pop();
        self.line("}");
    }

    /// A loop that carries a buffer, with another size in each iteration.
    fn sized_carried(&mut self, scene: &mut Scene) {
        let first = self.sized_written(scene);
        let first = scene.buffers[first].clone();
        let (result, argument) = (self.name("r"), self.name("r"));
        let (index, trip_count) = (self.name("i"), self.sized_trip_count());
        self.feature("a size of the run is carried around a loop");
        self.line(format!(
            "{result} = scf.for {index} = %c0 to {trip_count} step %c1 iter_args({argument} = {}) -> ({}) {{",
            first.memref.name, first.memref.r#type
        ));
        self.body.numbers.push(index.clone());
        let class = scene.class();
        scene.sizes.push(Size {
            value: index,
            class,
        });
        self.add_sized(scene, argument);
        self.sized_inside(scene, true);
        scene.buffers.pop();
        scene.sizes.pop();
        self.body.numbers.pop();
        self.line("}");
        self.add_sized(scene, result);
        self.all_merged(scene);
    }

    /// Branches that yield buffers of different sizes.
    fn sized_yield(&mut self, scene: &mut Scene) {
        let condition = self.condition();
        let result = self.name("r");
        self.feature("sizes of the run meet");
        self.line(format!(
            "{result} = scf.if {condition} -> (memref<?x{}>) {{",
            scene.element
        ));
        self.sized_inside(scene, true);
        self.line("} else {");
        self.sized_inside(scene, true);
        self.line("}");
        self.add_sized(scene, result);
        self.all_merged(scene);
    }

    /// Any value in scope of a region that yielded may be its result.
    fn all_merged(&mut self, scene: &mut Scene) {
        for buffer in &mut scene.buffers {
            buffer.own = false;
        }
    }

    /// Frees a buffer that no other value refers to.
    fn sized_free(&mut self, scene: &mut Scene) {
        let own: Vec<usize> = (0..scene.buffers.len())
            .filter(|at| scene.buffers[*at].own)
            .collect();
        if own.is_empty() || self.frees == 0 {
            return;
        }
        let at = *self.choices.of(&own);
        let Buffer { memref, .. } = scene.buffers.remove(at);
        self.feature("freed");
        self.line(format!(
            "memref.dealloc {} : {}",
            memref.name, memref.r#type
        ));
    }
}

/// Whether a size is the argument of the program, or computed from it alone.
fn is_argument_only(size: &str) -> bool {
    size == "%n" || size.starts_with("%s")
}
