//! Checks of a module of programs that is deallocated in one configuration: it prints the same, nothing is freed
//! wrongly, and nothing is left at the end, except where the pass warned about it.

pub mod configurations;
mod settings;

use std::collections::BTreeSet;

use super::check::{Failure, Kind, Unplanned, messages_of, named_by_symbol, run, under_valgrind};
use super::execute::{Machine, Printed};
use super::generate::choices::Choices;
use super::generate::{Program, SPACE, module};
use super::rules::Tally;
use super::settings::REFUSALS;
use configurations::{Configuration, EXPAND, PlanPosition};
use settings::{ANY_TRIPS, Settings, UPSTREAM_SIMPLIFIES};

/// The reasons for which the pass refuses programs: a part of the message, and the name of the count.
const GAPS: [(&str, &str); 9] = [
    ("unknown effects on memrefs", "operation of unknown effects"),
    ("to unknown destinations", "terminator"),
    (
        "may be used later",
        "frees what may be its own, and is needed later",
    ),
    ("run expand-realloc first", "memref.realloc"),
    ("different allocators", "allocators"),
    ("cannot forward an ownership flag", "signature"),
    (
        "frees memory of the caller, which a function pass cannot update",
        "frees its argument, on functions",
    ),
    ("between its regions", "no place between regions"),
    (
        "no position was found for some deallocations",
        "too many rounds",
    ),
];

/// The warning where the pass runs on functions.
const CALLERS_UNKNOWN: &str = "may capture memory of the caller";

/// The marks that count regions in the deallocated text.
const IN_REGIONS: [(&str, &str); 5] = [
    ("allocations in regions", "@memplan_region_allocate}"),
    ("regions", "@memplan_region_make}"),
    ("marks", "@memplan_region_mark}"),
    ("calls with borrowed results", "memplan.borrowed_results"),
    ("allocations not in regions", "\"memref.alloc\"("),
];

/// The features of programs with loops that may not run. A plan takes loops as executed by default.
const MAY_NOT_RUN: [&str; 3] = ["loop that may not run", "scf.while", "loop of blocks"];

/// The largest alignment of an element, in bytes.
const ALIGNMENT: u64 = 8;

/// The warning about memory that is left.
const LEFT: &str = "is not freed";
/// The message about an argument that is freed, if callers cannot be updated.
const CALLER_UNKNOWN: &str = "of the caller, which a function pass cannot update";
/// The message about memory that is freed under a flag of the program.
const FLAGGED: &str = "is freed only if a flag of the program is true";
const SOMETIMES: &str = "frees an argument, but perhaps not on all paths";
const COPIED: &str = "memory that the function does not own";

/// The number of warnings about memory that is left. A second run may give another reason for it.
fn left_in(messages: &str) -> usize {
    messages.matches(LEFT).count() + messages.matches(FLAGGED).count()
}

/// A configuration with its random choices.
#[derive(Debug, Clone)]
pub struct Run {
    /// The configuration.
    pub configuration: Configuration,
    /// The random choices.
    pub settings: Settings,
    /// Whether it is also executed under valgrind.
    pub valgrind: bool,
    /// Whether it is also compared with a result made without threads.
    pub compares: bool,
}

impl Run {
    /// Whether the plan takes loops to run any number of times, or never.
    fn takes_any_trips(&self) -> bool {
        let mut options = self.settings.merge.iter();
        options.any(|option| option == ANY_TRIPS)
    }

    /// A run with random settings, or with the given ones.
    pub fn new(
        machine: &Machine,
        configuration: Configuration,
        choices: &mut Choices,
        with: Option<&str>,
    ) -> Self {
        let random = Settings::choose(machine, &configuration, choices);
        Self {
            configuration,
            settings: with.map_or(random, Settings::parse),
            valgrind: false,
            compares: choices.chance(30),
        }
    }

    /// The pipeline up to the pass.
    fn deallocation_pipeline(&self) -> String {
        let plan = match self.configuration.plan_position {
            PlanPosition::Before => self.settings.plan() + ",",
            _ => String::new(),
        };
        let regions = match self.configuration.regions {
            true => self.settings.regions() + ",",
            false => String::new(),
        };
        format!(
            "builtin.module({EXPAND}{}{plan}{regions}{})",
            self.configuration.before,
            self.settings.pass()
        )
    }

