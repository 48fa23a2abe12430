//! The boxes of a panel and what is written in them.

use std::collections::HashMap;
use std::fmt::Write;

use super::axis::Scale;
use super::style::{LETTER, SHADES};
use super::write::{Area, Writer};
use crate::columns::clipped;
use crate::load::{Block, Peak};
use crate::units::{grouped, short};
use crate::{BufferReport, LineBufferReport, ScopeReport, Use, names};

/// Boxes are never thinner than this, so that none is lost.
const THINNEST: f64 = 0.5;
/// From this width and height on, a box has an edge.
pub const WITH_EDGE: f64 = 3.0;
/// Height of a line of text in a box.
pub const LINE: f64 = 13.0;
/// Space kept free left and right of a text in a box.
const PADDING: f64 = 4.0;

/// The boxes of a scope, and where they are.
pub struct Boxes<'a> {
    /// The scope whose buffers are drawn.
    pub scope: &'a ScopeReport,
    /// Its buffers, joined ones taken together.
    pub blocks: &'a [Block],
    /// Decides the colours.
    pub peak: Option<Peak>,
    /// Positions to the right.
    pub x: Scale,
    /// Addresses upwards.
    pub y: Scale,
    /// Line buffers, by id.
    pub lines: &'a HashMap<u64, &'a LineBufferReport>,
}

impl Boxes<'_> {
    /// Draws a box for each live range and each window of each buffer, with a dashed line where a buffer takes
    /// over the bytes of another. An outline in the gaps shows that the boxes around are one buffer.
    pub fn draw(&self, out: &mut Writer) {
        for (number, block) in self.blocks.iter().enumerate() {
            let at_peak = |peak: Peak| block.uses().any(|one| one.holds(peak.start));
            let at_peak = self.peak.is_some_and(at_peak);
            let fill = format!("{}{}", if at_peak { 'p' } else { 'c' }, number % SHADES);
            for &member in &block.members {
                let buffer = &self.scope.buffers[member];
                for (nth, one) in buffer.uses().enumerate() {
                    let area = self.area(buffer, one);
                    let large = area.width >= WITH_EDGE && area.height >= WITH_EDGE;
                    let class = format!("{fill} {}", if large { 'b' } else { 't' });
                    let lines = self.lines.get(&buffer.id).copied();
                    out.rect(
                        &class,
                        area,
                        Some(&title(self.scope, buffer, nth, one, lines)),
                    );
                    if large && nth == 0 && buffer.in_place_with.is_some() {
                        out.stroke("join", (area.x, area.y), (area.x, area.bottom()));
                    }
                }
            }
        }
        self.gaps(out);
    }

    /// Draws outlines of what is not in use, over the boxes that other buffers have there.
    fn gaps(&self, out: &mut Writer) {
        for buffer in &self.scope.buffers {
            for (start, end) in buffer.gaps() {
                let area = self.area(
                    buffer,
                    Use {
                        start,
                        end,
                        low: 0,
                        high: buffer.size,
                    },
                );
                if area.width >= WITH_EDGE && area.height >= WITH_EDGE {
                    out.rect("gap", area, None);
                }
            }
        }
    }

    /// Writes into the boxes what fits.
    pub fn labels(&self, out: &mut Writer) {
        for block in self.blocks {
            let of_block = || {
                block
                    .members
                    .iter()
                    .map(|&member| &self.scope.buffers[member])
            };
            // Joined buffers may overlap: each has the part up to where the next one begins.
            let mut starts: Vec<u64> = of_block()
                .flat_map(BufferReport::uses)
                .map(|one| one.start)
                .collect();
            starts.sort_unstable();
            for buffer in of_block() {
                for mut one in buffer.uses() {
                    let next = starts.partition_point(|&other| other <= one.start);
                    if let Some(&next) = starts.get(next) {
                        one.end = next.min(one.end);
                    }
                    label(out, self.area(buffer, one), buffer, one);
                }
            }
        }
    }

    pub fn area(&self, buffer: &BufferReport, one: Use) -> Area {
        let top = self.y.at(buffer.offset.saturating_add(one.high));
        let bottom = self.y.at(buffer.offset.saturating_add(one.low));
        let (left, right) = (self.x.at(one.start), self.x.at(one.end));
        Area {
            x: left,
            y: top,
            width: (right - left).max(THINNEST),
            height: (bottom - top).max(THINNEST),
        }
    }
}

