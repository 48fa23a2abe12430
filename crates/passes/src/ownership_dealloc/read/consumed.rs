//! Operations that take ownership of operands, and models of `BufferDeallocationOpInterface`, which may say
//! so.

use super::OwnershipReader;
use crate::memory_function::{IrEdge, Walk};
use memplan_mlir::{
    deallocation_model::{self, ResultOwnership},
    ir::{Op, Val, holds_memref, operands, results, type_of},
};
use memplan_ownership::function::{EdgeSplit, SegmentId, ValueId, ValueKind};
use memplan_semantics::{
    Allocator, Capture, Frees, OpMemory, Opaque, OperandUse, ResultFact, Semantics, Touch,
    operand_list::OperandList,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// The effects of an operation, as described or by its model of the interface.
pub fn describe(op: Op<'_>, semantics: &mut Semantics) -> Arc<OpMemory> {
    let says = semantics.table_facts(op);
    if !says.models_deallocation || says.is_described {
        return semantics.of(op);
    }
    let unknown = || OpMemory {
        opaque: Some(Opaque::UnknownEffects),
        ..OpMemory::clone(&semantics.of(op))
    };
    Arc::new(effects_by_model(op).unwrap_or_else(unknown))
}

/// The effects of an operation by its model of `BufferDeallocationOpInterface`; `None` if that cannot be
/// described.
pub(super) fn effects_by_model(op: Op<'_>) -> Option<OpMemory> {
    let model = deallocation_model::query(op)?;
    let consumed = |at: usize| {
        model.consumed.contains(&at).then_some(Frees {
            by: None,
            flag: None,
            is_certain: true,
        })
    };
    let memrefs = |values: &mut dyn Iterator<Item = Val<'_>>| -> SmallVec<[u32; 4]> {
        let all = values.enumerate();
        let memrefs = all.filter(|(_, val)| holds_memref(type_of(*val)));
        memrefs.map(|(at, _)| at as u32).collect()
    };
    let operand_list = memrefs(&mut operands(op));
    let any_operand: OperandList = operand_list.clone().into();
    let operands = operand_list.iter().map(|at| OperandUse {
        operand: *at,
        touch: Touch::BOTH,
        capture: Capture::No,
        frees: consumed(*at as usize),
    });
    let mut memory = OpMemory {
        operands: operands.collect(),
        ..OpMemory::default()
    };
    for at in memrefs(&mut results(op)) {
        // The model says who owns it, but not what it aliases: any operand, possibly.
        let fact = match model.results[at as usize] {
            ResultOwnership::New => ResultFact::New {
                by: Allocator::Unnamed,
                automatic: false,
                may_share: None,
            },
            ResultOwnership::Shared if operand_list.is_empty() => ResultFact::Borrowed,
            ResultOwnership::Shared => ResultFact::AnyOf(any_operand.clone()),
        };
        memory.set_result(at, fact);
    }
    Some(memory)
}

/// The numbers of the operands that an operation consumes.
pub(super) fn consumed_operands(memory: &OpMemory) -> impl Iterator<Item = u32> {
    let all = memory.operands.iter().filter(|used| used.is_taken());
    all.map(|used| used.operand)
}

impl<'c> OwnershipReader<'c, '_> {
    /// Reads an operation that consumes memory. After it, the memory belongs to parameters that the function
    /// does not own. Returns the segment after it.
    pub(super) fn consumes(
        &mut self,
        op: Op<'c>,
        consumed: impl Iterator<Item = Val<'c>>,
        segment: SegmentId,
    ) -> SegmentId {
        let next = self.memory().add_segment_after(segment, op);
        let mut passed = Vec::new();
        let consumed: SmallVec<[ValueId; 2]> = consumed
            .filter_map(|operand| self.value_id(operand))
            .collect();
        for id in consumed {
            let param = self.memory().add_value(ValueKind::Param, next, None, None);
            self.reading.memory.function.consumed.insert(param);
            passed.push(Some(id));
        }
        self.memory().add_edge(
            segment,
            Some(next),
            passed,
            EdgeSplit::Impossible,
            IrEdge::Enter(op),
        );
        next
    }

    /// Reads the operands that an operation certainly consumes. Returns the segment after it.
    pub(super) fn consumes_operands(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
    ) -> SegmentId {
        let operand_list: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let consumed: SmallVec<[Val<'c>; 2]> = consumed_operands(memory)
            .map(|at| operand_list[at as usize])
            .collect();
        if consumed.is_empty() {
            return segment;
        }
        for val in &consumed {
            let id = self.value_id(*val);
            self.reading.freed.extend(id.map(|id| (op, id)));
        }
        self.consumes(op, consumed.into_iter(), segment)
    }
}
