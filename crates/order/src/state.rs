//! What a flow holds, and what it becomes. No thread waits here.

use std::collections::VecDeque;

/// Where a piece of work stands: its unit, and its place among the parts of that.
pub type Place = (usize, usize);

/// A unit that has been given and not taken.
#[derive(Debug)]
struct Slot<Out> {
    /// A place for each part; one for a unit that is whole.
    results: Vec<Option<Out>>,
    /// Parts without a result.
    missing: usize,
}

/// All that a flow holds.
#[derive(Debug)]
pub struct State<In, Out> {
    /// Parts, before units that come later.
    parts: VecDeque<(Place, In)>,
    units: VecDeque<(Place, In)>,
    /// Units that a worker has and that may come apart.
    whole_in_work: usize,
    /// From the one that the writer waits for to the newest.
    slots: VecDeque<Slot<Out>>,
    /// The unit that the writer waits for.
    first: usize,
    window: usize,
    is_closed: bool,
    is_abandoned: bool,
}

/// What a worker, or the writer, finds.
#[derive(Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// This.
    Some(T),
    /// Nothing yet.
    Wait,
    /// Nothing any more.
    End,
}

impl<In, Out> State<In, Out> {
    pub fn new(window: usize) -> Self {
        Self {
            parts: VecDeque::new(),
            units: VecDeque::new(),
            whole_in_work: 0,
            slots: VecDeque::new(),
            first: 0,
            window: window.max(1),
            is_closed: false,
            is_abandoned: false,
        }
    }

    pub fn is_full(&self) -> bool {
        self.slots.len() >= self.window
    }

    pub fn is_abandoned(&self) -> bool {
        self.is_abandoned
    }

    pub fn give(&mut self, unit: In) {
        let place = (self.first + self.slots.len(), 0);
        self.slots.push_back(Slot {
            results: vec![None],
            missing: 1,
        });
        self.units.push_back((place, unit));
    }

    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Drops what nobody will work on or take.
    pub fn abandon(&mut self) {
        self.is_abandoned = true;
        self.parts.clear();
        self.units.clear();
        self.slots.clear();
    }

    /// What is to be worked on next, and whether it may come apart.
    pub fn next(&mut self) -> Found<(Place, In, bool)> {
        if self.is_abandoned {
            return Found::End;
        }
        if let Some((place, part)) = self.parts.pop_front() {
            return Found::Some((place, part, false));
        }
        if let Some((place, unit)) = self.units.pop_front() {
            self.whole_in_work += 1;
            return Found::Some((place, unit, true));
        }
        match self.is_closed && self.whole_in_work == 0 {
            true => Found::End,
            false => Found::Wait,
        }
    }

    /// The result of a piece of work. True if the writer can go on.
    pub fn done(&mut self, (unit, part): Place, is_whole: bool, result: Out) -> bool {
        self.whole_in_work -= usize::from(is_whole);
        let Some(slot) = unit
            .checked_sub(self.first)
            .and_then(|at| self.slots.get_mut(at))
        else {
            return false;
        };
        if let Some(place) = slot.results.get_mut(part)
            && place.replace(result).is_none()
        {
            slot.missing -= 1;
        }
        unit == self.first && slot.missing == 0
    }

    /// A unit becomes parts. True if the writer can go on.
    pub fn come_apart(&mut self, (unit, _): Place, parts: Vec<In>) -> bool {
        self.whole_in_work -= 1;
        let Some(slot) = unit
            .checked_sub(self.first)
            .and_then(|at| self.slots.get_mut(at))
        else {
            return false;
        };
        slot.missing = parts.len();
        slot.results = parts.iter().map(|_| None).collect();
        // Parts of older units may wait; these come behind them, so that the oldest is done first.
        let at = self.parts.partition_point(|((other, _), _)| *other < unit);
        let behind = self.parts.split_off(at);
        let numbered = parts.into_iter().enumerate();
        self.parts
            .extend(numbered.map(|(part, work)| ((unit, part), work)));
        self.parts.extend(behind);
        unit == self.first && self.slots[0].missing == 0
    }

    /// The results of the unit that the writer waits for.
    pub fn take(&mut self) -> Found<Vec<Out>> {
        if self.is_abandoned {
            return Found::End;
        }
        match self.slots.front() {
            Some(slot) if slot.missing > 0 => Found::Wait,
            Some(_) => {
                self.first += 1;
                let slot = self.slots.pop_front();
                let results = slot.into_iter().flat_map(|slot| slot.results);
                Found::Some(results.flatten().collect())
            }
            None if self.is_closed => Found::End,
            None => Found::Wait,
        }
    }
}
