//! Rewrites one version of a function: its regions, the allocations in them, and their releases.

use super::{
    DESTINATION, PlannedVersion, WriteError,
    runtime::{Runtime, RuntimeFunction},
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
        Block, Identity, Op, Val, ancestor_in, arguments, block_parent, blocks, context_of, erase,
        operands, regions, replace_all_uses, results, terminator, type_of,
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

/// Rewrites one version. `symbols` are the names of all versions.
pub fn write<'c>(
    planned: &PlannedVersion<'c, '_>,
    symbols: &[[String; 2]],
    settings: &Settings,
    runtime: &mut Runtime<'c>,
    fresh: &mut FreshNames,
    names: &mut Names,
) -> Result<(), WriteError<'c>> {
    let op = planned.reading.op;
    let table = nearest_table(op, names).ok_or_else(BuildError::unexpected)?;
    let mut writer = Writer {
        planned,
        table,
        runtime,
        fresh,
        alignment: settings.alignment,
        layout: DataLayout::at(op),
        destination: None,
        slot: None,
        regions: vec![None; planned.reading.scopes.len()],
        swaps: FxHashMap::default(),
        last_use_regions: FxHashMap::default(),
    };
    writer.signature()?;
    writer.frames()?;
    writer.iteration_ends()?;
    writer.swap_regions()?;
    writer.last_uses()?;
    writer.allocations()?;
    writer.calls(symbols)?;
    Ok(())
}

/// The name of the callee of a call.
pub fn callee_name(call: Op<'_>) -> Option<String> {
    flat_name(callee_symbol(call)?)
}

struct Writer<'c, 'w, 'p> {
    planned: &'w PlannedVersion<'c, 'p>,
    /// The symbol table of the function.
    table: Op<'c>,
    runtime: &'w mut Runtime<'c>,
    /// Names that are not taken.
    fresh: &'w mut FreshNames,
    alignment: u64,
    layout: DataLayout,
    destination: Option<Val<'c>>,
    /// The slot to which the runtime writes the descriptor of new memory.
    slot: Option<Val<'c>>,
    /// For each scope, its region.
    regions: Vec<Option<Val<'c>>>,
    /// For each loop that swaps two regions, these.
    swaps: FxHashMap<ScopeId, Swap<'c>>,
    /// Regions that are emptied after last uses.
    last_use_regions: FxHashMap<ScopeRegion, Val<'c>>,
}

/// The regions of a frame.
struct FrameRegions {
    /// Scopes that have a region.
    own: Vec<ScopeId>,
    /// Regions that are emptied after last uses.
    last_use_regions: Vec<ScopeRegion>,
    /// Loops that swap two regions, and whether some of that memory is returned.
    swaps: Vec<(ScopeId, bool)>,
}

impl FrameRegions {
    fn is_empty(&self) -> bool {
        self.own.is_empty() && self.last_use_regions.is_empty() && self.swaps.is_empty()
    }
}

/// Two regions that a loop swaps.
struct Swap<'c> {
    /// Both regions, in the order of creation.
    regions: [Val<'c>; 2],
    /// A stack slot with both: first the region that was filled last.
    pair: Val<'c>,
    /// In an iteration, the region for the next one.
    next: Option<Val<'c>>,
    /// Some of the memory is returned.
    is_returned: bool,
}

