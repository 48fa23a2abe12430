//! Writes what has been decided.

use super::{
    decide::{Decision, ValueId},
    read::{MergedValue, Reading, TwoArms},
    scan::{Chooses, Found, concerns, is_flag},
};
use memplan_mlir::{
    build::{BuildError, Builder},
    control_flow::branch_operands,
    copy::erase_unreachable_blocks,
    ir::{
        Block, Identity, Key, Op, Origin, Region, Val, block_parent, blocks, erase, is_unused,
        operands, ops, origin, parent_block, regions, replace_all_uses, results, successors,
        terminator, type_of,
    },
    melior::ir::{BlockLike, operation::OperationLike},
    rebuild::drop_results,
    values::move_before,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Puts what merges always are in their place. Is anything changed?
pub fn replace<'c>(reading: &Reading<'c>, decision: &Decision) -> Result<bool, BuildError> {
    let mut writer = Writer {
        reading,
        decision,
        flags: FxHashMap::default(),
        selected: FxHashMap::default(),
    };
    let mut is_changed = false;
    for (value, held) in &reading.held {
        let always = decision.always(value);
        let MergedValue::Val(from) = *held else {
            continue;
        };
        if always != value && !is_unused(from) {
            let to = match reading.held[always] {
                MergedValue::Val(to) => to,
                MergedValue::Flag(holds) => writer.flag_at(from, holds)?,
            };
            replace_all_uses(from, to);
            is_changed = true;
        }
    }
    for arms in &reading.arms {
        is_changed |= writer.select(arms)?;
    }
    Ok(is_changed)
}

struct Writer<'c, 'r> {
    reading: &'r Reading<'c>,
    decision: &'r Decision,
    /// Constant flags at the start of blocks.
    flags: FxHashMap<(Key, bool), Val<'c>>,
    /// Results that have become selects.
    selected: FxHashMap<ValueId, Val<'c>>,
}

impl<'c> Writer<'c, '_> {
    /// A constant flag at the start of the block that a value is defined in.
    fn flag_at(&mut self, value: Val<'c>, holds: bool) -> Result<Val<'c>, BuildError> {
        let block = match origin(value) {
            Some(Origin::Result(op, _)) => parent_block(op),
            Some(Origin::Argument(block, _)) => Some(block),
            None => None,
        };
        let block = block.ok_or_else(BuildError::signature)?;
        if let Some(known) = self.flags.get(&(block.key(), holds)) {
            return Ok(*known);
        }
        let owner = block_parent(block).unwrap_or(self.reading.function);
        let flag = Builder::at_start(block, owner, owner.location()).boolean(holds)?;
        self.flags.insert((block.key(), holds), flag);
        Ok(flag)
    }

    /// What a value is now; `None` for constant flags.
    fn now(&self, value: ValueId) -> Option<Val<'c>> {
        if let Some(selected) = self.selected.get(&value) {
            return Some(*selected);
        }
        match self.reading.held[value] {
            MergedValue::Val(val) => Some(val),
            MergedValue::Flag(_) => None,
        }
    }

    /// A result that is one of two memrefs from outside of its operation becomes a select, where no arm frees memory, and one
    /// that is the flag, or not the flag, that.
    fn select(&mut self, arms: &TwoArms<'c>) -> Result<bool, BuildError> {
        let merges = &self.reading.merges;
        let MergedValue::Val(result) = self.reading.held[arms.result] else {
            return Ok(false);
        };
        if self.decision.always(arms.result) != arms.result || is_unused(result) {
            return Ok(false);
        }
        let yields = arms.yields.map(|value| self.decision.always(value));
        let scope = merges.values[arms.result].scope;
        if !yields
            .iter()
            .all(|value| self.decision.is_visible(merges, *value, scope))
        {
            return Ok(false);
        }
        let builder =
            Builder::before(arms.op, arms.op.location()).ok_or_else(BuildError::signature)?;
        let flags = yields.map(|value| self.reading.held[value]);
        let selected = match (flags, yields.map(|value| self.now(value))) {
            ([MergedValue::Flag(true), MergedValue::Flag(false)], _) => arms.flag,
            ([MergedValue::Flag(false), MergedValue::Flag(true)], _) => {
                builder.exclusive_or(arms.flag, builder.boolean(true)?)?
            }
            (_, [Some(one), Some(other)]) if !is_flag(type_of(result)) && !arms.may_free => {
                builder.select(arms.flag, one, other)?
            }
            _ => return Ok(false),
        };
        replace_all_uses(result, selected);
        self.selected.insert(arms.result, selected);
        Ok(true)
    }
}

