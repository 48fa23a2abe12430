//! The state of one case of the search: least offsets, their explanations, and the undo log.
//!
//! * Every item has a least offset, `low`. A placed item lies exactly there.
//! * Every section has a *floor*, the least `low` of its unplaced items, and a *rest*, the sum of
//!   their sizes. Floor and rest together must not exceed the capacity.
//! * Every change of a `low` is an event with an *explanation*: the set of decisions that it
//!   follows from. Each item has two decisions, *placed at its low* and *raised above it*.
//!
//! Floors are maintained like the watches of a SAT solver: a section is updated only when one of
//! its two lowest items has changed.

use super::explanation::Explanations;
use super::model::{ITEM_BITS, MOST_ITEMS, Model, OFFSET_LIMIT};

/// A `low` and its item in one number, so that the minimum needs no branches.
fn key(low: u64, item: u32) -> u64 {
    low << ITEM_BITS | u64::from(item)
}

/// The key of an absent item.
const NO_KEY: u64 = OFFSET_LIMIT << ITEM_BITS | (MOST_ITEMS as u64 - 1);

/// An absent item.
pub const NONE: u32 = u32::MAX;

/// A change of a `low`.
#[derive(Clone, Copy)]
struct Event {
    item: u32,
    /// The previous event of the same item, or [`NONE`].
    previous: u32,
    low: u64,
}

/// The state of a section before an update.
#[derive(Clone, Copy)]
struct FloorChange {
    section: u32,
    floor: u64,
    lowest: [u32; 2],
}

/// A section in which the lowest item may have to come first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    pub item: u32,
    pub section: u32,
    /// The `low` of the second lowest item.
    pub second: u64,
}

/// A position in the undo log.
#[derive(Clone, Copy)]
pub struct Mark {
    events: usize,
    floors: usize,
}

/// The items of each section, the unplaced ones first. An item that is placed is swapped with the
/// last unplaced one, so that undo needs no search.
struct UnplacedLists {
    items: Vec<u32>,
    /// For each position in `items` the entry (a pair of item and section) that is there.
    entries: Vec<u32>,
    /// For each entry its position in `items`.
    positions: Vec<u32>,
    /// The number of unplaced items of each section.
    counts: Vec<u32>,
}

/// The state of the search.
pub struct State<'a> {
    pub model: &'a Model,
    pub capacity: u64,
    pub low: Vec<u64>,
    /// The [`key`] of each unplaced item, and [`NO_KEY`] of the others.
    keys: Vec<u64>,
    pub placed: Vec<bool>,
    /// The number of unplaced items.
    pub left: usize,
    pub floor: Vec<u64>,
    /// For each section the sum of `rounded_size` over its unplaced items.
    pub rest: Vec<u64>,
    /// For each section the number of unplaced items that are live in it and in the section before.
    pub across: Vec<u32>,
    /// Sections in which only the lowest item can come first.
    pub hints: Vec<Hint>,
    pub steps: u64,
    lists: UnplacedLists,
    /// The two lowest items of each section.
    lowest: Vec<[u32; 2]>,
    /// For each item a bit for each section in which it is one of the two lowest.
    watched: Vec<u64>,
    /// A bit for each section that must be updated.
    dirty: Vec<u64>,
    events: Vec<Event>,
    /// The explanation of each event.
    pub reasons: Explanations,
    /// The last event of each item.
    current: Vec<u32>,
    floors: Vec<FloorChange>,
}

impl<'a> State<'a> {
    /// The initial state, for capacity 0.
    pub fn new(model: &'a Model) -> Self {
        let (items, sections) = (model.count(), model.section_count());
        let mut next: Vec<u32> = (0..sections as u32)
            .map(|s| model.live.start(s) as u32)
            .collect();
        let mut entries = vec![0; model.live.total()];
        let mut positions = Vec::with_capacity(model.live.total());
        let mut all = vec![0; model.live.total()];
        for item in 0..items as u32 {
            for &section in model.sections.of(item) {
                let position = next[section as usize];
                next[section as usize] += 1;
                entries[position as usize] = positions.len() as u32;
                all[position as usize] = item;
                positions.push(position);
            }
        }
        State {
            model,
            capacity: 0,
            low: vec![0; items],
            keys: vec![0; items],
            placed: vec![false; items],
            left: items,
            floor: vec![0; sections],
            rest: vec![0; sections],
            across: vec![0; sections + 1],
            hints: Vec::new(),
            steps: 0,
            lists: UnplacedLists {
                items: all,
                entries,
                positions,
                counts: vec![0; sections],
            },
            lowest: vec![[NONE; 2]; sections],
            watched: vec![0; items * sections.div_ceil(64)],
            dirty: vec![0; sections.div_ceil(64)],
            events: Vec::new(),
            reasons: Explanations::new(items),
            current: Vec::new(),
            floors: Vec::new(),
        }
    }

