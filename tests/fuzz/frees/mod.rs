//! What has to hold for a module of programs that is freed in some way: it prints the same, nothing is freed wrongly, and at
//! the end nothing is left, but where the pass has said so.

mod settings;
pub mod ways;

use std::collections::BTreeSet;

use memplan_harness::command::OUT_OF_TIME;

use super::check::{Failure, Kind, Unplanned, messages_of, named_by_symbol, run, under_valgrind};
use super::execute::{Machine, Printed};
use super::generate::choices::Choices;
use super::generate::{Program, module};
use super::rules::Tally;
use super::settings::REFUSALS;
use settings::{Settings, UPSTREAM_SIMPLIFIES};
use ways::{EXPAND, Merged, Way};

/// What the pass refuses programs for: a part of the message, and how it is counted.
const GAPS: [(&str, &str); 9] = [
    ("does not say how", "operation of unknown effects"),
    ("does not say where to", "terminator"),
    (
        "needed behind it",
        "frees what may be its own, and is needed later",
    ),
    ("expanded first", "memref.realloc"),
    ("different allocators", "allocators"),
    ("cannot hand on a flag", "signature"),
    (
        "frees memory of the caller, who is not told",
        "frees its argument, on functions",
    ),
    ("between its regions", "no place between regions"),
    ("no place was found for all frees", "too many rounds"),
];

/// What it warns of where it runs on functions.
const UNTOLD: &str = "may hold on to memory of the caller, who is not told of it";

/// What regions are counted by, in the freed text.
const IN_REGIONS: [(&str, &str); 5] = [
    ("allocations in regions", "@memplan_region_allocate}"),
    ("regions", "@memplan_region_make}"),
    ("marks", "@memplan_region_mark}"),
    ("calls that lend", "memplan.borrowed_results"),
    ("allocations not in regions", "\"memref.alloc\"("),
];

/// What it warns of.
const LEFT: &str = "is not freed";
/// What it says of memory that nothing frees in a function that frees by flags.
const DECIDED: &str = "has been through deallocation";
/// What it says of an argument that is freed, where nobody tells callers.
const NOT_TOLD: &str = "who is not told of it where the pass runs on functions";
const SOMETIMES: &str = "frees memory that it is given, but perhaps not on all ways";
const COPIED: &str = "memory that the function does not own";

/// A way of freeing with what was chosen for it.
#[derive(Debug, Clone)]
pub struct Run {
    /// The way.
    pub way: Way,
    /// What was chosen.
    pub settings: Settings,
    /// Also under valgrind.
    pub valgrind: bool,
    /// Also compared with what is made without threads.
    pub compares: bool,
}

impl Run {
    /// With settings at random, or with those that are given.
    pub fn new(machine: &Machine, way: Way, choices: &mut Choices, with: Option<&str>) -> Self {
        let random = Settings::choose(machine, &way, choices);
        Self {
            way,
            settings: with.map_or(random, Settings::parse),
            valgrind: false,
            compares: choices.chance(30),
        }
    }

    /// The pipeline up to the pass.
    fn frees(&self) -> String {
        let plan = match self.way.merged {
            Merged::Before => self.settings.plan() + ",",
            _ => String::new(),
        };
        let regions = match self.way.regions {
            true => self.settings.regions() + ",",
            false => String::new(),
        };
        format!(
            "builtin.module({EXPAND}{}{plan}{regions}{})",
            self.way.before,
            self.settings.pass()
        )
    }

    /// The pipeline behind it.
    fn settles(&self, settings: &Settings) -> String {
        let plan = match self.way.merged {
            Merged::After => format!(",{}", self.settings.plan()),
            _ => String::new(),
        };
        format!(
            "builtin.module({}{plan}{})",
            settings.settle(),
            self.way.after
        )
    }

    /// Both.
    pub fn pipelines(&self) -> Vec<String> {
        vec![self.frees(), self.settles(&self.settings)]
    }

