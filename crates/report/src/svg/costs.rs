//! What buffers cost against the bytes of a memory space.

use super::axis::{self, Scale};
use super::write::{Area, Escaped, Num, Writer};
use crate::columns::clipped_to;
use crate::costs::{self, CostPoint, CostProof};
use crate::units::{grouped, short};
use crate::{CostReport, FunctionReport};

const LEFT: f64 = 110.0;
const RIGHT: f64 = 136.0;
const ABOVE: f64 = 74.0;
const BELOW: f64 = 58.0;
const HEIGHT: f64 = 260.0;
/// Half a mark.
const MARK: f64 = 4.0;

/// The costs of a function that has a curve of them.
pub fn of(function: &FunctionReport) -> Option<&CostReport> {
    let costs = function.costs.as_ref()?;
    let is_known = |point: &CostPoint| point.cost.is_some();
    costs.curve.iter().any(is_known).then_some(costs)
}

/// Draws the curve of a function from `top` on; returns the height of the panel.
pub fn draw(
    function: &FunctionReport,
    report: &CostReport,
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
    let curve = &report.curve;
    let most = curve.last().map_or(0, |point| point.budget_bytes);
    let highest = curve.iter().filter_map(|point| point.cost);
    let highest = highest.fold(report.cost, f64::max);
    let x = Scale::new((0, most), (plot.x, plot.right() - 12.0));
    let up = (plot.height - 12.0) / if highest > 0.0 { highest } else { 1.0 };
    let y = |cost: f64| plot.bottom() - up * cost;
    let room = (plot.width / 10.0) as usize;
    let space = match report.memory_space.as_str() {
        "" => "the default memory space".to_owned(),
        space => format!("memory space {space}"),
    };
    let title = format!("@{} · cost against bytes of {space}", function.name);
    out.label("title", (LEFT, top + 32.0), &clipped_to(&title, room));
    let facts = format!(
        "chosen: {} · cost {} · at least {} · copies of {} · dashed: lower bound",
        report.budget_bytes.map_or("no limit".to_owned(), short),
        costs::number(report.cost),
        costs::number(report.lower_bound),
        short(report.copied_bytes),
    );
    out.label("fact", (LEFT, top + 52.0), &facts);
    out.rect("plot", plot, None);
    for cost in ticks(highest) {
        let at = y(cost);
        out.stroke("grid", (plot.x, at), (plot.right(), at));
        out.label("end", (plot.x - 8.0, at + 4.0), &brief(cost));
    }
    for (bytes, label) in axis::sizes(most, (plot.width / 90.0) as u64) {
        let at = x.at(bytes);
        out.stroke("frame", (at, plot.bottom()), (at, plot.bottom() + 4.0));
        out.label("mid", (at, plot.bottom() + 17.0), &label);
    }
    let across = format!("bytes of {space}");
    let middle = (plot.middle().0, plot.bottom() + 38.0);
    out.label("mid", middle, &clipped_to(&across, room));
    out.label_upwards(
        "mid",
        (18.0, plot.middle().1),
        &clipped_to(&format!("cost, {}", report.unit), 24),
    );
    out.stroke("frame", (plot.x, plot.y), (plot.x, plot.bottom()));
    out.stroke(
        "frame",
        (plot.x, plot.bottom()),
        (plot.right(), plot.bottom()),
    );
    let known = |of: fn(&CostPoint) -> Option<f64>| {
        let points = curve.iter();
        points.filter_map(move |point| Some((point.budget_bytes, of(point)?)))
    };
    let right = plot.right();
    // Fewer bytes than the next point has do not lower the cost. Between two points, the bound of the next one holds.
    out.line(format_args!(
        r#"<path class="bound" fill="none" d="{}"/>"#,
        steps(known(|point| point.lower_bound), &x, y, right, false)
    ));
    out.line(format_args!(
        r#"<path class="curve" d="{}"/>"#,
        steps(known(|point| point.cost), &x, y, right, true)
    ));
    let end = curve.last().and_then(|point| point.cost);
    if let Some(cost) = end {
        out.label("in2", (right + 8.0, y(cost) + 4.0), &costs::number(cost));
    }
    for point in curve {
        let Some(cost) = point.cost else { continue };
        let mark = around(x.at(point.budget_bytes), y(cost), MARK);
        let option = report.option(point.budget_bytes);
        // A page lets the mark be chosen by this.
        out.line(format_args!(
            r#"<rect class="mark" x="{}" y="{}" width="{}" height="{}" data-option="{}"><title>{}</title></rect>"#,
            Num(mark.x),
            Num(mark.y),
            Num(mark.width),
            Num(mark.height),
            Escaped(&option),
            Escaped(&about(point, cost, &option)),
        ));
    }
    let budget = report.budget_bytes.unwrap_or(most).min(most);
    let chosen = around(x.at(budget), y(report.cost), 2.0 * MARK);
    out.rect("chosen", chosen, Some("the assignment of the program"));
    ABOVE + HEIGHT + BELOW
}

