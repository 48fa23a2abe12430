//! What the threads share, without the waiting.

use std::collections::{BTreeMap, VecDeque};

/// Where the units are.
#[derive(Debug)]
pub struct State<In, Out> {
    /// What workers may take, by unit and part. The oldest goes first, and so parts go before newer units.
    waiting: BTreeMap<(usize, Option<usize>), In>,
    /// The results of the units from `first` on.
    window: VecDeque<Results<Out>>,
    /// The unit that the writer awaits.
    first: usize,
    /// How many whole units workers hold. They may come apart.
    whole: usize,
    pub closed: bool,
    pub abandoned: bool,
}

/// The results of one unit.
#[derive(Debug)]
struct Results<Out> {
    /// One for each part.
    outs: Vec<Option<Out>>,
    /// How many are not there yet.
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

    /// How many units there are from the one that the writer awaits to the newest.
    pub fn in_flight(&self) -> usize {
        self.window.len()
    }

    /// Adds a unit.
    pub fn push(&mut self, unit: In) {
        let number = self.first + self.window.len();
        self.window.push_back(Results::of(1));
        self.waiting.insert((number, None), unit);
    }

    /// The oldest that waits for a worker.
    pub fn pop(&mut self) -> Option<(usize, Option<usize>, In)> {
        let ((unit, part), what) = self.waiting.pop_first()?;
        self.whole += usize::from(part.is_none());
        Some((unit, part, what))
    }

    /// Whether there will be nothing more for workers.
    pub fn is_worked(&self) -> bool {
        self.abandoned || self.closed && self.waiting.is_empty() && self.whole == 0
    }

    /// Whether there will be nothing more for the writer.
    pub fn is_taken(&self) -> bool {
        self.abandoned || self.closed && self.window.is_empty()
    }

    /// Keeps the result of a unit or of one of its parts.
    pub fn finish(&mut self, unit: usize, part: Option<usize>, out: Out) {
        self.whole -= usize::from(part.is_none());
        let results = &mut self.window[unit - self.first];
        results.outs[part.unwrap_or(0)] = Some(out);
        results.missing -= 1;
    }

    /// Has parts in place of a unit.
    pub fn split(&mut self, unit: usize, parts: Vec<In>) {
        self.whole -= 1;
        self.window[unit - self.first] = Results::of(parts.len());
        let parts = parts.into_iter().enumerate();
        self.waiting
            .extend(parts.map(|(part, what)| ((unit, Some(part)), what)));
    }

    /// Whether the unit that the writer awaits is done.
    pub fn is_first_done(&self) -> bool {
        self.window.front().is_some_and(|unit| unit.missing == 0)
    }

    /// The results of the unit that the writer awaits, if it is done. The writer awaits the next one then.
    pub fn take(&mut self) -> Option<Vec<Out>> {
        if !self.is_first_done() {
            return None;
        }
        let results = self.window.pop_front()?;
        self.first += 1;
        Some(results.outs.into_iter().flatten().collect())
    }
}
