//! Networks with a dimension that is known only at run time, made from their static forms: the arena takes what that of
//! the static form takes at each value, nothing else is allocated, and the small ones print the same as before.
//!
//! Reports at a shape (`memplan table --dim`) have the bytes and the offsets that programs compute.

use anyhow::{Context, Result, ensure};
use memplan_harness::command::{limited, output};
use memplan_harness::networks::models;
use memplan_harness::runner::runner;
use memplan_harness::tools::Tools;
use memplan_report::{Report, Shape, expression::evaluate};
use std::fmt::Write;
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
fn planned(
    tools: &Tools,
    input: &Path,
    values: &[u64],
    options: &str,
) -> Result<(String, Vec<u64>)> {
    let report = input.with_extension("json");
    let pipeline = format!(
        "memplan{{arena=arg verify {options} report={}}}",
        report.display()
    );
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
        let (text, sizes) = planned(&tools, &file, &values, "split=none")?;
        // Each has one result.
        let allocations = text.matches("memref.alloc(").count();
        ensure!(allocations == 1, "{name}: {allocations} allocations");
        for (value, size) in values.iter().zip(sizes) {
            let file = folder.path().join("static.mlir");
            made(name, &["--static", &value.to_string()], &file)?;
            let (_, fixed) = planned(&tools, &file, &[0], "split=none")?;
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
        for pipeline in ["memplan{verify split=none}", "memplan{verify results=off}"] {
            std::fs::write(&after, optimized(&tools, &before, pipeline)?)?;
            for value in ["1", "3"] {
                made(name, &["--driver", value], &driver)?;
                let wanted = executed(name, &before, &driver)?;
                let found = executed(name, &after, &driver)?;
                ensure!(!wanted.is_empty(), "{name}: prints nothing");
                let is_same = wanted == found;
                ensure!(
                    is_same,
                    "{pipeline}: {name} at {value}: prints something else"
                );
            }
        }
    }
    Ok(())
}

/// Networks that run item by item, with most bytes of their arenas at any batch.
const ITEMS: [(&str, u64); 4] = [
    ("lenet", 5_200),
    ("mlp", 1_088),
    ("resnet18", 800_000),
    ("unet_tiny", 50_000),
];

#[test]
fn strips_of_items_take_the_same_at_each_batch() -> Result<()> {
    let tools = Tools::find()?;
    for (name, most) in ITEMS {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("dynamic.mlir");
        made(name, &[], &file)?;
        let (_, sizes) = planned(&tools, &file, &BATCHES, "results=off")?;
        let are_same = sizes.iter().all(|size| *size == sizes[0]);
        ensure!(are_same && sizes[0] <= most, "{name}: {sizes:?} bytes");
    }
    Ok(())
}

/// Values of both dimensions of the programs below: some for which sizes need no rounding up, and others.
const SHAPES: [[u64; 2]; 6] = [[1, 1], [64, 128], [3, 50], [70, 2], [33, 33], [2, 301]];

/// Types of buffers, with their sizes, and attributes: linear and quadratic ones, static ones, and of other alignments.
const BUFFERS: [(&str, &str, &str); 9] = [
    ("%n", "?xi8", ""),
    ("%n", "?x2xi8", ""),
    ("%m", "?xi8", ""),
    ("%m", "?x20xi8", ""),
    ("%n, %m", "?x?xi8", ""),
    ("%n, %n", "?x?xi8", ""),
    ("", "48xi8", ""),
    ("%n", "?x5xi8", " {alignment = 256 : i64}"),
    ("%n", "?x3xi8", " {alignment = 256 : i64}"),
];

/// One buffer, and then two of half its size: two of these halves are rounded up.
const ROUNDED: &str = "func.func @work0(%x: memref<?x?xi8>) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 7 : i8
  %n = memref.dim %x, %c0 : memref<?x?xi8>
  %a = memref.alloc(%n) : memref<?x2xi8>
  memref.store %v, %a[%c0, %c0] : memref<?x2xi8>
  memref.dealloc %a : memref<?x2xi8>
  %b = memref.alloc(%n) : memref<?xi8>
  memref.store %v, %b[%c0] : memref<?xi8>
  %c = memref.alloc(%n) : memref<?xi8>
  memref.store %v, %c[%c0] : memref<?xi8>
  %u = memref.load %b[%c0] : memref<?xi8>
  memref.dealloc %b : memref<?xi8>
  memref.dealloc %c : memref<?xi8>
  return
}
";

