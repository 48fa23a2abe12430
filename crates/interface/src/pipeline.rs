//! Pipelines: sequences of passes under one name.
//!
//! A pipeline declares its passes, and which of their options it has itself and forwards to them.

use crate::{Declaration, Example, OptionDeclaration, STATISTICS, is_set};
use std::fmt::Write;

/// The declaration of a pipeline.
#[derive(Debug)]
pub struct Pipeline {
    /// The name in a pipeline.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The description in Markdown, for the manual.
    pub description: &'static str,
    /// IR before and after.
    pub example: Example,
    /// The passes.
    pub steps: &'static [PipelineStep],
}

/// The options of a pipeline that are about what is said of a program, and not about the program.
pub const ASIDE: [&str; 5] = ["report", "statistics", "remarks", "curve", "points"];

/// A pass of a pipeline, or a group of passes.
#[derive(Debug)]
pub enum PipelineStep {
    /// A pass of MLIR with its options, as in a textual pipeline.
    Upstream(&'static str),
    /// A pass of memplan, and the options that the pipeline forwards to it.
    Pass(&'static Declaration, &'static [&'static str]),
    /// A pass of memplan with fixed options, and the options that the pipeline forwards to it.
    PassWith(&'static Declaration, &'static str, &'static [&'static str]),
    /// Another pipeline of memplan; all its options are forwarded.
    Pipeline(&'static Pipeline),
    /// Passes without options of the pipeline except [`STATISTICS`]. They run if there is an operation of this name.
    IfPresent(&'static str, &'static [PipelineStep]),
    /// The passes for each value of an option of the pipeline.
    Choice(
        &'static OptionDeclaration,
        &'static [(&'static str, &'static [PipelineStep])],
    ),
    /// Passes that run if a flag is set. Another step declares the flag.
    If(&'static str, &'static [PipelineStep]),
    /// A pass that runs if a flag of the pipeline is set, and gets the pipeline's options as its option `options`, without
    /// the flag and without [`ASIDE`]. The names are the options that the pipeline forwards to it beside that.
    Explain(
        &'static OptionDeclaration,
        &'static Declaration,
        &'static [&'static str],
    ),
}

impl PipelineStep {
    /// The step as text.
    fn text(&self, given: &Given<'_>) -> String {
        match self {
            Self::Upstream(text) => (*text).to_owned(),
            Self::Pass(declaration, names) => {
                with_options(declaration.argument, "", named(declaration, names), given)
            }
            Self::PassWith(declaration, fixed, names) => with_options(
                declaration.argument,
                fixed,
                named(declaration, names),
                given,
            ),
            Self::Pipeline(pipeline) => {
                with_options(pipeline.argument, "", pipeline.options(), given)
            }
            Self::IfPresent(op, steps) => {
                let statistics = given.only(STATISTICS.name);
                format!(
                    "memplan-where{{op={op} passes={}}}",
                    texts(steps, &statistics)
                )
            }
            Self::Choice(option, choices) => {
                let value = given.value(option.name);
                let value = value.map_or_else(|| option.kind.default_text(), str::to_owned);
                let choice = choices.iter().find(|(name, _)| *name == value);
                choice.map_or_else(String::new, |(_, steps)| texts(steps, given))
            }
            Self::Explain(flag, declaration, names) => {
                if !given.value(flag.name).is_some_and(is_set) {
                    return String::new();
                }
                let mut own = String::new();
                let without: Vec<&str> = ASIDE.iter().copied().chain([flag.name]).collect();
                let options = given.text_without(&without);
                if !options.is_empty() {
                    _ = write!(own, "options={{{options}}}");
                }
                with_options(declaration.argument, &own, named(declaration, names), given)
            }
            Self::If(flag, steps) => match given.value(flag).is_some_and(is_set) {
                true => texts(steps, given),
                false => String::new(),
            },
        }
    }

    /// Appends the options of the step, its own first.
    fn options(&self, all: &mut Vec<&'static OptionDeclaration>) {
        match self {
            Self::Upstream(_) | Self::IfPresent(..) => {}
            Self::Pass(declaration, names) | Self::PassWith(declaration, _, names) => {
                all.extend(named(declaration, names));
            }
            Self::Pipeline(pipeline) => all.extend(pipeline.options()),
            Self::If(_, steps) => steps.iter().for_each(|step| step.options(all)),
            Self::Explain(flag, declaration, names) => {
                all.push(flag);
                all.extend(named(declaration, names));
            }
            Self::Choice(option, choices) => {
                all.push(option);
                for step in choices.iter().flat_map(|(_, steps)| *steps) {
                    step.options(all);
                }
            }
        }
    }
}

/// The options of a pass, by name, and its option [`STATISTICS`]. An undeclared option is a bug of the pipeline.
fn named(
    declaration: &'static Declaration,
    names: &'static [&'static str],
) -> impl Iterator<Item = &'static OptionDeclaration> {
    let by_name = names.iter().map(|name| {
        let mut options = declaration.options.iter();
        let option = options.find(|option| option.name == *name);
        option.unwrap_or_else(|| panic!("option '{name}' is not declared"))
    });
    let statistics = declaration
        .options
        .iter()
        .filter(|option| option.name == STATISTICS.name);
    by_name.chain(statistics)
}

