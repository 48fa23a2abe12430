//! One table a dialect: what MLIR's interfaces do not say of its operations, or say wrongly.
//!
//! A new operation is one row here. An operation that is not registered has none: its name says nothing.

mod acc;
mod affine;
mod amdgpu;
mod arith;
mod arm_sme;
mod r#async;
mod bufferization;
mod builtin;
mod cf;
mod complex;
mod gpu;
mod index;
mod linalg;
mod llvm;
mod math;
mod memref;
mod ml_program;
mod mpi;
mod nvgpu;
mod omp;
mod scf;
mod sparse_tensor;
mod ub;
pub mod unchecked;
mod vector;
mod xegpu;

use crate::statement::{Dialect, Statement};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike, names::NameInfo};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// All tables, in the order of names.
pub const DIALECTS: [&Dialect; 25] = [
    &acc::DIALECT,
    &affine::DIALECT,
    &amdgpu::DIALECT,
    &arith::DIALECT,
    &arm_sme::DIALECT,
    &r#async::DIALECT,
    &bufferization::DIALECT,
    &builtin::DIALECT,
    &cf::DIALECT,
    &complex::DIALECT,
    &gpu::DIALECT,
    &index::DIALECT,
    &linalg::DIALECT,
    &llvm::DIALECT,
    &math::DIALECT,
    &memref::DIALECT,
    &ml_program::DIALECT,
    &mpi::DIALECT,
    &nvgpu::DIALECT,
    &omp::DIALECT,
    &scf::DIALECT,
    &sparse_tensor::DIALECT,
    &ub::DIALECT,
    &vector::DIALECT,
    &xegpu::DIALECT,
];

type Statements = &'static [Statement];

static ROWS: LazyLock<FxHashMap<&'static str, Statements>> = LazyLock::new(|| {
    let rows = DIALECTS.iter().flat_map(|dialect| dialect.rows);
    rows.map(|row| (row.name, row.statements)).collect()
});

/// Does the table say something of operations of this name?
pub(crate) fn is_known(name: &str) -> bool {
    let (row, others) = rows_of(name);
    row.is_some() || !others.is_empty()
}

/// The row of an operation, and what its dialect says of operations without one.
pub(crate) fn look_up(op: Op<'_>, info: NameInfo) -> (Option<Statements>, Statements) {
    match info.is_registered() {
        true => rows(op),
        false => (None, &[]),
    }
}

/// As [`look_up`], of an operation that is registered.
pub(crate) fn rows(op: Op<'_>) -> (Option<Statements>, Statements) {
    let name = op.name();
    rows_of(name.as_string_ref().as_str().unwrap_or_default())
}

fn rows_of(name: &str) -> (Option<Statements>, Statements) {
    let dialect = name.split_once('.').and_then(|(namespace, _)| {
        let mut all = DIALECTS.iter();
        all.find(|dialect| dialect.name == namespace)
    });
    let others = dialect.map_or(&[][..], |dialect| dialect.others);
    (ROWS.get(name).copied(), others)
}

#[cfg(test)]
mod tests {
    use super::DIALECTS;

    #[test]
    fn rows_are_in_order_and_of_their_dialect() {
        assert!(DIALECTS.is_sorted_by_key(|dialect| dialect.name));
        for dialect in DIALECTS {
            let names = || dialect.rows.iter().map(|row| row.name);
            assert!(
                names().is_sorted_by(|a, b| a < b),
                "the rows of {}",
                dialect.name
            );
            for name in names() {
                let namespace = name.split_once('.').map(|(namespace, _)| namespace);
                assert_eq!(namespace, Some(dialect.name), "{name}");
            }
        }
    }
}
