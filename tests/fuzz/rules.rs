//! Coverage: how often each safety rule of plans and deallocations was exercised, in generated programs and in the
//! passes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use memplan_report::Report;

use super::generate::{Aim, Program};
use super::settings::{Declared, declares};

/// Counts by name.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    counts: BTreeMap<String, u64>,
    /// Example programs for some of them.
    examples: BTreeMap<String, Vec<u64>>,
}

/// The number of example programs for each count.
const EXAMPLES: usize = 4;

/// A rule with the counts that show its coverage.
struct Rule {
    text: &'static str,
    /// The counts that must not be zero.
    counted: &'static [&'static str],
}

const fn rule(text: &'static str, counted: &'static [&'static str]) -> Rule {
    Rule { text, counted }
}

/// The safety rules of plans, in their order.
const RULES: [Rule; 14] = [
    rule(
        "live by dataflow, in ranges with holes",
        &[
            "buffers with holes",
            "text order is not that of execution",
            "exclusive branches",
            "else-if chain",
            "casts of branches",
            "loop of blocks",
        ],
    ),
    rule(
        "aliases in both directions",
        &[
            "view",
            "merge",
            "select",
            "callee returns what may be its argument",
        ],
    ),
    rule(
        "memory that cannot be followed is skipped",
        &["skipped: returned", "skipped: stored"],
    ),
    rule("asynchronous until the wait", &["async.execute"]),
    rule(
        "parallel bodies have arenas of their own",
        &["parallel scopes", "scf.forall", "scf.parallel"],
    ),
    rule(
        "one arena a scope and space",
        &[
            "arenas",
            "arenas of other spaces",
            "elements of one byte",
            "view of bytes",
        ],
    ),
    rule(
        "a deallocation goes or stays with its group",
        &[
            "deallocations gone",
            "skipped: freed-with-other",
            "two are freed, each by a select",
        ],
    ),
    rule(
        "arenas are freed on every exit",
        &["arenas freed", "programs deallocated by upstream"],
    ),
    rule(
        "one allocation is one base",
        &["programs deallocated by upstream", "metadata"],
    ),
    rule(
        "nothing is dropped in silence",
        &["allocations accounted for"],
    ),
    rule(
        "same input, same plan",
        &["plans compared", "planned twice", "plans reused"],
    ),
    rule(
        "one slice is one instance",
        &[
            "slices that rotate",
            "memrefs carried around a loop",
            "memrefs change places",
        ],
    ),
    rule(
        "full overwrites, and what is none",
        &[
            "overwritten whole",
            "scratch memory of a loop",
            "vector.transfer_write masked",
            "a subview is filled",
        ],
    ),
    rule(
        "in place, and what is not",
        &[
            IN_PLACE,
            "elementwise into fresh memory",
            "an operand is transposed",
            "last use, in another order",
            "elements of another width",
            "broadcast",
        ],
    ),
];

/// The rules of deallocation.
const FREED: [Rule; 9] = [
    rule(
        "loops swap, replace and keep buffers",
        &[
            "memrefs carried around a loop",
            "memrefs change places",
            "scf.while",
            "each iteration frees the buffer of the previous one",
        ],
    ),
    rule(
        "branches forward what is outer or inner",
        &[
            "branches yield different buffers",
            "exclusive branches",
            "scf.index_switch",
            "scf.execute_region",
            "select",
        ],
    ),
    rule(
        "blocks, in loops and with several exits",
        &[
            "program of blocks",
            "loop of blocks",
            "memrefs handed to a block",
            "cf.switch",
            "unreachable block",
        ],
    ),
    rule(
        "results of calls belong to the caller",
        &[
            "callee returns new memory",
            "callee returns what may be its argument",
            "callee returns several, which may be the same",
            "callee returns a view",
            "a returned argument is forwarded",
            "recursion",
        ],
    ),
    rule(
        "deallocations that are there",
        &["freed", "two are freed, each by a select", "memref.realloc"],
    ),
    rule(
        "views, and memory of others",
        &["view", "view of bytes", "stack", "memref.global"],
    ),
    rule(
        "the owner is static or dynamic",
        &["frees by memref.dealloc", "frees by bufferization.dealloc"],
    ),
    rule(
        "copies, where what is returned is not owned",
        &["returned without being owned"],
    ),
    rule("same input, same code", &["plans compared", "freed twice"]),
];

/// The rules of rewriting.
const REWRITTEN: [Rule; 8] = [
    rule(
        "parts of others are computed there",
        &[
            "elided",
            "part of a box",
            "concatenation",
            "nested composite",
            "part with steps",
            "rows of a box in a loop",
            "part of a size of the run",
        ],
    ),
    rule(
        "but not where something else is there before",
        &[
            "not elided: touched",
            "parts that may share elements",
            "filled a second time",
            "something between the writes of a box",
            "an operation adds to a part",
        ],
    ),
    rule(
        "nor where it is known too late, or what uses it does not take it",
        &[
            "not elided: late",
            "not elided: strides",
            "call",
            "callee without a body",
        ],
    ),
    rule(
        "the chain that follows, in step only",
        &[
            "chain into a box",
            "broadcast beside an operand in step",
            "an operand is transposed",
            "a dimension of one element is 0 in a map",
            "view of what is computed",
        ],
    ),
    rule(
        "copies that are read are views, until something is written",
        &[
            "copy that is read",
            "linalg.transpose",
            "a copy is written",
            "what was copied is written",
            "both arguments are the same memory",
            "view of a copy",
        ],
    ),
    rule(
        "operations in any order that there can be",
        &[
            "branches side by side",
            "blocks in another order",
            "cf.assert",
            "element whose place is loaded",
        ],
    ),
    rule(
        "plans take no more bytes",
        &["bytes of plans after", "planned and verified"],
    ),
    rule(
        "same input, same code",
        &["plans compared", "rewritten twice"],
    ),
];

/// The rules of strips.
const IN_STRIPS: [Rule; 8] = [
    rule(
        "operations run strip by strip",
        &[
            STRIPS,
            "programs in strips, split-varied",
            "programs in strips, split-planned",
        ],
    ),
    rule(
        "windows, and lines between strips",
        &[
            "convolution",
            "depthwise convolution",
            "pooling",
            "window with steps",
            "window with dilations",
            "window of a generic operation",
            "rows of a value",
            "pad",
        ],
    ),
    rule(
        "values that are used late, in part",
        &[
            "residual with a centre",
            "single row",
            "slice of lower rank",
        ],
    ),
    rule(
        "dimensions that move",
        &[
            "transpose of a value",
            "transposed view",
            "a view is copied to an argument",
            "reshape",
            "broadcast of a value",
            "reduction of a value",
            "products of a batch",
        ],
    ),
    rule(
        "values that are written in parts, and again",
        &[
            "concatenation of values",
            "rows in turns",
            "written with steps",
            "interior of a larger buffer",
            "an older value is overwritten",
            "doubled in place",
            "a part of a value is filled",
            "arguments in the same memory",
        ],
    ),
    rule(
        "lengths that are known only at run time",
        &[
            "programs row by row, split",
            "convolution along a length",
            "pad along a length",
            "attention along a length",
            "size of a map",
            "size by arithmetic",
        ],
    ),
    rule(
        "what strips must not cross",
        &[
            "element whose place is computed",
            "index of an operation",
            "an element of a value is loaded",
            "branch in a chain",
            "loop in a chain",
            "blocks in a chain",
            "call in a chain",
        ],
    ),
    rule(
        "same input, same code",
        &["plans compared", "rewritten twice"],
    ),
];

/// Programs with strips, of which there are enough.
const STRIPS: &str = "programs in strips, split";

/// The rules for programs of an aim.
fn rules(aim: Aim) -> &'static [Rule] {
    match aim {
        Aim::Merge => &RULES,
        Aim::Free => &FREED,
        Aim::Rewrite => &REWRITTEN,
        Aim::Split => &IN_STRIPS,
    }
}

