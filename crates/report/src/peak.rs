//! The buffers that are live where the load of an arena is largest, as a table.

use crate::columns::{Column, aligned, alignments, clipped, clipped_to, headings};
use crate::load::{self, Block, Peak};
use crate::units::{counted, grouped, short};
use crate::{FunctionReport, Report, ScopeReport, Use, names, shape};
use std::cmp::Reverse;
use std::fmt::Write;

pub(crate) const COLUMNS: [Column; 6] = [
    Column::right(
        "buffer",
        "The id of a buffer that is live at the peak. Buffers that share its bytes in place and are live there follow it.",
    ),
    Column::right(
        "bytes",
        "The size of the buffer; of buffers in place, the largest. In a gap with a window, only the bytes of the window.",
    ),
    Column::right("share", "Its part of the bytes that are live at the peak."),
    Column::right(
        "live range",
        "The live interval around the peak: from the first position to before the second.",
    ),
    Column::left("type of buffer", "Its type as MLIR prints it."),
    Column::left("allocated at", "The location of its allocation."),
];

/// For each arena, the buffers that are live where its load is largest, the largest first, with their sum. Where
/// several stretches of the program reach that load, it is the first. Buffers that were joined in place count once.
pub fn table(report: &Report) -> String {
    let mut out = String::new();
    for function in &report.functions {
        for (number, scope) in function.scopes.iter().enumerate() {
            let blocks = load::blocks(scope);
            let Some(peak) = load::peak(&load::curve(&blocks)) else {
                continue;
            };
            if !out.is_empty() {
                out.push('\n');
            }
            _ = writeln!(
                out,
                "{}: {} of {} planned are live at the peak, positions {}\n",
                names::scope(function, number),
                short(peak.load),
                short(scope.planned_bytes),
                interval(scope.times((peak.start, peak.end))),
            );
            out.push_str(&rows(scope, &blocks, &peak, usize::MAX));
            out.push_str(&banks(scope, &blocks, &peak));
            if !scope.slots.is_empty() {
                _ = writeln!(
                    out,
                    "{} of dynamic size not counted",
                    counted(scope.slots.len(), "slot")
                );
            }
        }
    }
    if out.is_empty() {
        out.push_str("no arena with buffers of static size\n");
    }
    if let Some(hint) = shape::hint(report) {
        out.push_str(&hint);
    }
    out
}

/// The largest buffers that are live at the peak of one arena, at most so many; nothing without any.
pub(crate) fn largest(
    function: &FunctionReport,
    number: usize,
    scope: &ScopeReport,
    most: usize,
) -> String {
    let blocks = load::blocks(scope);
    let Some(peak) = load::peak(&load::curve(&blocks)) else {
        return String::new();
    };
    let heading = format!(
        "{}: {} of {} planned are live at the peak, positions {}\n\n",
        names::scope(function, number),
        short(peak.load),
        short(scope.planned_bytes),
        interval(scope.times((peak.start, peak.end))),
    );
    let mut text = heading + &rows(scope, &blocks, &peak, most);
    if let Some(ops) = &scope.peak {
        _ = writeln!(text, "\nat {}, {}", ops.op.name, ops.op.location);
        for buffer in ops.buffers.iter().take(most) {
            _ = writeln!(
                text,
                "  #{}: from {} at {}; {}",
                buffer.id,
                buffer.made_by.name,
                buffer.made_by.location,
                buffer.reason()
            );
        }
    }
    text
}

fn interval((start, end): (i128, i128)) -> String {
    format!("[{start}, {end})")
}

/// The rows of one arena, at most so many and one for the rest, and their sum.
fn rows(scope: &ScopeReport, blocks: &[Block], peak: &Peak, most: usize) -> String {
    let mut live: Vec<(&Block, Use)> = Vec::new();
    live.extend(blocks.iter().filter_map(|block| {
        let at_peak = block.uses().find(|one| one.holds(peak.start))?;
        Some((block, at_peak))
    }));
    live.sort_by_key(|(_, at_peak)| Reverse(at_peak.bytes()));
    let share = |bytes: u64| match peak.load {
        0 => String::new(),
        load => format!("{:.1}%", 100.0 * bytes as f64 / load as f64),
    };
    let mut rows = vec![headings(&COLUMNS)];
    let rest = live.split_off(live.len().min(most));
    for (block, at_peak) in live {
        let mut members: Vec<_> = block.members.iter().map(|at| &scope.buffers[*at]).collect();
        members.retain(|buffer| buffer.uses().any(|one| one.holds(peak.start)));
        members.sort_by_key(|buffer| Reverse(buffer.size));
        let ids: Vec<String> = members.iter().map(|b| format!("#{}", b.id)).collect();
        let first = members.first();
        rows.push([
            clipped(&ids.join(" ")),
            grouped(at_peak.bytes()),
            share(at_peak.bytes()),
            interval(scope.times((at_peak.start, at_peak.end))),
            first.map_or_else(String::new, |buffer| clipped(&buffer.ty)),
            first.map_or_else(String::new, |buffer| {
                clipped_to(&buffer.location, usize::MAX)
            }),
        ]);
    }
    if !rest.is_empty() {
        let bytes = rest.iter().map(|(_, at_peak)| at_peak.bytes()).sum();
        rows.push([
            format!("{} smaller", rest.len()),
            grouped(bytes),
            share(bytes),
            String::new(),
            String::new(),
            String::new(),
        ]);
    }
    let last = rows.len();
    rows.push([
        "total".into(),
        grouped(peak.load),
        share(peak.load),
        String::new(),
        String::new(),
        String::new(),
    ]);
    aligned(&rows, &alignments(&COLUMNS), &[1, last])
}

