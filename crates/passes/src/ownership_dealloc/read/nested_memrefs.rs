//! Memrefs that are stored in memory: memrefs of memrefs.
//!
//! What is stored in memory that the function made, and keeps to itself, comes back by loads from that
//! memory, and by nothing else. A load then gives any of what was stored, as long as that can be named
//! there and is what was stored for certain: the value of a turn before has the same name, but is none
//! that could be freed. A copy loads what it stores. Where what is loaded has no such name, and the memory has room for one
//! memref, it is a variable ([`promote`](super::promote)). Whatever cannot be followed so is out of the function's hands.
//!
//! Memory that holds memrefs may be stored itself. Loads of it are settled before what is loaded by these.

use super::{
    OwnershipReader, Reading,
    promote::{Access, AccessKind},
    reachability::{Reach, Stops},
};
use crate::memory_function::Walk;
use memplan_mlir::ir::{Identity, Key, Op, Val, nested_memrefs, operands, stores_memrefs, type_of};
use memplan_ownership::{
    function::{Kind, SegmentId, StepIndex, ValueId},
    order::Order,
};
use memplan_semantics::OpMemory;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// More pairs of stores and loads than this are not looked at: what is stored is given away.
const MOST_PAIRS: usize = 1 << 16;

/// Each memory that is taken for a variable is looked for in all segments: if that is more than this, none is.
const MOST_LOOKED_AT: usize = 1 << 22;

/// What is known of memory that holds memrefs.
#[derive(Default)]
pub(super) struct Containers<'c> {
    /// By type of memrefs, whether they refer to memory that memrefs can be stored in.
    types: FxHashMap<Key, bool>,
    /// Made by the function.
    made: FxHashSet<ValueId>,
    /// Known to others.
    exposed: Vec<ValueId>,
    stores: Vec<Stored<'c>>,
    loads: Vec<Load<'c>>,
}

/// A load of a memref.
#[derive(Clone, Copy)]
struct Load<'c> {
    container: ValueId,
    /// What is loaded.
    value: ValueId,
    op: Op<'c>,
    /// How deep the container is nested.
    depth: usize,
}

/// A memref that is stored.
#[derive(Clone, Copy)]
struct Stored<'c> {
    container: ValueId,
    value: ValueId,
    op: Op<'c>,
    segment: SegmentId,
    step: StepIndex,
    /// How deep the container is nested.
    depth: usize,
}

