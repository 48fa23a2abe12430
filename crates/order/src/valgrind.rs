//! What valgrind is told of the lock: it does not see Rust's. Nothing without the feature.

/// What this thread has done until now comes before what others do behind [`after`], of the same address.
pub fn before<T>(at: *const T) {
    #[cfg(feature = "valgrind")]
    crabgrind::helgrind::annotate_happens_before(at.cast());
    #[cfg(not(feature = "valgrind"))]
    let _ = at;
}

/// What others have done until their last [`before`], of the same address, comes before what this thread does now.
pub fn after<T>(at: *const T) {
    #[cfg(feature = "valgrind")]
    crabgrind::helgrind::annotate_happens_after(at.cast());
    #[cfg(not(feature = "valgrind"))]
    let _ = at;
}
