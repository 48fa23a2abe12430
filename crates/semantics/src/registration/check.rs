//! Rejects descriptions that contradict themselves or the operation.

use super::description::{Description, DescriptionStatement};
use crate::{
    op_memory::{DataStart, OperandNumber, ResultNumber},
    subject::Subject,
    types::TypeClass,
};
use memplan_mlir::{
    ir::{element_of, next_in_block, regions, type_of},
    melior::ir::{
        Type, TypeLike,
        operation::OperationLike,
        r#type::{DimSize, MemRefType, ShapedTypeLike},
    },
};

/// The statements about one operand.
#[derive(Clone, Copy, Default)]
struct Roles {
    descriptor: bool,
    reads: bool,
    writes: bool,
    overwrites: bool,
    read_in_step: bool,
    written_in_step: bool,
    frees: u32,
    /// The number of statements that capture its address.
    captures: u32,
    viewed: bool,
}

/// A description replaces interfaces, but not control flow.
pub(super) fn operation(subject: &Subject<'_, '_>) -> Result<(), String> {
    let (op, info) = (subject.op, subject.info);
    let why = if info.is_call() {
        "the effects of a call are those of its callee"
    } else if regions(op).next().is_some() {
        "it has regions, whose operations cannot be described"
    } else if info.is_terminator()
        || op.successor_count() > 0
        || (!info.is_registered() && next_in_block(op).is_none())
    {
        "it is a terminator, or may be one: it is unregistered and the last of its block"
    } else {
        return Ok(());
    };
    Err(why.to_owned())
}

/// Checks that the statements refer to existing operands and results, and do not contradict each other.
pub(super) fn description(
    subject: &Subject<'_, '_>,
    description: &Description,
) -> Result<(), String> {
    let statements = &description.statements;
    numbers(subject, statements)?;
    let mut roles = vec![Roles::default(); subject.operands.len()];
    for one in statements {
        add(&mut roles, one);
    }
    for (at, roles) in roles.iter().enumerate() {
        operand(at, *roles)?;
    }
    results(subject, statements)?;
    control(subject, statements)?;
    shapes(subject, statements)
}

fn numbers(subject: &Subject<'_, '_>, statements: &[DescriptionStatement]) -> Result<(), String> {
    let memref = |at: OperandNumber| match subject.operands.get(at as usize) {
        Some((_, TypeClass::Memref)) => Ok(()),
        Some(_) => Err(format!("operand {at} is not a memref")),
        None => Err(format!("it has no operand {at}")),
    };
    let memref_result = |at: ResultNumber| match subject.results.get(at as usize) {
        Some((_, TypeClass::Memref)) => Ok(()),
        Some(_) => Err(format!("result {at} is not a memref")),
        None => Err(format!("it has no result {at}")),
    };
    for one in statements {
        match one {
            DescriptionStatement::Descriptor(at)
            | DescriptionStatement::Reads(at)
            | DescriptionStatement::Writes(at)
            | DescriptionStatement::Overwrites(at)
            | DescriptionStatement::Frees(at, _)
            | DescriptionStatement::Takes(at)
            | DescriptionStatement::Captures(at)
            | DescriptionStatement::AnySpace(at)
            | DescriptionStatement::AnyStrides(at) => memref(*at)?,
            DescriptionStatement::InStep { read, written, .. } => {
                memref(*read)?;
                memref(*written)?;
            }
            DescriptionStatement::StoresInto { operand, memory } => {
                memref(*operand)?;
                memref(*memory)?;
                holds_memrefs(subject, *memory)?;
            }
            DescriptionStatement::Allocates(at, _) | DescriptionStatement::Borrowed(at) => {
                memref_result(*at)?
            }
            DescriptionStatement::Views { result, of, start } => {
                memref_result(*result)?;
                memref(*of)?;
                if let DataStart::ShiftedBy(shift) = start {
                    let shift_of = subject.operands.get(*shift as usize);
                    let is_number = shift_of.is_some_and(|(value, _)| type_of(*value).is_index());
                    if !is_number {
                        return Err(format!("operand {shift} is not an index in bytes"));
                    }
                }
            }
            DescriptionStatement::AnyOf(result, of) => {
                memref_result(*result)?;
                if of.is_empty() {
                    return Err(format!(
                        "result {result} is one of an empty list of operands"
                    ));
                }
                of.iter().try_for_each(|at| memref(*at))?;
            }
            DescriptionStatement::Loads { result, from } => {
                memref_result(*result)?;
                memref(*from)?;
                holds_memrefs(subject, *from)?;
            }
            DescriptionStatement::AddressOf { result, operand } => {
                memref(*operand)?;
                match subject.results.get(*result as usize) {
                    Some((_, class)) if class.holds_memref() || class.is_token() => {
                        return Err(format!("result {result} is a memref or a token"));
                    }
                    Some(_) => {}
                    None => return Err(format!("it has no result {result}")),
                }
            }
            DescriptionStatement::Starts(at) => match subject.results.get(*at as usize) {
                Some((_, TypeClass::Token)) => {}
                Some(_) => return Err(format!("result {at} is not a token")),
                None => return Err(format!("it has no result {at}")),
            },
            DescriptionStatement::After(at) => match subject.operands.get(*at as usize) {
                Some((_, class)) if class.is_token() => {}
                Some(_) => return Err(format!("operand {at} is not a token")),
                None => return Err(format!("it has no operand {at}")),
            },
            DescriptionStatement::Waits
            | DescriptionStatement::Fence
            | DescriptionStatement::Speculatable => {}
        }
    }
    Ok(())
}