/// Functions of few buffers each, which are live for a while; the choices come from `number`.
fn functions(count: u64) -> String {
    let mut text = String::new();
    let mut state = 1_u64;
    let mut pick = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap_or(0) % below
    };
    text += ROUNDED;
    for number in 1..count {
        _ = writeln!(
            text,
            "func.func @work{number}(%x: memref<?x?xi8>) {{\n%c0 = arith.constant 0 : index\n\
             %c1 = arith.constant 1 : index\n%v = arith.constant 7 : i8\n\
             %n = memref.dim %x, %c0 : memref<?x?xi8>\n%m = memref.dim %x, %c1 : memref<?x?xi8>"
        );
        // Few kinds in some functions, so that all sizes are multiples of one dimension there.
        let kinds = [2, 4, 5, BUFFERS.len()][pick(4)];
        let mut live: Vec<(usize, usize)> = Vec::new();
        for buffer in 0..3 + pick(6) {
            let kind = match kinds {
                2 => pick(2),
                4 => [0, 1, 7, 8][pick(4)],
                kinds => pick(kinds),
            };
            let (sizes, ty, attribute) = BUFFERS[kind];
            let indices = vec!["%c0"; ty.matches('x').count()].join(", ");
            _ = writeln!(
                text,
                "%b{buffer} = memref.alloc({sizes}){attribute} : memref<{ty}>\n\
                 memref.store %v, %b{buffer}[{indices}] : memref<{ty}>"
            );
            live.push((buffer, kind));
            while live.len() > pick(4) {
                let (last, kind) = live.remove(pick(live.len()));
                let ty = BUFFERS[kind].1;
                let indices = vec!["%c0"; ty.matches('x').count()].join(", ");
                _ = writeln!(
                    text,
                    "%l{last} = memref.load %b{last}[{indices}] : memref<{ty}>\nmemref.dealloc %b{last} : memref<{ty}>"
                );
            }
        }
        for (last, kind) in live {
            _ = writeln!(
                text,
                "memref.dealloc %b{last} : memref<{}>",
                BUFFERS[kind].1
            );
        }
        text += "return\n}\n";
    }
    text
}

/// A program that prints, for each shape and function, the bytes that its arena takes, and the offset of each buffer.
fn printing(planned: &str, count: u64) -> Result<String> {
    let mut text = String::new();
    let mut parameters = vec![None; usize::try_from(count)?];
    let planned = planned.trim().strip_prefix("module {");
    let planned = planned.and_then(|text| text.strip_suffix('}'));
    for line in planned.context("no module")?.lines().map(str::trim) {
        _ = writeln!(text, "{line}");
        if let Some((_, view)) = line.split_once("= memref.view ")
            && let Some((_, id)) = line.split_once("memplan.buffer = ")
        {
            let (_, offset) = view.split_once('[').context("no offset")?;
            let (offset, _) = offset.split_once(']').context("no offset")?;
            let (id, _) = id.split_once(' ').context("no id")?;
            _ = writeln!(
                text,
                "%i{id} = arith.constant {id} : index\nfunc.call @show(%i{id}, {offset}) : (index, index) -> ()"
            );
        }
        if let Some((_, name)) = line.split_once("func.func @work")
            && let Some((number, _)) = name.split_once("_arena_size(")
        {
            // Pairs of an argument, which is the only one, and a dimension of it.
            let (_, all) = line.split_once("array<i64").unwrap_or_default();
            let all = all.trim_start_matches([':', ' ']).split(['>', ')']).next();
            let numbers = all.unwrap_or_default().split(',').skip(1).step_by(2);
            let numbers = numbers.map(|number| number.trim().parse::<usize>());
            parameters[number.parse::<usize>()?] = Some(numbers.collect::<Result<Vec<_>, _>>()?);
        }
    }
    text += "func.func private @printI64(i64)\nfunc.func private @printNewline()\n\
             func.func private @printComma()\nfunc.func private @show(%a: index, %b: index) {\n\
             %c = arith.index_cast %a : index to i64\nfunc.call @printI64(%c) : (i64) -> ()\n\
             func.call @printComma() : () -> ()\n%d = arith.index_cast %b : index to i64\n\
             func.call @printI64(%d) : (i64) -> ()\nfunc.call @printNewline() : () -> ()\nreturn\n}\n\
             func.func @main() {\n%none = arith.constant -1 : index\n";
    for (at, shape) in SHAPES.iter().enumerate() {
        _ = writeln!(
            text,
            "%d{at}_0 = arith.constant {} : index\n%d{at}_1 = arith.constant {} : index\n\
             %x{at} = memref.alloc(%d{at}_0, %d{at}_1) : memref<?x?xi8>",
            shape[0], shape[1]
        );
        // Some need no arena.
        let needed = parameters.iter().enumerate();
        for (number, own) in needed.filter_map(|(number, own)| Some((number, own.as_ref()?))) {
            let given: Vec<String> = own.iter().map(|one| format!("%d{at}_{one}")).collect();
            _ = writeln!(
                text,
                "%s{at}_{number}, %a{at}_{number} = func.call @work{number}_arena_size({}) : ({}) -> (index, index)\n\
                 func.call @show(%none, %s{at}_{number}) : (index, index) -> ()\n\
                 %m{at}_{number} = memref.alloc(%s{at}_{number}) {{alignment = 256 : i64}} : memref<?xi8>\n\
                 func.call @work{number}(%x{at}, %m{at}_{number}) : (memref<?x?xi8>, memref<?xi8>) -> ()\n\
                 memref.dealloc %m{at}_{number} : memref<?xi8>",
                given.join(", "),
                vec!["index"; own.len()].join(", "),
            );
        }
        _ = writeln!(text, "memref.dealloc %x{at} : memref<?x?xi8>");
    }
    Ok(text + "return\n}\n")
}

