//! Memory spaces: their names in options, values that options give them, the machine that has them, and what using
//! an allocation in one costs.

pub mod costs;
pub mod machine;
pub mod names;
pub mod per_space;
pub mod uses;
