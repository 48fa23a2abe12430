//! Reads a function with its loops and branches into plain data.

use super::super::{
    codes, fail, planned_memory::PlannedMemory, settings::Settings, uses::each_use,
};
use crate::{
    bounded::sized::{is_of_any_size, make_sized},
    codes::INTERNAL,
};
use memplan_bounded::program::{Block as Items, Item, Var};
use memplan_lifetimes::{Callees, program::BufferId};
use memplan_mlir::{
    calls,
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, ops,
        regions, results, terminator, type_of,
    },
    pass::Failed,
};
use memplan_semantics::{Form, Loop, ResultFact, Semantics, constants::no_known_values};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function as a program, with the operations and values that the program is about.
pub struct Reading<'c> {
    /// Its planned memory.
    pub memory: PlannedMemory<'c>,
    /// The program.
    pub program: Items,
    /// The variable of each planned allocation, in the order of the analysis.
    pub allocation_vars: Vec<Var>,
    /// The value of the IR for each variable.
    pub values: Vec<Val<'c>>,
    /// Operations that define values with an offset, with the variables of these.
    pub definitions: Vec<(Op<'c>, Vec<Var>)>,
    /// The entry block.
    pub entry: Block<'c>,
}

/// Reads a function.
pub fn read<'c>(
    function: Op<'c>,
    semantics: &mut Semantics,
    callees: &dyn Callees,
    settings: &Settings,
) -> Result<Option<Reading<'c>>, Failed> {
    let Some(body) = calls::function_body(function) else {
        return Ok(None);
    };
    let Some(entry) = blocks(body).next() else {
        return Ok(None);
    };
    let mut path_blocks = FxHashSet::default();
    let mut operand_sized = Vec::new();
    structure(body, semantics, &mut path_blocks, &mut operand_sized)?;
    for op in operand_sized {
        make_sized(op, semantics).map_err(|error| fail(op, INTERNAL, error))?;
    }
    let mut reader = StructuredReader {
        memory: PlannedMemory::of(
            function,
            semantics,
            callees,
            settings,
            &path_blocks,
            Some(entry),
        ),
        vars: FxHashMap::default(),
        values: Vec::new(),
        definitions: Vec::new(),
        semantics,
    };
    let mut items = Vec::new();
    reader.initial_values(arguments(entry), &mut items);
    let mut program = reader.block(entry, items)?;
    let needed = reader.memory.live_to_end.iter();
    let uses: Vec<Var> = needed
        .filter_map(|buffer| reader.var_of_buffer(*buffer))
        .collect();
    reader.uses(uses, &mut program.items);
    let planned = reader.memory.analysis.plannable.iter();
    let names = planned.filter_map(|plannable| reader.var_of_buffer(plannable.buffer));
    Ok(Some(Reading {
        allocation_vars: names.collect(),
        program,
        values: reader.values,
        definitions: reader.definitions,
        memory: reader.memory,
        entry,
    }))
}

/// Collects the blocks on paths, and their heap allocations whose sizes are operands. Returns an error for
/// control flow that paths cannot follow.
fn structure<'c>(
    region: Region<'c>,
    semantics: &mut Semantics,
    path_blocks: &mut FxHashSet<Key>,
    operand_sized: &mut Vec<Op<'c>>,
) -> Result<(), Failed> {
    if let Some(second) = blocks(region).nth(1) {
        let at = ops(second)
            .next()
            .or_else(|| memplan_mlir::ir::block_parent(second));
        return Err(at.map_or(Failed, |at| {
            fail(
                at,
                codes::BLOCKS,
                "virtual=true supports branches and loops of scf and affine, not branches \
                between blocks",
            )
        }));
    }
    for block in blocks(region) {
        path_blocks.insert(block.key());
        for op in ops(block) {
            let form = semantics.form(op);
            if form == Form::Repeated {
                let message = "the loop has no constant trip count";
                return Err(fail(op, codes::TRIP_COUNT, message));
            }
            if form.is_path() {
                for inner in regions(op) {
                    structure(inner, semantics, path_blocks, operand_sized)?;
                }
            }
            // Heap allocations alone: stack memory is not planned.
            if is_of_any_size(op, semantics) && semantics.of(op).plain_allocation() == Some(false) {
                operand_sized.push(op);
            }
        }
    }
    Ok(())
}

struct StructuredReader<'c, 'n> {
    memory: PlannedMemory<'c>,
    vars: FxHashMap<Key, Var>,
    values: Vec<Val<'c>>,
    definitions: Vec<(Op<'c>, Vec<Var>)>,
    semantics: &'n mut Semantics,
}

impl<'c> StructuredReader<'c, '_> {
    fn var(&mut self, value: Val<'c>) -> Var {
        let next = Var(self.vars.len() as u32);
        let name = *self.vars.entry(value.key()).or_insert(next);
        if name == next {
            self.values.push(value);
        }
        name
    }

    /// The variable of an allocation, if it has one.
    fn var_of_buffer(&self, buffer: BufferId) -> Option<Var> {
        let value = self.memory.result(buffer)?;
        self.vars.get(&value.key()).copied()
    }