/// What the mouse says over a point.
fn about(point: &CostPoint, cost: f64, option: &str) -> String {
    let proof = match point.proof {
        CostProof::Optimal => "the least possible".to_owned(),
        _ => {
            let bound = point.lower_bound.unwrap_or(0.0);
            format!("at least {}", costs::number(bound))
        }
    };
    let copied = grouped(point.copied_bytes.unwrap_or(0));
    let cost = costs::number(cost);
    format!("{option}\ncost {cost}, {proof}\ncopies of {copied} bytes")
}

/// Points as steps down, to the right edge: at a point, or for all that is before it.
fn steps(
    points: impl Iterator<Item = (u64, f64)>,
    x: &Scale,
    y: impl Fn(f64) -> f64,
    right: f64,
    is_at_point: bool,
) -> String {
    let mut path = String::new();
    for (at, (bytes, cost)) in points.enumerate() {
        let (px, py) = (Num(x.at(bytes)), Num(y(cost)));
        path += &match (at, is_at_point) {
            (0, _) => format!("M{px} {py}"),
            (_, true) => format!("H{px}V{py}"),
            (_, false) => format!("V{py}H{px}"),
        };
    }
    path + &format!("H{}", Num(right))
}

fn around(x: f64, y: f64, half: f64) -> Area {
    Area {
        x: x - half,
        y: y - half,
        width: 2.0 * half,
        height: 2.0 * half,
    }
}

/// Round costs from 0 to the highest, about five.
fn ticks(highest: f64) -> Vec<f64> {
    if highest <= 0.0 {
        return vec![0.0];
    }
    let power = 10f64.powf((highest / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps
        .into_iter()
        .find(|step| step * 5.0 >= highest)
        .unwrap_or(power * 10.0);
    let count = (highest / step).floor() as usize;
    (0..=count).map(|number| number as f64 * step).collect()
}

/// A cost to three digits: `1.25 M`.
fn brief(cost: f64) -> String {
    let units = [
        ("", 1.0),
        (" k", 1e3),
        (" M", 1e6),
        (" G", 1e9),
        (" T", 1e12),
    ];
    let (name, unit) = units
        .into_iter()
        .rev()
        .find(|(_, unit)| cost >= *unit)
        .unwrap_or(("", 1.0));
    let text = format!("{:.2}", cost / unit);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text}{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0), [0.0]);
        assert_eq!(ticks(4096.0), [0.0, 1000.0, 2000.0, 3000.0, 4000.0]);
        assert_eq!(ticks(1.1e9), [0.0, 5e8, 1e9]);
        for highest in [1e-3, 7.0, 99.9, 1e18] {
            let all = ticks(highest);
            assert!((2..=7).contains(&all.len()), "{highest}: {all:?}");
        }
    }

    #[test]
    fn costs_have_three_digits() {
        let texts = [0.0, 0.5, 250.0, 1500.0, 2e6, 3e13].map(brief);
        assert_eq!(texts, ["0", "0.5", "250", "1.5 k", "2 M", "30 T"]);
    }
}
