//! Passes in a row, under one name.
//!
//! A pipeline says once which passes it has, and which of their options it takes itself and hands on.

use crate::{
    codes::{INTERNAL, OPTION},
    ffi,
    pass::{
        Declaration, Example, OptionDeclaration, describe, describe_takes, internal, is_set, keep,
    },
    text::borrow,
};
use mlir_sys::MlirStringRef;
use std::{
    collections::BTreeMap,
    ffi::c_void,
    fmt::Write,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{PoisonError, RwLock},
};

/// What a pipeline says of itself.
#[derive(Debug)]
pub struct Pipeline {
    /// The name in a pipeline.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// What it does, in Markdown, for the manual.
    pub description: &'static str,
    /// IR before and after.
    pub example: Example,
    /// The passes.
    pub steps: &'static [Step],
}

/// A pass of a pipeline.
#[derive(Debug)]
pub enum Step {
    /// One of MLIR's, with its options, as in a pipeline.
    Stock(&'static str),
    /// One of ours, and the options of its that the pipeline takes and hands on.
    Ours(&'static Declaration, &'static [&'static str]),
    /// One of ours with options of the pipeline's choice, and others that it takes and hands on.
    With(&'static Declaration, &'static str, &'static [&'static str]),
    /// Another of our pipelines; all of its options are taken and handed on.
    Whole(&'static Pipeline),
    /// Passes without options of the pipeline, run where there is an operation of this name.
    Where(&'static str, &'static [Step]),
    /// For each value of an option of the pipeline's own, the passes.
    Choice(
        &'static OptionDeclaration,
        &'static [(&'static str, &'static [Step])],
    ),
    /// Passes where a flag that another step takes is set.
    If(&'static str, &'static [Step]),
}

impl Step {
    /// As it is written; what `given` an option is.
    fn text(&self, given: &dyn Fn(&str) -> Option<String>) -> String {
        match self {
            Self::Stock(text) => (*text).to_owned(),
            Self::Ours(declaration, names) => {
                with_options(declaration.argument, "", named(declaration, names), given)
            }
            Self::With(declaration, fixed, names) => with_options(
                declaration.argument,
                fixed,
                named(declaration, names),
                given,
            ),
            Self::Whole(pipeline) => with_options(pipeline.argument, "", pipeline.options(), given),
            Self::Where(op, steps) => {
                format!(
                    "memplan-where{{op={op} passes={}}}",
                    texts(steps, &|_| None)
                )
            }
            Self::Choice(option, ways) => {
                let value = given(option.name).unwrap_or_else(|| option.kind.default_text());
                let way = ways.iter().find(|(name, _)| *name == value);
                way.map_or_else(String::new, |(_, steps)| texts(steps, given))
            }
            Self::If(flag, steps) => match given(flag).is_some_and(|value| is_set(&value)) {
                true => texts(steps, given),
                false => String::new(),
            },
        }
    }

    /// The options that it takes, its own first.
    fn options(&self, all: &mut Vec<&'static OptionDeclaration>) {
        match self {
            Self::Stock(_) | Self::Where(..) => {}
            Self::Ours(declaration, names) | Self::With(declaration, _, names) => {
                all.extend(named(declaration, names));
            }
            Self::Whole(pipeline) => all.extend(pipeline.options()),
            Self::If(_, steps) => steps.iter().for_each(|step| step.options(all)),
            Self::Choice(option, ways) => {
                all.push(option);
                for step in ways.iter().flat_map(|(_, steps)| *steps) {
                    step.options(all);
                }
            }
        }
    }
}

/// The options of a pass by name. One that is not declared is a mistake in the pipeline.
fn named(
    declaration: &'static Declaration,
    names: &'static [&'static str],
) -> impl Iterator<Item = &'static OptionDeclaration> {
    names.iter().map(|name| {
        let mut options = declaration.options.iter();
        let option = options.find(|option| option.name == *name);
        option.unwrap_or_else(|| panic!("option '{name}' is not declared"))
    })
}

/// A pass or a pipeline with the options that it is given, where they are not what it takes them to be anyway.
fn with_options(
    argument: &str,
    fixed: &str,
    options: impl Iterator<Item = &'static OptionDeclaration>,
    given: &dyn Fn(&str) -> Option<String>,
) -> String {
    let mut text = fixed.to_owned();
    for option in options {
        let value = given(option.name).filter(|value| *value != option.kind.default_text());
        if let Some(value) = value {
            let separator = if text.is_empty() { "" } else { " " };
            // As MLIR prints it.
            let (open, close) = if value.contains(' ') {
                ("{", "}")
            } else {
                ("", "")
            };
            let _ = write!(text, "{separator}{}={open}{value}{close}", option.name);
        }
    }
    match text.is_empty() {
        true => argument.to_owned(),
        false => format!("{argument}{{{text}}}"),
    }
}

fn texts(steps: &[Step], given: &dyn Fn(&str) -> Option<String>) -> String {
    let mut steps: Vec<String> = steps.iter().map(|step| step.text(given)).collect();
    steps.retain(|text| !text.is_empty());
    steps.join(",")
}

impl Pipeline {
    /// The options that it takes, in the order of the passes. What several passes take under one name is one
    /// option, as the first of them declares it.
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

