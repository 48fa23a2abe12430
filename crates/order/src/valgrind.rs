//! Annotations of the lock for valgrind's drd, which does not know the locks of Rust's standard library. Empty
//! without the feature.

/// Annotates that everything this thread has done so far happens before what other threads do after [`after`], for
/// the same address.
pub fn before<T>(at: *const T) {
    #[cfg(feature = "valgrind")]
    crabgrind::helgrind::annotate_happens_before(at.cast());
    #[cfg(not(feature = "valgrind"))]
    let _ = at;
}

/// Annotates that everything other threads did until their last [`before`] happens before what this thread does
/// now, for the same address.
pub fn after<T>(at: *const T) {
    #[cfg(feature = "valgrind")]
    crabgrind::helgrind::annotate_happens_after(at.cast());
    #[cfg(not(feature = "valgrind"))]
    let _ = at;
}
