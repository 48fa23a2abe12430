//! What a worker does to a unit: planning, lowering, LLVM IR, machine code.

use crate::{
    cut::Ties,
    known::Names,
    made::{fingerprint, name_made},
    messages::Listener,
    outcome::{Gravity, Message, Outcome, Phases, timed},
    settings::{Emit, Settings},
    shard::belongs,
    split::{Piece, Split},
};
use memplan_mlir::{
    llvm::{Form, Llvm, LlvmModule, Machine, at_work_on, in_another_process},
    melior::{
        Context, Error,
        dialect::DialectRegistry,
        ir::Module,
        pass::PassManager,
        utility::{parse_pass_pipeline, register_all_dialects, register_all_llvm_translations},
    },
    units::{Kind, bytecode, op_of, operations, parse, symbol},
};
use memplan_order::Flow;
use memplan_passes::collector;
use memplan_report::FunctionReport;
use rustc_hash::FxHashSet;

/// A context is made anew when so many operations went through it, since it never forgets a type or an attribute.
const RENEWAL: usize = 12_000;

/// Passes of LLVM's that take coroutines apart.
const COROUTINES: &str = "coro-early,cgscc(coro-split),coro-cleanup";

/// What is to be done.
pub struct Task {
    /// The place of the unit in the module.
    pub unit: usize,
    /// What it is done to.
    pub piece: Piece,
    /// How far it is.
    pub stage: Stage,
}

/// How far a unit is.
pub enum Stage {
    /// Nothing is done yet.
    Fresh,
    /// It is a part of one that has been planned.
    Planned {
        /// Its place among the parts, and how many there are.
        part: (usize, usize),
        /// What the first part says for all.
        before: Before,
    },
}

/// What planning said and took.
#[derive(Default)]
pub struct Before {
    messages: Vec<Message>,
    reports: Vec<FunctionReport>,
    phases: Phases,
}

/// A task that is done, or now several.
enum Done {
    Whole(Box<Outcome>),
    Apart(Vec<Task>),
}

/// Takes what comes, until nothing does. An error says that nothing can be done at all.
pub fn work(flow: &Flow<Task, Outcome>, settings: &Settings) -> Result<(), String> {
    let machine = Machine::new(&settings.target)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let mut next = flow.next();
    while next.is_some() {
        let context = fresh_context(&registry, settings);
        let bench = Bench::new(settings, &machine, &context)?;
        let mut volume = 0;
        while let Some((ticket, task)) = next.take() {
            volume += task.piece.ops;
            match bench.process(task) {
                Done::Whole(outcome) => ticket.done(*outcome),
                Done::Apart(tasks) => ticket.come_apart(tasks),
            }
            next = flow.next();
            if volume >= RENEWAL {
                break;
            }
        }
    }
    Ok(())
}

/// Does a task, and what it comes apart into, each in a process of its own. There must be no other threads. What comes has
/// no code.
pub fn alone(task: Task, settings: &Settings) -> Vec<Outcome> {
    let failed = |unit: usize, name: &str, text: &str| Outcome {
        unit,
        name: name.to_owned(),
        messages: vec![Message::of_unit(Gravity::Error, name, text)],
        failed: true,
        ..Outcome::default()
    };
    let (unit, name) = (task.unit, task.piece.name.clone());
    let written = |outcomes: &[Outcome]| serde_json::to_vec(outcomes).unwrap_or_default();
    let answer = {
        let name = name.clone();
        move |reason: &str| {
            let text = format!("LLVM gave up: {reason}");
            written(&[failed(unit, &name, &text)])
        }
    };
    let work = || {
        let outcomes = done_here(task, settings);
        let said = |text: String| vec![failed(unit, &name, &text)];
        written(&outcomes.unwrap_or_else(said))
    };
    let bytes = in_another_process(work, answer).unwrap_or_default();
    let outcomes = serde_json::from_slice(&bytes);
    outcomes.unwrap_or_else(|_| vec![failed(unit, &name, "compiling it ended early")])
}