/// A pass or a pipeline as text, with the options that differ from their defaults.
fn with_options(
    argument: &str,
    fixed: &str,
    options: impl Iterator<Item = &'static OptionDeclaration>,
    given: &Given<'_>,
) -> String {
    let mut text = fixed.to_owned();
    for option in options {
        let value = given.value(option.name);
        if let Some(value) = value.filter(|value| *value != option.kind.default_text()) {
            push_option(&mut text, option.name, value);
        }
    }
    match text.is_empty() {
        true => argument.to_owned(),
        false => format!("{argument}{{{text}}}"),
    }
}

/// Appends an option as MLIR prints it.
fn push_option(text: &mut String, name: &str, value: &str) {
    let separator = if text.is_empty() { "" } else { " " };
    let (open, close) = match value.contains(' ') {
        true => ("{", "}"),
        false => ("", ""),
    };
    let _ = write!(text, "{separator}{name}={open}{value}{close}");
}

/// The options of a pipeline that are given, with other values than their defaults.
struct Given<'g>(Vec<(&'static str, &'g str)>);

impl<'g> Given<'g> {
    /// The value of an option. A pass may have another default than the pipeline: it is kept.
    fn value(&self, name: &str) -> Option<&'g str> {
        let known = self.0.iter().find(|(known, _)| *known == name);
        known.map(|(_, value)| *value)
    }

    /// Without all options but one.
    fn only(&self, name: &str) -> Self {
        let all = self.0.iter().copied();
        Self(all.filter(|(known, _)| *known == name).collect())
    }

    /// As the options of the pipeline, without these.
    fn text_without(&self, names: &[&str]) -> String {
        let mut text = String::new();
        for (name, value) in self.0.iter().filter(|(name, _)| !names.contains(name)) {
            push_option(&mut text, name, value);
        }
        text
    }
}

fn texts(steps: &[PipelineStep], given: &Given<'_>) -> String {
    let mut steps: Vec<String> = steps.iter().map(|step| step.text(given)).collect();
    steps.retain(|text| !text.is_empty());
    steps.join(",")
}

