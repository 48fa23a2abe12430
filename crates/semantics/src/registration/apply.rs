//! A description, as what an operation does to memory and to elements.

use super::{
    check,
    description::{Description, Said},
    registry::Describe,
};
use crate::{
    allocators::Allocator,
    interfaces,
    op_elements::{Elements, Pair},
    op_memory::{Capture, Frees, Join, OperandNumber, ResultFact, TokenRef, Touch, Uses},
    subject::{Operands, Subject},
    types::TypeClass,
};
use memplan_mlir::{
    contained,
    ir::{Val, type_of},
    layout::is_row_by_row,
    melior::ir::operation::OperationLike,
    strides::have_same_elements,
};
use smallvec::{SmallVec, smallvec};

/// What is described beside the memory.
pub(crate) struct Described {
    /// What it does to elements.
    pub(crate) elements: Elements,
    /// It may run where it would not have run.
    pub(crate) is_speculatable: bool,
    /// Operands that may have other strides.
    pub(crate) any_strides: SmallVec<[OperandNumber; 2]>,
}

/// Fills in what is described of an operation; `None` where interfaces hold. What is wrong fails the pass that runs, at the
/// operation.
pub(crate) fn describe(subject: &mut Subject<'_, '_>, by: &Describe) -> Option<Described> {
    let op = subject.op;
    let mut description = Description::default();
    let said = contained::call(|| by(op, &mut description));
    let done = said.and_then(|()| match description.by_interfaces {
        true => Ok(None),
        false => fill(subject, &description).map(Some),
    });
    done.unwrap_or_else(|why| {
        let name = op.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        contained::fail(op, format!("the description of '{name}': {why}"))
    })
}

fn fill(subject: &mut Subject<'_, '_>, description: &Description) -> Result<Described, String> {
    check::operation(subject)?;
    check::description(subject, description)?;
    let mut is_named: SmallVec<[bool; 8]> = smallvec![false; subject.operands.len()];
    for said in &description.said {
        operand(subject, said, &mut is_named)?;
        result(subject, said)?;
    }
    // A memref that nothing is said of is read.
    for at in 0..is_named.len() {
        if !is_named[at] && subject.operands[at].1 == TypeClass::Memref {
            subject.uses(Operands::Number(at as u32), Touch::READ);
        }
    }
    order(subject, description);
    interfaces::other_results(subject);
    let any_strides = description.said.iter().filter_map(|said| match said {
        Said::AnyStrides(at) => Some(*at),
        _ => None,
    });
    let is_speculatable = description.said.contains(&Said::Speculatable);
    if is_speculatable {
        may_speculate(subject)?;
    }
    Ok(Described {
        elements: elements(subject, description),
        is_speculatable,
        any_strides: any_strides.collect(),
    })
}

/// What is said of operands.
fn operand(
    subject: &mut Subject<'_, '_>,
    said: &Said,
    is_named: &mut [bool],
) -> Result<(), String> {
    let mut touch = |subject: &mut Subject<'_, '_>, at: OperandNumber, touch: Touch| {
        is_named[at as usize] = true;
        subject.touch(Operands::Number(at), touch);
    };
    match said {
        Said::Descriptor(at) => touch(subject, *at, Touch::Descriptor),
        Said::Reads(at) => touch(subject, *at, Touch::READ),
        Said::Writes(at) | Said::Overwrites(at) => touch(subject, *at, Touch::WRITE),
        Said::InStep { read, written, .. } => {
            touch(subject, *read, Touch::READ);
            touch(subject, *written, Touch::WRITE);
        }
        Said::Loads { from, .. } => touch(subject, *from, Touch::READ),
        Said::Views { of, .. } => touch(subject, *of, Touch::Descriptor),
        Said::AddressOf { operand, .. } => touch(subject, *operand, Touch::Descriptor),
        Said::AnyOf(_, of) => {
            for at in of {
                touch(subject, *at, Touch::Nothing);
            }
        }
        Said::Captures(at) => {
            touch(subject, *at, Touch::Nothing);
            subject.captures(Operands::Number(*at), Capture::Anywhere);
        }
        Said::StoresInto { operand, memory } => {
            touch(subject, *operand, Touch::Nothing);
            touch(subject, *memory, Touch::WRITE);
            subject.captures(Operands::Number(*operand), Capture::Inside(*memory));
        }
        Said::Frees(at, allocator) => {
            touch(subject, *at, Touch::Nothing);
            frees(subject, *at, Some(Allocator::named(allocator)?));
        }
        Said::Takes(at) => {
            touch(subject, *at, Touch::Nothing);
            frees(subject, *at, None);
        }
        _ => {}
    }
    Ok(())
}