#[test]
fn reports_at_a_shape_have_the_bytes_and_offsets_of_programs() -> Result<()> {
    const COUNT: u64 = 40;
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let [input, program, lowered] =
        ["in.mlir", "program.mlir", "lowered.mlir"].map(|file| folder.path().join(file));
    std::fs::write(&input, functions(COUNT))?;
    let report = input.with_extension("json");
    let pipeline = format!(
        "memplan-merge-alloc{{arena=arg verify report={}}}",
        report.display()
    );
    let planned = optimized(&tools, &input, &pipeline)?;
    let report = Report::from_json(&std::fs::read_to_string(&report)?)?;
    let slots = || {
        let scopes = report.functions.iter().flat_map(|one| &one.scopes);
        scopes.flat_map(|scope| &scope.slots)
    };
    let insides = || {
        let buffers = slots().flat_map(|slot| &slot.buffers);
        buffers.filter_map(|buffer| buffer.inside.as_ref())
    };
    ensure!(
        slots().any(|slot| slot.unit.is_some()),
        "no unit is rounded up"
    );
    ensure!(insides().any(|one| !one.above.is_empty()), "no stack");
    ensure!(
        slots()
            .flat_map(|slot| &slot.buffers)
            .any(|one| one.size.is_some()),
        "no slot of different sizes"
    );
    std::fs::write(&program, printing(&planned, COUNT)?)?;
    let passes = "expand-strided-metadata,finalize-memref-to-llvm,convert-arith-to-llvm,convert-cf-to-llvm,\
                  convert-func-to-llvm,reconcile-unrealized-casts";
    std::fs::write(&lowered, optimized(&tools, &program, passes)?)?;
    let printed = output(&mut runner(
        &tools,
        &lowered,
        0,
        &[],
        Duration::from_secs(60),
    ))?;
    let mut wanted = String::new();
    for shape in SHAPES {
        let values = [format!("d0={}", shape[0]), format!("d1={}", shape[1])];
        let at = Shape::of(values.iter().map(String::as_str))?.at(&report)?;
        at.check()?;
        for function in &at.functions {
            let mut scopes = function.scopes.iter();
            let Some(scope) = scopes.next() else {
                continue;
            };
            ensure!(scopes.next().is_none(), "{}: more arenas", function.name);
            _ = writeln!(wanted, "-1,{}", scope.planned_bytes);
            let mut buffers: Vec<_> = scope.buffers.iter().collect();
            buffers.sort_by_key(|buffer| buffer.id);
            for buffer in buffers {
                _ = writeln!(wanted, "{},{}", buffer.id, buffer.offset);
            }
        }
    }
    let printed = String::from_utf8(printed)?.replace(", ", ",");
    let pairs = printed.lines().zip(wanted.lines()).enumerate();
    for (line, (found, wanted)) in pairs {
        ensure!(
            found == wanted,
            "line {line}: the program has {found}, the report {wanted}"
        );
    }
    ensure!(
        printed.lines().count() == wanted.lines().count(),
        "lines are missing"
    );
    Ok(())
}

/// The bytes of an arena, and the size and the offset of each of its buffers.
type Places = (u64, Vec<(u64, u64)>);

/// The places in each arena.
fn places(report: &Path) -> Result<Vec<Places>> {
    let report = Report::from_json(&std::fs::read_to_string(report)?)?;
    let scopes = report.functions.iter().flat_map(|one| &one.scopes);
    let scopes = scopes.map(|scope| {
        ensure!(scope.slots.is_empty(), "a size is dynamic");
        let buffers = scope.buffers.iter();
        let places = buffers.map(|buffer| (buffer.size, buffer.offset));
        Ok((scope.planned_bytes, places.collect()))
    });
    scopes.collect()
}

#[test]
fn plans_for_one_shape_are_those_of_the_static_forms() -> Result<()> {
    let tools = Tools::find()?;
    for (name, values) in NETWORKS {
        let folder = tempfile::tempdir()?;
        let [dynamic, fixed] = ["dynamic.mlir", "static.mlir"].map(|file| folder.path().join(file));
        made(name, &[], &dynamic)?;
        let value = values[1];
        made(name, &["--static", &value.to_string()], &fixed)?;
        let plan = |file: &Path, shape: &str| {
            let report = file.with_extension("json");
            let options = format!("verify report={} {shape}", report.display());
            optimized(&tools, file, &format!("memplan-merge-alloc{{{options}}}"))?;
            places(&report)
        };
        let found = plan(&dynamic, &format!("shape=d0={value}"))?;
        ensure!(
            found == plan(&fixed, "")?,
            "{name} at {value}: another plan"
        );
    }
    Ok(())
}
