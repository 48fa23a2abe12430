//! Which versions of which functions there are, and where what they make goes.

use super::{
    facts::Function,
    region_placement::{Plan, place},
    settings::{Release, Settings},
    solve::solve,
    summary::{Summary, Version},
};
use memplan_summaries::{Fixpoint, solve_component};

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
    pub components: Vec<&'f [usize]>,
    /// For each function, who calls it, ascending.
    pub callers: &'f [Vec<usize>],
    /// For each function, whether it may be called while it runs.
    pub recursive: &'f [bool],
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
        if module.recursive[at] && settings.release == Release::Auto {
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
    let mut solver = Solver {
        module,
        settings,
        summaries: vec![Summary::default(); module.functions.len()],
    };
    for component in &module.components {
        let is_recursive = component.iter().any(|at| module.recursive[*at]);
        let callers = |function: usize| module.callers[function].iter().copied();
        solve_component(component, is_recursive, MOST_ROUNDS, callers, &mut solver);
    }
    solver.summaries
}

struct Solver<'m, 'f> {
    module: &'m Module<'f>,
    settings: &'m Settings,
    summaries: Vec<Summary>,
}

impl Fixpoint for Solver<'_, '_> {
    fn step(&mut self, at: usize) -> bool {
        let Some(function) = self.module.functions[at] else {
            return false;
        };
        let solved = solve(function, Version::Region, &self.summaries, self.settings);
        let summary = solved.summary(function);
        let changed = summary != self.summaries[at];
        self.summaries[at] = summary;
        changed
    }

    fn give_up(&mut self, functions: &[usize]) {
        for at in functions {
            if let Some(function) = self.module.functions[*at] {
                self.summaries[*at] = Summary::anything(function);
            }
        }
    }
}
