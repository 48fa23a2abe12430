//! Assigns slots to ownership flags: additional arguments, operands and results of blocks and operations.
//!
//! The end of a region forwards the same operands to each of its targets: the region again, or the code after
//! the operation. So either all parameters that receive one operand get a flag, or none does, and the flag
//! that is passed has to be the same for all of them.

use super::{
    error::{Error, ErrorKind},
    read::{IrEdge, Reading, SegmentStart},
};
use memplan_flow::UnionFind;
use memplan_mlir::ir::{Identity, Key};
use memplan_ownership::{
    Plan,
    function::{EdgeId, SegmentId, ValueId},
    plan::{Ownership, OwnershipSource},
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};

/// The slots of an operation with regions.
pub struct OpFlagSlots {
    /// The segment after it.
    pub next: SegmentId,
    /// The number of flags that enter its regions.
    pub entering_flags: usize,
    /// The results with flags.
    pub results: Vec<ValueId>,
}

/// The slots of a function.
#[derive(Default)]
pub struct FlagSlots {
    /// The blocks with flags, and the parameters that the flags are for.
    pub blocks: Vec<(SegmentId, Vec<ValueId>)>,
    /// The operations with regions and flags.
    pub ops: Vec<OpFlagSlots>,
    /// For each segment, the numbers of its parameters with flags, in the order of the flags.
    places: FxHashMap<SegmentId, Vec<usize>>,
}

/// The reason why a flag has no slot.
pub enum Obstacle<'c> {
    /// It needs none if these values stay owners up to these segments.
    KeepOwners(Vec<(SegmentId, ValueId)>),
    /// The operation takes no more operands or results.
    Error(Error<'c>),
}

