//! Shell commands of documents: they run in a folder, or, where they install or take long, exist with their options.

use anyhow::{Context, Result, bail, ensure};
use memplan_harness::{
    command::{limited, output},
    tools::{Tools, root},
};
use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::Duration,
};

/// How long the commands of one block may take.
const LIMIT: Duration = Duration::from_secs(60);

/// Programs that the embedding tests run with the same arguments.
const RUN_BY_EMBEDDING_TESTS: [&str; 3] = ["cmake", "lit", "pkg-config"];

/// The program that `ci/wheel` runs with the same arguments.
const RUN_BY_WHEEL: &str = "pip";

/// Puts into a folder what commands use: the built products where a release build and `ci/install PREFIX` have them, and
/// the repository's folders.
pub fn prepare(folder: &Path, tools: &Tools) -> Result<()> {
    let built = tools.memplan.parent().context("no folder")?;
    fs::create_dir_all(folder.join("target"))?;
    fs::create_dir_all(folder.join("PREFIX"))?;
    symlink(built, folder.join("target/release"))?;
    symlink(built, folder.join("PREFIX/bin"))?;
    symlink(&tools.plugin, folder.join("libmemplan.so"))?;
    for name in ["crates", "tests"] {
        symlink(root().join(name), folder.join(name))?;
    }
    let network = root().join("tests/models/bufferized/mlp.mlir");
    symlink(network, folder.join("network.mlir"))?;
    Ok(())
}

/// Runs a block of commands in a folder; what they print.
pub fn run(folder: &Path, tools: &Tools, block: &str) -> Result<String> {
    let mut script = String::new();
    for line in logical_lines(block) {
        if !is_checked_elsewhere(&line)? {
            script += &line;
            script += "\n";
        }
    }
    let mut path = vec![folder.join("target/release"), tools.bin()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let printed = output(
        limited(LIMIT, "bash")
            .args(["-euo", "pipefail", "-c", &script])
            .current_dir(folder)
            .env("PATH", env::join_paths(path)?)
            // A reader's shell has none.
            .env_remove("LD_LIBRARY_PATH"),
    )?;
    Ok(String::from_utf8(printed)?)
}

/// A command in a sentence or a table: scripts and cargo's targets are there, and so are memplan's subcommands and topics.
pub fn exists(tools: &Tools, command: &str) -> Result<()> {
    if is_checked_elsewhere(command)? {
        return Ok(());
    }
    let mut words = command.split_whitespace();
    let (program, subcommand, topic) = (words.next(), words.next(), words.next());
    if program == Some("memplan")
        && let Some(subcommand) = subcommand.filter(|word| is_literal(word))
    {
        let topic = topic.filter(|word| subcommand == "help" && is_literal(word));
        let mut help = limited(LIMIT, &tools.memplan);
        output(help.args(["help", topic.unwrap_or(subcommand)]))?;
    }
    Ok(())
}

/// Is a word typed as it stands: no option, and not all capitals, as `PASS`?
fn is_literal(word: &str) -> bool {
    !word.starts_with('-') && word.bytes().any(|byte| !byte.is_ascii_uppercase())
}

/// Lines with those that they continue on, without comments.
fn logical_lines(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(|line| {
        let comment = line.find(" # ").unwrap_or(line.len());
        line[..comment].trim().to_owned()
    });
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

/// Is a command one that is not run here? Then it exists, with its options.
fn is_checked_elsewhere(line: &str) -> Result<bool> {
    let mut words = line.split_whitespace().peekable();
    let mut variables = Vec::new();
    while let Some((name, _)) = words.peek().and_then(|word| word.split_once('=')) {
        variables.push(name.to_owned());
        words.next();
    }
    let Some(program) = words.next() else {
        return Ok(false);
    };
    let arguments: Vec<&str> = words.collect();
    if program.starts_with("ci/") {
        exists_with_options(program, &arguments, &variables).with_context(|| line.to_owned())?;
        return Ok(true);
    }
    if program == "cargo" {
        names_targets(&arguments).with_context(|| line.to_owned())?;
        return Ok(true);
    }
    if RUN_BY_EMBEDDING_TESTS.contains(&program) {
        let tests = fs::read_to_string(root().join("tests/embed.rs"))?;
        ensure!(tests.contains(&format!("\"{program}\"")), "{line}");
        return Ok(true);
    }
    if program == RUN_BY_WHEEL {
        let script = fs::read_to_string(root().join("ci/wheel"))?;
        ensure!(script.contains("bin/pip install"), "{line}");
        return Ok(true);
    }
    Ok(false)
}

/// A script is there, can be executed, and knows its subcommand, options and variables. Other files are there.
fn exists_with_options(script: &str, arguments: &[&str], variables: &[String]) -> Result<()> {
    let path = root().join(script);
    if path.extension().is_some() || path.is_dir() {
        ensure!(path.exists(), "no {script}");
        return Ok(());
    }
    let mode = fs::metadata(&path)?.permissions().mode();
    ensure!(mode & 0o100 != 0, "{script} cannot be executed");
    let text = fs::read_to_string(&path)?;
    let shared = fs::read_to_string(root().join("ci/lib.sh"))?;
    for name in variables {
        ensure!(
            text.contains(name) || shared.contains(name),
            "{script} reads no {name}"
        );
    }
    let is_name = |word: &str| {
        word.bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_lowercase())
    };
    for (at, argument) in arguments.iter().enumerate() {
        if argument.starts_with('-') {
            ensure!(text.contains(argument), "{script} has no {argument}");
        } else if at == 0 && is_name(argument) {
            let usage = format!("{script} {argument}");
            ensure!(text.contains(&usage), "no usage of {usage}");
        }
    }
    Ok(())
}

/// The packages, tests and benchmarks that a command of cargo's names are there.
fn names_targets(arguments: &[&str]) -> Result<()> {
    for pair in arguments.windows(2) {
        let [option, name] = pair else { continue };
        let folder = match *option {
            "-p" | "--package" => {
                let crate_folder = name.strip_prefix("memplan-").unwrap_or("..");
                let manifest = root().join("crates").join(crate_folder).join("Cargo.toml");
                let text = fs::read_to_string(&manifest)?;
                ensure!(text.contains(&format!("name = \"{name}\"")), "no {name}");
                continue;
            }
            "--test" => "tests",
            "--bench" => "benches",
            "--example" => "examples",
            _ => continue,
        };
        let mut homes = vec![root().to_path_buf()];
        for one in fs::read_dir(root().join("crates"))? {
            homes.push(one?.path());
        }
        let files = [format!("{name}.rs"), format!("{name}/main.rs")];
        let is_there = |home: &PathBuf| {
            let folder = home.join(folder);
            files.iter().any(|file| folder.join(file).exists())
        };
        if !homes.iter().any(is_there) {
            bail!("no {folder}/{name} in any package");
        }
    }
    Ok(())
}
