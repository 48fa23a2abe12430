//! Random valid programs as MLIR text: seeded, and without MLIR.
//!
//! A program prints checksums, and its output is defined: nothing is read that was not written, no index is out of
//! bounds, every loop ends, integers wrap and floats take the same operations in the same order. Values carry what they
//! may refer to ([`values`]), so that nothing is used after it was freed or freed twice, and no op that must not reads
//! what it overwrites.

mod blocks;
mod boxes;
mod calls;
pub mod choices;
mod computes;
mod dynamic;
mod elements;
mod escapes;
mod generator;
mod handed;
mod jumps;
mod regions;
mod statements;
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

/// What programs are made for: what is made most often, and what is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// To be planned.
    Merge,
    /// To be freed. Who calls a function owns what it gives and nothing else is freed for it, so none frees its
    /// arguments, and what may be given back as a copy is not written any more.
    Free,
    /// To be rewritten: what is copied is computed where it goes, operations change places.
    Rewrite,
}

/// A program: one function to test, those that it calls, and one that drives it.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its number in the run: what it is seeded with, and what it prints first.
    pub seed: u64,
    /// What it was made for.
    pub aim: Aim,
    /// What it was made from.
    pub choices: Vec<u32>,
    /// Spans of the choices, each of which can go.
    pub spans: Vec<Range<usize>>,
    /// Its functions.
    pub text: String,
    /// How often each thing was made.
    pub features: BTreeMap<&'static str, u64>,
}

impl Program {
    /// The program of a seed.
    pub fn random(seed: u64, aim: Aim) -> Self {
        Self::of(seed, aim, Choices::random(seed))
    }

    /// The program that other choices make.
    pub fn replayed(&self, choices: Vec<u32>) -> Self {
        Self::of(self.seed, self.aim, Choices::replayed(choices))
    }

    fn of(seed: u64, aim: Aim, choices: Choices) -> Self {
        let made = Generator::program(choices, aim, format!("p{seed}_"));
        let (choices, spans) = made.choices.into_parts();
        Self {
            seed,
            aim,
            choices,
            spans,
            text: made.functions.concat(),
            features: made.features,
        }
    }

    /// Functions of the program.
    pub fn functions(&self) -> usize {
        self.text
            .lines()
            .filter(|line| line.starts_with("func.func "))
            .count()
    }
}

/// What new and freed memory is filled with, each in its turn: output that differs depends on memory that was never
/// written.
pub const FILLS: [u8; 2] = [0xA5, 0x3C];

/// What is printed in front of each program's number.
pub const MARK: &str = "program ";

/// Lines in front of the programs of a module.
pub const HEAD_LINES: usize = 9;

/// A module of the programs. Its `@main` runs them all, once for each of [`FILLS`].
pub fn module(programs: &[Program]) -> String {
    let mut text = String::from(
        "func.func private @fuzz_start(i64)\nfunc.func private @fuzz_program(i64)\nfunc.func private @fuzz_end()\n\
         func.func private @fuzz_print(i64)\nfunc.func private @fuzz_look(memref<?xi64>) -> i64\n\
         func.func private @fuzz_put(memref<1xmemref<?xi64>>, memref<?xi64>)\n\
         func.func private @fuzz_byte() -> (memref<1xi8> {memplan.borrowed})\nllvm.func @free(!llvm.ptr)\nllvm.func @fuzz_personality(...) -> i32\n",
    );
    for program in programs {
        text += &program.text;
    }
    // The runner hands over nothing: with `arena=arg` its arena stays its own.
    text += "func.func @main() attributes {memplan.arena_in = \"alloc\"} {\n";
    for (turn, fill) in FILLS.iter().enumerate() {
        let _ = writeln!(text, "  %fill{turn} = arith.constant {fill} : i64");
        let _ = writeln!(text, "  call @fuzz_start(%fill{turn}) : (i64) -> ()");
        for Program { seed, .. } in programs {
            let (mark, size) = (format!("%mark{turn}_{seed}"), format!("%n{turn}_{seed}"));
            let _ = writeln!(text, "  {mark} = arith.constant {seed} : i64");
            let _ = writeln!(text, "  {size} = arith.constant {} : index", 2 + seed % 3);
            let _ = writeln!(text, "  call @fuzz_program({mark}) : (i64) -> ()");
            let _ = writeln!(text, "  call @p{seed}_main({size}) : (index) -> ()");
        }
        text += "  call @fuzz_end() : () -> ()\n";
    }
    text + "  return\n}\n"
}
