//! The configurations of rewriting.

use crate::fuzz::execute::Code;

/// A configuration.
#[derive(Debug, Clone, Copy)]
pub struct Configuration {
    /// The name on the command line.
    pub name: &'static str,
    /// Passes before the rewriting, with a comma at the end.
    pub before: &'static str,
    /// The rewriting passes, on modules or functions.
    pub rewrites: &'static str,
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

const PLAIN: Configuration = Configuration {
    name: "elided",
    before: "",
    rewrites: "memplan-elide-copies{guard=none}",
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
    ..PLAIN
};

/// The configurations for every batch.
pub const ALWAYS: &[Configuration] = &[
    PLAIN,
    Configuration {
        name: "elided-merged",
        rewrites: "memplan-elide-copies",
        merges: true,
        saves: Some(0),
        ..PLAIN
    },
    REORDERED,
    Configuration {
        name: "split",
        rewrites: "memplan-split{max-code-growth=100}",
        ..PLAIN
    },
];

/// The configurations of which each batch uses one, in rotation.
pub const ROTATING: &[Configuration] = &[
    Configuration {
        name: "out-params",
        rewrites: "memplan-results-to-out-params",
        ..PLAIN
    },
    Configuration {
        name: "out-params-elided-merged",
        rewrites: "memplan-results-to-out-params,memplan-elide-copies{guard=none}",
        is_idempotent: false,
        merges: true,
        ..PLAIN
    },
    Configuration {
        name: "reused",
        rewrites: "memplan-reuse-arguments",
        is_idempotent: false,
        merges: true,
        saves: Some(1),
        ..PLAIN
    },
    Configuration {
        name: "reused-results",
        rewrites: "memplan-reuse-results{arena=arg}",
        is_idempotent: false,
        merges: true,
        saves: Some(1),
        ..PLAIN
    },
    Configuration {
        name: "all-reused-merged",
        rewrites: "memplan-results-to-out-params,memplan-elide-copies,memplan-reorder,memplan-reuse-arguments,\
                   memplan-reuse-results",
        is_idempotent: false,
        merges: true,
        ..PLAIN
    },
    Configuration {
        name: "reused-blocks",
        before: BLOCKS,
        rewrites: "memplan-results-to-out-params,memplan-reuse-arguments,memplan-reuse-results",
        is_idempotent: false,
        merges: true,
        ..PLAIN
    },
    Configuration {
        name: "all-elided-merged",
        merges: true,
        ..PLAIN
    },
    Configuration {
        name: "elided-blocks",
        before: BLOCKS,
        ..PLAIN
    },
    Configuration {
        name: "elided-cse",
        before: "cse,",
        rewrites: "func.func(memplan-elide-copies{guard=none})",
        ..PLAIN
    },
    Configuration {
        name: "elided-inlined",
        before: "inline,canonicalize,",
        merges: true,
        ..PLAIN
    },
    Configuration {
        name: "elided-equal-merged",
        rewrites: "func.func(memplan-elide-copies{guard=equal})",
        is_idempotent: false,
        merges: true,
        saves: Some(1),
        ..PLAIN
    },
    Configuration {
        name: "elided-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..PLAIN
    },
    Configuration {
        name: "elided-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..PLAIN
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
        ..PLAIN
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
        ..PLAIN
    },
    Configuration {
        name: "reordered-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..REORDERED
    },
];
