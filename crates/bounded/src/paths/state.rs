//! States: the values that names stand for at one program point, on some of the paths.

use super::{MOST_STATES, PathsError, cost::Cost, mode::Mode};
use crate::program::Var;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The possible states at one program point, each with the maximum cost of the paths that lead to it.
pub type States = Vec<(State, Cost)>;

/// A value on a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    pub name: Var,
    pub size: u64,
    pub offset: u64,
    pub pinned: bool,
}

/// The values that names stand for: names in ascending order, each with the numbers of its instances. Instances are
/// numbered in the order in which the names refer to them, so equal states compare equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    names: Vec<(Var, SmallVec<[u32; 1]>)>,
    pub instances: Vec<Instance>,
}

impl State {
    pub fn find(&self, name: Var) -> Option<&SmallVec<[u32; 1]>> {
        let at = self.names.binary_search_by_key(&name, |(name, _)| *name);
        at.ok().map(|at| &self.names[at].1)
    }

    pub fn bind(&mut self, name: Var, to: SmallVec<[u32; 1]>) {
        match self.names.binary_search_by_key(&name, |(name, _)| *name) {
            Ok(at) => self.names[at].1 = to,
            Err(at) => self.names.insert(at, (name, to)),
        }
    }

    pub fn forget(&mut self, names: &[Var]) {
        if !names.is_empty() {
            self.names.retain(|(name, _)| !names.contains(name));
        }
    }

    pub fn retain(&mut self, names: &[Var]) {
        self.names
            .retain(|(name, _)| names.binary_search(name).is_ok());
        self.renumber();
    }

    /// Drops instances without a name, and renumbers the others. Returns the new number of each instance, or [`GONE`].
    pub fn renumber(&mut self) -> Vec<u32> {
        let mut new: Vec<u32> = vec![GONE; self.instances.len()];
        let mut kept = Vec::with_capacity(self.instances.len());
        for (_, numbers) in &mut self.names {
            for number in numbers.iter_mut() {
                let known = &mut new[*number as usize];
                if *known == GONE {
                    *known = kept.len() as u32;
                    kept.push(self.instances[*number as usize]);
                }
                *number = *known;
            }
            numbers.sort_unstable();
            numbers.dedup();
        }
        self.instances = kept;
        new
    }

    pub fn bytes(&self) -> u64 {
        self.instances.iter().map(|one| one.size).sum()
    }
}

/// The number of an instance that was dropped.
pub const GONE: u32 = u32::MAX;

/// The name of all instances outside of traces: where an instance is defined does not distinguish states.
pub const UNNAMED: Var = Var(u32::MAX);

/// Binds each name of `to` to the values of the same position in `from`, all at once.
pub fn rename(states: &mut States, from: &[Var], to: &[Var]) -> Result<(), PathsError> {
    for (state, _) in states {
        let values: Vec<Option<SmallVec<[u32; 1]>>> =
            from.iter().map(|name| state.find(*name).cloned()).collect();
        for (name, numbers) in to.iter().zip(values) {
            // A name without later uses may have been dropped.
            match numbers {
                Some(numbers) => state.bind(*name, numbers),
                None => state.forget(&[*name]),
            }
        }
    }
    Ok(())
}

/// Merges equal states; the maximum of their costs remains.
pub fn merge(states: States, mode: Mode) -> Result<States, PathsError> {
    let mut indices: FxHashMap<State, usize> = FxHashMap::default();
    let mut merged: States = Vec::new();
    for (state, cost) in states {
        match indices.get(&state) {
            Some(at) => merged[*at].1 = merged[*at].1.or(cost),
            None => {
                indices.insert(state.clone(), merged.len());
                merged.push((state, cost));
            }
        }
    }
    match mode {
        Mode::Load | Mode::RoundedLoad if merged.len() > 1 => merged = largest(merged),
        Mode::Trace if merged.len() > 1 => merged = vec![(union(merged), Cost::default())],
        _ => {}
    }
    match merged.len() > MOST_STATES {
        true => Err(PathsError::States),
        false => Ok(merged),
    }
}

/// Drops the states that another state dominates: same names, all instances at least as large.
fn largest(states: States) -> States {
    let mut kept: States = Vec::with_capacity(states.len());
    for (state, cost) in states {
        let covers = |one: &State, other: &State| {
            one.names == other.names
                && one
                    .instances
                    .iter()
                    .zip(&other.instances)
                    .all(|(a, b)| a.size >= b.size)
        };
        if kept.iter().any(|(other, _)| covers(other, &state)) {
            continue;
        }
        kept.retain(|(other, _)| !covers(&state, other));
        kept.push((state, cost));
    }
    kept
}

/// The union of all states: a name may stand for its values in any of them. There is one instance for each name.
fn union(states: States) -> State {
    let mut all = State::default();
    let mut numbers: FxHashMap<Var, u32> = FxHashMap::default();
    for (state, _) in states {
        let new: Vec<u32> = state
            .instances
            .iter()
            .map(|one| {
                *numbers.entry(one.name).or_insert_with(|| {
                    all.instances.push(*one);
                    all.instances.len() as u32 - 1
                })
            })
            .collect();
        for (name, values) in state.names {
            let mut known = all.find(name).cloned().unwrap_or_default();
            known.extend(values.into_iter().map(|number| new[number as usize]));
            known.sort_unstable();
            known.dedup();
            all.bind(name, known);
        }
    }
    all.renumber();
    all
}
