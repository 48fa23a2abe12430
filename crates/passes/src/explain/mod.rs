//! `memplan-explain`: plans copies of a program with other options, and reports what each gives.
//!
//! `measures` decides which options are changed. Each run of the pipeline is on a copy of the module, whose report is kept in
//! memory. The program does not change.

mod measures;

use crate::{
    collector::{Collector, kept_name, take_kept},
    failure::fail_as,
};
use measures::Measure;
use memplan_declarations::{
    explain::codes::{NESTED_MODULE, NOT_EXPLAINED},
    pipelines::ALL,
};
use memplan_mlir::{
    diagnostics::{Diagnostic, known_location},
    ir::{Op, parent_block, symbol_name},
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
    pipeline::run_on_copy,
};
use memplan_report::{ExplainedBytes, ExplainedReport, FunctionReport, MeasureReport};
use memplan_semantics::functions;
use rustc_hash::{FxHashMap, FxHashSet};

/// The pass.
pub struct Explain {
    collector: Collector,
}

impl Pass for Explain {
    const DECLARATION: &'static Declaration = &memplan_declarations::explain::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn check(values: &OptionValues) -> Result<(), String> {
        let options = values.text("options");
        let text = format!("{}{{{options}}}", ALL.argument);
        memplan_mlir::pipeline::check(&text).map_err(|why| format!("option 'options': {why}"))
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl Explain {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        run.preserve_all();
        if parent_block(run.op).is_some() {
            let why = "it runs on the outermost module, and this one is in another";
            return Err(fail_as::<Self>(run.op, NESTED_MODULE, why));
        }
        if !self.collector.is_open() {
            return Ok(());
        }
        let options = run.values.text("options");
        let Some((base, dynamic)) = planned(run.op, options) else {
            let why = "not explained: memplan fails on the program with these options";
            Diagnostic::new(NOT_EXPLAINED, known_location(run.op), why).emit();
            return Ok(());
        };
        let default = |name: &str| {
            let option = ALL.options().find(|option| option.name == name)?;
            Some(option.kind.default_text())
        };
        let measures = measures::of(options, default);
        let results: Vec<(Measure, Option<Planned>)> = measures
            .into_iter()
            .map(|measure| {
                let result = planned(run.op, &measure.options).map(|(bytes, _)| bytes);
                (measure, result)
            })
            .collect();
        for function in functions::groups(run.op).into_iter().flatten() {
            let name = symbol_name(function);
            let Some(bytes) = base.get(&name) else {
                continue;
            };
            let measures = results.iter().map(|(measure, result)| MeasureReport {
                measure: measure.about.to_owned(),
                option: measure.option.clone(),
                removes: measure.removes,
                bytes: result
                    .as_ref()
                    .and_then(|result| result.get(&name).copied()),
            });
            let explained = ExplainedReport {
                options: options.to_owned(),
                bytes: *bytes,
                measures: measures.collect(),
                has_dynamic_sizes: dynamic.contains(&name),
            };
            let report = FunctionReport {
                name,
                explained: Some(explained),
                ..FunctionReport::default()
            };
            self.collector.add(function, report);
        }
        Ok(())
    }
}

/// The bytes of each function, by name.
type Planned = FxHashMap<String, ExplainedBytes>;

/// The bytes of the functions of a module with options of the pipeline, and the names of those with sizes that are known only at
/// run time; `None` if it fails.
fn planned(module: Op<'_>, options: &str) -> Option<(Planned, FxHashSet<String>)> {
    let kept = kept_name();
    let passes = format!("{}{{{options} report={kept}}}", ALL.argument);
    let is_done = run_on_copy(module, &passes);
    let reports = take_kept(&kept);
    if !is_done {
        return None;
    }
    let (mut all, mut dynamic) = (Planned::default(), FxHashSet::default());
    for report in reports {
        if !report.dimensions.is_empty() {
            dynamic.insert(report.name.clone());
        }
        let bytes = ExplainedBytes {
            planned_bytes: report.planned(),
            heap_bytes: report.heap_bytes.unwrap_or_else(|| report.planned()),
        };
        // Several passes may report one function.
        let known = all.entry(report.name).or_default();
        known.planned_bytes = known.planned_bytes.max(bytes.planned_bytes);
        known.heap_bytes = known.heap_bytes.max(bytes.heap_bytes);
    }
    Some((all, dynamic))
}
