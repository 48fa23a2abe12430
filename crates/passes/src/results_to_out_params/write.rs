//! Makes results arguments.

use super::Change;
use crate::hosts;
use memplan_mlir::{
    build::BuildError,
    calls::function_body,
    copy::copy_before,
    ir::{
        Op, Origin, Type, Val, arguments, blocks, context_of, erase, is_unused, operands, origin,
        parent_block, replace_all_uses, results, set_type, successors, terminator, type_of,
    },
    melior::ir::operation::OperationLike,
    rebuild::drop_results,
    strides::reshaped_view,
    symbols,
};
use memplan_semantics::{Semantics, attributes::NOALIAS};

/// Writes a change: the calls, then the function. Returns the numbers of the new arguments.
pub fn write(change: &Change<'_>) -> Result<Vec<usize>, BuildError> {
    let function = change.function;
    let form = symbols::function_type(function).ok_or_else(BuildError::unexpected)?;
    let numbers: Vec<usize> = change.results.iter().map(|one| one.number).collect();
    let types: Vec<Type<'_>> = numbers
        .iter()
        .filter_map(|number| form.result(*number).ok())
        .collect();
    let allocs = change.results.iter().map(|one| one.alloc);
    let templates: Vec<(Op<'_>, Type<'_>)> = allocs.zip(types).collect();
    let calls: Result<Vec<Op<'_>>, BuildError> = change
        .calls
        .iter()
        .map(|call| write_call(*call, &templates, &numbers))
        .collect();
    calls?;
    write_function(change, &templates, &numbers)?;
    let first = form.input_count();
    Ok((first..first + numbers.len()).collect())
}

/// Allocates the results before a call, and passes them.
fn write_call<'c>(
    call: Op<'c>,
    templates: &[(Op<'c>, Type<'c>)],
    numbers: &[usize],
) -> Result<Op<'c>, BuildError> {
    let block = parent_block(call).ok_or_else(BuildError::unexpected)?;
    let mut given: Vec<Val<'c>> = Vec::with_capacity(templates.len());
    for (alloc, form) in templates {
        let copy = copy_before(*alloc, block, call).ok_or_else(BuildError::unexpected)?;
        let value = results(copy).next().ok_or_else(BuildError::unexpected)?;
        if type_of(value) != *form {
            set_type(value, *form);
        }
        given.push(value);
    }
    symbols::append_operands(call, &given);
    for (number, value) in numbers.iter().zip(&given) {
        let result = results(call).nth(*number);
        replace_all_uses(result.ok_or_else(BuildError::unexpected)?, *value);
    }
    drop_results(call, numbers).ok_or_else(BuildError::unexpected)
}

/// Lets the function write its results to arguments.
fn write_function<'c>(
    change: &Change<'c>,
    templates: &[(Op<'c>, Type<'c>)],
    numbers: &[usize],
) -> Result<(), BuildError> {
    let function = change.function;
    let body = function_body(function).ok_or_else(BuildError::unexpected)?;
    let all: Vec<_> = blocks(body).collect();
    let entry = *all.first().ok_or_else(BuildError::unexpected)?;
    let unit = context_of(function).unit();
    let mut semantics = Semantics::default();
    let guests = change.results.iter().map(|one| &one.guests);
    for ((alloc, form), guests) in templates.iter().zip(guests) {
        let place = alloc.location();
        if !symbols::append_argument(function, *form, &[(NOALIAS, unit)], place) {
            return Err(BuildError::unexpected());
        }
        let argument = arguments(entry).last().ok_or_else(BuildError::unexpected)?;
        let buffer = results(*alloc).next().ok_or_else(BuildError::unexpected)?;
        let view = match type_of(buffer) == *form {
            true => argument,
            false => reshaped_view(*alloc, argument, type_of(buffer)),
        };
        replace_all_uses(buffer, view);
        erase(*alloc);
        for guest in guests {
            hosts::write(*guest, argument, &mut semantics)?;
        }
    }
    let count = symbols::function_type(function).map_or(0, |form| form.result_count());
    let returns = all.into_iter().filter_map(terminator);
    let returns =
        returns.filter(|op| successors(*op).next().is_none() && operands(*op).count() == count);
    for end in returns.collect::<Vec<_>>() {
        let dropped: Vec<Val<'c>> = operands(end)
            .enumerate()
            .filter(|(number, _)| numbers.contains(number))
            .map(|(_, value)| value)
            .collect();
        symbols::drop_operands(end, numbers);
        for value in dropped {
            let mut at = value;
            while let Some(Origin::Result(view, _)) = origin(at)
                && is_unused(at)
                && semantics.part(view).is_some()
                && let Some(source) = operands(view).next()
            {
                erase(view);
                at = source;
            }
        }
    }
    match symbols::drop_results(function, numbers) {
        true => Ok(()),
        false => Err(BuildError::unexpected()),
    }
}
