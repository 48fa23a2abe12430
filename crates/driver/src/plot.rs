//! `memplan plot`: draws plans.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use memplan_output::targets::Targets;
use memplan_planner::csv::{Space, Table};
use memplan_report::{
    BufferReport, FunctionReport, Report, ScopeReport, WindowReport, compare, explain, page, svg,
    trace, units::counted,
};

use crate::files;
use crate::problems;

/// Draw a plan: time across, address up, a box for each live range, the peak marked. Where a buffer has a gap is an
/// outline, and a box for the bytes that stay in use.
///
/// All functions that have a plan are drawn below each other as SVG, a panel for each scope. Of a CSV with
/// offsets, as memplan solve writes it, each memory space is drawn. Of a bounded program, the stack
/// against the bytes that are moved is drawn, too.
///
/// With --html, the same is one page for a browser, which asks the network for nothing: zoom and pan, what a buffer
/// is and what shares its bytes, search, what is live at each position, before and planned, by mouse or by
/// keyboard; ? on the page lists the keys. What the page shows is in its address, which can be kept and sent.
///
/// With --trace, it is a trace in Chrome's JSON format, which Perfetto (ui.perfetto.dev) and chrome://tracing open:
/// a process for each scope, a microsecond for each position, a slice for each live range, the load as a counter.
#[derive(clap::Args)]
pub struct Arguments {
    /// Report written by report=FILE, or CSV with offsets; - is standard input.
    report: PathBuf,
    /// Where the picture goes; - is standard output [default: map.svg, map.html or map.json].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write a page for a browser.
    #[arg(long, conflicts_with = "trace")]
    html: bool,
    /// Write a trace for Perfetto or Chrome.
    #[arg(long)]
    trace: bool,
    /// Only the function of this name.
    #[arg(long, value_name = "NAME")]
    function: Option<String>,
    /// Only the scope of this number, counted from 0 in each function.
    #[arg(long, value_name = "N")]
    scope: Option<usize>,
    /// Draw the plans of a second report, too, each below that of the first, with the same scale, and print both in bytes.
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["html", "trace"])]
    compare: Option<PathBuf>,
    /// Write over a file that memplan did not write.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    shape: files::Dimensions,
}

/// How pictures, pages and traces of memplan say that they are such, near their beginning.
const MARKS: [&str; 3] = [
    r#"class="memplan""#,
    r#"name="generator" content="memplan""#,
    r#"{"generator":"memplan"}"#,
];
/// Where these are at the latest, in bytes.
const MARKED: u64 = 1024;

/// Runs the subcommand.
pub fn run(arguments: &Arguments) -> Result<()> {
    let default_name = match (arguments.html, arguments.trace) {
        (true, _) => "map.html",
        (false, true) => "map.json",
        (false, false) => "map.svg",
    };
    let output = arguments.output.as_deref();
    let output = output.unwrap_or(Path::new(default_name));
    let mut targets = Targets::default();
    targets.input("the input", &arguments.report);
    if let Some(other) = &arguments.compare {
        targets.input("the report to compare with", other);
    }
    files::check_outputs(&mut targets, [("the output", output)])?;
    if !arguments.force {
        check_owner(output)?;
    }
    let drawn = drawn(&arguments.report, arguments)?;
    let functions = &drawn.functions;
    let scope = arguments.scope;
    let mut said = written(output, functions, scope);
    let text = if let Some(other) = &arguments.compare {
        let after = self::drawn(other, arguments)?;
        let pairs = compare::pairs(&drawn, &after);
        said.push_str(&format!("\n{}", compare::table(&pairs)));
        let options = svg::Options {
            scope,
            ..svg::Options::default()
        };
        let [before, after] = [title(&arguments.report), title(other)];
        svg::compared(&pairs, [&before, &after], &options)
    } else if arguments.html {
        page::page(&title(&arguments.report), functions, scope)
    } else if arguments.trace {
        trace::trace(functions, scope)
    } else {
        let options = svg::Options {
            scope,
            ..svg::Options::default()
        };
        svg::map(functions, &options)
    };
    files::write(output, text.as_bytes())?;
    match files::is_dash(output) {
        true => Ok(()),
        false => files::print(&said),
    }
}

/// What was written, in words.
fn written(output: &Path, functions: &[FunctionReport], scope: Option<usize>) -> String {
    let scopes = functions.iter().map(|function| match scope {
        Some(_) => 1,
        None => function.scopes.len(),
    });
    format!(
        "wrote {}: {}, {}\n",
        output.display(),
        counted(functions.len(), "function"),
        counted(scopes.sum(), "scope")
    )
}

/// The functions of a report that are to be drawn.
fn drawn(path: &Path, arguments: &Arguments) -> Result<Report> {
    let report = explain::joined(read(path)?);
    let functions = chosen(&report, path, arguments)?;
    let drawn = Report::new(functions.into_iter().cloned().collect());
    arguments.shape.at(drawn, path)
}

/// A file of others is not written over.
fn check_owner(output: &Path) -> Result<()> {
    if files::is_dash(output) || memplan_output::is_device(output) {
        return Ok(());
    }
    let Ok(file) = File::open(output) else {
        return Ok(());
    };
    let mut start = Vec::new();
    file.take(MARKED)
        .read_to_end(&mut start)
        .with_context(|| files::name(output))?;
    let start = String::from_utf8_lossy(&start);
    match start.is_empty() || MARKS.iter().any(|mark| start.contains(mark)) {
        true => Ok(()),
        false => bail!(
            "{} was not written by memplan plot; --force writes over it",
            output.display()
        ),
    }
}