    /// The pipeline after the pass.
    fn lowering_pipeline(&self, settings: &Settings) -> String {
        let plan = match self.configuration.plan_position {
            PlanPosition::After => format!(",{}", self.settings.plan()),
            _ => String::new(),
        };
        format!(
            "builtin.module({}{plan}{})",
            settings.settle(),
            self.configuration.after
        )
    }

    /// Both pipelines.
    pub fn pipelines(&self) -> Vec<String> {
        vec![
            self.deallocation_pipeline(),
            self.lowering_pipeline(&self.settings),
        ]
    }

    /// Deallocates the programs, executes them, and compares.
    pub fn check(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut programs = unplanned.without(&BTreeSet::new());
        while !programs.programs.is_empty() {
            let text = self.text(&programs.programs);
            match machine.opt_and_messages(&text, &self.deallocation_pipeline(), &[]) {
                Ok((freed, messages)) => {
                    tally.count("plans", 1);
                    return self.check_freed(machine, &programs, &text, &freed, &messages, tally);
                }
                Err(error) if self.is_lost_before_pass(machine, &error, &text) => {
                    tally.count("modules that upstream does not get through", 1);
                    return Ok(());
                }
                Err(error) => {
                    let refused = refused(&error, &programs.programs, tally)?;
                    programs = programs.without(&refused);
                }
            }
        }
        Ok(())
    }

    /// Whether upstream's passes before the pass crash or take too long.
    fn is_lost_before_pass(&self, machine: &Machine, error: &str, text: &str) -> bool {
        let before = self.configuration.before.trim_end_matches(',');
        !before.is_empty()
            && machine.is_lost_to_upstream(error, text, &format!("builtin.module({before})"))
    }

    /// The module of the programs, without their own deallocations if so chosen.
    fn text(&self, programs: &[Program]) -> String {
        let text = module(programs);
        if !self.settings.bare {
            return text;
        }
        let text = match self.configuration.compares_heap {
            true => without_alignments(&text),
            false => text,
        };
        // Line by line, since messages refer to lines.
        let without_dealloc = |line: &str| match line.trim_start().starts_with("memref.dealloc ") {
            true => "\n".to_owned(),
            false => format!("{line}\n"),
        };
        text.lines().map(without_dealloc).collect()
    }

