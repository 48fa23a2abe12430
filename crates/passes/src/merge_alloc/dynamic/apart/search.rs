//! The search for arenas in place of one.

use super::{
    super::{
        decide::{Part, Slot},
        facts::Term,
        layout::Layout,
        samples::{Sample, many, samples},
    },
    Arena, Excess, FAR, Question, excess,
};
use crate::merge_alloc::split::ENOUGH;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::{cell::OnceCell, cmp::Reverse};

/// Samples at which arenas are looked for: that where one arena is farthest above the limits, and those where the best ones
/// before are.
const MOST_TRIED: usize = 3;

/// Choices of arenas that are planned.
const MOST_PLANNED: usize = 12;

/// Samples with any values at which arenas are compared with one.
const MOST_SAMPLES: usize = 200;

/// Thousandths above the limits from which on orders of buffers are planned again. Where sizes are multiples of one, a plan
/// takes little time.
const LEAST_FOR_ORDERS: u64 = 5;

/// Several arenas may take one part of this many more than one, as each of their sizes is rounded up.
const MOST_PADDING: u64 = 50;

/// Where arenas are farthest above the limits.
#[derive(Clone, Copy)]
struct Worst {
    /// Thousandths of what they hold; at least one, if they are above the limits at all.
    share: u64,
    /// The sample.
    at: usize,
}

/// Arenas in place of one.
struct Choice {
    /// The groups of each, ascending.
    groups: Vec<Vec<usize>>,
    parts: Vec<Part>,
    worst: Worst,
}

/// What is compared at a sample with any values.
struct Compared {
    sample: Sample,
    /// What may be held at each moment.
    limits: Vec<u64>,
    /// Bytes that the one arena holds above the limits.
    above: u64,
}

/// The state of the search.
struct Search<'s, 'q, 'k, 'c> {
    question: &'s Question<'q, 'k, 'c>,
    all: Vec<Sample>,
    /// What may be held, for each sample and moment.
    limits: Vec<Vec<u64>>,
    /// The one arena, and what it holds at each sample.
    one: [Arena<'s>; 1],
    with_one: Vec<Excess>,
    /// Samples with any values, and the same of them; made where the first choice is compared at them.
    any: OnceCell<Vec<Compared>>,
    /// The arenas of some groups.
    known: FxHashMap<Vec<usize>, Option<Part>>,
    /// Choices that are planned, and the most of them: few where one arena is only a little above the limits.
    planned: usize,
    most_planned: usize,
    best: Option<Choice>,
}

/// The arenas; `None` if the function holds no less with them.
pub fn search(question: &Question<'_, '_, '_>) -> Option<Vec<Part>> {
    let separate = question.around.separate.iter().map(|one| &one.size);
    let sizes = question.sizes.iter().map(|term| &term.size);
    let all = samples(sizes.chain(separate), question.bounds);
    let limits: Vec<Vec<u64>> = all.iter().map(|sample| question.limits(sample)).collect();
    let one = [question.one()];
    let with_one: Vec<Excess> = all
        .iter()
        .zip(&limits)
        .map(|(sample, limits)| excess(&one, sample, limits))
        .collect();
    let share = |place: &usize| with_one[*place].share();
    let farthest = (0..all.len()).max_by_key(|place| (share(place), Reverse(*place)))?;
    let worst_of_one = share(&farthest);
    if worst_of_one == 0 {
        return None;
    }
    let until = question.until_last_use();
    let until = until.and_then(|part| {
        let parts = vec![part];
        let arenas = question.arenas(&parts);
        let both = all.iter().zip(&limits);
        let shares = both.map(|(sample, limits)| excess(&arenas, sample, limits).share());
        let (share, at) = shares
            .zip(0..)
            .max_by_key(|(share, at)| (*share, Reverse(*at)))?;
        drop(arenas);
        (share < worst_of_one).then(|| Choice {
            groups: vec![(0..question.groups.len()).collect()],
            parts,
            worst: Worst { share, at },
        })
    });
    if let Some(until) = &until
        && until.worst.share == 0
    {
        return Some(until.parts.clone());
    }
    let is_stack = |slot: &Slot| matches!(slot.layout, Some(Layout::Stack(_)));
    let least = match question.part.slots.iter().any(is_stack) {
        true => LEAST_FOR_ORDERS,
        false => 1,
    };
    if worst_of_one < least {
        return until.map(|until| until.parts);
    }
    let mut search = Search {
        question,
        all,
        limits,
        one,
        with_one,
        any: OnceCell::new(),
        known: FxHashMap::default(),
        planned: 0,
        most_planned: (MOST_PLANNED * worst_of_one.min(FAR) as usize / FAR as usize).max(1),
        best: until,
    };
    let mut tried = Vec::new();
    let mut next = farthest;
    while tried.len() < MOST_TRIED && !tried.contains(&next) {
        tried.push(next);
        search.offers(next);
        match &search.best {
            None => break,
            Some(best) if best.worst.share == 0 => break,
            // Where the best ones hold most, others may hold less.
            Some(best) => next = best.worst.at,
        }
    }
    search.merge();
    let best = search.best?;
    if best.worst.share >= worst_of_one {
        return None;
    }
    // A static part alone is an arena without slots.
    let mut parts = best.parts;
    parts.retain(|part| !part.slots.is_empty());
    parts.sort_by_key(|part| part.place);
    Some(parts)
}

impl Search<'_, '_, '_, '_> {
    /// Tries what suits a sample, until that is within the limits at all samples.
    fn offers(&mut self, at: usize) {
        let question = self.question;
        let (sample, limits) = (self.all[at].clone(), self.limits[at].clone());
        let one = self.with_one[at];
        question.offer(&sample, &limits, &one, |found| {
            // A plan holds at least what is live.
            if found.arenas.len() <= ENOUGH && found.excess < one.above {
                self.offered(&found.arenas);
            }
            let mut best = self.best.iter();
            self.planned >= self.most_planned || best.any(|best| best.worst.share == 0)
        });
    }

