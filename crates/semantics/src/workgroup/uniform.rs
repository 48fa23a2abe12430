//! Uniform control: which segments all threads of a workgroup execute together, or none.
//!
//! A value is *uniform* if it is the same in all threads. Everything is taken for uniform at first; values that may
//! differ are found by propagation. A branch on such a value makes control divergent up to its immediate
//! post-dominator, as does an inner loop whose iterations are threads. Values that are defined in divergent control, or
//! that paths of it forward to where they merge, may differ in turn.

use super::{Kernel, KernelKind};
use crate::{
    declared::is_effect_free,
    graph::{ControlGraph, Edge, EdgeKind, End, SegmentId, Taken},
    semantics::Semantics,
};
use memplan_flow::{Dominators, Graph, SecondaryMap, reverse_postorder};
use memplan_mlir::ir::{Identity, Key, Op, Val, arguments, operands, regions, results};
use rustc_hash::FxHashSet;

/// Which control is uniform in a kernel.
#[derive(Clone, Debug)]
pub struct Uniformity {
    /// The edges that may be taken.
    pub graph: Graph<SegmentId>,
    divergent: SecondaryMap<SegmentId, bool>,
    /// The segments after which threads choose by themselves.
    choosing: SecondaryMap<SegmentId, bool>,
    /// The reachable segments in reverse postorder.
    pub order: Vec<SegmentId>,
    /// A path leads from each of them to the end of the kernel. Otherwise, all control counts as divergent.
    pub has_exits: bool,
}

impl Uniformity {
    /// Analyzes a kernel. Each round finds another branch that diverges, and is linear.
    pub fn of<'c>(
        graph: &ControlGraph<'c>,
        kernel: &Kernel<'c>,
        semantics: &mut Semantics,
    ) -> Self {
        let edges = Graph::new(graph.segments.len(), |segment: SegmentId| {
            let edges = graph.edges_from(segment).filter(|edge| is_taken(edge));
            let past = past_threads(graph, segment, semantics);
            let all = edges.filter_map(|edge| edge.to).chain(past);
            all.collect::<Vec<_>>()
        });
        let mut uniformity = Self {
            order: reverse_postorder(&edges, [SegmentId::new(0)]),
            graph: edges,
            divergent: SecondaryMap::new(),
            choosing: SecondaryMap::new(),
            has_exits: true,
        };
        let post_dominators = uniformity.post_dominators(graph);
        let mut order = uniformity.order.iter();
        if !order.all(|segment| post_dominators.is_reachable(*segment)) {
            uniformity.has_exits = false;
            return uniformity;
        }
        let mut varying = Varying {
            graph,
            kernel,
            semantics,
            values: FxHashSet::default(),
        };
        loop {
            let count = varying.values.len();
            let mut changed = false;
            for segment in uniformity.order.clone() {
                varying.segment(segment, &uniformity);
                let chooses = !uniformity.choosing[segment] && varying.chooses(segment);
                if chooses {
                    uniformity.choosing[segment] = true;
                    changed = true;
                    uniformity.diverge(segment, post_dominators.immediate(segment));
                }
            }
            if !changed && varying.values.len() == count {
                return uniformity;
            }
        }
    }

    /// Do all threads execute the segment, or none?
    pub fn is_uniform(&self, segment: SegmentId) -> bool {
        self.has_exits && !self.divergent[segment]
    }

    /// May threads leave the segment on different edges?
    pub fn chooses(&self, segment: SegmentId) -> bool {
        self.choosing[segment]
    }

    fn post_dominators(&self, graph: &ControlGraph<'_>) -> Dominators<SegmentId> {
        let exit = SegmentId::new(graph.segments.len());
        let with_exit = Graph::new(graph.segments.len() + 1, |segment: SegmentId| {
            let own = match segment == exit {
                true => &[][..],
                false => self.graph.successors(segment),
            };
            let ends = segment != exit && own.is_empty();
            own.iter()
                .copied()
                .chain(ends.then_some(exit))
                .collect::<Vec<_>>()
        });
        Dominators::of(&with_exit.reversed(), exit)
    }

    fn diverge(&mut self, from: SegmentId, end: Option<SegmentId>) {
        let mut open = self.graph.successors(from).to_vec();
        let mut seen: FxHashSet<SegmentId> = FxHashSet::default();
        while let Some(segment) = open.pop() {
            if Some(segment) != end && seen.insert(segment) {
                self.divergent[segment] = true;
                open.extend(self.graph.successors(segment));
            }
        }
    }
}

/// After a loop in the kernel that is mapped to threads: each thread executes some iterations, or none.
fn past_threads(
    graph: &ControlGraph<'_>,
    segment: SegmentId,
    semantics: &mut Semantics,
) -> Option<SegmentId> {
    let End::Enters(entered) = graph.segments[segment].end else {
        return None;
    };
    let entered = &graph.entered[entered];
    let inner = Kernel::of(entered.op, semantics)?;
    (inner.kind == KernelKind::Loop).then_some(entered.after)?
}

