//! A lower bound on the cost, by prices for the bytes of limited spaces.

use crate::{
    capacities::{Rule, usable},
    plan::{Holding, Plan, Sequence},
    problem::{Buffer, Problem},
    sequence::cheapest,
};

/// Prices per byte, for each space and position; none in spaces without a limit.
#[derive(Clone, Debug)]
pub struct Prices {
    pub of: Vec<Vec<u64>>,
}

/// The cheapest sequences at some prices.
pub struct Relaxed {
    pub sequences: Vec<Sequence>,
    /// No plan costs less.
    pub bound: u128,
    /// What the sequences cost, without prices.
    pub cost: u128,
    /// For each limited space, the bytes at each position beyond what it has, or below.
    pub excess: Vec<Vec<i128>>,
}

impl Prices {
    /// Nothing costs anything.
    pub fn zero(problem: &Problem) -> Self {
        let positions = problem.positions as usize;
        let of = problem.spaces.iter().map(|space| match space.capacity {
            Some(_) => vec![0; positions],
            None => Vec::new(),
        });
        Self { of: of.collect() }
    }

    /// The price of a byte up to each position, for each space.
    pub fn sums(&self) -> Vec<Vec<u128>> {
        let all = self.of.iter().map(|prices| {
            let mut sum: u128 = 0;
            let sums = prices.iter().map(|price| {
                sum += u128::from(*price);
                sum
            });
            std::iter::once(0).chain(sums).collect()
        });
        all.collect()
    }
}

/// The price of holding a buffer in a space during a layer.
pub fn price(sums: &[Vec<u128>], buffer: &Buffer, layer: usize, space: usize) -> u128 {
    let sums = &sums[space];
    if sums.len() < 2 {
        return 0;
    }
    let ranges = buffer.ranges(layer).iter();
    let all = ranges.map(|(first, end)| sums[*end as usize] - sums[*first as usize]);
    all.sum::<u128>() * u128::from(buffer.size)
}

/// Solves the problem with prices in place of limits. `None` if the rules allow no plan.
pub fn relax(
    problem: &Problem,
    holdings: &[Holding],
    (prices, usable): (&Prices, &[Vec<u64>]),
    rule: Rule<'_>,
) -> Option<Relaxed> {
    let sums = prices.sums();
    let below = |usable: &Vec<u64>| usable.iter().map(|bytes| -i128::from(*bytes)).collect();
    let mut excess: Vec<Vec<i128>> = usable.iter().map(below).collect();
    // Changes from each position on, which are added up below.
    let mut changes: Vec<Vec<i128>> = excess
        .iter()
        .map(|one| vec![0; if one.is_empty() { 0 } else { one.len() + 1 }])
        .collect();
    let mut add = |space: usize, range: (u32, u32), bytes: u64| {
        if !changes[space].is_empty() && range.0 < range.1 {
            changes[space][range.0 as usize] += i128::from(bytes);
            changes[space][range.1 as usize] -= i128::from(bytes);
        }
    };
    for fixed in &problem.fixed {
        add(fixed.space, fixed.range, fixed.bytes);
    }
    let (mut sequences, mut priced, mut cost) = (Vec::new(), 0_u128, 0_u128);
    for (index, buffer) in problem.buffers.iter().enumerate() {
        let (total, sequence) = cheapest_by_rule(problem, (index, buffer), holdings, &sums, rule)?;
        for (layer, holding) in sequence.holdings.iter().enumerate() {
            for space in holding.iter() {
                for range in buffer.ranges(layer) {
                    add(space, *range, buffer.size);
                }
            }
        }
        priced += total;
        cost += sequence.cost(problem, buffer)?;
        sequences.push(sequence);
    }
    let mut paid_back: i128 = 0;
    for (space, one) in excess.iter_mut().enumerate() {
        let mut now = 0;
        for (at, bytes) in one.iter_mut().enumerate() {
            now += changes[space][at];
            *bytes += now;
        }
        // Σ price * (capacity - fixed), with the fixed bytes on the side of the buffers.
        let all = prices.of[space].iter().zip(&usable[space]);
        let paid = all.map(|(price, bytes)| i128::from(*price) * i128::from(*bytes));
        paid_back += paid.sum::<i128>();
    }
    for fixed in &problem.fixed {
        let sums = &sums[fixed.space];
        if sums.len() > 1 {
            let price = sums[fixed.range.1 as usize] - sums[fixed.range.0 as usize];
            paid_back -= i128::try_from(price).unwrap_or(i128::MAX) * i128::from(fixed.bytes);
        }
    }
    let bound = i128::try_from(priced).unwrap_or(i128::MAX) - paid_back;
    Some(Relaxed {
        sequences,
        bound: u128::try_from(bound).unwrap_or(0),
        cost,
        excess,
    })
}

