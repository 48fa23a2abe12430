//! Reads the merges of a function from its control-flow graph.

use super::{
    decide::{Merges, ScopeId, Value, ValueId},
    scan::{FoldCandidates, is_flag, is_memref_or_flag},
};
use memplan_flow::{EntitySet, PrimaryMap, SecondaryMap};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Origin, Region, Val, operands, origin, parent_block, results, type_of,
    },
    melior::ir::BlockLike,
};
use memplan_semantics::{
    RegionOrder, Semantics,
    control::Chosen,
    graph::{BODY, ControlGraph, Edge, EdgeKind, Enter, EnteredId, RegionId, SegmentId, Taken},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The value of the IR that a value stands for.
#[derive(Clone, Copy)]
pub enum MergedValue<'c> {
    /// A constant flag, wherever it is defined.
    Flag(bool),
    /// A value.
    Val(Val<'c>),
}

/// A result of an operation with two regions of which one runs.
pub struct TwoArms<'c> {
    /// The operation.
    pub op: Op<'c>,
    /// The flag that chooses a region.
    pub flag: Val<'c>,
    /// The result.
    pub result: ValueId,
    /// The values that the region for true and the region for false yield.
    pub yields: [ValueId; 2],
    /// A region may free memory. The region in which a free stands then says which of the memrefs it frees.
    pub may_free: bool,
}

/// The merges of a function.
pub struct Reading<'c> {
    /// As plain data.
    pub merges: Merges,
    /// For each value, the value of the IR.
    pub ir_values: PrimaryMap<ValueId, MergedValue<'c>>,
    /// Results of operations with two regions.
    pub arms: Vec<TwoArms<'c>>,
    /// The function.
    pub function: Op<'c>,
}

/// Reads a body.
pub fn read<'c>(
    function: Op<'c>,
    body: Region<'c>,
    candidates: &FoldCandidates<'c>,
    semantics: &mut Semantics,
) -> Reading<'c> {
    let graph = ControlGraph::of(body, semantics, &mut |_, _, _| Enter::Yes);
    let mut reader = MergeReader {
        scopes: FxHashMap::default(),
        ids: FxHashMap::default(),
        flags: [None; 2],
        reading: Reading {
            merges: Merges::default(),
            ir_values: PrimaryMap::new(),
            arms: Vec::new(),
            function,
        },
        graph: &graph,
        semantics,
    };
    reader.read_scopes();
    reader.read_edges(candidates);
    reader.read_selects(candidates);
    reader.read_arms(candidates);
    reader.reading
}

struct MergeReader<'c, 'r> {
    scopes: FxHashMap<Key, ScopeId>,
    ids: FxHashMap<Key, ValueId>,
    flags: [Option<ValueId>; 2],
    reading: Reading<'c>,
    graph: &'r ControlGraph<'c>,
    semantics: &'r mut Semantics,
}

