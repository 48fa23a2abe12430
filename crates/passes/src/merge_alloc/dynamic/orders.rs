//! Orders of buffers: which of two that are live at the same time is below the other one.
//!
//! An order comes from a plan for one value of each dimension. Of the orders at a few values, the one is taken that is nearest to
//! the load at all of them. Where that is far from it at some, a run chooses: it computes what each of a few orders takes, and takes
//! the least.

use super::{
    PlanOptions,
    facts::{Bounds, Term},
    groups::{Group, Lives, pack},
    layout::{Order, Stack, Stacked},
    samples::{Sample, many},
};
use fixedbitset::FixedBitSet;
use memplan_lifetimes::program::Position;

/// Most pairs of groups that are live at the same time.
const MOST_PAIRS: usize = 1 << 21;

/// Most and least plans that are compared, and most buffers in all of them.
const MOST_PLANS: usize = 16;
const LEAST_PLANS: usize = 3;
const MOST_PLANNED: usize = 2048;

/// Most plans at a value at which the best one before is farthest from the load.
const MOST_REPAIRS: usize = 4;

/// Most of these for orders that a run chooses from.
const MOST_CHOSEN: usize = 12;

/// Thousandths of the load that no better plan is looked for.
const CLOSE: u64 = 1010;

/// Thousandths of the load that one order is enough for.
const NEAR: u64 = 1050;

/// Orders of which a run takes one: memplan-verify tries both values of up to three conditions.
const MOST_ORDERS: usize = 4;

/// Values at which orders are compared to be chosen from, and most sizes at all of them.
const MOST_SAMPLES: usize = 1000;
const LEAST_SAMPLES: usize = 60;
const MOST_SIZES: usize = 200_000;

/// A number of bytes is noticeably less than another one if it is one part of this many less.
const LEAST_GAIN: u64 = 100;

/// Most different sizes where a run chooses, and where an order replaces slots: to prove such orders takes time that grows with the
/// square of the sizes.
const MOST_TO_CHOOSE: usize = 64;
const MOST_IN_PLACE_OF_SLOTS: usize = 256;

/// What orders are found for.
pub struct Problem<'p> {
    /// The groups of buffers.
    pub groups: &'p [Group],
    /// The group of each buffer.
    pub hosts: &'p [usize],
    /// The sizes of groups.
    pub sizes: &'p [Term],
    /// Relations of dimensions.
    pub bounds: &'p Bounds,
    /// Values of the dimensions; the first of them are those to plan at.
    pub samples: &'p [Sample],
    /// The most bytes at each of them.
    pub most: &'p [u64],
    /// What is replaced, as a number for each group: of two that are live at the same time, the one with the lower number is below.
    pub replaced: Option<Vec<u64>>,
    /// How buffers are planned.
    pub options: &'p PlanOptions,
}

/// An order, and where it is farthest from the load.
struct Tried {
    order: Order,
    /// Whether it is that of what is replaced, which takes no more than that for any values.
    is_replaced: bool,
    /// The most thousandths of the load at a sample.
    worst: u64,
    /// The sample.
    at: usize,
}

/// Orders of which a run takes one.
#[derive(Clone, Debug)]
struct Choice {
    orders: Vec<usize>,
    /// Thousandths of the load at each sample.
    ratios: Vec<u64>,
    /// The most of these.
    worst: u64,
}

