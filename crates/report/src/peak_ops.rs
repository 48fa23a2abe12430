//! The operations around the peak of an arena: which one is there, and what keeps its buffers alive.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The operation at the peak of an arena, and why buffers are live there.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct PeakReport {
    /// The first operation at the peak.
    pub op: NamedOp,
    /// Of the largest buffers that are live there, the largest first.
    pub buffers: Vec<PeakBuffer>,
}

/// An operation.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct NamedOp {
    /// Its name, such as `linalg.matmul`.
    pub name: String,
    /// Its location.
    pub location: String,
}

/// A buffer that is live at a peak.
#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug, PartialEq, Eq, Default)]
pub struct PeakBuffer {
    /// Its id in the scope.
    pub id: u64,
    /// The operation at which its live range begins.
    pub made_by: NamedOp,
    /// Whether the operation at the peak uses it.
    pub is_used: bool,
    /// The next operation after the peak that uses it. Absent where none does, and where an iteration of a loop that follows
    /// needs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_use: Option<NamedOp>,
}

impl PeakBuffer {
    /// Why it is live, in words.
    pub(crate) fn reason(&self) -> String {
        match (self.is_used, &self.next_use) {
            (true, _) => "used there".to_owned(),
            (false, Some(op)) => format!("waits for {} at {}", op.name, op.location),
            (false, None) => "held over the next iteration, or on another path".to_owned(),
        }
    }
}
