//! Checks of a module of programs that is planned in one configuration.

use std::collections::BTreeSet;
use std::fs;

use memplan_harness::command::OUT_OF_TIME;
use memplan_report::Report;

use super::configurations::{Configuration, DEALLOCATION};
use super::execute::{Code, Compiled, Machine, Printed};
use super::generate::choices::Choices;
use super::generate::{HEAD_LINES, Program, module};
use super::rules::Tally;
use super::settings::{Level, REFUSALS, choose};

/// The number of lines of a message that are shown.
const SHOWN: usize = 14;

/// A failed check.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The kind of failure.
    pub kind: Kind,
    /// The programs that may have caused it; empty if unknown.
    pub programs: Vec<u64>,
    /// The findings, over several lines.
    pub details: String,
}

/// The kinds of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The unplanned program is invalid, or its output undefined: a bug of the generator.
    Generator,
    /// The pass failed.
    Plan,
    /// The deallocation pass failed.
    Free,
    /// A command ran into its time limit.
    Late,
    /// The report is wrong, or lacks an allocation.
    Report,
    /// A second run changed something, or the same run produced different text.
    Again,
    /// The planned program does not verify.
    Verify,
    /// The planned program cannot be lowered, or ends early.
    Run,
    /// The output differs.
    Output,
    /// A plan takes more bytes than one without the rewriting.
    Bytes,
    /// An invalid free, bytes written outside of an allocation, or more memory left than before.
    Heap,
    /// Memory is left that should have been freed.
    Leak,
    /// An invalid access under valgrind.
    Valgrind,
}

impl Kind {
    /// Whether it shows only when programs are compiled and executed.
    pub fn is_executed(self) -> bool {
        !matches!(
            self,
            Self::Plan | Self::Report | Self::Again | Self::Verify | Self::Free | Self::Bytes
        )
    }
}

impl Failure {
    /// A failure that any of these programs may have caused.
    pub fn new(kind: Kind, programs: &[Program], details: impl Into<String>) -> Self {
        let details: String = details.into();
        let kind = if details.contains(OUT_OF_TIME) {
            Kind::Late
        } else {
            kind
        };
        let shown: Vec<&str> = details.lines().take(SHOWN).collect();
        Self {
            kind,
            programs: programs.iter().map(|program| program.seed).collect(),
            details: shown.join("\n"),
        }
    }
}

/// A module as it was generated, and its output.
pub struct Unplanned {
    /// Its programs.
    pub programs: Vec<Program>,
    /// The module as text.
    pub text: String,
    /// Its output.
    pub printed: Printed,
}

impl Unplanned {
    /// Executes the programs unplanned: their output must not depend on former contents of memory.
    pub fn run(machine: &Machine, programs: Vec<Program>) -> Result<Self, Failure> {
        let text = module(&programs);
        let printed = machine
            .compile(&text, Code::Plain)
            .and_then(|compiled| machine.run(&compiled))
            .map_err(|error| Failure::new(Kind::Generator, &programs, error))?;
        let differing = printed.differing(&printed);
        if let Some(first) = differing.first() {
            let details = printed.first_difference(&printed, *first);
            return Err(Failure {
                kind: Kind::Generator,
                programs: differing,
                details: format!("reads what was never written: {details}"),
            });
        }
        if let Some(heap) = printed.heaps.iter().find(|heap| !heap.is_sound()) {
            return Err(Failure::new(
                Kind::Generator,
                &programs,
                format!("{heap:?}"),
            ));
        }
        Ok(Self {
            programs,
            text,
            printed,
        })
    }

    /// Programs that are not executed.
    pub fn unexecuted(programs: Vec<Program>) -> Self {
        Self {
            text: module(&programs),
            programs,
            printed: Printed::default(),
        }
    }

    /// The same module without some of the programs.
    pub fn without(&self, left_out: &BTreeSet<u64>) -> Self {
        let mut less = Self {
            programs: self.programs.clone(),
            text: String::new(),
            printed: self.printed.clone(),
        };
        less.programs
            .retain(|program| !left_out.contains(&program.seed));
        less.text = module(&less.programs);
        for run in &mut less.printed.runs {
            run.retain(|seed, _| !left_out.contains(seed));
        }
        for run in &mut less.printed.left {
            run.retain(|seed, _| !left_out.contains(seed));
        }
        less
    }

