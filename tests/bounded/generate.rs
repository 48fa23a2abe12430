//! Random bounded programs: nested loops, consecutive branches, loop-carried and swapped values, views, and buffers
//! of mixed sizes and types, some of which are accessed through their address. Everything is written before it is
//! read, so the output depends on the input only.

use std::fmt::Write;

use super::kernels::{PRINTS, runs};

/// Element types; elements are converted from and to 64-bit numbers.
const ELEMENTS: [&str; 7] = ["i64", "i8", "i32", "f32", "i16", "f64", "index"];

/// The maximum number of branches on a path, with loops counted by iteration.
const BRANCHES: u64 = 4;
/// The approximate number of statements on a path.
const WORK: u64 = 90;

/// A module of the programs of these seeds.
pub fn module(seeds: &[u64]) -> String {
    let mut text = String::from(PRINTS);
    let mut names = Vec::new();
    for seed in seeds {
        let name = format!("p{seed}");
        text += &program(*seed, &name);
        names.push(name);
    }
    text + &runs(&names)
}

#[derive(Clone)]
struct Buffer {
    name: String,
    /// The type inside `memref<…>`.
    ty: String,
    element: &'static str,
    length: u64,
    /// Whether it may be an operand where strides are not allowed.
    is_plain: bool,
}

/// The address of a buffer of 64-bit numbers.
#[derive(Clone)]
struct Pointer {
    name: String,
    length: u64,
}

#[derive(Clone, Default)]
struct Scope {
    numbers: Vec<String>,
    buffers: Vec<Buffer>,
    pointers: Vec<Pointer>,
}

struct Generator {
    state: u64,
    next: u64,
    text: String,
    depth: usize,
    branches: u64,
    work: u64,
    /// The product of the trip counts of the loops around.
    iterations: u64,
}

fn program(seed: u64, name: &str) -> String {
    let mut generator = Generator {
        state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D123_4567,
        next: 0,
        text: String::new(),
        depth: 1,
        branches: BRANCHES,
        work: WORK,
        iterations: 1,
    };
    let _ = writeln!(generator.text, "func.func @{name}(%seed: i64) {{");
    let mut scope = Scope {
        numbers: vec!["%seed".to_owned()],
        ..Scope::default()
    };
    let seven = generator.constant(7);
    scope.numbers.push(seven);
    let mut own = Vec::new();
    for _ in 0..1 + generator.below(3) {
        own.push(generator.allocate(&mut scope));
    }
    generator.statements(&mut scope, 6);
    // The other values in scope.
    for buffer in scope.buffers.clone() {
        let number = generator.read(&buffer);
        generator.print(&number);
    }
    let last = scope.numbers[scope.numbers.len() - 1].clone();
    generator.print(&last);
    // Some are marked as ended.
    for buffer in own {
        if generator.below(3) == 0 {
            generator.line(&format!("memref.dealloc {} : {}", buffer.name, buffer.ty));
        }
    }
    generator.text + "  return\n}\n"
}

