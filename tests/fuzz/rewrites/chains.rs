//! The configurations of chains that run strip by strip.

use super::configurations::{
    ASSIGNED, ASSIGNED_BESIDE, ASSIGNED_PLANNED, Configuration, ELIDED, RECOMPUTED, Varied,
};
use crate::fuzz::execute::Code;

/// Strips wherever they lower the plan, however much code they take.
pub const SPLIT: Configuration = Configuration {
    name: "split",
    rewrites: "memplan-split{strip-cost=none max-code-growth=100}",
    ..ELIDED
};

/// Frees memory after its last use.
const FREES: &str = "memplan-dealloc-pipeline,";

/// The configurations for every batch.
pub const ALWAYS: &[Configuration] = &[
    SPLIT,
    Configuration {
        name: "split-varied",
        varied: Varied::Rewriting,
        ..SPLIT
    },
    Configuration {
        name: "split-planned",
        rewrites: "memplan{strip-cost=none verify=true max-code-growth=100}",
        varied: Varied::Rewriting,
        is_idempotent: false,
        ..SPLIT
    },
    RECOMPUTED,
];

/// The configurations of which each batch uses one, in rotation.
pub const ROTATING: &[Configuration] = &[
    ASSIGNED,
    ASSIGNED_PLANNED,
    ASSIGNED_BESIDE,
    Configuration {
        name: "assigned-freed",
        before: FREES,
        ..ASSIGNED
    },
    Configuration {
        name: "split-merged",
        merges: true,
        saves: Some(0),
        ..SPLIT
    },
    Configuration {
        name: "split-out-params",
        rewrites: "memplan-results-to-out-params,memplan-split{strip-cost=none max-code-growth=100}",
        is_idempotent: false,
        merges: true,
        ..SPLIT
    },
    Configuration {
        name: "split-elided-merged",
        rewrites: "memplan-split{strip-cost=none max-code-growth=100},memplan-elide-copies{guard=none},memplan-reorder",
        is_idempotent: false,
        merges: true,
        ..SPLIT
    },
    Configuration {
        name: "recomputed-merged",
        merges: true,
        saves: Some(0),
        ..RECOMPUTED
    },
    Configuration {
        name: "recomputed-freed",
        before: FREES,
        ..RECOMPUTED
    },
    Configuration {
        name: "split-recomputed",
        rewrites: "memplan-split{strip-cost=none max-code-growth=100},memplan-recompute{max-recompute=100000}",
        is_idempotent: false,
        merges: true,
        ..SPLIT
    },
    Configuration {
        name: "split-freed",
        before: FREES,
        ..SPLIT
    },
    Configuration {
        name: "split-freed-planned",
        before: FREES,
        rewrites: "memplan{strip-cost=none verify=true max-code-growth=100}",
        is_idempotent: false,
        ..SPLIT
    },
    Configuration {
        name: "split-generalized",
        before: "func.func(linalg-generalize-named-ops),",
        ..SPLIT
    },
    Configuration {
        name: "split-loops",
        before: "func.func(convert-linalg-to-loops),",
        ..SPLIT
    },
    Configuration {
        name: "split-affine-loops",
        before: "func.func(convert-linalg-to-affine-loops),",
        merges: true,
        ..SPLIT
    },
    Configuration {
        name: "split-parallel-loops",
        before: "func.func(convert-linalg-to-parallel-loops),",
        rewrites: "memplan-split{strip-cost=none max-code-growth=100 split-parallel=true}",
        ..SPLIT
    },
    Configuration {
        name: "split-cse",
        before: "func.func(canonicalize,cse),",
        rewrites: "func.func(memplan-split{strip-cost=none max-code-growth=100 effort=quick})",
        ..SPLIT
    },
    Configuration {
        name: "split-optimized",
        after: ",func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..SPLIT
    },
];