impl Pipeline {
    /// The options of the pipeline, in the order of the passes. Options of several passes with one name are one
    /// option, as the first of these passes declares it; its default leaves each pass its own.
    pub fn options(&self) -> impl Iterator<Item = &'static OptionDeclaration> {
        let mut all = Vec::new();
        self.steps.iter().for_each(|step| step.options(&mut all));
        let mut options: Vec<&'static OptionDeclaration> = Vec::new();
        for option in all {
            if options.iter().all(|other| other.name != option.name) {
                options.push(option);
            }
        }
        options.into_iter()
    }

    /// The passes as text, for option values in the order of [`options`](Self::options).
    ///
    /// # Errors
    ///
    /// The message for the user about a value that an option does not accept.
    pub fn passes(&self, values: &[String]) -> Result<String, String> {
        let mut given = Given(Vec::new());
        for (option, value) in self.options().zip(values) {
            if !option.kind.accepts(value) {
                return Err(format!(
                    "{}: option '{}' takes {}, not '{value}'",
                    self.argument,
                    option.name,
                    option.kind.takes()
                ));
            }
            if *value != option.kind.default_text() {
                given.0.push((option.name, value));
            }
        }
        Ok(texts(self.steps, &given))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OptionKind;

    const NO_EXAMPLE: Example = Example {
        before: "",
        after: "",
    };

    const fn pass(argument: &'static str, options: &'static [OptionDeclaration]) -> Declaration {
        Declaration {
            argument,
            summary: "",
            description: "",
            example: NO_EXAMPLE,
            options,
            statistics: &[],
            codes: &[],
            dialects: &[],
            module_only: false,
        }
    }

    const fn pipeline(argument: &'static str, steps: &'static [PipelineStep]) -> Pipeline {
        Pipeline {
            argument,
            summary: "",
            description: "",
            example: NO_EXAMPLE,
            steps,
        }
    }

    static PASS: Declaration = pass(
        "test-pass",
        &[
            OptionDeclaration {
                name: "flag",
                description: "",
                kind: OptionKind::Flag(false),
            },
            OptionDeclaration {
                name: "mode",
                description: "",
                kind: OptionKind::Choice {
                    default: "one",
                    choices: &["one", "other"],
                },
            },
        ],
    );

    static PIPELINE: Pipeline = pipeline(
        "test-pipeline",
        &[
            PipelineStep::Upstream("canonicalize"),
            PipelineStep::Pass(&PASS, &["mode", "flag"]),
            PipelineStep::IfPresent(
                "test.op",
                &[
                    PipelineStep::Pass(&PASS, &[]),
                    PipelineStep::Upstream("inline"),
                ],
            ),
            PipelineStep::Upstream("cse"),
        ],
    );

    #[test]
    fn options_go_to_the_pass_that_declares_them() {
        let options: Vec<&str> = PIPELINE.options().map(|option| option.name).collect();
        assert_eq!(options, ["mode", "flag"]);
        assert_eq!(
            PIPELINE.passes(&["other".into(), "true".into()]).as_deref(),
            Ok(concat!(
                "canonicalize,test-pass{mode=other flag=true},",
                "memplan-where{op=test.op passes=test-pass,inline},",
                "cse"
            ))
        );
    }

    #[test]
    fn an_option_of_two_passes_is_one_option() {
        static TWICE: Pipeline = pipeline(
            "test-twice",
            &[
                PipelineStep::Pass(&PASS, &["flag", "mode"]),
                PipelineStep::Pass(&PASS, &["mode"]),
            ],
        );
        assert_eq!(TWICE.options().count(), 2);
        assert_eq!(
            TWICE.passes(&["true".into(), "other".into()]).as_deref(),
            Ok("test-pass{flag=true mode=other},test-pass{mode=other}")
        );
    }

    #[test]
    fn a_pass_with_another_default_keeps_it() {
        static OTHER: Declaration = pass(
            "test-other",
            &[OptionDeclaration {
                name: "flag",
                description: "",
                kind: OptionKind::Flag(true),
            }],
        );
        static BOTH: Pipeline = pipeline(
            "test-both",
            &[
                PipelineStep::Pass(&PASS, &["flag"]),
                PipelineStep::Pass(&OTHER, &["flag"]),
            ],
        );
        let passes = |flag: &str| BOTH.passes(&[flag.into()]);
        assert_eq!(passes("false").as_deref(), Ok("test-pass,test-other"));
        assert_eq!(
            passes("true").as_deref(),
            Ok("test-pass{flag=true},test-other")
        );
    }

    #[test]
    fn defaults_are_omitted_and_spaces_are_kept() {
        static NAMES: Declaration = pass(
            "test-names",
            &[OptionDeclaration {
                name: "names",
                description: "",
                kind: OptionKind::Text {
                    default: "",
                    placeholder: "NAME",
                },
            }],
        );
        static SPACES: Pipeline = pipeline(
            "test-spaces",
            &[
                PipelineStep::Pass(&PASS, &["flag"]),
                PipelineStep::Pass(&NAMES, &["names"]),
            ],
        );
        let passes = |name: &str| SPACES.passes(&["false".into(), name.into()]);
        assert_eq!(passes("").as_deref(), Ok("test-pass,test-names"));
        assert_eq!(
            passes("a b").as_deref(),
            Ok("test-pass,test-names{names={a b}}")
        );
    }

    #[test]
    fn a_pipeline_in_a_pipeline_takes_its_options() {
        static AROUND: Pipeline = pipeline(
            "test-around",
            &[
                PipelineStep::Pipeline(&PIPELINE),
                PipelineStep::If("flag", &[PipelineStep::Upstream("cse")]),
            ],
        );
        let options: Vec<&str> = AROUND.options().map(|option| option.name).collect();
        assert_eq!(options, ["mode", "flag"]);
        let passes = |flag: &str| AROUND.passes(&["other".into(), flag.into()]);
        assert_eq!(passes("false").as_deref(), Ok("test-pipeline{mode=other}"));
        for set in ["true", "1"] {
            assert_eq!(
                passes(set),
                Ok(format!("test-pipeline{{mode=other flag={set}}},cse"))
            );
        }
    }

    #[test]
    fn the_error_of_a_bad_value_lists_the_accepted_ones() {
        assert_eq!(
            PIPELINE.passes(&["none".into(), "true".into()]),
            Err("test-pipeline: option 'mode' takes one of one, other, not 'none'".into())
        );
    }

    #[test]
    fn a_choice_option_selects_passes() {
        static MODE: OptionDeclaration = OptionDeclaration {
            name: "mode",
            description: "",
            kind: OptionKind::Choice {
                default: "plain",
                choices: &["plain", "other"],
            },
        };
        static CHOOSES: Pipeline = pipeline(
            "test-chooses",
            &[
                PipelineStep::Choice(
                    &MODE,
                    &[
                        ("plain", &[PipelineStep::Pass(&PASS, &["flag"])]),
                        (
                            "other",
                            &[
                                PipelineStep::PassWith(&PASS, "mode=other", &["flag"]),
                                PipelineStep::Upstream("cse"),
                            ],
                        ),
                    ],
                ),
                PipelineStep::Upstream("canonicalize"),
            ],
        );
        let options: Vec<&str> = CHOOSES.options().map(|option| option.name).collect();
        assert_eq!(options, ["mode", "flag"]);
        let passes = |mode: &str| CHOOSES.passes(&[mode.into(), "true".into()]);
        assert_eq!(
            passes("plain").as_deref(),
            Ok("test-pass{flag=true},canonicalize")
        );
        assert_eq!(
            passes("other").as_deref(),
            Ok("test-pass{mode=other flag=true},cse,canonicalize")
        );
        assert!(passes("none").is_err());
    }
}