    fn check_freed(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        text: &str,
        freed: &str,
        messages: &str,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let Unplanned {
            programs, printed, ..
        } = unplanned;
        let fail = |kind: Kind, details: String| Failure::new(kind, programs, details);
        tally.freed(freed);
        let mut left = BTreeSet::new();
        let mut copied = BTreeSet::new();
        for (program, message) in messages_of(messages, "warning", programs) {
            if message.contains(LEFT) || message.contains(FLAGGED) {
                tally.count("memory that is not freed, with a warning", 1);
                left.insert(program);
            } else if message.contains(SOMETIMES) {
                tally.count("memory that a callee may free, with a warning", 1);
                left.insert(program);
            } else if message.contains(CALLERS_UNKNOWN) {
                tally.count("functions that may capture memory of unknown callers", 1);
            } else if message.contains(COPIED) {
                tally.count("returned without being owned", 1);
                copied.insert(program);
            } else {
                return Err(fail(Kind::Free, format!("warns: {message}")));
            }
        }

        let again = format!("builtin.module({})", self.settings.pass());
        match machine.opt_and_messages(freed, &again, &[]) {
            Ok((second, more)) if second == freed || are_frees_moved(freed, &second) => {
                if left_in(&more) > left_in(messages) {
                    let details = "a second run leaves what the first one did not";
                    return Err(fail(Kind::Again, details.to_owned()));
                }
                tally.count("freed twice", 1);
            }
            Ok(_) => {
                let details = "a second run changes the program";
                return Err(fail(Kind::Again, details.to_owned()));
            }
            // Memory reached through memrefs is analysed path by path for deallocations, but not for the summaries of
            // callees.
            Err(error) if self.settings.on_functions && error.contains(CALLER_UNKNOWN) => {
                tally.count("second runs that are refused on functions", 1);
            }
            Err(error) => return Err(fail(Kind::Again, error)),
        }
        if self.configuration.regions {
            for (name, mark) in IN_REGIONS {
                tally.count(name, freed.matches(mark).count() as u64);
            }
            self.check_again(machine, programs, text)?;
        }
        if self.compares {
            match machine.opt(
                text,
                &self.deallocation_pipeline(),
                &["--mlir-disable-threading"],
            ) {
                Ok(same) if same == freed => tally.count("plans compared", 1),
                Ok(_) => {
                    let details = "without threads the program is another";
                    return Err(fail(Kind::Again, details.to_owned()));
                }
                Err(error) => return Err(fail(Kind::Free, error)),
            }
        }

        let settled = match self.lower(machine, freed, tally) {
            Ok(settled) => settled,
            Err(error)
                if self.configuration.plan_position == PlanPosition::After
                    && REFUSALS.iter().any(|refusal| error.contains(refusal)) =>
            {
                let refused = named_by_symbol(&error, programs);
                tally.count("programs refused by the plan", refused.len() as u64);
                if refused.is_empty() {
                    return Err(fail(Kind::Plan, error));
                }
                if refused.len() == programs.len() {
                    return Ok(());
                }
                return self.check(machine, &unplanned.without(&refused), tally);
            }
            Err(error) => return Err(fail(Kind::Run, error)),
        };
        let compiled = match machine.compile(&settled, self.configuration.code) {
            Ok(compiled) => compiled,
            Err(error) if error.contains("memref.alloca_scope") => {
                tally.count("modules that upstream does not lower", 1);
                return Ok(());
            }
            Err(error) => return Err(fail(Kind::Run, error)),
        };
        let after = run(machine, &compiled, programs)?;
        compare(unplanned, &after, &left, &|program| {
            self.settings.bare || copied.contains(&program)
        })?;
        for (before, after) in printed.heaps.iter().zip(&after.heaps) {
            tally.count("allocations executed before", before.allocations);
            tally.count("allocations executed after", after.allocations);
        }
        if self.configuration.compares_heap {
            self.compare_heap(machine, unplanned, (text, freed), (&after, &copied), tally)?;
        }
        tally.count("outputs compared", programs.len() as u64);
        tally.count(
            "programs that leave nothing",
            (programs.len() - left.len()) as u64,
        );
        if self.valgrind {
            under_valgrind(machine, &compiled, programs, tally)?;
        }
        Ok(())
    }

    /// Checks that no program holds more with the plan than with the deallocation alone. One alignment for each buffer is
    /// allowed.
    fn compare_heap(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        (text, planned_text): (&str, &str),
        (planned, copied): (&Printed, &BTreeSet<u64>),
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut alone = self.clone();
        alone.configuration.plan_position = PlanPosition::None;
        let programs = &unplanned.programs;
        let fail = |error| Failure::new(Kind::Run, programs, error);
        let freed = machine.opt(text, &alone.deallocation_pipeline(), &[]);
        let settled = freed.and_then(|freed| alone.lower(machine, &freed, tally));
        let compiled =
            settled.and_then(|settled| machine.compile(&settled, self.configuration.code));
        let freed = run(machine, &compiled.map_err(fail)?, programs)?;
        let with_slots = with_slots(planned_text);
        for (program, (bytes, arenas)) in &planned.held {
            let Some(own) = programs.iter().find(|other| other.seed == *program) else {
                continue;
            };
            let may_pass_loops = MAY_NOT_RUN
                .iter()
                .any(|name| own.features.contains_key(name));
            let reason = if with_slots.contains(program) {
                Some("slots of loops")
            } else if may_pass_loops && !self.takes_any_trips() {
                Some("loops that may not run")
            } else if own.text.contains(&format!(", {SPACE}>")) {
                Some("several memory spaces")
            } else if own.text.contains("async.") {
                Some("threads")
            } else if copied.contains(program) {
                Some("deallocation copies what is returned")
            } else {
                None
            };
            if let Some(reason) = reason {
                tally.count(&format!("heaps not compared: {reason}"), 1);
                continue;
            }
            let Some((least, buffers)) = freed.held.get(program) else {
                continue;
            };
            tally.count("heaps compared", 1);
            if *bytes < *least {
                tally.count("heaps that the plan makes smaller", 1);
            }
            let is_above = *bytes > least + ALIGNMENT * (buffers + arenas);
            if is_above && may_pass_loops && own.features.contains_key("merge") {
                // Known: where loops hand on such values, all of these buffers count as held.
                tally.count(
                    "heaps above: loops with values that are one of several buffers",
                    1,
                );
            } else if is_above {
                return Err(Failure {
                    kind: Kind::Heap,
                    details: format!(
                        "holds {bytes} bytes in {arenas} allocations, and {least} in {buffers} without a plan"
                    ),
                    programs: vec![*program],
                });
            }
        }
        Ok(())
    }

