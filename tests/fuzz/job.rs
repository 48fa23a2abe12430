//! One thing that is done to each batch: it is planned, or freed.

use anyhow::{Result, bail};

use super::check::{self, Failure, Unplanned};
use super::execute::Machine;
use super::frees;
use super::generate::Aim;
use super::generate::choices::Choices;
use super::options::Options;
use super::rewrites;
use super::rules::Tally;
use super::ways;

/// A way of either kind.
#[derive(Debug, Clone, Copy)]
enum Way {
    Plan(ways::Way),
    Free(frees::ways::Way),
    Rewrite(rewrites::ways::Way),
}

/// The ways that were asked for.
pub struct Ways {
    aim: Aim,
    /// Those of every batch.
    always: Vec<Way>,
    /// Those that take turns.
    in_turn: Vec<Way>,
}

impl Ways {
    /// Of a command line.
    pub fn of(options: &Options) -> Result<Self> {
        let plans = |ways: &[ways::Way]| ways.iter().copied().map(Way::Plan).collect();
        let frees = |ways: &[frees::ways::Way]| ways.iter().copied().map(Way::Free).collect();
        let rewritten = |ways: &[rewrites::ways::Way]| -> Vec<Way> {
            ways.iter().copied().map(Way::Rewrite).collect()
        };
        let mut all = match options.frees {
            false if options.rewrites => Self {
                aim: Aim::Rewrite,
                always: rewritten(rewrites::ways::ALWAYS),
                in_turn: rewritten(rewrites::ways::IN_TURN),
            },
            false => Self {
                aim: Aim::Merge,
                always: plans(ways::ALWAYS),
                in_turn: plans(ways::IN_TURN),
            },
            true if options.regions => Self {
                aim: Aim::Free,
                always: frees(frees::ways::IN_REGIONS),
                in_turn: frees(frees::ways::IN_REGIONS_IN_TURN),
            },
            true => Self {
                aim: Aim::Free,
                always: frees(frees::ways::ALWAYS),
                in_turn: frees(frees::ways::IN_TURN),
            },
        };
        let Some(wanted) = &options.way else {
            return Ok(all);
        };
        let ways = all.always.iter().chain(&all.in_turn);
        match ways.clone().find(|way| way.name() == wanted) {
            Some(way) => (all.always, all.in_turn) = (vec![*way], Vec::new()),
            None => {
                let names: Vec<&str> = ways.map(Way::name).collect();
                bail!("no way is called {wanted}; there are {}", names.join(", "))
            }
        }
        Ok(all)
    }

    /// What the programs are made for.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// What is done to a batch.
    pub fn jobs(
        &self,
        machine: &Machine,
        options: &Options,
        turn: usize,
        choices: &mut Choices,
    ) -> Vec<Job> {
        let turns = self.in_turn.len().max(1);
        let in_turn = self.in_turn.get(turn % turns);
        let ways = self.always.iter().chain(in_turn);
        let with = options.with.as_deref();
        let job = |way: &Way| match *way {
            Way::Plan(way) => {
                let mut run = check::Run::new(machine, way, choices, with);
                run.verified = !options.unverified;
                Job::Plan(run)
            }
            Way::Free(way) => Job::Free(frees::Run::new(machine, way, choices, with)),
            Way::Rewrite(way) => Job::Rewrite(rewrites::Run::new(machine, way, choices, with)),
        };
        ways.map(job).collect()
    }
}

impl Way {
    fn name(&self) -> &'static str {
        match self {
            Self::Plan(way) => way.name,
            Self::Free(way) => way.name,
            Self::Rewrite(way) => way.name,
        }
    }
}

/// A way, with what was chosen for it.
#[derive(Debug, Clone)]
pub enum Job {
    /// Planned.
    Plan(check::Run),
    /// Freed.
    Free(frees::Run),
    /// Rewritten.
    Rewrite(rewrites::Run),
}

impl Job {
    /// The name of the way on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Plan(run) => run.way.name,
            Self::Free(run) => run.way.name,
            Self::Rewrite(run) => run.way.name,
        }
    }

    /// Does it put memory into regions?
    pub fn has_regions(&self) -> bool {
        matches!(self, Self::Free(run) if run.way.regions)
    }

    /// What was chosen, as `--with` takes it.
    pub fn options(&self) -> String {
        match self {
            Self::Plan(run) => run.options.clone(),
            Self::Free(run) => run.settings.to_string(),
            Self::Rewrite(run) => run.options.clone(),
        }
    }

    /// What is done, one pipeline after the other.
    pub fn pipelines(&self) -> Vec<String> {
        match self {
            Self::Plan(run) => vec![run.pipeline()],
            Self::Free(run) => run.pipelines(),
            Self::Rewrite(run) => run.pipelines(),
        }
    }

    /// Also executes it under valgrind.
    pub fn set_valgrind(&mut self) {
        match self {
            Self::Plan(run) => run.valgrind = true,
            Self::Free(run) => run.valgrind = true,
            Self::Rewrite(run) => run.valgrind = true,
        }
    }

    /// Does it, and compares.
    pub fn check(
        &self,
        machine: &Machine,
        unplanned: &Unplanned,
        tally: &mut Tally,
    ) -> Result<(), Failure> {
        match self {
            Self::Plan(run) => run.check(machine, unplanned, tally),
            Self::Free(run) => run.check(machine, unplanned, tally),
            Self::Rewrite(run) => run.check(machine, unplanned, tally),
        }
    }
}
