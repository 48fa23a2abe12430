//! Faults seeded into planned programs: `memplan-verify` finds every one, and accepts every harmless change.
//!
//! The programs, and what of them may be changed, are in `lit/memplan-verify/valid-*.mlir`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use memplan_harness::command::limited;
use memplan_harness::tools::{Tools, root};

/// The size of every buffer with a constant offset in the programs.
const BYTES: u64 = 64;

/// The distance of the offsets to which each buffer is moved.
const STEP: usize = 16;

/// A function with its annotations.
struct Program<'t> {
    name: &'t str,
    text: String,
    /// Pairs of buffers that must not share bytes, and whether they may share all.
    apart: Vec<(usize, usize, bool)>,
    /// Other bytes that a buffer must not share.
    also: Vec<(usize, Range<u64>)>,
    /// Replacements of text, each a fault.
    faults: Vec<(&'t str, &'t str)>,
}

/// A buffer with a constant offset.
struct Buffer<'t> {
    number: usize,
    place: u64,
    arena: &'t str,
    arena_bytes: u64,
}

/// A program with one change.
struct Mutant {
    change: String,
    text: String,
    is_fault: bool,
}

/// Splits the file into the text before the first program and the programs.
fn programs(file: &str) -> Result<(String, Vec<Program<'_>>)> {
    let mut head = String::new();
    let mut all = Vec::new();
    let mut next: Option<Program<'_>> = None;
    let (mut apart, mut also, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for line in file.lines() {
        if let Some(pairs) = line.strip_prefix("// apart: ") {
            for pair in pairs.split_whitespace() {
                let (a, b) = pair
                    .split_once(['-', '='])
                    .context("a pair is A-B or A=B")?;
                apart.push((a.parse()?, b.parse()?, pair.contains('=')));
            }
        } else if let Some(ranges) = line.strip_prefix("// also: ") {
            for range in ranges.split(", ") {
                let (buffer, range) = range.split_once(' ').context("bytes are N A-B")?;
                let (start, end) = range.split_once('-').context("bytes are N A-B")?;
                also.push((buffer.parse()?, start.parse()?..end.parse()?));
            }
        } else if let Some(fault) = line.strip_prefix("// fault: ") {
            faults.push(fault.split_once(" => ").context("a fault is OLD => NEW")?);
        } else if let Some(program) = &mut next {
            writeln!(program.text, "{line}")?;
            if line == "}" {
                all.extend(next.take());
            }
        } else if line.starts_with("func.func private") {
            writeln!(head, "{line}")?;
        } else if let Some(rest) = line.strip_prefix("func.func @") {
            next = Some(Program {
                name: rest.split_once('(').context("a function has arguments")?.0,
                text: format!("{line}\n"),
                apart: std::mem::take(&mut apart),
                also: std::mem::take(&mut also),
                faults: std::mem::take(&mut faults),
            });
        }
    }
    Ok((head, all))
}

impl Program<'_> {
    fn buffers(&self) -> Result<Vec<Buffer<'_>>> {
        let mut buffers = Vec::new();
        for number in 0.. {
            let Some((_, place)) = self
                .text
                .split_once(&format!("%at{number} = arith.constant "))
            else {
                if number < 9 {
                    continue;
                }
                break;
            };
            let place = place.split_once(' ').context("a constant has a type")?.0;
            let (before, after) = self
                .text
                .split_once(&format!("[%at{number}]"))
                .context("no view at the constant")?;
            let size = after.split_once("memref<").context("no type")?.1;
            buffers.push(Buffer {
                number,
                place: place.parse()?,
                arena: before.rsplit_once(' ').context("no arena")?.1,
                arena_bytes: size.split_once("xi8").context("no size")?.0.parse()?,
            });
        }
        Ok(buffers)
    }

    /// Each buffer at every offset of its arena, at one after its end, and at an unaligned one.
    fn moves(&self) -> Result<Vec<Mutant>> {
        let buffers = self.buffers()?;
        let mut mutants = Vec::new();
        for buffer in &buffers {
            let aligned = (0..=buffer.arena_bytes).step_by(STEP);
            for place in aligned.chain([2]).filter(|place| *place != buffer.place) {
                let bytes = place..place + BYTES;
                let meets = |other: &Range<u64>| other.start < bytes.end && bytes.start < other.end;
                let partner = buffers.iter().any(|other| {
                    let both = [buffer.number, other.number];
                    let apart = self.apart.iter().any(|&(a, b, may_be_one)| {
                        (both == [a, b] || both == [b, a]) && !(may_be_one && place == other.place)
                    });
                    apart
                        && other.arena == buffer.arena
                        && meets(&(other.place..other.place + BYTES))
                });
                let slots = self
                    .also
                    .iter()
                    .any(|(number, other)| *number == buffer.number && meets(other));
                let constant = format!("%at{} = arith.constant ", buffer.number);
                mutants.push(Mutant {
                    change: format!("{}: buffer {} to {place}", self.name, buffer.number),
                    text: self.text.replacen(
                        &format!("{constant}{} ", buffer.place),
                        &format!("{constant}{place} "),
                        1,
                    ),
                    is_fault: partner || slots || bytes.end > buffer.arena_bytes || place == 2,
                });
            }
        }
        Ok(mutants)
    }

    fn replacements(&self) -> Result<Vec<Mutant>> {
        self.faults
            .iter()
            .map(|(old, new)| {
                let change = format!("{}: {old} => {new}", self.name);
                ensure!(self.text.contains(old), "{change}: there is no such text");
                // The type of an arena occurs at every use.
                let text = if old.starts_with("memref<") {
                    self.text.replace(old, new)
                } else {
                    self.text.replacen(old, new, 1)
                };
                Ok(Mutant {
                    change,
                    text,
                    is_fault: true,
                })
            })
            .collect()
    }
}

