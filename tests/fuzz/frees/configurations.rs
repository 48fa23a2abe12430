//! The configurations of deallocation.

use crate::fuzz::execute::Code;

/// Runs before the deallocation in every configuration: expands `memref.realloc` without deallocations.
pub const EXPAND: &str = "expand-realloc{emit-deallocs=false},";

/// The position of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlanPosition {
    /// No plan.
    None,
    /// Before the deallocation, which must leave the arenas alone.
    Before,
    /// After the deallocation: the plan takes deallocated programs.
    After,
}

/// A configuration.
#[derive(Debug, Clone, Copy)]
pub struct Configuration {
    /// The name on the command line.
    pub name: &'static str,
    /// Passes before the deallocation, with a comma at the end.
    pub before: &'static str,
    /// Whether `memplan-regions` runs before the deallocation.
    pub regions: bool,
    /// Options of the pass, in addition to the random ones.
    pub options: &'static [&'static str],
    /// The position of a plan.
    pub plan_position: PlanPosition,
    /// Whether no program may hold more than with the deallocation alone. Random choices are left out.
    pub compares_heap: bool,
    /// Passes after all others, with a comma at the start.
    pub after: &'static str,
    /// The optimization level of the code generator.
    pub code: Code,
}

const PLAIN: Configuration = Configuration {
    name: "freed",
    before: "",
    regions: false,
    options: &[],
    plan_position: PlanPosition::None,
    compares_heap: false,
    after: "",
    code: Code::Plain,
};

/// Deallocates at the ends of blocks.
const AT_ENDS: Configuration = Configuration {
    name: "freed-at-ends",
    options: &["placement=block-end"],
    ..PLAIN
};

/// Lowers structured control flow to blocks.
const BLOCKS: &str = "func.func(scf-forall-to-for),lower-affine,convert-scf-to-cf,";

/// Hoists allocations out of loops.
const HOISTED: Configuration = Configuration {
    name: "hoisted-freed",
    before: "memplan-hoist,",
    ..PLAIN
};

/// The configurations for every batch.
pub const ALWAYS: &[Configuration] = &[
    PLAIN,
    Configuration {
        name: "freed-blocks",
        before: BLOCKS,
        ..PLAIN
    },
];

/// The configurations of which each batch uses one, in rotation.
pub const ROTATING: &[Configuration] = &[
    Configuration {
        name: "freed-merged",
        plan_position: PlanPosition::After,
        ..PLAIN
    },
    Configuration {
        name: "merged-freed",
        plan_position: PlanPosition::Before,
        ..PLAIN
    },
    Configuration {
        name: "heap",
        plan_position: PlanPosition::Before,
        compares_heap: true,
        ..PLAIN
    },
    Configuration {
        name: "heap-out-params",
        before: "memplan-results-to-out-params,",
        plan_position: PlanPosition::Before,
        compares_heap: true,
        ..PLAIN
    },
    Configuration {
        name: "heap-reused",
        before: "memplan-results-to-out-params,memplan-reuse-arguments,memplan-reuse-results,",
        plan_position: PlanPosition::Before,
        compares_heap: true,
        ..PLAIN
    },
    Configuration {
        name: "freed-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..PLAIN
    },
    Configuration {
        name: "freed-inlined",
        before: "inline,canonicalize,",
        ..PLAIN
    },
    Configuration {
        name: "freed-folded",
        before: "memplan-fold-merges,",
        after: ",memplan-fold-merges",
        ..PLAIN
    },
    Configuration {
        name: "freed-folded-blocks",
        before: "func.func(scf-forall-to-for),lower-affine,convert-scf-to-cf,memplan-fold-merges,",
        after: ",memplan-fold-merges",
        ..PLAIN
    },
    Configuration {
        name: "freed-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..PLAIN
    },
    Configuration {
        name: "merged-freed-blocks",
        before: BLOCKS,
        plan_position: PlanPosition::Before,
        ..PLAIN
    },
    Configuration {
        name: "reordered-freed",
        before: "memplan-reorder,",
        ..PLAIN
    },
    Configuration {
        name: "reordered-merged-freed",
        before: "memplan-reorder,",
        plan_position: PlanPosition::Before,
        ..PLAIN
    },
    HOISTED,
    Configuration {
        name: "hoisted-merged-freed",
        plan_position: PlanPosition::Before,
        ..HOISTED
    },
    AT_ENDS,
    Configuration {
        name: "freed-at-ends-blocks",
        before: BLOCKS,
        ..AT_ENDS
    },
    Configuration {
        name: "merged-freed-at-ends",
        plan_position: PlanPosition::Before,
        ..AT_ENDS
    },
    Configuration {
        name: "freed-at-ends-merged",
        plan_position: PlanPosition::After,
        ..AT_ENDS
    },
];

/// Places memory in regions where possible; the rest is deallocated.
const REGIONS: Configuration = Configuration {
    name: "regions",
    regions: true,
    ..PLAIN
};

/// The configurations with regions for every batch.
pub const IN_REGIONS: &[Configuration] = &[
    REGIONS,
    Configuration {
        name: "regions-blocks",
        before: BLOCKS,
        ..REGIONS
    },
];

/// The configurations with regions of which each batch uses one, in rotation.
pub const IN_REGIONS_ROTATING: &[Configuration] = &[
    Configuration {
        name: "merged-regions",
        plan_position: PlanPosition::Before,
        ..REGIONS
    },
    Configuration {
        name: "regions-loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..REGIONS
    },
    Configuration {
        name: "regions-inlined",
        before: "inline,canonicalize,",
        ..REGIONS
    },
    Configuration {
        name: "regions-optimized",
        after: ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse",
        code: Code::Optimized,
        ..REGIONS
    },
    Configuration {
        name: "regions-at-ends",
        options: &["placement=block-end"],
        ..REGIONS
    },
];
