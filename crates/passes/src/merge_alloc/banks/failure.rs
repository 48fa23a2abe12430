//! Why no plan keeps the rules of banks.

use memplan_planner::{BankError, Certificate, PlanError, ProblemError};
use std::fmt;

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BankFailure {
    /// A buffer cannot be in its banks, or is fixed elsewhere.
    Buffer(BankError),
    /// These are apart, and there are too few banks for them.
    Apart(Vec<u64>),
    /// There is none.
    NoPlan,
    /// None was found.
    NotFound,
    /// A given plan has several arenas in the memory space, of which only one can start at its first address.
    SeveralArenas,
}

impl BankFailure {
    /// The failure that an error is, if banks are the reason.
    pub fn of(error: &PlanError) -> Option<Self> {
        match error {
            PlanError::Problem(ProblemError::Banks(error)) => Some(Self::Buffer(*error)),
            PlanError::Infeasible { certificate, .. } => Some(match &**certificate {
                Certificate::Apart { buffers } => Self::Apart(buffers.clone()),
                _ => Self::NoPlan,
            }),
            PlanError::NotPlaced { .. } => Some(Self::NotFound),
            PlanError::Problem(_) | PlanError::Capacity { .. } | PlanError::Custom { .. } => None,
        }
    }
}

impl fmt::Display for BankFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Buffer(error) => f.write_str(&error.in_words(&|id| id.to_string().into())),
            Self::Apart(_) => f.write_str("buffers that have to be apart need more banks than there are"),
            Self::NoPlan => f.write_str("no plan fits into the banks and keeps their rules"),
            Self::NotFound => {
                f.write_str("no plan was found that fits into the banks and keeps their rules")
            }
            Self::SeveralArenas => {
                f.write_str("the given plan has several arenas there, and only one can start at its first address")
            }
        }
    }
}
