//! Problems to try planners on, and what must hold of their answers: for the planner's tests, examples and benches.
//!
//! | | |
//! |---|---|
//! | [`networks`], [`planted`], [`grid`] | problems that are generated: shapes of networks, packings that are known, all small ones |
//! | [`by_name`] | one of these, or a file, by what is written on a command line |
//! | [`case`] | random problems |
//! | [`answers`], [`csv_text`] | what must hold for the answers to them, and for them as CSV |
//! | [`oracle`], [`milp`] | what is true of small problems, by trying everything and by another solver |
//! | [`proof`] | what must hold for certificates |
//! | [`random`] | numbers that look random, for tests |

#![forbid(unsafe_code)]

pub mod answers;
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
