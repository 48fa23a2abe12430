//! Whether passes take a sample for the same: what one follows is not what another cannot know.

use std::collections::BTreeMap;

use super::answer::{Heard, READERS};

/// The passes that read what operations do to memory, each on its own.
const COMPARED: [&str; 4] = ["merge-alloc", "ownership-dealloc", "regions", "tree-scan"];

/// What a pass takes the use of memory in a sample for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It knows all uses.
    Followed,
    /// Uses go on after the operation.
    Asynchronous,
    /// Something may hold the memory for longer than can be seen.
    Held,
    /// It does not know what the operation does.
    Unknown,
    /// It leaves the memory alone for a reason of its own: a space, a layout, a size, a pointer.
    Apart,
}

impl Verdict {
    /// What an answer says.
    pub fn of(heard: &Heard) -> Self {
        let errs = |ids: &[&str]| ids.iter().any(|&id| heard.errors.contains(id));
        let leaves = |reasons: &[&str]| reasons.iter().any(|&one| heard.skipped.contains_key(one));
        if errs(&["E801"]) || leaves(&["asynchronous"]) {
            Self::Asynchronous
        } else if errs(&["E301", "E302", "E313"])
            || leaves(&["unknown-effects", "unknown-use", "unknown-flow"])
        {
            Self::Unknown
        } else if heard.warnings.contains("W301") {
            Self::Held
        } else if heard.errors.is_empty() && heard.skipped.is_empty() {
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

/// Where some passes follow what others cannot: which ones cannot, and why. `verdicts` is one a reader.
pub fn disagreement(verdicts: &[Verdict]) -> Option<String> {
    let mut cannot: BTreeMap<Verdict, Vec<&str>> = BTreeMap::new();
    let mut is_followed = false;
    for (reader, &verdict) in READERS.iter().zip(verdicts) {
        if !COMPARED.contains(&reader.name) {
            continue;
        }
        match verdict {
            Verdict::Followed => is_followed = true,
            Verdict::Apart => {}
            other => cannot.entry(other).or_default().push(reader.name),
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
