//! Memrefs that are stored in memory: memrefs of memrefs.
//!
//! Memrefs stored in a *container*, which the function allocates and does not let escape, are read by loads
//! from it and by nothing else. A load yields one of the stored values that are visible there, if that
//! certainly is the stored memory: the value of an earlier iteration has the same name, but must not be
//! freed. A copy loads the memrefs that it stores. If a loaded memref has no visible name, and the container
//! holds one memref, the container is promoted to a variable ([`promote`](super::promote)). Memrefs that
//! cannot be followed escape.
//!
//! Containers may be stored themselves. Loads of containers are resolved before loads from these.

use super::{
    OwnershipReader, Reading,
    promote::{Access, AccessKind},
    reachability::{Reachability, Stops},
};
use crate::memory_function::Walk;
use memplan_mlir::ir::{Identity, Key, Op, Val, nested_memrefs, operands, stores_memrefs, type_of};
use memplan_ownership::{
    function::{SegmentId, StepIndex, ValueId, ValueKind},
    order::SegmentOrder,
};
use memplan_semantics::OpMemory;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// With more pairs of stores and loads than this, all stored memrefs escape.
const MAX_PAIRS: usize = 1 << 16;

/// The limit of promoted containers times segments. Beyond it, none is promoted.
const MAX_PROMOTION_WORK: usize = 1 << 22;

/// Accesses of memory that holds memrefs.
#[derive(Default)]
pub(super) struct NestedMemrefs<'c> {
    /// By type of memrefs, whether they refer to memory that can hold memrefs.
    types: FxHashMap<Key, bool>,
    /// Containers that the function allocates.
    allocated: FxHashSet<ValueId>,
    /// Containers that others may access.
    exposed: Vec<ValueId>,
    stores: Vec<NestedStore<'c>>,
    loads: Vec<NestedLoad<'c>>,
}

/// A load of a memref.
#[derive(Clone, Copy)]
struct NestedLoad<'c> {
    container: ValueId,
    /// The loaded value.
    value: ValueId,
    op: Op<'c>,
    /// The nesting depth of the container.
    depth: usize,
}

/// A store of a memref.
#[derive(Clone, Copy)]
struct NestedStore<'c> {
    container: ValueId,
    value: ValueId,
    op: Op<'c>,
    segment: SegmentId,
    step: StepIndex,
    /// The nesting depth of the container.
    depth: usize,
}

