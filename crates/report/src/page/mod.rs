//! The plan as one page to look at closely: to zoom and pan, search, walk through by keyboard, and see before and
//! after.
//!
//! The page stands on its own: style, scripts and the plan are in it, and it asks for nothing. What it shows is in
//! its address, so that a place in it can be kept and sent.

mod data;

use crate::FunctionReport;
use crate::svg::Escaped;
use data::Data;

const STYLE: &str = include_str!("style.css");
/// In the order in which they run, as one module.
const SCRIPTS: [&str; 15] = [
    include_str!("script/units.js"),
    include_str!("script/index.js"),
    include_str!("script/plan.js"),
    include_str!("script/view.js"),
    include_str!("script/theme.js"),
    include_str!("script/raster.js"),
    include_str!("script/canvas.js"),
    include_str!("script/map.js"),
    include_str!("script/labels.js"),
    include_str!("script/load.js"),
    include_str!("script/strips.js"),
    include_str!("script/details.js"),
    include_str!("script/state.js"),
    include_str!("script/page.js"),
    include_str!("script/input.js"),
];

/// The page of `functions` under a title: of all their scopes, or in each function only of the one of that number.
/// The same functions give the same bytes.
pub fn page<'a>(
    title: &'a str,
    functions: impl IntoIterator<Item = &'a FunctionReport>,
    scope: Option<usize>,
) -> String {
    format!(
        include_str!("page.html"),
        title = Escaped(title),
        style = STYLE,
        data = Data::new(title, functions, scope).to_json(),
        script = SCRIPTS.join("\n"),
    )
}
