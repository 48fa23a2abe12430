//! A first look at a function: its arenas, and where memory may be touched at all.

use super::{ARENA, BUFFER, MOVE};
use memplan_mlir::{
    ir::{
        Identity, Key, Op, Region, Val, blocks, is_memref, is_plain_data, operands, ops, regions,
        results, type_of,
    },
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    rules::is_token,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Which types cannot refer to memory, and which are waited for, asked once each.
#[derive(Default)]
pub struct Plain(FxHashMap<Key, (bool, bool)>);

impl Plain {
    /// It refers to no memory.
    pub fn is_plain(&mut self, value: Val<'_>) -> bool {
        self.kind(value).0
    }

    /// It is waited for.
    pub fn is_token(&mut self, value: Val<'_>) -> bool {
        self.kind(value).1
    }

    fn kind(&mut self, value: Val<'_>) -> (bool, bool) {
        let r#type = type_of(value);
        let kind = self.0.entry(r#type.key());
        *kind.or_insert_with(|| match is_plain_data(r#type) || is_memref(r#type) {
            true => (is_plain_data(r#type), false),
            false if is_token(r#type) => (true, true),
            false => kind_of(&r#type.to_string()),
        })
    }
}

/// Does a type of this name refer to no memory; is it waited for?
fn kind_of(name: &str) -> (bool, bool) {
    match name {
        "!async.token" | "!async.group" | "!gpu.async.token" | "!nvgpu.device.async.token" => {
            (true, true)
        }
        _ => match name.strip_prefix("!async.value<") {
            Some(inner) => (
                !inner.contains(['!', '#', '(']) && !inner.contains("memref"),
                true,
            ),
            None => (false, false),
        },
    }
}

/// An arena.
pub struct ArenaValue<'c> {
    pub value: Val<'c>,
    /// The innermost operation around it whose bodies run in parallel.
    pub scope: Option<Key>,
}

/// What the first look finds.
#[derive(Default)]
pub struct Scan<'c> {
    /// In the order of the text.
    pub arenas: Vec<ArenaValue<'c>>,
    /// Operations with regions that hold something that may touch memory.
    pub touching: FxHashSet<Key>,
    /// Something is moved.
    pub moves: bool,
    /// Where in `arenas`.
    known: FxHashMap<Key, usize>,
}

/// Looks at a function; `None` if it has no arena.
pub fn scan<'c>(body: Region<'c>, names: &mut Names, plain: &mut Plain) -> Option<Scan<'c>> {
    let mut scan = Scan::default();
    scan.region(body, None, names, plain);
    (!scan.arenas.is_empty()).then_some(scan)
}

impl<'c> Scan<'c> {
    fn region(
        &mut self,
        region: Region<'c>,
        scope: Option<Key>,
        names: &mut Names,
        plain: &mut Plain,
    ) -> bool {
        let mut touching = false;
        for block in blocks(region) {
            for op in ops(block) {
                touching |= self.op(op, scope, names, plain);
            }
        }
        touching
    }

    fn op(&mut self, op: Op<'c>, scope: Option<Key>, names: &mut Names, plain: &mut Plain) -> bool {
        let info = names.info(op);
        if info.is_function() {
            return false;
        }
        self.moves |= op.has_attribute(MOVE);
        let (arena, scope_of_arena) = match info.known {
            Known::Constant => (None, None),
            Known::View if op.has_attribute(BUFFER) => (operands(op).next(), None),
            _ if op.has_attribute(ARENA) => (results(op).next(), scope),
            _ => (None, None),
        };
        // The arena of a turn of a parallel loop is a slice of one around.
        let turns = match info.known {
            Known::View if op.has_attribute(BUFFER) && op.has_attribute(ARENA) => {
                results(op).next()
            }
            _ => None,
        };
        for (value, scope_of_arena) in [(arena, scope_of_arena), (turns, scope)] {
            let Some(value) = value else { continue };

            let index = *self.known.entry(value.key()).or_insert(self.arenas.len());
            if index == self.arenas.len() {
                self.arenas.push(ArenaValue { value, scope: None });
            }
            if scope_of_arena.is_some() {
                self.arenas[index].scope = scope_of_arena;
            }
        }
        let inner = if names.runs_in_parallel(op) {
            Some(op.key())
        } else {
            scope
        };
        let mut holds = false;
        for region in regions(op) {
            holds |= self.region(region, inner, names, plain);
        }
        if holds {
            self.touching.insert(op.key());
        }
        let mut concerns = |value| !plain.is_plain(value) || plain.is_token(value);
        holds
            || info.known == Known::DmaWait
            || operands(op).any(&mut concerns)
            || results(op).any(&mut concerns)
    }
}
