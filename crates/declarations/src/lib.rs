//! The declarations of passes and pipelines, a module for each pass: its options, statistics, example and diagnostics. They
//! need no LLVM: `memplan help`, the manual and the headers read them, and the passes of `memplan-passes` and `memplan-verify`
//! have them as their `DECLARATION`.

#![forbid(unsafe_code)]

pub mod assign_spaces;
pub mod check_bounded;
pub mod check_tree;
pub mod codes;
pub mod compile;
pub mod elide_copies;
pub mod expand_loops;
pub mod expand_ops;
pub mod explain;
pub mod fold_merges;
pub mod hoist;
pub mod lower_dealloc;
pub mod merge_alloc;
pub mod merge_results;
pub mod merge_workgroup;
pub mod ownership_dealloc;
pub mod packing_options;
pub mod pipelines;
pub mod recompute;
pub mod regions;
pub mod reorder;
pub mod results_to_out_params;
pub mod reuse_arguments;
pub mod reuse_results;
pub mod simplify_dealloc;
pub mod split;
pub mod tree_scan;
pub mod treeify;
pub mod verify;

use memplan_interface::{Declaration, pipeline::Pipeline};

/// The declarations of all passes, in the order of registration: a new pass needs one line here.
pub static PASSES: &[&Declaration] = &[
    &merge_alloc::DECLARATION,
    &merge_workgroup::DECLARATION,
    &elide_copies::DECLARATION,
    &hoist::DECLARATION,
    &reorder::DECLARATION,
    &split::DECLARATION,
    &recompute::DECLARATION,
    &assign_spaces::DECLARATION,
    &explain::DECLARATION,
    &lower_dealloc::DECLARATION,
    &fold_merges::DECLARATION,
    &ownership_dealloc::DECLARATION,
    &regions::DECLARATION,
    &results_to_out_params::DECLARATION,
    &merge_results::DECLARATION,
    &reuse_arguments::DECLARATION,
    &reuse_results::DECLARATION,
    &simplify_dealloc::DECLARATION,
    &verify::DECLARATION,
    &check_bounded::DECLARATION,
    &check_tree::DECLARATION,
    &expand_loops::DECLARATION,
    &expand_ops::DECLARATION,
    &treeify::DECLARATION,
    &tree_scan::DECLARATION,
];

/// All pipelines of memplan: a new one needs one line here.
pub static PIPELINES: &[&Pipeline] = &[&pipelines::DEALLOC, &pipelines::BOUNDED, &pipelines::ALL];