    /// Whether a value has a variable.
    fn is_named(&self, value: Val<'_>) -> bool {
        is_memref(type_of(value)) || self.memory.scalar(value).is_some()
    }

    /// The variables of the values that have one.
    fn vars(&mut self, values: impl Iterator<Item = Val<'c>>) -> Vec<Var> {
        let values: Vec<Val<'c>> = values.filter(|value| self.is_named(*value)).collect();
        values.into_iter().map(|value| self.var(value)).collect()
    }

    /// Defines the values that exist at the start: memory that is not planned, and scalars with `values=all`.
    fn initial_values(&mut self, values: impl Iterator<Item = Val<'c>>, items: &mut Vec<Item>) {
        let mut defines = Vec::new();
        for value in values {
            let name = self.var(value);
            match self.memory.scalar(value) {
                Some(value) => defines.push((name, value)),
                None => items.push(Item::Alias {
                    name,
                    of: Vec::new(),
                }),
            }
        }
        if !defines.is_empty() {
            items.push(Item::Step {
                uses: Vec::new(),
                defines,
            });
        }
    }

    /// Adds a step that defines nothing.
    fn uses(&self, uses: Vec<Var>, items: &mut Vec<Item>) {
        if !uses.is_empty() {
            let defines = Vec::new();
            items.push(Item::Step { uses, defines });
        }
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
            if is_end && self.semantics.is_yield(op) {
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
        if self.memory.is_erased(op) {
            let ended = self.memory.address_taken.end(op);
            let ended = ended.and_then(|buffer| self.var_of_buffer(buffer));
            self.uses(Vec::from_iter(ended), items);
            return Ok(());
        }
        let pending = self.memory.pending.at(op);
        let pending: Vec<Var> = pending
            .filter_map(|buffer| self.var_of_buffer(buffer))
            .collect();
        match self.semantics.form(op) {
            Form::Counted => self.counted(op, items)?,
            Form::Choice if regions(op).next().is_some() => {
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
            Form::Once => {
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
        self.uses(pending, items);
        Ok(())
    }

    fn counted(&mut self, op: Op<'c>, items: &mut Vec<Item>) -> Result<(), Failed> {
        let malformed = || fail(op, INTERNAL, "a loop without parts");
        let found = Loop::of(op, self.semantics).ok_or_else(malformed)?;
        let trip_count = found
            .counted(self.semantics, &no_known_values)
            .map_err(|reason| {
                let message = format!("virtual=true: {}", reason.text());
                fail(op, codes::TRIP_COUNT, message)
            })?;
        let only = found.only_dimension().map(|only| only.induction);
        let (induction, body) = only.zip(found.body()).ok_or_else(malformed)?;
        let inits = self.vars(found.carried.iter().map(|one| one.start));
        let carried = self.vars(found.carried.iter().map(|one| one.argument));
        let induction = self
            .memory
            .scalar(induction)
            .map(|value| (self.var(induction), value));
        let body = self.block(body, Vec::new())?;
        let results = self.vars(results(op));
        items.push(Item::Loop {
            trip_count: trip_count.count,
            induction,
            inits,
            carried,
            body,
            results,
        });
        Ok(())
    }

    fn step(&mut self, op: Op<'c>, items: &mut Vec<Item>) {
        let mut used: Vec<Val<'c>> = Vec::new();
        each_use(op, self.semantics, &mut |value| used.push(value));
        let mut uses = Vec::new();
        for value in used {
            // A value that is defined in the operation has no variable.
            if self.is_named(value)
                && let Some(name) = self.vars.get(&value.key())
                && !uses.contains(name)
            {
                uses.push(*name);
            }
        }
        let mut defines = Vec::new();
        let mut others = Vec::new();
        for (number, result) in results(op).enumerate() {
            let name = self.var(result);
            if let Some((value, _)) = self.memory.placed(result) {
                defines.push((name, value));
            } else if is_memref(type_of(result)) {
                others.push((number, name));
            }
        }
        if !defines.is_empty() {
            let names = defines.iter().map(|(name, _)| *name).collect();
            self.definitions.push((op, names));
        }
        if !uses.is_empty() || !defines.is_empty() {
            items.push(Item::Step { uses, defines });
        }
        for (number, name) in others {
            let of = self.sources(op, number);
            items.push(Item::Alias { name, of });
        }
    }

    /// The variables whose memory a result of an operation may be, other than an allocation.
    fn sources(&mut self, op: Op<'c>, number: usize) -> Vec<Var> {
        let memory = self.semantics.of(op);
        let all: Vec<Val<'c>> = operands(op).collect();
        let sources: Vec<Val<'c>> = match memory.result(number) {
            Some(ResultFact::View { of, .. }) => vec![all[*of as usize]],
            Some(ResultFact::AnyOf(of)) => of.iter().map(|of| all[*of as usize]).collect(),
            _ => all,
        };
        let sources = sources.into_iter();
        self.vars(sources.filter(|value| is_memref(type_of(*value))))
    }
}
