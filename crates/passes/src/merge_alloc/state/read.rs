//! The globals of a module that may lie in the arena.

use super::State;
use memplan_mlir::{
    build,
    ir::{Op, blocks, has_mark, ops, regions, results, symbol_name, type_of},
    layout::{DataLayout, memory_space},
    melior::ir::operation::OperationLike,
    symbols,
};
use memplan_semantics::{
    InitialContents, Semantics,
    attributes::{ARENA, KEEP, OFFSET, STATE},
};
use rustc_hash::FxHashMap;
use std::fmt::{self, Display, Formatter};

/// A global that the program may write.
pub struct Candidate<'c> {
    /// The global.
    pub op: Op<'c>,
    /// Its state, not placed yet.
    pub found: Result<State<'c>, Outside<'c>>,
}

/// Why a global is not in the arena.
#[derive(Clone, Copy)]
pub enum Outside<'c> {
    /// It is not private.
    Public,
    /// It is constant.
    Constant,
    /// Another module defines it.
    Elsewhere,
    /// Its first contents are not zero.
    Contents,
    /// An operation other than `memref.get_global` refers to it.
    Referred(Op<'c>),
    /// Nothing refers to it.
    Unused,
    /// Its size is not known.
    NoSize,
    /// It has no bytes.
    Empty,
    /// It has `memplan.keep`.
    Kept,
}

impl Outside<'_> {
    /// The id of the reason.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Constant => "constant",
            Self::Elsewhere => "declared",
            Self::Contents => "initial-contents",
            Self::Referred(_) => "referred-to",
            Self::Unused => "unused",
            Self::NoSize => "no-size",
            Self::Empty => "empty",
            Self::Kept => "kept",
        }
    }
}

impl Display for Outside<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Public => "it is not private, so other modules may refer to it",
            Self::Constant => "it is constant",
            Self::Elsewhere => "another module defines it",
            Self::Contents => "its first contents are neither zero nor undefined",
            Self::Referred(op) => {
                return write!(out, "'{}' refers to it", memplan_mlir::names::name_of(*op));
            }
            Self::Unused => "nothing refers to it",
            Self::NoSize => "its size is not known or too large, or its layout is not row-major",
            Self::Empty => "it has no bytes",
            Self::Kept => "it is marked `memplan.keep`",
        })
    }
}

/// The globals of a module that the program may write, and constant ones whose offset is given, in the order of the text, without arenas.
pub fn candidates<'c>(module: Op<'c>, least_alignment: u64) -> Vec<Candidate<'c>> {
    let mut semantics = Semantics::default();
    let own = || regions(module).flat_map(blocks).flat_map(ops);
    let globals = own().filter_map(|op| match semantics.mutable_global(op) {
        Some(contents) => Some((op, Some(contents))),
        None if semantics.is_constant_global(op) && op.has_attribute(OFFSET) => Some((op, None)),
        None => None,
    });
    let globals: Vec<(Op<'c>, Option<InitialContents>)> = globals.collect();
    if globals.is_empty() {
        return Vec::new();
    }
    let mut uses: FxHashMap<String, Vec<Op<'c>>> = FxHashMap::default();
    let mut open: Vec<Op<'c>> = own().collect();
    open.reverse();
    while let Some(op) = open.pop() {
        if let Some(name) = semantics.global_name(op) {
            uses.entry(name).or_default().push(op);
        }
        // Names inside are of another table.
        if !semantics.info(op).is_symbol_table() {
            let inside: Vec<Op<'c>> = regions(op).flat_map(blocks).flat_map(ops).collect();
            open.extend(inside.into_iter().rev());
        }
    }
    let others = symbols::references_of(module, |op| semantics.global_name(op).is_none());
    let mut layout = DataLayout::at(module);
    let mut candidate = |(op, contents): (Op<'c>, Option<InitialContents>)| {
        let name = symbol_name(op);
        let uses = uses.remove(&name).unwrap_or_default();
        // An arena of an earlier run.
        if op.has_attribute(STATE) || uses.iter().any(|used| used.has_attribute(ARENA)) {
            return None;
        }
        let result = uses.first().and_then(|first| results(*first).next());
        let found = match (contents, result, others.get(&name)) {
            _ if has_mark(op, KEEP) => Err(Outside::Kept),
            _ if !symbols::is_private(op) => Err(Outside::Public),
            (None, ..) => Err(Outside::Constant),
            (Some(InitialContents::Elsewhere), ..) => Err(Outside::Elsewhere),
            (Some(InitialContents::Given), ..) => Err(Outside::Contents),
            (.., Some(other)) => Err(Outside::Referred(*other)),
            (_, None, _) => Err(Outside::Unused),
            (_, Some(result), None) => {
                let memref = type_of(result);
                let given = build::integer(op, "alignment").unwrap_or(1).max(1) as u64;
                match layout.extent(memref) {
                    Err(_) => Err(Outside::NoSize),
                    Ok(extent) if extent.size == 0 => Err(Outside::Empty),
                    Ok(extent) => Ok(State {
                        op,
                        uses,
                        memref,
                        memory_space: memory_space(memref),
                        offset: 0,
                        size: extent.size,
                        alignment: given.max(extent.alignment).max(least_alignment),
                        is_zero: contents == Some(InitialContents::Zero),
                    }),
                }
            }
        };
        Some(Candidate { op, found })
    };
    globals.into_iter().filter_map(&mut candidate).collect()
}
