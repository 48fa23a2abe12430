//! The work on one function: each form of it is split and planned, and the smallest is kept.

use super::{
    blocks::{blocks_of, loads},
    items::{WrittenItems, split_items},
    read::{BlockReading, StaticShapes, read},
    settings::{Form, Settings},
    write::write,
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
    ir::{Op, blocks, ops, regions},
    melior::ir::{Location, operation::OperationLike},
};
use memplan_semantics::{
    Semantics,
    attributes::{ITEMS, STRIPS},
};
use memplan_strips::{
    chain::Spread,
    frontiers::Frontiers,
    in_place,
    program::Program,
    refusal::Refusal,
    search::{Chosen, Found, Limits, Search},
};
use std::collections::BTreeMap;

/// A chain that was written.
#[derive(Clone, Debug)]
pub struct WrittenChain<'c> {
    /// The location of its last operation.
    pub location: Location<'c>,
    /// What was chosen.
    pub chosen: Chosen,
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
    /// Why ranges of operations are no chains, with how many.
    pub refusals: BTreeMap<Refusal, u64>,
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
    let most = (op_count(function) as f64 * settings.most_growth) as u64;
    let mut best: Option<Best<'c>> = None;
    let mut is_given = true;
    // What was split already, with several dimensions and with one: forms often are the same.
    let mut tried: [Vec<Vec<Program>>; 2] = Default::default();
    for form in &settings.forms {
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
                best = Some(Best::of(function, bytes, &items, Vec::new())?);
            }
        }
        let formed = SavedBody::of(function).ok_or_else(BuildError::signature)?;
        for limits in attempts(settings.limits) {
            let refusals = &mut outcome.refusals;
            let after = best.as_ref().map_or(outcome.before, Best::planned);
            // The search is not exact: what it takes for a little more may take less.
            let below = after.saturating_add(after / 50);
            let limits = (limits, below);
            let (how, number) = (settings, usize::from(limits.0.outer_strips == 1));
            let tried = &mut tried[number];
            let chains = split(function, semantics, callees, how, limits, refusals, tried)?;
            if chains.is_empty() {
                break;
            }
            is_given = false;
            if op_count(function) <= most {
                let bytes = Bytes::of(settings, function, semantics, callees);
                if bytes.is_better(best.as_ref(), &unsplit) {
                    best = Some(Best::of(function, bytes, &items, chains)?);
                }
                break;
            }
            formed.restore(function).ok_or_else(BuildError::signature)?;
        }
    }
    outcome.after = outcome.before;
    match best.filter(|best| best.bytes.is_below(&unsplit)) {
        Some(best) => {
            outcome.after = best.planned();
            outcome.items = best.items;
            outcome.chains = best.chains;
            best.body.restore(function)
        }
        None if is_given => Some(()),
        None => given.restore(function),
    }
    .ok_or_else(BuildError::signature)?;
    Ok(outcome)
}

/// The best that was found.
struct Best<'c> {
    bytes: Bytes,
    body: SavedBody<'c>,
    items: Vec<WrittenItems<'c>>,
    chains: Vec<WrittenChain<'c>>,
}

impl<'c> Best<'c> {
    /// A function as it is.
    fn of(
        function: Op<'c>,
        bytes: Bytes,
        items: &[WrittenItems<'c>],
        chains: Vec<WrittenChain<'c>>,
    ) -> Result<Self, BuildError> {
        Ok(Self {
            bytes,
            body: SavedBody::of(function).ok_or_else(BuildError::signature)?,
            items: items.to_vec(),
            chains,
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
    refusals: &mut BTreeMap<Refusal, u64>,
    tried: &mut Vec<Vec<Program>>,
) -> Result<Vec<WrittenChain<'c>>, BuildError> {
    let analysis: Analysis<'c> = settings.how.analyse(function, semantics, callees);
    let mut written = Vec::new();
    // Writing one invalidates the analysis.
    let blocks = blocks_of(function, semantics);
    let readings = read(&analysis, semantics, &blocks, &mut StaticShapes);
    let programs = readings.iter().map(|reading| &reading.program);
    if tried.iter().any(|one| one.iter().eq(programs.clone())) {
        return Ok(written);
    }
    tried.push(programs.cloned().collect());
    let mut found: Vec<Found> = readings.iter().map(|_| Found::default()).collect();
    // Where more is held for certain, less in another block lowers nothing.
    let mut peak = 0;
    let mut steps = 0;
    for load in loads(&readings) {
        if load.all() <= peak {
            break;
        }
        let limits = Limits {
            enough: peak.saturating_sub(load.around),
            steps: limits.steps.saturating_sub(steps),
            ..limits
        };
        let mut search = Search::new(&readings[load.number].program, limits);
        let here = search.run(below.saturating_sub(load.around));
        steps += search.steps();
        for (refusal, count) in search.refusals() {
            *refusals.entry(*refusal).or_default() += count;
        }
        let own = match here.chains.is_empty() {
            true => load.own,
            false => here.peak,
        };
        peak = peak.max(own.saturating_add(load.around));
        found[load.number] = here;
    }
    for (reading, found) in readings.iter().zip(&found) {
        let first = written.len();
        // The last ones first: operations before them stay.
        for chosen in found.chains.iter().rev() {
            written.push(write_chain(reading, chosen, semantics)?);
        }
        written[first..].reverse();
    }
    Ok(written)
}

/// Writes a chain.
fn write_chain<'c>(
    reading: &BlockReading<'c>,
    chosen: &Chosen,
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
    let location = reading.ops[chosen.nodes.end - 1].location();
    write(reading, &splits, &taken, semantics)?;
    Ok(WrittenChain {
        location,
        chosen: chosen.clone(),
    })
}
