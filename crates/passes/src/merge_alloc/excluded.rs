//! Addresses of arenas that no buffer may use.

use super::per_space::PerSpace;

/// A range of such addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excluded {
    /// The first one.
    pub start: u64,
    /// The first one after them.
    pub end: u64,
    /// The name of the global whose bytes they are; empty where the option `forbid` excludes them.
    pub state: String,
}

/// Those of each memory space.
pub type ExcludedAddresses = PerSpace<Vec<Excluded>>;
