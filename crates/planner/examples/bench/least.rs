//! Measures the least peak of files that have a capacity.

use crate::Result;
use crate::options::Options;
use crate::peers::Peers;
use crate::table::{Table, ratio, seconds};
use memplan_planner::{Effort, Planner, Problem, validate::validate};
use std::time::{Duration, Instant};

/// The time limits of `--long`, in seconds.
const LONG: [u64; 2] = [5, 30];

/// Minimizes the peak of every file with a capacity. Large files have a table of their own.
pub fn bench(options: &Options, peers: &Peers) -> Result<()> {
    let mut columns = vec!["file", "load", "peak/load", "s", "proven"];
    if options.long {
        columns.extend(["in 5 s", "proven", "in 30 s", "proven"]);
    }
    if peers.idealloc().is_some() {
        columns.extend(["idealloc", "s"]);
    }
    let mut table = Table::new("Least peak. Default effort.", &columns);
    for file in options.files.iter().filter(|file| file.capacity.is_some()) {
        let problem = file.problem()?;
        let load = problem.bounds().load;
        let found = look(&problem, memplan_planner::Options::default())?;
        let mut row = vec![
            file.name(),
            load.to_string(),
            ratio(found.peak, load),
            seconds(found.seconds),
            found.proven(load),
        ];
        if options.long {
            for limit in LONG {
                // The time limit ends the search, not the number of steps.
                let found = look(
                    &problem,
                    memplan_planner::Options {
                        effort: Effort::Steps(u64::MAX),
                        time_limit: Some(Duration::from_secs(limit)),
                        ..Default::default()
                    },
                )?;
                row.extend([ratio(found.peak, load), found.proven(load)]);
            }
        }
        if let Some(idealloc) = peers.idealloc() {
            row.extend(idealloc.least(&file.path, load)?);
        }
        table.push(row);
    }
    table.print();
    Ok(())
}

struct Found {
    peak: u64,
    bound: u64,
    seconds: f64,
}

impl Found {
    /// A cell that says whether the peak is proven optimal, or the bound if that is above the load.
    fn proven(&self, load: u64) -> String {
        if self.peak == self.bound {
            "yes".to_owned()
        } else if self.bound > load {
            format!(">= {}", ratio(self.bound, load))
        } else {
            "no".to_owned()
        }
    }
}

fn look(problem: &Problem, options: memplan_planner::Options) -> Result<Found> {
    let start = Instant::now();
    let outcome = Planner::Auto.solve_with(problem, &options)?;
    let seconds = start.elapsed().as_secs_f64();
    validate(problem, &outcome.solution)?;
    Ok(Found {
        peak: outcome.solution.peak,
        bound: outcome.bounds.lower_bound,
        seconds,
    })
}
