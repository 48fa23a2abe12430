//! Where flags travel: which blocks and operations get how many more arguments, operands and results.
//!
//! The end of a region hands the same operands to whatever comes next, the region again or what is
//! behind the operation. So the parameters that one operand goes to get flags together, or none does,
//! and what is passed along has to be the same for all of them.

use super::{
    error::{Error, ErrorKind},
    read::{IrEdge, Reading, Start},
};
use memplan_flow::UnionFind;
use memplan_mlir::ir::{Identity, Key};
use memplan_ownership::{
    Plan,
    function::{EdgeId, SegmentId, ValueId},
    plan::{Flag, Source},
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};

/// An operation with regions that passes flags.
pub struct OpSlots {
    /// The segment behind it.
    pub next: SegmentId,
    /// How many flags it passes into its regions.
    pub enters: usize,
    /// The results that get flags.
    pub results: Vec<ValueId>,
}

/// Where flags travel.
#[derive(Default)]
pub struct Slots {
    /// Blocks that get flags, and for which parameters.
    pub blocks: Vec<(SegmentId, Vec<ValueId>)>,
    /// Operations with regions.
    pub ops: Vec<OpSlots>,
    /// For each segment, the places of the parameters with flags, in the order of the flags.
    places: FxHashMap<SegmentId, Vec<usize>>,
}

/// Why flags cannot travel.
pub enum Obstacle<'c> {
    /// These values have to stay owners up to these segments.
    Keep(Vec<(SegmentId, ValueId)>),
    /// Nothing helps.
    Trouble(Error<'c>),
}

