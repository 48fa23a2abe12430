//! Analysis of all paths of a program without expanding it.
//!
//! The program is interpreted on *states*. A state maps each name to the values that it may stand for, with the size of
//! each (for the load) or its offset (for a layout). Names that no later operation uses are dropped, so paths that
//! differ in nothing else reach the same state. An iteration of a loop that starts with the states of an earlier one
//! need not be interpreted again. The work grows with the number of distinct states, not with the number of paths. There
//! may be [`MOST_STATES`] states at one program point.
//!
//! For the load, a state is dominated by another one with the same names for the same values, all at least as large.
//! Dominated states are dropped: the maximum cannot come from them.
//!
//! | task | module |
//! |---|---|
//! | find the names that are used later | `name_liveness` |
//! | distinguish states, and merge equal ones | `state` |
//! | interpret the program on states | `interpreter` |
//! | add up the cost of repeated iterations | `cost` |
//! | find one offset for each value | `placements` |

mod cost;
mod interpreter;
mod mode;
mod name_liveness;
mod placements;
mod state;

use crate::{
    plan::{Placement, TradeOffPoint, limits},
    program::{Block, Item, Var},
    tree::Value,
};
use cost::Cost;
use interpreter::Interpreter;
use mode::Mode;
use rustc_hash::FxHashMap;

pub use placements::LiveRange;

/// The number of distinct states at one program point.
pub const MOST_STATES: usize = 256;
/// The number of items that may be interpreted for a curve, over all states.
const CURVE_WORK: u64 = 2_000_000;
/// The number of limits tried for a curve.
const CURVE_LIMITS: u64 = 32;

/// Why the paths could not be analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathsError {
    /// Too many distinct states at one program point.
    #[error("more than {MOST_STATES} states at one position")]
    States,
    /// Too many items to interpret, or too many iterations that differ.
    #[error("too many different iterations of loops")]
    Work,
    /// A name is used where it is not defined.
    #[error("a name is used where it is not defined")]
    Unknown,
    /// The values do not fit below the limit, even if they are moved.
    #[error("no free offset for a moved value")]
    Room,
}

/// The size and cost of a stack layout, and its offsets if they are the same on every path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackLayout {
    /// The size of the stack, in bytes.
    pub peak: u64,
    /// The number of operations before which values are moved; like the next two, the maximum over all paths.
    pub defragmentations: u64,
    /// The number of values moved.
    pub moves: u64,
    /// The number of bytes moved.
    pub moved_bytes: u64,
    /// The offset of each value, if it is the same on all paths and in all iterations, and nothing moves.
    pub offsets: Option<FxHashMap<Var, u64>>,
}

impl StackLayout {
    /// A layout without moves.
    fn without_moves(peak: u64, offsets: Option<FxHashMap<Var, u64>>) -> Self {
        Self {
            peak,
            defragmentations: 0,
            moves: 0,
            moved_bytes: 0,
            offsets,
        }
    }

    fn of(peak: u64, cost: Cost, offsets: Option<FxHashMap<Var, u64>>) -> Self {
        Self {
            peak,
            defragmentations: cost.defragmentations,
            moves: cost.moves,
            moved_bytes: cost.bytes,
            offsets,
        }
    }
}

/// A program, with the strictest alignment of its values. With moves, sizes are rounded up to it.
#[derive(Clone, Copy, Debug)]
pub struct Paths<'p> {
    program: &'p Block,
    unit: u64,
}

impl<'p> Paths<'p> {
    /// The paths of `program`.
    pub fn new(program: &'p Block) -> Self {
        let mut unit = 1;
        each_value(program, &mut |_, value| {
            unit = unit.max(value.alignment);
        });
        Self { program, unit }
    }

    /// The strictest alignment of the values.
    pub const fn unit(&self) -> u64 {
        self.unit
    }

    /// The most bytes that are live at once on any path.
    ///
    /// # Errors
    ///
    /// If there are too many states or too many items to interpret.
    pub fn load(&self) -> Result<u64, PathsError> {
        Ok(Interpreter::run(self.program, self.unit, Mode::Load)?.peak)
    }

