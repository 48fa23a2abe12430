//! What a function is worth: the bytes of its plans, or what it costs within the limits of a machine.

use super::settings::Settings;
use crate::{
    assign_spaces::Price,
    coalescing::{Space, spaces},
    reorder,
    shapes::{Shapes, UNIFORM},
};
use memplan_lifetimes::{Analysis, Callees};
use memplan_mlir::ir::Op;
use memplan_semantics::Semantics;

/// What a function takes. Less is better.
#[derive(Clone)]
pub struct Worth {
    /// Those of its plans: in each shape, where sizes are known only at run time.
    pub planned: [u64; UNIFORM],
    /// Those where all lengths are long.
    long: u64,
    /// The most that are live at once, with results; 0 if these do not count.
    with_results: u64,
    /// Whether strips along a length have their rows at any length, so that only long ones count.
    is_along_length: bool,
    /// What it costs, where memory spaces are limited: then that counts in place of bytes.
    price: Option<Price>,
}

impl Worth {
    /// Those of a function as it is.
    pub fn of<'c>(
        settings: &Settings,
        function: Op<'c>,
        semantics: &mut Semantics,
        callees: &dyn Callees,
    ) -> Self {
        let mut analysis = settings.how.analyse(function, semantics, callees);
        Self::of_analysed(settings, &mut analysis, semantics)
    }

    /// Those of an analysed function. The analysis stays as it is.
    pub fn of_analysed(
        settings: &Settings,
        analysis: &mut Analysis<'_>,
        semantics: &mut Semantics,
    ) -> Self {
        let plannable = analysis.plannable.clone();
        let buffers = analysis.program.buffers.iter();
        let known: Vec<_> = buffers.map(|fact| (fact.size, fact.dynamic)).collect();
        let bytes = Self::measured(settings, analysis, semantics);
        for (fact, known) in analysis.program.buffers.iter_mut().zip(known) {
            (fact.size, fact.dynamic) = known;
        }
        analysis.plannable = plannable;
        let limits = settings.limited.as_ref();
        let price = limits.and_then(|limits| Price::of(analysis, semantics, limits));
        Self { price, ..bytes }
    }

    /// Those of an analysed function, whose sizes and buffers become those that count.
    fn measured(
        settings: &Settings,
        analysis: &mut Analysis<'_>,
        semantics: &mut Semantics,
    ) -> Self {
        let sum = |analysis: &Analysis<'_>, bytes: fn(&Space, &Analysis<'_>) -> u64| {
            let spaces = spaces(analysis, settings.how.alignment);
            spaces.iter().map(|space| bytes(space, analysis)).sum()
        };
        let sizes = Shapes::default().read(analysis, semantics);
        let mut planned = [0; UNIFORM];
        sizes.set_long(analysis);
        let long = match sizes.are_dynamic() {
            true => sum(analysis, Space::planned),
            false => 0,
        };
        for shape in (0..sizes.shapes().min(UNIFORM)).rev() {
            sizes.set(analysis, shape);
            planned[shape] = sum(analysis, Space::planned);
        }
        if !sizes.are_dynamic() {
            planned = [planned[0]; UNIFORM];
        }
        let long = if sizes.are_dynamic() {
            long
        } else {
            planned[0]
        };
        let has_results = settings.with_results && reorder::count_results(analysis);
        Self {
            planned,
            long,
            with_results: match has_results {
                true => sum(analysis, Space::load),
                false => 0,
            },
            is_along_length: false,
            price: None,
        }
    }

    /// The same, where strips along a length were written.
    pub fn along_length(self, is_along_length: bool) -> Self {
        Self {
            is_along_length,
            ..self
        }
    }

    /// The bytes that are reported.
    pub fn reported(&self, is_along_length: bool) -> u64 {
        match is_along_length {
            true => self.long,
            false => self.planned[0],
        }
    }

    /// Whether only long lengths count.
    pub const fn is_along_length(&self) -> bool {
        self.is_along_length
    }

    /// The less of both.
    pub fn least(&self, other: &Self) -> Self {
        Self {
            planned: std::array::from_fn(|at| self.planned[at].min(other.planned[at])),
            long: self.long.min(other.long),
            with_results: self.with_results.min(other.with_results),
            is_along_length: false,
            price: self.prices(other).map(|(own, others)| own.min(others)),
        }
    }

    /// The shapes that count in a comparison.
    fn compared<'b>(&'b self, other: &'b Self) -> [&'b [u64]; 2] {
        match self.is_along_length || other.is_along_length {
            true => [
                std::slice::from_ref(&self.long),
                std::slice::from_ref(&other.long),
            ],
            false => [&self.planned, &other.planned],
        }
    }

    /// The prices, if both are known.
    fn prices(&self, other: &Self) -> Option<(Price, Price)> {
        self.price.zip(other.price)
    }

    /// Bytes of limited memory that buffers may take; `None` without limits.
    pub fn room(&self) -> Option<u64> {
        self.price.map(|price| price.room)
    }

    /// Whether it is known to fit.
    pub fn fits(&self) -> bool {
        self.price.is_some_and(|price| price.missing == 0)
    }

    /// Whether it fits, and limits make it cost no more.
    pub fn is_least(&self) -> bool {
        self.fits() && self.price.is_some_and(|price| price.excess == 0)
    }

    /// Whether it costs less; or plans take less, and no more with results.
    pub fn is_below(&self, other: &Self) -> bool {
        if let Some((own, others)) = self.prices(other) {
            return own < others;
        }
        let [own, others] = self.compared(other);
        own != others
            && own.iter().zip(others).all(|(one, other)| one <= other)
            && self.with_results <= other.with_results
    }

    /// Whether it takes less than the best so far, and less than without strips.
    pub fn is_better(&self, best: Option<&Self>, unsplit: &Self) -> bool {
        let is_less = best.is_none_or(|best| {
            if let Some((own, others)) = self.prices(best) {
                return (own, self.planned) < (others, best.planned);
            }
            let [own, others] = self.compared(best);
            own < others
        });
        is_less && self.is_below(unsplit)
    }
}
