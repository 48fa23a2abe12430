//! Reads the attributes that say which buffers lie in which banks. One that cannot be kept is an error at its operation.

use super::{Apart, BankLayouts, Placement, Rules};
use crate::failure::fail;
use crate::memory_spaces::names::space_name;
use crate::merge_alloc::codes;
use memplan_lifetimes::{
    Analysis,
    program::{Position, UseKind, ValueId},
};
use memplan_mlir::{
    attributes::{PlainValue, elements, integers, is_unit, plain_value},
    diagnostics::Diagnostic,
    ir::{
        Identity, Key, Op, Origin, Val, blocks, has_discardable_attributes, is_memref, operands,
        ops, origin, regions, results, type_of,
    },
    layout::memory_space,
    melior::ir::{Location, operation::OperationLike},
    pass::Failed,
    symbols,
};
use memplan_planner::BankLayout;
use memplan_semantics::{
    Semantics,
    attributes::{ACROSS_BANKS, APART, BANK, BANKS, BUFFER, OPERANDS_APART},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Where the arena of a function is.
pub struct ArenaBanks<'b> {
    /// The banks of memory spaces.
    pub layouts: &'b BankLayouts,
    /// Whether callers place the arena of the function.
    pub is_placed_by_callers: bool,
    /// Memory spaces that a given plan moves buffers to, by index in [`Analysis::plannable`].
    pub moved: &'b FxHashMap<usize, String>,
}

/// Reads the rules of a function.
pub fn read<'c>(
    function: Op<'c>,
    analysis: &Analysis<'c>,
    arena: &ArenaBanks<'_>,
) -> Result<Rules, Failed> {
    let marked = marked(function);
    if marked.is_empty() {
        return Ok(Rules::default());
    }
    let plannable = analysis.plannable.iter().enumerate();
    let mut reader = Reader {
        function,
        analysis,
        arena,
        plannable: plannable
            .map(|(place, own)| (analysis.handles.buffers[own.buffer.index()].key(), place))
            .collect(),
        placements: BTreeMap::new(),
        groups: BTreeMap::new(),
        apart: Vec::new(),
    };
    let mut is_wrong = false;
    for op in &marked {
        is_wrong |= reader.allocation(*op).is_err();
    }
    let touching = marked.iter().filter(|op| op.has_attribute(OPERANDS_APART));
    let touching: FxHashSet<Key> = touching.map(Identity::key).collect();
    let positions: FxHashMap<Key, Position> = match touching.is_empty() {
        true => FxHashMap::default(),
        false => {
            let all = analysis.handles.ops.iter();
            let all = all.map(|(position, op)| (op.key(), *position));
            all.filter(|(key, _)| touching.contains(key)).collect()
        }
    };
    for op in marked.iter().filter(|op| touching.contains(&op.key())) {
        let position = positions.get(&op.key()).copied();
        is_wrong |= reader.operands(*op, position).is_err();
    }
    match is_wrong {
        true => Err(Failed),
        false => Ok(reader.rules()),
    }
}

