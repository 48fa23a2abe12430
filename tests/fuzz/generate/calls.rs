//! Functions that programs call, and the calls.

use super::choices::Choices;
use super::generator::{Body, Frame, Generator};
use super::regions::operands;
use super::types::{Dim, Element, RUN_SIZES, Type};
use super::values::{Memref, Roots};

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
}

/// A function that was made to be called with two memrefs of its type and the number.
#[derive(Debug, Clone)]
pub struct Callable {
    name: String,
    r#type: Type,
    gives: Gives,
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

    fn symbol(&mut self, kind: &str) -> String {
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
        let gives = *self.choices.of(&[Gives::Nothing, Gives::Any, Gives::New]);
        let name = self.symbol("helper");
        let arguments = vec![self.parameter("%a", r#type), self.parameter("%b", r#type)];
        let result = if gives == Gives::Nothing {
            String::new()
        } else {
            format!(" -> {type}", type = r#type)
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
                Gives::New => {
                    let mut value = this.allocate_plain(&results);
                    this.write_whole(&value);
                    value.written = true;
                    this.hand_on("return", &[value]);
                }
            }
        });
        let callable = Callable {
            name,
            r#type: r#type.clone(),
            gives,
        };
        self.callable.push(callable.clone());
        callable
    }

    /// A call of a function that may write its arguments and may return one of them.
    pub fn call(&mut self) {
        let r#type = self.a_type();
        let writable =
            |memref: &Memref| memref.written && !memref.shared && memref.r#type == r#type;
        let mut arguments = Vec::new();
        for _ in 0..2 {
            let found = self.find(writable);
            arguments.push(found.unwrap_or_else(|| self.allocate_written(&r#type)));
        }
        self.feature("call");
        let callable = self.callable(&r#type);
        let text = format!(
            "func.call {}({}, {}, %n) : ({type}, {type}, index) -> ",
            callable.name,
            arguments[0].name,
            arguments[1].name,
            type = r#type
        );
        match callable.gives {
            Gives::Nothing => self.line(text + "()"),
            Gives::Any => {
                self.feature("callee returns what may be its argument");
                let name = self.value(format!("{text}{type}", type = r#type));
                let mut roots = arguments[0].roots.clone();
                roots.join(&arguments[1].roots);
                roots.known.insert(self.root());
                self.add_merge(name, r#type, roots, false);
            }
            Gives::New => {
                self.feature("callee returns new memory");
                let name = self.value(format!("{text}{type}", type = r#type));
                self.add_owned(name, r#type);
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
        if owned.is_empty() || self.frees == 0 || self.body.quiet {
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
    pub fn program(choices: Choices, prefix: String) -> Self {
        let mut this = Self::new(choices, prefix);
        let r#type = this.a_type();
        let takes = this.choices.chance(35);
        let gives = this.choices.chance(30);
        let blocks = this.choices.chance(35);
        let arguments = if takes {
            vec![this.parameter("%a", &r#type), this.parameter("%b", &r#type)]
        } else {
            Vec::new()
        };
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
        this.driver(&name, &r#type, takes, gives);
        this
    }

    /// `@PREFIXmain(%n)`, which calls the program.
    fn driver(&mut self, name: &str, r#type: &Type, takes: bool, gives: bool) {
        // What is inlined stays of the size of a program.
        let head = format!(
            "private @{}main(%n: index) attributes {{no_inline}}",
            self.prefix
        );
        let twice = self.choices.chance(25);
        self.function(&head, Vec::new(), false, |this| {
            this.frees = 0;
            let mut arguments = Vec::new();
            if takes {
                arguments = vec![this.allocate_written(r#type), this.allocate_written(r#type)];
            }
            let mut all: Vec<String> = arguments.iter().map(|_| r#type.to_string()).collect();
            all.push("index".to_owned());
            let (names, _) = operands(&arguments);
            let names = if takes {
                names + ", %n"
            } else {
                "%n".to_owned()
            };
            for _ in 0..if twice { 2 } else { 1 } {
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
