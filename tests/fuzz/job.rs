//! The jobs on each batch: to plan, deallocate or rewrite it.

use anyhow::{Result, bail};

use super::check::{self, Failure, Unplanned};
use super::configurations;
use super::execute::Machine;
use super::frees;
use super::generate::Aim;
use super::generate::choices::Choices;
use super::options::Options;
use super::rewrites;
use super::rules::Tally;

/// A configuration of any kind.
#[derive(Debug, Clone, Copy)]
enum AnyConfiguration {
    Plan(configurations::Configuration),
    Free(frees::configurations::Configuration),
    Rewrite(rewrites::configurations::Configuration),
}

/// The selected configurations.
pub struct Configurations {
    aim: Aim,
    /// The configurations for every batch.
    always: Vec<AnyConfiguration>,
    /// The configurations of which each batch uses one, in rotation.
    rotating: Vec<AnyConfiguration>,
}

impl Configurations {
    /// The configurations that the command line selects.
    pub fn of(options: &Options) -> Result<Self> {
        let plans = |configurations: &[configurations::Configuration]| {
            configurations
                .iter()
                .copied()
                .map(AnyConfiguration::Plan)
                .collect()
        };
        let frees = |configurations: &[frees::configurations::Configuration]| {
            configurations
                .iter()
                .copied()
                .map(AnyConfiguration::Free)
                .collect()
        };
        let rewritten =
            |configurations: &[rewrites::configurations::Configuration]| -> Vec<AnyConfiguration> {
                configurations
                    .iter()
                    .copied()
                    .map(AnyConfiguration::Rewrite)
                    .collect()
            };
        let mut all = match options.frees {
            false if options.chains => Self {
                aim: Aim::Split,
                always: rewritten(rewrites::chains::ALWAYS),
                rotating: rewritten(rewrites::chains::ROTATING),
            },
            false if options.rewrites => Self {
                aim: Aim::Rewrite,
                always: rewritten(rewrites::configurations::ALWAYS),
                rotating: rewritten(rewrites::configurations::ROTATING),
            },
            false => Self {
                aim: Aim::Merge,
                always: plans(configurations::ALWAYS),
                rotating: plans(configurations::ROTATING),
            },
            true if options.regions => Self {
                aim: Aim::Free,
                always: frees(frees::configurations::IN_REGIONS),
                rotating: frees(frees::configurations::IN_REGIONS_ROTATING),
            },
            true => Self {
                aim: Aim::Free,
                always: frees(frees::configurations::ALWAYS),
                rotating: frees(frees::configurations::ROTATING),
            },
        };
        let Some(wanted) = &options.configuration else {
            return Ok(all);
        };
        let configurations = all.always.iter().chain(&all.rotating);
        match configurations
            .clone()
            .find(|configuration| configuration.name() == wanted)
        {
            Some(configuration) => (all.always, all.rotating) = (vec![*configuration], Vec::new()),
            None => {
                let names: Vec<&str> = configurations.map(AnyConfiguration::name).collect();
                bail!(
                    "no configuration is called {wanted}; there are {}",
                    names.join(", ")
                )
            }
        }
        Ok(all)
    }

    /// The aim of the programs.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// The jobs on a batch.
    pub fn jobs(
        &self,
        machine: &Machine,
        options: &Options,
        rotation: usize,
        choices: &mut Choices,
    ) -> Vec<Job> {
        let count = self.rotating.len().max(1);
        let rotating = self.rotating.get(rotation % count);
        let configurations = self.always.iter().chain(rotating);
        let with = options.with.as_deref();
        let job = |configuration: &AnyConfiguration| match *configuration {
            AnyConfiguration::Plan(configuration) => {
                let mut run = check::Run::new(machine, configuration, choices, with);
                run.verified = !options.unverified;
                Job::Plan(run)
            }
            AnyConfiguration::Free(configuration) => {
                Job::Free(frees::Run::new(machine, configuration, choices, with))
            }
            AnyConfiguration::Rewrite(configuration) => {
                Job::Rewrite(rewrites::Run::new(machine, configuration, choices, with))
            }
        };
        configurations.map(job).collect()
    }
}

impl AnyConfiguration {
    fn name(&self) -> &'static str {
        match self {
            Self::Plan(configuration) => configuration.name,
            Self::Free(configuration) => configuration.name,
            Self::Rewrite(configuration) => configuration.name,
        }
    }
}

/// A configuration with its random choices.
#[derive(Debug, Clone)]
pub enum Job {
    /// To plan.
    Plan(check::Run),
    /// To deallocate.
    Free(frees::Run),
    /// To rewrite.
    Rewrite(rewrites::Run),
}

impl Job {
    /// The name of the configuration on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Plan(run) => run.configuration.name,
            Self::Free(run) => run.configuration.name,
            Self::Rewrite(run) => run.configuration.name,
        }
    }

    /// Whether it places memory in regions.
    pub fn has_regions(&self) -> bool {
        matches!(self, Self::Free(run) if run.configuration.regions)
    }

    /// The random choices, in the syntax of `--with`.
    pub fn options(&self) -> String {
        match self {
            Self::Plan(run) => run.options.clone(),
            Self::Free(run) => run.settings.to_string(),
            Self::Rewrite(run) => run.options.clone(),
        }
    }

    /// The pipelines, one after the other.
    pub fn pipelines(&self) -> Vec<String> {
        match self {
            Self::Plan(run) => vec![run.pipeline()],
            Self::Free(run) => run.pipelines(),
            Self::Rewrite(run) => run.pipelines(),
        }
    }

    /// Executes it under valgrind, too.
    pub fn set_valgrind(&mut self) {
        match self {
            Self::Plan(run) => run.valgrind = true,
            Self::Free(run) => run.valgrind = true,
            Self::Rewrite(run) => run.valgrind = true,
        }
    }

    /// Runs the job, and compares the results.
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
