//! memplan: memory planning for MLIR, as a pass plugin for stock `mlir-opt`, and embedded in compilers.
//!
//! A compiler in Rust, over melior, registers memplan once and adds its passes:
//!
//! ```
//! use memplan::melior::{Context, ir::Module, pass::PassManager};
//!
//! memplan::register_all()?;
//! let context = memplan::context();
//! let mut module = Module::parse(
//!     &context,
//!     "func.func @f(%x: memref<64xf32>) {
//!        %a = memref.alloc() : memref<64xf32>
//!        memref.copy %x, %a : memref<64xf32> to memref<64xf32>
//!        memref.copy %a, %x : memref<64xf32> to memref<64xf32>
//!        return
//!      }",
//! )
//! .ok_or("no module")?;
//! let manager = PassManager::new(&context);
//! manager.add_pass(memplan::create::merge_alloc("planner=exact verify=true")?);
//! manager.run(&mut module)?;
//! assert!(module.as_operation().to_string().contains("memplan.arena"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Lifetimes and the planner by themselves, without a pass:
//!
//! ```
//! use memplan::{
//!     ir,
//!     lifetimes::{NoCallees, analyse},
//!     melior::ir::{Module, operation::OperationLike},
//!     planner::{Buffer, Planner, Problem},
//!     semantics::Semantics,
//! };
//!
//! let context = memplan::context();
//! let module = Module::parse(
//!     &context,
//!     "func.func @f(%x: memref<64xf32>) {
//!        %a = memref.alloc() : memref<64xf32>
//!        memref.copy %x, %a : memref<64xf32> to memref<64xf32>
//!        memref.copy %a, %x : memref<64xf32> to memref<64xf32>
//!        %b = memref.alloc() : memref<64xf32>
//!        memref.copy %x, %b : memref<64xf32> to memref<64xf32>
//!        memref.copy %b, %x : memref<64xf32> to memref<64xf32>
//!        return
//!      }",
//! )
//! .ok_or("no module")?;
//! let function = ir::ops(module.body()).next().ok_or("no function")?;
//! let facts = analyse(function, &mut Semantics::default(), &NoCallees::default());
//! let buffers = facts.plannable.iter().map(|one| {
//!     let size = facts.program.buffers[one.buffer.index()].size;
//!     let live = one.live.iter().map(|(start, end)| (u64::from(*start), u64::from(*end)));
//!     Buffer::new(u64::from(one.buffer.0), size, live).aligned(one.alignment)
//! });
//! let outcome = Planner::Auto.solve(&Problem::new(buffers.collect())?)?;
//! assert_eq!(outcome.solution.offsets, [0, 0]);
//! assert_eq!((outcome.solution.peak, outcome.optimal), (256, true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`create`] has all passes and pipelines, [`planner`] plans without MLIR, and [`lifetimes`] says which buffers a
//! function has and when they are live. [`planner::custom`] registers planners, and
//! [`semantics::register`] registers descriptions of the memory behavior of other dialects' operations. A panic in a
//! registered function is caught, and fails the pass that called it.
//!
//! The C API of `include/memplan-c`, over which the C++ headers are written, is here, too. `mlir-plugin/shared` makes the
//! shared libraries of all this.

mod capi;
pub mod create;

pub use memplan_lifetimes as lifetimes;
pub use memplan_mlir::{ir, melior};
pub use memplan_passes as passes;
pub use memplan_planner as planner;
pub use memplan_semantics as semantics;
pub use memplan_semantics::names;

use memplan_mlir::context::with_all_dialects;
use std::{fmt, sync::OnceLock};

/// The LLVM of this process is not the one that memplan was built with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostError(String);

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HostError {}

/// Registers all passes and pipelines with MLIR, and the passes of MLIR that they use. May be called repeatedly, and
/// by any thread.
///
/// # Errors
///
/// The process has another LLVM than the one that memplan was built with; nothing is registered.
pub fn register_all() -> Result<(), HostError> {
    static DONE: OnceLock<Result<(), HostError>> = OnceLock::new();
    let register = || match memplan_passes::host_problem() {
        Some(problem) => Err(HostError(problem)),
        None => {
            memplan_passes::register_all();
            Ok(())
        }
    };
    DONE.get_or_init(register).clone()
}

/// A context with all dialects and translations of MLIR.
pub fn context() -> melior::Context {
    with_all_dialects()
}
