//! Translates a registered description to the memory and element semantics of an operation.

use super::{
    check,
    description::{Description, DescriptionStatement},
    registry::Describe,
};
use crate::{
    allocators::Allocator,
    interfaces,
    op_elements::{Elements, Pair},
    op_memory::{
        Capture, Frees, Join, OperandNumber, OperandNumbers, ResultFact, TokenRef, Touch, Uses,
    },
    subject::{Operands, Subject},
    types::TypeClass,
};
use memplan_mlir::{
    catch_panic,
    ir::{Val, type_of},
    layout::has_identity_layout,
    melior::ir::operation::OperationLike,
    strides::have_same_elements,
};
use smallvec::{SmallVec, smallvec};

/// The parts of a description that are not memory semantics.
pub(crate) struct Described {
    /// Its element semantics.
    pub(crate) elements: Elements,
    /// The operation is speculatable.
    pub(crate) is_speculatable: bool,
    /// The operands that may have other strides.
    pub(crate) any_strides: SmallVec<[OperandNumber; 2]>,
}

/// Applies the description of an operation to `subject`. Returns `None` if the description leaves the operation to
/// MLIR's interfaces. A wrong description is reported at the operation and fails the running pass.
pub(crate) fn describe(subject: &mut Subject<'_, '_>, by: &Describe) -> Option<Described> {
    let op = subject.op;
    let mut description = Description::default();
    let described = catch_panic::call(|| by(op, &mut description));
    let done = described.and_then(|()| match description.by_interfaces {
        true => Ok(None),
        false => fill(subject, &description).map(Some),
    });
    done.unwrap_or_else(|why| {
        let name = op.name();
        let name = name.as_string_ref().as_str().unwrap_or_default();
        catch_panic::fail(op, format!("the description of '{name}': {why}"))
    })
}

fn fill(subject: &mut Subject<'_, '_>, description: &Description) -> Result<Described, String> {
    check::operation(subject)?;
    check::description(subject, description)?;
    let mut is_named: SmallVec<[bool; 8]> = smallvec![false; subject.operands.len()];
    for statement in &description.statements {
        operand(subject, statement, &mut is_named)?;
        result(subject, statement)?;
    }
    // A memref operand that the description does not mention is read.
    for at in 0..is_named.len() {
        if !is_named[at] && subject.operands[at].1 == TypeClass::Memref {
            subject.uses(Operands::Number(at as u32), Touch::READ);
        }
    }
    order(subject, description);
    interfaces::other_results(subject);
    let any_strides = description
        .statements
        .iter()
        .filter_map(|statement| match statement {
            DescriptionStatement::AnyStrides(at) => Some(*at),
            _ => None,
        });
    let is_speculatable = description
        .statements
        .contains(&DescriptionStatement::Speculatable);
    if is_speculatable {
        may_speculate(subject)?;
    }
    Ok(Described {
        elements: elements(subject, description),
        is_speculatable,
        any_strides: any_strides.collect(),
    })
}

