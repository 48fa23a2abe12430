//! What holds on to memory without being a memref: pointers, tokens, addresses as numbers.
//!
//! Such values are found before all else, along the uses of those that are made from memrefs, since
//! a use of one is a use of the memory. What each holds is the memory it was made from, by a name
//! that the place of the use can see: along an edge, a value that is out of sight on the other side
//! is known there by the parameter that it is passed to. Memory that has no such name is out of the
//! function's hands.

use super::{Reader, held::Inside};
use crate::memory_function::Walk;
use fixedbitset::FixedBitSet;
use memplan_mlir::{
    calls,
    copy::integer_width,
    flow,
    ir::{
        Identity, Key, Op, Region, Val, arguments, blocks, is_memref, operands, regions, results,
        successors, type_of, users,
    },
    melior::ir::TypeLike,
};
use memplan_ownership::{
    function::{EdgeId, Kind, SegmentId, Step, ValueId},
    order::Order,
};
use memplan_semantics::{ResultFact, TypeClass, graph::RegionEdge};
use memplan_summaries::FunctionSummary;
use rustc_hash::{FxHashMap, FxHashSet};
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
    seeds: Option<Vec<Val<'c>>>,
    /// Found before all else.
    found: FxHashSet<Key>,
    ids: FxHashMap<Key, CarrierId>,
    /// The memory that each was made from.
    memory: Vec<Memory>,
    /// What is passed on: from, to, and how.
    passes: Vec<(CarrierId, CarrierId, Pass)>,
    uses: Vec<(SegmentId, Step, CarrierId)>,
    /// Used until a segment starts.
    kept: Vec<(SegmentId, CarrierId)>,
    /// Memrefs that are made from some.
    memrefs: Vec<(ValueId, CarrierId)>,
    escapes: Vec<(CarrierId, Op<'c>)>,
}

impl<'c> Reader<'c, '_> {
    /// Finds the values that hold on to memory. `seeds` are made from memrefs.
    fn find_carriers(&mut self, seeds: Vec<Val<'c>>) {
        let mut open = seeds;
        while let Some(value) = open.pop() {
            if !self.carriers.found.insert(value.key()) {
                continue;
            }
            for user in users(value) {
                self.carried_on(user, value, &mut open);
            }
        }
    }

    /// Where `user` hands a value on to.
    fn carried_on(&mut self, user: Op<'c>, value: Val<'c>, to: &mut Vec<Val<'c>>) {
        let info = self.semantics.info(user);
        let of_edges = |edges: Option<Vec<RegionEdge<'c>>>, to: &mut Vec<Val<'c>>| {
            for (from, into) in edges.iter().flatten().flat_map(|edge| &edge.values) {
                if *from == value && !is_memref(type_of(*into)) {
                    to.push(*into);
                }
            }
        };
        for (index, successor) in successors(user).enumerate() {
            let Some(branch) = flow::branch_operands(user, index) else {
                continue;
            };
            for (argument, from) in arguments(successor)
                .skip(branch.produced)
                .zip(&branch.forwarded)
            {
                if *from == value {
                    to.push(argument);
                }
            }
        }
        if regions(user).next().is_some() {
            if self.semantics.paths_are_known(user) {
                let edges = self.semantics.entry_edges(user);
                let mut passed = edges.iter().flatten().flat_map(|edge| &edge.values);
                if !passed.any(|(from, _)| *from == value) {
                    to.extend(counted_from(user, value));
                }
                of_edges(edges, to);
                if self.semantics.region_order(user).outlives() {
                    to.extend(results(user));
                }
            } else {
                to.extend(
                    regions(user)
                        .filter_map(|region| blocks(region).next())
                        .flat_map(arguments),
                );
                to.extend(results(user));
            }
            to.retain(|value| !is_memref(type_of(*value)));
            return;
        }
        if let Some(group) = self.group(user) {
            to.push(group);
        }
        if info.is_terminator() {
            of_edges(self.semantics.terminator_edges(user), to);
            return;
        }
        for result in results(user) {
            if !is_memref(type_of(result)) && self.may_carry(user, value, result) {
                to.push(result);
            }
        }
    }

    /// May a result hold on to what an operand, `value`, does?
    fn may_carry(&mut self, op: Op<'c>, value: Val<'c>, result: Val<'c>) -> bool {
        let r#type = type_of(result);
        if self.semantics.class(r#type) != TypeClass::Data {
            return true;
        }
        // A flag is no address.
        if integer_width(r#type) == Some(1) {
            return false;
        }
        if let Some(range) = calls::call_arguments(op) {
            let summary = self.callees.summary(op);
            let number = results(op).position(|one| one == result);
            let facet = summary
                .zip(number)
                .and_then(|(summary, at)| summary.result(at));
            return match facet {
                Some(facet) => {
                    let of = facet.address_of.iter();
                    let mut given =
                        of.filter_map(|at| operands(op).nth(range.start + *at as usize));
                    given.any(|operand| operand == value)
                }
                // Most functions that are given an address and return such a number read it there.
                None => !r#type.is_float(),
            };
        }
        // An address as a number, unless it is something that is read there, or the size of a view.
        let memory = self.semantics.of(op);
        let is_view = |fact: &ResultFact| matches!(fact, ResultFact::View { .. });
        memory.opaque.is_some()
            || !(memory.reads() || memory.results.iter().any(|result| is_view(&result.fact)))
    }

    /// Results of an operation that uses memrefs which hold on to their memory.
    pub(super) fn seeds(&mut self, op: Op<'c>, touches: bool) {
        if self.carriers.seeds.is_none() || !touches || results(op).next().is_none() {
            return;
        }
        let holds = self.gives_addresses(op);
        for result in results(op) {
            match self.semantics.class(type_of(result)) {
                TypeClass::Memref => {}
                TypeClass::Data if !holds => {}
                _ => self.carriers.seeds.get_or_insert_default().push(result),
            }
        }
    }

    /// May results that are numbers be addresses of what the operands are?
    pub(super) fn gives_addresses(&mut self, op: Op<'c>) -> bool {
        let is_call = self.semantics.info(op).is_call();
        let summary = self.callees.summary(op).filter(|_| is_call);
        self.words.give_address(op, self.semantics)
            || summary.is_some_and(FunctionSummary::returns_addresses)
    }

    pub(super) fn is_carrier(&self, value: Val<'c>) -> bool {
        !self.carriers.found.is_empty() && self.carriers.found.contains(&value.key())
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
    pub(super) fn uses_carrier(&mut self, operand: Val<'c>, segment: SegmentId, step: Step) {
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
        let from = self.carriers(operands(op));
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
        let is_inside = |(segment, _, carrier): &(SegmentId, Step, CarrierId)| {
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
        if is_memref(type_of(to)) {
            return;
        }
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

    /// What holds on to memory without being a memref is not followed out of the function.
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
