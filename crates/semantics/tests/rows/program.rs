//! The text of an executed program: it calls a function on memory with known contents, and prints the contents
//! afterwards.

use crate::{
    isolate::Isolated,
    memory::{
        ALL, Argument, Buffer, ELEMENTS, START, STEP, first, narrowed, shift, vector, widened,
    },
};
use std::fmt::Write;

/// The content of an output line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The elements of the memory of an argument.
    Memory,
    /// A result, or its elements.
    Numbers,
    /// The position of a result in each memory.
    Pointer,
}

/// The position of a pointer relative to a memory: not in it, at its start, or elsewhere in it.
pub const ELSEWHERE: i64 = 0;
pub const AT_START: i64 = 2;

/// A function that can be executed.
#[derive(Debug)]
pub struct Program {
    /// Its number among all functions.
    pub number: usize,
    /// The function, named `isolated_NUMBER`.
    pub function: String,
    arguments: Vec<Argument>,
    types: Vec<String>,
    /// The types of its results.
    pub results: Vec<String>,
    /// The operands that each argument corresponds to.
    pub operands: Vec<Vec<usize>>,
}

/// The program of a function with this number, if it can be executed. Its arguments must be memory, scalars and
/// vectors, including at least one memory, and it must not need other symbols.
pub fn program(isolated: &Isolated, number: usize) -> Option<Program> {
    if !isolated.symbols.is_empty() {
        return None;
    }
    let arguments: Vec<_> = isolated
        .arguments
        .iter()
        .map(|one| Argument::of(&one.r#type))
        .collect::<Option<_>>()?;
    let results: Vec<_> = (0..isolated.results.len()).collect();
    arguments
        .iter()
        .any(|one| one.memory().is_some())
        .then(|| Program {
            number,
            function: isolated.function(&format!("isolated_{number}"), &results),
            arguments,
            types: isolated
                .arguments
                .iter()
                .map(|one| one.r#type.clone())
                .collect(),
            results: isolated.results.clone(),
            operands: isolated
                .arguments
                .iter()
                .map(|one| one.operands.clone())
                .collect(),
        })
}

impl Program {
    /// A function that runs it once: `%variant` is the number of the argument with other contents.
    pub fn text(&self) -> String {
        let number = self.number;
        let mut out = format!("func.func @run_{number}(%variant: i64) {{\n");
        _ = writeln!(
            out,
            "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index"
        );
        for (at, made) in self.arguments.iter().enumerate() {
            let buffer = match made {
                Argument::Scalar(line) => {
                    _ = writeln!(out, "%v{at} = {line}");
                    continue;
                }
                Argument::Memref(buffer) | Argument::Pointer(buffer) => buffer,
            };
            let Buffer {
                element,
                space,
                length,
                ..
            } = buffer;
            let whole = buffer.flat();
            _ = writeln!(
                out,
                "%m{at} = memref.alloc() {{alignment = 64}} : {whole}\n%n{at} = arith.constant {length} : index\n\
                 %s{at} = arith.constant {at} : i64\n%is{at} = arith.cmpi eq, %variant, %s{at} : i64\n\
                 %o{at} = arith.constant {} : i64\n%z{at} = arith.constant 0 : i64\n\
                 %d{at} = arith.select %is{at}, %o{at}, %z{at} : i64\n\
                 scf.for %i = %c0 to %n{at} step %c1 {{\n%i64 = arith.index_cast %i : index to i64\n\
                 %step = arith.constant {STEP} : i64\n%p = arith.muli %i64, %step : i64\n\
                 %b = arith.constant {START} : i64\n%q = arith.addi %p, %b : i64\n%all = arith.constant {ALL} : i64\n\
                 %rest = arith.remui %q, %all : i64\n%first = arith.constant {} : i64\n\
                 %more = arith.addi %rest, %first : i64\n%r = arith.addi %more, %d{at} : i64",
                shift(element),
                first(at),
            );
            narrowed(&mut out, "%r", element, "%e");
            _ = writeln!(out, "memref.store %e, %m{at}[%i] : {whole}\n}}");
            let own = &self.types[at];
            match made {
                Argument::Memref(_) => {
                    let list = |all: &[i64]| {
                        let all: Vec<_> = all.iter().map(ToString::to_string).collect();
                        all.join(", ")
                    };
                    let sizes = buffer.sizes.iter().map(|size| format!("{size}x"));
                    let (offset, strides) = (buffer.offset, list(&buffer.strides));
                    let strided = format!(
                        "memref<{}{element}, strided<[{strides}], offset: {offset}>{space}>",
                        sizes.collect::<String>()
                    );
                    _ = writeln!(
                        out,
                        "%w{at} = memref.reinterpret_cast %m{at} to offset: [{offset}], sizes: [{}], \
                         strides: [{strides}] : {whole} to {strided}\n\
                         %v{at} = memref.cast %w{at} : {strided} to {own}",
                        list(&buffer.sizes),
                    );
                }
                _ => {
                    _ = writeln!(
                        out,
                        "%x{at} = memref.extract_aligned_pointer_as_index %m{at} : {whole} -> index\n\
                         %y{at} = arith.index_cast %x{at} : index to i64\n\
                         %v{at} = llvm.inttoptr %y{at} : i64 to !llvm.ptr"
                    );
                }
            }
        }
        let names: Vec<_> = (0..self.types.len()).map(|at| format!("%v{at}")).collect();
        let results = match self.results.len() {
            0 => String::new(),
            count => format!("%r:{count} = "),
        };
        _ = writeln!(
            out,
            "{results}func.call @isolated_{number}({}) : ({}) -> ({})",
            names.join(", "),
            self.types.join(", "),
            self.results.join(", ")
        );
        for (at, buffer) in self.memories() {
            let whole = buffer.flat();
            start(&mut out, number, Kind::Memory, at);
            _ = writeln!(
                out,
                "scf.for %i = %c0 to %n{at} step %c1 {{\n%e = memref.load %m{at}[%i] : {whole}"
            );
            widened(&mut out, "%e", &buffer.element, "%f");
            _ = writeln!(out, "func.call @number(%f) : (i64) -> ()\n}}");
        }
        for (at, r#type) in self.results.iter().enumerate() {
            self.result(&mut out, at, r#type);
        }
        out.push_str("func.call @printNewline() : () -> ()\nreturn\n}\n");
        out
    }

    /// Prints a result: its numbers, or the memory that it points to.
    fn result(&self, out: &mut String, at: usize, r#type: &str) {
        let number = self.number;
        if r#type.starts_with("memref<") && !r#type.starts_with("memref<*") {
            start(out, number, Kind::Pointer, at);
            _ = writeln!(
                out,
                "%px{at} = memref.extract_aligned_pointer_as_index %r#{at} : {type} -> index\n\
                 %pi{at} = arith.index_cast %px{at} : index to i64"
            );
        } else if r#type == "!llvm.ptr" {
            start(out, number, Kind::Pointer, at);
            _ = writeln!(out, "%pi{at} = llvm.ptrtoint %r#{at} : !llvm.ptr to i64");
        } else if let Some((count, element)) = vector(r#type) {
            start(out, number, Kind::Numbers, at);
            for lane in 0..count {
                let name = format!("%l{at}_{lane}");
                _ = writeln!(
                    out,
                    "{name} = vector.extract %r#{at}[{lane}] : {element} from {type}"
                );
                widened(out, &name, element, &format!("{name}w"));
                _ = writeln!(out, "func.call @number({name}w) : (i64) -> ()");
            }
            return;
        } else if ELEMENTS.contains(&r#type) {
            start(out, number, Kind::Numbers, at);
            widened(out, &format!("%r#{at}"), r#type, &format!("%w_{at}"));
            _ = writeln!(out, "func.call @number(%w_{at}) : (i64) -> ()");
            return;
        } else {
            return;
        }
        for (memory, buffer) in self.memories() {
            let (name, whole) = (format!("{at}_{memory}"), buffer.flat());
            _ = writeln!(
                out,
                "%ax{name} = memref.extract_aligned_pointer_as_index %m{memory} : {whole} -> index\n\
                 %ai{name} = arith.index_cast %ax{name} : index to i64\n\
                 %al{name} = arith.constant {} : i64\n%ae{name} = arith.addi %ai{name}, %al{name} : i64\n\
                 %af{name} = arith.cmpi uge, %pi{at}, %ai{name} : i64\n\
                 %at{name} = arith.cmpi ult, %pi{at}, %ae{name} : i64\n\
                 %ab{name} = arith.andi %af{name}, %at{name} : i1\n%ah{name} = arith.extui %ab{name} : i1 to i64\n\
                 %as{name} = arith.cmpi eq, %pi{at}, %ai{name} : i64\n%ag{name} = arith.extui %as{name} : i1 to i64\n\
                 %an{name} = arith.addi %ah{name}, %ag{name} : i64\nfunc.call @number(%an{name}) : (i64) -> ()",
                buffer.bytes()
            );
        }
    }

    /// The arguments that are memory.
    pub fn memories(&self) -> impl Iterator<Item = (usize, &Buffer)> {
        let all = self.arguments.iter().enumerate();
        all.filter_map(|(at, made)| made.memory().map(|buffer| (at, buffer)))
    }
}

/// Starts a line of the output with the program, the content, its number and the variant.
fn start(out: &mut String, number: usize, kind: Kind, at: usize) {
    let kind = kind as usize;
    let name = format!("%k{kind}_{at}");
    _ = writeln!(out, "func.call @printNewline() : () -> ()");
    for (place, value) in [number, kind, at].into_iter().enumerate() {
        _ = writeln!(
            out,
            "{name}_{place} = arith.constant {value} : i64\nfunc.call @number({name}_{place}) : (i64) -> ()"
        );
    }
    _ = writeln!(out, "func.call @number(%variant) : (i64) -> ()");
}
