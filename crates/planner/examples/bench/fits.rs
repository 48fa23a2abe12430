//! Measures whether files fit in their capacities, at default effort, with several seeds.

use crate::Result;
use crate::options::Options;
use crate::peers::Peers;
use crate::table::{Table, ratio, seconds};
use memplan_planner::{Planner, Problem, validate::validate};
use std::time::Instant;

/// Solves every file that has a capacity.
pub fn bench(options: &Options, peers: &Peers) -> Result<()> {
    let mut columns = vec![
        "file",
        "buffers",
        "load/capacity",
        "fits",
        "mean s",
        "max s",
    ];
    columns.extend(peers.minimalloc().map(|_| "MiniMalloc s"));
    let mut table = Table::new("Fits in the capacity? Default effort.", &columns);
    let (mut total, mut worst, mut failures) = (0.0, 0.0f64, 0);
    let mut peer_total = 0.0;
    for file in &options.files {
        let Some(capacity) = file.capacity else {
            continue;
        };
        let problem = file.problem()?.with_capacity(capacity);
        let mut times = Vec::new();
        let mut fits = 0;
        for seed in 0..options.seeds {
            let (fit, time) = ask(&problem, seed)?;
            fits += u64::from(fit);
            times.push(time);
        }
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        let most = times.iter().copied().fold(0.0, f64::max);
        (total, worst) = (total + mean, worst.max(most));
        failures += options.seeds - fits;
        let mut row = vec![
            file.name(),
            problem.buffers.len().to_string(),
            ratio(problem.bounds().load, capacity),
            format!("{fits} of {}", options.seeds),
            seconds(mean),
            seconds(most),
        ];
        if let Some(minimalloc) = peers.minimalloc() {
            let answer = minimalloc.fit(&file.path, capacity)?;
            peer_total += answer.seconds;
            row.push(answer.to_string());
        }
        table.push(row);
    }
    let mut row = vec![
        "total".to_owned(),
        String::new(),
        String::new(),
        format!("{failures} failed"),
        seconds(total),
        seconds(worst),
    ];
    row.extend(peers.minimalloc().map(|_| seconds(peer_total)));
    if options.files.iter().any(|file| file.capacity.is_some()) {
        table.push(row);
    }
    table.print();
    Ok(())
}

/// Whether a plan within the capacity was found, and the time in seconds.
pub fn ask(problem: &Problem, seed: u64) -> Result<(bool, f64)> {
    let options = memplan_planner::Options {
        seed,
        ..Default::default()
    };
    let start = Instant::now();
    let result = Planner::Auto.solve_with(problem, &options);
    let time = start.elapsed().as_secs_f64();
    if let Ok(outcome) = &result {
        validate(problem, &outcome.solution)?;
    }
    Ok((result.is_ok(), time))
}
