//! The [`OpMemory`] of an operation: first the facts of its interfaces, then those of the table, then those that are
//! registered.

use crate::{
    allocators::Allocator,
    interfaces,
    name_facts::NameFacts,
    op_memory::{
        Capture, DataStart, Frees, Join, OpMemory, Promise, ResultFact, Start, Touch, Uses,
    },
    operand_list::OperandList,
    registration::apply,
    statement::{Operands, Statement},
    subject::Subject,
    types::{TypeClass, TypeClasses},
};
use memplan_mlir::{build, ir::Op};
use smallvec::SmallVec;

/// The memory behavior of an operation.
pub(crate) fn describe(op: Op<'_>, facts: &NameFacts, types: &mut TypeClasses) -> OpMemory {
    let mut subject = Subject::new(op, facts.info, types);
    if let Some(by) = &facts.described
        && apply::describe(&mut subject, by.as_ref()).is_some()
    {
        return subject.memory;
    }
    if facts.is_complete {
        interfaces::other_results(&mut subject);
    } else {
        interfaces::describe(&mut subject, facts);
    }
    for statement in &facts.of_memory {
        apply(&mut subject, *statement);
    }
    subject.memory
}

/// Applies a statement of the table. It replaces earlier facts about the operands and results that it names.
fn apply(subject: &mut Subject<'_, '_>, statement: Statement) {
    match statement {
        Statement::Descriptor(which) => {
            for number in subject.select(which) {
                if let Some(used) = subject.memory.operand_mut(number) {
                    used.touch = Touch::Descriptor;
                    used.capture = Capture::No;
                }
            }
        }
        Statement::Reads(which) => subject.uses(which, Touch::READ),
        Statement::Writes(which) => subject.uses(which, Touch::WRITE),
        Statement::Captures(which) => subject.captures(which, Capture::Anywhere),
        Statement::StoresInto(which, memory) => {
            if let Some(memory) = subject.select(memory).first().copied() {
                subject.captures(which, Capture::Inside(memory));
            }
        }
        Statement::Frees(which, by) => {
            for number in subject.select(which) {
                if let Some(used) = subject.memory.operand_mut(number) {
                    used.touch = Touch::Nothing;
                    used.capture = Capture::No;
                    used.frees = Some(Frees {
                        by: Some(by),
                        flag: None,
                        is_certain: true,
                    });
                }
            }
        }
        Statement::Allocates(by) => subject.new_memory(by, None),
        Statement::Clones(which) => {
            subject.uses(which, Touch::READ);
            let from = subject.select(which).first().copied();
            subject.new_memory(Allocator::Memref, from);
        }
        Statement::Reallocates(which) => {
            let from = subject.select(which).first().copied();
            apply(subject, Statement::Frees(which, Allocator::Memref));
            subject.new_memory(Allocator::Memref, from);
        }
        Statement::Views(which, start) => subject.views(which, start),
        Statement::PassesThrough => {
            apply(subject, Statement::Descriptor(Operands::Memrefs));
            subject.memory.promises.push(Promise::Distinct);
            for result in subject.memref_results() {
                let fact = ResultFact::View {
                    of: result,
                    start: DataStart::Same,
                };
                subject.memory.set_result(result, fact);
            }
        }
        Statement::AlignedByAttribute => {
            let bytes = build::integer(subject.op, "alignment");
            let bytes = bytes.and_then(|bytes| u64::try_from(bytes).ok());
            let bytes = bytes.filter(|bytes| *bytes > 0).map(u64::next_power_of_two);
            let memrefs = bytes.map(|_| subject.select(Operands::Memrefs));
            for operand in memrefs.into_iter().flatten() {
                let bytes = bytes.unwrap_or(1);
                let here = subject
                    .results
                    .iter()
                    .all(|(_, class)| *class != TypeClass::Memref);
                let promise = Promise::Alignment {
                    operand,
                    bytes,
                    here,
                };
                subject.memory.promises.push(promise);
            }
        }
        Statement::AnyOf(which) => {
            subject.not_captured(which);
            let of: OperandList = subject.select(which).into();
            for result in subject.memref_results() {
                subject
                    .memory
                    .set_result(result, ResultFact::AnyOf(of.clone()));
            }
            let tokens = subject.operand_tokens();
            for to in subject.result_tokens() {
                let of = tokens.clone();
                subject.memory.joins.push(Join::OneOf { of, to });
            }
        }
        Statement::Loads(which) => {
            subject.uses(which, Touch::READ);
            let from = subject.select(which).first().copied();
            let fact = from.map(|from| ResultFact::Loaded { from });
            for result in subject.memref_results() {
                if let Some(fact) = &fact {
                    subject.memory.set_result(result, fact.clone());
                }
            }
        }
        Statement::Borrows => {
            for result in subject.memref_results() {
                subject.memory.set_result(result, ResultFact::Borrowed);
            }
        }
        Statement::Address(which) => {
            let of: OperandList = subject.select(which).into();
            for number in &of {
                if let Some(used) = subject.memory.operand_mut(*number) {
                    used.touch = used.touch.and(Touch::Descriptor);
                    used.capture = Capture::No;
                }
            }
            for result in 0..subject.results.len() as u32 {
                let fact = ResultFact::Address { of: of.clone() };
                subject.memory.set_result(result, fact);
            }
        }
        Statement::StartsIfToken(uses) => {
            if !subject.result_tokens().is_empty() {
                subject.starts(uses, false);
                subject.joins();
            }
        }
        Statement::Starts { uses, grouped } => {
            subject.starts(uses, grouped);
            subject.joins();
        }
        Statement::NeverEnds => {
            subject.memory.start = Some(Start {
                uses: Uses::Operands,
                tokens: SmallVec::new(),
                grouped: false,
            });
        }
        Statement::Waits => subject.waits(),
        Statement::WaitsOrJoins => match subject.result_tokens().is_empty() {
            true => subject.waits(),
            false => subject.joins(),
        },
        Statement::Fence => subject.memory.fence = true,
        Statement::NeverLeft
        | Statement::Outlines(_)
        | Statement::Walks
        | Statement::Counts(_)
        | Statement::Repeats
        | Statement::Chooses(_)
        | Statement::RunsOnce
        | Statement::Jumps
        | Statement::JumpsByAddress
        | Statement::StartsLandingPad
        | Statement::Extends
        | Statement::Reduces
        | Statement::FreesByFlags
        | Statement::UpstreamModel
        | Statement::Launches => {}
        Statement::Runs(order) => subject.memory.regions = order,
        Statement::AnySpace => subject.memory.any_space = true,
        Statement::Special(special) => special(subject),
        // Queried separately.
        Statement::Speculates(_)
        | Statement::Traps(_)
        | Statement::Returns(_)
        | Statement::Structured
        | Statement::Overwrites(..)
        | Statement::Copies(..)
        | Statement::Fills(_)
        | Statement::Part(_)
        | Statement::Bytes(_)
        | Statement::SameSizes
        | Statement::Computes(_)
        | Statement::WorkgroupBarrier(_)
        | Statement::SameInWorkgroup
        | Statement::ThreadId(_)
        | Statement::WorkgroupSize(_)
        | Statement::Strides(_)
        | Statement::Retypes(_)
        | Statement::ReliesOnAlignment
        | Statement::NamesGlobal(_)
        | Statement::Least(_)
        | Statement::LoopIndex(_)
        | Statement::LoadsElement(_)
        | Statement::IsGlobal(_) => {}
    }
}
