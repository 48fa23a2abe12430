//! The work on a partition: planning, lowering, translation to LLVM IR, machine code.

use crate::{
    memref_copy,
    messages::{Listener, tidy},
    not_lowered::{self, name_errors_of_llvm, name_errors_of_lowering},
    outcome::{Message, MessageSeverity, Outcome, Phases, timed},
    partition::Ties,
    settings::{Emit, Settings},
    shard::belongs,
    split::{PartitionedModule, SerializedPartition},
    symbol_origin::SymbolOrigins,
    synthesized_symbols::{fingerprint, name_synthesized_symbols},
};
use memplan_declarations::compile::NOT_GENERATED;
use memplan_mlir::{
    llvm::{
        CodeFormat, LlvmContext, LlvmModule, TargetMachine, run_in_child_process, set_current_work,
    },
    melior::{
        Context, Error,
        dialect::DialectRegistry,
        ir::Module,
        pass::PassManager,
        utility::{parse_pass_pipeline, register_all_dialects, register_all_llvm_translations},
    },
    split::{SymbolKind, bytecode, op_of, operations, parse, symbol},
};
use memplan_order::Flow;
use memplan_passes::collector;
use memplan_report::FunctionReport;
use rustc_hash::FxHashSet;

/// A context is renewed after so many operations, since it never frees a type or an attribute.
const CONTEXT_RENEWAL: usize = 12_000;

/// The LLVM passes that lower coroutines.
const COROUTINES: &str = "coro-early,cgscc(coro-split),coro-cleanup";

/// The LLVM pass that lowers operations on matrices.
const MATRICES: &str = "function(lower-matrix-intrinsics)";

/// A partition, or a part of one, to be compiled.
pub struct Task {
    /// The index of the partition in the module.
    pub partition: usize,
    /// Its module.
    pub input: SerializedPartition,
    /// Its stage.
    pub stage: Stage,
}

/// The stage of a partition.
pub enum Stage {
    /// Not planned yet.
    Fresh,
    /// A part of a planned partition.
    Planned {
        /// The index of the part, and the number of parts.
        part: (usize, usize),
        /// The results of planning, which the first part passes on.
        before: PlanningResults,
    },
}

/// The messages, reports and times of planning.
#[derive(Default)]
pub struct PlanningResults {
    messages: Vec<Message>,
    reports: Vec<FunctionReport>,
    phases: Phases,
}

/// The result of a task: an outcome, or several new tasks.
enum TaskResult {
    Whole(Box<Outcome>),
    Split(Vec<Task>),
}

/// Compiles partitions until none are left. An error means that no partition can be compiled.
pub fn work(flow: &Flow<Task, Outcome>, settings: &Settings) -> Result<(), String> {
    let machine = TargetMachine::new(&settings.target)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let mut next = flow.next();
    while next.is_some() {
        let context = fresh_context(&registry, settings);
        let pipelines = WorkerPipelines::new(settings, &machine, &context)?;
        let mut volume = 0;
        while let Some((ticket, task)) = next.take() {
            volume += task.input.ops;
            match pipelines.process(task) {
                TaskResult::Whole(outcome) => ticket.done(*outcome),
                TaskResult::Split(tasks) => ticket.split(tasks),
            }
            next = flow.next();
            if volume >= CONTEXT_RENEWAL {
                break;
            }
        }
    }
    Ok(())
}

/// Compiles a partition, and the parts that it is split into, each in a process of its own. There must be no other
/// threads. The results have no code.
pub fn run_in_process(task: Task, settings: &Settings) -> Vec<Outcome> {
    let partition = task.partition;
    let input = SerializedPartition {
        bytecode: Vec::new(),
        ..task.input.clone()
    };
    let failed = move |input: &SerializedPartition, text: &str| Outcome {
        partition,
        name: input.name.clone(),
        messages: vec![Message::of_partition(
            MessageSeverity::Error,
            input.first(),
            text,
        )],
        failed: true,
        ..Outcome::default()
    };
    let written = |outcomes: &[Outcome]| serde_json::to_vec(outcomes).unwrap_or_default();
    let answer = {
        let input = input.clone();
        move |reason: &str| {
            let text = NOT_GENERATED.message(format!("LLVM failed: {}", without_addresses(reason)));
            written(&[failed(&input, &text)])
        }
    };
    let work = || {
        let outcomes = run_here(task, settings);
        let error = |text: String| vec![failed(&input, &text)];
        written(&outcomes.unwrap_or_else(error))
    };
    let bytes = run_in_child_process(work, answer).unwrap_or_default();
    let outcomes = serde_json::from_slice(&bytes);
    outcomes.unwrap_or_else(|_| {
        let text = NOT_GENERATED.message("compiling it ended early");
        vec![failed(&input, &text)]
    })
}

