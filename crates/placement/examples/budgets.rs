//! Costs of placement problems at a limit of the first space, beside what others do: `budgets FILE LIMIT`, where FILE is what
//! `memplan-assign-spaces{curve=FILE}` wrote. Prints JSON.

use anyhow::{Context, Result};
use memplan_placement::{
    Options, Outcome, Plan, Problem, Proof, cheapest_first, check, furthest_next_use, solve,
    whole_buffers,
};
use serde_json::{Value, json};
use std::{env, fs, time::Instant};

/// The index of the space without a limit.
const SLOW: usize = 1;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().context("a file of curves")?;
    let limit: u64 = arguments.next().context("a limit in bytes")?.parse()?;
    let document: Value = serde_json::from_str(&fs::read_to_string(&file)?)?;
    let functions = document["functions"].as_array().context("no functions")?;
    let mut rows = Vec::new();
    for function in functions {
        let mut problem: Problem = serde_json::from_value(function["problem"].clone())?;
        problem.spaces[0].capacity = None;
        let free = solve(&problem, &Options::default())?;
        problem.spaces[0].capacity = Some(limit);
        let start = Instant::now();
        let outcome = solve(&problem, &Options::default())?;
        let seconds = start.elapsed().as_secs_f64();
        let row = |plan: Option<Plan>| -> Result<Value> {
            let Some(plan) = plan else {
                return Ok(Value::Null);
            };
            check(&problem, &plan)?;
            let moved = plan.traffic(&problem, SLOW);
            Ok(json!({"cost": plan.cost as f64 / 1e3, "moved": moved as f64}))
        };
        let (plan, bound) = match outcome {
            Outcome::Plan(plan, Proof::Optimal) => (Some(plan.clone()), Some(plan.cost)),
            Outcome::Plan(plan, Proof::AtLeast(bound)) => (Some(plan), Some(bound)),
            _ => (None, None),
        };
        let free = match free {
            Outcome::Plan(plan, _) => Some(plan.cost as f64 / 1e3),
            _ => None,
        };
        rows.push(json!({
            "name": function["name"],
            "free": free,
            "others": function["others"],
            "bound": bound.map(|bound| bound as f64 / 1e3),
            "seconds": seconds,
            "assigned": row(plan)?,
            "whole": row(whole_buffers(&problem, &Options::default())?)?,
            "furthest": row(furthest_next_use(&problem, 0, SLOW))?,
            "cheapest": row(cheapest_first(&problem, 0, SLOW))?,
        }));
    }
    println!("{}", json!(rows));
    Ok(())
}
