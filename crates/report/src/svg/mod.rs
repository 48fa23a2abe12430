//! The picture of a plan: time across, address up, a box for each live range, the peak marked. In a gap of a buffer is
//! an outline, and a box for the bytes that stay in use.
//!
//! Each scope gets a panel; panels stand below each other. Under the boxes runs the load curve.
//! Buffers that are live at the peak are of a warm colour: these are the ones to look at where
//! the peak should go down. Buffers joined in place have a dashed edge. The mouse over a box
//! shows everything that the report says about it. Where operations run strip by strip, a lane below the boxes has a bar
//! for each such loop, and line buffers have an outline.
//!
//! Below the panels of a bounded program lies its curve: the stack against the bytes that are moved. Below those of a
//! function with costs in memory spaces lies the curve of these against the bytes of a space.

mod axis;
mod boxes;
mod costs;
mod curve;
mod panel;
mod strips;
mod style;
mod write;

use crate::{FunctionReport, compare::Pair};
use panel::Panel;
pub(crate) use write::Escaped;
use write::{Area, Num, Writer};

/// The least height of boxes in pixels.
const LEAST_HEIGHT: f64 = 80.0;

/// How large the picture is and what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Width of the picture in pixels; at least 640.
    pub width: u32,
    /// Height of the part of a panel that holds the boxes; at least 80.
    pub map_height: u32,
    /// Only the scope of this number, in each function that has it.
    pub scope: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            width: 1200,
            map_height: 400,
            scope: None,
        }
    }
}

/// The scopes of `functions` as one SVG document, which stands on its own and holds no script.
pub fn map<'a>(
    functions: impl IntoIterator<Item = &'a FunctionReport>,
    options: &Options,
) -> String {
    let width = f64::from(options.width.max(640));
    let map_height = f64::from(options.map_height).max(LEAST_HEIGHT);
    let wanted = |number: usize| options.scope.is_none_or(|scope| scope == number);
    let mut body = Writer::default();
    let mut height = 0.0;
    for function in functions {
        for number in (0..function.scopes.len()).filter(|&number| wanted(number)) {
            height += Panel::new(function, number, width, map_height).draw(&mut body, height);
        }
        if let Some(layout) = curve::of(function)
            && options.scope.is_none()
        {
            height += curve::draw(function, layout, width, height, &mut body);
        }
        if let Some(report) = costs::of(function)
            && options.scope.is_none()
        {
            height += costs::draw(function, report, width, height, &mut body);
        }
    }
    document(width, height, &body.into_text())
}

/// The scopes of functions of two reports, those of a function below each other, with the same bytes a pixel.
pub fn compared(pairs: &[Pair<'_>], [before, after]: [&str; 2], options: &Options) -> String {
    let width = f64::from(options.width.max(640));
    let wanted = |number: usize| options.scope.is_none_or(|scope| scope == number);
    let mut body = Writer::default();
    let mut height = 0.0;
    for pair in pairs {
        let both = [(pair.before, before), (pair.after, after)];
        let scopes = both
            .iter()
            .filter_map(|(function, _)| *function)
            .flat_map(|one| &one.scopes);
        let largest = scopes
            .map(|scope| scope.planned_bytes)
            .max()
            .unwrap_or(0)
            .max(1);
        for (function, file) in both {
            let Some(function) = function else {
                continue;
            };
            let named = FunctionReport {
                name: format!("{} ({file})", function.name),
                ..function.clone()
            };
            for number in (0..named.scopes.len()).filter(|&number| wanted(number)) {
                let share = named.scopes[number].planned_bytes as f64 / largest as f64;
                let map_height = (f64::from(options.map_height) * share).max(LEAST_HEIGHT);
                height += Panel::new(&named, number, width, map_height).draw(&mut body, height);
            }
        }
    }
    document(width, height, &body.into_text())
}

/// The curve of a function that has one, alone.
pub(crate) fn curve(function: &FunctionReport) -> Option<String> {
    let width = f64::from(Options::default().width);
    let mut body = Writer::default();
    let height = curve::draw(function, curve::of(function)?, width, 0.0, &mut body);
    Some(document(width, height, &body.into_text()))
}

/// The curve of the costs of a function that has one, alone.
pub(crate) fn cost_curve(function: &FunctionReport) -> Option<String> {
    let width = f64::from(Options::default().width);
    let mut body = Writer::default();
    let height = costs::draw(function, costs::of(function)?, width, 0.0, &mut body);
    Some(document(width, height, &body.into_text()))
}

/// Whether a function has a curve to draw, with or without scopes.
pub fn has_curve(function: &FunctionReport) -> bool {
    curve::of(function).is_some() || costs::of(function).is_some()
}

fn document(width: f64, height: f64, body: &str) -> String {
    let (w, h) = (Num(width), Num(height));
    let mut out = Writer::default();
    out.line(format_args!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="memplan" width="{w}" height="{h}" viewBox="0 0 {w} {h}">"#
    ));
    out.line(format_args!("<style>{}</style>", style::SHEET));
    out.rect(
        "page",
        Area {
            x: 0.0,
            y: 0.0,
            width,
            height,
        },
        None,
    );
    out.into_text() + body + "</svg>\n"
}
