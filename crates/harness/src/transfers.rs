//! Copies that run beside other operations, as a CPU executes them: all at once, either as early or as late as they may be.

use std::collections::HashMap;

/// Replaces each `memref.dma_start`, in the generic form, by a copy: every other one there, and the others where they are waited
/// for. So memory that is reused too early changes what a program computes.
#[must_use]
pub fn as_copies(text: &str) -> String {
    let mut late: HashMap<String, String> = HashMap::new();
    let mut is_late = false;
    let lines = text.lines().map(|line| {
        if line.contains("\"memref.dma_start\"") {
            let Some((tag, copy)) = transfer(line) else {
                return line.to_owned();
            };
            is_late = !is_late;
            return match is_late {
                true => {
                    late.insert(tag, copy);
                    String::new()
                }
                false => copy,
            };
        }
        match operands(line, "\"memref.dma_wait\"") {
            Some(all) => late.remove(all[0]).unwrap_or_default(),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// The tag of a transfer, and the copy that it is.
fn transfer(line: &str) -> Option<(String, String)> {
    let values = operands(line, "\"memref.dma_start\"")?;
    let types = line.split_once(" : (")?.1.split_once(") ->")?.0;
    let types: Vec<&str> = types.split(", ").collect();
    let mut memrefs = (0..types.len()).filter(|at| types[*at].starts_with("memref"));
    let [from, to, tag] = [memrefs.next()?, memrefs.next()?, memrefs.next()?];
    let (source, target) = (values.get(from)?, values.get(to)?);
    let copy = format!(
        "\"memref.copy\"({source}, {target}) : ({}, {}) -> ()",
        types[from], types[to]
    );
    Some(((*values.get(tag)?).to_owned(), copy))
}

/// The operands of an operation, if a line is one of this name.
fn operands<'l>(line: &'l str, name: &str) -> Option<Vec<&'l str>> {
    let all = line.trim_start().strip_prefix(name)?.strip_prefix('(')?;
    Some(all.split_once(')')?.0.split(", ").collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_are_copies_at_their_start_or_at_their_wait() {
        let start = |tag: &str| {
            format!(
                "\"memref.dma_start\"(%a, %0, %b, %0, %n, {tag}, %0) : (memref<4xf32>, index, memref<4xf32>, index, \
                 index, memref<1xi32>, index) -> ()"
            )
        };
        let wait = |tag: &str| {
            format!("\"memref.dma_wait\"({tag}, %0, %n) : (memref<1xi32>, index, index) -> ()")
        };
        let copy = "\"memref.copy\"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()";
        let text = [start("%t"), start("%u"), wait("%t"), wait("%u")].join("\n");
        assert_eq!(as_copies(&text), format!("\n{copy}\n{copy}\n"));
    }
}
