//! Collects the reports of all clones of a pass, and writes them once.
//!
//! The pass manager clones a pass for each thread, and each clone runs on some of the functions. The clones
//! share one collector. The last clone that is dropped writes the reports, sorted by position in the module,
//! so the file does not depend on the threads.

use crate::codes::REPORT;
use memplan_mlir::{
    ir::{Identity, Key, Op, block_parent, blocks, ops, parent_block, regions},
    pass::InitError,
};
use memplan_report::{FunctionReport, Report};
use memplan_semantics::TimesRead;
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    cell::RefCell,
    fs::{File, OpenOptions},
    io::Write,
    path::PathBuf,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};

/// Files that this process has opened. A second pass appends to them, and so does a second pipeline on
/// another chunk of the input.
static OPENED_FILES: LazyLock<Mutex<FxHashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// The position of a function in the module, its report, and the counter of its readings, which may still
/// increase.
type Entry = (Vec<usize>, FunctionReport, Option<TimesRead>);

/// The name of a report that is written to no file: the caller takes it with [`take_for_caller`].
pub const FOR_CALLER: &str = "memplan:caller";

thread_local! {
    static FOR_CALLERS: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// The reports to [`FOR_CALLER`] of passes that ran in this thread, on a context without threads; in the
/// order of the module.
pub fn take_for_caller() -> Vec<FunctionReport> {
    let mut functions = FOR_CALLERS.take();
    functions.sort_by(|one, other| one.0.cmp(&other.0));
    functions.into_iter().map(with_times_read).collect()
}

fn with_times_read((_, report, times): Entry) -> FunctionReport {
    FunctionReport {
        functions_read: times.map(|times| times.get()),
        ..report
    }
}

/// The destination of a report.
enum Sink {
    StandardError,
    Caller,
    File(PathBuf, File),
}

/// The collector that all clones of a pass share.
#[derive(Default)]
pub struct Collector {
    inner: Mutex<State>,
}

#[derive(Default)]
struct State {
    sink: Option<Sink>,
    started: bool,
    functions: Vec<Entry>,
    /// Positions of the operations of blocks, by block.
    positions: FxHashMap<Key, FxHashMap<Key, usize>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Collector {
    /// Opens the file, or standard error for `-`. Does nothing for an empty name, or if another clone has
    /// opened it.
    pub fn open(&self, name: &str) -> Result<(), InitError> {
        let mut inner = lock(&self.inner);
        if name.is_empty() || inner.sink.is_some() {
            return Ok(());
        }
        if name == FOR_CALLER {
            inner.sink = Some(Sink::Caller);
            return Ok(());
        }
        if name == "-" {
            inner.sink = Some(Sink::StandardError);
            return Ok(());
        }
        let path = std::path::absolute(name).unwrap_or_else(|_| PathBuf::from(name));
        let mut opened = lock(&OPENED_FILES);
        // Several passes of one pipeline may write to the same file: each appends.
        let created = match opened.contains(&path) {
            true => Ok(None),
            false => File::create(&path).map(Some),
        };
        // Kept open until the file is opened again, so that a reader of a pipe does not see its end.
        let file = created
            .and_then(|_emptied| OpenOptions::new().append(true).open(&path))
            .map_err(|error| InitError {
                code: REPORT,
                message: format!("cannot write report '{name}': {error}"),
            })?;
        opened.insert(path.clone());
        inner.sink = Some(Sink::File(path, file));
        Ok(())
    }

    /// Whether the pass has to write a report.
    pub fn is_open(&self) -> bool {
        lock(&self.inner).sink.is_some()
    }

    /// Records that the pass runs: there is a report to write.
    pub fn start(&self) {
        let mut inner = lock(&self.inner);
        inner.started = true;
        // Operations of this module may have the addresses of operations of the last one.
        if matches!(inner.sink, Some(Sink::Caller)) {
            inner.positions.clear();
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
        let position = inner.position(function);
        match inner.sink {
            Some(Sink::Caller) => {
                FOR_CALLERS.with_borrow_mut(|functions| functions.push((position, report, times)));
            }
            _ => inner.functions.push((position, report, times)),
        }
    }
}

impl State {
    /// The position of an operation in its block, after the positions of the enclosing operations. Inspects
    /// lists of operations only, never the contents of a sibling, which another thread may change.
    fn position(&mut self, op: Op<'_>) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = op;
        while let Some(block) = parent_block(at) {
            let positions = self.positions.entry(block.key()).or_default();
            let position = match positions.get(&at.key()) {
                Some(position) => *position,
                None => {
                    *positions = ops(block)
                        .enumerate()
                        .map(|(position, op)| (op.key(), position))
                        .collect();
                    positions.get(&at.key()).copied().unwrap_or_default()
                }
            };
            path.push(position);
            let Some(parent) = block_parent(block) else {
                break;
            };
            let block_index = regions(parent)
                .flat_map(blocks)
                .position(|one| one == block);
            path.push(block_index.unwrap_or_default());
            at = parent;
        }
        path.reverse();
        path
    }
}

impl Drop for Collector {
    fn drop(&mut self) {
        let inner = self.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(sink) = inner.sink.take().filter(|_| inner.started) else {
            return;
        };
        inner.functions.sort_by(|one, other| one.0.cmp(&other.0));
        let functions = inner.functions.drain(..).map(with_times_read);
        let text = Report::new(functions.collect()).to_json();
        let result = match sink {
            Sink::Caller => return,
            Sink::StandardError => std::io::stderr().write_all(text.as_bytes()),
            Sink::File(path, mut file) => file.write_all(text.as_bytes()).map_err(|error| {
                std::io::Error::new(error.kind(), format!("'{}': {error}", path.display()))
            }),
        };
        if let Err(error) = result {
            let message = format!("memplan: cannot write report {error}");
            eprintln!("{}", REPORT.message(message));
        }
    }
}