/// The bytes of contiguous banks that are in use at the peak, a line for each bank that has buffers there.
fn banks(scope: &ScopeReport, blocks: &[Block], peak: &Peak) -> String {
    let mut out = String::new();
    let ranges = scope.banks.iter().flat_map(|banks| banks.ranges());
    for (number, &(start, end)) in ranges.enumerate() {
        let uses = blocks.iter().filter_map(|block| {
            let at_peak = block.uses().find(|one| one.holds(peak.start))?;
            let offset = scope.buffers[*block.members.first()?].offset;
            let (low, high) = (
                offset.saturating_add(at_peak.low),
                offset.saturating_add(at_peak.high),
            );
            Some(high.min(end).saturating_sub(low.max(start)))
        });
        let used: u64 = uses.sum();
        if used > 0 {
            _ = writeln!(
                out,
                "bank {number}: {} of {} are in use",
                short(used),
                short(end - start)
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BanksReport;
    use crate::testing::{buffer, report, scope, windowed};

    #[test]
    fn buffers_in_place_are_one_row_and_the_rows_add_up() {
        let mut buffers = vec![
            buffer(0, 64, 0, &[(0, 4)]),
            buffer(1, 128, 64, &[(1, 6)]),
            buffer(2, 48, 0, &[(3, 8)]),
            buffer(3, 500, 0, &[(20, 20)]),
            buffer(4, 100, 0, &[(8, 9)]),
        ];
        buffers[2].in_place_with = Some(0);
        assert_eq!(
            table(&report(vec![scope(buffers)])),
            "@forward: 192 B of 500 B planned are live at the peak, positions [1, 6)

buffer  bytes   share  live range  type of buffer  allocated at
------  -----  ------  ----------  --------------  --------------------
    #1    128   66.7%      [1, 6)  memref<128xi8>  loc(\"net.mlir\":4:10)
    #0     64   33.3%      [0, 8)  memref<64xi8>   loc(\"net.mlir\":3:10)
------  -----  ------  ----------  --------------  --------------------
 total    192  100.0%
"
        );
    }

    #[test]
    fn a_window_has_its_bytes_and_its_time() {
        let text = table(&report(vec![scope(vec![
            windowed(buffer(0, 64, 0, &[(0, 4)]), &[((4, 8), (16, 32))]),
            buffer(1, 60, 32, &[(3, 9)]),
            buffer(2, 150, 92, &[(5, 6)]),
        ])]));
        assert!(text.contains("226 B of"), "{text}");
        assert!(
            text.contains("    #0     16    7.1%      [4, 8)  memref<64xi8>"),
            "{text}"
        );
    }

    #[test]
    fn banks_say_what_is_in_use() {
        let mut in_banks = scope(vec![
            buffer(0, 64, 0, &[(0, 4)]),
            buffer(1, 60, 128, &[(3, 9)]),
            buffer(2, 20, 64, &[(3, 4)]),
            buffer(3, 20, 96, &[(5, 6)]),
        ]);
        let ranges = vec![(0, 64), (64, 160), (160, 256), (256, 300)];
        in_banks.banks = Some(BanksReport::Contiguous { ranges });
        let text = table(&report(vec![in_banks]));
        let expected = "bank 0: 64 B of 64 B are in use\nbank 1: 52 B of 96 B are in use\nbank 2: 28 B of 96 B are in use\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn nothing_live_is_said() {
        let nothing = "no arena with buffers of static size\n";
        assert_eq!(table(&report(vec![])), nothing);
        assert_eq!(
            table(&report(vec![scope(vec![buffer(0, 8, 0, &[])])])),
            nothing
        );
    }
}
