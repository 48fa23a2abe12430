//! Liveness of names: a backward pass over each block. For a loop, the pass counts iterations from the last one, until
//! the liveness repeats.

use super::PathsError;
use crate::program::{Block, Item, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of iterations of one loop with distinct liveness.
const MOST_ITERATIONS: usize = 1 << 12;

/// The liveness of names in a block, for a given set of names that are live after it.
#[derive(Clone, Debug)]
pub struct NameLiveness {
    /// For each item, the names that no later item uses.
    pub dead: Vec<Vec<Var>>,
    /// For each item, the liveness of its nested blocks.
    pub inner: Vec<NestedLiveness>,
    /// The names that are live before the block, sorted.
    pub live_in: Vec<Var>,
    /// For the body of a loop: the induction variable is used.
    pub uses_induction: bool,
}

/// The liveness in the blocks nested in an item.
#[derive(Clone, Debug)]
pub enum NestedLiveness {
    /// The item has no nested blocks.
    Leaf,
    /// The item is an alias that nothing uses.
    UnusedAlias,
    /// The liveness of each arm of a branch, and the names that are live after the branch, sorted.
    Branch {
        arms: Vec<NameLiveness>,
        live_after: Vec<Var>,
    },
    /// The liveness of iterations, counted from the last one. From number `repeats.0` on, it repeats with period
    /// `repeats.1`.
    Loop {
        last_first: Vec<NameLiveness>,
        repeats: (usize, usize),
        /// The names that are live after the loop, sorted.
        live_after: Vec<Var>,
    },
}

fn sorted(live: &FxHashSet<Var>) -> Vec<Var> {
    let mut live: Vec<Var> = live.iter().copied().collect();
    live.sort_unstable();
    live
}

impl NameLiveness {
    /// Computes the liveness of `block`. `live` has the names that are live after it, and then those that are live
    /// before it.
    pub fn of(block: &Block, live: &mut FxHashSet<Var>) -> Result<Self, PathsError> {
        let mut dead = vec![Vec::new(); block.items.len()];
        let mut inner = Vec::with_capacity(block.items.len());
        for (at, item) in block.items.iter().enumerate().rev() {
            let dead = &mut dead[at];
            let mut define = |name: Var, live: &mut FxHashSet<Var>| {
                if !live.remove(&name) {
                    dead.push(name);
                }
            };
            let mut used: Vec<Var> = Vec::new();
            let nested = match item {
                Item::Step { uses, defines } => {
                    defines.iter().for_each(|(name, _)| define(*name, live));
                    used.extend(uses);
                    NestedLiveness::Leaf
                }
                Item::Alias { name, of } => {
                    if live.remove(name) {
                        used.extend(of);
                        NestedLiveness::Leaf
                    } else {
                        NestedLiveness::UnusedAlias
                    }
                }
                Item::Branch {
                    uses,
                    arms,
                    results,
                } => {
                    let live_after = sorted(live);
                    let used_results: Vec<bool> =
                        results.iter().map(|name| live.remove(name)).collect();
                    let after_arms = live.clone();
                    let mut all = Vec::with_capacity(arms.len());
                    for arm in arms {
                        let mut at_end = after_arms.clone();
                        use_yields(&arm.yields, &used_results, &mut at_end);
                        let liveness = Self::of(arm, &mut at_end)?;
                        live.extend(liveness.live_in.iter().copied());
                        all.push(liveness);
                    }
                    used.extend(uses);
                    NestedLiveness::Branch {
                        arms: all,
                        live_after,
                    }
                }
                Item::Loop {
                    trip_count,
                    induction,
                    inits,
                    carried,
                    body,
                    results,
                } => {
                    let live_after = sorted(live);
                    let used_results: Vec<bool> =
                        results.iter().map(|name| live.remove(name)).collect();
                    if *trip_count == 0 {
                        used.extend(used_names(inits, &used_results));
                        NestedLiveness::Loop {
                            last_first: Vec::new(),
                            repeats: (0, 1),
                            live_after,
                        }
                    } else {
                        let mut used_results = used_results;
                        let mut outer = std::mem::take(live);
                        let mut last_first: Vec<Self> = Vec::new();
                        let mut seen: FxHashMap<(Vec<Var>, Vec<bool>), usize> =
                            FxHashMap::default();
                        let mut repeats = (usize::MAX, 1);
                        let mut iteration = 0;
                        while iteration < *trip_count {
                            if let Some(known) = seen.get(&(sorted(&outer), used_results.clone())) {
                                repeats = (*known, last_first.len() - known);
                                break;
                            }
                            seen.insert((sorted(&outer), used_results.clone()), last_first.len());
                            if last_first.len() == MOST_ITERATIONS {
                                return Err(PathsError::Work);
                            }
                            let mut at_end = outer.clone();
                            use_yields(&body.yields, &used_results, &mut at_end);
                            let mut liveness = Self::of(body, &mut at_end)?;
                            if let Some((name, _)) = induction {
                                liveness.uses_induction = at_end.remove(name);
                            }
                            liveness.live_in = sorted(&at_end);
                            used_results = carried.iter().map(|name| at_end.remove(name)).collect();
                            outer = at_end;
                            last_first.push(liveness);
                            iteration += 1;
                        }
                        // The names that the first iteration uses.
                        let first = iteration_index(trip_count - 1, last_first.len(), repeats);
                        let mut live_in_loop: FxHashSet<Var> =
                            last_first[first].live_in.iter().copied().collect();
                        let used_results: Vec<bool> = carried
                            .iter()
                            .map(|name| live_in_loop.remove(name))
                            .collect();
                        *live = live_in_loop;
                        used.extend(used_names(inits, &used_results));
                        NestedLiveness::Loop {
                            last_first,
                            repeats,
                            live_after,
                        }
                    }
                }
            };
            for name in used {
                if live.insert(name) {
                    dead.push(name);
                }
            }
            inner.push(nested);
        }
        inner.reverse();
        Ok(Self {
            dead,
            inner,
            live_in: sorted(live),
            uses_induction: false,
        })
    }
}

fn used_names<'n>(names: &'n [Var], used_results: &'n [bool]) -> impl Iterator<Item = Var> + 'n {
    let both = names.iter().zip(used_results);
    both.filter(|(_, used_results)| **used_results)
        .map(|(name, _)| *name)
}

fn use_yields(yields: &[Var], used_results: &[bool], live: &mut FxHashSet<Var>) {
    live.extend(used_names(yields, used_results));
}

/// The index of the liveness of an iteration, which is counted from the last one.
pub fn iteration_index(iteration: u64, listed: usize, (start, length): (usize, usize)) -> usize {
    match usize::try_from(iteration) {
        Ok(iteration) if iteration < listed => iteration,
        _ => start + ((iteration - start as u64) % length as u64) as usize,
    }
}
