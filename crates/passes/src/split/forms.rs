//! The work on one function: each form of it is split and planned, and the smallest is kept.

use super::{
    along::split_unknown,
    blocks::blocks_of,
    bound::{Bound, WholeBlock},
    obstacle::Obstacle,
    read::{Nests, StaticShapes, read},
    settings::{Form, Settings, Target},
    unknown::{Along, WrittenUnknown},
    work::{Attempt, WrittenChain, split},
    worth::Worth,
};
use crate::{
    elide_copies::{Guard, elide},
    reorder,
};
use memplan_declarations::split::DECLARATION;
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::{
    build::{self, BuildError},
    copy::{SavedBody, op_count},
    diagnostics::collects_remarks,
    ir::{Op, blocks, ops, regions},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::{
    Semantics,
    attributes::{ITEMS, KEEP_FORM, STRIPS},
};
use memplan_strips::{program::Program, search::Limits};

/// What happened to a function.
#[derive(Default)]
pub struct Outcome<'c> {
    /// Worth of its plan before.
    pub before: u64,
    /// Worth of its plan after.
    pub after: u64,
    /// The chains that run in strips.
    pub chains: Vec<WrittenChain<'c>>,
    /// The chains along numbers that are known only at run time.
    pub unknown: Vec<WrittenUnknown<'c>>,
    /// What keeps the peak that is left, if that is outside of chains and if remarks are wanted.
    pub obstacle: Option<Obstacle<'c>>,
    /// Why chains that were found were not kept.
    pub dropped: Option<Dropped>,
    /// What no plan with strips takes less than, if remarks are wanted.
    pub bound: Option<Bound>,
    /// Whether the form was chosen within limits.
    pub is_chosen: bool,
}

/// Why chains were not kept.
#[derive(Clone, Copy, Debug)]
pub enum Dropped {
    /// The function would have too many operations.
    Growth,
    /// Its plan would take so many bytes, or results too many.
    Plan(u64),
    /// Within the limits of memory spaces, it would cost more.
    Cost,
    /// Within the limits of memory spaces, nothing could cost less than the function as it is.
    Fits,
    /// An operation or a type is not of the form that the code of strips needs.
    Unwritable,
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
    let mut analysis = settings.how.analyse(function, semantics, callees);
    let unsplit = Worth::of_analysed(settings, &mut analysis, semantics);
    outcome.before = unsplit.planned[0];
    outcome.after = outcome.before;
    let Some(given) = SavedBody::of(function).filter(|_| outcome.before > 0) else {
        return Ok(outcome);
    };
    let explains = settings.remarks || collects_remarks(function, DECLARATION.argument);
    let mut trials = Trials {
        function,
        callees,
        settings,
        explains,
        most: (op_count(function) as f64 * settings.most_growth) as u64,
        before: outcome.before,
        given,
        is_given: true,
        analysis: Some(analysis),
        lowered: None,
        may_split: true,
        unsplit,
        best: None,
        obstacle: None,
        dropped: None,
        tried: vec![Vec::new(); Attempts::KINDS],
    };
    if settings.limited.is_some() {
        for form in &settings.forms {
            if trials.without_strips(*form, semantics).is_err() {
                trials.drop_form();
            }
        }
    }
    let targets = match trials.is_least() {
        true => Vec::new(),
        false => settings.targets(trials.unsplit.room(), trials.before),
    };
    for (number, target) in targets.into_iter().enumerate() {
        if target.is_last_resort && trials.fits() {
            continue;
        }
        for form in &settings.forms {
            if trials.form(*form, (number, target), semantics).is_err() {
                trials.drop_form();
            }
        }
    }
    let whole = trials.keep_best(&mut outcome)?;
    if settings.limited.is_some() {
        outcome.is_chosen = true;
        build::mark(function, KEEP_FORM);
    }
    let is_whole = outcome.chains.is_empty() && outcome.unknown.is_empty();
    let whole = match explains && is_whole {
        true => {
            let analysis = settings.how.analyse(function, semantics, callees);
            let blocks = blocks_of(function, semantics, settings.in_parallel);
            let readings = read(
                &analysis,
                semantics,
                &blocks,
                Nests::of(settings.in_parallel),
                &mut StaticShapes,
            );
            WholeBlock::all(&readings)
        }
        false => whole,
    };
    // With rows that are computed again, a plan may take less.
    if outcome.unknown.is_empty() && settings.limits.repeated_percent == 0 {
        outcome.bound = Bound::of(&whole, settings.limits.steps);
    }
    Ok(outcome)
}