impl FlagSlots {
    /// Assigns slots to the flags of a plan.
    pub fn of<'c>(
        reading: &Reading<'c>,
        plan: &Plan,
        semantics: &mut Semantics,
    ) -> Result<Self, Obstacle<'c>> {
        let mut slots = Self::default();
        let function = &reading.function;
        let known = |value: &ValueId| {
            plan.ownership_of(*value) == Ownership::Dynamic && !function.consumed.contains(value)
        };
        if !function
            .segments
            .iter()
            .any(|segment| segment.params.iter().any(known))
        {
            return Ok(slots);
        }
        // The edges by their operation, for operations other than branches; and the operations that own the
        // parameters of segments.
        let mut sources: FxHashMap<Key, Vec<EdgeId>> = FxHashMap::default();
        let mut order: Vec<Key> = Vec::new();
        let mut owners: FxHashMap<SegmentId, SegmentId> = FxHashMap::default();
        let mut segment_after: FxHashMap<Key, SegmentId> = FxHashMap::default();
        for (index, start) in reading.starts.iter().enumerate() {
            if let SegmentStart::After(op) = start {
                segment_after.insert(op.key(), SegmentId::new(index));
            }
        }
        for (index, ir_edge) in reading.ir_edges.iter().enumerate() {
            let (op, parent) = match ir_edge {
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
                && let Some(next) = segment_after.get(&parent.key())
            {
                owners.insert(to, *next);
            }
        }
        let mut classes: UnionFind<ValueId> = UnionFind::default();
        for key in &order {
            let edges = &sources[key];
            let most = edges
                .iter()
                .map(|edge| target_params(reading, *edge).len())
                .max();
            for at in 0..most.unwrap_or(0) {
                let mut all = edges
                    .iter()
                    .filter_map(|edge| target_params(reading, *edge).get(at));
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
            if let SegmentStart::Between(op) = reading.starts[index] {
                return Err(Obstacle::Error(Error {
                    op,
                    kind: ErrorKind::Signature,
                }));
            }
            let values: Vec<ValueId> = places.iter().map(|at| segment.params[*at]).collect();
            slots.places.insert(id, places);
            if let Some(next) = owners.get(&id) {
                if let SegmentStart::After(op) = reading.starts[next.index()]
                    && !semantics.table_facts(op).is_extendable
                {
                    return Err(Obstacle::Error(Error {
                        op,
                        kind: ErrorKind::Signature,
                    }));
                }
                let at = *ops.entry(*next).or_insert_with(|| {
                    slots.ops.push(OpFlagSlots {
                        next: *next,
                        entering_flags: 0,
                        results: Vec::new(),
                    });
                    slots.ops.len() - 1
                });
                match reading.starts[index] {
                    SegmentStart::After(_) => slots.ops[at].results = values,
                    SegmentStart::Block(_) | SegmentStart::Between(_) => {
                        slots.blocks.push((id, values))
                    }
                }
            } else {
                slots.blocks.push((id, values));
            }
        }
        slots.check(reading, plan, &sources, &order, &mut classes, &ops)?;
        Ok(slots)
    }

    /// Checks that all targets of an operation have the same flags, with the same sources.
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
                    let params = target_params(reading, *edge);
                    let places = self.flagged_params(reading, *edge);
                    places.iter().map(|at| classes.find(params[*at])).collect()
                })
                .collect();
            let ir_edge = reading.ir_edges[edges[0].index()];
            let op = ir_edge.op();
            let longest = lists.iter().max_by_key(|list| list.len());
            let Some(longest) = longest.filter(|list| !list.is_empty()) else {
                continue;
            };
            let fits = |list: &Vec<ValueId>, edge: &EdgeId| {
                list == longest || target_params(reading, *edge).is_empty()
            };
            if !lists.iter().zip(edges).all(|(list, edge)| fits(list, edge)) {
                return Err(Obstacle::Error(Error {
                    op,
                    kind: ErrorKind::Signature,
                }));
            }
            for number in 0..longest.len() {
                let passes: Vec<(EdgeId, usize)> = edges
                    .iter()
                    .filter_map(|edge| {
                        Some((*edge, *self.flagged_params(reading, *edge).get(number)?))
                    })
                    .collect();
                let sources = |(edge, at): &(EdgeId, usize)| {
                    let pass = &plan.passed_ownership[edge.index()][*at];
                    (pass.sources.clone(), plan.ownership_passed_by(*edge, *at))
                };
                let first = sources(&passes[0]);
                if passes.iter().all(|pass| sources(pass) == first) {
                    continue;
                }
                // An owner that moves on one edge of an operation and stays on another one stays on both.
                for (edge, at) in &passes {
                    for source in &plan.passed_ownership[edge.index()][*at].sources {
                        if let (OwnershipSource::Moved(value), Some(to)) =
                            (source, reading.function.edge(*edge).to)
                        {
                            keep.push((to, *value));
                        }
                    }
                }
                if keep.is_empty() {
                    return Err(Obstacle::Error(Error {
                        op,
                        kind: ErrorKind::Signature,
                    }));
                }
            }
            if let IrEdge::Enter(op) = ir_edge
                && let Some((_, at)) = ops.iter().find(|(next, _)| {
                    matches!(reading.starts[next.index()], SegmentStart::After(other) if other.key() == op.key())
                })
            {
                self.ops[*at].entering_flags = longest.len();
            }
        }
        if keep.is_empty() {
            Ok(())
        } else {
            Err(Obstacle::KeepOwners(keep))
        }
    }

    /// The numbers of an edge's parameters with flags, in the order of the flags.
    pub fn flagged_params(&self, reading: &Reading<'_>, edge: EdgeId) -> Vec<usize> {
        let to = reading.function.edge(edge).to;
        to.and_then(|to| self.places.get(&to))
            .cloned()
            .unwrap_or_default()
    }

    /// Whether an earlier edge of the same operation forwards the same operands.
    pub fn is_written_by_earlier_edge(&self, reading: &Reading<'_>, edge: EdgeId) -> bool {
        let op = |edge: EdgeId| reading.op_of(edge).key();
        let own = op(edge);
        let from = reading.function.edge(edge).from;
        reading.function.segment(from).edges.iter().any(|other| {
            *other < edge && op(*other) == own && !self.flagged_params(reading, *other).is_empty()
        })
    }
}

fn target_params<'r>(reading: &'r Reading<'_>, edge: EdgeId) -> &'r [ValueId] {
    match reading.function.edge(edge).to {
        Some(to) => &reading.function.segment(to).params,
        None => &[],
    }
}
