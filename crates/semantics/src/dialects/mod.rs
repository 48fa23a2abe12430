//! One table per dialect: the semantics of its operations that MLIR's interfaces do not describe, or describe
//! wrongly.
//!
//! To add an operation, add one row. An unregistered operation has no row, because its name has no defined meaning.

mod acc;
mod affine;
mod amdgpu;
mod amx;
mod arith;
mod arm_sme;
mod r#async;
mod bufferization;
mod builtin;
mod cf;
mod complex;
mod func;
mod gpu;
mod index;
mod linalg;
mod llvm;
mod math;
mod memref;
mod ml_program;
mod mpi;
mod nvgpu;
mod nvvm;
mod omp;
mod rocdl;
mod scf;
mod shard;
mod sparse_tensor;
mod ub;
pub mod unchecked;
mod vector;
mod xegpu;

use crate::names::NameInfo;
use crate::statement::{Dialect, Speculation, Statement};
use memplan_mlir::{ir::Op, melior::ir::operation::OperationLike};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// All tables, sorted by name.
pub const DIALECTS: [&Dialect; 30] = [
    &acc::DIALECT,
    &affine::DIALECT,
    &amdgpu::DIALECT,
    &amx::DIALECT,
    &arith::DIALECT,
    &arm_sme::DIALECT,
    &r#async::DIALECT,
    &bufferization::DIALECT,
    &builtin::DIALECT,
    &cf::DIALECT,
    &complex::DIALECT,
    &func::DIALECT,
    &gpu::DIALECT,
    &index::DIALECT,
    &linalg::DIALECT,
    &llvm::DIALECT,
    &math::DIALECT,
    &memref::DIALECT,
    &ml_program::DIALECT,
    &mpi::DIALECT,
    &nvgpu::DIALECT,
    &nvvm::DIALECT,
    &omp::DIALECT,
    &rocdl::DIALECT,
    &scf::DIALECT,
    &shard::DIALECT,
    &sparse_tensor::DIALECT,
    &ub::DIALECT,
    &vector::DIALECT,
    &xegpu::DIALECT,
];

/// Dialects whose operations without memory effects compute the same from the same operands, in any thread.
const OF_VALUES: [&str; 6] = ["affine", "arith", "complex", "index", "math", "vector"];

type Statements = &'static [Statement];

/// The table entry of an operation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableEntry {
    /// Its row.
    pub(crate) row: Option<Statements>,
    /// The statements of its dialect about operations without a row.
    pub(crate) others: Statements,
    /// No operation may be moved across the operations of its dialect.
    pub(crate) is_ordered: bool,
    /// Its dialect computes results from the values of operands alone, unless an operation has memory effects.
    pub(crate) is_of_values: bool,
}

impl TableEntry {
    /// All statements about the operation: its row, or those of its dialect.
    pub(crate) fn statements(self) -> impl Iterator<Item = &'static Statement> {
        self.row.unwrap_or(self.others).iter()
    }

    /// When the operation is speculatable: as its row states, otherwise as its dialect states.
    pub(crate) fn speculation(self) -> Option<Speculation> {
        let mut all = self.row.unwrap_or_default().iter().chain(self.others);
        all.find_map(|say| match say {
            Statement::Speculates(speculation) => Some(*speculation),
            _ => None,
        })
    }
}

static ROWS: LazyLock<FxHashMap<&'static str, Statements>> = LazyLock::new(|| {
    let rows = DIALECTS.iter().flat_map(|dialect| dialect.rows);
    rows.map(|row| (row.name, row.statements)).collect()
});

/// Does the table have an entry for operations of this name?
pub(crate) fn is_known(name: &str) -> bool {
    let entry = entry_of_name(name);
    entry.row.is_some() || !entry.others.is_empty()
}

/// The table entry of an operation; empty if the operation is unregistered.
pub(crate) fn look_up(op: Op<'_>, info: NameInfo) -> TableEntry {
    match info.is_registered() {
        true => entry_of(op),
        false => TableEntry::default(),
    }
}

/// As [`look_up`], for a registered operation.
pub(crate) fn entry_of(op: Op<'_>) -> TableEntry {
    let name = op.name();
    entry_of_name(name.as_string_ref().as_str().unwrap_or_default())
}

fn entry_of_name(name: &str) -> TableEntry {
    let dialect = name.split_once('.').and_then(|(namespace, _)| {
        let mut all = DIALECTS.iter();
        all.find(|dialect| dialect.name == namespace)
    });
    TableEntry {
        row: ROWS.get(name).copied(),
        others: dialect.map_or(&[][..], |dialect| dialect.others),
        is_ordered: dialect.is_some_and(|dialect| dialect.is_ordered),
        is_of_values: dialect.is_some_and(|dialect| OF_VALUES.contains(&dialect.name)),
    }
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
