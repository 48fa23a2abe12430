//! Measures quality and speed of the default planner, and prints tables.
//!
//! ```text
//! cargo run --release -p memplan-planner --example bench -- [OPTION]... [FILE.csv | FOLDER]...
//! ```
//!
//! Without files, it measures generated problems only: small hard ones and large ones with a known
//! packing. For a file with a number in its name, as in `A.1048576.csv`, it measures whether the
//! buffers fit in that many bytes, with several seeds. For every file it measures the least peak.
//!
//! | option | |
//! |---|---|
//! | `--capacity N` | use this capacity for every file, instead of the one in its name |
//! | `--seeds N` | number of seeds; 10 by default |
//! | `--long` | minimize the peak for 5 and 30 seconds, too, unless it is proven optimal before |
//! | `--peer-limit N` | time limit in seconds for a peer on a problem; 10 by default |
//!
//! MiniMalloc and idealloc are measured, too, if `MINIMALLOC` and `IDEALLOC` are the paths of their
//! executables.

mod child;
mod fits;
mod hard;
mod large;
mod least;
mod options;
mod peers;
mod table;

use options::Options;
use peers::Peers;
use std::error::Error;
use std::time::Instant;

/// An error: of reading a file, or of starting a peer.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, name] = &arguments[..]
        && command == child::COMMAND
    {
        return child::run(name);
    }
    let start = Instant::now();
    let options = Options::read(&arguments)?;
    let peers = Peers::find(options.peer_limit);
    println!("{}", peers.sentence());
    fits::bench(&options, &peers)?;
    least::bench(&options, &peers)?;
    hard::bench(&peers)?;
    large::bench(&options, &peers)?;
    println!("\nall in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}
