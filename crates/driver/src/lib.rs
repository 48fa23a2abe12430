//! The command line: memplan
