//! Deallocations: at the end, or after the last use.

use super::along::Along;
use super::value::Value;

/// Where memory is freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frees {
    /// Nowhere.
    Never,
    /// At the end.
    Last,
    /// After the last use.
    Early,
}

/// Operations whose result is in the memory of their operand.
const VIEWS: [&str; 5] = [
    "subview",
    "collapse_shape",
    "expand_shape",
    "cast",
    "transpose",
];

impl Along<'_> {
    /// Frees what the function allocates and does not return.
    pub fn free(&mut self, how: Frees, results: &[Value]) {
        if how == Frees::Never {
            return;
        }
        self.chain.feature("memory of a length is freed");
        for value in self.allocations.clone() {
            if results.iter().any(|result| result.root == value.root) {
                continue;
            }
            let line = format!("  memref.dealloc {}", self.operand(&value));
            let at = match how {
                Frees::Early => after_last_use(&self.chain.lines, &value.name),
                _ => self.chain.lines.len(),
            };
            self.chain.lines.insert(at, line);
        }
    }
}

/// The number of the line after the operation that uses a memref last, or a view of it.
fn after_last_use(lines: &[String], name: &str) -> usize {
    let mut names = vec![name.to_owned()];
    let mut last = 0;
    for (at, line) in lines.iter().enumerate() {
        let is_used = names.iter().any(|name| mentions(line, name));
        if !is_used {
            continue;
        }
        last = at;
        let view = line
            .trim()
            .split_once(" = memref.")
            .filter(|(_, rest)| VIEWS.iter().any(|view| rest.starts_with(view)));
        if let Some((view, _)) = view {
            names.push(view.to_owned());
        }
    }
    let inside = &lines[last..];
    let more = match inside[0].ends_with('{') {
        true => inside.iter().position(|line| line.trim() == "}"),
        false => None,
    };
    last + more.unwrap_or(0) + 1
}

/// Whether a line has a name.
fn mentions(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let next = line[at + name.len()..].chars().next();
        next.is_none_or(|next| !next.is_ascii_alphanumeric())
    })
}
