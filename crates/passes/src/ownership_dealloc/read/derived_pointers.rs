//! What holds on to memory without being a memref of it: pointers, tokens, addresses as numbers, and memrefs whose sizes,
//! strides or offset are computed from addresses.
//!
//! Such values are found before all else, along the uses of those that are made from memrefs, since
//! a use of one is a use of the memory. What each holds is the memory it was made from, by a name
//! that the place of the use can see: along an edge, a value that is out of sight on the other side
//! is known there by the parameter that it is passed to. Memory that has no such name is out of the
//! function's hands.

use super::{OwnershipReader, pending_uses::Inside};
use crate::memory_function::Walk;
use fixedbitset::FixedBitSet;
use memplan_mlir::{
    calls, control_flow,
    copy::integer_width,
    ir::{
        Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, regions, results,
        stores_memrefs, successors, type_of, users,
    },
    melior::ir::TypeLike,
};
use memplan_ownership::{
    function::{EdgeId, Kind, SegmentId, StepIndex, ValueId},
    order::Order,
};
use memplan_semantics::{ResultFact, TypeClass, graph::RegionEdge};
use memplan_summaries::FunctionSummary;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A value that holds on to memory, by number.
pub(super) type CarrierId = usize;

/// Memory, each once.
#[derive(Default)]
struct Memory {
    all: SmallVec<[ValueId; 2]>,
    /// The same, where that are many.
    set: FixedBitSet,
}

impl Memory {
    /// More are looked for in the set.
    const FEW: usize = 16;

    /// Whether it is new.
    fn add(&mut self, value: ValueId) -> bool {
        if self.all.len() < Self::FEW {
            if self.all.contains(&value) {
                return false;
            }
        } else {
            if self.all.len() == Self::FEW {
                self.set.extend(self.all.iter().map(|value| value.index()));
            }
            self.set.grow(value.index() + 1);
            if self.set.put(value.index()) {
                return false;
            }
        }
        self.all.push(value);
        true
    }
}

/// How one value comes to hold what another does.
#[derive(Clone, Copy)]
enum Pass {
    /// It is made from it.
    Made,
    /// What is inside of an operation that is done when it has been waited for uses it.
    Inside(SegmentId),
    /// An edge passes it.
    Edge(EdgeId),
}

/// What is known of the values that hold on to memory.
#[derive(Default)]
pub(super) struct Carriers<'c> {
    /// Results that are made from memrefs, as long as they are looked for.
    seeds: Option<Vec<Found<'c>>>,
    /// Found before all else; by each, whether it may be a number that is an address, or have such numbers.
    found: FxHashMap<Key, bool>,
    ids: FxHashMap<Key, CarrierId>,
    /// The memory that each was made from.
    memory: Vec<Memory>,
    /// What is passed on: from, to, and how.
    passes: Vec<(CarrierId, CarrierId, Pass)>,
    uses: Vec<(SegmentId, StepIndex, CarrierId)>,
    /// Used until a segment starts.
    kept: Vec<(SegmentId, CarrierId)>,
    /// Memrefs that are made from some.
    memrefs: Vec<(ValueId, CarrierId)>,
    escapes: Vec<(CarrierId, Op<'c>)>,
    /// Others come to know which memrefs are stored there.
    exposed: Vec<CarrierId>,
}

/// A value that is found to hold on to memory.
#[derive(Clone, Copy)]
struct Found<'c> {
    value: Val<'c>,
    /// By numbers. What an address is made to by other means, such as a cast to a pointer, has sizes of its own, which are
    /// no addresses.
    by_numbers: bool,
}

