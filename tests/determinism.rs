//! Reproducibility: same input, same options, same bytes, for one module with all networks as functions, with
//! threads and without. `MEMPLAN_RUNS` sets the number of runs (default 3).

use std::env;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::networks::Network;
use memplan_harness::tools::{Tools, llvm_prefix};

const LIMIT: Duration = Duration::from_secs(300);

/// The output of one run: the program and the report.
fn plan(tools: &Tools, input: &Path, pipeline: &str, threads: bool) -> Result<(Vec<u8>, Vec<u8>)> {
    let report = input.with_extension("json");
    let options = format!("{{verify=true report={}}}", report.display());
    let mut command = limited(LIMIT, tools.mlir_opt());
    command
        .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
        .arg(format!(
            "--pass-pipeline={}",
            pipeline.replace("{}", &options)
        ))
        .arg(input);
    if !threads {
        command.arg("--mlir-disable-threading");
    }
    let program = output(&mut command)?;
    let report = fs::read(&report).context("no report")?;
    ensure!(
        !program.is_empty() && !report.is_empty(),
        "nothing is written"
    );
    Ok((program, report))
}

/// One module of all `networks`: their functions, globals and attribute aliases have the network's name as a
/// prefix.
fn joined(networks: &[Network]) -> Result<String> {
    let (mut aliases, mut bodies) = (String::new(), String::new());
    for Network { name, text, .. } in networks {
        let text = prefixed(text, name);
        let (head, rest) = text
            .split_once("module {\n")
            .context(format!("{name}: no module"))?;
        let end = rest.rfind("\n}").context(format!("{name}: no end"))?;
        aliases.push_str(head);
        bodies.push_str(&rest[..=end]);
    }
    Ok(format!("{aliases}module {{\n{bodies}}}\n"))
}

/// `@symbol` and `#alias` become `@PREFIX_symbol` and `#PREFIX_alias`; the rest stays.
fn prefixed(text: &str, prefix: &str) -> String {
    let mut result = String::with_capacity(text.len() + text.len() / 4);
    let mut rest = text;
    while let Some(sigil) = rest.find(['@', '#']) {
        let (before, name) = rest.split_at(sigil + 1);
        result.push_str(before);
        let end = name
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(name.len());
        // `%2#1` is the second result of an op, `#linalg.x` an attribute of a dialect.
        if name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !name[end..].starts_with('.')
        {
            result.push_str(prefix);
            result.push('_');
        }
        rest = name;
    }
    result + rest
}

#[test]
fn the_joined_module_holds_every_network() -> Result<()> {
    let networks = Network::all()?;
    let input = tempfile::NamedTempFile::new()?;
    fs::write(input.path(), joined(&networks)?)?;
    let module = output(limited(LIMIT, llvm_prefix().join("bin/mlir-opt")).arg(input.path()))?;
    let module = String::from_utf8(module)?;
    for network in &networks {
        ensure!(
            module.contains(&format!("func.func @{}_forward(", network.name)),
            "{}",
            network.name
        );
    }
    Ok(())
}

#[test]
fn every_run_gives_the_same_bytes() -> Result<()> {
    let runs = match env::var("MEMPLAN_RUNS") {
        Ok(runs) => runs.parse().context("MEMPLAN_RUNS")?,
        Err(_) => 3,
    };
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("networks.mlir");
    fs::write(&input, joined(&Network::all()?)?)?;

    let on_functions = "builtin.module(func.func(memplan-merge-alloc{}))";
    let on_module = "builtin.module(memplan-merge-alloc{})";
    let (program, report) = plan(&tools, &input, on_functions, false)?;
    for run in 0..runs {
        for pipeline in [on_functions, on_module] {
            for threads in [true, false] {
                let (other_program, other_report) = plan(&tools, &input, pipeline, threads)?;
                let which = format!("run {run} of {pipeline}, threads: {threads}");
                ensure!(program == other_program, "{which}: another program");
                ensure!(report == other_report, "{which}: another report");
            }
        }
    }
    Ok(())
}
