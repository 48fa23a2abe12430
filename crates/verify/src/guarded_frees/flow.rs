//! Where values of a function come from, and which conditions hold at an operation.

use memplan_flow::{Dominators, Graph, SecondaryMap};
use memplan_mlir::{
    calls::function_body,
    ir::{
        Identity, Key, Op, Origin, Val, arguments, blocks, is_before, operands, origin, parent,
        type_of,
    },
    layout::rank,
};
use memplan_semantics::{
    RegionOrder, Semantics, StoredElement,
    control::Chosen,
    graph::{self, ControlGraph, Edge, EdgeKind, Enter, SegmentId, Taken},
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A boolean value, and what it is.
pub type Guard<'c> = (Val<'c>, bool);

/// An edge into a segment.
#[derive(Clone, Copy)]
pub struct Arrival<'g, 'c> {
    edge: &'g Edge<'c>,
    pairs: &'g [(Val<'c>, Val<'c>)],
}

impl<'c> Arrival<'_, 'c> {
    /// The value that becomes `target`; `None` if that is not known.
    pub fn source(&self, target: Val<'c>) -> Option<Val<'c>> {
        let mut pairs = self.pairs.iter();
        pairs.find_map(|(from, to)| (*to == target).then_some(*from))
    }
}

/// The control flow of a function, as far as it shows where values come from.
pub struct FunctionFlow<'c> {
    graph: ControlGraph<'c>,
    dominators: Dominators<SegmentId>,
    /// The segment of each operation.
    segments: FxHashMap<Key, SegmentId>,
    /// The segment that starts with a block argument or a result of regions.
    targets: FxHashMap<Key, SegmentId>,
    /// The edges into each segment; `None` if not all are known.
    arrivals: SecondaryMap<SegmentId, Option<Vec<Edge<'c>>>>,
    entry: FxHashMap<Key, usize>,
    /// For an operation right after one that stores a ranked memref in a memref of rank 0: that store.
    stored_before: FxHashMap<Key, StoredElement<'c>>,
    /// The operands of each return that is reached.
    returned: Vec<Vec<Val<'c>>>,
}

impl<'c> FunctionFlow<'c> {
    /// Reads a function; `None` if it has no body.
    pub fn of(function: Op<'c>, semantics: &mut Semantics) -> Option<Self> {
        let body = function_body(function)?;
        let graph = ControlGraph::of(body, semantics, &mut |_, _, _| Enter::Yes);
        let root = graph.blocks[graph.entry(graph::BODY)?].first;
        let successors = Graph::new(graph.segments.len(), |segment| {
            let edges = graph.edges_from(segment);
            let taken = edges.filter(|edge| edge.taken != Taken::Never);
            taken.filter_map(|edge| edge.to).collect::<Vec<_>>()
        });
        let dominators = Dominators::of(&successors, root);
        let mut flow = Self {
            dominators,
            segments: FxHashMap::default(),
            targets: FxHashMap::default(),
            arrivals: SecondaryMap::with_default(Some(Vec::new())),
            entry: FxHashMap::default(),
            stored_before: FxHashMap::default(),
            returned: Vec::new(),
            graph,
        };
        flow.index(semantics);
        let entry = blocks(body).next().into_iter().flat_map(arguments);
        flow.entry = entry.zip(0..).map(|(one, at)| (one.key(), at)).collect();
        for argument in flow.entry.keys() {
            flow.targets.remove(argument);
        }
        Some(flow)
    }

    fn index(&mut self, semantics: &mut Semantics) {
        for segment in (0..self.graph.segments.len()).map(SegmentId::new) {
            let mut stored: Option<StoredElement<'c>> = None;
            for op in self.graph.ops(segment) {
                self.segments.insert(op.key(), segment);
                if let Some(stored) = stored.take() {
                    self.stored_before.insert(op.key(), stored);
                }
                let element = semantics.stored_element(op);
                stored = element
                    .filter(|one| one.indices.is_empty() && rank(type_of(one.value)).is_some());
            }
            if let Some(last) = self.graph.last_op(segment) {
                self.segments.insert(last.key(), segment);
            }
            let targets = self.graph.targets(segment);
            let targets = targets.into_iter().map(|target| (target.key(), segment));
            self.targets.extend(targets);
            if !self.dominators.is_reachable(segment) {
                continue;
            }
            let edges: Vec<Edge<'c>> = self.graph.edges_from(segment).cloned().collect();
            for edge in edges {
                if edge.taken == Taken::Never {
                    continue;
                }
                if let (EdgeKind::Return(op), None) = (edge.kind, edge.to) {
                    self.returned.push(operands(op).collect());
                }
                let Some(to) = edge.to else { continue };
                let is_known = self.is_followed(&edge, semantics);
                match (&mut self.arrivals[to], is_known) {
                    (Some(all), true) => all.push(edge),
                    (all, _) => *all = None,
                }
            }
        }
    }

