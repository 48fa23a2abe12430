//! Each operation whose samples compile is executed, and each that does not compile is an error at its place.

use crate::{bench::LIMIT, call};
use anyhow::{Context, Result, ensure};
use memplan_harness::{
    command::limited,
    samples::{Compiles, Dialect},
    tools::{Tools, root},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};
use tempfile::TempDir;

/// What the samples print.
const PRINTED: &str = "tests/compile/operations.txt";
/// In the file: a line that is another one each time, such as one that a sample prints of memory it has not written.
const UNSTABLE: &str = "*";
/// Set: all samples are checked, also where an operation has several.
const ALL: &str = "MEMPLAN_ALL_SAMPLES";
/// Set: the file is written.
const BLESS: &str = "MEMPLAN_BLESS";

/// Functions that the samples' callers print with; and roundings to bf16, which GCC's library has from version 13 on.
const PRINT: &str = "#include <stdio.h>\n\
    void print_float(double value) { printf(\" %.5g\", value); }\n\
    void print_int(long value) { printf(\" %ld\", value); }\n\
    void print_name(long number) { printf(\"%s%ld:\", number ? \"\\n\" : \"\", number); }\n\
    __attribute__((weak)) __bf16 __truncsfbf2(float value) {\n\
      union { float number; unsigned bits; } from = {value};\n\
      union { unsigned short bits; __bf16 number; } to;\n\
      unsigned rounded = from.bits + 0x7fff + (from.bits >> 16 & 1);\n\
      to.bits = value == value ? rounded >> 16 : 0x7fc0;\n\
      return to.number;\n\
    }\n\
    __attribute__((weak)) __bf16 __truncdfbf2(double value) { return __truncsfbf2((float)value); }\n";

/// Libraries that objects need besides that of C, by prefixes of their functions, and how to link them if tests do.
const RUNTIMES: &[(&str, Option<&str>)] = &[
    ("mlirAsyncRuntim", Some("-lmlir_async_runtime")),
    ("print_", Some("-lm")),
    ("printF16", Some("-lmlir_float16_utils")),
    ("printBF16", Some("-lmlir_float16_utils")),
    ("print", Some("-lmlir_c_runner_utils")),
    ("MPI_", None),
    ("__kmpc_", None),
    ("omp_", None),
];

/// The names that objects may refer to: of libc, of libm, and of the library that comes with each C compiler.
fn c_library() -> BTreeSet<&'static str> {
    include_str!("c_library.txt").lines().collect()
}

struct Machine {
    tools: Tools,
    folder: TempDir,
    known: BTreeSet<&'static str>,
}

impl Machine {
    /// Compiles a text. Returns the errors of a compilation that failed.
    fn compile(&self, name: &str, text: &str, options: &[&str]) -> Result<Result<(), String>> {
        let input = format!("{name}.mlir");
        fs::write(self.folder.path().join(&input), text)?;
        let done = limited(LIMIT, &self.tools.memplan)
            .current_dir(self.folder.path())
            .args(["compile", &input, "-j", "1"])
            .args(options)
            .output()?;
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        Ok(match done.status.code() {
            Some(0) => Ok(()),
            Some(1) => Err(said),
            _ => anyhow::bail!("{name}: {:?}\n{said}", done.status),
        })
    }

    /// The names that an object leaves to others, except those of the C library.
    fn undefined(&self, object: &str) -> Result<Vec<String>> {
        // This one and `cc` start faster than LLVM's.
        let done = limited(LIMIT, "nm")
            .current_dir(self.folder.path())
            .args(["-u", "-P", object])
            .output()?;
        ensure!(done.status.success(), "nm {object}");
        let names = String::from_utf8(done.stdout)?;
        let names = names.lines().filter_map(|line| line.split(' ').next());
        let names = names.filter(|name| !self.known.contains(name));
        Ok(names.map(str::to_owned).collect())
    }

