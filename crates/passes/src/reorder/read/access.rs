//! What one operation does, as far as others may not change places with it.

use memplan_lifetimes::{Analysis, Reason, program::ValueId};
use memplan_mlir::ir::{Identity, Key, Op, Val, operands, results, type_of};
use memplan_semantics::{Capture, OpMemory, ResultFact, Semantics, TypeClass};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Memory that is told apart: a buffer that nothing else may reach, or everything else.
pub type Root = u32;

/// Memory that is no such buffer: arguments, globals, what has escaped; and what is outside of the program.
pub const OUTSIDE: Root = u32::MAX;

/// What an operation does, with all that is in it.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Memory that it reads.
    pub reads: SmallVec<[Root; 4]>,
    /// Memory that it writes, or gives back.
    pub writes: SmallVec<[Root; 2]>,
    /// Nothing may change places with it.
    pub fence: bool,
    /// The program may end there: what others see must have happened, and not more.
    pub stops: bool,
    /// It may be that only what stands in front of it makes sure that it makes sense.
    pub guarded: bool,
}

/// Who tells what operations do.
pub struct AccessAnalysis<'a, 'c> {
    analysis: &'a Analysis<'c>,
    values: FxHashMap<Key, ValueId>,
    /// Buffers that something may reach that is not followed.
    escaped: Vec<bool>,
}

impl<'a, 'c> AccessAnalysis<'a, 'c> {
    pub fn new(analysis: &'a Analysis<'c>) -> Self {
        let handles = analysis.handles.values.iter().enumerate();
        // What is returned is out of reach until then.
        let counts = |reason| reason != Reason::Returned;
        let (escapes, _) = analysis.aliases.escapes(&analysis.program, counts);
        Self {
            analysis,
            values: handles
                .map(|(index, value)| (value.key(), ValueId::new(index)))
                .collect(),
            escaped: escapes.iter().map(Option::is_some).collect(),
        }
    }

    /// Adds what an operation does by itself; what is in it is told apart from that.
    pub fn tell(&mut self, op: Op<'c>, semantics: &mut Semantics, access: &mut Access) {
        if semantics.is_safe_to_speculate(op) {
            return;
        }
        if semantics.is_assertion(op) {
            access.stops = true;
            return;
        }
        let memory = semantics.of(op);
        if is_fence(op, &memory, semantics) {
            access.fence = true;
            return;
        }
        if memory.unnamed.other_resources {
            access.writes.push(OUTSIDE);
        }
        if !memory.operands.is_empty() {
            let given: SmallVec<[Val<'c>; 8]> = operands(op).collect();
            for used in &memory.operands {
                let value = given[used.operand as usize];
                if used.touch.reads() {
                    self.roots(value, &mut access.reads);
                }
                if used.touch.writes() || used.frees.is_some() {
                    self.roots(value, &mut access.writes);
                }
            }
        }
        access.stops |= semantics.may_stop(op);
        access.guarded |= semantics.may_trap(op);
    }

    /// The memory that a memref may refer to.
    fn roots(&self, value: Val<'c>, roots: &mut impl Extend<Root>) {
        let Some(value) = self.values.get(&value.key()) else {
            roots.extend([OUTSIDE]);
            return;
        };
        let aliases = &self.analysis.aliases;
        let mut outside = aliases.is_external(*value);
        for buffer in aliases.buffers(*value) {
            outside |= self.escaped[buffer.index()];
            roots.extend([buffer.0]);
        }
        if outside {
            roots.extend([OUTSIDE]);
        }
    }
}

/// Operations of which not everything that they do is known here, or happens when they run.
fn is_fence(op: Op<'_>, memory: &OpMemory, semantics: &mut Semantics) -> bool {
    let (info, says) = semantics.named(op);
    let unnamed = memory.unnamed;
    if memory.opaque.is_some()
        || memory.is_call
        || memory.fence
        || memory.start.is_some()
        || !memory.joins.is_empty()
        || !memory.retained.is_empty()
        || unnamed.reads
        || unnamed.writes
        || unnamed.allocates
        || says.is_ordered
        || info.is_function()
        || info.is_symbol_table()
    {
        return true;
    }
    let may_share = |fact: &ResultFact| {
        matches!(
            fact,
            ResultFact::New {
                may_share: Some(_),
                ..
            }
        )
    };
    let is_kept = memory.operands.iter().any(|used| {
        used.capture == Capture::Anywhere || used.frees.is_some_and(|frees| frees.by.is_none())
    });
    let is_followed = |value: Val<'_>| {
        matches!(
            semantics.class(type_of(value)),
            TypeClass::Data | TypeClass::Memref
        )
    };
    is_kept
        || memory.results.iter().any(|used| may_share(&used.fact))
        || !operands(op).chain(results(op)).all(is_followed)
}
