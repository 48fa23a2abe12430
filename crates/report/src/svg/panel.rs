//! One scope: heading, boxes, load curve, axes, legend.

use std::collections::HashMap;
use std::fmt::Write;

use super::axis::{self, Scale};
use super::boxes::{Boxes, LINE};
use super::strips;
use super::write::{Area, Num, Writer};
use crate::columns::clipped_to;
use crate::load::{self, Block, Peak};
use crate::units::{counted, grouped, short};
use crate::{BanksReport, BufferReport, FunctionReport, ScopeReport, names};

const LEFT: f64 = 84.0;
const RIGHT: f64 = 136.0;
/// Heading and the label of the peak.
const ABOVE: f64 = 98.0;
/// Between the boxes and the load curve.
const GAP: f64 = 10.0;
const CURVE: f64 = 64.0;
/// Ticks, legend and the space to the next panel.
const BELOW: f64 = 62.0;

/// A scope with what is drawn of it.
pub struct Panel<'a> {
    function: &'a FunctionReport,
    number: usize,
    scope: &'a ScopeReport,
    blocks: Vec<Block>,
    curve: Vec<(u64, u64)>,
    peak: Option<Peak>,
    width: f64,
    map_height: f64,
}

/// Where the parts of a panel are.
struct Frame {
    top: f64,
    map: Area,
    strip: Area,
    x: Scale,
    y: Scale,
}

impl<'a> Panel<'a> {
    /// The panel of the scope with that number.
    pub fn new(function: &'a FunctionReport, number: usize, width: f64, map_height: f64) -> Self {
        let scope = &function.scopes[number];
        let blocks = load::blocks(scope);
        let curve = load::curve(&blocks);
        let peak = load::peak(&curve);
        Self {
            function,
            number,
            scope,
            blocks,
            curve,
            peak,
            width,
            map_height,
        }
    }

    /// Draws the panel from `top` down; returns its height.
    pub fn draw(&self, out: &mut Writer, top: f64) -> f64 {
        let frame = self.frame(top);
        self.heading(out, &frame);
        self.bars(out, &frame);
        out.rect("plot", frame.map, None);
        out.rect("plot", frame.strip, None);
        self.size_axis(out, &frame);
        self.position_axis(out, &frame);
        if let Some(peak) = self.peak {
            band(out, &frame, peak);
        }
        let (x, y) = (frame.x, frame.y);
        let lines: HashMap<u64, _> = self.function.lines_of(self.number).collect();
        let boxes = Boxes {
            scope: self.scope,
            blocks: &self.blocks,
            peak: self.peak,
            x,
            y,
            lines: &lines,
        };
        self.excluded(out, &frame);
        boxes.draw(out);
        self.banks(out, &frame);
        boxes.line_buffers(out, |id| lines.contains_key(&id));
        let chains = strips::chains_of(self.function, self.positions());
        if !chains.is_empty() {
            strips::lane(out, &chains, frame.map.bottom() + GAP, frame.map, x);
        }
        self.load_curve(out, &frame);
        self.limits(out, &frame);
        if let Some(peak) = self.peak {
            self.peak_marks(out, &frame, peak);
        }
        boxes.labels(out);
        self.legend(out, &frame, !lines.is_empty());
        frame.strip.bottom() + BELOW - top
    }

    fn frame(&self, top: f64) -> Frame {
        let width = self.width - LEFT - RIGHT;
        let map = Area {
            x: LEFT,
            y: top + ABOVE,
            width,
            height: self.map_height,
        };
        let lane = match strips::chains_of(self.function, self.positions()).is_empty() {
            true => 0.0,
            false => strips::LANE,
        };
        let strip = Area {
            x: LEFT,
            y: map.bottom() + GAP + lane,
            width,
            height: CURVE,
        };
        let highest = self.highest();
        // A little air above the highest line.
        let highest_at = map.y + 8.0;
        Frame {
            top,
            map,
            strip,
            x: Scale::new(self.positions(), (map.x, map.right())),
            y: Scale::new((0, highest), (map.bottom(), highest_at)),
        }
    }

    /// Bands over all positions, where no buffer may be.
    fn excluded(&self, out: &mut Writer, frame: &Frame) {
        for range in &self.scope.excluded {
            let end = range.end.min(self.highest());
            if range.start >= end {
                continue;
            }
            let area = Area {
                x: frame.map.x,
                y: frame.y.at(end),
                width: frame.map.width,
                height: frame.y.at(range.start) - frame.y.at(end),
            };
            let bytes = short(range.end - range.start);
            let text = format!("{}: {bytes}", range.name());
            let title = format!("{text} at offset {}", grouped(range.start));
            out.rect("excluded", area, Some(&title));
            if area.height >= LINE {
                let (x, y) = area.middle();
                out.label("in", (x, y + 4.0), &text);
            }
        }
    }