    /// The passes, as they are written, with the options given as texts.
    pub fn passes(&self, values: &[String]) -> Result<String, String> {
        let mut given: Vec<(&str, &String)> = Vec::new();
        for (option, value) in self.options().zip(values) {
            if !option.kind.accepts(value) {
                return Err(format!(
                    "{}: option '{}' takes {}, not '{value}'",
                    self.argument,
                    option.name,
                    option.kind.takes()
                ));
            }
            given.push((option.name, value));
        }
        Ok(texts(self.steps, &|name| {
            let known = given.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| (*value).clone())
        }))
    }
}

/// Makes `memplan-where` known to MLIR, which runs the passes of a [`Step::Where`]. Again is no harm.
pub fn register_where() {
    // SAFETY: the text lives as long as the process.
    unsafe { ffi::memplanRegisterWhere(keep(&OPTION.message(""))) }
}

/// What was handed to MLIR, which lives as long as the process.
#[derive(Clone, Copy)]
struct Descriptor(&'static ffi::MemplanPipelineDescriptor);

// SAFETY: it is never changed, and its function may be called by any thread.
unsafe impl Send for Descriptor {}
// SAFETY: as above.
unsafe impl Sync for Descriptor {}

/// By argument.
static DESCRIPTORS: RwLock<BTreeMap<&'static str, Descriptor>> = RwLock::new(BTreeMap::new());

/// The pipelines that have been registered.
pub(crate) fn descriptor(argument: &str) -> Option<&'static ffi::MemplanPipelineDescriptor> {
    let all = DESCRIPTORS.read().unwrap_or_else(PoisonError::into_inner);
    all.get(argument).map(|descriptor| descriptor.0)
}

/// Makes the passes of MLIR's known that pipelines are made of. Again is no harm.
pub fn register_stock() {
    // SAFETY: takes nothing.
    unsafe { ffi::memplanRegisterStockPasses() }
}

/// Makes a pipeline known to MLIR. Again is no harm.
pub fn register(pipeline: &'static Pipeline) {
    let mut all = DESCRIPTORS.write().unwrap_or_else(PoisonError::into_inner);
    let descriptor = *all
        .entry(pipeline.argument)
        .or_insert_with(|| Descriptor(describe_pipeline(pipeline)));
    // SAFETY: the descriptor and all that it points to live as long as the process.
    unsafe { ffi::memplanRegisterPipeline(descriptor.0) }
}