/// The lines of the module with errors.
fn lines_with_errors(module: &str) -> Result<BTreeSet<usize>> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("mutants.mlir");
    fs::write(&input, module)?;
    let mut command = limited(Duration::from_secs(120), tools.mlir_opt());
    let output = command
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg("--allow-unregistered-dialect")
        .arg("--pass-pipeline=builtin.module(memplan-verify)")
        .arg(&input)
        .args(["-o", "/dev/null"])
        .output()?;
    let errors = String::from_utf8(output.stderr)?;
    let place = format!("{}:", input.display());
    let lines: BTreeSet<usize> = errors
        .lines()
        .filter(|line| line.contains(": error: "))
        .filter_map(|line| line.strip_prefix(&place)?.split(':').next()?.parse().ok())
        .collect();
    if lines.len() < 2 {
        bail!("the mutants are not checked:\n{errors}");
    }
    Ok(lines)
}

/// What `memplan-verify` said of the mutants.
#[derive(Default)]
struct Tally {
    faults: usize,
    found: usize,
    harmless: usize,
    accepted: usize,
    /// The mutants that it judged wrong, each in a line.
    wrong: String,
}

impl Tally {
    /// Seeds faults into the programs of `file`, and checks all mutants in one module.
    fn seed(&mut self, file: &str) -> Result<()> {
        let (mut module, programs) = programs(file)?;
        let mut mutants = Vec::new();
        for program in &programs {
            mutants.extend(program.moves()?);
            mutants.extend(program.replacements()?);
        }
        let mut places = Vec::new();
        let mut line = module.lines().count() + 1;
        for (number, mutant) in mutants.iter().enumerate() {
            let text = mutant.text.replacen('(', &format!("_{number}("), 1);
            let lines = text.lines().count();
            places.push(line..line + lines);
            line += lines;
            module.push_str(&text);
        }
        let errors = lines_with_errors(&module)?;
        for (mutant, lines) in mutants.iter().zip(places) {
            self.count(mutant, errors.range(lines).next().is_some())?;
        }
        Ok(())
    }

    fn count(&mut self, mutant: &Mutant, refused: bool) -> Result<()> {
        if mutant.is_fault {
            self.faults += 1;
            self.found += usize::from(refused);
        } else {
            self.harmless += 1;
            self.accepted += usize::from(!refused);
        }
        if refused != mutant.is_fault {
            let verdict = if refused { "refused" } else { "missed" };
            writeln!(self.wrong, "{verdict}: {}", mutant.change)?;
        }
        Ok(())
    }
}

/// The files of programs, in order of their names.
fn files() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root().join("lit/memplan-verify"))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with("valid-") {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

#[test]
fn every_seeded_fault_is_found() -> Result<()> {
    let mut tally = Tally::default();
    for file in files()? {
        tally
            .seed(&fs::read_to_string(&file)?)
            .with_context(|| file.display().to_string())?;
    }
    let Tally {
        faults,
        found,
        harmless,
        accepted,
        wrong,
    } = tally;
    println!("{found} of {faults} seeded faults found");
    println!("{accepted} of {harmless} harmless changes accepted");
    ensure!(wrong.is_empty(), "{wrong}");
    ensure!(faults > 300 && harmless > 30, "too little was seeded");
    Ok(())
}