/// The first line of a reason, which has the addresses of LLVM's nodes, without these: they differ between runs.
fn without_addresses(reason: &str) -> String {
    let line = reason.lines().next().unwrap_or_default();
    let words = line.split(' ').filter(|word| !word.starts_with("0x"));
    words.collect::<Vec<_>>().join(" ")
}

/// Compiles a partition, and the parts that it is split into, in this thread.
pub fn run_alone(task: Task, settings: &Settings) -> Result<Vec<Outcome>, String> {
    let machine = TargetMachine::new(&settings.target)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = fresh_context(&registry, settings);
    let pipelines = WorkerPipelines::new(settings, &machine, &context)?;
    let (mut open, mut done) = (vec![task], Vec::new());
    while let Some(task) = open.pop() {
        match pipelines.process(task) {
            TaskResult::Whole(outcome) => done.push(*outcome),
            TaskResult::Split(tasks) => open.extend(tasks.into_iter().rev()),
        }
    }
    Ok(done)
}

pub(crate) fn run_here(task: Task, settings: &Settings) -> Result<Vec<Outcome>, String> {
    let machine = TargetMachine::new(&settings.target)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = fresh_context(&registry, settings);
    let done = WorkerPipelines::new(settings, &machine, &context)?.process(task);
    Ok(match done {
        TaskResult::Whole(outcome) => vec![*outcome],
        TaskResult::Split(tasks) => {
            let tasks = tasks.into_iter();
            tasks
                .flat_map(|task| run_in_process(task, settings))
                .collect()
        }
    })
}

/// A new context for partitions.
pub fn fresh_context(registry: &DialectRegistry, settings: &Settings) -> Context {
    let context = Context::new_with_registry(registry, false);
    context.set_allow_unregistered_dialects(settings.allow_unregistered);
    register_all_llvm_translations(&context);
    context
}

/// The passes of a pipeline, which is written without the enclosing `builtin.module`.
pub fn passes<'c>(context: &'c Context, text: &str) -> Result<PassManager<'c>, Error> {
    let manager = PassManager::new(context);
    let pipeline = format!("builtin.module({text})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)?;
    Ok(manager)
}

/// There is no code; the messages say why.
struct Failed;

/// The state of a worker until its context is renewed.
struct WorkerPipelines<'a, 'c> {
    settings: &'a Settings,
    machine: &'a TargetMachine,
    context: &'c Context,
    // Dropped in this order: pass managers refer to the context.
    plan: PassManager<'c>,
    lower: PassManager<'c>,
    llvm: LlvmContext,
    listener: Listener,
}

impl<'a, 'c> WorkerPipelines<'a, 'c> {
    fn new(
        settings: &'a Settings,
        machine: &'a TargetMachine,
        context: &'c Context,
    ) -> Result<Self, String> {
        let listener = Listener::new(context);
        Ok(Self {
            settings,
            machine,
            context,
            llvm: LlvmContext::new(),
            listener,
            plan: passes(context, &settings.plan).map_err(|error| error.to_string())?,
            lower: passes(context, &settings.lower).map_err(|error| error.to_string())?,
        })
    }