impl<'c> OwnershipReader<'c, '_> {
    /// May memrefs be stored in the memory of a value, by its type?
    fn is_container(&mut self, val: Val<'c>) -> bool {
        let r#type = type_of(val);
        let known = self.containers.types.entry(r#type.key());
        *known.or_insert_with(|| stores_memrefs(r#type))
    }

    /// New memory that may hold memrefs.
    pub(super) fn makes_container(&mut self, value: ValueId, result: Val<'c>) {
        if self.is_container(result) {
            self.containers.made.insert(value);
        }
    }

    /// Others come to know memory that may hold memrefs.
    pub(super) fn expose(&mut self, operand: Val<'c>) {
        if self.is_container(operand)
            && let Some(id) = self.id(operand)
        {
            self.containers.exposed.push(id);
        }
    }

    /// The same of all that `values` stand for.
    pub(super) fn expose_all(&mut self, values: &[ValueId]) {
        if !self.containers.made.is_empty() {
            self.containers.exposed.extend_from_slice(values);
        }
    }

    /// What an operation without regions does with memory that holds memrefs.
    pub(super) fn contains(&mut self, op: Op<'c>, memory: &OpMemory) {
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
            if !known.contains(&(at as u32)) || self.is_carrier(operand) {
                self.expose(operand);
                self.expose_carried(operand);
            }
        }
    }

    /// A load of `value`.
    pub(super) fn loads_from(&mut self, op: Op<'c>, memory: &OpMemory, value: ValueId) {
        let from = memory.plain_load();
        let from = from.and_then(|from| operands(op).nth(from as usize));
        if let Some(from) = from
            && let Some(container) = self.id(from)
        {
            self.containers.loads.push(Load {
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

    /// A copy of memrefs loads them, and stores what it loads.
    pub(super) fn copies_contents(&mut self, op: Op<'c>, segment: SegmentId, step: StepIndex) {
        let Some((from, to)) = self.copied(op) else {
            return;
        };
        let of = |at: u32| operands(op).nth(at as usize);
        let (Some(from), Some(to)) = (of(from), of(to)) else {
            return;
        };
        let (Some(source), Some(container)) = (self.id(from), self.id(to)) else {
            return;
        };
        let depth = nested_memrefs(type_of(from));
        // It stands for no value of the IR.
        let value = self
            .memory()
            .value(Kind::Foreign, segment, Some(step), None);
        self.reading.loaded.push(value);
        self.containers.loads.push(Load {
            container: source,
            value,
            op,
            depth,
        });
        self.containers.stores.push(Stored {
            container,
            value,
            op,
            segment,
            step,
            depth,
        });
    }

    /// A store of a memref; false if it is no plain one.
    pub(super) fn stores_into(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
        step: StepIndex,
    ) -> bool {
        let id = |at: u32| operands(op).nth(at as usize).and_then(|val| self.id(val));
        if let Some((stored, into)) = memory.plain_store()
            && let (Some(value), Some(container)) = (id(stored), id(into))
        {
            // What its numbers hold is not followed.
            if let Some(operand) = operands(op).nth(stored as usize) {
                self.carrier_escapes(operand, op);
            }
            self.containers.stores.push(Stored {
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

    /// When all has been read: loads that are followed give what was stored; what is stored and not followed is
    /// given away. The loads that were followed.
    pub(super) fn settle_containers(&mut self) -> FxHashSet<ValueId> {
        let mut containers = std::mem::take(&mut self.containers);
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

    /// The same of memory of one depth.
    fn settle_depth(&mut self, containers: &mut Containers<'c>) -> Vec<ValueId> {
        let contents = Contents::of(&self.reading, containers);
        let mut given: FxHashMap<ValueId, SmallVec<[ValueId; 2]>> = FxHashMap::default();
        let mut not_followed: Vec<Stored<'c>> = Vec::new();
        for stored in &containers.stores {
            match contents.follow(stored) {
                None => not_followed.push(*stored),
                Some(found) => {
                    for (load, value) in found {
                        given.entry(load).or_default().push(value);
                    }
                }
            }
        }
        let loads: Vec<ValueId> = contents.loads.iter().map(|load| load.value).collect();
        let kept = contents.homes;
        let promoted = self.promote(containers, &kept, &not_followed);
        let is_lost = |stored: &&Stored<'c>| match &kept[&stored.container] {
            Some(homes) => homes.iter().any(|home| !promoted.contains_key(home)),
            None => true,
        };
        let lost = not_followed.iter().filter(is_lost);
        let mut lost: Vec<(ValueId, Op<'c>)> =
            lost.map(|stored| (stored.value, stored.op)).collect();
        for (load, value) in promoted.into_values().flatten() {
            given.insert(load, SmallVec::from_slice(&[value]));
        }
        // Where some is lost, and the program frees what is loaded, all of it is the program's.
        if !lost.is_empty() && self.frees_any(&loads) {
            let stores = containers.stores.iter();
            lost = stores.map(|stored| (stored.value, stored.op)).collect();
            given.clear();
            let is_kept = |stored: &&Stored<'c>| kept[&stored.container].is_some();
            let stores = containers.stores.iter().filter(is_kept);
            self.programs.extend(stores.map(|stored| stored.op.key()));
        }
        for load in &loads {
            let mut all = given.remove(load).unwrap_or_default();
            // What is lost is nobody's to free here.
            if !lost.is_empty() {
                all.push(self.reading.elsewhere);
            }
            self.reading.memory.function.values[load.index()].kind = Kind::Any(all);
        }
        // What memory holds that is not followed is not, either.
        containers
            .exposed
            .extend(lost.iter().map(|(value, _)| *value));
        self.escapes.extend(lost);
        loads
    }

    /// Memory that has room for one memref is taken for a variable if something that is stored there is not followed
    /// otherwise. For each, what its loads give.
    fn promote(
        &mut self,
        containers: &Containers<'c>,
        kept: &FxHashMap<ValueId, Option<Homes>>,
        not_followed: &[Stored<'c>],
    ) -> FxHashMap<ValueId, Vec<(ValueId, ValueId)>> {
        let mut promoted = FxHashMap::default();
        let mut wanted: Vec<ValueId> = Vec::new();
        let mut all: FxHashMap<ValueId, Vec<Access<'c>>> = FxHashMap::default();
        for stored in not_followed {
            if let Some(homes) = &kept[&stored.container]
                && let [home] = homes.as_slice()
                && all.insert(*home, Vec::new()).is_none()
            {
                wanted.push(*home);
            }
        }
        let segments = self.reading.memory.function.segments.len();
        if wanted.is_empty() || wanted.len() > MOST_LOOKED_AT / segments {
            return promoted;
        }
        let order = Order::of(&self.reading.memory.function);
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
            for home in kept[&access.container].iter().flatten() {
                if let Some(all) = all.get_mut(home) {
                    all.push(access);
                }
            }
        }
        for home in wanted {
            let accesses = all.remove(&home).unwrap_or_default();
            if let Some(loads) = self.promote_one(home, accesses, &order) {
                promoted.insert(home, loads);
            }
        }
        promoted
    }

    /// Does the program free any of these, which nothing is known of so far, or give it to a callee that does?
    fn frees_any(&self, loads: &[ValueId]) -> bool {
        let loads: FxHashSet<ValueId> = loads.iter().copied().collect();
        let frees = self.frees.iter().map(|(_, value)| *value);
        let freed = self.reading.freed.iter().map(|(_, value)| *value);
        let mut seen = FxHashSet::default();
        frees.chain(freed).any(|value| {
            let origins = self.reading.origins_beyond(value, &mut seen);
            origins.iter().any(|origin| loads.contains(origin))
        })
    }
}

/// The allocations that a container may be; sorted.
type Homes = SmallVec<[ValueId; 1]>;

/// What memory that the function keeps to itself holds.
struct Contents<'r, 'c> {
    reading: &'r Reading<'c>,
    order: Order,
    reach: Reach,
    /// Containers, if the function keeps them to itself.
    homes: FxHashMap<ValueId, Option<Homes>>,
    /// Loads from these.
    loads: Vec<Loaded>,
    /// Those from each allocation.
    by_home: FxHashMap<ValueId, Vec<usize>>,
    /// There are too many.
    gives_up: bool,
}

/// What is loaded by a name that may also be memory known to others is not followed: what the function keeps to itself
/// and loads by such a name counts as known to others, too.
fn expose_loaded<'o>(
    exposed: &mut FxHashSet<ValueId>,
    made: &FxHashSet<ValueId>,
    loaded: impl Iterator<Item = &'o Homes>,
) {
    let loaded: Vec<&Homes> = loaded.collect();
    let mut names: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
    let mut mixed: Vec<usize> = Vec::new();
    for (name, homes) in loaded.iter().enumerate() {
        if homes
            .iter()
            .any(|one| !made.contains(one) || exposed.contains(one))
        {
            mixed.push(name);
        } else if homes.len() > 1 {
            for one in *homes {
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

/// A load from a container that the function keeps to itself.
struct Loaded {
    homes: Homes,
    /// The container's name.
    by: ValueId,
    /// What is loaded.
    value: ValueId,
}

impl<'r, 'c> Contents<'r, 'c> {
    fn of(reading: &'r Reading<'c>, containers: &Containers<'c>) -> Self {
        let mut exposed: FxHashSet<ValueId> = FxHashSet::default();
        let mut seen = FxHashSet::default();
        let returned = reading
            .function
            .edges
            .iter()
            .filter(|edge| edge.to.is_none());
        let returned = returned.flat_map(|edge| edge.passed.iter().flatten());
        for value in containers.exposed.iter().chain(returned) {
            exposed.extend(reading.origins_beyond(*value, &mut seen));
        }
        let named = containers.stores.iter().map(|stored| stored.container);
        let named = named.chain(containers.loads.iter().map(|load| load.container));
        let mut origins: FxHashMap<ValueId, Homes> = FxHashMap::default();
        for container in named {
            origins.entry(container).or_insert_with(|| {
                let mut all: Homes = reading.origins(container).into_iter().collect();
                all.sort_unstable();
                all
            });
        }
        let loaded = containers.loads.iter();
        let loaded = loaded.map(|load| &origins[&load.container]);
        expose_loaded(&mut exposed, &containers.made, loaded);
        let homes: FxHashMap<ValueId, Option<Homes>> = origins
            .into_iter()
            .map(|(container, all)| {
                let is_kept =
                    |one: &ValueId| containers.made.contains(one) && !exposed.contains(one);
                let is_kept = all.iter().all(is_kept);
                (container, is_kept.then_some(all))
            })
            .collect();
        let loads = containers.loads.iter().filter_map(|load| {
            Some(Loaded {
                homes: homes[&load.container].clone()?,
                by: load.container,
                value: load.value,
            })
        });
        let loads: Vec<Loaded> = loads.collect();
        let mut by_home: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
        for (at, load) in loads.iter().enumerate() {
            for home in &load.homes {
                by_home.entry(*home).or_default().push(at);
            }
        }
        let stores = containers.stores.iter();
        let stored = stores.filter_map(|stored| homes[&stored.container].as_ref());
        let pairs = stored.flatten().filter_map(|home| by_home.get(home));
        Self {
            gives_up: pairs.map(Vec::len).sum::<usize>() > MOST_PAIRS,
            order: Order::of(&reading.function),
            reach: Reach::of(&reading.function, containers.stores.len(), loads.len()),
            reading,
            homes,
            loads,
            by_home,
        }
    }

    /// The loads from what may be any of these.
    fn loads_from(&self, homes: &Homes) -> impl Iterator<Item = &Loaded> {
        let all = homes.iter().filter_map(|home| self.by_home.get(home));
        let mut all: Vec<usize> = all.flatten().copied().collect();
        if homes.len() > 1 {
            all.sort_unstable();
            all.dedup();
        }
        all.into_iter().map(|at| &self.loads[at])
    }

    /// The loads that give what is stored, each with a name for it there; `None` where it has none.
    fn follow(&self, stored: &Stored<'c>) -> Option<Vec<(ValueId, ValueId)>> {
        let homes = self.homes[&stored.container].as_ref()?;
        if !homes.iter().any(|home| self.by_home.contains_key(home)) {
            return Some(Vec::new());
        }
        if self.gives_up {
            return None;
        }
        let loads: SmallVec<[&Loaded; 4]> = self.loads_from(homes).collect();
        // Where a container is made anew, it is another one, unless it goes by another name, too, which may be
        // that of the one before.
        let named =
            |one: ValueId| stored.container == one && loads.iter().all(|load| load.by == one);
        let named = homes.iter().filter(|one| named(**one));
        let mut stops: Stops = named.map(|one| self.home(*one)).collect();
        stops.sort_unstable();
        let follow = |value| self.follow_as(value, stored, &loads, &stops);
        if let Some(found) = follow(stored.value) {
            return Some(found);
        }
        // By the names of what it may be, if each of these is made but once.
        let mut all = Vec::new();
        for origin in self.reading.origins(stored.value) {
            // What is loaded from the one container that it is stored in is there already.
            let is_there = |load: &&Loaded| load.value == origin && load.homes == *homes;
            let is_one = homes.len() == 1 && self.is_once(homes[0]);
            if is_one && loads.iter().any(is_there) {
                continue;
            }
            let is_new = matches!(
                self.reading.memory.function.value(origin).kind,
                Kind::Fresh { .. }
            );
            if !is_new || !self.is_once(origin) {
                return None;
            }
            all.extend(follow(origin)?);
        }
        Some(all)
    }

    /// The loads that give what is stored, by the name `value`.
    fn follow_as(
        &self,
        value: ValueId,
        stored: &Stored<'c>,
        loads: &[&Loaded],
        stops: &Stops,
    ) -> Option<Vec<(ValueId, ValueId)>> {
        let function = &self.reading.memory.function;
        let home = self.home(value);
        let is_once = stops.contains(&home) || !self.reach.comes_back(home, stops);
        // Made anew on no way from the store to the load, it is at the load what was stored.
        let is_current = |read: SegmentId| {
            is_once
                || !self.reach.comes_to(stored.segment, home, stops)
                || (read != home && !self.reach.comes_to(home, read, stops))
        };
        let mut found = Vec::new();
        for load in loads {
            let (made, read) = (function.value(value), function.value(load.value));
            let is_seen = if made.segment == read.segment {
                made.step < read.step
            } else {
                self.order.is_visible(function, value, read.segment)
            };
            let is_next = stored.segment == read.segment && Some(stored.step) < read.step;
            if is_seen && is_current(read.segment) {
                found.push((load.value, value));
            } else if is_seen || is_next || self.reach.comes_to(stored.segment, read.segment, stops)
            {
                return None;
            }
        }
        Some(found)
    }

    fn home(&self, value: ValueId) -> SegmentId {
        self.reading.memory.function.value(value).segment
    }

    /// Is a value defined but once in a run?
    fn is_once(&self, value: ValueId) -> bool {
        !self.reach.comes_back(self.home(value), &Stops::new())
    }
}