    /// The borders of banks, over the boxes, and their names.
    fn banks(&self, out: &mut Writer, frame: &Frame) {
        let ranges = self
            .scope
            .banks
            .as_ref()
            .map_or(&[][..], BanksReport::ranges);
        let highest = self.highest();
        let used = ranges.iter().filter(|(start, _)| *start < highest);
        let mut borders: Vec<u64> = used
            .clone()
            .flat_map(|(start, end)| [*start, *end])
            .collect();
        borders.dedup();
        let (left, right) = (frame.map.x, frame.map.right());
        for border in borders.into_iter().filter(|border| *border < highest) {
            let y = frame.y.at(border);
            out.stroke("bank", (left, y), (right, y));
        }
        for (number, &(start, end)) in used.enumerate() {
            let (low, high) = (frame.y.at(start), frame.y.at(end.min(highest)));
            if low - high >= LINE {
                out.label(
                    "bankname",
                    (left + 5.0, high + 12.0),
                    &format!("bank {number}"),
                );
            }
        }
    }

    /// First position and the one after the last.
    fn positions(&self) -> (u64, u64) {
        let uses = || self.blocks.iter().flat_map(Block::uses);
        let first = uses().map(|one| one.start).min().unwrap_or(0);
        let last = uses().map(|one| one.end).max().unwrap_or(0);
        (first, last)
    }

    fn highest(&self) -> u64 {
        let ends = self
            .scope
            .buffers
            .iter()
            .map(|b| b.offset.saturating_add(b.size));
        ends.max()
            .unwrap_or(0)
            .max(self.scope.planned_bytes)
            .max(self.scope.lower_bound_bytes)
    }

    fn heading(&self, out: &mut Writer, frame: &Frame) {
        let scope = self.scope;
        let title = names::scope(self.function, self.number);
        // Up to where the names of the bars begin.
        let room = ((self.width - LEFT - RIGHT - 280.0) / 10.0) as usize;
        out.label("title", (LEFT, frame.top + 32.0), &clipped_to(&title, room));
        let optimal = if scope.optimal {
            "optimal"
        } else {
            "not proven optimal"
        };
        let buffers = counted(scope.buffers.len(), "buffer");
        let mut facts = match scope.planner.as_str() {
            "" => format!("{buffers} in one arena · {optimal}"),
            planner => format!("{buffers} in one arena · planner {planner}, {optimal}"),
        };
        match &scope.banks {
            Some(BanksReport::Contiguous { ranges }) => {
                facts += &format!(" · {}", counted(ranges.len(), "bank"));
            }
            Some(BanksReport::Interleaved { count, width }) => {
                let banks = counted(*count as usize, "interleaved bank");
                facts += &format!(" · {banks} of {}", short(*width));
            }
            None => {}
        }
        out.label("fact", (LEFT, frame.top + 52.0), &facts);
    }

    /// Naive, planned and bound side by side, in the upper right corner.
    fn bars(&self, out: &mut Writer, frame: &Frame) {
        const LONGEST: f64 = 200.0;
        let scope = self.scope;
        let all = [
            ("naive", scope.separate_bytes(), "bar"),
            ("planned", scope.planned_bytes, "bar2"),
            ("lower bound", scope.lower_bound_bytes, "bar"),
        ];
        let most = all.iter().map(|bar| bar.1).max().unwrap_or(0).max(1);
        let left = self.width - RIGHT - LONGEST;
        for (row, (name, bytes, class)) in all.into_iter().enumerate() {
            let y = frame.top + 18.0 + row as f64 * 17.0;
            let length = LONGEST * bytes as f64 / most as f64;
            out.label("end", (left - 8.0, y + 10.0), name);
            out.rect(
                class,
                Area {
                    x: left,
                    y,
                    width: length.max(1.0),
                    height: 12.0,
                },
                None,
            );
            out.label("strong", (left + length + 8.0, y + 10.0), &short(bytes));
        }
    }

    fn size_axis(&self, out: &mut Writer, frame: &Frame) {
        let map = frame.map;
        let most = (map.height / 52.0) as u64;
        for (bytes, label) in axis::sizes(self.highest(), most) {
            let y = frame.y.at(bytes);
            out.stroke("grid", (map.x, y), (map.right(), y));
            out.label("end", (map.x - 8.0, y + 4.0), &label);
        }
        out.label_upwards("mid", (18.0, map.middle().1), "address");
        out.label("end", (map.x - 8.0, frame.strip.middle().1 + 4.0), "load");
        out.stroke("frame", (map.x, map.y), (map.x, map.bottom()));
        out.stroke("frame", (map.x, map.bottom()), (map.right(), map.bottom()));
    }

    fn position_axis(&self, out: &mut Writer, frame: &Frame) {
        let (map, strip) = (frame.map, frame.strip);
        let most = (map.width / 80.0) as u64;
        let first = self.scope.first_time;
        for (position, shown) in axis::positions(self.positions(), first, most) {
            let x = frame.x.at(position);
            out.stroke("grid", (x, map.y), (x, map.bottom()));
            out.stroke("frame", (x, strip.bottom()), (x, strip.bottom() + 4.0));
            out.label("mid", (x, strip.bottom() + 17.0), &shown.to_string());
        }
        out.stroke(
            "frame",
            (map.x, strip.bottom()),
            (map.right(), strip.bottom()),
        );
        let name = (map.right(), strip.bottom() + 40.0);
        let unit = match self.scope.of_program() {
            true => "position in the program",
            false => "time",
        };
        out.label("end", name, unit);
    }

