//! Checks of a module of programs that is rewritten in one configuration: it prints the same, the heap sees no
//! wrong access and no more is left, and a plan of it takes no more bytes where the configuration says so.

pub mod chains;
pub mod configurations;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use memplan_report::{Report, ScopeReport};

use super::check::{
    Failure, Kind, Unplanned, compare_with_later, messages_of, named_by_symbol, read_report, run,
    under_valgrind,
};
use super::execute::Machine;
use super::generate::choices::Choices;
use super::rules::Tally;
use super::settings::{Level, REFUSALS, choose, choose_of_split};
use configurations::{Configuration, Varied};

/// A configuration with its random choices.
#[derive(Debug, Clone)]
pub struct Run {
    /// The configuration.
    pub configuration: Configuration,
    /// Options of the plan, or of the rewriting, as `a=b c=d`.
    pub options: String,
    /// Whether it is also executed under valgrind.
    pub valgrind: bool,
    /// Whether it is also compared with a result made without threads.
    pub compares: bool,
}

impl Run {
    /// A run with random options, or with the given ones.
    pub fn new(
        machine: &Machine,
        configuration: Configuration,
        choices: &mut Choices,
        with: Option<&str>,
    ) -> Self {
        let random = match configuration.varied {
            Varied::Plan => choose(choices, &machine.declared, Level::Module),
            Varied::Rewriting => {
                let pass = configuration.rewrites.split('{').next();
                choose_of_split(choices, &machine.options_of(pass.unwrap_or_default()))
            }
        };
        // Its errors do not name the function that is refused.
        let random: Vec<&str> = random
            .split(' ')
            .filter(|option| !option.starts_with("arena-limit="))
            .collect();
        let random = random.join(" ");
        Self {
            configuration,
            options: with.map_or(random, str::to_owned),
            valgrind: false,
            compares: choices.chance(30),
        }
    }

    /// The pipeline up to the rewriting.
    fn rewrites(&self) -> String {
        format!(
            "builtin.module({}{})",
            self.configuration.before,
            self.rewriting()
        )
    }

    /// The rewriting passes with their random options, or with those of the later plan by which they count bytes.
    fn rewriting(&self) -> String {
        if self.configuration.varied == Varied::Rewriting {
            let passes = self.configuration.rewrites;
            return passes.replacen('{', &format!("{{{} ", self.options), 1);
        }
        let shared = self.counted_by();
        let plain = self.configuration.rewrites;
        if shared.is_empty() {
            return plain.to_owned();
        }
        REWRITE.iter().fold(plain.to_owned(), |text, pass| {
            let sized = text.replace(pass, &format!("{pass}{{{shared}}}"));
            sized.replace(&format!("{{{shared}}}{{"), &format!("{{{shared} "))
        })
    }

    /// The options of the plan by which the rewriting passes count bytes.
    fn counted_by(&self) -> String {
        let options = self.options.split_whitespace();
        let shared = options.filter(|option| {
            let (name, _) = option.split_once('=').unwrap_or((option, ""));
            self.configuration.merges && COUNTED_BY.contains(&name)
        });
        shared.collect::<Vec<&str>>().join(" ")
    }

    /// The alignment of the plan, in bytes.
    fn alignment(&self) -> u64 {
        let counted_by = self.counted_by();
        let mut options = counted_by.split_whitespace();
        let given = options.find_map(|option| option.strip_prefix("alignment="));
        given.and_then(|bytes| bytes.parse().ok()).unwrap_or(64)
    }

    /// The plan after the rewriting.
    fn plans(&self) -> String {
        format!(
            "builtin.module(memplan-merge-alloc{{{} verify}})",
            self.options
        )
    }

    /// All pipelines.
    pub fn pipelines(&self) -> Vec<String> {
        let mut all = vec![self.rewrites()];
        if self.configuration.merges {
            all.push(self.plans());
        }
        if !self.configuration.after.is_empty() {
            all.push(self.finishing_pipeline());
        }
        all
    }

    fn finishing_pipeline(&self) -> String {
        format!(
            "builtin.module({})",
            self.configuration.after.trim_start_matches(',')
        )
    }