    /// Checks that a second run of the regions changes nothing.
    fn check_again(
        &self,
        machine: &Machine,
        programs: &[Program],
        text: &str,
    ) -> Result<(), Failure> {
        let fail = |details: String| Failure::new(Kind::Again, programs, details);
        let regions = self.settings.regions();
        let once = format!(
            "builtin.module({EXPAND}{}{regions})",
            self.configuration.before
        );
        let once = machine.opt(text, &once, &[]).map_err(&fail)?;
        let twice = machine.opt(&once, &format!("builtin.module({regions})"), &[]);
        match twice.map_err(&fail)? == once {
            true => Ok(()),
            false => Err(fail("regions a second time change the program".to_owned())),
        }
    }

    /// Lowers all deallocations. Upstream's simplification crashes on some programs, and its canonicalization crashes,
    /// or folds forever, on some unreachable loops: they are then left out.
    fn lower(&self, machine: &Machine, freed: &str, tally: &mut Tally) -> Result<String, String> {
        let settled = machine.opt(freed, &self.lowering_pipeline(&self.settings), &[]);
        match settled {
            Err(error)
                if self.settings.canonicalizes
                    && machine.is_lost_to_upstream(
                        &error,
                        freed,
                        "builtin.module(canonicalize)",
                    ) =>
            {
                tally.count("modules that canonicalize does not get through", 1);
                let settings = Settings {
                    canonicalizes: false,
                    ..self.settings.clone()
                };
                let run = Self {
                    settings,
                    ..self.clone()
                };
                run.lower(machine, freed, tally)
            }
            Err(error)
                if error.starts_with("ended by signal")
                    && self.settings.simplifies.as_deref() == Some(UPSTREAM_SIMPLIFIES) =>
            {
                tally.count("modules that upstream's simplification crashes on", 1);
                let settings = Settings {
                    simplifies: None,
                    ..self.settings.clone()
                };
                let run = Self {
                    settings,
                    ..self.clone()
                };
                run.lower(machine, freed, tally)
            }
            Err(error) if self.is_lost_after_pass(machine, &error, freed) => {
                tally.count("modules that canonicalize does not get through", 1);
                machine.opt(freed, &self.alone().lowering_pipeline(&self.settings), &[])
            }
            settled => settled,
        }
    }

    /// The same run without the passes after ours.
    fn alone(&self) -> Self {
        let mut run = self.clone();
        run.configuration.after = "";
        run
    }

    /// Whether upstream's canonicalization crashes or takes too long after our passes.
    fn is_lost_after_pass(&self, machine: &Machine, error: &str, freed: &str) -> bool {
        if !self.configuration.after.contains("canonicalize") {
            return false;
        }
        let Ok(settled) = machine.opt(freed, &self.alone().lowering_pipeline(&self.settings), &[])
        else {
            return false;
        };
        ["builtin.module(canonicalize)", "builtin.module(inline)"]
            .iter()
            .any(|upstream| machine.is_lost_to_upstream(error, &settled, upstream))
    }
}

