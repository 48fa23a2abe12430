//! The report of a function, and its remarks.

use super::{
    banks::BankRequest,
    block_tree::BlockTree,
    chains::chains,
    codes, decide,
    dynamic::{
        describe::{SlotTexts, slot_report, type_text},
        facts::{Extents, Names},
    },
    excluded::ExcludedAddresses,
    heap::heap,
    held::held_positions,
    nested_arenas::NestedArenaKind,
    peak_ops,
    plan::{Arena, Plan, Slice},
    write_plan::ArenaAllocation,
};
use crate::memory_spaces::costs::recorded;
use memplan_declarations::merge_alloc::DECLARATION;
use memplan_lifetimes::{
    Analysis, Reason,
    program::{BufferId, ScopeId, Use, UseKind},
};
use memplan_mlir::{
    codes::Code,
    diagnostics::{Diagnostic, Outcome, collects_remarks, optimization_remark},
    ir::{Op, location_text, symbol_name},
    melior::ir::operation::OperationLike,
};
use memplan_planner::BankLayout;
use memplan_report::{
    BanksReport, BufferReport, DimensionReport, ExcludedReport, FunctionReport, ScopeReport,
    Skipped,
};
use memplan_semantics::bounds::{self, Dimension};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// The report of a function. `arena_of` says of which other arena an allocation is the memory.
pub fn report(
    function: Op<'_>,
    analysis: &Analysis<'_>,
    plan: &Plan,
    places: &[ArenaAllocation],
    (excluded, banks): (&ExcludedAddresses, &BankRequest),
    arena_of: &dyn Fn(Op<'_>) -> &'static str,
) -> FunctionReport {
    let mut counts: FxHashMap<(ScopeId, &str), u32> = FxHashMap::default();
    for arena in &plan.arenas {
        *counts
            .entry((arena.scope, &arena.memory_space))
            .or_default() += 1;
    }
    let tree = counts
        .values()
        .any(|count| *count > 1)
        .then(|| BlockTree::of(&analysis.program));
    let held = |arena: &Arena| {
        let is_one_of_several = counts[&(arena.scope, arena.memory_space.as_str())] > 1;
        let tree = tree.as_ref().filter(|_| is_one_of_several)?;
        Some(held_positions(analysis, tree, plan, arena))
    };
    let scopes = plan.arenas.iter().zip(places).map(|(arena, place)| {
        let report = scope(analysis, plan, arena, place, arena_of);
        ScopeReport {
            held: held(arena),
            excluded: excluded_of(arena, excluded),
            banks: banks.layout(arena).map(banks_of),
            peak: peak_ops::peak(analysis, plan, arena, &report),
            ..report
        }
    });
    FunctionReport {
        name: symbol_name(function),
        scopes: scopes.collect(),
        skipped: analysis
            .skipped
            .iter()
            .map(|(buffer, reason)| {
                let op = analysis.handles.buffers[buffer.index()];
                Skipped {
                    location: location_text(op.location()),
                    ty: type_text(op),
                    reason: reason.id().to_string(),
                    id: (*reason == Reason::RaisesHeap).then_some(u64::from(buffer.0)),
                    arena_of: arena_of(op).to_string(),
                }
            })
            .collect(),
        dimensions: dimensions(function, analysis, plan),
        chains: chains(analysis, plan),
        costs: recorded(function),
        ..FunctionReport::default()
    }
    .with_totals(lower_bound(plan))
    .with_heap(heap(analysis, plan, places))
}

/// The dynamic dimensions of the function's arguments, and other numbers that planned sizes depend on.
fn dimensions(function: Op<'_>, analysis: &Analysis<'_>, plan: &Plan) -> Vec<DimensionReport> {
    let parts = plan
        .arenas
        .iter()
        .filter_map(|arena| arena.dynamic.as_ref());
    let names = parts.map(|part| &part.names).next();
    let mut planned = analysis.plannable.iter();
    let is_bounded = planned.any(|one| analysis.program.buffers[one.buffer.index()].is_bounded);
    if names.is_none() && !is_bounded {
        return Vec::new();
    }
    let given = bounds::given(function).unwrap_or_default();
    let bounds_of = |wanted: Dimension| {
        let found = given.iter().find(|(one, _)| *one == wanted);
        let found = found.filter(|(_, range)| range.most < bounds::NONE);
        found.map(|(_, range)| (range.least, range.most))
    };
    let own = bounds::dimensions(function).into_iter().enumerate();
    let own = own.map(|(number, one)| DimensionReport {
        name: format!("d{number}"),
        argument: Some(one.argument as u64),
        dimension: one.dimension.map(|dimension| dimension as u64),
        bounds: bounds_of(one),
        ..DimensionReport::default()
    });
    let others = names.into_iter().flat_map(|names| names.others.iter());
    let others = others.map(|one| DimensionReport {
        name: format!("d{}", one.number),
        argument: one.argument,
        location: one.location.clone(),
        bounds: one.argument.and_then(|argument| {
            bounds_of(Dimension {
                argument: usize::try_from(argument).ok()?,
                dimension: None,
            })
        }),
        ..DimensionReport::default()
    });
    own.chain(others).collect()
}

/// The addresses of an arena that no buffer may use.
fn excluded_of(arena: &Arena, all: &ExcludedAddresses) -> Vec<ExcludedReport> {
    let own = decide::excluded(all, arena).iter();
    own.map(|range| ExcludedReport {
        start: range.start,
        end: range.end,
        state: range.state.clone(),
    })
    .collect()
}

/// The banks of an arena.
fn banks_of(layout: &BankLayout) -> BanksReport {
    match layout {
        BankLayout::Contiguous(banks) => BanksReport::Contiguous {
            ranges: banks.iter().map(|bank| (bank.start, bank.end)).collect(),
        },
        &BankLayout::Interleaved { count, width } => BanksReport::Interleaved { count, width },
    }
}

/// A lower bound of the bytes of all arenas: where several are in place of one, that of the one.
fn lower_bound(plan: &Plan) -> u64 {
    let mut is_counted = FxHashSet::default();
    let bounds = plan.arenas.iter().map(|arena| match arena.together {
        None => arena.bounds.lower_bound,
        Some(bound) if is_counted.insert((arena.scope, &arena.memory_space)) => bound,
        Some(_) => 0,
    });
    bounds.fold(0, u64::saturating_add)
}

fn scope(
    analysis: &Analysis<'_>,
    plan: &Plan,
    arena: &Arena,
    place: &ArenaAllocation,
    arena_of: &dyn Fn(Op<'_>) -> &'static str,
) -> ScopeReport {
    let (owner, _) = analysis.handles.scopes[arena.scope.index()];
    let none = Names::default();
    let names = arena.dynamic.as_ref().map_or(&none, |part| &part.names);
    let nothing = Extents::default();
    let extents = arena
        .dynamic
        .as_ref()
        .map_or(&nothing, |part| &part.extents);
    let is_function = analysis.program.scopes[arena.scope.index()].outer.is_none();
    ScopeReport {
        kind: if is_function { "function" } else { "parallel" }.to_string(),
        location: location_text(owner.location()),
        arena: place.name().to_string(),
        memory_space: arena.memory_space.clone(),
        planner: arena.planner.to_string(),
        optimal: arena.optimal,
        naive_bytes: arena.bounds.naive,
        load_bytes: arena.bounds.load,
        lower_bound_bytes: arena.bounds.lower_bound,
        lower_bound_proof: arena.proof.to_string(),
        lower_bound_sizes: arena.dynamic.as_ref().map_or(Vec::new(), |part| {
            let sums = part.lower_bound.polynomials().iter();
            sums.map(|sum| sum.text(names)).collect()
        }),
        op_floor_bytes: Some(op_floor(analysis, plan, arena)),
        peak: None,
        planned_bytes: arena.size,
        alignment: arena.alignment,
        buffers: arena
            .slices
            .iter()
            .map(|slice| {
                let (op, ty) = lodger(analysis, plan, slice);
                let guest = plan.guest(analysis, slice);
                BufferReport {
                    id: plan.id(analysis, slice),
                    location: location_text(op.location()),
                    ty,
                    size: slice.size,
                    alignment: slice.alignment,
                    offset: slice.offset,
                    live: plan
                        .live(analysis, slice)
                        .iter()
                        .map(|(first, end)| (u64::from(*first), u64::from(*end)))
                        .collect(),
                    windows: Vec::new(),
                    in_place_with: (arena.slices[slice.host].plannable != slice.plannable)
                        .then(|| plan.id(analysis, &arena.slices[slice.host])),
                    arena_of: guest
                        .map_or_else(|| arena_of(op), |(_, guest)| guest.what.name())
                        .to_string(),
                    same_as: None,
                }
            })
            .collect(),
        held: None,
        excluded: Vec::new(),
        banks: None,
        each_iteration: arena.is_of_iteration,
        first_time: 0,
        slots: arena
            .dynamic
            .iter()
            .flat_map(|part| &part.slots)
            .map(|slot| slot_report(analysis, slot, names, extents, arena_of))
            .collect(),
    }
}

/// Lower bound: the most bytes that one operation certainly touches.
fn op_floor(analysis: &Analysis<'_>, plan: &Plan, arena: &Arena) -> u64 {
    let mut slices: FxHashMap<BufferId, &Slice> = FxHashMap::default();
    for slice in &arena.slices {
        if plan.guest(analysis, slice).is_none() {
            slices.insert(analysis.plannable[slice.plannable].buffer, slice);
        }
    }
    let touched = |used: &Use| {
        let mut buffers = analysis.aliases.buffers(used.value);
        let only = buffers.next().filter(|_| buffers.next().is_none())?;
        let counts = matches!(used.kind, UseKind::Touch | UseKind::Overwrite)
            && !analysis.aliases.is_external(used.value);
        slices.get(&only).filter(|_| counts).copied()
    };
    let uses = analysis
        .program
        .uses
        .chunk_by(|a, b| a.position == b.position);
    let sums = uses.map(|uses| {
        let mut touched: SmallVec<[&Slice; 4]> = uses.iter().filter_map(touched).collect();
        // Of the slices in one place, the largest counts.
        touched.sort_unstable_by_key(|slice| (slice.host, std::cmp::Reverse(slice.size)));
        touched.dedup_by_key(|slice| slice.host);
        // An operation touches one of several rotating slots.
        touched
            .iter()
            .map(|slice| slice.size / slice.slots)
            .fold(0, u64::saturating_add)
    });
    sums.max().unwrap_or(0)
}

/// The operation of a slice, and the type of its contents.
fn lodger<'c>(analysis: &Analysis<'c>, plan: &Plan, slice: &Slice) -> (Op<'c>, String) {
    let Some((_, guest)) = plan.guest(analysis, slice) else {
        let plannable = &analysis.plannable[slice.plannable];
        let op = analysis.handles.buffers[plannable.buffer.index()];
        return (op, type_text(op));
    };
    let op = match guest.what {
        NestedArenaKind::Callee { call, .. } => analysis.handles.calls[call],
        NestedArenaKind::Bodies { arena, .. } => {
            analysis.handles.scopes[plan.arenas[arena].scope.index()].0
        }
    };
    let space = if guest.memory_space.is_empty() {
        String::new()
    } else {
        format!(", {}", guest.memory_space)
    };
    (op, format!("memref<{}xi8{space}>", guest.size))
}

/// Emits a remark for each allocation, in program order, and then for each `memref.alloca` that is left alone: as a diagnostic with `diagnostics`, and to MLIR's
/// remark engine if that is enabled.
pub fn remarks(function: Op<'_>, analysis: &Analysis<'_>, plan: &Plan, diagnostics: bool) {
    // The first remark of each outcome shows whether the engine is enabled for it.
    let (mut wants_passed, mut wants_missed) = {
        let collects = collects_remarks(function, DECLARATION.argument);
        (collects, collects)
    };
    if !diagnostics && !wants_passed {
        return;
    }
    let name = symbol_name(function);
    let none = Names::default();
    let slots = plan.arenas.iter().flat_map(|arena| {
        let part = arena.dynamic.as_ref();
        let names = part.map_or(&none, |part| &part.names);
        let slots = part.into_iter().flat_map(|part| &part.slots);
        slots.map(move |slot| (arena, SlotTexts::of(slot, names)))
    });
    let slots: Vec<(&Arena, SlotTexts<'_>)> = slots.collect();
    let mut all: Vec<Option<Remark<'_>>> = vec![None; analysis.program.buffers.len()];
    for (arena, slot) in &slots {
        for (place, buffer) in slot.members().iter().enumerate() {
            all[buffer.index()] = Some(Remark::Slot(arena, slot, place));
        }
    }
    for arena in &plan.arenas {
        let own = arena.slices.iter();
        for slice in own.filter(|slice| plan.guest(analysis, slice).is_none()) {
            let buffer = analysis.plannable[slice.plannable].buffer;
            all[buffer.index()] = Some(Remark::Merged(arena, slice));
        }
    }
    for (buffer, reason) in &analysis.skipped {
        all[buffer.index()] = Some(Remark::Skipped(*reason));
    }
    let allocations = analysis.handles.buffers.iter().zip(all);
    let on_stack = Some(Remark::Skipped(Reason::OnStack));
    let allocas = analysis.handles.allocas.iter();
    for (op, remark) in allocations.chain(allocas.map(|op| (op, on_stack.clone()))) {
        let Some(remark) = remark else { continue };
        let code = remark.code();
        let (outcome, kind, wanted) = match &remark {
            Remark::Merged(..) | Remark::Slot(..) => (Outcome::Passed, "merged", &mut wants_passed),
            Remark::Skipped(reason) => (Outcome::Missed, reason.id(), &mut wants_missed),
        };
        if *wanted {
            let pass = DECLARATION.argument;
            *wanted = optimization_remark(code, outcome, op.location(), pass, kind, &name, || {
                remark.text()
            });
        }
        if diagnostics {
            Diagnostic::new(code, op.location(), remark.text()).emit();
        } else if !wants_passed && !wants_missed {
            return;
        }
    }
}

/// Outcome for an allocation.
#[derive(Clone)]
enum Remark<'p> {
    Merged(&'p Arena, &'p Slice),
    Slot(&'p Arena, &'p SlotTexts<'p>, usize),
    Skipped(Reason),
}

impl Remark<'_> {
    const fn code(&self) -> &'static Code {
        match self {
            Self::Merged(..) | Self::Slot(..) => codes::MERGED,
            Self::Skipped(_) => codes::LEFT,
        }
    }

    fn text(&self) -> String {
        let in_space = |arena: &Arena| match arena.memory_space.as_str() {
            "" => String::new(),
            space => format!(" in memory space {space}"),
        };
        match self {
            Self::Slot(arena, slot, place) => {
                format!("merged: {}{}", slot.text(*place), in_space(arena))
            }
            Self::Merged(arena, slice) => {
                let space = in_space(arena);
                let slots = if slice.slots > 1 {
                    format!(", {} slots that rotate", slice.slots)
                } else {
                    String::new()
                };
                let joined = if std::ptr::eq(*slice, &arena.slices[slice.host]) {
                    ""
                } else {
                    ", in place with another buffer"
                };
                format!(
                    "merged: {} bytes at offset {} of an arena of {} bytes{space}{slots}{joined}",
                    slice.size, slice.offset, arena.size,
                )
            }
            Self::Skipped(reason) => {
                let advice = reason.advice();
                format!("not merged: {} [{}]; {advice}", reason.text(), reason.id())
            }
        }
    }
}
