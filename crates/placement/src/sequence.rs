//! The cheapest sequence of one buffer: a shortest path through its layers.

use crate::{
    plan::{Holding, Sequence, is_possible, step_cost, used},
    problem::{Buffer, Problem, SpaceSet},
};

/// The sets of spaces that may hold a buffer: none, one, or two. Of equal costs, those that come first win.
pub fn holdings(spaces: usize) -> Vec<Holding> {
    let ones = (0..spaces).map(SpaceSet::one);
    let twos = (0..spaces).flat_map(|one| {
        (one + 1..spaces).map(move |other| SpaceSet::one(one).with(SpaceSet::one(other)))
    });
    std::iter::once(SpaceSet::NONE)
        .chain(ones)
        .chain(twos)
        .collect()
}

/// The least cost up to a layer and holding, with the holding before it, by index.
type Reached = Option<(u128, usize)>;

/// The cheapest sequence of a buffer, where holding it in a space during a layer has a price; `None` forbids it. Returns the cost
/// and the prices together, too.
pub fn cheapest(
    problem: &Problem,
    buffer: &Buffer,
    holdings: &[Holding],
    is_allowed: impl Fn(usize, Holding) -> bool,
    mut price: impl FnMut(usize, usize) -> Option<u128>,
) -> Option<(u128, Sequence)> {
    let spaces = problem.spaces.len();
    // The least cost up to each layer and holding, with the holding before.
    let mut layers: Vec<Vec<Reached>> = Vec::with_capacity(buffer.layers());
    for layer in 0..buffer.layers() {
        let prices: Vec<Option<u128>> = (0..spaces).map(|space| price(layer, space)).collect();
        let mut own = vec![None; holdings.len()];
        for (index, holding) in holdings.iter().enumerate() {
            if !is_possible(problem, buffer, layer, *holding) || !is_allowed(layer, *holding) {
                continue;
            }
            let all = holding.iter().map(|space| prices[space]);
            let Some(held) = all.sum::<Option<u128>>() else {
                continue;
            };
            let here = match layer % 2 {
                0 => used(problem, buffer, layer / 2, *holding).map_or(0, |space| {
                    buffer.touch_cost(layer / 2, &problem.spaces[space])
                }),
                _ => 0,
            };
            let before = match layers.last() {
                None => Some((0, 0)),
                Some(before) => {
                    best_before(problem, buffer, layer - 1, (holdings, before), *holding)
                }
            };
            own[index] = before.map(|(cost, from)| (cost + held + here, from));
        }
        layers.push(own);
    }
    let last = layers.last()?.iter().enumerate();
    let ends = last.filter_map(|(index, reached)| reached.map(|(cost, _)| (cost, index)));
    let (cost, mut at) = ends.min()?;
    let mut found = vec![SpaceSet::NONE; buffer.layers()];
    for layer in (0..buffer.layers()).rev() {
        found[layer] = holdings[at];
        at = layers[layer][at]?.1;
    }
    Some((cost, Sequence { holdings: found }))
}

/// The holding before, from which one costs least.
fn best_before(
    problem: &Problem,
    buffer: &Buffer,
    layer: usize,
    (holdings, before): (&[Holding], &[Reached]),
    to: Holding,
) -> Option<(u128, usize)> {
    let reached = before.iter().enumerate();
    let all = reached.filter_map(|(index, reached)| {
        let (cost, _) = reached.as_ref()?;
        let step = step_cost(problem, buffer, layer, (holdings[index], to))?;
        Some((cost + step, index))
    });
    all.min()
}
