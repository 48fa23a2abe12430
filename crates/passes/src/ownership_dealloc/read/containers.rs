//! Memrefs that are stored in memory: memrefs of memrefs.
//!
//! What is stored in memory that the function made, and keeps to itself, comes back by loads from that
//! memory, and by nothing else. A load then gives any of what was stored, as long as that can be named
//! there and is what was stored for certain: the value of a turn before has the same name, but is none
//! that could be freed. Whatever cannot be followed so is out of the function's hands.

use super::{
    Reader, Reading,
    reach::{Reach, Stops},
};
use memplan_mlir::ir::{Identity, Op, Val, operands, stores_memrefs, type_of};
use memplan_ownership::{
    function::{Kind, SegmentId, Step, ValueId},
    order::Order,
};
use memplan_semantics::OpMemory;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// More pairs of stores and loads than this are not looked at: what is stored is given away.
const MOST_PAIRS: usize = 1 << 16;

/// What is known of memory that holds memrefs.
#[derive(Default)]
pub(super) struct Containers<'c> {
    /// Made by the function.
    made: FxHashSet<ValueId>,
    /// Known to others.
    exposed: Vec<ValueId>,
    stores: Vec<Stored<'c>>,
    /// Where from, and what.
    loads: Vec<(ValueId, ValueId)>,
}

/// A memref that is stored.
struct Stored<'c> {
    container: ValueId,
    value: ValueId,
    op: Op<'c>,
    segment: SegmentId,
    step: Step,
}

impl<'c> Reader<'c, '_> {
    /// New memory that may hold memrefs.
    pub(super) fn makes_container(&mut self, value: ValueId, result: Val<'c>) {
        if stores_memrefs(type_of(result)) {
            self.containers.made.insert(value);
        }
    }

    /// Others come to know memory that may hold memrefs.
    pub(super) fn expose(&mut self, operand: Val<'c>) {
        if let (Some(id), true) = (self.id(operand), stores_memrefs(type_of(operand))) {
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
        // What is stored may hold memrefs itself.
        let into = memory.plain_store().map(|(_, into)| into);
        let known = into.or_else(|| memory.plain_load());
        for (at, operand) in operands(op).enumerate() {
            if known != Some(at as u32) || self.is_carrier(operand) {
                self.expose(operand);
                self.expose_carried(operand);
            }
        }
    }

    /// A load of `value`.
    pub(super) fn loads_from(&mut self, op: Op<'c>, memory: &OpMemory, value: ValueId) {
        let from = memory.plain_load();
        let from = from.and_then(|from| operands(op).nth(from as usize));
        if let Some(container) = from.and_then(|from| self.id(from)) {
            self.containers.loads.push((container, value));
        }
    }

    /// A store of a memref; false if it is no plain one.
    pub(super) fn stores_into(
        &mut self,
        op: Op<'c>,
        memory: &OpMemory,
        segment: SegmentId,
        step: Step,
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
            });
            return true;
        }
        false
    }

    /// When all has been read: loads that are followed give what was stored; what is stored and not followed is
    /// given away. The loads that were followed.
    pub(super) fn settle_containers(&mut self) -> FxHashSet<ValueId> {
        let containers = std::mem::take(&mut self.containers);
        if containers.stores.is_empty() {
            return FxHashSet::default();
        }
        let contents = Contents::of(&self.reading, &containers);
        let mut given: FxHashMap<ValueId, SmallVec<[ValueId; 2]>> = FxHashMap::default();
        let mut lost: Vec<(ValueId, Op<'c>)> = Vec::new();
        for stored in &containers.stores {
            match contents.follow(stored) {
                None => lost.push((stored.value, stored.op)),
                Some(found) => {
                    for (load, value) in found {
                        given.entry(load).or_default().push(value);
                    }
                }
            }
        }
        let loads: Vec<ValueId> = contents.loads.iter().map(|load| load.value).collect();
        // Where some is lost, and the program frees what is loaded, all of it is the program's.
        if !lost.is_empty() && self.frees_any(&loads) {
            let stores = containers.stores.iter();
            lost = stores.map(|stored| (stored.value, stored.op)).collect();
            given.clear();
            let kept = containers
                .stores
                .iter()
                .filter(|stored| contents.is_kept(stored.container));
            self.programs = kept.map(|stored| stored.op.key()).collect();
        }
        for load in &loads {
            let mut all = given.remove(load).unwrap_or_default();
            // What is lost is nobody's to free here.
            if !lost.is_empty() {
                all.push(self.reading.elsewhere);
            }
            self.reading.memory.function.values[load.index()].kind = Kind::Any(all);
        }
        self.escapes.extend(lost);
        loads.into_iter().collect()
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
    /// Does the function keep a container to itself?
    fn is_kept(&self, container: ValueId) -> bool {
        matches!(self.homes.get(&container), Some(Some(_)))
    }

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
        let named = named.chain(containers.loads.iter().map(|(container, _)| *container));
        let mut origins: FxHashMap<ValueId, Homes> = FxHashMap::default();
        for container in named {
            origins.entry(container).or_insert_with(|| {
                let mut all: Homes = reading.origins(container).into_iter().collect();
                all.sort_unstable();
                all
            });
        }
        let loaded = containers.loads.iter();
        let loaded = loaded.map(|(container, _)| &origins[container]);
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
        let loads = containers.loads.iter().filter_map(|(container, value)| {
            Some(Loaded {
                homes: homes[container].clone()?,
                by: *container,
                value: *value,
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