    /// What a program prints that is linked from an object and these libraries.
    fn executed(&self, name: &str, libraries: &BTreeSet<&str>) -> Result<String> {
        let run = |program: &Path, arguments: &[&str]| -> Result<String> {
            let done = limited(LIMIT, program)
                .current_dir(self.folder.path())
                .args(arguments)
                // What a sample reads and does not write is the same each time.
                .env("MALLOC_PERTURB_", "165")
                .output()?;
            let said = String::from_utf8_lossy(&done.stderr);
            ensure!(done.status.success(), "{name}: {:?} {said}", done.status);
            Ok(String::from_utf8(done.stdout)?)
        };
        let object = format!("{name}.o");
        let lib = self.tools.lib();
        let lib = lib.display();
        let (at, of) = (format!("-L{lib}"), format!("-Wl,-rpath,{lib}"));
        let program = format!("{name}.program");
        let mut arguments = vec![&*object, "print.o", "-o", &program, &at, &of];
        arguments.extend(libraries);
        arguments.push("-lm");
        run(Path::new("cc"), &arguments)?;
        run(&self.folder.path().join(&program), &[])
    }
}

/// Whether this machine has all features that code was generated for, and programs may use them.
fn has_features(features: &str) -> bool {
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let known: BTreeSet<&str> = known.split_whitespace().collect();
    let mut all = features.split(',').filter_map(|one| one.strip_prefix('+'));
    // A process has to ask Linux for the tiles of AMX (arch_prctl), whatever the processor has.
    all.all(|one| !one.starts_with("amx") && known.contains(one.replace('-', "_").as_str()))
}

/// Compiles and executes a sample. Returns what it prints; `None` if nothing can call it here.
fn check(machine: &Machine, dialect: &Dialect, at: usize) -> Result<Option<String>> {
    let sample = &dialect.samples[at];
    let name = format!("{}-{}", dialect.name, sample.line);
    let name = match dialect.touches_memrefs {
        true => name,
        false => format!("{name}-numbers"),
    };
    let options = match &sample.compiles {
        Compiles::No => {
            let failed = machine.compile(&name, &sample.text, &[])?;
            let said = failed.err().context("compiles, but its sample says no")?;
            let place = format!("{name}.mlir:");
            let is_placed = |line: &&str| {
                let location = line.strip_prefix(&place);
                let number =
                    location.and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
                number.is_some_and(|number| number > 0)
            };
            let errors: Vec<&str> = said
                .lines()
                .filter(|line| line.contains(": error: "))
                .collect();
            ensure!(!errors.is_empty(), "no error: {said}");
            ensure!(
                errors.iter().all(is_placed),
                "an error without its place: {said}"
            );
            ensure!(
                errors.iter().all(|line| line.contains("[memplan-E")),
                "an error without an id: {said}"
            );
            return Ok(None);
        }
        Compiles::Yes => Vec::new(),
        Compiles::With(features) => vec!["--features", features],
    };
    let call = call::caller(&sample.text);
    let text = format!("{}{}", sample.text, call.as_deref().unwrap_or_default());
    if let Err(said) = machine.compile(&name, &text, &options)? {
        anyhow::bail!("{said}");
    }
    // A sample may declare a function that it calls.
    let is_declared = |name: &str| sample.text.contains(&format!("@{name}("));
    let (mut libraries, mut can_run) = (BTreeSet::new(), call.is_some());
    for name in machine.undefined(&format!("{name}.o"))? {
        let runtime = RUNTIMES.iter().find(|(prefix, _)| name.starts_with(prefix));
        match runtime {
            Some((_, Some(library))) => _ = libraries.insert(*library),
            Some((_, None)) => can_run = false,
            None if is_declared(&name) => can_run = false,
            None => anyhow::bail!("{name} is not of the C library"),
        }
    }
    // These would end the program: traps, and functions that take the place of those that they call.
    let takes_place = |name: &&str| sample.text.contains(&format!("func.func @{name}("));
    can_run &= !machine.known.iter().any(takes_place);
    can_run &= !sample.operations.iter().any(|name| name.ends_with("trap"));
    // What this prints depends on the machine.
    can_run &= !sample.text.contains("async.runtime.num_worker_threads");
    if let Compiles::With(features) = &sample.compiles {
        can_run &= has_features(features);
    }
    let printed = can_run.then(|| machine.executed(&name, &libraries));
    // What other machines print that have no such features is not known.
    let has_known = sample.compiles == Compiles::Yes;
    Ok(printed.transpose()?.filter(|_| has_known))
}

