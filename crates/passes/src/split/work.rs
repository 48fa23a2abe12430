//! The work on one function: each form of it is split and planned, and the smallest is kept.

use super::{
    blocks::{blocks_of, loads},
    bound::{Bound, WholeBlock},
    declaration::DECLARATION,
    items::{WrittenItems, split_items},
    obstacle::Obstacle,
    read::{BlockReading, StaticShapes, read},
    settings::{Form, Settings},
    write::{ChainFacts, Frees, write},
};
use crate::{
    coalescing::{Space, spaces},
    elide_copies::{Guard, elide},
    reorder,
    shapes::{Shapes, UNIFORM},
};
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::{
    build::BuildError,
    copy::{SavedBody, op_count},
    diagnostics::collects_remarks,
    ir::{Op, blocks, ops, regions},
    melior::ir::{Location, operation::OperationLike},
    names::name_of,
};
use memplan_semantics::{
    Semantics,
    attributes::{ITEMS, STRIPS},
};
use memplan_strips::{
    amounts::Amounts,
    chain::Spread,
    frontiers::Frontiers,
    in_place,
    program::Program,
    search::{Chosen, Limits, Search},
    time,
};

/// A chain that was written.
#[derive(Clone, Debug)]
pub struct WrittenChain<'c> {
    /// The location of its last operation.
    pub location: Location<'c>,
    /// The operation in whose loops it is split.
    pub seed: String,
    /// What was chosen.
    pub chosen: Chosen,
    /// What was recorded of it.
    pub facts: ChainFacts,
}

/// What happened to a function.
#[derive(Default)]
pub struct Outcome<'c> {
    /// Bytes of its plan before.
    pub before: u64,
    /// Bytes of its plan after.
    pub after: u64,
    /// The chains that run in strips.
    pub chains: Vec<WrittenChain<'c>>,
    /// The chains that run item by item.
    pub items: Vec<WrittenItems<'c>>,
    /// What keeps the peak that is left, if that is outside of chains and if remarks are wanted.
    pub obstacle: Option<Obstacle<'c>>,
    /// Why chains that were found were not kept.
    pub dropped: Option<Dropped>,
    /// What no plan with strips takes less than, if remarks are wanted.
    pub bound: Option<Bound>,
}

/// Why chains were not kept.
#[derive(Clone, Copy, Debug)]
pub enum Dropped {
    /// The function would have too many operations.
    Growth,
    /// Its plan would take so many bytes, or results too many.
    Plan(u64),
}

/// What one attempt gave.
#[derive(Default)]
struct Attempt<'c> {
    /// Whether any operation has loops, of whatever size.
    may_split: bool,
    chains: Vec<WrittenChain<'c>>,
    obstacle: Option<Obstacle<'c>>,
    /// The blocks before that, if remarks are wanted.
    blocks: Vec<WholeBlock>,
}