impl Slots {
    /// For a plan.
    pub fn of<'c>(
        reading: &Reading<'c>,
        plan: &Plan,
        semantics: &mut Semantics,
    ) -> Result<Self, Obstacle<'c>> {
        let mut slots = Self::default();
        let function = &reading.function;
        let known =
            |value: &ValueId| plan.flag(*value) == Flag::Dynamic && !function.taken.contains(value);
        if !function
            .segments
            .iter()
            .any(|segment| segment.params.iter().any(known))
        {
            return Ok(slots);
        }
        // What is passed by which operation that is no branch, and where blocks get what they are passed
        // from branches.
        let mut sources: FxHashMap<Key, Vec<EdgeId>> = FxHashMap::default();
        let mut order: Vec<Key> = Vec::new();
        let mut owners: FxHashMap<SegmentId, SegmentId> = FxHashMap::default();
        let mut behind: FxHashMap<Key, SegmentId> = FxHashMap::default();
        for (index, start) in reading.starts.iter().enumerate() {
            if let Start::Behind(op) = start {
                behind.insert(op.key(), SegmentId::new(index));
            }
        }
        for (index, way) in reading.ways.iter().enumerate() {
            let (op, parent) = match way {
                IrEdge::Branch(..) | IrEdge::Return(_) => continue,
                IrEdge::Enter(op) => (*op, Some(*op)),
                IrEdge::Yield(op) => (*op, memplan_mlir::ir::parent(*op)),
            };
            let edge = EdgeId::new(index);
            sources
                .entry(op.key())
                .or_insert_with(|| {
                    order.push(op.key());
                    Vec::new()
                })
                .push(edge);
            if let (Some(to), Some(parent)) = (function.edge(edge).to, parent)
                && let Some(next) = behind.get(&parent.key())
            {
                owners.insert(to, *next);
            }
        }
        let mut classes: UnionFind<ValueId> = UnionFind::default();
        for key in &order {
            let edges = &sources[key];
            let most = edges.iter().map(|edge| params(reading, *edge).len()).max();
            for at in 0..most.unwrap_or(0) {
                let mut all = edges
                    .iter()
                    .filter_map(|edge| params(reading, *edge).get(at));
                if let Some(first) = all.next() {
                    for other in all {
                        classes.unite(*first, *other);
                    }
                }
            }
        }
        let mut flagged: FxHashSet<ValueId> = FxHashSet::default();
        for segment in &function.segments {
            for param in segment.params.iter().filter(|param| known(param)) {
                flagged.insert(classes.find(*param));
            }
        }
        let mut ops: FxHashMap<SegmentId, usize> = FxHashMap::default();
        for (index, segment) in function.segments.iter().enumerate() {
            let id = SegmentId::new(index);
            let mut places: Vec<usize> = (0..segment.params.len())
                .filter(|at| flagged.contains(&classes.find(segment.params[*at])))
                .collect();
            if places.is_empty() {
                continue;
            }
            places.sort_by_key(|at| classes.find(segment.params[*at]));
            if let Start::Between(op) = reading.starts[index] {
                return Err(Obstacle::Trouble(Error {
                    op,
                    what: ErrorKind::Signature,
                }));
            }
            let values: Vec<ValueId> = places.iter().map(|at| segment.params[*at]).collect();
            slots.places.insert(id, places);
            if let Some(next) = owners.get(&id) {
                if let Start::Behind(op) = reading.starts[next.index()]
                    && !semantics.table_facts(op).is_extendable
                {
                    return Err(Obstacle::Trouble(Error {
                        op,
                        what: ErrorKind::Signature,
                    }));
                }
                let at = *ops.entry(*next).or_insert_with(|| {
                    slots.ops.push(OpSlots {
                        next: *next,
                        enters: 0,
                        results: Vec::new(),
                    });
                    slots.ops.len() - 1
                });
                match reading.starts[index] {
                    Start::Behind(_) => slots.ops[at].results = values,
                    Start::Block(_) | Start::Between(_) => slots.blocks.push((id, values)),
                }
            } else {
                slots.blocks.push((id, values));
            }
        }
        slots.check(reading, plan, &sources, &order, &mut classes, &ops)?;
        Ok(slots)
    }

    /// All targets of an operation get the same flags, and of the same values.
    fn check<'c>(
        &mut self,
        reading: &Reading<'c>,
        plan: &Plan,
        sources: &FxHashMap<Key, Vec<EdgeId>>,
        order: &[Key],
        classes: &mut UnionFind<ValueId>,
        ops: &FxHashMap<SegmentId, usize>,
    ) -> Result<(), Obstacle<'c>> {
        let mut keep = Vec::new();
        for key in order {
            let edges = &sources[key];
            let lists: Vec<Vec<ValueId>> = edges
                .iter()
                .map(|edge| {
                    let params = params(reading, *edge);
                    let places = self.passed(reading, *edge);
                    places.iter().map(|at| classes.find(params[*at])).collect()
                })
                .collect();
            let way = reading.ways[edges[0].index()];
            let op = way.op();
            let longest = lists.iter().max_by_key(|list| list.len());
            let Some(longest) = longest.filter(|list| !list.is_empty()) else {
                continue;
            };
            let fits = |list: &Vec<ValueId>, edge: &EdgeId| {
                list == longest || params(reading, *edge).is_empty()
            };
            if !lists.iter().zip(edges).all(|(list, edge)| fits(list, edge)) {
                return Err(Obstacle::Trouble(Error {
                    op,
                    what: ErrorKind::Signature,
                }));
            }
            for number in 0..longest.len() {
                let passes: Vec<(EdgeId, usize)> = edges
                    .iter()
                    .filter_map(|edge| Some((*edge, *self.passed(reading, *edge).get(number)?)))
                    .collect();
                let sources = |(edge, at): &(EdgeId, usize)| {
                    let pass = &plan.passes[edge.index()][*at];
                    (pass.sources.clone(), plan.passed(*edge, *at))
                };
                let first = sources(&passes[0]);
                if passes.iter().all(|pass| sources(pass) == first) {
                    continue;
                }
                // Who hands its memory on by one edge and keeps it by another keeps it by both.
                for (edge, at) in &passes {
                    for source in &plan.passes[edge.index()][*at].sources {
                        if let (Source::Moved(value), Some(to)) =
                            (source, reading.function.edge(*edge).to)
                        {
                            keep.push((to, *value));
                        }
                    }
                }
                if keep.is_empty() {
                    return Err(Obstacle::Trouble(Error {
                        op,
                        what: ErrorKind::Signature,
                    }));
                }
            }
            if let IrEdge::Enter(op) = way
                && let Some((_, at)) = ops.iter().find(|(next, _)| {
                    matches!(reading.starts[next.index()], Start::Behind(other) if other.key() == op.key())
                })
            {
                self.ops[*at].enters = longest.len();
            }
        }
        if keep.is_empty() {
            Ok(())
        } else {
            Err(Obstacle::Keep(keep))
        }
    }

    /// The places of an edge's parameters that get flags, in the order of the flags.
    pub fn passed(&self, reading: &Reading<'_>, edge: EdgeId) -> Vec<usize> {
        let to = reading.function.edge(edge).to;
        to.and_then(|to| self.places.get(&to))
            .cloned()
            .unwrap_or_default()
    }

    /// Does an earlier edge of the same operation pass the same?
    pub fn is_written(&self, reading: &Reading<'_>, edge: EdgeId) -> bool {
        let op = |edge: EdgeId| reading.op_of(edge).key();
        let own = op(edge);
        let from = reading.function.edge(edge).from;
        reading.function.segment(from).edges.iter().any(|other| {
            *other < edge && op(*other) == own && !self.passed(reading, *other).is_empty()
        })
    }
}

fn params<'r>(reading: &'r Reading<'_>, edge: EdgeId) -> &'r [ValueId] {
    match reading.function.edge(edge).to {
        Some(to) => &reading.function.segment(to).params,
        None => &[],
    }
}
