//! How good and how fast the default planner is, as tables.
//!
//! ```text
//! cargo run --release -p memplan-planner --example bench -- [OPTION]... [FILE.csv | FOLDER]...
//! ```
//!
//! Without files, on generated problems alone: small hard ones and large ones, with a packing that
//! is known. A file with a number in its name, as in `A.1048576.csv`, is asked whether it fits in
//! that many bytes, with several seeds; of every file, the least peak is looked for.
//!
//! | option | |
//! |---|---|
//! | `--capacity N` | asks that of every file, whatever its name |
//! | `--seeds N` | how many seeds; 10 by default |
//! | `--long` | looks for the least peak 5 and 30 seconds long, too, where it is not proven before |
//! | `--peer-limit N` | seconds for a peer on a problem; 10 by default |
//!
//! Beside it stand MiniMalloc and idealloc where `MINIMALLOC` and `IDEALLOC` are their executables.

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

/// What goes wrong here: files, and peers that do not start.
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
