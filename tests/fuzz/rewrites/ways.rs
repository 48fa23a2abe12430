//! The ways in which programs are rewritten.

use crate::fuzz::execute::Code;

/// One way.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Its name on the command line.
    pub name: &'static str,
    /// Passes in front, with a comma behind.
    pub before: &'static str,
    /// What rewrites, on modules or functions.
    pub rewrites: &'static str,
    /// A second run changes nothing.
    pub settles: bool,
    /// Planned behind that.
    pub merges: bool,
    /// A plan takes no more bytes than one without what rewrites, but for what so many last slices lack to the alignment.
    pub saves: Option<u64>,
    /// Passes behind all others, with a comma in front.
    pub after: &'static str,
    /// How far the code generator goes.
    pub code: Code,
}

const PLAIN: Way = Way {
    name: "elided",
    before: "",
    rewrites: "memplan-elide-copies{guard=none}",
    settles: true,
    merges: false,
    saves: None,
    after: "",
    code: Code::Plain,
};

/// Structured control flow becomes blocks.
const BLOCKS: &str = "func.func(scf-forall-to-for),convert-scf-to-cf,";

/// In another order.
const REORDERED: Way = Way {
    name: "reordered",
    rewrites: "memplan-reorder",
    ..PLAIN
};

/// Those that every batch goes.
pub const ALWAYS: &[Way] = &[
    PLAIN,
    Way {
        name: "elided-merged",
        rewrites: "memplan-elide-copies",
        merges: true,
        saves: Some(0),
        ..PLAIN
    },
    REORDERED,
];

/// Those that batches take turns with.
pub const IN_TURN: &[Way] = &[
    Way {
        name: "all-elided-merged",
        merges: true,
        ..PLAIN
    },
    Way {
        name: "elided-blocks",
        before: BLOCKS,
        ..PLAIN
    },
    Way {
        name: "elided-cse",
        before: "cse,",
        rewrites: "func.func(memplan-elide-copies{guard=none})",
        ..PLAIN
    },
    Way {
        name: "elided-inlined",
        before: "inline,canonicalize,",
        merges: true,
        ..PLAIN
    },
    Way {
        name: "elided-equal-merged",
        rewrites: "func.func(memplan-elide-copies{guard=equal})",
        settles: false,
        merges: true,
        saves: Some(1),
        ..PLAIN
    },
    Way {
        name: "elided-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..PLAIN
    },
    Way {
        name: "elided-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..PLAIN
    },
    Way {
        name: "reordered-merged",
        merges: true,
        saves: Some(0),
        ..REORDERED
    },
    Way {
        name: "elided-reordered-merged",
        rewrites: "memplan-elide-copies{guard=none},memplan-reorder",
        settles: false,
        merges: true,
        ..PLAIN
    },
    Way {
        name: "reordered-blocks",
        before: BLOCKS,
        ..REORDERED
    },
    Way {
        name: "reordered-cse",
        before: "cse,",
        rewrites: "func.func(memplan-reorder{effort=quick})",
        ..REORDERED
    },
    Way {
        name: "reordered-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..REORDERED
    },
    Way {
        name: "reordered-inlined",
        before: "inline,canonicalize,",
        ..REORDERED
    },
    Way {
        name: "elided-reordered",
        rewrites: "memplan-elide-copies,memplan-reorder,memplan-elide-copies{guard=none}",
        settles: false,
        merges: true,
        ..PLAIN
    },
    Way {
        name: "reordered-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..REORDERED
    },
];
