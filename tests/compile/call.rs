//! A `main` that calls the functions of a program and prints what they return and write.

use std::fmt::Write;

/// The most elements of a vector that are printed.
const ELEMENTS: usize = 64;

/// MLIR to append to a program; `None` if it has no function that can be called with numbers.
pub fn caller(program: &str) -> Option<String> {
    if program.contains("module {")
        || program.contains("module @")
        || program.contains("module attributes")
    {
        return None;
    }
    let functions: Vec<Function<'_>> = functions(program).collect();
    let mut body = Body::default();
    let mut called = 0;
    for function in &functions {
        // A function that cannot be called leaves nothing.
        let mut with = body.clone();
        if with.call(function, called).is_some() {
            body = with;
            called += 1;
        }
    }
    let declared = |name: &str| program.contains(name);
    (called > 0 && !declared("@main") && !declared("@print_")).then(|| {
        format!(
            "\nfunc.func private @print_float(f64)\nfunc.func private @print_int(i64)\n\
             func.func private @print_name(i64)\n\
             func.func @main() -> i32 {{\n  %main.0 = arith.constant 0 : index\n  \
             %main.1 = arith.constant 1 : index\n{}  \
             %main.rc = arith.constant 0 : i32\n  return %main.rc : i32\n}}\n",
            body.text
        )
    })
}

/// The signature of a function.
struct Function<'t> {
    name: &'t str,
    arguments: Vec<&'t str>,
    results: Vec<&'t str>,
}

/// The public functions of `func` that a program defines.
fn functions(program: &str) -> impl Iterator<Item = Function<'_>> {
    program.split("func.func @").skip(1).filter_map(|text| {
        let (name, rest) = text.split_once('(')?;
        let (arguments, rest) = closed(rest, ')')?;
        let rest = rest.trim_start();
        let results = match rest.strip_prefix("->").map(str::trim_start) {
            None => Vec::new(),
            Some(rest) => match rest.strip_prefix('(') {
                Some(rest) => parts(closed(rest, ')')?.0),
                None => {
                    let end = rest.find(" attributes").unwrap_or(rest.len());
                    let end = end.min(rest.find(" {")?);
                    vec![rest[..end].trim()]
                }
            },
        };
        let arguments = parts(arguments).into_iter();
        Some(Function {
            name,
            arguments: arguments
                .map(|argument| argument.split_once(':').map(|(_, of)| of.trim()))
                .collect::<Option<_>>()?,
            results,
        })
    })
}

/// A text up to the bracket that closes it, and the rest.
fn closed(text: &str, close: char) -> Option<(&str, &str)> {
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, one) in text.char_indices() {
        match one {
            _ if depth == 0 && one == close => return Some((&text[..at], &text[at + 1..])),
            '(' | '<' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            ')' | '>' | ']' | '}' => depth -= 1,
            _ => {}
        }
        before = one;
    }
    None
}

/// The parts of a list, which commas separate.
fn parts(text: &str) -> Vec<&str> {
    let (mut all, mut rest) = (Vec::new(), text.trim());
    while !rest.is_empty() {
        let (part, after) = closed(rest, ',').unwrap_or((rest, ""));
        all.push(part.trim());
        rest = after.trim_start();
    }
    all
}

/// The text of the function `main`.
#[derive(Clone, Default)]
struct Body {
    text: String,
    values: usize,
}

impl Body {
    fn line(&mut self, text: &str) {
        _ = writeln!(self.text, "  {text}");
    }

    /// A new value of an operation.
    fn value(&mut self, op: &str) -> String {
        let name = format!("%main.v{}", self.values);
        self.values += 1;
        self.line(&format!("{name} = {op}"));
        name
    }

    /// Calls a function and prints its results, and then the arguments in memory.
    fn call(&mut self, function: &Function<'_>, number: usize) -> Option<()> {
        let mut arguments = Vec::new();
        for of in &function.arguments {
            arguments.push(self.argument(of)?);
        }
        self.line(&format!("%main.n{number} = arith.constant {number} : i64"));
        self.line(&format!(
            "func.call @print_name(%main.n{number}) : (i64) -> ()"
        ));
        let call = format!(
            "func.call @{}({}) : ({}) -> ({})",
            function.name,
            arguments.join(", "),
            function.arguments.join(", "),
            function.results.join(", ")
        );
        let results: Vec<String> = match function.results.len() {
            0 => {
                self.line(&call);
                Vec::new()
            }
            count => {
                let name = format!("%main.r{number}");
                self.line(&format!("{name}:{count} = {call}"));
                (0..count).map(|at| format!("{name}#{at}")).collect()
            }
        };
        for (value, of) in results.iter().zip(&function.results) {
            self.print(value, of);
        }
        for (value, of) in arguments.iter().zip(&function.arguments) {
            if of.starts_with("memref<") {
                self.print(value, of);
            }
        }
        Some(())
    }