    /// Resets the state, with another capacity.
    pub fn reset(&mut self, capacity: u64) {
        let model = self.model;
        self.capacity = capacity;
        self.events.clear();
        self.reasons.clear();
        self.current.clear();
        self.floors.clear();
        self.hints.clear();
        self.watched.fill(0);
        self.lowest.fill([NONE; 2]);
        self.placed.fill(false);
        self.left = model.count();
        self.across.fill(0);
        for item in 0..model.count() as u32 {
            let low = model.fit(item, 0).min(OFFSET_LIMIT);
            self.low[item as usize] = low;
            self.keys[item as usize] = key(low, item);
            self.current.push(item);
            self.events.push(Event {
                item,
                previous: NONE,
                low,
            });
            self.reasons.push_empty();
            let hull = model.hull[item as usize];
            for across in &mut self.across[hull.start as usize + 1..hull.end as usize] {
                *across += 1;
            }
        }
        for section in 0..model.section_count() {
            let items = model.live.of(section as u32);
            let sizes = items.iter().map(|&item| model.rounded_size[item as usize]);
            self.rest[section] = sizes.sum();
            self.lists.counts[section] = items.len() as u32;
            self.floor[section] = 0;
            self.dirty[section / 64] |= 1 << (section % 64);
        }
    }

    /// The unplaced items of `section`.
    pub fn unplaced(&self, section: u32) -> &[u32] {
        let start = self.model.live.start(section);
        &self.lists.items[start..start + self.lists.counts[section as usize] as usize]
    }

    /// The unplaced items with this `low`.
    pub fn unplaced_at(&self, low: u64) -> impl Iterator<Item = u32> {
        let keys = (0..).zip(&self.keys);
        keys.filter(move |(_, key)| **key >> ITEM_BITS == low)
            .map(|(item, _)| item)
    }

    pub fn mark(&self) -> Mark {
        Mark {
            events: self.events.len(),
            floors: self.floors.len(),
        }
    }

    /// Undoes all changes of `low` and of floors since `mark`.
    pub fn back_to(&mut self, mark: Mark) {
        while self.events.len() > mark.events {
            let event = self.events.pop().expect("there are more than marked");
            self.current[event.item as usize] = event.previous;
            let low = self.events[event.previous as usize].low;
            self.low[event.item as usize] = low;
            self.keys[event.item as usize] = key(low, event.item);
        }
        self.reasons.truncate(mark.events);
        while self.floors.len() > mark.floors {
            let old = self.floors.pop().expect("there are more than marked");
            self.floor[old.section as usize] = old.floor;
            self.watch(old.section as usize, old.lowest);
        }
        self.dirty.fill(0);
        self.hints.clear();
    }

    /// Places `item` at its low. All conflicting items must then lie above it: none of them can end
    /// at or below its low.
    pub fn place(&mut self, item: u32) {
        let model = self.model;
        let index = item as usize;
        self.placed[index] = true;
        self.keys[index] = NO_KEY;
        self.left -= 1;
        self.remove_from_lists(item);
        self.mark_dirty(index);
        let (low, own) = (self.low[index], self.current[index]);
        let top = low + model.size[index];
        let others = model.neighbours.of(item);
        self.steps += others.len() as u64;
        for &other in others {
            if self.placed[other as usize] {
                continue;
            }
            let above = model.fit(other, top).min(OFFSET_LIMIT);
            if above > self.low[other as usize] {
                let too_high = (low + 1).saturating_sub(model.size[other as usize]);
                let why = self.event_reaching(other, too_high);
                self.reasons.start_copy(own);
                self.reasons.add_placed(item);
                self.reasons.add_event(why);
                self.set_low(other, above);
            }
        }
    }