    fn process(&self, task: Task) -> TaskResult {
        set_current_work(&format!("the unit of '{}'", task.input.name));
        let Task {
            partition,
            input,
            stage,
        } = task;
        let ties = match (&stage, self.settings.whole_program) {
            (Stage::Planned { .. }, _) => Ties::None,
            (Stage::Fresh, true) => Ties::All,
            (Stage::Fresh, false) => Ties::Calls,
        };
        let is_planned = matches!(stage, Stage::Planned { .. });
        let (part, before) = match stage {
            Stage::Fresh => ((0, 1), PlanningResults::default()),
            Stage::Planned { part, before } => (part, before),
        };
        let mut outcome = Outcome {
            partition,
            name: input.name.clone(),
            messages: before.messages,
            reports: before.reports,
            phases: before.phases,
            part,
            ..Outcome::default()
        };
        let translated = self.translate(&input, is_planned, &mut outcome);
        // Of several functions, it is not known which one a message is about.
        let place = if input.groups > 1 {
            ""
        } else {
            &*input.location
        };
        tidy(&mut outcome.messages, place);
        match translated {
            Ok(None) => {}
            Ok(Some(parts)) => return TaskResult::Split(self.tasks(partition, parts, outcome)),
            Err(Failed) => self.fail(&input, is_planned, ties, &mut outcome),
        }
        TaskResult::Whole(Box::new(outcome))
    }

    /// Compiles a partition. Returns its parts if these are to be lowered separately.
    fn translate(
        &self,
        input: &SerializedPartition,
        is_planned: bool,
        outcome: &mut Outcome,
    ) -> Result<Option<Vec<SerializedPartition>>, Failed> {
        let phases = &mut outcome.phases;
        let module = timed(&mut phases.read, || {
            parse(self.context, &input.bytecode, &input.name)
        });
        let mut module = self.collect_messages(module, input, &mut outcome.messages)?;
        let mut names = input.names.clone();
        if !is_planned {
            let planned = timed(&mut phases.plan, || self.plan.run(&mut module));
            outcome.reports = collector::take_for_caller();
            self.collect_messages(planned.ok(), input, &mut outcome.messages)?;
            let parts = timed(&mut outcome.phases.part, || {
                let is_large = input.ops > self.settings.large;
                name_synthesized_symbols(&module, &mut names, is_large.then_some(&*input.name));
                is_large.then(|| {
                    let volume = self.settings.volume;
                    let module = std::mem::replace(&mut module, empty(self.context));
                    let split = PartitionedModule::new(module, names.clone(), Ties::None, volume);
                    (0..split.count()).map(|at| split.take(at)).collect()
                })
            });
            if parts.is_some() {
                return Ok(parts);
            }
        }
        // Before lowering, which writes operations for each element of some vectors.
        if !self.takes_vectors(&module) {
            self.collect_messages(None, input, &mut outcome.messages)?;
        }
        let has_own_copy = memref_copy::set_aside(&module);
        let planned = outcome.messages.len();
        let lowered = timed(&mut outcome.phases.lower, || self.lower.run(&mut module));
        if has_own_copy {
            memref_copy::restore(&module);
        }
        self.collect_messages(lowered.ok(), input, &mut outcome.messages)
            .inspect_err(|_| name_errors_of_lowering(&mut outcome.messages))?;
        // MLIR reports errors that stop no pass, such as an MPI library that the module does not name.
        for message in &mut outcome.messages[planned..] {
            message.severity = message.severity.max(MessageSeverity::Warning);
            message.notes.clear();
        }
        outcome.code = self.code(&module, &names, has_own_copy, input, outcome)?;
        Ok(None)
    }

    /// Whether LLVM makes code for all vectors of a module, or is not asked to. Reports those that are too large.
    fn takes_vectors(&self, module: &Module<'c>) -> bool {
        let makes_code = matches!(self.settings.emit, Emit::Object | Emit::Assembly);
        !makes_code || not_lowered::has_no_large_vectors(module)
    }

    /// Collects the messages since the last call. Without a result, there is at least one error.
    fn collect_messages<T>(
        &self,
        result: Option<T>,
        input: &SerializedPartition,
        messages: &mut Vec<Message>,
    ) -> Result<T, Failed> {
        messages.extend(self.listener.take());
        for (severity, text) in self.llvm.take_diagnostics() {
            messages.push(Message::of_partition(severity.into(), input.first(), &text));
        }
        if result.is_none() && !has_errors(messages) {
            let text = "MLIR or LLVM refuses the result of a pass, without a message";
            messages.push(Message::of_partition(
                MessageSeverity::Error,
                input.first(),
                text,
            ));
        }
        result.ok_or(Failed)
    }