    /// Rewrites the programs, executes them, and compares.
    pub fn check(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let Unplanned { programs, text, .. } = unplanned;
        let fail = |kind: Kind, details: String| Failure::new(kind, programs, details);
        let rewritten = match machine.opt(text, &self.rewrites(), &[]) {
            Ok(rewritten) => rewritten,
            Err(error) if self.is_lost_before_pass(machine, &error, text) => {
                tally.count("modules that upstream does not get through", 1);
                return Ok(());
            }
            Err(error) => return Err(fail(Kind::Plan, error)),
        };
        tally.count("plans", 1);
        self.count(machine, unplanned, tally);
        if self.configuration.is_idempotent {
            let again = format!("builtin.module({})", self.rewriting());
            match machine.opt(&rewritten, &again, &[]) {
                Ok(second) if second == rewritten => tally.count("rewritten twice", 1),
                Ok(_) => {
                    let details = "a second run changes the program".to_owned();
                    return Err(fail(Kind::Again, details));
                }
                Err(error) => return Err(fail(Kind::Again, error)),
            }
        }
        if self.compares {
            match machine.opt(text, &self.rewrites(), &["--mlir-disable-threading"]) {
                Ok(same) if same == rewritten => tally.count("plans compared", 1),
                Ok(_) => {
                    let details = "without threads the program is another".to_owned();
                    return Err(fail(Kind::Again, details));
                }
                Err(error) => return Err(fail(Kind::Plan, error)),
            }
        }
        if let Some(more) = self.configuration.saves {
            self.check_bytes(machine, unplanned, &rewritten, more, tally)?;
        }
        self.execute(machine, unplanned, &rewritten, tally)
    }

    /// Counts the effects, by the remarks of the pass.
    fn count(&self, machine: &Machine, unplanned: &Unplanned, tally: &mut Tally) {
        // Only for a single pass.
        if self.configuration.rewrites.contains(',') {
            return;
        }
        let plain = self.rewriting();
        let rewrites = match plain.split_once('{') {
            Some((pass, options)) => format!("{pass}{{remarks=true {options}"),
            None => format!("{plain}{{remarks=true}}"),
        };
        let pipeline = format!("builtin.module({}{rewrites})", self.configuration.before);
        let Ok((_, messages)) = machine.opt_and_messages(&unplanned.text, &pipeline, &[]) else {
            return;
        };
        let remarks = messages_of(&messages, "remark", &unplanned.programs);
        for (what, part) in [
            ("programs in strips", "[memplan-R413]"),
            ("programs row by row", "operations run row by row"),
        ] {
            let found: BTreeSet<u64> = remarks
                .iter()
                .filter(|(_, message)| message.contains(part))
                .map(|(program, _)| *program)
                .collect();
            if !found.is_empty() {
                let name = format!("{what}, {}", self.configuration.name);
                tally.count(&name, found.len() as u64);
            }
        }
        for line in messages.lines() {
            if line.contains(": elided;") {
                tally.count("elided", 1);
            } else if line.contains(": computed again before a late use:") {
                tally.count("computed again", 1);
            } else if line.contains(": reordered:") {
                tally.count("blocks in another order", 1);
            } else if let Some((_, reason)) = line.split_once("not elided: ") {
                let reason = reason.split(['[', ']']).nth(1).unwrap_or_default();
                tally.count(&format!("not elided: {reason}"), 1);
            }
        }
    }

