//! `memplan compile`: a module of many functions, through planning and lowering, to an object file.

mod again;
mod arguments;
mod memory;
mod messages;
mod ninja;
mod output;
mod reports;

pub use arguments::Arguments;
pub use output::write as write_output;

use anyhow::{Context, Result, bail};
use arguments::Wanted;
use indicatif::{ProgressBar, ProgressStyle};
use memplan_driver::files;
use memplan_report::Report;
use memplan_translate::{
    outcome::{Message, MessageSeverity, Outcome, Phases},
    product::Product,
    run::{Failure, Progress, Source, fingerprint_of, prepare, run as translate, run_each_alone},
    shard::{self, Header},
};
use messages::Printer;
use std::{io::IsTerminal, path::Path, time::Instant};

/// Runs the subcommand. False if something of the module failed, which has been said.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let begun = Instant::now();
    let input = again::input(&arguments.input)?;
    let name = files::name(&arguments.input);
    let source = Source {
        name: &name,
        text: &input,
    };
    let settings = arguments.settings()?;
    let wanted = arguments.wanted()?;
    let target = arguments.output();
    if is_same_file(&target, &arguments.input) {
        bail!("the result would take the place of the input: -o names another file");
    }
    if let Wanted::Ninja(shards) = wanted {
        let text = ninja::file(arguments, shards)?;
        output::write(&target, text.as_bytes())?;
        return Ok(true);
    }
    prepare();
    let before = again::given_up();
    if before.is_none() {
        again::each_alone_where_llvm_gives_up(&arguments.input, &input);
    }
    let made = match (&before, wanted) {
        (Some(_), _) => Made::Nothing,
        (None, Wanted::Shard) => Made::Shard(Vec::new()),
        (None, _) => Made::Product(Box::new(Product::new(&settings))),
    };
    let mut work = Work::new(Printer::new(&name, &input), made);
    let translated = match before {
        None => translate(source, &settings, &mut work),
        Some(_) => run_each_alone(source, &settings, &mut work),
    };
    work.bar.finish_and_clear();
    let took = match translated {
        Ok(took) => took,
        Err(Failure::Source(messages)) => {
            work.printer.print(&messages);
            return Ok(false);
        }
        Err(failure) => return Err(failure.into()),
    };
    work.printer.print(&work.said);
    if let Some(text) = before.filter(|_| work.failed == 0) {
        bail!("{text}; not again where each function was compiled for itself");
    }
    if let Some(error) = work.error {
        return Err(error);
    }
    if work.failed > 0 {
        return Ok(false);
    }
    let joining = Instant::now();
    let reports = std::mem::take(&mut work.reports);
    let bytes = match work.made {
        Made::Product(product) => product
            .finish(&took.target)
            .context("cannot join the units")?,
        Made::Shard(outcomes) => {
            let header = Header {
                memplan: env!("CARGO_PKG_VERSION").to_owned(),
                fingerprint: fingerprint_of(source, &settings),
                shard: settings.shard.unwrap_or((0, 1)),
                partitions: took.partitions,
                report: settings.report,
            };
            let mut bytes = shard::begin(&header)?;
            for outcome in &outcomes {
                shard::append(&mut bytes, outcome)?;
            }
            bytes
        }
        Made::Nothing => return Ok(false),
    };
    let joined = joining.elapsed();
    let writing = Instant::now();
    output::write(&target, &bytes)?;
    if let Some(path) = &arguments.report {
        output::write(path, Report::new(reports).to_json().as_bytes())?;
    }
    if arguments.time_report {
        let times = reports::Times {
            parse: took.parse,
            cut: took.partition,
            phases: work.phases,
            join: work.joining + joined,
            write: writing.elapsed(),
            whole: begun.elapsed(),
            workers: settings.workers,
        };
        eprint!("{}", times.table());
    }
    if arguments.mem_report {
        let memory = reports::Memory {
            input: input.len() as u64,
            output: bytes.len() as u64,
            parsed: work.parsed,
            peak: memory::peak(),
            units: took.partitions,
            parts: work.parts,
        };
        eprint!("{}", memory.table());
    }
    Ok(true)
}

/// What units are made into.
enum Made {
    Product(Box<Product>),
    Shard(Vec<Outcome>),
    /// Only what is said counts.
    Nothing,
}

/// Takes what is made, in order.
struct Work {
    printer: Printer,
    bar: ProgressBar,
    made: Made,
    reports: Vec<memplan_report::FunctionReport>,
    phases: Phases,
    joining: std::time::Duration,
    /// Nothing is printed before the end: LLVM may give up, and all be told anew.
    said: Vec<Message>,
    failed: usize,
    parts: usize,
    parsed: u64,
    error: Option<anyhow::Error>,
}

impl Work {
    fn new(printer: Printer, made: Made) -> Self {
        Self {
            printer,
            bar: ProgressBar::hidden(),
            made,
            reports: Vec::new(),
            phases: Phases::default(),
            joining: std::time::Duration::ZERO,
            said: Vec::new(),
            failed: 0,
            parts: 0,
            parsed: 0,
            error: None,
        }
    }

    fn take_one(&mut self, mut outcome: Outcome) -> Result<()> {
        self.parts += 1;
        self.phases += outcome.phases;
        let messages = std::mem::take(&mut outcome.messages);
        let is_wrong = messages
            .iter()
            .any(|message| message.severity == MessageSeverity::Error);
        self.said.extend(messages);
        if outcome.failed || is_wrong {
            self.failed += 1;
        }
        if self.failed > 0 {
            return Ok(());
        }
        match &mut self.made {
            Made::Nothing => {}
            Made::Shard(outcomes) => outcomes.push(outcome),
            Made::Product(product) => {
                self.reports.append(&mut outcome.reports);
                let start = Instant::now();
                product.add(outcome).context("cannot join the units")?;
                self.joining += start.elapsed();
            }
        }
        Ok(())
    }
}

impl Progress for Work {
    fn parsed(&mut self) {
        self.parsed = memory::now();
    }

    fn partitioned(&mut self, units: usize) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        self.bar = ProgressBar::new(units as u64);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} units {elapsed}") {
            self.bar.set_style(style);
        }
    }

    fn take(&mut self, outcomes: Vec<Outcome>) -> bool {
        self.bar.inc(1);
        for outcome in outcomes {
            if let Err(error) = self.take_one(outcome) {
                self.error = Some(error);
                return false;
            }
        }
        true
    }
}

/// Do two paths name one file that is there?
fn is_same_file(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok().filter(|_| !files::is_dash(path));
    whole(one).is_some_and(|one| one.is_file() && Some(one) == whole(other))
}

/// Where a file goes that is made of another one.
fn beside(input: &Path, extension: &str) -> std::path::PathBuf {
    match files::is_dash(input) {
        true => input.to_owned(),
        false => input.with_extension(extension),
    }
}
