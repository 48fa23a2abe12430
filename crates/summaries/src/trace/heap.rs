//! The most bytes of heap that a call may hold at once.

use super::{Contract, OpContext, Trace, Tracer};
use memplan_flow::{Components, Graph};
use memplan_mlir::{
    ir::{Op, parent, results, type_of},
    layout::DataLayout,
};
use memplan_semantics::{OpMemory, RegionOrder, ResultFact, graph::SegmentId};

/// The least alignment of an arena: a buffer may take as much besides.
const ALIGNMENT: u64 = 64;

/// Memory that an operation may allocate.
pub(crate) struct Allocated {
    /// Where; `None` if it may execute more than once for other reasons than the control flow there.
    at: Option<SegmentId>,
    bytes: u64,
}

impl<'c> Tracer<'c, '_> {
    /// Records the allocations of an operation, and those of a callee.
    pub(super) fn allocates(&mut self, op: Op<'c>, memory: &OpMemory, place: OpContext) {
        if self.question.contract != Contract::AsWritten {
            return;
        }
        let mut bytes = match memory.is_call {
            true => self.callees.callee(op).heap(),
            false => 0,
        };
        for used in &memory.results {
            if let ResultFact::New { automatic, .. } = used.fact
                && !automatic
            {
                let made = results(op).nth(used.result as usize);
                let made = made.map(|made| DataLayout::at(op).extent(type_of(made)));
                bytes = bytes.saturating_add(match made {
                    Some(Ok(extent)) => extent.size.saturating_add(extent.alignment.max(ALIGNMENT)),
                    _ => u64::MAX,
                });
            }
        }
        if bytes > 0 {
            let at = place.in_order && self.is_in_order(op);
            let at = at.then_some(place.segment);
            self.trace.allocated.push(Allocated { at, bytes });
        }
    }

    /// Whether no parallel body has an operation.
    fn is_in_order(&mut self, op: Op<'c>) -> bool {
        let mut around = parent(op);
        while let Some(op) = around
            && !self.semantics.info(op).is_function()
        {
            if self.semantics.region_order(op) != RegionOrder::Sequential {
                return false;
            }
            around = parent(op);
        }
        true
    }
}

impl Trace<'_> {
    /// The most bytes of heap that a call may hold at once; `u64::MAX` if that is not known.
    pub(crate) fn heap(&self) -> u64 {
        if self.allocated.is_empty() {
            return 0;
        }
        let control = &self.control;
        let graph: Graph<SegmentId> = Graph::new(control.segments.len(), |at: SegmentId| {
            let next = control.edges_from(at).filter_map(|edge| edge.to);
            next.collect::<Vec<_>>()
        });
        let components = Components::of(&graph);
        let bytes = |one: &Allocated| match one.at {
            Some(at) if !components.is_cyclic(at) => one.bytes,
            _ => u64::MAX,
        };
        let all = self.allocated.iter().map(bytes);
        all.fold(0, u64::saturating_add)
    }
}