/// The title of the page for a file.
fn title(path: &Path) -> String {
    let name = path.file_name().filter(|_| !files::is_dash(path));
    name.map_or("plan".into(), |name| name.to_string_lossy().into_owned())
}

fn read(path: &Path) -> Result<Report> {
    let is_named = |ending: &str| {
        path.extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
    };
    if is_named("json") {
        return files::read_report(path);
    }
    let text = files::read_text(path)?;
    // Other names do not tell the format. A report is JSON.
    if !is_named("csv") && (text.trim_start().starts_with('{') || text.trim().is_empty()) {
        return files::report_of(&text, path);
    }
    let name = files::name(path);
    let table = Table::read(&text).with_context(|| name.clone())?;
    problems::check_columns(&table, path, false)?;
    if let Some(line) = table.unsolved() {
        bail!("{name}: line {line} has no offset; memplan solve -o FILE adds them");
    }
    let stem = path.file_stem().filter(|_| !files::is_dash(path));
    Ok(Report::new(vec![FunctionReport {
        name: stem.map_or_else(|| name.clone(), |stem| stem.to_string_lossy().into_owned()),
        scopes: table.spaces.iter().map(scope).collect(),
        skipped: Vec::new(),
        bounded: None,
        dimensions: Vec::new(),
        regions: None,
        orders: Vec::new(),
        chains: Vec::new(),
        functions_read: None,
        program: None,
        planned_bytes: None,
        lower_bound_bytes: None,
        heap_bytes: None,
        heap_lower_bound_bytes: None,
        costs: None,
        explained: None,
    }]))
}

/// A memory space of a solved CSV as a scope.
fn scope(space: &Space) -> ScopeReport {
    let buffers = &space.problem.buffers;
    let (bounds, certificate) = files::without_fixed_offsets(&space.problem).certified_bounds();
    let solution = files::solution(&space.problem);
    let alignments = buffers.iter().map(|buffer| buffer.alignment);
    let buffers = buffers.iter().zip(&solution.offsets);
    ScopeReport {
        slots: Vec::new(),
        kind: String::new(),
        location: String::new(),
        arena: String::new(),
        memory_space: space.name.clone(),
        planner: String::new(),
        optimal: solution.peak == bounds.lower_bound,
        naive_bytes: bounds.naive,
        load_bytes: bounds.load,
        lower_bound_bytes: bounds.lower_bound,
        lower_bound_proof: certificate.kind().to_owned(),
        lower_bound_sizes: Vec::new(),
        op_floor_bytes: None,
        peak: None,
        planned_bytes: solution.peak,
        alignment: alignments.max().unwrap_or(1),
        held: None,
        each_iteration: false,
        first_time: space.labels.origin(),
        excluded: Vec::new(),
        banks: None,
        buffers: buffers
            .map(|(buffer, &offset)| BufferReport {
                id: buffer.id,
                location: String::new(),
                ty: match space.labels.has_names() {
                    true => space.labels.buffer(buffer.id).into_owned(),
                    false => String::new(),
                },
                size: buffer.size,
                alignment: buffer.alignment,
                offset,
                live: buffer
                    .live
                    .iter()
                    .map(|range| (range.start, range.end))
                    .collect(),
                windows: buffer
                    .windows
                    .iter()
                    .map(|window| WindowReport {
                        during: (window.during.start, window.during.end),
                        bytes: (window.low, window.high),
                    })
                    .collect(),
                in_place_with: None,
                arena_of: String::new(),
                same_as: None,
            })
            .collect(),
    }
}

/// The functions to draw. If there are none, an error that lists the available ones.
fn chosen<'a>(
    report: &'a Report,
    path: &Path,
    arguments: &Arguments,
) -> Result<Vec<&'a FunctionReport>> {
    let file = files::name(path);
    let mut functions: Vec<&FunctionReport> = report.functions.iter().collect();
    if let Some(name) = &arguments.function {
        let bare = name.strip_prefix('@').unwrap_or(name);
        functions.retain(|function| function.name == bare);
        if functions.is_empty() {
            bail!(
                "no function '{bare}' in {file}; {}",
                available_functions(report)
            );
        }
    }
    // A curve has no time axis, so a trace cannot show it.
    let curve_too = !arguments.trace;
    functions
        .retain(|function| !function.scopes.is_empty() || curve_too && svg::has_curve(function));
    if functions.is_empty() {
        match &arguments.function {
            Some(name) => bail!("the report has no plan of function '{name}' in {file}"),
            None => bail!("{file} has no plan"),
        }
    }
    if let Some(scope) = arguments.scope {
        let most = functions
            .iter()
            .map(|function| function.scopes.len())
            .max()
            .unwrap_or(0);
        functions.retain(|function| scope < function.scopes.len());
        if functions.is_empty() {
            bail!("no scope {scope} in {file}; the last one is {}", most - 1);
        }
    }
    Ok(functions)
}

fn available_functions(report: &Report) -> String {
    const SHOWN: usize = 8;
    let names: Vec<&str> = report.functions.iter().map(|f| f.name.as_str()).collect();
    match names.as_slice() {
        [] => "it has none".to_owned(),
        names if names.len() <= SHOWN => format!("it has {}", names.join(", ")),
        names => format!(
            "it has {} and {} more",
            names[..SHOWN].join(", "),
            names.len() - SHOWN
        ),
    }
}
