//! The threads: one reads and partitions the module, workers compile partitions, and one takes their results, in
//! the order of the module.

use crate::{
    messages::Listener,
    outcome::{Message, Outcome, timed},
    partition::Ties,
    pool::pool,
    settings::{Emit, Settings},
    shard::belongs,
    split::{PartitionedModule, SerializedPartition},
    symbol_origin::SymbolOrigins,
    synthesized_symbols::fingerprint,
    work::{Stage, Task, fresh_context, passes, run_alone, run_in_process, work},
};
use memplan_declarations::compile;
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{operands, results},
    llvm::{LlvmContext, LlvmModule, Target, TargetMachine, install_fatal_error_handler},
    malloc_arenas::limit_malloc_arenas,
    melior::{
        dialect::DialectRegistry,
        ir::{Module, operation::OperationLike},
        utility::{register_all_dialects, register_all_passes},
    },
    split::{op_of, operations, parse, symbol},
    symbols::text,
};
use memplan_order::Flow;
use std::{
    sync::{Mutex, Once, PoisonError},
    thread,
    time::Duration,
};

/// The number of partitions for each worker that are read and not yet taken by the writer.
const WINDOW: usize = 16;
/// The stack size of workers: LLVM and MLIR recurse into nested structures.
const STACK: usize = 256 << 20;

/// The text of a module, with its name.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file name in locations.
    pub name: &'a str,
    /// MLIR, as text or bytecode.
    pub text: &'a [u8],
}

/// Why nothing was compiled.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A pipeline is invalid.
    #[error("{0}")]
    Pipeline(String),
    /// A target is not available.
    #[error("{0}")]
    Target(String),
    /// The source is not a module.
    #[error("the input is not a module")]
    Source(Vec<Message>),
    /// A thread ended unexpectedly.
    #[error("internal error of memplan: a thread ended early")]
    Thread,
}

/// Receives the progress and the results of a run.
pub trait Progress: Send {
    /// The source has been parsed.
    fn parsed(&mut self) {}
    /// The module has been partitioned into `_partitions` partitions.
    fn partitioned(&mut self, _units: usize) {}
    /// Takes the results of one partition, one for each part, in the order of the module. Returns false to stop the
    /// run.
    fn take(&mut self, outcomes: Vec<Outcome>) -> bool;
}

/// Figures of a run, apart from those of partitions.
#[derive(Clone, Debug, Default)]
pub struct RunStatistics {
    /// The target of the code: the one in the settings, or else that of the module.
    pub target: Target,
    /// The time to parse the source.
    pub parse: Duration,
    /// The time to partition the module.
    pub partition: Duration,
    /// The number of partitions.
    pub partitions: usize,
    /// The workers that there were, and those that there should have been: the system may start fewer threads.
    pub workers: [usize; 2],
}

/// Registers passes. May be called more than once.
pub fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register_all_passes();
        memplan_passes::register_all();
        install_fatal_error_handler();
    });
}

/// Compiles a module.
pub fn run(
    source: Source<'_>,
    settings: &Settings,
    progress: &mut dyn Progress,
) -> Result<RunStatistics, Failure> {
    #[cfg(feature = "valgrind")]
    warm_up(source, settings)?;
    with_partitions(source, settings, progress, in_threads)
}

/// Compiles a module in this thread and drops the results. MLIR and LLVM create their constants at the first use,
/// under no lock that drd sees; afterwards, threads only read them.
#[cfg(feature = "valgrind")]
fn warm_up(source: Source<'_>, settings: &Settings) -> Result<(), Failure> {
    struct Nobody;
    impl Progress for Nobody {
        fn take(&mut self, _outcomes: Vec<Outcome>) -> bool {
            true
        }
    }
    with_partitions(
        source,
        settings,
        &mut Nobody,
        |split, settings, _, statistics| {
            for (partition, input) in partitions(split, settings) {
                let stage = Stage::Fresh;
                let _ = crate::work::run_here(
                    Task {
                        partition,
                        input,
                        stage,
                    },
                    settings,
                );
            }
            Ok(statistics)
        },
    )
    .map(|_| ())
}

/// Compiles a module function by function, each in a process of its own, so that an error after which LLVM ends the
/// process does not hide the errors of other functions. There must be no other threads. Produces messages only.
pub fn run_each_alone(
    source: Source<'_>,
    settings: &Settings,
    progress: &mut dyn Progress,
) -> Result<RunStatistics, Failure> {
    let settings = Settings {
        volume: 0,
        workers: 1,
        ..settings.clone()
    };
    with_partitions(
        source,
        &settings,
        progress,
        |split, settings, progress, statistics| {
            for (partition, input) in partitions(split, settings) {
                let stage = Stage::Fresh;
                if !progress.take(run_in_process(
                    Task {
                        partition,
                        input,
                        stage,
                    },
                    settings,
                )) {
                    break;
                }
            }
            Ok(statistics)
        },
    )
}

/// Reads and partitions a module, and calls `work`.
fn with_partitions(
    source: Source<'_>,
    settings: &Settings,
    progress: &mut dyn Progress,
    work: impl FnOnce(
        &PartitionedModule<'_>,
        &Settings,
        &mut dyn Progress,
        RunStatistics,
    ) -> Result<RunStatistics, Failure>,
) -> Result<RunStatistics, Failure> {
    prepare();
    limit_malloc_arenas(settings.workers);
    check(settings)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = fresh_context(&registry, settings);
    for text in [&settings.plan, &settings.lower] {
        passes(&context, text).map_err(|error| Failure::Pipeline(error.to_string()))?;
    }
    let mut statistics = RunStatistics::default();
    let listener = Listener::new(&context);
    let module = timed(&mut statistics.parse, || {
        parse(&context, source.text, source.name)
    });
    let module = module.filter(check_toplevel_operations);
    let Some(module) = module else {
        return Err(Failure::Source(listener.take()));
    };
    progress.parsed();
    let settings = &Settings {
        target: target_of(&module, &settings.target),
        ..settings.clone()
    };
    check(settings)?;
    statistics.target = settings.target.clone();
    let split = timed(&mut statistics.partition, || {
        pool(&module);
        let symbols: Vec<_> = operations(&module).map(symbol).collect();
        let names = SymbolOrigins::of(&symbols);
        drop(symbols);
        let ties = match settings.whole_program {
            true => Ties::All,
            false => Ties::Calls,
        };
        PartitionedModule::new(module, names, ties, settings.volume)
    });
    statistics.partitions = split.count();
    progress.partitioned(split.count());
    work(&split, settings, progress, statistics)
}

