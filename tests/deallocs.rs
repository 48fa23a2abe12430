//! Executes `bufferization.dealloc` lowered in each form, for each assignment: the operands that are the same
//! memory, the views that they are, and the conditions that are true. The frees and the results must be those that
//! the operation defines.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::runner::runner;
use memplan_harness::tools::{Tools, root};

/// The maximum number of distinct allocations among the operands.
const ALLOCATIONS: usize = 3;
const LIMIT: Duration = Duration::from_secs(300);

/// Types of operands: a view that does not start at the allocation, a part of it, and one of any rank.
const TYPES: [&str; 3] = [
    "memref<?xi8>",
    "memref<?xi8, strided<[?], offset: ?>>",
    "memref<*xi8>",
];

/// A lowering of `bufferization.dealloc`.
#[derive(Clone, Copy, Debug)]
struct Lowering {
    /// The passes that lower deallocs.
    lower: &'static str,
    /// The passes that lower the rest.
    rest: &'static str,
    /// The optimization level.
    level: u8,
}

const LOWERINGS: [Lowering; 3] = [
    Lowering {
        lower: "memplan-lower-dealloc",
        rest: "convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-arith-to-llvm,finalize-memref-to-llvm,\
               convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts",
        level: 0,
    },
    Lowering {
        lower: "memplan-lower-dealloc",
        rest: "cse,canonicalize,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-to-llvm,\
               reconcile-unrealized-casts",
        level: 3,
    },
    Lowering {
        lower: "func.func(memplan-lower-dealloc)",
        rest: "canonicalize,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-to-llvm,\
               reconcile-unrealized-casts",
        level: 3,
    },
];

/// The numbers of memrefs and of retained ones of a dealloc.
#[derive(Clone, Copy)]
struct Shape {
    memrefs: usize,
    retained: usize,
    /// Whether it is in a loop that may run in parallel.
    is_parallel: bool,
}

impl Shape {
    fn operands(self) -> usize {
        self.memrefs + self.retained
    }

    /// The number of assignments of allocations to operands and of truth values to conditions.
    fn assignments(self) -> usize {
        ALLOCATIONS.pow(self.operands() as u32) << self.memrefs
    }

    /// The expected frees and results for an assignment: a bit for each allocation that is still live and, from the
    /// eighth bit on, the results.
    fn expected(self, assignment: usize) -> usize {
        let holds = |at: usize| assignment >> at & 1 == 1;
        let mut digits = assignment >> self.memrefs;
        let places: Vec<usize> = (0..self.operands())
            .map(|_| {
                let digit = digits % ALLOCATIONS;
                digits /= ALLOCATIONS;
                digit
            })
            .collect();
        let owned: BTreeSet<usize> = (0..self.memrefs)
            .filter(|at| holds(*at))
            .map(|at| places[at])
            .collect();
        let kept: BTreeSet<usize> = places[self.memrefs..].iter().copied().collect();
        let mut state = (0..ALLOCATIONS)
            .filter(|place| !owned.contains(place) || kept.contains(place))
            .fold(0, |state, place| state | 1 << place);
        for (at, place) in places[self.memrefs..].iter().enumerate() {
            state |= usize::from(owned.contains(place)) << (16 + at);
        }
        state
    }
}

fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(", ")
}

fn type_of(operand: usize) -> &'static str {
    TYPES[operand % TYPES.len()]
}

