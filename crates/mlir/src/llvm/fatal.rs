//! Errors after which LLVM ends the process.

use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use std::{
    cell::RefCell,
    ffi::{CStr, c_char},
    fs::File,
    io::{self, Read, Write},
    os::fd::FromRawFd,
    sync::{Once, OnceLock},
};

/// What is to be written, of a reason.
type Answer = Box<dyn Fn(&str) -> Vec<u8>>;

thread_local! {
    static WORK: RefCell<String> = const { RefCell::new(String::new()) };
    /// In a process of its own: what it is to answer, and where.
    static ANSWER: RefCell<Option<(Answer, File)>> = const { RefCell::new(None) };
}

/// What is done with what there is to say.
type Last = Box<dyn Fn(&str) + Send + Sync>;

static LAST: OnceLock<Last> = OnceLock::new();

/// Says what this thread works on.
pub fn at_work_on(what: &str) {
    WORK.with_borrow_mut(|work| {
        work.clear();
        work.push_str(what);
    });
}

/// What is done before a fatal error of LLVM's ends the process; it is handed what there is to say. The first one stays.
pub fn before_the_end(last: impl Fn(&str) + Send + Sync + 'static) {
    let _ = LAST.set(Box::new(last));
}

/// Lets LLVM's fatal errors say what the thread worked on, and end the process with 1.
pub fn name_fatal_errors() {
    extern "C" fn report(reason: *const c_char) {
        // SAFETY: LLVM hands over a text.
        let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
        let answered = ANSWER.try_with(|answer| {
            let (answer, mut out) = answer.try_borrow_mut().ok()?.take()?;
            out.write_all(&answer(&reason)).ok()
        });
        let is_answered = matches!(answered, Ok(Some(())));
        if !is_answered {
            let work = WORK.try_with(|work| work.try_borrow().map(|work| work.clone()));
            let work = work.ok().and_then(Result::ok).unwrap_or_default();
            let text = format!("LLVM gave up on {work}: {reason}");
            if let Some(last) = LAST.get() {
                last(&text);
            }
            // Whoever reads it may be gone.
            let _ = writeln!(io::stderr(), "memplan: error: {text}");
        }
        // SAFETY: nothing is torn down that other threads still work with.
        unsafe { libc::_exit(i32::from(!is_answered)) }
    }
    static ONCE: Once = Once::new();
    // SAFETY: once, since LLVM takes one handler; it does not unwind.
    ONCE.call_once(|| unsafe { LLVMInstallFatalErrorHandler(Some(report)) });
}

/// What `work` gives in a process of its own, or `answer` where LLVM ends that; nothing where it ends in another way. This
/// process must have no other threads: what they hold would be held for ever in the other one.
pub fn in_another_process(
    work: impl FnOnce() -> Vec<u8>,
    answer: impl Fn(&str) -> Vec<u8> + 'static,
) -> io::Result<Vec<u8>> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors.
    if unsafe { libc::pipe(ends.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: they are ours alone, and each is owned once.
    let (mut from, mut to) = unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
    // SAFETY: by the caller's promise, one thread is all that there is.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(from);
            if let Ok(out) = to.try_clone() {
                ANSWER.set(Some((Box::new(answer), out)));
            }
            // A panic must not go on with what is the other process's.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            let written = done.is_ok_and(|bytes| to.write_all(&bytes).is_ok());
            // SAFETY: ends this process, which owns nothing.
            unsafe { libc::_exit(i32::from(!written)) }
        }
        child => {
            drop(to);
            let mut bytes = Vec::new();
            let read = from.read_to_end(&mut bytes);
            // SAFETY: waits for the process that was made above; its status is not needed.
            unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
            read.map(|_| bytes)
        }
    }
}
