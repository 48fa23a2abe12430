//! What names are used later on: found from the end, for each block by itself; of a loop, for each turn
//! counted from the last one, until that repeats.

use super::PathsError;
use crate::program::{Block, Item, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many turns of a loop are told apart by what is used behind them.
const MOST_ENDS: usize = 1 << 12;

/// What ends where in a block, given what is used behind it.
#[derive(Clone, Debug)]
pub struct Ends {
    /// For each item the names that nothing behind it uses.
    pub dead: Vec<Vec<Var>>,
    /// For each item what ends inside of it.
    pub inner: Vec<Inner>,
    /// What is used that was there before, sorted.
    pub before: Vec<Var>,
    /// Of a turn: its number is used.
    pub uses_number: bool,
}

/// What ends inside of an item.
#[derive(Clone, Debug)]
pub enum Inner {
    /// Nothing is inside.
    Nothing,
    /// Nobody asks for the alias.
    Unused,
    /// And what is used behind the branch, sorted.
    Arms(Vec<Ends>, Vec<Var>),
    /// For turns counted from the last one; from `repeats.0` on, as many as `repeats.1` come again.
    Turns {
        last_first: Vec<Ends>,
        repeats: (usize, usize),
        /// What is used behind the loop, sorted.
        behind: Vec<Var>,
    },
}

fn sorted(live: &FxHashSet<Var>) -> Vec<Var> {
    let mut live: Vec<Var> = live.iter().copied().collect();
    live.sort_unstable();
    live
}

impl Ends {
    /// `live` is what is used behind the block, and then what is used from its start on.
    pub fn of(block: &Block, live: &mut FxHashSet<Var>) -> Result<Self, PathsError> {
        let mut dead = vec![Vec::new(); block.items.len()];
        let mut inner = Vec::with_capacity(block.items.len());
        for (at, item) in block.items.iter().enumerate().rev() {
            let dead = &mut dead[at];
            let mut make = |name: Var, live: &mut FxHashSet<Var>| {
                if !live.remove(&name) {
                    dead.push(name);
                }
            };
            let mut used: Vec<Var> = Vec::new();
            let what = match item {
                Item::Step { uses, makes } => {
                    makes.iter().for_each(|(name, _)| make(*name, live));
                    used.extend(uses);
                    Inner::Nothing
                }
                Item::Alias { name, of } => {
                    if live.remove(name) {
                        used.extend(of);
                        Inner::Nothing
                    } else {
                        Inner::Unused
                    }
                }
                Item::Branch {
                    uses,
                    arms,
                    results,
                } => {
                    let after = sorted(live);
                    let wanted: Vec<bool> = results.iter().map(|name| live.remove(name)).collect();
                    let behind = live.clone();
                    let mut all = Vec::with_capacity(arms.len());
                    for arm in arms {
                        let mut at_end = behind.clone();
                        hand_on(&arm.yields, &wanted, &mut at_end);
                        let ends = Self::of(arm, &mut at_end)?;
                        live.extend(ends.before.iter().copied());
                        all.push(ends);
                    }
                    used.extend(uses);
                    Inner::Arms(all, after)
                }
                Item::Loop {
                    turns,
                    induction,
                    starts,
                    carried,
                    body,
                    results,
                } => {
                    let behind = sorted(live);
                    let wanted: Vec<bool> = results.iter().map(|name| live.remove(name)).collect();
                    if *turns == 0 {
                        used.extend(chosen(starts, &wanted));
                        Inner::Turns {
                            last_first: Vec::new(),
                            repeats: (0, 1),
                            behind,
                        }
                    } else {
                        let mut wanted = wanted;
                        let mut outer = std::mem::take(live);
                        let mut last_first: Vec<Self> = Vec::new();
                        let mut seen: FxHashMap<(Vec<Var>, Vec<bool>), usize> =
                            FxHashMap::default();
                        let mut repeats = (usize::MAX, 1);
                        let mut turn = 0;
                        while turn < *turns {
                            if let Some(known) = seen.get(&(sorted(&outer), wanted.clone())) {
                                repeats = (*known, last_first.len() - known);
                                break;
                            }
                            seen.insert((sorted(&outer), wanted.clone()), last_first.len());
                            if last_first.len() == MOST_ENDS {
                                return Err(PathsError::Work);
                            }
                            let mut at_end = outer.clone();
                            hand_on(&body.yields, &wanted, &mut at_end);
                            let mut ends = Self::of(body, &mut at_end)?;
                            if let Some((name, _)) = induction {
                                ends.uses_number = at_end.remove(name);
                            }
                            ends.before = sorted(&at_end);
                            wanted = carried.iter().map(|name| at_end.remove(name)).collect();
                            outer = at_end;
                            last_first.push(ends);
                            turn += 1;
                        }
                        // What the first turn asks for.
                        let first = place(turns - 1, last_first.len(), repeats);
                        let mut live_before: FxHashSet<Var> =
                            last_first[first].before.iter().copied().collect();
                        let wanted: Vec<bool> = carried
                            .iter()
                            .map(|name| live_before.remove(name))
                            .collect();
                        *live = live_before;
                        used.extend(chosen(starts, &wanted));
                        Inner::Turns {
                            last_first,
                            repeats,
                            behind,
                        }
                    }
                }
            };
            for name in used {
                if live.insert(name) {
                    dead.push(name);
                }
            }
            inner.push(what);
        }
        inner.reverse();
        Ok(Self {
            dead,
            inner,
            before: sorted(live),
            uses_number: false,
        })
    }
}

fn chosen<'n>(names: &'n [Var], wanted: &'n [bool]) -> impl Iterator<Item = Var> + 'n {
    let both = names.iter().zip(wanted);
    both.filter(|(_, wanted)| **wanted).map(|(name, _)| *name)
}

fn hand_on(yields: &[Var], wanted: &[bool], live: &mut FxHashSet<Var>) {
    live.extend(chosen(yields, wanted));
}

/// Where a turn counted from the last one is listed.
pub fn place(turn: u64, listed: usize, (start, length): (usize, usize)) -> usize {
    match usize::try_from(turn) {
        Ok(turn) if turn < listed => turn,
        _ => start + ((turn - start as u64) % length as u64) as usize,
    }
}
