//! The passes, one module each. Every pass reads IR into facts, decides on plain data, and
//! writes the decision into the IR.

mod call_graph;
pub mod collector;
pub mod functions;
pub mod merge_alloc;
pub mod ownership_dealloc;
#[cfg(test)]
mod random;
pub mod verify;

pub use memplan_mlir::host_problem;
use memplan_mlir::pass::{Declaration, Pass, register};

/// Every pass that memplan has: a new one is one line here.
macro_rules! registry {
    ($($pass:ty),* $(,)?) => {
        /// Makes all passes known to MLIR.
        pub fn register_all() {
            $(register::<$pass>();)*
        }

        /// What each pass says of itself, in the order of registration.
        pub fn declarations() -> Vec<&'static Declaration> {
            vec![$(<$pass as Pass>::DECLARATION),*]
        }
    };
}

registry![
    merge_alloc::MergeAlloc,
    ownership_dealloc::OwnershipDealloc,
    verify::Verify,
];
