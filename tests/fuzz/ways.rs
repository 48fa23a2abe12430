//! The ways in which programs are planned.

use super::execute::Code;
use super::settings::Level;

/// One way.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    /// Its name on the command line.
    pub name: &'static str,
    /// Passes in front of the plan, with a comma behind; those that the unplanned program goes through as well are in
    /// `deallocates`.
    pub before: &'static str,
    /// Where the pass runs.
    pub level: Level,
    /// Passes behind the plan, with a comma in front.
    pub after: &'static str,
    /// Options besides the random ones.
    pub with: &'static str,
    /// Upstream's deallocation takes part: only with programs that it takes, and beside what it makes of them unplanned.
    pub deallocates: bool,
    /// How far the code generator goes.
    pub code: Code,
}

const PLAIN: Way = Way {
    name: "",
    before: "",
    level: Level::Module,
    after: "",
    with: "",
    deallocates: false,
    code: Code::Plain,
};

/// Upstream's deallocation, with what makes it insert no allocation of its own.
pub const DEALLOCATION: &str = "buffer-deallocation-pipeline";

const OPTIMIZED: &str =
    ",inline,func.func(canonicalize,cse,loop-invariant-code-motion),canonicalize,cse";

/// Those that every batch goes.
pub const ALWAYS: &[Way] = &[
    Way {
        name: "function",
        level: Level::Function,
        ..PLAIN
    },
    Way {
        name: "module",
        ..PLAIN
    },
];

/// Those that batches take turns with.
pub const IN_TURN: &[Way] = &[
    Way {
        name: "lowered",
        before: "func.func(scf-forall-to-for),convert-scf-to-cf,",
        ..PLAIN
    },
    Way {
        name: "deallocated-after",
        after: ",buffer-deallocation-pipeline",
        deallocates: true,
        ..PLAIN
    },
    Way {
        name: "cse",
        before: "cse,",
        level: Level::Function,
        ..PLAIN
    },
    Way {
        name: "deallocated-before",
        before: "buffer-deallocation-pipeline,",
        deallocates: true,
        ..PLAIN
    },
    Way {
        name: "loops",
        before: "func.func(convert-linalg-to-loops),lower-affine,cse,",
        ..PLAIN
    },
    Way {
        name: "deallocated-after-unmarked",
        after: ",buffer-deallocation-pipeline",
        with: "free=false",
        deallocates: true,
        ..PLAIN
    },
    Way {
        name: "optimized",
        after: OPTIMIZED,
        code: Code::Optimized,
        ..PLAIN
    },
    Way {
        name: "inlined",
        before: "inline,canonicalize,",
        ..PLAIN
    },
];
