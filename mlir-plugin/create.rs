//! Passes and pipelines for melior's pass managers. Options are written as between the braces of a textual pipeline:
//! `"planner=exact verify=true"`. The manual lists those of each pass (`memplan help PASS`).
//!
//! All functions require a call of [`register_all`](crate::register_all) first.

use memplan_mlir::create;
use memplan_mlir::melior::pass::{OperationPassManager, Pass};

pub use memplan_mlir::create::{CreateError, pass, pipeline};

macro_rules! passes {
    ($($name:ident = $argument:literal;)*) => {
        $(
            #[doc = concat!("The pass `", $argument, "`.")]
            ///
            /// # Errors
            ///
            /// It does not take these options, or nothing has been registered.
            pub fn $name(options: &str) -> Result<Pass, CreateError> {
                create::pass($argument, options)
            }
        )*

        /// The passes above.
        #[cfg(test)]
        const PASSES: &[&str] = &[$($argument),*];
    };
}

macro_rules! pipelines {
    ($($name:ident = $argument:literal;)*) => {
        $(
            #[doc = concat!("Adds the passes of the pipeline `", $argument, "`.")]
            ///
            /// # Errors
            ///
            /// It does not take these options, or nothing has been registered.
            pub fn $name(
                manager: OperationPassManager<'_, '_>,
                options: &str,
            ) -> Result<(), CreateError> {
                create::pipeline(manager, $argument, options)
            }
        )*

        /// The pipelines above.
        #[cfg(test)]
        const PIPELINES: &[&str] = &[$($argument),*];
    };
}

passes! {
    merge_alloc = "memplan-merge-alloc";
    merge_workgroup = "memplan-merge-workgroup";
    elide_copies = "memplan-elide-copies";
    hoist = "memplan-hoist";
    reorder = "memplan-reorder";
    split = "memplan-split";
    recompute = "memplan-recompute";
    assign_spaces = "memplan-assign-spaces";
    explain = "memplan-explain";
    lower_dealloc = "memplan-lower-dealloc";
    fold_merges = "memplan-fold-merges";
    ownership_dealloc = "memplan-ownership-dealloc";
    regions = "memplan-regions";
    results_to_out_params = "memplan-results-to-out-params";
    merge_results = "memplan-merge-results";
    reuse_arguments = "memplan-reuse-arguments";
    reuse_results = "memplan-reuse-results";
    simplify_dealloc = "memplan-simplify-dealloc";
    verify = "memplan-verify";
    check_bounded = "memplan-check-bounded";
    check_tree = "memplan-check-tree";
    expand_loops = "memplan-expand-loops";
    expand_ops = "memplan-expand-ops";
    treeify = "memplan-treeify";
    tree_scan = "memplan-tree-scan";
}

pipelines! {
    add_dealloc_pipeline = "memplan-dealloc-pipeline";
    add_bounded_pipeline = "memplan-bounded-pipeline";
    add_memplan = "memplan";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_function_for_each_pass_and_each_pipeline() {
        let declared = crate::passes::declarations();
        let declared: Vec<_> = declared.iter().map(|one| one.argument).collect();
        assert_eq!(PASSES, declared);
        let pipelines = crate::passes::PIPELINES.iter();
        let pipelines: Vec<_> = pipelines.map(|one| one.argument).collect();
        assert_eq!(PIPELINES, pipelines);
    }

    #[test]
    fn any_thread_may_be_the_first_to_register() {
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    crate::register_all().expect("the LLVM that this was built with");
                    assert!(merge_alloc("").is_ok());
                });
            }
        });
    }

    #[test]
    fn each_can_be_made_and_refuses_an_option_that_is_none() {
        crate::register_all().expect("the LLVM that this was built with");
        let context = crate::context();
        let manager = crate::melior::pass::PassManager::new(&context);
        for name in PASSES {
            assert!(pass(name, "").is_ok(), "{name}");
            assert!(pass(name, "no-such-option=1").is_err(), "{name}");
        }
        for name in PIPELINES {
            let manager = manager.as_operation_pass_manager();
            assert_eq!(pipeline(manager, name, ""), Ok(()));
            assert!(pipeline(manager, name, "no-such-option=1").is_err());
        }
    }
}