fn holds_memrefs(subject: &Subject<'_, '_>, at: OperandNumber) -> Result<(), String> {
    let memref = type_of(subject.operands[at as usize].0);
    match element_of(memref).is_some_and(memplan_mlir::ir::is_memref) {
        true => Ok(()),
        false => Err(format!("operand {at} is not a memref of memrefs")),
    }
}

fn add(all: &mut [Roles], statement: &DescriptionStatement) {
    let mut of = |at: OperandNumber, set: &dyn Fn(&mut Roles)| set(&mut all[at as usize]);
    match statement {
        DescriptionStatement::Descriptor(at) => of(*at, &|roles| roles.descriptor = true),
        DescriptionStatement::Reads(at) => of(*at, &|roles| roles.reads = true),
        DescriptionStatement::Writes(at) => of(*at, &|roles| roles.writes = true),
        DescriptionStatement::Overwrites(at) => of(*at, &|roles| roles.overwrites = true),
        DescriptionStatement::InStep { read, written, .. } => {
            of(*read, &|roles| roles.read_in_step = true);
            of(*written, &|roles| roles.written_in_step = true);
        }
        DescriptionStatement::Frees(at, _) | DescriptionStatement::Takes(at) => {
            of(*at, &|roles| roles.frees += 1)
        }
        DescriptionStatement::Captures(at) => of(*at, &|roles| roles.captures += 1),
        DescriptionStatement::StoresInto { operand, memory } => {
            of(*operand, &|roles| roles.captures += 1);
            of(*memory, &|roles| roles.writes = true);
        }
        DescriptionStatement::Views { of: source, .. } => of(*source, &|roles| roles.viewed = true),
        DescriptionStatement::Loads { from, .. } => of(*from, &|roles| roles.reads = true),
        _ => {}
    }
}

fn operand(at: usize, roles: Roles) -> Result<(), String> {
    let touches = roles.reads || roles.writes || roles.overwrites;
    let in_step = roles.read_in_step || roles.written_in_step;
    let freed_or_captured = roles.frees + roles.captures;
    let why = if roles.descriptor && (touches || in_step) {
        "its contents are used and not used"
    } else if roles.overwrites && roles.reads {
        "it is overwritten without a read, and also read"
    } else if roles.read_in_step && (touches || roles.written_in_step) {
        "it is read in step, and also used otherwise"
    } else if roles.written_in_step && roles.reads {
        "it is written in step, and also read"
    } else if in_step && freed_or_captured > 0 {
        "it is used in step, and also freed or captured"
    } else if freed_or_captured > 1 {
        "it is freed, consumed, captured or stored twice"
    } else {
        return Ok(());
    };
    Err(format!("operand {at}: {why}"))
}

