//! A function with its loops and branches as plain data.

use super::super::{
    addressed::{Addressed, to_the_end},
    codes, fail,
    read::{asynchronous, dropped, is_view, plannable},
    settings::Settings,
};
use crate::{
    bounded::{
        constants::nothing,
        loops::{self, is_counted},
        sized::make_sized,
    },
    codes::INTERNAL,
};
use memplan_bounded::{
    Value,
    program::{Block as Items, Item, Var},
};
use memplan_lifetimes::{Analysis, Callees, program::BufferId};
use memplan_mlir::{
    calls,
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, ops,
        regions, results, terminator, type_of,
    },
    layout::DataLayout,
    names::{Known, Names},
    pass::Failed,
};
use memplan_semantics::Semantics;
use rustc_hash::{FxHashMap, FxHashSet};

/// A function as a program, with the IR behind it.
pub struct Reading<'c> {
    /// What is known of its memory.
    pub analysis: Analysis<'c>,
    /// The program.
    pub program: Items,
    /// For each planned allocation, in the order of the analysis, its name.
    pub names: Vec<Var>,
    /// For each name what it stands for.
    pub values: Vec<Val<'c>>,
    /// Operations that make something that has a place, with the names of that.
    pub makers: Vec<(Op<'c>, Vec<Var>)>,
    /// Planned allocations whose address is taken, and where.
    pub addressed: Addressed,
    /// They.
    pub pinned: FxHashSet<BufferId>,
    /// Where the function starts.
    pub entry: Block<'c>,
}

/// Reads a function.
pub fn read<'c>(
    function: Op<'c>,
    names: &mut Names,
    callees: &dyn Callees,
    settings: &Settings,
) -> Result<Option<Reading<'c>>, Failed> {
    let Some(body) = calls::function_body(function) else {
        return Ok(None);
    };
    let Some(entry) = blocks(body).next() else {
        return Ok(None);
    };
    if let Some(op) = asynchronous(function, &mut Semantics::default()) {
        let message = "it goes on when control has passed it";
        return Err(fail(op, codes::ASYNCHRONOUS, message));
    }
    let mut here = FxHashSet::default();
    structure(body, names, &mut here)?;
    for op in allocations(body, &here, names) {
        make_sized(op, names).map_err(|error| fail(op, INTERNAL, error))?;
    }
    let mut analysis = plannable(function, names, callees, &here);
    let to_the_end = to_the_end(&mut analysis, entry);
    let addressed = Addressed::of(&analysis);
    let pinned: FxHashSet<BufferId> = addressed.buffers().collect();
    let mut reader = Reader {
        facts: FxHashMap::default(),
        vars: FxHashMap::default(),
        values: Vec::new(),
        makers: Vec::new(),
        layout: DataLayout::at(function),
        names,
        all_values: settings.all_values,
        dropped: dropped(&analysis),
        buffers: analysis
            .plannable
            .iter()
            .filter_map(|plannable| {
                let op = analysis.handles.buffers[plannable.buffer.index()];
                Some((plannable.buffer, results(op).next()?))
            })
            .collect(),
        addressed,
    };
    for plannable in &analysis.plannable {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let size = analysis.program.buffers[plannable.buffer.index()].size;
        let alignment = plannable.alignment.max(settings.alignment);
        if let Some(result) = results(op).next() {
            let value = Value {
                pinned: pinned.contains(&plannable.buffer),
                ..Value::buffer(size, alignment)
            };
            reader.facts.insert(result.key(), value);
        }
    }
    let mut items = Vec::new();
    reader.given(arguments(entry), &mut items);
    let mut program = reader.block(entry, items)?;
    if !to_the_end.is_empty() {
        let needed = to_the_end.iter();
        let uses = needed.filter_map(|buffer| reader.of_buffer(*buffer));
        program.items.push(Item::Step {
            uses: uses.collect(),
            makes: Vec::new(),
        });
    }
    let names = analysis
        .plannable
        .iter()
        .filter_map(|plannable| {
            let op = analysis.handles.buffers[plannable.buffer.index()];
            reader.vars.get(&results(op).next()?.key()).copied()
        })
        .collect();
    Ok(Some(Reading {
        program,
        names,
        values: reader.values,
        makers: reader.makers,
        addressed: reader.addressed,
        pinned,
        analysis,
        entry,
    }))
}

