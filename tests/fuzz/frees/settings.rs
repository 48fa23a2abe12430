//! The random choices for a deallocation, as words, so that a failure can be reproduced.

use std::fmt;

use super::configurations::{Configuration, PlanPosition};
use crate::fuzz::execute::Machine;
use crate::fuzz::generate::choices::Choices;
use crate::fuzz::settings::{Level, choose, choose_of_deallocation, choose_of_regions};

/// The pass.
pub const PASS: &str = "memplan-ownership-dealloc";

/// The pass before it.
const REGIONS: &str = "memplan-regions";

/// Ours, and that of upstream.
const SIMPLIFY: [&str; 2] = [
    "memplan-simplify-dealloc",
    "buffer-deallocation-simplification",
];
const LOWER: [&str; 2] = ["memplan-lower-dealloc", "bufferization-lower-deallocations"];

/// Upstream's simplification.
pub const UPSTREAM_SIMPLIFIES: &str = SIMPLIFY[1];

/// The option of a plan with which loops may not run.
pub const ANY_TRIPS: &str = "min-trips=0";

/// The random choices.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether the program's own deallocations are removed before.
    pub bare: bool,
    /// Whether the pass runs on each function, not on the module.
    pub on_functions: bool,
    /// Whether `canonicalize` runs after the pass.
    pub canonicalizes: bool,
    /// The simplification pass, if any.
    pub simplifies: Option<String>,
    /// The lowering pass.
    pub lowers: String,
    /// Options of the pass.
    pub options: Vec<String>,
    /// Options of the regions.
    pub regions: Vec<String>,
    /// Options of the plan.
    pub merge: Vec<String>,
}

impl Settings {
    /// Random choices.
    pub fn choose(machine: &Machine, configuration: &Configuration, choices: &mut Choices) -> Self {
        let on_functions = choices.chance(40);
        let level = match on_functions {
            true => Level::Function,
            false => Level::Module,
        };
        // Which of the two passes is chosen does not depend on their availability, so that more passes do not change
        // all other choices.
        let upstream = [choices.chance(25), choices.chance(25)];
        let pick = |passes: [&str; 2], upstream: bool| {
            let ours = !upstream && machine.has_pass(passes[0]);
            passes[usize::from(!ours)].to_owned()
        };
        let words =
            |text: String| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        let simplifies = choices.chance(60);
        let chosen = choose_of_deallocation(choices, &machine.options_of(PASS), level);
        let mut options: Vec<String> = words(chosen);
        options.extend(
            configuration
                .options
                .iter()
                .map(|option| (*option).to_owned()),
        );
        let merge = match configuration.plan_position {
            PlanPosition::None => String::new(),
            _ => choose(choices, &machine.declared, Level::Module),
        };
        let regions = match configuration.regions {
            true => choose_of_regions(choices, &machine.options_of(REGIONS)),
            false => String::new(),
        };
        if configuration.compares_heap {
            let trips = match choices.chance(70) {
                true => ANY_TRIPS,
                false => "min-trips=1",
            };
            return Self::parse(&format!(
                "bare merge:dynamic=skip merge:alignment=1 merge:when-larger=leave merge:{trips}"
            ));
        }
        Self {
            regions: words(regions),
            bare: choices.chance(50),
            on_functions,
            canonicalizes: choices.chance(40),
            simplifies: simplifies.then(|| pick(SIMPLIFY, upstream[0])),
            lowers: pick(LOWER, upstream[1]),
            options,
            merge: words(merge),
        }
    }

    /// Parses words.
    pub fn parse(text: &str) -> Self {
        let mut settings = Self {
            lowers: LOWER[1].to_owned(),
            ..Self::default()
        };
        for word in text.split_whitespace() {
            match word {
                "bare" => settings.bare = true,
                "on-functions" => settings.on_functions = true,
                "canonicalize" => settings.canonicalizes = true,
                _ if SIMPLIFY.contains(&word) => settings.simplifies = Some(word.to_owned()),
                _ if LOWER.contains(&word) => word.clone_into(&mut settings.lowers),
                _ => match (word.strip_prefix("merge:"), word.strip_prefix("regions:")) {
                    (Some(option), _) => settings.merge.push(option.to_owned()),
                    (_, Some(option)) => settings.regions.push(option.to_owned()),
                    _ => settings.options.push(word.to_owned()),
                },
            }
        }
        settings
    }

    /// The pass, with its options.
    pub fn pass(&self) -> String {
        let pass = format!("{PASS}{{{}}}", self.options.join(" "));
        if self.on_functions {
            format!("func.func({pass}),llvm.func({pass})")
        } else {
            pass
        }
    }

    /// The pass for regions, with its options.
    pub fn regions(&self) -> String {
        format!("{REGIONS}{{{}}}", self.regions.join(" "))
    }

    /// The plan, with its options.
    pub fn plan(&self) -> String {
        format!("memplan-merge-alloc{{{}}}", self.merge.join(" "))
    }

    /// The passes that lower the remaining deallocations.
    pub fn settle(&self) -> String {
        let mut passes = Vec::new();
        if self.canonicalizes {
            passes.push("canonicalize");
        }
        passes.extend(self.simplifies.as_deref());
        passes.push(&self.lowers);
        passes.join(",")
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        for (given, word) in [
            (self.bare, "bare"),
            (self.on_functions, "on-functions"),
            (self.canonicalizes, "canonicalize"),
        ] {
            if given {
                words.push(word.to_owned());
            }
        }
        words.extend(self.simplifies.clone());
        words.push(self.lowers.clone());
        words.extend(self.options.iter().cloned());
        words.extend(
            self.regions
                .iter()
                .map(|option| format!("regions:{option}")),
        );
        words.extend(self.merge.iter().map(|option| format!("merge:{option}")));
        out.write_str(&words.join(" "))
    }
}