/// The operations of a function with attributes of banks, in order.
fn marked(function: Op<'_>) -> Vec<Op<'_>> {
    let mut semantics = Semantics::default();
    let mut found = Vec::new();
    let mut open: Vec<Op<'_>> = regions(function).flat_map(blocks).flat_map(ops).collect();
    open.reverse();
    while let Some(op) = open.pop() {
        let names = [BANK, ACROSS_BANKS, APART, OPERANDS_APART];
        if has_discardable_attributes(op) && names.iter().any(|name| op.has_attribute(name)) {
            found.push(op);
        }
        // A function in this one is read by itself.
        if regions(op).next().is_some() && !semantics.info(op).is_function() {
            let from = open.len();
            open.extend(regions(op).flat_map(blocks).flat_map(ops));
            open[from..].reverse();
        }
    }
    found
}

struct Reader<'r, 'c> {
    function: Op<'c>,
    analysis: &'r Analysis<'c>,
    arena: &'r ArenaBanks<'r>,
    /// The index of each allocation that is planned.
    plannable: FxHashMap<Key, usize>,
    placements: BTreeMap<usize, Placement>,
    /// Members of named groups, each in a memory space.
    groups: BTreeMap<(String, String), Vec<(usize, Location<'c>)>>,
    apart: Vec<Apart>,
}

impl<'c> Reader<'_, 'c> {
    fn rules(self) -> Rules {
        let mut apart = self.apart;
        for ((_, name), members) in self.groups {
            if let [(_, location)] = members[..] {
                let text = format!(
                    "`{APART}`: no other allocation of the function is in group \"{name}\""
                );
                Diagnostic::new(codes::ALONE, location, text).emit();
                continue;
            }
            let mut members: Vec<usize> = members.into_iter().map(|(place, _)| place).collect();
            members.sort_unstable();
            apart.push(Apart {
                members,
                position: None,
            });
        }
        Rules::new(self.placements.into_values().collect(), apart)
    }

    /// Reads the attributes of an allocation.
    fn allocation(&mut self, op: Op<'c>) -> Result<(), Failed> {
        let names = [BANK, ACROSS_BANKS, APART];
        let mut names = names.iter().filter(|name| op.has_attribute(name));
        // Slices of an earlier plan keep theirs for the check.
        let Some(name) = names.next().filter(|_| !op.has_attribute(BUFFER)) else {
            return Ok(());
        };
        let wrong = |why: String| Err(fail(op, codes::BANK, format!("`{name}`: {why}")));
        let Some(place) = self.plannable.get(&op.key()).copied() else {
            let mut skipped = self.analysis.skipped.iter();
            let skipped = skipped.find(|(buffer, _)| {
                self.analysis.handles.buffers[buffer.index()].key() == op.key()
            });
            return wrong(match skipped {
                Some((_, reason)) => {
                    let (text, id) = (reason.text(), reason.id());
                    format!("the allocation is not merged: {text} [{id}]")
                }
                None => "it is not an allocation that can be merged".to_owned(),
            });
        };
        let own = &self.analysis.plannable[place];
        if self.analysis.program.buffers[own.buffer.index()]
            .scope
            .index()
            > 0
        {
            return wrong("each iteration of the parallel body has an arena of its own".to_owned());
        }
        let space = match self.arena.moved.get(&place) {
            Some(space) => space.clone(),
            None => results(op)
                .next()
                .map(|result| memory_space(type_of(result)))
                .unwrap_or_default(),
        };
        let layout = match self.layout(&space) {
            Ok(layout) => layout,
            Err(why) => return wrong(why),
        };
        let banks = banks(op, layout).map_err(|why| fail(op, codes::BANK, why))?;
        let crosses = flag(op, ACROSS_BANKS)?;
        if !banks.is_empty()
            && !own.carried.is_empty()
            && matches!(layout, BankLayout::Interleaved { .. })
        {
            let why = "its instances rotate through several slots, which start in different banks";
            return wrong(why.to_owned());
        }
        if !banks.is_empty() || crosses {
            let placement = Placement {
                buffer: place,
                banks,
                crosses,
            };
            self.placements.insert(place, placement);
        }
        for name in groups(op)? {
            let key = (space_name(&space).to_owned(), name);
            let members = self.groups.entry(key).or_default();
            members.push((place, op.location()));
        }
        Ok(())
    }

    /// The banks of a memory space, or why there are none here.
    fn layout(&self, space: &str) -> Result<&BankLayout, String> {
        let layout = self.arena.layouts.get(space).ok_or_else(|| {
            let space = space_name(space);
            format!("memory space {space} has no banks: the description of the machine says where they are")
        })?;
        match self.arena.is_placed_by_callers {
            true => Err(
                "callers place the arena of the function, so its banks are not known".to_owned(),
            ),
            false => Ok(layout),
        }
    }

    /// Reads an operation whose operands are apart.
    fn operands(&mut self, op: Op<'c>, position: Option<Position>) -> Result<(), Failed> {
        if !flag(op, OPERANDS_APART)? {
            return Ok(());
        }
        let wrong = |why: String| Err(fail(op, codes::BANK, format!("`{OPERANDS_APART}`: {why}")));
        let touched = match position {
            Some(position) => self.touched(op, position),
            None => Vec::new(),
        };
        let layouts = self.arena.layouts;
        let spaces: BTreeSet<&String> = touched.iter().map(|one| &one.space).collect();
        let in_banks = |space: &String| layouts.get(space).is_some();
        if !spaces.iter().copied().any(in_banks) {
            return wrong("the operation touches no memory space with banks".to_owned());
        }
        for space in spaces.into_iter().filter(|space| in_banks(space)) {
            let own: Vec<&Touched> = touched.iter().filter(|one| one.space == *space).collect();
            if own.len() < 2 || self.is_planned(&own) {
                continue;
            }
            if let Err(why) = self.layout(space) {
                return wrong(why);
            }
            for one in &own {
                let number = one.operand;
                if one.is_other {
                    return wrong(format!(
                        "operand {number} may be memory that is not in the arena"
                    ));
                }
                if one.is_in_body {
                    return wrong(format!(
                        "operand {number} is allocated in a parallel body, each iteration of which has an arena of its own"
                    ));
                }
            }
            for (place, one) in own.iter().enumerate() {
                let is_shared =
                    |other: &&&Touched| one.buffers.iter().any(|it| other.buffers.contains(it));
                if let Some(other) = own[..place].iter().find(is_shared) {
                    return wrong(format!(
                        "operands {} and {} may be one buffer",
                        other.operand, one.operand
                    ));
                }
            }
            self.add_apart(&own, position);
        }
        Ok(())
    }

    /// Adds that the buffers of operands, which have none in common, are apart.
    fn add_apart(&mut self, operands: &[&Touched], position: Option<Position>) {
        let mut add = |mut members: Vec<usize>| {
            members.sort_unstable();
            self.apart.push(Apart { members, position });
        };
        if operands.iter().all(|one| one.buffers.len() == 1) {
            return add(operands
                .iter()
                .flat_map(|one| one.buffers.clone())
                .collect());
        }
        // Buffers that one operand may be need not be apart from each other.
        for (place, one) in operands.iter().enumerate() {
            for other in &operands[..place] {
                for first in &other.buffers {
                    for second in &one.buffers {
                        add(vec![*first, *second]);
                    }
                }
            }
        }
    }

    /// The memory that an operation reads or writes, by operand.
    fn touched(&self, op: Op<'c>, position: Position) -> Vec<Touched> {
        let program = &self.analysis.program;
        let aliases = &self.analysis.aliases;
        let first = program
            .uses
            .partition_point(|used| used.position < position);
        let uses = program.uses[first..].iter();
        let uses = uses.take_while(|used| used.position == position);
        let touches = uses.filter(|used| matches!(used.kind, UseKind::Touch | UseKind::Overwrite));
        let values: FxHashMap<Key, ValueId> = touches
            .map(|used| {
                (
                    self.analysis.handles.values[used.value.index()].key(),
                    used.value,
                )
            })
            .collect();
        let of_buffer: FxHashMap<_, usize> = (self.analysis.plannable.iter())
            .enumerate()
            .map(|(place, own)| (own.buffer, place))
            .collect();
        let all = operands(op).enumerate().filter_map(|(operand, memref)| {
            let value = values.get(&memref.key()).copied()?;
            if !is_memref(type_of(memref)) {
                return None;
            }
            let mut touched = Touched {
                operand,
                value,
                space: memory_space(type_of(memref)),
                buffers: Vec::new(),
                is_other: aliases.is_external(value),
                is_in_body: false,
            };
            for buffer in aliases.buffers(value) {
                match of_buffer.get(&buffer) {
                    Some(place) => touched.buffers.push(*place),
                    None => touched.is_other = true,
                }
                touched.is_in_body |= program.buffers[buffer.index()].scope.index() > 0;
            }
            Some(touched)
        });
        all.collect()
    }

    /// Whether the operands are slices of an earlier plan, which is checked by itself.
    fn is_planned(&self, touched: &[&Touched]) -> bool {
        let values = &self.analysis.program.values;
        let mut open: Vec<ValueId> = touched.iter().map(|one| one.value).collect();
        let mut seen = FxHashSet::default();
        while let Some(value) = open.pop() {
            let sources = &values[value.index()].sources;
            if sources.is_empty() && !self.has_banks(self.analysis.handles.values[value.index()]) {
                return false;
            }
            if seen.insert(value) {
                open.extend(sources.iter().copied());
            }
        }
        true
    }

    /// Whether an arena has banks.
    fn has_banks(&self, bytes: Val<'c>) -> bool {
        match origin(bytes) {
            Some(Origin::Result(op, _)) => op.has_attribute(BANKS),
            Some(Origin::Argument(_, number)) => {
                symbols::argument_attribute(self.function, number, BANKS).is_some()
            }
            None => false,
        }
    }
}

/// Memory that an operation reads or writes.
struct Touched {
    /// The number of the operand.
    operand: usize,
    /// Its value.
    value: ValueId,
    /// Its memory space.
    space: String,
    /// The buffers that it may be, by index in [`Analysis::plannable`].
    buffers: Vec<usize>,
    /// Whether it may be memory that is not planned.
    is_other: bool,
    /// Whether one of the buffers is allocated in a parallel body.
    is_in_body: bool,
}

/// The banks of an allocation; empty for all.
fn banks(op: Op<'_>, layout: &BankLayout) -> Result<Vec<u32>, String> {
    let Ok(attribute) = op.attribute(BANK) else {
        return Ok(Vec::new());
    };
    let numbers = match plain_value(attribute) {
        Some(PlainValue::Integer(number)) => Some(vec![number]),
        _ => integers(attribute).filter(|all| !all.is_empty()),
    };
    let Some(numbers) = numbers else {
        return Err(format!(
            "`{BANK}` takes the number of a bank, or several as in array<i64: 0, 1>, not {attribute}"
        ));
    };
    let last = layout.count() - 1;
    let numbers = numbers.into_iter().map(|number| {
        let bank = u32::try_from(number).ok().filter(|bank| *bank <= last);
        bank.ok_or_else(|| format!("`{BANK}` names bank {number}, and the last bank is {last}"))
    });
    numbers.collect()
}

/// The groups of an allocation.
fn groups(op: Op<'_>) -> Result<BTreeSet<String>, Failed> {
    let Ok(attribute) = op.attribute(APART) else {
        return Ok(BTreeSet::new());
    };
    let text = |one| match plain_value(one) {
        Some(PlainValue::Text(name)) if !name.is_empty() => Some(name),
        _ => None,
    };
    let names = match elements(attribute) {
        Some(all) => all
            .into_iter()
            .map(text)
            .collect::<Option<BTreeSet<String>>>(),
        None => text(attribute).map(|name| BTreeSet::from([name])),
    };
    names.filter(|all| !all.is_empty()).ok_or_else(|| {
        let why = format!(
            "`{APART}` takes the name of a group in quotes, or a list of them, not {attribute}"
        );
        fail(op, codes::BANK, why)
    })
}

/// Whether an attribute without a value, or with a boolean, is set.
fn flag(op: Op<'_>, name: &str) -> Result<bool, Failed> {
    let Ok(attribute) = op.attribute(name) else {
        return Ok(false);
    };
    match plain_value(attribute) {
        Some(PlainValue::Flag(flag)) => Ok(flag),
        _ if is_unit(attribute) => Ok(true),
        _ => Err(fail(
            op,
            codes::BANK,
            format!("`{name}` takes no value, not {attribute}"),
        )),
    }
}
