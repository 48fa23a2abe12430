//! The command line.

use crate::Result;
use memplan_planner::{Problem, csv};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The command line.
pub struct Options {
    pub files: Vec<File>,
    pub seeds: u64,
    pub long: bool,
    pub peer_limit: Duration,
}

/// A problem in a file.
pub struct File {
    pub path: PathBuf,
    /// The capacity in the name, or of the command line.
    pub capacity: Option<u64>,
}

impl File {
    /// The name without folder and `.csv`.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Reads the problem; it has no capacity.
    pub fn problem(&self) -> Result<Problem> {
        let text = fs::read_to_string(&self.path);
        let text = text.map_err(|error| format!("{}: {error}", self.path.display()))?;
        let problem = csv::read(&text);
        Ok(problem.map_err(|error| format!("{}: {error}", self.path.display()))?)
    }
}

impl Options {
    /// The options and files of the command line.
    pub fn read(arguments: &[String]) -> Result<Self> {
        let mut options = Options {
            files: Vec::new(),
            seeds: 10,
            long: false,
            peer_limit: Duration::from_secs(10),
        };
        let (mut capacity, mut paths) = (None, Vec::new());
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut number = || -> Result<u64> {
                let text = rest.next().ok_or(format!("{argument} wants a number"))?;
                Ok(text.parse().map_err(|_| format!("'{text}' is no number"))?)
            };
            match argument.as_str() {
                "--capacity" => capacity = Some(number()?),
                "--seeds" => options.seeds = number()?.max(1),
                "--peer-limit" => options.peer_limit = Duration::from_secs(number()?),
                "--long" => options.long = true,
                option if option.starts_with('-') => {
                    return Err(format!("there is no option {option}").into());
                }
                path => paths.extend(csv_files(Path::new(path))?),
            }
        }
        options.files = paths
            .into_iter()
            .map(|path| File {
                capacity: capacity.or_else(|| number_in(&path)),
                path,
            })
            .collect();
        // Reports unreadable files before the measurements start.
        for file in &options.files {
            file.problem()?;
        }
        Ok(options)
    }
}

/// The file, or all CSV files of a folder in order of their names.
fn csv_files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let path = entry?.path();
        if path.extension().is_some_and(|end| end == "csv") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The number in a file name: 1048576 in `A.1048576.csv`.
fn number_in(path: &Path) -> Option<u64> {
    let stem = path.file_stem()?.to_str()?;
    stem.rsplit_once('.')?.1.parse().ok()
}
