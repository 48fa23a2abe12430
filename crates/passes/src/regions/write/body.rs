//! One version of a function: its regions, what is made in them, and when that goes.

use super::{
    DESTINATION, Work, WriteError,
    runtime::{Function as Entry, Runtime},
};
use crate::regions::{
    borrowed,
    facts::{ROOT, ScopeId, ScopeKind},
    interval_coloring::ScopeRegion,
    region_placement::{RegionRef, ScopeRelease},
    settings::Settings,
};
use memplan_mlir::{
    build::{self, BuildError, Builder},
    calls::{callee_symbol, flat_name},
    ir::{
        Block, Identity, Op, Val, arguments, block_parent, blocks, context_of, erase, operands,
        parent, parent_block, regions, replace_all_uses, results, terminator, type_of,
    },
    layout::DataLayout,
    melior::ir::operation::OperationLike,
    symbols,
    symbols::FreshNames,
    values,
};
use memplan_semantics::names::Names;
use memplan_summaries::targets::nearest_table;
use rustc_hash::FxHashMap;

/// Writes one version. Callees have these names.
pub fn write<'c>(
    work: &Work<'c, '_>,
    symbols: &[[String; 2]],
    settings: &Settings,
    runtime: &mut Runtime<'c>,
    fresh: &mut FreshNames,
    names: &mut Names,
) -> Result<(), WriteError<'c>> {
    let op = work.reading.op;
    let table = nearest_table(op, names).ok_or_else(BuildError::signature)?;
    let mut writer = Writer {
        work,
        table,
        runtime,
        fresh,
        alignment: settings.alignment,
        layout: DataLayout::at(op),
        destination: None,
        slot: None,
        regions: vec![None; work.reading.scopes.len()],
        swaps: FxHashMap::default(),
        lanes: FxHashMap::default(),
    };
    writer.signature()?;
    writer.frames()?;
    writer.turns()?;
    writer.swaps()?;
    writer.last_uses()?;
    writer.allocations()?;
    writer.calls(symbols)?;
    Ok(())
}

/// What a call calls.
pub fn called(call: Op<'_>) -> Option<String> {
    flat_name(callee_symbol(call)?)
}

struct Writer<'c, 'w, 'p> {
    work: &'w Work<'c, 'p>,
    /// The symbol table around.
    table: Op<'c>,
    runtime: &'w mut Runtime<'c>,
    /// Names that nobody has.
    fresh: &'w mut FreshNames,
    alignment: u64,
    layout: DataLayout,
    destination: Option<Val<'c>>,
    /// Where the runtime writes the memory that it gives.
    slot: Option<Val<'c>>,
    /// For each scope, its region.
    regions: Vec<Option<Val<'c>>>,
    /// For each loop that swaps regions, these.
    swaps: FxHashMap<ScopeId, Swap<'c>>,
    /// Regions that are emptied behind last uses.
    lanes: FxHashMap<ScopeRegion, Val<'c>>,
}

/// The regions of a frame.
struct Needs {
    /// Scopes that have one.
    own: Vec<ScopeId>,
    /// Those that are emptied behind last uses.
    lanes: Vec<ScopeRegion>,
    /// Loops that have two, and whether the caller gets some of that.
    swaps: Vec<(ScopeId, bool)>,
}

impl Needs {
    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.lanes.is_empty() && self.swaps.is_empty()
    }
}

/// Two regions that a loop swaps.
struct Swap<'c> {
    /// Both, as they were made.
    regions: [Val<'c>; 2],
    /// Where they are remembered: first the one with what was handed on last.
    pair: Val<'c>,
    /// Within a turn, the one that is filled.
    next: Option<Val<'c>>,
    /// The caller gets some of it.
    is_returned: bool,
}