    /// Undoes [`place`](Self::place), except for the part that [`back_to`](Self::back_to) undoes.
    pub fn unplace(&mut self, item: u32) {
        let model = self.model;
        self.placed[item as usize] = false;
        self.keys[item as usize] = key(self.low[item as usize], item);
        self.left += 1;
        for &section in model.sections.of(item) {
            self.rest[section as usize] += model.rounded_size[item as usize];
            self.lists.counts[section as usize] += 1;
        }
        let hull = model.hull[item as usize];
        for across in &mut self.across[hull.start as usize + 1..hull.end as usize] {
            *across += 1;
        }
    }

    fn remove_from_lists(&mut self, item: u32) {
        let model = self.model;
        let rounded_size = model.rounded_size[item as usize];
        let lists = &mut self.lists;
        for (entry, &section) in (model.sections.start(item)..).zip(model.sections.of(item)) {
            self.rest[section as usize] -= rounded_size;
            lists.counts[section as usize] -= 1;
            let last = model.live.start(section) + lists.counts[section as usize] as usize;
            let here = lists.positions[entry] as usize;
            lists.items.swap(here, last);
            lists.entries.swap(here, last);
            lists.positions[lists.entries[here] as usize] = here as u32;
            lists.positions[entry] = last as u32;
        }
        self.steps += model.sections.of(item).len() as u64;
        let hull = model.hull[item as usize];
        for across in &mut self.across[hull.start as usize + 1..hull.end as usize] {
            *across -= 1;
        }
    }

    /// The least offset of `item` above its low: on the lowest possible top of an unplaced
    /// neighbour.
    pub fn next_support(&mut self, item: u32) -> u64 {
        let model = self.model;
        let others = model.neighbours.of(item);
        self.steps += others.len() as u64;
        let waiting = others.iter().filter(|&&other| !self.placed[other as usize]);
        let least = waiting
            .map(|&other| self.low[other as usize] + model.size[other as usize])
            .min();
        least.map_or(OFFSET_LIMIT, |least| {
            model.fit(item, least).min(OFFSET_LIMIT)
        })
    }

    /// Raises `item` above its low. The decision with this number becomes part of the explanation.
    pub fn raise(&mut self, item: u32, number: usize) {
        let height = self.next_support(item);
        self.reasons.start_empty();
        self.explain_raised(item, height);
        self.reasons.add_raised(number);
        self.set_low(item, height);
    }

    /// Adds the reason why `item`, once above its low, lies at `height` or higher, to the current
    /// explanation. `height` is at most the next support.
    pub fn explain_raised(&mut self, item: u32, height: u64) {
        let model = self.model;
        self.reasons.add_event(self.current[item as usize]);
        // If nothing is fixed, a top above `height` less the alignment suffices.
        let least = match model.is_open() {
            true => height - model.alignment[item as usize] + 1,
            false => OFFSET_LIMIT,
        };
        for &other in model.neighbours.of(item) {
            if self.placed[other as usize] {
                self.reasons.add_placed(other);
            } else {
                let low = least.saturating_sub(model.size[other as usize]);
                self.reasons.add_event(self.event_reaching(other, low));
            }
        }
    }

    /// The last event of `item`.
    pub fn last_event(&self, item: u32) -> u32 {
        self.current[item as usize]
    }

    /// The first event from which on the low of `item` is at least `low`; the last event if there
    /// is none.
    fn event_reaching(&self, item: u32, low: u64) -> u32 {
        let mut event = self.current[item as usize];
        loop {
            let previous = self.events[event as usize].previous;
            if previous == NONE || self.events[previous as usize].low < low {
                return event;
            }
            event = previous;
        }
    }

    /// Changes the `low` of `item`, with the current explanation.
    fn set_low(&mut self, item: u32, low: u64) {
        self.reasons.push();
        let previous = self.current[item as usize];
        self.current[item as usize] = self.events.len() as u32;
        self.events.push(Event {
            item,
            previous,
            low,
        });
        self.low[item as usize] = low;
        self.keys[item as usize] = key(low, item);
        self.mark_dirty(item as usize);
    }

