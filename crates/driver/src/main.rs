//! The command line: memplan
fn main() {}
