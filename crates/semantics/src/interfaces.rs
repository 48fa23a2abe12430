//! Facts from MLIR's interfaces and traits.

use crate::{
    allocators::Allocator,
    name_facts::NameFacts,
    op_memory::{
        Capture, DataStart, Frees, Opaque, OperandNumbers, RegionOrder, ResultFact, Start, Touch,
        Uses,
    },
    operand_list::OperandList,
    sparse_tensor_runtime,
    statement::Statement,
    subject::{Operands, Subject},
    types::TypeClass,
};
use memplan_mlir::{
    calls, control_flow,
    effects::{Effect, EffectKind, effects},
    ir::{Type, Val, blocks, element_of, regions, terminator, type_of},
};
use smallvec::SmallVec;

pub(crate) fn describe(subject: &mut Subject<'_, '_>, facts: &NameFacts) {
    let info = subject.info;
    if info.has_parallel_region() {
        subject.memory.regions = RegionOrder::Parallel;
    }
    if info.is_call() {
        return call(subject);
    }
    if let Some(source) = viewed(subject) {
        return subject.views(Operands::Number(source), DataStart::Unknown);
    }
    let declared = if info.has_memory_effects() {
        effects(subject.op)
    } else {
        None
    };
    let has_row = facts
        .row
        .is_some_and(|row| row.is_empty() || row.iter().any(Statement::describes_effects));
    // Nested operations have effects of their own; a terminator only forwards values.
    let is_silent = info.has_recursive_effects()
        || info.is_function()
        || info.is_symbol_table()
        || (info.is_registered() && info.is_terminator());
    match declared {
        Some(declared) => from_effects(subject, &declared, facts),
        None if is_silent || has_row => from_effects(subject, &[], facts),
        None if info.starts_transfer => subject.opaque(Opaque::Asynchronous),
        None => subject.opaque(Opaque::UnknownEffects),
    }
    let has_regions = regions(subject.op).next().is_some();
    if (info.starts_transfer || facts.order.outlives())
        && !info.is_terminator()
        && facts.row.is_none()
        && (has_regions || !subject.memory.operands.is_empty())
    {
        let uses = match has_regions {
            true => Uses::Regions,
            false => Uses::Operands,
        };
        subject.memory.start = Some(Start {
            uses,
            ..never_ending()
        });
    }
}

/// An asynchronous operation whose end is not known.
fn never_ending() -> Start {
    Start {
        uses: Uses::Operands,
        tokens: SmallVec::new(),
        grouped: false,
    }
}

/// The number of the operand that a view-like operation views, if it can hold an address.
fn viewed(subject: &Subject<'_, '_>) -> Option<u32> {
    if !subject.info.is_view() {
        return None;
    }
    let source = calls::view_source(subject.op)?;
    let mut operands = subject.operands.iter();
    let position =
        operands.position(|(value, class)| *value == source && *class == TypeClass::Memref);
    position.map(|position| position as u32)
}

/// Records that unknown code may store one argument in another, if the types allow it.
pub(crate) fn captures_by_type(subject: &mut Subject<'_, '_>) {
    let captured = calls::captured_by_type(subject.op);
    if captured.is_empty() || sparse_tensor_runtime::captures_nothing(subject.op) {
        return;
    }
    for at in captured {
        if let Some(used) = subject.memory.operand_mut(at as u32) {
            used.capture = Capture::Anywhere;
        }
    }
}

/// Records that an object which a call returns may hold addresses that it receives as such, but no memref.
fn own_object(subject: &mut Subject<'_, '_>) {
    let is_object = |class: TypeClass| class != TypeClass::Data && class != TypeClass::Memref;
    if let [(_, class)] = subject.results.as_slice()
        && is_object(*class)
        && sparse_tensor_runtime::makes_object(subject.op)
    {
        let operands = subject.operands.iter().zip(0..);
        let of = operands.filter(|((_, class), _)| is_object(*class));
        let of: OperandNumbers = of.map(|(_, at)| at).collect();
        let fact = ResultFact::Address { of: of.into() };
        subject.memory.set_result(0, fact);
    }
}

/// Describes a call. Its callee's summary has the accesses to arguments and the facts about results.
fn call(subject: &mut Subject<'_, '_>) {
    subject.memory.is_call = true;
    subject.memory.fence = true;
    subject.memory.unnamed.reads = true;
    subject.memory.unnamed.writes = true;
    subject.memory.unnamed.other_resources = true;
    for used in &mut subject.memory.operands {
        used.touch = Touch::BOTH;
    }
    captures_by_type(subject);
    own_object(subject);
    other_results(subject);
    let is_waited_for = !subject.result_tokens().is_empty();
    if subject.info.starts_transfer && !is_waited_for && !subject.memory.operands.is_empty() {
        subject.memory.start = Some(never_ending());
    }
}

