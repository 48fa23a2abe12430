//! From the text of a module to what its units become: one thread reads and cuts, workers translate, one thread takes what
//! they make, in the order of the module.

use crate::{
    codes,
    cut::Ties,
    known::Names,
    made::fingerprint,
    messages::Listener,
    outcome::{Message, Outcome, timed},
    pool::pool,
    settings::{Emit, Settings},
    shard::belongs,
    split::{Piece, Split},
    work::{Stage, Task, alone, fresh_context, passes, work},
};
use memplan_mlir::{
    diagnostics::Diagnostic,
    heaps::share_heaps,
    ir::{operands, results},
    llvm::{Llvm, LlvmModule, Machine, Target, name_fatal_errors},
    melior::{
        dialect::DialectRegistry,
        ir::{Module, operation::OperationLike},
        utility::{register_all_dialects, register_all_passes},
    },
    symbols::text,
    units::{op_of, operations, parse, symbol},
};
use memplan_order::Flow;
use std::{sync::Once, thread, time::Duration};

/// Units for each worker that are read, and not yet taken by the writer.
const WINDOW: usize = 16;
/// LLVM and MLIR walk what is nested by calling themselves.
const STACK: usize = 256 << 20;

/// The text of a module, and what it is called.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What locations call it.
    pub name: &'a str,
    /// MLIR as text or bytecode.
    pub text: &'a [u8],
}

/// Why nothing was translated.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A pipeline cannot be understood.
    #[error("{0}")]
    Pipeline(String),
    /// A target is not there.
    #[error("{0}")]
    Target(String),
    /// The source is no module.
    #[error("the input is not a module")]
    Source(Vec<Message>),
    /// A thread ended that should not have.
    #[error("a fault of memplan: a thread ended early")]
    Thread,
}

/// Who wants to know how far it is, and gets what is made.
pub trait Watch: Send {
    /// The source has been read; nothing else has been done.
    fn parsed(&mut self) {}
    /// So many units are to come.
    fn cut(&mut self, _units: usize) {}
    /// What a unit was made into, one or more parts; units come in the order of the module. False ends all.
    fn take(&mut self, outcomes: Vec<Outcome>) -> bool;
}

/// What it took besides the units.
#[derive(Clone, Debug, Default)]
pub struct Took {
    /// What code was made for: where nobody said it, the module may.
    pub target: Target,
    /// Reading the source.
    pub parse: Duration,
    /// Cutting it.
    pub cut: Duration,
    /// Units of the module.
    pub units: usize,
}

/// Makes passes known. Again is no harm.
pub fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_all_passes();
        memplan_passes::register_all();
        name_fatal_errors();
    });
}

/// Translates a module.
pub fn run(
    source: Source<'_>,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Result<Took, Failure> {
    #[cfg(feature = "valgrind")]
    rehearse(source, settings)?;
    opened(source, settings, watch, in_threads)
}

/// Translates a module in this thread, and drops what comes of it. MLIR's and LLVM's constants are made at their first use,
/// which takes no lock that drd sees; behind this, threads only read them.
#[cfg(feature = "valgrind")]
fn rehearse(source: Source<'_>, settings: &Settings) -> Result<(), Failure> {
    struct Nobody;
    impl Watch for Nobody {
        fn take(&mut self, _outcomes: Vec<Outcome>) -> bool {
            true
        }
    }
    opened(source, settings, &mut Nobody, |split, settings, _, took| {
        for (unit, piece) in units(split, settings) {
            let stage = Stage::Fresh;
            let _ = crate::work::done_here(Task { unit, piece, stage }, settings);
        }
        Ok(took)
    })
    .map(|_| ())
}

/// Translates a module function by function, each in a process of its own, so that an error after which LLVM ends the process
/// does not keep others from being told. There must be no other threads. Nothing is made but messages.
pub fn run_each_alone(
    source: Source<'_>,
    settings: &Settings,
    watch: &mut dyn Watch,
) -> Result<Took, Failure> {
    let settings = Settings {
        volume: 0,
        workers: 1,
        ..settings.clone()
    };
    opened(source, &settings, watch, |split, settings, watch, took| {
        for (unit, piece) in units(split, settings) {
            let stage = Stage::Fresh;
            if !watch.take(alone(Task { unit, piece, stage }, settings)) {
                break;
            }
        }
        Ok(took)
    })
}