/// Splits a function.
pub fn function<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: &Settings,
) -> Result<Outcome<'c>, BuildError> {
    let mut outcome = Outcome::default();
    if is_split(function) {
        return Ok(outcome);
    }
    let mut unsplit = Bytes::of(settings, function, semantics, callees);
    outcome.before = unsplit.planned[0];
    outcome.after = outcome.before;
    let Some(given) = SavedBody::of(function).filter(|_| outcome.before > 0) else {
        return Ok(outcome);
    };
    let explains = settings.remarks || collects_remarks(function, DECLARATION.argument);
    let most = (op_count(function) as f64 * settings.most_growth) as u64;
    let mut best: Option<Best<'c>> = None;
    let mut is_given = true;
    let mut obstacle: Option<Obstacle<'c>> = None;
    // What was split already, with several dimensions and with one: forms often are the same.
    let mut tried: [Vec<Vec<Program>>; 2] = Default::default();
    'forms: for form in &settings.forms {
        if !is_given {
            given.restore(function).ok_or_else(BuildError::signature)?;
            is_given = true;
        }
        let changes = apply(*form, function, semantics, callees, settings);
        is_given &= !changes.any();
        if settings.forms.contains(&changes.same_as(*form)) && changes.same_as(*form) != *form {
            continue;
        }
        if settings.below_forms && changes.any() {
            let bytes = Bytes::of(settings, function, semantics, callees);
            unsplit = bytes.least(&unsplit);
        }
        let items = split_items(function, semantics, callees, &settings.how)?;
        is_given &= items.is_empty();
        if !items.is_empty() && op_count(function) <= most {
            let bytes = Bytes::of(settings, function, semantics, callees);
            if bytes.is_better(best.as_ref(), &unsplit) {
                best = Some(Best::of(function, bytes, &items, Attempt::default())?);
            }
        }
        let formed = SavedBody::of(function).ok_or_else(BuildError::signature)?;
        for limits in attempts(settings.limits) {
            let after = best.as_ref().map_or(outcome.before, Best::planned);
            // The search is not exact: what it takes for a little more may take less.
            let below = after.saturating_add(after / 50);
            let limits = (limits, below);
            let (how, number) = (settings, usize::from(limits.0.outer_strips == 1));
            let tried = &mut tried[number];
            let found = split(function, semantics, callees, how, limits, explains, tried)?;
            if found.chains.is_empty() {
                // The form with the lowest peak says what keeps that.
                let bytes =
                    |obstacle: &Option<Obstacle<'_>>| obstacle.as_ref().map(|one| one.bytes);
                let is_lower =
                    bytes(&obstacle).is_none_or(|least| bytes(&found.obstacle) < Some(least));
                if found.obstacle.is_some() && is_lower {
                    obstacle = found.obstacle;
                }
                if !found.may_split {
                    // Nor has any in another form.
                    break 'forms;
                }
                break;
            }
            is_given = false;
            let dropped = outcome.dropped.get_or_insert(Dropped::Growth);
            if op_count(function) <= most {
                let bytes = Bytes::of(settings, function, semantics, callees);
                *dropped = Dropped::Plan(bytes.planned[0]);
                if bytes.is_better(best.as_ref(), &unsplit) {
                    best = Some(Best::of(function, bytes, &items, found)?);
                }
                break;
            }
            formed.restore(function).ok_or_else(BuildError::signature)?;
        }
    }
    outcome.after = outcome.before;
    outcome.obstacle = obstacle;
    let mut whole = Vec::new();
    match best.filter(|best| best.bytes.is_below(&unsplit)) {
        Some(best) => {
            outcome.after = best.planned();
            outcome.items = best.items;
            if !best.attempt.chains.is_empty() {
                outcome.obstacle = best.attempt.obstacle;
            }
            outcome.chains = best.attempt.chains;
            whole = best.attempt.blocks;
            best.body.restore(function)
        }
        None if is_given => Some(()),
        None => given.restore(function),
    }
    .ok_or_else(BuildError::signature)?;
    if explains && outcome.chains.is_empty() && outcome.items.is_empty() {
        let analysis = settings.how.analyse(function, semantics, callees);
        let blocks = blocks_of(function, semantics, settings.in_parallel);
        let readings = read(&analysis, semantics, &blocks, &mut StaticShapes);
        whole = WholeBlock::all(&readings);
    }
    if outcome.items.is_empty() {
        outcome.bound = Bound::of(&whole, settings.limits.steps);
    }
    Ok(outcome)
}

/// The best that was found.
struct Best<'c> {
    bytes: Bytes,
    body: SavedBody<'c>,
    items: Vec<WrittenItems<'c>>,
    attempt: Attempt<'c>,
}

