//! Faults seeded into strips: `memplan-verify` refuses the program, or the program still computes the same.
//!
//! Each number in the loops over strips becomes one less and one more, each loop variable becomes the other one, each size
//! that is computed for the strips becomes another one, and each copy is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::runner::runner;
use memplan_harness::tools::{Tools, root};

/// Longest time of one program.
const LIMIT: Duration = Duration::from_secs(120);

/// Passes that lower a program to what a runner takes.
const LOWER: &str = "convert-linalg-to-loops,expand-strided-metadata,lower-affine,convert-scf-to-cf,\
                     convert-math-to-llvm,convert-math-to-libm,convert-cf-to-llvm,finalize-memref-to-llvm,\
                     convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts";

/// The name of a number that replaces another.
const OTHER: &str = "%other";

struct Seeding {
    tools: Tools,
    folder: tempfile::TempDir,
}

/// A program of several functions.
struct Program {
    /// Definitions of maps.
    maps: String,
    functions: Vec<Function>,
}

/// The lines of a function, and for each whether it is in strips.
#[derive(Clone, Default)]
struct Function {
    lines: Vec<String>,
    is_inside: Vec<bool>,
}

/// A function with one change.
struct Mutant {
    function: usize,
    change: String,
    lines: Vec<String>,
}

impl Seeding {
    fn optimize(&self, program: &str, pipeline: &str) -> Result<String> {
        let input = self.folder.path().join("program.mlir");
        fs::write(&input, program)?;
        let mut command = limited(LIMIT, self.tools.mlir_opt());
        command
            .arg(format!(
                "--load-pass-plugin={}",
                self.tools.plugin.display()
            ))
            .arg(format!("--pass-pipeline=builtin.module({pipeline})"))
            .arg(&input);
        Ok(String::from_utf8(output(&mut command)?)?)
    }

    /// The lines with errors.
    fn refused(&self, program: &str) -> Result<BTreeSet<usize>> {
        let input = self.folder.path().join("mutants.mlir");
        fs::write(&input, program)?;
        let mut command = limited(LIMIT, self.tools.mlir_opt());
        let output = command
            .arg(format!(
                "--load-pass-plugin={}",
                self.tools.plugin.display()
            ))
            .arg("--pass-pipeline=builtin.module(memplan-verify)")
            .arg(&input)
            .args(["-o", "/dev/null"])
            .output()?;
        let errors = String::from_utf8(output.stderr)?;
        let place = format!("{}:", input.display());
        let mut lines = BTreeSet::new();
        for line in errors.lines().filter(|line| line.contains(": error: ")) {
            ensure!(line.contains("[memplan-E21"), "{line}");
            let line = line.strip_prefix(&place).context("an error elsewhere")?;
            lines.insert(line.split(':').next().context("no line")?.parse()?);
        }
        Ok(lines)
    }

    fn execute(&self, program: &str) -> Result<String> {
        let lowered = self.folder.path().join("lowered.mlir");
        fs::write(&lowered, self.optimize(program, LOWER)?)?;
        let mut command = runner(&self.tools, &lowered, 0, &[], LIMIT);
        Ok(String::from_utf8(output(&mut command)?)?)
    }

    /// Seeds faults into a file, split with these options after other passes: the number of faults, and how many are accepted.
    fn seed(&self, file: &Path, before: &str, options: &str) -> Result<(usize, usize)> {
        let text = fs::read_to_string(file)?;
        let options = format!("strip-cost=none max-code-growth=100 {options}");
        let pipeline = format!("{before}memplan-split{{{options}}}");
        let program = Program::read(&self.optimize(&text, &pipeline)?);
        let expected = self.execute(&text)?;
        ensure!(self.execute(&program.text(None))? == expected, "split");
        let mutants = program.mutants();
        let mut module = program.maps.clone();
        module.push_str("module {\n");
        let mut places: Vec<Range<usize>> = Vec::new();
        for (number, mutant) in mutants.iter().enumerate() {
            let start = module.lines().count() + 1;
            let name = mutant.lines[0].replacen('(', &format!("_{number}("), 1);
            writeln!(module, "{name}\n{}", mutant.lines[1..].join("\n"))?;
            places.push(start..start + mutant.lines.len());
        }
        module.push_str("}\n");
        let refused = self.refused(&module)?;
        let mut accepted = 0;
        for (mutant, lines) in mutants.iter().zip(places) {
            if refused.range(lines).next().is_some() {
                continue;
            }
            accepted += 1;
            let found = self.execute(&program.text(Some(mutant)));
            let is_same = found.as_ref().is_ok_and(|found| *found == expected);
            ensure!(is_same, "accepted: {}\n{found:?}", mutant.change);
        }
        Ok((mutants.len(), accepted))
    }
}

/// The spaces at the start of a line.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

impl Program {
    fn read(text: &str) -> Self {
        let mut program = Self {
            maps: String::new(),
            functions: Vec::new(),
        };
        let mut lines: Vec<String> = Vec::new();
        for line in text.lines() {
            let starts = line.starts_with("  func.func");
            if line.starts_with('#') {
                program.maps.push_str(line);
                program.maps.push('\n');
            } else if starts || !lines.is_empty() {
                lines.push(line.to_owned());
                if line == "  }" || (starts && !line.ends_with('{')) {
                    program
                        .functions
                        .push(Function::prepared(std::mem::take(&mut lines)));
                }
            }
        }
        program
    }

