//! A spinner during long work, on a terminal only.

use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// Time before the spinner appears.
const DELAY: Duration = Duration::from_millis(400);
/// Time between two frames of the spinner.
const FRAME: Duration = Duration::from_millis(120);

/// Does the work. Meanwhile shows a message, how far the work is, and the elapsed time on standard error, if that is a
/// terminal.
pub fn during<T>(
    message: &str,
    status: &(dyn Fn() -> String + Sync),
    work: impl FnOnce() -> T,
) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        // Without a thread for it, there is no spinner.
        let spinner = thread::Builder::new().spawn_scoped(scope, move || {
            if waiting.recv_timeout(DELAY) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(message.to_owned());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(FRAME);
            // Another error means that the sender was dropped: the work is done.
            while waiting.recv_timeout(FRAME) == Err(RecvTimeoutError::Timeout) {
                bar.set_message(format!("{message}{}", status()));
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(done);
        drop(spinner);
        result
    })
}