impl<'c> Best<'c> {
    /// A function as it is.
    fn of(
        function: Op<'c>,
        bytes: Bytes,
        items: &[WrittenItems<'c>],
        attempt: Attempt<'c>,
    ) -> Result<Self, BuildError> {
        Ok(Self {
            bytes,
            body: SavedBody::of(function).ok_or_else(BuildError::signature)?,
            items: items.to_vec(),
            attempt,
        })
    }

    fn planned(&self) -> u64 {
        self.bytes.planned[0]
    }
}

/// Limits that are tried one after the other, until the function is short enough: strips along one dimension need less code.
fn attempts(limits: Limits) -> impl Iterator<Item = Limits> {
    let along_one = (limits.outer_strips > 1).then_some(Limits {
        outer_strips: 1,
        ..limits
    });
    std::iter::once(limits).chain(along_one)
}

/// Whether a function is split already.
fn is_split(function: Op<'_>) -> bool {
    let mut open: Vec<_> = regions(function).flat_map(blocks).collect();
    while let Some(block) = open.pop() {
        for op in ops(block) {
            if op.has_attribute(STRIPS) || op.has_attribute(ITEMS) {
                return true;
            }
            open.extend(regions(op).flat_map(blocks));
        }
    }
    false
}

/// Bytes of a function.
#[derive(Clone)]
struct Bytes {
    /// Those of its plans: in each shape, where sizes are known only at run time.
    planned: [u64; UNIFORM],
    /// The most that are live at once, with results; 0 if these do not count.
    with_results: u64,
}

impl Bytes {
    fn of<'c>(
        settings: &Settings,
        function: Op<'c>,
        semantics: &mut Semantics,
        callees: &dyn Callees,
    ) -> Self {
        let mut analysis = settings.how.analyse(function, semantics, callees);
        let sum = |analysis: &Analysis<'_>, bytes: fn(&Space, &Analysis<'_>) -> u64| {
            let spaces = spaces(analysis, settings.how.alignment);
            spaces.iter().map(|space| bytes(space, analysis)).sum()
        };
        let sizes = Shapes::default().read(&analysis, semantics);
        let mut planned = [0; UNIFORM];
        for shape in (0..sizes.shapes().min(UNIFORM)).rev() {
            sizes.set(&mut analysis, shape);
            planned[shape] = sum(&analysis, Space::planned);
        }
        if !sizes.are_dynamic() {
            planned = [planned[0]; UNIFORM];
        }
        let has_results = settings.with_results && reorder::count_results(&mut analysis);
        Self {
            planned,
            with_results: match has_results {
                true => sum(&analysis, Space::load),
                false => 0,
            },
        }
    }

    /// The less of both.
    fn least(&self, other: &Self) -> Self {
        Self {
            planned: std::array::from_fn(|at| self.planned[at].min(other.planned[at])),
            with_results: self.with_results.min(other.with_results),
        }
    }

    /// Whether plans take less, and no more with results.
    fn is_below(&self, other: &Self) -> bool {
        let mut both = self.planned.iter().zip(&other.planned);
        self.planned != other.planned
            && both.all(|(one, other)| one <= other)
            && self.with_results <= other.with_results
    }

    /// Whether they take less than the best so far, and less than without strips.
    fn is_better(&self, best: Option<&Best<'_>>, unsplit: &Self) -> bool {
        let is_less = best.is_none_or(|best| self.planned < best.bytes.planned);
        is_less && self.is_below(unsplit)
    }
}

/// What a form changed.
#[derive(Clone, Copy, Default)]
struct Changes {
    elided: bool,
    reordered: bool,
}

impl Changes {
    const fn any(self) -> bool {
        self.elided || self.reordered
    }

    /// The form that gives the same.
    const fn same_as(self, form: Form) -> Form {
        match (form, self.elided, self.reordered) {
            (_, false, false) => Form::Plain,
            (Form::Reordered, true, false) => Form::Elided(Guard::Lower),
            (form, ..) => form,
        }
    }
}

/// Gives a function a form.
fn apply<'c>(
    form: Form,
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: &Settings,
) -> Changes {
    let how = &settings.how;
    let mut changes = Changes::default();
    let guard = match form {
        Form::Plain => return changes,
        Form::Elided(guard) => guard,
        Form::Reordered => Guard::Lower,
    };
    changes.elided = elide(function, semantics, callees, guard, *how);
    if form == Form::Reordered {
        changes.reordered =
            reorder::reorder(function, semantics, callees, how, settings.with_results);
    }
    changes
}

