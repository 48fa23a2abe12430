//! Execution of functions that are changed according to their plans.

use memplan_ownership::{
    Function, Plan,
    function::{EdgeId, SegmentId, ValueId, ValueKind},
    plan::{OwnedIf, Ownership, OwnershipSource, ProgramPoint},
};

use crate::random::Random;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Foreign,
    Mine,
    Freed,
    Callers,
}

/// The state of a run.
pub struct Run<'a> {
    function: &'a Function,
    plan: &'a Plan,
    random: Random,
    memory: Vec<State>,
    refers: Vec<Option<usize>>,
    flags: Vec<bool>,
    tests: Vec<Vec<bool>>,
    /// For each block-end dealloc, its latest results.
    found: Vec<Vec<bool>>,
    frees: Vec<Vec<(ProgramPoint, ValueId)>>,
    /// The plan frees at the ends of blocks, where several owners may alias.
    at_ends: bool,
}

impl<'a> Run<'a> {
    /// Prepares a run with random choices.
    pub fn new(function: &'a Function, plan: &'a Plan, at_ends: bool, seed: u64) -> Self {
        let mut frees = vec![Vec::new(); function.segments.len()];
        for free in &plan.frees {
            match free.place {
                ProgramPoint::Start(at) | ProgramPoint::After(at, _) | ProgramPoint::End(at) => {
                    frees[at.index()].push((free.place, free.value));
                }
                ProgramPoint::Edge(edge) => {
                    frees[function.edge(edge).from.index()].push((free.place, free.value));
                }
            }
        }
        Self {
            function,
            plan,
            random: Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D) | 1),
            memory: vec![State::Foreign],
            refers: vec![None; function.values.len()],
            flags: vec![false; function.values.len()],
            tests: vec![Vec::new(); plan.tests.len()],
            found: vec![Vec::new(); plan.block_end_deallocs.len()],
            frees,
            at_ends,
        }
    }

    fn make(&mut self, state: State) -> usize {
        self.memory.push(state);
        self.memory.len() - 1
    }

    fn free(&mut self, value: ValueId) -> Result<(), String> {
        if !std::mem::replace(&mut self.flags[value.index()], false) {
            return Ok(());
        }
        let memory = self.refers[value.index()].ok_or("frees what is not there")?;
        if self.memory[memory] != State::Mine {
            return Err(format!("{value:?} frees what is {:?}", self.memory[memory]));
        }
        self.memory[memory] = State::Freed;
        Ok(())
    }

    fn frees_at(&mut self, segment: SegmentId, place: ProgramPoint) -> Result<(), String> {
        let all: Vec<ValueId> = self.frees[segment.index()]
            .iter()
            .filter(|(at, _)| *at == place)
            .map(|(_, value)| *value)
            .collect();
        all.into_iter().try_for_each(|value| self.free(value))
    }

    fn tests_at(&mut self, place: ProgramPoint) -> Result<(), String> {
        for (index, test) in self.plan.tests.iter().enumerate() {
            if test.place != place {
                continue;
            }
            let mut found = vec![false; test.retained.len()];
            if self.flags[test.value.index()] {
                let own = self.refers[test.value.index()];
                match test
                    .retained
                    .iter()
                    .position(|other| self.refers[other.index()] == own)
                {
                    Some(at) => {
                        found[at] = true;
                        self.flags[test.value.index()] = false;
                    }
                    None => self.free(test.value)?,
                }
            }
            self.tests[index] = found;
        }
        Ok(())
    }

    /// Executes the block-end deallocs at a place, when control leaves by `edge`.
    fn gathers_at(&mut self, place: ProgramPoint, edge: Option<EdgeId>) -> Result<(), String> {
        for (index, dealloc) in self.plan.block_end_deallocs.iter().enumerate() {
            if dealloc.place != place {
                continue;
            }
            self.found[index] = vec![false; dealloc.retained.len()];
            if dealloc.only_on.is_some() && dealloc.only_on != edge {
                continue;
            }
            let mut owned: Vec<usize> = Vec::new();
            for (value, when) in &dealloc.memrefs {
                let memory = self.refers[value.index()].ok_or("gathers what is not there")?;
                let holds = match when {
                    OwnedIf::Flag => self.flags[value.index()],
                    OwnedIf::BlockEnd(found) => {
                        found.iter().any(|(at, slot)| self.found[*at][*slot])
                    }
                };
                if holds {
                    let state = self.memory[memory];
                    if state != State::Mine {
                        return Err(format!("{value:?} owns what is {state:?}"));
                    }
                    owned.push(memory);
                }
            }
            for (slot, value) in dealloc.retained.iter().enumerate() {
                let memory = self.refers[value.index()].ok_or("retains what is not there")?;
                self.found[index][slot] = owned.contains(&memory);
            }
            for (value, _) in &dealloc.memrefs {
                let memory = self.refers[value.index()].ok_or("gathers what is not there")?;
                let is_kept = |kept: &ValueId| self.refers[kept.index()] == Some(memory);
                if owned.contains(&memory) && !dealloc.retained.iter().any(is_kept) {
                    self.memory[memory] = State::Freed;
                }
            }
        }
        Ok(())
    }

    fn uses(&self, value: ValueId) -> Result<(), String> {
        let memory = self.refers[value.index()].ok_or("no value")?;
        match self.memory[memory] {
            State::Freed => Err(format!("{value:?} is used when it is freed")),
            _ => Ok(()),
        }
    }

    /// The memory that an edge passes, and whether ownership moves with it.
    fn pass(&mut self, edge: EdgeId, at: usize) -> Result<(usize, bool), String> {
        let fact = self.function.edge(edge);
        let memory = match fact.passed[at] {
            Some(value) => self.refers[value.index()].ok_or("passes no value")?,
            None => 0,
        };
        let pass = &self.plan.passed_ownership[edge.index()][at];
        let mut owns = false;
        for source in &pass.sources {
            let from = match source {
                OwnershipSource::Moved(value) => {
                    if fact.passed[at] != Some(*value) {
                        return Err("moves something else".into());
                    }
                    std::mem::replace(&mut self.flags[value.index()], false)
                }
                OwnershipSource::Tested { test, slot } => self.tests[*test][*slot],
                OwnershipSource::BlockEnd { dealloc, slot } => self.found[*dealloc][*slot],
            };
            if owns && from {
                return Err("two owners".into());
            }
            owns |= from;
        }
        let known = match self.plan.ownership_passed_by(edge, at) {
            Ownership::Always => Some(true),
            Ownership::Never => Some(false),
            Ownership::Dynamic => None,
        };
        if known.is_some_and(|known| known != owns) {
            return Err(format!("passes {owns}, but {known:?} was planned"));
        }
        Ok((memory, owns))
    }

    /// Runs to the end; false if the run takes too long.
    pub fn run(&mut self) -> Result<bool, String> {
        let mut segment = SegmentId(0);
        let mut fuel = 400;
        loop {
            let fact = self.function.segment(segment);
            let edge = fact.edges.get(self.random.below(fact.edges.len())).copied();
            self.frees_at(segment, ProgramPoint::Start(segment))?;
            self.gathers_at(ProgramPoint::Start(segment), edge)?;
            for step in 0..fact.steps {
                let last = step + 1 == fact.steps;
                if last {
                    self.frees_at(segment, ProgramPoint::End(segment))?;
                    self.tests_at(ProgramPoint::End(segment))?;
                    self.gathers_at(ProgramPoint::End(segment), edge)?;
                }
                for (_, value) in fact.uses.iter().filter(|(at, _)| *at == step) {
                    self.uses(*value)?;
                }
                let mut values: Vec<usize> = (0..self.function.values.len())
                    .filter(|index| {
                        let value = &self.function.values[*index];
                        value.segment == segment && value.step == Some(step)
                    })
                    .collect();
                if !self.at_ends && values.iter().any(|index| self.flags[*index]) {
                    return Err("an owner is lost".into());
                }
                // Results of one step may alias each other, whichever is defined first.
                if self.random.chance(50) {
                    values.sort_by_key(|index| {
                        let kind = &self.function.values[*index].kind;
                        let is_derived =
                            matches!(kind, ValueKind::FreshOrAnyOf(_) | ValueKind::AnyOf(_));
                        if is_derived {
                            usize::MAX - index
                        } else {
                            *index
                        }
                    });
                }
                let here = values.clone();
                for (at, index) in values.into_iter().enumerate() {
                    let value = &self.function.values[index];
                    self.refers[index] = match &value.kind {
                        ValueKind::Fresh { owned, may_alias } => {
                            let same = may_alias.filter(|_| self.random.chance(30));
                            // Block-end deallocs take each for an owner: they compare.
                            self.flags[index] = *owned && (same.is_none() || self.at_ends);
                            match same {
                                Some(other) => self.refers[other.index()],
                                None => {
                                    let state = if *owned { State::Mine } else { State::Foreign };
                                    Some(self.make(state))
                                }
                            }
                        }
                        ValueKind::Foreign => Some(0),
                        ValueKind::FreshOrAnyOf(_) if self.random.chance(40) => {
                            self.flags[index] = true;
                            Some(self.make(State::Mine))
                        }
                        ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) => {
                            self.flags[index] = false;
                            let made: Vec<ValueId> = sources
                                .iter()
                                .copied()
                                .filter(|source| !here[at..].contains(&source.index()))
                                .collect();
                            match made.get(self.random.below(made.len())) {
                                Some(source) => self.refers[source.index()],
                                None => Some(0),
                            }
                        }
                        ValueKind::Param => return Err("a parameter at a step".into()),
                    };
                }
                self.frees_at(segment, ProgramPoint::After(segment, step))?;
            }
            let Some(edge) = edge else { return Ok(true) };
            fuel -= 1;
            if fuel == 0 {
                return Ok(false);
            }
            self.tests_at(ProgramPoint::Edge(edge))?;
            self.gathers_at(ProgramPoint::Edge(edge), Some(edge))?;
            self.frees_at(segment, ProgramPoint::Edge(edge))?;
            let passed = (0..self.function.edge(edge).passed.len())
                .map(|at| self.pass(edge, at))
                .collect::<Result<Vec<_>, _>>()?;
            let Some(to) = self.function.edge(edge).to else {
                for (at, (memory, owns)) in passed.iter().enumerate() {
                    let shared = self.plan.passed_ownership[edge.index()][at].shared_with;
                    if self.memory[*memory] == State::Freed {
                        return Err("returns what is freed".into());
                    }
                    if *owns {
                        let state = std::mem::replace(&mut self.memory[*memory], State::Callers);
                        if state != State::Mine && !(self.at_ends && state == State::Callers) {
                            return Err(format!("returns what is {state:?}"));
                        }
                    } else if let Some(other) = shared
                        && passed[other].0 != *memory
                    {
                        return Err("shares what is not the same".into());
                    }
                }
                if let Some(left) = self.memory.iter().position(|state| *state == State::Mine) {
                    return Err(format!("memory {left} is left"));
                }
                return Ok(true);
            };
            for (param, (memory, owns)) in self.function.segment(to).params.iter().zip(passed) {
                if !self.at_ends && self.flags[param.index()] {
                    return Err(format!("{param:?} is an owner that is lost"));
                }
                self.refers[param.index()] = Some(memory);
                self.flags[param.index()] = match self.plan.ownership_of(*param) {
                    Ownership::Always if self.at_ends => true,
                    Ownership::Never if owns => return Err(format!("{param:?} never owns memory")),
                    _ => owns,
                };
            }
            segment = to;
        }
    }
}
