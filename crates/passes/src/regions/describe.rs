//! Remarks, reports and statistics.

use super::{
    codes,
    decide::{Plans, Root},
    facts::{self, ROOT, ScopeId, ScopeKind},
    read::{Reading, SkipReason},
    region_placement::{Plan, RegionRef, ScopeRelease},
    summary::Version,
    write,
};
use memplan_mlir::{
    diagnostics::Diagnostic,
    ir::{Op, block_parent, blocks, location_text, ops, regions, results, symbol_name, type_of},
    melior::ir::operation::OperationLike,
};
use memplan_report::{
    FunctionReport, LoopRegions, MadeRegions, PlacedAllocation, PlacedCall, RegionsReport, Skipped,
};
use memplan_semantics::Semantics;

/// Emits a remark at each allocation of a function: its region, or the reason to skip it.
pub fn remarks(reading: &Reading<'_>, root: Root, plans: &[Option<Plan>; 2]) {
    let (Some(plan), _) = write::original_and_copy(root, plans) else {
        return;
    };
    for (op, place) in reading.allocations.iter().zip(&plan.allocations) {
        let text = match place {
            Ok(RegionRef::Destination) => "in the region of the caller".to_owned(),
            Ok(RegionRef::Scope(facts::ROOT)) => "in the region of the function".to_owned(),
            Ok(RegionRef::NextIteration(_)) => "in one of two regions that a loop swaps".to_owned(),
            Ok(RegionRef::LastUse(_)) => {
                "in a region that is emptied after its last use".to_owned()
            }
            Ok(RegionRef::Scope(_)) => "in the region of a loop".to_owned(),
            Err(Some(reason)) => format!("skipped: {}", reason.text()),
            Err(None) => "skipped: its size is static, and it stays in the function".to_owned(),
        };
        let code = if place.is_ok() {
            codes::PLACED
        } else {
            codes::LEFT
        };
        Diagnostic::new(code, op.location(), text).emit();
    }
}

/// Emits a remark at each allocation of a function that is skipped.
pub fn remarks_for_skipped<'c>(function: Op<'c>, reason: &str, semantics: &mut Semantics) {
    for op in allocations(function, semantics) {
        let text = format!("skipped: {reason}");
        Diagnostic::new(codes::LEFT, op.location(), text).emit();
    }
}

/// The allocations in a function, in textual order.
fn allocations<'c>(function: Op<'c>, semantics: &mut Semantics) -> Vec<Op<'c>> {
    let mut found = Vec::new();
    let mut open: Vec<Op<'c>> = vec![function];
    while let Some(op) = open.pop() {
        if semantics.of(op).plain_allocation() == Some(false) {
            found.push(op);
        }
        let inside = open.len();
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
        open[inside..].reverse();
    }
    found
}

/// The statistics of all versions, in the order of the declaration: regions that functions create,
/// allocations in regions, and skipped allocations.
pub fn counts(plans: &Plans) -> [u64; 3] {
    let mut counts = [0; 3];
    for plan in plans.iter().flatten().flatten() {
        let own = plan
            .scope_releases
            .iter()
            .filter(|scope_release| **scope_release == ScopeRelease::Own)
            .count();
        let last_use = plan.last_use_regions.counts.iter();
        let last_use: u64 = last_use.map(|(_, count)| u64::from(*count)).sum();
        let placed = plan
            .allocations
            .iter()
            .filter(|place| place.is_ok())
            .count();
        counts[0] += (own + 2 * plan.swaps.len()) as u64 + last_use;
        counts[1] += placed as u64;
        counts[2] += (plan.allocations.len() - placed) as u64;
    }
    counts
}

/// The report of one version of a function, except for the names of versions, which are known once they are
/// written.
pub struct ReportDraft {
    report: FunctionReport,
    /// The function and its version.
    of: (usize, Version),
    /// For each call of the report, the number of the callee and its version.
    callees: Vec<(usize, Version)>,
}

impl ReportDraft {
    /// Completes the report with the names of all versions, by function.
    pub fn finish(self, symbols: &[[String; 2]]) -> FunctionReport {
        let name = |(function, version): (usize, Version)| {
            let name: &String = &symbols[function][version as usize];
            name.clone()
        };
        let Self {
            mut report,
            of,
            callees,
        } = self;
        let own = name(of);
        // A skipped function has no versions, and keeps its name.
        if !own.is_empty() {
            report.name = own;
        }
        let calls = report
            .regions
            .iter_mut()
            .flat_map(|regions| &mut regions.calls);
        for (call, callee) in calls.zip(callees) {
            call.callee = name(callee);
        }
        report
    }
}

/// The reports of the versions of a function: the original, then the copy.
pub fn reports(
    number: usize,
    reading: &Reading<'_>,
    root: Root,
    plans: &[Option<Plan>; 2],
) -> Vec<ReportDraft> {
    let (first, other) = write::original_and_copy(root, plans);
    let versions = first.into_iter().chain(other);
    versions.map(|plan| report(number, reading, plan)).collect()
}

