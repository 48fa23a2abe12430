//! What is told of a decision: remarks, the report, statistics.

use super::{
    codes,
    decide::{Plans, Root},
    facts::{self, ROOT, ScopeId, ScopeKind},
    read::{Reading, Unread},
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

/// A remark at each allocation of a function: what becomes of it.
pub fn remarks(reading: &Reading<'_>, root: Root, plans: &[Option<Plan>; 2]) {
    let (Some(plan), _) = write::in_place(root, plans) else {
        return;
    };
    for (op, place) in reading.allocations.iter().zip(&plan.allocations) {
        let text = match place {
            Ok(RegionRef::Destination) => "in the region of the caller".to_owned(),
            Ok(RegionRef::Scope(facts::ROOT)) => "in the region of the function".to_owned(),
            Ok(RegionRef::Next(_)) => "in one of two regions that a loop swaps".to_owned(),
            Ok(RegionRef::Lane(_)) => "in a region that is emptied after its last use".to_owned(),
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

/// The same for a function that is not looked into.
pub fn remarks_unread<'c>(function: Op<'c>, reason: &str, semantics: &mut Semantics) {
    for op in allocations(function, semantics) {
        let text = format!("skipped: {reason}");
        Diagnostic::new(codes::LEFT, op.location(), text).emit();
    }
}

/// What a function allocates, in the order of the text.
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

/// The statistics, in the order of the declaration: regions that functions make, allocations that go to regions, and those
/// that stay; of all versions.
pub fn counts(plans: &Plans) -> [u64; 3] {
    let mut counts = [0; 3];
    for plan in plans.iter().flatten().flatten() {
        let own = plan
            .homes
            .iter()
            .filter(|home| **home == ScopeRelease::Own)
            .count();
        let lanes = plan.lanes.counts.iter();
        let lanes: u64 = lanes.map(|(_, count)| u64::from(*count)).sum();
        let placed = plan
            .allocations
            .iter()
            .filter(|place| place.is_ok())
            .count();
        counts[0] += (own + 2 * plan.swaps.len()) as u64 + lanes;
        counts[1] += placed as u64;
        counts[2] += (plan.allocations.len() - placed) as u64;
    }
    counts
}

/// The report of one version of a function, without what only the writing says: how versions are called.
pub struct Draft {
    report: FunctionReport,
    /// The function and its version.
    of: (usize, Version),
    /// For each call of the report, the callee and its version.
    callees: Vec<(usize, Version)>,
}

impl Draft {
    /// With the names of all versions, by function.
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
        // One that is not looked into has the name that it has.
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

/// The reports of the versions of a function: the one that it becomes, and then the one that a copy does.
pub fn reports(
    number: usize,
    reading: &Reading<'_>,
    root: Root,
    plans: &[Option<Plan>; 2],
) -> Vec<Draft> {
    let (first, other) = write::in_place(root, plans);
    let versions = first.into_iter().chain(other);
    versions.map(|plan| report(number, reading, plan)).collect()
}

/// The report of a function that is not looked into.
pub fn unread(number: usize, function: Op<'_>, reason: Unread, semantics: &mut Semantics) -> Draft {
    let all = allocations(function, semantics).into_iter();
    Draft {
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

fn report(number: usize, reading: &Reading<'_>, plan: &Plan) -> Draft {
    let mut told = RegionsReport {
        takes_region: plan.takes,
        lent_results: plan.lent.iter().map(|at| *at as u64).collect(),
        ..RegionsReport::default()
    };
    regions_and_loops(reading, plan, &mut told);
    let mut left = Vec::new();
    for (op, place) in reading.allocations.iter().zip(&plan.allocations) {
        match place {
            Ok(place) => told.placed.push(PlacedAllocation {
                location: location_text(op.location()),
                ty: type_text(*op),
                region: word(reading, plan, *place).to_owned(),
            }),
            Err(reason) => left.push(skipped(
                *op,
                reason.map_or(codes::KNOWN_SIZE.id, |it| it.id()),
            )),
        }
    }
    let mut callees = Vec::new();
    let calls = reading.function.calls.iter().zip(&reading.calls);
    for ((call, op), of) in calls.zip(&plan.calls) {
        if let Some(place) = of.place {
            callees.push((call.callee, of.version));
            told.calls.push(PlacedCall {
                location: location_text(op.location()),
                callee: String::new(),
                region: word(reading, plan, place).to_owned(),
            });
        }
    }
    Draft {
        report: FunctionReport {
            name: symbol_name(reading.op),
            skipped: left,
            regions: Some(told),
            ..FunctionReport::default()
        },
        of: (number, plan.version),
        callees,
    }
}

/// The regions that a version makes, and the loops that give back turn by turn, in the order of the text.
fn regions_and_loops(reading: &Reading<'_>, plan: &Plan, told: &mut RegionsReport) {
    let mut lanes = plan.lanes.counts.iter().peekable();
    let mut swaps = plan.swaps.iter().peekable();
    for (at, home) in plan.homes.iter().enumerate() {
        let scope = ScopeId(at as u32);
        let owner = block_parent(reading.scopes[at]).unwrap_or(reading.op);
        let location = location_text(owner.location());
        let is_turn = reading.function.scope(scope).kind == ScopeKind::Turn;
        let mut make = |region: &str, count: u64| {
            told.made.push(MadeRegions {
                region: region.to_owned(),
                location: location.clone(),
                count,
            });
        };
        if *home == ScopeRelease::Own {
            make(word(reading, plan, RegionRef::Scope(scope)), 1);
        }
        if let Some((_, count)) = lanes.next_if(|(of, _)| *of == scope) {
            make("last-use", u64::from(*count));
        }
        let swap = swaps.next_if(|(of, _)| *of == scope).is_some();
        if swap {
            make("next-turn", 2);
        }
        let way = match home {
            ScopeRelease::Own if is_turn => Some("clear"),
            ScopeRelease::Marked(_) => Some("mark"),
            _ => None,
        };
        let ways = way.into_iter().chain(swap.then_some("swap"));
        told.loops.extend(ways.map(|way| LoopRegions {
            location: location.clone(),
            way: way.to_owned(),
        }));
    }
}

/// A place in a word.
fn word(reading: &Reading<'_>, plan: &Plan, place: RegionRef) -> &'static str {
    match place {
        RegionRef::Destination => "caller",
        RegionRef::Scope(scope) if plan.homes[scope.index()] == ScopeRelease::Destination => {
            "caller"
        }
        RegionRef::Scope(ROOT) => "function",
        RegionRef::Scope(scope) => match reading.function.scope(scope).kind {
            ScopeKind::Parallel => "parallel",
            _ => "loop",
        },
        RegionRef::Next(_) => "next-turn",
        RegionRef::Lane(_) => "last-use",
    }
}

fn skipped(op: Op<'_>, reason: &str) -> Skipped {
    Skipped {
        location: location_text(op.location()),
        ty: type_text(op),
        reason: reason.to_owned(),
    }
}

fn type_text(op: Op<'_>) -> String {
    let first = results(op).next();
    first
        .map(|result| type_of(result).to_string())
        .unwrap_or_default()
}