/// A function with the dealloc of a shape, and one that calls it for each assignment.
fn program(number: usize, shape: Shape) -> String {
    let Shape {
        memrefs,
        retained,
        is_parallel,
    } = shape;
    let operands = shape.operands();
    let mut text = String::new();
    let arguments = list(operands, |at| format!("%o{at}: {}", type_of(at)));
    let conditions: String = (0..memrefs).map(|at| format!(", %c{at}: i1")).collect();
    let _ = writeln!(
        text,
        "func.func private @dealloc_{number}({arguments}{conditions}, %out: memref<8xi64>) attributes {{no_inline}} {{\n  \
         %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index"
    );
    if is_parallel {
        let _ = writeln!(
            text,
            "  scf.parallel (%i) = (%zero) to (%one) step (%one) {{"
        );
    }
    let results = if retained == 0 {
        String::new()
    } else {
        format!("%r:{retained} = ")
    };
    let _ = write!(
        text,
        "  {results}bufferization.dealloc ({} : {}) if ({})",
        list(memrefs, |at| format!("%o{at}")),
        list(memrefs, |at| type_of(at).to_owned()),
        list(memrefs, |at| format!("%c{at}")),
    );
    if retained > 0 {
        let _ = write!(
            text,
            " retain ({} : {})",
            list(retained, |at| format!("%o{}", memrefs + at)),
            list(retained, |at| type_of(memrefs + at).to_owned()),
        );
    }
    text.push('\n');
    for at in 0..retained {
        let _ = writeln!(
            text,
            "  %at{at} = arith.constant {at} : index\n  %e{at} = arith.extui %r#{at} : i1 to i64\n  \
             memref.store %e{at}, %out[%at{at}] : memref<8xi64>"
        );
    }
    if is_parallel {
        text.push_str("  }\n");
    }
    text.push_str("  return\n}\n");
    caller(&mut text, number, shape);
    text
}

fn caller(text: &mut String, number: usize, shape: Shape) {
    let Shape {
        memrefs, retained, ..
    } = shape;
    let operands = shape.operands();
    let _ = writeln!(
        text,
        "func.func private @world_{number}(%assignment: index) attributes {{no_inline}} {{\n  \
         %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n  %two = arith.constant 2 : index\n  \
         %three = arith.constant {ALLOCATIONS} : index\n  %c16 = arith.constant 16 : index\n  \
         %c32 = arith.constant 32 : index\n  %out = memref.alloca() : memref<8xi64>\n  \
         llvm.call @heap_start() : () -> ()"
    );
    for at in 0..ALLOCATIONS {
        let _ = writeln!(
            text,
            "  %a{at} = memref.alloc() {{alignment = 64 : i64}} : memref<128xi8>\n  \
             %v{at}_0 = memref.view %a{at}[%c16][%c32] : memref<128xi8> to memref<?xi8>\n  \
             %p{at} = memref.subview %a{at}[8] [16] [1] : memref<128xi8> to memref<16xi8, strided<[1], offset: 8>>\n  \
             %v{at}_1 = memref.cast %p{at} : memref<16xi8, strided<[1], offset: 8>> to {}\n  \
             %w{at} = memref.view %a{at}[%c32][] : memref<128xi8> to memref<2x4xi8>\n  \
             %v{at}_2 = memref.cast %w{at} : memref<2x4xi8> to {}",
            TYPES[1], TYPES[2]
        );
    }
    text.push_str("  %rest0 = arith.addi %assignment, %zero : index\n");
    for at in 0..memrefs {
        let next = at + 1;
        let _ = writeln!(
            text,
            "  %bit{at} = arith.remui %rest{at}, %two : index\n  \
             %c{at} = arith.cmpi eq, %bit{at}, %one : index\n  %rest{next} = arith.divui %rest{at}, %two : index"
        );
    }
    for at in 0..operands {
        let (rest, kind) = (memrefs + at, at % TYPES.len());
        let next = rest + 1;
        let _ = writeln!(
            text,
            "  %d{at} = arith.remui %rest{rest}, %three : index\n  \
             %rest{next} = arith.divui %rest{rest}, %three : index\n  \
             %is0_{at} = arith.cmpi eq, %d{at}, %zero : index\n  %is1_{at} = arith.cmpi eq, %d{at}, %one : index\n  \
             %s{at} = arith.select %is1_{at}, %v1_{kind}, %v2_{kind} : {}\n  \
             %o{at} = arith.select %is0_{at}, %v0_{kind}, %s{at} : {}",
            type_of(at),
            type_of(at)
        );
    }
    let conditions: String = (0..memrefs).map(|at| format!(", %c{at}")).collect();
    let _ = writeln!(
        text,
        "  func.call @dealloc_{number}({}{conditions}, %out) : ({}{}, memref<8xi64>) -> ()\n  \
         %state = llvm.call @heap_state() : () -> i64",
        list(operands, |at| format!("%o{at}")),
        list(operands, |at| type_of(at).to_owned()),
        ", i1".repeat(memrefs),
    );
    let mut state = "%state".to_owned();
    for at in 0..retained {
        let _ = writeln!(
            text,
            "  %at{at} = arith.constant {at} : index\n  %l{at} = memref.load %out[%at{at}] : memref<8xi64>\n  \
             %k{at} = arith.constant {} : i64\n  %h{at} = arith.shli %l{at}, %k{at} : i64\n  \
             %j{at} = arith.ori {state}, %h{at} : i64",
            16 + at
        );
        state = format!("%j{at}");
    }
    let _ = writeln!(
        text,
        "  func.call @printI64({state}) : (i64) -> ()\n  func.call @printNewline() : () -> ()\n  return\n}}\n\
         func.func private @worlds_{number}() {{\n  %zero = arith.constant 0 : index\n  \
         %one = arith.constant 1 : index\n  %assignments = arith.constant {} : index\n  \
         scf.for %assignment = %zero to %assignments step %one {{\n    func.call @world_{number}(%assignment) : (index) -> ()\n  }}\n  \
         return\n}}",
        shape.assignments()
    );
}