impl Problem<'_> {
    /// The buffers in one order, or in a few of which a run takes one. With `limits_first`, the first order alone takes no more than
    /// it may.
    pub fn stack(&self, limits_first: bool, is_limited: &dyn Fn(&Stack) -> bool) -> Option<Stack> {
        if limits_first && self.sizes.len() > MOST_IN_PLACE_OF_SLOTS {
            return None;
        }
        let together = together(self.groups)?;
        let lives = Lives::of(self.groups);
        let values = self.values(&lives, self.samples);
        let mut both = values.iter().zip(self.most);
        if !both.any(|(values, most)| is_less(values.load, *most)) {
            return None;
        }
        let mut tried = self.search(&together, &values);
        let is_single = |one: &Tried| one.is_replaced || is_limited(&self.stack_of(&[&one.order]));
        let single = tried.iter().position(is_single);
        let is_near = single.is_some_and(|single| tried[single].worst <= NEAR);
        let may_choose = self.sizes.len() <= MOST_TO_CHOOSE;
        if !is_near && may_choose && (single.is_some() || !limits_first) {
            if let Some(single) = single {
                tried.swap(0, single);
            }
            if let Some(stack) = self.several(&lives, &together, &tried, limits_first)
                && (limits_first || is_limited(&stack))
            {
                return Some(stack);
            }
            return single.map(|_| self.stack_of(&[&tried[0].order]));
        }
        single.map(|single| self.stack_of(&[&tried[single].order]))
    }

    fn stack_of(&self, orders: &[&Order]) -> Stack {
        Stack {
            sizes: self.sizes.to_vec(),
            orders: orders.iter().copied().cloned().collect(),
        }
    }

    /// Orders by plans at a few samples, those first that are nearest to the load.
    fn search(&self, together: &[Vec<usize>], values: &[Values]) -> Vec<Tried> {
        let samples = self.samples;
        let plans = (MOST_PLANNED / self.groups.len().max(1)).clamp(LEAST_PLANS, MOST_PLANS);
        let mut open: Vec<usize> = (0..plans.min(samples.len())).rev().collect();
        let mut is_tried = vec![false; samples.len()];
        let mut repairs = MOST_REPAIRS;
        let mut all: Vec<Tried> = Vec::new();
        if let Some(replaced) = &self.replaced
            && are_apart(replaced, together)
        {
            let order = ordered(self.groups, self.hosts, replaced, together);
            all.push(Tried {
                is_replaced: true,
                ..compared(order, values)
            });
        }
        while let Some(at) = open.pop() {
            is_tried[at] = true;
            if let Some(order) = self.order_at(&samples[at], together) {
                let found = compared(order, values);
                let place = all.partition_point(|known| known.worst <= found.worst);
                all.insert(place, found);
            }
            let Some(best) = all.first() else { continue };
            if best.worst <= CLOSE {
                break;
            }
            // Where the best one takes most, another one may take less.
            if open.is_empty() && repairs > 0 && !is_tried[best.at] {
                repairs -= 1;
                open.push(best.at);
            }
        }
        all
    }

    /// The order of a plan at a sample.
    fn order_at(&self, sample: &Sample, together: &[Vec<usize>]) -> Option<Order> {
        let wanted = self.groups.iter().map(|group| group.alignment);
        let packed = pack(self.groups, self.at(sample).zip(wanted), self.options)?;
        Some(ordered(self.groups, self.hosts, &packed.offsets, together))
    }

    /// Orders of which one is near the load wherever that is possible; with `keeps_first`, the first one is among them.
    fn several(
        &self,
        lives: &Lives,
        together: &[Vec<usize>],
        tried: &[Tried],
        keeps_first: bool,
    ) -> Option<Stack> {
        let number = MOST_SIZES / self.groups.len().max(1);
        let number = number.clamp(LEAST_SAMPLES, MOST_SAMPLES);
        let samples = many(self.sizes, self.bounds, number);
        let values = self.values(lives, &samples);
        let ratios = |order: &Order| -> Vec<u64> {
            let values = values.iter();
            values.map(|values| values.ratio(order)).collect()
        };
        let mut orders: Vec<Order> = tried.iter().map(|one| one.order.clone()).collect();
        let mut all: Vec<Vec<u64>> = orders.iter().map(ratios).collect();
        let mut best = good_choice(&all, keeps_first)?;
        let mut is_tried = vec![false; samples.len()];
        let plans = MOST_PLANNED / self.groups.len().max(1);
        for _ in 0..plans.clamp(LEAST_PLANS, MOST_CHOSEN) {
            if best.worst <= CLOSE {
                break;
            }
            // Where they take most, another one may take less.
            let untried = best.ratios.iter().zip(&is_tried).enumerate();
            let untried = untried.filter(|(_, (_, is_tried))| !**is_tried);
            let Some((at, _)) = untried.max_by_key(|(_, (ratio, _))| **ratio) else {
                break;
            };
            is_tried[at] = true;
            let Some(order) = self.order_at(&samples[at], together) else {
                continue;
            };
            all.push(ratios(&order));
            orders.push(order);
            best = good_choice(&all, keeps_first)?;
        }
        let chosen: Vec<&Order> = best.orders.iter().map(|order| &orders[*order]).collect();
        Some(self.stack_of(&chosen))
    }

    /// The sizes at some samples, and the load there.
    fn values(&self, lives: &Lives, samples: &[Sample]) -> Vec<Values> {
        let values = samples.iter().map(|sample| {
            let sizes = self.sizes.iter().map(|term| sample.bytes_if(term));
            let sizes: Vec<u64> = sizes.collect();
            let load = lives.load(|group| sizes[self.groups[group].size]);
            Values {
                sizes,
                load: load.max(1),
            }
        });
        values.collect()
    }

    /// The bytes of each group at a sample. None is empty, so that each has a place among the others.
    fn at(&self, sample: &Sample) -> impl Iterator<Item = u64> {
        let size = |group: &Group| sample.bytes(&self.sizes[group.size].size);
        self.groups.iter().map(move |group| size(group).max(1))
    }
}

/// What sizes are at a sample.
struct Values {
    sizes: Vec<u64>,
    /// The most bytes that are live at once.
    load: u64,
}

