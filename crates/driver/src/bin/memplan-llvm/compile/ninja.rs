//! Writes a ninja file that compiles a module in shards and links them.

use anyhow::{Context, Result, bail};
use memplan_driver::{compile::Arguments, files};
use std::{env, fmt::Write};

/// The text of the ninja file. The shards are compiled with the other options of this command line.
pub fn file(arguments: &Arguments, shards: u32) -> Result<String> {
    if files::is_dash(&arguments.input) {
        bail!("--emit ninja needs an input file: ninja cannot read standard input");
    }
    if arguments.report.is_some() {
        bail!("--emit ninja excludes --report: pass that to `memplan link`");
    }
    let this = env::current_exe().context("cannot determine the path of memplan")?;
    let memplan = this.with_file_name("memplan");
    let input = arguments.input.display().to_string();
    let object = arguments.input.with_extension("o");
    if object == arguments.input {
        bail!("--emit ninja would overwrite the input, which must not end with .o");
    }
    let object = object.display().to_string();
    let options: String = options(arguments)
        .iter()
        .map(|option| format!(" {}", quoted(option)))
        .collect();
    let mut text = String::new();
    let memplan = quoted(&memplan.display().to_string());
    _ = writeln!(text, "rule shard");
    _ = writeln!(
        text,
        "  command = {memplan} compile --shard=$shard -o $out{options} -- $in"
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

/// The options of the command that compiles a shard.
fn options(arguments: &Arguments) -> Vec<String> {
    let texts = [
        ("--target", Some(&arguments.target)),
        ("--cpu", Some(&arguments.cpu)),
        ("--features", Some(&arguments.features)),
        ("--memplan", Some(&arguments.memplan)),
        ("--pass-pipeline", arguments.pass_pipeline.as_ref()),
        ("--llvm-passes", Some(&arguments.llvm_passes)),
    ];
    let is_given = |name: &str, text: &String| !text.is_empty() || name == "--pass-pipeline";
    let texts = texts.into_iter().filter_map(|(name, text)| {
        let text = text.filter(|text| is_given(name, text))?;
        Some(format!("{name}={text}"))
    });
    let flags = [
        ("-g", arguments.debug),
        ("--whole-program", arguments.whole_program),
        (
            "--allow-unregistered-dialect",
            arguments.allow_unregistered_dialect,
        ),
        ("--time-report", arguments.time_report),
        ("--mem-report", arguments.mem_report),
    ];
    let flags = flags.into_iter().filter(|(_, is_given)| *is_given);
    let jobs = arguments.jobs.map(|jobs| format!("-j{jobs}"));
    texts
        .chain(flags.map(|(name, _)| name.to_owned()))
        .chain(jobs)
        .chain([format!("-O{}", arguments.level)])
        .collect()
}

/// Quotes a word for the shell, in a ninja file.
fn quoted(word: &str) -> String {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "-_./=+,".contains(one);
    let word = match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    word.replace('$', "$$")
}

/// Escapes a path in a ninja file.
fn path(path: &str) -> String {
    path.replace('$', "$$")
        .replace(' ', "$ ")
        .replace(':', "$:")
}
