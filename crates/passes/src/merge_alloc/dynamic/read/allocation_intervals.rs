//! Intervals in which the program certainly holds allocations.

use super::{super::facts::TO_THE_END, SlotReader, holds, sites::is_only_block};
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, Position, ScopeId},
};
use memplan_mlir::ir::{block_parent, parent_block};

/// For each allocation: from its position to the first deallocation that may free it.
pub(super) fn held(analysis: &Analysis<'_>) -> Vec<(Position, Position)> {
    let program = &analysis.program;
    let mut held: Vec<(Position, Position)> = program
        .buffers
        .iter()
        .map(|fact| (fact.position, TO_THE_END))
        .collect();
    for dealloc in &program.deallocs {
        for buffer in analysis.aliases.buffers(dealloc.value) {
            let fact = &program.buffers[buffer.index()];
            // If one block contains the other, program order decides which comes first.
            let ordered = holds(program, fact.block, dealloc.block)
                || holds(program, dealloc.block, fact.block);
            let end = if ordered && dealloc.position > fact.position {
                dealloc.position
            } else {
                fact.position + 1
            };
            let known = &mut held[buffer.index()].1;
            *known = end.min(*known);
        }
    }
    held
}

/// Whether only the visible deallocations free an allocation that is skipped for this reason.
fn is_held_until_freed(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::DynamicSize
            | Reason::NoneToShareWith
            | Reason::SizeNotReady
            | Reason::RaisesPeak
            | Reason::Layout
            | Reason::TooLarge
            | Reason::Alignment
            | Reason::Returned
            | Reason::FreedWithOther
            | Reason::OverlapsItself
            | Reason::UsedByTerminator
    )
}

impl<'c> SlotReader<'_, 'c> {
    /// Interval in which an allocation is certainly held beside the arena of a scope; `None` if it is planned
    /// there.
    pub(super) fn alone(
        &mut self,
        buffer: BufferId,
        scope: ScopeId,
        held: (Position, Position),
    ) -> Option<(Position, Position)> {
        let fact = &self.analysis.program.buffers[buffer.index()];
        let (_, start, _) = self
            .analysis
            .program
            .seen_from(scope, fact.block, fact.position)?;
        if fact.scope != scope {
            return Some((start, start + 1));
        }
        match self.analysis.skip_reason(buffer)? {
            reason if is_held_until_freed(reason) => Some(self.held_for_certain(buffer, held)),
            _ => Some((start, start + 1)),
        }
    }

    /// Interval in which a skipped allocation is held. Apart from the path that is always taken, program
    /// order implies nothing.
    fn held_for_certain(
        &mut self,
        buffer: BufferId,
        held: (Position, Position),
    ) -> (Position, Position) {
        let program = &self.analysis.program;
        let mut block = program.buffers[buffer.index()].block;
        let mut at = parent_block(self.analysis.handles.buffers[buffer.index()]);
        while let Some(inner) = at {
            let node = program.blocks[block.index()].node;
            if !is_only_block(inner) && !self.is_certain_block(node, block) {
                return match held.1 {
                    TO_THE_END => held,
                    _ => (Position::MAX, 0),
                };
            }
            match program.nodes[node.index()].parent {
                Some(parent) => block = parent,
                None => break,
            }
            at = block_parent(inner).and_then(parent_block);
        }
        held
    }
}
