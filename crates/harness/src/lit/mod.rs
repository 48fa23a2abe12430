//! FileCheck tests: files whose `RUN:` lines are bash commands that must all succeed.
//!
//! [`suite`] finds and runs the tests, [`execute`] runs one, and [`script`] parses its keywords
//! with [`expression`] and [`substitution`]. [`options`] is the command line.

pub mod execute;
pub mod expression;
pub mod options;
pub mod script;
pub mod substitution;
pub mod suite;
