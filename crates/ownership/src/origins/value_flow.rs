//! The graph of values: which values flow into which.

use super::OriginsInput;
use crate::{
    function::{Value, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_flow::{Components, Graph, UnionFind};
use smallvec::SmallVec;

/// For each value, the values that it may be.
pub(super) struct ValueFlow {
    sources: Graph<ValueId>,
    /// Values that may also be unknown memory.
    pub is_unknown: Vec<bool>,
    /// Values whose memory has escaped.
    pub escaped: Vec<bool>,
}

impl ValueFlow {
    pub fn of(memory: &OriginsInput, order: &SegmentOrder) -> Self {
        let function = &memory.function;
        let count = function.values.len();
        let mut is_unknown = vec![false; count];
        for value in &memory.unknown {
            is_unknown[value.index()] = true;
        }
        let param_numbers = function.param_numbers();
        let sources = Graph::new(count, |at: ValueId| {
            let value = function.value(at);
            let is_unknown_value = &mut is_unknown[at.index()];
            let mut sources: SmallVec<[ValueId; 4]> = SmallVec::new();
            match &value.kind {
                ValueKind::Fresh { .. } | ValueKind::Foreign => {}
                ValueKind::AnyOf(all) => {
                    sources.extend_from_slice(all);
                    *is_unknown_value |= all.is_empty();
                }
                ValueKind::FreshOrAnyOf(all) => {
                    sources.extend_from_slice(all);
                    *is_unknown_value = true;
                }
                ValueKind::Param => {
                    let incoming = &order.incoming[value.segment.index()];
                    *is_unknown_value |= incoming.is_empty();
                    for edge in incoming {
                        let passed = &function.edge(*edge).passed;
                        match passed
                            .get(param_numbers[at.index()] as usize)
                            .copied()
                            .flatten()
                        {
                            Some(passed) => sources.push(passed),
                            None => *is_unknown_value = true,
                        }
                    }
                }
            }
            sources
        });
        let mut flow = Self {
            sources,
            is_unknown,
            escaped: vec![false; count],
        };
        flow.spread_escapes(memory);
        flow
    }

    fn spread_escapes(&mut self, memory: &OriginsInput) {
        let mut open = memory.escapes.clone();
        while let Some(value) = open.pop() {
            if !std::mem::replace(&mut self.escaped[value.index()], true) {
                open.extend_from_slice(self.sources(value));
            }
        }
        // If one result of a call escapes, so do the results that may alias it.
        let first = |value: &Value| match value.kind {
            ValueKind::Fresh { may_alias, .. } => may_alias,
            _ => None,
        };
        let values = memory.function.values.iter().enumerate();
        let others: Vec<(usize, usize)> = values
            .filter_map(|(at, value)| Some((at, first(value)?.index())))
            .collect();
        for (other, first) in &others {
            self.escaped[*first] |= self.escaped[*other];
        }
        for (other, first) in others {
            self.escaped[other] = self.escaped[first];
        }
    }

    /// The values that a value may be.
    pub fn sources(&self, value: ValueId) -> &[ValueId] {
        self.sources.successors(value)
    }

    /// The strongly connected components. Each comes after the components that flow into it.
    pub fn components(&self) -> Components<ValueId> {
        Components::of(&self.sources)
    }

    /// For each value, the lowest value of its weakly connected component.
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