    /// The program, with one function changed.
    fn text(&self, mutant: Option<&Mutant>) -> String {
        let mut text = format!("{}module {{\n", self.maps);
        for (number, function) in self.functions.iter().enumerate() {
            let lines = match mutant {
                Some(mutant) if mutant.function == number => &mutant.lines,
                _ => &function.lines,
            };
            text.push_str(&lines.join("\n"));
            text.push('\n');
        }
        text.push_str("}\n");
        text
    }

    fn mutants(&self) -> Vec<Mutant> {
        let functions = self.functions.iter().enumerate();
        let mutants = functions.flat_map(|(number, function)| {
            let mutants = function.mutants().into_iter();
            mutants.map(move |(change, lines)| Mutant {
                function: number,
                change,
                lines,
            })
        });
        mutants.collect()
    }
}

impl Function {
    /// Marks what is in strips. Offsets there become values, so that they can be changed.
    fn prepared(lines: Vec<String>) -> Self {
        let mut is_inside = vec![false; lines.len()];
        let is_end = |line: &str| line.contains("memplan.strips") || line.contains("memplan.items");
        for end in (0..lines.len()).filter(|at| is_end(&lines[*at])) {
            let depth = indentation(&lines[end]);
            let is_start = |at: &usize| indentation(&lines[*at]) == depth;
            let mut start = (0..end).rev().find(is_start).unwrap_or(0);
            if lines[end].contains("memplan.lengths") {
                // What is computed for the strips follows the memory that is allocated before them.
                let is_memory = |line: &String| line.contains(" = memref.alloc(");
                let memory = lines[..start].iter().rposition(is_memory);
                start = memory.map_or(start, |memory| memory + 1);
            }
            is_inside[start..=end].fill(true);
        }
        let mut offsets: BTreeSet<i64> = BTreeSet::new();
        let mut function = Self::default();
        for (line, is_inside) in lines.into_iter().zip(is_inside) {
            let lines = match is_inside {
                true => prepared(&line, &mut offsets),
                false => vec![line],
            };
            function
                .is_inside
                .resize(function.is_inside.len() + lines.len(), is_inside);
            function.lines.extend(lines);
        }
        for offset in offsets {
            let line = format!("    %offset{offset} = arith.constant {offset} : index");
            function.lines.insert(1, line);
            function.is_inside.insert(1, false);
        }
        function
    }

    /// The constants.
    fn constants(&self) -> BTreeMap<&str, i64> {
        let constants = self.lines.iter().filter_map(|line| {
            let (name, rest) = line.trim().split_once(" = arith.constant ")?;
            let number = rest.strip_suffix(" : index")?;
            Some((name, number.parse().ok()?))
        });
        constants.collect()
    }

    /// The sizes that are computed for strips.
    fn sizes(&self) -> Vec<&str> {
        let lines = self.lines.iter().zip(&self.is_inside);
        let sizes = lines.filter_map(|(line, is_inside)| {
            let (name, rest) = line.strip_prefix("    %")?.split_once(" = ")?;
            let computes = rest.starts_with("arith.") && !rest.starts_with("arith.constant");
            let is_size = computes || rest.starts_with("memref.dim");
            (*is_inside && is_size).then(|| &line[4..5 + name.len()])
        });
        sizes.collect()
    }

    /// The variables of the loops over strips around a line, the outermost first.
    fn variables(&self, line: usize) -> Vec<&str> {
        let mut variables = Vec::new();
        let mut depth = indentation(&self.lines[line]);
        for at in (0..line).rev().filter(|at| self.is_inside[*at]) {
            let line = &self.lines[at];
            if indentation(line) < depth && !line.trim_start().starts_with('}') {
                depth = indentation(line);
                let variable = line.trim_start().strip_prefix("scf.for ");
                variables.extend(variable.and_then(|rest| rest.split(' ').next()));
            }
        }
        variables
    }

