//! Looks at a search from another thread, and stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What is seen of the search of one problem, and whether it is to stop.
///
/// ```
/// use memplan_planner::{Buffer, Options, Planner, Problem, Watch};
///
/// let problem = Problem::new(vec![Buffer::new(0, 64, [(0, 2)]), Buffer::new(1, 32, [(1, 3)])]).unwrap();
/// let watch = Watch::default();
/// watch.stop(); // as another thread may do at any time
/// let outcome = Planner::Auto.solve_watched(&problem, &Options::default(), &watch).unwrap();
/// assert_eq!((outcome.solution.peak, watch.best(), watch.bound()), (96, Some(96), 96));
/// ```
#[derive(Debug)]
pub struct Watch {
    stop: Arc<AtomicBool>,
    best: AtomicU64,
    bound: AtomicU64,
}

impl Default for Watch {
    fn default() -> Self {
        Self::stopped_by(Arc::default())
    }
}

impl Watch {
    /// One that stops once this is true: several may share it, and a handler of signals may set it.
    pub fn stopped_by(stop: Arc<AtomicBool>) -> Self {
        Self {
            stop,
            best: AtomicU64::new(u64::MAX),
            bound: AtomicU64::new(0),
        }
    }

    /// Lets the search end soon, with the best plan that it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The peak of the best plan so far, in bytes; `None` if there is none yet.
    pub fn best(&self) -> Option<u64> {
        let best = self.best.load(Ordering::Relaxed);
        (best < u64::MAX).then_some(best)
    }

    /// What no plan is below, as far as it is proven, in bytes.
    pub fn bound(&self) -> u64 {
        self.bound.load(Ordering::Relaxed)
    }

    pub(crate) fn note(&self, best: u64, bound: u64) {
        self.best.fetch_min(best, Ordering::Relaxed);
        self.bound.fetch_max(bound, Ordering::Relaxed);
    }
}

/// When a search ends, whatever steps are left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Until<'w> {
    /// The time, if there is a limit.
    pub deadline: Option<Instant>,
    /// Who may stop it.
    pub watch: Option<&'w Watch>,
}

impl Until<'_> {
    /// Whether that is now.
    pub fn is_over(&self) -> bool {
        self.watch.is_some_and(Watch::is_stopped)
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