/// Erases what nothing uses any more: flags, selects, choices between arms that are empty, and memrefs and flags that choices
/// give. Is anything changed?
pub fn sweep(found: &Found<'_>) -> bool {
    let mut is_changed = false;
    for op in found.logic.iter().rev() {
        is_changed |= erase_unused(*op);
    }
    for choice in found
        .choices
        .iter()
        .rev()
        .filter(|one| one.always.is_none())
    {
        is_changed |= is_empty(choice.op) && erase_unused(choice.op)
            || choice.yields && drop_unused(choice.op);
    }
    for op in &found.constants {
        is_changed |= erase_unused(*op);
    }
    is_changed
}

fn erase_unused(op: Op<'_>) -> bool {
    let goes = results(op).all(is_unused);
    if goes {
        erase(op);
    }
    goes
}

/// The choice is another operation afterwards.
fn drop_unused(op: Op<'_>) -> bool {
    let unused = |value: Val<'_>| is_unused(value) && concerns(type_of(value));
    let numbers = results(op).enumerate().filter(|(_, value)| unused(*value));
    let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
    !numbers.is_empty() && drop_results(op, &numbers).is_some()
}

/// Does each arm of a choice end where it starts?
fn is_empty(op: Op<'_>) -> bool {
    regions(op).next().is_some()
        && successors(op).next().is_none()
        && regions(op).all(|region| {
            let mut all = blocks(region);
            let first = all.next();
            let is_end = |block: Block<'_>| {
                let mut all = ops(block);
                all.next().is_some_and(|op| regions(op).next().is_none()) && all.next().is_none()
            };
            all.next().is_none() && first.is_none_or(is_end)
        })
}

/// Puts what is always chosen in place of the choice. Is anything changed?
pub fn choose(found: &Found<'_>) -> Result<bool, BuildError> {
    let mut gone: FxHashSet<Key> = FxHashSet::default();
    let mut jumps: Vec<Region<'_>> = Vec::new();
    let mut is_changed = false;
    // Those around come first: what an arm holds moves once, however deep it is.
    for Chooses { op, always, .. } in &found.choices {
        let Some(chosen) = always.filter(|_| !gone.contains(&op.key())) else {
            continue;
        };
        is_changed = true;
        if successors(*op).next().is_some() {
            let region = parent_block(*op).and_then(|block| block.parent_region());
            jump(*op, chosen)?;
            jumps.extend(region);
            continue;
        }
        for (_, region) in regions(*op).enumerate().filter(|(at, _)| *at != chosen) {
            gather_choices(region, &mut gone);
        }
        inline(*op, chosen);
    }
    // Blocks that nothing leads to any more may hold others.
    let mut last = None;
    for region in jumps.into_iter().rev() {
        if last.replace(region.key()) != Some(region.key()) {
            erase_unreachable_blocks(region);
        }
    }
    Ok(is_changed)
}

/// The operations of a region that goes.
fn gather_choices(region: Region<'_>, gone: &mut FxHashSet<Key>) {
    for op in blocks(region).flat_map(ops) {
        if regions(op).next().is_some() || successors(op).next().is_some() {
            gone.insert(op.key());
            regions(op).for_each(|region| gather_choices(region, gone));
        }
    }
}

fn inline(op: Op<'_>, chosen: usize) {
    let region = regions(op).nth(chosen);
    let block = region.and_then(|region| blocks(region).next());
    if let Some(block) = block
        && let Some(last) = terminator(block)
    {
        for nested in ops(block).filter(|nested| nested.key() != last.key()) {
            move_before(nested, op);
        }
        for (result, value) in results(op).zip(operands(last)) {
            replace_all_uses(result, value);
        }
    }
    erase(op);
}

fn jump(op: Op<'_>, chosen: usize) -> Result<(), BuildError> {
    let target = successors(op).nth(chosen);
    let told = branch_operands(op, chosen);
    let (Some(target), Some(told)) = (target, told) else {
        return Err(BuildError::signature());
    };
    let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
    builder.jump(target, &told.forwarded)?;
    erase(op);
    Ok(())
}
