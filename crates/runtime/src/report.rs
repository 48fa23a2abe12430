//! Messages on standard error: misuse, leaks, and the table of counters.

use std::ffi::{c_int, c_void};
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::process::abort;
use std::ptr::null_mut;
use std::sync::Once;

use crate::{Error, settings, statistics};

/// The exit status of a process that leaks regions, with `MEMPLAN_REGION_DEBUG=1`.
const LEAKED: c_int = 70;

/// The most leaked regions that are listed.
const LISTED: usize = 16;

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> c_int;
    fn fflush(stream: *mut c_void) -> c_int;
    fn _exit(status: c_int) -> !;
}

/// Prints the error of a call in one line, and aborts the process.
#[cold]
pub(crate) fn misuse(function: &str, handle: i64, error: Error) -> ! {
    end(&format!("{function}: {}: {error}", Name(handle)))
}

/// Aborts the process because a byte of a region was written that is not allocated.
#[cold]
pub(crate) fn stray_write(handle: i64, byte: *const u8) -> ! {
    end(&format!(
        "{}: {byte:p} was written, which is outside of an allocation or was released",
        Name(handle)
    ))
}

fn end(message: &str) -> ! {
    // A failed write to standard error is ignored: there is nowhere else to report it.
    let _ = writeln!(io::stderr(), "memplan: {message}");
    abort()
}

/// The name of a region in messages.
struct Name(i64);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "region {:#x}", self.0)
    }
}

static AT_EXIT: Once = Once::new();

/// Registers the report at exit, if the environment asks for one. Only the first call does anything.
#[inline]
pub(crate) fn init_exit_report() {
    AT_EXIT.call_once(|| {
        let settings = settings::get();
        if settings.stats || settings.debug {
            register_exit_report();
        }
    });
}

fn register_exit_report() {
    // SAFETY: the function stays as long as this library; if the library is unloaded, it runs then.
    if unsafe { atexit(exit_report) } != 0 {
        end("the report at exit is not possible: too many exit functions are registered");
    }
}

extern "C" fn exit_report() {
    let settings = settings::get();
    if settings.stats {
        print();
    }
    if !settings.debug {
        return;
    }
    let leaked: Vec<_> = statistics::regions().collect();
    if leaked.is_empty() {
        return;
    }
    let mut text = format!(
        "memplan: {} leaked at exit:\n",
        plural(leaked.len(), "region")
    );
    for (handle, usage) in leaked.iter().take(LISTED) {
        let references = plural(usage.references as usize, "reference");
        let bytes = plural(usage.bytes as usize, "byte");
        let _ = writeln!(text, "  {}: {references}, {bytes} in use", Name(*handle));
    }
    if leaked.len() > LISTED {
        let _ = writeln!(text, "  and {} more", leaked.len() - LISTED);
    }
    let _ = io::stderr().write_all(text.as_bytes());
    // SAFETY: with null, all streams of C are flushed. Then the process ends without running anything else.
    unsafe {
        fflush(null_mut());
        _exit(LEAKED)
    }
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Prints the table of the process's counters to standard error.
pub(crate) fn print() {
    let _ = io::stderr().write_all(table().as_bytes());
}

fn table() -> String {
    let usage = statistics::process();
    let numbers = [
        ("regions made", usage.regions_made),
        ("regions alive", usage.regions_alive),
        ("regions alive, at most", usage.most_regions_alive),
        ("allocations", usage.allocations),
        ("blocks from the system", usage.system_blocks),
        ("chunks from the system", usage.system_chunks),
    ];
    let sizes = [
        ("allocated in all", usage.total_bytes),
        ("in use", usage.bytes),
        ("held by regions", usage.region_bytes),
        ("held with pools", usage.held_bytes),
        ("held with pools, at most", usage.most_held_bytes),
    ];
    let mut text = String::from("memplan regions\n");
    for (name, number) in numbers {
        let _ = writeln!(text, "  {name:<26}{:>20}", digits(number));
    }
    for (name, bytes) in sizes {
        let line = format!("  {name:<26}{:>20} B{:>14}", digits(bytes), binary(bytes));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// A number in groups of three digits.
fn digits(number: u64) -> String {
    let plain = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in plain.chars().enumerate() {
        if at > 0 && (plain.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Bytes in the largest unit from KiB on of which there is at least one.
fn binary(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let unit = units.into_iter().find(|(_, bits)| bytes >> bits > 0);
    unit.map_or(String::new(), |(name, bits)| {
        format!("{:.1} {name}", bytes as f64 / (1u64 << bits) as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_have_units() {
        assert_eq!(digits(0), "0");
        assert_eq!(digits(123), "123");
        assert_eq!(digits(1234), "1,234");
        assert_eq!(digits(1_234_567), "1,234,567");
        assert_eq!(binary(1023), "");
        assert_eq!(binary(1536), "1.5 KiB");
        assert_eq!(binary(3 << 30), "3.0 GiB");
    }

    #[test]
    fn the_table_is_aligned() {
        let table = table();
        let ends: Vec<_> = table.lines().skip(1).map(str::len).collect();
        assert_eq!(ends.len(), 11);
        assert!(ends[..6].iter().all(|end| *end == ends[0]), "{table}");
    }
}