/// Counted only if the pass has the option.
const IN_PLACE: &str = "buffers joined in place";

impl Tally {
    /// Adds to a count.
    pub fn count(&mut self, name: &str, times: u64) {
        *self.counts.entry(name.to_owned()).or_default() += times;
    }

    /// Adds an example program.
    pub fn example(&mut self, name: &str, program: u64) {
        self.count(name, 1);
        let examples = self.examples.entry(name.to_owned()).or_default();
        examples.push(program);
        examples.sort_unstable();
        examples.truncate(EXAMPLES);
    }

    /// Counts the features of a program.
    pub fn program(&mut self, program: &Program) {
        self.count("programs", 1);
        self.count("functions", program.functions() as u64);
        for (feature, times) in &program.features {
            self.count(feature, *times);
        }
        if program.text.contains("xi1>") || program.text.contains("xi8>") {
            self.count("elements of one byte", 1);
        }
    }

    /// Counts the effects of a plan.
    pub fn plan(&mut self, before: &str, planned: &str, report: &Report) {
        for function in &report.functions {
            for scope in &function.scopes {
                self.count("arenas", 1);
                self.count("buffers merged", scope.buffers.len() as u64);
                self.count("slots", scope.slots.len() as u64);
                let sized = scope.slots.iter().map(|slot| slot.buffers.len() as u64);
                self.count("buffers in slots", sized.sum());
                let slots = scope.slots.iter().flat_map(|slot| &slot.buffers);
                let own = scope.buffers.iter().map(|buffer| &buffer.arena_of);
                let of_callees = |all: &mut dyn Iterator<Item = &String>| {
                    all.filter(|arena_of| *arena_of == "callee").count() as u64
                };
                let sized = of_callees(&mut slots.map(|buffer| &buffer.arena_of));
                self.count("arenas of callees", of_callees(&mut own.into_iter()));
                self.count("arenas of callees, of dynamic size", sized);
                if scope.kind != "function" {
                    self.count("parallel scopes", 1);
                }
                if !scope.memory_space.is_empty() {
                    self.count("arenas of other spaces", 1);
                }
                let holes = scope
                    .buffers
                    .iter()
                    .filter(|buffer| buffer.live.len() > 1)
                    .count();
                self.count("buffers with holes", holes as u64);
                let joined = scope
                    .buffers
                    .iter()
                    .filter(|buffer| buffer.in_place_with.is_some())
                    .count();
                self.count(IN_PLACE, joined as u64);
                self.count("naive bytes", scope.naive_bytes);
                self.count("planned bytes", scope.planned_bytes);
                self.count("lower bound bytes", scope.lower_bound_bytes);
            }
            for skipped in &function.skipped {
                self.count(&format!("skipped: {}", skipped.reason), 1);
            }
        }
        let lines =
            |text: &str, part: &str| text.lines().filter(|line| line.contains(part)).count() as u64;
        let ours = planned
            .lines()
            .filter(|line| line.contains("memref.dealloc") && line.contains("manual_deallocation"))
            .count() as u64;
        let left = lines(planned, "memref.dealloc").saturating_sub(ours);
        self.count("arenas freed", ours);
        self.count(
            "deallocations gone",
            lines(before, "memref.dealloc").saturating_sub(left),
        );
        self.count("slices that rotate", lines(planned, "memplan.slots"));
    }

