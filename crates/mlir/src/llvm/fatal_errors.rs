//! Fatal errors of LLVM, which end the process.

use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char},
    fs::File,
    io::{self, Read, Write},
    os::fd::FromRawFd,
    sync::{Once, OnceLock},
};

/// Computes the bytes to write for the reason of a fatal error.
type ReplyFn = Box<dyn Fn(&str) -> Vec<u8>>;

thread_local! {
    static CURRENT_WORK: RefCell<String> = const { RefCell::new(String::new()) };
    /// In a child process: the reply to a fatal error, and the pipe for it.
    static REPLY: RefCell<Option<(ReplyFn, File)>> = const { RefCell::new(None) };
}

/// A handler of fatal errors; its argument is the message.
type Handler = Box<dyn Fn(&str) + Send + Sync>;

/// The signals of a crash.
const CRASHES: [libc::c_int; 5] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
];

static ON_FATAL_ERROR: OnceLock<Handler> = OnceLock::new();

/// Sets the description of this thread's current work, for the message of a fatal error.
pub fn set_current_work(what: &str) {
    CURRENT_WORK.with_borrow_mut(|work| {
        work.clear();
        work.push_str(what);
    });
}

/// Sets the handler that runs before a fatal error of LLVM ends the process. Only the first call has an effect.
pub fn on_fatal_error(handler: impl Fn(&str) + Send + Sync + 'static) {
    let _ = ON_FATAL_ERROR.set(Box::new(handler));
}

/// Makes fatal errors of LLVM report the thread's current work, and end the process with status 1.
pub fn install_fatal_error_handler() {
    extern "C" fn report(reason: *const c_char) {
        // SAFETY: LLVM passes a C string.
        let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
        let replied = REPLY.try_with(|reply| {
            let (reply, mut out) = reply.try_borrow_mut().ok()?.take()?;
            out.write_all(&reply(&reason)).ok()
        });
        let is_replied = matches!(replied, Ok(Some(())));
        if !is_replied {
            let work = CURRENT_WORK.try_with(|work| work.try_borrow().map(|work| work.clone()));
            let work = work.ok().and_then(Result::ok).unwrap_or_default();
            let text = format!("LLVM failed on {work}: {reason}");
            if let Some(handler) = ON_FATAL_ERROR.get() {
                handler(&text);
            }
            // The reader of standard error may be gone.
            let _ = writeln!(io::stderr(), "memplan: error: {text}");
        }
        // SAFETY: runs no destructors of what other threads still use.
        unsafe { libc::_exit(i32::from(!is_replied)) }
    }
    static ONCE: Once = Once::new();
    // SAFETY: called once, since LLVM accepts one handler; the handler does not unwind.
    ONCE.call_once(|| unsafe { LLVMInstallFatalErrorHandler(Some(report)) });
}

/// What replaces this process when it crashes.
#[derive(Debug)]
pub struct Restart {
    /// The path of the program.
    pub program: CString,
    /// The arguments, with the program's name.
    pub arguments: Vec<CString>,
    /// All environment variables, as `NAME=value`.
    pub environment: Vec<CString>,
    /// A file to be written before, with its contents.
    pub file: Option<(CString, Vec<u8>)>,
}

/// A restart in the form that the signal handler needs, which may not allocate.
struct PreparedRestart {
    restart: &'static Restart,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
}

// SAFETY: the pointers are to texts that live as long as the process and never change.
unsafe impl Send for PreparedRestart {}
// SAFETY: as above.
unsafe impl Sync for PreparedRestart {}

static RESTART: OnceLock<PreparedRestart> = OnceLock::new();

/// Starts another program in this process when MLIR or LLVM crashes. Only the first call has an effect.
pub fn restart_on_crash(restart: Restart) {
    /// Calls only functions that a signal handler may call.
    extern "C" fn handle(signal: libc::c_int) {
        // SAFETY: the texts and the lists, which end in null, live as long as the process.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            let Some(prepared) = RESTART.get() else {
                return;
            };
            if let Some((path, contents)) = &prepared.restart.file {
                let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
                let file = libc::open(path.as_ptr(), flags, 0o600);
                let mut rest = contents.as_slice();
                while !rest.is_empty() {
                    let written = libc::write(file, rest.as_ptr().cast(), rest.len());
                    match usize::try_from(written) {
                        Ok(written) if written > 0 => rest = &rest[written..],
                        _ => {
                            if file >= 0 {
                                libc::unlink(path.as_ptr());
                            }
                            return;
                        }
                    }
                }
                libc::close(file);
            }
            // Returns only on failure: the process then ends by the signal.
            libc::execve(
                prepared.restart.program.as_ptr(),
                prepared.arguments.as_ptr(),
                prepared.environment.as_ptr(),
            );
        }
    }
    let pointers = |texts: &'static [CString]| {
        let all = texts.iter().map(|text| text.as_ptr());
        all.chain([std::ptr::null()]).collect()
    };
    let restart: &'static Restart = Box::leak(Box::new(restart));
    let prepared = PreparedRestart {
        restart,
        arguments: pointers(&restart.arguments),
        environment: pointers(&restart.environment),
    };
    if RESTART.set(prepared).is_err() {
        return;
    }
    for signal in CRASHES {
        // SAFETY: zeros are valid; the handler lives as long as the process. The stack of signals is that of Rust's
        // threads.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_ONSTACK | libc::SA_NODEFER;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Runs `work` in a child process and returns its result, or the result of `reply` if a fatal error of LLVM or a crash
/// ends the child. If the child ends in another way, the result is empty. This process must have no other threads: locks that
/// they hold would stay locked for ever in the child.
pub fn run_in_child_process(
    work: impl FnOnce() -> Vec<u8>,
    reply: impl Fn(&str) -> Vec<u8> + 'static,
) -> io::Result<Vec<u8>> {
    let mut pipe = [0; 2];
    // SAFETY: `pipe` has space for two descriptors.
    if unsafe { libc::pipe(pipe.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptors are ours alone, and each is owned once.
    let (mut from, mut to) = unsafe { (File::from_raw_fd(pipe[0]), File::from_raw_fd(pipe[1])) };
    // SAFETY: the caller promises that this is the only thread.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(from);
            if let Ok(out) = to.try_clone() {
                REPLY.set(Some((Box::new(reply), out)));
            }
            // A panic must not continue into the code of the parent process.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            let written = done.is_ok_and(|bytes| to.write_all(&bytes).is_ok());
            // SAFETY: ends this process without destructors, as the parent owns everything.
            unsafe { libc::_exit(i32::from(!written)) }
        }
        child => {
            drop(to);
            let mut bytes = Vec::new();
            let read = from.read_to_end(&mut bytes);
            let mut status = 0;
            // SAFETY: waits for the child that was forked above.
            unsafe { libc::waitpid(child, &raw mut status, 0) };
            if bytes.is_empty() && libc::WIFSIGNALED(status) {
                let signal = libc::WTERMSIG(status);
                return Ok(reply(&format!("it crashed (signal {signal})")));
            }
            read.map(|_| bytes)
        }
    }
}