    /// The same with sizes rounded up to the strictest alignment. A layout with moves needs no more, if nothing is pinned.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load).
    pub fn rounded_load(&self) -> Result<u64, PathsError> {
        Ok(Interpreter::run(self.program, self.unit, Mode::RoundedLoad)?.peak)
    }

    /// A layout that reuses the bytes of a value after its last use. `Placement::Planner` is first fit here.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load).
    pub fn scan(&self, placement: Placement) -> Result<StackLayout, PathsError> {
        Ok(Interpreter::run(self.program, self.unit, Mode::Scan(placement))?.into_layout())
    }

    /// Like [`scan`](Self::scan), but moves values so that none ends above `limit`. `Placement::Planner` takes the
    /// cheaper one of first fit and best fit.
    ///
    /// # Errors
    ///
    /// Like [`load`](Self::load), and if the values do not fit: the limit is below the load, or pinned values leave
    /// too little space.
    pub fn defrag(&self, placement: Placement, limit: u64) -> Result<StackLayout, PathsError> {
        Ok(self.defrag_work(placement, limit)?.0)
    }

    /// Like [`defrag`](Self::defrag). Also returns the number of items interpreted.
    fn defrag_work(
        &self,
        placement: Placement,
        limit: u64,
    ) -> Result<(StackLayout, u64), PathsError> {
        let run = |placement| {
            let run = Interpreter::run(self.program, self.unit, Mode::Defrag(placement, limit))?;
            let work = run.work;
            Ok((run.into_layout(), work))
        };
        match placement {
            Placement::First | Placement::Best => run(placement),
            Placement::Planner => match (run(Placement::First), run(Placement::Best)) {
                (Ok(first), Ok(best)) => {
                    let work = first.1 + best.1;
                    let cheaper = [first, best].into_iter().map(|(stack, _)| stack);
                    let cheaper = cheaper.min_by_key(|one| (one.peak, one.moved_bytes));
                    Ok((cheaper.ok_or(PathsError::Work)?, work))
                }
                (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
                (Err(error), Err(_)) => Err(error),
            },
        }
    }

    /// The trade-off curve of stack size against the most bytes that a path moves, by ascending sizes: from `load`, that
    /// of rounded sizes, if it can be reached, to `unmoved`, the layout without moves.
    pub fn curve(
        &self,
        placement: Placement,
        load: u64,
        unmoved: &StackLayout,
    ) -> Vec<TradeOffPoint> {
        let point = |stack: &StackLayout| TradeOffPoint {
            peak: stack.peak,
            moved_bytes: stack.moved_bytes,
        };
        let mut points: Vec<TradeOffPoint> = Vec::new();
        if unmoved.peak > load
            && let Ok((lowest, work)) = self.defrag_work(placement, load)
        {
            points.push(point(&lowest));
            let most = (CURVE_WORK / work.max(1)).min(CURVE_LIMITS);
            for limit in limits(load, unmoved.peak, self.unit, most).skip(1) {
                let Ok(stack) = self.defrag(placement, limit) else {
                    continue;
                };
                // A higher stack is useful only if it moves fewer bytes.
                let next = point(&stack);
                if points
                    .last()
                    .is_some_and(|last| next.moved_bytes < last.moved_bytes)
                {
                    points.retain(|other| other.peak < next.peak);
                    points.push(next);
                }
            }
        }
        points.retain(|other| other.peak < unmoved.peak && other.moved_bytes > 0);
        points.push(point(unmoved));
        points
    }
}

fn each_value(block: &Block, visit: &mut impl FnMut(Var, &Value)) {
    for item in &block.items {
        match item {
            Item::Step { defines, .. } => {
                defines.iter().for_each(|(name, value)| visit(*name, value))
            }
            Item::Alias { .. } => {}
            Item::Branch { arms, .. } => arms.iter().for_each(|arm| each_value(arm, visit)),
            Item::Loop {
                trip_count,
                induction,
                body,
                ..
            } => {
                if *trip_count > 0 {
                    if let Some((name, value)) = induction {
                        visit(*name, value);
                    }
                    each_value(body, visit);
                }
            }
        }
    }
}