    /// Takes arenas of these groups, if they are the best so far.
    fn offered(&mut self, groups: &[Vec<usize>]) {
        let best = self.best.as_ref().map_or(u64::MAX, |best| best.worst.share);
        if let Some(found) = self.choice(groups, best.saturating_sub(1)) {
            self.best = Some(found);
        }
    }

    /// Makes one arena of two, as long as arenas are as good then.
    fn merge(&mut self) {
        while let Some(best) = self.best.take() {
            let count = best.groups.len();
            let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
            let mut merged = pairs.filter(|_| count > 2).filter_map(|(one, other)| {
                let mut groups = best.groups.clone();
                let more = groups.remove(other);
                groups[one].extend(more);
                groups[one].sort_unstable();
                self.choice(&groups, best.worst.share)
            });
            match merged.next() {
                Some(found) => self.best = Some(found),
                None => {
                    self.best = Some(best);
                    break;
                }
            }
        }
    }

    /// Plans arenas; `None` if they hold more than one, or a larger share than this above the limits.
    fn choice(&mut self, groups: &[Vec<usize>], most: u64) -> Option<Choice> {
        if !self.may_hold_less(groups, most) {
            return None;
        }
        self.planned += 1;
        let parts = groups.iter().map(|groups| {
            let mut groups = groups.clone();
            groups.sort_unstable();
            let known = self.known.entry(groups);
            known
                .or_insert_with_key(|groups| self.question.part_of(groups))
                .clone()
        });
        let parts: Vec<Part> = parts.collect::<Option<_>>()?;
        if !parts.iter().all(|part| self.question.is_used(part)) {
            return None;
        }
        let worst = self.worst(&parts)?;
        let is_taken = worst.share <= most && self.holds_less(&parts);
        is_taken.then(|| Choice {
            groups: groups.to_vec(),
            parts,
            worst,
        })
    }

    /// Whether arenas of these groups may be taken: they hold at least what is live in each, at its most.
    fn may_hold_less(&self, groups: &[Vec<usize>], most: u64) -> bool {
        let all = self.all.iter().zip(&self.limits).zip(&self.with_one);
        all.into_iter().all(|((sample, limits), one)| {
            let least = self.question.least_above(groups, sample, limits);
            let held = one.most + one.most / MOST_PADDING;
            let share = least.saturating_mul(1000) / held.max(1);
            least <= one.above && share <= most
        })
    }

    /// Where arenas are farthest above the limits; `None` if arenas hold more than one does.
    fn worst(&self, parts: &[Part]) -> Option<Worst> {
        let arenas = self.question.arenas(parts);
        let mut worst = Worst { share: 0, at: 0 };
        let all = self.all.iter().zip(&self.limits).zip(&self.with_one);
        for (at, ((sample, limits), one)) in all.enumerate() {
            let own = excess(&arenas, sample, limits);
            if own.above > one.above || own.most > one.most + one.most / MOST_PADDING {
                return None;
            }
            if own.share() > worst.share {
                worst = Worst {
                    share: own.share(),
                    at,
                };
            }
        }
        Some(worst)
    }

    /// Whether the arenas hold no more than one does, at any values of the dimensions.
    fn holds_less(&self, parts: &[Part]) -> bool {
        let arenas = self.question.arenas(parts);
        let mut compared = self.any.get_or_init(|| self.compared()).iter();
        compared.all(|one| excess(&arenas, &one.sample, &one.limits).above <= one.above)
    }

    /// Samples with any values: none if what is held at the others says it all.
    fn compared(&self) -> Vec<Compared> {
        let question = self.question;
        let separate = question.around.separate.iter();
        let separate = separate.map(|one| Term {
            size: one.size.clone(),
            guards: SmallVec::new(),
            held: (0, 1),
        });
        let terms: Vec<Term> = question.sizes.iter().cloned().chain(separate).collect();
        let dims: FxHashSet<_> = terms.iter().map(|term| &term.size.dims).collect();
        // All are multiples of one number, and so are the limits.
        if dims.len() == 1 && terms.iter().all(|term| term.guards.is_empty()) {
            return Vec::new();
        }
        let samples = many(&terms, question.bounds, MOST_SAMPLES);
        let compared = samples.into_iter().map(|sample| {
            let limits = question.limits(&sample);
            Compared {
                above: excess(&self.one, &sample, &limits).above,
                sample,
                limits,
            }
        });
        compared.collect()
    }
}