impl<'c> Writer<'c, '_, '_> {
    fn block(&self, scope: ScopeId) -> Block<'c> {
        self.planned.reading.scopes[scope.index()]
    }

    /// A builder before the terminator of a block.
    fn at_end(&self, block: Block<'c>) -> Result<Builder<'c>, BuildError> {
        let end = terminator(block).ok_or_else(BuildError::unexpected)?;
        Builder::before(end, end.location()).ok_or_else(BuildError::unexpected)
    }

    fn at_start(&self, block: Block<'c>) -> Result<Builder<'c>, BuildError> {
        let owner = block_parent(block).ok_or_else(BuildError::unexpected)?;
        Ok(Builder::at_start(block, owner, owner.location()))
    }

    fn region(&self, place: RegionRef) -> Result<Val<'c>, BuildError> {
        let found = match self.planned.plan.resolve(place) {
            RegionRef::Destination => self.destination,
            RegionRef::Scope(scope) => self.regions[scope.index()],
            RegionRef::LastUse(scope_region) => self.last_use_regions.get(&scope_region).copied(),
            RegionRef::NextIteration(scope) => self.swaps.get(&scope).and_then(|swap| swap.next),
        };
        found.ok_or_else(BuildError::unexpected)
    }

    /// Adds the region argument, and marks the borrowed results.
    fn signature(&mut self) -> Result<(), BuildError> {
        let (op, plan) = (self.planned.reading.op, self.planned.plan);
        if plan.receives_region {
            let context = context_of(op);
            let attributes = [(DESTINATION, context.unit())];
            let word = context.integer_type(64);
            if !symbols::append_argument(op, word, &attributes, op.location()) {
                return Err(BuildError::unexpected());
            }
            self.destination = arguments(self.block(ROOT)).last();
        }
        if !borrowed::mark_borrowed_results(op, &plan.borrowed_results) {
            return Err(BuildError::unexpected());
        }
        Ok(())
    }

    /// Creates the regions of each frame where the frame starts, and releases them wherever it ends.
    fn frames(&mut self) -> Result<(), BuildError> {
        let firsts = self.first_uses();
        for (at, first) in firsts.into_iter().enumerate() {
            let frame = ScopeId(at as u32);
            let kind = self.planned.reading.function.scopes[at].kind;
            if !matches!(kind, ScopeKind::Function | ScopeKind::Parallel) {
                continue;
            }
            let regions = self.frame_regions(frame);
            if regions.is_empty() {
                continue;
            }
            let block = self.block(frame);
            let builder = first.and_then(|first| Builder::before(first, first.location()));
            let builder = match builder {
                Some(builder) => builder,
                None => self.at_start(block)?,
            };
            self.create(&regions, &builder)?;
            let ends: Vec<Op<'c>> = if frame == ROOT {
                self.planned.reading.returns.clone()
            } else {
                terminator(block).into_iter().collect()
            };
            for end in ends {
                let builder =
                    Builder::before(end, end.location()).ok_or_else(BuildError::unexpected)?;
                self.release(&regions, &builder)?;
            }
        }
        Ok(())
    }

    /// The regions of a frame.
    fn frame_regions(&self, frame: ScopeId) -> FrameRegions {
        let (function, plan) = (&self.planned.reading.function, self.planned.plan);
        let scopes = (0..function.scopes.len() as u32).map(ScopeId);
        let is_here = |scope: &ScopeId| function.scope(*scope).frame == frame;
        let own = |scope: &ScopeId| {
            is_here(scope) && plan.scope_releases[scope.index()] == ScopeRelease::Own
        };
        let last_use_regions = plan
            .last_use_regions
            .counts
            .iter()
            .filter(|(scope, _)| is_here(scope));
        let last_use_regions = last_use_regions.flat_map(|(scope, count)| {
            (0..*count).map(|number| ScopeRegion {
                scope: *scope,
                number,
            })
        });
        let swaps = plan.swaps.iter().filter(|(scope, _)| is_here(scope));
        FrameRegions {
            own: scopes.filter(own).collect(),
            last_use_regions: last_use_regions.collect(),
            swaps: swaps.copied().collect(),
        }
    }

    fn create(&mut self, regions: &FrameRegions, builder: &Builder<'c>) -> Result<(), BuildError> {
        for scope in &regions.own {
            let created =
                self.runtime
                    .call_for_value(self.table, RuntimeFunction::Make, builder, &[])?;
            self.regions[scope.index()] = Some(created);
        }
        for scope_region in &regions.last_use_regions {
            let created =
                self.runtime
                    .call_for_value(self.table, RuntimeFunction::Make, builder, &[])?;
            self.last_use_regions.insert(*scope_region, created);
        }
        for (scope, is_returned) in &regions.swaps {
            let swap = self.create_swap(builder, *is_returned)?;
            self.swaps.insert(*scope, swap);
        }
        Ok(())
    }

    fn release(&mut self, regions: &FrameRegions, builder: &Builder<'c>) -> Result<(), BuildError> {
        let own = regions.own.iter().map(|scope| self.regions[scope.index()]);
        let last_use_regions = regions
            .last_use_regions
            .iter()
            .map(|scope_region| self.last_use_regions.get(scope_region).copied());
        let created: Vec<Option<Val<'c>>> = own.chain(last_use_regions).collect();
        for region in created.into_iter().rev() {
            let region = region.ok_or_else(BuildError::unexpected)?;
            self.runtime
                .call(self.table, RuntimeFunction::Release, builder, &[region])?;
        }
        for (scope, _) in regions.swaps.iter().rev() {
            self.release_both(builder, *scope)?;
        }
        Ok(())
    }

    /// For each frame of one block, its first operation that needs a region of the frame, or contains one
    /// that does.
    fn first_uses(&self) -> Vec<Option<Op<'c>>> {
        let (reading, plan) = (&self.planned.reading, self.planned.plan);
        let mut firsts: Vec<Option<Op<'c>>> = vec![None; reading.scopes.len()];
        let allocated = plan.allocations.iter().zip(&reading.allocations);
        let allocated = allocated.filter_map(|(place, op)| Some((*place.as_ref().ok()?, *op)));
        let called = plan.calls.iter().zip(&reading.calls);
        let called = called.filter_map(|(plan, op)| Some((plan.region?, *op)));
        // A loop swaps its two regions, whichever operations allocate in them.
        let swaps = plan.swaps.iter();
        let swaps = swaps.filter_map(|(scope, _)| {
            Some((
                RegionRef::NextIteration(*scope),
                block_parent(self.block(*scope))?,
            ))
        });
        for (place, op) in allocated.chain(called).chain(swaps) {
            let scope = match place {
                RegionRef::Destination => continue,
                RegionRef::Scope(scope) | RegionRef::NextIteration(scope) => scope,
                RegionRef::LastUse(scope_region) => scope_region.scope,
            };
            let frame = reading.function.scope(scope).frame;
            let block = self.block(frame);
            if block_parent(block).is_none_or(|owner| !is_one_block(owner, block)) {
                continue;
            }
            let first = &mut firsts[frame.index()];
            if let Some(op) = ancestor_in(op, block)
                && first.is_none_or(|before| values::is_before(op, before))
            {
                *first = Some(op);
            }
        }
        firsts
    }

    /// Creates two regions, and the stack slot for them.
    fn create_swap(
        &mut self,
        builder: &Builder<'c>,
        is_returned: bool,
    ) -> Result<Swap<'c>, BuildError> {
        let word = builder.i64_type();
        let pair = self
            .at_start(self.block(ROOT))?
            .alloca_of(builder.cell_type(word, Some(2)))?;
        let mut create = || {
            self.runtime
                .call_for_value(self.table, RuntimeFunction::Make, builder, &[])
        };
        let regions = [create()?, create()?];
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
        let swap = self.swaps.get(&scope).ok_or_else(BuildError::unexpected)?;
        if swap.is_returned {
            let first = builder.index(0)?;
            let last = builder.load(swap.pair, &[first], builder.i64_type())?;
            let destination = self.destination.ok_or_else(BuildError::unexpected)?;
            self.runtime.call(
                self.table,
                RuntimeFunction::Refer,
                builder,
                &[destination, last],
            )?;
        }
        for region in swap.regions {
            self.runtime
                .call(self.table, RuntimeFunction::Release, builder, &[region])?;
        }
        Ok(())
    }

    /// In loops that swap two regions, an iteration fills one, releases the memory of the other, and swaps
    /// them.
    fn swap_regions(&mut self) -> Result<(), BuildError> {
        for (scope, _) in &self.planned.plan.swaps {
            let block = self.block(*scope);
            let start = self.at_start(block)?;
            let end = self.at_end(block)?;
            let parent = self.planned.reading.function.scope(*scope).parent;
            let parent = parent.filter(|parent| *parent != ROOT);
            let parent_end = parent
                .map(|parent| self.at_end(self.block(parent)))
                .transpose()?;
            let last_use = self.planned.plan.previous_last_uses.get(scope);
            let last_use = last_use.map(|at| self.planned.reading.block_ops[scope.index()][*at]);
            let swap = self
                .swaps
                .get_mut(scope)
                .ok_or_else(BuildError::unexpected)?;
            let slots = [start.index(0)?, start.index(1)?];
            let last = start.load(swap.pair, &[slots[0]], start.i64_type())?;
            let next = start.load(swap.pair, &[slots[1]], start.i64_type())?;
            swap.next = Some(next);
            match last_use.and_then(|op| Builder::after(op, op.location())) {
                Some(after) => {
                    self.runtime
                        .call(self.table, RuntimeFunction::Empty, &after, &[last])?
                }
                None => self
                    .runtime
                    .call(self.table, RuntimeFunction::Clear, &end, &[last])?,
            }
            end.store(next, swap.pair, &[slots[0]])?;
            end.store(last, swap.pair, &[slots[1]])?;
            if let Some(parent_end) = parent_end {
                for region in swap.regions {
                    self.runtime.call(
                        self.table,
                        RuntimeFunction::Clear,
                        &parent_end,
                        &[region],
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Empties regions after last uses.
    fn last_uses(&mut self) -> Result<(), BuildError> {
        for (scope_region, at) in &self.planned.plan.last_use_regions.release_points {
            let op = self.planned.reading.block_ops[scope_region.scope.index()][*at];
            let builder = Builder::after(op, op.location()).ok_or_else(BuildError::unexpected)?;
            let region = self.last_use_regions[scope_region];
            // Empty, not clear: the next allocation in it has another size, and may come late.
            self.runtime
                .call(self.table, RuntimeFunction::Empty, &builder, &[region])?;
        }
        Ok(())
    }

    /// Releases the memory of iterations at their end.
    fn iteration_ends(&mut self) -> Result<(), BuildError> {
        for at in 0..self.planned.plan.scope_releases.len() {
            let scope = ScopeId(at as u32);
            if self.planned.reading.function.scope(scope).kind != ScopeKind::Iteration {
                continue;
            }
            let block = self.block(scope);
            match self.planned.plan.scope_releases[at] {
                ScopeRelease::Own => {
                    let region = self.region(RegionRef::Scope(scope))?;
                    let builder = self.at_end(block)?;
                    self.runtime
                        .call(self.table, RuntimeFunction::Clear, &builder, &[region])?;
                }
                ScopeRelease::Checkpoint(host) => {
                    let region = self.region(host)?;
                    let builder = self.at_start(block)?;
                    let mark = self.runtime.call_for_value(
                        self.table,
                        RuntimeFunction::Mark,
                        &builder,
                        &[region],
                    )?;
                    let builder = self.at_end(block)?;
                    self.runtime.call(
                        self.table,
                        RuntimeFunction::ReleaseTo,
                        &builder,
                        &[region, mark],
                    )?;
                }
                ScopeRelease::None | ScopeRelease::Destination => {}
            }
        }
        Ok(())
    }

    /// Replaces allocations by views of memory of the runtime.
    fn allocations(&mut self) -> Result<(), BuildError> {
        let planned = self.planned;
        for (at, place) in planned.plan.allocations.iter().enumerate() {
            let Ok(place) = place else { continue };
            let op = planned.reading.allocations[at];
            let region = self.region(*place)?;
            let result = results(op).next().ok_or_else(BuildError::unexpected)?;
            let memref = type_of(result);
            let builder = Builder::before(op, op.location()).ok_or_else(BuildError::unexpected)?;
            let dimensions: Vec<Val<'c>> = operands(op).collect();
            let refused = |_| BuildError::unexpected();
            let (bytes, natural) = if dimensions.is_empty() {
                let extent = self.layout.extent(memref).map_err(refused)?;
                (extent.size, extent.alignment)
            } else {
                let extent = self.layout.dynamic_extent(memref).map_err(refused)?;
                (extent.bytes, extent.alignment)
            };
            let requested = build::integer(op, "alignment").unwrap_or(1).unsigned_abs();
            let alignment = natural.max(requested).max(self.alignment);
            let is_small = planned.reading.function.allocations[at].bytes.is_some();
            let mut size = builder.index(bytes as i64)?;
            for dimension in &dimensions {
                size = if is_small {
                    builder.multiply(size, *dimension)?
                } else {
                    // If the product overflows, the runtime receives the largest size, which it rejects.
                    builder.saturating_product(size, *dimension)?
                };
            }
            let alignment = builder.index(alignment as i64)?;
            let scope = planned.reading.function.allocations[at].scope;
            let memory = self.allocate(&builder, scope, [region, size, alignment])?;
            let shift = builder.index(0)?;
            let view = builder.dynamic_view(memory, shift, &dimensions, memref, &[])?;
            replace_all_uses(result, view);
            erase(op);
        }
        Ok(())
    }

    /// Allocates memory by the runtime, which writes the descriptor to a slot of the function.
    fn allocate(
        &mut self,
        builder: &Builder<'c>,
        scope: ScopeId,
        request: [Val<'c>; 3],
    ) -> Result<Val<'c>, BuildError> {
        let bytes = builder.any_bytes_type();
        let cell = builder.cell_type(bytes, None);
        let table = self.table;
        if self.planned.reading.function.scope(scope).frame == ROOT {
            let slot = match self.slot {
                Some(slot) => slot,
                None => *self
                    .slot
                    .insert(self.at_start(self.block(ROOT))?.alloca_of(cell)?),
            };
            let runtime = &mut *self.runtime;
            runtime.call(
                table,
                RuntimeFunction::Allocate,
                builder,
                &with_slot(request, slot),
            )?;
            return builder.load(slot, &[], bytes);
        }
        let function = self.planned.reading.op;
        self.runtime
            .allocate_by_helper(table, builder, &request, self.fresh, function)
    }

    /// Calls the chosen versions of callees, with regions for their memory.
    fn calls(&mut self, symbols: &[[String; 2]]) -> Result<(), BuildError> {
        let planned = self.planned;
        for (at, plan) in planned.plan.calls.iter().enumerate() {
            let op = planned.reading.calls[at];
            let callee = planned.reading.function.calls[at].callee;
            let name = &symbols[callee][plan.version as usize];
            if callee_name(op).as_ref() != Some(name) {
                symbols::set_callee(op, name);
            }
            if let Some(place) = plan.region {
                symbols::append_operands(op, &[self.region(place)?]);
            }
            if !plan.borrowed_results.is_empty() {
                borrowed::mark_borrowed_call_results(op, &plan.borrowed_results);
            }
        }
        Ok(())
    }
}

fn with_slot<'c>([region, size, alignment]: [Val<'c>; 3], slot: Val<'c>) -> [Val<'c>; 4] {
    [region, size, alignment, slot]
}

/// Whether a block is the only block of its region.
fn is_one_block(owner: Op<'_>, block: Block<'_>) -> bool {
    regions(owner).any(|region| {
        let mut all = blocks(region);
        all.next().is_some_and(|first| first.key() == block.key()) && all.next().is_none()
    })
}
