//! The passes, one module each. Every pass reads IR into facts, decides on plain data, and writes the
//! decision into the IR.

mod assign_spaces;
mod block_graph;
mod bounded;
pub mod check_bounded;
pub mod check_tree;
pub mod coalescing;
pub mod collector;
mod counts;
mod descriptor;
pub mod elide_copies;
mod erased_ops;
pub mod expand_loops;
pub mod expand_ops;
mod explain;
mod failure;
pub mod fold_merges;
pub mod hoist;
mod hosts;
mod index_constants;
mod last_uses;
mod late_uses;
mod load;
pub mod lower_dealloc;
mod memory_function;
mod memory_spaces;
pub mod merge_alloc;
pub mod merge_results;
pub mod merge_workgroup;
mod needs;
mod new_buffers;
mod op_effects;
pub mod origins;
pub mod ownership_dealloc;
mod peak_load;
pub mod recompute;
pub mod regions;
pub mod reorder;
mod result_heap;
pub mod results_to_out_params;
pub mod reuse_arguments;
pub mod reuse_results;
mod shapes;
pub mod simplify_dealloc;
mod split;
#[cfg(test)]
mod test_function;
pub mod tree_scan;
pub mod treeify;
mod unbufferized;

use memplan_declarations::PASSES;
pub use memplan_declarations::{PIPELINES, codes};
pub use memplan_mlir::host_problem;
use memplan_mlir::{
    pass::{Declaration, Pass, register},
    pipeline,
};
use std::sync::Once;

/// Defines the functions that register and list passes: a new pass needs one line below.
macro_rules! registry {
    ($($pass:ty),* $(,)?) => {
        /// Registers all passes and pipelines with MLIR, and the passes of MLIR that these run.
        pub fn register_all() {
            // MLIR's registries are not thread-safe.
            static ONCE: Once = Once::new();
            ONCE.call_once(register_each);
        }

        fn register_each() {
            $(register::<$pass>();)*
            pipeline::register_where();
            pipeline::register_upstream();
            for one in PIPELINES {
                pipeline::register(one);
            }
        }

        /// The declarations of all passes, in the order of registration.
        pub fn declarations() -> Vec<&'static Declaration> {
            vec![$(<$pass as Pass>::DECLARATION),*]
        }

        // `memplan help` lists passes without this crate.
        const _: () = assert!(
            are_declared(&[$(<$pass as Pass>::DECLARATION.argument),*]),
            "these are not the passes of memplan_declarations::PASSES, in their order"
        );
    };
}

registry![
    merge_alloc::MergeAlloc,
    merge_workgroup::MergeWorkgroup,
    elide_copies::ElideCopies,
    hoist::Hoist,
    reorder::Reorder,
    split::Split,
    recompute::Recompute,
    assign_spaces::AssignSpaces,
    explain::Explain,
    lower_dealloc::LowerDealloc,
    fold_merges::FoldMerges,
    ownership_dealloc::OwnershipDealloc,
    regions::Regions,
    results_to_out_params::ResultsToOutParams,
    merge_results::MergeResults,
    reuse_arguments::ReuseArguments,
    reuse_results::ReuseResults,
    simplify_dealloc::SimplifyDealloc,
    memplan_verify::Verify,
    check_bounded::CheckBounded,
    check_tree::CheckTree,
    expand_loops::ExpandLoops,
    expand_ops::ExpandOps,
    treeify::Treeify,
    tree_scan::TreeScan,
];

/// Whether these are the arguments of the declared passes, in their order.
const fn are_declared(arguments: &[&str]) -> bool {
    if arguments.len() != PASSES.len() {
        return false;
    }
    let mut at = 0;
    while at < PASSES.len() {
        if !are_equal(arguments[at].as_bytes(), PASSES[at].argument.as_bytes()) {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether two texts are equal; `==` cannot be evaluated at compile time.
const fn are_equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}