impl Generator {
    fn below(&mut self, most: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % most
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = self.depth * 2);
    }

    fn define(&mut self, operation: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {operation}"));
        name
    }

    fn constant(&mut self, number: i64) -> String {
        self.define(&format!("arith.constant {number} : i64"))
    }

    fn index(&mut self, number: u64) -> String {
        self.define(&format!("arith.constant {number} : index"))
    }

    fn number(&mut self, scope: &Scope) -> String {
        let count = scope.numbers.len() as u64;
        // Newer ones are more likely.
        let at = self.below(count).max(self.below(count));
        scope.numbers[at as usize].clone()
    }

    fn buffer(&mut self, scope: &Scope) -> Option<Buffer> {
        let count = scope.buffers.len() as u64;
        (count > 0).then(|| scope.buffers[self.below(count) as usize].clone())
    }

    fn print(&mut self, number: &str) {
        self.line(&format!("func.call @printI64({number}) : (i64) -> ()"));
        self.line("func.call @printNewline() : () -> ()");
    }

    /// A number as an element.
    fn narrow(&mut self, number: &str, element: &str) -> String {
        match element {
            "i64" => number.to_owned(),
            "index" => self.define(&format!("arith.index_cast {number} : i64 to index")),
            "f32" | "f64" => {
                let small = self.define(&format!("arith.trunci {number} : i64 to i16"));
                self.define(&format!("arith.sitofp {small} : i16 to {element}"))
            }
            _ => self.define(&format!("arith.trunci {number} : i64 to {element}")),
        }
    }

    fn widen(&mut self, value: &str, element: &str) -> String {
        match element {
            "i64" => value.to_owned(),
            "index" => self.define(&format!("arith.index_cast {value} : index to i64")),
            "f32" | "f64" => self.define(&format!("arith.fptosi {value} : {element} to i64")),
            _ => self.define(&format!("arith.extsi {value} : {element} to i64")),
        }
    }

    fn read(&mut self, buffer: &Buffer) -> String {
        let at = self.below(buffer.length);
        let at = self.index(at);
        let value = self.define(&format!(
            "memref.load {}[{at}] : {}",
            buffer.name, buffer.ty
        ));
        self.widen(&value, buffer.element)
    }

    fn write(&mut self, buffer: &Buffer, number: &str) {
        let value = self.narrow(number, buffer.element);
        let at = self.below(buffer.length);
        let at = self.index(at);
        self.line(&format!(
            "memref.store {value}, {}[{at}] : {}",
            buffer.name, buffer.ty
        ));
    }

    fn fill(&mut self, buffer: &Buffer, number: &str) {
        let value = self.narrow(number, buffer.element);
        self.line(&format!(
            "linalg.fill ins({value} : {}) outs({} : {})",
            buffer.element, buffer.name, buffer.ty
        ));
    }

    fn allocate(&mut self, scope: &mut Scope) -> Buffer {
        let element = ELEMENTS[self.below(7) as usize];
        let length = 1 + self.below(4) * self.below(5);
        let like = Buffer {
            name: String::new(),
            ty: format!("memref<{length}x{element}>"),
            element,
            length,
            is_plain: true,
        };
        self.allocate_like(scope, &like)
    }

    fn allocate_like(&mut self, scope: &mut Scope, like: &Buffer) -> Buffer {
        let alignment = match self.below(6) {
            0 => " {alignment = 32 : i64}",
            _ => "",
        };
        let name = self.define(&format!("memref.alloc(){alignment} : {}", like.ty));
        let buffer = Buffer {
            name,
            ..like.clone()
        };
        let number = self.number(scope);
        self.fill(&buffer, &number);
        scope.buffers.push(buffer.clone());
        buffer
    }

    fn statements(&mut self, scope: &mut Scope, most: u64) {
        for _ in 0..2 + self.below(most) {
            let cost = self.iterations;
            if self.work < cost {
                return;
            }
            self.work -= cost;
            self.statement(scope);
        }
    }

    fn statement(&mut self, scope: &mut Scope) {
        match self.below(20) {
            18 => self.address(scope),
            19 => self.through_address(scope),
            16 | 17 => self.fragmented(scope),
            0..=3 => {
                self.allocate(scope);
            }
            4 | 5 => {
                if let Some(buffer) = self.buffer(scope) {
                    let number = self.read(&buffer);
                    scope.numbers.push(number);
                }
            }
            6 | 7 => {
                if let Some(buffer) = self.buffer(scope) {
                    let number = self.number(scope);
                    self.write(&buffer, &number);
                }
            }
            8 => {
                let (one, other) = (self.number(scope), self.number(scope));
                let name = ["addi", "subi", "muli", "xori"][self.below(4) as usize];
                let number = self.define(&format!("arith.{name} {one}, {other} : i64"));
                scope.numbers.push(number);
            }
            9 => self.view(scope),
            10 => self.select(scope),
            11 => self.copy(scope),
            12 | 13 => self.branch(scope),
            _ => self.counted_loop(scope),
        }
    }

    /// Fragmented free space: live buffers remain between dead ones, and a new one is as large as all free bytes.
    fn fragmented(&mut self, scope: &mut Scope) {
        let mut free = 0;
        let mut gone = Vec::new();
        for _ in 0..2 + self.below(2) {
            let mut other = Scope {
                numbers: scope.numbers.clone(),
                ..Scope::default()
            };
            let length = 1 + self.below(6);
            let like = Buffer {
                name: String::new(),
                ty: format!("memref<{length}xi64>"),
                element: "i64",
                length,
                is_plain: true,
            };
            gone.push(self.allocate_like(&mut other, &like));
            if self.below(4) == 0 {
                self.address(&mut other);
                self.through_address(&mut other);
            }
            free += length;
            // It stays live, and so does a view of it.
            let kept = self.allocate(scope);
            if kept.length > 1 && self.below(2) == 0 {
                self.view(scope);
            }
        }
        for buffer in gone {
            let number = self.read(&buffer);
            scope.numbers.push(number);
            if self.below(2) == 0 {
                self.line(&format!("memref.dealloc {} : {}", buffer.name, buffer.ty));
            }
        }
        let like = Buffer {
            name: String::new(),
            ty: format!("memref<{free}xi64>"),
            element: "i64",
            length: free,
            is_plain: true,
        };
        self.allocate_like(scope, &like);
    }

    fn view(&mut self, scope: &mut Scope) {
        let Some(buffer) = self.buffer(scope) else {
            return;
        };
        if !buffer.is_plain || buffer.length < 2 {
            return;
        }
        let from = self.below(buffer.length - 1);
        let length = 1 + self.below(buffer.length - from);
        let length = length.min(buffer.length - from);
        let element = buffer.element;
        let ty = format!("memref<{length}x{element}, strided<[1], offset: {from}>>");
        let name = self.define(&format!(
            "memref.subview {}[{from}] [{length}] [1] : {} to {ty}",
            buffer.name, buffer.ty
        ));
        scope.buffers.push(Buffer {
            name,
            ty,
            element,
            length,
            is_plain: false,
        });
    }

    /// The address of a buffer, whose last use is then unknown.
    fn address(&mut self, scope: &mut Scope) {
        let Some(buffer) = self.buffer(scope) else {
            return;
        };
        if !buffer.is_plain || buffer.element != "i64" {
            return;
        }
        let address = self.define(&format!(
            "memref.extract_aligned_pointer_as_index {} : {} -> index",
            buffer.name, buffer.ty
        ));
        let number = self.define(&format!("arith.index_cast {address} : index to i64"));
        let name = self.define(&format!("llvm.inttoptr {number} : i64 to !llvm.ptr"));
        let length = buffer.length;
        scope.pointers.push(Pointer { name, length });
    }

    /// Writes an element through an address and prints another one, which is used for nothing else: for all that is
    /// known, it could be an address.
    fn through_address(&mut self, scope: &mut Scope) {
        let count = scope.pointers.len() as u64;
        if count == 0 {
            return;
        }
        let pointer = scope.pointers[self.below(count) as usize].clone();
        let number = self.number(scope);
        let at = self.element(&pointer);
        self.line(&format!("llvm.store {number}, {at} : i64, !llvm.ptr"));
        let at = self.element(&pointer);
        let number = self.define(&format!("llvm.load {at} : !llvm.ptr -> i64"));
        self.print(&number);
    }

    fn element(&mut self, pointer: &Pointer) -> String {
        let at = self.below(pointer.length);
        let name = &pointer.name;
        self.define(&format!(
            "llvm.getelementptr {name}[{at}] : (!llvm.ptr) -> !llvm.ptr, i64"
        ))
    }

    fn condition(&mut self, scope: &Scope) -> String {
        let number = self.number(scope);
        let bit = self.below(4);
        let one = self.constant(1 << bit);
        let bit = self.define(&format!("arith.andi {number}, {one} : i64"));
        self.define(&format!("arith.cmpi eq, {bit}, {one} : i64"))
    }

    /// Another buffer of the same type.
    fn other_of_type(&mut self, scope: &mut Scope, buffer: &Buffer) -> Buffer {
        let alike: Vec<Buffer> = scope
            .buffers
            .iter()
            .filter(|other| other.ty == buffer.ty && other.name != buffer.name)
            .cloned()
            .collect();
        if alike.is_empty() || self.below(3) == 0 && buffer.is_plain {
            if buffer.is_plain {
                return self.allocate_like(scope, buffer);
            }
            return buffer.clone();
        }
        alike[self.below(alike.len() as u64) as usize].clone()
    }

    fn select(&mut self, scope: &mut Scope) {
        let Some(buffer) = self.buffer(scope) else {
            return;
        };
        let mate = self.other_of_type(scope, &buffer);
        let condition = self.condition(scope);
        let name = self.define(&format!(
            "arith.select {condition}, {}, {} : {}",
            buffer.name, mate.name, buffer.ty
        ));
        scope.buffers.push(Buffer { name, ..buffer });
    }

    fn copy(&mut self, scope: &mut Scope) {
        let Some(buffer) = self.buffer(scope) else {
            return;
        };
        let length = buffer.length;
        let plain = Buffer {
            ty: format!("memref<{length}x{}>", buffer.element),
            is_plain: true,
            ..buffer.clone()
        };
        let new = self.allocate_like(scope, &plain);
        self.line(&format!(
            "memref.copy {}, {} : {} to {}",
            buffer.name, new.name, buffer.ty, new.ty
        ));
    }

    /// The values that an arm or an iteration yields: a number, and buffers of operands types.
    fn body(&mut self, scope: &Scope, yields: &[Buffer], number: bool) -> String {
        let mut inner = scope.clone();
        self.depth += 1;
        self.statements(&mut inner, 4);
        let mut operands = Vec::new();
        let mut types = Vec::new();
        if number {
            operands.push(self.number(&inner));
            types.push("i64".to_owned());
        }
        for like in yields {
            let buffer = self.other_of_type(&mut inner, like);
            operands.push(buffer.name);
            types.push(like.ty.clone());
        }
        let text = match operands.is_empty() {
            true => String::new(),
            false => format!(" {} : {}", operands.join(", "), types.join(", ")),
        };
        self.depth -= 1;
        text
    }

    fn yielded_types(&mut self, scope: &Scope) -> Vec<Buffer> {
        let mut chosen = Vec::new();
        for _ in 0..self.below(3) {
            if let Some(buffer) = self.buffer(scope)
                && buffer.is_plain
            {
                chosen.push(buffer);
            }
        }
        chosen
    }

    fn types(number: bool, yields: &[Buffer]) -> String {
        let number = number.then(|| "i64".to_owned());
        let all: Vec<String> = number
            .into_iter()
            .chain(yields.iter().map(|buffer| buffer.ty.clone()))
            .collect();
        all.join(", ")
    }

    /// Names for results, which are in scope from then on.
    fn results(&mut self, scope: &mut Scope, number: bool, yields: &[Buffer], name: &str) {
        let mut at = 0;
        if number {
            scope.numbers.push(format!("{name}#0"));
            at = 1;
        }
        for like in yields {
            scope.buffers.push(Buffer {
                name: format!("{name}#{at}"),
                ..like.clone()
            });
            at += 1;
        }
    }

    fn branch(&mut self, scope: &mut Scope) {
        if self.branches < self.iterations || self.depth > 5 {
            return;
        }
        self.branches -= self.iterations;
        let yields = self.yielded_types(scope);
        let number = self.below(2) == 0;
        let count = yields.len() + usize::from(number);
        let switch = self.below(4) == 0 && self.branches >= self.iterations;
        if switch {
            self.branches -= self.iterations;
            let flag = self.number(scope);
            let three = self.constant(3);
            let low = self.define(&format!("arith.andi {flag}, {three} : i64"));
            let index = self.define(&format!("arith.index_cast {low} : i64 to index"));
            let name = self.open(count);
            let types = Self::types(number, &yields);
            let types = if count > 0 {
                format!(" -> {types}")
            } else {
                String::new()
            };
            self.line(&format!("{name}scf.index_switch {index}{types}"));
            let base = name.split(':').next().unwrap_or_default().to_owned();
            for head in ["case 0 {", "case 2 {", "default {"] {
                self.line(head);
                let text = self.body(scope, &yields, number);
                self.line(&format!("  scf.yield{text}"));
                self.line("}");
            }
            return self.results(scope, number, &yields, &base);
        }
        let condition = self.condition(scope);
        let name = self.open(count);
        let types = Self::types(number, &yields);
        let base = name.split(':').next().unwrap_or_default().to_owned();
        if count > 0 {
            self.line(&format!("{name}scf.if {condition} -> ({types}) {{"));
        } else {
            self.line(&format!("scf.if {condition} {{"));
        }
        let text = self.body(scope, &yields, number);
        if count > 0 {
            self.line(&format!("  scf.yield{text}"));
        }
        if count > 0 || self.below(2) == 0 {
            self.line("} else {");
            let text = self.body(scope, &yields, number);
            if count > 0 {
                self.line(&format!("  scf.yield{text}"));
            }
        }
        self.line("}");
        self.results(scope, number, &yields, &base);
    }

    fn open(&mut self, count: usize) -> String {
        match count {
            0 => String::new(),
            _ => format!("{}:{count} = ", self.fresh()),
        }
    }

    fn counted_loop(&mut self, scope: &mut Scope) {
        if self.depth > 4 || self.iterations > 6 {
            return;
        }
        let trip_count = self.below(4);
        let step = 1 + self.below(3);
        let lower = self.below(5) as i64 - 2;
        // The last step may be incomplete.
        let upper = match trip_count {
            0 => lower - self.below(3) as i64,
            _ => lower + (step * (trip_count - 1)) as i64 + 1 + self.below(step) as i64,
        };
        let yields = self.yielded_types(scope);
        let number = self.below(2) == 0;
        let count = yields.len() + usize::from(number);
        let mut inner = scope.clone();
        let (mut arguments, mut starts) = (Vec::new(), Vec::new());
        if number {
            let argument = self.fresh();
            starts.push(self.number(scope));
            inner.numbers.push(argument.clone());
            arguments.push(argument);
        }
        for like in &yields {
            let argument = self.fresh();
            starts.push(like.name.clone());
            arguments.push(argument.clone());
            inner.buffers.push(Buffer {
                name: argument,
                ..like.clone()
            });
        }
        let carried: Vec<String> = arguments
            .iter()
            .zip(&starts)
            .map(|(argument, start)| format!("{argument} = {start}"))
            .collect();
        let carried = match count {
            0 => String::new(),
            _ => format!(
                " iter_args({}) -> ({})",
                carried.join(", "),
                Self::types(number, &yields)
            ),
        };
        let induction = self.fresh();
        let name;
        let is_affine = self.below(3) == 0;
        if is_affine {
            name = self.open(count);
            self.line(&format!(
                "{name}affine.for {induction} = {lower} to {upper} step {step}{carried} {{"
            ));
        } else {
            let low = self.define(&format!("arith.constant {lower} : index"));
            let high = self.define(&format!("arith.constant {upper} : index"));
            let step = self.index(step);
            name = self.open(count);
            self.line(&format!(
                "{name}scf.for {induction} = {low} to {high} step {step}{carried} {{"
            ));
        }
        self.iterations *= trip_count.max(1);
        self.depth += 1;
        let iteration = self.define(&format!("arith.index_cast {induction} : index to i64"));
        self.depth -= 1;
        inner.numbers.push(iteration);
        let text = self.body(&inner, &yields, number);
        self.iterations /= trip_count.max(1);
        if count > 0 {
            let dialect = if is_affine { "affine" } else { "scf" };
            self.line(&format!("  {dialect}.yield{text}"));
        }
        self.line("}");
        let base = name.split(':').next().unwrap_or_default().to_owned();
        self.results(scope, number, &yields, &base);
    }
}
