//! Measures large problems: the peak relative to the best known one, time and memory.

use crate::Result;
use crate::child::{self, Measured};
use crate::options::Options;
use crate::peers::Peers;
use crate::table::{Table, percentile, ratio, seconds};
use memplan_problems::planted;

/// Numbers of buffers of the generated problems.
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// The most buffers for which the time is the median of three runs.
const REPEATED: usize = 10_000;

/// Measures the generated shapes at all sizes, and the files without a capacity.
pub fn bench(options: &Options, peers: &Peers) -> Result<()> {
    generated()?;
    files(options, peers)
}

fn generated() -> Result<()> {
    let columns = [
        "shape",
        "buffers",
        "peak/known",
        "s",
        "times the one before",
        "MiB at most",
    ];
    let mut table = Table::new("Large problems with a known perfect packing.", &columns);
    let (mut worst, mut slowest, mut most) = (1.0f64, 0.0f64, 0);
    for (name, _) in planted::ALL.iter().filter(|(name, _)| *name != "hard") {
        let mut before = None;
        for size in SIZES {
            let (run, time) = measure(&format!("{name}:{size}"))?;
            let growth = before.map_or("-".to_owned(), |before: f64| {
                format!("{:.1}", time / before)
            });
            before = Some(time);
            worst = worst.max(run.peak as f64 / run.known.max(1) as f64);
            slowest = slowest.max(time);
            most = most.max(run.kib);
            table.push(vec![
                (*name).to_owned(),
                run.buffers.to_string(),
                ratio(run.peak, run.known),
                seconds(time),
                growth,
                mib(run.kib),
            ]);
        }
    }
    table.push(vec![
        "worst".to_owned(),
        String::new(),
        format!("{worst:.4}"),
        seconds(slowest),
        String::new(),
        mib(most),
    ]);
    table.print();
    Ok(())
}

fn files(options: &Options, peers: &Peers) -> Result<()> {
    let mut columns = vec![
        "file",
        "buffers",
        "load",
        "peak/load",
        "proven",
        "s",
        "MiB at most",
    ];
    if peers.idealloc().is_some() {
        columns.extend(["idealloc", "s"]);
    }
    let mut table = Table::new(
        "Files, reading apart: least peak. Default effort.",
        &columns,
    );
    for file in options.files.iter().filter(|file| file.capacity.is_none()) {
        let (run, time) = measure(&file.path.to_string_lossy())?;
        let mut row = vec![
            file.name(),
            run.buffers.to_string(),
            run.load.to_string(),
            ratio(run.peak, run.load),
            if run.peak == run.bound { "yes" } else { "no" }.to_owned(),
            seconds(time),
            mib(run.kib),
        ];
        if let Some(idealloc) = peers.idealloc() {
            row.extend(idealloc.least(&file.path, run.load)?);
        }
        table.push(row);
    }
    table.print();
    Ok(())
}

/// Measures a problem; the seconds are the median of the runs.
fn measure(name: &str) -> Result<(Measured, f64)> {
    let run = child::measure(name)?;
    let mut times = vec![run.seconds];
    if run.buffers <= REPEATED {
        for _ in 0..2 {
            times.push(child::measure(name)?.seconds);
        }
    }
    Ok((run, percentile(&mut times, 50)))
}

fn mib(kib: u64) -> String {
    match kib {
        0 => "-".to_owned(),
        kib => kib.div_ceil(1024).to_string(),
    }
}
