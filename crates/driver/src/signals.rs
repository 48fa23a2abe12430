//! Ctrl-C and SIGTERM during long work.

use crate::files;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The signals that end work early. A second one ends the process at once.
#[derive(Default)]
pub struct Signals {
    /// Whether any came.
    any: Arc<AtomicBool>,
    /// Whether SIGTERM came.
    terminated: Arc<AtomicBool>,
}

/// Work was ended early, and what there is was written.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Work was ended early, and nothing was written.
#[derive(Debug, thiserror::Error)]
#[error("ended by SIGTERM, nothing was written")]
pub struct Terminated;

impl Signals {
    /// Waits for signals from now on. Where that cannot be, they end the process.
    pub fn listen() -> Self {
        let signals = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first one only sets the flag.
            let again = flag::register_conditional_default(signal, Arc::clone(&signals.any));
            let once = again.and_then(|_| flag::register(signal, Arc::clone(&signals.any)));
            if let Err(error) = once {
                files::say(&format!(
                    "memplan: warning: cannot wait for signals: {error}"
                ));
            }
        }
        // Without it, SIGTERM is as Ctrl-C.
        _ = flag::register(SIGTERM, Arc::clone(&signals.terminated));
        signals
    }

    /// Is set once a signal comes.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.any)
    }

    /// Whether Ctrl-C came.
    ///
    /// # Errors
    ///
    /// SIGTERM came: what there is is not wanted.
    pub fn interrupted(&self) -> Result<bool, Terminated> {
        match self.terminated.load(Ordering::Relaxed) {
            true => Err(Terminated),
            false => Ok(self.any.load(Ordering::Relaxed)),
        }
    }
}
