//! Networks with a dimension that is known only at run time, made from their static forms: the arena takes what that of
//! the static form takes at each value, nothing else is allocated, and the small ones print the same as before.

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::networks::models;
use memplan_harness::tools::Tools;
use memplan_report::{Report, expression::evaluate};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Values of a batch, and of a sequence's length.
const BATCHES: [u64; 5] = [1, 2, 3, 8, 16];
const LENGTHS: [u64; 5] = [1, 7, 16, 64, 128];

/// The networks, with the values of their dimension.
const NETWORKS: [(&str, [u64; 5]); 11] = [
    ("alexnet", BATCHES),
    ("bert_base", LENGTHS),
    ("lenet", BATCHES),
    ("mlp", BATCHES),
    ("mobilenet_v2", BATCHES),
    ("resnet18", BATCHES),
    ("resnet50", BATCHES),
    ("squeezenet1_1", BATCHES),
    ("tiny_transformer", BATCHES),
    ("unet_tiny", BATCHES),
    ("vgg16", BATCHES),
];

/// Those that execute in seconds.
const SMALL: [&str; 4] = ["lenet", "mlp", "tiny_transformer", "unet_tiny"];

/// The most bytes above those of the static form: two hundredths, and one alignment.
const MOST_PERCENT: u64 = 102;
const ALIGNMENT: u64 = 64;

/// What tests/models/dynamic prints.
fn made(name: &str, options: &[&str], into: &Path) -> Result<()> {
    let script = models().join("dynamic");
    let text = output(Command::new(script).arg(name).args(options))?;
    Ok(std::fs::write(into, text)?)
}

fn optimized(tools: &Tools, input: &Path, pipeline: &str) -> Result<String> {
    let out = output(
        limited(Duration::from_secs(120), tools.mlir_opt())
            .arg(input)
            .arg(format!("--load-pass-plugin={}", tools.plugin.display()))
            .arg(format!("--pass-pipeline=builtin.module({pipeline})")),
    )?;
    Ok(String::from_utf8(out)?)
}

/// The program after `memplan`, and the bytes of its arena at some values of the dimension.
fn planned(tools: &Tools, input: &Path, values: &[u64]) -> Result<(String, Vec<u64>)> {
    let report = input.with_extension("json");
    let pipeline = format!("memplan{{arena=arg verify report={}}}", report.display());
    let text = optimized(tools, input, &pipeline)?;
    let report = Report::from_json(&std::fs::read_to_string(&report)?)?;
    let scopes = report.functions.iter().flat_map(|one| &one.scopes);
    let scopes: Vec<_> = scopes.collect();
    let bytes = values.iter().map(|value| {
        let mut bytes = 0;
        for scope in &scopes {
            bytes += scope.planned_bytes;
            for slot in &scope.slots {
                let sizes = slot.size.iter();
                let sizes = sizes.map(|size| evaluate(size, |_| *value).context(size.clone()));
                bytes += sizes
                    .collect::<Result<Vec<u64>>>()?
                    .into_iter()
                    .max()
                    .unwrap_or(0);
            }
        }
        Ok(bytes)
    });
    Ok((text, bytes.collect::<Result<Vec<u64>>>()?))
}

#[test]
fn arenas_take_what_those_of_the_static_forms_take_at_each_value() -> Result<()> {
    let tools = Tools::find()?;
    for (name, values) in NETWORKS {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("dynamic.mlir");
        made(name, &[], &file)?;
        let (text, sizes) = planned(&tools, &file, &values)?;
        // Each has one result.
        let allocations = text.matches("memref.alloc(").count();
        ensure!(allocations == 1, "{name}: {allocations} allocations");
        for (value, size) in values.iter().zip(sizes) {
            let file = folder.path().join("static.mlir");
            made(name, &["--static", &value.to_string()], &file)?;
            let (_, fixed) = planned(&tools, &file, &[0])?;
            let most = fixed[0] * MOST_PERCENT / 100 + ALIGNMENT;
            ensure!(
                fixed[0] > 0 && size > 0 && size <= most,
                "{name} at {value}: {size} bytes, the static form takes {}",
                fixed[0]
            );
        }
    }
    Ok(())
}

#[test]
fn small_networks_print_the_same_at_several_values() -> Result<()> {
    let tools = Tools::find()?;
    let executed = |name: &str, file: &PathBuf, driver: &PathBuf| {
        output(
            Command::new(models().join("execute"))
                .args([name.as_ref(), file.as_os_str()])
                .env("DRIVER", driver)
                .env("LLVM_PREFIX", &tools.llvm),
        )
    };
    for name in SMALL {
        let folder = tempfile::tempdir()?;
        let [before, after, driver] =
            ["before.mlir", "after.mlir", "driver.mlir"].map(|file| folder.path().join(file));
        made(name, &[], &before)?;
        std::fs::write(&after, optimized(&tools, &before, "memplan{verify}")?)?;
        for value in ["1", "3"] {
            made(name, &["--driver", value], &driver)?;
            let wanted = executed(name, &before, &driver)?;
            let found = executed(name, &after, &driver)?;
            ensure!(!wanted.is_empty(), "{name}: prints nothing");
            ensure!(wanted == found, "{name} at {value}: prints something else");
        }
    }
    Ok(())
}