/// Checks that each result is described once, and that a view has no other effects.
fn results(subject: &Subject<'_, '_>, statements: &[DescriptionStatement]) -> Result<(), String> {
    let mut known = vec![false; subject.results.len()];
    for one in statements {
        let (DescriptionStatement::Allocates(result, _)
        | DescriptionStatement::Views { result, .. }
        | DescriptionStatement::AnyOf(result, _)
        | DescriptionStatement::Loads { result, .. }
        | DescriptionStatement::Borrowed(result)
        | DescriptionStatement::AddressOf { result, .. }
        | DescriptionStatement::Starts(result)) = one
        else {
            continue;
        };
        if std::mem::replace(&mut known[*result as usize], true) {
            return Err(format!("result {result} has two descriptions"));
        }
    }
    let sources = |one: &DescriptionStatement| match one {
        DescriptionStatement::Views { of, .. } => Some(*of),
        _ => None,
    };
    let viewed: Vec<OperandNumber> = statements.iter().filter_map(sources).collect();
    if viewed.is_empty() {
        return Ok(());
    }
    let is_allowed = |one: &DescriptionStatement| match one {
        DescriptionStatement::Reads(at)
        | DescriptionStatement::Writes(at)
        | DescriptionStatement::Overwrites(at) => !viewed.contains(at),
        DescriptionStatement::Views { .. }
        | DescriptionStatement::Descriptor(_)
        | DescriptionStatement::AnySpace(_)
        | DescriptionStatement::Fence
        | DescriptionStatement::Speculatable => true,
        _ => false,
    };
    match statements.iter().all(is_allowed) {
        true => Ok(()),
        false => {
            Err("a view may read and write other operands, and have no other effects".to_owned())
        }
    }
}

/// Checks the statements about asynchronous execution and waits.
fn control(subject: &Subject<'_, '_>, statements: &[DescriptionStatement]) -> Result<(), String> {
    let has = |what: fn(&DescriptionStatement) -> bool| statements.iter().any(what);
    let starts = has(|one| matches!(one, DescriptionStatement::Starts(_)));
    let joins = has(|one| matches!(one, DescriptionStatement::After(_)));
    let waits = has(|one| matches!(one, DescriptionStatement::Waits));
    let tokens = subject.result_tokens().len();
    let why = if starts && tokens > 1 {
        "it starts an operation with more than one token"
    } else if waits && (starts || joins) {
        "it waits for its tokens, but is asynchronous: use `after` for the tokens that it \
        depends on"
    } else if joins && tokens == 0 {
        "it depends on a token, but has no token itself: use `waits`"
    } else {
        return Ok(());
    };
    Err(why.to_owned())
}

/// Checks that elementwise operands have the same shape, and copied operands the same element type.
fn shapes(subject: &Subject<'_, '_>, statements: &[DescriptionStatement]) -> Result<(), String> {
    for one in statements {
        let DescriptionStatement::InStep {
            read,
            written,
            copies,
        } = one
        else {
            continue;
        };
        let r#type = |at: &OperandNumber| type_of(subject.operands[*at as usize].0);
        let (from, into) = (r#type(read), r#type(written));
        if !may_have_one_shape(from, into) {
            return Err(format!(
                "operands {read} and {written} have different shapes"
            ));
        }
        if *copies && element_of(from) != element_of(into) {
            return Err(format!(
                "operands {read} and {written} have different element types"
            ));
        }
    }
    Ok(())
}

/// Can memrefs of these types have the same sizes?
fn may_have_one_shape(one: Type<'_>, other: Type<'_>) -> bool {
    let (Ok(one), Ok(other)) = (MemRefType::try_from(one), MemRefType::try_from(other)) else {
        return true;
    };
    let fits = |at: usize| match (one.dim_size(at), other.dim_size(at)) {
        (Ok(DimSize::Static(one)), Ok(DimSize::Static(other))) => one == other,
        _ => true,
    };
    one.rank() == other.rank() && (0..one.rank()).all(fits)
}

/// Are these types ranked memrefs of the same shape, including dynamic sizes?
pub(super) fn have_one_shape(one: Type<'_>, other: Type<'_>) -> bool {
    let (Ok(one), Ok(other)) = (MemRefType::try_from(one), MemRefType::try_from(other)) else {
        return false;
    };
    let size = |of: MemRefType<'_>, at: usize| match of.dim_size(at) {
        Ok(DimSize::Static(size)) => Some(size),
        _ => None,
    };
    one.rank() == other.rank() && (0..one.rank()).all(|at| size(one, at) == size(other, at))
}