/// What the mouse over the box of the `nth` use shows.
fn title(
    scope: &ScopeReport,
    buffer: &BufferReport,
    nth: usize,
    one: Use,
    lines: Option<&LineBufferReport>,
) -> String {
    let mut title = format!("#{}", buffer.id);
    if !buffer.ty.is_empty() {
        _ = write!(title, " {}", buffer.ty);
    }
    _ = write!(title, "\n{}", short(buffer.size));
    if buffer.size >= 1024 {
        _ = write!(title, " ({} B)", grouped(buffer.size));
    }
    _ = write!(
        title,
        " at offset {}\nlive [{}, {})",
        grouped(buffer.offset),
        scope.time(one.start),
        scope.time(one.end)
    );
    if let Some(banks) = scope.banks.as_ref().filter(|_| buffer.size > 0) {
        let touched = banks.touched(buffer.offset, buffer.size);
        let names: Vec<String> = touched.iter().map(u64::to_string).collect();
        let noun = if names.len() == 1 { "bank" } else { "banks" };
        _ = write!(title, "\nin {noun} {}", clipped(&names.join(", ")));
    }
    let count = buffer.live.len() + buffer.windows.len();
    if count > 1 {
        _ = write!(title, ", range {} of {count}", nth + 1);
    }
    if one.bytes() < buffer.size {
        let offset = buffer.offset.saturating_add(one.low);
        _ = write!(
            title,
            "\nonly its bytes [{}, {}): {} at offset {}",
            grouped(one.low),
            grouped(one.high),
            short(one.bytes()),
            grouped(offset)
        );
    }
    if let Some(host) = buffer.in_place_with {
        _ = write!(title, "\nin place with #{host}");
    }
    if let Some(lines) = lines {
        _ = write!(title, "\n{}", lines.text());
    }
    if !buffer.location.is_empty() {
        _ = write!(title, "\n{}", buffer.location);
    }
    title
}

/// Writes as much about a buffer into its box as fits: shape and size, or one of them, across or
/// upwards.
fn label(out: &mut Writer, area: Area, buffer: &BufferReport, one: Use) {
    let (middle_x, middle_y) = area.middle();
    // Letters hang from their baseline: a third of the size below the middle looks centred.
    const DROP: f64 = 4.0;
    if let Some(lines) = fitting(area.width, area.height, buffer, one) {
        let first = middle_y + DROP - (lines.len() as f64 - 1.0) * LINE / 2.0;
        for (at, line) in lines.iter().enumerate() {
            out.label("in", (middle_x, first + at as f64 * LINE), line);
        }
    } else if let Some(lines) = fitting(area.height, area.width, buffer, one) {
        let first = middle_x + DROP - (lines.len() as f64 - 1.0) * LINE / 2.0;
        for (at, line) in lines.iter().enumerate() {
            out.label_upwards("in", (first + at as f64 * LINE, middle_y), line);
        }
    }
}

