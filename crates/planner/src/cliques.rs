//! Finds heavy cliques of the conflict graph: sets of buffers that conflict pairwise.
//!
//! Live ranges without holes that overlap pairwise all share one point in time (Helly's theorem for
//! intervals), so the load is their best bound. With holes they need not share one, and the
//! heaviest clique bounds the peak from below as the load does.
//!
//! The search decides which items with holes are in the clique. The other items, and the remaining
//! ones with holes, come from one section, in which they all conflict. So every case is a clique,
//! and no clique is lost.

use crate::timeline::Timeline;

/// The largest number of items for a search. Bit matrices hold the conflicts.
const MOST_ITEMS: usize = 2048;

/// Steps of the search for each item, and the minimum. A step is a look at one item or section.
const STEPS_PER_ITEM: usize = 100;
const STEPS_AT_LEAST: usize = 20_000;

/// Finds the heaviest clique, as indices of items. Returns `None` if no clique is heavier than a
/// section. Ignores items of weight 0.
pub fn heaviest(timeline: &Timeline, weights: &[u64]) -> Option<Vec<u32>> {
    let count = timeline.items.len();
    if count > MOST_ITEMS {
        return None;
    }
    let holed = Bits::of(count, |item| {
        timeline.spans(&timeline.items[item]).len() > 1 && weights[item] > 0
    });
    if holed.is_empty() {
        return None;
    }
    let mut search = Cliques {
        timeline,
        weights,
        conflicts: conflicts(timeline),
        sums: Vec::new(),
        chosen: Vec::new(),
        best: (0, Vec::new()),
        steps: (STEPS_PER_ITEM * count).max(STEPS_AT_LEAST),
    };
    let all = Bits::of(count, |item| weights[item] > 0);
    let load = search.heaviest_section(&all).0;
    search.best.0 = load;
    search.explore(0, all, &holed);
    (search.best.0 > load).then_some(search.best.1)
}

struct Cliques<'a> {
    timeline: &'a Timeline,
    weights: &'a [u64],
    conflicts: Vec<Bits>,
    /// For each section the weight of the candidates in it.
    sums: Vec<u64>,
    chosen: Vec<u32>,
    best: (u64, Vec<u32>),
    steps: usize,
}

impl Cliques<'_> {
    /// Searches the cliques of `chosen`, which weighs `weight`, and a subset of `candidates`. Each
    /// candidate conflicts with all of `chosen`.
    fn explore(&mut self, weight: u64, mut candidates: Bits, holed: &Bits) {
        let (most, section) = self.heaviest_section(&candidates);
        if weight.saturating_add(most) > self.best.0 {
            let there = candidates
                .iter()
                .filter(|&item| self.is_live(item, section));
            let clique: Vec<u32> = self.chosen.iter().copied().chain(there).collect();
            self.best = (weight.saturating_add(most), clique);
        }
        let mut rest = self.weight(&candidates);
        for item in candidates.clone().iter() {
            if weight.saturating_add(rest) <= self.best.0 || self.steps == 0 {
                return;
            }
            if !holed.has(item) {
                continue;
            }
            candidates.remove(item);
            rest = rest.saturating_sub(self.weights[item as usize]);
            let inside = candidates.and(&self.conflicts[item as usize]);
            let with = weight.saturating_add(self.weights[item as usize]);
            let most = with.saturating_add(self.weight(&inside));
            self.steps = self.steps.saturating_sub(inside.words.len() + 1);
            if most > self.best.0 {
                self.chosen.push(item);
                self.explore(with, inside, holed);
                self.chosen.pop();
            }
        }
    }

    /// In an invalid problem the sums may saturate and are meaningless.
    fn weight(&self, items: &Bits) -> u64 {
        let weights = items.iter().map(|item| self.weights[item as usize]);
        weights.fold(0, u64::saturating_add)
    }

    /// The largest weight of the candidates that are live in one section, and that section.
    fn heaviest_section(&mut self, candidates: &Bits) -> (u64, u32) {
        self.sums.clear();
        self.sums.resize(self.timeline.sections as usize + 1, 0);
        let mut steps = self.sums.len();
        for item in candidates.iter() {
            let weight = self.weights[item as usize];
            for span in self.timeline.spans(&self.timeline.items[item as usize]) {
                // Differences may be negative; prefix sums are not.
                let (start, end) = (span.start as usize, span.end as usize);
                self.sums[start] = self.sums[start].wrapping_add(weight);
                self.sums[end] = self.sums[end].wrapping_sub(weight);
                steps += 1;
            }
        }
        self.steps = self.steps.saturating_sub(steps);
        let (mut sum, mut best) = (0u64, (0, 0));
        for (section, difference) in (0u32..).zip(&self.sums) {
            sum = sum.wrapping_add(*difference);
            if sum > best.0 {
                best = (sum, section);
            }
        }
        best
    }

    fn is_live(&self, item: u32, section: u32) -> bool {
        let mut spans = self
            .timeline
            .spans(&self.timeline.items[item as usize])
            .iter();
        spans.any(|span| span.start <= section && section < span.end)
    }
}

