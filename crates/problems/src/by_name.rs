//! Problems by name on a command line: a file, or a generator with its size and seed.

use crate::{networks, planted};
use memplan_planner::{Problem, Solution, csv};
use std::error::Error;

/// The problem of `FILE.csv`, `NETWORK:SIZE` or `PACKING:SIZE[:SEED]`, and its plan if one is
/// known.
pub fn problem(name: &str) -> Result<(Problem, Option<Solution>), Box<dyn Error>> {
    if name.ends_with(".csv") {
        let text = std::fs::read_to_string(name)?;
        return Ok((csv::read(&text)?, None));
    }
    let (kind, rest) = name
        .split_once(':')
        .ok_or_else(|| format!("'{name}' is neither FILE.csv nor NAME:SIZE"))?;
    let (size, seed) = rest.split_once(':').unwrap_or((rest, "1"));
    let (size, seed) = (size.parse()?, seed.parse()?);
    if let Some((_, make)) = networks::ALL.iter().find(|(name, _)| *name == kind) {
        return Ok((make(size), None));
    }
    match planted::ALL.iter().find(|(name, _)| *name == kind) {
        Some((_, make)) => {
            let planted::Planted { problem, solution } = make(size, seed);
            Ok((problem, Some(solution)))
        }
        None => Err(format!("no generator is called '{kind}'").into()),
    }
}
