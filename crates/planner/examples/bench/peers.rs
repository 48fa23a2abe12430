//! Other solvers, if their executables are available.

use crate::Result;
use crate::table::{ratio, seconds};
use memplan_planner::{Problem, csv};
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The available peers.
pub struct Peers {
    minimalloc: Option<MiniMalloc>,
    idealloc: Option<Idealloc>,
}

/// google/minimalloc, an exact solver.
pub struct MiniMalloc {
    program: OsString,
    limit: Duration,
}

/// cappadokes/idealloc, an approximate solver.
pub struct Idealloc {
    program: OsString,
    limit: Duration,
}

/// Whether the buffers fit, and the time that the answer took.
pub struct Answer {
    pub fits: bool,
    pub seconds: f64,
}

impl Peers {
    /// Finds the peers that `MINIMALLOC` and `IDEALLOC` name; `limit` is their time limit for a
    /// problem.
    pub fn find(limit: Duration) -> Self {
        let program = |name| std::env::var_os(name).filter(|program| !program.is_empty());
        Peers {
            minimalloc: program("MINIMALLOC").map(|program| MiniMalloc { program, limit }),
            idealloc: program("IDEALLOC").map(|program| Idealloc { program, limit }),
        }
    }

    pub fn minimalloc(&self) -> Option<&MiniMalloc> {
        self.minimalloc.as_ref()
    }

    pub fn idealloc(&self) -> Option<&Idealloc> {
        self.idealloc.as_ref()
    }

    /// A sentence with the available peers, and the variables for the others.
    pub fn sentence(&self) -> String {
        let mut missing = Vec::new();
        if self.minimalloc.is_none() {
            missing.push("MiniMalloc (MINIMALLOC=EXECUTABLE)");
        }
        if self.idealloc.is_none() {
            missing.push("idealloc (IDEALLOC=EXECUTABLE)");
        }
        match missing[..] {
            [] => "MiniMalloc and idealloc run on the same problems".to_owned(),
            _ => format!("not at hand: {}", missing.join(", ")),
        }
    }
}

impl MiniMalloc {
    /// Solves a file with a capacity.
    pub fn fit(&self, path: &Path, capacity: u64) -> Result<Answer> {
        let output = scratch("minimalloc-out");
        let mut child = Command::new(&self.program)
            .arg(format!("--capacity={capacity}"))
            .arg(format!("--timeout={}s", self.limit.as_secs()))
            .arg(format!("--input={}", path.display()))
            .arg(format!("--output={}", output.display()))
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let start = Instant::now();
        // The peer's own time limit is not exact.
        let fits = within(&mut child, self.limit + self.limit / 2)?;
        let answer = Answer {
            fits,
            seconds: start.elapsed().as_secs_f64(),
        };
        _ = fs::remove_file(output);
        Ok(answer)
    }

    /// Like [`fit`](Self::fit), for a problem that is in no file.
    pub fn fit_problem(&self, problem: &Problem, capacity: u64) -> Result<Answer> {
        let path = scratch("minimalloc-in");
        fs::write(&path, csv::write(problem, None))?;
        let answer = self.fit(&path, capacity);
        _ = fs::remove_file(path);
        answer
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fits {
            true => write!(f, "{}", seconds(self.seconds)),
            false => write!(f, "none in {:.0}", self.seconds),
        }
    }
}

impl Idealloc {
    /// The cells of a row: the peak relative to the load, and the seconds that the peer reports.
    /// With a hundred tries, or with one if these take too long.
    pub fn least(&self, path: &Path, load: u64) -> Result<[String; 2]> {
        let mut cells = ["none".to_owned(), format!("{}", self.limit.as_secs())];
        for tries in ["1", "100"] {
            match self.tries(path, load, tries)? {
                Some(better) => cells = better,
                None => break,
            }
        }
        Ok(cells)
    }

    /// Returns `None` if the time limit is exceeded.
    fn tries(&self, path: &Path, load: u64, tries: &str) -> Result<Option<[String; 2]>> {
        let output = scratch("idealloc-out");
        let mut child = Command::new(&self.program)
            .arg("--input")
            .arg(path)
            .args(["--max-lives", tries, "ex-csv"])
            .stdout(fs::File::create(&output)?)
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", self.program.display()))?;
        let done = within(&mut child, self.limit)?;
        let text = fs::read_to_string(&output)?;
        _ = fs::remove_file(output);
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse::<u64>().ok()
        };
        let (peak, its_load) = (number("Makespan:"), number("LOAD:"));
        if !done {
            return Ok(None);
        }
        Ok(Some(match (peak, number("Total allocation time:")) {
            (Some(peak), Some(time)) if its_load == Some(load) => {
                [ratio(peak, load), seconds(time as f64 / 1e6)]
            }
            // The peer has read other buffers or has written output of an unknown form.
            _ => ["unclear".to_owned(), "-".to_owned()],
        }))
    }
}

/// The path of a temporary file of this process.
fn scratch(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("memplan-bench-{}-{name}.csv", std::process::id()))
}

/// Waits for a process and kills it after `limit`. Returns whether it succeeded.
fn within(child: &mut Child, limit: Duration) -> Result<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(1));
    }
}