/// The partitions of this shard, one by one.
fn partitions<'s>(
    split: &'s PartitionedModule<'_>,
    settings: &'s Settings,
) -> impl Iterator<Item = (usize, SerializedPartition)> + 's {
    // Any shard may have parts of a partition that may be split.
    let is_ours = |partition: &usize| {
        settings.shard.is_none_or(|shard| {
            split.ops(*partition) > settings.large || belongs(split.name(*partition), shard)
        })
    };
    let ours = (0..split.count()).filter(is_ours);
    ours.map(|partition| (partition, split.take(partition)))
}

/// Compiles partitions on several workers; another thread takes the results.
fn in_threads(
    split: &PartitionedModule<'_>,
    settings: &Settings,
    progress: &mut dyn Progress,
    mut statistics: RunStatistics,
) -> Result<RunStatistics, Failure> {
    let flow: Flow<Task, Outcome> = Flow::new(WINDOW * settings.workers);
    let progress = Mutex::new(progress);
    let take = |outcomes| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.take(outcomes)
    };
    statistics.workers = [1, settings.workers];
    thread::scope(|scope| {
        let writer = thread::Builder::new().spawn_scoped(scope, || {
            let _guard = flow.guard();
            while let Some(outcomes) = flow.take() {
                if !take(outcomes) {
                    flow.abandon();
                }
            }
        });
        let mut workers = Vec::new();
        for number in 0..settings.workers {
            let builder = thread::Builder::new()
                .name(format!("worker {number}"))
                .stack_size(STACK);
            let worker = builder.spawn_scoped(scope, || {
                let _guard = flow.guard();
                let result = work(&flow, settings);
                if result.is_err() {
                    flow.abandon();
                }
                result
            });
            match worker {
                Ok(worker) if writer.is_ok() => workers.push(worker),
                _ => break,
            }
        }
        let Ok(writer) = writer.map_err(drop).and_then(|writer| match workers.len() {
            0 => Err(()),
            _ => Ok(writer),
        }) else {
            flow.abandon();
            return here(split, settings, &take, statistics);
        };
        statistics.workers[0] = workers.len();
        let _guard = flow.guard();
        let mut partitions = partitions(split, settings);
        while let Some((partition, input)) = timed(&mut statistics.partition, || partitions.next())
        {
            let stage = Stage::Fresh;
            if flow
                .push(Task {
                    partition,
                    input,
                    stage,
                })
                .is_err()
            {
                break;
            }
        }
        flow.close();
        let mut failure = None;
        for worker in workers {
            match worker.join() {
                Ok(Ok(())) => {}
                Ok(Err(text)) => failure = Some(Failure::Pipeline(text)),
                Err(_) => failure = Some(Failure::Thread),
            }
        }
        // Without workers, the writer must not wait for results.
        if failure.is_some() {
            flow.abandon();
        }
        if writer.join().is_err() {
            failure = Some(Failure::Thread);
        }
        failure.map_or(Ok(statistics), Err)
    })
}

/// Compiles partitions one after the other in this thread, as the system starts no other.
fn here(
    split: &PartitionedModule<'_>,
    settings: &Settings,
    take: &dyn Fn(Vec<Outcome>) -> bool,
    statistics: RunStatistics,
) -> Result<RunStatistics, Failure> {
    for (partition, input) in partitions(split, settings) {
        let stage = Stage::Fresh;
        let task = Task {
            partition,
            input,
            stage,
        };
        if !take(run_alone(task, settings).map_err(Failure::Pipeline)?) {
            break;
        }
    }
    Ok(statistics)
}

/// Reports operations outside of functions that have operands or results. Returns true if there are none.
fn check_toplevel_operations(module: &Module<'_>) -> bool {
    let with = operations(module)
        .filter(|op| results(*op).next().is_some() || operands(*op).next().is_some());
    let reported = with.map(|op| {
        let text = "cannot be compiled: it is outside of functions, and has operands or results";
        Diagnostic::new(compile::BETWEEN_FUNCTIONS, op.location(), text).emit();
    });
    reported.count() == 0
}

/// Reports errors in the settings before any work, instead of for each partition.
fn check(settings: &Settings) -> Result<(), Failure> {
    let problem = settings.target.problem(settings.emit == Emit::Object);
    problem.map_or(Ok(()), |text| Err(Failure::Target(text)))?;
    let machine = TargetMachine::new(&settings.target).map_err(Failure::Target)?;
    if settings.llvm_passes.is_empty() {
        return Ok(());
    }
    let llvm = LlvmContext::new();
    let mut nothing = LlvmModule::empty("memplan", &llvm);
    machine.set_target(&mut nothing);
    let passes = machine.run(&mut nothing, &settings.llvm_passes);
    passes.map_err(|text| Failure::Pipeline(format!("passes of LLVM's: {text}")))
}

/// The target in the settings, or else that of the module.
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

/// A fingerprint of the input and all settings: equal for equal ones.
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