/// The report of a skipped function.
pub fn report_for_skipped(
    number: usize,
    function: Op<'_>,
    reason: SkipReason,
    semantics: &mut Semantics,
) -> ReportDraft {
    let all = allocations(function, semantics).into_iter();
    ReportDraft {
        report: FunctionReport {
            name: symbol_name(function),
            skipped: all.map(|op| skipped(op, reason.id())).collect(),
            regions: Some(RegionsReport::default()),
            ..FunctionReport::default()
        },
        of: (number, Version::Heap),
        callees: Vec::new(),
    }
}

fn report(number: usize, reading: &Reading<'_>, plan: &Plan) -> ReportDraft {
    let mut report = RegionsReport {
        takes_region: plan.receives_region,
        borrowed_results: plan.borrowed_results.iter().map(|at| *at as u64).collect(),
        ..RegionsReport::default()
    };
    regions_and_loops(reading, plan, &mut report);
    let mut skipped_allocations = Vec::new();
    for (op, place) in reading.allocations.iter().zip(&plan.allocations) {
        match place {
            Ok(place) => report.placed.push(PlacedAllocation {
                location: location_text(op.location()),
                ty: type_text(*op),
                region: region_name(reading, plan, *place).to_owned(),
            }),
            Err(reason) => skipped_allocations.push(skipped(
                *op,
                reason.map_or(codes::KNOWN_SIZE.id, |it| it.id()),
            )),
        }
    }
    let mut callees = Vec::new();
    let calls = reading.function.calls.iter().zip(&reading.calls);
    for ((call, op), of) in calls.zip(&plan.calls) {
        if let Some(place) = of.region {
            callees.push((call.callee, of.version));
            report.calls.push(PlacedCall {
                location: location_text(op.location()),
                callee: String::new(),
                region: region_name(reading, plan, place).to_owned(),
            });
        }
    }
    ReportDraft {
        report: FunctionReport {
            name: symbol_name(reading.op),
            skipped: skipped_allocations,
            regions: Some(report),
            ..FunctionReport::default()
        },
        of: (number, plan.version),
        callees,
    }
}

/// Reports the regions that a version creates, and the loops that release memory in each iteration, in
/// textual order.
fn regions_and_loops(reading: &Reading<'_>, plan: &Plan, report: &mut RegionsReport) {
    let mut last_use = plan.last_use_regions.counts.iter().peekable();
    let mut swaps = plan.swaps.iter().peekable();
    for (at, scope_release) in plan.scope_releases.iter().enumerate() {
        let scope = ScopeId(at as u32);
        let owner = block_parent(reading.scopes[at]).unwrap_or(reading.op);
        let location = location_text(owner.location());
        let is_iteration = reading.function.scope(scope).kind == ScopeKind::Iteration;
        let mut add = |region: &str, count: u64| {
            report.made.push(MadeRegions {
                region: region.to_owned(),
                location: location.clone(),
                count,
            });
        };
        if *scope_release == ScopeRelease::Own {
            add(region_name(reading, plan, RegionRef::Scope(scope)), 1);
        }
        if let Some((_, count)) = last_use.next_if(|(of, _)| *of == scope) {
            add("last-use", u64::from(*count));
        }
        let swap = swaps.next_if(|(of, _)| *of == scope).is_some();
        if swap {
            add("next-turn", 2);
        }
        let release = match scope_release {
            ScopeRelease::Own if is_iteration => Some("clear"),
            ScopeRelease::Checkpoint(_) => Some("mark"),
            _ => None,
        };
        let releases = release.into_iter().chain(swap.then_some("swap"));
        report.loops.extend(releases.map(|release| LoopRegions {
            location: location.clone(),
            release: release.to_owned(),
        }));
    }
}

/// The name of a region in reports.
fn region_name(reading: &Reading<'_>, plan: &Plan, place: RegionRef) -> &'static str {
    match place {
        RegionRef::Destination => "caller",
        RegionRef::Scope(scope)
            if plan.scope_releases[scope.index()] == ScopeRelease::Destination =>
        {
            "caller"
        }
        RegionRef::Scope(ROOT) => "function",
        RegionRef::Scope(scope) => match reading.function.scope(scope).kind {
            ScopeKind::Parallel => "parallel",
            _ => "loop",
        },
        RegionRef::NextIteration(_) => "next-turn",
        RegionRef::LastUse(_) => "last-use",
    }
}

fn skipped(op: Op<'_>, reason: &str) -> Skipped {
    Skipped {
        location: location_text(op.location()),
        ty: type_text(op),
        reason: reason.to_owned(),
        id: None,
        arena_of: String::new(),
    }
}

fn type_text(op: Op<'_>) -> String {
    let first = results(op).next();
    first
        .map(|result| type_of(result).to_string())
        .unwrap_or_default()
}