    /// Plans, lowers, executes and compares.
    fn execute(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        rewritten: &str,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let programs = &unplanned.programs;
        let fail = |kind: Kind, details: String| Failure::new(kind, programs, details);
        let mut finished = rewritten.to_owned();
        if self.configuration.merges {
            finished = match machine.opt(rewritten, &self.plans(), &[]) {
                Ok(planned) => planned,
                Err(error)
                    if REFUSALS.iter().any(|refusal| error.contains(refusal))
                        && error.starts_with("exit status") =>
                {
                    let refused = named_by_symbol(&error, programs);
                    tally.count("programs refused", refused.len() as u64);
                    if refused.is_empty() {
                        return Err(fail(Kind::Plan, error));
                    }
                    if refused.len() == programs.len() {
                        return Ok(());
                    }
                    return self.check(machine, &unplanned.without(&refused), tally);
                }
                Err(error) => return Err(fail(Kind::Verify, error)),
            };
            tally.count("planned and verified", 1);
        }
        if !self.configuration.after.is_empty() {
            finished = match machine.opt(&finished, &self.finishing_pipeline(), &[]) {
                Ok(finished) => finished,
                Err(error)
                    if machine.is_lost_to_upstream(
                        &error,
                        &unplanned.text,
                        &self.finishing_pipeline(),
                    ) =>
                {
                    tally.count("modules that upstream does not get through", 1);
                    finished
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
        let later = (!self.configuration.after.is_empty()).then(|| self.finishing_pipeline());
        let later = (later, self.configuration.code);
        match compare_with_later(machine, unplanned, &after, later, tally) {
            // If a function has no deallocations at all, a later deallocation pass frees its memory, so live ranges may
            // be split.
            Err(failure)
                if failure.kind == Kind::Heap
                    && self.may_leave_more()
                    && after.heaps.iter().all(|heap| heap.is_sound())
                    && failure
                        .programs
                        .iter()
                        .all(|seed| self.leaves_some(unplanned, *seed)) =>
            {
                tally.count("programs that free nothing, and leave more", 1);
                tally.count("outputs compared", programs.len() as u64);
            }
            compared => compared?,
        }
        if self.valgrind {
            under_valgrind(machine, &compiled, programs, tally)?;
        }
        Ok(())
    }

    /// Checks that a plan of the rewritten program takes no more bytes in any function than one of the original
    /// program.
    fn check_bytes(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        rewritten: &str,
        more: u64,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        let fail = |kind: Kind, details: String| Failure::new(kind, &unplanned.programs, details);
        let bytes = |text: &str| -> Result<BTreeMap<String, Bytes>, Failure> {
            let report = machine.file("json");
            let (shared, file) = (self.counted_by(), report.display());
            let plan = format!("memplan-merge-alloc{{{shared} report={file}}}");
            // A pass on functions does not know callees, and cannot count the arenas that they receive.
            let pipeline = match self.configuration.rewrites.starts_with(ALONE) {
                true => format!("builtin.module({ALONE}{plan}))"),
                false => format!("builtin.module({plan})"),
            };
            let planned = machine.opt(text, &pipeline, &[]);
            let json = fs::read_to_string(&report).unwrap_or_default();
            let _ = fs::remove_file(&report);
            planned.map_err(|error| fail(Kind::Plan, error))?;
            let report = read_report(&json).map_err(|error| fail(Kind::Report, error))?;
            Ok(by_function(&report))
        };
        let (before, after) = (bytes(&unplanned.text)?, bytes(rewritten)?);
        for (name, after) in &after {
            let before = before.get(name).copied().unwrap_or(NONE);
            // What runs item by item has buffers of static size in place of dynamic ones, which are no planned bytes.
            let becomes_static = after.dynamic < before.dynamic;
            if before.is_mixed || after.is_mixed || becomes_static {
                continue;
            }
            tally.count("bytes of plans before", before.planned);
            tally.count("bytes of plans after", after.planned);
            // The last slice of an arena has no padding after it, so an arena is as long as its contents; the pass
            // compares everything else. Where the heap is smaller with several arenas, each may take an alignment more.
            let last = self.alignment().max(OWN) - 1;
            let arenas = before.arenas.max(after.arenas);
            let more = last * (more + arenas.saturating_sub(1));
            let bounds = after.bound.zip(before.bound);
            if bounds.is_some_and(|(after, before)| after > before + more)
                || after.planned > before.planned + more
            {
                let seed = unplanned.programs.iter().map(|program| program.seed);
                let mut failure =
                    fail(Kind::Bytes, format!("{name}: {after:?}, before {before:?}"));
                failure.programs = seed
                    .filter(|seed| name.starts_with(&format!("p{seed}_")))
                    .collect();
                return Err(failure);
            }
        }
        Ok(())
    }

    /// Whether a program has a function that frees nothing, or, where strips allocate a part at a time what was one
    /// allocation, leaves something.
    fn leaves_some(&self, unplanned: &Unplanned, seed: u64) -> bool {
        let mut left = unplanned.printed.left.iter();
        let leaves = left.any(|run| run.get(&seed).is_some_and(|count| *count > 0));
        let in_strips = self.configuration.rewrites.contains("memplan-split");
        leaves_all(&unplanned.text, seed) || in_strips && leaves
    }

    /// Whether programs that free nothing may leave more than before: nothing that follows frees it. Strips allocate in
    /// loops, and what is computed again has a buffer of its own: a plan with `min-size` or `dynamic=skip` leaves these.
    fn may_leave_more(&self) -> bool {
        let Configuration {
            rewrites,
            merges,
            after,
            ..
        } = self.configuration;
        let allocates = [
            "memplan-split",
            "memplan-recompute",
            "memplan-assign-spaces",
        ];
        allocates.iter().any(|pass| rewrites.contains(pass)) || (after.is_empty() && !merges)
    }

    /// Whether upstream's passes before the pass crash or take too long.
    fn is_lost_before_pass(&self, machine: &Machine, error: &str, text: &str) -> bool {
        let before = self.configuration.before.trim_end_matches(',');
        !before.is_empty()
            && machine.is_lost_to_upstream(error, text, &format!("builtin.module({before})"))
    }
}

/// A pipeline on each function.
const ALONE: &str = "func.func(";

/// The alignment that buffers of the programs may have themselves.
const OWN: u64 = 256;

/// The options of the plan that the rewriting passes have, too.
const COUNTED_BY: &[&str] = &["alignment", "in-place", "min-size", "max-size"];

/// The rewriting passes.
const REWRITE: &[&str] = &[
    "memplan-elide-copies",
    "memplan-reorder",
    "memplan-recompute",
    "memplan-split",
];

/// The bytes of all arenas of a function.
#[derive(Debug, Clone, Copy)]
struct Bytes {
    /// The number of arenas.
    arenas: u64,
    planned: u64,
    /// Whether buffers of static size have places among those of dynamic size: they are not planned bytes then.
    is_mixed: bool,
    /// The number of buffers of dynamic size.
    dynamic: usize,
    /// The lower bound, as far as it is the load: how much more a search proves differs from plan to plan.
    bound: Option<u64>,
}

/// The bytes of a function without an arena.
const NONE: Bytes = Bytes {
    arenas: 0,
    planned: 0,
    is_mixed: false,
    dynamic: 0,
    bound: Some(0),
};

fn by_function(report: &Report) -> BTreeMap<String, Bytes> {
    let mut bytes: BTreeMap<String, Bytes> = BTreeMap::new();
    for function in &report.functions {
        let sum = bytes.entry(function.name.clone()).or_insert(NONE);
        sum.arenas += function.scopes.len() as u64;
        sum.planned += function.planned();
        let slots = function.scopes.iter().flat_map(|scope| &scope.slots);
        let buffers: Vec<_> = slots.flat_map(|slot| &slot.buffers).collect();
        let is_static = |r#type: &str| !r#type.contains('?');
        sum.is_mixed |= buffers.iter().any(|buffer| is_static(&buffer.ty));
        let planned = buffers.iter().map(|buffer| buffer.ty.as_str());
        let skipped = function.skipped.iter().map(|skipped| skipped.ty.as_str());
        sum.dynamic += planned.chain(skipped).filter(|one| !is_static(one)).count();
        let of_load = |scope: &ScopeReport| scope.lower_bound_proof != "search";
        let of_load = function.scopes.iter().all(of_load);
        let bound = of_load.then(|| function.lower_bound());
        sum.bound = sum.bound.zip(bound).map(|(sum, bound)| sum + bound);
    }
    bytes
}

/// Whether a program has a function that allocates and frees nothing.
fn leaves_all(text: &str, seed: u64) -> bool {
    let name = format!("@p{seed}_");
    let mut functions = text.split("\nfunc.func ").filter(|function| {
        let head = function.lines().next().unwrap_or_default();
        head.contains(&name)
    });
    functions
        .any(|function| function.contains("memref.alloc") && !function.contains("memref.dealloc"))
}
