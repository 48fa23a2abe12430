//! Random options of the passes, among those that the plugin declares.

use super::generate::choices::Choices;

/// The operations that the pass runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Each function.
    Function,
    /// The module.
    Module,
}

/// An option with values that must not change the output of a program. A new option is one more line.
struct Setting {
    name: &'static str,
    values: &'static [&'static str],
    /// The percentage of plans with the option.
    percent: usize,
    /// Whether it exists on modules only.
    on_modules: bool,
}

const fn everywhere(
    name: &'static str,
    percent: usize,
    values: &'static [&'static str],
) -> Setting {
    Setting {
        name,
        values,
        percent,
        on_modules: false,
    }
}

const fn on_modules(
    name: &'static str,
    percent: usize,
    values: &'static [&'static str],
) -> Setting {
    Setting {
        on_modules: true,
        ..everywhere(name, percent, values)
    }
}

const SETTINGS: &[Setting] = &[
    everywhere("arena-limit", 10, &["64", "256", "1KiB", "4096"]),
    everywhere(
        "planner",
        60,
        &[
            "auto",
            "plain",
            "first-fit",
            "best-fit",
            "by-size",
            "by-area",
            "by-conflicts",
            "locality",
            "hill-climb",
        ],
    ),
    everywhere("effort", 40, &["quick", "normal"]),
    everywhere(
        "alignment",
        60,
        &["1", "2", "4", "8", "16", "32", "64", "128", "256", "4096"],
    ),
    everywhere("calls", 20, &["borrow", "capture"]),
    everywhere("lifetimes", 10, &["dataflow"]),
    everywhere("in-place", 50, &["true", "false"]),
    everywhere("allocas", 30, &["true", "false"]),
    everywhere("dynamic", 30, &["slots", "skip"]),
    everywhere("hoist-parallel", 40, &["1", "2", "4", "16"]),
    everywhere(
        "capacity",
        25,
        &["9973:0", "9973:64", "9973:256", "9973:1024", "9973:65536"],
    ),
    everywhere("spill", 70, &["9973->default"]),
    everywhere("min-size", 15, &["0", "9", "16"]),
    everywhere("max-size", 15, &["16", "64", "4096"]),
    everywhere("arena", 40, &["alloc", "alloca"]),
    on_modules("arena", 40, &["global", "arg"]),
    on_modules("scope", 40, &["function", "module"]),
    everywhere("when-larger", 30, &["merge", "leave"]),
];

/// Options of the deallocation.
const DEALLOCATION: &[Setting] = &[
    everywhere("placement", 60, &["last-use", "block-end"]),
    on_modules("private-function-dynamic-ownership", 50, &["true", "false"]),
];

/// Options of the regions.
const REGIONS: &[Setting] = &[
    on_modules("sizes", 70, &["all", "all", "dynamic"]),
    on_modules(
        "loops",
        60,
        &["auto", "per-iteration", "checkpoint", "enclosing"],
    ),
    on_modules(
        "release",
        60,
        &["auto", "scope-end", "last-use", "last-use"],
    ),
    on_modules("single-region", 20, &["true", "false"]),
    on_modules("auto", 20, &["true", "false"]),
    on_modules("alignment", 30, &["16", "32", "256"]),
];

/// Options of the strips.
const SPLIT: &[Setting] = &[
    everywhere("max-strips", 60, &["1", "2", "4", "30"]),
    everywhere(
        "forms",
        50,
        &[
            "plain",
            "plain,none",
            "lower",
            "equal",
            "none,plain",
            "reordered",
        ],
    ),
    everywhere("max-copy", 50, &["0", "10", "100", "1000"]),
    everywhere("max-recompute", 40, &["5", "50", "400"]),
    everywhere("strip-cost", 20, &["model", "none"]),
    everywhere("split-parallel", 40, &["true", "false"]),
    everywhere("alignment", 40, &["1", "4", "16", "128", "256"]),
    everywhere("in-place", 40, &["false", "true"]),
    everywhere("effort", 30, &["quick", "normal"]),
    everywhere("below", 20, &["given", "forms"]),
    everywhere("results", 30, &["on", "off"]),
];

