//! The options as values.

use memplan_mlir::pass::OptionValues;

/// Region of memory that dies in an iteration of a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// A checkpoint in the enclosing region if no memory of the iteration outlives it, and otherwise a region
    /// of the loop.
    Auto,
    /// A region of the loop that each iteration clears.
    PerIteration,
    /// A checkpoint in the enclosing region wherever that is possible.
    Checkpoint,
    /// The enclosing region, without a release.
    Enclosing,
}

/// When memory is released.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Release {
    /// After the last use if at most half of the memory of a block is needed at once, and otherwise with the
    /// scope.
    Auto,
    /// With the scope.
    ScopeEnd,
    /// After the last use, if the scope's own block contains it.
    LastUse,
}

/// Calling convention of public functions that return new memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PublicAbi {
    /// The type stays, and the caller frees the memory.
    Keep,
    /// The function receives a region.
    Destination,
}

/// The options.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Allocations of static size that stay in a function are placed in regions, too.
    pub all_sizes: bool,
    pub loops: Loops,
    pub release: Release,
    pub public_abi: PublicAbi,
    /// Temporaries share the region of the results, or the region of the function.
    pub is_single_region: bool,
    /// Memory of loop iterations stays until the function ends, if it is at most `MAX_LOOP_BYTES`.
    pub is_auto: bool,
    /// Least alignment of a buffer, in bytes.
    pub alignment: u64,
    pub remarks: bool,
}

impl Settings {
    /// The settings that the options select.
    pub fn of(values: &OptionValues) -> Self {
        let loops = match values.text("loops") {
            "per-iteration" => Loops::PerIteration,
            "checkpoint" => Loops::Checkpoint,
            "enclosing" => Loops::Enclosing,
            _ => Loops::Auto,
        };
        let public_abi = match values.text("public-abi") {
            "destination" => PublicAbi::Destination,
            _ => PublicAbi::Keep,
        };
        let release = match values.text("release") {
            "scope-end" => Release::ScopeEnd,
            "last-use" => Release::LastUse,
            _ => Release::Auto,
        };
        Self {
            all_sizes: values.text("sizes") == "all",
            loops,
            release,
            public_abi,
            is_single_region: values.flag("single-region"),
            is_auto: values.flag("auto"),
            alignment: values.integer("alignment").unsigned_abs(),
            remarks: values.flag("remarks"),
        }
    }
}
