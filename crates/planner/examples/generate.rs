//! Prints a generated problem as CSV, and the peak of its known plan on standard error.
//!
//! ```text
//! cargo run --release -p memplan-planner --example generate -- NAME:SIZE[:SEED] > FILE.csv
//! ```

use memplan_problems::by_name;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).ok_or("which problem? NAME:SIZE")?;
    let (problem, known) = by_name::problem(&name)?;
    if let Some(solution) = known {
        eprintln!("a plan of {} bytes is known", solution.peak);
    }
    print!("{}", memplan_planner::csv::write(&problem, None));
    Ok(())
}