/// The richest text for a box of `along` by `across`, where the text runs along. A buffer without
/// type is called by its id, and a window has its own size and that of the buffer.
fn fitting(along: f64, across: f64, buffer: &BufferReport, one: Use) -> Option<Vec<String>> {
    let name = match buffer.ty.as_str() {
        "" => format!("#{}", buffer.id),
        ty => names::shape(ty).to_owned(),
    };
    let size = match one.bytes() < buffer.size {
        true => format!("{} of {}", short(one.bytes()), short(buffer.size)),
        false => short(buffer.size),
    };
    [
        vec![name.clone(), size.clone()],
        vec![format!("{name} · {size}")],
        vec![name],
        vec![size],
    ]
    .into_iter()
    .find(|lines| {
        let longest = lines
            .iter()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0);
        let fits_along = longest as f64 * LETTER + 2.0 * PADDING <= along;
        fits_along && lines.len() as f64 * LINE + 2.0 <= across
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{buffer, chain, scope, windowed};

    fn nth_use(buffer: &BufferReport, nth: usize) -> Use {
        buffer.uses().nth(nth).expect("it has so many uses")
    }

    #[test]
    fn labels_shrink_with_the_box() {
        let buffer = buffer(0, 4096, 0, &[(0, 1)]);
        let text = |along, across| {
            fitting(along, across, &buffer, nth_use(&buffer, 0)).map(|lines| lines.join("|"))
        };
        assert_eq!(text(90.0, 40.0).as_deref(), Some("4096xi8|4.00 KiB"));
        assert_eq!(text(140.0, 16.0).as_deref(), Some("4096xi8 · 4.00 KiB"));
        assert_eq!(text(52.0, 16.0).as_deref(), Some("4096xi8"));
        assert_eq!(text(90.0, 10.0), None);
        assert_eq!(text(20.0, 40.0), None);
    }

    #[test]
    fn a_buffer_without_type_goes_by_its_id() {
        let mut buffer = buffer(7, 2048, 64, &[(0, 1)]);
        (buffer.ty, buffer.location) = (String::new(), String::new());
        assert_eq!(
            title(&scope(Vec::new()), &buffer, 0, nth_use(&buffer, 0), None),
            "#7\n2.00 KiB (2,048 B) at offset 64\nlive [0, 1)"
        );
        let lines = fitting(140.0, 16.0, &buffer, nth_use(&buffer, 0));
        assert_eq!(lines, Some(vec!["#7 · 2.00 KiB".to_owned()]));
    }

    #[test]
    fn a_window_says_which_bytes_it_has() {
        let buffer = windowed(
            buffer(7, 2048, 64, &[(0, 1), (4, 9)]),
            &[((1, 3), (1024, 1536))],
        );
        let window = nth_use(&buffer, 1);
        assert_eq!(
            title(&scope(Vec::new()), &buffer, 1, window, None),
            "#7 memref<2048xi8>\n2.00 KiB (2,048 B) at offset 64\nlive [1, 3), range 2 of 3\n\
             only its bytes [1,024, 1,536): 512 B at offset 1,088\nloc(\"net.mlir\":10:10)"
        );
        let lines = fitting(300.0, 16.0, &buffer, window);
        assert_eq!(lines, Some(vec!["2048xi8 · 512 B of 2.00 KiB".to_owned()]));
    }

    #[test]
    fn titles_say_everything() {
        let mut buffer = buffer(7, 2048, 64, &[(0, 1), (4, 9)]);
        buffer.in_place_with = Some(3);
        assert_eq!(
            title(&scope(Vec::new()), &buffer, 1, nth_use(&buffer, 1), None),
            "#7 memref<2048xi8>\n2.00 KiB (2,048 B) at offset 64\nlive [4, 9), range 2 of 2\n\
             in place with #3\nloc(\"net.mlir\":10:10)"
        );
    }

    #[test]
    fn a_line_buffer_says_whose_rows_it_keeps() {
        let buffer = buffer(7, 480, 64, &[(0, 1)]);
        let chain = chain((0, 9));
        let lines = Some(&chain.line_buffers[0]);
        let title = title(&scope(Vec::new()), &buffer, 0, nth_use(&buffer, 0), lines);
        let expected = "\nline buffer of memref<4x26x10xf32> (4.06 KiB), keeps 2 rows\n";
        assert!(title.contains(expected), "{title}");
    }
}