/// Reads a module and cuts it.
fn opened(
    source: Source<'_>,
    settings: &Settings,
    watch: &mut dyn Watch,
    work: impl FnOnce(&Split<'_>, &Settings, &mut dyn Watch, Took) -> Result<Took, Failure>,
) -> Result<Took, Failure> {
    prepare();
    share_heaps(settings.workers);
    check(settings)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = fresh_context(&registry, settings);
    for text in [&settings.plan, &settings.lower] {
        passes(&context, text).map_err(|error| Failure::Pipeline(error.to_string()))?;
    }
    let mut took = Took::default();
    let listener = Listener::new(&context);
    let module = timed(&mut took.parse, || {
        parse(&context, source.text, source.name)
    });
    let module = module.filter(has_no_values);
    let Some(module) = module else {
        return Err(Failure::Source(listener.take()));
    };
    watch.parsed();
    let settings = &Settings {
        target: target_of(&module, &settings.target),
        ..settings.clone()
    };
    check(settings)?;
    took.target = settings.target.clone();
    let split = timed(&mut took.cut, || {
        pool(&module);
        let symbols: Vec<_> = operations(&module).map(symbol).collect();
        let names = Names::of(&symbols);
        drop(symbols);
        let ties = match settings.whole_program {
            true => Ties::All,
            false => Ties::Calls,
        };
        Split::new(module, names, ties, settings.volume)
    });
    took.units = split.count();
    watch.cut(split.count());
    work(&split, settings, watch, took)
}

/// The units that are this run's, one by one.
fn units<'s>(
    split: &'s Split<'_>,
    settings: &'s Settings,
) -> impl Iterator<Item = (usize, Piece)> + 's {
    // Any shard may have parts of what may come apart.
    let is_ours = |unit: &usize| {
        settings.shard.is_none_or(|shard| {
            split.ops(*unit) > settings.large || belongs(split.name(*unit), shard)
        })
    };
    let ours = (0..split.count()).filter(is_ours);
    ours.map(|unit| (unit, split.take(unit)))
}

/// Translates units by so many workers; another thread takes what they make.
fn in_threads(
    split: &Split<'_>,
    settings: &Settings,
    watch: &mut dyn Watch,
    mut took: Took,
) -> Result<Took, Failure> {
    let flow: Flow<Task, Outcome> = Flow::new(WINDOW * settings.workers);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.workers)
            .map(|number| {
                let builder = thread::Builder::new()
                    .name(format!("worker {number}"))
                    .stack_size(STACK);
                builder.spawn_scoped(scope, || {
                    let _guard = flow.guard();
                    let result = work(&flow, settings);
                    if result.is_err() {
                        flow.abandon();
                    }
                    result
                })
            })
            .collect();
        let writer = scope.spawn(|| {
            let _guard = flow.guard();
            while let Some(outcomes) = flow.take() {
                if !watch.take(outcomes) {
                    flow.abandon();
                }
            }
        });
        let _guard = flow.guard();
        let mut units = units(split, settings);
        while let Some((unit, piece)) = timed(&mut took.cut, || units.next()) {
            let stage = Stage::Fresh;
            if flow.give(Task { unit, piece, stage }).is_err() {
                break;
            }
        }
        flow.close();
        let mut failure = None;
        for worker in workers {
            match worker.map(|worker| worker.join()) {
                Ok(Ok(Ok(()))) => {}
                Ok(Ok(Err(text))) => failure = Some(Failure::Pipeline(text)),
                Ok(Err(_)) | Err(_) => failure = Some(Failure::Thread),
            }
        }
        // Without workers, nobody waits for what will not come.
        if failure.is_some() {
            flow.abandon();
        }
        if writer.join().is_err() {
            failure = Some(Failure::Thread);
        }
        failure.map_or(Ok(took), Err)
    })
}

/// Says of what stands between functions that it gives or takes values; true where nothing does.
fn has_no_values(module: &Module<'_>) -> bool {
    let with = operations(module)
        .filter(|op| results(*op).next().is_some() || operands(*op).next().is_some());
    let told = with.map(|op| {
        let text = "cannot be compiled: it stands in no function, and gives or takes values";
        Diagnostic::new(codes::BETWEEN_FUNCTIONS, op.location(), text).emit();
    });
    told.count() == 0
}

/// Finds out before any work what would fail for each unit.
fn check(settings: &Settings) -> Result<(), Failure> {
    let problem = settings.target.problem(settings.emit == Emit::Object);
    problem.map_or(Ok(()), |text| Err(Failure::Target(text)))?;
    let machine = Machine::new(&settings.target).map_err(Failure::Target)?;
    if settings.llvm_passes.is_empty() {
        return Ok(());
    }
    let llvm = Llvm::new();
    let mut nothing = LlvmModule::empty("memplan", &llvm);
    machine.prepare(&mut nothing);
    let passes = machine.run(&mut nothing, &settings.llvm_passes);
    passes.map_err(|text| Failure::Pipeline(format!("passes of LLVM's: {text}")))
}

/// The target that was asked for, or else that of the module.
fn target_of(module: &Module<'_>, asked: &Target) -> Target {
    let of_module = || op_of(module).and_then(|op| text(op, "llvm.target_triple"));
    Target {
        triple: match asked.triple.is_empty() {
            true => of_module().unwrap_or_default(),
            false => asked.triple.clone(),
        },
        ..asked.clone()
    }
}

/// What is compiled, in a word: equal for equal inputs and settings, and for no others.
pub fn fingerprint_of(source: Source<'_>, settings: &Settings) -> String {
    let fixed = Settings {
        workers: 1,
        shard: None,
        ..settings.clone()
    };
    let text = format!("{fixed:?} {} ", settings.target.full_triple());
    let input = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(source.text));
    fingerprint(&format!("{text}{} {input}", source.name))
}
