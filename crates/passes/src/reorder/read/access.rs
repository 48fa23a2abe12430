//! What one operation does, as far as others may not change places with it.

use super::total::{self, Kind};
use memplan_lifetimes::{Analysis, Reason, program::ValueId};
use memplan_mlir::{
    effects::{Effect, EffectKind},
    ir::{
        Identity, Key, Op, Val, blocks, is_memref, is_plain_data, operands, regions, results,
        type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, NameInfo, Names, name_key},
};
use memplan_semantics::declared::{effects, is_described};
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
pub struct Teller<'a, 'c> {
    analysis: &'a Analysis<'c>,
    values: FxHashMap<Key, ValueId>,
    /// Buffers that something may reach that is not followed.
    escaped: Vec<bool>,
    kinds: FxHashMap<usize, Kind>,
}

impl<'a, 'c> Teller<'a, 'c> {
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
            kinds: FxHashMap::default(),
        }
    }

    /// Adds what an operation does by itself; what is in it is told apart from that.
    pub fn tell(&mut self, op: Op<'c>, names: &mut Names, access: &mut Access) {
        let info = names.info(op);
        let kind = *self
            .kinds
            .entry(name_key(op))
            .or_insert_with(|| Kind::of(op));
        if kind == Kind::Arithmetic && info.is_registered() {
            access.guarded |= !total::is_total(op, info, kind);
            return;
        }
        if info.known == Known::Assert {
            access.stops = true;
            return;
        }
        if kind == Kind::Unfollowed || is_fence(op, info) {
            access.fence = true;
            return;
        }
        let effects = if info.has_memory_effects() || is_described(op) {
            effects(op)
        } else {
            info.has_recursive_effects().then(SmallVec::new)
        };
        let Some(effects) = effects else {
            access.fence = true;
            return;
        };
        for effect in &effects {
            self.effect(op, effect, access);
        }
        access.stops |= may_go_on_forever(op, info);
        access.guarded |= !total::is_total(op, info, kind);
    }

    fn effect(&self, op: Op<'c>, effect: &Effect<'c>, access: &mut Access) {
        if !effect.memory {
            access.writes.push(OUTSIDE);
            return;
        }
        let Some(value) = effect.value.filter(|value| is_memref(type_of(*value))) else {
            access.fence = true;
            return;
        };
        match effect.kind {
            EffectKind::Allocate if results(op).any(|result| result == value) => {}
            EffectKind::Read => self.roots(value, &mut access.reads),
            EffectKind::Write | EffectKind::Free => self.roots(value, &mut access.writes),
            EffectKind::Allocate => access.fence = true,
        }
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
fn is_fence<'c>(op: Op<'c>, info: NameInfo) -> bool {
    const UNFOLLOWED: [Known; 6] = [
        Known::UnrealizedCast,
        Known::BufferizationDealloc,
        Known::Clone,
        Known::Realloc,
        Known::DmaStart,
        Known::DmaWait,
    ];
    let is_followed = |value: Val<'c>| {
        let r#type = type_of(value);
        is_plain_data(r#type) || is_memref(r#type)
    };
    info.is_call()
        || info.is_asynchronous
        || info.starts_transfer
        || info.is_openmp
        || info.is_gpu
        || info.is_function()
        || info.is_symbol_table()
        || (!info.is_registered() && !is_described(op))
        || UNFOLLOWED.contains(&info.known)
        || !operands(op).chain(results(op)).all(is_followed)
}

/// Loops that may never be over, and ends of blocks that are none.
pub(crate) fn may_go_on_forever(op: Op<'_>, info: NameInfo) -> bool {
    let has_ways = || regions(op).any(|region| blocks(region).nth(1).is_some());
    match info.known {
        Known::Unreachable | Known::LlvmUnreachable => true,
        Known::AffineFor | Known::AffineParallel | Known::Forall => has_ways(),
        Known::ScfFor => total::step(op).is_none_or(|step| step <= 0) || has_ways(),
        _ => info.is_loop() || has_ways() || op.successor_count() > 1,
    }
}
