//! Which of the chains that hold few enough bytes is taken.

use super::{Chosen, Limits};
use crate::cost::Cost;
use std::ops::Range;

/// What a chain costs in a path: the bytes that it moves, the time that it adds, if that has a limit, or what it copies. More
/// chains are more code.
pub fn price(chain: &Chosen, limits: &Limits) -> i128 {
    let repeated = REPEATED * i128::from(chain.repeated);
    if limits.by_traffic {
        return MORE_CODE + i128::from(chain.traffic) + repeated;
    }
    if let Some(most) = limits.added_time {
        return chain.added_time() + i128::from(most / CHAINS) + repeated;
    }
    let Cost { copied, strips, .. } = chain.cost;
    least_price(&chain.nodes) + i128::from(copied) + 1000 * i128::from(strips) + repeated
}

/// What a chain of these nodes costs at least, if time has no limit.
pub const fn least_price(nodes: &Range<usize>) -> i128 {
    1_000_000 + 1000 * (nodes.end - nodes.start) as i128
}

/// What decides between chains of one range: of those that take about as long, or move as much, the one that holds the fewest
/// bytes.
pub fn rank(chain: &Chosen, limits: &Limits) -> (i128, u64, i128) {
    let price = price(chain, limits);
    match limits.added_time {
        _ if limits.by_traffic => (price, chain.bytes, 0),
        Some(most) => (price / i128::from(most / CHAINS).max(1), chain.bytes, price),
        None => (price, 0, 0),
    }
}

/// The bytes that one more chain has to save.
const MORE_CODE: i128 = 4096;

/// The price of an iteration that is repeated, which has a limit of its own.
const REPEATED: i128 = 10_000;

/// The part of the time that chains may add that one more chain has to save.
const CHAINS: u64 = 512;