    fn code(
        &self,
        module: &Module<'c>,
        names: &SymbolOrigins,
        has_own_copy: bool,
        input: &SerializedPartition,
        outcome: &mut Outcome,
    ) -> Result<Vec<u8>, Failed> {
        if self.settings.emit == Emit::Mlir {
            return Ok(bytecode(module));
        }
        if !not_lowered::has_no_modules(module) || !self.takes_vectors(module) {
            return self.collect_messages(None, input, &mut outcome.messages);
        }
        let translated = timed(&mut outcome.phases.translate, || {
            self.llvm_ir(module, names, has_own_copy)
        });
        let translated = match translated {
            Ok(None) => return Err(self.translation_failed(module, input, outcome)),
            Ok(Some(translated)) => {
                self.collect_messages(Some(translated), input, &mut outcome.messages)?
            }
            Err(text) => return Err(self.llvm_failed(input, &text, outcome)),
        };
        let (translated, private) = translated;
        outcome.private = private;
        if self.settings.emit != Emit::Object {
            return Ok(translated.bitcode());
        }
        let code = timed(&mut outcome.phases.code, || {
            self.machine.emit(translated, CodeFormat::Object)
        });
        match code {
            Ok(code) => {
                self.collect_messages(Some(()), input, &mut outcome.messages)?;
                name_errors_of_llvm(&mut outcome.messages);
                match has_errors(&outcome.messages) {
                    true => Err(Failed),
                    false => Ok(code),
                }
            }
            Err(text) => Err(self.llvm_failed(input, &text, outcome)),
        }
    }

    /// MLIR did not translate the module. Operations that stayed say more than MLIR's messages.
    fn translation_failed(
        &self,
        module: &Module<'c>,
        input: &SerializedPartition,
        outcome: &mut Outcome,
    ) -> Failed {
        let of_mlir = self.listener.take();
        not_lowered::report(module);
        let of_ops = self.listener.take();
        if of_ops.is_empty() {
            outcome.messages.extend(reasons(of_mlir));
        } else {
            // The warnings of conversions say less, at no place.
            let is_placed = |message: &Message| message.location != "unknown";
            outcome.messages.retain(is_placed);
            outcome.messages.extend(of_ops);
        }
        let collected: Result<(), Failed> =
            self.collect_messages(None, input, &mut outcome.messages);
        name_errors_of_lowering(&mut outcome.messages);
        collected.err().unwrap_or(Failed)
    }

    fn llvm_failed(
        &self,
        input: &SerializedPartition,
        text: &str,
        outcome: &mut Outcome,
    ) -> Failed {
        let message = Message::of_partition(MessageSeverity::Error, input.first(), text);
        outcome.messages.push(message);
        let collected: Result<(), Failed> =
            self.collect_messages(None, input, &mut outcome.messages);
        name_errors_of_llvm(&mut outcome.messages);
        collected.err().unwrap_or(Failed)
    }

    /// The LLVM IR of a module, and the symbols that it defines for other partitions only. `Ok(None)`: the messages say
    /// why there is none.
    fn llvm_ir(
        &self,
        module: &Module<'c>,
        names: &SymbolOrigins,
        has_own_copy: bool,
    ) -> Result<Option<(LlvmModule<'_>, Vec<String>)>, String> {
        let Some(op) = op_of(module) else {
            return Ok(None);
        };
        let published: FxHashSet<String> = operations(module)
            .map(symbol)
            .filter(|symbol| {
                matches!(symbol.kind, SymbolKind::Function | SymbolKind::Data) && !symbol.is_local
            })
            .map(|symbol| symbol.name)
            .collect();
        let Some(mut translated) = LlvmModule::translate(op, &self.llvm) else {
            return Ok(None);
        };
        let defined = memref_copy::define(&mut translated, has_own_copy, self.machine, &self.llvm);
        // The module's name would distinguish partitions.
        translated.set_name("memplan");
        self.machine.set_target(&mut translated);
        let mut private = translated.set_linkages(|name, is_defined| {
            names.sharing(name, is_defined, |name| published.contains(name))
        });
        private.extend(defined);
        private.extend(
            translated.pool_constants(|text| format!("memplan.constant.{}", fingerprint(text))),
        );
        if !self.settings.llvm_passes.is_empty() {
            self.machine
                .run(&mut translated, &self.settings.llvm_passes)?;
        }
        if translated.has_matrices() {
            self.machine.run(&mut translated, MATRICES)?;
        }
        if translated.has_coroutines() {
            self.machine.run(&mut translated, COROUTINES)?;
        }
        Ok(Some((translated, private)))
    }

