//! Joins object files: `join OUT IN...`. Prints how long reading the files and joining them took.

use std::{env, error::Error, fs, time::Instant};

use memplan_elf::Joiner;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let out = args.next().ok_or("join OUT IN...")?;
    let start = Instant::now();
    let objects: Vec<_> = args
        .map(|path| fs::read(&path).map(|bytes| (path, bytes)))
        .collect::<Result<_, _>>()?;
    let read = start.elapsed();
    let start = Instant::now();
    let mut joiner = Joiner::new();
    for (path, bytes) in &objects {
        joiner.add(path, bytes)?;
    }
    let added = start.elapsed();
    let output = joiner.finish()?;
    let all = start.elapsed();
    fs::write(&out, &output)?;
    println!(
        "{} units: read in {read:.1?}, joined in {all:.1?} ({added:.1?} to add), {} bytes",
        objects.len(),
        output.len()
    );
    Ok(())
}
