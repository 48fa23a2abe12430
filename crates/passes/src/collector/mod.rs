//! Collects the reports of all clones of a pass, and writes them.
//!
//! The pass manager clones a pass for each thread, and each clone runs on some of the functions. The clones
//! share one collector. Once all functions beside each other are done, their reports are written, sorted by position in the
//! module, so the file does not depend on the threads. A report that cannot be written makes the pass fail.

mod document;
mod positions;

use crate::{codes::REPORT, failure::fail};
use document::Part;
use memplan_mlir::{
    ir::Op,
    pass::{Failed, InitError, Siblings},
};
use memplan_report::{
    FunctionReport, Program,
    json::{Piece, of_chunks},
};
use memplan_semantics::{Readings, TimesRead};
use positions::Positions;
use rustc_hash::FxHashMap;
use std::{
    cell::RefCell,
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{
        LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

/// The name of a report that is written to no file: the caller takes it with [`take_for_caller`].
pub const FOR_CALLER: &str = "memplan:caller";

thread_local! {
    static FOR_CALLERS: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// The reports to [`FOR_CALLER`] of passes that ran in this thread, on a context without threads; in the
/// order of the module.
pub fn take_for_caller() -> Vec<FunctionReport> {
    let mut functions = FOR_CALLERS.take();
    functions.sort_by(|one, other| one.position.cmp(&other.position));
    let functions = functions.into_iter().map(|mut entry| {
        entry.update();
        entry.report
    });
    functions.collect()
}

/// What the name of a report starts with that is written to no file, whatever threads the passes run in: whoever runs them takes
/// it with [`take_kept`].
const KEPT: &str = "memplan:kept:";

/// The reports with such names.
static KEPT_REPORTS: LazyLock<Mutex<FxHashMap<String, Vec<Entry>>>> = LazyLock::new(Mutex::default);

/// A name for a report that is written to no file; no other has it.
pub fn kept_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{KEPT}{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The reports of all passes that wrote to this name, in the order of the module.
pub fn take_kept(name: &str) -> Vec<FunctionReport> {
    let mut functions = lock(&KEPT_REPORTS).remove(name).unwrap_or_default();
    functions.sort_by(|one, other| one.position.cmp(&other.position));
    functions.into_iter().map(|entry| entry.report).collect()
}

/// The report of a function.
struct Entry {
    /// Where the function is in the module.
    position: Vec<usize>,
    report: FunctionReport,
    /// How often it was read so far: later passes may read it again.
    times: Option<TimesRead>,
}

impl Entry {
    fn update(&mut self) {
        self.report.functions_read = self.times.as_ref().map(TimesRead::get);
    }
}

/// The destination of a report.
enum Sink {
    Caller,
    /// The name by which the reports are kept.
    Kept(String),
    StandardError,
    /// A device or a pipe, which takes one document after the other.
    Device(PathBuf, File),
    File(Part),
}

/// The collector that all clones of a pass share.
#[derive(Default)]
pub struct Collector {
    inner: Mutex<State>,
}

#[derive(Default)]
struct State {
    sink: Option<Sink>,
    /// Those of functions whose siblings are not all done.
    functions: Vec<Entry>,
    positions: Positions,
    siblings: Siblings,
    /// Whether the pass ran, and nothing was written since.
    is_open: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Collector {
    /// Looks whether the report can be written to this file, or to standard error for `-`. Does nothing for an empty name, or
    /// if another clone did so.
    pub fn open(&self, name: &str) -> Result<(), InitError> {
        let mut inner = lock(&self.inner);
        if name.is_empty() || inner.sink.is_some() {
            return Ok(());
        }
        let sink = match name {
            FOR_CALLER => Ok(Sink::Caller),
            _ if name.starts_with(KEPT) => Ok(Sink::Kept(name.to_owned())),
            "-" => Ok(Sink::StandardError),
            _ => sink_of(name),
        };
        inner.sink = Some(sink.map_err(|message| InitError {
            code: REPORT,
            message,
        })?);
        Ok(())
    }

    /// Whether the pass has to write a report.
    pub fn is_open(&self) -> bool {
        lock(&self.inner).sink.is_some()
    }

    /// Does the work of a pass on an operation. What it adds is written once the operations beside it are done, too.
    pub fn during(
        &self,
        op: Op<'_>,
        work: impl FnOnce() -> Result<(), Failed>,
    ) -> Result<(), Failed> {
        let Some(is_last) = self.begin(op) else {
            return work();
        };
        let result = work();
        let mut inner = lock(&self.inner);
        let is_complete = is_last || inner.siblings.is_last(op);
        // A pass that failed before it looked at any function has no report.
        let has_any = result.is_ok() || !inner.functions.is_empty();
        let written = match is_complete && has_any {
            true => inner.write(),
            false => Ok(()),
        };
        // A handler of diagnostics may come back here.
        drop(inner);
        result.and_then(|()| written.map_err(|message| fail(op, REPORT, message)))
    }

    /// Prepares for the reports of an operation. Returns whether there is none beside it, if anything is to be written.
    fn begin(&self, op: Op<'_>) -> Option<bool> {
        let mut inner = lock(&self.inner);
        match inner.sink {
            None => None,
            Some(Sink::Caller | Sink::Kept(_)) => {
                // Operations of this module may have the addresses of operations of the last one.
                inner.positions.clear();
                None
            }
            Some(_) => {
                inner.is_open = true;
                Some(inner.siblings.begin(op))
            }
        }
    }

    /// Adds the report of a function.
    pub fn add(&self, function: Op<'_>, report: FunctionReport) {
        self.add_entry(function, report, None);
    }

    /// Adds the report of a function, with the counter of its readings.
    pub fn add_counted(&self, function: Op<'_>, report: FunctionReport, times: TimesRead) {
        self.add_entry(function, report, Some(times));
    }

    fn add_entry(&self, function: Op<'_>, report: FunctionReport, times: Option<TimesRead>) {
        let mut inner = lock(&self.inner);
        let entry = Entry {
            position: inner.positions.of(function),
            report,
            times,
        };
        match &inner.sink {
            Some(Sink::Caller) => {
                FOR_CALLERS.with_borrow_mut(|functions| functions.push(entry));
            }
            Some(Sink::Kept(name)) => {
                let mut kept = lock(&KEPT_REPORTS);
                kept.entry(name.clone()).or_default().push(entry);
            }
            _ => inner.functions.push(entry),
        }
    }
}

/// The sink of a file, a device or a pipe; why it cannot be written, if so.
fn sink_of(name: &str) -> Result<Sink, String> {
    let path = Path::new(name);
    if !memplan_output::is_device(path) {
        return Part::of(path)
            .map(Sink::File)
            .map_err(|error| cannot(name, &error.error));
    }
    // Kept open, so that a reader of a pipe does not see its end.
    let file = OpenOptions::new().append(true).open(path);
    file.map(|file| Sink::Device(path.to_owned(), file))
        .map_err(|error| cannot(name, &error))
}

fn cannot(name: &str, error: &io::Error) -> String {
    format!("cannot write report '{name}': {error}")
}

/// Reports as JSON, up to date.
fn piece(functions: &mut [Entry]) -> Piece {
    functions.iter_mut().for_each(Entry::update);
    Piece::of(functions.iter().map(|entry| &entry.report))
}

/// A document with nothing else.
fn document(functions: &mut [Entry]) -> String {
    of_chunks([&[piece(functions)][..]])
}

impl State {
    /// Writes what there is; why that cannot be, if so.
    fn write(&mut self) -> Result<(), String> {
        self.is_open = false;
        self.positions.clear();
        let mut functions = std::mem::take(&mut self.functions);
        functions.sort_by(|one, other| one.position.cmp(&other.position));
        match &mut self.sink {
            None | Some(Sink::Caller | Sink::Kept(_)) => Ok(()),
            Some(Sink::StandardError) => io::stderr()
                .write_all(document(&mut functions).as_bytes())
                .map_err(|error| cannot("-", &error)),
            Some(Sink::Device(path, file)) => file
                .write_all(document(&mut functions).as_bytes())
                .map_err(|error| cannot(&path.display().to_string(), &error)),
            Some(Sink::File(part)) => part
                .add(functions)
                .map_err(|error| cannot(&error.path, &error.error)),
        }
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        // A pass failed before the last function.
        let rest = match inner.is_open && !inner.functions.is_empty() {
            true => inner.write(),
            false => Ok(()),
        };
        let rest = rest.and_then(|()| match &mut inner.sink {
            Some(Sink::File(part)) => part
                .update()
                .map_err(|error| cannot(&error.path, &error.error)),
            _ => Ok(()),
        });
        if let Err(message) = rest {
            // There is no pass to fail any more.
            let line = REPORT.message(format!("memplan: {message}"));
            _ = writeln!(io::stderr(), "{line}");
        }
    }
}

/// The program that the plan of a function is of.
pub fn program_of(readings: &Readings, function: Op<'_>) -> Option<Program> {
    readings.is_rewritten(function).map(|is| match is {
        true => Program::Rewritten,
        false => Program::Given,
    })
}
