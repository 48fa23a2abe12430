//! Outputs that would overwrite each other, or an input.

use super::staged::is_device;
use std::{
    fs::{self, File},
    io,
    os::{fd::AsFd, unix::fs::MetadataExt},
    path::{Path, PathBuf},
};

/// The path that stands for standard output.
const DASH: &str = "-";
/// Takes what nobody wants.
const NULL: &str = "/dev/null";

/// The outputs and inputs of a command, by the names of its options.
#[derive(Default)]
pub struct Targets {
    all: Vec<Target>,
}

struct Target {
    name: String,
    place: Place,
    is_input: bool,
}

/// What two targets are the same by.
#[derive(PartialEq, Eq)]
enum Place {
    StandardOutput,
    /// Device and number.
    File(u64, u64),
    /// There is no file yet.
    Path(PathBuf),
}

/// Two targets in one place.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Conflict {
    /// Two outputs.
    #[error("{0} and {1} would both write to {2}")]
    Outputs(String, String, String),
    /// An output and an input.
    #[error("{0} would overwrite {1}, {2}: name another file")]
    Input(String, String, String),
}

impl Targets {
    /// Adds an output; `-` is standard output. Another one in its place, or an input there, is an error.
    ///
    /// # Errors
    ///
    /// The conflict.
    pub fn output(&mut self, name: &str, path: &Path) -> Result<(), Conflict> {
        if fs::canonicalize(path).is_ok_and(|path| path == Path::new(NULL)) {
            return Ok(());
        }
        let place = Place::of(path);
        let found = self.all.iter().find(|known| known.place == place);
        let name = name.to_owned();
        if let Some(known) = found {
            let (other, path) = (known.name.clone(), text(path));
            return Err(match known.is_input {
                true => Conflict::Input(name, other, path),
                false => Conflict::Outputs(other, name, path),
            });
        }
        self.all.push(Target {
            name,
            place,
            is_input: false,
        });
        Ok(())
    }

    /// Adds what is printed to standard output in any case.
    ///
    /// # Errors
    ///
    /// The conflict.
    pub fn printed(&mut self, name: &str) -> Result<(), Conflict> {
        self.output(name, Path::new(DASH))
    }

    /// Adds an input, which no output that is added later may overwrite.
    pub fn input(&mut self, name: &str, path: &Path) {
        // Standard input, a pipe or a device is no file that could be lost.
        if path == Path::new(DASH) || is_device(path) {
            return;
        }
        let place = Place::of(path);
        self.all.push(Target {
            name: name.to_owned(),
            place,
            is_input: true,
        });
    }
}

impl Place {
    fn of(path: &Path) -> Self {
        if path == Path::new(DASH) {
            return Self::StandardOutput;
        }
        let Ok(there) = fs::metadata(path) else {
            return Self::Path(whole(path));
        };
        let number = (there.dev(), there.ino());
        match standard_output().is_ok_and(|out| out == number) {
            true => Self::StandardOutput,
            false => Self::File(number.0, number.1),
        }
    }
}

/// Which file or pipe standard output is.
fn standard_output() -> io::Result<(u64, u64)> {
    let out = io::stdout().as_fd().try_clone_to_owned()?;
    let there = File::from(out).metadata()?;
    Ok((there.dev(), there.ino()))
}

/// The path of a file that is not there.
fn whole(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = absolute
        .parent()
        .and_then(|folder| folder.canonicalize().ok());
    match (folder, absolute.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => absolute,
    }
}

fn text(path: &Path) -> String {
    match path == Path::new(DASH) {
        true => "standard output".to_owned(),
        false => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn two_names_of_one_place_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        let dotted = folder.path().join("./a");
        let mut targets = Targets::default();
        targets.output("-o", &path).expect("the first one");
        let found = targets.output("--report", &dotted);
        let both = |second: &str, path: &Path| {
            let path = path.display().to_string();
            Err(Conflict::Outputs("-o".into(), second.into(), path))
        };
        assert_eq!(found, both("--report", &dotted));
        fs::write(&path, "").expect("a file");
        symlink("a", &link).expect("a link");
        let mut targets = Targets::default();
        targets.output("-o", &path).expect("the first one");
        assert_eq!(targets.output("--report", &link), both("--report", &link));
        targets
            .output("--report", &folder.path().join("c"))
            .expect("another file");
    }

    #[test]
    fn an_input_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        fs::write(&path, "").expect("a file");
        let mut targets = Targets::default();
        targets.input("the input", &path);
        let error = targets.output("-o", &path).expect_err("it is the input");
        assert!(error.to_string().contains("-o would overwrite the input"));
    }

    #[test]
    fn one_output_is_printed() {
        let mut targets = Targets::default();
        targets.printed("the table").expect("the first one");
        let error = targets.output("-o", Path::new(DASH)).expect_err("a second");
        let text = "the table and -o would both write to standard output";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn what_nobody_wants_may_go_to_one_place() {
        let mut targets = Targets::default();
        for name in ["-o", "--report"] {
            targets.output(name, Path::new(NULL)).expect("no conflict");
        }
    }
}
