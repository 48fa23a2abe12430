//! Live ranges of values: from the definition to the last use on each path. A value that is passed to an
//! unused parameter is not used by that.
//!
//! There is an entry for each pair of a value and a segment that it is live in. So time and space grow with
//! the product where many buffers stay live across many branches: 2,000 across 2,000 take 0.6 s.

use crate::{
    function::{EdgeId, Function, SegmentId, StepIndex, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_flow::{Graph, Liveness};
use smallvec::SmallVec;

/// A value in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    segment: SegmentId,
    /// The value is live at the start, and defined before.
    enters: bool,
    /// The value is live at the end: live at the start of a successor, or passed on an edge.
    leaves: bool,
    /// The last step that uses the value.
    last: Option<StepIndex>,
}

/// The live ranges of a function's values.
#[derive(Clone, Debug)]
pub struct ValueLiveness {
    used: Vec<bool>,
    /// For each value, the segments in which it is live, sorted.
    spans: Vec<SmallVec<[Span; 2]>>,
}

impl ValueLiveness {
    /// Computes live ranges. `used_at_start` are additional uses at the starts of segments.
    pub fn of(
        function: &Function,
        order: &SegmentOrder,
        used_at_start: &[(SegmentId, ValueId)],
    ) -> Self {
        let mut live = Self {
            used: used_values(function, order, used_at_start),
            spans: vec![SmallVec::new(); function.values.len()],
        };
        // For each value, its uses: a segment, and a step (`None`: on an edge).
        let mut uses: Vec<Vec<(SegmentId, Option<StepIndex>)>> =
            vec![Vec::new(); function.values.len()];
        let mut entered: Vec<Vec<SegmentId>> = vec![Vec::new(); function.values.len()];
        for (segment, value) in used_at_start {
            entered[value.index()].push(*segment);
        }
        for segment in order.segments() {
            let fact = function.segment(*segment);
            for (step, value) in &fact.uses {
                uses[value.index()].push((*segment, Some(*step)));
            }
            for edge in &fact.edges {
                for (at, passed) in function.edge(*edge).passed.iter().enumerate() {
                    if let Some(value) = passed
                        && live.is_passed_value_used(function, *edge, at)
                    {
                        uses[value.index()].push((*segment, None));
                    }
                }
            }
        }
        for (index, value) in function.values.iter().enumerate() {
            if let (ValueKind::AnyOf(sources), true) = (&value.kind, live.used[index])
                && order.is_reachable(value.segment)
            {
                for source in sources {
                    uses[source.index()].push((value.segment, value.step));
                }
            }
        }
        let predecessors = Graph::new(function.segments.len(), |segment: SegmentId| {
            let edges = order.incoming[segment.index()].iter();
            edges.map(|edge| function.edge(*edge).from)
        });
        let mut liveness = Liveness::new(&predecessors);
        for (index, uses) in uses.iter().enumerate() {
            liveness.define(function.values[index].segment);
            for (segment, step) in uses {
                match step {
                    Some(_) => liveness.used_in(*segment),
                    None => liveness.used_at_end(*segment),
                }
            }
            for segment in &entered[index] {
                liveness.used_at_start(*segment);
            }
            let spans = liveness.nodes().iter().map(|live| Span {
                segment: live.node,
                enters: live.at_start,
                leaves: live.at_end,
                last: None,
            });
            let mut spans: SmallVec<[Span; 2]> = spans.collect();
            for (segment, step) in uses {
                if let Some(place) = liveness.position(*segment) {
                    spans[place].last = spans[place].last.max(*step);
                }
            }
            spans.sort_unstable_by_key(|span| span.segment);
            live.spans[index] = spans;
        }
        live
    }

    /// Whether the memory of a value is ever used.
    pub fn is_used(&self, value: ValueId) -> bool {
        self.used[value.index()]
    }

    /// Whether the value that an edge passes to the parameter `at` is ever used.
    pub fn is_passed_value_used(&self, function: &Function, edge: EdgeId, at: usize) -> bool {
        match function.edge(edge).to {
            None => true,
            Some(to) => {
                let params = &function.segment(to).params;
                params.get(at).is_some_and(|param| self.is_used(*param))
            }
        }
    }

    fn span(&self, value: ValueId, segment: SegmentId) -> Option<&Span> {
        let spans = &self.spans[value.index()];
        let found = spans.binary_search_by_key(&segment, |span| span.segment);
        found.ok().map(|at| &spans[at])
    }

    /// The segments in which a value is live or used. Each comes with whether the value is live at its start,
    /// as [`Self::enters`], and the last step that uses it.
    pub fn segments(
        &self,
        value: ValueId,
    ) -> impl Iterator<Item = (SegmentId, bool, Option<StepIndex>)> {
        let spans = self.spans[value.index()].iter();
        spans.map(|span| (span.segment, span.enters, span.last))
    }

    /// Whether a value that was defined before is live at the start of a segment.
    pub fn enters(&self, value: ValueId, segment: SegmentId) -> bool {
        self.span(value, segment).is_some_and(|span| span.enters)
    }

    /// Whether a value is live at the end of a segment.
    pub fn leaves(&self, value: ValueId, segment: SegmentId) -> bool {
        self.span(value, segment).is_some_and(|span| span.leaves)
    }

    /// The last step of a segment that uses a value.
    pub fn last_use(&self, value: ValueId, segment: SegmentId) -> Option<StepIndex> {
        self.span(value, segment).and_then(|span| span.last)
    }
}

/// For each value, whether it is used, directly or through a parameter or a value derived from it.
fn used_values(
    function: &Function,
    order: &SegmentOrder,
    used_at_start: &[(SegmentId, ValueId)],
) -> Vec<bool> {
    let param_numbers = function.param_numbers();
    let mut used = vec![false; function.values.len()];
    let mut open: Vec<ValueId> = used_at_start.iter().map(|(_, value)| *value).collect();
    open.extend(&function.consumed);
    open.extend(&function.forced_live);
    for segment in order.segments() {
        let fact = function.segment(*segment);
        open.extend(fact.uses.iter().map(|(_, value)| *value));
        for edge in &fact.edges {
            let edge = function.edge(*edge);
            if edge.to.is_none() {
                open.extend(edge.passed.iter().flatten());
            }
        }
    }
    while let Some(value) = open.pop() {
        if std::mem::replace(&mut used[value.index()], true) {
            continue;
        }
        let fact = function.value(value);
        match &fact.kind {
            ValueKind::AnyOf(sources) | ValueKind::FreshOrAnyOf(sources) => open.extend(sources),
            ValueKind::Param => {
                let at = param_numbers[value.index()] as usize;
                for edge in &order.incoming[fact.segment.index()] {
                    open.extend(function.edge(*edge).passed.get(at).copied().flatten());
                }
            }
            ValueKind::Fresh { .. } | ValueKind::Foreign => {}
        }
    }
    used
}