pub(crate) fn done_here(task: Task, settings: &Settings) -> Result<Vec<Outcome>, String> {
    let machine = Machine::new(&settings.target)?;
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = fresh_context(&registry, settings);
    let done = Bench::new(settings, &machine, &context)?.process(task);
    Ok(match done {
        Done::Whole(outcome) => vec![*outcome],
        Done::Apart(tasks) => {
            let tasks = tasks.into_iter();
            tasks.flat_map(|task| alone(task, settings)).collect()
        }
    })
}

/// A context for units.
pub fn fresh_context(registry: &DialectRegistry, settings: &Settings) -> Context {
    let context = Context::new_with_registry(registry, false);
    context.set_allow_unregistered_dialects(settings.allow_unregistered);
    register_all_llvm_translations(&context);
    context
}

/// The passes of a pipeline, written without the module around them.
pub fn passes<'c>(context: &'c Context, text: &str) -> Result<PassManager<'c>, Error> {
    let manager = PassManager::new(context);
    let pipeline = format!("builtin.module({text})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline)?;
    Ok(manager)
}

/// Why there is no code: what was said says it.
struct Failed;

/// All that a worker works with until its contexts are made anew.
struct Bench<'a, 'c> {
    settings: &'a Settings,
    machine: &'a Machine,
    context: &'c Context,
    // Dropped in this order: pass managers know the context.
    plan: PassManager<'c>,
    lower: PassManager<'c>,
    llvm: Llvm,
    listener: Listener,
}

impl<'a, 'c> Bench<'a, 'c> {
    fn new(
        settings: &'a Settings,
        machine: &'a Machine,
        context: &'c Context,
    ) -> Result<Self, String> {
        let listener = Listener::new(context);
        Ok(Self {
            settings,
            machine,
            context,
            llvm: Llvm::new(),
            listener,
            plan: passes(context, &settings.plan).map_err(|error| error.to_string())?,
            lower: passes(context, &settings.lower).map_err(|error| error.to_string())?,
        })
    }

    fn process(&self, task: Task) -> Done {
        at_work_on(&format!("the unit of '{}'", task.piece.name));
        let Task { unit, piece, stage } = task;
        let ties = match (&stage, self.settings.whole_program) {
            (Stage::Planned { .. }, _) => Ties::None,
            (Stage::Fresh, true) => Ties::All,
            (Stage::Fresh, false) => Ties::Calls,
        };
        let is_planned = matches!(stage, Stage::Planned { .. });
        let (part, before) = match stage {
            Stage::Fresh => ((0, 1), Before::default()),
            Stage::Planned { part, before } => (part, before),
        };
        let mut outcome = Outcome {
            unit,
            name: piece.name.clone(),
            messages: before.messages,
            reports: before.reports,
            phases: before.phases,
            part,
            ..Outcome::default()
        };
        match self.translate(&piece, is_planned, &mut outcome) {
            Ok(None) => {}
            Ok(Some(parts)) => return Done::Apart(self.tasks(unit, parts, outcome)),
            Err(Failed) => self.fail(&piece, is_planned, ties, &mut outcome),
        }
        Done::Whole(Box::new(outcome))
    }

