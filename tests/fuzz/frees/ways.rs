//! The ways in which programs are freed.

use crate::fuzz::execute::Code;

/// What comes in front of the deallocation in every way: `memref.realloc` without a free of its own.
pub const EXPAND: &str = "expand-realloc{emit-deallocs=false},";

/// Where a plan stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merged {
    /// Nowhere.
    No,
    /// In front of the deallocation, which has to leave the arenas alone.
    Before,
    /// Behind it: the plan takes deallocated programs.
    After,
}

/// One way.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Its name on the command line.
    pub name: &'static str,
    /// Passes in front, with a comma behind.
    pub before: &'static str,
    /// With `memplan-regions` in front of the deallocation.
    pub regions: bool,
    /// Options of the pass, besides those that are chosen.
    pub options: &'static [&'static str],
    /// With a plan.
    pub merged: Merged,
    /// Passes behind all others, with a comma in front.
    pub after: &'static str,
    /// How far the code generator goes.
    pub code: Code,
}

const PLAIN: Way = Way {
    name: "freed",
    before: "",
    regions: false,
    options: &[],
    merged: Merged::No,
    after: "",
    code: Code::Plain,
};

/// Frees at the ends of blocks.
const AT_ENDS: Way = Way {
    name: "freed-at-ends",
    options: &["placement=block-end"],
    ..PLAIN
};

/// Structured control flow becomes blocks.
const BLOCKS: &str = "func.func(scf-forall-to-for),lower-affine,convert-scf-to-cf,";

/// Loops allocate once what each turn would.
const HOISTED: Way = Way {
    name: "hoisted-freed",
    before: "memplan-hoist,",
    ..PLAIN
};

/// Those that every batch goes.
pub const ALWAYS: &[Way] = &[
    PLAIN,
    Way {
        name: "freed-blocks",
        before: BLOCKS,
        ..PLAIN
    },
];

/// Those that batches take turns with.
pub const IN_TURN: &[Way] = &[
    Way {
        name: "freed-merged",
        merged: Merged::After,
        ..PLAIN
    },
    Way {
        name: "merged-freed",
        merged: Merged::Before,
        ..PLAIN
    },
    Way {
        name: "freed-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..PLAIN
    },
    Way {
        name: "freed-inlined",
        before: "inline,canonicalize,",
        ..PLAIN
    },
    Way {
        name: "freed-folded",
        before: "memplan-fold-merges,",
        after: ",memplan-fold-merges",
        ..PLAIN
    },
    Way {
        name: "freed-folded-blocks",
        before: "func.func(scf-forall-to-for),lower-affine,convert-scf-to-cf,memplan-fold-merges,",
        after: ",memplan-fold-merges",
        ..PLAIN
    },
    Way {
        name: "freed-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..PLAIN
    },
    Way {
        name: "merged-freed-blocks",
        before: BLOCKS,
        merged: Merged::Before,
        ..PLAIN
    },
    Way {
        name: "reordered-freed",
        before: "memplan-reorder,",
        ..PLAIN
    },
    Way {
        name: "reordered-merged-freed",
        before: "memplan-reorder,",
        merged: Merged::Before,
        ..PLAIN
    },
    HOISTED,
    Way {
        name: "hoisted-merged-freed",
        merged: Merged::Before,
        ..HOISTED
    },
    AT_ENDS,
    Way {
        name: "freed-at-ends-blocks",
        before: BLOCKS,
        ..AT_ENDS
    },
    Way {
        name: "merged-freed-at-ends",
        merged: Merged::Before,
        ..AT_ENDS
    },
    Way {
        name: "freed-at-ends-merged",
        merged: Merged::After,
        ..AT_ENDS
    },
];

/// What may go there is in regions; the rest is freed.
const REGIONS: Way = Way {
    name: "regions",
    regions: true,
    ..PLAIN
};

/// Those that every batch goes with regions.
pub const IN_REGIONS: &[Way] = &[
    REGIONS,
    Way {
        name: "regions-blocks",
        before: BLOCKS,
        ..REGIONS
    },
];

/// Those that batches take turns with.
pub const IN_REGIONS_IN_TURN: &[Way] = &[
    Way {
        name: "merged-regions",
        merged: Merged::Before,
        ..REGIONS
    },
    Way {
        name: "regions-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..REGIONS
    },
    Way {
        name: "regions-inlined",
        before: "inline,canonicalize,",
        ..REGIONS
    },
    Way {
        name: "regions-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..REGIONS
    },
    Way {
        name: "regions-at-ends",
        options: &["placement=block-end"],
        ..REGIONS
    },
];
