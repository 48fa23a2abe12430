//! Files that are complete, but not in their place yet.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

/// A file that could not be written. What was there before is there.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {path}: {error}")]
pub struct WriteError {
    /// The file, as it was named.
    pub path: String,
    /// Why.
    pub error: io::Error,
}

impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> Self {
        Self::new(error.error.kind(), error.to_string())
    }
}

/// A file with its content, which [`Staged::commit`] puts in its place. Dropped before that, nothing of it is left.
#[derive(Debug)]
pub struct Staged {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// The complete file, and what it becomes.
    Beside(PathBuf, PathBuf),
    /// A device or a pipe, which has no content to lose.
    Direct(Vec<u8>),
    /// It is where it belongs.
    Done,
}

/// Tries of names that files of ended processes may have.
const TRIES: usize = 1_000;

impl Staged {
    /// Writes a file beside its place, with the permissions of the one that is there.
    ///
    /// # Errors
    ///
    /// The folder cannot be written to, the disk is full, or the path is a folder.
    pub fn new(path: &Path, bytes: &[u8]) -> Result<Self, WriteError> {
        let place = place(path, bytes).map_err(|error| failed(path, error))?;
        let path = path.to_owned();
        Ok(Self { path, place })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    ///
    /// It cannot be renamed, or a device or a pipe takes no more.
    pub fn commit(mut self) -> Result<(), WriteError> {
        let done = match &self.place {
            Place::Beside(beside, path) => fs::rename(beside, path),
            Place::Direct(bytes) => open_device(&self.path).and_then(|mut to| to.write_all(bytes)),
            Place::Done => Ok(()),
        };
        done.map_err(|error| failed(&self.path, error))?;
        self.place = Place::Done;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if let Place::Beside(beside, _) = &self.place {
            _ = fs::remove_file(beside);
        }
    }
}

/// Writes a file. If that fails, the old one stays.
///
/// # Errors
///
/// As [`Staged::new`] and [`Staged::commit`].
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    Staged::new(path, bytes)?.commit()
}

/// Whether a file may be written, before any work is done for it. Nothing of the file that is there changes.
///
/// # Errors
///
/// The folder cannot be written to, or the path is a folder.
pub fn check(path: &Path) -> Result<(), WriteError> {
    Staged::new(path, &[]).map(drop)
}

/// Whether something that is no file takes what is written: a device or a pipe.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

fn open_device(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

fn failed(path: &Path, error: io::Error) -> WriteError {
    let path = path.display().to_string();
    WriteError { path, error }
}

fn place(path: &Path, bytes: &[u8]) -> io::Result<Place> {
    if is_device(path) {
        return Ok(Place::Direct(bytes.to_vec()));
    }
    let there = fs::metadata(path).ok();
    if there.as_ref().is_some_and(fs::Metadata::is_dir) || path.file_name().is_none() {
        return Err(ErrorKind::IsADirectory.into());
    }
    // What may not be written to is not replaced.
    if there.is_some() {
        OpenOptions::new().append(true).open(path)?;
    }
    let permissions = there.map(|there| there.permissions());
    // A link stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (beside, mut file) = create_beside(&path)?;
    let written = file.write_all(bytes).and_then(|()| match permissions {
        Some(permissions) => file.set_permissions(permissions),
        None => Ok(()),
    });
    match written {
        Ok(()) => Ok(Place::Beside(beside, path)),
        Err(error) => {
            _ = fs::remove_file(&beside);
            Err(error)
        }
    }
}

/// A new file in the folder of a path.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    for _ in 0..TRIES {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let beside = path.with_file_name(format!(".memplan-{}-{count}.tmp", process::id()));
        match File::create_new(&beside) {
            Ok(file) => return Ok((beside, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(folder: &Path) -> Vec<String> {
        let all = fs::read_dir(folder).expect("a folder");
        let all = all.map(|one| one.expect("an entry").file_name());
        let mut all: Vec<String> = all.map(|one| one.into_string().expect("UTF-8")).collect();
        all.sort();
        all
    }

    #[test]
    fn a_file_is_whole_or_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write(&path, b"one").expect("it is written");
        let staged = Staged::new(&path, b"two").expect("it is staged");
        assert_eq!(fs::read(&path).expect("a file"), b"one");
        drop(staged);
        assert_eq!(fs::read(&path).expect("a file"), b"one");
        Staged::new(&path, b"two")
            .and_then(Staged::commit)
            .expect("it is put there");
        assert_eq!(fs::read(&path).expect("a file"), b"two");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn a_check_leaves_all_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        check(&path).expect("it may be written");
        assert_eq!(names(folder.path()), [""; 0]);
        write(&path, b"one").expect("it is written");
        check(&path).expect("it may be written");
        assert_eq!(fs::read(&path).expect("a file"), b"one");
    }

    #[test]
    fn what_cannot_be_written_says_why() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("none/a");
        let why = check(&missing).expect_err("there is no folder").to_string();
        assert!(why.contains("none/a: No such file"), "{why}");
        let why = check(folder.path()).expect_err("a folder").to_string();
        assert!(why.contains("is a directory"), "{why}");
        assert!(check(Path::new("..")).is_err());
    }

    #[test]
    fn devices_take_what_is_written_and_may_be_full() {
        write(Path::new("/dev/null"), b"one").expect("it takes everything");
        check(Path::new("/dev/full")).expect("it is there");
        let error = write(Path::new("/dev/full"), b"one").expect_err("it is full");
        assert_eq!(error.error.kind(), ErrorKind::StorageFull);
    }

    #[test]
    fn links_and_permissions_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("a"), folder.path().join("b"));
        write(&path, b"one").expect("it is written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("they are set");
        symlink("a", &link).expect("a link");
        write(&link, b"two").expect("it is written");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&path).expect("a file"), b"two");
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}