impl<'c> OwnershipReader<'c, '_> {
    /// Finds the values that hold on to memory. `seeds` are made from memrefs.
    fn find_carriers(&mut self, seeds: Vec<Found<'c>>) {
        let mut open = seeds;
        while let Some(found) = open.pop() {
            let known = self.carriers.found.get(&found.value.key()).copied();
            let is_old = known.is_some_and(|by_numbers| by_numbers || !found.by_numbers);
            // Memrefs hold on to other memory by their numbers alone.
            if is_old || is_memref(type_of(found.value)) && !found.by_numbers {
                continue;
            }
            self.carriers
                .found
                .insert(found.value.key(), found.by_numbers);
            for user in users(found.value) {
                self.carried_on(user, found, &mut open);
            }
        }
    }

    /// Where `user` hands a value on to.
    fn carried_on(&mut self, user: Op<'c>, found: Found<'c>, to: &mut Vec<Found<'c>>) {
        let Found { value, by_numbers } = found;
        let info = self.semantics.info(user);
        let same = |value: Val<'c>| Found { value, by_numbers };
        let of_edges = |edges: Option<Vec<RegionEdge<'c>>>, to: &mut Vec<Found<'c>>| {
            for (from, into) in edges.iter().flatten().flat_map(|edge| &edge.values) {
                if *from == value {
                    to.push(same(*into));
                }
            }
        };
        for (index, successor) in successors(user).enumerate() {
            let Some(branch) = control_flow::branch_operands(user, index) else {
                continue;
            };
            for (argument, from) in arguments(successor)
                .skip(branch.produced)
                .zip(&branch.forwarded)
            {
                if *from == value {
                    to.push(same(argument));
                }
            }
        }
        if regions(user).next().is_some() {
            if self.semantics.paths_are_known(user) {
                let edges = self.semantics.entry_edges(user);
                let mut passed = edges.iter().flatten().flat_map(|edge| &edge.values);
                if !passed.any(|(from, _)| *from == value) {
                    to.extend(counted_from(user, value).map(same));
                }
                of_edges(edges, to);
                if self.semantics.region_order(user).outlives() {
                    to.extend(results(user).map(|value| Found {
                        value,
                        by_numbers: false,
                    }));
                }
            } else {
                let entries = regions(user).filter_map(|region| blocks(region).next());
                let all = entries.flat_map(arguments).chain(results(user));
                // Of a memref, such an operation hands elements on.
                let is_read = is_memref(type_of(value)) && self.semantics.of(user).opaque.is_none();
                let semantics = &mut *self.semantics;
                let all =
                    all.filter(|to| !(is_read && semantics.class(type_of(*to)) == TypeClass::Data));
                to.extend(all.map(same));
            }
            return;
        }
        if let Some(group) = self.group(user) {
            to.push(Found {
                value: group,
                by_numbers: false,
            });
        }
        if info.is_terminator() {
            of_edges(self.semantics.terminator_edges(user), to);
            return;
        }
        for (at, result) in results(user).enumerate() {
            if self.may_carry(user, found, (at, result)) {
                let by_numbers = self.by_numbers(found, result);
                to.push(Found {
                    value: result,
                    by_numbers,
                });
            }
        }
    }

    /// May what an operation makes of a value be an address as a number, or have such numbers?
    fn by_numbers(&mut self, of: Found<'c>, result: Val<'c>) -> bool {
        match self.semantics.class(type_of(result)) {
            // It is only waited for.
            TypeClass::Token | TypeClass::Group => false,
            TypeClass::Data if !of.by_numbers => {
                let class = self.semantics.class(type_of(of.value));
                matches!(class, TypeClass::Pointer | TypeClass::UnknownToken)
            }
            _ => of.by_numbers,
        }
    }

    /// May a result, by number, hold on to what an operand, `found`, does?
    fn may_carry(&mut self, op: Op<'c>, found: Found<'c>, (at, result): (usize, Val<'c>)) -> bool {
        let r#type = type_of(result);
        let class = self.semantics.class(r#type);
        if !matches!(class, TypeClass::Data | TypeClass::Memref) {
            return true;
        }
        // A flag is no address.
        if integer_width(r#type) == Some(1) {
            return false;
        }
        if let Some(range) = calls::call_arguments(op) {
            let summary = self.callees.summary(op);
            return match summary.and_then(|summary| summary.result(at)) {
                Some(facet) => {
                    let of = facet.address_of.iter();
                    let mut given =
                        of.filter_map(|at| operands(op).nth(range.start + *at as usize));
                    given.any(|operand| operand == found.value)
                }
                // Most functions that are given an address and return such a number read it there.
                None => !r#type.is_float(),
            };
        }
        let memory = self.semantics.of(op);
        if class == TypeClass::Memref {
            // The numbers of what is stored are captured where it is stored.
            return !matches!(memory.result(at), Some(ResultFact::Loaded { .. }));
        }
        // An address as a number, unless it is something that is read there, or the size of a view, which is one only where
        // the view was made so.
        let is_view = |fact: &ResultFact| matches!(fact, ResultFact::View { .. });
        let views = || memory.results.iter().any(|result| is_view(&result.fact));
        memory.opaque.is_some() || !(memory.reads() || !found.by_numbers && views())
    }

    /// Results of an operation that uses memrefs which hold on to their memory.
    pub(super) fn seeds(&mut self, op: Op<'c>, touches: bool) {
        if self.carriers.seeds.is_none() || !touches || results(op).next().is_none() {
            return;
        }
        let holds = self.returns_addresses(op);
        for (at, value) in results(op).enumerate() {
            let by_numbers = match self.semantics.class(type_of(value)) {
                TypeClass::Memref => self.measures_by_address(op, at),
                TypeClass::Data => holds,
                _ => false,
            };
            let class = self.semantics.class(type_of(value));
            let is_seed = by_numbers || !matches!(class, TypeClass::Memref | TypeClass::Data);
            if is_seed && !self.is_of_no_memref(op, at) {
                let found = Found { value, by_numbers };
                self.carriers.seeds.get_or_insert_default().push(found);
            }
        }
    }

    /// Is the result of a call an address of operands of which none is a memref?
    fn is_of_no_memref(&mut self, op: Op<'c>, result: usize) -> bool {
        let memory = self.semantics.of(op);
        let Some(ResultFact::Address { of }) = memory.result(result) else {
            return false;
        };
        let mut of = of.iter().filter_map(|at| operands(op).nth(*at as usize));
        memory.is_call && !of.any(|operand| is_memref(type_of(operand)))
    }

    /// Does a call give a memref whose sizes, strides or offset its callee may compute from the addresses of arguments?
    pub(super) fn measures_by_address(&self, op: Op<'c>, result: usize) -> bool {
        let summary = self.callees.summary(op);
        let facet = summary.and_then(|summary| summary.result(result));
        facet.is_some_and(|facet| facet.is_address && !facet.address_of.is_empty())
    }

    /// May results that are numbers be addresses of what the operands are?
    pub(super) fn returns_addresses(&mut self, op: Op<'c>) -> bool {
        let is_call = self.semantics.info(op).is_call();
        let summary = self.callees.summary(op).filter(|_| is_call);
        self.words.give_address(op, self.semantics)
            || summary.is_some_and(FunctionSummary::returns_addresses)
    }

    pub(super) fn is_carrier(&self, value: Val<'c>) -> bool {
        !self.carriers.found.is_empty() && self.carriers.found.contains_key(&value.key())
    }

    /// Does it hold on to memory by numbers?
    fn is_by_numbers(&self, value: Val<'c>) -> bool {
        self.carriers.found.get(&value.key()) == Some(&true)
    }

    fn carrier(&mut self, value: Val<'c>) -> Option<CarrierId> {
        if !self.is_carrier(value) {
            return None;
        }
        let carriers = &mut self.carriers;
        let next = carriers.memory.len();
        let id = *carriers.ids.entry(value.key()).or_insert(next);
        if id == next {
            carriers.memory.push(Memory::default());
        }
        Some(id)
    }

    pub(super) fn carriers(
        &mut self,
        values: impl Iterator<Item = Val<'c>>,
    ) -> SmallVec<[CarrierId; 2]> {
        let mut all = SmallVec::new();
        if !self.carriers.found.is_empty() {
            for value in values {
                all.extend(self.carrier(value));
            }
        }
        all
    }

    /// How many uses have been noted.
    pub(super) fn uses_of_carriers(&self) -> usize {
        self.carriers.uses.len()
    }

    /// A step uses what an operand holds.
    pub(super) fn uses_carrier(&mut self, operand: Val<'c>, segment: SegmentId, step: StepIndex) {
        if let Some(carrier) = self.carrier(operand) {
            self.carriers.uses.push((segment, step, carrier));
        }
    }

    /// What an operand holds is used until a segment starts.
    pub(super) fn keeps_carried(&mut self, operand: Val<'c>, until: SegmentId) {
        if let Some(carrier) = self.carrier(operand) {
            self.carriers.kept.push((until, carrier));
        }
    }

    /// These results hold what the operands hold, and `memory`.
    pub(super) fn carry(
        &mut self,
        op: Op<'c>,
        to: impl Iterator<Item = Val<'c>>,
        memory: &[ValueId],
    ) {
        if self.carriers.found.is_empty() {
            return;
        }
        let (memrefs, others): (SmallVec<[Val<'c>; 2]>, SmallVec<[Val<'c>; 2]>) =
            to.partition(|to| is_memref(type_of(*to)));
        self.carry_numbers(op, memrefs.into_iter(), memory);
        let from = self.carriers(operands(op));
        self.made(&from, others.into_iter(), memory);
    }

    /// Numbers of these results, or they themselves, may be what operands hold by numbers, or addresses of `memory`.
    pub(super) fn carry_numbers(
        &mut self,
        op: Op<'c>,
        to: impl Iterator<Item = Val<'c>>,
        memory: &[ValueId],
    ) {
        if self.carriers.found.is_empty() {
            return;
        }
        let given = operands(op).filter(|operand| self.is_by_numbers(*operand));
        let given: SmallVec<[Val<'c>; 2]> = given.collect();
        let from = self.carriers(given.into_iter());
        self.made(&from, to, memory);
    }

    fn made(&mut self, from: &[CarrierId], to: impl Iterator<Item = Val<'c>>, memory: &[ValueId]) {
        for to in self.carriers(to) {
            for value in memory {
                self.carriers.memory[to].add(*value);
            }
            let made = from.iter().map(|from| (*from, to, Pass::Made));
            self.carriers.passes.extend(made);
        }
    }

    /// What an operand holds that an operation hands to none of its regions, such as a bound of a loop, what counts from it
    /// holds, too.
    pub(super) fn carry_to_counters(&mut self, op: Op<'c>, operand: Val<'c>) {
        let Some(from) = self.carrier(operand) else {
            return;
        };
        for to in self.carriers(counted_from(op, operand)) {
            self.carriers.passes.push((from, to, Pass::Made));
        }
    }

    /// What the operands of an operation hold, its regions may get hold of, and its results hold, if it is
    /// not known where they go.
    pub(super) fn carry_into(&mut self, op: Op<'c>) {
        let entries = regions(op).filter_map(|region| blocks(region).next());
        let values = entries.flat_map(arguments).chain(results(op));
        self.carry(op, values, &[]);
    }

    /// What is used inside is used until the results of `op` have been waited for, or
    /// for ever.
    pub(super) fn carry_from_inside(
        &mut self,
        op: Op<'c>,
        inside: Inside,
        next: SegmentId,
        waits: bool,
    ) {
        let is_inside = |(segment, _, carrier): &(SegmentId, StepIndex, CarrierId)| {
            (*segment >= inside.segment).then_some(*carrier)
        };
        let uses = self.carriers.uses[inside.uses..].iter();
        let used: SmallVec<[CarrierId; 2]> = uses.filter_map(is_inside).collect();
        for to in self.carriers(results(op)) {
            let inside = used.iter().map(|from| (*from, to, Pass::Inside(next)));
            self.carriers.passes.extend(inside);
        }
        if !waits {
            self.carriers
                .escapes
                .extend(used.iter().map(|carrier| (*carrier, op)));
        }
    }

    /// A memref is made from what the operands hold.
    pub(super) fn made_from_carried(&mut self, op: Op<'c>, memref: ValueId) {
        for from in self.carriers(operands(op)) {
            self.carriers.memrefs.push((memref, from));
        }
    }

    /// An edge passes one value to another.
    pub(super) fn passes_carried(&mut self, from: Val<'c>, to: Val<'c>, edge: EdgeId) {
        if let (Some(from), Some(to)) = (self.carrier(from), self.carrier(to)) {
            self.carriers.passes.push((from, to, Pass::Edge(edge)));
        }
    }

    /// What a value holds is out of the function's hands.
    pub(super) fn carrier_escapes(&mut self, value: Val<'c>, op: Op<'c>) {
        if let Some(carrier) = self.carrier(value) {
            self.carriers.escapes.push((carrier, op));
        }
    }

    /// What else is stored in memory that memrefs refer to by their numbers, others come to know, too.
    pub(super) fn expose_carried(&mut self, operand: Val<'c>) {
        if stores_memrefs(type_of(operand))
            && let Some(carrier) = self.carrier(operand)
        {
            self.carriers.exposed.push(carrier);
        }
    }

    /// What holds on to memory without being a memref of it is not followed out of the function.
    pub(super) fn carriers_escape(&mut self, op: Op<'c>) {
        for carrier in self.carriers(operands(op)) {
            self.carriers.escapes.push((carrier, op));
        }
    }

    /// When all has been read: uses of what is held become uses of the memory.
    pub(super) fn settle_carriers(&mut self) {
        let mut carriers = std::mem::take(&mut self.carriers);
        if carriers.memory.is_empty() {
            return;
        }
        let order = Order::of(&self.reading.memory.function);
        self.spread(&mut carriers, &order);
        for (segment, step, carrier) in carriers.uses {
            for value in &carriers.memory[carrier].all {
                self.uses(segment, step, *value);
            }
        }
        for (until, carrier) in carriers.kept {
            for value in &carriers.memory[carrier].all {
                self.reading.memory.function.kept.push((until, *value));
            }
        }
        for (memref, carrier) in carriers.memrefs {
            if let Kind::Any(sources) | Kind::Told(sources) =
                &mut self.reading.memory.function.values[memref.index()].kind
            {
                let more = carriers.memory[carrier].all.iter();
                sources.extend(more.copied().filter(|value| *value != memref));
            }
        }
        for (carrier, op) in carriers.escapes {
            for value in &carriers.memory[carrier].all {
                self.escapes.push((*value, op));
            }
        }
        for carrier in carriers.exposed {
            self.expose_all(&carriers.memory[carrier].all);
        }
    }

    /// What each holds, from those that it is made from.
    fn spread(&mut self, carriers: &mut Carriers<'c>, order: &Order) {
        let function = &self.reading.memory.function;
        let mut users: Vec<SmallVec<[(CarrierId, Pass); 2]>> =
            vec![SmallVec::new(); carriers.memory.len()];
        for (from, to, pass) in &carriers.passes {
            let is_dead =
                matches!(pass, Pass::Edge(edge) if !order.is_reachable(function.edge(*edge).from));
            if !is_dead {
                users[*from].push((*to, *pass));
            }
        }
        let mut open: Vec<(CarrierId, ValueId)> = Vec::new();
        for (carrier, memory) in carriers.memory.iter().enumerate() {
            open.extend(memory.all.iter().map(|value| (carrier, *value)));
        }
        while let Some((carrier, value)) = open.pop() {
            for (to, pass) in &users[carrier] {
                let name = match *pass {
                    Pass::Made => value,
                    Pass::Inside(next)
                        if order.is_visible(&self.reading.memory.function, value, next) =>
                    {
                        value
                    }
                    Pass::Inside(_) => continue,
                    Pass::Edge(edge) => {
                        let Some(name) = self.name_behind(order, edge, value) else {
                            self.escapes.push((value, self.reading.op_of(edge)));
                            continue;
                        };
                        name
                    }
                };
                if carriers.memory[*to].add(name) {
                    open.push((*to, name));
                }
            }
        }
    }

    /// What the memory of a value is called on the other side of an edge: a parameter that it is passed
    /// to, or itself where that can still be seen.
    fn name_behind(&self, order: &Order, edge: EdgeId, value: ValueId) -> Option<ValueId> {
        let function = &self.reading.memory.function;
        let edge = function.edge(edge);
        let to = edge.to?;
        match edge.passed.iter().position(|passed| *passed == Some(value)) {
            Some(at) => function.segment(to).params.get(at).copied(),
            None if function.value(value).segment == to => None,
            None => order.is_visible(function, value, to).then_some(value),
        }
    }

    /// Notes which operations hold others that touch memrefs, or what holds on to them.
    pub(super) fn find_touching(&mut self, region: Region<'c>) {
        self.carriers.seeds = Some(Vec::new());
        self.scan(region);
        let seeds = self.carriers.seeds.take().unwrap_or_default();
        if !seeds.is_empty() {
            self.find_carriers(seeds);
            self.scan(region);
        }
    }
}

/// Arguments of the regions of an operation that may be computed from an operand: those of its type.
fn counted_from<'c>(op: Op<'c>, operand: Val<'c>) -> impl Iterator<Item = Val<'c>> {
    let entries = regions(op).filter_map(|region| blocks(region).next());
    entries
        .flat_map(arguments)
        .filter(move |argument| type_of(*argument) == type_of(operand))
}
