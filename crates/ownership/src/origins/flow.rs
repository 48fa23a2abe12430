//! What flows into what.

use super::Memory;
use crate::{
    function::{Function, Kind, Value, ValueId},
    order::Order,
};

/// For each value, the values that it may be.
pub(super) struct Flow {
    starts: Vec<u32>,
    targets: Vec<ValueId>,
    /// Values that may be something that is not known, too.
    pub lost: Vec<bool>,
    /// Values whose memory got out.
    pub out: Vec<bool>,
}

impl Flow {
    pub fn of(memory: &Memory, order: &Order) -> Self {
        let function = &memory.function;
        let count = function.values.len();
        let mut lost = vec![false; count];
        for value in &memory.unknown {
            lost[value.index()] = true;
        }
        let mut places = vec![0_u32; count];
        for segment in &function.segments {
            for (at, param) in segment.params.iter().enumerate() {
                places[param.index()] = at as u32;
            }
        }
        let mut starts = Vec::with_capacity(count + 1);
        let mut targets = Vec::new();
        for (index, value) in function.values.iter().enumerate() {
            starts.push(targets.len() as u32);
            match &value.kind {
                Kind::Fresh { .. } | Kind::Foreign => {}
                Kind::Any(sources) => {
                    targets.extend_from_slice(sources);
                    lost[index] |= sources.is_empty();
                }
                Kind::Told(sources) => {
                    targets.extend_from_slice(sources);
                    lost[index] = true;
                }
                Kind::Param => {
                    let incoming = &order.incoming[value.segment.index()];
                    lost[index] |= incoming.is_empty();
                    for edge in incoming {
                        let passed = &function.edge(*edge).passed;
                        match passed.get(places[index] as usize).copied().flatten() {
                            Some(passed) => targets.push(passed),
                            None => lost[index] = true,
                        }
                    }
                }
            }
        }
        starts.push(targets.len() as u32);
        let mut flow = Self {
            starts,
            targets,
            lost,
            out: vec![false; count],
        };
        flow.let_out(memory);
        flow
    }

    fn let_out(&mut self, memory: &Memory) {
        let mut open = memory.escapes.clone();
        while let Some(value) = open.pop() {
            if !std::mem::replace(&mut self.out[value.index()], true) {
                open.extend_from_slice(self.sources(value));
            }
        }
        // With one result of a call, those that may be the same.
        let first = |value: &Value| match value.kind {
            Kind::Fresh { same_as, .. } => same_as,
            _ => None,
        };
        let values = memory.function.values.iter().enumerate();
        let others: Vec<(usize, usize)> = values
            .filter_map(|(at, value)| Some((at, first(value)?.index())))
            .collect();
        for (other, first) in &others {
            self.out[*first] |= self.out[*other];
        }
        for (other, first) in others {
            self.out[other] = self.out[first];
        }
    }

    /// The values that a value may be.
    pub fn sources(&self, value: ValueId) -> &[ValueId] {
        let range = self.starts[value.index()] as usize..self.starts[value.index() + 1] as usize;
        &self.targets[range]
    }

    /// The memory of someone else that a value may be; `None` where there is much to look through.
    pub fn foreign_origins(&self, function: &Function, value: ValueId) -> Option<Vec<ValueId>> {
        const MOST: usize = 4096;
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![value];
        let mut foreign = Vec::new();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if seen.len() > MOST {
                return None;
            }
            if matches!(function.value(value).kind, Kind::Foreign) && !self.lost[value.index()] {
                foreign.push(value);
            }
            open.extend_from_slice(self.sources(value));
        }
        foreign.sort_unstable();
        Some(foreign)
    }

    /// Visits the strongly connected components, each behind those that flow into it.
    pub fn visit_components(&self, mut visit: impl FnMut(&[ValueId])) {
        const NEW: u32 = u32::MAX;
        let count = self.starts.len() - 1;
        let mut number = vec![NEW; count];
        let mut low = vec![0_u32; count];
        let mut done = vec![false; count];
        let mut path: Vec<ValueId> = Vec::new();
        let mut stack: Vec<(ValueId, usize)> = Vec::new();
        let mut clock = 0;
        for root in 0..count {
            if number[root] != NEW {
                continue;
            }
            stack.push((ValueId::new(root), 0));
            while let Some((value, at)) = stack.pop() {
                let index = value.index();
                if at == 0 {
                    number[index] = clock;
                    low[index] = clock;
                    clock += 1;
                    path.push(value);
                } else {
                    let before = self.sources(value)[at - 1].index();
                    low[index] = low[index].min(low[before]);
                }
                let mut next = at;
                let mut child = None;
                while let Some(source) = self.sources(value).get(next) {
                    next += 1;
                    if number[source.index()] == NEW {
                        child = Some(*source);
                        break;
                    }
                    if !done[source.index()] {
                        low[index] = low[index].min(number[source.index()]);
                    }
                }
                if let Some(child) = child {
                    stack.push((value, next));
                    stack.push((child, 0));
                    continue;
                }
                if low[index] != number[index] {
                    continue;
                }
                let from = path.iter().rposition(|other| *other == value);
                let from = from.unwrap_or_default();
                for member in &path[from..] {
                    done[member.index()] = true;
                }
                visit(&path[from..]);
                path.truncate(from);
            }
        }
    }

    /// For each value, which values it is joined with by what flows, either way.
    pub fn components(&self) -> Vec<u32> {
        fn find(parents: &mut [u32], mut at: u32) -> u32 {
            while parents[at as usize] != at {
                let above = parents[parents[at as usize] as usize];
                parents[at as usize] = above;
                at = above;
            }
            at
        }
        let count = self.starts.len() - 1;
        let mut parents: Vec<u32> = (0..count as u32).collect();
        for value in 0..count {
            for source in self.sources(ValueId::new(value)) {
                let one = find(&mut parents, value as u32);
                let other = find(&mut parents, source.0);
                parents[one.max(other) as usize] = one.min(other);
            }
        }
        (0..count as u32).map(|at| find(&mut parents, at)).collect()
    }
}