    /// Whether an edge forwards known values, one execution after another.
    fn is_followed(&self, edge: &Edge<'c>, semantics: &mut Semantics) -> bool {
        let around = match edge.kind {
            EdgeKind::Enter(entered) => Some(self.graph.entered[entered].op),
            EdgeKind::Yield(end) => parent(end),
            EdgeKind::Branch(..) => None,
            EdgeKind::NoTerminator(_) | EdgeKind::Return(_) => return false,
        };
        edge.forwards_known
            && around.is_none_or(|op| {
                semantics.region_order(op) == RegionOrder::Sequential
                    && semantics.info(op).is_registered()
            })
    }

    /// The operands of each return that control may reach.
    pub fn returned(&self) -> &[Vec<Val<'c>>] {
        &self.returned
    }

    /// Whether a value is an argument of the function.
    pub fn is_argument(&self, value: Val<'c>) -> bool {
        self.entry.contains_key(&value.key())
    }

    /// The segment that starts with a value: control flow decides what it is.
    pub fn target(&self, value: Val<'c>) -> Option<SegmentId> {
        self.targets.get(&value.key()).copied()
    }

    /// The edges into a segment; `None` if not all are known.
    pub fn arrivals(&self, segment: SegmentId) -> Option<impl Iterator<Item = Arrival<'_, 'c>>> {
        let all = self.arrivals[segment].as_ref()?;
        Some(all.iter().map(|edge| Arrival {
            edge,
            pairs: self.graph.values(edge),
        }))
    }

    /// The memref that the operation right before stored in a memref of rank 0, and that one.
    pub fn stored_before(&self, op: Op<'c>) -> Option<&StoredElement<'c>> {
        self.stored_before.get(&op.key())
    }

    /// Whether a value is defined before control last came to a segment, and not again since.
    pub fn is_before(&self, value: Val<'c>, segment: SegmentId) -> bool {
        let defined = match (self.target(value), origin(value)) {
            (Some(segment), _) => Some(segment),
            (None, Some(Origin::Result(op, _))) => self.segments.get(&op.key()).copied(),
            // An argument of the function.
            (None, _) => return self.is_argument(value),
        };
        defined.is_some_and(|one| one != segment && self.dominators.dominates(one, segment))
    }

    /// Whether control may come from one operation to another while a value stays the same. Linear in the size of the function.
    pub fn may_come_from(&self, from: Op<'c>, to: Op<'c>, value: Val<'c>) -> bool {
        let segment_of = |op: Op<'c>| self.segments.get(&op.key()).copied();
        let (Some(start), Some(end)) = (segment_of(from), segment_of(to)) else {
            return true;
        };
        if start == end && is_before(from, to) {
            return true;
        }
        let defined = self.target(value).or_else(|| match origin(value)? {
            Origin::Result(op, _) => segment_of(op),
            Origin::Argument(..) => None,
        });
        let mut seen = FxHashSet::default();
        let mut open = vec![start];
        while let Some(segment) = open.pop() {
            let edges = self.graph.edges_from(segment);
            let taken = edges.filter(|edge| edge.taken != Taken::Never);
            for next in taken.filter_map(|edge| edge.to) {
                if Some(next) == defined || !seen.insert(next) {
                    continue;
                }
                if next == end {
                    return true;
                }
                open.push(next);
            }
        }
        false
    }

    /// The conditions that hold whenever control reaches an operation.
    pub fn guards(&self, op: Op<'c>, semantics: &mut Semantics) -> Vec<Guard<'c>> {
        let mut guards = Vec::new();
        let at = self.segments.get(&op.key()).copied();
        for edge in self.only_edges(at) {
            guards.extend(self.condition(edge, semantics));
        }
        guards
    }

    /// Whether a guard never holds where control takes an edge. Its depth in the graph bounds the steps.
    pub fn excludes(
        &self,
        arrival: &Arrival<'_, 'c>,
        (flag, is): Guard<'c>,
        semantics: &mut Semantics,
    ) -> bool {
        let before = self.only_edges(Some(arrival.edge.from));
        let mut edges = before.chain([arrival.edge]);
        edges.any(|edge| self.condition(edge, semantics) == Some((flag, !is)))
    }

    /// For a segment and those that dominate it, the edge into it if there is only one.
    fn only_edges(&self, segment: Option<SegmentId>) -> impl Iterator<Item = &Edge<'c>> {
        let all = std::iter::successors(segment, |at| self.dominators.immediate(*at));
        all.filter_map(|segment| match self.arrivals[segment].as_deref() {
            Some([edge]) => Some(edge),
            _ => None,
        })
    }

    /// The condition under which control takes an edge, where that is one boolean value.
    fn condition(&self, edge: &Edge<'c>, semantics: &mut Semantics) -> Option<Guard<'c>> {
        let (op, taken) = match edge.kind {
            EdgeKind::Branch(op, successor) => (op, successor),
            EdgeKind::Enter(entered) => {
                let block = self.graph.segments[edge.to?].block;
                let region = self.graph.blocks[block].region;
                let mut regions = self.graph.regions_of(entered);
                let number = regions.position(|one| one == region)?;
                (self.graph.entered[entered].op, number)
            }
            _ => return None,
        };
        let choice = semantics.choice(op)?;
        let is_truth = choice.by == Chosen::Truth && taken < 2;
        is_truth.then(|| Some((choice.flag?, taken == 0))).flatten()
    }
}
