//! The page on what operations do to memory. Its tables come from MLIR: who has LLVM passes them.

use crate::page::Page;

/// What the page is called.
pub const NAME: &str = "operations";

/// What the page has in place of tables that cannot be computed.
pub const NO_TABLES: &str =
    "*The tables are missing: they need LLVM, which `memplan-llvm` loads.*\n\n";

const INTRODUCTION: &str = "# Operations\n\nThe memory effects that memplan assumes for each operation of stock `mlir-opt` that touches memrefs, \
         and whether `memplan compile` lowers it. \
         Operands and results are counted from 0. An operation with several forms has a row for each answer. \
         *interfaces*: from MLIR's interfaces; *table*: memplan's table adds to these; *unknown*: the operation may do \
         anything.\n\n*compile*: `memplan compile` makes an object of the operation; a feature of the processor that it needs; or \
         *no*: an error at its place (`memplan-E902`, `memplan-E903`). Tests compile and run a sample of each that says yes. Objects \
         refer to libc and libm only, and to the library of the C compiler: `__truncsfbf2` for bf16 is in GCC's from 13 on, and in \
         compiler-rt. `async` needs `libmlir_async_runtime`, `mpi` the MPI library, `omp` libomp, and `vector.print` \
         `libmlir_c_runner_utils`.\n\nEffects of operations of other dialects come from their interfaces. A compiler that embeds \
         memplan can register a description instead: the basis is then *registered*, and the words are those of this page \
         ([embedding](embedding.html)).\n\nA row has no effects of the operations in its regions. The effects of a \
         call are those of its callee.\n\n";

/// The page without a text.
pub(crate) fn page() -> Page {
    Page {
        name: NAME.to_owned(),
        title: "What each operation is taken to do to memory".to_owned(),
        text: String::new(),
    }
}

/// The page with its tables.
pub(crate) fn whole_page(tables: &str) -> Page {
    Page {
        text: format!("{INTRODUCTION}{tables}"),
        ..page()
    }
}
