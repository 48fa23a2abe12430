//! From what passes and pipelines say of themselves to pages.

use crate::{
    diagnostics::write_table,
    page::{Page, cell, link},
};
use memplan_interface::{
    Declaration, Example, OptionDeclaration, codes,
    pipeline::{Pipeline, PipelineStep},
};
use std::fmt::Write;

/// The page of a pass.
pub fn of_pass(pass: &Declaration) -> Page {
    let mut text = head(pass.argument, pass.summary, pass.description);
    let on = match pass.module_only {
        true => "Runs on `builtin.module`.",
        false => {
            "Runs on `builtin.module`, there on each function at any nesting, and on functions."
        }
    };
    _ = write!(text, "{on}\n\n");
    write_example(&mut text, pass.argument, &pass.example);
    write_options(&mut text, pass.options.iter());
    text.push_str("## Statistics\n\n");
    if pass.statistics.is_empty() {
        text.push_str("This pass counts nothing.\n\n");
    } else {
        text.push_str("`--mlir-pass-statistics` counts, where LLVM was built so:\n\n| name | counts |\n|---|---|\n");
        for one in pass.statistics {
            _ = writeln!(text, "| `{}` | {} |", one.name, cell(one.description));
        }
        text.push('\n');
    }
    let groups = pass.codes.iter().chain([&codes::ALL]);
    text.push_str("## Diagnostics\n\n");
    write_table(&mut text, groups.flat_map(|group| group.iter().copied()));
    Page {
        name: pass.argument.to_owned(),
        title: pass.summary.to_owned(),
        text,
    }
}

/// The page of a pipeline.
pub fn of_pipeline(pipeline: &Pipeline) -> Page {
    let mut text = head(pipeline.argument, pipeline.summary, pipeline.description);
    let defaults: Vec<String> = pipeline
        .options()
        .map(|option| option.kind.default_text())
        .collect();
    if let Ok(passes) = pipeline.passes(&defaults) {
        _ = write!(
            text,
            "Without options, it stands for:\n\n```text\n{}\n```\n\n",
            broken(&passes)
        );
    }
    write_example(&mut text, pipeline.argument, &pipeline.example);
    write_options(&mut text, pipeline.options());
    text.push_str("## Statistics and diagnostics\n\nThose of its passes: ");
    let mut own = Vec::new();
    add_own(pipeline.steps, &mut own);
    let own: Vec<String> = own.into_iter().map(link).collect();
    _ = writeln!(text, "{}.", own.join(", "));
    Page {
        name: pipeline.argument.to_owned(),
        title: pipeline.summary.to_owned(),
        text,
    }
}

/// Adds memplan's own passes among the steps of a pipeline, each once.
fn add_own(steps: &[PipelineStep], own: &mut Vec<&'static str>) {
    for step in steps {
        match step {
            PipelineStep::Upstream(_) => {}
            PipelineStep::Pass(pass, _)
            | PipelineStep::PassWith(pass, ..)
            | PipelineStep::Explain(_, pass, _) => {
                if !own.contains(&pass.argument) {
                    own.push(pass.argument);
                }
            }
            PipelineStep::Pipeline(pipeline) => add_own(pipeline.steps, own),
            PipelineStep::IfPresent(_, steps) | PipelineStep::If(_, steps) => add_own(steps, own),
            PipelineStep::Choice(_, choices) => {
                for (_, steps) in *choices {
                    add_own(steps, own);
                }
            }
        }
    }
}

fn head(name: &str, summary: &str, description: &str) -> String {
    format!("# {name}\n\n*{summary}.*\n\n{}\n\n", description.trim())
}

fn write_example(text: &mut String, name: &str, example: &Example) {
    _ = write!(
        text,
        "## Example\n\nBefore:\n\n```mlir\n{}\n```\n\n",
        example.before.trim_end()
    );
    // A pass that checks says what is wrong.
    _ = match example.after.starts_with("error: ") {
        true => write!(
            text,
            "`{name}` says:\n\n```text\n{}\n```\n\n",
            example.after.trim_end()
        ),
        false => write!(
            text,
            "After `{name}`:\n\n```mlir\n{}\n```\n\n",
            example.after.trim_end()
        ),
    };
}

fn write_options<'o>(text: &mut String, options: impl Iterator<Item = &'o OptionDeclaration>) {
    let mut options = options.peekable();
    if options.peek().is_none() {
        return;
    }
    text.push_str("## Options\n\n| option | default | takes | |\n|---|---|---|---|\n");
    for option in options {
        let shown = option.kind.default_shown();
        let default = match shown == option.kind.default_text() {
            true => format!("`{shown}`"),
            false => shown,
        };
        _ = writeln!(
            text,
            "| `{}` | {default} | {} | {} |",
            option.name,
            cell(&option.kind.takes()),
            cell(option.description)
        );
    }
    text.push('\n');
}

/// Consecutive passes, each on its own line.
fn broken(passes: &str) -> String {
    let mut lines = String::new();
    let mut depth = 0;
    for one in passes.chars() {
        match one {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            _ => {}
        }
        lines.push(one);
        if one == ',' && depth == 0 {
            lines.push('\n');
        }
    }
    lines
}
