//! All paths of a program, without writing it out.
//!
//! The program is run on *states*: what each name stands for, and how large that is (for the load) or where
//! it lies (for a layout). Names that no path uses later on are forgotten, so paths that differ in nothing
//! else have one state from there on, and a turn of a loop that begins with the states of an earlier one
//! need not be run. Work grows with the states that are told apart, of which there may be [`MOST_STATES`] at
//! one place, and not with the paths.
//!
//! For the load, a state goes if another one has the same names of the same values, all at least as large:
//! whatever comes, it cannot be the one that needs most.
//!
//! | step | module |
//! |---|---|
//! | find what names are used later on | `ends` |
//! | tell states apart, and join those that are one | `state` |
//! | run the program on them | `walk` |
//! | what turns cost that come again | `cost` |
//! | one place for each value | `places` |

mod cost;
mod ends;
mod mode;
mod places;
mod state;
mod walk;

use crate::{
    plan::{Placement, Point, limits},
    program::{Block, Item, Var},
    tree::Value,
};
use cost::Cost;
use mode::Mode;
use rustc_hash::FxHashMap;
use walk::Run;

pub use places::Life;

/// So many states are told apart at one place.
pub const MOST_STATES: usize = 256;
/// So many items may be run for a curve.
const CURVE_WORK: u64 = 2_000_000;
/// So many limits are tried for it.
const CURVE_LIMITS: u64 = 32;

/// Why the paths were not followed to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathsError {
    /// Paths differ in too many ways.
    #[error("paths differ in more than {MOST_STATES} ways at one place")]
    States,
    /// Turns differ in too many ways.
    #[error("turns of loops differ in too many ways to follow all of them")]
    Work,
    /// A name is used where it is not known.
    #[error("a name is used where it is not known")]
    Unknown,
    /// There is no place on a stack that is that low.
    #[error("what is moved finds no room")]
    Room,
}

/// What a layout costs, and whether every path puts each value at the same place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walked {
    /// Bytes of the stack.
    pub peak: u64,
    /// How often something is moved to make room, the most over all paths; the same for the two that follow.
    pub defragmentations: u64,
    /// Values moved.
    pub moves: u64,
    /// Bytes moved.
    pub moved_bytes: u64,
    /// The place of each value, where all paths and turns agree on it and nothing moves.
    pub offsets: Option<FxHashMap<Var, u64>>,
}

impl Walked {
    /// One place for each value, if that is given.
    fn still(peak: u64, offsets: Option<FxHashMap<Var, u64>>) -> Self {
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
            defragmentations: cost.times,
            moves: cost.moves,
            moved_bytes: cost.bytes,
            offsets,
        }
    }
}

/// A program, with the strictest alignment of its values, to which sizes are rounded up.
#[derive(Clone, Copy, Debug)]
pub struct Paths<'p> {
    program: &'p Block,
    unit: u64,
}

impl<'p> Paths<'p> {
    /// The paths of a program.
    pub fn new(program: &'p Block) -> Self {
        let mut unit = 1;
        each_value(program, &mut |_, value| {
            unit = unit.max(value.alignment);
        });
        Self { program, unit }
    }

    /// The strictest alignment.
    pub const fn unit(&self) -> u64 {
        self.unit
    }

    fn size(&self, value: &Value) -> u64 {
        value.size.next_multiple_of(self.unit)
    }

    /// The most bytes that are live at once on any path.
    ///
    /// # Errors
    ///
    /// If there is too much to tell apart.
    pub fn load(&self) -> Result<u64, PathsError> {
        Ok(Run::of(self.program, self.unit, Mode::Load)?.peak)
    }

    /// A walk over all paths that uses holes again; a planner's placement is that of the first fit here.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load).
    pub fn scan(&self, placement: Placement) -> Result<Walked, PathsError> {
        Ok(Run::of(self.program, self.unit, Mode::Scan(placement))?.walked())
    }

    /// As [`scan`](Self::scan), with memory moved so that nothing ends above `limit`; a planner's placement
    /// is the cheaper of both fits.
    ///
    /// # Errors
    ///
    /// As for [`load`](Self::load), and if there is no room: below the load.
    pub fn defrag(&self, placement: Placement, limit: u64) -> Result<Walked, PathsError> {
        Ok(self.defrag_work(placement, limit)?.0)
    }

    /// And what work that was.
    fn defrag_work(&self, placement: Placement, limit: u64) -> Result<(Walked, u64), PathsError> {
        let run = |placement| {
            let run = Run::of(self.program, self.unit, Mode::Defrag(placement, limit))?;
            let work = run.work;
            Ok((run.walked(), work))
        };
        match placement {
            Placement::First | Placement::Best => run(placement),
            Placement::Planner => match (run(Placement::First), run(Placement::Best)) {
                (Ok(first), Ok(best)) => {
                    let work = first.1 + best.1;
                    let cheaper = [first, best].into_iter().map(|(walked, _)| walked);
                    let cheaper = cheaper.min_by_key(|one| (one.peak, one.moved_bytes));
                    Ok((cheaper.ok_or(PathsError::Work)?, work))
                }
                (Ok(one), Err(_)) | (Err(_), Ok(one)) => Ok(one),
                (Err(error), Err(_)) => Err(error),
            },
        }
    }

    /// The stack against the most bytes that a path moves, ascending stacks: from the load, if that can be
    /// reached, to `still`, which moves nothing.
    pub fn curve(&self, placement: Placement, load: u64, still: &Walked) -> Vec<Point> {
        let point = |walked: &Walked| Point {
            peak: walked.peak,
            moved_bytes: walked.moved_bytes,
        };
        let mut points: Vec<Point> = Vec::new();
        if still.peak > load
            && let Ok((lowest, work)) = self.defrag_work(placement, load)
        {
            points.push(point(&lowest));
            let most = (CURVE_WORK / work.max(1)).min(CURVE_LIMITS);
            for limit in limits(load, still.peak, self.unit, most).skip(1) {
                let Ok(walked) = self.defrag(placement, limit) else {
                    continue;
                };
                // A higher stack is of use only for fewer bytes moved.
                let next = point(&walked);
                if points
                    .last()
                    .is_some_and(|last| next.moved_bytes < last.moved_bytes)
                {
                    points.retain(|other| other.peak < next.peak);
                    points.push(next);
                }
            }
        }
        points.retain(|other| other.peak < still.peak && other.moved_bytes > 0);
        points.push(point(still));
        points
    }
}

fn each_value(block: &Block, visit: &mut impl FnMut(Var, &Value)) {
    for item in &block.items {
        match item {
            Item::Step { makes, .. } => makes.iter().for_each(|(name, value)| visit(*name, value)),
            Item::Alias { .. } => {}
            Item::Branch { arms, .. } => arms.iter().for_each(|arm| each_value(arm, visit)),
            Item::Loop {
                turns,
                induction,
                body,
                ..
            } => {
                if *turns > 0 {
                    if let Some((name, value)) = induction {
                        visit(*name, value);
                    }
                    each_value(body, visit);
                }
            }
        }
    }
}
