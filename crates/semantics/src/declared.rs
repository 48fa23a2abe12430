//! Facts that an operation declares: by MLIR's interfaces, or by an embedder's description in their place.
//!
//! For readers that need one fact without an [`OpMemory`]. If nothing is registered, only the interfaces are asked.

use crate::{
    names::Names,
    op_elements::Elements,
    op_memory::{Capture, OpMemory, OperandNumber, ResultFact},
    registration::{
        apply::{self, Described},
        registry,
    },
    subject::Subject,
    types::TypeClasses,
};
use memplan_mlir::{
    calls, effects,
    effects::{Effect, EffectKind},
    ir::{Op, Val, operands, results},
};
use smallvec::SmallVec;

/// An embedder's description of `op`.
fn described(op: Op<'_>) -> Option<(OpMemory, Described)> {
    let by = registry::look_up_if_any(op)?;
    let mut types = TypeClasses::default();
    let mut subject = Subject::new(op, Names::default().info(op), &mut types);
    let described = apply::describe(&mut subject, by.as_ref())?;
    Some((subject.memory, described))
}

/// Does an embedder describe operations of this name?
pub fn is_described(op: Op<'_>) -> bool {
    registry::look_up_if_any(op).is_some()
}

/// Is `op` speculatable, according to an embedder? `None` if none describes it.
pub(crate) fn is_speculatable(op: Op<'_>) -> Option<bool> {
    described(op).map(|(_, described)| described.is_speculatable)
}

/// The element accesses of `op`, according to an embedder. `None` if none describes it.
pub(crate) fn elements(op: Op<'_>) -> Option<Elements> {
    described(op).map(|(_, described)| described.elements)
}

/// The operands of `op` that may have other strides, according to an embedder. `None` if none describes it.
pub(crate) fn any_strides(op: Op<'_>) -> Option<SmallVec<[OperandNumber; 2]>> {
    described(op).map(|(_, described)| described.any_strides)
}

/// The source of the view `op`.
pub fn view_source<'c>(op: Op<'c>) -> Option<Val<'c>> {
    match described(op) {
        Some((memory, _)) => operands(op).nth(memory.view_source()? as usize),
        None => calls::view_source(op),
    }
}

/// Does an embedder describe `op` as an operation that only returns views of its only memref?
pub fn is_described_view(op: Op<'_>) -> bool {
    described(op).is_some_and(|(memory, _)| {
        memory.operands.len() == 1 && memory.view_source().is_some() && memory.only_renames()
    })
}

/// Is `op`, with all nested operations, free of memory effects?
pub fn is_effect_free(op: Op<'_>) -> bool {
    match described(op) {
        Some((memory, _)) => effects_of(op, &memory).is_empty(),
        None => effects::is_effect_free(op),
    }
}

/// The effects of `op` itself; `None` if it does not declare them.
pub fn effects<'c>(op: Op<'c>) -> Option<SmallVec<[Effect<'c>; 8]>> {
    match described(op) {
        Some((memory, _)) => Some(effects_of(op, &memory)),
        None => effects::effects(op),
    }
}

fn effects_of<'c>(op: Op<'c>, memory: &OpMemory) -> SmallVec<[Effect<'c>; 8]> {
    let mut all = SmallVec::new();
    let mut add = |kind: EffectKind, value: Option<Val<'c>>, memory: bool| {
        all.push(Effect {
            kind,
            value,
            automatic_scope: false,
            memory,
        });
    };
    let mut is_unnamed = memory.fence || memory.start.is_some() || !memory.joins.is_empty();
    for (used, operand) in memory
        .operands
        .iter()
        .filter_map(|used| Some((used, operands(op).nth(used.operand as usize)?)))
    {
        if used.touch.reads() {
            add(EffectKind::Read, Some(operand), true);
        }
        if used.touch.writes() {
            add(EffectKind::Write, Some(operand), true);
        }
        if used.frees.is_some() {
            add(EffectKind::Free, Some(operand), true);
        }
        is_unnamed |= used.capture != Capture::No;
    }
    for (at, result) in results(op).enumerate() {
        if let Some(ResultFact::New { .. }) = memory.result(at) {
            add(EffectKind::Allocate, Some(result), true);
        }
    }
    // Effects can express neither captures nor asynchronous accesses, so these become a write to unknown memory.
    if is_unnamed {
        add(EffectKind::Write, None, true);
    }
    if memory.unnamed.other_resources {
        add(EffectKind::Write, None, false);
    }
    all
}