/// Splits the blocks of a function, as they are.
fn split<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: &Settings,
    (limits, below): (Limits, u64),
    explains: bool,
    tried: &mut Vec<Vec<Program>>,
) -> Result<Attempt<'c>, BuildError> {
    let analysis: Analysis<'c> = settings.how.analyse(function, semantics, callees);
    let mut attempt = Attempt::default();
    // Writing one invalidates the analysis.
    let blocks = blocks_of(function, semantics, settings.in_parallel);
    let readings = read(&analysis, semantics, &blocks, &mut StaticShapes);
    attempt.may_split = readings.iter().any(|reading| reading.has_loops);
    let programs = readings.iter().map(|reading| &reading.program);
    if tried.iter().any(|one| one.iter().eq(programs.clone())) {
        return Ok(attempt);
    }
    tried.push(programs.cloned().collect());
    let unread = explains.then(|| Obstacle::unread(&analysis, &blocks));
    if explains {
        attempt.blocks = WholeBlock::all(&readings);
    }
    let mut found: Vec<FoundHere> = readings.iter().map(|_| FoundHere::default()).collect();
    // Where more is held for certain, less in another block lowers nothing.
    let mut peak = 0;
    let mut steps = 0;
    let times = readings.iter().map(|one| time::unsplit(&one.program));
    let times: Vec<u64> = times.collect();
    let percent = time::most_added(times.iter().copied().fold(0, u64::saturating_add));
    for load in loads(&readings) {
        if load.all() <= peak {
            break;
        }
        let limits = Limits {
            enough: peak.saturating_sub(load.around),
            added_time: (settings.limits_time).then_some(times[load.number] / 100 * percent),
            steps: limits.steps.saturating_sub(steps),
            ..limits
        };
        let reading = &readings[load.number];
        let mut search = Search::new(&reading.program, limits);
        let here = search.run(below.saturating_sub(load.around));
        steps += search.steps();
        if explains && let Some(obstacle) = search.obstacle(&here) {
            let bytes = obstacle.bytes.saturating_add(load.around);
            let known = attempt.obstacle.as_ref();
            if known.is_none_or(|known| known.bytes < bytes) {
                attempt.obstacle = Obstacle::of(reading, &obstacle, load.around);
            }
        }
        let own = match here.chains.is_empty() {
            true => load.own,
            false => here.peak,
        };
        peak = peak.max(own.saturating_add(load.around));
        let chains = here.chains.iter();
        let held = chains.map(|chain| search.unsplit_in(chain.nodes.clone()));
        let held = held
            .map(|bytes| bytes.saturating_add(load.around))
            .collect();
        found[load.number] = FoundHere {
            chains: here.chains,
            held,
            around: load.around,
        };
    }
    for (reading, found) in readings.iter().zip(&found) {
        let first = attempt.chains.len();
        let mut frees = Frees::of(reading);
        // The last ones first: operations before them stay.
        for (number, chosen) in found.chains.iter().enumerate().rev() {
            let bytes = (
                found.held[number],
                chosen.bytes.saturating_add(found.around),
            );
            let number = (first + number) as u64;
            let written = write_chain(reading, chosen, number, bytes, &mut frees, semantics)?;
            attempt.chains.push(written);
        }
        attempt.chains[first..].reverse();
    }
    if let Some(unread) = unread.flatten().filter(|unread| unread.bytes > peak) {
        attempt.obstacle = Some(unread);
    }
    Ok(attempt)
}

/// What was found in a block.
#[derive(Default)]
struct FoundHere {
    chains: Vec<Chosen>,
    /// For each chain, the bytes that are held in it without strips.
    held: Vec<u64>,
    /// Bytes that are held around the block.
    around: u64,
}

/// Writes a chain with a number. In it, so many bytes are held without strips, and so many with them.
fn write_chain<'c>(
    reading: &BlockReading<'c>,
    chosen: &Chosen,
    number: u64,
    (before, after): (u64, u64),
    frees: &mut Frees<'c>,
    semantics: &mut Semantics,
) -> Result<WrittenChain<'c>, BuildError> {
    let program = &reading.program;
    let spreads = chosen
        .splits
        .iter()
        .map(|split| Spread::of(program, chosen.nodes.clone(), chosen.seed, split.number).ok());
    let spreads: Option<Vec<Spread>> = spreads.collect();
    let spreads = spreads.ok_or_else(BuildError::signature)?;
    let frontiers = chosen
        .splits
        .iter()
        .zip(&spreads)
        .map(|(split, spread)| Frontiers::of(program, spread, split.height, split.phase).ok());
    let frontiers: Option<Vec<Frontiers>> = frontiers.collect();
    let frontiers = frontiers.ok_or_else(BuildError::signature)?;
    let splits: Vec<(&Spread, &Frontiers)> = spreads.iter().zip(&frontiers).collect();
    let taken = in_place::takeovers(program, &splits);
    let written = WrittenChain {
        location: reading.ops[chosen.nodes.end - 1].location(),
        seed: name_of(reading.ops[chosen.seed.index()]),
        chosen: chosen.clone(),
        facts: ChainFacts {
            number,
            before,
            after,
            amounts: Amounts::of(program, &splits),
        },
    };
    write(reading, &splits, &taken, &written.facts, frees, semantics)?;
    Ok(written)
}