/// The output for the assignments of all shapes.
fn execute(tools: &Tools, shapes: &[Shape], lowering: Lowering) -> Result<Vec<usize>> {
    let mut text = String::from(
        "module {\nfunc.func private @printI64(i64)\nfunc.func private @printNewline()\n\
         llvm.func @heap_start()\nllvm.func @heap_state() -> i64\n",
    );
    let mut calls = String::new();
    for (number, shape) in shapes.iter().enumerate() {
        text += &program(number, *shape);
        let _ = writeln!(calls, "  call @worlds_{number}() : () -> ()");
    }
    let _ = writeln!(text, "func.func @main() {{\n{calls}  return\n}}\n}}");
    let folder = tempfile::tempdir()?;
    let (before, after) = (
        folder.path().join("before.mlir"),
        folder.path().join("after.mlir"),
    );
    fs::write(&before, text)?;
    let lowered = output(
        limited(LIMIT, tools.mlir_opt())
            .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg(format!(
                "--pass-pipeline=builtin.module({},{})",
                lowering.lower, lowering.rest
            ))
            .arg(&before),
    )?;
    let lowered = String::from_utf8(lowered)?
        .replace("@malloc(", "@heap_malloc(")
        .replace("@free(", "@heap_free(");
    // The checking heap replaces the declared functions.
    let lines: Vec<&str> = lowered
        .lines()
        .filter(|line| !line.trim_start().starts_with("llvm.func @heap_"))
        .collect();
    let lowered = lines.join("\n");
    let body = lowered.trim_end().strip_suffix('}');
    let body = body.context("a module ends with a brace")?;
    let heap = fs::read_to_string(root().join("tests/deallocs/heap.mlir"))?;
    fs::write(&after, format!("{body}\n{heap}}}\n"))?;
    let printed = output(&mut runner(tools, &after, lowering.level, &[], LIMIT))?;
    String::from_utf8(printed)?
        .lines()
        .map(|line| Ok(line.trim().parse()?))
        .collect()
}

#[test]
fn each_lowering_frees_and_returns_what_the_operation_defines() -> Result<()> {
    let shape = |memrefs, retained, is_parallel| Shape {
        memrefs,
        retained,
        is_parallel,
    };
    let shapes = [
        shape(1, 0, false),
        shape(1, 1, false),
        shape(1, 4, false),
        shape(2, 0, false),
        shape(2, 2, false),
        shape(3, 2, false),
        shape(2, 1, true),
        // Many operands: loops over tables.
        shape(6, 1, false),
        shape(4, 3, false),
        shape(4, 3, true),
    ];
    let tools = Tools::find()?;
    for lowering in LOWERINGS {
        let printed = execute(&tools, &shapes, lowering)?;
        let mut printed = printed.into_iter();
        for shape in shapes {
            let Shape {
                memrefs,
                retained,
                is_parallel,
            } = shape;
            for assignment in 0..shape.assignments() {
                let (found, expected) = (printed.next(), shape.expected(assignment));
                ensure!(
                    found == Some(expected),
                    "{lowering:?}, {memrefs} memrefs, {retained} retained, parallel: {is_parallel}, assignment {assignment:b}: \
                     {found:x?} in place of {expected:x}"
                );
            }
        }
        ensure!(
            printed.next().is_none(),
            "more is printed than there are assignments"
        );
    }
    Ok(())
}
