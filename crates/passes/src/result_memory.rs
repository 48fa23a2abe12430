//! The memory of results: when nothing needs it, and what the function holds if it has that memory earlier.

use crate::{hosts::Host, load::Load};
use memplan_lifetimes::{
    Analysis, Reason,
    callers_memory::{self, CallersMemory},
    live::{Ranges, Since},
    program::{BufferId, Position},
};
use memplan_mlir::ir::type_of;
use rustc_hash::{FxHashMap, FxHashSet};

/// The memory of a result.
pub fn host<'c>(analysis: &Analysis<'c>, result: BufferId) -> Host<'c> {
    let program = &analysis.program;
    let fact = &program.buffers[result.index()];
    let memory = CallersMemory {
        value: fact.value,
        since: Since::FirstTouch,
        is_kept: false,
    };
    let needed = callers_memory::needed(program, &analysis.aliases, &[memory]);
    Host {
        form: type_of(analysis.handles.values[fact.value.index()]),
        alignment: fact.alignment,
        needed: needed.into_iter().next().unwrap_or_default(),
    }
}

/// The bytes that a function holds, if it frees each buffer after its last use. What is not known of a call is the
/// largest number.
pub struct Held<'a, 'c> {
    analysis: &'a Analysis<'c>,
    load: Load<'a, 'c>,
    /// When the buffers are live that can be planned.
    live: FxHashMap<BufferId, &'a Ranges>,
    /// The most of the function as it is.
    most: i128,
}

impl<'a, 'c> Held<'a, 'c> {
    /// The function as it is.
    pub fn of(analysis: &'a Analysis<'c>) -> Self {
        let program = &analysis.program;
        let plannable = analysis.plannable.iter();
        let live = plannable.map(|one| (one.buffer, &one.live)).collect();
        let mut load = Load::of(analysis, &FxHashSet::default());
        for (index, fact) in program.buffers.iter().enumerate() {
            if analysis.skip_reason(BufferId::new(index)) == Some(Reason::Returned) {
                load.change((fact.position, Position::MAX), fact.size.into());
            }
        }
        for call in &program.calls {
            load.change((call.position, call.position + 1), call.heap.into());
        }
        Self {
            analysis,
            most: load.peak().bytes,
            load,
            live,
        }
    }

    /// Whether the function holds no more at its peak than as it is.
    pub fn is_within(&self) -> bool {
        self.load.peak().bytes <= self.most
    }

    /// Lets a result that is held from `old` on be held from `new` on.
    pub fn begin(&mut self, result: BufferId, old: Position, new: Position) {
        let size = i128::from(self.analysis.program.buffers[result.index()].size);
        self.load.change((new, old), size);
    }

    /// Lets a buffer live in a result.
    pub fn lodge(&mut self, guest: BufferId) {
        if let Some(live) = self.live.get(&guest) {
            self.load.remove(guest, live);
        }
    }

    /// Lets it live in memory of its own again.
    pub fn release(&mut self, guest: BufferId) {
        if let Some(live) = self.live.get(&guest) {
            self.load.add(guest, live);
        }
    }
}
