//! Functions that programs call, and the calls.

use super::Aim;
use super::choices::Choices;
use super::generator::{Body, Frame, Generator};
use super::regions::operands;
use super::types::{Dim, Element, RUN_SIZES, Type};
use super::values::{Memref, Roots};
use super::views::part_type;

/// The largest constant that every function has.
const CONSTANTS: u64 = 64;

/// Constants of type i64 that functions have, `%f5` and so on.
const FACTORS: [u64; 4] = [5, 7, 31, 1023];

/// What a function gives back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// Nothing.
    Nothing,
    /// One of its arguments, or what it allocated.
    Any,
    /// What it allocated.
    New,
    /// So many, each as in `Any`: they may be the same.
    Several(usize),
    /// A part of what it allocated.
    Part,
}

/// A function that was made to be called with two memrefs of its type and the number.
#[derive(Debug, Clone)]
pub struct Callable {
    name: String,
    r#type: Type,
    gives: Gives,
    /// The type of what it gives.
    result: Type,
}

/// The types of so many results.
fn several(r#type: &Type, count: usize) -> String {
    format!("({})", vec![r#type.to_string(); count].join(", "))
}

impl Generator {
    /// Writes a function: `body` its statements, all of them.
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
            // Helpers are called in loops: their own are short.
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

    /// A symbol that nothing has yet.
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
        let gives = match self.aim {
            Aim::Merge | Aim::Rewrite => self.choices.weighted(&[
                (2, Gives::Nothing),
                (2, Gives::Any),
                (2, Gives::New),
                (1, Gives::Several(3)),
            ]),
            Aim::Free => self.choices.weighted(&[
                (2, Gives::New),
                (1, Gives::Nothing),
                (3, Gives::Any),
                (3, Gives::Several(2)),
                (2, Gives::Several(3)),
                (1, Gives::Part),
            ]),
        };
        let name = self.symbol("helper");
        let mut arguments = vec![self.parameter("%a", r#type), self.parameter("%b", r#type)];
        for argument in &mut arguments {
            argument.shared = self.may_copy(gives);
        }
        let part = match (gives, r#type.contiguous()) {
            (Gives::Part, Some(sizes)) if !sizes.is_empty() => {
                let (offsets, part) = self.part_of(&sizes);
                Some((sizes, offsets, part))
            }
            _ => None,
        };
        let given = match &part {
            Some((sizes, offsets, part)) => part_type(r#type, sizes, offsets, part),
            None => r#type.clone(),
        };
        let result = match gives {
            Gives::Nothing => String::new(),
            Gives::Several(count) => format!(" -> {}", several(&given, count)),
            _ => format!(" -> {given}"),
        };
        let visibility = self.visibility();
        let head =
            format!("{visibility}{name}(%a: {type}, %b: {type}, %n: index){result}", type = r#type);
        let results = r#type.clone();
        self.function(&head, arguments, true, |this| {
            this.body.returns = gives != Gives::Nothing;
            this.block(5);
            match gives {
                Gives::Nothing => this.hand_on("return", &[]),
                Gives::Any => {
                    let value = this.readable(&results);
                    this.hand_on("return", &[value]);
                }
                Gives::Several(count) => {
                    let values = this.several(&results, count);
                    this.hand_on("return", &values);
                }
                Gives::Part | Gives::New => {
                    let mut value = this.allocate_plain(&results);
                    this.write_whole(&value);
                    value.written = true;
                    if let Some((sizes, offsets, part)) = &part {
                        value = this.subview(&value, sizes, offsets, part);
                    }
                    this.hand_on("return", &[value]);
                }
            }
        });
        let callable = Callable {
            name,
            r#type: r#type.clone(),
            gives,
            result: given,
        };
        self.callable.push(callable.clone());
        callable
    }

    /// Values to return: of three, the last may be either of the others.
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
        let turn = self.choices.below(count);
        values.rotate_left(turn);
        values
    }

    /// A call of a function that may write its arguments and may return one of them.
    pub fn call(&mut self) {
        let r#type = self.a_type();
        if self.aim == Aim::Free {
            let callable = self.callable(&r#type);
            let copies = self.may_copy(callable.gives);
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

    /// What a function gives may be a copy of what it was given: nobody writes either.
    fn may_copy(&self, gives: Gives) -> bool {
        self.aim == Aim::Free && matches!(gives, Gives::Any | Gives::Several(_))
    }

    fn call_of(&mut self, callable: &Callable, arguments: &[Memref; 2]) {
        self.feature("call");
        let (r#type, result) = (&callable.r#type, &callable.result);
        let copies = self.may_copy(callable.gives);
        let text = format!(
            "func.call {}({}, {}, %n) : ({type}, {type}, index) -> ",
            callable.name,
            arguments[0].name,
            arguments[1].name,
            type = r#type
        );
        match callable.gives {
            Gives::Nothing => self.line(text + "()"),
            Gives::Any | Gives::Several(_) => {
                self.feature("callee returns what may be its argument");
                let mut roots = arguments[0].roots.clone();
                roots.join(&arguments[1].roots);
                roots.known.insert(self.root());
                let Gives::Several(count) = callable.gives else {
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
            Gives::New => {
                self.feature("callee returns new memory");
                let name = self.value(format!("{text}{result}"));
                self.add_owned(name, r#type.clone());
            }
            Gives::Part => {
                self.feature("callee returns a view");
                let name = self.value(format!("{text}{result}"));
                self.add_owned(name, result.clone());
                if let Some(part) = self.body.env.last_mut() {
                    part.whole = false;
                }
            }
        }
    }

    /// A memref that the innermost region has for itself comes in sight.
    pub fn add_owned(&mut self, name: String, r#type: Type) {
        let root = self.root();
        if let Some(frame) = self.body.frames.last_mut() {
            frame.owned.insert(root);
        }
        self.add_merge(name, r#type, Roots::one(root), false);
    }

    /// A call of a function that calls itself, with buffers of its own that live across that.
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
            this.hand_on("return", &[]);
        });
        let depth = self.choices.below(4);
        self.line(format!(
            "func.call {name}({}, %n, %c{depth}) : ({type}, index, index) -> ()",
            memref.name,
            type = r#type
        ));
    }

    /// A call of a function that frees its argument.
    pub fn sink(&mut self) {
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
        self.forget(&memref.roots);
    }

    /// A call of a function without a body, which reads its argument.
    pub fn look(&mut self) {
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

    /// The whole program: a function, and the one that calls it with numbers of its own.
    pub fn program(choices: Choices, aim: Aim, prefix: String) -> Self {
        let mut this = Self::new(choices, aim, prefix);
        let r#type = this.a_type();
        let (takes, gives, blocks) = match aim {
            Aim::Merge => (35, 30, 35),
            Aim::Free => (40, 60, 40),
            Aim::Rewrite => (60, 50, 15),
        };
        let takes = this.choices.chance(takes);
        let gives = this.choices.chance(gives);
        let blocks = this.choices.chance(blocks);
        let mut arguments = if takes {
            vec![this.parameter("%a", &r#type), this.parameter("%b", &r#type)]
        } else {
            Vec::new()
        };
        // What it gives may be what it was given, and is handed to it again.
        let again = aim == Aim::Free && takes && gives && this.choices.chance(50);
        for argument in &mut arguments {
            argument.shared = again;
        }
        let mut parameters: Vec<String> = arguments
            .iter()
            .map(|memref| format!("{}: {}", memref.name, memref.r#type))
            .collect();
        parameters.push("%n: index".to_owned());
        let name = format!("@{}program", this.prefix);
        let results = if gives {
            vec![r#type.clone()]
        } else {
            Vec::new()
        };
        let result = if gives {
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
            // The functions that it calls are one deep.
            this.helpers -= 1;
            this.body.returns = gives;
            if blocks {
                this.blocks(&results, "return");
            } else {
                this.block(14);
                for _ in 0..2 {
                    if let Some(memref) = this.find(|memref| memref.written) {
                        this.print(&memref);
                    }
                }
                let values = this.handed_on(&results);
                this.hand_on("return", &values);
            }
            this.helpers += 1;
        });
        this.driver(&name, &r#type, takes, gives, again);
        this
    }

    /// `@PREFIXmain(%n)`, which calls the program.
    fn driver(&mut self, name: &str, r#type: &Type, takes: bool, gives: bool, again: bool) {
        // What is inlined stays of the size of a program.
        let head = format!(
            "private @{}main(%n: index) attributes {{no_inline}}",
            self.prefix
        );
        let twice = again || self.choices.chance(25);
        self.function(&head, Vec::new(), false, |this| {
            this.frees = 0;
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
                if gives {
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
                    if again {
                        this.feature("what was given back is handed on");
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
