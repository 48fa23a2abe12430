//! Solves one problem in a process of its own, to measure its memory.

use crate::Result;
use memplan_planner::{Planner, validate::validate};
use memplan_problems::by_name;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The first argument of the child process; the second is the name of the problem.
pub const COMMAND: &str = "--one";

/// The measurements of a process.
pub struct Measured {
    pub buffers: usize,
    /// Bytes.
    pub load: u64,
    /// Bytes.
    pub bound: u64,
    /// Bytes of the known plan; 0 if none is known.
    pub known: u64,
    /// Bytes.
    pub peak: u64,
    /// Seconds of planning.
    pub seconds: f64,
    /// The peak memory of planning and of the problem, in KiB; 0 where it is not available.
    pub kib: u64,
}

/// Runs a child process on the problem of this name.
pub fn measure(name: &str) -> Result<Measured> {
    let output = Command::new(std::env::current_exe()?)
        .args([COMMAND, name])
        .stderr(Stdio::inherit())
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let &[buffers, load, bound, known, peak, seconds, kib] = &words[..] else {
        return Err(format!("{name}: {}", output.status).into());
    };
    Ok(Measured {
        buffers: buffers.parse()?,
        load: load.parse()?,
        bound: bound.parse()?,
        known: known.parse()?,
        peak: peak.parse()?,
        seconds: seconds.parse()?,
        kib: kib.parse()?,
    })
}

/// The main function of the child process.
pub fn run(name: &str) -> Result<()> {
    let (problem, known) = by_name::problem(name)?;
    let known = known.map_or(0, |plan| plan.peak);
    // Resets the peak memory after generating or reading on Linux; has no effect elsewhere.
    _ = fs::write("/proc/self/clear_refs", "5");
    let start = Instant::now();
    let outcome = Planner::Auto.solve(&problem)?;
    let seconds = start.elapsed().as_secs_f64();
    let kib = most_memory();
    validate(&problem, &outcome.solution)?;
    let (buffers, bounds, peak) = (problem.buffers.len(), outcome.bounds, outcome.solution.peak);
    println!(
        "{buffers} {} {} {known} {peak} {seconds} {kib}",
        bounds.load, bounds.lower_bound
    );
    Ok(())
}

/// The peak memory so far in KiB.
fn most_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|kib| kib.parse().ok()).unwrap_or(0)
}
