//! `memplan version`: the version, and what a bug report says of the build and the machine.

use crate::{
    files,
    with_llvm::{self, LOADED_LLVM},
};
use anyhow::Result;
use std::{
    env::{self, consts},
    fs,
    num::NonZero,
    path::{Component, Components, Path, PathBuf},
    thread,
};

/// Print the version; for a bug report, also the build, LLVM, the plugin and the machine.
///
/// The report names no user and no host. Its paths are those of LLVM and of the plugin, with `~` for the home folder.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print what a bug report needs.
    #[arg(long)]
    bug_report: bool,
}

const UNKNOWN: &str = "not known";

/// Runs the subcommand. `commit`: of the source, where it is known.
pub fn run(arguments: &Arguments, commit: Option<&str>) -> Result<()> {
    let name = concat!("memplan ", env!("CARGO_PKG_VERSION"), "\n");
    if !arguments.bug_report {
        return files::print(name);
    }
    let rows = [
        ("commit", commit.unwrap_or(UNKNOWN).to_owned()),
        ("build", env!("MEMPLAN_BUILD").to_owned()),
        ("target", env!("MEMPLAN_TARGET").to_owned()),
        ("features", env!("MEMPLAN_FEATURES").to_owned()),
        ("LLVM built against", env!("MEMPLAN_LLVM").to_owned()),
        ("LLVM loaded", llvm()),
        ("plugin", plugin()),
        ("system", system()),
        ("processor", processor()),
    ];
    let mut text = name.to_owned();
    for (name, value) in rows {
        text.push_str(&format!("{name}: {value}\n"));
    }
    files::print(&text)
}

/// The LLVM that the executable beside this one loads: this one loads none.
fn llvm() -> String {
    let said = match with_llvm::output(LOADED_LLVM) {
        Ok(said) => said,
        Err(reason) => return format!("not found: {reason}"),
    };
    let line = said.lines().next().unwrap_or_default();
    match line.split_once(' ') {
        Some((version, library)) if !library.is_empty() => {
            let folder = Path::new(library).parent().unwrap_or(Path::new("/"));
            format!("{version} in {}", without_names(folder))
        }
        _ => line.trim_end().to_owned(),
    }
}

/// Where the plugin is, and by which rule it was found.
fn plugin() -> String {
    const FILE: &str = "libmemplan.so";
    let places = [
        (
            "MEMPLAN_PLUGIN",
            env::var_os("MEMPLAN_PLUGIN").map(PathBuf::from),
        ),
        ("installed", beside("../lib").map(|lib| lib.join(FILE))),
        ("beside memplan", beside(FILE)),
    ];
    for (rule, place) in places {
        let Some(place) = place else { continue };
        // Without the executable's folder and `..`.
        let path = place.canonicalize().unwrap_or_else(|_| place.clone());
        if path.is_file() {
            return format!("{} ({rule})", without_names(&path));
        }
        if rule == "MEMPLAN_PLUGIN" {
            return format!("not found: {rule} names no file");
        }
    }
    format!("not found: no {FILE} beside memplan or in ../lib")
}

/// A path in the folder of this executable.
fn beside(name: &str) -> Option<PathBuf> {
    Some(env::current_exe().ok()?.parent()?.join(name))
}

/// The path with `~` for the user's home folder, and without the name of any other user.
fn without_names(path: &Path) -> String {
    let home = env::var_os("HOME").map(PathBuf::from);
    shorten(path, home.as_deref())
}

fn shorten(path: &Path, home: Option<&Path>) -> String {
    let home = home.filter(|home| home.components().count() > 1);
    if let Some(rest) = home.and_then(|home| path.strip_prefix(home).ok()) {
        return joined(&["~"], rest.components());
    }
    let mut parts = path.components();
    match (parts.next(), parts.next(), parts.next()) {
        (Some(Component::RootDir), Some(Component::Normal(users)), Some(_)) if users == "home" => {
            joined(&["/", "home", "…"], parts)
        }
        _ => path.display().to_string(),
    }
}

fn joined(start: &[&str], rest: Components<'_>) -> String {
    let mut path: PathBuf = start.iter().collect();
    path.extend(rest);
    path.display().to_string()
}

/// The operating system and its kernel.
fn system() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = value(&release, "PRETTY_NAME", '=').unwrap_or(consts::OS);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!("{name}, kernel {}", or_unknown(kernel.trim()))
}

/// The processor, and how many of it this process may use.
fn processor() -> String {
    let facts = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = value(&facts, "model name", ':').unwrap_or_default();
    let count = thread::available_parallelism().map_or(1, NonZero::get);
    format!("{} ({}), {count} threads", or_unknown(model), consts::ARCH)
}

fn or_unknown(text: &str) -> &str {
    if text.is_empty() { UNKNOWN } else { text }
}

/// The value of a key in a text of lines, without quotes.
fn value<'a>(text: &'a str, key: &str, between: char) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (name, value) = line.split_once(between)?;
        (name.trim() == key).then(|| value.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_no_user() {
        let home = Some(Path::new("/home/ada"));
        let shown = |path| shorten(Path::new(path), home);
        assert_eq!(shown("/home/ada/llvm/lib"), "~/llvm/lib");
        assert_eq!(shown("/home/bob/llvm/lib"), "/home/…/llvm/lib");
        assert_eq!(shown("/home/bob"), "/home/…");
        assert_eq!(shown("/home/ada"), "~");
        assert_eq!(shown("/usr/lib/llvm-22/lib"), "/usr/lib/llvm-22/lib");
        assert_eq!(
            shorten(Path::new("/opt/llvm"), Some(Path::new("/"))),
            "/opt/llvm"
        );
    }

    #[test]
    fn values_of_keys() {
        let text = "NAME=\"Debian\"\nmodel name\t: A: B\n";
        assert_eq!(value(text, "NAME", '='), Some("Debian"));
        assert_eq!(value(text, "model name", ':'), Some("A: B"));
        assert_eq!(value(text, "VERSION", '='), None);
    }
}
