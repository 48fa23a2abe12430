//! The options as values.

use memplan_mlir::pass::OptionValues;

/// Where what dies in a turn of a loop is put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// Behind a mark where nothing that is made in the turn outlives it, else in a region of the loop.
    Auto,
    /// In a region of the loop, which each turn clears.
    PerIteration,
    /// Behind a mark, wherever that is possible.
    Checkpoint,
    /// In the region around.
    Enclosing,
}

/// When memory is given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Release {
    /// Behind last uses where at most half of the memory is needed at once, else with its scope.
    Auto,
    /// With its scope.
    ScopeEnd,
    /// Behind its last use, where that is in the scope's own block.
    LastUse,
}

/// What becomes of public functions that make what they return.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PublicAbi {
    /// They keep their type, and their caller frees.
    Keep,
    /// They take a region.
    Destination,
}

/// The options.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Known sizes that stay in a function go to regions, too.
    pub all_sizes: bool,
    pub loops: Loops,
    pub release: Release,
    pub public_abi: PublicAbi,
    /// Temporaries share the region of what is returned, or the function's.
    pub is_single: bool,
    /// Few bytes that loops make stay until the function ends.
    pub is_auto: bool,
    /// Least alignment, in bytes.
    pub alignment: u64,
    pub remarks: bool,
}

impl Settings {
    /// From the options.
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
            is_single: values.flag("single-region"),
            is_auto: values.flag("auto"),
            alignment: values.integer("alignment").unsigned_abs(),
            remarks: values.flag("remarks"),
        }
    }
}
