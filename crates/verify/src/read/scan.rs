//! A first pass over a function: its arenas, and the operations that may touch memory.

use crate::workgroup::is_workgroup_arena;
use memplan_mlir::{
    ir::{Identity, Key, Op, Region, Val, blocks, ops, regions, results},
    melior::ir::operation::OperationLike,
};
use memplan_semantics::attributes::{ARENA, BUFFER, MOVE, STATE};
use memplan_semantics::{RegionOrder, Semantics};
use rustc_hash::{FxHashMap, FxHashSet};

/// The value of an arena.
pub struct ArenaValue<'c> {
    pub value: Val<'c>,
    /// The innermost operation around it whose bodies run in parallel.
    pub scope: Option<Key>,
}

/// The results of the first pass.
#[derive(Default)]
pub struct Scan<'c> {
    /// The arenas, in the order of the text.
    pub arenas: Vec<ArenaValue<'c>>,
    /// Operations with regions in which something may touch memory.
    pub touching: FxHashSet<Key>,
    /// Whether a buffer is moved.
    pub moves: bool,
    /// Whether something refers to state in an arena.
    pub state: bool,
    /// Indices in `arenas`.
    known: FxHashMap<Key, usize>,
}

/// Scans a function.
pub fn scan<'c>(body: Region<'c>, semantics: &mut Semantics) -> Scan<'c> {
    let mut scan = Scan::default();
    scan.region(body, None, semantics);
    scan
}

impl<'c> Scan<'c> {
    fn region(
        &mut self,
        region: Region<'c>,
        scope: Option<Key>,
        semantics: &mut Semantics,
    ) -> bool {
        let mut touching = false;
        for block in blocks(region) {
            for op in ops(block) {
                touching |= self.op(op, scope, semantics);
            }
        }
        touching
    }

    fn op(&mut self, op: Op<'c>, scope: Option<Key>, semantics: &mut Semantics) -> bool {
        let info = semantics.info(op);
        if info.is_function() {
            return false;
        }
        self.moves |= op.has_attribute(MOVE);
        self.state |= op.has_attribute(STATE);
        let view = semantics.byte_view(op);
        let slice = view.filter(|_| op.has_attribute(BUFFER));
        let arena = slice.as_ref().map(|view| view.source);
        let arena = arena.filter(|arena| !is_workgroup_arena(*arena, semantics));
        // This includes arenas of iterations of a parallel loop, which are slices of an arena around the loop.
        let marked = match op.has_attribute(ARENA) {
            true => results(op).next(),
            false => None,
        };
        let marked = marked.filter(|arena| !is_workgroup_arena(*arena, semantics));
        for (value, scope_of_arena) in [(arena, None), (marked, scope)] {
            let Some(value) = value else { continue };

            let index = *self.known.entry(value.key()).or_insert(self.arenas.len());
            if index == self.arenas.len() {
                self.arenas.push(ArenaValue { value, scope: None });
            }
            if scope_of_arena.is_some() {
                self.arenas[index].scope = scope_of_arena;
            }
        }
        let inner = if semantics.region_order(op) != RegionOrder::Sequential {
            Some(op.key())
        } else {
            scope
        };
        let mut holds = false;
        for region in regions(op) {
            holds |= self.region(region, inner, semantics);
        }
        if holds {
            self.touching.insert(op.key());
        }
        holds || semantics.concerns(op)
    }
}
