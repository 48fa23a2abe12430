//! Measures small hard problems with a known packing: enough of them for a distribution.

use crate::Result;
use crate::fits;
use crate::peers::Peers;
use crate::table::{Table, percentile, seconds};
use memplan_problems::planted;

/// Approximate numbers of buffers, and the number of seeds of the generator.
const SIZES: [usize; 4] = [100, 200, 300, 400];
const SEEDS: u64 = 24;

/// The number of seeds for a peer, which may take its whole limit on each.
const PEER_SEEDS: u64 = 4;

/// Solves them with the size of their packing as capacity.
pub fn bench(peers: &Peers) -> Result<()> {
    let mut columns = vec![
        "buffers", "problems", "fit", "median s", "p90 s", "max s", "total s",
    ];
    if peers.minimalloc().is_some() {
        columns.extend(["of", "MiniMalloc fits", "total s", "here"]);
    }
    let title = "Fresh hard problems with a known packing: fits in it? Default effort.";
    let mut table = Table::new(title, &columns);
    let (mut all, mut fit_all) = (Vec::new(), 0);
    for size in SIZES {
        let mut times = Vec::new();
        let (mut fits, mut peer_fits, mut peer_total, mut beside) = (0, 0, 0.0, 0.0);
        for seed in 0..SEEDS {
            let problem = planted::hard(size, seed).problem;
            let problem = problem.with_capacity(planted::HARD);
            let (fit, time) = fits::ask(&problem, 0)?;
            fits += u64::from(fit);
            times.push(time);
            if let Some(minimalloc) = peers.minimalloc()
                && seed < PEER_SEEDS
            {
                let answer = minimalloc.fit_problem(&problem, planted::HARD)?;
                peer_fits += u64::from(answer.fits);
                peer_total += answer.seconds;
                beside += time;
            }
        }
        all.extend_from_slice(&times);
        fit_all += fits;
        let mut row = row(&size.to_string(), fits, &mut times);
        if peers.minimalloc().is_some() {
            row.extend([
                PEER_SEEDS.to_string(),
                peer_fits.to_string(),
                seconds(peer_total),
                seconds(beside),
            ]);
        }
        table.push(row);
    }
    table.push(row("all", fit_all, &mut all));
    table.print();
    Ok(())
}

fn row(name: &str, fits: u64, times: &mut [f64]) -> Vec<String> {
    let share = 100.0 * fits as f64 / times.len() as f64;
    vec![
        name.to_owned(),
        times.len().to_string(),
        format!("{share:.1}%"),
        seconds(percentile(times, 50)),
        seconds(percentile(times, 90)),
        seconds(percentile(times, 100)),
        seconds(times.iter().sum()),
    ]
}
