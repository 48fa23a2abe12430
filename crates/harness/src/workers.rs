//! Work on several threads, with a progress line.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `work` for each of `items`, and returns the results in the order of `items`. Runs `jobs`
/// calls at a time, in the order of the indices in `order`, which has each index once. A terminal
/// shows the progress and the `name` of the last finished item.
pub fn work_on_all<T: Sync, R: Send>(
    items: &[T],
    order: &[usize],
    jobs: usize,
    name: impl Fn(&T) -> String + Sync,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                while let Some(&at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let item = &items[at];
                    let result = work(item);
                    let mut results = results.lock().expect("no worker panics");
                    results.push((at, result));
                    progress(&name(item), results.len(), items.len());
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Overwrites the progress line, on a terminal only.
fn progress(name: &str, done: usize, all: usize) {
    let mut terminal = io::stderr();
    if terminal.is_terminal() {
        let line = if done == all {
            String::new()
        } else {
            format!("{done}/{all} {name}")
        };
        let _ = write!(terminal, "\r\x1b[K{line}");
    }
}
