//! Writes the decisions into the IR.

use super::{
    decide::{Decision, ValueId},
    read::{MergedValue, Reading, TwoArms},
    scan::{ChoiceOp, FoldCandidates, is_flag, is_memref_or_flag},
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

/// Replaces merges by the values that they always are. Returns whether anything changed.
pub fn replace<'c>(reading: &Reading<'c>, decision: &Decision) -> Result<bool, BuildError> {
    let mut writer = Writer {
        reading,
        decision,
        flags: FxHashMap::default(),
        selected: FxHashMap::default(),
    };
    let mut is_changed = false;
    for (value, ir_value) in &reading.ir_values {
        let always = decision.always(value);
        let MergedValue::Val(from) = *ir_value else {
            continue;
        };
        if always != value && !is_unused(from) {
            let to = match reading.ir_values[always] {
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
    /// Constant flags, by block.
    flags: FxHashMap<(Key, bool), Val<'c>>,
    /// Results that have been replaced by selects.
    selected: FxHashMap<ValueId, Val<'c>>,
}

impl<'c> Writer<'c, '_> {
    /// A constant flag at the start of the block that defines a value.
    fn flag_at(&mut self, value: Val<'c>, holds: bool) -> Result<Val<'c>, BuildError> {
        let block = match origin(value) {
            Some(Origin::Result(op, _)) => parent_block(op),
            Some(Origin::Argument(block, _)) => Some(block),
            None => None,
        };
        let block = block.ok_or_else(BuildError::unexpected)?;
        if let Some(known) = self.flags.get(&(block.key(), holds)) {
            return Ok(*known);
        }
        let owner = block_parent(block).unwrap_or(self.reading.function);
        let flag = Builder::at_start(block, owner, owner.location()).boolean(holds)?;
        self.flags.insert((block.key(), holds), flag);
        Ok(flag)
    }

    /// The current value of the IR; `None` for constant flags.
    fn current_value(&self, value: ValueId) -> Option<Val<'c>> {
        if let Some(selected) = self.selected.get(&value) {
            return Some(*selected);
        }
        match self.reading.ir_values[value] {
            MergedValue::Val(val) => Some(val),
            MergedValue::Flag(_) => None,
        }
    }

    /// Replaces a result that is one of two memrefs from outside of its operation by a select, if no region
    /// frees memory. Replaces a result that is the flag or its negation by that.
    fn select(&mut self, arms: &TwoArms<'c>) -> Result<bool, BuildError> {
        let merges = &self.reading.merges;
        let MergedValue::Val(result) = self.reading.ir_values[arms.result] else {
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
            Builder::before(arms.op, arms.op.location()).ok_or_else(BuildError::unexpected)?;
        let flags = yields.map(|value| self.reading.ir_values[value]);
        let selected = match (flags, yields.map(|value| self.current_value(value))) {
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

/// Erases unused flags, selects, choices with empty regions, and memref and flag results of choices. Returns
/// whether anything changed.
pub fn erase_dead(candidates: &FoldCandidates<'_>) -> bool {
    let mut is_changed = false;
    for op in candidates.flag_ops.iter().rev() {
        is_changed |= erase_if_unused(*op);
    }
    for choice in candidates
        .choices
        .iter()
        .rev()
        .filter(|one| one.always.is_none())
    {
        is_changed |= has_empty_arms(choice.op) && erase_if_unused(choice.op)
            || choice.yields && drop_unused_results(choice.op);
    }
    for op in &candidates.constants {
        is_changed |= erase_if_unused(*op);
    }
    is_changed
}

fn erase_if_unused(op: Op<'_>) -> bool {
    let goes = results(op).all(is_unused);
    if goes {
        erase(op);
    }
    goes
}

/// Recreates the choice without its unused results.
fn drop_unused_results(op: Op<'_>) -> bool {
    let unused = |value: Val<'_>| is_unused(value) && is_memref_or_flag(type_of(value));
    let numbers = results(op).enumerate().filter(|(_, value)| unused(*value));
    let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
    !numbers.is_empty() && drop_results(op, &numbers).is_some()
}

/// Whether each region of a choice has no operation but its terminator.
fn has_empty_arms(op: Op<'_>) -> bool {
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

/// Replaces choices by what they always choose. Returns whether anything changed.
pub fn inline_choices(candidates: &FoldCandidates<'_>) -> Result<bool, BuildError> {
    let mut erased: FxHashSet<Key> = FxHashSet::default();
    let mut jumps: Vec<Region<'_>> = Vec::new();
    let mut is_changed = false;
    // Enclosing choices come first, so each operation of a region is moved once, however deeply it is nested.
    for ChoiceOp { op, always, .. } in &candidates.choices {
        let Some(chosen) = always.filter(|_| !erased.contains(&op.key())) else {
            continue;
        };
        is_changed = true;
        if successors(*op).next().is_some() {
            let region = parent_block(*op).and_then(|block| block.parent_region());
            replace_branch(*op, chosen)?;
            jumps.extend(region);
            continue;
        }
        for (_, region) in regions(*op).enumerate().filter(|(at, _)| *at != chosen) {
            gather_choices(region, &mut erased);
        }
        inline_region(*op, chosen);
    }
    // Blocks that are unreachable now may contain choices.
    let mut last = None;
    for region in jumps.into_iter().rev() {
        if last.replace(region.key()) != Some(region.key()) {
            erase_unreachable_blocks(region);
        }
    }
    Ok(is_changed)
}

/// Collects the operations of a region that is erased.
fn gather_choices(region: Region<'_>, erased: &mut FxHashSet<Key>) {
    for op in blocks(region).flat_map(ops) {
        if regions(op).next().is_some() || successors(op).next().is_some() {
            erased.insert(op.key());
            regions(op).for_each(|region| gather_choices(region, erased));
        }
    }
}

fn inline_region(op: Op<'_>, chosen: usize) {
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

fn replace_branch(op: Op<'_>, chosen: usize) -> Result<(), BuildError> {
    let target = successors(op).nth(chosen);
    let branch = branch_operands(op, chosen);
    let (Some(target), Some(branch)) = (target, branch) else {
        return Err(BuildError::unexpected());
    };
    let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
    builder.jump(target, &branch.forwarded)?;
    erase(op);
    Ok(())
}
