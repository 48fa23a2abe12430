//! The boxes of a panel and what is written in them.

use std::fmt::Write;

use super::axis::Scale;
use super::style::{LETTER, SHADES};
use super::write::{Area, Writer};
use crate::load::{Block, Peak};
use crate::units::{grouped, short};
use crate::{BufferReport, ScopeReport, names};

/// Boxes are never thinner than this, so that none is lost.
const THINNEST: f64 = 0.5;
/// From this width and height on, a box has an edge.
const WITH_EDGE: f64 = 3.0;
/// Height of a line of text in a box.
const LINE: f64 = 13.0;
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
}

impl Boxes<'_> {
    /// Draws a box for each live range of each buffer, with a dashed line where a buffer takes
    /// over the bytes of another.
    pub fn draw(&self, out: &mut Writer) {
        for (number, block) in self.blocks.iter().enumerate() {
            let at_peak = self.peak.is_some_and(|peak| is_live(block, peak.start));
            let fill = format!("{}{}", if at_peak { 'p' } else { 'c' }, number % SHADES);
            for &member in &block.members {
                let buffer = &self.scope.buffers[member];
                for nth in 0..buffer.live.len() {
                    let area = self.area(buffer, buffer.live[nth]);
                    let large = area.width >= WITH_EDGE && area.height >= WITH_EDGE;
                    let class = format!("{fill} {}", if large { 'b' } else { 't' });
                    out.rect(&class, area, Some(&title(buffer, nth)));
                    if large && nth == 0 && buffer.in_place_with.is_some() {
                        out.stroke("join", (area.x, area.y), (area.x, area.bottom()));
                    }
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
                .flat_map(|buffer| &buffer.live)
                .map(|range| range.0)
                .collect();
            starts.sort_unstable();
            for buffer in of_block() {
                for &(start, end) in &buffer.live {
                    let next = starts.partition_point(|&other| other <= start);
                    let end = starts.get(next).map_or(end, |&next| next.min(end));
                    label(out, self.area(buffer, (start, end)), buffer);
                }
            }
        }
    }

    fn area(&self, buffer: &BufferReport, (start, end): (u64, u64)) -> Area {
        let top = self.y.at(buffer.offset.saturating_add(buffer.size));
        Area {
            x: self.x.at(start),
            y: top,
            width: (self.x.at(end) - self.x.at(start)).max(THINNEST),
            height: (self.y.at(buffer.offset) - top).max(THINNEST),
        }
    }
}

fn is_live(block: &Block, position: u64) -> bool {
    block
        .live
        .iter()
        .any(|&(start, end)| start <= position && position < end)
}

/// What the mouse over the box of the `nth` live range shows.
fn title(buffer: &BufferReport, nth: usize) -> String {
    let (start, end) = buffer.live[nth];
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
        " at offset {}\nlive [{start}, {end})",
        grouped(buffer.offset)
    );
    if buffer.live.len() > 1 {
        _ = write!(title, ", range {} of {}", nth + 1, buffer.live.len());
    }
    if let Some(host) = buffer.in_place_with {
        _ = write!(title, "\nin place with #{host}");
    }
    if !buffer.location.is_empty() {
        _ = write!(title, "\n{}", buffer.location);
    }
    title
}

/// Writes as much about a buffer into its box as fits: shape and size, or one of them, across or
/// upwards.
fn label(out: &mut Writer, area: Area, buffer: &BufferReport) {
    let (middle_x, middle_y) = area.middle();
    // Letters hang from their baseline: a third of the size below the middle looks centred.
    const DROP: f64 = 4.0;
    if let Some(lines) = fitting(area.width, area.height, buffer) {
        let first = middle_y + DROP - (lines.len() as f64 - 1.0) * LINE / 2.0;
        for (at, line) in lines.iter().enumerate() {
            out.label("in", (middle_x, first + at as f64 * LINE), line);
        }
    } else if let Some(lines) = fitting(area.height, area.width, buffer) {
        let first = middle_x + DROP - (lines.len() as f64 - 1.0) * LINE / 2.0;
        for (at, line) in lines.iter().enumerate() {
            out.label_upwards("in", (first + at as f64 * LINE, middle_y), line);
        }
    }
}

/// The richest text for a box of `along` by `across`, where the text runs along. A buffer without
/// type is called by its id.
fn fitting(along: f64, across: f64, buffer: &BufferReport) -> Option<Vec<String>> {
    let name = match buffer.ty.as_str() {
        "" => format!("#{}", buffer.id),
        ty => names::shape(ty).to_owned(),
    };
    let size = short(buffer.size);
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
    use crate::testing::buffer;

    #[test]
    fn labels_shrink_with_the_box() {
        let buffer = buffer(0, 4096, 0, &[(0, 1)]);
        let text = |along, across| fitting(along, across, &buffer).map(|lines| lines.join("|"));
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
            title(&buffer, 0),
            "#7\n2.00 KiB (2,048 B) at offset 64\nlive [0, 1)"
        );
        let lines = fitting(140.0, 16.0, &buffer);
        assert_eq!(lines, Some(vec!["#7 · 2.00 KiB".to_owned()]));
    }

    #[test]
    fn titles_say_everything() {
        let mut buffer = buffer(7, 2048, 64, &[(0, 1), (4, 9)]);
        buffer.in_place_with = Some(3);
        assert_eq!(
            title(&buffer, 1),
            "#7 memref<2048xi8>\n2.00 KiB (2,048 B) at offset 64\nlive [4, 9), range 2 of 2\n\
             in place with #3\nloc(\"net.mlir\":10:10)"
        );
    }
}