fn describe_pipeline(pipeline: &'static Pipeline) -> &'static ffi::MemplanPipelineDescriptor {
    let options = describe(pipeline.options());
    Box::leak(Box::new(ffi::MemplanPipelineDescriptor {
        argument: keep(pipeline.argument),
        summary: keep(pipeline.summary),
        option_count: options.len() as isize,
        options: options.leak().as_ptr(),
        takes: describe_takes(pipeline.argument, pipeline.options()),
        user: std::ptr::from_ref(pipeline).cast(),
        passes: Some(passes),
    }))
}

unsafe extern "C" fn passes(
    user: *const c_void,
    values: *const MlirStringRef,
    text: ffi::MemplanTextCallback,
    text_user: *mut c_void,
) -> bool {
    // SAFETY: what `register` handed over, which lives as long as the process.
    let pipeline = unsafe { &*user.cast::<Pipeline>() };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let count = pipeline.options().count();
        // SAFETY: the shim hands over all options.
        let values = (0..count).map(|index| unsafe { crate::text::copy(*values.add(index)) });
        pipeline.passes(&values.collect::<Vec<_>>())
    }));
    let (is_good, said) = match result {
        Ok(Ok(passes)) => (true, passes),
        Ok(Err(why)) => (false, OPTION.message(why)),
        Err(panic) => (
            false,
            INTERNAL.message(internal(pipeline.argument, &*panic)),
        ),
    };
    if let Some(text) = text {
        // SAFETY: the shim's own callback and its argument.
        unsafe { text(borrow(&said), text_user) };
    }
    is_good
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pass::OptionKind;

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

    const fn pipeline(argument: &'static str, steps: &'static [Step]) -> Pipeline {
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
                name: "way",
                description: "",
                kind: OptionKind::Choice {
                    default: "one",
                    of: &["one", "other"],
                },
            },
        ],
    );

    static PIPELINE: Pipeline = pipeline(
        "test-pipeline",
        &[
            Step::Stock("canonicalize"),
            Step::Ours(&PASS, &["way", "flag"]),
            Step::Where("test.op", &[Step::Ours(&PASS, &[]), Step::Stock("inline")]),
            Step::Stock("cse"),
        ],
    );

    #[test]
    fn options_go_to_the_pass_that_declares_them() {
        let options: Vec<&str> = PIPELINE.options().map(|option| option.name).collect();
        assert_eq!(options, ["way", "flag"]);
        assert_eq!(
            PIPELINE.passes(&["other".into(), "true".into()]).as_deref(),
            Ok(concat!(
                "canonicalize,test-pass{way=other flag=true},",
                "memplan-where{op=test.op passes=test-pass,inline},",
                "cse"
            ))
        );
    }

    #[test]
    fn what_two_passes_take_is_one_option() {
        static TWICE: Pipeline = pipeline(
            "test-twice",
            &[
                Step::Ours(&PASS, &["flag", "way"]),
                Step::Ours(&PASS, &["way"]),
            ],
        );
        assert_eq!(TWICE.options().count(), 2);
        assert_eq!(
            TWICE.passes(&["true".into(), "other".into()]).as_deref(),
            Ok("test-pass{flag=true way=other},test-pass{way=other}")
        );
    }

    #[test]
    fn what_is_the_default_anyway_is_not_written_and_spaces_are_kept() {
        static NAMES: Declaration = pass(
            "test-names",
            &[OptionDeclaration {
                name: "names",
                description: "",
                kind: OptionKind::Text {
                    default: "",
                    stands_for: "NAME",
                },
            }],
        );
        static SPACES: Pipeline = pipeline(
            "test-spaces",
            &[Step::Ours(&PASS, &["flag"]), Step::Ours(&NAMES, &["names"])],
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
                Step::Whole(&PIPELINE),
                Step::If("flag", &[Step::Stock("cse")]),
            ],
        );
        let options: Vec<&str> = AROUND.options().map(|option| option.name).collect();
        assert_eq!(options, ["way", "flag"]);
        let passes = |flag: &str| AROUND.passes(&["other".into(), flag.into()]);
        assert_eq!(passes("false").as_deref(), Ok("test-pipeline{way=other}"));
        for set in ["true", "1"] {
            assert_eq!(
                passes(set),
                Ok(format!("test-pipeline{{way=other flag={set}}},cse"))
            );
        }
    }

    #[test]
    fn a_bad_value_is_refused_with_what_the_option_takes() {
        assert_eq!(
            PIPELINE.passes(&["none".into(), "true".into()]),
            Err("test-pipeline: option 'way' takes one of one, other, not 'none'".into())
        );
    }

    #[test]
    fn an_option_of_its_own_chooses_passes() {
        static WAY: OptionDeclaration = OptionDeclaration {
            name: "how",
            description: "",
            kind: OptionKind::Choice {
                default: "plain",
                of: &["plain", "other"],
            },
        };
        static CHOOSES: Pipeline = pipeline(
            "test-chooses",
            &[
                Step::Choice(
                    &WAY,
                    &[
                        ("plain", &[Step::Ours(&PASS, &["flag"])]),
                        (
                            "other",
                            &[
                                Step::With(&PASS, "way=other", &["flag"]),
                                Step::Stock("cse"),
                            ],
                        ),
                    ],
                ),
                Step::Stock("canonicalize"),
            ],
        );
        let options: Vec<&str> = CHOOSES.options().map(|option| option.name).collect();
        assert_eq!(options, ["how", "flag"]);
        let passes = |how: &str| CHOOSES.passes(&[how.into(), "true".into()]);
        assert_eq!(
            passes("plain").as_deref(),
            Ok("test-pass{flag=true},canonicalize")
        );
        assert_eq!(
            passes("other").as_deref(),
            Ok("test-pass{way=other flag=true},cse,canonicalize")
        );
        assert!(passes("none").is_err());
    }
}