fn from_effects(subject: &mut Subject<'_, '_>, declared: &[Effect<'_>], facts: &NameFacts) {
    let mut unnamed_access = Touch::Nothing;
    let (mut writes_anything, mut frees_anything) = (false, false);
    for effect in declared {
        let Some(value) = effect.value else {
            let unnamed = &mut subject.memory.unnamed;
            unnamed.other_resources |= !effect.memory;
            match effect.kind {
                EffectKind::Read => {
                    unnamed.reads |= effect.memory;
                    unnamed_access = unnamed_access.and(Touch::READ);
                }
                EffectKind::Write => {
                    unnamed.writes |= effect.memory;
                    unnamed_access = unnamed_access.and(Touch::WRITE);
                    writes_anything = true;
                }
                EffectKind::Free if effect.memory => frees_anything = true,
                _ => unnamed.allocates |= effect.memory,
            }
            continue;
        };
        subject.memory.unnamed.other_resources |= !effect.memory;
        for at in 0..subject.operands.len() {
            if subject.operands[at].0 != value {
                continue;
            }
            let Some(used) = subject.memory.operand_mut(at as u32) else {
                // An address as a number: no operand names the memory there.
                let unnamed = &mut subject.memory.unnamed;
                unnamed.reads |= effect.kind == EffectKind::Read;
                unnamed.writes |= matches!(effect.kind, EffectKind::Write | EffectKind::Free);
                continue;
            };
            match effect.kind {
                EffectKind::Read => used.touch = used.touch.and(Touch::READ),
                EffectKind::Write => used.touch = used.touch.and(Touch::WRITE),
                EffectKind::Free => {
                    used.frees = Some(Frees {
                        by: Some(Allocator::Unnamed),
                        flag: None,
                        is_certain: true,
                    });
                }
                EffectKind::Allocate => {}
            }
        }
        if effect.kind == EffectKind::Allocate
            && let Some(at) = subject.results.iter().position(|(one, _)| *one == value)
            && subject.results[at].1 == TypeClass::Memref
        {
            let fact = ResultFact::New {
                by: Allocator::Unnamed,
                automatic: effect.automatic_scope,
                may_share: None,
            };
            subject.memory.set_result(at as u32, fact);
        }
    }
    captures(subject, writes_anything);
    let is_followed = |subject: &Subject<'_, '_>| {
        let results = subject.memref_results();
        results
            .iter()
            .all(|at| subject.memory.result(*at as usize).is_some())
    };
    if facts.row.is_none() && subject.info.has_memory_effects() && !is_followed(subject) {
        // A result that is not tracked takes its contents from somewhere, even if the operation is called pure.
        subject.touch(Operands::Memrefs, Touch::READ);
    }
    if unnamed_access != Touch::Nothing {
        // An effect on no value may be on any operand.
        for used in &mut subject.memory.operands {
            used.touch = used.touch.and(unnamed_access);
        }
    }
    if frees_anything {
        subject.may_free();
    }
    other_results(subject);
    if subject.memory.start.is_none()
        && subject
            .results
            .iter()
            .any(|(_, class)| matches!(class, TypeClass::UnknownToken) || class.is_token())
        && facts.row.is_none()
        && facts.others.is_empty()
        && !subject.memory.operands.is_empty()
        && !forwards_tokens(subject)
    {
        subject.memory.start = Some(never_ending());
    }
}

/// Are all token results only forwarded, by the operation and by the ends of its regions?
fn forwards_tokens(subject: &Subject<'_, '_>) -> bool {
    if !subject.info.is_region_branch() {
        return false;
    }
    let ends = regions(subject.op).flat_map(blocks).filter_map(terminator);
    let edges = ends.filter_map(control_flow::terminator_edges);
    let edges: Vec<_> = edges
        .chain(control_flow::entry_edges(subject.op))
        .flatten()
        .collect();
    let is_forwarded = |result: Val<'_>| {
        let mut values = edges.iter().flat_map(|edge| &edge.values);
        values.any(|(_, to)| *to == result)
    };
    let mut results = subject.results.iter();
    results.all(|(result, class)| {
        let is_token = class.is_token() || *class == TypeClass::UnknownToken;
        !is_token || is_forwarded(*result)
    })
}

/// Records that an operation which writes may store operands that no effect names.
fn captures(subject: &mut Subject<'_, '_>, writes_anything: bool) {
    let operands = &subject.operands;
    let memory = &mut subject.memory;
    let into = memory.operands.iter().find(|used| {
        let (value, class) = operands[used.operand as usize];
        used.touch.writes()
            && (class != TypeClass::Memref || holds_addresses(subject.types, type_of(value)))
    });
    let capture = match into {
        _ if writes_anything => Capture::Anywhere,
        Some(into) => Capture::Inside(into.operand),
        None => return,
    };
    for used in &mut memory.operands {
        if used.touch == Touch::Nothing && used.frees.is_none() && used.capture == Capture::No {
            used.capture = capture;
        }
    }
}

/// Can an element of a memref hold an address?
fn holds_addresses(types: &mut crate::TypeClasses, memref: Type<'_>) -> bool {
    element_of(memref).is_none_or(|element| types.of(element) != TypeClass::Data)
}

/// Adds the facts about results that have none yet.
pub(crate) fn other_results(subject: &mut Subject<'_, '_>) {
    let mut operands: Option<OperandList> = None;
    for at in 0..subject.results.len() {
        let class = subject.results[at].1;
        if class == TypeClass::Data || subject.memory.result(at).is_some() {
            continue;
        }
        let operands = operands
            .get_or_insert_with(|| subject.select(Operands::All).into())
            .clone();
        let fact = match class {
            _ if class.is_token() && class != TypeClass::FutureMemref => ResultFact::Token,
            TypeClass::UnknownToken => ResultFact::Token,
            TypeClass::Memref => ResultFact::Unknown { may_be: operands },
            _ => ResultFact::Address { of: operands },
        };
        subject.memory.set_result(at as u32, fact);
    }
}
