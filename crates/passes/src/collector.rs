//! Gathers the reports of all clones of a pass, and writes them once.
//!
//! The pass manager clones a pass for each thread, and each clone sees some of the functions. They
//! share one collector; the last clone to go writes it, sorted by position in the module, so the
//! file does not depend on the threads.

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

/// Files that this process has begun: a second pass, or a second pipeline over another chunk of input, appends.
static BEGUN: LazyLock<Mutex<FxHashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// Where a function stands, what is reported of it, and how often it has been read, which is not over yet.
type Entry = (Vec<usize>, FunctionReport, Option<TimesRead>);

/// The name of a report that the caller takes with [`take_for_caller`], and that goes to no file.
pub const FOR_CALLER: &str = "memplan:caller";

thread_local! {
    static FOR_CALLERS: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// What passes that ran in this thread, on a context without threads, reported to [`FOR_CALLER`]; in the order of the module.
pub fn take_for_caller() -> Vec<FunctionReport> {
    let mut functions = FOR_CALLERS.take();
    functions.sort_by(|one, other| one.0.cmp(&other.0));
    functions.into_iter().map(finished).collect()
}

fn finished((_, report, times): Entry) -> FunctionReport {
    FunctionReport {
        functions_read: times.map(|times| times.get()),
        ..report
    }
}

/// Where the report goes.
enum Sink {
    StandardError,
    Caller,
    File(PathBuf, File),
}

/// The shared collector.
#[derive(Default)]
pub struct Collector {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    sink: Option<Sink>,
    started: bool,
    functions: Vec<Entry>,
    /// Places of the operations of blocks that were looked at.
    places: FxHashMap<Key, FxHashMap<Key, usize>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Collector {
    /// Opens the file, or standard error for `-`; nothing for an empty name. Opened once, however
    /// many clones ask.
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
        let mut begun = lock(&BEGUN);
        // Two passes of one pipeline may write the same file, each at its end.
        let emptied = match begun.contains(&path) {
            true => Ok(None),
            false => File::create(&path).map(Some),
        };
        // Open until then, so that whoever reads a pipe does not see its end.
        let file = emptied
            .and_then(|_emptied| OpenOptions::new().append(true).open(&path))
            .map_err(|error| InitError {
                code: REPORT,
                message: format!("cannot write report '{name}': {error}"),
            })?;
        begun.insert(path.clone());
        inner.sink = Some(Sink::File(path, file));
        Ok(())
    }

    /// True if a report was asked for.
    pub fn is_open(&self) -> bool {
        lock(&self.inner).sink.is_some()
    }

    /// The pass runs: there is something to write.
    pub fn start(&self) {
        let mut inner = lock(&self.inner);
        inner.started = true;
        // Operations of this module may stand where those of the last one did.
        if matches!(inner.sink, Some(Sink::Caller)) {
            inner.places.clear();
        }
    }

    /// Adds the report of a function.
    pub fn add(&self, function: Op<'_>, report: FunctionReport) {
        self.add_entry(function, report, None);
    }

    /// Adds the report of a function that says how often it was read.
    pub fn add_counted(&self, function: Op<'_>, report: FunctionReport, times: TimesRead) {
        self.add_entry(function, report, Some(times));
    }

    fn add_entry(&self, function: Op<'_>, report: FunctionReport, times: Option<TimesRead>) {
        let mut inner = lock(&self.inner);
        let place = inner.place(function);
        match inner.sink {
            Some(Sink::Caller) => {
                FOR_CALLERS.with_borrow_mut(|functions| functions.push((place, report, times)));
            }
            _ => inner.functions.push((place, report, times)),
        }
    }
}

impl Inner {
    /// Where an operation stands: its place in its block, after those of the operations around it.
    /// Reads lists of operations only, never what is in a sibling, which may be changing.
    fn place(&mut self, op: Op<'_>) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = op;
        while let Some(block) = parent_block(at) {
            let places = self.places.entry(block.key()).or_default();
            let place = match places.get(&at.key()) {
                Some(place) => *place,
                None => {
                    *places = ops(block)
                        .enumerate()
                        .map(|(place, op)| (op.key(), place))
                        .collect();
                    places.get(&at.key()).copied().unwrap_or_default()
                }
            };
            path.push(place);
            let Some(parent) = block_parent(block) else {
                break;
            };
            let in_parent = regions(parent)
                .flat_map(blocks)
                .position(|one| one == block);
            path.push(in_parent.unwrap_or_default());
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
        let functions = inner.functions.drain(..).map(finished);
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
