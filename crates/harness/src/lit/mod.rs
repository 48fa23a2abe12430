//! FileCheck tests: files whose `RUN:` lines are commands of bash that all succeed.
//!
//! [`suite`] finds and runs them, [`execute`] runs one, [`script`] reads what it asks for, with [`expression`] and
//! [`substitution`]; [`options`] is the command line.

pub mod execute;
pub mod expression;
pub mod options;
pub mod script;
pub mod substitution;
pub mod suite;
