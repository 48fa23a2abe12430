//! A network whose results are memory of its caller: MLIR's out-params, through the whole pipeline.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use memplan_harness::networks::transform::{Variant, transform};
use memplan_harness::tools::Tools;

/// MLIR's pass, which marks the arguments that were results.
const TO_OUT_PARAMS: &str = "--pass-pipeline=builtin.module(buffer-results-to-out-params{\
    modify-public-functions=true add-result-attr=true})";
/// The mark.
const MARK: &str = "{bufferize.result}";

/// The network after both, with a function in place of the old one. Nothing may be copied to a result. `None` if the size of
/// a result is dynamic.
pub fn make(tools: &Tools, plain: &Path, folder: &Path) -> Result<Option<Variant>> {
    let variant = transform(tools, plain, folder, "out-params, plain", &[TO_OUT_PARAMS])?;
    let marked = fs::read_to_string(&variant.file)?.replace(MARK, "{memplan.noalias}");
    let given = folder.join("out-params-marked.mlir");
    fs::write(&given, marked)?;
    let plugin = format!("--load-pass-plugin={}", tools.plugin.display());
    let pipeline = "--pass-pipeline=builtin.module(memplan{verify=true})";
    let variant = transform(tools, &given, folder, "out-params", &[&plugin, pipeline])?;
    let text = fs::read_to_string(&variant.file)?;
    let start = text.find(HEAD).context("there is no @forward")? + HEAD.len();
    let arguments = arguments(&text[start..]);
    let results: Vec<&(&str, &str)> = arguments
        .iter()
        .filter(|(_, kind)| kind.contains("memplan.noalias"))
        .collect();
    ensure!(!results.is_empty(), "no argument was a result");
    for (name, _) in &results {
        let copied = format!(", {name} : memref");
        let copies = text.lines().filter(|line| line.contains("memref.copy"));
        let count = copies.filter(|line| line.contains(&copied)).count();
        ensure!(count == 0, "{count} buffers are copied to {name}");
    }
    if results.iter().any(|(_, kind)| kind.contains('?')) {
        return Ok(None);
    }
    fs::write(&variant.file, with_results(&text, &arguments)?)?;
    Ok(Some(variant))
}

const HEAD: &str = "func.func @forward(";

/// The name and the type, with attributes, of each argument.
fn arguments(text: &str) -> Vec<(&str, &str)> {
    let (mut depth, mut from) = (0, 0);
    let mut all = Vec::new();
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '<' | '{' | '[' => depth += 1,
            ')' if depth == 0 => {
                all.push(&text[from..at]);
                break;
            }
            ')' | '>' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    let parts = all
        .into_iter()
        .filter_map(|one| one.trim().split_once(": "));
    parts.collect()
}

/// The program with a function @forward that allocates and returns the results.
fn with_results(text: &str, arguments: &[(&str, &str)]) -> Result<String> {
    let kind = |kind: &str| kind.split(" {").next().unwrap_or(kind).to_owned();
    let (results, given): (Vec<_>, Vec<_>) = arguments
        .iter()
        .partition(|(_, kind)| kind.contains("memplan.noalias"));
    let list = |all: &[String]| all.join(", ");
    let typed = given
        .iter()
        .map(|(name, of)| format!("{name}: {}", kind(of)));
    let kinds: Vec<String> = results.iter().map(|(_, of)| kind(of)).collect();
    let allocations = results.iter().zip(&kinds);
    let allocations =
        allocations.map(|((name, _), of)| format!("{name} = memref.alloc() : {of}\n"));
    let all_kinds: Vec<String> = arguments.iter().map(|(_, of)| kind(of)).collect();
    let names = |of: &[(&str, &str)]| {
        let names = of.iter().map(|(name, _)| (*name).to_owned());
        list(&names.collect::<Vec<_>>())
    };
    let function = format!(
        "func.func @forward({}) -> ({}) {{\n{}call @network({}) : ({}) -> ()\nreturn {} : {}\n}}\n",
        list(&typed.collect::<Vec<_>>()),
        list(&kinds),
        allocations.collect::<String>(),
        names(arguments),
        list(&all_kinds),
        names(&results),
        list(&kinds),
    );
    let end = text.rfind('}').context("the module does not end")?;
    let renamed = text[..end].replacen(HEAD, "func.func private @network(", 1);
    Ok(format!("{renamed}{function}}}\n"))
}
