//! The longest chain that ends at an operation.

use memplan_strips::{
    chain::Spread,
    frontiers::Frontiers,
    program::{NodeId, Program},
};

/// Starts of a chain that are tried after the first one that the dimension allows.
const STARTS: usize = 16;

/// The longest chain that ends before a node, as far as doubling and halving of its length tells, and for which there are
/// frontiers that fit.
pub fn longest_spread(
    program: &Program,
    end: usize,
    split: u32,
    frontiers: &mut dyn FnMut(&Spread) -> Option<Frontiers>,
) -> Option<(Spread, Frontiers)> {
    let spread = |start: usize| Spread::of(program, start..end, NodeId::new(end - 1), split);
    let (mut refused, mut fits) = (None, end - 1);
    let mut length = 2;
    while fits > 0 && refused.is_none() {
        let start = end.saturating_sub(length);
        match spread(start) {
            Ok(_) => fits = start,
            Err(_) => refused = Some(start),
        }
        length *= 2;
    }
    while let Some(start) = refused.filter(|refused| refused + 1 < fits) {
        let middle = start.midpoint(fits);
        match spread(middle) {
            Ok(_) => fits = middle,
            Err(_) => refused = Some(middle),
        }
    }
    let starts = fits..end.min(fits + STARTS);
    let mut spreads = starts.filter_map(|start| spread(start).ok());
    spreads.find_map(|spread| {
        let frontiers = frontiers(&spread)?;
        Some((spread, frontiers))
    })
}
