//! The work on one function.

use super::{
    around::Around,
    beside::{Early, early},
    curve::{Curve, points, units},
    limits::Limits,
    price::others,
    read::Reading,
    settings::Settings,
    write::write,
};
use crate::{
    coalescing,
    memory_spaces::{
        costs::{forget, record, recorded},
        names::space_name,
    },
    merge_alloc::{Bytes, MemoryNeeds, unplanned_bytes},
};
use memplan_lifetimes::{Analysis, Callees, program::ScopeId};
use memplan_mlir::ir::{Op, symbol_name};
use memplan_placement::{Gap, Outcome as Solved, Plan, Proof, Shortage, SpaceSet, solve};
use memplan_report::CostReport;
use memplan_semantics::{Semantics, attributes};

/// Most problems that are solved for a function, each with tighter limits than the one before.
const MOST_ROUNDS: usize = 8;

/// Number of budgets in a file of curves, unless it is given.
const POINTS: u64 = 17;

/// What happened to a function.
#[derive(Default)]
pub struct Outcome<'c> {
    /// Buffers that are in other spaces, or not in one for life, or computed again.
    pub moved: Vec<Moved<'c>>,
    /// Copies that were added.
    pub copies: u64,
    /// Those of them that run beside operations.
    pub beside: u64,
    /// Operations that compute contents again.
    pub repeated: u64,
    /// Bytes that they move, all executions together.
    pub bytes: u64,
    /// What it costs at several budgets, with its problem.
    pub curve: Option<Curve>,
    /// The same for reports; `None` if the function has nothing to assign.
    pub costs: Option<CostReport>,
    /// Whether costs at the function are new.
    pub is_recorded: bool,
    /// What the function costs, what it costs without limits, and what it costs at least.
    pub cost: u128,
    pub unlimited: u128,
    pub bound: u128,
    /// The bytes that the function needs then, with its callees.
    pub needs: Bytes,
}

/// A buffer that is not in its own space for life.
pub struct Moved<'c> {
    pub alloc: Op<'c>,
    pub size: u64,
    /// Its spaces one after the other, by index, beginning with the first that is used.
    pub spaces: Vec<usize>,
    /// How often its contents are computed again.
    pub again: usize,
}

/// Why a function cannot keep the limits.
pub enum Error<'c> {
    /// Too many bytes are needed at once, each with the operation there and the allocations.
    Short(Vec<Short<'c>>),
    /// No plan was found; whether it is certain that there is none.
    None { is_certain: bool },
    /// Memplan did not understand what it wrote.
    Internal,
}

/// A place where a space is too small.
pub struct Short<'c> {
    pub shortage: Shortage,
    pub at: Option<Op<'c>>,
    /// The allocations that must be there, with their bytes.
    pub buffers: Vec<(Op<'c>, u64)>,
    /// Bytes that callers need at least.
    pub callers: u64,
    /// Bytes that callees of the function itself need.
    pub callees: u64,
}

impl Outcome<'_> {
    /// Whether the function changed.
    pub fn is_changed(&self) -> bool {
        !self.moved.is_empty() || self.is_recorded
    }
}

/// Assigns the buffers of a function to spaces.
pub fn function<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    (settings, around): (&Settings, &Around),
) -> Result<Outcome<'c>, Error<'c>> {
    let analysis = settings.how.analyse(function, semantics, callees);
    if analysis.program.has_arena || analysis.plannable.is_empty() {
        return Ok(Outcome {
            needs: needs(&analysis, settings, around),
            ..Outcome::default()
        });
    }
    let in_place = settings.how.in_place;
    let reading = Reading::of(&analysis, semantics, settings, around, in_place);
    let unlimited = unlimited(&reading, settings)?;
    let others = match settings.curve.is_empty() {
        true => 0,
        false => others(&reading, semantics, settings),
    };
    let count = match settings.points {
        0 if !settings.curve.is_empty() => POINTS,
        count => count,
    };
    // Before anything is written, as the problem is of the program as it is.
    let points = points(&reading.problem, settings, count);
    let mut rounds = Rounds {
        function,
        callees,
        settings,
        around,
        bound: None,
    };
    let mut found = rounds.assign(&reading, semantics)?;
    let bound = rounds.bound;
    if found.is_none() {
        // Buffers in different spaces do not share bytes.
        let reading = Reading::of(&analysis, semantics, settings, around, false);
        found = match rounds.assign(&reading, semantics) {
            // It counts more bytes than are needed.
            Err(Error::Short(_) | Error::None { .. }) => None,
            found => found?,
        };
    }
    let outcome = found.ok_or(Error::None { is_certain: false })?;
    let bound = bound.filter(|bound| *bound <= outcome.cost);
    let mut outcome = Outcome {
        bound: bound.unwrap_or(0),
        unlimited,
        ..outcome
    };
    let space = &settings.spaces[settings.limited()];
    let costs = CostReport {
        unit: settings.unit.clone(),
        memory_space: space.memory_space.clone(),
        budget_bytes: space.limit,
        cost: units(outcome.cost),
        lower_bound: units(outcome.bound),
        copied_bytes: outcome.bytes,
        curve: points,
    };
    if !settings.curve.is_empty() {
        outcome.curve = Some(Curve {
            name: symbol_name(function),
            space: space_name(&space.memory_space).to_owned(),
            points: costs.curve.clone(),
            others: units(others),
            problem: reading.problem.clone(),
        });
    }
    if outcome.is_changed() {
        forget(function);
    }
    // A second run finds copies of the first one, and has nothing to say of the program as it was.
    if settings.points > 0 && recorded(function).is_none() {
        record(function, &costs);
        outcome.is_recorded = true;
    }
    outcome.costs = Some(costs);
    Ok(outcome)
}

