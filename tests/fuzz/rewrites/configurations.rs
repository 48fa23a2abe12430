//! The configurations of rewriting.

use super::chains::SPLIT;
use crate::fuzz::execute::Code;

/// What random options are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Varied {
    /// The plan after the rewriting.
    Plan,
    /// The rewriting: a pass, or a pipeline, which has options in its text.
    Rewriting,
}

/// A configuration.
#[derive(Debug, Clone, Copy)]
pub struct Configuration {
    /// The name on the command line.
    pub name: &'static str,
    /// Passes before the rewriting, with a comma at the end.
    pub before: &'static str,
    /// The rewriting passes, on modules or functions.
    pub rewrites: &'static str,
    /// What random options are for.
    pub varied: Varied,
    /// Whether a second run changes nothing.
    pub is_idempotent: bool,
    /// Whether a plan follows.
    pub merges: bool,
    /// The number of last slices whose padding a plan may take in addition to the bytes of one without the rewriting;
    /// `None` if bytes are not compared.
    pub saves: Option<u64>,
    /// Passes after all others, with a comma at the start.
    pub after: &'static str,
    /// The optimization level of the code generator.
    pub code: Code,
}

/// Elides copies.
pub const ELIDED: Configuration = Configuration {
    name: "elided",
    before: "",
    rewrites: "memplan-elide-copies{guard=none}",
    varied: Varied::Plan,
    is_idempotent: true,
    merges: false,
    saves: None,
    after: "",
    code: Code::Plain,
};

/// Lowers structured control flow to blocks.
const BLOCKS: &str = "func.func(scf-forall-to-for),convert-scf-to-cf,";

/// Reorders operations.
const REORDERED: Configuration = Configuration {
    name: "reordered",
    rewrites: "memplan-reorder",
    ..ELIDED
};

/// Computes buffers again wherever that lowers the plan, however much work it repeats.
pub const RECOMPUTED: Configuration = Configuration {
    name: "recomputed",
    rewrites: "memplan-recompute{max-recompute=100000}",
    ..ELIDED
};

/// Assigns buffers to three memory spaces, of which two are small.
pub const ASSIGNED: Configuration = Configuration {
    name: "assigned",
    rewrites: concat!(
        "memplan-assign-spaces{promote=true search=quick machine=",
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fuzz/machines/small.toml}"
    ),
    is_idempotent: false,
    ..ELIDED
};

/// The same, planned, with the limits of the machine.
pub const ASSIGNED_PLANNED: Configuration = Configuration {
    name: "assigned-planned",
    rewrites: concat!(
        "memplan{promote=true search=quick verify=true machine=",
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fuzz/machines/small.toml}"
    ),
    ..ASSIGNED
};

/// The same on a machine that copies beside operations.
pub const ASSIGNED_BESIDE: Configuration = Configuration {
    name: "assigned-beside",
    rewrites: concat!(
        "memplan{promote=true search=quick verify=true machine=",
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fuzz/machines/beside.toml}"
    ),
    ..ASSIGNED
};

/// The configurations for every batch.
pub const ALWAYS: &[Configuration] = &[
    ELIDED,
    Configuration {
        name: "elided-merged",
        rewrites: "memplan-elide-copies",
        merges: true,
        saves: Some(0),
        ..ELIDED
    },
    REORDERED,
    RECOMPUTED,
    SPLIT,
];

/// The configurations of which each batch uses one, in rotation.
pub const ROTATING: &[Configuration] = &[
    ASSIGNED,
    ASSIGNED_PLANNED,
    ASSIGNED_BESIDE,
    Configuration {
        name: "out-params",
        rewrites: "memplan-results-to-out-params",
        ..ELIDED
    },
    Configuration {
        name: "out-params-elided-merged",
        rewrites: "memplan-results-to-out-params,memplan-elide-copies{guard=none}",
        is_idempotent: false,
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "reused",
        rewrites: "memplan-reuse-arguments",
        is_idempotent: false,
        merges: true,
        saves: Some(1),
        ..ELIDED
    },
    Configuration {
        name: "reused-results",
        rewrites: "memplan-reuse-results{arena=arg}",
        is_idempotent: false,
        merges: true,
        saves: Some(1),
        ..ELIDED
    },
    Configuration {
        name: "all-reused-merged",
        rewrites: "memplan-results-to-out-params,memplan-elide-copies,memplan-reorder,memplan-reuse-arguments,\
                   memplan-reuse-results",
        is_idempotent: false,
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "reused-blocks",
        before: BLOCKS,
        rewrites: "memplan-results-to-out-params,memplan-reuse-arguments,memplan-reuse-results",
        is_idempotent: false,
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "all-elided-merged",
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "elided-blocks",
        before: BLOCKS,
        ..ELIDED
    },
    Configuration {
        name: "elided-cse",
        before: "cse,",
        rewrites: "func.func(memplan-elide-copies{guard=none})",
        ..ELIDED
    },
    Configuration {
        name: "elided-inlined",
        before: "inline,canonicalize,",
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "elided-equal-merged",
        rewrites: "func.func(memplan-elide-copies{guard=equal})",
        is_idempotent: false,
        merges: true,
        saves: Some(1),
        ..ELIDED
    },
    Configuration {
        name: "elided-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..ELIDED
    },
    Configuration {
        name: "elided-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..ELIDED
    },
    Configuration {
        name: "reordered-merged",
        merges: true,
        saves: Some(0),
        ..REORDERED
    },
    Configuration {
        name: "elided-reordered-merged",
        rewrites: "memplan-elide-copies{guard=none},memplan-reorder",
        is_idempotent: false,
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "reordered-blocks",
        before: BLOCKS,
        ..REORDERED
    },
    Configuration {
        name: "reordered-cse",
        before: "cse,",
        rewrites: "func.func(memplan-reorder{effort=quick})",
        ..REORDERED
    },
    Configuration {
        name: "reordered-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..REORDERED
    },
    Configuration {
        name: "reordered-inlined",
        before: "inline,canonicalize,",
        ..REORDERED
    },
    Configuration {
        name: "elided-reordered",
        rewrites: "memplan-elide-copies,memplan-reorder,memplan-elide-copies{guard=none}",
        is_idempotent: false,
        merges: true,
        ..ELIDED
    },
    Configuration {
        name: "reordered-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..REORDERED
    },
    Configuration {
        name: "recomputed-merged",
        merges: true,
        saves: Some(0),
        ..RECOMPUTED
    },
    Configuration {
        name: "recomputed-blocks",
        before: BLOCKS,
        ..RECOMPUTED
    },
    Configuration {
        name: "recomputed-cse",
        before: "cse,",
        rewrites: "func.func(memplan-recompute{max-recompute=100000})",
        ..RECOMPUTED
    },
    Configuration {
        name: "recomputed-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..RECOMPUTED
    },
    Configuration {
        name: "recomputed-inlined",
        before: "inline,canonicalize,",
        ..RECOMPUTED
    },
    Configuration {
        name: "recomputed-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..RECOMPUTED
    },
    Configuration {
        name: "all-recomputed-merged",
        rewrites: "memplan-elide-copies,memplan-reorder,memplan-recompute{max-recompute=100000},memplan-elide-copies{guard=none}",
        is_idempotent: false,
        merges: true,
        ..ELIDED
    },
];
