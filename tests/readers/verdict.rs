//! Whether passes interpret a sample the same: if one follows all uses, another must not call them unknown.

use std::collections::BTreeMap;

use super::answer::{Answer, TESTED_PASSES};

/// The passes that read the effects of operations on memory, each on its own.
const COMPARED: [&str; 4] = ["merge-alloc", "ownership-dealloc", "regions", "tree-scan"];

/// The interpretation of the memory uses in a sample by a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The pass knows all uses.
    Followed,
    /// Uses continue after the operation, asynchronously.
    Asynchronous,
    /// The memory may be captured.
    Held,
    /// The effects of the operation are unknown.
    Unknown,
    /// The pass leaves the memory alone for a reason of its own: a space, a layout, a size, a pointer.
    Apart,
}

impl Verdict {
    /// The verdict of an answer.
    pub fn of(answer: &Answer) -> Self {
        let errs = |ids: &[&str]| ids.iter().any(|&id| answer.errors.contains(id));
        let leaves = |reasons: &[&str]| reasons.iter().any(|&one| answer.skipped.contains_key(one));
        if errs(&["E801"]) || leaves(&["asynchronous"]) {
            Self::Asynchronous
        } else if errs(&["E301", "E302", "E313"])
            || leaves(&["unknown-effects", "unknown-use", "unknown-flow"])
        {
            Self::Unknown
        } else if answer.warnings.contains("W301") {
            Self::Held
        } else if answer.errors.is_empty() && answer.skipped.is_empty() {
            Self::Followed
        } else {
            Self::Apart
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Followed => "followed",
            Self::Asynchronous => "asynchronous",
            Self::Held => "held",
            Self::Unknown => "unknown",
            Self::Apart => "apart",
        }
    }
}

/// The passes that cannot follow the uses, and the reasons, if some passes follow them. `verdicts` has one for each
/// pass.
pub fn disagreement(verdicts: &[Verdict]) -> Option<String> {
    let mut cannot: BTreeMap<Verdict, Vec<&str>> = BTreeMap::new();
    let mut is_followed = false;
    for (pass, &verdict) in TESTED_PASSES.iter().zip(verdicts) {
        if !COMPARED.contains(&pass.name) {
            continue;
        }
        match verdict {
            Verdict::Followed => is_followed = true,
            Verdict::Apart => {}
            other => cannot.entry(other).or_default().push(pass.name),
        }
    }
    if !is_followed || cannot.is_empty() {
        return None;
    }
    let parts = cannot
        .iter()
        .map(|(verdict, names)| format!("{} for {}", verdict.text(), names.join(", ")));
    Some(Vec::from_iter(parts).join("; "))
}
