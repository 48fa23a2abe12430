//! Checks of many networks.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::networks::Network;
use super::progress::progress;

/// What `check` finds, in the order of the networks. As many run at a time as asked for, long ones first, so that none
/// is left alone at the end.
pub fn check_all<F: Send>(
    networks: &[Network],
    jobs: usize,
    check: impl Fn(&Network) -> F + Sync,
) -> Vec<F> {
    let mut order: Vec<usize> = (0..networks.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(networks[*at].text.len()));
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(networks.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let network = &networks[*at];
                    let findings = check(network);
                    let mut results = results.lock().expect("no worker panics");
                    results.push((*at, findings));
                    progress(&network.name, results.len(), networks.len());
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, findings)| findings).collect()
}

/// Shows what does not hold of each network. Returns of how many something does not.
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