/// Programs with a buffer of several slots. These are held as long as the loop, with the buffers that enter it.
fn with_slots(text: &str) -> BTreeSet<u64> {
    let mut program: Option<u64> = None;
    let mut all = BTreeSet::new();
    for line in text.lines() {
        if let Some((_, name)) = line.split_once("sym_name = \"p") {
            program = name.split('_').next().and_then(|seed| seed.parse().ok());
        }
        if line.contains("memplan.slots") {
            all.extend(program);
        }
    }
    all
}

/// The text without the alignments of allocations: the C library has none of its own, so that upstream's lowering
/// allocates more for them.
fn without_alignments(text: &str) -> String {
    let mut pieces = text.split("{alignment = ");
    let mut rest = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        rest += piece.split_once('}').map_or(piece, |(_, rest)| rest);
    }
    rest
}

/// Whether two programs differ only in the positions of some `memref.dealloc`. Calls that free by a flag after the
/// first run may free more memory, as far as the second run can see, so other deallocations move after them.
fn are_frees_moved(first: &str, second: &str) -> bool {
    let is_free = |line: &&str| line.trim_start().starts_with("\"memref.dealloc\"");
    let others = |text| str::lines(text).filter(|line| !is_free(line));
    let frees = |text| {
        let mut all: Vec<&str> = str::lines(text).filter(is_free).collect();
        all.sort_unstable();
        all
    };
    others(first).eq(others(second)) && frees(first) == frees(second)
}

/// The programs that are refused, which are counted; an error if the pass must not refuse them.
fn refused(error: &str, programs: &[Program], tally: &mut Tally) -> Result<BTreeSet<u64>, Failure> {
    let shown = || {
        let first = error.lines().next().unwrap_or_default();
        let errors = error.lines().skip_while(|line| !line.contains(": error: "));
        [first]
            .into_iter()
            .chain(errors)
            .collect::<Vec<_>>()
            .join("\n")
    };
    let mut refused = BTreeSet::new();
    for (program, message) in messages_of(error, "error", programs) {
        let gap = GAPS.iter().find(|(part, _)| message.contains(part));
        let by_plan = REFUSALS.iter().any(|refusal| message.contains(refusal));
        match gap {
            Some((_, name)) => tally.example(&format!("refused: {name}"), program),
            None if by_plan => tally.count("programs refused by the plan", 1),
            None => {
                let mut failure = Failure::new(Kind::Free, programs, shown());
                failure.programs = vec![program];
                return Err(failure);
            }
        }
        refused.insert(program);
    }
    if refused.is_empty() || !error.starts_with("exit status") {
        return Err(Failure::new(Kind::Free, programs, shown()));
    }
    tally.count("programs refused", refused.len() as u64);
    Ok(refused)
}

/// Checks that the output is the same and that nothing is left. The programs in `left` may leave as much as before, and
/// some of them more: where their own deallocations were removed, or where a caller's copy of memory that the function
/// does not own is among what is left.
fn compare(
    unplanned: &Unplanned,
    after: &Printed,
    left: &BTreeSet<u64>,
    may_leave_more: &dyn Fn(u64) -> bool,
) -> Result<(), Failure> {
    let Unplanned {
        programs, printed, ..
    } = unplanned;
    let differing = printed.differing(after);
    if let Some(first) = differing.first() {
        return Err(Failure {
            kind: Kind::Output,
            details: printed.first_difference(after, *first),
            programs: differing,
        });
    }
    let mut leaking = after.leaking(printed);
    for run in &after.left {
        let leaks = run.iter().filter(|(_, count)| **count > 0);
        leaking.extend(leaks.map(|(program, _)| *program));
    }
    let more = after.leaking(printed);
    leaking.retain(|program| {
        !left.contains(program) || !may_leave_more(*program) && more.contains(program)
    });
    leaking.sort_unstable();
    leaking.dedup();
    if !leaking.is_empty() {
        return Err(Failure {
            kind: Kind::Leak,
            details: format!("left: {:?}", after.left),
            programs: leaking,
        });
    }
    match after.heaps.iter().find(|heap| !heap.is_sound()) {
        Some(heap) => Err(Failure::new(Kind::Heap, programs, format!("{heap:?}"))),
        None => Ok(()),
    }
}
