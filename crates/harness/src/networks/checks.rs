//! Checks of many networks.

use std::io::{self, Write};

use super::Network;
use crate::workers::work_on_all;

/// What `check` finds, in the order of the networks. `jobs` of them run at a time, long ones first, so that none is
/// left alone at the end.
pub fn check_all<F: Send>(
    networks: &[Network],
    jobs: usize,
    check: impl Fn(&Network) -> F + Sync,
) -> Vec<F> {
    let mut turns: Vec<usize> = (0..networks.len()).collect();
    turns.sort_by_key(|at| std::cmp::Reverse(networks[*at].text.len()));
    work_on_all(
        networks,
        &turns,
        jobs,
        |network| network.name.clone(),
        check,
    )
}

/// Shows what does not hold of each network. Returns of how many something does not.
///
/// # Errors
///
/// Nothing can be written to `out`.
pub fn show_failures<'f>(
    results: impl IntoIterator<Item = (&'f str, &'f [String])>,
    out: &mut impl Write,
) -> io::Result<usize> {
    let mut failed = 0;
    for (name, failures) in results {
        failed += usize::from(!failures.is_empty());
        for failure in failures {
            writeln!(out, "FAIL  {name}: {failure}")?;
        }
    }
    Ok(failed)
}