/// Parts of the error messages with which a plan may be refused.
pub const REFUSALS: &[&str] = &[
    "recursive",
    "called back",
    "come back in",
    "arena=global",
    "arena=arg",
    "scope=module",
    "share=entry-points",
    "more than its capacity",
    "more than alloca-limit",
    "more than arena-limit",
];

/// An option that the plugin declares.
#[derive(Debug, Clone)]
pub struct Declared {
    name: String,
    /// The values that it takes, as in the manual.
    takes: String,
}

impl Declared {
    /// Parses the options of a pass from `mlir-opt --help`.
    pub fn read(help: &str, pass: &str) -> Vec<Self> {
        let head = format!("--{pass} ");
        let lines = help
            .lines()
            .skip_while(|line| !line.trim_start().starts_with(&head));
        lines
            .skip(1)
            .take_while(|line| line.starts_with("        --"))
            .filter_map(|line| {
                let option = line
                    .trim_start()
                    .strip_prefix("--")?
                    .split_whitespace()
                    .next()?;
                let (name, takes) = option.split_once(['=', '[']).unwrap_or((option, ""));
                Some(Self {
                    name: name.to_owned(),
                    takes: takes
                        .trim_start_matches('=')
                        .trim_matches(['<', '>', ']'])
                        .to_owned(),
                })
            })
            .collect()
    }

    /// Whether the option exists and takes the value, as far as the manual lists the values.
    fn takes(&self, value: &str) -> bool {
        let listed: Vec<&str> = self.takes.split('|').collect();
        listed.len() < 2 || listed.contains(&value)
    }
}

/// Whether there is an option with this name.
pub fn declares(declared: &[Declared], name: &str) -> bool {
    declared.iter().any(|option| option.name == name)
}

/// Random options of the plan, as `a=b c=d`.
pub fn choose(choices: &mut Choices, declared: &[Declared], level: Level) -> String {
    let chosen = choose_of(SETTINGS, choices, declared, level);
    let shares = choices.chance(60) && declares(declared, "share");
    let has_state = choices.chance(60) && declares(declared, "state");
    match shares && chosen.split(' ').any(|option| option == "arena=global") {
        true if has_state => chosen + " share=entry-points state=arena",
        true => chosen + " share=entry-points",
        false => chosen,
    }
}

/// Random options of the deallocation.
pub fn choose_of_deallocation(
    choices: &mut Choices,
    declared: &[Declared],
    level: Level,
) -> String {
    choose_of(DEALLOCATION, choices, declared, level)
}

/// Random options of the regions.
pub fn choose_of_regions(choices: &mut Choices, declared: &[Declared]) -> String {
    choose_of(REGIONS, choices, declared, Level::Module)
}

/// Random options of a pass, or of a pipeline, that makes strips.
pub fn choose_of_split(choices: &mut Choices, declared: &[Declared]) -> String {
    choose_of(SPLIT, choices, declared, Level::Module)
}

fn choose_of(
    settings: &[Setting],
    choices: &mut Choices,
    declared: &[Declared],
    level: Level,
) -> String {
    let mut chosen: Vec<(&str, String)> = Vec::new();
    for setting in settings {
        let wanted = choices.chance(setting.percent);
        let value = *choices.of(setting.values);
        let known = declared
            .iter()
            .any(|option| option.name == setting.name && option.takes(value));
        if wanted && known && (level == Level::Module || !setting.on_modules) {
            chosen.retain(|(name, _)| *name != setting.name);
            chosen.push((setting.name, format!("{}={value}", setting.name)));
        }
    }
    let texts: Vec<String> = chosen.into_iter().map(|(_, text)| text).collect();
    texts.join(" ")
}
