//! What becomes of a unit.

use memplan_mlir::codes::Severity;
use memplan_report::FunctionReport;
use serde::{Deserialize, Serialize};
use std::{
    ops::AddAssign,
    time::{Duration, Instant},
};

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The source.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1; 0 where it is not known.
    pub column: usize,
}

/// How grave a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gravity {
    /// The unit failed.
    Error,
    /// Something that the user should know.
    Warning,
    /// Something that the user asked to be told.
    Remark,
    /// More on the one before.
    Note,
}

impl From<Severity> for Gravity {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Remark => Self::Remark,
        }
    }
}

/// What is said of the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// How grave it is.
    pub gravity: Gravity,
    /// Where, if that is known.
    pub place: Option<Place>,
    /// The same as MLIR writes it.
    pub location: String,
    /// What.
    pub text: String,
    /// More.
    pub notes: Vec<Message>,
}

impl Message {
    /// An error of a unit as a whole.
    pub fn of_unit(gravity: Gravity, unit: &str, text: &str) -> Self {
        Self {
            gravity,
            place: None,
            location: format!("unit of '{unit}'"),
            text: text.trim_end().to_owned(),
            notes: Vec::new(),
        }
    }
}

/// Time in each phase, of one thread or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phases {
    /// Reading bytecode.
    pub read: Duration,
    /// Planning.
    pub plan: Duration,
    /// Cutting units in parts.
    pub part: Duration,
    /// Lowering to the LLVM dialect.
    pub lower: Duration,
    /// LLVM IR, and passes of LLVM's.
    pub translate: Duration,
    /// Machine code.
    pub code: Duration,
}

impl AddAssign for Phases {
    fn add_assign(&mut self, other: Self) {
        self.read += other.read;
        self.plan += other.plan;
        self.part += other.part;
        self.lower += other.lower;
        self.translate += other.translate;
        self.code += other.code;
    }
}

/// Does something, and adds how long that took.
pub fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

/// What a unit, or a part of one, was made into.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The place of the unit in the module.
    pub unit: usize,
    /// Its first function.
    pub name: String,
    /// What was said of it.
    pub messages: Vec<Message>,
    /// It failed, and there is no code.
    pub failed: bool,
    /// An object, bitcode or bytecode.
    #[serde(skip)]
    pub code: Vec<u8>,
    /// Names that the code defines for other units, and for nobody else.
    pub private: Vec<String>,
    /// The plans of its functions.
    pub reports: Vec<FunctionReport>,
    /// What it took.
    #[serde(skip)]
    pub phases: Phases,
    /// Its place among the parts of its unit, and how many there are.
    pub part: (usize, usize),
}