    /// A value of a type: 2, 1.5, memory filled with it.
    fn argument(&mut self, of: &str) -> Option<String> {
        if let Some(inner) = of
            .strip_prefix("memref<")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            let (sizes, element) = shape(inner)?;
            let element_value = self.argument(element)?;
            if sizes == ["*"] {
                let of_four = format!("memref<4x{element}>");
                let memory = self.value(&format!("memref.alloc() : {of_four}"));
                self.line(&format!(
                    "linalg.fill ins({element_value} : {element}) outs({memory} : {of_four})"
                ));
                return Some(self.value(&format!("memref.cast {memory} : {of_four} to {of}")));
            }
            let unknown: Vec<String> = sizes
                .iter()
                .filter(|size| **size == "?")
                .map(|_| self.value("arith.constant 8 : index"))
                .collect();
            let memory = self.value(&format!("memref.alloc({}) : {of}", unknown.join(", ")));
            self.line(&format!(
                "linalg.fill ins({element_value} : {element}) outs({memory} : {of})"
            ));
            return Some(memory);
        }
        if let Some(inner) = of
            .strip_prefix("vector<")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            let (_, element) = shape(inner)?;
            let value = number(element)?;
            return Some(self.value(&format!("arith.constant dense<{value}> : {of}")));
        }
        let part = of
            .strip_prefix("complex<")
            .and_then(|rest| rest.strip_suffix('>'));
        if let Some(part) = part.filter(|part| part.starts_with(['f', 'b'])) {
            let parts = format!("[1.5 : {part}, 0.5 : {part}]");
            return Some(self.value(&format!("complex.constant {parts} : {of}")));
        }
        if of == "!llvm.ptr" {
            let size = self.value("llvm.mlir.constant(4096 : i64) : i64");
            let memory = self.value(&format!("llvm.alloca {size} x i8 : (i64) -> !llvm.ptr"));
            let zero = self.value("llvm.mlir.constant(0 : i8) : i8");
            self.line(&format!(
                "\"llvm.intr.memset\"({memory}, {zero}, {size}) <{{isVolatile = false}}> : (!llvm.ptr, i8, i64) -> ()"
            ));
            return Some(memory);
        }
        let value = number(of)?;
        Some(self.value(&match of {
            "i1" => format!("arith.constant {value}"),
            _ => format!("arith.constant {value} : {of}"),
        }))
    }

    /// Prints a value, if its type is one of numbers.
    fn print(&mut self, value: &str, of: &str) {
        if let Some(inner) = of
            .strip_prefix("memref<")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            let Some((sizes, element)) = shape(inner) else {
                return;
            };
            if number(element).is_none() || sizes == ["*"] {
                return;
            }
            let mut indices = Vec::new();
            for at in 0..sizes.len() {
                let position = self.value(&format!("arith.constant {at} : index"));
                let size = self.value(&format!("memref.dim {value}, {position} : {of}"));
                let index = format!("%main.v{}", self.values);
                self.values += 1;
                self.line(&format!(
                    "scf.for {index} = %main.0 to {size} step %main.1 {{"
                ));
                indices.push(index);
            }
            let loaded = self.value(&format!(
                "memref.load {value}[{}] : {of}",
                indices.join(", ")
            ));
            self.print(&loaded, element);
            for _ in sizes {
                self.line("}");
            }
            return;
        }
        if let Some(inner) = of
            .strip_prefix("vector<")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            let Some((sizes, element)) = shape(inner) else {
                return;
            };
            let sizes: Option<Vec<usize>> = sizes.iter().map(|size| size.parse().ok()).collect();
            let Some(count) = sizes.map(|sizes| sizes.iter().product::<usize>()) else {
                return;
            };
            let flat = format!("vector<{count}x{element}>");
            let flat_value = self.value(&format!("vector.shape_cast {value} : {of} to {flat}"));
            for at in 0..count.min(ELEMENTS) {
                let one = self.value(&format!(
                    "vector.extract {flat_value}[{at}] : {element} from {flat}"
                ));
                self.print(&one, element);
            }
            return;
        }
        if let Some(part) = of
            .strip_prefix("complex<")
            .and_then(|rest| rest.strip_suffix('>'))
        {
            for op in ["re", "im"] {
                let one = self.value(&format!("complex.{op} {value} : {of}"));
                self.print(&one, part);
            }
            return;
        }
        let (function, wide, op) = match of {
            "f64" => ("print_float", "f64", None),
            "f16" | "bf16" | "f32" => ("print_float", "f64", Some("arith.extf")),
            "i64" => ("print_int", "i64", None),
            "index" => ("print_int", "i64", Some("arith.index_cast")),
            "i1" => ("print_int", "i64", Some("arith.extui")),
            _ if bits(of).is_some_and(|bits| bits < 64) => {
                ("print_int", "i64", Some("arith.extsi"))
            }
            _ => return,
        };
        let value = match op {
            Some(op) => self.value(&format!("{op} {value} : {of} to {wide}")),
            None => value.to_owned(),
        };
        self.line(&format!("func.call @{function}({value}) : ({wide}) -> ()"));
    }
}

/// The sizes and the element type in `4x?xf32`; `None` for a layout or a memory space.
fn shape(text: &str) -> Option<(Vec<&str>, &str)> {
    let mut sizes = Vec::new();
    let mut rest = text;
    while rest.starts_with(|one: char| one.is_ascii_digit() || one == '?' || one == '*') {
        let (size, after) = rest.split_once('x')?;
        sizes.push(size);
        rest = after;
    }
    (!rest.contains([',', '[', '#'])).then_some((sizes, rest))
}

/// The number of bits of an integer type without a sign.
fn bits(of: &str) -> Option<usize> {
    of.strip_prefix('i')?.parse().ok()
}

/// The number of this type that functions are called with.
fn number(of: &str) -> Option<&'static str> {
    match of {
        "i1" => Some("true"),
        "index" => Some("2"),
        "f16" | "bf16" | "f32" | "f64" => Some("1.5"),
        _ => bits(of).map(|_| "2"),
    }
}
