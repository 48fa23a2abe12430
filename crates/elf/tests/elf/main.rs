//! What is joined: that it says what its units said, runs as they do, and is the same each time.

mod like_ld;
mod meaning;
mod mutations;
mod programs;
mod shapes;
mod support;
