//! States: what names stand for at one place, on some of the paths.

use super::{MOST_STATES, PathsError, cost::Cost, mode::Mode};
use crate::program::Var;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What may be, and what it cost to come there.
pub type States = Vec<(State, Cost)>;

/// A value of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Instance {
    pub name: Var,
    pub size: u64,
    pub offset: u64,
    pub pinned: bool,
}

/// What names stand for: ascending names, each with the numbers of its instances. Instances are numbered as
/// they are come across in the names.
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

    pub fn keep(&mut self, names: &[Var]) {
        self.names
            .retain(|(name, _)| names.binary_search(name).is_ok());
        self.tidy();
    }

    /// Forgets instances without a name, and numbers the others anew. Returns the new number of each, or
    /// [`GONE`].
    pub fn tidy(&mut self) -> Vec<u32> {
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

/// The number of an instance that no name stands for.
pub const GONE: u32 = u32::MAX;

/// The name of instances that differ in nothing but where they were made.
pub const NOBODY: Var = Var(u32::MAX);

/// Gives what one row of names stands for another row of names, all at once.
pub fn rename(states: &mut States, from: &[Var], to: &[Var]) -> Result<(), PathsError> {
    for (state, _) in states {
        let given: Vec<Option<SmallVec<[u32; 1]>>> =
            from.iter().map(|name| state.find(*name).cloned()).collect();
        for (name, numbers) in to.iter().zip(given) {
            // What nobody asks for may be gone.
            match numbers {
                Some(numbers) => state.bind(*name, numbers),
                None => state.forget(&[*name]),
            }
        }
    }
    Ok(())
}

/// States that are the same are one, with the higher cost.
pub fn merge(states: States, mode: Mode) -> Result<States, PathsError> {
    let mut places: FxHashMap<State, usize> = FxHashMap::default();
    let mut merged: States = Vec::new();
    for (state, cost) in states {
        match places.get(&state) {
            Some(at) => merged[*at].1 = merged[*at].1.or(cost),
            None => {
                places.insert(state.clone(), merged.len());
                merged.push((state, cost));
            }
        }
    }
    match mode {
        Mode::Load if merged.len() > 1 => merged = largest(merged),
        Mode::Trace if merged.len() > 1 => merged = vec![(union(merged), Cost::default())],
        _ => {}
    }
    match merged.len() > MOST_STATES {
        true => Err(PathsError::States),
        false => Ok(merged),
    }
}

/// States without those that another one has at least as much of everything as.
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

/// What names may stand for in any of the states: of each name there is one instance.
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
        for (name, given) in state.names {
            let mut known = all.find(name).cloned().unwrap_or_default();
            known.extend(given.into_iter().map(|number| new[number as usize]));
            known.sort_unstable();
            known.dedup();
            all.bind(name, known);
        }
    }
    all.tidy();
    all
}
