//! A file for ninja that compiles a module in shards and links them.

use super::arguments::Arguments;
use crate::files;
use anyhow::{Context, Result, bail};
use std::{env, fmt::Write, path::Path};

/// The options that say what is made and where, and not how.
const OURS: [&str; 4] = ["-o", "--output", "--emit", "--shards"];

/// The text of the file. Shards are compiled with all other options of this command line.
pub fn file(arguments: &Arguments, shards: u32) -> Result<String> {
    if files::is_dash(&arguments.input) {
        bail!("--emit ninja takes a file: standard input is gone when ninja runs");
    }
    if arguments.report.is_some() {
        bail!("--emit ninja takes no --report: give that to `memplan link`");
    }
    let memplan = env::current_exe().context("cannot tell where memplan is")?;
    let input = arguments.input.display().to_string();
    let object = arguments.input.with_extension("o").display().to_string();
    let options: String = options(&arguments.input)
        .iter()
        .map(|option| format!(" {}", quoted(option)))
        .collect();
    let mut text = String::new();
    let memplan = quoted(&memplan.display().to_string());
    _ = writeln!(text, "rule shard");
    _ = writeln!(
        text,
        "  command = {memplan} compile $in --shard $shard -o $out{options}"
    );
    _ = writeln!(text, "  description = SHARD $shard of $in");
    _ = writeln!(text, "rule link");
    _ = writeln!(text, "  command = {memplan} link $in -o $out");
    _ = writeln!(text, "  description = LINK $out");
    let mut all = String::new();
    for shard in 0..shards {
        let name = path(&format!("{object}.{shard}.shard"));
        _ = writeln!(text, "build {name}: shard {}", path(&input));
        _ = writeln!(text, "  shard = {shard}/{shards}");
        _ = write!(all, " {name}");
    }
    _ = writeln!(text, "build {}: link{all}", path(&object));
    _ = writeln!(text, "default {}", path(&object));
    Ok(text)
}

/// What was given, but for the input and what is ours.
fn options(input: &Path) -> Vec<String> {
    let mut given = crate::expanded().into_iter().skip(2);
    let mut options = Vec::new();
    while let Some(option) = given.next() {
        let option = option.to_string_lossy().into_owned();
        let name = option.split('=').next().unwrap_or_default();
        if OURS.contains(&name) {
            if !option.contains('=') {
                given.next();
            }
        } else if option.starts_with("-o") && !option.starts_with("--")
            || Path::new(&option) == input
        {
        } else {
            options.push(option);
        }
    }
    options
}

/// A word for a shell, in a file of ninja's.
fn quoted(word: &str) -> String {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-_./=+,".contains(one);
    let word = match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    word.replace('$', "$$")
}

/// A path of ninja's.
fn path(path: &str) -> String {
    path.replace('$', "$$")
        .replace(' ', "$ ")
        .replace(':', "$:")
}
