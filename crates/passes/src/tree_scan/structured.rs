//! `virtual=true`: a program with its loops and branches as they are.
//!
//! The same memory as in [`super::read`], for a program that is not written out. What is applied is one place
//! for each allocation, on all paths and in all turns.

use super::{
    fail,
    read::{is_asynchronous, is_view, plannable},
    settings::{Home, Mode, Settings},
    write::Stack,
};
use crate::bounded::{
    constants::nothing,
    loops::{self, is_counted},
};
use memplan_bounded::{
    Placement, Value,
    paths::{Paths, Walked},
    program::{Block as Items, Item, Var},
};
use memplan_lifetimes::{Analysis, Callees, read::BUFFER};
use memplan_mlir::{
    build::{self, BuildError, Builder, MANUAL_DEALLOCATION},
    calls,
    ir::{
        Block, Identity, Key, Op, Region, Val, arguments, blocks, erase, is_memref, operands, ops,
        regions, replace_all_uses, results, terminator, type_of,
    },
    layout::DataLayout,
    melior::ir::operation::OperationLike,
    names::{Known, Names},
    pass::Failed,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A function as a program, with the IR behind it.
pub struct Reading<'c> {
    /// What is known of its memory.
    pub analysis: Analysis<'c>,
    /// The program.
    pub program: Items,
    /// For each planned allocation, in the order of the analysis, its name.
    pub names: Vec<Var>,
    entry: Block<'c>,
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
    if let Some(op) = is_asynchronous(function, names) {
        return Err(fail(op, "it goes on when control has passed it"));
    }
    let mut here = FxHashSet::default();
    structure(body, names, &mut here)?;
    let analysis = plannable(function, names, callees, &here);
    let mut reader = Reader {
        facts: FxHashMap::default(),
        vars: FxHashMap::default(),
        layout: DataLayout::at(function),
        names,
        all_values: settings.all_values,
        dropped: analysis
            .handles
            .deallocs
            .iter()
            .zip(&analysis.dropped_deallocs)
            .filter(|(_, drop)| **drop)
            .map(|(op, _)| op.key())
            .collect(),
    };
    for plannable in &analysis.plannable {
        let op = analysis.handles.buffers[plannable.buffer.index()];
        let size = analysis.program.buffers[plannable.buffer.index()].size;
        let alignment = plannable.alignment.max(settings.alignment);
        if let Some(result) = results(op).next() {
            let value = Value::buffer(size, alignment);
            reader.facts.insert(result.key(), value);
        }
    }
    let mut items = Vec::new();
    reader.given(arguments(entry), &mut items);
    let program = reader.block(entry, items)?;
    let names = analysis
        .plannable
        .iter()
        .filter_map(|plannable| {
            let op = analysis.handles.buffers[plannable.buffer.index()];
            reader.vars.get(&results(op).next()?.key()).copied()
        })
        .collect();
    Ok(Some(Reading {
        analysis,
        program,
        names,
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
                "virtual=true is for branches and loops of scf and affine, not for blocks",
            )
        }));
    }
    for block in blocks(region) {
        here.insert(block.key());
        for op in ops(block) {
            let known = names.info(op).known;
            if known == Known::ScfWhile {
                return Err(fail(op, "the loop has no constant trip count"));
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

const fn is_path(known: Known) -> bool {
    is_counted(known)
        || matches!(
            known,
            Known::ScfIf | Known::AffineIf | Known::ScfIndexSwitch | Known::ScfExecuteRegion
        )
}

struct Reader<'n> {
    facts: FxHashMap<Key, Value>,
    vars: FxHashMap<Key, Var>,
    layout: DataLayout,
    names: &'n mut Names,
    all_values: bool,
    dropped: FxHashSet<Key>,
}

impl Reader<'_> {
    fn var(&mut self, value: Val<'_>) -> Var {
        let next = Var(self.vars.len() as u32);
        *self.vars.entry(value.key()).or_insert(next)
    }

    /// Whether a value has a name.
    fn is_named(&self, value: Val<'_>) -> bool {
        is_memref(type_of(value)) || self.all_values && self.layout.scalar(type_of(value)).is_some()
    }

    /// Names of those values that have one.
    fn vars<'c>(&mut self, values: impl Iterator<Item = Val<'c>>) -> Vec<Var> {
        let values: Vec<Val<'c>> = values.filter(|value| self.is_named(*value)).collect();
        values.into_iter().map(|value| self.var(value)).collect()
    }

    /// What is there from the start: memory of others, and scalars where they count.
    fn given<'c>(&mut self, values: impl Iterator<Item = Val<'c>>, items: &mut Vec<Item>) {
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

    fn region(&mut self, region: Region<'_>) -> Result<Items, Failed> {
        match blocks(region).next() {
            Some(block) => self.block(block, Vec::new()),
            None => Ok(Items::default()),
        }
    }

    fn block(&mut self, block: Block<'_>, mut items: Vec<Item>) -> Result<Items, Failed> {
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

    fn op(&mut self, op: Op<'_>, items: &mut Vec<Item>) -> Result<(), Failed> {
        if self.dropped.contains(&op.key()) {
            return Ok(());
        }
        let known = self.names.info(op).known;
        if is_counted(known) {
            let turns = loops::turns(op, self.names, &nothing)
                .map_err(|reason| fail(op, format!("virtual=true: {}", reason.text())))?;
            let parts = loops::parts(op).ok_or(Failed)?;
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

    fn step(&mut self, op: Op<'_>, items: &mut Vec<Item>) {
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

    fn uses(&mut self, op: Op<'_>, uses: &mut Vec<Var>) {
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

/// What the paths of a program come to.
pub struct Decision {
    /// The strictest alignment.
    pub unit: u64,
    /// The most bytes that are live at once.
    pub load: u64,
    /// Without sharing.
    pub plain: u64,
    /// A scan, as the options place values.
    pub scan: Option<Walked>,
    /// One place for each allocation.
    pub planner: Option<Walked>,
    /// With moves.
    pub defrag: Option<Walked>,
    /// The layout to apply.
    pub chosen: Option<Walked>,
    /// Why something was not found.
    pub problem: Option<String>,
}

/// Follows the paths.
pub fn decide(reading: &Reading<'_>, settings: &Settings) -> Result<Decision, String> {
    let paths = Paths::new(&reading.program);
    let load = paths.load().map_err(|error| error.to_string())?;
    let mut problem = None;
    let planner = paths
        .planner(settings.effort)
        .map_err(|error| error.to_string())?;
    let mut tell = |error: memplan_bounded::paths::PathsError| {
        problem.get_or_insert_with(|| error.to_string());
    };
    let scan = match settings.placement {
        Placement::Planner => planner.clone(),
        other => paths.scan(other).map_err(&mut tell).ok(),
    };
    let defrag = match &scan {
        Some(scan) if scan.peak == load => Some(scan.clone()),
        _ => paths
            .defrag(settings.placement, load)
            .map_err(&mut tell)
            .ok(),
    };
    // Only what is one place for each allocation can be applied, and is checked against all paths at once.
    let candidates = match settings.mode {
        Mode::Plain => Vec::new(),
        Mode::Scan => vec![scan.clone()],
        Mode::Defrag => vec![defrag.clone(), scan.clone(), planner.clone()],
    };
    let chosen = candidates
        .into_iter()
        .flatten()
        .filter(|walked| {
            let offsets = walked.offsets.as_ref();
            offsets.is_some_and(|offsets| paths.holds(offsets).unwrap_or(false))
        })
        .min_by_key(|walked| walked.peak);
    Ok(Decision {
        unit: paths.unit(),
        load,
        plain: paths.plain(),
        scan,
        planner,
        defrag,
        chosen,
        problem,
    })
}

/// Puts the allocations of a function on one stack.
pub fn write<'c>(
    function: Op<'c>,
    reading: &Reading<'c>,
    walked: &Walked,
    unit: u64,
    home: Home,
) -> Result<(), BuildError> {
    let Some(offsets) = &walked.offsets else {
        return Ok(());
    };
    let made = reading.analysis.plannable.iter().map(|plannable| {
        let op = reading.analysis.handles.buffers[plannable.buffer.index()];
        (op, results(op).next(), plannable.buffer)
    });
    let made: Vec<_> = made.collect();
    let Some((_, Some(first), _)) = made.first() else {
        return Ok(());
    };
    let like = type_of(*first);
    let mut stack = Stack::make(function, reading.entry, like, walked.peak, unit, home)?;
    for ((op, result, buffer), name) in made.into_iter().zip(&reading.names) {
        let (Some(result), Some(builder)) = (result, Builder::before(op, op.location())) else {
            return Err(BuildError::signature());
        };
        let shift = stack.index(offsets.get(name).copied().unwrap_or(0))?;
        let id = builder.integer_attribute(i64::from(buffer.0));
        let view = builder.view(stack.bytes, shift, type_of(result), &[(BUFFER, id)])?;
        replace_all_uses(result, view);
    }
    // Not before: numbers stand in front of the function's first operation, which may be one of these.
    for plannable in &reading.analysis.plannable {
        erase(reading.analysis.handles.buffers[plannable.buffer.index()]);
    }
    super::write::drop_promises(&reading.analysis);
    for (op, drop) in reading
        .analysis
        .handles
        .deallocs
        .iter()
        .zip(&reading.analysis.dropped_deallocs)
    {
        if *drop {
            erase(*op);
        }
    }
    if home == Home::Alloc {
        for exit in reading.analysis.handles.exits.first().into_iter().flatten() {
            if let Some(builder) = Builder::before(*exit, exit.location()) {
                build::mark(builder.dealloc(stack.bytes)?, MANUAL_DEALLOCATION);
            }
        }
    }
    Ok(())
}
