//! Options of the pass.

use crate::{
    assign_spaces, coalescing::PackingOptions, elide_copies::Guard,
    memory_spaces::machine::Described,
};
use memplan_declarations::split::DECLARATION;
use memplan_mlir::pass::OptionValues;
use memplan_strips::search::Limits;

/// What is done to a function before it is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Nothing.
    Plain,
    /// Copies are elided, with this guard.
    Elided(Guard),
    /// Copies are elided that lower the load, and operations are reordered.
    Reordered,
}

/// Forms, with their names.
const FORMS: [(&str, Form); 5] = [
    ("plain", Form::Plain),
    ("lower", Form::Elided(Guard::Lower)),
    ("equal", Form::Elided(Guard::Equal)),
    ("none", Form::Elided(Guard::None)),
    ("reordered", Form::Reordered),
];

/// What strips are to reach.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Bytes that are few enough.
    pub enough: u64,
    /// Whether the bytes decide that strips move, in place of time.
    pub by_traffic: bool,
    /// Whether strips may repeat work.
    pub repeats: bool,
    /// Whether it is needed only if limits do not hold.
    pub is_last_resort: bool,
}

impl Target {
    /// Most targets: with work repeated or not, and as few bytes as the limits want or as there can be.
    pub const MOST: usize = 2 * (LEVELS.len() + 1);
}

/// Bytes of strips that are tried, in percent of those that fit: what does not may be elsewhere.
const LEVELS: [u64; 7] = [100, 150, 200, 300, 400, 800, 1600];

/// The options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Forms that are tried.
    pub forms: Vec<Form>,
    /// Whether the plan has to be smaller than those of all forms without strips.
    pub below_forms: bool,
    /// Whether results count, too.
    pub with_results: bool,
    /// Limits of the search; that of time is one of each block.
    pub limits: Limits,
    /// Whether bodies that run in parallel are split, too.
    pub in_parallel: bool,
    /// Whether time is limited.
    pub limits_time: bool,
    /// Most operations after splitting, as a multiple of those before.
    pub most_growth: f64,
    /// Whether to say what was done.
    pub remarks: bool,
    /// Options of the plan that follows.
    pub how: PackingOptions,
    /// The limits of memory spaces, if there are any.
    pub limited: Option<assign_spaces::Settings>,
}

impl Settings {
    /// Reads the options.
    pub fn of(values: &OptionValues, machine: Option<&Described>) -> Result<Self, String> {
        let pass = DECLARATION.argument;
        let mut forms = Vec::new();
        for name in values.list("forms") {
            let known = FORMS.iter().find(|(known, _)| *known == name);
            let Some((_, form)) = known else {
                let names = FORMS.map(|(name, _)| name).join(", ");
                return Err(format!("{pass}: forms={name} is none of {names}"));
            };
            if !forms.contains(form) {
                forms.push(*form);
            }
        }
        let growth = values.text("max-code-growth");
        let most_growth: f64 = growth
            .parse()
            .ok()
            .filter(|times: &f64| times.is_finite() && *times >= 1.0)
            .ok_or_else(|| format!("{pass}: max-code-growth={growth} is no number from 1 on"))?;
        let count = |name: &str| values.integer(name);
        Ok(Self {
            forms,
            below_forms: values.text("below") == "forms",
            with_results: values.text("results") != "off",
            limits: Limits {
                outer_strips: count("max-strips"),
                copied_percent: count("max-copy").unsigned_abs(),
                repeated_percent: count("max-recompute").unsigned_abs(),
                steps: match values.text("effort") {
                    "quick" => 1_000_000,
                    "normal" => 20_000_000,
                    "thorough" => 1_000_000_000,
                    steps => steps.parse().unwrap_or(u64::MAX),
                },
                ..Limits::default()
            },
            in_parallel: values.flag("split-parallel"),
            limits_time: values.text("strip-cost") == "model",
            most_growth,
            remarks: values.flag("remarks"),
            how: PackingOptions::of(pass, values)?,
            limited: assign_spaces::Settings::limits(pass, values, machine)?,
        })
    }

    /// What strips are to reach, one after the other. Within limits, those that are enough may cost less than those that take
    /// the least.
    pub fn targets(&self, room: Option<u64>, peak: u64) -> Vec<Target> {
        let levels = room.filter(|room| *room > 0).into_iter();
        let levels =
            levels.flat_map(|room| LEVELS.map(|percent| room.saturating_mul(percent) / 100));
        let enough = levels.filter(|enough| *enough < peak).chain([0]);
        let may_repeat = self.limits.repeated_percent > 0;
        let targets = [false, true].into_iter().take(1 + usize::from(may_repeat));
        let targets = targets.flat_map(|repeats| {
            enough.clone().map(move |enough| Target {
                enough,
                by_traffic: room.is_some(),
                repeats,
                is_last_resort: room.is_some() && enough == 0,
            })
        });
        targets.collect()
    }
}