    /// The programs that upstream's deallocation accepts and compiles correctly; `None` if there are none.
    pub fn deallocated(&self, machine: &Machine, tally: &mut Tally) -> Option<(Self, Printed)> {
        let pipeline = format!("builtin.module({DEALLOCATION})");
        let mut taken = Vec::new();
        for program in &self.programs {
            let has = |feature: &str| program.features.contains_key(feature);
            // It accepts no loops of blocks, and no deallocations.
            if has("blocks")
                || has("freed")
                || has("callee frees its argument")
                || has("each iteration frees the buffer of the previous one")
            {
                continue;
            }
            taken.push(program.clone());
        }
        // Refused programs are identified by the locations of the errors.
        let mut deallocated = String::new();
        while !taken.is_empty() {
            match machine.opt(&module(&taken), &pipeline, &[]) {
                Ok(text) => {
                    deallocated = text;
                    break;
                }
                Err(error) => {
                    let refused = named(&error, &taken);
                    if refused.is_empty() {
                        return None;
                    }
                    tally.count("refused by upstream's deallocation", refused.len() as u64);
                    taken.retain(|program| !refused.contains(&program.seed));
                }
            }
        }
        let right = |programs: &[Program], deallocated: &str| {
            let compiled = machine.compile(deallocated, Code::Plain).ok()?;
            let printed = machine.run(&compiled).ok()?;
            let sound = printed.heaps.iter().all(|heap| heap.is_sound());
            Some((module(programs), printed)).filter(|_| sound)
        };
        let (mut text, mut printed) = right(&taken, &deallocated)?;
        let wrong = self.printed.differing(&printed);
        if wrong
            .iter()
            .any(|seed| taken.iter().any(|program| program.seed == *seed))
        {
            tally.count(
                "wrong after upstream's deallocation alone",
                wrong.len() as u64,
            );
            taken.retain(|program| !wrong.contains(&program.seed));
            let deallocated = machine.opt(&module(&taken), &pipeline, &[]).ok()?;
            (text, printed) = right(&taken, &deallocated)?;
        }
        if taken.is_empty() {
            return None;
        }
        let before = Self {
            programs: taken,
            text,
            printed: printed.clone(),
        };
        Some((before, printed))
    }
}

/// A configuration with its random options.
#[derive(Debug, Clone)]
pub struct Run {
    /// The configuration.
    pub configuration: Configuration,
    /// The options, as `a=b c=d`.
    pub options: String,
    /// Whether `memplan-verify` checks the plan.
    pub verified: bool,
    /// Whether the plan is also executed under valgrind.
    pub valgrind: bool,
    /// Whether the plan is also compared with one made without threads.
    pub compares: bool,
    /// Whether the pass also takes the plan again, by its report and by attributes.
    pub reuses_plan: bool,
}

impl Run {
    /// A run with random options, or with the given ones.
    pub fn new(
        machine: &Machine,
        configuration: Configuration,
        choices: &mut Choices,
        with: Option<&str>,
    ) -> Self {
        let random = choose(choices, &machine.declared, configuration.level);
        let options = with.map_or(random, str::to_owned);
        // What the configuration says counts.
        let name = |option: &str| option.split('=').next().map(str::to_owned);
        let own: Vec<_> = configuration.with.split(' ').map(name).collect();
        let others = options
            .split(' ')
            .filter(|option| !own.contains(&name(option)));
        let options = others.collect::<Vec<_>>().join(" ");
        Self {
            configuration,
            options: [configuration.with, &options].join(" ").trim().to_owned(),
            verified: true,
            valgrind: false,
            compares: choices.chance(30),
            reuses_plan: choices.chance(30),
        }
    }

    /// The pass with its options.
    fn plan(&self, more: &str) -> String {
        let pass = format!("memplan-merge-alloc{{{} {more}}}", self.options);
        match self.configuration.level {
            Level::Function => format!("func.func({pass})"),
            Level::Module => pass,
        }
    }

    /// The pipeline from the program to the plan.
    pub fn pipeline(&self) -> String {
        format!(
            "builtin.module({}{})",
            self.configuration.before,
            self.plan("")
        )
    }

    /// Whether upstream's passes crash on the unplanned program or take too long with it, too.
    fn is_lost(machine: &Machine, error: &str, text: &str, upstream: &str) -> bool {
        let passes = upstream.trim_matches(',');
        !passes.is_empty()
            && machine.is_lost_to_upstream(error, text, &format!("builtin.module({passes})"))
    }

    /// Plans the programs, executes them, and compares.
    pub fn check(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        if !self.configuration.deallocates {
            return self.check_against(machine, unplanned, tally);
        }
        let unplanned = &unplanned.without(&self.left_to_upstream(unplanned));
        if unplanned.programs.is_empty() {
            return Ok(());
        }
        match unplanned.deallocated(machine, tally) {
            Some((before, _)) => {
                tally.count(
                    "programs deallocated by upstream",
                    before.programs.len() as u64,
                );
                self.check_against(machine, &before, tally)
            }
            None => Ok(()),
        }
    }

