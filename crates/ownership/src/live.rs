//! Where values are live: from their definitions to their last uses on each way. What is passed to a
//! parameter that nobody uses counts for nothing.
//!
//! There is an entry for each value and each segment that it is live in, so time and room grow with the
//! product where many buffers stay live across many branches: 2,000 across 2,000 take 0.6 s.

use crate::{
    function::{EdgeId, Function, Kind, SegmentId, StepIndex, ValueId},
    order::Order,
};
use memplan_flow::{Graph, Liveness};
use smallvec::SmallVec;

/// A value in a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    segment: SegmentId,
    /// Live at the start, and defined before.
    enters: bool,
    /// Live at the end: live at the start of a segment after it, or passed on an edge.
    leaves: bool,
    /// The last step that uses it.
    last: Option<StepIndex>,
}

/// Where each value is live.
#[derive(Clone, Debug)]
pub struct Live {
    wanted: Vec<bool>,
    /// For each value, by segment.
    spans: Vec<SmallVec<[Span; 2]>>,
}

impl Live {
    /// Of a function. `kept` are further uses, at the starts of segments.
    pub fn of(function: &Function, order: &Order, kept: &[(SegmentId, ValueId)]) -> Self {
        let mut live = Self {
            wanted: wanted(function, order, kept),
            spans: vec![SmallVec::new(); function.values.len()],
        };
        // Uses by value: in a segment, at a step (`None`: on an edge).
        let mut uses: Vec<Vec<(SegmentId, Option<StepIndex>)>> =
            vec![Vec::new(); function.values.len()];
        let mut entered: Vec<Vec<SegmentId>> = vec![Vec::new(); function.values.len()];
        for (segment, value) in kept {
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
                        && live.is_param_wanted(function, *edge, at)
                    {
                        uses[value.index()].push((*segment, None));
                    }
                }
            }
        }
        for (index, value) in function.values.iter().enumerate() {
            if let (Kind::Any(sources), true) = (&value.kind, live.wanted[index])
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

    /// Is the memory of a value ever used?
    pub fn is_wanted(&self, value: ValueId) -> bool {
        self.wanted[value.index()]
    }

    /// Is what an edge passes at `at` ever used?
    pub fn is_param_wanted(&self, function: &Function, edge: EdgeId, at: usize) -> bool {
        match function.edge(edge).to {
            None => true,
            Some(to) => {
                let params = &function.segment(to).params;
                params.get(at).is_some_and(|param| self.is_wanted(*param))
            }
        }
    }

    fn span(&self, value: ValueId, segment: SegmentId) -> Option<&Span> {
        let spans = &self.spans[value.index()];
        let found = spans.binary_search_by_key(&segment, |span| span.segment);
        found.ok().map(|at| &spans[at])
    }

    /// The segments in which a value is live or used: whether it is live at the start, as [`Self::enters`],
    /// and the last step that uses it.
    pub fn segments(
        &self,
        value: ValueId,
    ) -> impl Iterator<Item = (SegmentId, bool, Option<StepIndex>)> {
        let spans = self.spans[value.index()].iter();
        spans.map(|span| (span.segment, span.enters, span.last))
    }

    /// Is a value that was defined before live at the start of a segment?
    pub fn enters(&self, value: ValueId, segment: SegmentId) -> bool {
        self.span(value, segment).is_some_and(|span| span.enters)
    }

    /// Is a value live at the end of a segment?
    pub fn leaves(&self, value: ValueId, segment: SegmentId) -> bool {
        self.span(value, segment).is_some_and(|span| span.leaves)
    }

    /// The last step of a segment that uses a value.
    pub fn last(&self, value: ValueId, segment: SegmentId) -> Option<StepIndex> {
        self.span(value, segment).and_then(|span| span.last)
    }
}

/// Which values are used in the end.
fn wanted(function: &Function, order: &Order, kept: &[(SegmentId, ValueId)]) -> Vec<bool> {
    let mut wanted = vec![false; function.values.len()];
    let mut open: Vec<ValueId> = kept.iter().map(|(_, value)| *value).collect();
    open.extend(&function.taken);
    open.extend(&function.wanted);
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
        if std::mem::replace(&mut wanted[value.index()], true) {
            continue;
        }
        let fact = function.value(value);
        match &fact.kind {
            Kind::Any(sources) | Kind::Told(sources) => open.extend(sources),
            Kind::Param => {
                let params = &function.segment(fact.segment).params;
                let Some(at) = params.iter().position(|param| *param == value) else {
                    continue;
                };
                for edge in &order.incoming[fact.segment.index()] {
                    open.extend(function.edge(*edge).passed.get(at).copied().flatten());
                }
            }
            Kind::Fresh { .. } | Kind::Foreign => {}
        }
    }
    wanted
}