/// The forms of a function that were split, and the best of them.
struct Trials<'t, 'c> {
    function: Op<'c>,
    callees: &'t dyn Callees,
    settings: &'t Settings,
    /// Whether remarks are wanted.
    explains: bool,
    /// Most operations.
    most: u64,
    /// Worth of the plan of the function as it was.
    before: u64,
    given: SavedBody<'c>,
    /// Whether the function is as it was.
    is_given: bool,
    /// The analysis of the function as it is, if that is known.
    analysis: Option<Analysis<'c>>,
    /// The function with copies elided that lower the load, if that is known: `None` in it if there are none.
    lowered: Option<Option<SavedBody<'c>>>,
    /// Whether any operation has loops.
    may_split: bool,
    /// What has to be less.
    unsplit: Worth,
    best: Option<Best<'c>>,
    obstacle: Option<Obstacle<'c>>,
    dropped: Option<Dropped>,
    /// What was split already, by the kind of attempt: forms often are the same.
    tried: Vec<Vec<Vec<Program>>>,
}

impl<'c> Trials<'_, 'c> {
    /// Gives the function a form, and splits it with a target, which has a number.
    fn form(
        &mut self,
        form: Form,
        (target_number, target): (usize, Target),
        semantics: &mut Semantics,
    ) -> Result<(), BuildError> {
        let (function, callees, settings) = (self.function, self.callees, self.settings);
        if !self.may_split {
            return Ok(());
        }
        let changes = self.apply(form, semantics)?;
        let same = changes.same_as(form);
        if settings.forms.contains(&same) && same != form {
            return Ok(());
        }
        let analysis = self.analysis.take();
        let mut analysis =
            analysis.unwrap_or_else(|| settings.how.analyse(function, semantics, callees));
        if settings.below_forms && changes.any() && settings.limited.is_none() {
            let worth = Worth::of_analysed(settings, &mut analysis, semantics);
            self.unsplit = worth.least(&self.unsplit);
        }
        let (unknown, mut analysis) =
            split_unknown(function, semantics, callees, &settings.how, analysis)?;
        self.is_given &= unknown.is_empty();
        if !unknown.is_empty() && op_count(function) <= self.most {
            let worth = Worth::of(settings, function, semantics, callees);
            let worth = worth.along_length(along_rows(&unknown));
            self.consider(worth, &unknown, Attempt::default())?;
        }
        for (number, limits) in Attempts::of(settings.limits, target).enumerate() {
            if number > 0 {
                // It became too long: this is rare.
                self.apply(form, semantics)?;
                if !unknown.is_empty() {
                    let analysis = settings.how.analyse(function, semantics, callees);
                    split_unknown(function, semantics, callees, &settings.how, analysis)?;
                    self.is_given = false;
                }
            }
            let analysis = analysis.take();
            let analysis =
                analysis.unwrap_or_else(|| settings.how.analyse(function, semantics, callees));
            let best = self.best.as_ref().filter(|_| settings.limited.is_none());
            // Within limits, what takes more may cost less.
            let after = best.map_or(self.before, Best::planned);
            // The search is not exact: what it takes for a little more may take less.
            let below = after.saturating_add(after / 50);
            let kind = 2 * target_number + usize::from(number > 0);
            let (explains, tried) = (self.explains, &mut self.tried[kind]);
            let first = unknown.len() as u64;
            let found = split(
                function,
                &analysis,
                semantics,
                settings,
                (limits, below, first),
                explains,
                tried,
            )?;
            if found.chains.is_empty() {
                self.is_kept(found);
                break;
            }
            self.is_given = false;
            self.dropped.get_or_insert(Dropped::Growth);
            if op_count(function) <= self.most {
                let worth = Worth::of(settings, function, semantics, callees);
                let worth = worth.along_length(along_rows(&unknown));
                self.dropped = Some(match settings.limited {
                    Some(_) => Dropped::Cost,
                    None => Dropped::Plan(worth.planned[0]),
                });
                self.consider(worth, &unknown, found)?;
                break;
            }
        }
        Ok(())
    }

    /// The best form so far.
    fn least(&self) -> &Worth {
        self.best.as_ref().map_or(&self.unsplit, |best| &best.worth)
    }

    /// Whether limits of memory spaces hold already: then fewer bytes only cost more.
    fn fits(&self) -> bool {
        self.least().fits()
    }

    /// Whether limits of memory spaces cost nothing in the best form.
    fn is_least(&mut self) -> bool {
        let is_least = self.least().is_least();
        if is_least {
            self.dropped = Some(Dropped::Fits);
        }
        is_least
    }

    /// Gives the function a form without strips. Passes that follow leave the one that is kept alone.
    fn without_strips(&mut self, form: Form, semantics: &mut Semantics) -> Result<(), BuildError> {
        if !self.apply(form, semantics)?.any() {
            return Ok(());
        }
        let worth = Worth::of(self.settings, self.function, semantics, self.callees);
        self.consider(worth, &[], Attempt::default())
    }

    /// Gives up the form that the function has: it is not complete.
    fn drop_form(&mut self) {
        self.is_given = false;
        self.analysis = None;
        self.dropped.get_or_insert(Dropped::Unwritable);
    }

    /// Gives the function a form.
    fn apply(&mut self, form: Form, semantics: &mut Semantics) -> Result<Changes, BuildError> {
        let (function, callees, settings) = (self.function, self.callees, self.settings);
        let mut changes = Changes::default();
        let guard = match form {
            Form::Plain => None,
            Form::Elided(guard) => Some(guard),
            Form::Reordered => Some(Guard::Lower),
        };
        let lowered = self
            .lowered
            .as_ref()
            .filter(|_| guard == Some(Guard::Lower));
        match lowered {
            Some(Some(lowered)) => {
                restore(lowered, function)?;
                changes.elided = true;
            }
            known => {
                let is_known = known.is_some();
                if !self.is_given {
                    restore(&self.given, function)?;
                }
                if let Some(guard) = guard.filter(|_| !is_known) {
                    changes.elided = elide(function, semantics, callees, guard, settings.how);
                    if guard == Guard::Lower && settings.forms.contains(&Form::Reordered) {
                        self.lowered = Some(match changes.elided {
                            true => Some(saved(function)?),
                            false => None,
                        });
                    }
                }
            }
        }
        if form == Form::Reordered {
            let (how, with_results) = (&settings.how, settings.with_results);
            changes.reordered = reorder::reorder(function, semantics, callees, how, with_results);
        }
        if form != Form::Plain || !self.is_given {
            self.analysis = None;
        }
        self.is_given = !changes.any();
        Ok(changes)
    }

    /// Nothing was split. The form with the lowest peak says what keeps that.
    fn is_kept(&mut self, found: Attempt<'c>) {
        let bytes = |obstacle: &Option<Obstacle<'_>>| obstacle.as_ref().map(|one| one.bytes);
        let least = bytes(&self.obstacle);
        if found.obstacle.is_some()
            && least.is_none_or(|least| bytes(&found.obstacle) < Some(least))
        {
            self.obstacle = found.obstacle;
        }
        // Nor has any operation loops in another form.
        self.may_split &= found.may_split;
    }

    /// Keeps the function as it is, if its plan is the smallest so far.
    fn consider(
        &mut self,
        worth: Worth,
        unknown: &[WrittenUnknown<'c>],
        attempt: Attempt<'c>,
    ) -> Result<(), BuildError> {
        let best = self.best.as_ref().map(|best| &best.worth);
        if worth.is_better(best, &self.unsplit) {
            self.best = Some(Best {
                worth,
                body: saved(self.function)?,
                unknown: unknown.to_vec(),
                attempt,
            });
        }
        Ok(())
    }

    /// Gives the function the best form, if that is better than without strips: the blocks before they were split.
    fn keep_best(self, outcome: &mut Outcome<'c>) -> Result<Vec<WholeBlock>, BuildError> {
        outcome.obstacle = self.obstacle;
        outcome.dropped = self.dropped;
        let best = self.best.filter(|best| best.worth.is_below(&self.unsplit));
        let Some(best) = best else {
            if !self.is_given {
                restore(&self.given, self.function)?;
            }
            return Ok(Vec::new());
        };
        restore(&best.body, self.function)?;
        let is_along_length = best.worth.is_along_length();
        if is_along_length {
            outcome.before = self.unsplit.reported(is_along_length);
        }
        outcome.after = best.worth.reported(is_along_length);
        outcome.unknown = best.unknown;
        if !best.attempt.chains.is_empty() {
            outcome.obstacle = best.attempt.obstacle;
        }
        outcome.chains = best.attempt.chains;
        Ok(best.attempt.blocks)
    }
}