/// For each item the items that conflict with it, by a sweep over the sections.
fn conflicts(timeline: &Timeline) -> Vec<Bits> {
    let count = timeline.items.len();
    let mut events = Vec::new();
    for (index, item) in (0u32..).zip(&timeline.items) {
        for span in timeline.spans(item) {
            events.push((span.start, true, index));
            events.push((span.end, false, index));
        }
    }
    events.sort_unstable(); // in one section ends come before starts
    let mut live = Bits::of(count, |_| false);
    let mut conflicts = vec![live.clone(); count];
    for (_, starts, item) in events {
        if !starts {
            live.remove(item);
            continue;
        }
        for other in live.iter() {
            conflicts[other as usize].add(item);
        }
        conflicts[item as usize].union(&live);
        live.add(item);
    }
    conflicts
}

/// A set of items as a bit vector.
#[derive(Clone)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    fn of(count: usize, has: impl Fn(usize) -> bool) -> Self {
        let mut bits = Bits {
            words: vec![0; count.div_ceil(64)],
        };
        for item in (0..count).filter(|&item| has(item)) {
            bits.add(item as u32);
        }
        bits
    }

    fn add(&mut self, item: u32) {
        self.words[item as usize / 64] |= 1 << (item % 64);
    }

    fn remove(&mut self, item: u32) {
        self.words[item as usize / 64] &= !(1 << (item % 64));
    }

    fn has(&self, item: u32) -> bool {
        self.words[item as usize / 64] & (1 << (item % 64)) != 0
    }

    fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    fn union(&mut self, other: &Bits) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    fn and(&self, other: &Bits) -> Bits {
        let words = self.words.iter().zip(&other.words);
        Bits {
            words: words.map(|(word, other)| word & other).collect(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (0u32..).zip(&self.words);
        words.flat_map(|(index, &word)| {
            let rest = |&word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
            let words = std::iter::successors(Some(word).filter(|&word| word != 0), rest);
            words.map(move |word| 64 * index + word.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Buffer, Problem};

    fn found(lives: &[&[(u64, u64)]]) -> Option<Vec<u32>> {
        let buffers = (1u64..).zip(lives);
        let buffers = buffers.map(|(id, live)| Buffer::new(id, id, live.iter().copied()));
        let timeline = Timeline::new(&Problem::new(buffers.collect()).expect("valid"));
        let weights: Vec<u64> = timeline.items.iter().map(|item| item.size).collect();
        heaviest(&timeline, &weights)
    }

    #[test]
    fn pairwise_conflicting_buffers_are_found() {
        let triangle: [&[_]; 3] = [&[(0, 1), (2, 3)], &[(0, 1), (4, 5)], &[(2, 3), (4, 5)]];
        let mut clique = found(&triangle).expect("a clique");
        clique.sort_unstable();
        assert_eq!(clique, [0, 1, 2]);
        let heavier: [&[_]; 4] = [triangle[0], triangle[1], triangle[2], &[(4, 5)]];
        assert_eq!(found(&heavier), None); // 2 + 3 + 4 at once
    }

    #[test]
    fn without_holes_there_is_no_more_than_the_load() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[&[(0, 3)], &[(2, 5)], &[(4, 7)]]), None);
    }
}