    /// Makes code of a unit, or parts of it that are still to be lowered.
    fn translate(
        &self,
        piece: &Piece,
        is_planned: bool,
        outcome: &mut Outcome,
    ) -> Result<Option<Vec<Piece>>, Failed> {
        let phases = &mut outcome.phases;
        let module = timed(&mut phases.read, || {
            parse(self.context, &piece.bytecode, &piece.name)
        });
        let mut module = self.heard(module, piece, &mut outcome.messages)?;
        let mut names = piece.names.clone();
        if !is_planned {
            let planned = timed(&mut phases.plan, || self.plan.run(&mut module));
            outcome.reports = collector::take_for_caller();
            self.heard(planned.ok(), piece, &mut outcome.messages)?;
            let parts = timed(&mut outcome.phases.part, || {
                let is_large = piece.ops > self.settings.large;
                name_made(&module, &mut names, is_large.then_some(&*piece.name));
                is_large.then(|| {
                    let volume = self.settings.volume;
                    let module = std::mem::replace(&mut module, empty(self.context));
                    let split = Split::new(module, names.clone(), Ties::None, volume);
                    (0..split.count()).map(|at| split.take(at)).collect()
                })
            });
            if parts.is_some() {
                return Ok(parts);
            }
        }
        let lowered = timed(&mut outcome.phases.lower, || self.lower.run(&mut module));
        self.heard(lowered.ok(), piece, &mut outcome.messages)?;
        outcome.code = self.code(&module, &names, piece, outcome)?;
        Ok(None)
    }

    /// What is said goes to the messages. Without a result, something is.
    fn heard<T>(
        &self,
        result: Option<T>,
        piece: &Piece,
        messages: &mut Vec<Message>,
    ) -> Result<T, Failed> {
        messages.extend(self.listener.take());
        for (severity, text) in self.llvm.said() {
            messages.push(Message::of_unit(severity.into(), &piece.name, &text));
        }
        if result.is_none() && !has_errors(messages) {
            let text = "a pass failed, and did not say why";
            messages.push(Message::of_unit(Gravity::Error, &piece.name, text));
        }
        result.ok_or(Failed)
    }

    fn code(
        &self,
        module: &Module<'c>,
        names: &Names,
        piece: &Piece,
        outcome: &mut Outcome,
    ) -> Result<Vec<u8>, Failed> {
        if self.settings.emit == Emit::Mlir {
            return Ok(bytecode(module));
        }
        let translated = timed(&mut outcome.phases.translate, || {
            self.llvm_ir(module, names)
        });
        let translated = match translated {
            Ok(translated) => self.heard(translated, piece, &mut outcome.messages)?,
            Err(text) => return Err(self.llvm_failed(piece, &text, outcome)),
        };
        let (translated, private) = translated;
        outcome.private = private;
        if self.settings.emit != Emit::Object {
            return Ok(translated.bitcode());
        }
        let code = timed(&mut outcome.phases.code, || {
            self.machine.emit(translated, Form::Object)
        });
        match code {
            Ok(code) => self.heard(
                (!has_errors(&outcome.messages)).then_some(code),
                piece,
                &mut outcome.messages,
            ),
            Err(text) => Err(self.llvm_failed(piece, &text, outcome)),
        }
    }

    fn llvm_failed(&self, piece: &Piece, text: &str, outcome: &mut Outcome) -> Failed {
        let message = Message::of_unit(Gravity::Error, &piece.name, text);
        outcome.messages.push(message);
        let heard: Result<(), Failed> = self.heard(None, piece, &mut outcome.messages);
        heard.err().unwrap_or(Failed)
    }

    /// LLVM IR of a module, and the names that it has for other units alone. `Ok(None)`: its context says why not.
    fn llvm_ir(
        &self,
        module: &Module<'c>,
        names: &Names,
    ) -> Result<Option<(LlvmModule<'_>, Vec<String>)>, String> {
        let Some(op) = op_of(module) else {
            return Ok(None);
        };
        let published: FxHashSet<String> = operations(module)
            .map(symbol)
            .filter(|symbol| matches!(symbol.kind, Kind::Function | Kind::Data) && !symbol.is_local)
            .map(|symbol| symbol.name)
            .collect();
        let Some(mut translated) = LlvmModule::translate(op, &self.llvm) else {
            return Ok(None);
        };
        // The name would tell units apart.
        translated.set_name("memplan");
        self.machine.prepare(&mut translated);
        let mut private = translated.share(|name, is_defined| {
            names.sharing(name, is_defined, |name| published.contains(name))
        });
        private.extend(
            translated.pool_constants(|text| format!("memplan.constant.{}", fingerprint(text))),
        );
        if !self.settings.llvm_passes.is_empty() {
            self.machine
                .run(&mut translated, &self.settings.llvm_passes)?;
        }
        if translated.has_coroutines() {
            self.machine.run(&mut translated, COROUTINES)?;
        }
        Ok(Some((translated, private)))
    }

