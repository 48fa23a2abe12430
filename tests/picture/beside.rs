//! A picture of a program with bars beside it, which show live ranges by lines.

use crate::picture::listing::{Bar, short};
use std::fmt::Write;

const STYLE: &str = "
.page{fill:#fff}
text{font:13px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1f2933}
.name{text-anchor:middle;font-weight:600}
.row{fill:#f3f4f6}
.c0{fill:#a6bdd7}
.c1{fill:#f3c18f}
.c2{fill:#b8d8b0}
.mark{fill:#1f2933}
@media (prefers-color-scheme:dark){
.page{fill:#16181c}
text{fill:#e8eaed}
.row{fill:#1f2228}
.c0{fill:#3d566f}
.c1{fill:#8a5a2b}
.c2{fill:#3c6034}
.mark{fill:#e8eaed}
}
";

const LINE: usize = 22;
const LETTER: usize = 8;
const EDGE: usize = 16;
const BAR: usize = 72;
const APART: usize = 12;
const COLOURS: usize = 3;

/// Draws lines and, beside them, bars.
pub fn draw(lines: &[&str], bars: &[Bar]) -> String {
    let texts: Vec<String> = lines.iter().map(|line| short(line)).collect();
    let longest = texts
        .iter()
        .map(|text| text.chars().count())
        .max()
        .unwrap_or(0);
    let left = EDGE + longest * LETTER + 2 * EDGE;
    let width = left + bars.len() * (BAR + APART) - APART + EDGE;
    let height = 2 * EDGE + lines.len() * LINE;
    let mut groups: Vec<u64> = bars.iter().map(|bar| bar.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <style>{STYLE}</style>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    for (number, text) in texts.iter().enumerate() {
        let top = EDGE + number * LINE;
        if number % 2 == 0 {
            _ = writeln!(
                out,
                "<rect class=\"row\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{LINE}\"/>",
                EDGE / 2,
                width - EDGE
            );
        }
        let indent = text.len() - text.trim_start().len();
        _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            EDGE + indent * LETTER,
            top + 16,
            escaped(text.trim_start())
        );
    }
    for (number, bar) in bars.iter().enumerate() {
        let colour = groups
            .iter()
            .position(|&group| group == bar.group)
            .unwrap_or(0)
            % COLOURS;
        let x = left + number * (BAR + APART);
        for lines in &bar.lines {
            let top = EDGE + lines.start * LINE;
            _ = writeln!(
                out,
                "<rect class=\"c{colour}\" x=\"{x}\" y=\"{}\" width=\"{BAR}\" height=\"{}\" rx=\"4\"/>\n\
                 <text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
                top + 1,
                lines.len() * LINE - 2,
                x + BAR / 2,
                top + 16,
                escaped(&bar.name)
            );
        }
        for mark in &bar.marks {
            let middle = EDGE + mark * LINE + LINE / 2;
            _ = writeln!(
                out,
                "<circle class=\"mark\" cx=\"{}\" cy=\"{middle}\" r=\"4\"/>",
                x + BAR - 10
            );
        }
    }
    out + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
