//! The edges of single operations: between an operation and its regions, according to `RegionBranchOpInterface`, and
//! whether they are ever taken.

use crate::{form::Form, loops::trip_count, semantics::Semantics};
use memplan_mlir::{
    control_flow,
    ir::{
        Op, Val, arguments, block_parent, blocks, operands, parent_block, regions, results, type_of,
    },
};
use smallvec::SmallVec;

/// Whether control takes an edge when it reaches the start of the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// Only known at run time.
    Maybe,
    /// Each time.
    Always,
    /// Never. The number and types of the forwarded values must still fit, or the IR is invalid.
    Never,
}

/// An edge between an operation and its regions.
#[derive(Clone, Debug)]
pub struct RegionEdge<'c> {
    /// The region that control enters; `None`: control continues after the operation.
    pub region: Option<usize>,
    /// Pairs of a forwarded value and the argument or result that it becomes.
    pub values: Vec<(Val<'c>, Val<'c>)>,
    /// Whether the edge is taken.
    pub taken: Taken,
}

impl Semantics {
    /// The edges that control may take when `op` starts; `None` if no interface lists them. Edges that a constant
    /// trip count excludes are missing, or marked as never taken.
    pub fn entry_edges<'c>(&mut self, op: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
        let iterations = self.iterations(op);
        self.entry_edges_of(op, iterations)
    }

    /// The edges that control may take after `end`, which ends a block of a region; `None` if no interface lists
    /// them.
    ///
    /// For a loop with at most one iteration, the interface omits edges that are not taken. They are included here as
    /// never taken: the values that the end of the body forwards must fit both the body's arguments and the results.
    pub fn terminator_edges<'c>(&mut self, end: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
        let around = parent_block(end).and_then(block_parent)?;
        let iterations = self.iterations(around);
        self.terminator_edges_of(end, around, iterations)
    }

    /// [`Semantics::entry_edges`] for an operation with this trip count.
    pub(super) fn entry_edges_of<'c>(
        &mut self,
        op: Op<'c>,
        iterations: Option<u64>,
    ) -> Option<Vec<RegionEdge<'c>>> {
        if !self.info(op).is_region_branch() {
            return None;
        }
        let edges = control_flow::entry_edges(op)?;
        Some(marked(edges, |enters| match (iterations, enters) {
            (None, _) => Taken::Maybe,
            (Some(0), true) | (Some(1..), false) => Taken::Never,
            (Some(_), _) => Taken::Always,
        }))
    }

    /// [`Semantics::terminator_edges`] for an operation with this trip count.
    pub(super) fn terminator_edges_of<'c>(
        &mut self,
        end: Op<'c>,
        around: Op<'c>,
        iterations: Option<u64>,
    ) -> Option<Vec<RegionEdge<'c>>> {
        if !self.info(end).is_region_terminator() {
            return None;
        }
        let edges = control_flow::terminator_edges(end)?;
        let mut edges = marked(edges, |enters| match (iterations, enters) {
            (Some(0 | 1), true) | (Some(0), false) => Taken::Never,
            (Some(1), false) => Taken::Always,
            _ => Taken::Maybe,
        });
        if self.info(around).is_loop() {
            complete(&mut edges, end, around);
        }
        Some(edges)
    }

    /// The constant trip count of a loop whose iterations run one after another.
    pub(super) fn iterations(&mut self, op: Op<'_>) -> Option<u64> {
        let is_counted = self.form(op) == Form::Counted;
        is_counted.then(|| trip_count(op, self)).flatten()
    }
}

fn marked<'c>(
    edges: Vec<control_flow::RegionEdge<'c>>,
    taken: impl Fn(bool) -> Taken,
) -> Vec<RegionEdge<'c>> {
    let is_only = edges.len() == 1;
    let marked = edges.into_iter().map(|edge| RegionEdge {
        taken: match taken(edge.region.is_some()) {
            Taken::Maybe if is_only => Taken::Always,
            taken => taken,
        },
        region: edge.region,
        values: edge.values,
    });
    marked.collect()
}

/// Adds the edges that the body of a loop with one region has in other loops of its kind.
fn complete<'c>(edges: &mut Vec<RegionEdge<'c>>, end: Op<'c>, around: Op<'c>) {
    let leads = |region| edges.iter().any(|edge| edge.region == region);
    let mut bodies = regions(around);
    let (Some(body), None) = (bodies.next(), bodies.next()) else {
        return;
    };
    if leads(Some(0)) && leads(None) || !control_flow::is_loop_body(around, body) {
        return;
    }
    let forwarded: SmallVec<[Val<'c>; 4]> = operands(end).collect();
    let Some(entry) = blocks(body).next().filter(|_| !forwarded.is_empty()) else {
        return;
    };
    let first = arguments(entry).count().checked_sub(forwarded.len());
    let carried = first.map(|first| arguments(entry).skip(first).collect());
    let after = Some(results(around).collect());
    for (region, to) in [(Some(0), carried), (None, after)] {
        let to: SmallVec<[Val<'c>; 4]> = to.unwrap_or_default();
        let mut pairs = forwarded.iter().zip(&to);
        let fits = to.len() == forwarded.len()
            && pairs.all(|(one, other)| type_of(*one) == type_of(*other));
        if fits && edges.iter().all(|edge| edge.region != region) {
            edges.push(RegionEdge {
                region,
                values: forwarded.iter().copied().zip(to).collect(),
                taken: Taken::Never,
            });
        }
    }
}
