//! Wrong rows.

use crate::cases::Case;
use memplan_semantics::{
    DataStart, OpMemory, ResultFact, Semantics,
    dialects::{DIALECTS, unchecked::Check},
    statement::{Operands, Row, Statement},
};
use std::fmt;

/// The mistake of a wrong row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A view is described as not being a view.
    ViewForNone,
    /// A write is described as a read.
    WriteForRead,
    /// A partial overwrite is described as a complete one.
    PartForWhole,
    /// An asynchronous operation is described as synchronous.
    AsyncForSync,
    /// The result of an allocation is described as a view.
    NewForView,
}

impl Fault {
    pub const ALL: [Self; 5] = [
        Self::ViewForNone,
        Self::WriteForRead,
        Self::PartForWhole,
        Self::AsyncForSync,
        Self::NewForView,
    ];

    /// The property that is not checked for operations where this mistake is not found.
    pub const fn check(self) -> Check {
        match self {
            Self::ViewForNone => Check::View,
            Self::WriteForRead => Check::Write,
            Self::PartForWhole => Check::Part,
            Self::AsyncForSync => Check::Asynchronous,
            Self::NewForView => Check::New,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ViewForNone => "a view for none",
            Self::WriteForRead => "a write for a read",
            Self::PartForWhole => "a partial overwrite for a whole one",
            Self::AsyncForSync => "asynchronous for synchronous",
            Self::NewForView => "an allocator's result for a view",
        })
    }
}

/// A mistake at an operand or a result of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seed {
    pub fault: Fault,
    /// The operand, for writes.
    pub at: usize,
}

/// The mistakes that can be seeded into correct memory semantics.
pub fn seeds(memory: &OpMemory, overwritten: &[usize]) -> Vec<Seed> {
    let mut found = Vec::new();
    // There is no row for an unknown operation; a call depends on its callee.
    if memory.opaque.is_some() || memory.is_call {
        return found;
    }
    let is_view = memory.results.iter().any(|used| match &used.fact {
        ResultFact::View { .. } | ResultFact::AnyOf(_) => true,
        ResultFact::Address { of } => !of.is_empty(),
        _ => false,
    });
    let is_new = (memory.results.iter()).any(|used| matches!(used.fact, ResultFact::New { .. }));
    let mut add = |fault, at| found.push(Seed { fault, at });
    if is_view {
        add(Fault::ViewForNone, 0);
    }
    for used in &memory.operands {
        let at = used.operand as usize;
        if used.touch.writes() {
            add(Fault::WriteForRead, at);
            if !overwritten.contains(&at) {
                add(Fault::PartForWhole, at);
            }
        }
    }
    if memory.start.is_some() {
        add(Fault::AsyncForSync, 0);
    }
    if is_new {
        add(Fault::NewForView, 0);
    }
    found
}

/// The row of an operation: its own, or the statements about the other operations of its dialect.
fn statements(name: &str) -> Vec<Statement> {
    let namespace = name.split('.').next();
    let dialect = DIALECTS.iter().find(|one| Some(one.name) == namespace);
    let Some(dialect) = dialect else {
        return Vec::new();
    };
    let row = dialect.rows.iter().find(|row| row.name == name);
    row.map_or(dialect.others, |row| row.statements).to_vec()
}

/// The wrong memory semantics of the operation, and the operands that it overwrites completely according to them.
pub fn wrong(case: &Case<'_>, seed: Seed) -> (OpMemory, Vec<usize>) {
    let mut overwritten = case.overwritten.clone();
    if seed.fault == Fault::PartForWhole {
        overwritten.push(seed.at);
        return (case.memory.clone(), overwritten);
    }
    let row = wrong_row(&case.name, seed, &case.memory);
    let memory = Semantics::with_row(row).of(case.op);
    ((*memory).clone(), overwritten)
}

/// The wrong row.
fn wrong_row(name: &str, seed: Seed, memory: &OpMemory) -> Row {
    let mut row = statements(name);
    let number = Operands::Number(seed.at as u32);
    match seed.fault {
        Fault::ViewForNone => {
            let is_address = |used: &memplan_semantics::ResultUse| {
                matches!(used.fact, ResultFact::Address { .. })
            };
            row.push(match memory.results.iter().any(is_address) {
                // An address of no operand.
                true => Statement::Address(Operands::Memref(u32::MAX)),
                false => Statement::Borrows,
            });
        }
        Fault::WriteForRead => {
            row.extend([Statement::Descriptor(number), Statement::Reads(number)])
        }
        // Rows do not contain this.
        Fault::PartForWhole => {}
        Fault::AsyncForSync => row.retain(|say| {
            !matches!(
                say,
                Statement::Starts { .. }
                    | Statement::StartsIfToken(_)
                    | Statement::NeverEnds
                    | Statement::Special(_)
            )
        }),
        Fault::NewForView => {
            row.retain(|say| {
                !matches!(
                    say,
                    Statement::Allocates(_) | Statement::Clones(_) | Statement::Reallocates(_)
                )
            });
            row.push(match memory.operands.first() {
                Some(used) => Statement::Views(Operands::Number(used.operand), DataStart::Same),
                None => Statement::Borrows,
            });
        }
    }
    Row {
        name: name.to_owned().leak(),
        statements: row.leak(),
    }
}
