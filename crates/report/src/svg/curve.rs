//! The stack of a bounded program against the bytes that its dearest path moves.

use super::axis::{self, Scale};
use super::write::{Area, Num, Writer};
use crate::columns::clipped_to;
use crate::units::{grouped, short};
use crate::{FunctionReport, LayoutReport};

const LEFT: f64 = 84.0;
const RIGHT: f64 = 136.0;
const ABOVE: f64 = 74.0;
const BELOW: f64 = 58.0;
const HEIGHT: f64 = 220.0;
/// Half a mark.
const MARK: f64 = 3.0;

/// The layout of a function that has a curve.
pub fn of(function: &FunctionReport) -> Option<&LayoutReport> {
    let layout = function.bounded.as_ref()?.layout.as_ref()?;
    (!layout.curve.is_empty()).then_some(layout)
}

/// Draws the curve of a function from `top` on; returns the height of the panel.
pub fn draw(
    function: &FunctionReport,
    layout: &LayoutReport,
    width: f64,
    top: f64,
    out: &mut Writer,
) -> f64 {
    let plot = Area {
        x: LEFT,
        y: top + ABOVE,
        width: width - LEFT - RIGHT,
        height: HEIGHT,
    };
    let curve = &layout.curve;
    let most_moved = curve
        .iter()
        .map(|point| point.moved_bytes)
        .max()
        .unwrap_or(0);
    let highest = curve
        .iter()
        .map(|point| point.peak_bytes)
        .max()
        .unwrap_or(0);
    let x = Scale::new((0, most_moved), (plot.x, plot.right() - 12.0));
    let y = Scale::new(
        (0, highest.max(layout.max_live_bytes)),
        (plot.bottom(), plot.y + 8.0),
    );
    let room = ((width - LEFT - RIGHT) / 10.0) as usize;
    let title = format!("@{} · stack against bytes moved", function.name);
    out.label("title", (LEFT, top + 32.0), &clipped_to(&title, room));
    let facts = format!(
        "plain {} · scan {} · planner {} · live at once {}",
        short(layout.plain_bytes),
        layout.scan_bytes.map_or("unknown".to_owned(), short),
        layout.planner_bytes.map_or("unknown".to_owned(), short),
        short(layout.max_live_bytes),
    );
    out.label("fact", (LEFT, top + 52.0), &facts);
    out.rect("plot", plot, None);
    for (bytes, label) in axis::sizes(highest, (HEIGHT / 52.0) as u64) {
        let at = y.at(bytes);
        out.stroke("grid", (plot.x, at), (plot.right(), at));
        out.label("end", (plot.x - 8.0, at + 4.0), &label);
    }
    for (bytes, _) in axis::positions((0, most_moved), 0, (plot.width / 90.0) as u64) {
        let at = x.at(bytes);
        out.stroke("frame", (at, plot.bottom()), (at, plot.bottom() + 4.0));
        out.label("mid", (at, plot.bottom() + 17.0), &grouped(bytes));
    }
    out.label(
        "mid",
        (plot.middle().0, plot.bottom() + 38.0),
        "bytes moved on the dearest path",
    );
    out.label_upwards("mid", (18.0, plot.middle().1), "stack");
    out.stroke("frame", (plot.x, plot.y), (plot.x, plot.bottom()));
    out.stroke(
        "frame",
        (plot.x, plot.bottom()),
        (plot.right(), plot.bottom()),
    );
    let live = y.at(layout.max_live_bytes);
    out.stroke("bound", (plot.x, live), (plot.right(), live));
    out.label("in2", (plot.right() + 8.0, live + 4.0), "live at once");
    // Fewer bytes than the next point has do not lower the stack.
    let mut path = String::new();
    for (at, point) in curve.iter().enumerate() {
        let (px, py) = (Num(x.at(point.moved_bytes)), Num(y.at(point.peak_bytes)));
        path += &match at {
            0 => format!("M{px} {py}"),
            _ => format!("H{px}V{py}"),
        };
    }
    path += &format!("H{}", Num(plot.right()));
    out.line(format_args!(r#"<path class="curve" d="{path}"/>"#));
    for point in curve {
        let text = format!(
            "stack of {} bytes, {} bytes moved",
            grouped(point.peak_bytes),
            grouped(point.moved_bytes)
        );
        let mark = Area {
            x: x.at(point.moved_bytes) - MARK,
            y: y.at(point.peak_bytes) - MARK,
            width: 2.0 * MARK,
            height: 2.0 * MARK,
        };
        out.rect("mark", mark, Some(&text));
    }
    let chosen = Area {
        x: x.at(layout.moved_bytes.min(most_moved)) - 2.0 * MARK,
        y: y.at(layout.peak_bytes.min(highest)) - 2.0 * MARK,
        width: 4.0 * MARK,
        height: 4.0 * MARK,
    };
    if layout.peak_bytes <= highest {
        out.rect("chosen", chosen, Some("the layout asked for"));
    }
    ABOVE + HEIGHT + BELOW
}
