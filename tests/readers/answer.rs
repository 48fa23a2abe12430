//! The passes, and how the messages for one sample become a cell of the table.

use std::collections::{BTreeMap, BTreeSet};

/// A pass or pipeline.
pub struct TestedPass {
    /// The head of its column: its name, without `memplan-`.
    pub name: &'static str,
    /// The pipeline without braces. `REPORT` stands for a file.
    pub pipeline: &'static str,
    /// The effect of the pass, if there was no error.
    pub effect: fn(&Answer) -> String,
}

/// In the order of the columns.
pub const TESTED_PASSES: [TestedPass; 10] = [
    TestedPass {
        name: "merge-alloc",
        pipeline: "memplan-merge-alloc{verify=true report=REPORT}",
        effect: |answer| {
            answer
                .bytes
                .map_or_else(String::new, |bytes| bytes.to_string())
        },
    },
    TestedPass {
        name: "ownership-dealloc",
        pipeline: "memplan-ownership-dealloc",
        effect: |answer| answer.frees(),
    },
    TestedPass {
        name: "dealloc-pipeline",
        pipeline: "memplan-dealloc-pipeline",
        effect: |answer| answer.frees(),
    },
    TestedPass {
        name: "regions",
        pipeline: "memplan-regions{sizes=all report=REPORT}",
        effect: |answer| number(answer.placed, "placed"),
    },
    TestedPass {
        name: "tree-scan",
        pipeline: "memplan-tree-scan{report=REPORT}",
        effect: |answer| {
            answer
                .bytes
                .map_or_else(String::new, |bytes| bytes.to_string())
        },
    },
    TestedPass {
        name: "check-bounded",
        pipeline: "memplan-check-bounded",
        effect: |_| "bounded".to_owned(),
    },
    TestedPass {
        name: "elide-copies",
        pipeline: "memplan-elide-copies{remarks=true}",
        effect: |answer| answer.remarked("R121", "elided", "kept"),
    },
    TestedPass {
        name: "reorder",
        pipeline: "memplan-reorder{remarks=true}",
        effect: |answer| answer.remarked("R411", "reordered", ""),
    },
    TestedPass {
        name: "hoist",
        pipeline: "memplan-hoist",
        effect: |answer| {
            if answer.is_changed {
                "hoisted".to_owned()
            } else {
                String::new()
            }
        },
    },
    TestedPass {
        name: "memplan",
        pipeline: "memplan",
        effect: |answer| answer.frees(),
    },
];

/// The messages and the output of a pass for one sample.
#[derive(Default, Debug)]
pub struct Answer {
    /// Ids of errors, without `memplan-`; for errors of MLIR, the text.
    pub errors: BTreeSet<String>,
    /// Ids of warnings.
    pub warnings: BTreeSet<String>,
    /// Remarks: their ids, and the reasons in brackets, if any.
    pub remarks: Vec<(String, Option<String>)>,
    /// The number of allocations that the report leaves alone, by reason.
    pub skipped: BTreeMap<String, usize>,
    /// The bytes planned.
    pub bytes: Option<u64>,
    /// The number of allocations placed in regions.
    pub placed: usize,
    /// The output; empty after an error.
    pub output: String,
    /// Whether the output differs from the input.
    pub is_changed: bool,
}

impl Answer {
    /// The cell.
    pub fn cell(&self, pass: &TestedPass) -> String {
        if !self.errors.is_empty() {
            return Vec::from_iter(self.errors.iter().cloned()).join(" ");
        }
        let mut parts = vec![(pass.effect)(self)];
        if !self.skipped.is_empty() {
            let reasons = self.skipped.iter().map(|(reason, &count)| match count {
                1 => reason.clone(),
                _ => format!("{reason} x{count}"),
            });
            parts.push(format!("left: {}", Vec::from_iter(reasons).join(", ")));
        }
        parts.extend(self.warnings.iter().cloned());
        parts.retain(|part| !part.is_empty());
        if parts.is_empty() {
            return "-".to_owned();
        }
        parts.join(" ")
    }

    /// The numbers of allocations, of deallocations, and of memrefs that `bufferization.dealloc` frees if they are
    /// owned.
    fn frees(&self) -> String {
        let count = |name: &str| self.output.matches(&format!("memref.{name}")).count();
        let owned = self.output.lines().filter_map(|line| {
            let (_, after) = line.split_once("bufferization.dealloc (")?;
            let (memrefs, _) = after.split_once(" : ")?;
            Some(memrefs.matches('%').count())
        });
        let mut parts = vec![
            number(count("alloc("), "alloc"),
            number(count("dealloc "), "dealloc"),
        ];
        parts.push(number(owned.sum(), "if owned"));
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    /// The number of remarks with an id, and the reasons of the others.
    fn remarked(&self, id: &str, effect: &str, not_done: &str) -> String {
        let (with, without): (Vec<_>, Vec<_>) = self.remarks.iter().partition(|(of, _)| of == id);
        let reasons: BTreeSet<_> = without
            .iter()
            .filter_map(|(_, reason)| reason.as_deref())
            .collect();
        let mut parts = vec![number(with.len(), effect)];
        if !reasons.is_empty() {
            parts.push(format!(
                "{not_done}: {}",
                Vec::from_iter(reasons).join(", ")
            ));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }
}

/// `1 freed`; empty for zero.
fn number(count: usize, name: &str) -> String {
    if count == 0 {
        return String::new();
    }
    format!("{count} {name}")
}