/// Applies the statements about operands.
fn operand(
    subject: &mut Subject<'_, '_>,
    statement: &DescriptionStatement,
    is_named: &mut [bool],
) -> Result<(), String> {
    let mut touch = |subject: &mut Subject<'_, '_>, at: OperandNumber, touch: Touch| {
        is_named[at as usize] = true;
        subject.touch(Operands::Number(at), touch);
    };
    match statement {
        DescriptionStatement::Descriptor(at) => touch(subject, *at, Touch::Descriptor),
        DescriptionStatement::Reads(at) => touch(subject, *at, Touch::READ),
        DescriptionStatement::Writes(at) | DescriptionStatement::Overwrites(at) => {
            touch(subject, *at, Touch::WRITE)
        }
        DescriptionStatement::InStep { read, written, .. } => {
            touch(subject, *read, Touch::READ);
            touch(subject, *written, Touch::WRITE);
        }
        DescriptionStatement::Loads { from, .. } => touch(subject, *from, Touch::READ),
        DescriptionStatement::Views { of, .. } => touch(subject, *of, Touch::Descriptor),
        DescriptionStatement::AddressOf { operand, .. } => {
            touch(subject, *operand, Touch::Descriptor)
        }
        DescriptionStatement::AnyOf(_, of) => {
            for at in of {
                touch(subject, *at, Touch::Nothing);
            }
        }
        DescriptionStatement::Captures(at) => {
            touch(subject, *at, Touch::Nothing);
            subject.captures(Operands::Number(*at), Capture::Anywhere);
        }
        DescriptionStatement::StoresInto { operand, memory } => {
            touch(subject, *operand, Touch::Nothing);
            touch(subject, *memory, Touch::WRITE);
            subject.captures(Operands::Number(*operand), Capture::Inside(*memory));
        }
        DescriptionStatement::Frees(at, allocator) => {
            touch(subject, *at, Touch::Nothing);
            frees(subject, *at, Some(Allocator::named(allocator)?));
        }
        DescriptionStatement::Takes(at) => {
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

/// Applies the statements about results.
fn result(subject: &mut Subject<'_, '_>, statement: &DescriptionStatement) -> Result<(), String> {
    let (at, fact) = match statement {
        DescriptionStatement::Allocates(at, allocator) => {
            let fact = ResultFact::New {
                by: Allocator::named(allocator)?,
                automatic: false,
                may_share: None,
            };
            (*at, fact)
        }
        DescriptionStatement::Views { result, of, start } => {
            let (of, start) = (*of, *start);
            (*result, ResultFact::View { of, start })
        }
        DescriptionStatement::AnyOf(result, of) => {
            let mut of: OperandNumbers = of.iter().copied().collect();
            of.sort_unstable();
            of.dedup();
            (*result, ResultFact::AnyOf(of.into()))
        }
        DescriptionStatement::Loads { result, from } => {
            (*result, ResultFact::Loaded { from: *from })
        }
        DescriptionStatement::Borrowed(result) => (*result, ResultFact::Borrowed),
        DescriptionStatement::AddressOf { result, operand } => {
            let of = OperandNumbers::from_slice(&[*operand]).into();
            (*result, ResultFact::Address { of })
        }
        _ => return Ok(()),
    };
    subject.memory.set_result(at, fact);
    Ok(())
}

/// Applies the statements about asynchronous execution, waits and ordering.
fn order(subject: &mut Subject<'_, '_>, description: &Description) {
    let mut after: SmallVec<[TokenRef; 2]> = SmallVec::new();
    let mut spaces: SmallVec<[OperandNumber; 4]> = SmallVec::new();
    for statement in &description.statements {
        match statement {
            DescriptionStatement::Starts(_) => subject.starts(Uses::Operands, false),
            DescriptionStatement::After(at) => after.push(TokenRef::Operand(*at)),
            DescriptionStatement::Waits => subject.waits(),
            DescriptionStatement::Fence => {
                subject.memory.fence = true;
                subject.memory.unnamed.reads = true;
                subject.memory.unnamed.writes = true;
                subject.memory.unnamed.other_resources = true;
            }
            DescriptionStatement::AnySpace(at) => spaces.push(*at),
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

/// The element semantics of the description.
fn elements(subject: &Subject<'_, '_>, description: &Description) -> Elements {
    let mut elements = Elements::default();
    // The element semantics of an asynchronous operation are unknown, because the time of its accesses is.
    if subject.memory.start.is_some() {
        return elements;
    }
    let value = |at: OperandNumber| subject.operands[at as usize].0;
    let is_once = |at: OperandNumber| {
        let same = |(other, _): &&(Val<'_>, TypeClass)| *other == value(at);
        subject.operands.iter().filter(same).count() == 1
    };
    // A copy that has other effects as well must not be removed.
    let is_all = subject.memory.operands.len() == 2
        && subject.results.is_empty()
        && !subject.memory.fence
        && subject.memory.joins.is_empty();
    for statement in &description.statements {
        match *statement {
            DescriptionStatement::Overwrites(at) if !elements.overwritten.contains(&at) => {
                elements.overwritten.push(at);
            }
            DescriptionStatement::InStep {
                read,
                written,
                copies,
            } if is_once(read) && is_once(written) => {
                let (from, into) = (type_of(value(read)), type_of(value(written)));
                let same_elements = have_same_elements(from, into);
                elements.pairs.push(Pair {
                    read,
                    written,
                    same_bytes: has_identity_layout(from)
                        && has_identity_layout(into)
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