    /// Frees the programs, runs them, and compares.
    pub fn check(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let mut programs = unplanned.without(&BTreeSet::new());
        while !programs.programs.is_empty() {
            let text = self.text(&programs.programs);
            match machine.opt_and_messages(&text, &self.frees(), &[]) {
                Ok((freed, messages)) => {
                    tally.count("plans", 1);
                    return self.check_freed(machine, &programs, &text, &freed, &messages, tally);
                }
                Err(error) if is_lost(&error) && self.is_lost_before(machine, &text) => {
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

    /// Is it upstream that crashes or takes too long, in front of the pass?
    fn is_lost_before(&self, machine: &Machine, text: &str) -> bool {
        let before = self.way.before.trim_end_matches(',');
        !before.is_empty()
            && machine
                .opt(text, &format!("builtin.module({before})"), &[])
                .is_err_and(|error| is_lost(&error))
    }

    /// The module of the programs, without their own deallocations if so chosen.
    fn text(&self, programs: &[Program]) -> String {
        let text = module(programs);
        if !self.settings.bare {
            return text;
        }
        // Line by line, as messages name lines.
        let keep = |line: &str| match line.trim_start().starts_with("memref.dealloc ") {
            true => "\n".to_owned(),
            false => format!("{line}\n"),
        };
        text.lines().map(keep).collect()
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
        for (program, message) in messages_of(messages, "warning", programs) {
            if message.contains(LEFT) {
                tally.count("memory that is not freed, with a warning", 1);
                left.insert(program);
            } else if message.contains(SOMETIMES) {
                tally.count("memory that a callee may free, with a warning", 1);
                left.insert(program);
            } else if message.contains(UNTOLD) {
                tally.count("functions whose callers are not told what they keep", 1);
            } else if message.contains(COPIED) {
                tally.count("returned without being owned", 1);
            } else {
                return Err(fail(Kind::Free, format!("warns: {message}")));
            }
        }

        let again = format!("builtin.module({})", self.settings.pass());
        match machine.opt_and_messages(freed, &again, &[]) {
            Ok((second, more)) if second == freed || are_frees_moved(freed, &second) => {
                if more.matches(DECIDED).count() > messages.matches(DECIDED).count() {
                    let details = "a second run leaves what the first one did not";
                    return Err(fail(Kind::Again, details.to_owned()));
                }
                tally.count("freed twice", 1);
            }
            Ok(_) => {
                let details = "a second run changes the program";
                return Err(fail(Kind::Again, details.to_owned()));
            }
            // Memory that memrefs go through is read path by path by what frees, and not by what is said of callees.
            Err(error) if self.settings.on_functions && error.contains(NOT_TOLD) => {
                tally.count("second runs that are refused on functions", 1);
            }
            Err(error) => return Err(fail(Kind::Again, error)),
        }
        if self.way.regions {
            for (what, sign) in IN_REGIONS {
                tally.count(what, freed.matches(sign).count() as u64);
            }
            self.check_again(machine, programs, text)?;
        }
        if self.compares {
            match machine.opt(text, &self.frees(), &["--mlir-disable-threading"]) {
                Ok(same) if same == freed => tally.count("plans compared", 1),
                Ok(_) => {
                    let details = "without threads the program is another";
                    return Err(fail(Kind::Again, details.to_owned()));
                }
                Err(error) => return Err(fail(Kind::Free, error)),
            }
        }

        let settled = match self.settle(machine, freed, tally) {
            Ok(settled) => settled,
            Err(error)
                if self.way.merged == Merged::After
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
        let compiled = match machine.compile(&settled, self.way.code) {
            Ok(compiled) => compiled,
            Err(error) if error.contains("memref.alloca_scope") => {
                tally.count("modules that upstream does not lower", 1);
                return Ok(());
            }
            Err(error) => return Err(fail(Kind::Run, error)),
        };
        let after = run(machine, &compiled, programs)?;
        compare(unplanned, &after, &left, self.settings.bare)?;
        for (before, after) in printed.heaps.iter().zip(&after.heaps) {
            tally.count("allocations executed before", before.allocations);
            tally.count("allocations executed after", after.allocations);
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

    /// Regions a second time change nothing.
    fn check_again(
        &self,
        machine: &Machine,
        programs: &[Program],
        text: &str,
    ) -> Result<(), Failure> {
        let fail = |details: String| Failure::new(Kind::Again, programs, details);
        let regions = self.settings.regions();
        let once = format!("builtin.module({EXPAND}{}{regions})", self.way.before);
        let once = machine.opt(text, &once, &[]).map_err(&fail)?;
        let twice = machine.opt(&once, &format!("builtin.module({regions})"), &[]);
        match twice.map_err(&fail)? == once {
            true => Ok(()),
            false => Err(fail("regions a second time change the program".to_owned())),
        }
    }

    /// Makes code of all deallocations. Upstream's simplification crashes on some programs, and its canonicalization
    /// crashes, or folds for ever, on some loops that are never reached: then it is left out.
    fn settle(&self, machine: &Machine, freed: &str, tally: &mut Tally) -> Result<String, String> {
        let settled = machine.opt(freed, &self.settles(&self.settings), &[]);
        match settled {
            Err(error)
                if is_lost(&error)
                    && self.settings.canonicalizes
                    && machine
                        .opt(freed, "builtin.module(canonicalize)", &[])
                        .is_err_and(|error| is_lost(&error)) =>
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
                run.settle(machine, freed, tally)
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
                run.settle(machine, freed, tally)
            }
            Err(error) if is_lost(&error) && self.is_lost_behind(machine, freed) => {
                tally.count("modules that canonicalize does not get through", 1);
                machine.opt(freed, &self.alone().settles(&self.settings), &[])
            }
            settled => settled,
        }
    }

    /// Without what comes behind the passes.
    fn alone(&self) -> Self {
        let mut run = self.clone();
        run.way.after = "";
        run
    }

    /// Is it upstream's canonicalization that does not get through, behind the passes?
    fn is_lost_behind(&self, machine: &Machine, freed: &str) -> bool {
        if !self.way.after.contains("canonicalize") {
            return false;
        }
        let Ok(settled) = machine.opt(freed, &self.alone().settles(&self.settings), &[]) else {
            return false;
        };
        ["builtin.module(canonicalize)", "builtin.module(inline)"]
            .iter()
            .any(|alone| {
                machine
                    .opt(&settled, alone, &[])
                    .is_err_and(|error| is_lost(&error))
            })
    }
}

/// Has `mlir-opt` crashed, or been killed for taking too long?
fn is_lost(error: &str) -> bool {
    error.starts_with("ended by signal") || error.starts_with(OUT_OF_TIME)
}

/// Do two programs differ in where some `memref.dealloc` stand, and in nothing else? Calls that free by a flag after the first
/// run may free more than that, as far as the second sees, so that other frees come after them.
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

/// The programs that are refused, and are counted as that; an error where the pass must not.
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

/// The same output, and nothing left; in the programs of `left` no more than before, unless what they freed themselves was
/// taken out (`bare`).
fn compare(
    unplanned: &Unplanned,
    after: &Printed,
    left: &BTreeSet<u64>,
    bare: bool,
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
    for turn in &after.left {
        let leaks = turn.iter().filter(|(_, count)| **count > 0);
        leaking.extend(leaks.map(|(program, _)| *program));
    }
    let more = after.leaking(printed);
    leaking.retain(|program| !left.contains(program) || !bare && more.contains(program));
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