    /// The programs that allocate in an `llvm.func`, if the arenas are left to upstream's deallocation, which frees
    /// nothing there. Canonicalization removes unread allocations, but not an arena with views.
    fn left_to_upstream(&self, unplanned: &Unplanned) -> BTreeSet<u64> {
        let allocates = |program: &&Program| {
            let functions = program.text.split("\n}\n");
            let mut in_llvm = functions.filter(|function| function.contains("llvm.func @p"));
            in_llvm.any(|function| function.contains("memref.alloc("))
        };
        let programs = unplanned.programs.iter();
        let left = programs
            .filter(|program| self.configuration.with.contains("free=false") && allocates(program));
        left.map(|program| program.seed).collect()
    }

    /// Checks that the report accounts for every allocation of an unmodified program.
    fn check_report(&self, text: &str, report: &Report) -> Result<(), String> {
        let (mut reported, mut hoisted, mut iterations, mut borrowed) = (0, 0, 0, 0);
        for function in &report.functions {
            let skipped = function.skipped.iter();
            reported += skipped.filter(|one| one.arena_of.is_empty()).count();
            for scope in &function.scopes {
                hoisted += usize::from(scope.arena == "hoisted");
                let slots = scope.slots.iter();
                for buffer in slots.flat_map(|slot| &slot.buffers) {
                    match buffer.arena_of.as_str() {
                        "" => reported += 1,
                        "callee" => borrowed += 1,
                        other => return Err(format!("arena_of is {other}")),
                    }
                }
                for buffer in &scope.buffers {
                    match buffer.arena_of.as_str() {
                        "" => reported += 1,
                        "turns" => iterations += 1,
                        "callee" => borrowed += 1,
                        other => return Err(format!("arena_of is {other}")),
                    }
                }
            }
        }
        if iterations != hoisted {
            return Err(format!(
                "{hoisted} hoisted arenas, and slices for {iterations}"
            ));
        }
        let borrowing_options = ["arena=arg", "scope=module"];
        if borrowed > 0
            && !borrowing_options
                .iter()
                .any(|option| self.options.contains(option))
        {
            return Err(format!(
                "{borrowed} arenas are passed to callees without scope=module or arena=arg"
            ));
        }
        let is_other = |line: &str| line.starts_with("llvm.func ") && line.ends_with('{');
        let is_planned = |function: &&str| {
            self.configuration.level != Level::Function || !function.lines().any(is_other)
        };
        let functions = text.split_inclusive("\n}\n").filter(is_planned);
        let on_stack = match self.options.contains("allocas=true") {
            true => "= memref.alloca(",
            false => "no allocation",
        };
        let allocations: usize = functions
            .map(|text| text.matches("= memref.alloc(").count() + text.matches(on_stack).count())
            .sum();
        if reported != allocations {
            return Err(format!(
                "{allocations} allocations, and the report tells of {reported}"
            ));
        }
        Ok(())
    }

    /// Checks that the pass writes the same program with the plan of its report, and with that of its attributes.
    fn check_reuse(
        &self,
        machine: &Machine,
        text: &str,
        planned: &str,
        report: &str,
    ) -> Result<(), String> {
        let before = self.configuration.before;
        let from_report = self.plan(&format!("plan={report}"));
        let by_report =
            machine.opt(text, &format!("builtin.module({before}{from_report})"), &[])?;
        if by_report != planned {
            return Err("with the plan of its report, it writes another program".to_owned());
        }
        let analysis = self.plan("analyse-only=true");
        let annotated = machine.opt(text, &format!("builtin.module({before}{analysis})"), &[])?;
        let pipeline = format!("builtin.module({})", self.plan(""));
        let by_attributes = machine.opt(&annotated, &pipeline, &[])?;
        match by_attributes == planned {
            true => Ok(()),
            false => Err("with the plan of attributes, it writes another program".to_owned()),
        }
    }

