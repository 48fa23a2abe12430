//! The configurations of planning.

use super::execute::Code;
use super::settings::Level;

/// A configuration.
#[derive(Debug, Clone, Copy)]
pub struct Configuration {
    /// The name on the command line.
    pub name: &'static str,
    /// Passes before the plan, with a comma at the end. `deallocates` says whether the unplanned program goes through
    /// them as well.
    pub before: &'static str,
    /// The operations that the pass runs on.
    pub level: Level,
    /// Passes after the plan, with a comma at the start.
    pub after: &'static str,
    /// Options in addition to the random ones.
    pub with: &'static str,
    /// Whether upstream's deallocation runs: only for programs that it accepts, compared with their unplanned,
    /// deallocated output.
    pub deallocates: bool,
    /// The optimization level of the code generator.
    pub code: Code,
}

const PLAIN: Configuration = Configuration {
    name: "",
    before: "",
    level: Level::Module,
    after: "",
    with: "",
    deallocates: false,
    code: Code::Plain,
};

/// Upstream's deallocation, with passes that keep it from inserting allocations of its own.
pub const DEALLOCATION: &str = "buffer-deallocation-pipeline";

const OPTIMIZED: &str =
    ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse";

/// The configurations for every batch.
pub const ALWAYS: &[Configuration] = &[
    Configuration {
        name: "function",
        level: Level::Function,
        ..PLAIN
    },
    Configuration {
        name: "module",
        ..PLAIN
    },
];

/// The configurations of which each batch uses one, in rotation.
pub const ROTATING: &[Configuration] = &[
    Configuration {
        name: "lowered",
        before: "func.func(scf-forall-to-for),convert-scf-to-cf,",
        ..PLAIN
    },
    Configuration {
        name: "deallocated-after",
        after: ",buffer-deallocation-pipeline",
        deallocates: true,
        ..PLAIN
    },
    Configuration {
        name: "cse",
        before: "cse,",
        level: Level::Function,
        ..PLAIN
    },
    Configuration {
        name: "deallocated-before",
        before: "buffer-deallocation-pipeline,",
        deallocates: true,
        ..PLAIN
    },
    Configuration {
        name: "loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..PLAIN
    },
    Configuration {
        name: "deallocated-after-unmarked",
        after: ",buffer-deallocation-pipeline",
        with: "free=false",
        deallocates: true,
        ..PLAIN
    },
    Configuration {
        name: "optimized",
        after: OPTIMIZED,
        code: Code::Optimized,
        ..PLAIN
    },
    Configuration {
        name: "inlined",
        before: "inline,canonicalize,",
        ..PLAIN
    },
    Configuration {
        name: "entry-points",
        with: "arena=global share=entry-points state=arena",
        ..PLAIN
    },
    Configuration {
        name: "banks",
        with: concat!(
            "machine=",
            env!("CARGO_MANIFEST_DIR"),
            "/tests/fuzz/machines/banks.toml"
        ),
        ..PLAIN
    },
];