fn is_taken(edge: &Edge<'_>) -> bool {
    edge.taken != Taken::Never
}

/// The operands of the operation that ends a segment which no edge forwards. A value may be both: an operand that decides,
/// and one that is forwarded.
fn deciding_operands<'c>(graph: &ControlGraph<'c>, segment: SegmentId) -> Vec<Val<'c>> {
    let Some(op) = graph.last_op(segment) else {
        return Vec::new();
    };
    let occurrences = |value: &Val<'c>| operands(op).filter(|one| one == value).count();
    let is_deciding = |value: &Val<'c>| {
        let forwarded = graph.edges_from(segment).map(|edge| {
            let sources = graph.values(edge).iter().map(|(from, _)| from);
            let count = sources.filter(|from| *from == value).count();
            (matches!(edge.kind, EdgeKind::Branch(..)), count)
        });
        // Each edge of a branch has operands of its own. Those to regions, and out of them, have the same ones.
        let (mut sum, mut most) = (0, 0);
        for (is_branch, count) in forwarded {
            match is_branch {
                true => sum += count,
                false => most = most.max(count),
            }
        }
        occurrences(value) > sum + most
    };
    operands(op).filter(is_deciding).collect()
}

/// Finds values that may differ between threads.
struct Varying<'a, 'c> {
    graph: &'a ControlGraph<'c>,
    kernel: &'a Kernel<'c>,
    semantics: &'a mut Semantics,
    values: FxHashSet<Key>,
}

impl<'c> Varying<'_, 'c> {
    fn is_any(&self, mut values: impl Iterator<Item = Val<'c>>) -> bool {
        values.any(|value| self.values.contains(&value.key()))
    }

    fn add(&mut self, values: impl Iterator<Item = Val<'c>>) {
        self.values.extend(values.map(|value| value.key()));
    }

    /// Visits the values that a segment defines, and what its edges forward.
    fn segment(&mut self, segment: SegmentId, uniformity: &Uniformity) {
        let graph = self.graph;
        if segment == SegmentId::new(0) {
            let block = graph.blocks[graph.segments[segment].block].block;
            let own = arguments(block).enumerate();
            let varying = own.filter(|(number, _)| !self.kernel.has_uniform_argument(*number));
            let varying: Vec<Val<'c>> = varying.map(|(_, value)| value).collect();
            self.add(varying.into_iter());
        }
        let is_divergent = uniformity.divergent[segment];
        for op in graph.ops(segment) {
            if is_divergent || !self.computes_same(op) {
                self.add(results(op));
            }
        }
        for edge in graph.edges_from(segment).filter(|edge| is_taken(edge)) {
            let Some(to) = edge.to else { continue };
            let all_vary = is_divergent || uniformity.choosing[segment] || !edge.forwards_known;
            let values = graph.values(edge);
            let targets = graph.targets(to);
            for target in targets {
                let mut sources = values.iter().filter(|(_, one)| *one == target).peekable();
                // Without a source, the operation produces it, such as an induction variable.
                let varies = match sources.peek() {
                    None => self.is_any(self.deciding(segment).into_iter()),
                    Some(_) => self.is_any(sources.map(|(from, _)| *from)),
                };
                if all_vary || varies {
                    self.values.insert(target.key());
                }
            }
        }
    }

    /// Are the results of an operation the same in all threads?
    fn computes_same(&mut self, op: Op<'c>) -> bool {
        results(op).next().is_none()
            || (self.semantics.table_facts(op).is_uniform
                && regions(op).next().is_none()
                && is_effect_free(op)
                && !self.is_any(operands(op)))
    }

    /// The values on which the choice of the edge out of a segment depends.
    fn deciding(&self, segment: SegmentId) -> Vec<Val<'c>> {
        let graph = self.graph;
        let mut deciding = deciding_operands(graph, segment);
        let is_yield = graph
            .edges_from(segment)
            .any(|edge| matches!(edge.kind, EdgeKind::Yield(_) | EdgeKind::NoTerminator(_)));
        let block = graph.segments[segment].block;
        if let Some(of) = graph.regions[graph.blocks[block].region]
            .of
            .filter(|_| is_yield)
        {
            deciding.extend(deciding_operands(graph, graph.entered[of].before));
        }
        deciding
    }

    fn chooses(&mut self, segment: SegmentId) -> bool {
        if past_threads(self.graph, segment, self.semantics).is_some() {
            return true;
        }
        let edges = self.graph.edges_from(segment).filter(|edge| is_taken(edge));
        let mut targets: Vec<_> = edges.map(|edge| edge.to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.len() > 1 && self.is_any(self.deciding(segment).into_iter())
    }
}