impl Values {
    /// What an order takes, in thousandths of the load. Without rounding, which nothing can be done about.
    fn ratio(&self, order: &Order) -> u64 {
        order.bytes(&self.sizes, false).saturating_mul(1000) / self.load
    }
}

/// Compares an order with the load at each sample.
fn compared(order: Order, values: &[Values]) -> Tried {
    let (mut worst, mut at) = (0, 0);
    for (place, values) in values.iter().enumerate() {
        let ratio = values.ratio(&order);
        if ratio > worst {
            (worst, at) = (ratio, place);
        }
    }
    Tried {
        order,
        is_replaced: false,
        worst,
        at,
    }
}

/// Good orders of which a run takes one, by thousandths of the load of each order at each sample; fewer where more are not
/// noticeably better. Each order that is added or exchanged lowers a sum of powers, in which what is far from the load counts most.
fn good_choice(all: &[Vec<u64>], keeps_first: bool) -> Option<Choice> {
    let costs: Vec<Vec<u64>> = all.iter().map(|ratios| costs(ratios)).collect();
    let samples = all.first()?.len();
    let mut orders: Vec<usize> = Vec::new();
    let mut best: Option<Choice> = None;
    while orders.len() < MOST_ORDERS.min(all.len()) {
        match orders.is_empty() && keeps_first {
            true => orders.push(0),
            false => {
                let known = least(&costs, samples, orders.iter());
                orders.push(next(&costs, &known, u64::MAX)?.0);
            }
        }
        // Each of them may have a better one in its place.
        let mut place = usize::from(keeps_first);
        while place < orders.len() {
            let others = orders.iter().enumerate();
            let others = others.filter(|(other, _)| *other != place);
            let known = least(&costs, samples, others.map(|(_, order)| order));
            let cost = sum(&known, &costs[orders[place]]);
            match next(&costs, &known, cost) {
                Some((order, _)) => {
                    orders[place] = order;
                    place = usize::from(keeps_first);
                }
                None => place += 1,
            }
        }
        let ratios = least(all, samples, orders.iter());
        let worst = *ratios.iter().max()?;
        if best.as_ref().is_none_or(|best| is_less(worst, best.worst)) {
            best = Some(Choice {
                orders: orders.clone(),
                ratios,
                worst,
            });
        }
    }
    best
}

/// What thousandths of the load cost. The sum of a thousand of them does not overflow.
fn costs(ratios: &[u64]) -> Vec<u64> {
    let excess = ratios.iter().map(|ratio| ratio.saturating_sub(1000));
    excess.map(|excess| excess.min(10_000).pow(4)).collect()
}

/// The least of some orders at each sample.
fn least<'o>(
    all: &[Vec<u64>],
    samples: usize,
    orders: impl Iterator<Item = &'o usize>,
) -> Vec<u64> {
    let mut least = vec![u64::MAX; samples];
    for order in orders {
        for (known, own) in least.iter_mut().zip(&all[*order]) {
            *known = (*known).min(*own);
        }
    }
    least
}

/// The sum of the costs of an order beside others.
fn sum(known: &[u64], own: &[u64]) -> u64 {
    known
        .iter()
        .zip(own)
        .map(|(known, own)| *known.min(own))
        .sum()
}

/// The order that lowers the costs most, and what they are then; `None` if none lowers them.
fn next(costs: &[Vec<u64>], known: &[u64], below: u64) -> Option<(usize, u64)> {
    let sums = costs.iter().enumerate();
    let sums = sums.map(|(order, own)| (order, sum(known, own)));
    let least = sums.min_by_key(|(_, sum)| *sum)?;
    (least.1 < below).then_some(least)
}

/// Whether a number of bytes is noticeably less than another one.
pub const fn is_less(bytes: u64, than: u64) -> bool {
    bytes < than - than / LEAST_GAIN
}

/// Whether groups that are live at the same time have different numbers.
fn are_apart(numbers: &[u64], together: &[Vec<usize>]) -> bool {
    let mut all = numbers.iter().zip(together);
    all.all(|(number, others)| others.iter().all(|other| numbers[*other] != *number))
}

/// For each group, those that are live at the same time; `None` if there are too many.
fn together(groups: &[Group]) -> Option<Vec<Vec<usize>>> {
    let mut events: Vec<(Position, bool, usize)> = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        for (start, end) in &group.live {
            events.push((*start, true, place));
            events.push((*end, false, place));
        }
    }
    // An end comes before a start at the same position.
    events.sort_unstable();
    let mut together: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    let mut live: Vec<usize> = Vec::new();
    let mut pairs = 0;
    for (_, starts, place) in events {
        if !starts {
            live.retain(|other| *other != place);
            continue;
        }
        pairs += live.len();
        if pairs > MOST_PAIRS {
            return None;
        }
        for other in &live {
            together[*other].push(place);
            together[place].push(*other);
        }
        live.push(place);
    }
    for others in &mut together {
        others.sort_unstable();
        others.dedup();
    }
    Some(together)
}

