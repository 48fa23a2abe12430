//! Deallocs are lowered in each form and executed in each world: which operands are the same memory, seen through which
//! views, and which conditions hold. What is freed and what is said is what the operation means.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::runner::runner;
use memplan_harness::tools::{Tools, root};

/// As many allocations as operands may be.
const ALLOCATIONS: usize = 3;
const LIMIT: Duration = Duration::from_secs(300);

/// Types of operands: bytes from elsewhere than where the allocation starts, a part of it, and one of any rank.
const TYPES: [&str; 3] = [
    "memref<?xi8>",
    "memref<?xi8, strided<[?], offset: ?>>",
    "memref<*xi8>",
];

/// From `bufferization.dealloc` down.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// What lowers deallocs.
    lower: &'static str,
    /// What lowers the rest.
    rest: &'static str,
    /// The optimization level of the run.
    level: u8,
}

const WAYS: [Way; 3] = [
    Way {
        lower: "memplan-lower-dealloc",
        rest: "convert-scf-to-cf,expand-strided-metadata,lower-affine,convert-arith-to-llvm,finalize-memref-to-llvm,\
               convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts",
        level: 0,
    },
    Way {
        lower: "memplan-lower-dealloc",
        rest: "cse,canonicalize,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-to-llvm,\
               reconcile-unrealized-casts",
        level: 3,
    },
    Way {
        lower: "func.func(memplan-lower-dealloc)",
        rest: "canonicalize,expand-strided-metadata,lower-affine,convert-scf-to-cf,convert-to-llvm,\
               reconcile-unrealized-casts",
        level: 3,
    },
];

/// How many memrefs and retained ones a dealloc has.
#[derive(Clone, Copy)]
struct Shape {
    memrefs: usize,
    retained: usize,
    /// It stands in a loop that may run in parallel.
    is_parallel: bool,
}

impl Shape {
    fn operands(self) -> usize {
        self.memrefs + self.retained
    }

    /// In so many ways operands may be allocations, and conditions may hold.
    fn worlds(self) -> usize {
        ALLOCATIONS.pow(self.operands() as u32) << self.memrefs
    }

    /// What is freed and said in a world: what is held, and behind the eighth bit the results.
    fn expected(self, world: usize) -> usize {
        let holds = |at: usize| world >> at & 1 == 1;
        let mut digits = world >> self.memrefs;
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

/// A function with the dealloc of a shape, and one that calls it in each world.
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
            "  scf.parallel (%turn) = (%zero) to (%one) step (%one) {{"
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
        "func.func private @world_{number}(%world: index) attributes {{no_inline}} {{\n  \
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
    text.push_str("  %rest0 = arith.addi %world, %zero : index\n");
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
         %one = arith.constant 1 : index\n  %worlds = arith.constant {} : index\n  \
         scf.for %world = %zero to %worlds step %one {{\n    func.call @world_{number}(%world) : (index) -> ()\n  }}\n  \
         return\n}}",
        shape.worlds()
    );
}

/// What the worlds of all shapes print.
fn execute(tools: &Tools, shapes: &[Shape], way: Way) -> Result<Vec<usize>> {
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
                way.lower, way.rest
            ))
            .arg(&before),
    )?;
    let lowered = String::from_utf8(lowered)?
        .replace("@malloc(", "@heap_malloc(")
        .replace("@free(", "@heap_free(");
    // The heap takes the place of what is declared.
    let lines: Vec<&str> = lowered
        .lines()
        .filter(|line| !line.trim_start().starts_with("llvm.func @heap_"))
        .collect();
    let lowered = lines.join("\n");
    let body = lowered.trim_end().strip_suffix('}');
    let body = body.context("a module ends with a brace")?;
    let heap = fs::read_to_string(root().join("tests/deallocs/heap.mlir"))?;
    fs::write(&after, format!("{body}\n{heap}}}\n"))?;
    let printed = output(&mut runner(tools, &after, way.level, &[], LIMIT))?;
    String::from_utf8(printed)?
        .lines()
        .map(|line| Ok(line.trim().parse()?))
        .collect()
}

#[test]
fn each_form_frees_and_says_what_it_means() -> Result<()> {
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
        // Long ones: loops over tables.
        shape(6, 1, false),
        shape(4, 3, false),
        shape(4, 3, true),
    ];
    let tools = Tools::find()?;
    for way in WAYS {
        let printed = execute(&tools, &shapes, way)?;
        let mut printed = printed.into_iter();
        for shape in shapes {
            let Shape {
                memrefs,
                retained,
                is_parallel,
            } = shape;
            for world in 0..shape.worlds() {
                let (found, expected) = (printed.next(), shape.expected(world));
                ensure!(
                    found == Some(expected),
                    "{way:?}, {memrefs} memrefs, {retained} retained, parallel: {is_parallel}, world {world:b}: \
                     {found:x?} in place of {expected:x}"
                );
            }
        }
        ensure!(
            printed.next().is_none(),
            "more is printed than there are worlds"
        );
    }
    Ok(())
}