/// Whether any of these chains runs along rows.
fn along_rows(unknown: &[WrittenUnknown<'_>]) -> bool {
    unknown.iter().any(|chain| chain.along == Along::Rows)
}

/// The body of a function, to go back to.
fn saved<'c>(function: Op<'c>) -> Result<SavedBody<'c>, BuildError> {
    SavedBody::of(function).ok_or_else(BuildError::unexpected)
}

/// Gives a function a body again.
fn restore<'c>(body: &SavedBody<'c>, function: Op<'c>) -> Result<(), BuildError> {
    body.restore(function).ok_or_else(BuildError::unexpected)
}

/// The best that was found.
struct Best<'c> {
    worth: Worth,
    body: SavedBody<'c>,
    unknown: Vec<WrittenUnknown<'c>>,
    attempt: Attempt<'c>,
}

impl Best<'_> {
    fn planned(&self) -> u64 {
        self.worth.planned[0]
    }
}

/// Limits that are tried one after the other until the function is short enough: strips along one dimension need less code.
struct Attempts;

impl Attempts {
    /// For each target, along one dimension or two.
    const KINDS: usize = 2 * Target::MOST;

    fn of(limits: Limits, target: Target) -> impl Iterator<Item = Limits> {
        let limits = Limits {
            repeated_percent: if target.repeats {
                limits.repeated_percent
            } else {
                0
            },
            enough: target.enough,
            by_traffic: target.by_traffic,
            ..limits
        };
        let along_one = (limits.outer_strips > 1).then_some(Limits {
            outer_strips: 1,
            ..limits
        });
        std::iter::once(limits).chain(along_one)
    }
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
