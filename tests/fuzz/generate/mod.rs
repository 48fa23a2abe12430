//! Random valid programs as MLIR text: from a seed, and without MLIR.
//!
//! A program prints checksums, and its output is defined: nothing is read before it was written, no index is out of
//! bounds, every loop ends, integers wrap and floats use the same operations in the same order. Each value has the
//! memory that it may refer to ([`values`]), so nothing is used after a free or freed twice, and no operation reads
//! memory that it overwrites unless that is valid.

mod blocks;
mod calls;
mod chains;
pub mod choices;
mod composites;
mod computes;
mod dynamic;
mod elements;
mod escapes;
mod generator;
mod jumps;
mod ownership_transfer;
mod passed_memory;
mod regions;
mod statements;
mod strips;
mod types;
mod values;
mod views;
mod writes;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use choices::Choices;
use generator::Generator;
pub use types::SPACE;

/// The aim of programs: what is generated most often, and what is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// To be planned.
    Merge,
    /// To be deallocated. The caller of a function owns its results, and nothing else is freed for it. So no function
    /// frees its arguments, and memory that may be returned as a copy is not written any more.
    Free,
    /// To be rewritten: copied values are computed in place, and operations are reordered.
    Rewrite,
    /// To run strip by strip: chains of operations on static memrefs.
    Split,
}

/// A program: one function to test, those that it calls, and one that drives it.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its number: the seed, and the first number that it prints.
    pub seed: u64,
    /// The aim.
    pub aim: Aim,
    /// The choices that determine it.
    pub choices: Vec<u32>,
    /// Spans of the choices, each of which can be dropped.
    pub spans: Vec<Range<usize>>,
    /// Its functions.
    pub text: String,
    /// The count of each generated feature.
    pub features: BTreeMap<&'static str, u64>,
}

impl Program {
    /// The program of a seed.
    pub fn random(seed: u64, aim: Aim) -> Self {
        Self::of(seed, aim, Choices::random(seed))
    }

    /// The program of other choices.
    pub fn replayed(&self, choices: Vec<u32>) -> Self {
        Self::of(self.seed, self.aim, Choices::replayed(choices))
    }

    fn of(seed: u64, aim: Aim, choices: Choices) -> Self {
        let prefix = format!("p{seed}_");
        let (choices, text, features) = match aim {
            Aim::Split => {
                let generated = strips::program(choices, prefix);
                (generated.choices, generated.text, generated.features)
            }
            _ => {
                let generator = Generator::program(choices, aim, prefix);
                let text = generator.functions.concat();
                (generator.choices, text, generator.features)
            }
        };
        let (choices, spans) = choices.into_parts();
        Self {
            seed,
            aim,
            choices,
            spans,
            text,
            features,
        }
    }

    /// The number of functions.
    pub fn functions(&self) -> usize {
        self.text
            .lines()
            .filter(|line| line.starts_with("func.func "))
            .count()
    }
}

/// The bytes with which new and freed memory is filled, one for each run: output that differs depends on unwritten
/// memory.
pub const FILLS: [u8; 2] = [0xA5, 0x3C];

/// Printed before each program's number.
pub const MARK: &str = "program ";

/// The number of lines before the programs of a module.
pub const HEAD_LINES: usize = 9;

/// A module of the programs. Its `@main` runs them all, once for each of [`FILLS`].
pub fn module(programs: &[Program]) -> String {
    let mut text = String::from(
        "func.func private @fuzz_start(i64) attributes {memplan.nocallback}\n\
         func.func private @fuzz_program(i64) attributes {memplan.nocallback}\n\
         func.func private @fuzz_end() attributes {memplan.nocallback}\n\
         func.func private @fuzz_print(i64) attributes {memplan.nocallback}\n\
         func.func private @fuzz_look(memref<?xi64>) -> i64 attributes {memplan.nocallback}\n\
         func.func private @fuzz_put(memref<1xmemref<?xi64>>, memref<?xi64>)\n\
         func.func private @fuzz_byte() -> (memref<1xi8> {memplan.borrowed}) attributes {memplan.nocallback}\n\
         llvm.func @free(!llvm.ptr)\nllvm.func @fuzz_personality(...) -> i32\n",
    );
    for program in programs {
        text += &program.text;
    }
    for Program { seed, .. } in programs {
        // With `arena=arg`, arenas of a program are allocated here: the runner passes none, and what a program leaves is
        // counted from its mark to the next one.
        let _ = writeln!(
            text,
            "func.func private @p{seed}_run(%n: index) attributes {{memplan.arena_in = \"alloc\", no_inline}} {{\n  \
             call @p{seed}_main(%n) : (index) -> ()\n  return\n}}"
        );
    }
    text += "func.func @main() {\n";
    for (run, fill) in FILLS.iter().enumerate() {
        let _ = writeln!(text, "  %fill{run} = arith.constant {fill} : i64");
        let _ = writeln!(text, "  call @fuzz_start(%fill{run}) : (i64) -> ()");
        for Program { seed, .. } in programs {
            let (mark, size) = (format!("%mark{run}_{seed}"), format!("%n{run}_{seed}"));
            let _ = writeln!(text, "  {mark} = arith.constant {seed} : i64");
            let _ = writeln!(text, "  {size} = arith.constant {} : index", 2 + seed % 3);
            let _ = writeln!(text, "  call @fuzz_program({mark}) : (i64) -> ()");
            let _ = writeln!(text, "  call @p{seed}_run({size}) : (index) -> ()");
        }
        text += "  call @fuzz_end() : () -> ()\n";
    }
    text + "  return\n}\n"
}
