//! A batch: some programs in one module, and the checks on them.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::check::{Failure, Kind, Unplanned};
use super::execute::Machine;
use super::generate::choices::Choices;
use super::generate::{Aim, Program, module};
use super::job::{Configurations, Job};
use super::options::Options;
use super::reduce::reduce;
use super::rules::Tally;

/// One batch in so many is executed under valgrind.
const VALGRIND: u64 = 10;

/// Some programs in one module.
pub struct Batch<'m> {
    machine: &'m Machine,
    aim: Aim,
    first: u64,
    /// The number of programs.
    pub count: u64,
    jobs: Vec<Job>,
}

impl<'m> Batch<'m> {
    /// The batch with a number.
    pub fn new(
        machine: &'m Machine,
        options: &Options,
        configurations: &Configurations,
        number: u64,
    ) -> Self {
        let first = options.seed + number * options.batch;
        let count = options.batch.min(options.programs - number * options.batch);
        // The random choices for a batch depend on its first seed only.
        let mut choices = Choices::random(!first);
        let rotation = (first / options.batch) as usize;
        let mut jobs = configurations.jobs(machine, options, rotation, &mut choices);
        let under_valgrind = number.is_multiple_of(VALGRIND) && machine.has_valgrind();
        if let Some(job) = jobs.last_mut().filter(|_| under_valgrind) {
            job.set_valgrind();
        }
        Self {
            machine,
            aim: configurations.aim(),
            first,
            count,
            jobs,
        }
    }

    fn programs(&self) -> impl Iterator<Item = Program> {
        let aim = self.aim;
        (self.first..self.first + self.count).map(move |seed| Program::random(seed, aim))
    }

    /// Checks all configurations, up to the first failure.
    pub fn check(&self) -> (Tally, Option<(Failure, Option<Job>)>) {
        let mut tally = Tally::default();
        let programs: Vec<Program> = self.programs().collect();
        for program in &programs {
            tally.program(program);
        }
        let unplanned = match Unplanned::run(self.machine, programs) {
            Ok(unplanned) => unplanned,
            Err(failure) => return (tally, Some((failure, None))),
        };
        for job in &self.jobs {
            if let Err(failure) = job.check(self.machine, &unplanned, &mut tally) {
                return (tally, Some((failure, Some(job.clone()))));
            }
        }
        (tally, None)
    }

    /// Finds the failing program, reduces it, and writes it to a file. Returns a description with the commands that
    /// reproduce the failure.
    pub fn explain(&self, failure: Failure, job: Option<&Job>, options: &Options) -> String {
        let kind = failure.kind;
        let name = job.map_or("unplanned", Job::name);
        let mut text = format!(
            "seed {}, {name}: {kind:?}\n{}\n",
            self.first, failure.details
        );
        let until = Instant::now() + Duration::from_secs(options.reduce_seconds);
        let machine = self.machine.hurried(until, kind.is_executed());
        let same = |program: &Program| {
            alone(&machine, program, job).filter(|failure| failure.kind == kind)
        };
        let guilty = failure
            .programs
            .iter()
            .map(|seed| Program::random(*seed, self.aim))
            .find(|program| same(program).is_some());
        let (programs, seed, count) = match guilty {
            Some(program) => {
                let seed = program.seed;
                let mut details = None;
                let small = reduce(program, options.tries, |program| {
                    // A failure after the time limit has another cause.
                    let found = same(program).filter(|_| !machine.is_late());
                    let fails = found.is_some();
                    details = found.map(|failure| failure.details).or(details.take());
                    fails
                });
                if let Some(details) = details {
                    text += &format!("reduced: {details}\n");
                }
                if machine.is_late() {
                    text += "the time for making it smaller is over\n";
                }
                (vec![small], seed, 1)
            }
            None => {
                text += "no program fails alone\n";
                (self.programs().collect(), self.first, self.count)
            }
        };
        let with = job.map_or_else(String::new, |job| {
            format!(" --config {name} --with '{}'", job.options())
        });
        let in_regions = job.is_some_and(Job::has_regions);
        let frees = match self.aim {
            Aim::Free if in_regions => " --regions",
            Aim::Free => " --frees",
            Aim::Rewrite => " --rewrites",
            Aim::Split => " --chains",
            Aim::Merge => "",
        };
        let command = format!("ci/fuzz {count} {seed} --batch {count}{frees}{with}");
        let mut head = format!(
            "// {}\n// {command}\n",
            text.trim_end().replace('\n', "\n// ")
        );
        for pipeline in job.map(Job::pipelines).unwrap_or_default() {
            head += &format!(
                "// mlir-opt --load-pass-plugin=libmemplan.so --pass-pipeline='{pipeline}'\n"
            );
        }
        match written(&format!("{seed}-{name}.mlir"), &(head + &module(&programs))) {
            Ok(path) => text += &format!("{}\n", path.display()),
            Err(error) => text += &format!("not written: {error:#}\n"),
        }
        if kind == Kind::Generator {
            text += "the fuzzer itself is wrong here\n";
        }
        text + &command
    }
}

/// The failure with this program alone, if any.
fn alone(machine: &Machine, program: &Program, job: Option<&Job>) -> Option<Failure> {
    if machine.is_late() {
        return None;
    }
    let programs = vec![program.clone()];
    let unplanned = match machine.executes() {
        true => Unplanned::run(machine, programs),
        false => Ok(Unplanned::unexecuted(programs)),
    };
    match (unplanned, job) {
        (Err(failure), _) => Some(failure),
        (Ok(unplanned), Some(job)) => job.check(machine, &unplanned, &mut Tally::default()).err(),
        (Ok(_), None) => None,
    }
}

/// Writes a file into `target/fuzz`.
fn written(name: &str, text: &str) -> Result<PathBuf> {
    let executable = env::current_exe()?;
    let target = executable
        .ancestors()
        .nth(3)
        .context("the test executable has no place")?;
    let folder = target.join("fuzz");
    fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}
