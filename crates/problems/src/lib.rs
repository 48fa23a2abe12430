//! Problems for tests of planners, and properties of their results. The planner's tests, examples
//! and benches use them.
//!
//! | module | contents |
//! |---|---|
//! | [`networks`], [`planted`], [`grid`] | generated problems: shapes of networks, known packings, all small problems |
//! | [`by_name`] | a generated problem or a file, by its name on a command line |
//! | [`case`] | random problems |
//! | [`answers`], [`csv_text`] | properties of results, and of problems as CSV |
//! | [`banks`] | problems with banks, and properties of their results |
//! | [`oracle`], [`milp`] | reference results for small problems, by exhaustive search and by another solver |
//! | [`proof`] | properties of certificates |
//! | [`random`], [`numbers`] | pseudo-random numbers |

#![forbid(unsafe_code)]

pub mod answers;
pub mod banks;
pub mod by_name;
pub mod case;
pub mod csv_text;
pub mod grid;
pub mod milp;
pub mod networks;
pub mod numbers;
pub mod oracle;
pub mod planted;
pub mod proof;
pub mod random;
