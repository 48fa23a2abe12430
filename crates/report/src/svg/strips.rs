//! The lane of loops over strips, and the line buffers in the map.

use std::fmt::Write;

use super::axis::Scale;
use super::boxes::{Boxes, WITH_EDGE};
use super::style::LETTER;
use super::write::{Area, Writer};
use crate::units::{counted, short};
use crate::{ChainReport, FunctionReport};

/// Height of the lane, with the space below it.
pub const LANE: f64 = 26.0;
const BAR: f64 = 16.0;
/// How far outlines of line buffers are inside their boxes.
const INSET: f64 = 1.5;

/// The chains whose loops are among the positions of a panel.
pub fn chains_of(function: &FunctionReport, positions: (u64, u64)) -> Vec<&ChainReport> {
    let (from, to) = positions;
    let chains = function.chains.iter();
    chains
        .filter(|chain| chain.positions.0 < to && chain.positions.1 > from)
        .collect()
}

/// Draws a bar for each chain, as long as its loop, and lines over the map where the loop begins and ends.
pub fn lane(out: &mut Writer, chains: &[&ChainReport], top: f64, map: Area, x: Scale) {
    out.label("end", (map.x - 8.0, top + 12.0), "strips");
    for chain in chains {
        let at = |position| x.at(position).clamp(map.x, map.right());
        let (left, right) = (at(chain.positions.0), at(chain.positions.1));
        for edge in [left, right] {
            out.stroke("stripedge", (edge, map.y), (edge, top));
        }
        let area = Area {
            x: left,
            y: top,
            width: (right - left).max(2.0),
            height: BAR,
        };
        out.rect("strips", area, Some(&title(chain)));
        let text = chain.each();
        let long = format!(
            "{text} strips of {}",
            counted(chain.operations.len(), "operation")
        );
        let fits = |text: &&String| text.chars().count() as f64 * LETTER + 8.0 <= area.width;
        if let Some(text) = [&long, &text].into_iter().find(fits) {
            out.label("in", (area.middle().0, top + 12.0), text);
        }
    }
}

/// What the mouse over the bar of a chain shows.
fn title(chain: &ChainReport) -> String {
    let strips = match chain.strips {
        Some(strips) => counted(strips as usize, "strip"),
        None => "strips".to_owned(),
    };
    let mut title = format!(
        "{} along {}\n{strips} of {} rows",
        counted(chain.operations.len(), "operation"),
        chain.along(),
        chain.rows(),
    );
    if let Some(count) = chain.operations_per_strip() {
        _ = write!(title, ", {count:.1} operations in each");
    }
    if let (Some(after), Some(before)) = (chain.load_after_bytes, chain.load_before_bytes) {
        _ = write!(
            title,
            "\nload {} instead of {}",
            short(after),
            short(before)
        );
    }
    let lines = counted(chain.line_buffers.len(), "line buffer");
    _ = match chain.line_bytes() {
        Some(bytes) => write!(title, "\n{} in {lines}", short(bytes)),
        None => write!(title, "\n{lines}"),
    };
    if let Some(bytes) = chain.copied_bytes {
        _ = write!(title, ", {} copied in a call", short(bytes));
    }
    if !chain.location.is_empty() {
        _ = write!(title, "\n{}", chain.location);
    }
    title
}

impl Boxes<'_> {
    /// Draws outlines inside the boxes of line buffers.
    pub fn line_buffers(&self, out: &mut Writer, is_line: impl Fn(u64) -> bool) {
        for buffer in self
            .scope
            .buffers
            .iter()
            .filter(|buffer| is_line(buffer.id))
        {
            for one in buffer.uses() {
                let area = self.area(buffer, one);
                if area.width < WITH_EDGE || area.height < WITH_EDGE {
                    continue;
                }
                let area = Area {
                    x: area.x + INSET,
                    y: area.y + INSET,
                    width: (area.width - 2.0 * INSET).max(0.5),
                    height: (area.height - 2.0 * INSET).max(0.5),
                };
                out.rect("lines", area, None);
            }
        }
    }
}