impl<'c> MergeReader<'c, '_> {
    /// Adds the regions as scopes.
    fn read_scopes(&mut self) {
        for (id, region) in &self.graph.regions {
            let around = region.of.map(|of| {
                let before = self.graph.entered[of].before;
                let block = self.graph.segments[before].block;
                ScopeId::new(self.graph.blocks[block].region.index())
            });
            let scope = self.reading.merges.scopes.push(around);
            debug_assert_eq!(scope.index(), id.index());
            self.scopes.insert(region.region.key(), scope);
        }
    }

    fn value_id(&mut self, val: Val<'c>) -> ValueId {
        if let Some(known) = self.ids.get(&val.key()) {
            return *known;
        }
        let flag = is_flag(type_of(val)).then(|| self.semantics.constant(val));
        let id = match flag.flatten() {
            Some(number) => self.flag_id(number != 0),
            None => {
                let scope = self.scope(val);
                self.add_value(MergedValue::Val(val), scope)
            }
        };
        self.ids.insert(val.key(), id);
        id
    }

    fn flag_id(&mut self, holds: bool) -> ValueId {
        if let Some(known) = self.flags[usize::from(holds)] {
            return known;
        }
        let id = self.add_value(MergedValue::Flag(holds), None);
        self.flags[usize::from(holds)] = Some(id);
        id
    }

    fn add_value(&mut self, ir_value: MergedValue<'c>, scope: Option<ScopeId>) -> ValueId {
        self.reading.ir_values.push(ir_value);
        let values = &mut self.reading.merges.values;
        values.push(Value {
            scope,
            sources: None,
        })
    }

    /// The scope that defines a value. A value from outside of the body is visible in all of it.
    fn scope(&self, val: Val<'c>) -> Option<ScopeId> {
        let block = match origin(val)? {
            Origin::Result(op, _) => parent_block(op)?,
            Origin::Argument(block, _) => block,
        };
        let region = block.parent_region()?;
        self.scopes.get(&region.key()).copied()
    }

    /// Reads the values that edges forward.
    fn read_edges(&mut self, candidates: &FoldCandidates<'c>) {
        let choices = candidates.choices.iter();
        let always: FxHashMap<Key, usize> = choices
            .filter_map(|choice| Some((choice.op.key(), choice.always?)))
            .collect();
        let trusted = self.sequential_ops();
        let mut reached: EntitySet<SegmentId> = EntitySet::new();
        let mut incoming: SecondaryMap<SegmentId, u32> = SecondaryMap::new();
        let mut sources: Vec<(Val<'c>, Val<'c>)> = Vec::new();
        let first = self
            .graph
            .entry(BODY)
            .map(|entry| self.graph.blocks[entry].first);
        let mut open: Vec<SegmentId> = first.into_iter().collect();
        reached.extend(open.iter().copied());
        // The caller enters the body.
        first.into_iter().for_each(|first| incoming[first] += 1);
        while let Some(segment) = open.pop() {
            for edge in self.graph.edges_from(segment) {
                let Some(to) = edge.to.filter(|_| self.is_taken(edge, &always)) else {
                    continue;
                };
                incoming[to] += 1;
                if self.forwards_unchanged(edge, to, &trusted) {
                    sources.extend(self.graph.values(edge));
                }
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        self.add_merges(&sources, &incoming);
    }

    /// Operations whose regions run in order, one after another, and which forward values unchanged.
    fn sequential_ops(&mut self) -> SecondaryMap<EnteredId, bool> {
        let mut trusted = SecondaryMap::new();
        for (id, entered) in &self.graph.entered {
            trusted[id] = entered.is_known
                && self.semantics.region_order(entered.op) == RegionOrder::Sequential
                && !self.semantics.info(entered.op).is_isolated();
        }
        trusted
    }

    fn is_taken(&self, edge: &Edge<'c>, always: &FxHashMap<Key, usize>) -> bool {
        let chosen = |op: Op<'c>| always.get(&op.key()).copied();
        match edge.kind {
            EdgeKind::Branch(op, at) => {
                return chosen(op).is_none_or(|chosen| chosen == at) && edge.taken != Taken::Never;
            }
            EdgeKind::Enter(entered) => {
                let op = self.graph.entered[entered].op;
                if let Some(chosen) = chosen(op) {
                    let region = self.graph.regions_of(entered).nth(chosen);
                    let entry = region.and_then(|region| self.graph.entry(region));
                    let to = match entry {
                        Some(entry) => Some(self.graph.blocks[entry].first),
                        None => self.graph.entered[entered].after,
                    };
                    return edge.to == to;
                }
            }
            _ => {}
        }
        edge.taken != Taken::Never
    }

    /// Whether the values that an edge forwards to a segment are known, and arrive unchanged.
    fn forwards_unchanged(
        &self,
        edge: &Edge<'c>,
        to: SegmentId,
        trusted: &SecondaryMap<EnteredId, bool>,
    ) -> bool {
        let around = match edge.kind {
            EdgeKind::Branch(..) => return edge.forwards_known,
            EdgeKind::Enter(entered) => Some(entered),
            _ => {
                let block = self.graph.segments[edge.from].block;
                self.graph.regions[self.graph.blocks[block].region].of
            }
        };
        // Control may return to the operation from an empty region.
        let after = self.graph.segments[to].after;
        let is_of = |entered: EnteredId| {
            after.is_none_or(|after| after == entered) && trusted[entered] && edge.forwards_known
        };
        around.is_some_and(is_of)
    }

    /// Adds merges: values to which each incoming edge of their segment forwards a value.
    fn add_merges(
        &mut self,
        sources: &[(Val<'c>, Val<'c>)],
        incoming: &SecondaryMap<SegmentId, u32>,
    ) {
        let mut forwarded: FxHashMap<Key, SmallVec<[Val<'c>; 2]>> = FxHashMap::default();
        for (from, to) in sources {
            if is_memref_or_flag(type_of(*to)) && type_of(*from) == type_of(*to) {
                forwarded.entry(to.key()).or_default().push(*from);
            }
        }
        for segment in self.graph.segments.keys() {
            if incoming[segment] == 0 {
                continue;
            }
            for target in self.graph.targets(segment) {
                let Some(all) = forwarded.get(&target.key()) else {
                    continue;
                };
                if all.len() as u32 != incoming[segment] {
                    continue;
                }
                let target = self.value_id(target);
                let all = all.iter().map(|source| self.value_id(*source)).collect();
                self.reading.merges.values[target].sources = Some(all);
            }
        }
    }

    /// Adds selects as merges. Selects of constants have been folded.
    fn read_selects(&mut self, candidates: &FoldCandidates<'c>) {
        for op in &candidates.flag_ops {
            let all: SmallVec<[Val<'c>; 3]> = operands(*op).collect();
            if let ([_, one, other], Some(result)) = (all.as_slice(), results(*op).next()) {
                let sources = SmallVec::from_slice(&[self.value_id(*one), self.value_id(*other)]);
                let result = self.value_id(result);
                self.reading.merges.values[result].sources = Some(sources);
            }
        }
    }

    /// Reads results of operations that choose one of two regions.
    fn read_arms(&mut self, candidates: &FoldCandidates<'c>) {
        let flags: FxHashMap<Key, (Val<'c>, bool)> = candidates
            .choices
            .iter()
            .filter(|one| one.always.is_none() && one.choice.by == Chosen::Truth)
            .filter_map(|one| Some((one.op.key(), (one.choice.flag?, one.may_free))))
            .collect();
        let graph = self.graph;
        for (id, entered) in &graph.entered {
            let Some((flag, may_free)) = flags.get(&entered.op.key()) else {
                continue;
            };
            let arms: SmallVec<[RegionId; 2]> = graph.regions_of(id).collect();
            let [Some(then), Some(other)] =
                [arms.first(), arms.get(1)].map(|arm| arm.and_then(|arm| only_yield(graph, *arm)))
            else {
                continue;
            };
            for ((one, to), (another, _)) in then.iter().zip(other) {
                let Some(result) = self.ids.get(&to.key()).copied() else {
                    continue;
                };
                if self.reading.merges.values[result].sources.is_some() {
                    let yields = [self.value_id(*one), self.value_id(*another)];
                    self.reading.arms.push(TwoArms {
                        op: entered.op,
                        flag: *flag,
                        result,
                        yields,
                        may_free: *may_free,
                    });
                }
            }
        }
    }
}

/// The values that the end of a single-block region forwards to the results of its operation.
fn only_yield<'g, 'c>(
    graph: &'g ControlGraph<'c>,
    arm: RegionId,
) -> Option<&'g [(Val<'c>, Val<'c>)]> {
    let mut blocks = graph.blocks_of(arm);
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return None;
    };
    let mut edges = graph.edges_from(graph.blocks[block].last);
    match (edges.next(), edges.next()) {
        (Some(edge), None) if edge.forwards_known => Some(graph.values(edge)),
        _ => None,
    }
}