/// The cheapest sequence at some prices that keeps the rules.
fn cheapest_by_rule(
    problem: &Problem,
    (index, buffer): (usize, &Buffer),
    holdings: &[Holding],
    sums: &[Vec<u128>],
    rule: Rule<'_>,
) -> Option<(u128, Sequence)> {
    let is_held = |layer: usize, holding: Holding| {
        (0..problem.spaces.len()).all(|space| match rule(index, layer, space) {
            Some(is_there) => holding.has(space) == is_there,
            None => true,
        })
    };
    cheapest(problem, buffer, holdings, is_held, |layer, space| {
        Some(price(sums, buffer, layer, space))
    })
}

/// The best bound that was found, with its prices.
pub struct Bound {
    pub cost: u128,
    pub prices: Prices,
    /// The sequences of the last round.
    pub last: Relaxed,
}

/// Raises the bound for some rounds, from the prices that are given. `upper` is what the best known plan costs, if there is
/// one. `found` gets the plans that keep all limits.
pub fn raise(
    problem: &Problem,
    holdings: &[Holding],
    (mut prices, rounds): (Prices, u32),
    upper: Option<u128>,
    rule: Rule<'_>,
    mut found: impl FnMut(Plan),
) -> Option<Bound> {
    let mut upper = upper;
    let usable = usable(problem, rule);
    let relaxed_at = |prices: &Prices| relax(problem, holdings, (prices, &usable), rule);
    let mut relaxed = relaxed_at(&prices)?;
    let mut best = (relaxed.bound, prices.clone());
    let (mut scale, mut since) = (1.0_f64, 0);
    for _ in 0..rounds {
        if relaxed.excess.iter().flatten().all(|bytes| *bytes <= 0) {
            upper = Some(upper.map_or(relaxed.cost, |upper| upper.min(relaxed.cost)));
            found(Plan {
                sequences: relaxed.sequences.clone(),
                cost: relaxed.cost,
            });
        }
        if upper.is_some_and(|upper| best.0 >= upper) {
            break;
        }
        // Prices that are zero stay so where there is room.
        let mut norm = 0.0_f64;
        for (space, excess) in relaxed.excess.iter().enumerate() {
            for (at, bytes) in excess.iter().enumerate() {
                if *bytes > 0 || prices.of[space][at] > 0 {
                    norm += (*bytes as f64) * (*bytes as f64);
                }
            }
        }
        let target = upper.unwrap_or(relaxed.bound + relaxed.bound / 20 + 1000);
        let missing = target.saturating_sub(relaxed.bound).max(1) as f64;
        if norm == 0.0 {
            break;
        }
        let step = scale * missing / norm;
        for (space, excess) in relaxed.excess.iter().enumerate() {
            for (at, bytes) in excess.iter().enumerate() {
                let price = &mut prices.of[space][at];
                if *bytes > 0 || *price > 0 {
                    let next = *price as f64 + step * (*bytes as f64);
                    *price = next.round().clamp(0.0, 1e12) as u64;
                }
            }
        }
        relaxed = relaxed_at(&prices)?;
        since += 1;
        if relaxed.bound > best.0 {
            best = (relaxed.bound, prices.clone());
            since = 0;
        } else if since >= 8 {
            scale /= 2.0;
            since = 0;
            prices = best.1.clone();
            relaxed = relaxed_at(&prices)?;
        }
    }
    let last = relaxed_at(&best.1)?;
    Some(Bound {
        cost: best.0,
        prices: best.1,
        last,
    })
}
