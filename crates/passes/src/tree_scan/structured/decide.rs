//! Computes layouts over all paths of a program, and selects the one to apply.

use super::{
    super::{
        codes,
        settings::{Mode, Settings},
    },
    Reading,
};
use crate::codes::INTERNAL;
use memplan_bounded::{
    Analysis, Layout, PathCost, Placement, TradeOffPoint,
    paths::{LiveRange, Paths, PathsError, StackLayout},
    program::expand,
    scan::{self, Fit},
};
use memplan_mlir::codes::Code;

/// Limit of the operations of an expanded copy of the program, in which the costs of single paths are
/// computed.
const MAX_ITEMS: usize = 100_000;

/// The layouts of a program.
pub struct Decision {
    /// The strictest alignment, in bytes.
    pub unit: u64,
    /// The most bytes that are live at once.
    pub load: u64,
    /// The same with sizes rounded up to the strictest alignment.
    pub rounded_load: u64,
    /// The size of a stack without sharing, in bytes.
    pub plain: u64,
    /// The layout without moves, by the placement that the options select.
    pub scan: Option<StackLayout>,
    /// The lowest layout without moves.
    pub planner: Option<StackLayout>,
    /// The layout with moves.
    pub defrag: Option<StackLayout>,
    /// The layout to apply: one offset for each value.
    pub chosen: Option<StackLayout>,
    /// The layout that the options select, even if it cannot be applied.
    pub requested: StackLayout,
    /// The live ranges of the values, if no two values of one variable are live at once.
    pub live_ranges: Option<Vec<LiveRange>>,
    /// The peak for each number of moved bytes.
    pub curve: Vec<TradeOffPoint>,
    /// The reason why no layout can be applied.
    pub problem: Option<String>,
}

impl Decision {
    /// The layout to report: the one to apply, or else the one that the options select.
    pub fn reported(&self) -> &StackLayout {
        self.chosen.as_ref().unwrap_or(&self.requested)
    }
}

/// The code of an error of the analysis of paths.
pub const fn code(error: &PathsError) -> &'static Code {
    match error {
        PathsError::States | PathsError::Work => codes::TOO_MANY_PATHS,
        PathsError::Unknown | PathsError::Room => INTERNAL,
    }
}

/// Computes the layouts. With `all`, also those for the report alone.
pub fn decide(
    reading: &Reading<'_>,
    settings: &Settings,
    all: bool,
) -> Result<Decision, PathsError> {
    let paths = Paths::new(&reading.program);
    let (load, rounded_load) = (paths.load()?, paths.rounded_load()?);
    let mut problem = None;
    let mut record = |error: PathsError| {
        problem.get_or_insert_with(|| error.to_string());
    };
    let one_place = paths.fixed_offsets(settings.effort)?;
    let planner = paths
        .lowest_without_moves(one_place.as_ref())
        .map_err(&mut record)
        .ok();
    let scan = match settings.placement {
        Placement::Planner => planner.clone(),
        other => paths.scan(other).map_err(&mut record).ok(),
    };
    let without_moves = scan.as_ref().or(planner.as_ref());
    let defrag = match without_moves {
        Some(without_moves) if without_moves.peak <= rounded_load => Some(without_moves.clone()),
        _ => {
            let walked = paths.defrag(settings.placement, rounded_load);
            walked.map_err(&mut record).ok()
        }
    };
    let without_sharing = paths.disjoint();
    let plain = paths.plain();
    // A layout can be applied if it has one offset for each allocation. It is checked against all paths at
    // once.
    let candidates = match (settings.mode, settings.placement) {
        (Mode::Plain, _) => vec![without_sharing],
        (Mode::Scan, Placement::Planner) => vec![scan.clone(), one_place],
        (Mode::Scan, _) => vec![scan.clone()],
        (Mode::Defrag, _) => vec![defrag.clone(), scan.clone(), one_place],
    };
    let chosen = candidates
        .into_iter()
        .flatten()
        .filter(|walked| {
            let offsets = walked.offsets.as_ref();
            offsets.is_some_and(|offsets| paths.offsets_are_valid(offsets).unwrap_or(false))
        })
        .min_by_key(|walked| walked.peak);
    let no_layout = StackLayout {
        peak: plain,
        defragmentations: 0,
        moves: 0,
        moved_bytes: 0,
        offsets: None,
    };
    let curve = match without_moves {
        Some(without_moves) if all => paths.curve(settings.placement, rounded_load, without_moves),
        _ => Vec::new(),
    };
    let requested = match settings.mode {
        Mode::Plain => None,
        Mode::Scan => scan.clone(),
        Mode::Defrag => defrag.clone().or_else(|| scan.clone()),
    };
    let live_ranges = match all {
        true => paths.live_ranges()?,
        false => None,
    };
    if chosen.is_none() {
        let why = match settings.mode {
            Mode::Plain => {
                "with mode=plain, an allocation in a loop has an offset for each iteration"
            }
            _ => {
                "no assignment of one offset to each allocation is valid on all paths and in \
            all iterations"
            }
        };
        problem.get_or_insert_with(|| why.to_owned());
    } else {
        problem = None;
    }
    Ok(Decision {
        unit: paths.unit(),
        load,
        rounded_load,
        plain,
        scan,
        planner,
        defrag,
        chosen,
        requested: requested.unwrap_or(no_layout),
        live_ranges,
        curve,
        problem,
    })
}

/// The cost of each path in the reported layout, in textual order. The costs are computed on an expanded copy
/// of the program. The result is empty if the copy exceeds `MAX_ITEMS`.
pub fn each_path(reading: &Reading<'_>, decision: &Decision, settings: &Settings) -> Vec<PathCost> {
    let Ok((tree, names)) = expand(&reading.program, MAX_ITEMS) else {
        return Vec::new();
    };
    let analysis = Analysis::new(&tree, settings.placement, settings.effort);
    let reported = decision.reported();
    let costs = |layout: &Layout| -> Vec<PathCost> {
        let paths = layout.paths(&tree, &analysis.load);
        paths.into_iter().map(|(_, cost)| cost).collect()
    };
    if let Some(offsets) = &reported.offsets {
        let offsets = names.iter().map(|name| offsets.get(name).copied());
        let offsets: Option<Vec<u64>> = offsets.collect();
        return offsets.map_or_else(Vec::new, |offsets| costs(&Layout::fixed(&tree, offsets)));
    }
    let deaths = &analysis.deaths;
    let fits = [Fit::First, Fit::Best];
    let mut layouts = vec![scan::plain(&tree)];
    layouts.extend(fits.map(|fit| scan::scan(&tree, deaths, fit)));
    layouts.extend(fits.map(|fit| scan::defrag(&tree, deaths, fit, reported.peak)));
    // The layout that the walk over all paths computed.
    let found = layouts.into_iter().find(|layout| {
        let worst = layout.worst(&tree, &analysis.load);
        (layout.peak, worst.moved_bytes) == (reported.peak, reported.moved_bytes)
    });
    found.map_or_else(Vec::new, |layout| costs(&layout))
}
