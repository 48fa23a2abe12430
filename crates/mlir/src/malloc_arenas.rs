//! The number of malloc arenas.

/// Limits glibc's malloc arenas to `threads`, the number of threads that work. Without a limit each thread gets an
/// arena of its own, and memory that another thread frees there is not reused by others.
pub fn limit_malloc_arenas(threads: usize) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets a parameter of the allocator; a value that it does not accept changes nothing.
    unsafe {
        libc::mallopt(
            libc::M_ARENA_MAX,
            i32::try_from(threads.max(2)).unwrap_or(i32::MAX),
        );
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = threads;
}
