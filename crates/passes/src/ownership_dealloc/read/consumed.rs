//! Operations that take ownership of memory, and models of upstream's deallocation, which say so, too.

use super::OwnershipReader;
use crate::memory_function::{IrEdge, Walk};
use memplan_mlir::{
    deallocation_model::{self, ResultOwnership},
    ir::{Op, Val, holds_memref, operands, results, type_of},
};
use memplan_ownership::function::{Kind, Room, SegmentId, ValueId};
use memplan_semantics::{
    Allocator, Capture, Frees, OpMemory, Opaque, OperandUse, ResultFact, Semantics, Touch,
};
use smallvec::SmallVec;
use std::sync::Arc;

/// What an operation does to memory, by what is known of it, or by its model of upstream's deallocation.
pub fn describe(op: Op<'_>, semantics: &mut Semantics) -> Arc<OpMemory> {
    let says = semantics.table_facts(op);
    if !says.models_deallocation || says.is_described {
        return semantics.of(op);
    }
    let unknown = || OpMemory {
        opaque: Some(Opaque::UnknownEffects),
        ..OpMemory::clone(&semantics.of(op))
    };
    Arc::new(modelled(op).unwrap_or_else(unknown))
}

/// What an operation does to memory by its model of upstream's deallocation; `None` where that says what cannot be
/// followed.
pub(super) fn modelled(op: Op<'_>) -> Option<OpMemory> {
    let model = deallocation_model::query(op)?;
    let taken = |at: usize| {
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
    let given = memrefs(&mut operands(op));
    let operands = given.iter().map(|at| OperandUse {
        operand: *at,
        touch: Touch::BOTH,
        capture: Capture::No,
        frees: taken(*at as usize),
    });
    let mut memory = OpMemory {
        operands: operands.collect(),
        ..OpMemory::default()
    };
    for at in memrefs(&mut results(op)) {
        // Who owns it is said, but not whose memory it is: it may be that of any operand.
        let fact = match model.results[at as usize] {
            ResultOwnership::New => ResultFact::New {
                by: Allocator::Unnamed,
                automatic: false,
                may_share: None,
            },
            ResultOwnership::Shared if given.is_empty() => ResultFact::Borrowed,
            ResultOwnership::Shared => ResultFact::AnyOf(given.clone()),
        };
        memory.set_result(at, fact);
    }
    Some(memory)
}

/// The numbers of the operands whose ownership an operation takes.
pub(super) fn taken(memory: &OpMemory) -> impl Iterator<Item = u32> {
    let all = memory.operands.iter().filter(|used| used.is_taken());
    all.map(|used| used.operand)
}

impl<'c> OwnershipReader<'c, '_> {
    /// An operation takes memory: behind it that belongs to parameters that are not the function's; the
    /// segment behind it.
    pub(super) fn takes(
        &mut self,
        op: Op<'c>,
        taken: impl Iterator<Item = Val<'c>>,
        segment: SegmentId,
    ) -> SegmentId {
        let next = self.memory().segment_after(segment, op);
        let mut passed = Vec::new();
        let taken: SmallVec<[ValueId; 2]> = taken.filter_map(|operand| self.id(operand)).collect();
        for id in taken {
            let param = self.memory().value(Kind::Param, next, None, None);
            self.reading.memory.function.taken.insert(param);
            passed.push(Some(id));
        }
        self.memory()
            .edge(segment, Some(next), passed, Room::None, IrEdge::Enter(op));
        next
    }

    /// The operands whose ownership an operation takes for certain are somebody else's after it; the segment after it.
    pub(super) fn takes_operands(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
    ) -> SegmentId {
        let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
        let taken: SmallVec<[Val<'c>; 2]> = taken(memory).map(|at| given[at as usize]).collect();
        if taken.is_empty() {
            return segment;
        }
        for val in &taken {
            let id = self.id(*val);
            self.reading.freed.extend(id.map(|id| (op, id)));
        }
        self.takes(op, taken.into_iter(), segment)
    }
}
