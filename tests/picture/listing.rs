//! The lines of a program as a picture shows them, and the live ranges by lines.

use memplan_report::ScopeReport;
use std::{collections::BTreeMap, ops::Range};

/// A live range.
#[derive(Default)]
pub struct Bar {
    /// The name.
    pub name: String,
    /// Bars of one group have one colour.
    pub group: u64,
    /// The lines in which it is live.
    pub lines: Vec<Range<usize>>,
    /// Lines with an event.
    pub marks: Vec<usize>,
}

/// A line without types and attributes.
pub fn short(line: &str) -> String {
    let (line, end) = match line.strip_suffix(" {") {
        Some(line) => (line, " {"),
        None => (line, ""),
    };
    let line = line.split(" loc(").next().unwrap_or(line);
    let signature = line.split(" -> ").next().unwrap_or(line);
    let mut out = String::new();
    let mut rest = without(signature, " {", '}').replace(" attributes", "");
    // A type ends with the list that it is in; that of an argument ends with the argument.
    while let Some((before, after)) = rest.split_once(": ") {
        let is_last = before.ends_with(' ');
        out += before.trim_end();
        let mut depth = 0_i32;
        let ends = after.find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            depth < 0 || (letter == ',' && !is_last)
        });
        rest = ends.map_or(String::new(), |at| after[at..].to_owned());
    }
    out + &rest + end
}

/// A text without the parts from `open` to `close`.
fn without(text: &str, open: &str, close: char) -> String {
    let mut out = text.to_owned();
    while let Some(from) = out.find(open)
        && let Some(length) = out[from..].find(close)
    {
        out.replace_range(from..=from + length, "");
    }
    out
}

/// The live ranges of the buffers of a scope, by their names in the planned text. A position is an operation, the
/// start of a region, or its end.
pub fn planned(lines: &[&str], scope: &ScopeReport) -> Vec<Bar> {
    let mut line_at = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let positions = match line.trim() {
            _ if number == 0 => 1,
            "}" => 2,
            line if line.ends_with('{') => 2,
            _ => 1,
        };
        line_at.extend(vec![number; positions]);
    }
    let bar = |buffer: &memplan_report::BufferReport| {
        let mut place = buffer.location.rsplit(':').skip(1);
        let line: usize = place
            .next()
            .and_then(|line| line.parse().ok())
            .expect("a line");
        let name = lines[line - 1].trim().split(' ').next().expect("a name");
        let lines =
            |&(start, end): &(u64, u64)| line_at[start as usize]..line_at[end as usize - 1] + 1;
        Bar {
            name: name.to_owned(),
            group: buffer.offset,
            lines: buffer.live.iter().map(lines).collect(),
            marks: Vec::new(),
        }
    };
    scope.buffers.iter().map(bar).collect()
}

/// The lines from the allocation to the deallocation of memory, on each path through structured branches.
pub fn freed(lines: &[&str]) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    let mut alive: BTreeMap<String, usize> = BTreeMap::new();
    let mut at_entry = Vec::new();
    for (number, line) in lines.iter().map(|line| line.trim()).enumerate() {
        if line == "} else {" {
            alive = at_entry.last().cloned().expect("a branch");
        }
        if line.starts_with("func.func") {
            alive.clear();
        }
        if let Some(name) = allocated(line) {
            alive.insert(name.clone(), bars.len());
            let group = bars.len() as u64;
            bars.push(Bar {
                name,
                group,
                ..Bar::default()
            });
        }
        if line.starts_with('}') {
            at_entry.pop();
        }
        if line.ends_with('{') {
            at_entry.push(alive.clone());
        }
        for &bar in alive.values() {
            match bars[bar].lines.last_mut() {
                Some(last) if last.end == number && line != "} else {" => last.end += 1,
                _ => bars[bar].lines.push(number..number + 1),
            }
        }
        let used = |op: &str| {
            let (_, rest) = line.split_once(op)?;
            let end = rest
                .find(|letter: char| !letter.is_alphanumeric() && letter != '%' && letter != '_')?;
            Some(rest[..end].to_owned())
        };
        if let Some(&bar) = used("@memplan_region_allocate(").and_then(|name| alive.get(&name)) {
            bars[bar].marks.push(number);
        }
        for op in ["memref.dealloc ", "@memplan_region_release("] {
            if let Some(bar) = used(op).and_then(|name| alive.remove(&name)) {
                bars[bar].marks.push(number);
            }
        }
    }
    bars
}

/// The memory or region that a line allocates or creates, or that a function receives for its result.
fn allocated(line: &str) -> Option<String> {
    if let Some((name, op)) = line.split_once(" = ") {
        let makes = op.starts_with("memref.alloc(") || op.starts_with("call @memplan_region_make");
        return makes.then(|| name.to_owned());
    }
    let (arguments, _) = line.split_once(": i64 {memplan.destination}")?;
    arguments.rsplit([' ', '(']).next().map(str::to_owned)
}
