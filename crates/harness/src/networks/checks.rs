//! Checks of many networks.

use std::io::{self, Write};

use super::Network;
use crate::workers::work_on_all;

/// The results of `check` in the order of the networks. Runs `jobs` checks at a time, large
/// networks first, so that none runs alone at the end.
pub fn check_all<F: Send>(
    networks: &[Network],
    jobs: usize,
    check: impl Fn(&Network) -> F + Sync,
) -> Vec<F> {
    let mut order: Vec<usize> = (0..networks.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(networks[*at].text.len()));
    work_on_all(
        networks,
        &order,
        jobs,
        |network| network.name.clone(),
        check,
    )
}

/// Prints the failures of each network. Returns the number of networks with failures.
///
/// # Errors
///
/// The error of writing to `out`.
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
