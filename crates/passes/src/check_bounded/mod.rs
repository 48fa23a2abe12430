//! `memplan-check-bounded`: checks that the work of a program is bounded at compile time.
//!
//! read (`faults`: unbounded operations of each function) -> decide (`verdicts`: over the call graph) ->
//! diagnostics, and the size of each function after expansion. The IR does not change.

mod faults;
mod verdicts;

use crate::{bounded::size::Sizes, collector::Collector, treeify::operations};
use memplan_declarations::check_bounded::codes;
use memplan_mlir::{
    calls,
    codes::Code,
    diagnostics::Diagnostic,
    ir::{Op, location_text, symbol_name},
    melior::ir::operation::OperationLike,
    pass::{Declaration, Failed, InitError, OptionValues, Pass, Run},
};
use memplan_report::{BoundedReport, FunctionReport, SizeReport};
use memplan_semantics::{Semantics, functions, names::Names};
use verdicts::Verdicts;

/// The pass.
pub struct CheckBounded {
    collector: Collector,
}

impl Pass for CheckBounded {
    const DECLARATION: &'static Declaration = &memplan_declarations::check_bounded::DECLARATION;

    fn new() -> Self {
        Self {
            collector: Collector::default(),
        }
    }

    fn initialize(&self, values: &OptionValues) -> Result<(), InitError> {
        self.collector.open(values.text("report"))
    }

    fn run(&self, run: &Run<'_>) -> Result<(), Failed> {
        self.collector.during(run.op, || self.work(run))
    }
}

impl CheckBounded {
    fn work(&self, run: &Run<'_>) -> Result<(), Failed> {
        run.preserve_all();
        let sees_all = !Names::default().info(run.op).is_function();
        let functions: Vec<Op<'_>> = functions::groups(run.op).into_iter().flatten().collect();
        let verdicts = Verdicts::of(&functions, sees_all);
        let mut result = Ok(());
        for (number, function) in functions.iter().enumerate() {
            if verdicts.tell(number) {
                result = Err(Failed);
            } else {
                self.describe(*function, run.values.flag("remarks"));
            }
        }
        result
    }
}

/// An error of this pass.
fn error<'c>(op: Op<'c>, code: &Code, message: &str) -> Diagnostic<'c> {
    let name = CheckBounded::DECLARATION.argument;
    Diagnostic::new(code, op.location(), format!("{name}: {message}"))
}

impl CheckBounded {
    fn describe(&self, function: Op<'_>, remarks: bool) {
        if !remarks && !self.collector.is_open() {
            return;
        }
        let Some(body) = calls::function_body(function) else {
            return;
        };
        let mut semantics = Semantics::default();
        let mut sizes = Sizes::new(&mut semantics, false);
        let Ok(size) = sizes.region(body) else {
            return;
        };
        if remarks {
            for (op, count) in &sizes.loops {
                let count = match count {
                    Some(count) => format!("{count} iterations"),
                    None => "a trip count that depends on an enclosing loop".to_owned(),
                };
                Diagnostic::new(codes::TRIP_COUNT, op.location(), count).emit();
            }
            let message = format!(
                "bounded: paths: {}, operations: {}, with loops expanded: {}, as a tree: {}",
                size.paths,
                operations(function),
                size.flat,
                size.tree
            );
            Diagnostic::new(codes::SIZE, function.location(), message).emit();
        }
        if self.collector.is_open() {
            let loops = sizes.loops.iter();
            let loops = loops.map(|(op, count)| (location_text(op.location()), *count));
            let report = SizeReport {
                loops: loops.collect(),
                operations: operations(function),
                expanded: size.flat.to_string(),
                tree: size.tree.to_string(),
                paths: size.paths.to_string(),
            };
            self.collector.add(
                function,
                FunctionReport {
                    name: symbol_name(function),
                    bounded: Some(BoundedReport {
                        size: Some(report),
                        layout: None,
                    }),
                    ..FunctionReport::default()
                },
            );
        }
    }
}
