//! The edges of single operations: between an operation and its regions, as `RegionBranchOpInterface` says, and
//! whether they are ever taken.

use crate::{form::Form, loops::trip_count, semantics::Semantics};
use memplan_mlir::{
    flow,
    ir::{
        Op, Val, arguments, block_parent, blocks, operands, parent_block, regions, results, type_of,
    },
};
use smallvec::SmallVec;

/// Whether control takes an edge when it comes to where the edge starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// That is known only at run time.
    Maybe,
    /// Each time.
    Always,
    /// Never. What it would forward still has to fit in number and type, or the IR is invalid.
    Never,
}

/// An edge between an operation and its regions.
#[derive(Clone, Debug)]
pub struct RegionEdge<'c> {
    /// The region that control enters; `None`: it goes on after the operation.
    pub region: Option<usize>,
    /// What is forwarded, and the arguments or results that it becomes.
    pub values: Vec<(Val<'c>, Val<'c>)>,
    /// Is it taken?
    pub taken: Taken,
}

impl Semantics {
    /// Where control goes when `op` starts; `None` if no interface says it. Paths that a constant trip count rules out
    /// are left out, or never taken.
    pub fn entry_edges<'c>(&mut self, op: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
        let iterations = self.iterations(op);
        self.entry_edges_of(op, iterations)
    }

    /// Where control goes after `end`, which ends a block of a region; `None` if no interface says it.
    ///
    /// The interface of a loop of one iteration, or none, leaves out edges that are not taken. They are here, as never
    /// taken: what the end of the body forwards has to fit both the body's arguments and the results.
    pub fn terminator_edges<'c>(&mut self, end: Op<'c>) -> Option<Vec<RegionEdge<'c>>> {
        let around = parent_block(end).and_then(block_parent)?;
        let iterations = self.iterations(around);
        self.terminator_edges_of(end, around, iterations)
    }

    /// As [`Semantics::entry_edges`], of an operation of so many iterations.
    pub(super) fn entry_edges_of<'c>(
        &mut self,
        op: Op<'c>,
        iterations: Option<u64>,
    ) -> Option<Vec<RegionEdge<'c>>> {
        if !self.info(op).is_region_branch() {
            return None;
        }
        let edges = flow::entry_edges(op)?;
        Some(marked(edges, |enters| match (iterations, enters) {
            (None, _) => Taken::Maybe,
            (Some(0), true) | (Some(1..), false) => Taken::Never,
            (Some(_), _) => Taken::Always,
        }))
    }

    /// As [`Semantics::terminator_edges`], in an operation of so many iterations.
    pub(super) fn terminator_edges_of<'c>(
        &mut self,
        end: Op<'c>,
        around: Op<'c>,
        iterations: Option<u64>,
    ) -> Option<Vec<RegionEdge<'c>>> {
        if !self.info(end).is_region_terminator() {
            return None;
        }
        let edges = flow::terminator_edges(end)?;
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
    edges: Vec<flow::RegionEdge<'c>>,
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

/// Adds the edges that the body of a loop with a single region has in other loops of its kind.
fn complete<'c>(edges: &mut Vec<RegionEdge<'c>>, end: Op<'c>, around: Op<'c>) {
    let leads = |region| edges.iter().any(|edge| edge.region == region);
    let mut bodies = regions(around);
    let (Some(body), None) = (bodies.next(), bodies.next()) else {
        return;
    };
    if leads(Some(0)) && leads(None) || !flow::is_loop_body(around, body) {
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
