//! What the paths of a program come to, and which layout can be applied to it as it is.

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

/// So many operations are written out, aside, to tell paths apart.
const MOST_ITEMS: usize = 100_000;

/// What the paths of a program come to.
pub struct Decision {
    /// The strictest alignment.
    pub unit: u64,
    /// The most bytes that are live at once.
    pub load: u64,
    /// Without sharing.
    pub plain: u64,
    /// A scan, as the options place values.
    pub scan: Option<StackLayout>,
    /// The lowest stack without moves.
    pub planner: Option<StackLayout>,
    /// With moves.
    pub defrag: Option<StackLayout>,
    /// The layout to apply: one place for each value.
    pub chosen: Option<StackLayout>,
    /// What the options ask for, whether it can be applied or not.
    pub wanted: StackLayout,
    /// When each value may be live, if no two of one name ever are.
    pub lives: Option<Vec<LiveRange>>,
    /// Peaks against bytes moved.
    pub curve: Vec<TradeOffPoint>,
    /// Why there is no layout to apply.
    pub problem: Option<String>,
}

impl Decision {
    /// The layout that is told of: the one to apply, or what the options ask for.
    pub fn told(&self) -> &StackLayout {
        self.chosen.as_ref().unwrap_or(&self.wanted)
    }
}

/// What kind of error it is that paths are not followed to the end.
pub const fn code(error: &PathsError) -> &'static Code {
    match error {
        PathsError::States | PathsError::Work => codes::TOO_VARIED,
        PathsError::Unknown | PathsError::Room => INTERNAL,
    }
}

/// Follows the paths; with `all`, for the report, too.
pub fn decide(
    reading: &Reading<'_>,
    settings: &Settings,
    all: bool,
) -> Result<Decision, PathsError> {
    let paths = Paths::new(&reading.program);
    let load = paths.load()?;
    let mut problem = None;
    let mut note = |error: PathsError| {
        problem.get_or_insert_with(|| error.to_string());
    };
    let one_place = paths.fixed_offsets(settings.effort)?;
    let planner = paths
        .lowest_without_moves(one_place.as_ref())
        .map_err(&mut note)
        .ok();
    let scan = match settings.placement {
        Placement::Planner => planner.clone(),
        other => paths.scan(other).map_err(&mut note).ok(),
    };
    let still = scan.as_ref().or(planner.as_ref());
    let defrag = match still {
        Some(still) if still.peak == load => Some(still.clone()),
        _ => {
            let walked = paths.defrag(settings.placement, load);
            walked.map_err(&mut note).ok()
        }
    };
    let apart = paths.disjoint();
    let plain = paths.plain();
    // Only what is one place for each allocation can be applied, and is checked against all paths at once.
    let candidates = match (settings.mode, settings.placement) {
        (Mode::Plain, _) => vec![apart],
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
    let without = StackLayout {
        peak: plain,
        defragmentations: 0,
        moves: 0,
        moved_bytes: 0,
        offsets: None,
    };
    let curve = match still {
        Some(still) if all => paths.curve(settings.placement, load, still),
        _ => Vec::new(),
    };
    let wanted = match settings.mode {
        Mode::Plain => None,
        Mode::Scan => scan.clone(),
        Mode::Defrag => defrag.clone().or_else(|| scan.clone()),
    };
    let lives = match all {
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
        plain,
        scan,
        planner,
        defrag,
        chosen,
        wanted: wanted.unwrap_or(without),
        lives,
        curve,
        problem,
    })
}

/// What each path costs in the layout that is told of, in the order of the text: the program is written out
/// aside. Nothing for one that becomes large.
pub fn each_path(reading: &Reading<'_>, decision: &Decision, settings: &Settings) -> Vec<PathCost> {
    let Ok((tree, names)) = expand(&reading.program, MOST_ITEMS) else {
        return Vec::new();
    };
    let analysis = Analysis::new(&tree, settings.placement, settings.effort);
    let told = decision.told();
    let costs = |layout: &Layout| -> Vec<PathCost> {
        let paths = layout.paths(&tree, &analysis.load);
        paths.into_iter().map(|(_, cost)| cost).collect()
    };
    if let Some(offsets) = &told.offsets {
        let offsets = names.iter().map(|name| offsets.get(name).copied());
        let offsets: Option<Vec<u64>> = offsets.collect();
        return offsets.map_or_else(Vec::new, |offsets| costs(&Layout::fixed(&tree, offsets)));
    }
    let deaths = &analysis.deaths;
    let fits = [Fit::First, Fit::Best];
    let mut layouts = vec![scan::plain(&tree)];
    layouts.extend(fits.map(|fit| scan::scan(&tree, deaths, fit)));
    layouts.extend(fits.map(|fit| scan::defrag(&tree, deaths, fit, told.peak)));
    // The one that the walk over all paths came to.
    let found = layouts.into_iter().find(|layout| {
        let worst = layout.worst(&tree, &analysis.load);
        (layout.peak, worst.moved_bytes) == (told.peak, told.moved_bytes)
    });
    found.map_or_else(Vec::new, |layout| costs(&layout))
}
