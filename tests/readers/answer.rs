//! The passes that are asked, and how each one's answer to one sample becomes a cell of the table.

use std::collections::{BTreeMap, BTreeSet};

/// A pass or pipeline.
pub struct Reader {
    /// The head of its column: its name, without `memplan-`.
    pub name: &'static str,
    /// Without braces. `REPORT` stands for a file.
    pub pipeline: &'static str,
    /// What it did where it gave no error.
    pub done: fn(&Heard) -> String,
}

/// In the order of the columns.
pub const READERS: [Reader; 10] = [
    Reader {
        name: "merge-alloc",
        pipeline: "memplan-merge-alloc{verify=true report=REPORT}",
        done: |heard| {
            heard
                .bytes
                .map_or_else(String::new, |bytes| bytes.to_string())
        },
    },
    Reader {
        name: "ownership-dealloc",
        pipeline: "memplan-ownership-dealloc",
        done: |heard| heard.frees(),
    },
    Reader {
        name: "dealloc-pipeline",
        pipeline: "memplan-dealloc-pipeline",
        done: |heard| heard.frees(),
    },
    Reader {
        name: "regions",
        pipeline: "memplan-regions{sizes=all report=REPORT}",
        done: |heard| number(heard.placed, "placed"),
    },
    Reader {
        name: "tree-scan",
        pipeline: "memplan-tree-scan{report=REPORT}",
        done: |heard| {
            heard
                .bytes
                .map_or_else(String::new, |bytes| bytes.to_string())
        },
    },
    Reader {
        name: "check-bounded",
        pipeline: "memplan-check-bounded",
        done: |_| "bounded".to_owned(),
    },
    Reader {
        name: "elide-copies",
        pipeline: "memplan-elide-copies{remarks=true}",
        done: |heard| heard.remarked("R121", "elided", "kept"),
    },
    Reader {
        name: "reorder",
        pipeline: "memplan-reorder{remarks=true}",
        done: |heard| heard.remarked("R411", "reordered", ""),
    },
    Reader {
        name: "hoist",
        pipeline: "memplan-hoist",
        done: |heard| {
            if heard.is_changed {
                "hoisted".to_owned()
            } else {
                String::new()
            }
        },
    },
    Reader {
        name: "memplan",
        pipeline: "memplan",
        done: |heard| heard.frees(),
    },
];

/// All that a pass says of one sample, and makes of it.
#[derive(Default, Debug)]
pub struct Heard {
    /// Ids of errors, without `memplan-`; of one that is MLIR's own, its text.
    pub errors: BTreeSet<String>,
    /// Ids of warnings.
    pub warnings: BTreeSet<String>,
    /// Remarks: their ids, and the reason that stands in brackets where there is one.
    pub remarks: Vec<(String, Option<String>)>,
    /// Reasons why the report leaves allocations alone, and how many for each.
    pub skipped: BTreeMap<String, usize>,
    /// Bytes planned.
    pub bytes: Option<u64>,
    /// Allocations placed in regions.
    pub placed: usize,
    /// What comes out; empty after an error.
    pub output: String,
    /// Whether that is another program than what went in.
    pub is_changed: bool,
}

impl Heard {
    /// The cell.
    pub fn cell(&self, reader: &Reader) -> String {
        if !self.errors.is_empty() {
            return Vec::from_iter(self.errors.iter().cloned()).join(" ");
        }
        let mut parts = vec![(reader.done)(self)];
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

    /// Allocations, operations that free, and memrefs that `bufferization.dealloc` frees where they are owned.
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

    /// How many remarks are of an id, and the reasons of the others.
    fn remarked(&self, id: &str, done: &str, not_done: &str) -> String {
        let (with, without): (Vec<_>, Vec<_>) = self.remarks.iter().partition(|(of, _)| of == id);
        let reasons: BTreeSet<_> = without
            .iter()
            .filter_map(|(_, reason)| reason.as_deref())
            .collect();
        let mut parts = vec![number(with.len(), done)];
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

/// `1 freed`; nothing where there is none.
fn number(count: usize, what: &str) -> String {
    if count == 0 {
        return String::new();
    }
    format!("{count} {what}")
}
