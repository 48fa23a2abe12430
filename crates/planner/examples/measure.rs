//! Measures planners on CSV files and generated problems: their time, and the peak relative to the
//! best known one or the lower bound.
//!
//! ```text
//! cargo run --release -p memplan-planner --example measure -- PLANNER,.. [FILE.csv | NAME:SIZE[:SEED]]..
//! ```
//!
//! NAME is a generated problem of memplan-problems. Without problems, it measures the networks at a
//! few sizes.

use memplan_planner::{Planner, validate::validate};
use memplan_problems::{by_name, networks};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let planners = arguments.next().unwrap_or_else(|| "auto".to_owned());
    let planners: Vec<Planner> = planners
        .split(',')
        .map(str::parse)
        .collect::<Result<_, _>>()?;
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = networks::ALL
            .iter()
            .flat_map(|(name, _)| [8, 40, 200].map(|size| format!("{name}:{size}")))
            .collect();
    }
    println!(
        "{:<28} {:>8} {:>16}   planned / known or lower bound, winner, time",
        "problem", "buffers", "lower bound"
    );
    let mut logs = vec![0.0; planners.len()];
    let mut worst = vec![1.0f64; planners.len()];
    for name in &names {
        let (problem, known) = by_name::problem(name)?;
        let short = name.rsplit('/').next().unwrap_or(name);
        print!(
            "{short:<28} {:>8} {:>16}  ",
            problem.buffers.len(),
            problem.bounds().lower_bound
        );
        for (index, planner) in planners.iter().enumerate() {
            let start = Instant::now();
            let outcome = planner.solve(&problem)?;
            let time = start.elapsed();
            validate(&problem, &outcome.solution)?;
            let known = known.as_ref().map_or(0, |plan| plan.peak);
            let reachable = known.max(outcome.bounds.lower_bound).max(1);
            let ratio = outcome.solution.peak as f64 / reachable as f64;
            logs[index] += ratio.ln();
            worst[index] = worst[index].max(ratio);
            print!(
                " {ratio:.4} {:<9} {:>8.3} ms ",
                outcome.planner,
                time.as_secs_f64() * 1e3
            );
        }
        println!();
    }
    for (index, planner) in planners.iter().enumerate() {
        let mean = (logs[index] / names.len() as f64).exp();
        println!(
            "{planner:<10} geometric mean {mean:.4}, worst {:.4}",
            worst[index]
        );
    }
    Ok(())
}