/// The blocks that paths go through; an error for what they cannot.
fn structure<'c>(
    region: Region<'c>,
    names: &mut Names,
    here: &mut FxHashSet<Key>,
) -> Result<(), Failed> {
    if let Some(second) = blocks(region).nth(1) {
        let at = ops(second)
            .next()
            .or_else(|| memplan_mlir::ir::block_parent(second));
        return Err(at.map_or(Failed, |at| {
            fail(
                at,
                codes::BLOCKS,
                "virtual=true is for branches and loops of scf and affine, not for blocks",
            )
        }));
    }
    for block in blocks(region) {
        here.insert(block.key());
        for op in ops(block) {
            let known = names.info(op).known;
            if known == Known::ScfWhile {
                let message = "the loop has no constant trip count";
                return Err(fail(op, codes::TURNS, message));
            }
            if is_path(known) {
                for inner in regions(op) {
                    structure(inner, names, here)?;
                }
            }
        }
    }
    Ok(())
}

/// The allocations in the blocks that paths go through.
fn allocations<'c>(region: Region<'c>, here: &FxHashSet<Key>, names: &mut Names) -> Vec<Op<'c>> {
    let mut found = Vec::new();
    let mut open: Vec<Block<'c>> = blocks(region).collect();
    while let Some(block) = open.pop() {
        if !here.contains(&block.key()) {
            continue;
        }
        for op in ops(block) {
            if names.info(op).known == Known::Alloc {
                found.push(op);
            }
            open.extend(regions(op).flat_map(blocks));
        }
    }
    found
}

const fn is_path(known: Known) -> bool {
    is_counted(known)
        || matches!(
            known,
            Known::ScfIf | Known::AffineIf | Known::ScfIndexSwitch | Known::ScfExecuteRegion
        )
}

struct Reader<'c, 'n> {
    facts: FxHashMap<Key, Value>,
    vars: FxHashMap<Key, Var>,
    values: Vec<Val<'c>>,
    makers: Vec<(Op<'c>, Vec<Var>)>,
    layout: DataLayout,
    names: &'n mut Names,
    all_values: bool,
    dropped: FxHashSet<Key>,
    /// What stands for each planned allocation.
    buffers: FxHashMap<BufferId, Val<'c>>,
    addressed: Addressed,
}

impl<'c> Reader<'c, '_> {
    fn var(&mut self, value: Val<'c>) -> Var {
        let next = Var(self.vars.len() as u32);
        let name = *self.vars.entry(value.key()).or_insert(next);
        if name == next {
            self.values.push(value);
        }
        name
    }

    /// The name of an allocation that has one.
    fn of_buffer(&self, buffer: BufferId) -> Option<Var> {
        let value = self.buffers.get(&buffer)?;
        self.vars.get(&value.key()).copied()
    }

    /// Whether a value has a name.
    fn is_named(&self, value: Val<'_>) -> bool {
        is_memref(type_of(value)) || self.all_values && self.layout.scalar(type_of(value)).is_some()
    }

    /// Names of those values that have one.
    fn vars(&mut self, values: impl Iterator<Item = Val<'c>>) -> Vec<Var> {
        let values: Vec<Val<'c>> = values.filter(|value| self.is_named(*value)).collect();
        values.into_iter().map(|value| self.var(value)).collect()
    }

    /// What is there from the start: memory of others, and scalars where they count.
    fn given(&mut self, values: impl Iterator<Item = Val<'c>>, items: &mut Vec<Item>) {
        let mut makes = Vec::new();
        for value in values {
            let name = self.var(value);
            match self.scalar(value) {
                Some(value) => makes.push((name, value)),
                None => items.push(Item::Alias {
                    name,
                    of: Vec::new(),
                }),
            }
        }
        if !makes.is_empty() {
            items.push(Item::Step {
                uses: Vec::new(),
                makes,
            });
        }
    }

    fn scalar(&self, value: Val<'_>) -> Option<Value> {
        let extent = self
            .layout
            .scalar(type_of(value))
            .filter(|_| self.all_values);
        extent.map(|extent| Value::scalar(extent.size, extent.alignment))
    }

    fn region(&mut self, region: Region<'c>) -> Result<Items, Failed> {
        match blocks(region).next() {
            Some(block) => self.block(block, Vec::new()),
            None => Ok(Items::default()),
        }
    }

