//! Statistics in files: `statistics=FILE`. LLVM's own are compiled out of most packages of LLVM.
//!
//! All passes of a process that name a file add to one document, which has the sums over the runs of each pass. It is
//! written when a pass is done with all operations beside each other. `-` is standard error, with a document for each pass.

use super::{OptionValues, Siblings};
use crate::ir::Op;
use memplan_interface::{Declaration, STATISTICS};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

/// The version of the documents.
const VERSION: u64 = 1;

/// The name of standard error.
const STANDARD_ERROR: &str = "-";

/// The documents of this process, by absolute path.
static DOCUMENTS: LazyLock<Mutex<FxHashMap<PathBuf, Document>>> = LazyLock::new(Mutex::default);

/// What the passes of a process counted for one file. Passes are sorted by name, as several may run at once.
#[derive(Default)]
struct Document(BTreeMap<&'static str, Sums>);

/// What one pass counted.
struct Sums {
    declaration: &'static Declaration,
    runs: u64,
    values: Vec<u64>,
    /// For each pass of that name in a pipeline: it may be there twice.
    siblings: FxHashMap<Instance, Siblings>,
}

/// Which pass of a pipeline it is, the same for all of its clones.
pub type Instance = usize;

/// The document as JSON.
#[derive(Serialize)]
struct Written<'s> {
    version: u64,
    passes: Vec<WrittenPass<'s>>,
}

#[derive(Serialize)]
struct WrittenPass<'s> {
    pass: &'s str,
    /// How many operations the pass ran on.
    runs: u64,
    statistics: Vec<WrittenStatistic<'s>>,
}

#[derive(Serialize)]
struct WrittenStatistic<'s> {
    name: &'s str,
    value: u64,
    description: &'s str,
}

/// The file that an option names; none if the pass has no such option, or it is not given.
fn file(values: &OptionValues) -> Option<&str> {
    let name = values.given_text(STATISTICS.name)?;
    (!name.is_empty()).then_some(name)
}

/// Looks whether statistics can be written, before the pass runs. The message says why not.
pub fn check(values: &OptionValues) -> Result<(), String> {
    match file(values) {
        None | Some(STANDARD_ERROR) => Ok(()),
        Some(name) => {
            memplan_output::check(Path::new(name)).map_err(|why| cannot(name, &why.error))
        }
    }
}

/// The pass begins with an operation.
pub fn begin(
    declaration: &'static Declaration,
    instance: Instance,
    values: &OptionValues,
    op: Op<'_>,
) {
    if let Some(name) = file(values) {
        with_sums(name, declaration, |sums| {
            _ = sums.siblings.entry(instance).or_default().begin(op);
        });
    }
}

/// The pass is done with an operation, and counted this. Writes the document if the operations beside it are done, too.
/// The message says why that cannot be.
pub fn end(
    declaration: &'static Declaration,
    instance: Instance,
    values: &OptionValues,
    op: Op<'_>,
    counted: &[u64],
) -> Result<(), String> {
    let Some(name) = file(values) else {
        return Ok(());
    };
    let is_last = with_sums(name, declaration, |sums| {
        sums.runs += 1;
        for (sum, amount) in sums.values.iter_mut().zip(counted) {
            *sum += amount;
        }
        sums.siblings.entry(instance).or_default().is_last(op)
    });
    match is_last {
        false => Ok(()),
        true if name == STANDARD_ERROR => print(name, declaration),
        true => write(name),
    }
}

fn documents() -> MutexGuard<'static, FxHashMap<PathBuf, Document>> {
    DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One file by all of its names.
fn key(name: &str) -> PathBuf {
    std::path::absolute(name).unwrap_or_else(|_| name.into())
}

fn with_sums<T>(
    name: &str,
    declaration: &'static Declaration,
    work: impl FnOnce(&mut Sums) -> T,
) -> T {
    let mut all = documents();
    let document = all.entry(key(name)).or_default();
    let sums = document
        .0
        .entry(declaration.argument)
        .or_insert_with(|| Sums {
            declaration,
            runs: 0,
            values: vec![0; declaration.statistics.len()],
            siblings: FxHashMap::default(),
        });
    work(sums)
}

/// Prints what one pass counted, and begins anew.
fn print(name: &str, declaration: &Declaration) -> Result<(), String> {
    let mut all = documents();
    let sums = all
        .get_mut(&key(name))
        .and_then(|document| document.0.remove(declaration.argument));
    let text = text(sums.iter());
    drop(all);
    io::stderr()
        .write_all(text.as_bytes())
        .map_err(|why| cannot(name, &why))
}

/// Writes a file while no other thread does.
fn write(name: &str) -> Result<(), String> {
    let all = documents();
    let sums = all.get(&key(name)).into_iter();
    let text = text(sums.flat_map(|document| document.0.values()));
    memplan_output::write(Path::new(name), text.as_bytes()).map_err(|why| cannot(name, &why.error))
}

fn text<'s>(passes: impl Iterator<Item = &'s Sums>) -> String {
    let passes = passes.map(|sums| WrittenPass {
        pass: sums.declaration.argument,
        runs: sums.runs,
        statistics: sums
            .declaration
            .statistics
            .iter()
            .zip(&sums.values)
            .map(|(statistic, value)| WrittenStatistic {
                name: statistic.name,
                value: *value,
                description: statistic.description,
            })
            .collect(),
    });
    let document = Written {
        version: VERSION,
        passes: passes.collect(),
    };
    // Names and numbers have a form in JSON.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn cannot(name: &str, error: &io::Error) -> String {
    format!("cannot write statistics '{name}': {error}")
}