/// Solves, writes, and looks at what was written.
struct Rounds<'i, 'c> {
    function: Op<'c>,
    callees: &'i dyn Callees,
    settings: &'i Settings,
    around: &'i Around,
    /// What each assignment costs at least: that of the first problem, which has the limits of the spaces.
    bound: Option<u128>,
}

impl<'c> Rounds<'_, 'c> {
    /// Assigns the buffers to spaces; `None` if all plans exceed a limit.
    fn assign(
        &mut self,
        reading: &Reading<'_, 'c>,
        semantics: &mut Semantics,
    ) -> Result<Option<Outcome<'c>>, Error<'c>> {
        let settings = self.settings;
        let mut limits = Limits::of(&reading.problem);
        for round in 0..MOST_ROUNDS {
            let problem = limits.problem(&reading.problem);
            let (plan, bound) = match solve(&problem, &settings.effort) {
                Ok(Solved::Plan(plan, Proof::Optimal)) => {
                    let cost = plan.cost;
                    (plan, cost)
                }
                Ok(Solved::Plan(plan, Proof::AtLeast(bound))) => (plan, bound),
                Err(_) => return Err(Error::Internal),
                // The limits are tighter than those of the spaces.
                Ok(_) if round > 0 => match limits.tighten_most() {
                    true => continue,
                    false => return Ok(None),
                },
                Ok(Solved::Short(short)) => {
                    return Err(shortages(reading, short, settings, self.around));
                }
                Ok(Solved::Impossible) => return Err(Error::None { is_certain: true }),
                Ok(Solved::Unknown) => return Ok(None),
            };
            self.bound = self.bound.or(Some(bound));
            let plan = reading.without_breaks(plan);
            let early = early(reading, &plan, settings);
            let mut over = None;
            // Copies that run beside operations may need room that fragmentation takes.
            let forms = [(!early.is_empty()).then_some(early), Some(Early::default())];
            for early in forms.into_iter().flatten() {
                let Some(written) = write(reading, semantics, settings, (&plan, &early)) else {
                    return Err(Error::Internal);
                };
                let anew = settings.how.analyse(self.function, semantics, self.callees);
                let needs = needs(&anew, settings, self.around);
                over = excess(&needs, settings, self.around);
                if over.is_some() {
                    written.undo();
                    continue;
                }
                let outcome = Outcome {
                    moved: moved(reading, &plan),
                    copies: written.copies,
                    bytes: written.bytes,
                    beside: written.beside,
                    repeated: written.repeated,
                    cost: plan.cost,
                    needs,
                    ..Outcome::default()
                };
                written.keep();
                attributes::forget_pieces(self.function);
                return Ok(Some(outcome));
            }
            let Some((space, bytes)) = over else {
                return Err(Error::Internal);
            };
            // Fragmentation, alignment, or bytes that are not reused in place as before. Each round takes more.
            let is_tighter = match round + 2 < MOST_ROUNDS {
                true => limits.tighten(space, bytes << round),
                false => limits.take_all(space),
            };
            if !is_tighter {
                break;
            }
        }
        Ok(None)
    }
}