    /// The parts of a partition, as tasks. The first one passes on the messages of planning.
    fn tasks(
        &self,
        partition: usize,
        parts: Vec<SerializedPartition>,
        outcome: Outcome,
    ) -> Vec<Task> {
        let count = parts.len();
        let mut before = Some(PlanningResults {
            messages: outcome.messages,
            reports: outcome.reports,
            phases: outcome.phases,
        });
        let parts = parts.into_iter().enumerate();
        let tasks = parts.map(|(at, input)| Task {
            partition,
            input,
            stage: Stage::Planned {
                part: (at, count),
                before: before.take().filter(|_| at == 0).unwrap_or_default(),
            },
        });
        let shard = self.settings.shard;
        tasks
            .filter(|task| shard.is_none_or(|shard| belongs(&task.input.name, shard)))
            .collect()
    }

    /// Finds the groups of a partition that fail and, in those that can be planned, the functions that fail, so that no
    /// failure hides another one.
    fn fail(
        &self,
        input: &SerializedPartition,
        is_planned: bool,
        ties: Ties,
        outcome: &mut Outcome,
    ) {
        outcome.failed = true;
        outcome.code = Vec::new();
        let mut messages = Vec::new();
        match is_planned {
            true => self.lower_separately(input, &mut messages),
            false => {
                for group in self.split_groups(&input.bytecode, input, ties) {
                    if let Ok(planned) = self.planned(&group, &mut messages) {
                        self.lower_separately(&planned, &mut messages);
                    }
                }
            }
        }
        // If none fails separately, the first messages stay.
        if has_errors(&messages) {
            outcome.messages = messages;
        }
    }

    /// The independent groups of a partition.
    fn split_groups(
        &self,
        bytecode: &[u8],
        input: &SerializedPartition,
        ties: Ties,
    ) -> Vec<SerializedPartition> {
        let module = parse(self.context, bytecode, &input.name);
        // The errors of this module have been reported already.
        self.listener.take();
        let split =
            module.map(|module| PartitionedModule::new(module, input.names.clone(), ties, 0));
        split.map_or_else(Vec::new, |split| {
            (0..split.count()).map(|at| split.take(at)).collect()
        })
    }

    /// A partition after planning.
    fn planned(
        &self,
        input: &SerializedPartition,
        messages: &mut Vec<Message>,
    ) -> Result<SerializedPartition, Failed> {
        let module = parse(self.context, &input.bytecode, &input.name);
        let mut here = Vec::new();
        let module = self
            .collect_messages(module, input, &mut here)
            .and_then(|mut module| {
                let planned = self.plan.run(&mut module);
                collector::take_for_caller();
                self.collect_messages(planned.ok(), input, &mut here)?;
                Ok(module)
            });
        tidy(&mut here, &input.location);
        messages.append(&mut here);
        let module = module?;
        let mut names = input.names.clone();
        name_synthesized_symbols(&module, &mut names, Some(&input.name));
        Ok(SerializedPartition {
            bytecode: bytecode(&module),
            names,
            ..input.clone()
        })
    }

    /// Lowers each function of a planned partition separately.
    fn lower_separately(&self, planned: &SerializedPartition, messages: &mut Vec<Message>) {
        for part in self.split_groups(&planned.bytecode, planned, Ties::None) {
            let mut one = Outcome::default();
            // The result is known: the partition failed.
            let _ = self.translate(&part, true, &mut one);
            tidy(&mut one.messages, &part.location);
            messages.append(&mut one.messages);
        }
    }
}

/// Errors of MLIR's translation without those that name the operation once more, and the operations around it.
fn reasons(mut messages: Vec<Message>) -> Vec<Message> {
    let has_reason = |message: &Message| {
        !message
            .text
            .starts_with("LLVM Translation failed for operation")
    };
    if messages.iter().any(has_reason) {
        messages.retain(has_reason);
    }
    messages
}

fn has_errors(messages: &[Message]) -> bool {
    messages
        .iter()
        .any(|message| message.severity == MessageSeverity::Error)
}

fn empty(context: &Context) -> Module<'_> {
    Module::new(memplan_mlir::melior::ir::Location::unknown(context))
}
