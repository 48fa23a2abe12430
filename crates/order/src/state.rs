//! The state that the threads share, without the waiting.

use std::collections::{BTreeMap, VecDeque};

/// The units in the flow.
#[derive(Debug)]
pub struct State<In, Out> {
    /// The units and parts that workers may take. The oldest goes first, so parts go before newer units.
    waiting: BTreeMap<(usize, Option<usize>), In>,
    /// The results of the units from `first` on.
    window: VecDeque<Results<Out>>,
    /// The unit that the writer waits for.
    first: usize,
    /// The number of whole units that workers hold. They may be split.
    whole: usize,
    pub closed: bool,
    pub abandoned: bool,
}

/// The results of one unit.
#[derive(Debug)]
struct Results<Out> {
    /// One result for each part.
    outs: Vec<Option<Out>>,
    /// The number of missing results.
    missing: usize,
}

impl<Out> Results<Out> {
    fn of(parts: usize) -> Self {
        Self {
            outs: (0..parts).map(|_| None).collect(),
            missing: parts,
        }
    }
}

impl<In, Out> State<In, Out> {
    pub fn new() -> Self {
        Self {
            waiting: BTreeMap::new(),
            window: VecDeque::new(),
            first: 0,
            whole: 0,
            closed: false,
            abandoned: false,
        }
    }

    /// The number of units from the one that the writer waits for to the newest one.
    pub fn in_flight(&self) -> usize {
        self.window.len()
    }

    /// Adds a unit.
    pub fn push(&mut self, unit: In) {
        let number = self.first + self.window.len();
        self.window.push_back(Results::of(1));
        self.waiting.insert((number, None), unit);
    }

    /// The oldest unit or part that waits for a worker.
    pub fn pop(&mut self) -> Option<(usize, Option<usize>, In)> {
        let ((unit, part), input) = self.waiting.pop_first()?;
        self.whole += usize::from(part.is_none());
        Some((unit, part, input))
    }

    /// Whether workers will get nothing more.
    pub fn is_done_for_workers(&self) -> bool {
        self.abandoned || self.closed && self.waiting.is_empty() && self.whole == 0
    }

    /// Whether the writer will get nothing more.
    pub fn is_done_for_writer(&self) -> bool {
        self.abandoned || self.closed && self.window.is_empty()
    }

    /// Stores the result of a unit or of one of its parts.
    pub fn finish(&mut self, unit: usize, part: Option<usize>, out: Out) {
        self.whole -= usize::from(part.is_none());
        let results = &mut self.window[unit - self.first];
        results.outs[part.unwrap_or(0)] = Some(out);
        results.missing -= 1;
    }

    /// Replaces a unit by its parts.
    pub fn split(&mut self, unit: usize, parts: Vec<In>) {
        self.whole -= 1;
        self.window[unit - self.first] = Results::of(parts.len());
        let parts = parts.into_iter().enumerate();
        self.waiting
            .extend(parts.map(|(part, input)| ((unit, Some(part)), input)));
    }

    /// Whether the unit that the writer waits for is done.
    pub fn is_first_done(&self) -> bool {
        self.window.front().is_some_and(|unit| unit.missing == 0)
    }

    /// The results of the unit that the writer waits for, if it is done. The next one becomes the one that it waits
    /// for.
    pub fn take(&mut self) -> Option<Vec<Out>> {
        if !self.is_first_done() {
            return None;
        }
        let results = self.window.pop_front()?;
        self.first += 1;
        Some(results.outs.into_iter().flatten().collect())
    }
}
