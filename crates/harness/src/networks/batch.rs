//! A network in a batch loop.
//!
//! The network becomes a function `@iteration` that writes its results to arguments. `@forward`
//! becomes a loop that calls it, first with another input and in the last iteration with the given
//! one: state of one iteration must not reach the next. Inlining moves the network with all its
//! allocations into the loop.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Network;
use super::transform::{Variant, transform};
use crate::tools::Tools;

/// Results of static size are written to arguments.
const OUT_PARAMETERS: &str =
    "--pass-pipeline=builtin.module(buffer-results-to-out-params{hoist-static-allocs=true})";

/// Inlines `@iteration` into `@forward`, without other changes.
const INLINE: &str = "--pass-pipeline=builtin.module(inline{default-pipeline=})";

/// The network in a loop of `iterations` iterations, written to `folder`. With `None` it runs once,
/// without a loop, but is otherwise the same. If a result has a dynamic size, the loop carries the
/// results.
///
/// # Errors
///
/// The network has no `@forward`, or `mlir-opt` fails.
pub fn batch(
    network: &Network,
    iterations: Option<usize>,
    tools: &Tools,
    folder: &Path,
) -> Result<Variant> {
    // Each iteration passes the same arguments.
    let kept = network.text.replace(" {memplan.donated}", "");
    let signature = Signature::of(&kept).context("no signature of @forward")?;
    let name = match iterations {
        Some(_) => "batch",
        None => "once",
    };
    let file = folder.join(format!("{name}-iteration.mlir"));
    let iteration = kept.replacen("func.func @forward(", "func.func private @iteration(", 1);
    fs::write(&file, iteration)?;
    let mut iteration = file;
    if !signature.carries() {
        iteration = transform(
            tools,
            &iteration,
            folder,
            &format!("{name}, out"),
            &[OUT_PARAMETERS],
        )?
        .file;
    }
    let text = fs::read_to_string(iteration)?;
    let (body, _) = text.rsplit_once('}').context("no module")?;
    let file = folder.join(format!("{name}-called.mlir"));
    fs::write(
        &file,
        format!("{body}{}}}\n", signature.forward(iterations)?),
    )?;
    transform(tools, &file, folder, name, &[INLINE])
}

/// The types of a network's arguments and results.
struct Signature<'t> {
    arguments: Vec<&'t str>,
    results: Vec<&'t str>,
}

impl<'t> Signature<'t> {
    fn of(text: &'t str) -> Option<Self> {
        let (_, rest) = text.split_once("func.func @forward(")?;
        let (arguments, rest) = rest.split_once(") -> ")?;
        let (results, _) = rest.split_once(" {\n")?;
        let arguments = list(arguments).into_iter();
        Some(Self {
            arguments: arguments
                .filter_map(|argument| Some(argument.split_once(": ")?.1))
                .collect(),
            results: list(results.trim_start_matches('(').trim_end_matches(')')),
        })
    }

    /// Whether the loop carries results, because a buffer for them cannot be allocated before their
    /// size is known.
    fn carries(&self) -> bool {
        self.results.iter().any(|result| result.contains('?'))
    }

    /// The text of `@forward`, and of the other input.
    fn forward(&self, iterations: Option<usize>) -> Result<String> {
        let input = *self.arguments.first().context("no input")?;
        // A dynamic size may have any value.
        let other = input.replace('?', "2");
        let value = match input.trim_end_matches('>').rsplit_once('x') {
            Some((_, element)) if element.starts_with('i') => "1",
            _ => "0.5",
        };
        let all = |count: usize, with: &dyn Fn(usize) -> String| {
            (0..count).map(with).collect::<Vec<_>>().join(", ")
        };
        let (arguments, results) = (self.arguments.len(), self.results.len());
        let (inputs, outputs) = (self.arguments.join(", "), self.results.join(", "));
        let parameters = all(arguments, &|at| format!("%a{at}: {}", self.arguments[at]));
        let passed = all(arguments, &|at| match at {
            0 => "%input".to_owned(),
            at => format!("%a{at}"),
        });
        let outs = all(results, &|at| format!("%o{at}"));

        let mut text = String::new();
        writeln!(
            text,
            "memref.global \"private\" constant @other_input : {other} = dense<{value}>"
        )?;
        writeln!(text, "func.func @forward({parameters}) -> ({outputs}) {{")?;
        let count = iterations.unwrap_or(1);
        for (name, number) in [
            ("c0", 0),
            ("c1", 1),
            ("iterations", count),
            ("last", count - 1),
        ] {
            writeln!(text, "%{name} = arith.constant {number} : index")?;
        }
        for (at, result) in self.results.iter().enumerate() {
            let unknown = result.matches('?').count();
            let sizes = all(unknown, &|_| "%c0".to_owned());
            writeln!(text, "%o{at} = memref.alloc({sizes}) : {result}")?;
        }
        let carried = match self.carries() {
            true => {
                let first = all(results, &|at| format!("%i{at} = %o{at}"));
                format!(" iter_args({first}) -> ({outputs})")
            }
            false => String::new(),
        };
        match (iterations, self.carries()) {
            (Some(_), true) => write!(text, "%f:{results} = ")?,
            (None, _) => writeln!(text, "%iteration = arith.addi %last, %c0 : index")?,
            _ => {}
        }
        if iterations.is_some() {
            writeln!(
                text,
                "scf.for %iteration = %c0 to %iterations step %c1{carried} {{"
            )?;
        }
        writeln!(
            text,
            "%is_last = arith.cmpi eq, %iteration, %last : index
             %constant = memref.get_global @other_input : {other}
             %other = memref.cast %constant : {other} to {input}
             %input = arith.select %is_last, %a0, %other : {input}"
        )?;
        if self.carries() {
            writeln!(
                text,
                "%r:{results} = func.call @iteration({passed}) : ({inputs}) -> ({outputs})"
            )?;
        } else {
            writeln!(
                text,
                "func.call @iteration({passed}, {outs}) : ({inputs}, {outputs}) -> ()"
            )?;
        }
        let returned = match (iterations, self.carries()) {
            (Some(_), true) => {
                let yielded = all(results, &|at| format!("%r#{at}"));
                writeln!(text, "scf.yield {yielded} : {outputs}")?;
                all(results, &|at| format!("%f#{at}"))
            }
            (None, true) => all(results, &|at| format!("%r#{at}")),
            (_, false) => outs,
        };
        if iterations.is_some() {
            writeln!(text, "}}")?;
        }
        writeln!(text, "return {returned} : {outputs}\n}}")?;
        Ok(text)
    }
}

/// The elements of a list, split at commas outside of brackets.
fn list(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, character) in text.char_indices() {
        match character {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
