//! Compiles small sources, joins them, and links and runs the result.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use memplan_elf::{JoinError, Joiner};

/// The path of an LLVM program.
pub fn llvm(program: &str) -> PathBuf {
    let prefix = env::var_os("LLVM_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into());
    Path::new(&prefix).join("bin").join(program)
}

/// The output of a program, which must succeed.
pub fn run<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = S>,
) -> String {
    let mut command = Command::new(program);
    let output = command
        .args(args)
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}:\n{text}{errors}");
    text
}

/// A temporary directory.
pub struct Lab(tempfile::TempDir);

impl Lab {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory to work in"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file of the test");
        path
    }

    /// Compiles a source (C, C++, assembly, by the name's extension) with flags separated by spaces.
    pub fn compile(&self, name: &str, source: &str, flags: &str) -> PathBuf {
        let path = self.write(name, source);
        let object = self.path(&format!("{name}.o"));
        let compiler = if name.ends_with(".cpp") {
            "clang++"
        } else {
            "clang"
        };
        let args = [
            "-w".as_ref(),
            "-c".as_ref(),
            path.as_os_str(),
            "-o".as_ref(),
            object.as_os_str(),
        ];
        run(
            llvm(compiler),
            flags.split_whitespace().map(OsStr::new).chain(args),
        );
        object
    }

    /// Joins object files into a file, which `llvm-readelf` and the like must accept.
    pub fn join(&self, objects: &[PathBuf]) -> PathBuf {
        let joined = join(objects).unwrap_or_else(|error| panic!("{error}"));
        let path = self.write("joined.o", joined);
        let output = Command::new(llvm("llvm-readelf"))
            .arg("-a")
            .arg(&path)
            .output()
            .expect("llvm-readelf");
        let warnings = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && warnings.is_empty(), "{warnings}");
        path
    }

    /// The output of `ld -r` for the same object files.
    pub fn ld_r(&self, objects: &[PathBuf]) -> PathBuf {
        let path = self.path("ld-r.o");
        let args = ["-r".as_ref(), "-o".as_ref(), path.as_os_str()];
        run(
            "ld",
            args.into_iter()
                .chain(objects.iter().map(|object| object.as_os_str())),
        );
        path
    }

    /// Links object files with `linker` (`bfd`, `lld`) into a program and returns its output.
    pub fn link_and_run(&self, linker: &str, objects: &[PathBuf], flags: &str) -> String {
        run(self.link(linker, objects, flags), [] as [&str; 0])
    }

    pub fn link(&self, linker: &str, objects: &[PathBuf], flags: &str) -> PathBuf {
        let program = self.path(&format!("program-{linker}"));
        let lld = llvm("ld.lld");
        let linker = match linker {
            "lld" => format!("--ld-path={}", lld.display()),
            other => format!("-fuse-ld={other}"),
        };
        let mut command = vec![linker, "-o".into(), program.display().to_string()];
        command.extend(flags.split_whitespace().map(String::from));
        command.extend(objects.iter().map(|object| object.display().to_string()));
        run(llvm("clang++"), command);
        program
    }
}

pub fn join(objects: &[PathBuf]) -> Result<Vec<u8>, JoinError> {
    let mut joiner = Joiner::new();
    for object in objects {
        let bytes = fs::read(object).expect("an object of the test");
        let name = object.file_name().unwrap_or_default().to_string_lossy();
        joiner.add(&name, &bytes)?;
    }
    joiner.finish()
}
