//! Joined objects: they are equivalent to the object files, run like them, and are reproducible.

mod like_ld;
mod meaning;
mod mutations;
mod programs;
mod shapes;
mod support;