    /// The parts of a unit, as tasks. The first one says what planning said.
    fn tasks(&self, unit: usize, parts: Vec<Piece>, outcome: Outcome) -> Vec<Task> {
        let count = parts.len();
        let mut before = Some(Before {
            messages: outcome.messages,
            reports: outcome.reports,
            phases: outcome.phases,
        });
        let parts = parts.into_iter().enumerate();
        let tasks = parts.map(|(at, piece)| Task {
            unit,
            piece,
            stage: Stage::Planned {
                part: (at, count),
                before: before.take().filter(|_| at == 0).unwrap_or_default(),
            },
        });
        let shard = self.settings.shard;
        tasks
            .filter(|task| shard.is_none_or(|shard| belongs(&task.piece.name, shard)))
            .collect()
    }

    /// Finds out which groups of a unit fail, and which functions of those that can be planned, so that no failure hides
    /// another one.
    fn fail(&self, piece: &Piece, is_planned: bool, ties: Ties, outcome: &mut Outcome) {
        outcome.failed = true;
        outcome.code = Vec::new();
        let mut said = Vec::new();
        match is_planned {
            true => self.lower_alone(piece, &mut said),
            false => {
                for group in self.divided(&piece.bytecode, piece, ties) {
                    if let Ok(planned) = self.planned(&group, &mut said) {
                        self.lower_alone(&planned, &mut said);
                    }
                }
            }
        }
        // Where none fails alone, what was said first stays.
        if has_errors(&said) {
            outcome.messages = said;
        }
    }

    /// What nothing ties to each other in a unit.
    fn divided(&self, bytecode: &[u8], piece: &Piece, ties: Ties) -> Vec<Piece> {
        let module = parse(self.context, bytecode, &piece.name);
        // What is wrong with it has been said.
        self.listener.take();
        let split = module.map(|module| Split::new(module, piece.names.clone(), ties, 0));
        split.map_or_else(Vec::new, |split| {
            (0..split.count()).map(|at| split.take(at)).collect()
        })
    }

    /// A unit behind planning.
    fn planned(&self, piece: &Piece, said: &mut Vec<Message>) -> Result<Piece, Failed> {
        let module = parse(self.context, &piece.bytecode, &piece.name);
        let mut here = Vec::new();
        let module = self.heard(module, piece, &mut here).and_then(|mut module| {
            let planned = self.plan.run(&mut module);
            collector::take_for_caller();
            self.heard(planned.ok(), piece, &mut here)?;
            Ok(module)
        });
        said.append(&mut here);
        let module = module?;
        let mut names = piece.names.clone();
        name_made(&module, &mut names, Some(&piece.name));
        Ok(Piece {
            bytecode: bytecode(&module),
            names,
            ..piece.clone()
        })
    }

    /// Lowers each function of a planned unit for itself.
    fn lower_alone(&self, planned: &Piece, said: &mut Vec<Message>) {
        for part in self.divided(&planned.bytecode, planned, Ties::None) {
            let mut one = Outcome::default();
            // What comes of it is known: the unit failed.
            let _ = self.translate(&part, true, &mut one);
            said.append(&mut one.messages);
        }
    }
}

fn has_errors(messages: &[Message]) -> bool {
    messages
        .iter()
        .any(|message| message.gravity == Gravity::Error)
}

fn empty(context: &Context) -> Module<'_> {
    Module::new(memplan_mlir::melior::ir::Location::unknown(context))
}