impl<'c> OwnershipReader<'c, '_> {
    /// Whether the memory of a value can hold memrefs, by its type.
    fn is_container(&mut self, val: Val<'c>) -> bool {
        let r#type = type_of(val);
        let known = self.nested.types.entry(r#type.key());
        *known.or_insert_with(|| stores_memrefs(r#type))
    }

    /// Records new memory that can hold memrefs.
    pub(super) fn allocates_container(&mut self, value: ValueId, result: Val<'c>) {
        if self.is_container(result) {
            self.nested.allocated.insert(value);
        }
    }

    /// Records that others may access a container.
    pub(super) fn expose(&mut self, operand: Val<'c>) {
        if self.is_container(operand)
            && let Some(id) = self.value_id(operand)
        {
            self.nested.exposed.push(id);
        }
    }

    /// Records that others may access these values, if they are containers.
    pub(super) fn expose_all(&mut self, values: &[ValueId]) {
        if !self.nested.allocated.is_empty() {
            self.nested.exposed.extend_from_slice(values);
        }
    }

    /// Reads the accesses of containers by an operation without regions.
    pub(super) fn access_containers(&mut self, op: Op<'c>, memory: &OpMemory) {
        if memory.only_frees() {
            return;
        }
        let mut known: SmallVec<[u32; 2]> = memory.plain_load().into_iter().collect();
        let stored = memory.plain_store().into_iter();
        known.extend(stored.flat_map(|(stored, into)| [stored, into]));
        known.extend(
            self.copied(op)
                .into_iter()
                .flat_map(|(from, to)| [from, to]),
        );
        for (at, operand) in operands(op).enumerate() {
            if !known.contains(&(at as u32)) || self.is_derived_pointer(operand) {
                self.expose(operand);
                self.expose_pointees(operand);
            }
        }
    }

    /// Adds a load of `value`.
    pub(super) fn add_nested_load(&mut self, op: Op<'c>, memory: &OpMemory, value: ValueId) {
        let from = memory.plain_load();
        let from = from.and_then(|from| operands(op).nth(from as usize));
        if let Some(from) = from
            && let Some(container) = self.value_id(from)
        {
            self.nested.loads.push(NestedLoad {
                container,
                value,
                op,
                depth: nested_memrefs(type_of(from)),
            });
        }
    }

    /// The operands between which an operation copies memrefs.
    fn copied(&mut self, op: Op<'c>) -> Option<(u32, u32)> {
        if !operands(op).any(|operand| self.is_container(operand)) {
            return None;
        }
        let copy = self.semantics.copy(op)?;
        Some((copy.from, copy.to))
    }

    /// Adds a copy of memrefs: a load and a store of the loaded value.
    pub(super) fn add_nested_copy(&mut self, op: Op<'c>, segment: SegmentId, step: StepIndex) {
        let Some((from, to)) = self.copied(op) else {
            return;
        };
        let of = |at: u32| operands(op).nth(at as usize);
        let (Some(from), Some(to)) = (of(from), of(to)) else {
            return;
        };
        let (Some(source), Some(container)) = (self.value_id(from), self.value_id(to)) else {
            return;
        };
        let depth = nested_memrefs(type_of(from));
        // It stands for no value of the IR.
        let value = self
            .memory()
            .add_value(ValueKind::Foreign, segment, Some(step), None);
        self.reading.loaded.push(value);
        self.nested.loads.push(NestedLoad {
            container: source,
            value,
            op,
            depth,
        });
        self.nested.stores.push(NestedStore {
            container,
            value,
            op,
            segment,
            step,
            depth,
        });
    }

    /// Adds a store of a memref; false if the operation is no plain store.
    pub(super) fn add_nested_store(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
        step: StepIndex,
    ) -> bool {
        let id = |at: u32| {
            operands(op)
                .nth(at as usize)
                .and_then(|val| self.value_id(val))
        };
        if let Some((stored, into)) = memory.plain_store()
            && let (Some(value), Some(container)) = (id(stored), id(into))
        {
            // Pointees of the numbers of its descriptor are not followed.
            if let Some(operand) = operands(op).nth(stored as usize) {
                self.pointees_escape(operand, op);
            }
            self.nested.stores.push(NestedStore {
                container,
                value,
                op,
                segment,
                step,
                depth: operands(op)
                    .nth(into as usize)
                    .map_or(0, |into| nested_memrefs(type_of(into))),
            });
            return true;
        }
        false
    }

    /// After the walk: resolves loads, and disowns stored memrefs that cannot be followed. Returns the
    /// resolved loads.
    pub(super) fn settle_nested(&mut self) -> FxHashSet<ValueId> {
        let mut containers = std::mem::take(&mut self.nested);
        let stores = std::mem::take(&mut containers.stores);
        let loads = std::mem::take(&mut containers.loads);
        let mut depths: SmallVec<[usize; 2]> = SmallVec::new();
        for stored in &stores {
            if !depths.contains(&stored.depth) {
                depths.push(stored.depth);
            }
        }
        depths.sort_unstable();
        let mut followed = FxHashSet::default();
        for depth in depths.into_iter().rev() {
            let stores = stores.iter().filter(|stored| stored.depth == depth);
            containers.stores = stores.copied().collect();
            let loads = loads.iter().filter(|load| load.depth == depth);
            containers.loads = loads.copied().collect();
            followed.extend(self.settle_depth(&mut containers));
        }
        self.shorten_names(&followed);
        followed
    }

    /// Resolves the loads of containers of one depth.
    fn settle_depth(&mut self, containers: &mut NestedMemrefs<'c>) -> Vec<ValueId> {
        let contents = ContainerContents::of(&self.reading, containers);
        let mut resolved: FxHashMap<ValueId, SmallVec<[ValueId; 2]>> = FxHashMap::default();
        let mut not_followed: Vec<NestedStore<'c>> = Vec::new();
        for stored in &containers.stores {
            match contents.follow(stored) {
                None => not_followed.push(*stored),
                Some(found) => {
                    for (load, value) in found {
                        resolved.entry(load).or_default().push(value);
                    }
                }
            }
        }
        let loads: Vec<ValueId> = contents.loads.iter().map(|load| load.value).collect();
        let container_allocations = contents.allocations;
        let promoted = self.promote(containers, &container_allocations, &not_followed);
        let is_escaping =
            |stored: &&NestedStore<'c>| match &container_allocations[&stored.container] {
                Some(allocations) => allocations
                    .iter()
                    .any(|allocation| !promoted.contains_key(allocation)),
                None => true,
            };
        let escaping = not_followed.iter().filter(is_escaping);
        let mut escaping: Vec<(ValueId, Op<'c>)> =
            escaping.map(|stored| (stored.value, stored.op)).collect();
        for (load, value) in promoted.into_values().flatten() {
            resolved.insert(load, SmallVec::from_slice(&[value]));
        }
        // If some memrefs escape, and the program frees loaded memrefs, then all of them are the program's to
        // free.
        if !escaping.is_empty() && self.frees_any(&loads) {
            let stores = containers.stores.iter();
            escaping = stores.map(|stored| (stored.value, stored.op)).collect();
            resolved.clear();
            let is_kept =
                |stored: &&NestedStore<'c>| container_allocations[&stored.container].is_some();
            let stores = containers.stores.iter().filter(is_kept);
            self.program_freed_stores
                .extend(stores.map(|stored| stored.op.key()));
        }
        for load in &loads {
            let mut all = resolved.remove(load).unwrap_or_default();
            // The function does not free memory that escapes.
            if !escaping.is_empty() {
                all.push(self.reading.untracked);
            }
            self.reading.memory.function.values[load.index()].kind = ValueKind::AnyOf(all);
        }
        // Containers inside of a container that is not followed are not followed either.
        containers
            .exposed
            .extend(escaping.iter().map(|(value, _)| *value));
        self.escapes.extend(escaping);
        loads
    }

    /// Promotes containers of one memref to variables, if a stored memref cannot be followed otherwise.
    /// Returns the values of the loads of each.
    fn promote(
        &mut self,
        containers: &NestedMemrefs<'c>,
        container_allocations: &FxHashMap<ValueId, Option<ContainerAllocations>>,
        not_followed: &[NestedStore<'c>],
    ) -> FxHashMap<ValueId, Vec<(ValueId, ValueId)>> {
        let mut promoted = FxHashMap::default();
        let mut to_promote: Vec<ValueId> = Vec::new();
        let mut all: FxHashMap<ValueId, Vec<Access<'c>>> = FxHashMap::default();
        for stored in not_followed {
            if let Some(allocations) = &container_allocations[&stored.container]
                && let [allocation] = allocations.as_slice()
                && all.insert(*allocation, Vec::new()).is_none()
            {
                to_promote.push(*allocation);
            }
        }
        let segments = self.reading.memory.function.segments.len();
        if to_promote.is_empty() || to_promote.len() > MAX_PROMOTION_WORK / segments {
            return promoted;
        }
        let order = SegmentOrder::of(&self.reading.memory.function);
        let stores = containers.stores.iter().map(|stored| Access {
            container: stored.container,
            op: stored.op,
            kind: AccessKind::Stores(stored.value),
            segment: stored.segment,
            step: stored.step,
        });
        let values = &self.reading.memory.function.values;
        let loads = containers.loads.iter().filter_map(|load| {
            let value = &values[load.value.index()];
            Some(Access {
                container: load.container,
                op: load.op,
                kind: AccessKind::Loads(load.value),
                segment: value.segment,
                step: value.step?,
            })
        });
        for access in stores.chain(loads) {
            for allocation in container_allocations[&access.container].iter().flatten() {
                if let Some(all) = all.get_mut(allocation) {
                    all.push(access);
                }
            }
        }
        for allocation in to_promote {
            let accesses = all.remove(&allocation).unwrap_or_default();
            if let Some(loads) = self.promote_one(allocation, accesses, &order) {
                promoted.insert(allocation, loads);
            }
        }
        promoted
    }

    /// Whether the program frees any of these unresolved loads, or passes one to a callee that does.
    fn frees_any(&self, loads: &[ValueId]) -> bool {
        let loads: FxHashSet<ValueId> = loads.iter().copied().collect();
        let frees = self.frees.iter().map(|(_, value)| *value);
        let freed = self.reading.freed.iter().map(|(_, value)| *value);
        let mut seen = FxHashSet::default();
        frees.chain(freed).any(|value| {
            let origins = self.reading.origins_excluding(value, &mut seen);
            origins.iter().any(|origin| loads.contains(origin))
        })
    }
}

/// The allocations that a container may be, sorted.
type ContainerAllocations = SmallVec<[ValueId; 1]>;

/// The contents of containers that do not escape.
struct ContainerContents<'r, 'c> {
    reading: &'r Reading<'c>,
    order: SegmentOrder,
    reach: Reachability,
    /// Containers; `None` if they may escape.
    allocations: FxHashMap<ValueId, Option<ContainerAllocations>>,
    /// Loads from these.
    loads: Vec<TrackedLoad>,
    /// The loads from each allocation.
    by_allocation: FxHashMap<ValueId, Vec<usize>>,
    /// There are too many pairs.
    is_too_large: bool,
}

/// A load is not followed if its container may also be memory known to others. So all other allocations that
/// this container may be count as known to others, too.
fn expose_loaded<'o>(
    exposed: &mut FxHashSet<ValueId>,
    allocated: &FxHashSet<ValueId>,
    loaded: impl Iterator<Item = &'o ContainerAllocations>,
) {
    let loaded: Vec<&ContainerAllocations> = loaded.collect();
    let mut names: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
    let mut mixed: Vec<usize> = Vec::new();
    for (name, allocations) in loaded.iter().enumerate() {
        if allocations
            .iter()
            .any(|one| !allocated.contains(one) || exposed.contains(one))
        {
            mixed.push(name);
        } else if allocations.len() > 1 {
            for one in *allocations {
                names.entry(*one).or_default().push(name);
            }
        }
    }
    while let Some(name) = mixed.pop() {
        for one in loaded[name] {
            if exposed.insert(*one) {
                mixed.extend(names.remove(one).unwrap_or_default());
            }
        }
    }
}

/// A load from a container that does not escape.
struct TrackedLoad {
    allocations: ContainerAllocations,
    /// The name of the container.
    by: ValueId,
    /// The loaded value.
    value: ValueId,
}

impl<'r, 'c> ContainerContents<'r, 'c> {
    fn of(reading: &'r Reading<'c>, containers: &NestedMemrefs<'c>) -> Self {
        let mut exposed: FxHashSet<ValueId> = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let returned = reading
            .function
            .edges
            .iter()
            .filter(|edge| edge.to.is_none());
        let returned = returned.flat_map(|edge| edge.passed.iter().flatten());
        for value in containers.exposed.iter().chain(returned) {
            exposed.extend(reading.origins_excluding(*value, &mut seen));
        }
        let named = containers.stores.iter().map(|stored| stored.container);
        let named = named.chain(containers.loads.iter().map(|load| load.container));
        let mut origins: FxHashMap<ValueId, ContainerAllocations> = FxHashMap::default();
        for container in named {
            origins.entry(container).or_insert_with(|| {
                let mut all: ContainerAllocations =
                    reading.origins(container).into_iter().collect();
                all.sort_unstable();
                all
            });
        }
        let loaded = containers.loads.iter();
        let loaded = loaded.map(|load| &origins[&load.container]);
        expose_loaded(&mut exposed, &containers.allocated, loaded);
        let allocations: FxHashMap<ValueId, Option<ContainerAllocations>> = origins
            .into_iter()
            .map(|(container, all)| {
                let is_kept =
                    |one: &ValueId| containers.allocated.contains(one) && !exposed.contains(one);
                let is_kept = all.iter().all(is_kept);
                (container, is_kept.then_some(all))
            })
            .collect();
        let loads = containers.loads.iter().filter_map(|load| {
            Some(TrackedLoad {
                allocations: allocations[&load.container].clone()?,
                by: load.container,
                value: load.value,
            })
        });
        let loads: Vec<TrackedLoad> = loads.collect();
        let mut by_allocation: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
        for (at, load) in loads.iter().enumerate() {
            for allocation in &load.allocations {
                by_allocation.entry(*allocation).or_default().push(at);
            }
        }
        let stores = containers.stores.iter();
        let stored = stores.filter_map(|stored| allocations[&stored.container].as_ref());
        let pairs = stored
            .flatten()
            .filter_map(|allocation| by_allocation.get(allocation));
        Self {
            is_too_large: pairs.map(Vec::len).sum::<usize>() > MAX_PAIRS,
            order: SegmentOrder::of(&reading.function),
            reach: Reachability::of(&reading.function, containers.stores.len(), loads.len()),
            reading,
            allocations,
            loads,
            by_allocation,
        }
    }

    /// The loads from containers that may be any of these allocations.
    fn loads_from(&self, allocations: &ContainerAllocations) -> impl Iterator<Item = &TrackedLoad> {
        let all = allocations
            .iter()
            .filter_map(|allocation| self.by_allocation.get(allocation));
        let mut all: Vec<usize> = all.flatten().copied().collect();
        if allocations.len() > 1 {
            all.sort_unstable();
            all.dedup();
        }
        all.into_iter().map(|at| &self.loads[at])
    }

    /// The loads that may yield a stored memref, each with a visible name for it. `None` if one has no such
    /// name.
    fn follow(&self, stored: &NestedStore<'c>) -> Option<Vec<(ValueId, ValueId)>> {
        let allocations = self.allocations[&stored.container].as_ref()?;
        if !allocations
            .iter()
            .any(|allocation| self.by_allocation.contains_key(allocation))
        {
            return Some(Vec::new());
        }
        if self.is_too_large {
            return None;
        }
        let loads: SmallVec<[&TrackedLoad; 4]> = self.loads_from(allocations).collect();
        // An allocation that is executed again is another container, unless there is another name, which may
        // still refer to the earlier one.
        let named =
            |one: ValueId| stored.container == one && loads.iter().all(|load| load.by == one);
        let named = allocations.iter().filter(|one| named(**one));
        let mut stops: Stops = named.map(|one| self.defining_segment(*one)).collect();
        stops.sort_unstable();
        let follow = |value| self.follow_by_name(value, stored, &loads, &stops);
        if let Some(found) = follow(stored.value) {
            return Some(found);
        }
        // Tries the names of its origins, if each of these is defined once.
        let mut all = Vec::new();
        for origin in self.reading.origins(stored.value) {
            // A memref that was loaded from the only container that it is stored in is there already.
            let is_there =
                |load: &&TrackedLoad| load.value == origin && load.allocations == *allocations;
            let is_one = allocations.len() == 1 && self.is_defined_once(allocations[0]);
            if is_one && loads.iter().any(is_there) {
                continue;
            }
            let is_new = matches!(
                self.reading.memory.function.value(origin).kind,
                ValueKind::Fresh { .. }
            );
            if !is_new || !self.is_defined_once(origin) {
                return None;
            }
            all.extend(follow(origin)?);
        }
        Some(all)
    }

    /// The loads that may yield a stored memref, by the name `value`.
    fn follow_by_name(
        &self,
        value: ValueId,
        stored: &NestedStore<'c>,
        loads: &[&TrackedLoad],
        stops: &Stops,
    ) -> Option<Vec<(ValueId, ValueId)>> {
        let function = &self.reading.memory.function;
        let definition = self.defining_segment(value);
        let is_once = stops.contains(&definition) || !self.reach.reaches_itself(definition, stops);
        // If it is not defined again on a path from the store to the load, it is still the stored memory at
        // the load.
        let is_current = |read: SegmentId| {
            is_once
                || !self.reach.reaches(stored.segment, definition, stops)
                || (read != definition && !self.reach.reaches(definition, read, stops))
        };
        let mut found = Vec::new();
        for load in loads {
            let (defined, read) = (function.value(value), function.value(load.value));
            let is_seen = if defined.segment == read.segment {
                defined.step < read.step
            } else {
                self.order.is_visible(function, value, read.segment)
            };
            let is_next = stored.segment == read.segment && Some(stored.step) < read.step;
            if is_seen && is_current(read.segment) {
                found.push((load.value, value));
            } else if is_seen || is_next || self.reach.reaches(stored.segment, read.segment, stops)
            {
                return None;
            }
        }
        Some(found)
    }

    fn defining_segment(&self, value: ValueId) -> SegmentId {
        self.reading.memory.function.value(value).segment
    }

    /// Whether a value is defined at most once in a run.
    fn is_defined_once(&self, value: ValueId) -> bool {
        !self
            .reach
            .reaches_itself(self.defining_segment(value), &Stops::new())
    }
}
