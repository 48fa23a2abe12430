//! Functions that programs call, and the calls.

use super::Aim;
use super::choices::Choices;
use super::generator::{Body, Frame, Generator};
use super::regions::operands;
use super::types::{Dim, Element, RUN_SIZES, Type};
use super::values::{Memref, Roots};
use super::views::part_type;

/// The largest constant that every function defines.
const CONSTANTS: u64 = 64;

/// Constants of type i64 that functions define, `%f5` and so on.
const FACTORS: [u64; 4] = [5, 7, 31, 1023];

/// The results of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Returns {
    /// No result.
    Nothing,
    /// One of its arguments, or new memory.
    Any,
    /// New memory.
    New,
    /// Several results, each as in `Any`: they may be the same memory.
    Several(usize),
    /// A part of new memory.
    Part,
}

/// A function with two memrefs of its type and a number as arguments.
#[derive(Debug, Clone)]
pub struct Callable {
    name: String,
    r#type: Type,
    returns: Returns,
    /// The type of its results.
    result: Type,
}

/// The types of so many results.
fn several(r#type: &Type, count: usize) -> String {
    format!("({})", vec![r#type.to_string(); count].join(", "))
}

impl Generator {
    /// Writes a function; `body` writes its statements.
    pub fn function(
        &mut self,
        head: &str,
        arguments: Vec<Memref>,
        quiet: bool,
        body: impl FnOnce(&mut Self),
    ) {
        let inner = Body {
            env: arguments,
            frames: vec![Frame::default()],
            // Helpers are called in loops, so their own loops are short.
            loops: if quiet { 2 } else { 0 },
            quiet,
            ..Body::default()
        };
        let outer = std::mem::replace(&mut self.body, inner);
        self.helpers += 1;
        body(self);
        self.helpers -= 1;
        let done = std::mem::replace(&mut self.body, outer);
        let lines = done.lines.join("\n");
        let uses = |text: &str, name: &str| {
            text.match_indices(name)
                .any(|(at, _)| !text[at + name.len()..].starts_with(|c: char| c.is_ascii_digit()))
        };
        let mut text = format!("func.func {head} {{\n");
        let mut sizes = String::new();
        for (name, value) in RUN_SIZES {
            if uses(&lines, name) {
                sizes += &format!("  {name} = {value} : index\n");
            }
        }
        for number in 0..=CONSTANTS {
            let name = format!("%c{number}");
            if uses(&lines, &name) || uses(&sizes, &name) {
                text += &format!("  {name} = arith.constant {number} : index\n");
            }
        }
        for number in FACTORS {
            if uses(&lines, &format!("%f{number}")) {
                text += &format!("  %f{number} = arith.constant {number} : i64\n");
            }
        }
        self.functions.push(text + &sizes + &lines + "\n}\n");
    }

    fn parameter(&mut self, name: &str, r#type: &Type) -> Memref {
        Memref {
            name: name.to_owned(),
            r#type: r#type.clone(),
            roots: self.any_root(),
            written: true,
            shared: false,
            whole: true,
        }
    }

    /// A new symbol.
    pub fn symbol(&mut self, kind: &str) -> String {
        let number = self.fresh();
        format!("@{}{kind}{number}", self.prefix)
    }

    fn visibility(&mut self) -> &'static str {
        if self.choices.chance(65) {
            "private "
        } else {
            ""
        }
    }

    /// A function of two memrefs and a number.
    fn callable(&mut self, r#type: &Type) -> Callable {
        let known: Vec<Callable> = self
            .callable
            .iter()
            .filter(|known| known.r#type == *r#type)
            .cloned()
            .collect();
        if !known.is_empty() && self.choices.chance(60) {
            return self.choices.of(&known).clone();
        }
        let returns = match self.aim {
            Aim::Merge | Aim::Rewrite | Aim::Split => self.choices.weighted(&[
                (2, Returns::Nothing),
                (2, Returns::Any),
                (2, Returns::New),
                (1, Returns::Several(3)),
            ]),
            Aim::Free => self.choices.weighted(&[
                (2, Returns::New),
                (1, Returns::Nothing),
                (3, Returns::Any),
                (3, Returns::Several(2)),
                (2, Returns::Several(3)),
                (1, Returns::Part),
            ]),
        };
        let name = self.symbol("helper");
        let mut arguments = vec![self.parameter("%a", r#type), self.parameter("%b", r#type)];
        for argument in &mut arguments {
            argument.shared = self.may_copy(returns);
        }
        let part = match (returns, r#type.contiguous()) {
            (Returns::Part, Some(sizes)) if !sizes.is_empty() => {
                let (offsets, part) = self.part_of(&sizes);
                Some((sizes, offsets, part))
            }
            _ => None,
        };
        let result_type = match &part {
            Some((sizes, offsets, part)) => part_type(r#type, sizes, offsets, part),
            None => r#type.clone(),
        };
        let result = match returns {
            Returns::Nothing => String::new(),
            Returns::Several(count) => format!(" -> {}", several(&result_type, count)),
            _ => format!(" -> {result_type}"),
        };
        let visibility = self.visibility();
        let head =
            format!("{visibility}{name}(%a: {type}, %b: {type}, %n: index){result}", type = r#type);
        let results = r#type.clone();
        self.function(&head, arguments, true, |this| {
            this.body.returns = returns != Returns::Nothing;
            this.block(5);
            match returns {
                Returns::Nothing => this.end_region("return", &[]),
                Returns::Any => {
                    let value = this.readable(&results);
                    this.end_region("return", &[value]);
                }
                Returns::Several(count) => {
                    let values = this.several(&results, count);
                    this.end_region("return", &values);
                }
                Returns::Part | Returns::New => {
                    let mut value = this.allocate_plain(&results);
                    this.write_whole(&value);
                    value.written = true;
                    if let Some((sizes, offsets, part)) = &part {
                        value = this.subview(&value, sizes, offsets, part);
                    }
                    this.end_region("return", &[value]);
                }
            }
        });
        let callable = Callable {
            name,
            r#type: r#type.clone(),
            returns,
            result: result_type,
        };
        self.callable.push(callable.clone());
        callable
    }

    /// Values to return: the last of three may be either of the others.
    fn several(&mut self, r#type: &Type, count: usize) -> Vec<Memref> {
        let mut values: Vec<Memref> = Vec::with_capacity(count);
        for _ in 0..count.min(2) {
            values.push(match count > 2 && self.choices.chance(50) {
                true => self.allocate_written(r#type),
                false => self.readable(r#type),
            });
        }
        while values.len() < count {
            let (first, second) = (values[0].clone(), values[1].clone());
            let one = match first.name != second.name && self.choices.chance(70) {
                true => self.one_of(&first, &second),
                false => self.readable(r#type),
            };
            values.push(one);
        }
        let shift = self.choices.below(count);
        values.rotate_left(shift);
        values
    }

    /// A call of a function that may write its arguments and return one of them.
    pub fn call(&mut self) {
        let r#type = self.a_type();
        if self.aim == Aim::Free {
            let callable = self.callable(&r#type);
            let copies = self.may_copy(callable.returns);
            let arguments = [0, 1].map(|_| {
                let same = |memref: &Memref| {
                    memref.written && memref.shared == copies && memref.r#type == r#type
                };
                let argument = self
                    .find(same)
                    .unwrap_or_else(|| self.allocate_written(&r#type));
                if copies {
                    self.set_shared(&argument);
                }
                argument
            });
            return self.call_of(&callable, &arguments);
        }
        let writable =
            |memref: &Memref| memref.written && !memref.shared && memref.r#type == r#type;
        let arguments = [0, 1].map(|_| {
            let found = self.find(writable);
            found.unwrap_or_else(|| self.allocate_written(&r#type))
        });
        let callable = self.callable(&r#type);
        self.call_of(&callable, &arguments);
    }

    /// Whether a result may be a copy of an argument: then nobody writes either of them.
    fn may_copy(&self, returns: Returns) -> bool {
        self.aim == Aim::Free && matches!(returns, Returns::Any | Returns::Several(_))
    }

    fn call_of(&mut self, callable: &Callable, arguments: &[Memref; 2]) {
        self.feature("call");
        let (r#type, result) = (&callable.r#type, &callable.result);
        let copies = self.may_copy(callable.returns);
        let text = format!(
            "func.call {}({}, {}, %n) : ({type}, {type}, index) -> ",
            callable.name,
            arguments[0].name,
            arguments[1].name,
            type = r#type
        );
        match callable.returns {
            Returns::Nothing => self.line(text + "()"),
            Returns::Any | Returns::Several(_) => {
                self.feature("callee returns what may be its argument");
                let mut roots = arguments[0].roots.clone();
                roots.join(&arguments[1].roots);
                roots.known.insert(self.root());
                let Returns::Several(count) = callable.returns else {
                    let name = self.value(format!("{text}{result}"));
                    self.add_merge(name, r#type.clone(), roots, copies);
                    return;
                };
                self.feature("callee returns several, which may be the same");
                let names: Vec<String> = (0..count).map(|_| self.name("v")).collect();
                let results = several(result, count);
                self.line(format!("{} = {text}{results}", names.join(", ")));
                for name in names {
                    self.add_merge(name, r#type.clone(), roots.clone(), copies);
                }
            }
            Returns::New => {
                self.feature("callee returns new memory");
                let name = self.value(format!("{text}{result}"));
                self.add_owned(name, r#type.clone());
            }
            Returns::Part => {
                self.feature("callee returns a view");
                let name = self.value(format!("{text}{result}"));
                self.add_owned(name, result.clone());
                if let Some(part) = self.body.env.last_mut() {
                    part.whole = false;
                }
            }
        }
    }

    /// Adds a memref that the innermost region owns.
    pub fn add_owned(&mut self, name: String, r#type: Type) {
        let root = self.root();
        if let Some(frame) = self.body.frames.last_mut() {
            frame.owned.insert(root);
        }
        self.add_merge(name, r#type, Roots::one(root), false);
    }

    /// A call of a recursive function whose own buffers are live across the recursion.
    pub fn recurse(&mut self) {
        let r#type = self.a_type();
        let Some(memref) =
            self.find(|memref| memref.written && !memref.shared && memref.r#type == r#type)
        else {
            return;
        };
        self.feature("recursion");
        let name = self.symbol("recursive");
        let parameter = self.parameter("%a", &r#type);
        let visibility = self.visibility();
        let head =
            format!("{visibility}{name}(%a: {type}, %n: index, %left: index)", type = r#type);
        let (own, symbol) = (r#type.clone(), name.clone());
        self.function(&head, vec![parameter.clone()], true, |this| {
            let before = this.allocate_written(&own);
            let handed = this.allocate_written(&own);
            let more = this.value("arith.cmpi ugt, %left, %c0 : index");
            this.line(format!("scf.if {more} {{"));
            this.line("  %less = arith.subi %left, %c1 : index");
            this.line(format!(
                "  func.call {symbol}({}, %n, %less) : ({own}, index, index) -> ()",
                handed.name
            ));
            this.line("}");
            let element = own.element;
            this.nest(&own.shape, &mut |this, indices| {
                let at = indices.join(", ");
                let x = this.value(format!("memref.load {}[{at}] : {own}", before.name));
                let y = this.value(format!("memref.load {}[{at}] : {own}", handed.name));
                let z = this.combine(&x, &y, element);
                this.line(format!(
                    "memref.store {z}, {}[{at}] : {own}",
                    parameter.name
                ));
            });
            this.end_region("return", &[]);
        });
        let depth = self.choices.below(4);
        self.line(format!(
            "func.call {name}({}, %n, %c{depth}) : ({type}, index, index) -> ()",
            memref.name,
            type = r#type
        ));
    }

    /// A call of a function that frees its argument.
    pub fn free_in_callee(&mut self) {
        let owned: Vec<Memref> = self
            .body
            .env
            .iter()
            .filter(|memref| self.owns(memref) && memref.written)
            .cloned()
            .collect();
        if owned.is_empty() || self.frees == 0 || self.body.quiet || self.aim == Aim::Free {
            return;
        }
        self.feature("callee frees its argument");
        let at = self.choices.below(owned.len());
        let memref = owned[at].clone();
        let name = self.symbol("sink");
        let parameter = self.parameter("%a", &memref.r#type);
        let r#type = memref.r#type.clone();
        let freed = r#type.clone();
        self.function(
            &format!("private {name}(%a: {type}, %n: index)", type = r#type),
            vec![parameter.clone()],
            true,
            |this| {
                let sum = this.checksum(&parameter);
                this.print_number(&sum);
                this.line(format!("memref.dealloc %a : {freed}"));
                this.line("return");
            },
        );
        self.line(
            format!("func.call {name}({}, %n) : ({type}, index) -> ()", memref.name, type = r#type),
        );
        self.remove_freed(&memref.roots);
    }

    /// A call of a function without a body that reads its argument.
    pub fn external_read(&mut self) {
        if self.body.parallel > 0 || self.body.quiet {
            return;
        }
        let plain = |memref: &Memref| {
            memref.written
                && memref.r#type.element == Element::I64
                && memref.r#type.shape.len() == 1
                && memref.r#type.layout.is_empty()
                && memref.r#type.space == 0
        };
        let memref = match self.find(plain) {
            Some(memref) => memref,
            None => self.allocate_written(&Type::plain(Element::I64, &[4])),
        };
        self.feature("callee without a body");
        let erased = memref.r#type.erased();
        let mut name = memref.name.clone();
        if matches!(memref.r#type.shape[0], Dim::Fixed(_)) {
            name = self.value(format!(
                "memref.cast {name} : {} to {erased}",
                memref.r#type
            ));
        }
        let sum = self.value(format!("func.call @fuzz_look({name}) : ({erased}) -> i64"));
        self.print_number(&sum);
    }

    /// The whole program: a function, and one that calls it with numbers of its own.
    pub fn program(choices: Choices, aim: Aim, prefix: String) -> Self {
        let mut this = Self::new(choices, aim, prefix);
        let r#type = this.a_type();
        let (takes, returns, blocks) = match aim {
            Aim::Merge => (35, 30, 35),
            Aim::Free => (40, 60, 40),
            // Chains are written without this.
            Aim::Rewrite | Aim::Split => (60, 50, 15),
        };
        let takes = this.choices.chance(takes);
        let returns = this.choices.chance(returns);
        let blocks = this.choices.chance(blocks);
        let mut arguments = if takes {
            vec![this.parameter("%a", &r#type), this.parameter("%b", &r#type)]
        } else {
            Vec::new()
        };
        // Its result may be its argument, and is passed to it again.
        let passes_again = aim == Aim::Free && takes && returns && this.choices.chance(50);
        for argument in &mut arguments {
            argument.shared = passes_again;
        }
        let mut parameters: Vec<String> = arguments
            .iter()
            .map(|memref| format!("{}: {}", memref.name, memref.r#type))
            .collect();
        parameters.push("%n: index".to_owned());
        let name = format!("@{}program", this.prefix);
        let results = if returns {
            vec![r#type.clone()]
        } else {
            Vec::new()
        };
        let result = if returns {
            format!(" -> {type}", type = r#type)
        } else {
            String::new()
        };
        let visibility = this.visibility();
        let head = format!("{visibility}{name}({}){result}", parameters.join(", "));
        this.feature(if blocks {
            "program of blocks"
        } else {
            "structured program"
        });
        this.function(&head, arguments, false, |this| {
            // It calls functions that call no others.
            this.helpers -= 1;
            this.body.returns = returns;
            if blocks {
                this.blocks(&results, "return");
            } else {
                this.block(14);
                for _ in 0..2 {
                    if let Some(memref) = this.find(|memref| memref.written) {
                        this.print(&memref);
                    }
                }
                let values = this.yielded_values(&results);
                this.end_region("return", &values);
            }
            this.helpers += 1;
        });
        this.driver(&name, &r#type, takes, returns, passes_again);
        this
    }

    /// `@PREFIXmain(%n)`, which calls the program.
    fn driver(
        &mut self,
        name: &str,
        r#type: &Type,
        takes: bool,
        returns: bool,
        passes_again: bool,
    ) {
        // Inlining must not make the program larger.
        let head = format!(
            "private @{}main(%n: index) attributes {{no_inline}}",
            self.prefix
        );
        let twice = passes_again || self.choices.chance(25);
        self.function(&head, Vec::new(), false, |this| {
            this.frees = 0;
            for (symbol, r#type, root) in this.state.clone() {
                let name = this.value(format!("memref.get_global {symbol} : {type}"));
                let state = Memref {
                    name,
                    r#type,
                    roots: Roots::one(root),
                    written: false,
                    shared: false,
                    whole: false,
                };
                this.write_whole(&state);
            }
            let mut arguments = Vec::new();
            if takes {
                arguments = vec![this.allocate_written(r#type), this.allocate_written(r#type)];
                if this.aim == Aim::Rewrite && this.choices.chance(30) {
                    this.feature("both arguments are the same memory");
                    arguments[1] = arguments[0].clone();
                }
            }
            let mut all: Vec<String> = arguments.iter().map(|_| r#type.to_string()).collect();
            all.push("index".to_owned());
            for _ in 0..if twice { 2 } else { 1 } {
                let (names, _) = operands(&arguments);
                let names = if takes {
                    names + ", %n"
                } else {
                    "%n".to_owned()
                };
                let text = format!("func.call {name}({names}) : ({}) -> ", all.join(", "));
                if returns {
                    let result = this.value(format!("{text}{type}", type = r#type));
                    let roots = this.any_root();
                    let result = Memref {
                        name: result,
                        r#type: r#type.clone(),
                        roots,
                        written: true,
                        shared: false,
                        whole: true,
                    };
                    this.print(&result);
                    if passes_again {
                        this.feature("a returned argument is forwarded");
                        arguments[0] = result;
                    }
                } else {
                    this.line(text + "()");
                }
                for argument in &arguments {
                    this.print(argument);
                }
            }
            this.line("return");
        });
    }
}
