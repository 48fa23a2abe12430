//! The memory spaces that the options `capacity` and `spill` name.

use super::settings::Settings;
use crate::memory_spaces::names::short_space;
use crate::{codes::OPTION, failure::fail};
use memplan_mlir::{
    ir::{Op, arguments, blocks, context_of, is_memref, ops, regions, results, type_of},
    layout::memory_space,
    pass::Failed,
};
use std::collections::BTreeSet;

/// Checks that the options name memory spaces as MLIR writes them.
pub fn are_spaces(op: Op<'_>, settings: &Settings) -> Result<(), Failed> {
    let capacities = settings.capacity.names().map(|space| ("capacity", space));
    let budgets = settings.budget.names().map(|space| ("budget", space));
    let capacities = capacities.chain(budgets);
    let forbidden = settings.forbidden.names().map(|space| ("forbid", space));
    let spills = settings.spill.iter();
    let spills = spills.flat_map(|(from, to)| [("spill", from), ("spill", to)]);
    let mut all: Vec<(&str, &String)> = capacities.chain(forbidden).chain(spills).collect();
    all.sort_unstable();
    for (option, space) in all {
        let hint = match is_word(space) {
            true => format!("; in a type it is \"{space}\", with quotes"),
            false if space.is_empty() || context_of(op).parse_attribute(space).is_some() => {
                continue;
            }
            false => String::new(),
        };
        let message = format!(
            "memplan-merge-alloc: option '{option}': '{space}' is not a memory space{hint}"
        );
        return Err(fail(op, OPTION, message));
    }
    Ok(())
}

/// Whether this is a word without quotes. MLIR's parser would report it in its own words.
fn is_word(space: &str) -> bool {
    space.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && space
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_.$".contains(letter))
}

/// Checks that a module has the memory spaces that the options limit, if it has another one that they do not name. So
/// the options may name all memory spaces of a machine, of which a program uses some.
pub fn are_known(root: Op<'_>, functions: &[Op<'_>], settings: &Settings) -> Result<(), Failed> {
    // A machine may have spaces that the program does not use.
    if settings.machine.is_some() {
        return Ok(());
    }
    let sources = settings.spill.iter().map(|(from, _)| ("spill", from));
    let limits = settings.capacity.names().map(|space| ("capacity", space));
    let forbidden = settings.forbidden.names().map(|space| ("forbid", space));
    let is_destination = |space: &str| settings.spill.iter().any(|(_, to)| to == space);
    let mut named: Vec<(&str, &String)> = limits.chain(forbidden).chain(sources).collect();
    named.retain(|(_, space)| !space.is_empty() && !is_destination(space));
    if named.is_empty() {
        return Ok(());
    }
    named.sort_unstable();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut open: Vec<Op<'_>> = functions.to_vec();
    while let Some(op) = open.pop() {
        let values = regions(op)
            .flat_map(blocks)
            .flat_map(arguments)
            .chain(results(op));
        for r#type in values.map(type_of).filter(|r#type| is_memref(*r#type)) {
            let space = memory_space(r#type);
            let space = short_space(&space);
            if !space.is_empty() && !known.contains(space) {
                known.insert(space.to_string());
            }
        }
        open.extend(regions(op).flat_map(blocks).flat_map(ops));
    }
    let is_named = |space: &String| {
        let spills = settings.spill.iter();
        settings.capacity.get(space).is_some()
            || settings.forbidden.get(space).is_some()
            || spills
                .into_iter()
                .any(|(from, to)| from == space || to == space)
    };
    let unnamed: Vec<&str> = known
        .iter()
        .filter(|space| !is_named(space))
        .map(String::as_str)
        .collect();
    if unnamed.is_empty() {
        return Ok(());
    }
    for (option, space) in named {
        if !known.contains(space) {
            let message = format!(
                "memplan-merge-alloc: option '{option}': the program has no memory space {space}, \
                 but {}",
                unnamed.join(", ")
            );
            return Err(fail(root, OPTION, message));
        }
    }
    Ok(())
}