    fn check_against(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let Unplanned { programs, text, .. } = unplanned;
        let fail = |kind: Kind, details: String| Failure::new(kind, programs, details);
        let report_file = machine.file("json");
        let pipeline = format!(
            "builtin.module({}{})",
            self.configuration.before,
            self.plan(&format!("report={}", report_file.display()))
        );
        let planned = match machine.opt(text, &pipeline, &[]) {
            Ok(planned) => planned,
            Err(error)
                if REFUSALS.iter().any(|refusal| error.contains(refusal))
                    && error.starts_with("exit status") =>
            {
                let refused = named(&error, programs);
                tally.count("programs refused", refused.len() as u64);
                if refused.is_empty() {
                    return Err(fail(Kind::Plan, error));
                }
                if refused.len() == programs.len() {
                    return Ok(());
                }
                return self.check_against(machine, &unplanned.without(&refused), tally);
            }
            Err(error) if Self::is_lost(machine, &error, text, self.configuration.before) => {
                tally.count("modules that upstream does not get through", 1);
                return Ok(());
            }
            Err(error) => return Err(fail(Kind::Plan, error)),
        };
        tally.count("plans", 1);
        let json = fs::read_to_string(&report_file).unwrap_or_default();
        if self.reuses_plan {
            self.check_reuse(machine, text, &planned, &report_file.display().to_string())
                .map_err(|error| fail(Kind::Again, error))?;
            tally.count("plans reused", 1);
        }
        let _ = fs::remove_file(&report_file);
        let report = read_report(&json).map_err(|error| fail(Kind::Report, error))?;
        if self.configuration.before.is_empty() {
            self.check_report(text, &report)
                .map_err(|error| fail(Kind::Report, error))?;
            let is_planned = |function: &&str| {
                self.configuration.level != Level::Function || !function.starts_with("llvm.func")
            };
            let functions = text.split_inclusive("\n}\n").filter(is_planned);
            let allocations: usize = functions
                .map(|text| text.matches("= memref.alloc(").count())
                .sum();
            tally.count("allocations accounted for", allocations as u64);
        }
        tally.plan(text, &planned, &report);

        // Verified, then planned again, which must change nothing.
        let verify = if self.verified { "memplan-verify," } else { "" };
        let again = format!("builtin.module({verify}{})", self.plan(""));
        match machine.opt(&planned, &again, &[]) {
            Ok(second) if second == planned => tally.count("planned twice", 1),
            Ok(_) => {
                return Err(fail(
                    Kind::Again,
                    "a second run changes the program".to_owned(),
                ));
            }
            Err(error) => return Err(fail(Kind::Verify, error)),
        }
        if self.compares {
            match machine.opt(text, &self.pipeline(), &["--mlir-disable-threading"]) {
                Ok(same) if same == planned => tally.count("plans compared", 1),
                Ok(_) => {
                    return Err(fail(
                        Kind::Again,
                        "without threads the plan is another".to_owned(),
                    ));
                }
                Err(error) => return Err(fail(Kind::Plan, error)),
            }
        }

        let mut finished = planned.clone();
        if !self.configuration.after.is_empty() {
            let pipeline = format!(
                "builtin.module({})",
                self.configuration.after.trim_start_matches(',')
            );
            finished = match machine.opt(&planned, &pipeline, &[]) {
                Ok(finished) => finished,
                Err(error) if Self::is_lost(machine, &error, text, self.configuration.after) => {
                    tally.count("modules that upstream does not get through", 1);
                    planned.clone()
                }
                Err(error) => return Err(fail(Kind::Run, error)),
            };
        }
        let compiled = match machine.compile(&finished, self.configuration.code) {
            Ok(compiled) => compiled,
            Err(error) if error.contains("memref.alloca_scope") => {
                tally.count("modules that upstream does not lower", 1);
                return Ok(());
            }
            Err(error) => return Err(fail(Kind::Run, error)),
        };
        let after = run(machine, &compiled, programs)?;
        let later = self.configuration.after.trim_start_matches(',');
        let later = (!later.is_empty()).then(|| format!("builtin.module({later})"));
        compare_with_later(
            machine,
            unplanned,
            &after,
            (later, self.configuration.code),
            tally,
        )?;
        if self.valgrind {
            under_valgrind(machine, &compiled, programs, tally)?;
        }
        Ok(())
    }
}

/// Executes a module of programs, any of which may end it.
pub fn run(
    machine: &Machine,
    compiled: &Compiled,
    programs: &[Program],
) -> Result<Printed, Failure> {
    machine.run(compiled).map_err(|error| {
        let mut failure = Failure::new(Kind::Run, programs, error);
        let last = failure
            .details
            .lines()
            .next()
            .and_then(|line| line.rsplit_once("in program "));
        if let Some(last) = last.and_then(|(_, number)| number.parse().ok()) {
            failure.programs = vec![last];
        }
        failure
    })
}

