//! Limits of spaces, which get tighter where plans of arenas exceed those of the machine.

use super::settings::Settings;
use crate::{coalescing, merge_alloc::unplanned_bytes};
use memplan_lifetimes::{Analysis, program::ScopeId};
use memplan_placement::{Problem, shortages};

/// The limits.
pub struct Limits {
    all: Vec<Limit>,
}

struct Limit {
    bytes: Option<u64>,
    /// The most bytes that must be in the space at once, whatever the plan.
    needed: u64,
    /// Those of buffers, without fixed ones.
    pinned: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Given,
    Tighter,
    /// Nothing is in the space that may be elsewhere. Fixed bytes do not count: arenas of nested bodies do not leave less of a
    /// space than arenas around them need for life.
    Least,
}

impl Limits {
    /// Those of a problem.
    pub fn of(problem: &Problem) -> Self {
        let needed = needed(problem.clone());
        let pinned = needed_of_buffers(problem);
        let all = problem.spaces.iter().zip(needed).zip(pinned);
        let all = all.map(|((space, needed), pinned)| Limit {
            bytes: space.capacity,
            needed,
            pinned,
            state: State::Given,
        });
        Self { all: all.collect() }
    }

    /// The problem with these limits.
    pub fn problem(&self, problem: &Problem) -> Problem {
        let mut problem = problem.clone();
        for (space, limit) in problem.spaces.iter_mut().zip(&self.all) {
            space.capacity = limit.bytes;
        }
        problem
            .fixed
            .retain(|fixed| self.all[fixed.space].state != State::Least);
        problem
    }

    /// Takes bytes from a space, or all that may be elsewhere; false if nothing is left to take.
    pub fn tighten(&mut self, space: usize, step: u64) -> bool {
        let limit = &mut self.all[space];
        let now = limit.bytes.unwrap_or(u64::MAX);
        let step = step.max(now / 64).max(1);
        let next = now.saturating_sub(step).max(limit.needed);
        match limit.state {
            State::Least => false,
            _ if next < now => {
                (limit.bytes, limit.state) = (Some(next), State::Tighter);
                true
            }
            _ => {
                limit.least();
                true
            }
        }
    }

    /// Takes all that may be elsewhere from a space, and from those that are tighter than given.
    pub fn take_all(&mut self, space: usize) -> bool {
        let is_new = self.all[space].state == State::Given;
        if is_new {
            self.all[space].least();
        }
        self.tighten_most() || is_new
    }

    /// Takes all that may be elsewhere from the spaces that are tighter than given; false if nothing is left to take.
    pub fn tighten_most(&mut self) -> bool {
        let mut is_tighter = false;
        for limit in &mut self.all {
            if limit.state == State::Tighter {
                limit.least();
                is_tighter = true;
            }
        }
        is_tighter
    }
}

impl Limit {
    fn least(&mut self) {
        self.bytes = Some(self.pinned);
        self.state = State::Least;
    }
}

/// The most bytes that must be in each space at once.
pub fn needed(mut problem: Problem) -> Vec<u64> {
    for space in &mut problem.spaces {
        space.capacity = Some(0);
    }
    let mut needed = vec![0; problem.spaces.len()];
    for shortage in shortages(&problem) {
        needed[shortage.space] = shortage.bytes;
    }
    needed
}

fn needed_of_buffers(problem: &Problem) -> Vec<u64> {
    needed(Problem {
        fixed: Vec::new(),
        ..problem.clone()
    })
}

/// The bytes that a function needs at least while an operation in a scope runs, whatever the assignment: for each scope, in
/// each space.
pub fn least(problem: &Problem, analysis: &Analysis<'_>, settings: &Settings) -> Vec<Vec<u64>> {
    let scopes = &analysis.program.scopes;
    let mut all = vec![vec![0_u64; settings.spaces.len()]; scopes.len()];
    all[0] = needed_of_buffers(problem);
    let mut add = |scope: ScopeId, printed: &str, bytes: u64| {
        if let Some(space) = settings.index(printed) {
            let known = &mut all[scope.index()][space];
            *known = known.saturating_add(bytes);
        }
    };
    for space in coalescing::spaces(analysis, settings.how.alignment) {
        // What is in the function itself may move.
        if space.scope != ScopeId::new(0) {
            add(space.scope, &space.memory_space, space.planned(analysis));
        }
    }
    for scope in (0..scopes.len()).map(ScopeId::new) {
        for (printed, bytes) in unplanned_bytes(analysis, scope) {
            add(scope, &printed, bytes);
        }
    }
    // Outer scopes first.
    for scope in 0..scopes.len() {
        let Some(outer) = &scopes[scope].outer else {
            continue;
        };
        let around = all[outer.scope.index()].clone();
        for (bytes, around) in all[scope].iter_mut().zip(around) {
            *bytes = bytes.saturating_add(around);
        }
    }
    all
}
