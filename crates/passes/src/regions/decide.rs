//! Which versions of which functions there are, and where what they make goes.

use super::{
    facts::Function,
    place::{Plan, place},
    settings::{Release, Settings},
    solve::{Solved, Summary, Version},
};

/// How often functions that call each other are solved until nothing changes. Each round joins arguments and results or
/// finds obstacles, of which few functions have more.
const MOST_ROUNDS: usize = 64;

/// What is decided on.
pub struct Module<'f> {
    /// The functions that are looked into, by their numbers.
    pub functions: Vec<Option<&'f Function>>,
    /// For each, the versions that somebody calls who is not seen.
    pub roots: Vec<Root>,
    /// Functions that call each other, callees before callers.
    pub circles: Vec<Vec<usize>>,
}

impl Module<'_> {
    /// Do the functions of a circle call each other, or one itself?
    fn is_recursive(&self, circle: &[usize]) -> bool {
        let calls_itself = |at: usize| {
            let function = self.functions[at];
            function.is_some_and(|one| one.calls.iter().any(|call| call.callee == at))
        };
        circle.len() > 1 || circle.iter().any(|at| calls_itself(*at))
    }

    /// For each function, whether it may be called while it runs.
    fn recursive(&self) -> Vec<bool> {
        let mut recursive = vec![false; self.functions.len()];
        for circle in self
            .circles
            .iter()
            .filter(|circle| self.is_recursive(circle))
        {
            circle.iter().for_each(|at| recursive[*at] = true);
        }
        recursive
    }
}

/// Who calls a function, besides functions that are looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Nobody.
    None,
    /// Someone who frees what it gives.
    Heap,
    /// Someone who may pass a region.
    Region,
}

/// For each function, its versions.
pub type Plans = Vec<[Option<Plan>; 2]>;

/// Decides.
pub fn decide(module: &Module<'_>, settings: &Settings) -> Plans {
    let summaries = summaries(module, settings);
    let recursive = module.recursive();
    let mut plans: Plans = vec![[None, None]; module.functions.len()];
    let mut open: Vec<(usize, Version)> = Vec::new();
    for (at, root) in module.roots.iter().enumerate() {
        match root {
            Root::None => {}
            Root::Region if summaries[at].makes() => open.push((at, Version::Region)),
            Root::Heap | Root::Region => open.push((at, Version::Heap)),
        }
    }
    while let Some((at, version)) = open.pop() {
        let slot = &mut plans[at][version as usize];
        let Some(function) = module.functions[at].filter(|_| slot.is_none()) else {
            continue;
        };
        let mut settings = *settings;
        if recursive[at] && settings.release == Release::Auto {
            // What nobody needs while a function calls itself would be there once for each level.
            settings.release = Release::LastUse;
        }
        let plan = place(function, version, &summaries[at], &summaries, &settings);
        let calls = function.calls.iter().zip(&plan.calls);
        open.extend(calls.map(|(call, plan)| (call.callee, plan.version)));
        *slot = Some(plan);
    }
    plans
}

/// What callers have to know of each function.
fn summaries(module: &Module<'_>, settings: &Settings) -> Vec<Summary> {
    let mut summaries = vec![Summary::default(); module.functions.len()];
    for circle in &module.circles {
        let mut round = 0;
        loop {
            let mut changed = false;
            for at in circle {
                let Some(function) = module.functions[*at] else {
                    continue;
                };
                let summary = if round < MOST_ROUNDS {
                    Solved::new(function, Version::Region, &summaries, settings).summary(function)
                } else {
                    Summary::anything(function)
                };
                changed |= summary != summaries[*at];
                summaries[*at] = summary;
            }
            round += 1;
            if !changed || !module.is_recursive(circle) {
                break;
            }
        }
    }
    summaries
}