/// Like [`compare_outputs`], after `later` passes, which may leave more allocations themselves: they remove an
/// unread realloc together with its deallocation, and then nothing frees the original memory.
pub fn compare_with_later(
    machine: &Machine,
    unplanned: &Unplanned,
    after: &Printed,
    (later, code): (Option<String>, Code),
    tally: &mut Tally,
) -> Result<(), Failure> {
    let failure = match compare_outputs(unplanned, after, tally) {
        Err(failure) if failure.kind == Kind::Heap => failure,
        compared => return compared,
    };
    let alone = || {
        let text = machine.opt(&unplanned.text, &later?, &[]).ok()?;
        let compiled = machine.compile(&text, code).ok()?;
        let printed = machine.run(&compiled).ok()?;
        Some(Unplanned {
            programs: unplanned.programs.clone(),
            text,
            printed,
        })
    };
    let Some(alone) = alone() else {
        return Err(failure);
    };
    compare_outputs(&alone, after, tally)?;
    tally.count("modules of which later passes leave more", 1);
    Ok(())
}

/// Checks that the output is the same, that the heap is sound, and that no more is left than before.
pub fn compare_outputs(
    unplanned: &Unplanned,
    after: &Printed,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let Unplanned {
        programs, printed, ..
    } = unplanned;
    let differing = printed.differing(after);
    if let Some(first) = differing.first() {
        let details = printed.first_difference(after, *first);
        return Err(Failure {
            kind: Kind::Output,
            programs: differing,
            details,
        });
    }
    let leaking = after.leaking(printed);
    if !leaking.is_empty() {
        return Err(Failure {
            kind: Kind::Heap,
            details: format!(
                "left before: {:?}\nleft after:  {:?}",
                printed.left, after.left
            ),
            programs: leaking,
        });
    }
    for (before, after) in printed.heaps.iter().zip(&after.heaps) {
        if !after.is_sound() || after.live > before.live {
            return Err(Failure::new(
                Kind::Heap,
                programs,
                format!("before {before:?}\nafter  {after:?}"),
            ));
        }
        tally.count("allocations executed before", before.allocations);
        tally.count("allocations executed after", after.allocations);
    }
    tally.count("outputs compared", programs.len() as u64);
    Ok(())
}

/// Executes a module under valgrind.
pub fn under_valgrind(
    machine: &Machine,
    compiled: &Compiled,
    programs: &[Program],
    tally: &mut Tally,
) -> Result<(), Failure> {
    let done = machine
        .valgrind(compiled)
        .map_err(|error| Failure::new(Kind::Valgrind, programs, error))?;
    let count = if done {
        "modules under valgrind"
    } else {
        "modules too slow for valgrind"
    };
    tally.count(count, 1);
    Ok(())
}

/// The programs whose functions the errors name; all of them if it is the function that calls all.
pub fn named_by_symbol(errors: &str, programs: &[Program]) -> BTreeSet<u64> {
    let names = |seed: u64| [format!("\"p{seed}_"), format!("@p{seed}_")];
    let seeds = programs.iter().map(|program| program.seed);
    if errors.contains("sym_name = \"main\"") || errors.contains("@main") {
        return seeds.collect();
    }
    seeds
        .filter(|seed| names(*seed).iter().any(|name| errors.contains(name)))
        .collect()
}

/// The programs that the errors are about.
pub fn named(errors: &str, programs: &[Program]) -> BTreeSet<u64> {
    let named = messages_of(errors, "error", programs);
    named.into_iter().map(|(program, _)| program).collect()
}

/// The errors or warnings by program, which the line numbers identify.
pub fn messages_of<'m>(
    messages: &'m str,
    severity: &str,
    programs: &[Program],
) -> Vec<(u64, &'m str)> {
    let mut ends = Vec::new();
    let mut end = HEAD_LINES;
    for program in programs {
        end += program.text.lines().count();
        ends.push(end);
    }
    let separator = format!(": {severity}: ");
    messages
        .lines()
        .filter_map(|line| {
            let (place, message) = line.split_once(&separator)?;
            let line: usize = place.rsplit(':').nth(1)?.parse().ok()?;
            let at = ends.partition_point(|end| *end < line);
            let program = programs.get(at).filter(|_| line > HEAD_LINES)?;
            Some((program.seed, message))
        })
        .collect()
}

/// Parses and checks the report of the pass.
pub fn read_report(json: &str) -> Result<Report, String> {
    let reports = Report::read_all(json).map_err(|error| error.to_string())?;
    let report = Report::merge(reports);
    report.check().map_err(|error| error.to_string())?;
    Ok(report)
}
