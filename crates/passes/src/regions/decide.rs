//! Decides which versions of functions are needed, and where each version allocates.

use super::{
    facts::Function,
    region_placement::{Plan, plan_version},
    settings::{Release, Settings},
    solve::solve,
    summary::{Summary, Version},
};
use memplan_summaries::{Fixpoint, solve_component};

/// Limit of rounds for mutually recursive functions. Each round merges classes or rejects some, which few
/// functions do more often.
const MAX_ROUNDS: usize = 64;

/// The functions of a module, and their calls.
pub struct Module<'f> {
    /// The analysed functions, by number.
    pub functions: Vec<Option<&'f Function>>,
    /// For each function, its callers other than analysed functions.
    pub roots: Vec<Root>,
    /// Strongly connected components of the call graph, callees before callers.
    pub components: Vec<&'f [usize]>,
    /// For each function, its callers in ascending order.
    pub callers: &'f [Vec<usize>],
    /// For each function, whether a call of it may be active when it is called.
    pub recursive: &'f [bool],
}

/// Callers of a function other than analysed functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// None.
    None,
    /// A caller that frees the results.
    Heap,
    /// A caller that may pass a region.
    Region,
}

/// For each function, the plans of its versions.
pub type Plans = Vec<[Option<Plan>; 2]>;

/// Plans the versions that roots and their callees need.
pub fn decide(module: &Module<'_>, settings: &Settings) -> Plans {
    let summaries = summaries(module, settings);
    let mut plans: Plans = vec![[None, None]; module.functions.len()];
    let mut worklist: Vec<(usize, Version)> = Vec::new();
    for (at, root) in module.roots.iter().enumerate() {
        match root {
            Root::None => {}
            Root::Region if summaries[at].needs_region() => worklist.push((at, Version::Region)),
            Root::Heap | Root::Region => worklist.push((at, Version::Heap)),
        }
    }
    while let Some((at, version)) = worklist.pop() {
        let slot = &mut plans[at][version as usize];
        let Some(function) = module.functions[at].filter(|_| slot.is_none()) else {
            continue;
        };
        let mut settings = *settings;
        if module.recursive[at] && settings.release == Release::Auto {
            // Memory that is dead during a recursive call would otherwise stay allocated once for each level.
            settings.release = Release::LastUse;
        }
        let plan = plan_version(function, version, &summaries[at], &summaries, &settings);
        let calls = function.calls.iter().zip(&plan.calls);
        worklist.extend(calls.map(|(call, plan)| (call.callee, plan.version)));
        *slot = Some(plan);
    }
    plans
}

/// The summaries of all functions.
fn summaries(module: &Module<'_>, settings: &Settings) -> Vec<Summary> {
    let mut solver = Solver {
        module,
        settings,
        summaries: vec![Summary::default(); module.functions.len()],
    };
    for component in &module.components {
        let is_recursive = component.iter().any(|at| module.recursive[*at]);
        let callers = |function: usize| module.callers[function].iter().copied();
        solve_component(component, is_recursive, MAX_ROUNDS, callers, &mut solver);
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
                self.summaries[*at] = Summary::worst_case(function);
            }
        }
    }
}
