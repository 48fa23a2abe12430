//! Costs of a placement problem at several limits of its first space, beside what others do.

use anyhow::{Context, Result};
use memplan_placement::{
    Options, Outcome, Problem, Proof, check, furthest_next_use, solve, whole_buffers,
};
use std::{env, fs, time::Instant};

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().context("a problem, as JSON")?;
    let document: serde_json::Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
    let problem: Problem = serde_json::from_value(document["functions"][0]["problem"].clone())?;
    for limit in arguments {
        let mut problem = problem.clone();
        problem.spaces[0].capacity = Some(limit.parse()?);
        let start = Instant::now();
        let outcome = solve(&problem, &Options::default())?;
        let time = start.elapsed();
        let text = match &outcome {
            Outcome::Plan(plan, proof) => {
                check(&problem, plan)?;
                let bound = match proof {
                    Proof::Optimal => plan.cost,
                    Proof::AtLeast(bound) => *bound,
                };
                format!("{} {}", plan.cost, bound)
            }
            other => format!("{other:?}"),
        };
        let cost = |plan: Option<memplan_placement::Plan>| {
            plan.map_or_else(|| "-".to_owned(), |plan| plan.cost.to_string())
        };
        println!(
            "{limit:>10} {text:>30} {:>12} {:>12} {:>8.1} ms",
            cost(whole_buffers(&problem, &Options::default())?),
            cost(furthest_next_use(&problem, 0, 1)),
            time.as_secs_f64() * 1e3,
        );
    }
    Ok(())
}