    fn mutants(&self) -> Vec<(String, Vec<String>)> {
        let (constants, sizes) = (self.constants(), self.sizes());
        let mut mutants = Vec::new();
        let mut region = false;
        for (at, line) in self.lines.iter().enumerate() {
            // Regions of operations are not part of the strips.
            region |= line.trim_start().starts_with("^bb");
            if region {
                region = line.trim() != "}";
                continue;
            }
            if !self.is_inside[at] {
                continue;
            }
            let trimmed = line.trim();
            if trimmed.starts_with("linalg.copy") && !line.contains("memplan.rows") {
                let mut lines = self.lines.clone();
                lines.remove(at);
                mutants.push((format!("without {trimmed}"), lines));
            }
            let computes = ["memref.subview", "arith.", "scf.for"];
            if !computes.iter().any(|name| line.contains(name)) {
                continue;
            }
            let variables = self.variables(at);
            for place in places(line) {
                let name = &line[place.clone()];
                let mut replace = |by: &str, definition: Option<String>| {
                    let mut lines = self.lines.clone();
                    lines[at].replace_range(place.clone(), by);
                    if let Some(definition) = definition {
                        lines.insert(1, definition);
                    }
                    mutants.push((format!("{by} for {name} in {trimmed}"), lines));
                };
                if let Some(number) = constants.get(name) {
                    for other in [number - 1, number + 1] {
                        let text = format!("    {OTHER} = arith.constant {other} : index");
                        replace(OTHER, Some(text));
                    }
                } else if variables.contains(&name) {
                    for other in variables.iter().filter(|other| **other != name) {
                        replace(other, None);
                    }
                } else if sizes.contains(&name) {
                    // Those that are computed before.
                    let before = self.lines[..at].iter();
                    let is_before = |other: &&&str| {
                        let start = format!("    {other} = ");
                        **other != name && before.clone().any(|line| line.starts_with(&start))
                    };
                    for other in sizes.iter().filter(is_before) {
                        replace(other, None);
                    }
                }
            }
        }
        mutants
    }
}

/// A line whose offsets are values. The type of a transposed buffer has its offset by itself, so a cast follows.
fn prepared(line: &str, offsets: &mut BTreeSet<i64>) -> Vec<String> {
    let transposed = line.split_once(" = memref.transpose ");
    let types = transposed.and_then(|(_, rest)| rest.rsplit_once(" : ")?.1.split_once(" to "));
    if let (Some((name, rest)), Some((source, exact))) = (transposed, types)
        && !source.contains("strided<[")
    {
        let other = with_values(exact, offsets);
        return vec![
            format!("{name}_exact = memref.transpose {rest}"),
            format!(
                "{name} = memref.cast {}_exact : {exact} to {other}",
                name.trim()
            ),
        ];
    }
    vec![with_values(line, offsets)]
}

/// A line whose offsets are values, with types that fit.
fn with_values(line: &str, offsets: &mut BTreeSet<i64>) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("strided<[") {
        let (strides, after) = after.split_once(']').unwrap_or((after, ""));
        let (_, after) = after.split_once('>').unwrap_or(("", after));
        write!(text, "{before}strided<[{strides}], offset: ?>").ok();
        rest = after;
    }
    text.push_str(rest);
    let Some((before, after)) = text.split_once("memref.subview ") else {
        return text;
    };
    let (source, after) = after.split_once('[').unwrap_or((after, ""));
    let (numbers, after) = after.split_once(']').unwrap_or((after, ""));
    let values = numbers.split(", ").map(|number| match number.parse() {
        Ok(offset) => {
            offsets.insert(offset);
            format!("%offset{offset}")
        }
        Err(_) => number.to_owned(),
    });
    let values = values.collect::<Vec<_>>().join(", ");
    format!("{before}memref.subview {source}[{values}]{after}")
}

/// Where a line uses values: after what it defines.
fn places(line: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut at = line.find(" = ").map_or(0, |at| at + 3);
    while let Some(start) = line[at..].find('%').map(|found| at + found) {
        let is_name = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == '-';
        let length = line[start + 1..].find(|one| !is_name(one));
        at = length.map_or(line.len(), |length| start + 1 + length);
        places.push(start..at);
    }
    places
}

#[test]
fn every_fault_in_strips_is_found() -> Result<()> {
    let seeding = Seeding {
        tools: Tools::find()?,
        folder: tempfile::tempdir()?,
    };
    let (mut faults, mut accepted) = (0, 0);
    let mut seed = |file: &str, before: &str, options: &str| -> Result<()> {
        let path = root().join("lit/memplan-split").join(file);
        let seeded = seeding.seed(&path, before, options);
        let seeded = seeded.with_context(|| format!("{file}, {before}, {options}"))?;
        faults += seeded.0;
        accepted += seeded.1;
        Ok(())
    };
    for file in [
        "run.mlir",
        "views-run.mlir",
        "nested-run.mlir",
        "items-run.mlir",
    ] {
        for options in ["", "max-strips=1", "max-strips=4", "max-recompute=100"] {
            seed(file, "", options)?;
        }
    }
    // Once operations are loops.
    seed("run.mlir", "func.func(convert-linalg-to-loops),", "")?;
    seed(
        "views-run.mlir",
        "func.func(convert-linalg-to-affine-loops),",
        "max-strips=1",
    )?;
    println!("{} of {faults} faults found", faults - accepted);
    println!("{accepted} changes are harmless");
    ensure!(faults > 600 && accepted < 100, "{faults}, {accepted}");
    Ok(())
}

/// Many sizes that are computed for strips are the same, or ends that are later than they have to be.
#[test]
fn every_fault_in_strips_along_lengths_is_found() -> Result<()> {
    let seeding = Seeding {
        tools: Tools::find()?,
        folder: tempfile::tempdir()?,
    };
    let path = root().join("lit/memplan-split/lengths-run.mlir");
    let (faults, accepted) = seeding.seed(&path, "", "")?;
    println!("{} of {faults} faults found", faults - accepted);
    ensure!(faults > 600 && accepted < 100, "{faults}, {accepted}");
    Ok(())
}