impl<'c> Writer<'c, '_, '_> {
    fn block(&self, scope: ScopeId) -> Block<'c> {
        self.work.reading.scopes[scope.index()]
    }

    /// In front of the end of a block.
    fn at_end(&self, block: Block<'c>) -> Result<Builder<'c>, BuildError> {
        let end = terminator(block).ok_or_else(BuildError::signature)?;
        Builder::before(end, end.location()).ok_or_else(BuildError::signature)
    }

    fn at_start(&self, block: Block<'c>) -> Result<Builder<'c>, BuildError> {
        let owner = block_parent(block).ok_or_else(BuildError::signature)?;
        Ok(Builder::at_start(block, owner, owner.location()))
    }

    fn region(&self, place: RegionRef) -> Result<Val<'c>, BuildError> {
        let found = match self.work.plan.region(place) {
            RegionRef::Destination => self.destination,
            RegionRef::Scope(scope) => self.regions[scope.index()],
            RegionRef::Lane(lane) => self.lanes.get(&lane).copied(),
            RegionRef::Next(scope) => self.swaps.get(&scope).and_then(|swap| swap.next),
        };
        found.ok_or_else(BuildError::signature)
    }

    /// The region that results are made in, and what is said of results.
    fn signature(&mut self) -> Result<(), BuildError> {
        let (op, plan) = (self.work.reading.op, self.work.plan);
        if plan.takes {
            let context = context_of(op);
            let attributes = [(DESTINATION, context.unit())];
            let word = context.integer_type(64);
            if !symbols::append_argument(op, word, &attributes, op.location()) {
                return Err(BuildError::signature());
            }
            self.destination = arguments(self.block(ROOT)).last();
        }
        if !borrowed::mark_borrowed(op, &plan.lent) {
            return Err(BuildError::signature());
        }
        Ok(())
    }

    /// Regions that are made once where a frame starts, and released wherever it ends.
    fn frames(&mut self) -> Result<(), BuildError> {
        let firsts = self.first_uses();
        for (at, first) in firsts.into_iter().enumerate() {
            let frame = ScopeId(at as u32);
            let kind = self.work.reading.function.scopes[at].kind;
            if !matches!(kind, ScopeKind::Function | ScopeKind::Parallel) {
                continue;
            }
            let needs = self.needs(frame);
            if needs.is_empty() {
                continue;
            }
            let block = self.block(frame);
            let builder = first.and_then(|first| Builder::before(first, first.location()));
            let builder = match builder {
                Some(builder) => builder,
                None => self.at_start(block)?,
            };
            self.make(&needs, &builder)?;
            let ends: Vec<Op<'c>> = if frame == ROOT {
                self.work.reading.returns.clone()
            } else {
                terminator(block).into_iter().collect()
            };
            for end in ends {
                let builder =
                    Builder::before(end, end.location()).ok_or_else(BuildError::signature)?;
                self.release(&needs, &builder)?;
            }
        }
        Ok(())
    }

    /// The regions of a frame.
    fn needs(&self, frame: ScopeId) -> Needs {
        let (function, plan) = (&self.work.reading.function, self.work.plan);
        let scopes = (0..function.scopes.len() as u32).map(ScopeId);
        let is_here = |scope: &ScopeId| function.scope(*scope).frame == frame;
        let own =
            |scope: &ScopeId| is_here(scope) && plan.homes[scope.index()] == ScopeRelease::Own;
        let lanes = plan.lanes.counts.iter().filter(|(scope, _)| is_here(scope));
        let lanes = lanes.flat_map(|(scope, count)| {
            (0..*count).map(|number| ScopeRegion {
                scope: *scope,
                number,
            })
        });
        let swaps = plan.swaps.iter().filter(|(scope, _)| is_here(scope));
        Needs {
            own: scopes.filter(own).collect(),
            lanes: lanes.collect(),
            swaps: swaps.copied().collect(),
        }
    }

    fn make(&mut self, needs: &Needs, builder: &Builder<'c>) -> Result<(), BuildError> {
        for scope in &needs.own {
            let made = self.runtime.ask(self.table, Entry::Make, builder, &[])?;
            self.regions[scope.index()] = Some(made);
        }
        for lane in &needs.lanes {
            let made = self.runtime.ask(self.table, Entry::Make, builder, &[])?;
            self.lanes.insert(*lane, made);
        }
        for (scope, is_returned) in &needs.swaps {
            let swap = self.swap(builder, *is_returned)?;
            self.swaps.insert(*scope, swap);
        }
        Ok(())
    }

    fn release(&mut self, needs: &Needs, builder: &Builder<'c>) -> Result<(), BuildError> {
        let own = needs.own.iter().map(|scope| self.regions[scope.index()]);
        let lanes = needs.lanes.iter().map(|lane| self.lanes.get(lane).copied());
        let made: Vec<Option<Val<'c>>> = own.chain(lanes).collect();
        for region in made.into_iter().rev() {
            let region = region.ok_or_else(BuildError::signature)?;
            self.runtime
                .call(self.table, Entry::Release, builder, &[region])?;
        }
        for (scope, _) in needs.swaps.iter().rev() {
            self.release_both(builder, *scope)?;
        }
        Ok(())
    }

    /// For each frame that is one block, the first operation in it that needs a region of it, or holds one that does.
    fn first_uses(&self) -> Vec<Option<Op<'c>>> {
        let (reading, plan) = (&self.work.reading, self.work.plan);
        let mut firsts: Vec<Option<Op<'c>>> = vec![None; reading.scopes.len()];
        let made = plan.allocations.iter().zip(&reading.allocations);
        let made = made.filter_map(|(place, op)| Some((*place.as_ref().ok()?, *op)));
        let called = plan.calls.iter().zip(&reading.calls);
        let called = called.filter_map(|(plan, op)| Some((plan.place?, *op)));
        // Loops hand on their two regions, whoever fills them.
        let swaps = plan.swaps.iter();
        let swaps = swaps.filter_map(|(scope, _)| {
            Some((RegionRef::Next(*scope), block_parent(self.block(*scope))?))
        });
        for (place, op) in made.chain(called).chain(swaps) {
            let scope = match place {
                RegionRef::Destination => continue,
                RegionRef::Scope(scope) | RegionRef::Next(scope) => scope,
                RegionRef::Lane(lane) => lane.scope,
            };
            let frame = reading.function.scope(scope).frame;
            let block = self.block(frame);
            if block_parent(block).is_none_or(|owner| !is_one_block(owner, block)) {
                continue;
            }
            let first = &mut firsts[frame.index()];
            if let Some(op) = inside(op, block)
                && first.is_none_or(|before| values::is_before(op, before))
            {
                *first = Some(op);
            }
        }
        firsts
    }

    /// Two regions, and where they are remembered.
    fn swap(&mut self, builder: &Builder<'c>, is_returned: bool) -> Result<Swap<'c>, BuildError> {
        let word = builder.i64_type();
        let pair = self
            .at_start(self.block(ROOT))?
            .alloca_of(builder.cell_type(word, Some(2)))?;
        let mut made = || self.runtime.ask(self.table, Entry::Make, builder, &[]);
        let regions = [made()?, made()?];
        for (at, region) in (0..).zip(regions) {
            builder.store(region, pair, &[builder.index(at)?])?;
        }
        Ok(Swap {
            regions,
            pair,
            next: None,
            is_returned,
        })
    }

    fn release_both(&mut self, builder: &Builder<'c>, scope: ScopeId) -> Result<(), BuildError> {
        let swap = self.swaps.get(&scope).ok_or_else(BuildError::signature)?;
        if swap.is_returned {
            let first = builder.index(0)?;
            let last = builder.load(swap.pair, &[first], builder.i64_type())?;
            let destination = self.destination.ok_or_else(BuildError::signature)?;
            self.runtime
                .call(self.table, Entry::Refer, builder, &[destination, last])?;
        }
        for region in swap.regions {
            self.runtime
                .call(self.table, Entry::Release, builder, &[region])?;
        }
        Ok(())
    }

    /// A turn of a loop fills one of two regions, gives back what is in the other one, and swaps them.
    fn swaps(&mut self) -> Result<(), BuildError> {
        for (scope, _) in &self.work.plan.swaps {
            let block = self.block(*scope);
            let start = self.at_start(block)?;
            let end = self.at_end(block)?;
            let around = self.work.reading.function.scope(*scope).parent;
            let around = around.filter(|around| *around != ROOT);
            let behind = around
                .map(|around| self.at_end(self.block(around)))
                .transpose()?;
            let spent = self.work.plan.spent.get(scope);
            let spent = spent.map(|at| self.work.reading.lines[scope.index()][*at]);
            let swap = self
                .swaps
                .get_mut(scope)
                .ok_or_else(BuildError::signature)?;
            let places = [start.index(0)?, start.index(1)?];
            let last = start.load(swap.pair, &[places[0]], start.i64_type())?;
            let next = start.load(swap.pair, &[places[1]], start.i64_type())?;
            swap.next = Some(next);
            match spent.and_then(|op| Builder::after(op, op.location())) {
                Some(behind) => self
                    .runtime
                    .call(self.table, Entry::Empty, &behind, &[last])?,
                None => self.runtime.call(self.table, Entry::Clear, &end, &[last])?,
            }
            end.store(next, swap.pair, &[places[0]])?;
            end.store(last, swap.pair, &[places[1]])?;
            if let Some(behind) = behind {
                for region in swap.regions {
                    self.runtime
                        .call(self.table, Entry::Clear, &behind, &[region])?;
                }
            }
        }
        Ok(())
    }

    /// What is given back behind its last use.
    fn last_uses(&mut self) -> Result<(), BuildError> {
        for (lane, at) in &self.work.plan.lanes.ends {
            let op = self.work.reading.lines[lane.scope.index()][*at];
            let builder = Builder::after(op, op.location()).ok_or_else(BuildError::signature)?;
            let region = self.lanes[lane];
            // What comes next in it is of another size, and may come late.
            self.runtime
                .call(self.table, Entry::Empty, &builder, &[region])?;
        }
        Ok(())
    }

    /// What a turn of a loop gives back.
    fn turns(&mut self) -> Result<(), BuildError> {
        for at in 0..self.work.plan.homes.len() {
            let scope = ScopeId(at as u32);
            if self.work.reading.function.scope(scope).kind != ScopeKind::Turn {
                continue;
            }
            let block = self.block(scope);
            match self.work.plan.homes[at] {
                ScopeRelease::Own => {
                    let region = self.region(RegionRef::Scope(scope))?;
                    let builder = self.at_end(block)?;
                    self.runtime
                        .call(self.table, Entry::Clear, &builder, &[region])?;
                }
                ScopeRelease::Marked(host) => {
                    let region = self.region(host)?;
                    let builder = self.at_start(block)?;
                    let mark = self
                        .runtime
                        .ask(self.table, Entry::Mark, &builder, &[region])?;
                    let builder = self.at_end(block)?;
                    self.runtime
                        .call(self.table, Entry::ReleaseTo, &builder, &[region, mark])?;
                }
                ScopeRelease::None | ScopeRelease::Destination => {}
            }
        }
        Ok(())
    }

    /// Views of what the runtime gives, in place of allocations.
    fn allocations(&mut self) -> Result<(), BuildError> {
        let work = self.work;
        for (at, place) in work.plan.allocations.iter().enumerate() {
            let Ok(place) = place else { continue };
            let op = work.reading.allocations[at];
            let region = self.region(*place)?;
            let result = results(op).next().ok_or_else(BuildError::signature)?;
            let memref = type_of(result);
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::signature)?;
            let dimensions: Vec<Val<'c>> = operands(op).collect();
            let refused = |_| BuildError::signature();
            let (bytes, natural) = if dimensions.is_empty() {
                let extent = self.layout.extent(memref).map_err(refused)?;
                (extent.size, extent.alignment)
            } else {
                let extent = self.layout.dynamic_extent(memref).map_err(refused)?;
                (extent.bytes, extent.alignment)
            };
            let asked = build::integer(op, "alignment").unwrap_or(1).unsigned_abs();
            let alignment = natural.max(asked).max(self.alignment);
            let is_small = work.reading.function.allocations[at].bytes.is_some();
            let mut size = builder.index(bytes as i64)?;
            for dimension in &dimensions {
                size = if is_small {
                    builder.multiply(size, *dimension)?
                } else {
                    // The runtime refuses what has no sense as a size, and this has none.
                    builder.saturating_product(size, *dimension)?
                };
            }
            let alignment = builder.index(alignment as i64)?;
            let scope = work.reading.function.allocations[at].scope;
            let memory = self.memory(&builder, scope, [region, size, alignment])?;
            let shift = builder.index(0)?;
            let view = builder.dynamic_view(memory, shift, &dimensions, memref, &[])?;
            replace_all_uses(result, view);
            erase(op);
        }
        Ok(())
    }

    /// What the runtime gives, through a slot of the function's.
    fn memory(
        &mut self,
        builder: &Builder<'c>,
        scope: ScopeId,
        request: [Val<'c>; 3],
    ) -> Result<Val<'c>, BuildError> {
        let bytes = builder.any_bytes_type();
        let cell = builder.cell_type(bytes, None);
        let table = self.table;
        if self.work.reading.function.scope(scope).frame == ROOT {
            let slot = match self.slot {
                Some(slot) => slot,
                None => *self
                    .slot
                    .insert(self.at_start(self.block(ROOT))?.alloca_of(cell)?),
            };
            let runtime = &mut *self.runtime;
            runtime.call(table, Entry::Allocate, builder, &with(request, slot))?;
            return builder.load(slot, &[], bytes);
        }
        let function = self.work.reading.op;
        self.runtime
            .memory(table, builder, &request, self.fresh, function)
    }

    /// Calls of the versions that were chosen, with regions for what they make.
    fn calls(&mut self, symbols: &[[String; 2]]) -> Result<(), BuildError> {
        let work = self.work;
        for (at, plan) in work.plan.calls.iter().enumerate() {
            let op = work.reading.calls[at];
            let callee = work.reading.function.calls[at].callee;
            let name = &symbols[callee][plan.version as usize];
            if called(op).as_ref() != Some(name) {
                symbols::set_callee(op, name);
            }
            if let Some(place) = plan.place {
                symbols::append_operands(op, &[self.region(place)?]);
            }
            if !plan.lent.is_empty() {
                borrowed::borrow(op, &plan.lent);
            }
        }
        Ok(())
    }
}

fn with<'c>([region, size, alignment]: [Val<'c>; 3], slot: Val<'c>) -> [Val<'c>; 4] {
    [region, size, alignment, slot]
}

/// Is a block all of its region?
fn is_one_block(owner: Op<'_>, block: Block<'_>) -> bool {
    regions(owner).any(|region| {
        let mut all = blocks(region);
        all.next().is_some_and(|first| first.key() == block.key()) && all.next().is_none()
    })
}

/// The operation of a block that is, or holds, another one.
fn inside<'c>(mut op: Op<'c>, block: Block<'c>) -> Option<Op<'c>> {
    while parent_block(op)?.key() != block.key() {
        op = parent(op)?;
    }
    Some(op)
}
