//! What flows into what.

use super::Memory;
use crate::{
    function::{Kind, Value, ValueId},
    order::Order,
};
use memplan_flow::{Components, Graph, UnionFind};
use smallvec::SmallVec;

/// For each value, the values that it may be.
pub(super) struct Flow {
    sources: Graph<ValueId>,
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
        let sources = Graph::new(count, |at: ValueId| {
            let value = function.value(at);
            let is_lost = &mut lost[at.index()];
            let mut sources: SmallVec<[ValueId; 4]> = SmallVec::new();
            match &value.kind {
                Kind::Fresh { .. } | Kind::Foreign => {}
                Kind::Any(all) => {
                    sources.extend_from_slice(all);
                    *is_lost |= all.is_empty();
                }
                Kind::Told(all) => {
                    sources.extend_from_slice(all);
                    *is_lost = true;
                }
                Kind::Param => {
                    let incoming = &order.incoming[value.segment.index()];
                    *is_lost |= incoming.is_empty();
                    for edge in incoming {
                        let passed = &function.edge(*edge).passed;
                        match passed.get(places[at.index()] as usize).copied().flatten() {
                            Some(passed) => sources.push(passed),
                            None => *is_lost = true,
                        }
                    }
                }
            }
            sources
        });
        let mut flow = Self {
            sources,
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
        self.sources.successors(value)
    }

    /// The strongly connected components, each behind those that flow into it.
    pub fn components(&self) -> Components<ValueId> {
        Components::of(&self.sources)
    }

    /// For each value, the lowest of those that it is joined with by what flows, either way.
    pub fn groups(&self) -> Vec<ValueId> {
        let mut groups = UnionFind::with_capacity(self.sources.len());
        for value in self.sources.nodes() {
            for source in self.sources(value) {
                groups.unite(value, *source);
            }
        }
        let values = self.sources.nodes();
        values.map(|value| groups.find(value)).collect()
    }
}