/// The samples to check: one of each operation that compiles and all that do not, or all.
fn chosen(dialects: &[Dialect]) -> Vec<(&Dialect, usize)> {
    let takes_all = std::env::var_os(ALL).is_some() || std::env::var_os(BLESS).is_some();
    let mut known = BTreeSet::new();
    let samples = dialects
        .iter()
        .flat_map(|dialect| (0..dialect.samples.len()).map(move |at| (dialect, at)));
    samples
        .filter(|(dialect, at)| {
            let sample = &dialect.samples[*at];
            let fails = sample.compiles == Compiles::No;
            let names = sample.operations.iter().map(|name| (fails, name));
            let new = names.filter(|name| known.insert(*name)).count();
            takes_all || new > 0
        })
        .collect()
}

/// What each sample prints, by its title.
fn blocks(text: &str) -> BTreeMap<&str, &str> {
    let blocks = text.split("# ").skip(1);
    blocks.filter_map(|block| block.split_once('\n')).collect()
}

/// The lines of a known text, with a mark where they are other ones now.
fn with_unstable(known: &str, printed: &str) -> String {
    let lines = known.lines().zip(printed.lines());
    let lines = lines.map(|(known, printed)| if known == printed { known } else { UNSTABLE });
    lines.map(|line| format!("{line}\n")).collect()
}

fn is_same(known: &str, printed: &str) -> bool {
    let is_same = |(known, printed): (&str, &str)| known == printed || known == UNSTABLE;
    known.lines().count() == printed.lines().count()
        && known.lines().zip(printed.lines()).all(is_same)
}

#[test]
fn what_compiles_runs_and_what_does_not_is_an_error_at_its_place() -> Result<()> {
    let machine = Machine {
        tools: Tools::with_memplan()?,
        folder: TempDir::new()?,
        known: c_library(),
    };
    fs::write(machine.folder.path().join("print.c"), PRINT)?;
    let done = limited(LIMIT, machine.tools.bin().join("clang"))
        .current_dir(machine.folder.path())
        .args(["-c", "print.c"])
        .status()?;
    ensure!(done.success());
    let mut dialects = Dialect::all()?;
    dialects.extend(Dialect::without_memory()?);
    let samples = chosen(&dialects);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((dialect, at)) = samples.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let sample = &dialect.samples[*at];
                    let place = format!("{}:{}", dialect.path, sample.line);
                    let result = check(&machine, dialect, *at);
                    let mut results = results.lock().expect("no thread panics");
                    results.push((
                        format!("{} {}", dialect.path, sample.title()),
                        place,
                        result,
                    ));
                }
            });
        }
    });
    let mut results = results.into_inner()?;
    results.sort_by(|one, other| one.0.cmp(&other.0));
    let file = root().join(PRINTED);
    let known = fs::read_to_string(&file).unwrap_or_default();
    if let Some(how) = std::env::var_os(BLESS) {
        let mut printed = String::new();
        for (title, _, result) in &results {
            if let Ok(Some(text)) = result {
                _ = writeln!(printed, "# {title}\n{}", text.trim_end());
            }
        }
        let is_unstable = how == "unstable";
        fs::write(
            &file,
            if is_unstable {
                with_unstable(&known, &printed)
            } else {
                printed
            },
        )?;
    }
    let known = fs::read_to_string(&file)?;
    let known = blocks(&known);
    let (mut executed, mut faults) = (0, Vec::new());
    for (title, place, result) in results {
        match result {
            Ok(None) => {}
            Ok(Some(text)) => {
                executed += 1;
                let expected = known.get(&*title).copied().unwrap_or_default().trim_end();
                if !is_same(expected, text.trim_end()) {
                    faults.push(format!(
                        "{place}: {title}: prints\n{text}\nand not\n{expected}"
                    ));
                }
            }
            Err(error) => faults.push(format!("{place}: {title}: {error:#}")),
        }
    }
    ensure!(
        faults.is_empty(),
        "{} faults; {BLESS}=1 writes {PRINTED}, {BLESS}=unstable then marks lines that differ\n{}",
        faults.len(),
        faults.join("\n")
    );
    ensure!(executed > 200, "only {executed} samples were executed");
    Ok(())
}
