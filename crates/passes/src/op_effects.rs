//! Effects of one operation that constrain the order.

use memplan_lifetimes::{
    Analysis, Reason,
    alias::Root as MemoryRoot,
    program::{ValueId, ValueKind},
};
use memplan_mlir::{
    ir::{Identity, Key, Op, Val, operands, results, type_of},
    strides::is_injective,
};
use memplan_semantics::{
    Capture, OpMemory, ResultFact, Semantics, TypeClass, attributes::is_noalias,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A distinguished memory: a buffer that does not escape, or all other memory.
pub type Root = u32;

/// All other memory: arguments, globals, escaped buffers, and state outside of the program.
pub const OUTSIDE: Root = u32::MAX;

/// The memory of the first argument, if arguments that nothing else refers to are distinguished; those of the others follow.
const FIRST_ARGUMENT: Root = 1 << 31;

/// The number of the argument, among the memrefs, whose memory a root is.
pub fn argument_of(root: Root) -> Option<u32> {
    (root != OUTSIDE)
        .then(|| root.checked_sub(FIRST_ARGUMENT))
        .flatten()
}

/// Effects of an operation with its nested operations.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// Memory that it reads.
    pub reads: SmallVec<[Root; 4]>,
    /// Memory that it writes or frees.
    pub writes: SmallVec<[Root; 2]>,
    /// Whether no operation may move past it.
    pub fence: bool,
    /// Whether the program may end there: exactly the earlier visible effects must have happened.
    pub stops: bool,
    /// Whether an earlier operation may guard it against undefined behaviour.
    pub guarded: bool,
}

impl Access {
    /// Adds the effects of another operation.
    pub fn add(&mut self, other: &Self) {
        self.reads.extend_from_slice(&other.reads);
        self.writes.extend_from_slice(&other.writes);
        self.fence |= other.fence;
        self.stops |= other.stops;
        self.guarded |= other.guarded;
    }
}

/// Computes the effects of operations.
pub struct AccessAnalysis<'a, 'c> {
    analysis: &'a Analysis<'c>,
    values: FxHashMap<Key, ValueId>,
    /// Buffers that escape.
    escaped: Vec<bool>,
    /// Arguments that are distinguished.
    alone: Vec<bool>,
}

impl<'a, 'c> AccessAnalysis<'a, 'c> {
    pub fn new(analysis: &'a Analysis<'c>) -> Self {
        let handles = analysis.handles.values.iter().enumerate();
        // A returned buffer is not reachable before the return.
        let counts = |reason| reason != Reason::Returned;
        let (escapes, _) = analysis.aliases.escapes(&analysis.program, counts);
        Self {
            analysis,
            values: handles
                .map(|(index, value)| (value.key(), ValueId::new(index)))
                .collect(),
            escaped: escapes.iter().map(Option::is_some).collect(),
            alone: vec![false; analysis.program.argument_places.len()],
        }
    }

    /// With the memory of arguments apart from all other memory where nothing else refers to it, as `memplan.noalias` says,
    /// and no two elements of it are at one address.
    pub fn with_arguments(analysis: &'a Analysis<'c>) -> Self {
        let (program, function) = (&analysis.program, analysis.handles.scopes[0].0);
        let counts = |reason| reason != Reason::Returned;
        let (_, escapes) = analysis.aliases.escapes(program, counts);
        let mut alone: Vec<bool> = escapes.iter().map(Option::is_none).collect();
        for (alone, place) in alone.iter_mut().zip(&program.argument_places) {
            *alone &= is_noalias(function, *place);
        }
        for (fact, value) in program.values.iter().zip(&analysis.handles.values) {
            if let ValueKind::Argument(number) = fact.kind {
                alone[number as usize] &= is_injective(type_of(*value));
            }
        }
        for value in program.pending.iter().flat_map(|entry| &entry.values) {
            for root in analysis.aliases.roots(*value) {
                if let MemoryRoot::Argument(number) = root {
                    alone[*number as usize] = false;
                }
            }
        }
        Self {
            alone,
            ..Self::new(analysis)
        }
    }

    /// Adds the effects of an operation itself, without those of nested operations.
    pub fn record(&self, op: Op<'c>, semantics: &mut Semantics, access: &mut Access) {
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

    /// Memory that a memref may refer to, sorted.
    pub fn roots_of(&self, value: Val<'c>) -> SmallVec<[Root; 4]> {
        let mut roots: SmallVec<[Root; 4]> = SmallVec::new();
        self.roots(value, &mut roots);
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Memory that a memref may refer to.
    fn roots(&self, value: Val<'c>, roots: &mut impl Extend<Root>) {
        match self.values.get(&value.key()) {
            Some(value) => self.known_roots(*value, roots),
            None => roots.extend([OUTSIDE]),
        }
    }

    /// The same for a memref that the analysis knows.
    pub fn known_roots(&self, value: ValueId, roots: &mut impl Extend<Root>) {
        let aliases = &self.analysis.aliases;
        let mut outside = aliases.is_unknown(value);
        for root in aliases.roots(value) {
            match root {
                MemoryRoot::Buffer(buffer) => {
                    outside |= self.escaped[buffer.index()];
                    roots.extend([buffer.0]);
                }
                MemoryRoot::Argument(number) if self.alone[*number as usize] => {
                    roots.extend([FIRST_ARGUMENT + number]);
                }
                MemoryRoot::Argument(_) => outside = true,
            }
        }
        if outside {
            roots.extend([OUTSIDE]);
        }
    }
}

/// Operations whose effects are not all known, or happen later.
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
