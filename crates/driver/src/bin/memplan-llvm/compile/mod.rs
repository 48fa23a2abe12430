//! `memplan compile`: a module of many functions, through planning and lowering, to an object file.

mod memory;
mod messages;
mod ninja;
mod reports;
mod second_attempt;
mod settings;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use memplan_driver::{
    compile::{Arguments, OutputKind},
    files::{self, Outputs},
    missing_threads,
};
use memplan_output::targets::Targets;
use memplan_report::Report;
use memplan_translate::{
    outcome::{Message, MessageSeverity, Outcome, Phases},
    product::Product,
    run::{Failure, Progress, Source, fingerprint_of, prepare, run as translate, run_each_alone},
    shard::{self, Header},
};
use messages::Printer;
use std::{io::IsTerminal, time::Instant};

/// Runs the subcommand. Returns false if the compilation of a function failed; the errors are then
/// printed.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let begun = Instant::now();
    let input = second_attempt::input(&arguments.input)?;
    let name = files::name(&arguments.input);
    let source = Source {
        name: &name,
        text: &input,
    };
    let settings = settings::of(arguments)?;
    let output_kind = arguments.output_kind()?;
    let target = arguments.output();
    let mut targets = Targets::default();
    targets.input("the input", &arguments.input);
    let report = arguments.report.as_deref();
    let outputs = report.map(|path| ("--report", path));
    let outputs = [("-o", &*target)].into_iter().chain(outputs);
    files::check_outputs(&mut targets, outputs)?;
    if let OutputKind::Ninja(shards) = output_kind {
        let text = ninja::file(arguments, shards)?;
        files::write(&target, text.as_bytes())?;
        return Ok(true);
    }
    prepare();
    let before = second_attempt::fatal_error();
    if before.is_none() {
        second_attempt::retry_on_fatal_error(&arguments.input, &input);
    }
    let output = match (&before, output_kind) {
        (Some(_), _) => Output::Nothing,
        (None, OutputKind::Shard) => Output::Shard(Vec::new()),
        (None, _) => Output::Product(Box::new(Product::new(&settings))),
    };
    let mut compilation = Compilation::new(Printer::new(&name, &input), output);
    let translated = match before {
        None => translate(source, &settings, &mut compilation),
        Some(_) => run_each_alone(source, &settings, &mut compilation),
    };
    compilation.bar.finish_and_clear();
    let took = match translated {
        Ok(took) => took,
        Err(Failure::Source(messages)) => {
            compilation.printer.print(&messages);
            return Ok(false);
        }
        Err(failure) => return Err(failure.into()),
    };
    let [started, wanted] = took.workers;
    if started < wanted {
        files::say(&missing_threads(started, wanted));
    }
    compilation.printer.print(&compilation.messages);
    if let Some(text) = before.filter(|_| compilation.failed == 0) {
        bail!("{text}; not again where each function was compiled for itself");
    }
    if let Some(error) = compilation.error {
        return Err(error);
    }
    if compilation.failed > 0 {
        return Ok(false);
    }
    let joining = Instant::now();
    let reports = std::mem::take(&mut compilation.reports);
    let bytes = match compilation.output {
        Output::Product(product) => product
            .finish(&took.target)
            .context("cannot link the partitions")?,
        Output::Shard(outcomes) => {
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
        Output::Nothing => return Ok(false),
    };
    let joined = joining.elapsed();
    let writing = Instant::now();
    let mut outputs = Outputs::default();
    outputs.add(&target, &bytes)?;
    if let Some(path) = &arguments.report {
        outputs.add(path, Report::new(reports).to_json().as_bytes())?;
    }
    outputs.commit()?;
    if arguments.time_report {
        let times = reports::Times {
            parse: took.parse,
            cut: took.partition,
            phases: compilation.phases,
            join: compilation.joining + joined,
            write: writing.elapsed(),
            whole: begun.elapsed(),
            workers: settings.workers,
        };
        files::print_aside(&times.table())?;
    }
    if arguments.mem_report {
        let memory = reports::Memory {
            input: input.len() as u64,
            output: bytes.len() as u64,
            parsed: compilation.parsed,
            peak: memory::peak(),
            units: took.partitions,
            parts: compilation.parts,
        };
        files::print_aside(&memory.table())?;
    }
    Ok(true)
}

/// The accumulated output.
enum Output {
    Product(Box<Product>),
    Shard(Vec<Outcome>),
    /// Only messages count.
    Nothing,
}

/// Receives the outcomes of the units in order.
struct Compilation {
    printer: Printer,
    bar: ProgressBar,
    output: Output,
    reports: Vec<memplan_report::FunctionReport>,
    phases: Phases,
    joining: std::time::Duration,
    /// Messages are printed at the end, because a second attempt after a fatal error of LLVM
    /// reports them again.
    messages: Vec<Message>,
    failed: usize,
    parts: usize,
    parsed: u64,
    error: Option<anyhow::Error>,
}

impl Compilation {
    fn new(printer: Printer, output: Output) -> Self {
        Self {
            printer,
            bar: ProgressBar::hidden(),
            output,
            reports: Vec::new(),
            phases: Phases::default(),
            joining: std::time::Duration::ZERO,
            messages: Vec::new(),
            failed: 0,
            parts: 0,
            parsed: 0,
            error: None,
        }
    }

    fn receive(&mut self, mut outcome: Outcome) -> Result<()> {
        self.parts += 1;
        self.phases += outcome.phases;
        let messages = std::mem::take(&mut outcome.messages);
        let is_wrong = messages
            .iter()
            .any(|message| message.severity == MessageSeverity::Error);
        self.messages.extend(messages);
        if outcome.failed || is_wrong {
            self.failed += 1;
        }
        if self.failed > 0 {
            return Ok(());
        }
        match &mut self.output {
            Output::Nothing => {}
            Output::Shard(outcomes) => outcomes.push(outcome),
            Output::Product(product) => {
                self.reports.append(&mut outcome.reports);
                let start = Instant::now();
                product.add(outcome).context("cannot link the partitions")?;
                self.joining += start.elapsed();
            }
        }
        Ok(())
    }
}

impl Progress for Compilation {
    fn parsed(&mut self) {
        self.parsed = memory::now();
    }

    fn partitioned(&mut self, units: usize) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        self.bar = ProgressBar::new(units as u64);
        if let Ok(style) = ProgressStyle::with_template(
            "{bar:40} {pos}/{len} partitions \
        {elapsed}",
        ) {
            self.bar.set_style(style);
        }
    }

    fn take(&mut self, outcomes: Vec<Outcome>) -> bool {
        self.bar.inc(1);
        for outcome in outcomes {
            if let Err(error) = self.receive(outcome) {
                self.error = Some(error);
                return false;
            }
        }
        true
    }
}