/// What the function costs without limits, in the best spaces.
fn unlimited<'c>(reading: &Reading<'_, 'c>, settings: &Settings) -> Result<u128, Error<'c>> {
    let mut problem = reading.problem.clone();
    problem.fixed.clear();
    problem
        .spaces
        .iter_mut()
        .for_each(|space| space.capacity = None);
    match solve(&problem, &settings.effort) {
        Ok(Solved::Plan(plan, _)) => Ok(plan.cost),
        _ => Err(Error::Internal),
    }
}

/// The bytes that a function needs, with its callees: arenas, allocations that are in none, and those of parallel bodies.
fn needs(analysis: &Analysis<'_>, settings: &Settings, around: &Around) -> Bytes {
    let scopes = analysis.program.scopes.len();
    let mut needs = MemoryNeeds::new(scopes, &around.callees(analysis));
    for space in coalescing::spaces(analysis, settings.how.alignment) {
        let bytes = space.planned(analysis);
        needs.add(space.scope, &space.memory_space, bytes);
    }
    // From the inside out.
    for scope in (0..scopes).rev().map(ScopeId::new) {
        needs.set_beside(scope, unplanned_bytes(analysis, scope));
        needs.close(&analysis.program, scope);
    }
    needs.whole(ScopeId::new(0))
}

/// The first space whose limit is exceeded, with the bytes that are too many.
fn excess(needs: &Bytes, settings: &Settings, around: &Around) -> Option<(usize, u64)> {
    let mut all = around.callers.clone();
    all.resize(settings.spaces.len(), 0);
    for (printed, bytes) in needs {
        if let Some(space) = settings.index(printed) {
            all[space] = all[space].saturating_add(*bytes);
        }
    }
    let mut all = all.into_iter().enumerate();
    all.find_map(|(space, bytes)| {
        let limit = settings.spaces[space].limit?;
        let excess = bytes.checked_sub(limit).filter(|excess| *excess > 0)?;
        Some((space, excess))
    })
}

fn shortages<'c>(
    reading: &Reading<'_, 'c>,
    short: Vec<Shortage>,
    settings: &Settings,
    around: &Around,
) -> Error<'c> {
    let callees = around.callees(reading.analysis);
    let callees = callees.get(&ScopeId::new(0));
    let all = short.into_iter().map(|shortage| {
        let ops = &reading.analysis.handles.ops;
        let at = ops.iter().filter(|(at, _)| *at <= shortage.position);
        let at = at.max_by_key(|(at, _)| *at).map(|(_, op)| *op);
        let untouched = shortage
            .buffers
            .first()
            .filter(|_| reading.end <= shortage.position);
        Short {
            at: untouched
                .map(|buffer| reading.sources[*buffer].alloc)
                .or(at),
            buffers: shortage
                .buffers
                .iter()
                .map(|buffer| {
                    let size = reading.problem.buffers[*buffer].size;
                    (reading.sources[*buffer].alloc, size)
                })
                .collect(),
            callers: around.callers.get(shortage.space).copied().unwrap_or(0),
            callees: callees.map_or(0, |all| {
                let mut all = all.iter();
                let own = all.find(|(name, _)| settings.index(name) == Some(shortage.space));
                own.map_or(0, |(_, bytes)| *bytes)
            }),
            shortage,
        }
    });
    Error::Short(all.collect())
}

/// The buffers that are not in their own space for life.
fn moved<'c>(reading: &Reading<'_, 'c>, plan: &Plan) -> Vec<Moved<'c>> {
    let mut moved = Vec::new();
    for (index, sequence) in plan.sequences.iter().enumerate() {
        let source = &reading.sources[index];
        let own = SpaceSet::one(source.space);
        let mut spaces: Vec<usize> = Vec::new();
        for holding in &sequence.holdings {
            let first = holding.iter().next();
            spaces.extend(first.filter(|space| spaces.last() != Some(space)));
        }
        let gaps = reading.problem.buffers[index].gaps.iter().enumerate();
        let is_again = |(number, gap): &(usize, &Gap)| {
            !gap.is_dead && sequence.holdings[2 * number + 1].is_empty()
        };
        let again = gaps.filter(is_again).count();
        let mut all = sequence.holdings.iter();
        if again > 0 || !all.all(|holding| *holding == own || holding.is_empty()) {
            moved.push(Moved {
                alloc: source.alloc,
                size: reading.problem.buffers[index].size,
                spaces,
                again,
            });
        }
    }
    moved
}
