//! The declaration of a pass, from which its `--help`, its manual page and its errors are made.

use crate::{codes::Code, options::OptionDeclaration};

/// The declaration of a pass.
#[derive(Debug)]
pub struct Declaration {
    /// The name in a pipeline.
    pub argument: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The description in Markdown, for the manual.
    pub description: &'static str,
    /// IR before and after.
    pub example: Example,
    /// Options, in the order in which they are printed.
    pub options: &'static [OptionDeclaration],
    /// Statistics.
    pub statistics: &'static [StatisticDeclaration],
    /// The kinds of diagnostics that the pass may emit: its own first, then those of the passes that it runs itself.
    /// Those of every pass ([`codes::ALL`](crate::codes::ALL)) are not included.
    pub codes: &'static [&'static [&'static Code]],
    /// Dialects of the operations that the pass creates.
    pub dialects: &'static [&'static str],
    /// The pass runs on `builtin.module` only, not on functions.
    pub module_only: bool,
}

/// IR before and after a pass.
#[derive(Debug)]
pub struct Example {
    /// Input.
    pub before: &'static str,
    /// Output.
    pub after: &'static str,
}

/// The declaration of a statistic.
#[derive(Debug)]
pub struct StatisticDeclaration {
    /// Name.
    pub name: &'static str,
    /// The counted events.
    pub description: &'static str,
}