    /// Marks the sections that watch the item for an update.
    fn mark_dirty(&mut self, item: usize) {
        let words = self.dirty.len();
        let watched = &self.watched[item * words..(item + 1) * words];
        for (dirty, watched) in self.dirty.iter_mut().zip(watched) {
            *dirty |= watched;
        }
    }

    fn watch(&mut self, section: usize, lowest: [u32; 2]) {
        let words = self.dirty.len();
        let (word, bit) = (section / 64, 1u64 << (section % 64));
        for item in self.lowest[section] {
            if item != NONE {
                self.watched[item as usize * words + word] &= !bit;
            }
        }
        for item in lowest {
            if item != NONE {
                self.watched[item as usize * words + word] |= bit;
            }
        }
        self.lowest[section] = lowest;
    }

    /// Updates all marked sections. Returns a section that overflows, if there is one.
    pub fn propagate(&mut self) -> Option<u32> {
        for word in 0..self.dirty.len() {
            while self.dirty[word] != 0 {
                let section = word * 64 + self.dirty[word].trailing_zeros() as usize;
                self.dirty[word] &= self.dirty[word] - 1;
                if self.update_floor(section) {
                    self.dirty.fill(0);
                    return Some(section as u32);
                }
            }
        }
        None
    }

    /// Updates the floor of `section`. Returns whether it overflows.
    fn update_floor(&mut self, section: usize) -> bool {
        let waiting = self.unplaced(section as u32);
        let count = waiting.len();
        let (mut first, mut second) = (NO_KEY, NO_KEY);
        for &item in waiting {
            let key = self.keys[item as usize];
            second = second.min(first.max(key));
            first = first.min(key);
        }
        let item = |key| match key {
            NO_KEY => NONE,
            _ => (key % MOST_ITEMS as u64) as u32,
        };
        let lowest = [item(first), item(second)];
        let (first, second) = (first >> ITEM_BITS, second >> ITEM_BITS);
        self.steps += count as u64;
        if first != self.floor[section] || lowest != self.lowest[section] {
            self.floors.push(FloorChange {
                section: section as u32,
                floor: self.floor[section],
                lowest: self.lowest[section],
            });
            self.floor[section] = first;
            self.watch(section, lowest);
        }
        if count == 0 {
            return false;
        }
        if self.exceeds(section as u32, first) {
            return true;
        }
        if self.exceeds(section as u32, second) {
            self.hints.push(Hint {
                item: lowest[0],
                section: section as u32,
                second,
            });
        }
        false
    }

    /// Whether the unplaced items of `section` do not fit from `height` on.
    pub fn exceeds(&self, section: u32, height: u64) -> bool {
        let rest = self.rest[section as usize];
        // The topmost item need not be rounded up; finding it is seldom necessary.
        self.model.end(section, height, rest) > self.capacity
            && self.model.end(section, height, self.need(section)) > self.capacity
    }

    /// The least space that the unplaced items of `section` take on top of each other.
    fn need(&self, section: u32) -> u64 {
        let rest = self.rest[section as usize];
        if !self.model.rounds {
            return rest;
        }
        let Model {
            rounded_size, size, ..
        } = self.model;
        let waiting = self.unplaced(section).iter().map(|&item| item as usize);
        rest - waiting
            .map(|item| rounded_size[item] - size[item])
            .max()
            .unwrap_or(0)
    }

    /// The height from which on the unplaced items of `section` overflow, if nothing is fixed.
    pub fn overflow_height(&self, section: u32) -> u64 {
        (self.capacity + 1).saturating_sub(self.need(section))
    }

    /// Adds the reason why the unplaced items of `section` except `but` overflow to the current
    /// explanation. `floor` is their least low.
    pub fn explain_overflow(&mut self, section: u32, but: u32, floor: u64) {
        // Explains as little as possible: the first event that suffices.
        let enough = match self.model.is_open() {
            true => self.overflow_height(section),
            false => floor,
        };
        let start = self.model.live.start(section);
        for index in start..start + self.lists.counts[section as usize] as usize {
            let item = self.lists.items[index];
            if item != but {
                self.reasons.add_event(self.event_reaching(item, enough));
            }
        }
    }
}