fn frees(subject: &mut Subject<'_, '_>, at: OperandNumber, by: Option<Allocator>) {
    if let Some(used) = subject.memory.operand_mut(at) {
        used.frees = Some(Frees {
            by,
            flag: None,
            is_certain: true,
        });
    }
}

/// What is said of results.
fn result(subject: &mut Subject<'_, '_>, said: &Said) -> Result<(), String> {
    let (at, fact) = match said {
        Said::Allocates(at, allocator) => {
            let fact = ResultFact::New {
                by: Allocator::named(allocator)?,
                automatic: false,
                may_share: None,
            };
            (*at, fact)
        }
        Said::Views { result, of, start } => {
            let (of, start) = (*of, *start);
            (*result, ResultFact::View { of, start })
        }
        Said::AnyOf(result, of) => {
            let mut of: SmallVec<[OperandNumber; 4]> = of.iter().copied().collect();
            of.sort_unstable();
            of.dedup();
            (*result, ResultFact::AnyOf(of))
        }
        Said::Loads { result, from } => (*result, ResultFact::Loaded { from: *from }),
        Said::Borrowed(result) => (*result, ResultFact::Borrowed),
        Said::AddressOf { result, operand } => {
            let of = SmallVec::from_slice(&[*operand]);
            (*result, ResultFact::Address { of })
        }
        _ => return Ok(()),
    };
    subject.memory.set_result(at, fact);
    Ok(())
}

/// What it starts, waits for, and puts in order.
fn order(subject: &mut Subject<'_, '_>, description: &Description) {
    let mut after: SmallVec<[TokenRef; 2]> = SmallVec::new();
    let mut spaces: SmallVec<[OperandNumber; 4]> = SmallVec::new();
    for said in &description.said {
        match said {
            Said::Starts(_) => subject.starts(Uses::Operands, false),
            Said::After(at) => after.push(TokenRef::Operand(*at)),
            Said::Waits => subject.waits(),
            Said::Fence => {
                subject.memory.fence = true;
                subject.memory.unnamed.reads = true;
                subject.memory.unnamed.writes = true;
                subject.memory.unnamed.other_resources = true;
            }
            Said::AnySpace(at) => spaces.push(*at),
            _ => {}
        }
    }
    if !after.is_empty() {
        for to in subject.result_tokens() {
            let all_of = after.clone();
            subject.memory.joins.push(Join::After { all_of, to });
        }
    }
    let memrefs = subject.select(Operands::Memrefs);
    subject.memory.any_space =
        !memrefs.is_empty() && memrefs.iter().all(|memref| spaces.contains(memref));
}

fn may_speculate(subject: &Subject<'_, '_>) -> Result<(), String> {
    let memory = &subject.memory;
    let mut operands = memory.operands.iter();
    let is_free = operands.all(|used| {
        matches!(used.touch, Touch::Nothing | Touch::Descriptor)
            && used.frees.is_none()
            && used.capture == Capture::No
    });
    let mut results = memory.results.iter();
    let allocates = results.any(|result| {
        matches!(
            result.fact,
            ResultFact::New { .. } | ResultFact::Address { .. }
        )
    });
    let has_order = memory.fence || memory.start.is_some() || !memory.joins.is_empty();
    match is_free && !allocates && !has_order {
        true => Ok(()),
        false => Err("it may run where it would not have run, and touches memory".to_owned()),
    }
}

/// What is known of elements.
fn elements(subject: &Subject<'_, '_>, description: &Description) -> Elements {
    let mut elements = Elements::default();
    // When it happens is not known.
    if subject.memory.start.is_some() {
        return elements;
    }
    let value = |at: OperandNumber| subject.operands[at as usize].0;
    let is_once = |at: OperandNumber| {
        let same = |(other, _): &&(Val<'_>, TypeClass)| *other == value(at);
        subject.operands.iter().filter(same).count() == 1
    };
    // A copy that does more than that stays where it is.
    let is_all = subject.memory.operands.len() == 2
        && subject.results.is_empty()
        && !subject.memory.fence
        && subject.memory.joins.is_empty();
    for said in &description.said {
        match *said {
            Said::Overwrites(at) if !elements.overwritten.contains(&at) => {
                elements.overwritten.push(at);
            }
            Said::InStep {
                read,
                written,
                copies,
            } if is_once(read) && is_once(written) => {
                let (from, into) = (type_of(value(read)), type_of(value(written)));
                let same_elements = have_same_elements(from, into);
                elements.pairs.push(Pair {
                    read,
                    written,
                    same_bytes: is_row_by_row(from)
                        && is_row_by_row(into)
                        && check::have_one_shape(from, into),
                    same_elements,
                    copies: copies && same_elements && is_all,
                    apart: copies && same_elements && is_all,
                });
            }
            _ => {}
        }
    }
    elements
}
