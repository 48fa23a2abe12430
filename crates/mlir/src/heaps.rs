//! Where threads allocate.

/// Lets so many threads that work, and a few that do little, share so many heaps. glibc gives each thread one of its own, and
/// what another thread frees there is not used by others.
pub fn share_heaps(threads: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets a number of the allocator's; a number that it does not take changes nothing.
    unsafe {
        libc::mallopt(
            libc::M_ARENA_MAX,
            i32::try_from(threads.max(2)).unwrap_or(i32::MAX),
        );
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = threads;
}
