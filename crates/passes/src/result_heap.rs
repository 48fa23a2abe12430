//! What a function holds of the heap, in one memory space, if it has results earlier; and when nothing needs their memory.

use crate::{hosts::Host, load::Load, merge_alloc::BlockTree, shapes::Shapes};
use memplan_lifetimes::{
    Analysis, Reason,
    callers_memory::{self, CallersMemory},
    live::{Ranges, Since},
    program::{BlockId, BufferId, Position, ScopeId},
};
use memplan_mlir::{
    ir::{results, type_of},
    layout::memory_space,
};
use memplan_semantics::Semantics;
use rustc_hash::FxHashMap;

/// The memory of a result.
pub fn host<'c>(
    analysis: &Analysis<'c>,
    result: BufferId,
    (shapes, semantics): (&mut Shapes, &mut Semantics),
) -> Host<'c> {
    let program = &analysis.program;
    let fact = &program.buffers[result.index()];
    let memory = CallersMemory {
        value: fact.value,
        since: Since::FirstTouch,
        is_kept: false,
    };
    let needed = callers_memory::needed(program, &analysis.aliases, &[memory]);
    let value = analysis.handles.values[fact.value.index()];
    Host {
        dimensions: shapes.dimensions(value, semantics),
        form: type_of(value),
        alignment: fact.alignment,
        needed: needed.into_iter().next().unwrap_or_default(),
    }
}

/// How bytes are counted.
pub enum Counting<'t> {
    /// Arenas are on the heap, in one piece; buffers that are certainly there count as what the function holds anyway.
    Arenas(&'t BlockTree<'t>),
    /// Arenas are elsewhere.
    NoArenas,
    /// Buffers on the heap may be apart, and all count as what the function holds anyway: callers have the results then, and
    /// plan them.
    Buffers,
}

/// Bytes of arenas and of the heap.
pub struct Heap<'a, 'c> {
    analysis: &'a Analysis<'c>,
    /// When the buffers are live that are planned.
    live: FxHashMap<BufferId, &'a Ranges>,
    /// What arenas hold.
    planned: Load<'a, 'c>,
    /// What the heap holds: results, calls, and arenas that are there.
    held: Load<'a, 'c>,
    /// Whether planned buffers are on the heap.
    has_arenas: bool,
    /// Whether an arena is in one piece.
    in_one: bool,
    /// The most bytes that the function certainly holds as it is.
    most: i128,
    /// Bytes of results that it has earlier.
    early: i128,
    /// Where an unknown amount may be held.
    unknown: Vec<(Position, Position)>,
}

impl<'a, 'c> Heap<'a, 'c> {
    /// The function as it is.
    pub fn of(analysis: &'a Analysis<'c>, space: &str, counts: &Counting<'_>) -> Self {
        let program = &analysis.program;
        let function = ScopeId::new(0);
        let is_here = |buffer: BufferId| {
            let result = results(analysis.handles.buffers[buffer.index()]).next();
            result.is_some_and(|result| memory_space(type_of(result)) == space)
        };
        let mut heap = Self {
            analysis,
            live: FxHashMap::default(),
            planned: Load::empty(analysis),
            held: Load::empty(analysis),
            has_arenas: !matches!(counts, Counting::NoArenas),
            in_one: matches!(counts, Counting::Arenas(_)),
            most: 0,
            early: 0,
            unknown: Vec::new(),
        };
        let is_certain = |block: BlockId| match counts {
            Counting::Arenas(tree) => is_certain(analysis, tree, block),
            Counting::NoArenas | Counting::Buffers => true,
        };
        let mut certain = Load::empty(analysis);
        for one in &analysis.plannable {
            let fact = &program.buffers[one.buffer.index()];
            if !is_here(one.buffer) {
                continue;
            }
            if fact.scope != function || fact.dynamic.is_some() {
                let live = one.live.iter();
                let end = live.map(|(_, end)| *end).max().unwrap_or(0);
                heap.unknown.push(heap.seen(fact.block, fact.position, end));
                continue;
            }
            heap.live.insert(one.buffer, &one.live);
            heap.planned.add(one.buffer, &one.live);
            if heap.has_arenas {
                heap.held.add(one.buffer, &one.live);
                if is_certain(fact.block) {
                    certain.add(one.buffer, &one.live);
                }
            }
        }
        for (buffer, reason) in &analysis.skipped {
            let fact = &program.buffers[buffer.index()];
            match reason {
                Reason::OnStack => {}
                _ if !is_here(*buffer) => {}
                Reason::Returned if fact.dynamic.is_none() && fact.scope == function => {
                    let (held, bytes) = ((fact.position, Position::MAX), fact.size.into());
                    heap.held.change(held, bytes);
                    if is_certain(fact.block) {
                        certain.change(held, bytes);
                    }
                }
                // How long it is held is not known.
                _ => heap
                    .unknown
                    .push(heap.seen(fact.block, fact.position, Position::MAX)),
            }
        }
        for call in program.calls.iter().filter(|call| call.heap > 0) {
            let span = (call.position, call.position + 1);
            match call.in_order && call.scope == function && call.heap < u64::MAX {
                true => {
                    heap.held.change(span, call.heap.into());
                    if is_certain(call.block) {
                        certain.change(span, call.heap.into());
                    }
                }
                false => heap
                    .unknown
                    .push(match program.scopes[call.scope.index()].outer {
                        Some(_) => heap.outermost(call.scope),
                        None => span,
                    }),
            }
        }
        heap.most = certain.peak().bytes;
        heap
    }