/// The order of a plan with these offsets.
fn ordered(groups: &[Group], hosts: &[usize], offsets: &[u64], together: &[Vec<usize>]) -> Order {
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|group| offsets[*group]);
    let mut place_of = vec![0; groups.len()];
    for (place, group) in order.iter().enumerate() {
        place_of[*group] = place;
    }
    // All groups that are below each, also indirectly.
    let mut reached: Vec<FixedBitSet> = Vec::with_capacity(groups.len());
    let mut made: Vec<Stacked> = Vec::with_capacity(groups.len());
    for (place, group) in order.iter().enumerate() {
        // Those that are live at the same time have other bytes: one with a lower offset ends below.
        let lower = together[*group].iter().map(|other| place_of[*other]);
        let mut lower: Vec<usize> = lower.filter(|other| *other < place).collect();
        lower.sort_unstable_by(|one, other| other.cmp(one));
        let mut reach = FixedBitSet::with_capacity(groups.len());
        let mut below = Vec::new();
        for other in lower {
            if !reach.contains(other) {
                reach.union_with(&reached[other]);
                reach.insert(other);
                below.push(other);
            }
        }
        reached.push(reach);
        below.reverse();
        made.push(Stacked {
            size: groups[*group].size,
            alignment: groups[*group].alignment,
            below,
        });
    }
    Order {
        groups: made,
        group_of: hosts.iter().map(|host| place_of[*host]).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::merge_alloc::dynamic::facts::{DimId, Size};
    use crate::merge_alloc::dynamic::layout::round_up;
    use memplan_lifetimes::program::Position;
    use memplan_planner::{Options, Planner};
    use memplan_problems::random::Random;
    use smallvec::SmallVec;

    #[test]
    fn buffers_that_are_live_together_have_other_bytes_at_all_samples() {
        let mut random = Random(5);
        let mut next = |below: u64| random.below(below as usize) as u64;
        let options = PlanOptions {
            planner: Planner::default(),
            options: Options::default(),
            least_alignment: 1,
            in_place: true,
            mixes: true,
        };
        for _ in 0..60 {
            let sizes: Vec<Term> = (0..1 + next(6))
                .map(|_| Term {
                    size: Size {
                        bytes: 1 + next(64),
                        dims: (0..=next(2)).map(|_| DimId(next(3) as u32)).collect(),
                    },
                    guards: SmallVec::new(),
                    held: (0, 1),
                })
                .collect();
            let groups: Vec<Group> = (0..1 + next(24))
                .map(|_| {
                    let start = next(40) as Position;
                    let later = start + 50 + next(9) as Position;
                    let mut live = vec![(start, start + 1 + next(20) as Position)];
                    if next(3) == 0 {
                        live.push((later, later + 1 + next(9) as Position));
                    }
                    Group {
                        live,
                        size: next(sizes.len() as u64) as usize,
                        alignment: 1 << next(5),
                    }
                })
                .collect();
            let bounds = Bounds {
                constant: vec![(Some(0), None); 3],
                ..Bounds::default()
            };
            let all = many(&sizes, &bounds, 30);
            let at = |group: &Group| all[1].bytes(&sizes[group.size].size).max(1);
            let wanted = groups.iter().map(|group| (at(group), group.alignment));
            let packed = pack(&groups, wanted, &options).expect("the problem has a plan");
            let together = together(&groups).expect("there are few pairs");
            let hosts: Vec<usize> = (0..groups.len()).collect();
            let stack = Stack {
                orders: vec![ordered(&groups, &hosts, &packed.offsets, &together)],
                sizes,
            };
            assert!(stack.bytes(&all[1], true) <= packed.units);
            for sample in &all {
                let places = places(&stack, sample);
                let of = |group: usize| places[stack.orders[0].group_of[group]];
                for (one, others) in together.iter().enumerate() {
                    let (start, end) = of(one);
                    assert_eq!(start % groups[one].alignment, 0);
                    assert!(end <= stack.bytes(sample, true));
                    for other in others {
                        let (other_start, other_end) = of(*other);
                        assert!(end <= other_start || other_end <= start);
                    }
                }
            }
        }
    }

    /// Start and end of each group.
    fn places(stack: &Stack, sample: &Sample) -> Vec<(u64, u64)> {
        let mut places: Vec<(u64, u64)> = Vec::new();
        for group in &stack.orders[0].groups {
            let below = group.below.iter().map(|below| places[*below].1);
            let start = round_up(below.max().unwrap_or(0), group.alignment);
            places.push((start, start + sample.bytes(&stack.sizes[group.size].size)));
        }
        places
    }
}