    fn load_curve(&self, out: &mut Writer, frame: &Frame) {
        let Some(peak) = self.peak else { return };
        let strip = frame.strip;
        let y = Scale::new((0, peak.load), (strip.bottom(), strip.y + 4.0));
        let mut path = format!("M{} {}", Num(strip.x), Num(strip.bottom()));
        for &(position, load) in &self.curve {
            _ = write!(path, "H{}V{}", Num(frame.x.at(position)), Num(y.at(load)));
        }
        out.line(format_args!(r#"<path class="load" d="{path}Z"/>"#));
        let label = (strip.right() + 8.0, strip.y + 8.0);
        out.label("peaktext", label, &format!("peak {}", short(peak.load)));
    }

    /// The lines of planned bytes and lower bound, named at the right.
    fn limits(&self, out: &mut Writer, frame: &Frame) {
        const APART: f64 = 32.0;
        let (map, scope) = (frame.map, self.scope);
        let across = |out: &mut Writer, class, y| out.stroke(class, (map.x, y), (map.right(), y));
        let x = map.right() + 8.0;
        let planned = frame.y.at(scope.planned_bytes);
        let same = scope.planned_bytes == scope.lower_bound_bytes;
        if !same {
            let bound = frame.y.at(scope.lower_bound_bytes);
            across(out, "bound", bound);
            let label = (bound + 4.0).max(planned + 4.0 + APART);
            out.label("fact", (x, label), "lower bound");
            out.label("fact", (x, label + 14.0), &short(scope.lower_bound_bytes));
        }
        across(out, "planned", planned);
        out.label("strong", (x, planned + 4.0), "planned");
        out.label("strong", (x, planned + 18.0), &short(scope.planned_bytes));
        if same {
            out.label("fact", (x, planned + 32.0), "= lower bound");
        }
    }

    /// Where the peak is, over the boxes.
    fn peak_marks(&self, out: &mut Writer, frame: &Frame, peak: Peak) {
        let (left, right) = (frame.x.at(peak.start), frame.x.at(peak.end));
        let (from, to) = (frame.map.y - 6.0, frame.strip.bottom());
        let middle = (left + right) / 2.0;
        if right - left < 6.0 {
            out.stroke("peak", (middle, from), (middle, to));
        } else {
            out.stroke("peak", (left, from), (left, to));
            out.stroke("peak", (right, from), (right, to));
        }
        let single = peak.end.saturating_sub(peak.start) <= 1;
        let unit = match (self.scope.of_program(), single) {
            (false, _) => "time",
            (true, true) => "position",
            (true, false) => "positions",
        };
        let first = self.scope.time(peak.start);
        let place = match single {
            true => format!("{unit} {first}"),
            false => format!("{unit} {first} to {}", self.scope.time(peak.end - 1)),
        };
        let mut text = format!("peak load {} at {place}", short(peak.load));
        let times = self.curve.iter().filter(|step| step.1 == peak.load).count();
        if times > 1 {
            _ = write!(text, ", the first of {times}");
        }
        // Kept within the plot where the peak is near an edge.
        let half = text.chars().count() as f64 * 3.4;
        let x = middle.max(frame.map.x + half).min(frame.map.right() - half);
        out.label("peaktext mid", (x, from - 5.0), &text);
    }

    fn legend(&self, out: &mut Writer, frame: &Frame, has_lines: bool) {
        let y = frame.strip.bottom() + 30.0;
        let (width, height) = (14.0, 11.0);
        let joins = self
            .scope
            .buffers
            .iter()
            .any(|buffer| buffer.in_place_with.is_some());
        let mut entries = vec![("p1", "live at the peak"), ("c1", "not live at the peak")];
        if joins {
            entries.push(("c1", "dashed: takes over in place"));
        }
        let has_gaps = |buffer: &BufferReport| buffer.gaps().next().is_some();
        if self.scope.buffers.iter().any(has_gaps) {
            entries.push(("gap", "outline: not in use"));
        }
        if has_lines {
            entries.push(("lines", "line buffer: rows for the next strip"));
        }
        let mut x = LEFT;
        for (class, name) in entries {
            out.rect(
                class,
                Area {
                    x,
                    y,
                    width,
                    height,
                },
                None,
            );
            out.label("fact", (x + 20.0, y + 10.0), name);
            if name.starts_with("dashed") {
                out.stroke("join", (x + 5.0, y), (x + 5.0, y + height));
            }
            x += 36.0 + name.len() as f64 * 6.0;
        }
    }
}

/// The range of the peak, below the boxes.
fn band(out: &mut Writer, frame: &Frame, peak: Peak) {
    let (left, right) = (frame.x.at(peak.start), frame.x.at(peak.end));
    let (map, strip) = (frame.map, frame.strip);
    let width = (right - left).max(1.0);
    for area in [map, strip] {
        out.rect(
            "peakband",
            Area {
                x: left,
                width,
                ..area
            },
            None,
        );
    }
    debug_assert!(strip.y > map.y);
}