    fn block(&mut self, block: Block<'c>, mut items: Vec<Item>) -> Result<Items, Failed> {
        let end = terminator(block);
        for op in ops(block) {
            let is_end = end.is_some_and(|end| end.key() == op.key());
            let hands_on = matches!(
                self.names.info(op).known,
                Known::ScfYield | Known::AffineYield
            );
            if is_end && hands_on {
                let yields = self.vars(operands(op));
                return Ok(Items { items, yields });
            }
            self.op(op, &mut items)?;
        }
        Ok(Items {
            items,
            yields: Vec::new(),
        })
    }

    fn op(&mut self, op: Op<'c>, items: &mut Vec<Item>) -> Result<(), Failed> {
        if self.dropped.contains(&op.key()) {
            let ended = self.addressed.end(op);
            let ended = ended.and_then(|buffer| self.of_buffer(buffer));
            if let Some(ended) = ended {
                items.push(Item::Step {
                    uses: vec![ended],
                    makes: Vec::new(),
                });
            }
            return Ok(());
        }
        let known = self.names.info(op).known;
        if is_counted(known) {
            let turns = loops::turns(op, self.names, &nothing).map_err(|reason| {
                let message = format!("virtual=true: {}", reason.text());
                fail(op, codes::TURNS, message)
            })?;
            let parts = loops::parts(op);
            let parts = parts.ok_or_else(|| fail(op, INTERNAL, "a loop without parts"))?;
            let starts = self.vars(parts.starts.into_iter());
            let carried = self.vars(parts.carried.into_iter());
            let induction = self
                .scalar(parts.induction)
                .map(|value| (self.var(parts.induction), value));
            let body = self.block(parts.body, Vec::new())?;
            let results = self.vars(results(op));
            items.push(Item::Loop {
                turns: turns.count,
                induction,
                starts,
                carried,
                body,
                results,
            });
            return Ok(());
        }
        match known {
            Known::ScfIf | Known::AffineIf | Known::ScfIndexSwitch => {
                let uses = self.vars(operands(op));
                let mut arms = Vec::new();
                for region in regions(op) {
                    arms.push(self.region(region)?);
                }
                let results = self.vars(results(op));
                items.push(Item::Branch {
                    uses,
                    arms,
                    results,
                });
            }
            Known::ScfExecuteRegion => {
                for region in regions(op) {
                    let inner = self.region(region)?;
                    items.extend(inner.items);
                    let results = self.vars(results(op));
                    for (name, of) in results.into_iter().zip(inner.yields) {
                        items.push(Item::Alias { name, of: vec![of] });
                    }
                }
            }
            _ => self.step(op, items),
        }
        Ok(())
    }

    fn step(&mut self, op: Op<'c>, items: &mut Vec<Item>) {
        let gives_memory = results(op).any(|result| is_memref(type_of(result)));
        let is_view = gives_memory && is_view(op, self.names);
        let mut uses = Vec::new();
        self.uses(op, &mut uses);
        let memory: Vec<Var> = self.vars(operands(op).filter(|value| is_memref(type_of(*value))));
        if is_view {
            // Looking at memory is no use of it; of numbers, it is.
            uses.retain(|name| !memory.contains(name));
        }
        let mut makes = Vec::new();
        let mut others = Vec::new();
        for result in results(op) {
            let name = self.var(result);
            if let Some(value) = self.facts.get(&result.key()) {
                makes.push((name, *value));
            } else if let Some(value) = self.scalar(result) {
                makes.push((name, value));
            } else if is_memref(type_of(result)) {
                others.push(name);
            }
        }
        if !makes.is_empty() {
            let names = makes.iter().map(|(name, _)| *name).collect();
            self.makers.push((op, names));
        }
        if !uses.is_empty() || !makes.is_empty() {
            items.push(Item::Step { uses, makes });
        }
        for name in others {
            items.push(Item::Alias {
                name,
                of: memory.clone(),
            });
        }
    }

    fn uses(&mut self, op: Op<'c>, uses: &mut Vec<Var>) {
        for value in operands(op) {
            // What is made inside of an operation is no name of the program.
            if self.is_named(value)
                && let Some(name) = self.vars.get(&value.key())
                && !uses.contains(name)
            {
                uses.push(*name);
            }
        }
        for nested in regions(op).flat_map(blocks).flat_map(ops) {
            self.uses(nested, uses);
        }
    }
}