    /// Adds all counts of `other`.
    pub fn add(&mut self, other: &Self) {
        for (name, times) in &other.counts {
            self.count(name, *times);
        }
        for (name, programs) in &other.examples {
            let examples = self.examples.entry(name.clone()).or_default();
            examples.extend(programs);
            examples.sort_unstable();
            examples.truncate(EXAMPLES);
        }
    }

    /// Counts the effects of a deallocation.
    pub fn freed(&mut self, text: &str) {
        for (name, part) in [
            ("frees by memref.dealloc", "\"memref.dealloc\""),
            (
                "frees by bufferization.dealloc",
                "\"bufferization.dealloc\"",
            ),
            ("copies", "\"bufferization.clone\""),
        ] {
            self.count(name, text.matches(part).count() as u64);
        }
    }

    fn times(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// The counts that must not be zero and are.
    pub fn missing(&self, aim: Aim, declared: &[Declared]) -> Vec<String> {
        let mut missing = Vec::new();
        for (number, rule) in rules(aim).iter().enumerate() {
            for name in rule.counted {
                let exists = *name != IN_PLACE || declares(declared, "in-place");
                if exists && self.times(name) == 0 {
                    missing.push(format!("rule {}: {name}", number + 1));
                }
            }
        }
        if aim == Aim::Split && 3 * self.times(STRIPS) < self.times("programs") {
            missing.push("strips in a third of the programs".to_owned());
        }
        missing
    }

    /// The table of the rules, followed by all counts.
    pub fn table(&self, aim: Aim) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{:>4}  {:<46}  came into play", "rule", "");
        for (number, rule) in rules(aim).iter().enumerate() {
            let counts: Vec<String> = rule
                .counted
                .iter()
                .map(|name| format!("{name} {}", self.times(name)))
                .collect();
            let _ = writeln!(
                text,
                "{:>4}  {:<46}  {}",
                number + 1,
                rule.text,
                counts.join(", ")
            );
        }
        text.push('\n');
        for (name, times) in &self.counts {
            let examples = match self.examples.get(name) {
                Some(examples) => format!("  (such as {examples:?})"),
                None => String::new(),
            };
            let _ = writeln!(text, "{times:>12}  {name}{examples}");
        }
        text
    }

    /// The numbers of programs, functions, plans and outputs, on one line.
    pub fn summary(&self, aim: Aim) -> String {
        let done = format!(
            "{} programs of {} functions, {} {}, {} outputs compared, {} modules under valgrind",
            self.times("programs"),
            self.times("functions"),
            self.times("plans"),
            match aim {
                Aim::Merge => "plans",
                Aim::Free => "modules freed",
                Aim::Rewrite | Aim::Split => "modules rewritten",
            },
            self.times("outputs compared"),
            self.times("modules under valgrind"),
        );
        let not_compared = format!(
            "not compared: {} programs that were refused, {} modules that upstream does not lower, {} that it does not \
             get through, {} too slow for valgrind",
            self.times("programs refused"),
            self.times("modules that upstream does not lower"),
            self.times("modules that upstream does not get through"),
            self.times("modules too slow for valgrind"),
        );
        format!("{done}; {not_compared}")
    }
}
