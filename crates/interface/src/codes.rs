//! The kinds of diagnostics, with the text of their help pages.

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The pass fails.
    Error,
    /// Something that the user should know.
    Warning,
    /// Something that the user asked for.
    Remark,
}

/// A kind of diagnostic. Its id is printed after each message of the kind. The id of a removed kind is never used
/// again.
#[derive(Debug)]
pub struct Code {
    /// `memplan-`, the letter of the severity (`E`, `W` or `R`), and a number.
    pub id: &'static str,
    /// The diagnostic in one line.
    pub summary: &'static str,
    /// The meaning, in Markdown.
    pub meaning: &'static str,
    /// Advice for the user, in Markdown.
    pub advice: &'static str,
    /// The reasons that messages give, if reasons have ids of their own.
    pub reasons: fn() -> Vec<Reason>,
    /// A program that provokes the diagnostic.
    pub example: Option<CodeExample>,
}

/// A reason that messages give.
#[derive(Debug)]
pub struct Reason {
    /// The stable id.
    pub id: &'static str,
    /// The reason in words.
    pub text: &'static str,
    /// Advice for the user, if there is any.
    pub advice: Option<&'static str>,
}

/// A pass and a program that provoke a diagnostic.
#[derive(Debug)]
pub struct CodeExample {
    /// The pass with its options, as in a pipeline.
    pub pass: &'static str,
    /// The program.
    pub program: &'static str,
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Code {}

impl Code {
    /// The severity, from the letter of the id.
    pub const fn severity(&self) -> Severity {
        match self.id.as_bytes() {
            [b'm', b'e', b'm', b'p', b'l', b'a', b'n', b'-', b'E', ..] => Severity::Error,
            [b'm', b'e', b'm', b'p', b'l', b'a', b'n', b'-', b'W', ..] => Severity::Warning,
            [b'm', b'e', b'm', b'p', b'l', b'a', b'n', b'-', b'R', ..] => Severity::Remark,
            _ => panic!("an id is memplan- and E, W or R and a number"),
        }
    }

    /// A message of the kind: `text` and the id.
    pub fn message(&self, text: impl std::fmt::Display) -> String {
        format!("{text} [{}]", self.id)
    }
}

/// Declares codes as constants, and the list of them as `ALL`. An id without the letter of a severity does not
/// compile.
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal {
        summary: $summary:literal,
        meaning: $meaning:expr,
        advice: $advice:expr,
        $(reasons: $reasons:expr,)?
        $(example: $pass:literal => $program:expr,)?
    })*) => {
        $(
            #[doc = $summary]
            pub const $name: &$crate::codes::Code = &$crate::codes::Code {
                id: $id,
                summary: $summary,
                meaning: $meaning,
                advice: $advice,
                reasons: $crate::codes!(@reasons $($reasons)?),
                example: $crate::codes!(@example $($pass, $program)?),
            };
            const _: $crate::codes::Severity = $name.severity();
        )*

        /// All codes that are declared here.
        pub const ALL: &[&$crate::codes::Code] = &[$($name),*];
    };
    (@reasons) => { Vec::new };
    (@reasons $reasons:expr) => { $reasons };
    (@example) => { None };
    (@example $pass:literal, $program:expr) => {
        Some($crate::codes::CodeExample { pass: $pass, program: $program })
    };
}

/// Declares an enum of reasons with their stable ids, which reports contain, and with their texts.
#[macro_export]
macro_rules! reasons {
    (
        $(#[$about:meta])* $name:ident;
        $($(#[$doc:meta])* $variant:ident = $id:literal: $text:literal,)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// The stable id, which reports contain.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The reason in words.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// All reasons.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];
        }
    };
}

codes! {
    INTERNAL = "memplan-E001" {
        summary: "Internal error",
        meaning: "An internal error of memplan, not of the program: it panicked, MLIR rejected \
                  an operation that it created, or its own validation rejected a plan. A plan \
                  that was not validated is not written. The output of a pass that failed while \
                  writing may be incomplete, and the pipeline stops.",
        advice: "Report it with the message, the pipeline and the program. MLIR writes both to \
                 a file with `--mlir-pass-pipeline-crash-reproducer=FILE`. As a workaround, \
                 `memplan.keep` excludes allocations from a plan that fails, and another \
                 `planner` may succeed.",
    }
    OPTION = "memplan-E002" {
        summary: "An option is invalid",
        meaning: "An option is unknown, its value is invalid, or it contradicts another option. \
                  The message names the option and its valid values. The pass did not run.",
        advice: "`memplan help PASS` lists the options of a pass with their values and defaults.",
        example: "memplan-merge-alloc{alignment=3}" => "module {}",
    }
    REPORT = "memplan-E003" {
        summary: "A report cannot be written",
        meaning: "The file that `report=FILE` or `statistics=FILE` names cannot be written: its folder is missing, it \
        may not be written to, or the disk is full. The message has the reason that the system \
        reports. What is found before the pass runs keeps it from running. In any case, the pass fails, and \
        the file is as it was.",
        advice: "Create its folder, or name another file; `-` is standard error.",
        example: "memplan-merge-alloc{report=/no/such/folder/plan.json}" => "module {}",
    }
    EXTENSION = "memplan-E006" {
        summary: "A registration of the embedding compiler failed",
        meaning: "A compiler that embeds memplan may register planners and descriptions of \
                  operations. The one that the message names returned an error, panicked, or \
                  returned an invalid result. Examples are a plan in which buffers overlap, and \
                  a description that contradicts itself or names an operand that does not \
                  exist. The result was not used.",
        advice: "Correct it; the message says what is wrong. Without it, `planner` selects the \
                 planners of memplan, and effects of operations come from their interfaces.",
    }
    RENAMED_ATTRIBUTE = "memplan-R001" {
        summary: "An attribute was renamed",
        meaning: "The IR has an attribute under its old name. This version accepts it; the next \
                  one will not.",
        advice: "Use the new name, which the remark gives: `memplan.borrowed` on results of \
                 functions and `memplan.slice_alignment` on slices for `memplan.lent`, \
                 `memplan.borrowed_results` on calls for `memplan.lent_results`, and \
                 `memplan.iterations` for `memplan.turns`.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_ends_in_the_id_whose_letter_is_the_severity() {
        assert_eq!(OPTION.message("so it is"), "so it is [memplan-E002]");
        assert_eq!(OPTION.severity(), Severity::Error);
        assert_eq!(
            ALL,
            [INTERNAL, OPTION, REPORT, EXTENSION, RENAMED_ATTRIBUTE]
        );
    }
}