    /// The positions of a buffer as the function sees them: those of the operation with the body that has it.
    fn seen(&self, block: BlockId, first: Position, end: Position) -> (Position, Position) {
        match self.analysis.program.scope_of(block) {
            scope if scope == ScopeId::new(0) => (first, end.max(first + 1)),
            scope => self.outermost(scope),
        }
    }

    /// The positions of the outermost operation with a body that runs in parallel.
    fn outermost(&self, mut scope: ScopeId) -> (Position, Position) {
        let mut span = (0, Position::MAX);
        while let Some(outer) = self.analysis.program.scopes[scope.index()].outer {
            span = (outer.span.0, outer.span.1 + 1);
            scope = outer.scope;
        }
        span
    }

    /// Whether the function holds no more of the heap than as it is.
    pub fn is_within(&self) -> bool {
        self.has_room_for_arena() && self.held.peak().bytes <= self.most
    }

    /// Whether the arena, in one piece, and the results that are there earlier take no more than the function held.
    pub fn has_room_for_arena(&self) -> bool {
        !self.in_one || self.early == 0 || self.arena() + self.early <= self.most
    }

    /// Whether it is known what the function holds from one position to another one.
    pub fn is_known(&self, first: Position, end: Position) -> bool {
        let mut unknown = self.unknown.iter();
        unknown.all(|(start, last)| end <= *start || *last <= first)
    }

    /// The most bytes of the arenas.
    pub fn arena(&self) -> i128 {
        self.planned.peak().bytes
    }

    /// Lets a result that is held from `old` on be held from `new` on.
    pub fn begin(&mut self, result: BufferId, old: Position, new: Position) {
        let fact = &self.analysis.program.buffers[result.index()];
        let size = i128::from(fact.size);
        self.held.change((new, old), size);
        self.early += size * (i128::from(new < fact.position) - i128::from(old < fact.position));
    }

    /// Lets a buffer live in a result.
    pub fn lodge(&mut self, guest: BufferId) {
        if let Some(live) = self.live.get(&guest) {
            self.planned.remove(guest, live);
            if self.has_arenas {
                self.held.remove(guest, live);
            }
        }
    }

    /// Lets it live in an arena again.
    pub fn release(&mut self, guest: BufferId) {
        if let Some(live) = self.live.get(&guest) {
            self.planned.add(guest, live);
            if self.has_arenas {
                self.held.add(guest, live);
            }
        }
    }
}

/// Whether all of the function's runs execute a block.
fn is_certain(analysis: &Analysis<'_>, tree: &BlockTree<'_>, mut block: BlockId) -> bool {
    let program = &analysis.program;
    let body = program.scopes[ScopeId::new(0).index()].body;
    let entry = program.nodes[body.index()].blocks.first();
    while Some(&block) != entry {
        let number = program.blocks[block.index()].node;
        let node = &program.nodes[number.index()];
        match node.parent {
            Some(parent) if node.blocks.len() == 1 && !tree.may_pass(number) => block = parent,
            _ => return false,
        }
    }
    true
}
