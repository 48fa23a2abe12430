//! The memory use of this process.

use std::fs;

/// Resident bytes now; 0 if not available.
pub fn now() -> u64 {
    field("VmRSS:")
}

/// The peak of resident bytes; 0 if not available.
pub fn peak() -> u64 {
    field("VmHWM:")
}

fn field(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    let kibibytes: u64 = number.and_then(|text| text.parse().ok()).unwrap_or(0);
    kibibytes * 1024
}
